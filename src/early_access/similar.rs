//! Accounts that a request resembles: the company may have one already, known to a colleague who has left. Pure; what is
//! compared comes from the store.

use uuid::Uuid;

use super::KeyRequest;

/// Providers whose domains say nothing of a company. Not all of them: a name that is missing here costs support a look.
const FREE_MAIL: [&str; 48] = [
    "aol.com",
    "arcor.de",
    "bluewin.ch",
    "bt.com",
    "btinternet.com",
    "email.cz",
    "fastmail.com",
    "free.fr",
    "freenet.de",
    "gmail.com",
    "gmx.at",
    "gmx.ch",
    "gmx.com",
    "gmx.de",
    "gmx.net",
    "googlemail.com",
    "hotmail.co.uk",
    "hotmail.com",
    "hotmail.fr",
    "hotmail.it",
    "icloud.com",
    "interia.pl",
    "laposte.net",
    "libero.it",
    "live.co.uk",
    "live.com",
    "mail.com",
    "mail.ru",
    "me.com",
    "msn.com",
    "o2.pl",
    "onet.pl",
    "orange.fr",
    "outlook.com",
    "outlook.de",
    "proton.me",
    "protonmail.com",
    "seznam.cz",
    "sfr.fr",
    "sky.com",
    "t-online.de",
    "virgilio.it",
    "wanadoo.fr",
    "web.de",
    "wp.pl",
    "yahoo.co.uk",
    "yahoo.com",
    "yahoo.fr",
];

/// What stands behind a company's name for its form, as words of letters alone.
const LEGAL_FORMS: [&str; 33] = [
    "ab", "ag", "aps", "as", "bv", "co", "company", "corp", "doo", "eood", "gmbh", "inc", "kft", "kg", "lda",
    "limited", "llc", "llp", "ltd", "nv", "ood", "oy", "oyj", "plc", "sa", "sarl", "sas", "sl", "spa",
    "spzoo", "srl", "sro", "ug",
];

/// An account that a request resembles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Similar {
    /// The account.
    pub account_id: Uuid,
    /// Its name.
    pub name: String,
    /// Why; at least one.
    pub because: Vec<Likeness>,
    /// The names of its owners.
    pub owners: Vec<String>,
}

/// In what way it resembles it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// Addresses of its people end alike.
    MailDomain,
    /// It has, or asked with, the same VAT number.
    VatNumber,
    /// Its name is the same but for the legal form, blanks, marks and case.
    Name,
}

/// What a request is recognised by.
pub(super) struct Traits {
    account_id: Uuid,
    /// `None` for mail that anybody can have, and when whoever asked is no member any more.
    pub(super) mail_domain: Option<String>,
    pub(super) vat_number: Option<String>,
    folded_name: String,
    /// What the names of candidates begin with.
    pub(super) first_word: String,
}

/// An account that may resemble a request.
pub(super) struct Candidate {
    pub(super) account_id: Uuid,
    pub(super) name: String,
    pub(super) emails: Vec<String>,
    pub(super) owners: Vec<String>,
    pub(super) vat_numbers: Vec<String>,
}

impl Traits {
    pub(super) fn of(request: &KeyRequest) -> Self {
        Self {
            account_id: request.account_id,
            mail_domain: request.asker.email.as_deref().and_then(company_domain),
            vat_number: request.vat_number.map(|number| number.to_string()),
            folded_name: folded(&request.company),
            first_word: request.company.split_whitespace().next().unwrap_or_default().to_owned(),
        }
    }

    pub(super) fn similar_among(&self, candidates: &[Candidate]) -> Vec<Similar> {
        let others = candidates.iter().filter(|candidate| candidate.account_id != self.account_id);
        others
            .map(|candidate| Similar {
                account_id: candidate.account_id,
                name: candidate.name.clone(),
                because: self.likenesses(candidate),
                owners: candidate.owners.clone(),
            })
            .filter(|similar| !similar.because.is_empty())
            .collect()
    }

    fn likenesses(&self, candidate: &Candidate) -> Vec<Likeness> {
        let of_domain = |own: &String| candidate.emails.iter().any(|email| domain(email) == own);
        let mail = self.mail_domain.as_ref().is_some_and(of_domain);
        let number = self.vat_number.as_ref().is_some_and(|own| candidate.vat_numbers.contains(own));
        let name = self.folded_name == folded(&candidate.name);
        [(mail, Likeness::MailDomain), (number, Likeness::VatNumber), (name, Likeness::Name)]
            .into_iter()
            .filter_map(|(alike, likeness)| alike.then_some(likeness))
            .collect()
    }
}

fn company_domain(email: &str) -> Option<String> {
    let domain = domain(email);
    (!FREE_MAIL.contains(&domain)).then(|| domain.to_owned())
}

fn domain(email: &str) -> &str {
    email.rsplit_once('@').map_or("", |(_, domain)| domain)
}

/// A company's name without what differs from one writing to the next. A name that is nothing but a legal form stays.
fn folded(name: &str) -> String {
    let words: Vec<String> = name
        .split_whitespace()
        .map(|word| word.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect())
        .filter(|word: &String| !word.is_empty())
        .collect();
    let mut end = words.len();
    // A form may be written in words of its own: `Sp. z o.o.`
    while end > 1 {
        let tail = (1..end.min(4))
            .rev()
            .find(|count| LEGAL_FORMS.contains(&words[end - count..end].concat().as_str()));
        match tail {
            Some(count) => end -= count,
            None => break,
        }
    }
    words[..end].concat()
}

#[cfg(test)]
mod tests {
    use super::{
        Likeness::{MailDomain, Name, VatNumber},
        *,
    };

    #[test]
    fn a_name_is_the_same_whatever_the_legal_form_and_the_writing() {
        for (one, other) in [
            ("Pennine Winches", "PENNINE WINCHES Ltd."),
            ("Øresund Bådudstyr A/S", "øresund  bådudstyr aps"),
            ("Velaria Tirrena S.r.l.", "Velaria-Tirrena"),
            ("Baltic Rope Sp. z o.o.", "Baltic Rope"),
            ("Müller & Söhne GmbH & Co. KG", "Müller Söhne"),
            ("Acme Trading Company Limited", "Acme Trading"),
        ] {
            assert_eq!(folded(one), folded(other), "{one} {other}");
        }
        for (one, other) in [("Acme", "Acme Marine"), ("AG", "AB"), ("Ltd", "Limited"), ("Acme", "Acne")] {
            assert_ne!(folded(one), folded(other), "{one} {other}");
        }
        assert_eq!(folded("…"), "");
    }

    #[test]
    fn an_account_is_similar_for_reasons_and_never_to_itself() {
        let own = Uuid::from_u128(1);
        let traits = |email: &str| Traits {
            account_id: own,
            mail_domain: company_domain(email),
            vat_number: Some("GB434031494".to_owned()),
            folded_name: folded("Pennine Winches"),
            first_word: "Pennine".to_owned(),
        };
        let candidate = |id: u128, name: &str, email: &str, number: &str| Candidate {
            account_id: Uuid::from_u128(id),
            name: name.to_owned(),
            emails: vec![email.to_owned()],
            owners: vec!["Alan Shaw".to_owned()],
            vat_numbers: vec![number.to_owned()],
        };
        let candidates = [
            candidate(1, "Pennine Winches", "dev@pennine.example", "GB434031494"),
            candidate(2, "Pennine Winches Ltd", "alan@pennine.example", "GB434031494"),
            candidate(3, "Pennine Rope", "alan@sub.pennine.example", "GB123456782"),
            candidate(4, "Another", "a@gmail.com", "DE136695976"),
            candidate(5, "Further", "x@pennine.example", "DE136695976"),
        ];
        let found = |email| {
            let similar = traits(email).similar_among(&candidates);
            similar.into_iter().map(|one| (one.account_id.as_u128(), one.because)).collect::<Vec<_>>()
        };
        assert_eq!(
            found("dev@pennine.example"),
            [(2, vec![MailDomain, VatNumber, Name]), (5, vec![MailDomain])]
        );
        assert_eq!(found("pennine@gmail.com"), [(2, vec![VatNumber, Name])]);
    }

    #[test]
    fn the_lists_are_in_order_without_doubles() {
        assert!(FREE_MAIL.is_sorted_by(|one, next| one < next));
        assert!(LEGAL_FORMS.is_sorted());
    }
}
