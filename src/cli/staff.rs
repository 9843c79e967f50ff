//! Commands about support staff, and about what people prove themselves with.

use std::sync::Arc;

use anyhow::{Context, ensure};
use clap::Args;
use rand::rngs::SysRng;

use super::{Opened, password, print};
use crate::{
    application::second_factor_key,
    audit::Actor,
    email::Outbox,
    members::Members,
    passwords::Passwords,
    people::{EmailAddress, Person},
    second_factor::{Renewal, SecondFactors},
    staff::Staff,
};

/// `create-staff`
#[derive(Debug, Args)]
pub(super) struct Create {
    /// The e-mail address to sign in with.
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// The person's name.
    #[arg(long)]
    name: String,
}

/// `remove-second-factor`
#[derive(Debug, Args)]
pub(super) struct RemoveSecondFactor {
    /// The e-mail address they sign in with.
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// It is one of the support staff, and not a member of an account.
    #[arg(long)]
    staff: bool,
}

impl RemoveSecondFactor {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let email: EmailAddress = self.email.parse()?;
        let (db, clock) = (&opened.db.main, &opened.clock);
        let person = if self.staff {
            let staff = opened.staff().with_email(&email).await?;
            Person::Support(staff.with_context(|| format!("no support person has the address {email}"))?.id)
        } else {
            let members = Members::new(db.clone(), Arc::clone(clock), Passwords::default());
            let member = members.with_email(&email).await?;
            Person::Member(member.with_context(|| format!("no member has the address {email}"))?.id)
        };
        let http = &opened.config.http;
        let url =
            http.public_url.as_ref().map_or_else(|| format!("http://{}", http.bind), ToString::to_string);
        // The server sends it.
        let outbox = Outbox::new(db.clone(), Arc::clone(clock), url.into(), None);
        let factors = SecondFactors::new(db.clone(), Arc::clone(clock), None);
        factors.remove(person, None, &Actor::COMMAND_LINE, &outbox).await?;
        opened.close().await
    }
}

/// `renew-second-factors`
pub(super) async fn renew_second_factors(opened: Opened) -> anyhow::Result<()> {
    let key = second_factor_key(&opened.config.accounts);
    let factors = SecondFactors::new(opened.db.main.clone(), Arc::clone(&opened.clock), key);
    let Renewal { renewed, present, unreadable } =
        factors.renew_all(&Actor::COMMAND_LINE, &mut SysRng).await?;
    print(&format!(
        "kept anew: {renewed}\nkept under the present key before: {present}\nleft: {unreadable}"
    ))?;
    ensure!(
        unreadable == 0,
        "what is left was kept under a key that is not set: name it in accounts.former_second_factor_keys"
    );
    opened.close().await
}

impl Opened {
    fn staff(&self) -> Staff {
        Staff::new(self.db.main.clone(), Arc::clone(&self.clock), Passwords::default())
    }
}

impl Create {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let password = password::from_standard_input().await?;
        let who = (self.email.as_str(), self.name.as_str());
        let id = opened.staff().create(who, &password, &Actor::COMMAND_LINE, &mut SysRng).await?;
        print(&id.to_string())?;
        if opened.config.accounts.second_factor_key.is_none() {
            eprintln!(
                "accounts.second_factor_key is not set: until it is, nobody can set up a second factor, and the pages of \
                 support staff are closed."
            );
        }
        opened.close().await
    }
}
