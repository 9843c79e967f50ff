//! `RouteMap`: which numbers go to which registry, one route a row.

use leptos::prelude::*;
use vat::{Prefix, Registry};

use super::vat_number::NumberPlate;

/// Codes that people send and that neither registry covers.
const NOT_COVERED: [(&str, &str); 4] =
    [("CH", "Switzerland"), ("NO", "Norway"), ("EU", "EU one-stop shop"), ("IM", "Import one-stop shop")];

/// The prefixes that `registry` answers for, with the names of their countries.
fn prefixes_of(registry: Registry) -> Vec<(&'static str, &'static str)> {
    Prefix::ALL
        .into_iter()
        .filter(|prefix| prefix.registry() == registry)
        .map(|prefix| (prefix.as_str(), prefix.country_name()))
        .collect()
}

/// Every prefix and who is asked about it.
#[component]
pub(crate) fn RouteMap() -> impl IntoView {
    view! {
        <ul class="route-map" role="list">
            <Route
                prefixes=prefixes_of(Registry::Hmrc)
                asked="HMRC"
                about="Numbers of 9 or 12 digits, by the UK’s own register."
            />
            <Route
                prefixes=prefixes_of(Registry::Vies)
                asked="VIES"
                about="Every member state answers from its own register, at its own speed. Northern Ireland answers for goods."
            />
            <Route
                prefixes=NOT_COVERED.to_vec()
                asked="Nobody"
                about="Neither registry covers these. The answer is “unsupported”, never “invalid”."
                covered=false
            />
        </ul>
    }
    .into_any()
}

/// One row: prefixes, an arrow, who is asked.
#[component]
fn Route(
    /// Codes and the names they stand for.
    prefixes: Vec<(&'static str, &'static str)>,
    /// Who is asked.
    asked: &'static str,
    /// What is to be known about the answers.
    about: &'static str,
    /// Whether anybody is asked.
    #[prop(default = true)]
    covered: bool,
) -> impl IntoView {
    view! {
        <li data-route=(!covered).then_some("none")>
            <p class="prefixes">
                {prefixes
                    .into_iter()
                    .map(|(code, country)| view! { <NumberPlate code=code country=country /> })
                    .collect_view()}
            </p>
            <svg viewBox="0 0 64 12" aria-hidden="true">
                <path
                    d=if covered { "M0 6h62M57 1.5 62 6l-5 4.5" } else { "M0 6h52" }
                    stroke-dasharray=(!covered).then_some("3 4")
                />
                <path d=if covered { "" } else { "M56 1v10" } />
            </svg>
            <div>
                <h3>{asked}</h3>
                <p>{about}</p>
            </div>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use vat::{Prefix, Registry};

    use super::{NOT_COVERED, prefixes_of};

    #[test]
    fn every_prefix_stands_in_exactly_one_row() {
        let rows = [prefixes_of(Registry::Hmrc), prefixes_of(Registry::Vies)].concat();
        for prefix in Prefix::ALL {
            assert_eq!(rows.iter().filter(|(code, _)| *code == prefix.as_str()).count(), 1, "{prefix:?}");
        }
        assert_eq!(rows.len(), Prefix::ALL.len());
    }

    #[test]
    fn what_is_said_to_be_nobody_s_is_read_as_nobody_s() {
        for (code, _) in NOT_COVERED {
            assert_eq!(Prefix::from_code(code), None, "{code}");
        }
    }
}
