//! The database connection and the entities. Queries stand in each service's `store.rs`; here are
//! those that more than one service needs.

mod access_version;
mod account_limits;
mod account_lock;
mod account_row;
mod account_terms;
mod caller_names;
mod connect;
pub mod entities;
mod ids;
mod like;
mod link_withdrawal;
mod listing;
mod one_moment;
mod second_factors;
mod session_key;
mod together;
mod upsert;
mod write_transaction;

pub use self::{
    access_version::{AccessWatch, bump_access_version},
    account_limits::{Limits, STANDARD_PLAN},
    account_terms::AccountTerms,
    caller_names::CallerName,
    connect::{ConnectError, Database, within_limit},
    ids::{first_id_of, new_id},
    listing::{Start, Total},
    one_moment::read,
    session_key::{BadSessionKey, SessionKey},
    together::Together,
    write_transaction::write,
};
pub(crate) use self::{
    account_limits::{StoredLimits, plan_exists, set_limits},
    account_lock::lock_account,
    account_row::{AccountMade, MAX_ACCOUNT_NAME, NewAccount, change_account, insert_account},
    caller_names::CallerNames,
    like::{containing, containing_in_any_case},
    link_withdrawal::{usable_links, withdraw_links},
    listing::{Listed, Place, days},
    second_factors::{forget_second_factor, has_second_factor, second_factor_of},
    session_key::{end_sessions, sessions_of},
    upsert::sum_with_excluded,
};
