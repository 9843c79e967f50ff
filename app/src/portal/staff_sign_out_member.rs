//! `/staff/accounts/…/members/…/sign-out`: every session of one member ends.

use leptos::prelude::*;

use super::staff_account_changes::{ChangedAccount, reason_field};
use super::{Fault, Instant, ServerView};
use crate::components::{ButtonRow, CodeField, ConfirmField, ErrorSummary, Moment, Notice, PageHeader, Tone};

/// `/staff/accounts/…/members/…/sign-out`
#[derive(Clone, Debug)]
pub struct SignOutMember {
    /// The account.
    pub account: ChangedAccount,
    /// The member's identifier.
    pub member: String,
    /// The member's name.
    pub name: String,
    /// The member's address.
    pub email: String,
    /// In how many browsers the member is signed in, and when the last of them was seen; nothing where in none.
    pub signed_in: Option<(usize, Instant)>,
    /// As typed.
    pub reason: String,
    /// As typed.
    pub confirm: String,
    /// Whether the second factor is asked for.
    pub asks_for_code: bool,
    /// What needs changing.
    pub faults: Vec<Fault>,
}

impl ServerView for SignOutMember {
    fn title(&self) -> String {
        format!("Sign out {}", self.name)
    }

    fn faults(&self) -> &[Fault] {
        &self.faults
    }

    fn view(self) -> AnyView {
        let (heading, back, out_to) = (self.title(), self.account.back(), self.account.address());
        let action = format!("{out_to}/members/{}/sign-out", self.member);
        let signed_in = match self.signed_in {
            None => "At present that is nowhere: nothing would change.".into_any(),
            Some((places, at)) => {
                let browsers =
                    if places == 1 { "one browser".to_owned() } else { format!("{places} browsers") };
                view! { "At present that is " {browsers} ", last seen " <Moment at=at /> "." }.into_any()
            }
        };
        view! {
            <ErrorSummary faults=self.faults.clone() />
            <div class="entry-form">
                <div>
                    <PageHeader heading=heading back_to=back />
                    <Notice tone=Tone::Bad>
                        <p>
                            <strong>"The member is signed out wherever they are signed in."</strong>
                            " "
                            {signed_in}
                        </p>
                    </Notice>
                    <form method="post" action=action novalidate>
                        {reason_field(
                            "The member is told by mail that it was done, and not why.",
                            self.reason,
                            self.faults.clone(),
                        )}
                        <ConfirmField
                            label="Type the member’s address to sign them out"
                            what=self.email
                            typed=self.confirm
                            faults=self.faults.clone()
                        />
                        <CodeField asked=self.asks_for_code faults=self.faults />
                        <ButtonRow kind="danger" words="Sign the member out" out_to=out_to out="Leave them signed in" />
                    </form>
                </div>
                <aside>
                    <h2>"What stays"</h2>
                    <p>
                        "The password, the second factor and every API key: they sign in again with what they know. Whoever may have seen the password is not kept out by this: the member chooses another by “Forgotten your password?”."
                    </p>
                </aside>
            </div>
        }
        .into_any()
    }
}
