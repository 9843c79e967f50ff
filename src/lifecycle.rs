//! From the first connection to the last: accepting, time limits of a connection, and stopping without dropping a call.

use std::{io, sync::Arc, time::Duration};

use axum::{Router, extract::ConnectInfo, http::Request};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    signal,
    sync::{OwnedSemaphorePermit, Semaphore},
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::ServiceExt;

/// Time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub struct ConnectionLimits {
    /// Until the first byte.
    pub first_byte: Duration,
    /// For the headers of a request. It runs between requests too, so it is also how long an idle connection is kept,
    /// and must be longer than callers' pools keep theirs (60 seconds is usual): else they meet the close with a call.
    pub headers: Duration,
    /// For finishing what was accepted, once the server stops.
    pub drain: Duration,
}

impl ConnectionLimits {
    /// The usual limits, with `drain` as the caller's work needs it.
    #[must_use]
    pub const fn draining_for(drain: Duration) -> Self {
        Self { first_byte: Duration::from_secs(10), headers: Duration::from_secs(75), drain }
    }
}

/// Connections held at once; more wait in the system's queue. Well below the usual limit of open files.
const MAX_CONNECTIONS: usize = 4096;
/// A moment for the system to recover when it gives no more connections.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` until `stop`, then finishes the calls that were accepted, within the limit for that.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken, limits: ConnectionLimits) {
    let places = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    let (finish, cut_off) = (CancellationToken::new(), CancellationToken::new());
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = accept(&listener, &places) => accepted,
        };
        match accepted {
            Ok((stream, place)) => {
                let (router, finish, cut_off) = (router.clone(), finish.clone(), cut_off.clone());
                tasks.spawn(async move {
                    tokio::select! {
                        () = cut_off.cancelled() => {}
                        () = converse(stream, router, finish, limits) => {}
                    }
                    drop(place);
                });
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    tasks.close();
    finish.cancel();
    if timeout(limits.drain, tasks.wait()).await.is_err() {
        tracing::warn!(
            calls = tasks.len(),
            "cutting off what was still open when the time for finishing was over"
        );
        cut_off.cancel();
        tasks.wait().await;
    }
}

async fn accept(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> io::Result<(TcpStream, OwnedSemaphorePermit)> {
    // Nobody closes the semaphore.
    let place = Arc::clone(places).acquire_owned().await.map_err(io::Error::other)?;
    let (stream, _) = listener.accept().await?;
    Ok((stream, place))
}

/// Answers the requests of one connection, HTTP/1 or HTTP/2 as its first bytes say, until it ends or `finish` asks to
/// end it after the request in hand.
async fn converse(stream: TcpStream, router: Router, finish: CancellationToken, limits: ConnectionLimits) {
    // Answers are small and written whole; waiting to fill packets only delays them, and failing to say so does no more.
    let _delayed_at_worst = stream.set_nodelay(true);
    // hyper's own limits begin only once it knows the protocol.
    let mut byte = [0];
    let first_byte = tokio::select! {
        () = finish.cancelled() => return,
        first_byte = timeout(limits.first_byte, stream.peek(&mut byte)) => first_byte,
    };
    if !matches!(first_byte, Ok(Ok(1))) {
        return;
    }
    let peer = stream.peer_addr().ok().map(ConnectInfo);
    let service = router.map_request(move |mut request: Request<_>| {
        if let Some(peer) = peer {
            request.extensions_mut().insert(peer);
        }
        request
    });
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.headers);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(limits.headers));
    let connection = builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(service));
    tokio::pin!(connection);
    // How a connection ends is its caller's affair: broken off, timed out or closed in order.
    let _ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = finish.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
}

/// Cancelled when the process is asked to end (SIGTERM, or Ctrl-C). A second request ends it at once.
///
/// # Errors
/// The system does not let us listen for signals.
pub fn stop_on_signal() -> io::Result<CancellationToken> {
    let stop = CancellationToken::new();
    let asked = stop.clone();
    let mut terminate = signal::unix::signal(signal::unix::SignalKind::terminate())?;
    let mut interrupt = signal::unix::signal(signal::unix::SignalKind::interrupt())?;
    tokio::spawn(async move {
        loop {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            if asked.is_cancelled() {
                tracing::warn!("asked to stop twice: stopping now");
                std::process::exit(1);
            }
            tracing::info!("stopping: no new calls, finishing those that were accepted");
            asked.cancel();
        }
    });
    Ok(stop)
}

#[cfg(test)]
mod tests {
    use std::net::SocketAddr;

    use axum::routing::get;
    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        sync::Notify,
        task::JoinHandle,
        time::Instant,
    };

    use super::*;

    const CALL: &str = "GET /held HTTP/1.1\r\nhost: x\r\n\r\n";

    /// A server with one call, which says when it was accepted and is answered when it is let go.
    struct Held {
        address: SocketAddr,
        accepted: Arc<Notify>,
        let_go: Arc<Notify>,
        stop: CancellationToken,
        server: JoinHandle<()>,
    }

    impl Held {
        async fn start(limits: ConnectionLimits) -> Self {
            let (accepted, let_go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
            let [says, waits] = [&accepted, &let_go].map(Arc::clone);
            let held = move || async move {
                says.notify_one();
                waits.notified().await;
                "done"
            };
            let router = Router::new().route("/held", get(held));
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let stop = CancellationToken::new();
            let server = tokio::spawn(serve(listener, router, stop.clone(), limits));
            Self { address, accepted, let_go, stop, server }
        }
    }

    /// Sends `request`; what comes back until the server closes, and after how long.
    async fn send(address: SocketAddr, request: &str) -> (String, Duration) {
        let started = Instant::now();
        let mut stream = TcpStream::connect(address).await.expect("connects");
        stream.write_all(request.as_bytes()).await.expect("writes");
        let mut answer = String::new();
        timeout(Duration::from_mins(1), stream.read_to_string(&mut answer))
            .await
            .expect("is closed")
            .expect("reads");
        (answer, started.elapsed())
    }

    #[tokio::test]
    async fn a_connection_that_says_nothing_and_one_that_stops_speaking_are_closed() {
        let (first_byte, headers) = (Duration::from_secs(1), Duration::from_secs(4));
        let limits = ConnectionLimits { first_byte, headers, drain: Duration::from_secs(10) };
        let Held { address, .. } = Held::start(limits).await;
        let half_a_call = "GET /held HTTP/1.1\r\nhost: x\r\n";
        let ((answer, silent), (_, stopped)) = tokio::join!(send(address, ""), send(address, half_a_call));
        assert!(answer.is_empty() && silent >= first_byte && silent < headers, "{silent:?}");
        assert!(stopped >= headers, "{stopped:?}");
    }

    #[tokio::test]
    async fn what_was_accepted_is_answered_and_idle_connections_end_when_the_server_stops() {
        let limits = ConnectionLimits::draining_for(Duration::from_secs(30));
        let Held { address, accepted, let_go, stop, server } = Held::start(limits).await;
        // Accepted before the call, since it came before it.
        let silent = TcpStream::connect(address).await.expect("connects");
        let call = tokio::spawn(send(address, CALL));
        accepted.notified().await;
        stop.cancel();
        while TcpStream::connect(address).await.is_ok() {
            sleep(Duration::from_millis(5)).await;
        }
        let stopped = Instant::now();
        let_go.notify_one();
        let (answer, _) = call.await.expect("answered");
        assert!(answer.starts_with("HTTP/1.1 200") && answer.ends_with("done"), "{answer}");
        server.await.expect("ends");
        assert!(
            stopped.elapsed() < limits.first_byte / 2,
            "held up by the silent one: {:?}",
            stopped.elapsed()
        );
        drop(silent);
    }

    #[tokio::test]
    async fn a_call_that_never_ends_is_cut_off_after_the_drain_limit() {
        let limits = ConnectionLimits::draining_for(Duration::from_secs(1));
        let Held { address, accepted, stop, server, .. } = Held::start(limits).await;
        let call = tokio::spawn(send(address, CALL));
        accepted.notified().await;
        let asked = Instant::now();
        stop.cancel();
        server.await.expect("ends");
        assert!(
            asked.elapsed() >= limits.drain && asked.elapsed() < limits.drain * 10,
            "{:?}",
            asked.elapsed()
        );
        assert_eq!(call.await.expect("closed").0, "");
    }
}
