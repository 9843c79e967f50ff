//! The numbers both registries know from the start, and the names behind them. Scripts are not here.

use std::{collections::HashMap, sync::LazyLock};

use crate::invented;

/// Who is behind a registered number. Lines of the address are separated by `\n`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trader {
    pub(crate) name: String,
    pub(crate) address: String,
}

static REGISTERED: LazyLock<HashMap<&'static str, Option<Trader>>> = LazyLock::new(|| {
    let lines = include_str!("../data/registered-numbers.tsv").lines().filter(|line| !line.starts_with('#'));
    let entries = lines.map(|line| {
        let mut cells = line.split('\t');
        let number = cells.next().unwrap_or_default();
        let named = cells.next().zip(cells.next());
        let trader = named
            .map(|(name, address)| Trader { name: name.to_owned(), address: address.replace('|', "\n") });
        (number, trader)
    });
    entries.collect()
});

/// The trader behind a number, if it is registered.
pub(crate) fn find(country: &str, number: &str) -> Option<Trader> {
    let number = format!("{country}{number}");
    let named = REGISTERED.get(number.as_str())?;
    Some(named.clone().unwrap_or_else(|| invented::trader(country, &number)))
}

/// HMRC knows the businesses of Northern Ireland by the same digits that VIES knows with `XI`.
pub(crate) fn find_at_hmrc(vrn: &str) -> Option<Trader> {
    find("GB", vrn).or_else(|| find("XI", vrn))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_registered_number_has_a_name_and_an_address() {
        assert_eq!(REGISTERED.len(), 166);
        for number in REGISTERED.keys() {
            let (country, national) = number.split_at(2);
            let trader = find(country, national).unwrap();
            assert!(!trader.name.trim().is_empty(), "{number}");
            assert!(trader.address.trim().contains('\n'), "{number}: {}", trader.address);
            assert!(!trader.address.contains(['#', '@', '|', ';']), "{number}: {}", trader.address);
        }
    }

    #[test]
    fn names_are_stable_and_differ() {
        assert_eq!(find("PT", "501964843"), find("PT", "501964843"));
        assert_ne!(find("PT", "501964843"), find("PT", "501413197"));
    }
}
