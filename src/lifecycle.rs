//! From the first connection to the last: accepting, time limits of a connection, and stopping without dropping a call.

use std::{io, time::Duration};

use axum::Router;
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::{conn::auto, graceful::GracefulShutdown},
    service::TowerToHyperService,
};
use tokio::{
    net::{TcpListener, TcpStream},
    signal,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

/// Time in which a request's headers must arrive, counted from the first byte awaited.
const HEADER_LIMIT: Duration = Duration::from_secs(10);
/// A moment for the system to recover when it gives no more connections (too many open files).
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves `router` until `stop`, then finishes the calls that were accepted, for at most `drain_limit`.
pub async fn serve(listener: TcpListener, router: Router, stop: CancellationToken, drain_limit: Duration) {
    let connections = GracefulShutdown::new();
    let tasks = TaskTracker::new();
    loop {
        let accepted = tokio::select! {
            () = stop.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let connection = connection(stream, router.clone());
                tasks.spawn(connections.watch(connection));
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                sleep(ACCEPT_PAUSE).await;
            }
        }
    }
    drop(listener);
    tasks.close();
    if timeout(drain_limit, connections.shutdown()).await.is_err() {
        tracing::warn!("calls were still open when the time for finishing them was over");
    }
}

/// One connection, HTTP/1 or HTTP/2 as its first bytes say.
fn connection(
    stream: TcpStream,
    router: Router,
) -> auto::Connection<'static, TokioIo<TcpStream>, TowerToHyperService<Router>, TokioExecutor> {
    // Answers are small and written whole; waiting to fill packets only delays them. Failing to say so costs nothing else.
    let _delayed_at_worst = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(HEADER_LIMIT);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Some(HEADER_LIMIT));
    builder.serve_connection(TokioIo::new(stream), TowerToHyperService::new(router)).into_owned()
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
