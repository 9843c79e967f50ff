//! A letter: a message as it was written, and as it travels (RFC 5322).

use chrono::{DateTime, Utc};
use lettre::{
    Address, Message,
    message::{
        Body, Mailbox, SinglePart,
        header::{ContentTransferEncoding, ContentType, HeaderName, HeaderValue},
    },
};
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use super::{line::Line, message::MessageKind};
use crate::people::EmailAddress;

/// Longest line of a letter, in bytes without its end (RFC 5322, section 2.1.1).
const MAX_LINE: usize = 998;

/// A message that was written to somebody.
#[derive(Clone, Debug)]
pub struct Letter {
    /// The same each time that it is sent: whoever gets it twice can see that it is one.
    pub id: Uuid,
    /// What it is about.
    pub kind: MessageKind,
    /// To whom.
    pub to: EmailAddress,
    /// What it begins with.
    pub subject: Line,
    /// The text. It may hold the secret of a link.
    pub body: SecretString,
    /// When it was written.
    pub written_at: DateTime<Utc>,
}

/// Whether the text must fit through servers that know ASCII alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Travels {
    /// As far as need be.
    Far,
    /// Into a file, which people can then read as it is.
    Nowhere,
}

impl Letter {
    /// To whom, as lettre has it; `None` when lettre takes the address for none.
    pub(super) fn receiver(&self) -> Option<Address> {
        self.to.as_str().parse().ok()
    }

    /// The letter as it travels; `None` when it cannot be written.
    pub(super) fn written(&self, from: &Mailbox, travels: Travels) -> Option<Vec<u8>> {
        Message::builder()
            .from(from.clone())
            .to(self.receiver()?.into())
            .subject(self.subject.to_string())
            .date(self.written_at.into())
            .message_id(Some(format!("<{}@{}>", self.id, from.email.domain())))
            // Nobody is there to read an automatic answer (RFC 3834, section 5).
            .raw_header(HeaderValue::new(
                HeaderName::new_from_ascii_str("Auto-Submitted"),
                "auto-generated".to_owned(),
            ))
            .singlepart(
                SinglePart::builder()
                    .header(ContentType::TEXT_PLAIN)
                    .body(encoded(self.body.expose_secret(), travels)),
            )
            .ok()
            .map(|message| message.formatted())
    }
}

/// The text as it is wherever that may be, so that links stay whole also for whoever looks at the raw letter.
fn encoded(text: &str, travels: Travels) -> Body {
    let fits = text.lines().all(|line| line.len() <= MAX_LINE);
    let encoding = match travels {
        _ if !fits => None,
        _ if text.is_ascii() => Some(ContentTransferEncoding::SevenBit),
        Travels::Nowhere => Some(ContentTransferEncoding::EightBit),
        Travels::Far => None,
    };
    match encoding {
        Some(encoding) => {
            let with_ends: String = text.lines().flat_map(|line| [line, "\r\n"]).collect();
            Body::dangerous_pre_encoded(with_ends.into_bytes(), encoding)
        }
        None => Body::new(text.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeZone;

    use super::*;

    fn written(subject: &str, body: &str, travels: Travels) -> String {
        let letter = Letter {
            id: Uuid::from_u128(0x1234_5678),
            kind: MessageKind::Invitation,
            to: "helen@fenwickmarine.example".parse().expect("an address"),
            subject: Line::from(subject),
            body: body.into(),
            written_at: Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap(),
        };
        let from = "Crossvat <crossvat@vat.example.org>".parse().expect("a sender");
        String::from_utf8(letter.written(&from, travels).expect("written")).expect("text")
    }

    #[test]
    fn a_letter_is_a_plain_message_with_all_that_mail_wants() {
        assert_eq!(
            written("Choose a new password", "One line.\n\nhttps://vat.example.org\n", Travels::Far),
            "From: Crossvat <crossvat@vat.example.org>\r\n\
             To: helen@fenwickmarine.example\r\n\
             Subject: Choose a new password\r\n\
             Date: Thu, 03 Sep 2026 08:41:07 +0000\r\n\
             Message-ID: <00000000-0000-0000-0000-000012345678@vat.example.org>\r\n\
             Auto-Submitted: auto-generated\r\n\
             MIME-Version: 1.0\r\n\
             Content-Type: text/plain; charset=utf-8\r\n\
             Content-Transfer-Encoding: 7bit\r\n\
             \r\n\
             One line.\r\n\
             \r\n\
             https://vat.example.org\r\n\
             \r\n"
        );
    }

    #[test]
    fn what_travels_is_ascii_and_what_stays_can_be_read_as_it_is() {
        let far = written("Söhne", "Fenwick & Söhne\n", Travels::Far);
        assert!(far.is_ascii(), "{far}");
        assert!(far.contains("Content-Transfer-Encoding: quoted-printable"), "{far}");
        let stays = written("Söhne", "Fenwick & Söhne\n", Travels::Nowhere);
        assert!(
            stays.contains("Content-Transfer-Encoding: 8bit") && stays.contains("Fenwick & Söhne\r\n"),
            "{stays}"
        );
        let link = format!("https://vat.example.org/claim/{}\n", "5".repeat(64));
        assert!(written("Link", &link, Travels::Far).contains(link.trim_end()));
        for long in ["a", "ö"].map(|letter| letter.repeat(2000)) {
            for travels in [Travels::Far, Travels::Nowhere] {
                assert!(written("Long", &long, travels).lines().all(|line| line.len() <= MAX_LINE));
            }
        }
    }

    #[test]
    fn nothing_in_a_text_becomes_a_header() {
        let hostile = "Acme\r\nBcc: x@b.co\r\n\r\nhello";
        let letter = written(hostile, hostile, Travels::Far);
        let (head, _) = letter.split_once("\r\n\r\n").expect("a head");
        assert!(!head.lines().any(|line| line.starts_with("Bcc")), "{head}");
        assert!(head.contains("Subject: Acme  Bcc: x@b.co    hello\r\n"), "{head}");
    }
}
