//! Support staff: made on the command line, apart from customers.

use std::{path::Path, process::Output};

use crossvat::{
    audit::{Actor, ActorKind, Deed},
    members::Role,
    passwords::UnfitPassword,
    people::Person,
    second_factor::NewSecondFactor,
    staff::{StaffError, StaffSignIn},
};
use rand::rngs::SysRng;
use uuid::Uuid;

use super::{HERE, PASSWORD, People, secret};
use crate::{
    command_line::{program, run_with_input},
    support::Terminal,
};

#[tokio::test]
async fn one_of_the_staff_signs_in_with_the_right_password_until_disabled() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    people.member(acme, "helen@acme.example", Role::Owner).await;
    let sam = people.support("Sam@Crossvat.example").await;
    let sign_in = |email: &'static str, password: &'static str| {
        let people = &people;
        async move { people.staff.sign_in(email, &secret(password), &mut SysRng).await.expect("can be told") }
    };
    let StaffSignIn::Accepted(person, password) = sign_in("sam@crossvat.example", PASSWORD).await else {
        panic!("refused");
    };
    assert_eq!(
        (person.id, person.email.as_str(), person.name.as_str()),
        (sam, "sam@crossvat.example", "Sam Support")
    );
    assert_eq!(password, people.password_of(Person::Support(sam)).await);
    for (email, password, whose) in [
        ("sam@crossvat.example", "correct horse batterz", Some(sam)),
        ("unknown@crossvat.example", PASSWORD, None),
        ("helen@acme.example", PASSWORD, None),
        ("", "", None),
    ] {
        let StaffSignIn::Refused(known) = sign_in(email, password).await else { panic!("{email}") };
        assert_eq!(known.map(|person| person.id), whose, "{email}");
    }
    assert!(!people.opens("sam@crossvat.example", PASSWORD).await, "staff are no members");

    let browser = people.browser(Person::Support(sam)).await;
    people.staff.disable(sam, "left the company", &Actor::COMMAND_LINE).await.expect("disables");
    assert_eq!(people.signed_in(browser).await, None);
    assert_eq!(sign_in("sam@crossvat.example", PASSWORD).await, StaffSignIn::Refused(None));
    let event = people.last_event().await;
    assert_eq!((event.deed, event.detail.as_str()), (Deed::StaffDisabled, "left the company"));
    for person in [sam, Uuid::nil()] {
        let again = people.staff.disable(person, "again", &Actor::COMMAND_LINE).await;
        assert!(matches!(again, Err(StaffError::Unknown)), "{again:?}");
    }
    let found = people.staff.find(sam).await.expect("answers").expect("still named");
    assert_eq!(found.disabled_at, Some(people.shared_clock().now()));
    assert_eq!(people.staff.list().await.expect("staff"), [found]);
}

#[tokio::test]
async fn an_address_is_one_persons_among_the_staff() {
    let people = People::start().await;
    let sam = people.support("sam@crossvat.example").await;
    let create = |email: &'static str, name: &'static str, password: &'static str| {
        let people = &people;
        async move {
            let password = secret(password);
            people
                .staff
                .create((email, name), &password, &Actor::COMMAND_LINE, &mut SysRng)
                .await
                .expect_err("refused")
        }
    };
    let refusals = [
        create("SAM@crossvat.example", "Sam", PASSWORD).await,
        create("kim", "Kim", PASSWORD).await,
        create("kim@crossvat.example", "", PASSWORD).await,
        create("kim@crossvat.example", "Kim", "short").await,
        create("kim@crossvat.example", "Kim Longlastname", "kim longlastname").await,
    ];
    assert!(
        matches!(
            refusals,
            [
                StaffError::AddressTaken,
                StaffError::Email(_),
                StaffError::Name(_),
                StaffError::Unfit(UnfitPassword::TooShort(5)),
                StaffError::Unfit(UnfitPassword::AboutYou),
            ]
        ),
        "{refusals:?}"
    );
    let events = people.events().await;
    let [event] = events.as_slice() else { panic!("{events:?}") };
    assert_eq!(
        (event.deed, event.actor_kind, event.subject_id),
        (Deed::StaffCreated, ActorKind::CommandLine, Some(sam))
    );
}

#[test]
fn create_staff_reads_the_password_from_standard_input_and_prints_the_identifier() {
    let folder = tempfile::tempdir().expect("folder");
    let created = create_staff(folder.path(), "sam@crossvat.example", "correct horse battery\nand more\n");
    let printed = String::from_utf8(created.stdout).expect("text");
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    assert!(printed.trim_end().parse::<Uuid>().is_ok(), "{printed}");
    let errors = String::from_utf8_lossy(&created.stderr);
    assert!(errors.contains("accounts.second_factor_key is not set: until it is"), "{errors}");
    for (email, input, said) in [
        (
            "SAM@crossvat.example",
            "another horse battery\n",
            "one of the support staff has this address already",
        ),
        ("kim@crossvat.example", "hunter2\n", "a password needs 12 characters or more; this one has 7"),
        ("kim@crossvat.example", "manchesterunited\n", "among the commonest"),
        ("kim@crossvat.example", "", "the password is expected on standard input"),
        ("kim", "another horse battery\n", "an e-mail address has an @ and a domain"),
    ] {
        let refused = create_staff(folder.path(), email, input);
        let errors = String::from_utf8_lossy(&refused.stderr);
        assert!(!refused.status.success() && refused.stdout.is_empty(), "{email}");
        assert!(errors.contains(said), "{email}: {errors}");
        assert!(!errors.contains("hunter2") && !errors.contains("horse"), "{errors}");
    }
    crate::support::database::forget(folder.path());
}

/// Somebody may look over one's shoulder.
#[test]
fn a_password_typed_on_a_terminal_is_asked_for_twice_and_never_shown() {
    let folder = tempfile::tempdir().expect("folder");
    let mut command = program(folder.path());
    command.args(["create-staff", "--email", "sam@crossvat.example", "--name", "Sam Support"]);
    for again in ["correct horse buttery", PASSWORD] {
        let mut terminal = Terminal::run(&command);
        terminal.type_hidden("Password (it is not shown): ", PASSWORD);
        terminal.type_hidden("The same once more: ", again);
        let (output, shown) = terminal.ended();
        let printed = String::from_utf8(output.stdout).expect("text");
        assert!(!shown.contains("horse"), "{shown}");
        if again == PASSWORD {
            assert!(output.status.success() && printed.trim_end().parse::<Uuid>().is_ok(), "{shown}");
        } else {
            assert!(!output.status.success() && printed.is_empty(), "{shown}");
            assert!(shown.contains("these were two different passwords"), "{shown}");
        }
    }
    crate::support::database::forget(folder.path());
}

#[tokio::test]
async fn remove_second_factor_helps_somebody_who_has_lost_the_telephone() {
    let people = People::start().await;
    let acme = people.account("acme").await;
    let helen = Person::Member(people.member(acme, "both@acme.example", Role::Owner).await);
    let sam = Person::Support(people.support("both@acme.example").await);
    for person in [helen, sam] {
        let (secret, sealed) = people.second_factors.begin(person, &mut SysRng).expect("begins");
        let code = &secret.code(people.shared_clock().now());
        let new = NewSecondFactor { person, sealed: &sealed, code, replaces: false, keep: None, from: HERE };
        people.second_factors.set_up(new, &mut SysRng, &people.outbox).await.expect("sets up");
    }
    let remove = |words: &[&str]| {
        let run =
            program(people.folder.path()).arg("remove-second-factor").args(words).output().expect("runs");
        (run.status.success(), String::from_utf8_lossy(&run.stderr).into_owned())
    };
    let has_one = async |person| people.second_factors.of(person).await.expect("answers").is_some();
    let (done, errors) = remove(&["--email", " Both@Acme.example"]);
    assert!(done, "{errors}");
    assert_eq!((has_one(helen).await, has_one(sam).await), (false, true));
    let event = people.last_event().await;
    assert_eq!((event.deed, event.actor_kind), (Deed::SecondFactorRemoved, ActorKind::CommandLine));
    let (done, errors) = remove(&["--email", "both@acme.example", "--staff"]);
    assert!(done, "{errors}");
    assert!(!has_one(sam).await);
    for (words, said) in [
        (&["--email", "both@acme.example"][..], "there is no second factor"),
        (&["--email", "nobody@acme.example"], "no member has the address nobody@acme.example"),
        (&["--email", "nobody@acme.example", "--staff"], "no support person has the address"),
        (&["--email", "nobody"], "an e-mail address has an @ and a domain"),
    ] {
        let (done, errors) = remove(words);
        assert!(!done && errors.contains(said), "{words:?}: {errors}");
    }
}

#[test]
fn purge_deletes_sessions_and_links_that_are_over() {
    let folder = tempfile::tempdir().expect("folder");
    assert!(program(folder.path()).arg("migrate").status().expect("runs").success());
    let purged = program(folder.path()).arg("purge").output().expect("runs");
    let printed = String::from_utf8(purged.stdout).expect("text");
    assert!(purged.status.success(), "{}", String::from_utf8_lossy(&purged.stderr));
    assert!(printed.contains("\nsessions: 0\none-time links: 0\n"), "{printed}");
    crate::support::database::forget(folder.path());
}

fn create_staff(folder: &Path, email: &str, input: &str) -> Output {
    let mut command = program(folder);
    command.args(["create-staff", "--email", email, "--name", "Sam Support"]);
    run_with_input(command, input)
}
