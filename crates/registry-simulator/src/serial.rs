//! Strings that never repeat within a run: tokens and consultation numbers. They look random and are not.

use std::sync::atomic::{AtomicU64, Ordering};

/// A source of strings that never repeat.
#[derive(Debug, Default)]
pub(crate) struct Serial(AtomicU64);

impl Serial {
    /// `length` characters of `alphabet`, which must not be empty.
    pub(crate) fn next(&self, alphabet: &[u8], length: usize) -> String {
        let mut state = self.0.fetch_add(1, Ordering::Relaxed);
        let letters = (0..length).map(|_| {
            state = mix(state);
            let choice = state % alphabet.len() as u64;
            alphabet.iter().copied().nth(usize::try_from(choice).unwrap_or_default()).map_or('?', char::from)
        });
        letters.collect()
    }
}

/// One step of the splitmix64 generator.
fn mix(state: u64) -> u64 {
    let z = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_thousand_strings_are_a_thousand_different_strings() {
        let serial = Serial::default();
        let strings: HashSet<_> = (0..1000).map(|_| serial.next(b"ACDEFHJKLMNPQRTUVWXY", 9)).collect();
        assert_eq!(strings.len(), 1000);
        assert!(strings.iter().all(|string| string.len() == 9));
    }
}
