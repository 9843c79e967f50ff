//! The forms in which national parts are really seen, place by place: narrower than the hard structure, for
//! finding out what was meant.

use crate::Prefix;

/// The forms of a prefix's national parts: `9` is a digit, `A` a letter, `X` either, and `U` and `B` are
/// themselves.
pub(crate) const fn forms(prefix: Prefix) -> &'static [&'static str] {
    match prefix {
        Prefix::At => &["U99999999"],
        Prefix::Cy => &["99999999A"],
        Prefix::Es => &["A99999999", "99999999A", "A9999999A"],
        Prefix::Fr => &["XX999999999"],
        Prefix::Ie => &["9999999A", "9A99999A", "9999999AA"],
        Prefix::Nl => &["999999999B99"],
        Prefix::Dk | Prefix::Fi | Prefix::Hu | Prefix::Lu | Prefix::Mt | Prefix::Si => &["99999999"],
        Prefix::De | Prefix::Ee | Prefix::El | Prefix::Pt => &["999999999"],
        Prefix::Be | Prefix::Pl | Prefix::Sk => &["9999999999"],
        Prefix::Hr | Prefix::It | Prefix::Lv => &["99999999999"],
        Prefix::Se => &["999999999999"],
        Prefix::Bg => &["999999999", "9999999999"],
        Prefix::Cz => &["99999999", "999999999", "9999999999"],
        Prefix::Lt => &["999999999", "999999999999"],
        Prefix::Gb | Prefix::Xi => &["999999999", "999999999999", "AA999"],
        Prefix::Ro => {
            &["99", "999", "9999", "99999", "999999", "9999999", "99999999", "999999999", "9999999999"]
        }
    }
}

/// Whether a letter may stand at this place of a national part of this length.
pub(super) fn letter_may_stand(prefix: Prefix, place: usize, length: usize) -> bool {
    forms(prefix)
        .iter()
        .any(|form| form.len() == length && form.as_bytes().get(place).is_some_and(|&kind| kind != b'9'))
}
