//! What opens something stands nowhere in the database.

use crossvat::{
    audit::Actor,
    members::{NewMember, Role},
    one_time_links::Purpose,
    people::Person,
};
use rand::rngs::SysRng;

use super::{HERE, People, key, secret};
use crate::support::everything_stored::{everything_stored, hexadecimal};

const PASSWORDS: [&str; 4] =
    ["first horse battery", "second horse battery", "third horse battery", "fourth horse battery"];

#[tokio::test]
async fn no_password_link_or_session_can_be_read_from_any_row() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let (first, second, third) = (secret(PASSWORDS[0]), secret(PASSWORDS[1]), secret(PASSWORDS[2]));
    let new = NewMember {
        account_id: acme,
        email: "helen@acme.example",
        name: "Helen",
        role: Role::Owner,
        password: Some(&first),
    };
    let helen = people.members.add(new, &Actor::visitor(HERE), &mut SysRng).await.expect("adds");
    let staff = ("sam@crossvat.example", "Sam");
    let fourth = secret(PASSWORDS[3]);
    let sam = people.staff.create(staff, &fourth, &Actor::COMMAND_LINE, &mut SysRng).await.expect("creates");
    let mut browsers = Vec::new();
    let mut links = Vec::new();
    for person in [Person::Member(helen), Person::Support(sam)] {
        browsers.push(people.browser(person).await);
        for purpose in [Purpose::ConfirmAddress, Purpose::ResetPassword, Purpose::ClaimKey] {
            links.push((purpose, people.link(purpose, person).await));
        }
    }
    people.links.withdraw(Some(acme), links[2].1.id, &Actor::COMMAND_LINE).await.expect("withdraws");
    let kept = browsers[0];
    people
        .members
        .change_password(helen, (&first, &second), &key(kept), HERE, &mut SysRng, &people.outbox)
        .await
        .expect("changes");
    assert!(!people.opens("helen@acme.example", PASSWORDS[2]).await, "a wrong one is not kept either");
    people.links.look(links[0].0, links[0].1.secret.reveal()).await.expect("usable");
    people.links.consume(links[0].0, links[0].1.secret.reveal(), HERE).await.expect("usable");
    people.members.accepts_password(helen, &third).await.expect("fit");

    let dump = everything_stored(&people.db.main).await;
    for there in ["helen@acme.example", "sam@crossvat.example", "argon2id", "link_used", "signed_in"] {
        assert!(dump.contains(there), "{there}: the dump is whole");
    }
    let stored_key = key(kept).to_string();
    assert!(dump.to_lowercase().contains(&stored_key), "hashes are in the dump as hexadecimal digits");
    for password in PASSWORDS {
        assert!(!dump.contains(password) && !dump.contains(&hexadecimal(password.as_bytes())), "{password}");
    }
    for (_, link) in &links {
        let secret = link.secret.reveal();
        assert!(!dump.to_lowercase().contains(secret), "a link's secret");
        assert!(!dump.contains(&hexadecimal(secret.as_bytes())), "a link's secret");
    }
    for id in browsers {
        for shown in [
            id.to_string(),
            id.0.to_string(),
            hexadecimal(&id.0.to_le_bytes()),
            hexadecimal(&id.0.to_be_bytes()),
        ] {
            assert!(!dump.contains(&shown), "a session's identifier");
        }
    }
}
