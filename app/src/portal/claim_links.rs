//! The links to keys that support has sent, and how far each has come. A part of `/staff/issue` and of an account's page.

use leptos::prelude::*;

use super::Instant;
use crate::components::{Moment, StatusTag, TagStatus};

/// How far a link has come.
#[derive(Clone, Debug)]
pub enum ClaimStage {
    /// Nobody has looked at it.
    Sent,
    /// Somebody, or a scanner of mail, has looked at it.
    Opened(Instant),
    /// The key was made and shown.
    Claimed(Instant),
    /// Its time is over.
    Expired(Instant),
    /// It was taken back, or another took its place.
    Withdrawn(Instant),
}

/// A link, without what opens it.
#[derive(Clone, Debug)]
pub struct ClaimLinkRow {
    /// Its identifier.
    pub id: String,
    /// The account's.
    pub account_id: String,
    /// The account.
    pub account: String,
    /// The receiver's name.
    pub name: String,
    /// The receiver's address.
    pub email: String,
    /// What the key is called.
    pub key: String,
    /// Whether the key reaches the registries.
    pub live: bool,
    /// When the link was sent.
    pub sent: Instant,
    /// How far it has come.
    pub stage: ClaimStage,
    /// Whether its receiver was sent no other since.
    pub is_newest: bool,
    /// Names the form that sends it again: sent twice, it sends one.
    pub token: String,
}

impl ClaimLinkRow {
    const fn works(&self) -> bool {
        matches!(self.stage, ClaimStage::Sent | ClaimStage::Opened(_))
    }

    fn stage(&self) -> AnyView {
        let (status, at) = match self.stage.clone() {
            ClaimStage::Sent => (TagStatus::LinkSent, None),
            ClaimStage::Opened(at) => (TagStatus::LinkOpened, Some(at)),
            ClaimStage::Claimed(at) => (TagStatus::Claimed, Some(at)),
            ClaimStage::Expired(at) => (TagStatus::Expired, Some(at)),
            ClaimStage::Withdrawn(at) => (TagStatus::Withdrawn, Some(at)),
        };
        view! {
            <StatusTag status=status />
            {at
                .map(|at| {
                    view! {
                        " "
                        <small>
                            <Moment at=at />
                        </small>
                    }
                })}
        }
        .into_any()
    }

    fn actions(&self, many: bool) -> AnyView {
        if !self.is_newest || matches!(self.stage, ClaimStage::Claimed(_)) {
            return ().into_any();
        }
        let action = format!("/staff/links/{}", self.id);
        let again = format!("Send again to {}, {}", self.name, self.account);
        let withdraw = format!("Withdraw the link to {}, {}", self.name, self.account);
        view! {
            <form method="post" action=action>
                <input type="hidden" name="token" value=self.token.clone() />
                {(!many).then(|| view! { <input type="hidden" name="from" value="account" /> })}
                <button
                    class="button"
                    data-kind="plain"
                    type="submit"
                    name="do"
                    value="again"
                    aria-label=again
                >
                    "Send again"
                </button>
                {self
                    .works()
                    .then(|| {
                        view! {
                            " "
                            <button
                                class="button"
                                data-kind="plain"
                                type="submit"
                                name="do"
                                value="withdraw"
                                aria-label=withdraw
                            >
                                "Withdraw"
                            </button>
                        }
                    })}
            </form>
        }
        .into_any()
    }

    /// `many` says whether the list is of more than one account.
    fn view(self, many: bool) -> AnyView {
        let (stage, actions) = (self.stage(), self.actions(many));
        let kind = if self.live { "live" } else { "test" };
        let href = format!("/staff/accounts/{}", self.account_id);
        view! {
            <tr role="row">
                <th role="rowheader" scope="row" data-kind="title">
                    {self.name}
                    " "
                    <small>{self.email}</small>
                </th>
                {many
                    .then(|| {
                        view! {
                            <td role="cell" data-label="Account">
                                <a href=href rel="external">
                                    {self.account}
                                </a>
                            </td>
                        }
                    })}
                <td role="cell" data-label="Key">
                    {self.key}
                    ", "
                    {kind}
                </td>
                <td role="cell" data-kind="status">
                    {stage}
                </td>
                <td role="cell" data-kind="time" data-label="Sent">
                    <Moment at=self.sent />
                </td>
                <td role="cell" data-kind="actions">
                    {actions}
                </td>
            </tr>
        }
        .into_any()
    }
}

/// The list; nothing where there is none. `many` says whether it is of more than one account.
pub(super) fn claim_links(rows: Vec<ClaimLinkRow>, many: bool) -> AnyView {
    if rows.is_empty() {
        return ().into_any();
    }
    let of_account = many.then(|| {
        view! {
            <th role="columnheader" scope="col">
                "Account"
            </th>
        }
    });
    view! {
        <section aria-labelledby="links">
            <h2 id="links">"Links sent"</h2>
            <div class="data-table">
                <table role="table">
                    <caption>
                        "Links to keys, newest first. Each works once and for 24 hours. What opens it is known to its receiver alone."
                    </caption>
                    <thead role="rowgroup">
                        <tr role="row">
                            <th role="columnheader" scope="col" data-kind="title">"To"</th>
                            {of_account}
                            <th role="columnheader" scope="col">"Key"</th>
                            <th role="columnheader" scope="col" data-kind="status">"State"</th>
                            <th role="columnheader" scope="col" data-kind="time">"Sent"</th>
                            <th role="columnheader" scope="col" data-kind="actions">"Change"</th>
                        </tr>
                    </thead>
                    <tbody role="rowgroup">
                        {rows.into_iter().map(|row| row.view(many)).collect_view()}
                    </tbody>
                </table>
            </div>
        </section>
    }
    .into_any()
}
