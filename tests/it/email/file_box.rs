//! Letters as files in a folder.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use crossvat::email::{FileBox, Mailer, SendError};

use super::letter;

fn files(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let mut names: Vec<_> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("is there").permissions().mode() & 0o777
}

async fn open(folder: &Path) -> FileBox {
    FileBox::open(folder, "Crossvat <crossvat@example.org>".parse().expect("a sender")).await.expect("opens")
}

#[tokio::test]
async fn each_letter_is_a_file_that_its_owner_can_read_as_it_is() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path().join("of").join("mail");
    let file_box = open(&folder).await;
    let mut later = letter(1, "Second", "Later.\n");
    later.written_at += chrono::TimeDelta::microseconds(1);
    file_box.send(&later).await.expect("taken");
    let first = letter(2, "First", "Für Åsa:\n\nhttps://vat.example.org/claim/5f0c8a1b2d3e4f50\n");
    for _ in 0..2 {
        // Sent again, it takes its own place.
        file_box.send(&first).await.expect("taken");
    }
    let [one, other] = &files(&folder)[..] else { panic!("{:?}", files(&folder)) };
    assert_eq!(one, "2026-09-03T08-41-07.000000Z-reset-password-00000000-0000-0000-0000-000000000002.eml");
    assert_eq!(other, "2026-09-03T08-41-07.000001Z-reset-password-00000000-0000-0000-0000-000000000001.eml");
    let written = fs::read_to_string(folder.join(one)).expect("text");
    assert!(written.starts_with("From: Crossvat <crossvat@example.org>\r\nTo: helen@"), "{written}");
    assert!(written.contains("\r\nSubject: First\r\n"), "{written}");
    assert!(
        written.contains("\r\n\r\nFür Åsa:\r\n\r\nhttps://vat.example.org/claim/5f0c8a1b2d3e4f50\r\n"),
        "{written}"
    );
    assert_eq!((mode(&folder), mode(&folder.join(one))), (0o700, 0o600));
}

#[tokio::test]
async fn a_folder_that_is_gone_takes_letters_again_when_it_is_back() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path().join("mail");
    let file_box = open(&folder).await;
    fs::remove_dir(&folder).expect("removes");
    let refused = file_box.send(&letter(1, "One", "One.")).await;
    assert!(matches!(refused, Err(SendError::Away(reason)) if reason.contains("cannot be written")));
    fs::create_dir(&folder).expect("makes");
    file_box.send(&letter(1, "One", "One.")).await.expect("taken");
    assert_eq!(files(&folder).len(), 1);
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_said_at_once() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("file");
    fs::write(&file, "").expect("writes");
    let opened = FileBox::open(&file.join("mail"), "a@b.co".parse().expect("a sender")).await;
    assert!(opened.is_err());
}
