//! What an entry of the sandbox's table says. The entries are in `table`.

use crate::verification::registry::{Trader, TroubleKind};

/// A fixed number of the sandbox.
#[derive(Clone, Copy, Debug)]
pub struct SandboxNumber {
    /// The canonical form. Check digits fit.
    pub number: &'static str,
    /// What becomes of it.
    pub outcome: SandboxOutcome,
    /// The same for the documentation: one plain sentence, words of code between backticks.
    pub says: &'static str,
}

/// What becomes of a number in the sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxOutcome {
    /// Registered; `None` when the member state discloses neither name nor address.
    Registered(Option<SandboxTrader>),
    /// As registered, after [`SLOW`](super::SLOW).
    RegisteredSlowly(Option<SandboxTrader>),
    /// The registry does not confirm the number.
    NotRegistered,
    /// The registry refuses the form of the number.
    FormRefused,
    /// No answer, told at once.
    Trouble(TroubleKind),
    /// No answer before the call's deadline.
    Deadline,
    /// A number to send as the requester: the registry refuses it. Asked about, it is not registered.
    RequesterRefused,
}

/// An invented trader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SandboxTrader {
    /// The name, written as the country's register would.
    pub name: &'static str,
    /// Address lines joined with `, `.
    pub address: &'static str,
}

impl From<SandboxTrader> for Trader {
    fn from(trader: SandboxTrader) -> Self {
        Self { name: Some(trader.name.to_owned()), address: Some(trader.address.to_owned()) }
    }
}
