//! The tables as types, one file a table. What they mean is in the services.

pub mod access_version;
pub mod account;
pub mod allowance;
pub mod api_key;
pub mod audit_chain;
pub mod audit_event;
pub mod batch_row;
pub mod batch_run;
pub mod evidence;
pub mod key_request;
pub mod member;
pub mod one_time_link;
pub mod outbox_letter;
pub mod plan;
pub mod recorder;
pub mod recovery_code;
pub mod registry_hold;
pub mod registry_slice;
pub mod reservation;
pub mod second_factor;
pub mod session;
pub mod support_staff;
pub mod usage_number;
pub mod usage_number_day;
pub mod usage_request;
pub mod usage_request_day;
