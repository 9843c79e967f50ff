//! The password that a command is given: on standard input, so that no list of processes shows it; on a terminal without
//! being seen.

use std::io::{self, BufRead, IsTerminal};

use anyhow::{Context, ensure};
use secrecy::{ExposeSecret, SecretString};

/// Far over any password, and little to hold.
const LONGEST_LINE: u64 = 4096;

/// What is typed on the terminal, if that is standard input; else its first line, without the end.
pub(super) async fn from_standard_input() -> anyhow::Result<SecretString> {
    tokio::task::spawn_blocking(read).await?
}

fn read() -> anyhow::Result<SecretString> {
    let input = io::stdin();
    if input.is_terminal() { ask_twice() } else { read_password(input.lock()) }
}

/// Twice, since nobody sees a slip.
fn ask_twice() -> anyhow::Result<SecretString> {
    let ask = |words| {
        let typed =
            rpassword::prompt_password(words).context("cannot read the password from the terminal")?;
        anyhow::Ok(SecretString::from(typed))
    };
    let password = ask("Password (it is not shown): ")?;
    ensure!(!password.expose_secret().is_empty(), "nothing was typed");
    let again = ask("The same once more: ")?;
    ensure!(password.expose_secret() == again.expose_secret(), "these were two different passwords");
    Ok(password)
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
