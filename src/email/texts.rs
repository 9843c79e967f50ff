//! Every text that is sent by mail, and where its links lead. Pure: the same message is the same text.

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};

use super::{
    line::Line,
    message::{Message, Receiver},
};

/// Letters to a line, for readers that do not break lines themselves (RFC 3676, section 4.2, advises 78 at most).
const WIDTH: usize = 72;

const ONCE: &str = "The link works once, for 24 hours.";
const KEY_ONCE: &str = "A key is shown once, to you alone: keep it then. Nobody at Crossvat can see it or will ever ask \
                        you for it.";

/// A text that is ready to be read.
pub(super) struct Text {
    pub(super) subject: Line,
    /// It may hold the secret of a link.
    pub(super) body: SecretString,
}

/// The text of `message`, with links that begin with `public_url`.
pub(super) fn text(message: &Message, public_url: &str) -> Text {
    let page = |path: &str| format!("{public_url}{path}");
    let link = |path: &str, secret: &SecretString| format!("{public_url}{path}{}", secret.expose_secret());
    let (subject, paragraphs) = match message {
        Message::ConfirmAddress { secret } => (
            "Confirm your email address".to_owned(),
            vec![
                "Somebody signed up for Crossvat with this email address. If that was you, confirm it here with the password that you chose:".to_owned(),
                link("/confirm-email/", secret),
                ONCE.to_owned(),
                "If it was not you, there is nothing to do: an address that is not confirmed opens nothing.".to_owned(),
            ],
        ),
        Message::ResetPassword { secret } => (
            "Choose a new password".to_owned(),
            vec![
                "Somebody asked to choose a new password for this email address at Crossvat. If that was you, choose it \
                 here:".to_owned(),
                link("/reset-password/", secret),
                format!("{ONCE} Until you use it, your present password stays as it is."),
                "If it was not you, there is nothing to do.".to_owned(),
            ],
        ),
        Message::ClaimKey { secret, invited_by, account } => (
            "Take your API key".to_owned(),
            vec![
                format!(
                    "{invited_by} of Crossvat support has prepared an API key for {account}. Take it here:"
                ),
                link("/claim/", secret),
                format!("{ONCE} {KEY_ONCE}"),
                "If you do not know what this is about, there is nothing to do: no key is made unless the link is used."
                    .to_owned(),
            ],
        ),
        Message::KeyRequestApproved { secret, account } => (
            "Your request for API keys is approved".to_owned(),
            vec![
                format!("Crossvat support has approved the request of {account} for API keys. Sign in and take the first one \
                     here:"),
                link("/claim/", secret),
                format!("{ONCE} {KEY_ONCE}"),
                "At any time you can sign in and create keys here:".to_owned(),
                page("/portal/keys"),
            ],
        ),
        Message::KeyRequestDeclined { account, reason, declined_by } => (
            "Your request for API keys is declined".to_owned(),
            vec![
                format!(
                    "{declined_by} of Crossvat support has declined the request of {account} for API keys, and writes:"
                ),
                reason.to_string(),
                "You can ask again here:".to_owned(),
                page("/portal/keys/request"),
            ],
        ),
        Message::KeyRequestFiled { company } => key_request_filed(company, page("/staff")),
        Message::AddressHasAccount => (
            "You are signed up already".to_owned(),
            vec![
                "Somebody tried to sign up for Crossvat with this email address. You are signed up already, so nothing was \
                 changed. If that was you, sign in here:".to_owned(),
                page("/sign-in"),
                "If you have no password, or have forgotten it, choose a new one here:".to_owned(),
                page("/forgot-password"),
                "If it was not you, there is nothing to do.".to_owned(),
            ],
        ),
        Message::PasswordChanged { at, to } => password_changed(*at, *to, public_url),
        Message::Invitation { secret, invited_by, account } => (
            format!("{invited_by} invites you to {account} at Crossvat"),
            vec![
                format!(
                    "{invited_by} invites you to join {account} at Crossvat, which verifies UK and EU VAT numbers at HMRC \
                     and VIES. Choose a password and join here:"
                ),
                link("/claim/", secret),
                ONCE.to_owned(),
                "If you do not know who this is, there is nothing to do: you join nothing unless you use the link."
                    .to_owned(),
            ],
        ),
        Message::JoinStaff { secret, invited_by } => {
            join_staff(invited_by, link("/staff/join/", secret))
        }
        Message::ResetStaffPassword { secret, sent_by } => {
            reset_staff_password(sent_by, link("/staff/join/", secret))
        }
        Message::SecondFactorSetUp { at, to } => second_factor_set_up(*at, *to, public_url),
        Message::SecondFactorRemoved { at, to } => second_factor_removed(*at, *to, public_url),
        Message::RecoveryCodeUsed { at, left, to } => recovery_code_used((*at, *left), *to, public_url),
        Message::SignedOutBySupport { at } => signed_out_by_support(*at, public_url),
    };
    let foot = format!("Crossvat\n{public_url}");
    let paragraphs: Vec<_> =
        paragraphs.into_iter().chain([foot]).map(|paragraph| filled(&paragraph)).collect();
    Text { subject: Line::from(&*subject), body: format!("{}\n", paragraphs.join("\n\n")).into() }
}

fn key_request_filed(company: &Line, page: String) -> (String, Vec<String>) {
    let words = format!(
        "{company} asks for API keys at Crossvat. Read the request, and approve or decline it, here:"
    );
    (format!("{company} asks for API keys"), vec![words, page])
}

fn password_changed(at: DateTime<Utc>, to: Receiver, public_url: &str) -> (String, Vec<String>) {
    let words = format!(
        "Your password for Crossvat was changed on {}. Other browsers in which you were signed in are signed out.",
        moment(at)
    );
    ("Your password was changed".to_owned(), and_if_not_you(vec![words], to, public_url))
}

fn join_staff(invited_by: &Line, link: String) -> (String, Vec<String>) {
    let paragraphs = vec![
        format!(
            "{invited_by} makes you one of the support staff of Crossvat. Choose a password here; then you set up a second \
             factor, for which you need an app on your telephone that makes codes:"
        ),
        link,
        ONCE.to_owned(),
        "If you do not know who this is, there is nothing to do: you join nothing unless you use the link."
            .to_owned(),
    ];
    (format!("{invited_by} invites you to the support staff of Crossvat"), paragraphs)
}

fn reset_staff_password(sent_by: &Line, link: String) -> (String, Vec<String>) {
    let paragraphs = vec![
        format!(
            "{sent_by} sends you this link, with which you choose another password for the support staff's sign-in to \
             Crossvat:"
        ),
        link,
        format!(
            "{ONCE} Until you use it, your present password stays as it is. Your second factor is asked for as before."
        ),
        format!("If you did not ask {sent_by} for it, do not use it, and tell another of the support staff."),
    ];
    ("Choose a new password for the support staff".to_owned(), paragraphs)
}

fn second_factor_set_up(at: DateTime<Utc>, to: Receiver, public_url: &str) -> (String, Vec<String>) {
    let paragraphs = vec![
        format!(
            "A second factor was set up for you at Crossvat on {}: from now on signing in asks for a code from your app. \
             Other browsers in which you were signed in are signed out.",
            moment(at)
        ),
        "Keep the recovery codes where you find them without your telephone.".to_owned(),
    ];
    ("Your second factor is set up".to_owned(), and_if_not_you(paragraphs, to, public_url))
}

fn second_factor_removed(at: DateTime<Utc>, to: Receiver, public_url: &str) -> (String, Vec<String>) {
    let (follows, page) = match to {
        Receiver::Member => (
            "From now on your password alone lets you in. You can set up another second factor in the settings:",
            "/portal/settings",
        ),
        Receiver::Support => ("When you sign in next, you set up another one first:", "/staff/sign-in"),
    };
    let paragraphs = vec![
        format!("Your second factor at Crossvat was removed on {}.", moment(at)),
        follows.to_owned(),
        format!("{public_url}{page}"),
    ];
    ("Your second factor was removed".to_owned(), and_if_not_you(paragraphs, to, public_url))
}

fn recovery_code_used(
    (at, left): (DateTime<Utc>, u64),
    to: Receiver,
    public_url: &str,
) -> (String, Vec<String>) {
    let left = match left {
        0 => "None is left: make new ones.".to_owned(),
        1 => "One is left: make new ones soon.".to_owned(),
        left => format!("{left} are left."),
    };
    let words = format!(
        "One of your recovery codes for Crossvat was used on {}, in place of a code from your app. {left}",
        moment(at)
    );
    ("One of your recovery codes was used".to_owned(), and_if_not_you(vec![words], to, public_url))
}

fn signed_out_by_support(at: DateTime<Utc>, public_url: &str) -> (String, Vec<String>) {
    let paragraphs = vec![
        format!(
            "Crossvat support signed you out on {}, wherever you were signed in. Your password and your second factor are \
             as they were, and your API keys work. Sign in again here:",
            moment(at)
        ),
        format!("{public_url}/sign-in"),
        "If somebody else may know your password, choose another first:".to_owned(),
        format!("{public_url}/forgot-password"),
    ];
    ("You were signed out everywhere".to_owned(), paragraphs)
}

fn moment(at: DateTime<Utc>) -> String {
    at.format("%-d %B %Y at %H:%M UTC").to_string()
}

/// With what to do when it was somebody else.
fn and_if_not_you(mut paragraphs: Vec<String>, to: Receiver, public_url: &str) -> Vec<String> {
    match to {
        Receiver::Member => {
            paragraphs.push(
                "If that was you, there is nothing to do. If it was not, somebody else knows your password: choose another \
                 at once here, and tell an owner of your account:"
                    .to_owned(),
            );
            paragraphs.push(format!("{public_url}/forgot-password"));
        }
        Receiver::Support => paragraphs.push(
            "If that was you, there is nothing to do. If it was not, somebody else knows your password: tell another of the \
             support staff at once, who can end your access."
                .to_owned(),
        ),
    }
    paragraphs
}

/// Breaks what is longer than a line between words. A link has no blanks, so it stays whole.
fn filled(paragraph: &str) -> String {
    let mut filled = String::with_capacity(paragraph.len() + paragraph.len() / WIDTH);
    for (at, line) in paragraph.lines().enumerate() {
        if at > 0 {
            filled.push('\n');
        }
        let mut used = 0;
        for word in line.split_whitespace() {
            let length = word.chars().count();
            if used > 0 && used + 1 + length > WIDTH {
                filled.push('\n');
                used = 0;
            } else if used > 0 {
                filled.push(' ');
                used += 1;
            }
            filled.push_str(word);
            used += length;
        }
    }
    filled
}

#[cfg(test)]
mod tests {
    use chrono::{TimeZone, Utc};

    use super::*;
    use crate::email::{Lines, MessageKind};

    const BASE: &str = "https://vat.example.org";
    const SECRET: &str = "5f0c8a1b2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8";

    fn every_message(name: &str) -> [Message; 19] {
        let secret = || SecretString::from(SECRET);
        let line = || Line::from(name);
        let at = Utc.with_ymd_and_hms(2026, 9, 3, 8, 41, 7).unwrap();
        [
            Message::ConfirmAddress { secret: secret() },
            Message::ResetPassword { secret: secret() },
            Message::ClaimKey { secret: secret(), invited_by: line(), account: line() },
            Message::KeyRequestApproved { secret: secret(), account: line() },
            Message::KeyRequestDeclined { account: line(), reason: Lines::from(name), declined_by: line() },
            Message::KeyRequestFiled { company: line() },
            Message::AddressHasAccount,
            Message::PasswordChanged { at, to: Receiver::Member },
            Message::Invitation { secret: secret(), invited_by: line(), account: line() },
            Message::PasswordChanged { at, to: Receiver::Support },
            Message::JoinStaff { secret: secret(), invited_by: line() },
            Message::ResetStaffPassword { secret: secret(), sent_by: line() },
            Message::SecondFactorSetUp { at, to: Receiver::Member },
            Message::SecondFactorSetUp { at, to: Receiver::Support },
            Message::SecondFactorRemoved { at, to: Receiver::Member },
            Message::SecondFactorRemoved { at, to: Receiver::Support },
            Message::RecoveryCodeUsed { at, left: 7, to: Receiver::Member },
            Message::RecoveryCodeUsed { at, left: 0, to: Receiver::Support },
            Message::SignedOutBySupport { at },
        ]
    }

    fn read(message: &Message) -> (String, String) {
        let text = text(message, BASE);
        (text.subject.to_string(), text.body.expose_secret().to_owned())
    }

    fn links(body: &str) -> Vec<&str> {
        body.split_whitespace().filter(|word| word.contains("://")).collect()
    }

    #[test]
    fn a_message_reads_as_a_person_would_write_it() {
        let invitation = Message::Invitation {
            secret: SECRET.into(),
            invited_by: Line::from("Helen Fenwick"),
            account: Line::from("Fenwick Marine Ltd"),
        };
        let (subject, body) = read(&invitation);
        assert_eq!(subject, "Helen Fenwick invites you to Fenwick Marine Ltd at Crossvat");
        assert_eq!(
            body,
            "Helen Fenwick invites you to join Fenwick Marine Ltd at Crossvat, which\n\
             verifies UK and EU VAT numbers at HMRC and VIES. Choose a password and\n\
             join here:\n\
             \n\
             https://vat.example.org/claim/5f0c8a1b2d3e4f5061728394a5b6c7d8e9fa0b1c2d3e4f5061728394a5b6c7d8\n\
             \n\
             The link works once, for 24 hours.\n\
             \n\
             If you do not know who this is, there is nothing to do: you join nothing\n\
             unless you use the link.\n\
             \n\
             Crossvat\n\
             https://vat.example.org\n"
        );
    }

    /// Kind, subject, something that is said, and where the links lead.
    type Told = (MessageKind, &'static str, &'static str, Vec<String>);

    fn with_secret(path: &str) -> String {
        format!("{BASE}{path}{SECRET}")
    }

    fn page(path: &str) -> String {
        format!("{BASE}{path}")
    }

    fn told_of_accounts() -> Vec<Told> {
        vec![
            (
                MessageKind::ConfirmAddress,
                "Confirm your email address",
                "signed up",
                vec![with_secret("/confirm-email/")],
            ),
            (
                MessageKind::ResetPassword,
                "Choose a new password",
                "present password stays",
                vec![with_secret("/reset-password/")],
            ),
            (
                MessageKind::ClaimKey,
                "Take your API key",
                "Fenwick & Söhne of Crossvat support has prepared",
                vec![with_secret("/claim/")],
            ),
            (
                MessageKind::KeyRequestApproved,
                "Your request for API keys is approved",
                "request of Fenwick & Söhne",
                vec![with_secret("/claim/"), page("/portal/keys")],
            ),
            (
                MessageKind::KeyRequestDeclined,
                "Your request for API keys is declined",
                "\n\nFenwick & Söhne\n\n",
                vec![page("/portal/keys/request")],
            ),
            (
                MessageKind::KeyRequestFiled,
                "Fenwick & Söhne asks for API keys",
                "approve or decline it",
                vec![page("/staff")],
            ),
            (
                MessageKind::AddressHasAccount,
                "You are signed up already",
                "so nothing was changed",
                vec![page("/sign-in"), page("/forgot-password")],
            ),
            (
                MessageKind::PasswordChanged,
                "Your password was changed",
                "3 September 2026 at 08:41 UTC",
                vec![page("/forgot-password")],
            ),
            (
                MessageKind::Invitation,
                "Fenwick & Söhne invites you to Fenwick & Söhne at Crossvat",
                "join Fenwick & Söhne at Crossvat",
                vec![with_secret("/claim/")],
            ),
        ]
    }

    fn told_of_sign_in() -> Vec<Told> {
        vec![
            (
                MessageKind::PasswordChanged,
                "Your password was changed",
                "tell another of the support staff at once",
                vec![],
            ),
            (
                MessageKind::JoinStaff,
                "Fenwick & Söhne invites you to the support staff of Crossvat",
                "you set up a second factor",
                vec![with_secret("/staff/join/")],
            ),
            (
                MessageKind::ResetStaffPassword,
                "Choose a new password for the support staff",
                "Your second factor is asked for as before",
                vec![with_secret("/staff/join/")],
            ),
            (
                MessageKind::SecondFactorSetUp,
                "Your second factor is set up",
                "on 3 September 2026 at 08:41 UTC",
                vec![page("/forgot-password")],
            ),
            (
                MessageKind::SecondFactorSetUp,
                "Your second factor is set up",
                "Keep the recovery codes where you find them",
                vec![],
            ),
            (
                MessageKind::SecondFactorRemoved,
                "Your second factor was removed",
                "your password alone lets you in",
                vec![page("/portal/settings"), page("/forgot-password")],
            ),
            (
                MessageKind::SecondFactorRemoved,
                "Your second factor was removed",
                "you set up another one first",
                vec![page("/staff/sign-in")],
            ),
            (
                MessageKind::RecoveryCodeUsed,
                "One of your recovery codes was used",
                "7 are left",
                vec![page("/forgot-password")],
            ),
            (MessageKind::RecoveryCodeUsed, "One of your recovery codes was used", "None is left", vec![]),
            (
                MessageKind::SignedOutBySupport,
                "You were signed out everywhere",
                "signed you out on 3 September 2026 at 08:41 UTC",
                vec![page("/sign-in"), page("/forgot-password")],
            ),
        ]
    }

    #[test]
    fn each_message_has_its_subject_what_it_is_about_and_its_links() {
        let told = told_of_accounts().into_iter().chain(told_of_sign_in());
        let messages = every_message("Fenwick & Söhne");
        assert_eq!(told.clone().count(), messages.len());
        for (message, (kind, subject, said, expected)) in messages.iter().zip(told) {
            let (read_subject, body) = read(message);
            assert_eq!((message.kind(), &*read_subject), (kind, subject));
            // A line may end anywhere, but for those of others.
            assert!(body.replace('\n', " ").contains(&said.replace('\n', " ")), "{kind:?}: {body}");
            let mut expected = expected;
            expected.push(BASE.to_owned());
            assert_eq!(links(&body), expected, "{kind:?}");
            assert!(!body.contains('!') && !body.to_lowercase().contains("please"), "{kind:?}");
        }
    }

    #[test]
    fn nothing_that_others_write_becomes_more_than_a_line_of_a_subject() {
        for message in every_message("Acme\r\nBcc: x@b.co\r\n\r\nhello\u{2028}\0") {
            let (subject, _) = read(&message);
            assert!(!subject.chars().any(char::is_control), "{subject:?}");
        }
    }

    #[test]
    fn lines_are_short_unless_they_are_links() {
        for message in
            every_message("A company whose name is as long as names may be among those that are long")
        {
            let (_, body) = read(&message);
            for line in body.lines() {
                assert!(line.contains("://") || line.chars().count() <= WIDTH, "{line}");
                assert_eq!(line, line.trim());
            }
        }
        assert_eq!(filled(&"x".repeat(100)), "x".repeat(100));
        assert_eq!(filled("a\n\nb"), "a\n\nb");
    }

    #[test]
    fn a_message_shows_no_secret_by_accident() {
        for message in every_message("Acme") {
            assert!(!format!("{message:?}").contains(SECRET));
        }
    }
}
