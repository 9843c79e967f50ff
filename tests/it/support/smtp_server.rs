//! A mail server (RFC 5321) on loopback that takes every letter, unless a test tells it to answer otherwise or not at all.

use std::{
    collections::{HashMap, VecDeque},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use rcgen::CertifiedKey;
use tokio::{
    io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufStream},
    net::{TcpListener, TcpStream},
    task::{AbortHandle, JoinSet},
};
use tokio_rustls::{
    TlsAcceptor,
    rustls::{ServerConfig, crypto::ring, pki_types::PrivateKeyDer},
};

use super::Port;

/// How it protects connections.
#[derive(Clone)]
pub enum Tls {
    Never,
    /// After a plain beginning.
    Offered(TlsAcceptor),
    FromTheBeginning(TlsAcceptor),
}

/// A letter it has taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taken {
    pub from: String,
    pub to: String,
    /// Head and body, as it was before it was written for the wire.
    pub letter: String,
    pub over_tls: bool,
}

/// Stops when dropped.
pub struct SmtpServer {
    port: Port,
    tls: Tls,
    shared: Arc<Shared>,
    serving: AbortHandle,
}

#[derive(Default)]
struct Shared {
    /// What is answered next at a command, before the usual answer; none: nothing is answered any more.
    answers: Mutex<HashMap<&'static str, VecDeque<Option<String>>>>,
    taken: Mutex<Vec<Taken>>,
    commands: Mutex<Vec<String>>,
}

impl SmtpServer {
    pub async fn start(tls: Tls) -> Self {
        let shared = Arc::default();
        let port = Port::free();
        let serving = serve(port.number(), &tls, &shared).await;
        Self { port, tls, shared, serving }
    }

    pub const fn port(&self) -> u16 {
        self.port.number()
    }

    /// Answers so the next time that it comes to `command`. `CONNECT` is a connection's beginning, `LETTER` a letter's end.
    pub fn answer(&self, command: &'static str, answer: &str) {
        lock(&self.shared.answers).entry(command).or_default().push_back(Some(answer.to_owned()));
    }

    /// Answers nothing more on the next connection that comes to `command`.
    pub fn be_silent_at(&self, command: &'static str) {
        lock(&self.shared.answers).entry(command).or_default().push_back(None);
    }

    /// The letters it has taken.
    pub fn taken(&self) -> Vec<Taken> {
        lock(&self.shared.taken).clone()
    }

    /// Everything that was said to it but letters.
    pub fn commands(&self) -> Vec<String> {
        lock(&self.shared.commands).clone()
    }

    /// Breaks all connections and takes no more.
    pub fn stop(&self) {
        self.serving.abort();
    }

    pub async fn start_again(&mut self) {
        self.serving = serve(self.port(), &self.tls, &self.shared).await;
    }
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A certificate for `localhost` that vouches for itself, as PEM, and the server's half of TLS with it.
pub fn tls_of_localhost() -> (String, TlsAcceptor) {
    let CertifiedKey { cert, signing_key } =
        rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![cert.der().clone()], key)
        .expect("a configuration");
    (cert.pem(), Arc::new(config).into())
}

async fn serve(port: u16, tls: &Tls, shared: &Arc<Shared>) -> AbortHandle {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.expect("a port");
    let (tls, shared) = (tls.clone(), Arc::clone(shared));
    let serving = tokio::spawn(async move {
        // Ends with this task, and ends what is in it.
        let mut connections = JoinSet::new();
        while let Ok((stream, _)) = listener.accept().await {
            connections.spawn(welcome(stream, tls.clone(), Arc::clone(&shared)));
        }
    });
    serving.abort_handle()
}

/// A client that leaves in the middle is no trouble of the server's.
async fn welcome(stream: TcpStream, tls: Tls, shared: Arc<Shared>) -> io::Result<()> {
    match tls {
        Tls::Never => Talk::new(stream, &shared, false, false).run(true).await.map(drop),
        Tls::FromTheBeginning(acceptor) => {
            let stream = acceptor.accept(stream).await?;
            Talk::new(stream, &shared, true, false).run(true).await.map(drop)
        }
        Tls::Offered(acceptor) => match Talk::new(stream, &shared, false, true).run(true).await? {
            Some(stream) => {
                let stream = acceptor.accept(stream).await?;
                Talk::new(stream, &shared, true, false).run(false).await.map(drop)
            }
            None => Ok(()),
        },
    }
}

struct Talk<'a, S> {
    stream: BufStream<S>,
    shared: &'a Shared,
    over_tls: bool,
    offers_tls: bool,
}

impl<'a, S: AsyncRead + AsyncWrite + Unpin> Talk<'a, S> {
    fn new(stream: S, shared: &'a Shared, over_tls: bool, offers_tls: bool) -> Self {
        Self { stream: BufStream::new(stream), shared, over_tls, offers_tls }
    }

    /// Until the client leaves; or gives the stream back when it wants TLS.
    async fn run(mut self, greets: bool) -> io::Result<Option<S>> {
        let (mut from, mut to) = (String::new(), String::new());
        if greets {
            self.say("CONNECT", "220 localhost").await?;
        }
        while let Some(line) = self.line().await? {
            lock(&self.shared.commands).push(line.clone());
            let verb = line.split(' ').next().unwrap_or_default().to_ascii_uppercase();
            let (at, usual) = match &*verb {
                "EHLO" if self.offers_tls => ("EHLO", "250-localhost\r\n250 STARTTLS"),
                "EHLO" => ("EHLO", "250-localhost\r\n250 AUTH PLAIN LOGIN"),
                "STARTTLS" => ("STARTTLS", "220 go ahead"),
                "AUTH" => ("AUTH", "235 welcome"),
                "MAIL" => ("MAIL", "250 fine"),
                "RCPT" => ("RCPT", "250 fine"),
                "DATA" => ("DATA", "354 end with a dot"),
                "QUIT" => ("QUIT", "221 farewell"),
                _ => ("ANY", "502 what?"),
            };
            let is_usual = self.say(at, usual).await?;
            match at {
                "MAIL" => from = path_of(&line),
                "RCPT" => to = path_of(&line),
                "DATA" if is_usual => self.take_letter(&from, &to).await?,
                "STARTTLS" => return Ok(Some(self.stream.into_inner())),
                "QUIT" => return Ok(None),
                _ => {}
            }
        }
        Ok(None)
    }

    /// Whether it said what it usually says.
    async fn say(&mut self, at: &'static str, usual: &str) -> io::Result<bool> {
        let other = lock(&self.shared.answers).get_mut(at).and_then(VecDeque::pop_front);
        let is_usual = other.is_none();
        let Some(answer) = other.unwrap_or_else(|| Some(usual.to_owned())) else {
            return std::future::pending().await;
        };
        self.stream.write_all(format!("{answer}\r\n").as_bytes()).await?;
        self.stream.flush().await?;
        Ok(is_usual)
    }

    async fn take_letter(&mut self, from: &str, to: &str) -> io::Result<()> {
        let letter = self.letter().await?;
        if self.say("LETTER", "250 taken").await? {
            let (from, to) = (from.to_owned(), to.to_owned());
            lock(&self.shared.taken).push(Taken { from, to, letter, over_tls: self.over_tls });
        }
        Ok(())
    }

    /// Up to the dot on a line of its own, without the dots that were put before others (RFC 5321, section 4.5.2).
    async fn letter(&mut self) -> io::Result<String> {
        let mut letter = String::new();
        loop {
            let line = self.line().await?.ok_or(io::ErrorKind::UnexpectedEof)?;
            if line == "." {
                return Ok(letter);
            }
            letter.push_str(line.strip_prefix('.').unwrap_or(&line));
            letter.push('\n');
        }
    }

    async fn line(&mut self) -> io::Result<Option<String>> {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).await?;
        Ok((read > 0).then(|| line.trim_end_matches(['\r', '\n']).to_owned()))
    }
}

/// What stands in angle brackets.
fn path_of(line: &str) -> String {
    let path = line.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
    path.map(|(path, _)| path.to_owned()).unwrap_or_default()
}

fn lock<T>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
