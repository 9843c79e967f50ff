//! `/portal/keys` and what is done there. One row a key; the secret is shown once, when it is made.

use leptos::prelude::*;

use super::key_request::request_of;
use super::{Fault, Instant, ServerView};
use crate::components::{
    ApiKey, ApiKeySecret, ButtonRow, Choice, ChoiceOption, ConfirmField, ErrorSummary, Field, Kind, Moment,
    Notice, PageHeader, StatusTag, TagStatus, Tone,
};

/// Where a key is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyState {
    /// It opens.
    Active,
    /// It opens a little longer.
    Expiring,
    /// Its time is over.
    Expired,
    /// Somebody ended it.
    Revoked,
}

/// A key by what may be shown of it.
#[derive(Clone, Debug)]
pub struct KeyRow {
    /// Its identifier.
    pub id: String,
    /// What it is for.
    pub name: String,
    /// Whether it reaches the registries.
    pub live: bool,
    /// Its last characters.
    pub last_four: String,
    /// Where it is in its life.
    pub state: KeyState,
    /// When it was made.
    pub made: Instant,
    /// By whom.
    pub made_by: String,
    /// When it was last used.
    pub last_used: Option<Instant>,
    /// When it ends, or ended.
    pub ends: Option<Instant>,
}

/// `/portal/keys`
#[derive(Clone, Debug)]
pub struct Keys {
    /// Those that open, newest first.
    pub open: Vec<KeyRow>,
    /// Those that ended.
    pub ended: Vec<KeyRow>,
    /// Whether the reader may make and end keys.
    pub may_change: bool,
    /// Why no key can be made at present.
    pub closed: Option<KeysClosed>,
    /// What was just done.
    pub done: Option<String>,
}

/// Why no key can be made at present, and what can be done about it.
#[derive(Clone, Debug)]
pub struct KeysClosed {
    /// In a few words.
    pub heading: &'static str,
    /// When keys were asked for, where support has not answered yet.
    pub asked: Option<Instant>,
    /// In a sentence or two.
    pub words: String,
    /// Where to go, and its words.
    pub action: Option<(&'static str, &'static str)>,
}

/// `/portal/keys/new`
#[derive(Clone, Debug)]
pub struct NewKey {
    /// Names this form: sent twice, it makes one key.
    pub token: String,
    /// As typed.
    pub name: String,
    /// `live` or `test`.
    pub kind: String,
    /// As typed: a day, or nothing.
    pub expires: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
    /// Numbers a month that live keys may use, in words.
    pub allowance: String,
}

/// A key that was just made.
#[derive(Clone, Debug)]
pub struct NewSecret {
    /// Its name.
    pub name: String,
    /// The key itself.
    pub secret: String,
    /// The address of the API.
    pub api: String,
    /// The key whose place it takes.
    pub replaces: Option<OldKey>,
}

/// A key whose place another takes.
#[derive(Clone, Debug)]
pub struct OldKey {
    /// Its last characters.
    pub last_four: String,
    /// Until when it goes on working; nothing when it does not.
    pub until: Option<Instant>,
}

/// How long the old key of a rotation may go on working.
#[derive(Clone, Debug)]
pub struct Overlap {
    /// What is sent.
    pub value: &'static str,
    /// What it is called.
    pub words: &'static str,
    /// Until when that is; nothing when the key stops at once.
    pub until: Option<Instant>,
}

/// `/portal/keys/…/rotate`
#[derive(Clone, Debug)]
pub struct RotateKey {
    /// The key.
    pub key: KeyRow,
    /// The choices of an overlap.
    pub overlaps: Vec<Overlap>,
    /// Which of them is chosen.
    pub chosen: String,
}

/// `/portal/keys/…/revoke`
#[derive(Clone, Debug)]
pub struct RevokeKey {
    /// The key.
    pub key: KeyRow,
    /// As typed.
    pub confirm: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

/// `/portal/keys/…/rename`
#[derive(Clone, Debug)]
pub struct RenameKey {
    /// The key.
    pub key: KeyRow,
    /// As typed.
    pub name: String,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl KeyRow {
    const fn prefix(&self) -> &'static str {
        if self.live { "cv_live_" } else { "cv_test_" }
    }

    fn shown(&self) -> AnyView {
        view! { <ApiKey prefix=self.prefix() last_four=self.last_four.clone() /> }.into_any()
    }

    fn origin(&self) -> AnyView {
        let kind = if self.live { "Live" } else { "Test" };
        let (by, at) = (format!("{kind}, by {}, ", self.made_by), self.made.clone());
        view! { {by} <Moment at=at /> }.into_any()
    }

    fn status(&self) -> TagStatus {
        match self.state {
            KeyState::Active => TagStatus::Active,
            KeyState::Expiring => TagStatus::Expiring,
            KeyState::Expired => TagStatus::Expired,
            KeyState::Revoked => TagStatus::Revoked,
        }
    }

    fn view(self, ended: bool, may_change: bool) -> AnyView {
        let (status, origin, prefix) = (self.status(), self.origin(), self.prefix());
        let address = |deed: &str| format!("/portal/keys/{}/{deed}", self.id);
        let label = |deed: &str| format!("{deed} {}, ending {}", self.name, self.last_four);
        let actions = (!ended && may_change).then(|| {
            view! {
                <td role="cell" data-kind="actions">
                    <a href=address("rename") rel="external" aria-label=label("Rename")>
                        "Rename"
                    </a>
                    {(self.state == KeyState::Active)
                        .then(|| {
                            view! {
                                <a href=address("rotate") rel="external" aria-label=label("Rotate")>
                                    "Rotate"
                                </a>
                            }
                        })}
                    <a href=address("revoke") rel="external" aria-label=label("Revoke")>
                        "Revoke"
                    </a>
                </td>
            }
        });
        view! {
            <tr role="row" data-state=ended.then_some("ended")>
                <th role="rowheader" scope="row" data-kind="title">
                    {self.name.clone()}
                    " "
                    <small>{origin}</small>
                </th>
                <td role="cell" data-kind="time" data-label="Key">
                    <ApiKey prefix=prefix last_four=self.last_four.clone() />
                </td>
                <td role="cell" data-kind="status">
                    <StatusTag status=status />
                </td>
                <td role="cell" data-kind="time" data-label="Last used">
                    {match self.last_used.clone() {
                        Some(at) => view! { <Moment at=at /> }.into_any(),
                        None => "Never used".into_any(),
                    }}
                </td>
                <td role="cell" data-kind="time" data-label=if ended { "Ended" } else { "Expires" }>
                    {match self.ends.clone() {
                        Some(at) => view! { <Moment at=at /> }.into_any(),
                        None => "Never".into_any(),
                    }}
                </td>
                {actions}
            </tr>
        }
        .into_any()
    }
}

fn table(rows: Vec<KeyRow>, caption: &'static str, ended: bool, may_change: bool) -> AnyView {
    let actions = (!ended && may_change).then(|| {
        view! {
            <th role="columnheader" scope="col" data-kind="actions">
                "Change"
            </th>
        }
    });
    view! {
        <div class="data-table">
            <table role="table">
                <caption>{caption}</caption>
                <thead role="rowgroup">
                    <tr role="row">
                        <th role="columnheader" scope="col" data-kind="title">"Name"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Key"</th>
                        <th role="columnheader" scope="col" data-kind="status">"State"</th>
                        <th role="columnheader" scope="col" data-kind="time">"Last used"</th>
                        <th role="columnheader" scope="col" data-kind="time">
                            {if ended { "Ended" } else { "Expires" }}
                        </th>
                        {actions}
                    </tr>
                </thead>
                <tbody role="rowgroup">
                    {rows.into_iter().map(|row| row.view(ended, may_change)).collect_view()}
                </tbody>
            </table>
        </div>
    }
    .into_any()
}

impl KeysClosed {
    fn action(&self) -> Option<AnyView> {
        let link = |(href, words)| {
            view! {
                <p class="button-row">
                    <a class="button" href=href rel="external">
                        {words}
                    </a>
                </p>
            }
            .into_any()
        };
        self.action.map(link)
    }

    /// Where there are keys all the same.
    fn notice(&self) -> AnyView {
        let (asked, words, action) = (self.asked.clone(), self.words.clone(), self.action());
        view! {
            <Notice tone=Tone::Note>
                <p>{asked.map(request_of)} {words}</p>
                {action}
            </Notice>
        }
        .into_any()
    }

    fn in_place_of_keys(self) -> AnyView {
        let action = self.action();
        view! {
            <div class="empty-state">
                <h2>{self.heading}</h2>
                <p>{self.asked.map(request_of)} {self.words}</p>
                {action}
            </div>
        }
        .into_any()
    }
}

fn no_keys(may_change: bool) -> AnyView {
    let words = if may_change {
        "A key lets a program of yours ask. Begin with a test key: it answers from a sandbox, reaches no registry and costs nothing."
    } else {
        "You may look, not make keys. An owner of the account can make you a member, who may."
    };
    view! {
        <div class="empty-state">
            <h2>"No key yet"</h2>
            <p>{words}</p>
        </div>
    }
    .into_any()
}

impl ServerView for Keys {
    fn title(&self) -> String {
        "Keys".to_owned()
    }

    fn view(self) -> AnyView {
        let create = self.may_change && self.closed.is_none();
        let empty = self.open.is_empty();
        let notice = self.closed.as_ref().filter(|_| !empty).map(KeysClosed::notice);
        let open = if empty {
            match self.closed {
                Some(closed) => closed.in_place_of_keys(),
                None => no_keys(self.may_change),
            }
        } else {
            let caption = "Live keys ask the registries and count against the month’s allowance. Test keys answer from the sandbox.";
            table(self.open, caption, false, self.may_change)
        };
        view! {
            <PageHeader heading="Keys">
                <p>
                    "A key lets a program of yours ask. It is shown once, when it is made; we keep only what lets us recognise it."
                </p>
                {create
                    .then(|| {
                        view! {
                            <div class="button-row">
                                <a class="button" data-kind="primary" href="/portal/keys/new" rel="external">
                                    "Create a key"
                                </a>
                            </div>
                        }
                    })}
            </PageHeader>
            {self
                .done
                .map(|done| {
                    view! {
                        <Notice tone=Tone::Done>
                            <p>{done}</p>
                        </Notice>
                    }
                })}
            {notice}
            <section>{open}</section>
            {(!self.ended.is_empty())
                .then(|| {
                    let caption = "Kept, so that the history stays readable";
                    view! {
                        <section>
                            <h2>"Ended"</h2>
                            {table(self.ended, caption, true, false)}
                        </section>
                    }
                })}
        }
        .into_any()
    }
}

impl OldKey {
    fn words(self) -> AnyView {
        let last_four = self.last_four;
        match self.until {
            None => view! { "The old key, ending " {last_four} ", is refused from now on." }.into_any(),
            Some(until) => view! {
                "The old key, ending " {last_four} ", goes on working until " <Moment at=until />
                ", or its own end."
            }
            .into_any(),
        }
    }
}

impl ServerView for NewKey {
    fn title(&self) -> String {
        "Create a key".to_owned()
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let kinds = vec![
            ChoiceOption {
                value: "test",
                words: "Test",
                remark: Some("Answers from the sandbox. Reaches no registry, costs nothing.".to_owned()),
            },
            ChoiceOption {
                value: "live",
                words: "Live",
                remark: Some(format!(
                    "Asks HMRC and VIES. Counts against the month’s {} numbers.",
                    self.allowance
                )),
            },
        ];
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading="Create a key" back=("/portal/keys", "Keys") />
                    <form method="post" action="/portal/keys/new" novalidate>
                        <input type="hidden" name="token" value=self.token />
                        <Field
                            name="name"
                            label="Name"
                            hint="Where it will be used, so that you know it again: “Checkout”, “ERP, Leeds”."
                            value=self.name
                            faults=self.faults.clone()
                            autocomplete="off"
                            width="medium"
                        />
                        <Choice name="kind" legend="Kind" options=kinds chosen=self.kind fault=None />
                        <Field
                            name="expires"
                            label="Expires on (optional)"
                            kind=Kind::Date
                            hint="The key stops working at the end of that day (UTC). Leave empty for a key without an end."
                            value=self.expires
                            faults=self.faults
                            autocomplete="off"
                            width="short"
                            optional=true
                        />
                        <ButtonRow kind="primary" words="Create the key" out_to="/portal/keys" out="Cancel" />
                    </form>
                </div>
                <aside>
                    <h2>"Before you do"</h2>
                    <p>
                        "The key is shown once, on the next page. Have the place ready where you will keep it: your secret store, or the settings of the program that will ask."
                    </p>
                    <p>
                        "A key belongs on a server. Never put it into a page or an app: whoever has it can use up your allowance."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for NewSecret {
    fn title(&self) -> String {
        format!("Your new key: {}", self.name)
    }

    fn view(self) -> AnyView {
        // One that the sandbox knows, for a key that is answered by nobody else.
        let number = if self.secret.starts_with("cv_test_") { "GB999910095" } else { "GB123456782" };
        let command = format!(
            "curl {}/v1/verify-vat \\\n  -H \"Authorization: Bearer {}\" \\\n  -H \"Content-Type: application/json\" \\\n  -d '{{\"vatNumbers\": [\"{number}\"]}}'",
            self.api, self.secret
        );
        view! {
            <PageHeader heading=format!("Your new key: {}", self.name)>
                <p>"This is the only time it is shown. Keep it now, before you leave this page."</p>
            </PageHeader>
            {self
                .replaces
                .map(|replaces| {
                    view! {
                        <Notice tone=Tone::Note>
                            <p>{replaces.words()}</p>
                        </Notice>
                    }
                })}
            <ApiKeySecret secret=self.secret />
            <section>
                <h2>"See that it works"</h2>
                <figure class="code-block">
                    <figcaption>
                        <span>"Paste this into a terminal"</span>
                        <button class="button" data-kind="plain" data-needs="script" type="button" data-copies="command">
                            "Copy"
                        </button>
                    </figcaption>
                    <pre>
                        <code id="command">{command}</code>
                    </pre>
                </figure>
            </section>
            <section>
                <h2>"Leaving this page"</h2>
                <p>
                    "We cannot show the key again: only a fingerprint of it is stored. If you lose it, create another and revoke this one; nothing else is lost."
                </p>
                <form method="get" action="/portal/keys">
                    <fieldset class="choice">
                        <legend>"Have you kept it?"</legend>
                        <label>
                            <input type="checkbox" name="kept" value="yes" required />
                            "I have put the key where I will find it again"
                        </label>
                    </fieldset>
                    <p class="button-row">
                        <button class="button" type="submit">
                            "Done"
                        </button>
                    </p>
                </form>
            </section>
        }
        .into_any()
    }
}

impl ServerView for RotateKey {
    fn title(&self) -> String {
        format!("Rotate {}", self.key.name)
    }

    fn view(self) -> AnyView {
        let until = self.overlaps.iter().map(|overlap| overlap.until.clone()).collect::<Vec<_>>();
        let option = |overlap: Overlap| {
            let at_once = "It stops the moment the new one is made. Choose this if the key has leaked.";
            let remark = overlap.until.is_none().then(|| at_once.to_owned());
            ChoiceOption { value: overlap.value, words: overlap.words, remark }
        };
        let options = self.overlaps.into_iter().map(option).collect();
        let key = self.key;
        let shown = key.shown();
        view! {
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Rotate {}", key.name) back=("/portal/keys", "Keys")>
                        <p>
                            "You get a new key at once. The old one, "
                            {shown}
                            ", goes on working for as long as you choose, so that nothing stops while you change over."
                        </p>
                    </PageHeader>
                    <form method="post" action=format!("/portal/keys/{}/rotate", key.id)>
                        <Choice
                            name="overlap"
                            legend="How long should the old key go on working?"
                            options=options
                            chosen=self.chosen
                            fault=None
                            until=until
                        />
                        <ButtonRow kind="primary" words="Make the new key" out_to="/portal/keys" out="Cancel" />
                    </form>
                </div>
                <aside>
                    <h2>"The old key now"</h2>
                    <p>
                        {match key.last_used.clone() {
                            Some(at) => view! { "Last used " <Moment at=at /> "." }.into_any(),
                            None => "Never used.".into_any(),
                        }}
                    </p>
                    <p>"Both keys share the account’s limits. You can end the old one sooner at any time."</p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for RevokeKey {
    fn title(&self) -> String {
        format!("Revoke {}", self.key.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let key = self.key;
        let (shown, origin) = (key.shown(), key.origin());
        let rotate = format!("/portal/keys/{}/rotate", key.id);
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Revoke “{}”", key.name) back=("/portal/keys", "Keys")>
                        <p>
                            {shown}
                            ", "
                            {origin}
                        </p>
                    </PageHeader>
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>"Whatever uses this key stops working within a second."</strong>
                            " "
                            {match key.last_used.clone() {
                                Some(at) => view! { "It was last used " <Moment at=at /> "." }.into_any(),
                                None => "It was never used.".into_any(),
                            }}
                            " This cannot be undone"
                            {(key.state == KeyState::Active)
                                .then(|| {
                                    view! {
                                        "; to change over without a gap, "
                                        <a href=rotate rel="external">
                                            "rotate it"
                                        </a>
                                        " instead"
                                    }
                                })} "."
                        </p>
                    </Notice>
                    <form method="post" action=format!("/portal/keys/{}/revoke", key.id) novalidate>
                        <ConfirmField label="Type the name of the key to revoke it" what=key.name.clone() typed=self.confirm faults=self.faults />
                        <ButtonRow kind="danger" words="Revoke the key" out_to="/portal/keys" out="Keep it" />
                    </form>
                </div>
                <aside>
                    <h2>"What stays"</h2>
                    <p>
                        "The checks it made, with their evidence, stay under its name. The revocation is written to the audit trail with yours."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}

impl ServerView for RenameKey {
    fn title(&self) -> String {
        format!("Rename {}", self.key.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let key = self.key;
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=format!("Rename “{}”", key.name) back=("/portal/keys", "Keys") />
                    <form method="post" action=format!("/portal/keys/{}/rename", key.id) novalidate>
                        <Field
                            name="name"
                            label="New name"
                            hint="Whatever uses the key notices nothing."
                            value=self.name
                            faults=self.faults
                            autocomplete="off"
                            width="medium"
                        />
                        <ButtonRow kind="primary" words="Keep the name" out_to="/portal/keys" out="Cancel" />
                    </form>
                </div>
            </div>
        }
        .into_any()
    }
}
