//! One module a component, named as its style sheet in `style/components`.

mod answer_slip;
mod code_block;
mod data_table;
mod docket;
mod docs_layout;
mod fact_list;
mod finding;
mod guilloche;
mod icon;
mod number_reading;
mod route_map;
mod site_footer;
mod site_header;
mod status_tag;
mod theme_switch;
mod vat_number;
mod wordmark;

pub(crate) use self::answer_slip::AnswerSlip;
pub(crate) use self::code_block::CodeBlock;
pub(crate) use self::data_table::{Column, DataTable};
pub(crate) use self::docket::Docket;
pub(crate) use self::docs_layout::DocsLayout;
pub(crate) use self::fact_list::{Fact, FactList};
pub(crate) use self::guilloche::Guilloche;
#[cfg(feature = "ssr")]
pub(crate) use self::icon::IconSprite;
pub(crate) use self::route_map::RouteMap;
pub(crate) use self::site_footer::SiteFooter;
pub(crate) use self::site_header::SiteHeader;
pub(crate) use self::status_tag::StatusTag;
pub(crate) use self::vat_number::NumberPlate;

/// Where the API describes itself. The server answers it, not the router: links carry `rel="external"`.
pub(crate) const API_DESCRIPTION: &str = "/v1/openapi.json";

/// The page about error codes. Documentation comes whole from the server: links to it carry `rel="external"` too.
pub(crate) const ERROR_CODES: &str = "/docs/errors";
