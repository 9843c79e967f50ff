//! The load: raw HTTP/1.1 over kept connections, cheap enough to keep a server's core busy from another core. What is
//! loaded, and what the figures mean, is not known here.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    sync::mpsc,
    task::{JoinSet, yield_now},
    time::sleep,
};

use crate::support::{median, process::ProcessorTime};

/// Before a measurement counts.
const WARM_UP: Duration = Duration::from_millis(300);
const MEASURED: Duration = Duration::from_secs(1);

/// A whole request as its bytes.
pub type Request = Arc<[u8]>;

pub fn post(address: SocketAddr, path: &str, key: Option<&str>, body: &str) -> Request {
    let authorization = key.map(|key| format!("authorization: Bearer {key}\r\n")).unwrap_or_default();
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{authorization}content-type: application/json\r\n\
         content-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
    .into()
}

/// A server's process.
#[derive(Clone, Copy)]
pub struct Target {
    pub address: SocketAddr,
    pub process_id: u32,
}

/// The answer to one request.
pub struct Answer<'a> {
    pub status: u16,
    pub body: &'a [u8],
}

impl Answer<'_> {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.body).into_owned()
    }
}

/// A kept connection.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub async fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("connects");
        stream.set_nodelay(true).expect("can be set");
        Self { stream, buffer: vec![0; 64 * 1024] }
    }

    /// Sends the request and waits for the whole answer.
    pub async fn call(&mut self, request: &[u8]) -> Answer<'_> {
        self.stream.write_all(request).await.expect("writes");
        let mut filled = 0;
        let head = loop {
            filled += self.read(filled).await;
            if let Some(head) = Head::read(&self.buffer[..filled]) {
                break head;
            }
        };
        let end = head.length + head.body_length;
        self.buffer.resize(self.buffer.len().max(end), 0);
        while filled < end {
            filled += self.read(filled).await;
        }
        Answer { status: head.status, body: &self.buffer[head.length..end] }
    }

    async fn read(&mut self, filled: usize) -> usize {
        let count = self.stream.read(&mut self.buffer[filled..]).await.expect("reads");
        assert!(count > 0, "the server closed a connection");
        count
    }
}

/// What must be known of an answer's head to find its end.
struct Head {
    status: u16,
    length: usize,
    body_length: usize,
}

impl Head {
    /// `None` while the head is not whole.
    fn read(bytes: &[u8]) -> Option<Self> {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
        let mut lines = bytes[..end].split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
        let status = lines.next()?.get(9..12).map(number)?;
        let body_length = lines.find_map(|line| line.strip_prefix(b"content-length: ").map(number));
        Some(Self {
            status: u16::try_from(status).expect("three digits"),
            length: end + 4,
            body_length: body_length.expect("a length"),
        })
    }
}

fn number(digits: &[u8]) -> usize {
    digits.iter().fold(0, |number, digit| {
        assert!(digit.is_ascii_digit(), "no number: {digits:?}");
        number * 10 + usize::from(digit - b'0')
    })
}

/// Connections that each send their next request as soon as the last is answered.
pub struct ClosedLoop {
    connections: JoinSet<()>,
    progress: Arc<Progress>,
}

#[derive(Default)]
struct Progress {
    answered: AtomicU64,
    stopped: AtomicBool,
}

impl ClosedLoop {
    /// Starts them. They send `requests` in turn, each beginning elsewhere, and every answer must have `status`.
    pub async fn start(address: SocketAddr, connections: usize, requests: &[Request], status: u16) -> Self {
        let progress = Arc::<Progress>::default();
        let requests: Arc<[Request]> = requests.into();
        let mut running = JoinSet::new();
        for at in 0..connections {
            let mut connection = Connection::open(address).await;
            let (progress, requests) = (Arc::clone(&progress), Arc::clone(&requests));
            let first = at * requests.len() / connections;
            running.spawn(async move {
                for request in requests.iter().cycle().skip(first) {
                    if progress.stopped.load(Ordering::Relaxed) {
                        return;
                    }
                    let answer = connection.call(request).await;
                    assert_eq!(answer.status, status, "{}", answer.text());
                    progress.answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        Self { connections: running, progress }
    }

    pub fn answered(&self) -> u64 {
        self.progress.answered.load(Ordering::Relaxed)
    }

    pub async fn stop(self) {
        self.progress.stopped.store(true, Ordering::Relaxed);
        self.connections.join_all().await;
    }
}

/// What a server did under a closed loop.
#[derive(Clone, Copy)]
pub struct Throughput {
    pub calls_a_second: f64,
    /// Microseconds of processor time a call.
    pub user_micros: f64,
    pub system_micros: f64,
    /// The share of the time in which the server's process was running.
    pub busy: f64,
}

impl Throughput {
    pub fn processor_micros(self) -> f64 {
        self.user_micros + self.system_micros
    }

    /// Each figure's median.
    pub fn median(rounds: &[Self]) -> Self {
        let of = |figure: fn(&Self) -> f64| median(rounds.iter().map(figure).collect());
        Self {
            calls_a_second: of(|round| round.calls_a_second),
            user_micros: of(|round| round.user_micros),
            system_micros: of(|round| round.system_micros),
            busy: of(|round| round.busy),
        }
    }
}

/// Loads the server, and counts once it is warm.
pub async fn throughput(target: Target, connections: usize, requests: &[Request], status: u16) -> Throughput {
    let load = ClosedLoop::start(target.address, connections, requests, status).await;
    sleep(WARM_UP).await;
    let before = (Instant::now(), load.answered(), ProcessorTime::of(target.process_id));
    sleep(MEASURED).await;
    let (took, answered) = (before.0.elapsed(), load.answered() - before.1);
    let used = ProcessorTime::of(target.process_id).since(before.2);
    load.stop().await;
    #[expect(clippy::cast_precision_loss, reason = "far fewer than 2^52 calls")]
    let answered = answered as f64;
    let micros_a_call = |time: Duration| time.as_secs_f64() * 1e6 / answered;
    Throughput {
        calls_a_second: answered / took.as_secs_f64(),
        user_micros: micros_a_call(used.user),
        system_micros: micros_a_call(used.system),
        busy: used.total().as_secs_f64() / took.as_secs_f64(),
    }
}

/// How long calls took, shortest first.
pub struct Latencies(Vec<Duration>);

impl Latencies {
    pub fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    /// The time within which `percent` of the calls were answered.
    pub fn percentile(&self, percent: usize) -> Duration {
        self.0[(self.0.len() * percent / 100).min(self.0.len() - 1)]
    }
}

/// Sends a request at every tick of a steady rate, whether or not earlier ones are answered. A call's time begins when
/// it was due: one that had to wait for a slow one before it has waited for the server.
pub async fn steady(
    target: Target,
    connections: usize,
    request: &Request,
    rate: u32,
    span: Duration,
) -> Latencies {
    let mut running = JoinSet::new();
    let mut queues = Vec::new();
    for _ in 0..connections {
        let mut connection = Connection::open(target.address).await;
        // The first call of a connection is the slowest and none of the steady ones.
        connection.call(request).await;
        let (queue, mut due) = mpsc::unbounded_channel::<Instant>();
        let request = Arc::clone(request);
        queues.push(queue);
        running.spawn(async move {
            let mut times = Vec::new();
            while let Some(due) = due.recv().await {
                let answer = connection.call(&request).await;
                assert_eq!(answer.status, 200, "{}", answer.text());
                times.push(due.elapsed());
            }
            times
        });
    }
    let tick = Duration::from_secs(1) / rate;
    let (start, mut sent) = (Instant::now(), 0);
    for queue in queues.iter().cycle() {
        let due = start + tick * sent;
        if due > start + span {
            break;
        }
        // The runtime's timer knows milliseconds only; yielding looks after the connections meanwhile.
        while Instant::now() < due {
            yield_now().await;
        }
        queue.send(due).expect("the connection is there");
        sent += 1;
    }
    drop(queues);
    Latencies::of(running.join_all().await.concat())
}

/// Sends requests one after the other over one connection.
pub async fn one_by_one(address: SocketAddr, requests: &[Request]) -> Latencies {
    let mut connection = Connection::open(address).await;
    let mut times = Vec::with_capacity(requests.len());
    for request in requests {
        let sent = Instant::now();
        let answer = connection.call(request).await;
        times.push(sent.elapsed());
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    Latencies::of(times)
}
