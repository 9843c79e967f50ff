//! One module a component, named as its style sheet in `style/components`.

mod answer_slip;
#[cfg(feature = "ssr")]
mod api_key;
#[cfg(feature = "ssr")]
mod availability_strip;
#[cfg(feature = "ssr")]
mod button_row;
#[cfg(feature = "ssr")]
mod choice;
mod code_block;
#[cfg(feature = "ssr")]
mod code_field;
#[cfg(feature = "ssr")]
mod confirm_field;
#[cfg(feature = "ssr")]
mod data_table;
mod docket;
#[cfg(feature = "ssr")]
mod docs_layout;
#[cfg(feature = "ssr")]
mod error_summary;
mod fact_list;
#[cfg(feature = "ssr")]
mod field;
#[cfg(feature = "ssr")]
mod field_error;
#[cfg(feature = "ssr")]
mod filter_bar;
mod finding;
mod guilloche;
mod icon;
#[cfg(feature = "ssr")]
mod listing;
#[cfg(feature = "ssr")]
mod moment;
#[cfg(feature = "ssr")]
mod notice;
mod number_reading;
#[cfg(feature = "ssr")]
mod page_header;
#[cfg(feature = "ssr")]
mod page_links;
#[cfg(feature = "ssr")]
mod pager;
#[cfg(feature = "ssr")]
mod qr_code;
#[cfg(feature = "ssr")]
mod recovery_codes;
mod route_map;
#[cfg(feature = "ssr")]
mod secret_text;
#[cfg(feature = "ssr")]
mod select;
mod site_footer;
mod site_header;
mod status_tag;
#[cfg(feature = "ssr")]
mod tab_links;
mod theme_switch;
mod try_section;
#[cfg(feature = "ssr")]
mod usage_chart;
mod vat_number;
#[cfg(feature = "ssr")]
mod wordmark;

pub(crate) use self::answer_slip::AnswerSlip;
#[cfg(feature = "ssr")]
pub(crate) use self::api_key::{ApiKey, ApiKeySecret};
#[cfg(feature = "ssr")]
pub(crate) use self::availability_strip::{AvailabilityKey, AvailabilityStrip};
#[cfg(feature = "ssr")]
pub(crate) use self::button_row::ButtonRow;
#[cfg(feature = "ssr")]
pub(crate) use self::choice::{Choice, Option as ChoiceOption};
pub(crate) use self::code_block::CodeBlock;
#[cfg(feature = "ssr")]
pub(crate) use self::code_field::CodeField;
#[cfg(feature = "ssr")]
pub(crate) use self::confirm_field::ConfirmField;
#[cfg(feature = "ssr")]
pub(crate) use self::data_table::{Column, DataTable};
pub(crate) use self::docket::Docket;
#[cfg(feature = "ssr")]
pub(crate) use self::docs_layout::DocsLayout;
#[cfg(feature = "ssr")]
pub(crate) use self::error_summary::ErrorSummary;
pub(crate) use self::fact_list::{Fact, FactList};
#[cfg(feature = "ssr")]
pub(crate) use self::field::{Field, Kind};
#[cfg(feature = "ssr")]
pub(crate) use self::field_error::field_error;
#[cfg(feature = "ssr")]
pub(crate) use self::filter_bar::{FilterBar, FilterChoice, FilterField};
#[cfg(feature = "ssr")]
pub(crate) use self::finding::Finding;
pub(crate) use self::guilloche::Guilloche;
#[cfg(feature = "ssr")]
pub(crate) use self::icon::IconSprite;
#[cfg(feature = "ssr")]
pub(crate) use self::icon::{Icon, Shape};
#[cfg(feature = "ssr")]
pub(crate) use self::listing::Listing;
#[cfg(feature = "ssr")]
pub(crate) use self::moment::{ExactMoment, Moment};
#[cfg(feature = "ssr")]
pub(crate) use self::notice::{Notice, Tone};
#[cfg(feature = "ssr")]
pub(crate) use self::page_header::PageHeader;
#[cfg(feature = "ssr")]
pub(crate) use self::page_links::PageLinks;
#[cfg(feature = "ssr")]
pub(crate) use self::pager::Pager;
#[cfg(feature = "ssr")]
pub(crate) use self::qr_code::QrCode;
#[cfg(feature = "ssr")]
pub(crate) use self::recovery_codes::RecoveryCodeList;
pub(crate) use self::route_map::RouteMap;
#[cfg(feature = "ssr")]
pub(crate) use self::secret_text::SecretText;
#[cfg(feature = "ssr")]
pub(crate) use self::select::Select;
pub(crate) use self::site_footer::SiteFooter;
pub(crate) use self::site_header::SiteHeader;
pub(crate) use self::status_tag::{StatusTag, TagStatus};
#[cfg(feature = "ssr")]
pub(crate) use self::tab_links::{TabLink, TabLinks};
#[cfg(feature = "ssr")]
pub use self::try_section::SlipText;
pub(crate) use self::try_section::TrySection;
#[cfg(feature = "ssr")]
pub(crate) use self::usage_chart::{Bar, UsageChart};
pub(crate) use self::vat_number::NumberPlate;
#[cfg(feature = "ssr")]
pub(crate) use self::vat_number::VatNumber;
#[cfg(feature = "ssr")]
pub(crate) use self::wordmark::SheetWordmark;

/// Where the API describes itself. The server answers it, not the router: links carry `rel="external"`.
#[cfg(feature = "ssr")]
pub(crate) const API_DESCRIPTION: &str = "/v1/openapi.json";

/// The page about error codes. Documentation comes whole from the server: links to it carry `rel="external"` too.
pub(crate) const ERROR_CODES: &str = "/docs/errors";

/// The first page of the documentation.
pub(crate) const DOCUMENTATION: &str = "/docs";

/// How the registries are.
pub(crate) const STATUS: &str = "/status";
