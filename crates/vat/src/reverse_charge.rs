//! Whether a supply to the holder of a number may be invoiced without VAT under the reverse charge: one rule,
//! from where the supplier sells and where the customer is registered. Goods or services are not told apart.

use crate::{Prefix, Status};

/// The 249 officially assigned codes of ISO 3166-1 alpha-2, one after another in their order.
const ISO_CODES: &str = concat!(
    "ADAEAFAGAIALAMAOAQARASATAUAWAXAZ",
    "BABBBDBEBFBGBHBIBJBLBMBNBOBQBRBSBTBVBWBYBZ",
    "CACCCDCFCGCHCICKCLCMCNCOCRCUCVCWCXCYCZ",
    "DEDJDKDMDODZECEEEGEHERESETFIFJFKFMFOFR",
    "GAGBGDGEGFGGGHGIGLGMGNGPGQGRGSGTGUGWGY",
    "HKHMHNHRHTHUIDIEILIMINIOIQIRISITJEJMJOJP",
    "KEKGKHKIKMKNKPKRKWKYKZLALBLCLILKLRLSLTLULVLY",
    "MAMCMDMEMFMGMHMKMLMMMNMOMPMQMRMSMTMUMVMWMXMYMZ",
    "NANCNENFNGNINLNONPNRNUNZOMPAPEPFPGPHPKPLPMPNPRPSPTPWPYQA",
    "RERORSRURWSASBSCSDSESGSHSISJSKSLSMSNSOSRSSSTSVSXSYSZ",
    "TCTDTFTGTHTJTKTLTMTNTOTRTTTVTWTZUAUGUMUSUYUZ",
    "VAVCVEVGVIVNVUWFWSYEYTZAZMZW",
);

/// The country a supplier sells from: an ISO 3166-1 code, with `EL` for Greece, and `XI` for Northern Ireland.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SupplierCountry(&'static str);

impl SupplierCountry {
    /// Reads two letters, in either case. `GR` is read as `EL` and `UK` as `GB`. None for anything that is
    /// not a country's code.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let [first, second] = *text.as_bytes() else { return None };
        match [first.to_ascii_uppercase(), second.to_ascii_uppercase()] {
            [b'G', b'R'] | [b'E', b'L'] => Some(Self("EL")),
            [b'U', b'K'] => Some(Self("GB")),
            [b'X', b'I'] => Some(Self("XI")),
            code => Self::assigned(code),
        }
    }

    fn assigned(code: [u8; 2]) -> Option<Self> {
        let index = ISO_CODES.as_bytes().chunks_exact(2).position(|assigned| assigned == code)?;
        ISO_CODES.get(2 * index..2 * index + 2).map(Self)
    }

    /// The code in capitals, `EL` for Greece.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        self.0
    }

    /// The VAT territory the country counts as, by the code of its largest part. The Isle of Man is one with the
    /// United Kingdom by its law (Value Added Tax Act 1994), and Monaco counts as France (directive 2006/112/EC,
    /// article 7).
    fn territory(self) -> &'static str {
        match self.0 {
            "IM" | "XI" => "GB",
            // All but Monaco, and Åland, are outside the EU's VAT territory (article 6), but their traders have
            // ordinary French and Finnish numbers, and a wrong "eligible" costs the supplier the VAT.
            "GF" | "GP" | "MC" | "MQ" | "RE" | "YT" => "FR",
            "AX" => "FI",
            code => code,
        }
    }
}

/// Whether, and why, the reverse charge may apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReverseCharge {
    /// The number is not known to be valid.
    NotValid,
    /// The registry gave no answer.
    Unverified,
    /// The number is valid; where the supplier sells from is not known.
    SupplierCountryNotGiven,
    /// The number is valid, in the supplier's own VAT territory.
    Domestic,
    /// The number is valid, in another VAT territory than the supplier's.
    CrossBorder,
}

impl ReverseCharge {
    /// Every case, in the order in which documentation lists them.
    pub const ALL: [Self; 5] =
        [Self::NotValid, Self::Unverified, Self::SupplierCountryNotGiven, Self::Domestic, Self::CrossBorder];

    /// Decides for a customer's number. A valid number always has a prefix; without one nothing is eligible.
    #[must_use]
    pub fn decide(status: Status, customer: Option<Prefix>, supplier: Option<SupplierCountry>) -> Self {
        match (status, customer, supplier) {
            (Status::Unavailable, ..) => Self::Unverified,
            (Status::Valid, Some(_), None) => Self::SupplierCountryNotGiven,
            (Status::Valid, Some(customer), Some(supplier))
                if supplier.territory() == territory(customer) =>
            {
                Self::Domestic
            }
            (Status::Valid, Some(_), Some(_)) => Self::CrossBorder,
            _ => Self::NotValid,
        }
    }

    /// The value of the API's field `reverseChargeEligible`.
    #[must_use]
    pub const fn eligible(self) -> bool {
        matches!(self, Self::SupplierCountryNotGiven | Self::CrossBorder)
    }

    /// The value of the API's field `reverseChargeReason`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotValid => "not_valid",
            Self::Unverified => "unverified",
            Self::SupplierCountryNotGiven => "supplier_country_not_given",
            Self::Domestic => "domestic",
            Self::CrossBorder => "cross_border",
        }
    }
}

/// Great Britain and Northern Ireland are one territory for this purpose.
const fn territory(customer: Prefix) -> &'static str {
    match customer {
        Prefix::Xi => "GB",
        prefix => prefix.as_str(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_countries_is_whole_and_sorted() {
        let codes: Vec<&[u8]> = ISO_CODES.as_bytes().chunks(2).collect();
        assert_eq!(codes.len(), 249);
        assert!(codes.is_sorted_by(|one, next| one < next));
    }
}
