//! The password that a command is given: on standard input, so that no list of processes shows it.

use std::io::{self, BufRead, IsTerminal};

use anyhow::{Context, ensure};
use secrecy::SecretString;

/// Far over any password, and little to hold.
const LONGEST_LINE: u64 = 4096;

/// The first line of standard input, without its end.
pub(super) async fn from_standard_input() -> anyhow::Result<SecretString> {
    tokio::task::spawn_blocking(read_first_line).await?
}

fn read_first_line() -> anyhow::Result<SecretString> {
    let input = io::stdin();
    if input.is_terminal() {
        eprintln!("Type the password and press Enter. It will be visible.");
    }
    read_password(input.lock())
}

fn read_password(input: impl BufRead) -> anyhow::Result<SecretString> {
    let mut line = String::new();
    input.take(LONGEST_LINE).read_line(&mut line).context("cannot read the password from standard input")?;
    let password = line.trim_end_matches(['\r', '\n']);
    ensure!(!password.is_empty(), "the password is expected on standard input, on one line");
    Ok(password.into())
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    #[test]
    fn the_password_is_the_first_line_with_its_blanks() {
        for (input, expected) in [
            ("correct horse battery", "correct horse battery"),
            ("correct horse battery\n", "correct horse battery"),
            (" correct horse battery \r\nand more\n", " correct horse battery "),
        ] {
            assert_eq!(read_password(input.as_bytes()).expect("read").expose_secret(), expected);
        }
        for nothing in ["", "\n", "\r\n"] {
            assert!(read_password(nothing.as_bytes()).is_err(), "{nothing:?}");
        }
        assert!(read_password(&b"\xff\xfe\n"[..]).is_err());
    }
}
