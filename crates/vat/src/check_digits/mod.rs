//! Whether the characters of a national part fit together: one file a prefix, and here what they share.
//!
//! Most national rules are unpublished and libraries contradict each other, so a misfit is advice and never a
//! verdict. The rules are those in which python-stdnum, jsvat and valvat agree. Where one of them refuses what
//! another accepts, the rule here accepts it, unless the structure table of the VIES FAQ speaks against it (13
//! digits in Romania) or only one of them stretches a rule (check 00 in Belgium, check characters above 37 in
//! Malta). The hard structure, which does decide, is in `format`; a number here has passed it.

mod at;
mod be;
mod bg;
mod birth;
mod cy;
mod cz;
mod de;
mod dk;
mod ee;
mod el;
mod es;
mod fi;
mod fr;
mod gb;
mod hr;
mod hu;
mod ie;
mod iso_7064;
mod it;
mod lt;
mod lu;
mod luhn;
mod lv;
mod mt;
mod nl;
mod pl;
mod pt;
mod ro;
mod se;
mod si;
mod sk;

pub(crate) use gb::first_series_check_digits;

use crate::Prefix;

/// How the characters of a national part fit together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing is wrong.
    Fits,
    /// Numbers of this kind have no check characters, and nothing else is wrong.
    NothingToCheck,
    /// The check characters at these places do not follow from the rest.
    CheckCharacters(Places),
    /// The characters at these places are of a kind that the country is not known to use.
    Unusual(Places),
    /// The whole does not fit, and no place can be blamed.
    Whole,
}

/// Consecutive places of a national part, counted from 0, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Places {
    pub(crate) first: usize,
    pub(crate) last: usize,
}

impl Verdict {
    #[inline]
    const fn check_character(fits: bool, place: usize) -> Self {
        Self::check_characters(fits, place, place)
    }

    #[inline]
    const fn check_characters(fits: bool, first: usize, last: usize) -> Self {
        if fits { Self::Fits } else { Self::CheckCharacters(Places { first, last }) }
    }

    const fn unusual(place: usize) -> Self {
        Self::Unusual(Places { first: place, last: place })
    }
}

/// A national part, as the rules see it: twelve places, of which the first `length` are in use.
#[derive(Clone, Copy)]
pub(crate) struct National<'a> {
    pub(crate) places: &'a [u8; 12],
    pub(crate) length: usize,
}

impl National<'_> {
    /// The value of the digit at a place.
    #[inline]
    fn digit(self, place: usize) -> u32 {
        u32::from(self.places[place].wrapping_sub(b'0'))
    }

    /// The number that the digits of `count` places make, from `first` on.
    #[inline]
    fn value(self, first: usize, count: usize) -> u32 {
        (first..first + count).fold(0, |value, place| value * 10 + self.digit(place))
    }

    /// The sum of the digits from `first` on, each times its weight.
    #[inline]
    fn weighted<const N: usize>(self, first: usize, weights: [u32; N]) -> u32 {
        let mut sum = 0;
        for (offset, weight) in weights.into_iter().enumerate() {
            sum += weight * self.digit(first + offset);
        }
        sum
    }

    /// The last place in use.
    #[inline]
    fn last(self) -> usize {
        self.length - 1
    }
}

/// Judges a national part that has the structure of its prefix.
#[inline]
pub(crate) fn verdict(prefix: Prefix, national: National<'_>) -> Verdict {
    match prefix {
        Prefix::At => at::verdict(national),
        Prefix::Be => be::verdict(national),
        Prefix::Bg => bg::verdict(national),
        Prefix::Cy => cy::verdict(national),
        Prefix::Cz => cz::verdict(national),
        Prefix::De => de::verdict(national),
        Prefix::Dk => dk::verdict(national),
        Prefix::Ee => ee::verdict(national),
        Prefix::El => el::verdict(national),
        Prefix::Es => es::verdict(national),
        Prefix::Fi => fi::verdict(national),
        Prefix::Fr => fr::verdict(national),
        Prefix::Gb | Prefix::Xi => gb::verdict(national),
        Prefix::Hr => hr::verdict(national),
        Prefix::Hu => hu::verdict(national),
        Prefix::Ie => ie::verdict(national),
        Prefix::It => it::verdict(national),
        Prefix::Lt => lt::verdict(national),
        Prefix::Lu => lu::verdict(national),
        Prefix::Lv => lv::verdict(national),
        Prefix::Mt => mt::verdict(national),
        Prefix::Nl => nl::verdict(national),
        Prefix::Pl => pl::verdict(national),
        Prefix::Pt => pt::verdict(national),
        Prefix::Ro => ro::verdict(national),
        Prefix::Se => se::verdict(national),
        Prefix::Si => si::verdict(national),
        Prefix::Sk => sk::verdict(national),
    }
}
