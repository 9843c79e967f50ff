//! Commands about the members of an account.

use std::sync::Arc;

use clap::{Args, ValueEnum};
use rand::rngs::SysRng;

use super::{Opened, accounts::known_account, password, print};
use crate::{
    audit::Actor,
    members::{Members, NewMember, Role},
    passwords::Passwords,
};

/// `create-member`
#[derive(Debug, Args)]
pub(super) struct Create {
    /// The account's name.
    #[arg(long, value_name = "NAME")]
    organisation: String,
    /// The e-mail address to sign in with. No mail is sent: whoever runs this vouches for it.
    #[arg(long, value_name = "ADDRESS")]
    email: String,
    /// The person's name.
    #[arg(long)]
    name: String,
    /// What they may do.
    #[arg(long, value_enum, default_value_t = RoleName::Owner)]
    role: RoleName,
}

/// A role as it is typed.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum RoleName {
    /// Everything, settings and members too.
    Owner,
    /// Makes keys and checks numbers.
    Member,
    /// Sees everything and changes nothing.
    Viewer,
}

impl From<RoleName> for Role {
    fn from(name: RoleName) -> Self {
        match name {
            RoleName::Owner => Self::Owner,
            RoleName::Member => Self::Member,
            RoleName::Viewer => Self::Viewer,
        }
    }
}

impl Create {
    pub(super) async fn run(self, opened: Opened) -> anyhow::Result<()> {
        let account = known_account(&opened, &self.organisation).await?;
        let password = password::from_standard_input().await?;
        let members = Members::new(opened.db.main.clone(), Arc::clone(&opened.clock), Passwords::default());
        let new = NewMember {
            account_id: account.id,
            email: &self.email,
            name: &self.name,
            role: self.role.into(),
            password: Some(&password),
        };
        let id = members.add_confirmed(new, &Actor::COMMAND_LINE, &mut SysRng).await?;
        print(&id.to_string())?;
        opened.close().await
    }
}
