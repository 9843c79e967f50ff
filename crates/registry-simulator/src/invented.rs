//! Invented names and addresses: derived from the number, in the manner of its country.

use std::{collections::HashMap, sync::LazyLock};

use crate::known_numbers::Trader;

/// How traders of one country are called and where they live; see the head of the data file.
struct Style {
    first: Vec<&'static str>,
    second: Vec<&'static str>,
    form: &'static str,
    streets: Vec<&'static str>,
    towns: Vec<&'static str>,
}

static STYLES: LazyLock<HashMap<&'static str, Style>> = LazyLock::new(|| {
    let lines = include_str!("../data/name-styles.tsv").lines().filter(|line| !line.starts_with('#'));
    let styles = lines.map(|line| {
        let mut cells = line.split('\t');
        let mut cell = || cells.next().unwrap_or_default();
        let country = cell();
        let mut list = || cell().split(',').collect();
        let (first, second) = (list(), list());
        let form = cell();
        let mut list = || cell().split(',').collect();
        (country, Style { first, second, form, streets: list(), towns: list() })
    });
    styles.collect()
});

/// The trader behind this number (with prefix): always the same one.
pub(crate) fn trader(country: &str, number: &str) -> Trader {
    let Some(style) = STYLES.get(country) else {
        return Trader { name: format!("Trader {number}"), address: format!("1 Sample Street\n{country}") };
    };
    let seed = fingerprint(number);
    let (first, second) = (pick(&style.first, seed), pick(&style.second, seed >> 8));
    // Second words in lower case make one word with the first, as in German.
    let joint = if second.starts_with(char::is_lowercase) { "" } else { " " };
    let name = style.form.replace('@', &format!("{first}{joint}{second}"));
    let street = pick(&style.streets, seed >> 16).replace('#', &(1 + (seed >> 24) % 180).to_string());
    let address = format!("{street}\n{}", pick(&style.towns, seed >> 32));
    Trader { name, address: address.replace('|', "\n").replace(';', ",") }
}

fn pick(choices: &[&'static str], seed: u64) -> &'static str {
    let index = seed.checked_rem(choices.len() as u64).and_then(|index| usize::try_from(index).ok());
    index.and_then(|index| choices.get(index)).copied().unwrap_or_default()
}

/// FNV-1a, 64 bits.
fn fingerprint(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
