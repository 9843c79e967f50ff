//! The check digit "modulus 11,10" of ISO/IEC 7064, which Germany and Croatia use.

use super::National;

/// The product after a digit, times 16, at the place of the product before it, times 16, and the digit. Each
/// step waits for the one before, so that both its remainders in one load make it quicker.
static NEXT: [u8; 256] = {
    let mut next = [0; 256];
    let mut product = 0_u8;
    while product < 11 {
        let mut digit = 0;
        while digit < 10 {
            let sum = (digit + product) % 10;
            next[(product << 4 | digit) as usize] = (2 * (if sum == 0 { 10 } else { sum }) % 11) << 4;
            digit += 1;
        }
        product += 1;
    }
    next
};

/// Whether the last of the first `count` digits is the check digit of those before it.
#[inline]
pub(super) fn fits(national: National<'_>, count: usize) -> bool {
    let mut product = 10 << 4;
    for place in 0..count - 1 {
        product = NEXT[usize::from(product | national.places[place] & 15)];
    }
    national.digit(count - 1) == (11 - u32::from(product >> 4)) % 10
}
