//! What opens something stands nowhere in the database.

use crossvat::{
    audit::Actor,
    members::{NewMember, Role},
    one_time_links::Purpose,
    people::Person,
    second_factor::NewSecondFactor,
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
    people.uses().consume(links[0].0, links[0].1.secret.reveal()).await.expect("usable");
    people.members.prepare_password(helen, &third, &mut SysRng).await.expect("fit");

    // A code is tried and a recovery code used, and another secret is being set up.
    let mut factors = Vec::new();
    for (person, browser) in [Person::Member(helen), Person::Support(sam)].into_iter().zip(&browsers) {
        let (secret, sealed) = people.second_factors.begin(person, &mut SysRng).expect("begins");
        let code = &secret.code(people.shared_clock().now());
        let new = NewSecondFactor {
            person,
            sealed: &sealed,
            code,
            replaces: false,
            keep: Some(&key(*browser)),
            from: HERE,
        };
        let codes = people.second_factors.set_up(new, &mut SysRng, &people.outbox).await.expect("sets up");
        let first = codes.reveal().next().expect("ten");
        people.second_factors.prove(person, &first, HERE, &people.outbox, &mut SysRng).await.expect("right");
        let (begun, sealed) = people.second_factors.begin(person, &mut SysRng).expect("begins");
        let session = people.session(None);
        session.insert("second_factor", sealed).await.expect("inserts");
        session.save().await.expect("saves");
        factors.push((vec![secret, begun], codes.reveal().collect::<Vec<_>>()));
    }

    let dump = everything_stored(&people.db.main).await;
    for (secrets, codes) in &factors {
        for secret in secrets {
            let letters = secret.groups().concat();
            assert!(!dump.to_uppercase().contains(&letters), "the secret of a second factor");
            let bytes = data_encoding::BASE32_NOPAD.decode(letters.as_bytes()).expect("letters");
            assert!(!dump.to_lowercase().contains(&hexadecimal(&bytes).to_lowercase()), "its bytes");
        }
        for code in codes {
            let bare = code.replace('-', "").to_uppercase();
            let dump = dump.to_uppercase();
            assert!(!dump.contains(&bare) && !dump.contains(&code.to_uppercase()), "a recovery code");
            assert!(!dump.contains(&hexadecimal(bare.as_bytes()).to_uppercase()), "a recovery code");
        }
    }
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
