//! `VatNumber`: a number as a plate. The country stands on a tinted field, the digits in the grouping people print.
//! The gaps are margins, so a copied number is the canonical one. What could not be read is never on a plate.

use leptos::prelude::*;

/// A number that could be read.
#[component]
pub(crate) fn VatNumber(
    /// The number.
    number: vat::VatNumber,
    /// Whether it is the one number the page is about.
    #[prop(optional)]
    large: bool,
) -> impl IntoView {
    let groups = number.groups().map(ToOwned::to_owned).collect();

    view! {
        <NumberPlate
            code=number.prefix().as_str()
            country=number.prefix().country_name()
            groups=groups
            large=large
        />
    }
}

/// The plate itself: of a number, or of a prefix alone.
#[component]
pub(crate) fn NumberPlate(
    /// The two letters of the country.
    code: &'static str,
    /// The country's name, where the letters stand for one.
    #[prop(optional)]
    country: Option<&'static str>,
    /// The national part in groups; empty for a prefix alone.
    #[prop(optional)]
    groups: Vec<String>,
    /// Whether it is the one number the page is about.
    #[prop(optional)]
    large: bool,
) -> impl IntoView {
    view! {
        <span class="vat-number" data-size=large.then_some("large")>
            <abbr title=country>{code}</abbr>
            {groups.into_iter().map(|group| view! { <span>{group}</span> }).collect_view()}
        </span>
    }
}
