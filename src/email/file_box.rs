//! A folder into which each letter is written as a file, for running on one's own machine.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use async_trait::async_trait;
use lettre::message::Mailbox;
use tokio::{
    fs::{self, DirBuilder, OpenOptions},
    io::AsyncWriteExt,
    time::timeout,
};

use super::{
    letter::{Letter, Travels},
    mailer::{Mailer, SendError},
};

/// How long a disk may take for a letter.
const LIMIT: Duration = Duration::from_secs(10);

/// A folder of letters, which only its owner can read: their links are secret.
#[derive(Debug)]
pub struct FileBox {
    folder: PathBuf,
    from: Mailbox,
}

impl FileBox {
    /// The box in `folder`, which is made when it is missing.
    ///
    /// # Errors
    /// It cannot be made.
    pub async fn open(folder: &Path, from: Mailbox) -> io::Result<Self> {
        within_limit(DirBuilder::new().recursive(true).mode(0o700).create(folder)).await?;
        Ok(Self { folder: folder.to_owned(), from })
    }

    /// Names lie in the order in which letters were written. One that is sent again takes its own place.
    fn path_of(&self, letter: &Letter) -> PathBuf {
        let at = letter.written_at.format("%Y-%m-%dT%H-%M-%S%.6fZ");
        self.folder.join(format!("{at}-{}-{}.eml", letter.kind.as_str(), letter.id))
    }
}

#[async_trait]
impl Mailer for FileBox {
    async fn send(&self, letter: &Letter) -> Result<(), SendError> {
        let written = letter
            .written(&self.from, Travels::Nowhere)
            .ok_or_else(|| SendError::Never("the letter cannot be written".to_owned()))?;
        within_limit(write_whole(&self.path_of(letter), &written))
            .await
            .map_err(|error| SendError::Away(format!("the folder for mail cannot be written: {error}")))
    }

    fn longest(&self) -> Duration {
        LIMIT
    }
}

/// Whoever looks sees a whole file or none.
async fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    let part = path.with_extension("part");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&part).await?;
    file.write_all(content).await?;
    file.sync_all().await?;
    fs::rename(&part, path).await
}

async fn within_limit<T>(work: impl Future<Output = io::Result<T>>) -> io::Result<T> {
    timeout(LIMIT, work).await.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into()))
}
