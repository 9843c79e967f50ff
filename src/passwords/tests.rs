use rand::{SeedableRng, rngs::StdRng};

use self::processor::processor_time;
use super::*;

#[path = "../../tests/it/support/processor.rs"]
mod processor;

fn secret(text: &str) -> SecretString {
    text.into()
}

fn new_password(text: &str) -> NewPassword {
    NewPassword::check(&secret(text), &[]).expect("fit")
}

fn unfit(text: &str) -> Option<UnfitPassword> {
    NewPassword::check(&secret(text), &["helen@fenwick.example", "Fenwick Marine Supplies Ltd"]).err()
}

#[test]
fn a_password_has_12_to_128_characters_whatever_their_size() {
    for (typed, expected) in [
        ("", Some(UnfitPassword::TooShort(0))),
        ("Ünglücksrab", Some(UnfitPassword::TooShort(11))),
        ("Ünglücksrabe", None),
        ("🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆", Some(UnfitPassword::TooShort(11))),
        ("🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆🦆", None),
        // Six letters, each with its accent typed apart.
        ("e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}e\u{301}", Some(UnfitPassword::TooShort(6))),
        (&"xy".repeat(64), None),
        (&format!("{}z", "xy".repeat(64)), Some(UnfitPassword::TooLong)),
        (&"xy".repeat(5_000_000), Some(UnfitPassword::TooLong)),
        ("twelve spaces and more", None),
    ] {
        assert_eq!(unfit(typed), expected, "{}", typed.chars().take(40).collect::<String>());
    }
}

#[test]
fn what_is_common_or_known_of_the_person_may_not_be_chosen() {
    for (typed, expected) in [
        ("qwerty123456", UnfitPassword::Common),
        ("Password1234", UnfitPassword::Common),
        ("ＱＷＥＲＴＹ１２３４５６", UnfitPassword::Common),
        ("manchesterunited", UnfitPassword::Common),
        ("helen@fenwick.example", UnfitPassword::AboutYou),
        ("HELEN@Fenwick.example", UnfitPassword::AboutYou),
        ("fenwick marine supplies LTD", UnfitPassword::AboutYou),
        // Words of them, with little of one's own.
        ("fenwick marine supplies limited", UnfitPassword::AboutYou),
        ("FenwickMarine-2026!", UnfitPassword::AboutYou),
        ("helen helen helen", UnfitPassword::AboutYou),
        ("my fenwick!!!!!!!!!", UnfitPassword::AboutYou),
        ("Crossvat-1234567", UnfitPassword::AboutYou),
        ("ＣＲＯＳＳＶＡＴ and ＨＭＲＣ", UnfitPassword::AboutYou),
    ] {
        assert_eq!(unfit(typed), Some(expected), "{typed}");
    }
    for typed in [
        "fenwick under a full moon",
        "crossvat 12345678",
        "helens long purple boat",
        // "Ltd" is no word to look for, and a word that is not there takes nothing away.
        "ltd ltd ltd ltd",
        "!!!!!!!!!!!!",
    ] {
        assert_eq!(unfit(typed), None, "{typed}");
    }
}

#[test]
fn every_common_password_is_refused_for_being_common() {
    let list = include_str!("common_passwords.txt");
    assert!(list.lines().count() > 10_000, "the list is there");
    assert!(list.lines().is_sorted_by(|one, next| one.as_bytes() < next.as_bytes()), "each once, in order");
    for common in list.lines() {
        assert_eq!(unfit(common), Some(UnfitPassword::Common), "{common}");
    }
    for other in
        ["!!!!!!!!!!!!!!!!!!", "zzzzzzzzzzzzzzzzzzzzzzz~", "correct horse battery", "manchesterunite"]
    {
        assert_eq!(unfit(other), None, "{other}");
    }
}

#[tokio::test]
async fn a_password_is_right_however_its_characters_were_typed_and_another_is_wrong() {
    let passwords = Passwords::default();
    let random = &mut StdRng::seed_from_u64(1);
    let kept = passwords.hash(new_password("déjà vu dans le train"), random).await.expect("hashes");
    let apart = secret("de\u{301}ja\u{300} vu dans le train");
    assert_eq!(passwords.verify(&apart, Some(&kept)).await.expect("compares"), Verdict::Right);
    for wrong in ["deja vu dans le train", "Déjà vu dans le train", "déjà vu dans le train ", ""] {
        let verdict = passwords.verify(&secret(wrong), Some(&kept)).await.expect("compares");
        assert_eq!(verdict, Verdict::Wrong, "{wrong}");
    }
}

#[tokio::test]
async fn the_longest_password_is_kept_whole() {
    let passwords = Passwords::default();
    let longest = "xy".repeat(64);
    let kept = passwords.hash(new_password(&longest), &mut StdRng::seed_from_u64(1)).await.expect("hashes");
    for (typed, expected) in [
        (longest.clone(), Verdict::Right),
        (format!("{longest}z"), Verdict::Wrong),
        ("xy".repeat(63), Verdict::Wrong),
    ] {
        assert_eq!(passwords.verify(&secret(&typed), Some(&kept)).await.expect("compares"), expected);
    }
}

#[tokio::test]
async fn what_is_kept_is_argon2id_with_owasps_parameters_and_a_salt_of_its_own() {
    let passwords = Passwords::default();
    let random = &mut StdRng::seed_from_u64(1);
    let one = passwords.hash(new_password("correct horse battery"), random).await.expect("hashes");
    let two = passwords.hash(new_password("correct horse battery"), random).await.expect("hashes");
    assert!(one.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{one}");
    assert_ne!(one, two);
    assert!(!one.contains("horse"));
}

#[tokio::test]
async fn a_password_that_was_kept_with_less_is_right_and_to_be_hashed_anew() {
    let passwords = Passwords::default();
    let typed = secret("correct horse battery");
    for (algorithm, memory, passes, expected) in [
        (Algorithm::Argon2id, 19456, 2, Verdict::Right),
        (Algorithm::Argon2id, 20000, 3, Verdict::Right),
        (Algorithm::Argon2id, 19456, 1, Verdict::RightButWeaklyKept),
        (Algorithm::Argon2id, 19455, 2, Verdict::RightButWeaklyKept),
        (Algorithm::Argon2i, 19456, 2, Verdict::RightButWeaklyKept),
    ] {
        let parameters = Params::new(memory, passes, 1, None).expect("parameters");
        let old: PasswordHash = Argon2::new(algorithm, Version::V0x13, parameters.clone())
            .hash_password_customized(
                b"correct horse battery",
                &[7; 16],
                Some(algorithm.as_str()),
                None,
                parameters,
            )
            .expect("hashes");
        let kept = old.to_string();
        let verdict = passwords.verify(&typed, Some(&kept)).await.expect("compares");
        assert_eq!(verdict, expected, "{old}");
        let random = &mut StdRng::seed_from_u64(1);
        let recognised = passwords.recognise(&typed, Some(&kept), random).await.expect("compares");
        let keep = recognised.expect("right").keep;
        assert_eq!(keep.is_some(), expected == Verdict::RightButWeaklyKept, "{old}");
        if let Some(anew) = keep {
            assert_eq!(passwords.verify(&typed, Some(&anew)).await.expect("compares"), Verdict::Right);
        }
        let another = passwords.recognise(&secret("incorrect horse"), Some(&kept), random).await;
        assert_eq!(another.expect("compares"), None);
    }
}

#[tokio::test]
async fn nobodys_password_is_wrong_and_takes_as_long() {
    let nobodys = PasswordHash::new(NOBODYS).expect("a PHC string");
    let present = parameters().expect("parameters");
    let of_nobody = Params::try_from(&nobodys).expect("parameters");
    assert!(!is_weak(&nobodys));
    assert_eq!(
        (of_nobody.m_cost(), of_nobody.t_cost(), of_nobody.p_cost(), nobodys.hash.map(|hash| hash.len())),
        (present.m_cost(), present.t_cost(), present.p_cost(), Some(32))
    );
    let passwords = Passwords::default();
    let typed = secret("correct horse battery");
    let kept = passwords
        .hash(new_password("another horse battery"), &mut StdRng::seed_from_u64(1))
        .await
        .expect("hashes");
    let (mut of_somebody, mut of_nobody) = (Duration::MAX, Duration::MAX);
    for _ in 0..5 {
        for (kept, fastest) in [(Some(kept.as_str()), &mut of_somebody), (None, &mut of_nobody)] {
            let before = processor_time();
            assert_eq!(passwords.verify(&typed, kept).await.expect("compares"), Verdict::Wrong);
            *fastest = processor_time().saturating_sub(before).min(*fastest);
        }
    }
    let ratio = of_nobody.as_secs_f64() / of_somebody.as_secs_f64();
    assert!((0.5..2.0).contains(&ratio), "{of_nobody:?} and {of_somebody:?}");
}

#[tokio::test(start_paused = true)]
async fn who_gets_no_turn_in_time_is_told_so() {
    let passwords = Passwords::new(0);
    let waited = passwords.verify(&secret("correct horse battery"), None).await;
    assert!(matches!(waited, Err(PasswordFault::Busy)), "{waited:?}");
}

#[tokio::test]
async fn work_that_nobody_waits_for_any_more_still_takes_its_turn() {
    let passwords = Passwords::new(1);
    let typed = secret("correct horse battery");
    let (release, held) = std::sync::mpsc::channel::<()>();
    let mut work = Box::pin(passwords.in_turn(move || {
        let _released = held.recv();
        Ok(())
    }));
    assert!(futures_util::poll!(&mut work).is_pending(), "it runs");
    drop(work);
    assert_eq!(passwords.turns.available_permits(), 0);
    drop(release);
    assert_eq!(passwords.verify(&typed, None).await.expect("compares"), Verdict::Wrong);
}

#[tokio::test]
async fn what_cannot_be_read_is_a_fault_and_no_wrong_password() {
    for kept in
        ["", "secret", "$argon2id$v=19$m=1,t=2,p=1$AAAA$AAAA", "$scrypt$ln=1$AAAAAAAA$AAAAAAAAAAAAAAAA"]
    {
        let verdict = Passwords::default().verify(&secret("correct horse battery"), Some(kept)).await;
        assert!(matches!(verdict, Err(PasswordFault::Hash(_))), "{kept}: {verdict:?}");
    }
}
