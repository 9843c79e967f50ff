//! `/portal/check`: a run from the form to the file, and everything that may not be.

use std::{fmt::Write, time::Duration};

use crossvat::{audit::Actor, batch_checks::RunState, members::Role};
use registry_simulator::{Answer as Says, Condition};
use uuid::Uuid;

use crate::support::{Answer, Browser, Part, TestApp, plain};

/// Longest that a run of a test takes.
const PATIENCE: Duration = Duration::from_secs(30);
/// What everybody may send: one number, from no form.
const ONE_NUMBER: [Part<'_>; 1] = [("numbers", None, b"DE136695976")];

pub(super) fn text(answer: &Answer) -> &str {
    answer.body.as_str().expect("a page")
}

/// The value of the first field of this name.
pub(super) fn value<'a>(page: &'a str, name: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("name=\"{name}\" value=\"")).expect("a field");
    rest.split('"').next().expect("its value")
}

#[track_caller]
pub(super) fn run_of(answer: &Answer) -> Uuid {
    assert_eq!(answer.status, 303, "{answer:?}");
    let location = answer.header("location").expect("a location");
    location.strip_prefix("/portal/check/").and_then(|run| run.parse().ok()).expect("a run")
}

pub(super) async fn until_done(app: &TestApp, account: Uuid, run: Uuid) {
    let waiting = async {
        loop {
            let found = app.batch_checks.find(account, run).await.expect("a run");
            if found.state == RunState::Done && !found.is_working {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, waiting).await.expect("done in time");
}

#[tokio::test]
async fn numbers_are_pasted_checked_shown_and_had_as_a_file() {
    let app = TestApp::start().await;
    app.simulator.vies().script("IE", "6388047V", Says::valid("Ballycotton & Sons", "Pier Road"));
    app.simulator.vies().script("EL", "094259216", Says::valid("=HYPERLINK(\"http://x\")", "Athens"));
    let maya = Browser::of_owner(&app, "fenwick").await;
    let form = maya.get("/portal/check").await;
    assert_eq!(form.status, 200);
    assert!(!text(&form).contains("Earlier runs"));
    let token = value(text(&form), "token").to_owned();
    let pasted = "IE6388047V, gr 094259216\nDE1\nCHE116281710\nie 6388047 v\nFR40303265045";
    let parts = [
        ("token", None, token.as_bytes()),
        ("numbers", None, pasted.as_bytes()),
        ("file", Some(""), b"".as_slice()),
        ("requester", None, b""),
        ("age", None, b"0"),
        ("supplier", None, b"IE"),
    ];
    let run = run_of(&maya.post_parts("/portal/check", &parts).await);
    // Sent twice it starts one run; changed, another.
    assert_eq!(run_of(&maya.post_parts("/portal/check", &parts).await), run);
    let mut changed = parts;
    changed[1].2 = b"DE1";
    assert_ne!(run_of(&maya.post_parts("/portal/check", &changed).await), run);

    until_done(&app, maya.account_id, run).await;
    let page = maya.get(&format!("/portal/check/{run}")).await;
    let shown = &*text(&page).replace("<!>", "");
    for part in [
        "<strong>Done.</strong>",
        "Pasted: IE6388047V and 5 more",
        "Ballycotton &amp; Sons",
        "The same number as in line 1; it was asked once.",
        "Neither HMRC nor VIES covers numbers that begin with CH.",
        "With advice <data value=\"1\">1</data>",
        "Domestic",
        "Eligible",
        "/portal/history/",
    ] {
        assert!(shown.contains(part), "{part:?} is missing: {shown}");
    }
    assert!(!shown.contains("data-live=") && !shown.contains(" style=\""), "{shown}");
    let asked = app.simulator.calls().into_iter().filter(|call| call.number == "6388047V").count();
    assert_eq!(asked, 1);

    let file = maya.get(&format!("/portal/check/{run}/results.csv")).await;
    assert_eq!(file.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"vat-check-2026-09-03-0841.csv\"")
    );
    let content = text(&file);
    assert!(content.starts_with("\u{feff}Line,Row,As pasted,VAT number,"), "{content}");
    assert!(content.contains("\"'=HYPERLINK("), "{content}");
    assert_eq!(content.matches("\r\n").count(), 7);
    assert!(content.contains(",Neither HMRC nor VIES covers numbers that begin with CH."), "{content}");

    // As the page offers it for spreadsheets that expect semicolons.
    let address = format!("/portal/check/{run}/results.csv?separator=semicolon");
    assert!(shown.contains(&format!("href=\"{address}\"")), "{shown}");
    let file = maya.get(&address).await;
    assert_eq!(
        file.header("content-disposition"),
        Some("attachment; filename=\"vat-check-2026-09-03-0841-semicolons.csv\"")
    );
    assert!(text(&file).starts_with("\u{feff}Line;Row;As pasted;VAT number;"), "{}", text(&file));
    assert!(text(&file).contains("\"'=HYPERLINK("), "{}", text(&file));

    let list = maya.get("/portal/check").await;
    assert!(text(&list).contains(&format!("href=\"/portal/check/{run}\"")));
    assert!(text(&list).contains("Earlier runs"));
}

/// Whoever tries the documentation's numbers here would wonder at what a registry says of them.
#[tokio::test]
async fn a_number_of_the_sandbox_is_called_one_unless_it_is_somebodys() {
    let app = TestApp::start().await;
    app.simulator.vies().script("AT", "U99991009", Says::valid("Somebody".to_owned(), "1 Street".to_owned()));
    let maya = Browser::of_owner(&app, "fenwick").await;
    let numbers: &[u8] = b"DE999991005\nDE136695975\nATU99991009";
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, numbers)]).await);
    until_done(&app, maya.account_id, run).await;
    let page = maya.get(&format!("/portal/check/{run}")).await;
    let shown = &*text(&page).replace("<!>", "");
    let rows: Vec<_> = shown.split("<tr role=\"row\">").skip(1).map(plain).collect();
    let of = |number: &str| {
        let found: Vec<_> = rows.iter().filter(|row| row.replace(' ', "").contains(number)).collect();
        let [row] = found.as_slice() else { panic!("{number}: {found:?}") };
        (*row).clone()
    };
    let note = "This is a sandbox number: only test keys answer it.";
    assert!(of("DE999991005").contains("Not registered") && of("DE999991005").contains(note), "{rows:?}");
    assert!(of("DE136695975").contains("Not registered") && !of("DE136695975").contains(note), "{rows:?}");
    assert!(of("ATU99991009").contains("Valid") && !of("ATU99991009").contains(note), "{rows:?}");
    assert!(shown.contains("<a href=\"/docs/sandbox\" rel=\"external\">sandbox number</a>"), "{shown}");
}

#[tokio::test]
async fn what_needs_changing_comes_back_with_what_was_typed() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let too_many = "IE6388047V\n".repeat(10_001);
    let zipped: &[u8] = b"PK\x03\x04\x14\x00\x06\x00";
    let cases: [(&[Part<'_>], &str); 6] = [
        (&[("numbers", None, b" \n ")], "Paste at least one VAT number, or choose a file"),
        (&[], "Paste at least one VAT number, or choose a file"),
        (&[("numbers", None, too_many.as_bytes())], "There are 10,001 numbers in it"),
        (&[("file", Some("a.xlsx"), zipped)], "save the sheet as CSV"),
        (&[("file", Some("a.csv"), b"")], "There are no numbers in the file"),
        (
            &[("numbers", None, b"DE136695976"), ("file", Some("a.csv"), b"DE1")],
            "Paste numbers or choose a file, not both",
        ),
    ];
    for (parts, words) in cases {
        let answer = maya.post_parts("/portal/check", parts).await;
        assert_eq!(answer.status, 422, "{words}");
        let page = text(&answer);
        // In the summary and beside the field.
        assert_eq!(page.matches(words).count(), 2, "{words}: {page}");
        assert!(page.contains("<title>Error: Check numbers"), "{words}");
        assert!(page.contains("aria-invalid=\"true\""), "{words}");
        if let Some(("numbers", _, typed)) = parts.first() {
            let typed = str::from_utf8(typed).unwrap().trim();
            assert!(page.contains(typed), "{words}: what was typed is lost");
        }
    }
    assert_eq!(app.batch_checks.list(maya.account_id, 0, 10).await.expect("runs").total, 0);
}

#[tokio::test]
async fn too_much_is_refused_with_a_page_and_something_else_is_no_form() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let (large, small) = (vec![b'7'; 10 * 1024 * 1024], vec![b'7'; 2 * 1024 * 1024]);
    for (parts, field) in [
        (vec![("numbers", None, large.as_slice())], "numbers"),
        (vec![("file", Some("a.csv"), large.as_slice())], "file"),
        (vec![("numbers", None, b"DE1".as_slice()), ("file", Some("a.csv"), small.as_slice())], "file"),
    ] {
        let answer = maya.post_parts("/portal/check", &parts).await;
        assert_eq!(answer.status, 413, "{field}");
        assert!(text(&answer).contains("This is more than 2 MB."), "{field}");
        assert!(text(&answer).contains(&format!("id=\"{field}-error\"")), "{field}");
        assert!(text(&answer).len() < 100_000, "nothing of it comes back");
    }
    let no_form = maya.post("/portal/check", &[("numbers", "DE136695976")]).await;
    assert_eq!(no_form.status, 400);
    // The limit of other forms is theirs.
    let other = maya.post("/portal/keys/new", &[("name", &"a".repeat(70_000))]).await;
    assert_eq!(other.status, 413);
}

#[tokio::test]
async fn files_of_spreadsheets_are_read_in_every_encoding() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let table = |separator: char| {
        format!("Firma{separator}Ust-IdNr.\r\nMüller GmbH{separator}CHE136695976\r\nÖl AG{separator}DE1\r\n")
    };
    let utf_16 = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_le_bytes);
        [0xff, 0xfe].into_iter().chain(units).collect::<Vec<u8>>()
    };
    let utf_16_turned = |text: &str| {
        let units = text.encode_utf16().flat_map(u16::to_be_bytes);
        [0xfe, 0xff].into_iter().chain(units).collect::<Vec<u8>>()
    };
    let windows = |text: &str| -> Vec<u8> {
        text.chars().map(|c| u8::try_from(u32::from(c)).expect("of Western Europe")).collect()
    };
    let files = [
        ("utf-8.csv", table(',').into_bytes()),
        ("utf-8-semicolons.csv", table(';').into_bytes()),
        ("utf-8-tabs.txt", table('\t').into_bytes()),
        ("with-a-mark.csv", ["\u{feff}", &table(';')].concat().into_bytes()),
        ("with-a-mark-and-commas.csv", ["\u{feff}", &table(',')].concat().into_bytes()),
        ("utf-16.txt", utf_16(&table('\t'))),
        ("utf-16-semicolons.csv", utf_16(&table(';'))),
        ("utf-16-big-end.txt", utf_16_turned(&table('\t'))),
        ("windows.csv", windows(&table(';'))),
        ("windows-tabs.txt", windows(&table('\t'))),
    ];
    for (name, content) in &files {
        let run = run_of(&maya.post_parts("/portal/check", &[("file", Some(name), content)]).await);
        let shown = maya.get(&format!("/portal/check/{run}?sort=place")).await;
        let shown = text(&shown);
        assert!(shown.contains(&format!("<h1>{name}</h1>")), "{name}: {shown}");
        assert!(shown.contains("<code dir=\"ltr\">CHE136695976</code>"), "{name}: {shown}");
        assert!(shown.contains("All 2 have an answer."), "{name}: {shown}");
    }
    // Without a script a file's numbers can be looked at first.
    let read = maya
        .post_parts("/portal/check", &[("do", None, b"read"), ("file", Some("a.csv"), &files[0].1)])
        .await;
    assert_eq!(read.status, 200);
    assert!(text(&read).contains("2 numbers: 0 can be asked, 2 need you"), "{}", text(&read));
}

#[tokio::test]
async fn results_can_be_laid_beside_the_lines_of_the_file() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    // An empty line and a cell of two lines: what a spreadsheet counts.
    let table = "Customer;Country;VAT number\r\nAcme;CH;CHE116281710\r\n\r\n\"Bolt\nWest\";DE;136695976\r\n\
        Coil;DE;DE136695976\r\n";
    let file = [("file", Some("customers.csv"), table.as_bytes())];
    let run = run_of(&maya.post_parts("/portal/check", &file).await);
    until_done(&app, maya.account_id, run).await;
    let page = maya.get(&format!("/portal/check/{run}?sort=place")).await;
    let shown = &*text(&page).replace("<!>", "");
    let lines: Vec<&str> = shown.split("data-label=\"Line\">").skip(1).map(|rest| &rest[..1]).collect();
    assert_eq!(lines, ["2", "4", "5"], "{shown}");
    assert!(shown.contains("The same number as in line 4; it was asked once."), "{shown}");
    let content = maya.get(&format!("/portal/check/{run}/results.csv")).await;
    let content = text(&content);
    for line in
        ["\r\n2,1,CHE116281710,", "\r\n4,2,DE 136695976,DE136695976,", "\r\n5,3,DE136695976,DE136695976,"]
    {
        assert!(content.contains(line), "{line:?} is missing: {content}");
    }
    assert!(!content.contains("Acme"), "the other columns are not kept: {content}");

    // Without a script they are shown in their lines first.
    let read = maya.post_parts("/portal/check", &[("do", None, b"read"), file[0]]).await;
    let read = text(&read);
    assert!(read.contains("\n\nCHE116281710\n\nDE 136695976\nDE136695976</textarea>"), "{read}");
    assert!(read.contains("<small>Line 2</small>"), "{read}");
}

#[tokio::test]
async fn what_many_rows_share_is_said_once() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("FR", Condition::Down);
    let maya = Browser::of_owner(&app, "fenwick").await;
    let french = ["FR40303265040", "FR40303265041", "FR40303265042", "FR40303265043"].join("\n");
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, french.as_bytes())]).await);
    until_done(&app, maya.account_id, run).await;
    let shown =
        async |query: &str| text(&maya.get(&format!("/portal/check/{run}{query}")).await).replace("<!>", "");
    let words = "France does not answer VIES at present, so the number was not checked";
    let page = shown("").await;
    assert_eq!(page.matches(words).count(), 1, "{page}");
    assert!(page.contains("<p id=\"note-1\"><strong>Note 1</strong>, on 4 rows: France"), "{page}");
    assert_eq!(page.matches("href=\"#note-1\"").count(), 4, "{page}");
    // Of one row it stays in the row, and in the file in all.
    let page = shown("?find=FR40303265041").await;
    assert_eq!((page.matches(words).count(), page.matches("#note-1").count()), (1, 0), "{page}");
    assert_eq!(shown("/results.csv").await.matches(words).count(), 4);
}

#[tokio::test]
async fn stopping_is_offered_where_something_is_left_to_be_stopped() {
    let app = TestApp::start().await;
    app.simulator.vies().set_condition(Condition::Silent);
    let maya = Browser::of_owner(&app, "fenwick").await;
    let shown = async |different: usize| {
        let number = |place: usize| format!("{}1{:09}\n", ["PL", "IT0"][place % 2], place % different);
        let pasted: String = (0..150).map(number).collect();
        let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, pasted.as_bytes())]).await);
        let page = text(&maya.get(&format!("/portal/check/{run}")).await).to_owned();
        assert!(page.contains("data-live=\"2\""), "it runs: {page}");
        page
    };
    let stop = "value=\"stop\"";
    assert!(!shown(20).await.contains(stop), "150 rows of 20 numbers are one part");
    let long = shown(120).await;
    assert!(long.contains(stop) && long.contains("Stop after this part"), "{long}");
}

#[tokio::test]
async fn without_a_script_numbers_are_read_and_suggestions_taken_by_sending_the_form() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let examples = maya.get("/portal/check?examples=1").await;
    assert!(text(&examples).contains("FRFR53000004605"));
    let numbers: &[u8] = b"DE136695976\nSE5564646874\n</textarea><script>alert(1)</script>";
    let read = maya.post_parts("/portal/check", &[("do", None, b"read"), ("numbers", None, numbers)]).await;
    assert_eq!(read.status, 200);
    let page = text(&read);
    assert!(page.contains("3 numbers: 1 can be asked, 2 need you"), "{page}");
    assert!(!page.contains("<script>alert"), "{page}");
    let chosen = value(page, "use");
    assert_eq!(chosen, "2:SE556464687401");
    let taken = maya
        .post_parts("/portal/check", &[("numbers", None, numbers), ("use", None, chosen.as_bytes())])
        .await;
    assert!(text(&taken).contains("DE136695976\nSE556464687401\n"), "{}", text(&taken));
    assert!(text(&taken).contains("3 numbers: 2 can be asked, 1 needs you"));
    assert_eq!(app.batch_checks.list(maya.account_id, 0, 10).await.expect("runs").total, 0);
}

#[tokio::test]
async fn a_run_is_stopped_sent_on_and_asked_again_about_what_nobody_answered() {
    let app = TestApp::start().await;
    app.simulator.vies().set_member_state("PL", Condition::Down);
    let maya = Browser::of_owner(&app, "fenwick").await;
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, b"PL8567346215")]).await);
    until_done(&app, maya.account_id, run).await;
    let address = format!("/portal/check/{run}");
    let page = maya.get(&address).await;
    assert!(text(&page).contains("0 of 1 have an answer; 1 had none"), "{}", text(&page));
    assert!(text(&page).contains("Ask again about that one"), "{}", text(&page));
    let shown = text(&page).replace("<!>", "");
    assert!(
        shown.contains("<small>Without an answer: Poland 1. Poland still does not answer.</small>"),
        "{shown}"
    );
    // Nothing of it runs, so stopping and sending on change nothing.
    for deed in ["stop", "resume", "nonsense", ""] {
        let answer = maya.post(&address, &[("do", deed)]).await;
        assert_eq!((answer.status, answer.header("location")), (303, Some(&*address)), "{deed}");
        assert_eq!(app.batch_checks.find(maya.account_id, run).await.unwrap().state, RunState::Done);
    }
    app.simulator.vies().set_member_state("PL", Condition::Up);
    app.simulator.vies().script("PL", "8567346215", Says::valid("Tall Ships", "Gdynia"));
    app.clock.advance(Duration::from_mins(5));
    assert_eq!(maya.post(&address, &[("do", "retry")]).await.status, 303);
    until_done(&app, maya.account_id, run).await;
    assert!(text(&maya.get(&address).await).contains("Tall Ships"));
}

#[tokio::test]
async fn rows_are_filtered_searched_sorted_and_paged() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let mut pasted = String::from("CHE116281710\n");
    for number in 100..220 {
        writeln!(pasted, "DE{number}").unwrap();
    }
    let run = run_of(&maya.post_parts("/portal/check", &[("numbers", None, pasted.as_bytes())]).await);
    let shows = async |query: &str| {
        let answer = maya.get(&format!("/portal/check/{run}{query}")).await;
        assert_eq!(answer.status, 200, "{query}");
        text(&answer).to_owned()
    };
    for (query, present, absent) in [
        ("", "1 to 50 of 121", "CHE116281710"),
        ("?sort=place", "CHE116281710", ">DE150<"),
        ("?sort=place&page=3", "101 to 121 of 121", "rel=\"next"),
        ("?sort=number&dir=desc", ">DE219<", "CHE116281710"),
        ("?outcome=unsupported", "1 to 1 of 1", ">DE100<"),
        ("?country=CH", "CHE116281710", ">DE100<"),
        ("?find=de15&sort=place", "1 to 10 of 10", ">DE149<"),
        ("?find=%3Cscript%3E", "has “&lt;script&gt;” in it", "<script>\""),
        ("?outcome=unavailable", "No number is without an answer", "<tbody"),
        ("?outcome=valid", "No row of this kind", "<tbody"),
        // What is not understood is as if it were not there.
        ("?outcome=x&country=%22%3E&sort=y&dir=z&page=-1", "1 to 50 of 121", "CHE116281710"),
        ("?page=99999999999999999999", "1 to 50 of 121", "CHE116281710"),
    ] {
        let page = shows(query).await;
        let (_, rows) = page.split_once("id=\"run-rows\"").expect("rows");
        let (rows, _) = rows.split_once("</main>").expect("an end");
        assert!(rows.contains(present), "{query:?} does not show {present:?}: {rows}");
        assert!(!rows.contains(absent), "{query:?} shows {absent:?}: {rows}");
    }
}

#[tokio::test]
async fn runs_are_their_accounts_own_and_a_viewer_only_looks() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let viewer = maya.colleague(&app, Role::Viewer).await;
    let member = maya.colleague(&app, Role::Member).await;
    let stranger = Browser::of_owner(&app, "other").await;
    let nobody = app.visitor();
    let run = run_of(&maya.post_parts("/portal/check", &ONE_NUMBER).await);
    until_done(&app, maya.account_id, run).await;
    let (page, file) = (format!("/portal/check/{run}"), format!("/portal/check/{run}/results.csv"));

    for address in [&*page, &*file, "/portal/check"] {
        let answer = nobody.get(address).await;
        assert_eq!(answer.status, 303, "{address}");
        let back = answer.header("location").expect("a location");
        assert!(back.starts_with("/sign-in?return_to=%2Fportal%2Fcheck"), "{back}");
    }
    assert_eq!(nobody.post(&page, &[("do", "stop")]).await.status, 303);
    assert_eq!(nobody.post_parts("/portal/check", &ONE_NUMBER).await.status, 303);

    // Another account's is what is none.
    let unknown = format!("/portal/check/{}", Uuid::nil());
    for address in [&*page, &*file, &*unknown, "/portal/check/x"] {
        assert_eq!(stranger.get(address).await.status, 404, "{address}");
    }
    for deed in ["stop", "resume", "retry"] {
        assert_eq!(stranger.post(&page, &[("do", deed)]).await.status, 404, "{deed}");
    }
    assert!(!text(&stranger.get("/portal/check").await).contains("Earlier runs"));

    for (who, status) in [(&viewer, 403), (&member, 303)] {
        assert_eq!(who.get(&page).await.status, 200);
        assert_eq!(who.get(&file).await.status, 200);
        for deed in ["stop", "resume", "retry"] {
            assert_eq!(who.post(&page, &[("do", deed)]).await.status, status, "{deed}");
        }
        assert_eq!(who.post_parts("/portal/check", &ONE_NUMBER).await.status, status);
    }
    assert!(!text(&viewer.get("/portal/check").await).contains("<textarea"));

    for address in ["/portal/check", &page] {
        assert_eq!(maya.post_from_elsewhere(address, &[("do", "stop")]).await.status, 403, "{address}");
    }
}

#[tokio::test]
async fn a_suspended_account_reads_what_was_answered_and_asks_nothing() {
    let app = TestApp::start().await;
    let maya = Browser::of_owner(&app, "fenwick").await;
    let run = run_of(&maya.post_parts("/portal/check", &ONE_NUMBER).await);
    until_done(&app, maya.account_id, run).await;
    app.accounts().suspend(maya.account_id, "unpaid", &Actor::COMMAND_LINE).await.expect("suspended");
    let page = format!("/portal/check/{run}");
    assert_eq!(maya.get(&page).await.status, 200);
    let form = maya.get("/portal/check").await;
    assert!(text(&form).contains("The account is suspended"), "{}", text(&form));
    assert!(!text(&form).contains("<textarea"));
    for answer in
        [maya.post_parts("/portal/check", &ONE_NUMBER).await, maya.post(&page, &[("do", "retry")]).await]
    {
        assert_eq!((answer.status, answer.header("location")), (303, Some("/portal/check")));
    }
    assert_eq!(app.batch_checks.list(maya.account_id, 0, 10).await.expect("runs").total, 1);
}
