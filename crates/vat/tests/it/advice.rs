//! What is said about a reading, and what the server says about an answer.

use vat::{Advice, AdviceCode, Prefix, Registry, UnresolvedReason, VatNumber};

fn advice(input: &str) -> Vec<Advice> {
    VatNumber::parse(input).advice()
}

fn codes(input: &str) -> Vec<&'static str> {
    advice(input).iter().map(|advice| advice.code.as_str()).collect()
}

fn messages(input: &str, code: AdviceCode) -> Vec<String> {
    let found = advice(input).into_iter().filter(|advice| advice.code == code);
    found.map(|advice| advice.message.into_owned()).collect()
}

/// The number suggested, with the advice's message; the message names the suggestion.
fn suggestion(input: &str) -> Option<(String, String)> {
    let found = advice(input).into_iter().find(|advice| advice.code == AdviceCode::DidYouMean)?;
    let suggestion = found.suggestion?;
    assert!(found.message.contains(&suggestion), "{}", found.message);
    assert!(VatNumber::parse(&suggestion).number().is_some(), "{suggestion} is no number");
    Some((suggestion, found.message.into_owned()))
}

#[test]
fn each_input_gets_this_advice_and_no_other() {
    for (input, expected) in [
        ("DE136695976", &[][..]),
        ("  de136695976 ", &[]),
        ("FR4Z123456782", &[]),
        ("NL000099998B57", &[]),
        ("XI110305878", &[]),
        ("DE 136 695 976", &["separators_removed"]),
        ("USt-IdNr. DE136695976", &["separators_removed"]),
        ("VATDE136695976", &["separators_removed"]),
        ("DEDE136695976", &["prefix_repeated"]),
        ("GR094259216", &["prefix_replaced"]),
        ("UK980780684", &["prefix_replaced"]),
        ("GREL094259216", &["prefix_replaced"]),
        ("GRGR094259216", &["prefix_repeated", "prefix_replaced"]),
        ("\u{395}L094259216", &["lookalike_character"]),
        ("BE403019261", &["did_you_mean"]),
        ("GB123456789", &["check_digits_do_not_fit"]),
        ("GB 123 456 789", &["separators_removed", "check_digits_do_not_fit"]),
        ("AT57194903", &["did_you_mean"]),
        ("CZ530101123", &[]),
        ("CZ2512389", &[]),
        ("CZ251238", &[]),
        ("GBGD100", &["did_you_mean"]),
        ("136695976", &[]),
        ("XX123456789", &[]),
        ("EU372022452", &[]),
        ("", &[]),
    ] {
        assert_eq!(codes(input), expected, "{input:?}");
    }
}

#[test]
fn what_may_have_been_meant_is_suggested() {
    for (input, expected) in [
        // The letter after AT.
        ("AT57194903", Some("ATU57194903")),
        // An organisation number without its 01.
        ("SE 5564646874", Some("SE556464687401")),
        // Zeros that a spreadsheet dropped, where the check digits then fit.
        ("NL4495445B01", Some("NL004495445B01")),
        ("NL4495446B01", None),
        ("NLNL4495445B01", Some("NL004495445B01")),
        ("EL94259216", None),
        ("EL532445", None),
        ("CY532445O", Some("CY00532445O")),
        ("IT743110157", Some("IT00743110157")),
        ("IT743110158", None),
        ("HR6282943396", Some("HR06282943396")),
        ("FI1080233", Some("FI01080233")),
        ("GB472631", Some("GB000472631")),
        // Added already.
        ("BE403019261", None),
        // Letters for digits and the other way round; one that fits comes first.
        ("DE13669597O", Some("DE136695970")),
        ("DE1366959l6", Some("DE136695916")),
        ("GB98O78O684", Some("GB980780684")),
        ("CY005324450", Some("CY00532445O")),
        ("NLOO4495445B01", Some("NL004495445B01")),
        ("NL004495445801", Some("NL004495445B01")),
        ("FR4O303265045", Some("FR40303265045")),
        ("DE1366959X6", None),
        ("R018547290", Some("RO18547290")),
        ("1T00743110157", Some("IT00743110157")),
        ("R018547291", None),
        // Digits of other scripts, and a Cyrillic letter where a digit belongs.
        ("DE\u{661}\u{663}\u{666}\u{666}\u{669}\u{665}\u{669}\u{667}\u{666}", Some("DE136695976")),
        ("GB98\u{41e}780684", Some("GB980780684")),
        // The code of a tax office.
        ("CZ22825123891", Some("CZ25123891")),
        ("CZ2287103192745", Some("CZ7103192745")),
        // Bodies that HMRC knows by nine digits.
        ("GBGD100", Some("GB888810079")),
        ("GBGD012", Some("GB888801276")),
        ("GBHA501", Some("GB888850161")),
        ("GBHA502", Some("GB888850259")),
        ("XIGD100", Some("GB888810079")),
        ("GBGD500", None),
        ("GBHA499", None),
        // Territories that use a neighbour's prefix.
        ("IM000472631", Some("GB000472631")),
        ("MC53000004605", Some("FR53000004605")),
        ("IM980780684", None),
        ("MC40303265045", None),
        // The digits of a national tax number that are no part of the VAT number.
        ("HU12892312-2-42", Some("HU12892312")),
        ("HU12892313-2-42", None),
        // The letters of two countries.
        ("GB-XI 110305878", Some("XI110305878")),
        ("XIGB110305878", Some("GB110305878")),
        ("XIGB110305879", None),
        ("DEAT13585627", Some("ATU13585627")),
        ("DEAT13585626", None),
        ("FRDE136695976", Some("DE136695976")),
        ("FRDE136695978", None),
        ("NLBE0403019261", Some("BE0403019261")),
        // Nothing is guessed from bare digits.
        ("136695976", None),
        ("242338087388", None),
        ("DE136695976; DROP TABLE x", None),
        ("GB9807806842", None),
        ("DE13669597", None),
        ("DE136695978", None),
        ("XX123456789", None),
    ] {
        assert_eq!(suggestion(input).map(|(number, _)| number).as_deref(), expected, "{input}");
    }
}

#[test]
fn a_suggestion_says_why() {
    for (input, why) in [
        ("DE13669597O", "The letter O stands where a digit belongs"),
        ("GB9I078O684", "Letters stand where digits belong"),
        ("CY005324450", "The digit 0 stands where a letter belongs"),
        ("AT57194903", "U after AT"),
        ("SE5564646874", "01 after the ten digits"),
        ("NL4495445B01", "a spreadsheet drops"),
        ("GBHA501", "a health authority"),
    ] {
        let (_, message) = suggestion(input).unwrap();
        assert!(message.contains(why), "{input}: {message}");
    }
}

#[test]
fn scientific_notation_is_recognised_with_nothing_to_suggest() {
    for input in
        ["1.36696E+08", "1,36696E+08", "DE1.36696E+08", "2.42338E+11", "de 1.36696e+08", "NL1.2345678E+11"]
    {
        let advice = advice(input);
        let found = advice.iter().find(|advice| advice.code == AdviceCode::DidYouMean).unwrap();
        assert_eq!(found.suggestion, None);
        assert!(found.message.contains("scientific notation"), "{}", found.message);
    }
}

#[test]
fn lookalikes_are_named() {
    for (input, which, what, read_as) in [
        ("CY10259033\u{3a1}", "eleventh", "Greek capital Rho", "Latin letter P"),
        ("\u{391}TU13585627", "first", "Greek capital Alpha", "Latin letter A"),
        ("  \u{3b1}tu13585627", "first", "Greek small Alpha", "Latin letter A"),
        ("\u{412}E0403019261", "first", "Cyrillic capital Ve", "Latin letter B"),
        ("\u{412}E403019261", "first", "Cyrillic capital Ve", "Latin letter B"),
        ("VAT: \u{412}E0403019261", "sixth", "Cyrillic capital Ve", "Latin letter B"),
        ("DE \u{2009} 13669597\u{2076}", "14th", "superscript 6", "digit 6"),
        ("DE1366959\u{2087}6", "tenth", "subscript 7", "digit 7"),
        ("DE\u{2460}36695976", "third", "circled 1", "digit 1"),
        // Marks count with their letter.
        ("n\u{2da} TVA \u{395}L094259216", "eighth", "Greek capital Epsilon", "Latin letter E"),
        ("DIC\u{30c} C\u{200b}Z2512389\u{2081}", "15th", "subscript 1", "digit 1"),
        ("E\u{39b}094259216", "second", "Greek capital Lambda", "Latin letter L"),
        ("DE\u{246c}6695976", "third", "circled 13", "digits 13"),
    ] {
        assert!(VatNumber::parse(input).number().is_some(), "{input}");
        let message = format!("The {which} character was a {what}; it was read as the {read_as}.");
        assert_eq!(messages(input, AdviceCode::LookalikeCharacter), [message], "{input}");
    }
    let both = "\u{415}\u{405}B64717838";
    let named = "Several characters were read as what they look like: the first, a Cyrillic capital Ie, as the \
                 Latin letter E; the second, a Cyrillic capital Dze, as the Latin letter S.";
    assert_eq!(messages(both, AdviceCode::LookalikeCharacter), [named]);
    assert_eq!(VatNumber::parse(both).canonical(), "ESB64717838");
}

#[test]
fn many_lookalikes_get_one_sentence() {
    let many = format!("DE{}", "\u{2460}".repeat(62));
    let named = "Several characters were read as what they look like: the third, a circled 1, as the digit 1; the \
                 fourth, a circled 1, as the digit 1; the fifth, a circled 1, as the digit 1; and 59 more.";
    assert_eq!(messages(&many, AdviceCode::LookalikeCharacter), [named]);
}

#[test]
fn what_was_left_out_or_added_is_one_sentence() {
    for (input, code, message) in [
        (
            "DE 136695976",
            AdviceCode::SeparatorsRemoved,
            "Blanks, punctuation or invisible marks were left out.",
        ),
        (
            "VATDE136695976",
            AdviceCode::SeparatorsRemoved,
            "Words that are no part of the number were left out.",
        ),
        (
            "VAT DE136695976",
            AdviceCode::SeparatorsRemoved,
            "Words that are no part of the number, and blanks, punctuation or invisible marks, were left out.",
        ),
        (
            "BE403019261",
            AdviceCode::DidYouMean,
            "A leading zero was added: numbers of Belgium have ten digits.",
        ),
        (
            "EL94259216",
            AdviceCode::DidYouMean,
            "A leading zero was added: numbers of Greece have nine digits.",
        ),
        (
            "BE 403.019.261",
            AdviceCode::SeparatorsRemoved,
            "Blanks, punctuation or invisible marks were left out, and a leading zero was added: numbers of \
             Belgium have ten digits.",
        ),
        (
            "DEDE136695976",
            AdviceCode::PrefixRepeated,
            "The country letters were written more than once; they were read once.",
        ),
    ] {
        let found = advice(input);
        let found: Vec<_> = found.iter().map(|advice| (advice.code, &*advice.message)).collect();
        assert_eq!(found, [(code, message)], "{input}");
        assert_eq!(suggestion(input), None);
    }
}

#[test]
fn only_letter_places_and_only_lookalikes_are_spoken_of() {
    for input in [
        // Other widths and typefaces of the same characters.
        "\u{ff24}\u{ff25}\u{ff11}36695976",
        "DE\u{1d7cf}36695976",
        // A Cyrillic letter where the country has a digit, and one that is no country's letter there.
        "DE13669597\u{41e}",
        "CY10259033\u{39b}",
        // A fraction has a digit in it and is none.
        "DE\u{bd}36695976",
        "AT\u{443}13585627",
    ] {
        assert_eq!(messages(input, AdviceCode::LookalikeCharacter), Vec::<String>::new(), "{input}");
    }
}

#[test]
fn the_characters_that_do_not_fit_are_named_and_who_decides() {
    let code = AdviceCode::CheckDigitsDoNotFit;
    let vies = ", which is often a slip; only VIES can decide.";
    let hmrc = ", which is often a slip; only HMRC can decide.";
    for (input, what, ending) in [
        (
            "DE136695977",
            "The check character 7 in the ninth place after the country letters does not fit the rest",
            vies,
        ),
        (
            "ESB27471977",
            "The check character 7 in the ninth place after the country letters does not fit the rest",
            vies,
        ),
        (
            "GB123456789",
            "The check characters 89 in the eighth and ninth places after the country letters do not fit the rest",
            hmrc,
        ),
        (
            "FR84323140391",
            "The check characters 84 in the first and second places after the country letters do not fit the rest",
            vies,
        ),
        ("NL123456789B90", "The characters after the country letters do not fit together", vies),
        (
            "EE200931558",
            "The characters 20 in the first and second places after the country letters are not known to occur there \
             in numbers of Estonia",
            vies,
        ),
        (
            "NL004495445A01",
            "The character A in the tenth place after the country letters is not known to occur there in numbers of \
             the Netherlands",
            vies,
        ),
        (
            "CY12345678F",
            "The characters 12 in the first and second places after the country letters are not known to occur \
             there in numbers of Cyprus",
            vies,
        ),
        (
            "CZ123456789",
            "The characters 3456 in the third to sixth places after the country letters are not known to occur \
             there in numbers of Czechia",
            vies,
        ),
        (
            "IT00000000000",
            "The characters 0000000 in the first to seventh places after the country letters are not known to occur \
             there in numbers of Italy",
            vies,
        ),
    ] {
        assert_eq!(messages(input, code), [format!("{what}{ending}")], "{input}");
    }
}

#[test]
fn xi_and_branch_numbers_have_a_neighbour() {
    let number = |text| VatNumber::parse(text).number().unwrap();
    let twin = Advice::gb_twin_of_xi(number("XI110305878")).unwrap();
    assert_eq!(twin.code, AdviceCode::DidYouMean);
    assert_eq!(twin.suggestion.as_deref(), Some("GB110305878"));
    assert!(twin.message.contains("For services ask about the GB number"));
    assert_eq!(Advice::gb_twin_of_xi(number("GB110305878")), None);
    assert_eq!(Advice::gb_twin_of_xi(number("DE136695976")), None);

    let nine = Advice::nine_digit_form(number("GB242338087388")).unwrap();
    assert_eq!(nine.code, AdviceCode::DidYouMean);
    assert_eq!(nine.suggestion.as_deref(), Some("GB242338087"));
    assert!(nine.message.contains("a different number"));
    assert_eq!(Advice::nine_digit_form(number("GB242338087")), None);
    assert_eq!(Advice::nine_digit_form(number("XI242338087388")), None);
    assert_eq!(Advice::nine_digit_form(number("LT100001919017")), None);
}

#[test]
fn an_answer_is_explained() {
    for (advice, code, message) in [
        (Advice::refused_by_registry(Registry::Hmrc), "refused_by_registry", "HMRC does not accept"),
        (Advice::xi_covers_goods_only(), "xi_covers_goods_only", "for services the holder's GB number"),
        (
            Advice::new_registrations_take_time(Registry::Hmrc),
            "new_registrations_take_time",
            "New registrations can take about two weeks to appear at HMRC.",
        ),
        (
            Advice::not_disclosed_by_member_state(Prefix::De),
            "not_disclosed_by_member_state",
            "Germany does not disclose",
        ),
        (
            Advice::national_registration_may_exist(Prefix::Nl),
            "national_registration_may_exist",
            "within the Netherlands and not for trade",
        ),
        (
            Advice::requester_not_accepted(Registry::Vies),
            "requester_not_accepted",
            "VIES did not accept the requester's",
        ),
    ] {
        assert_eq!(advice.code.as_str(), code);
        assert!(advice.message.contains(message), "{}", advice.message);
        assert_eq!(advice.suggestion, None);
    }
}

#[test]
fn an_outage_is_never_said_of_the_number() {
    let british = VatNumber::parse("GB123456782").number().unwrap();
    let dutch = VatNumber::parse("NL004495445B01").number().unwrap();
    for reason in UnresolvedReason::ALL {
        for (number, registry) in [(british, "HMRC"), (dutch, "VIES")] {
            let advice = Advice::unresolved(reason, number);
            assert_eq!(advice.code, AdviceCode::Unresolved(reason));
            assert_eq!(advice.code.as_str(), reason.as_str());
            assert!(advice.message.contains(registry), "{}", advice.message);
            assert!(advice.message.contains("was not checked; this says nothing about the number."));
            assert!(!advice.message.contains("valid"), "{}", advice.message);
        }
    }
    let throttled = Advice::unresolved(UnresolvedReason::Throttled, dutch);
    assert!(throttled.message.starts_with("VIES is receiving too many requests at present, so"));
    let state = Advice::unresolved(UnresolvedReason::MemberStateUnavailable, dutch);
    assert!(state.message.starts_with("The Netherlands does not answer VIES"), "{}", state.message);
}
