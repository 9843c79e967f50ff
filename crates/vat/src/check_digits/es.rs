//! Spain: nine characters for residents, foreigners and companies alike; the first tells them apart.

use super::{National, Verdict, luhn};

const PERSON_LETTERS: &[u8; 23] = b"TRWAGMYFPDXBNJZSQVHLCKE";
const COMPANY_LETTERS: &[u8; 10] = b"JABCDEFGHI";

#[inline]
pub(super) fn verdict(national: National<'_>) -> Verdict {
    let check = national.places[8];
    let fits = match national.places[0] {
        b'0'..=b'9' => check == person_letter(national.value(0, 8)),
        letter @ b'X'..=b'Z' => {
            check == person_letter(u32::from(letter - b'X') * 10_000_000 + national.value(1, 7))
        }
        b'K'..=b'M' => check == person_letter(national.value(1, 7)),
        b'I' | b'O' | b'T' => return Verdict::unusual(0),
        _ => company(national),
    };
    Verdict::check_character(fits, 8)
}

#[inline]
const fn person_letter(number: u32) -> u8 {
    PERSON_LETTERS[(number % 23) as usize]
}

/// The check character of a company is a digit or the letter for it. Which of the two goes with which first
/// letter is not looked at: libraries differ.
#[inline]
fn company(national: National<'_>) -> bool {
    let digit = |place| national.digit(place);
    let odd_places = [1, 3, 5, 7].map(digit).map(luhn::doubled);
    let sum = odd_places.iter().sum::<u32>() + digit(2) + digit(4) + digit(6);
    let check = (10 - sum % 10) % 10;
    digit(8) == check || national.places[8] == COMPANY_LETTERS[check as usize]
}
