//! TCP connections that can be cut: by a scripted reset, and all at once when the simulator stops.

use std::{
    fmt, io,
    net::SocketAddr,
    pin::Pin,
    task::{Context, Poll},
};

use axum::{
    extract::connect_info::Connected,
    serve::{IncomingStream, Listener},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpListener, TcpStream},
};
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

/// Accepts connections that end when `shutdown` is cancelled.
pub(crate) struct Connections {
    pub(crate) listener: TcpListener,
    pub(crate) shutdown: CancellationToken,
}

impl Listener for Connections {
    type Addr = SocketAddr;
    type Io = CuttableStream;

    async fn accept(&mut self) -> (CuttableStream, SocketAddr) {
        let (tcp, peer) = Listener::accept(&mut self.listener).await;
        if let Err(error) = tcp.set_nodelay(true) {
            tracing::debug!(%error, "answers on this connection may be delayed");
        }
        let cut = self.shutdown.child_token();
        let was_cut = Box::pin(cut.clone().cancelled_owned());
        (CuttableStream { tcp, cut, was_cut }, peer)
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }
}

/// A handler's hold on the connection its request came by.
#[derive(Clone)]
pub(crate) struct Connection(CancellationToken);

impl Connection {
    /// Resets the connection: nothing more is written to it.
    pub(crate) fn cut(&self) {
        self.0.cancel();
    }

    /// Waits until the connection was cut.
    pub(crate) async fn was_cut(&self) {
        self.0.cancelled().await;
    }
}

impl Connected<IncomingStream<'_, Connections>> for Connection {
    fn connect_info(stream: IncomingStream<'_, Connections>) -> Self {
        Self(stream.io().cut.clone())
    }
}

/// A TCP stream that fails, and closes with a reset, once it was cut.
pub(crate) struct CuttableStream {
    tcp: TcpStream,
    cut: CancellationToken,
    was_cut: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl CuttableStream {
    fn refuse_if_cut(&self) -> io::Result<()> {
        if self.cut.is_cancelled() {
            // Closing with no linger time sends RST instead of FIN.
            self.tcp.set_zero_linger()?;
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        Ok(())
    }
}

impl fmt::Debug for CuttableStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CuttableStream").field("tcp", &self.tcp).finish_non_exhaustive()
    }
}

impl AsyncRead for CuttableStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        // Polled for its waker: an idle connection must notice that it was cut.
        if self.was_cut.as_mut().poll(cx).is_ready() {
            return Poll::Ready(self.refuse_if_cut());
        }
        Pin::new(&mut self.tcp).poll_read(cx, buf)
    }
}

impl AsyncWrite for CuttableStream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        self.refuse_if_cut()?;
        Pin::new(&mut self.tcp).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.tcp).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.refuse_if_cut()?;
        Pin::new(&mut self.tcp).poll_shutdown(cx)
    }
}
