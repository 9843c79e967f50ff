//! A port for a server that starts later, or again.

use tokio::net::TcpSocket;

/// Nobody else is given it for as long as this lives: it is bound and never listens. Whoever names it may listen there.
#[derive(Debug)]
pub struct Port {
    number: u16,
    _held: TcpSocket,
}

impl Port {
    pub fn free() -> Self {
        let held = TcpSocket::new_v4().expect("a socket");
        held.set_reuseaddr(true).expect("shares");
        held.bind(([127, 0, 0, 1], 0).into()).expect("a port");
        Self { number: held.local_addr().expect("an address").port(), _held: held }
    }

    pub const fn number(&self) -> u16 {
        self.number
    }
}
