//! The table of the sandbox's numbers, in the order of the documentation. How a number is made up is said at the head
//! of the module. Names are invented, and no address exists.

use super::number::{SandboxNumber, SandboxOutcome, SandboxTrader};
use crate::verification::registry::TroubleKind;

/// Every number of the sandbox, each once.
pub static NUMBERS: &[SandboxNumber] = &[
    // A registered and an unregistered one for every prefix.
    registered("GB999910095", "Quillfeather Imaginary Goods Ltd", "1 Larkspur Yard, Farrowby, ZZ12 9QX"),
    not_registered("GB999920091"),
    // The same trader: both registries know it by the same digits.
    registered("XI999910095", "QUILLFEATHER IMAGINARY GOODS LTD", "1 LARKSPUR YARD, FARROWBY, ZZ12 9QX"),
    not_registered("XI999920091"),
    registered("ATU99991009", "Musterbäckerei Fantasia GmbH", "Musterweg 1, 1999 Wien"),
    not_registered("ATU99992008"),
    registered("BE0999910048", "SRL Atelier Imaginaire de l'Étoile", "Rue de l'Essai 1, 1999 Bruxelles"),
    not_registered("BE0999920045"),
    registered("BG999991009", "ПРИМЕРНА РАБОТИЛНИЦА ЕООД", "ул. Примерна 1, 1999 СОФИЯ"),
    not_registered("BG999992004"),
    registered("CY99999100F", "SAMPLE LANTERN TRADING LTD", "1 DOKIMIS STREET, 1999 NICOSIA"),
    not_registered("CY99999200G"),
    registered("CZ88881008", "Vzorová Továrna s.r.o.", "Zkušební 1, 19999 PRAHA 9"),
    not_registered("CZ88882004"),
    undisclosed("DE999991005"),
    not_registered("DE999992008"),
    registered("DK88881001", "Prøve Møllebro ApS", "Prøvegade 1, 1999 Frederiksberg C"),
    not_registered("DK88882008"),
    registered("EE109991007", "Näidisveski OÜ", "Proovi tn 1, 10999 Tallinn"),
    not_registered("EE109992006"),
    registered("EL999991006", "ΥΠΟΔΕΙΓΜΑ ΕΜΠΟΡΙΚΗ ΑΕ", "ΔΟΚΙΜΗΣ 1, 19999 - ΑΘΗΝΑ"),
    not_registered("EL999992003"),
    undisclosed("ESB99991002"),
    not_registered("ESB99992000"),
    registered("FI88881008", "Esimerkkimylly Oy", "Koekatu 1, 00999 HELSINKI"),
    not_registered("FI88882000"),
    registered("FR89999991003", "SARL LANTERNE IMAGINAIRE", "1 RUE DE L'ESSAI, 75999 PARIS"),
    not_registered("FR76999992001"),
    registered("HR99999991004", "Uzorna Svjetiljka d.o.o.", "Probna ulica 1, 10999 ZAGREB"),
    not_registered("HR99999992007"),
    registered("HU99991001", "MINTA LÁMPÁS KERESKEDELMI KFT.", "PRÓBA UTCA 1., 1999 BUDAPEST"),
    not_registered("HU99992002"),
    registered("IE9999100H", "SAMPLE KETTLEBRIDGE LIMITED", "1 MILL QUAY, DUBLIN 99"),
    not_registered("IE9999200L"),
    registered("IT99999991005", "MULINO IMMAGINARIO SRL", "VIA DELLA PROVA 1, 00999 ROMA RM"),
    not_registered("IT99999992003"),
    registered("LT999910014", "UAB Pavyzdinė Žvaigždė", "Bandymo g. 1, LT-09999 Vilnius"),
    not_registered("LT999920019"),
    registered("LU99910075", "LANTERNE IMAGINAIRE S.A R.L.", "1, BOULEVARD DE L'ESSAI, L-1999 LUXEMBOURG"),
    not_registered("LU99920086"),
    registered("LV99999991006", "SIA Parauga Dzirnavas", "Parauga iela 1, Rīga LV-1099"),
    not_registered("LV99999992001"),
    registered("MT99910024", "SAMPLE LANTERN LIMITED", "1, TRIQ IL-PROVA, VALLETTA VLT 9999"),
    not_registered("MT99920017"),
    registered("NL999991000B01", "VOORBEELD LANTAARN B.V.", "PROEFSTRAAT 00001, 1099ZZ AMSTERDAM"),
    not_registered("NL999992004B01"),
    registered(
        "PL9999991006",
        "WZORCOWY MŁYN SPÓŁKA Z OGRANICZONĄ ODPOWIEDZIALNOŚCIĄ",
        "PRÓBNA 1, 00-999 WARSZAWA",
    ),
    not_registered("PL9999992000"),
    registered("PT999991000", "MOINHO IMAGINÁRIO LDA", "RUA DO ENSAIO 1, 1999-384 LISBOA"),
    not_registered("PT999992007"),
    registered("RO9999991001", "MOARA IMAGINARĂ S.R.L.", "MUNICIPIUL BUCUREŞTI, STR. PROBEI NR. 1"),
    not_registered("RO9999992007"),
    registered("SE999999100401", "Exempelkvarn AB", "PROVGATAN 1, 109 99 STOCKHOLM"),
    not_registered("SE999999200201"),
    registered("SI88881008", "Vzorčna Svetilka d.o.o.", "Poskusna ulica 1, 1099 LJUBLJANA"),
    not_registered("SI88882004"),
    registered("SK9999991001", "Skúšobný Mlyn s.r.o.", "Skúšobná 1, 81999 Bratislava"),
    not_registered("SK9999992002"),
    // HMRC's other outcomes.
    slow(
        "GB999910585",
        Some(SandboxTrader {
            name: "Saltmarsh Unhurried Clocks Ltd",
            address: "2 Ropeworks Lane, Farrowby, ZZ12 9QX",
        }),
        "Registered, but the answer takes 5 seconds.",
    ),
    form_refused(
        "GB999920189",
        "HMRC refuses the form of the number: `malformed` with `refused_by_registry`.",
    ),
    trouble(
        "GB999930087",
        TroubleKind::RegistryUnavailable,
        "HMRC as a whole does not answer: `registry_unavailable`.",
    ),
    trouble("GB999930283", TroubleKind::TimedOut, "HMRC is too slow to answer: `timeout`, told at once."),
    deadline(
        "GB999930381",
        "HMRC has not answered when the time for the call is over: `deadline`, told only then.",
    ),
    trouble(
        "GB999930479",
        TroubleKind::Unreadable,
        "HMRC sends something that cannot be understood: `registry_unreadable`.",
    ),
    trouble("GB999940083", TroubleKind::CallerBlocked, "HMRC refuses our questions: `blocked`."),
    trouble("GB999940279", TroubleKind::NotConfigured, "HMRC refuses our credentials: `not_configured`."),
    trouble("GB999950079", TroubleKind::RegistryBusy, "HMRC asks for fewer questions: `throttled`."),
    // The other outcomes of VIES.
    slow(
        "DE999991056",
        None,
        "Registered, but the answer takes 5 seconds; Germany does not disclose the name and address.",
    ),
    form_refused(
        "DE999992016",
        "VIES refuses the form of the number: `malformed` with `refused_by_registry`.",
    ),
    trouble(
        "DE999993003",
        TroubleKind::RegistryUnavailable,
        "VIES as a whole does not answer: `registry_unavailable`.",
    ),
    member_state_down("DE999993011", "Germany does not answer VIES: `member_state_unavailable`."),
    member_state_down("FR20999993017", "France does not answer VIES: `member_state_unavailable`."),
    trouble("DE999993020", TroubleKind::TimedOut, "VIES is too slow to answer: `timeout`, told at once."),
    deadline(
        "DE999993038",
        "VIES has not answered when the time for the call is over: `deadline`, told only then.",
    ),
    trouble(
        "DE999993046",
        TroubleKind::Unreadable,
        "VIES sends something that cannot be understood: `registry_unreadable`.",
    ),
    trouble("DE999994006", TroubleKind::NumberBlocked, "VIES refuses our question: `blocked`."),
    trouble("DE999995009", TroubleKind::RegistryBusy, "VIES asks for fewer questions: `throttled`."),
    trouble(
        "IT99999996004",
        TroubleKind::MemberStateBusy,
        "Italy asks for fewer questions through VIES: `throttled`.",
    ),
    // Requesters. Every other number is accepted as one.
    requester_refused(
        "GB999920287",
        "As the requester: HMRC refuses it and answers without proof, with `requester_not_accepted`.",
    ),
    requester_refused(
        "DE999992024",
        "As the requester: VIES refuses it and answers without proof, with `requester_not_accepted`.",
    ),
];

const fn entry(number: &'static str, outcome: SandboxOutcome, says: &'static str) -> SandboxNumber {
    SandboxNumber { number, outcome, says }
}

const fn registered(number: &'static str, name: &'static str, address: &'static str) -> SandboxNumber {
    let trader = SandboxTrader { name, address };
    entry(number, SandboxOutcome::Registered(Some(trader)), "Registered.")
}

const fn undisclosed(number: &'static str) -> SandboxNumber {
    entry(
        number,
        SandboxOutcome::Registered(None),
        "Registered; the member state does not disclose the name and address.",
    )
}

const fn not_registered(number: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::NotRegistered, "Not registered.")
}

const fn slow(number: &'static str, trader: Option<SandboxTrader>, says: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::RegisteredSlowly(trader), says)
}

const fn form_refused(number: &'static str, says: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::FormRefused, says)
}

const fn trouble(number: &'static str, kind: TroubleKind, says: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::Trouble(kind), says)
}

const fn member_state_down(number: &'static str, says: &'static str) -> SandboxNumber {
    trouble(number, TroubleKind::MemberStateUnavailable, says)
}

const fn deadline(number: &'static str, says: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::Deadline, says)
}

const fn requester_refused(number: &'static str, says: &'static str) -> SandboxNumber {
    entry(number, SandboxOutcome::RequesterRefused, says)
}
