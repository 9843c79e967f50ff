//! Mail to people: what they are told ([`Message`]), the letters that wait to be sent ([`Outbox`]) and the ways on which they
//! leave ([`Mailer`]): by SMTP, into a folder, or into memory for tests. What is told when, and to whom, is the business of
//! those who call. Links in letters are secret: the log has only what a letter is about and its identifier.

mod file_box;
mod letter;
mod line;
mod mailer;
mod memory;
mod message;
mod outbox;
mod smtp;
mod store;
mod texts;

use std::{io, path::PathBuf, sync::Arc};

use thiserror::Error;

pub use self::{
    file_box::FileBox,
    letter::Letter,
    line::{Line, Lines},
    mailer::{Mailer, SendError, SharedMailer},
    memory::Memory,
    message::{Message, MessageKind, Receiver},
    outbox::{KEPT, Outbox, Round},
    smtp::Smtp,
};
use crate::config::{EmailConfig, EmailTransport};

/// Mail cannot be sent in the way that is set.
#[derive(Debug, Error)]
pub enum MailerError {
    /// The folder cannot be used.
    #[error("email.folder: {} cannot be made: {reason}", .folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The machine's TLS set-up is unusable.
    #[error("mail cannot be sent over TLS: {0}")]
    Tls(#[from] lettre::transport::smtp::Error),
}

/// The mailer that is set.
///
/// # Errors
/// A folder cannot be made, or the machine's TLS set-up is unusable. A mail server is not asked.
pub async fn mailer(config: &EmailConfig) -> Result<SharedMailer, MailerError> {
    Ok(match &config.transport {
        EmailTransport::File { folder } => {
            let opened = FileBox::open(folder, config.from.clone()).await;
            Arc::new(opened.map_err(|reason| MailerError::Folder { folder: folder.clone(), reason })?)
        }
        EmailTransport::Smtp(smtp) => Arc::new(Smtp::new(smtp, config.from.clone())?),
    })
}
