//! An app that makes codes, as somebody has it who reads the secret on a page; and the recovery codes on another.

use totp_rs::{Builder, Totp};

use crate::support::TestApp;

/// An app with one secret.
pub struct AppCodes {
    letters: String,
    totp: Totp,
}

impl AppCodes {
    /// With the secret that a page shows.
    pub fn reading(page: &str) -> Self {
        let letters = secret_on(page);
        let bytes = data_encoding::BASE32_NOPAD.decode(letters.as_bytes()).expect("a secret");
        let bytes: [u8; 20] = bytes.try_into().expect("160 bits");
        Self { letters, totp: Builder::new().with_secret(bytes).build_noncompliant() }
    }

    pub fn letters(&self) -> String {
        self.letters.clone()
    }

    /// What it shows now.
    pub fn code(&self, app: &TestApp) -> String {
        let now = app.shared_clock().now().timestamp();
        self.totp.generate(u64::try_from(now).expect("after 1970")).to_string()
    }
}

/// The secret on a page that sets a second factor up, without its gaps.
pub fn secret_on(page: &str) -> String {
    let text =
        page.split("<code class=\"secret-text\">").nth(1).and_then(|rest| rest.split("</code>").next());
    let text = text.unwrap_or_else(|| panic!("no secret: {page}"));
    text.split('<').map(|part| part.rsplit('>').next().unwrap_or_default().trim()).collect()
}

/// The recovery codes on the page that shows them once.
pub fn recovery_codes(page: &str) -> Vec<String> {
    let list = page.split("aria-label=\"Recovery codes\"").nth(1).and_then(|rest| rest.split("</ol>").next());
    let list = list.unwrap_or_else(|| panic!("no codes: {page}"));
    let code = |part: &str| part.split("</code>").next().unwrap_or_default().to_owned();
    list.split("<code>").skip(1).map(code).collect()
}
