//! Accounts that a request resembles: the company may have one already, known to a colleague who has left. Pure; what is
//! compared comes from the store.

use company_names::folded;
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
    pub(super) account_id: Uuid,
    /// `None` for mail that anybody can have, and when whoever asked is no member any more.
    pub(super) mail_domain: Option<String>,
    pub(super) vat_number: Option<String>,
    /// None for a name that is nothing but marks.
    pub(super) folded_name: Option<String>,
}

/// An account that may resemble a request.
pub(super) struct Candidate {
    pub(super) account_id: Uuid,
    pub(super) name: String,
    pub(super) folded_name: String,
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
            folded_name: Some(folded(&request.company)).filter(|name| !name.is_empty()),
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
        let name = self.folded_name.as_ref() == Some(&candidate.folded_name);
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

#[cfg(test)]
mod tests {
    use super::{
        Likeness::{MailDomain, Name, VatNumber},
        *,
    };

    #[test]
    fn an_account_is_similar_for_reasons_and_never_to_itself() {
        let own = Uuid::from_u128(1);
        let traits = |email: &str| Traits {
            account_id: own,
            mail_domain: company_domain(email),
            vat_number: Some("GB434031494".to_owned()),
            folded_name: Some(folded("Pennine Winches")),
        };
        let candidate = |id: u128, name: &str, email: &str, number: &str| Candidate {
            account_id: Uuid::from_u128(id),
            name: name.to_owned(),
            folded_name: folded(name),
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
    fn the_list_is_in_order_without_doubles() {
        assert!(FREE_MAIL.is_sorted_by(|one, next| one < next));
    }
}
