//! What an app makes codes of, and which code it shows when: TOTP (RFC 6238) as every app has it, with SHA-1, six digits and
//! steps of 30 seconds. No I/O.

use std::fmt;

use chrono::{DateTime, Utc};
use data_encoding::BASE32_NOPAD;
use rand::TryCryptoRng;
use secrecy::{ExposeSecret, SecretBox};
use totp_rs::{Algorithm, Builder, Totp};
use url::form_urlencoded::byte_serialize;

/// As many as SHA-1 gives (RFC 4226, section 4, advises it).
pub(super) const SECRET_BYTES: usize = 20;
const DIGITS: u8 = 6;
const STEP_SECONDS: u64 = 30;
/// How far a telephone's clock may be off, in steps, either way.
const TOLERATED_STEPS: u16 = 1;
/// Letters of the secret that are read in one go.
const GROUP: usize = 4;

/// What an app makes codes of.
pub struct TotpSecret(SecretBox<[u8; SECRET_BYTES]>);

impl TotpSecret {
    pub(super) fn generate<R: TryCryptoRng>(random: &mut R) -> Result<Self, R::Error> {
        let mut bytes = [0; SECRET_BYTES];
        random.try_fill_bytes(&mut bytes)?;
        Ok(Self::from_bytes(bytes))
    }

    pub(super) fn from_bytes(bytes: [u8; SECRET_BYTES]) -> Self {
        Self(SecretBox::new(Box::new(bytes)))
    }

    pub(super) fn bytes(&self) -> &[u8; SECRET_BYTES] {
        self.0.expose_secret()
    }

    /// The secret as it is typed into an app: letters and digits, in groups.
    #[must_use]
    pub fn groups(&self) -> Vec<String> {
        let letters: Vec<char> = self.letters().chars().collect();
        letters.chunks(GROUP).map(|group| group.iter().collect()).collect()
    }

    /// The address that an app reads from a QR code: for whom, at whom, and the secret. The rest is as apps take it to be.
    #[must_use]
    pub fn address(&self, issuer: &str, account: &str) -> String {
        // Apps show a `+` as it is.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20");
        let (issuer, account) = (encoded(issuer), encoded(account));
        format!("otpauth://totp/{issuer}:{account}?secret={}&issuer={issuer}", self.letters())
    }

    /// The code that the app shows at `now`.
    #[must_use]
    pub fn code(&self, now: DateTime<Utc>) -> String {
        self.totp().generate(seconds(now)).to_string()
    }

    /// The step of which `typed` is the code, if it is one at `now` or was or will be within what is tolerated. Blanks do not
    /// count: apps show them.
    pub(super) fn step_of(&self, typed: &str, now: DateTime<Utc>) -> Option<i64> {
        let code: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
        self.totp().check(&code, seconds(now)).and_then(|step| i64::try_from(step).ok())
    }

    fn totp(&self) -> Totp {
        Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(DIGITS)
            .with_step_duration(STEP_SECONDS)
            .with_skew(TOLERATED_STEPS)
            .with_secret(*self.bytes())
            // What could be refused is all said here.
            .build_noncompliant()
    }

    fn letters(&self) -> String {
        BASE32_NOPAD.encode(self.bytes())
    }
}

impl fmt::Debug for TotpSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TotpSecret")
    }
}

fn seconds(moment: DateTime<Utc>) -> u64 {
    u64::try_from(moment.timestamp()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    /// The secret of RFC 6238's test vectors.
    const SECRET: &[u8; SECRET_BYTES] = b"12345678901234567890";

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a time")
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        let secret = TotpSecret::from_bytes(*SECRET);
        // RFC 6238, appendix B, for SHA-1: the last six of eight digits.
        for (seconds, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(secret.code(at(seconds)), code);
            assert_eq!(secret.step_of(code, at(seconds)), Some(seconds / 30), "{code}");
        }
    }

    #[test]
    fn a_clock_may_be_off_by_one_step_and_no_more() {
        let secret = TotpSecret::from_bytes(*SECRET);
        // 1111111111 is the second second of its step.
        let (code, step) = ("050471", 37_037_037);
        for (off, seen) in [
            (-32, None),
            (-31, Some(step)),
            (-1, Some(step)),
            (0, Some(step)),
            (28, Some(step)),
            (29, Some(step)),
            (58, Some(step)),
            (59, None),
        ] {
            assert_eq!(secret.step_of(code, at(1_111_111_111 + off)), seen, "{off}");
        }
    }

    #[test]
    fn blanks_do_not_count_and_nothing_else_is_let_through() {
        let secret = TotpSecret::from_bytes(*SECRET);
        let seen = |typed: &str| secret.step_of(typed, at(1_111_111_111)).is_some();
        for right in ["050471", " 050 471\n", "050\u{a0}471"] {
            assert!(seen(right), "{right:?}");
        }
        for wrong in ["", "50471", "0050471", "+50471", "05047a", "050472", "٠٥٠٤٧١", "050471050471"] {
            assert!(!seen(wrong), "{wrong:?}");
        }
        assert!(secret.step_of("050471", at(-1)).is_none());
    }

    #[test]
    fn a_secret_is_written_for_people_and_for_apps() {
        let secret = TotpSecret::from_bytes(*SECRET);
        assert_eq!(secret.groups().join(" "), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        assert_eq!(
            secret.address("Crossvat support", "sam+vat@crossvat.example"),
            "otpauth://totp/Crossvat%20support:sam%2Bvat%40crossvat.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&\
             issuer=Crossvat%20support"
        );
        assert_eq!(format!("{secret:?}"), "TotpSecret");
        let random = &mut StdRng::seed_from_u64(1);
        let other = |random: &mut StdRng| TotpSecret::generate(random).expect("randomness");
        assert_ne!(other(random).groups(), other(random).groups());
    }
}
