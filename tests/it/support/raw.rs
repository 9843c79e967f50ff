//! Bytes to the socket and bytes back, for requests that no well-behaved client sends.

use std::{
    net::SocketAddr,
    time::{Duration, Instant},
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::timeout,
};

/// What came back until the server closed the connection.
#[derive(Debug)]
pub struct RawAnswer {
    pub text: String,
    /// How long the server took to close.
    pub took: Duration,
}

impl RawAnswer {
    /// The status of the first answer; 0 when there was none.
    pub fn status(&self) -> u16 {
        self.text.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
    }
}

/// Sends `request` and reads until the server closes, which it must within 40 seconds.
pub async fn exchange(address: SocketAddr, request: &[u8]) -> RawAnswer {
    let started = Instant::now();
    let mut stream = TcpStream::connect(address).await.expect("connects");
    // The server may close while we still write: what it said counts.
    let _cut_off = stream.write_all(request).await;
    let mut bytes = Vec::new();
    let closed = timeout(Duration::from_secs(40), stream.read_to_end(&mut bytes)).await;
    assert!(closed.is_ok(), "the server does not close: {}", String::from_utf8_lossy(&bytes));
    RawAnswer { text: String::from_utf8_lossy(&bytes).into_owned(), took: started.elapsed() }
}
