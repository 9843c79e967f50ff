//! Rows as they are shown: pages, filters, search, sorting, and the file.

use std::time::Instant;

use crossvat::{
    batch_checks::{CountryCount, FirstRow, RowOrder, RowOutcome, RowQuery, numbers_of_file},
    db::entities::batch_row,
    spreadsheet::Separator,
};
use registry_simulator::{Answer, Condition};
use sea_orm::{ActiveValue::Set, EntityTrait};
use uuid::Uuid;

use super::{Team, asked, texts};
use crate::support::TestApp;

/// A run with every outcome.
async fn varied(app: &TestApp, team: &Team) -> Uuid {
    let vies = app.simulator.vies();
    vies.script("DE", "136695976", Answer::valid("Zimmer, \"Holz\" & Söhne", "Hauptstr. 1\nBonn"));
    vies.script("IE", "6388047V", Answer::valid("=Aran 100% Ltd", "Pier Road"));
    vies.script("DK", "13585628", Answer::valid("Øresund A/S", "Kajen 8"));
    vies.script("FI", "20774740", Answer::NotRegistered);
    vies.set_member_state("PL", Condition::Down);
    let run = team
        .start(
            app,
            texts(&[
                "de 136.695.976",
                "IE6388047V",
                "DK13585628",
                "FI20774740",
                "PL8567346215",
                "CHE116281710",
                "+12",
                "DE136695976",
            ]),
        )
        .await;
    team.until_done(app, run).await;
    run
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_were_repaired_or_look_like_slips_are_found() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    app.simulator.vies().script("EL", "094259216", Answer::valid("Aegean Sails", "Athens"));
    app.simulator.vies().script("DE", "136695970", Answer::valid("Zimmer", "Bonn"));
    let pasted = [
        "IE6388047V",    // as it is
        "ie 6388.047 v", // separators alone
        "GR094259216",   // repaired
        "DE136695970",   // digits that do not fit, but registered
        "DE136695971",   // the same, and not registered
        "DE13669597O",   // a letter for a zero
        "FI20774740",    // not registered, and otherwise in order
        "FI20774741",    // digits that do not fit
    ];
    let run = team.start(&app, texts(&pasted)).await;
    team.until_done(&app, run).await;
    let advised = RowQuery { advised: true, limit: 100, ..RowQuery::default() };
    let page = team.page(&app, run, &advised).await;
    let places: Vec<u32> = page.rows.iter().map(|row| row.place).collect();
    assert_eq!((&places[..], page.total), (&[3, 5, 6, 8][..], 4));
    assert_eq!(app.batch_checks.advised(team.account, run).await.expect("counts"), page.total);
    let second =
        RowQuery { offset: 1, limit: 2, order: RowOrder::Place, descending: true, ..advised.clone() };
    let page = team.page(&app, run, &second).await;
    let part: Vec<u32> = page.rows.iter().map(|row| row.place).collect();
    assert_eq!((part.len(), page.total), (2, places.len() as u64));
    assert_eq!(part, [places[places.len() - 2], places[places.len() - 3]]);
    let of_germany = RowQuery { country: Some("DE".to_owned()), ..advised };
    assert!(team.page(&app, run, &of_germany).await.rows.iter().all(|row| row.vat_number.starts_with("DE")));
    let other = Team::of(&app, "other").await;
    assert!(app.batch_checks.advised(other.account, run).await.is_err(), "another's is not found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_are_filtered_searched_sorted_and_paged() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let run = varied(&app, &team).await;
    let everything = RowQuery { limit: 100, ..RowQuery::default() };
    let search = |text: &str| RowQuery { search: text.to_owned(), ..everything.clone() };
    let outcome = |outcome| RowQuery { outcome: Some(outcome), ..everything.clone() };
    let order = |order, descending| RowQuery { order, descending, ..everything.clone() };
    for (query, places) in [
        (everything.clone(), &[1, 2, 3, 4, 5, 6, 7, 8][..]),
        (order(RowOrder::Place, true), &[8, 7, 6, 5, 4, 3, 2, 1]),
        (order(RowOrder::Number, false), &[7, 6, 1, 8, 3, 4, 2, 5]),
        (order(RowOrder::Outcome, false), &[4, 7, 5, 6, 1, 2, 3, 8]),
        (order(RowOrder::Outcome, true), &[1, 2, 3, 8, 6, 5, 7, 4]),
        (order(RowOrder::Name, false), &[2, 1, 8, 3, 4, 5, 6, 7]),
        (order(RowOrder::Name, true), &[3, 1, 8, 2, 4, 5, 6, 7]),
        (outcome(RowOutcome::Valid), &[1, 2, 3, 8]),
        (outcome(RowOutcome::NotRegistered), &[4]),
        (outcome(RowOutcome::Unavailable), &[5]),
        (outcome(RowOutcome::Unsupported), &[6]),
        (outcome(RowOutcome::Malformed), &[7]),
        (outcome(RowOutcome::Waiting), &[]),
        (search("136695976"), &[1, 8]),
        (search("136 695"), &[1, 8]),
        (search("136.695.976"), &[1, 8]),
        (search(" ØRESUND "), &[3]),
        (search("söhne"), &[1, 8]),
        (search("100%"), &[2]),
        (search("1%0"), &[]),
        (search("_"), &[]),
        (search("\\"), &[]),
        (search("\0"), &[]),
        (search("' OR 1=1 --"), &[]),
        (RowQuery { outcome: Some(RowOutcome::Valid), ..search("de") }, &[1, 8]),
        (RowQuery { country: Some("CH".to_owned()), ..everything.clone() }, &[6]),
        (RowQuery { country: Some("ZZ".to_owned()), ..everything.clone() }, &[7]),
        (RowQuery { offset: 3, limit: 2, ..everything.clone() }, &[4, 5]),
        (RowQuery { offset: 7, limit: 5, ..everything.clone() }, &[8]),
        (RowQuery { offset: 8, limit: 5, ..everything.clone() }, &[]),
    ] {
        let page = team.page(&app, run, &query).await;
        let found: Vec<u32> = page.rows.iter().map(|row| row.place).collect();
        assert_eq!(found, places, "{query:?}");
        if query.offset == 0 {
            assert_eq!(page.total, places.len() as u64, "{query:?}");
        } else {
            assert_eq!(page.total, 8, "of all pages");
        }
    }
    let countries = app.batch_checks.countries(team.account, run, None).await.expect("counts");
    let count = |country: &str, rows| CountryCount { country: country.to_owned(), rows };
    let expected = [("DE", 2), ("CH", 1), ("DK", 1), ("FI", 1), ("IE", 1), ("PL", 1), ("ZZ", 1)];
    assert_eq!(countries, expected.map(|(country, rows)| count(country, rows)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_opens_in_a_spreadsheet_and_runs_no_formula() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let run = varied(&app, &team).await;
    let file = app.batch_checks.csv(team.account, run, Separator::Comma).await.expect("a file");
    let lines: Vec<&str> = file.strip_suffix("\r\n").expect("ends its last line").split("\r\n").collect();
    assert!(
        lines[0].starts_with("\u{feff}Line,Row,As pasted,VAT number,Outcome,Name,Address,"),
        "{}",
        lines[0]
    );
    for (line, begins) in [
        (1, "1,1,de 136.695.976,DE136695976,Valid,\"Zimmer, \"\"Holz\"\" & Söhne\",\"Hauptstr. 1, Bonn\","),
        (2, "2,2,IE6388047V,IE6388047V,Valid,'=Aran 100% Ltd,Pier Road,"),
        (4, "4,4,FI20774740,FI20774740,Not registered,,,"),
        (5, "5,5,PL8567346215,PL8567346215,Unavailable,,,"),
        (6, "6,6,CHE116281710,CHE116281710,Unsupported,,,"),
        (7, "7,7,'+12,'+12,Malformed,,,"),
    ] {
        assert!(lines[line].starts_with(begins), "{}", lines[line]);
    }
    assert!(lines[5].contains(",Not known,VIES,") && lines[5].contains(",member_state_unavailable,"));
    assert!(lines[1].contains(",Eligible,VIES,") && lines[1].contains("2026-09-03T08:41:07Z"));
    assert_eq!(lines.len(), 9);
    // It can be given back to be checked again.
    let numbers = numbers_of_file(file.as_bytes()).expect("numbers");
    assert_eq!(numbers.len(), 8);
    let texts = numbers.iter().map(|number| (number.line, &*number.text));
    assert_eq!(texts.take(2).collect::<Vec<_>>(), [(2, "DE136695976"), (3, "IE6388047V")]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_with_semicolons_has_the_same_cells_and_runs_no_formula() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let run = varied(&app, &team).await;
    let file = async |separator| app.batch_checks.csv(team.account, run, separator).await.expect("a file");
    let (commas, semicolons) = (file(Separator::Comma).await, file(Separator::Semicolon).await);
    assert!(semicolons.starts_with("\u{feff}Line;Row;As pasted;VAT number;Outcome;"), "{semicolons}");
    assert!(
        semicolons.contains("\r\n2;2;IE6388047V;IE6388047V;Valid;'=Aran 100% Ltd;Pier Road;"),
        "{semicolons}"
    );
    assert!(semicolons.contains("\r\n7;7;'+12;'+12;Malformed;"), "{semicolons}");
    let numbers = |file: &str| numbers_of_file(file.as_bytes()).expect("numbers");
    assert_eq!(numbers(&semicolons), numbers(&commas));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_rows_that_are_older_than_their_lines_nothing_is_said() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let run = varied(&app, &team).await;
    let unknown = batch_row::ActiveModel { line: Set(None), ..Default::default() };
    batch_row::Entity::update_many().set(unknown).exec(&app.database.main).await.expect("updates");
    let rows = team.rows(&app, run).await;
    assert_eq!((rows[7].line, rows[7].same_as), (None, Some(FirstRow { place: 1, line: None })));
    let file = app.batch_checks.csv(team.account, run, Separator::Comma).await.expect("a file");
    assert!(file.contains("\r\n,2,IE6388047V,"), "{file}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_rows_go_in_and_come_out() {
    let app = TestApp::start().await;
    let team = Team::of(&app, "acme").await;
    let pasted: Vec<String> = (0..10_000).map(|place| super::number(place % 120)).collect();
    let begun = Instant::now();
    let run = team.start(&app, pasted.clone()).await;
    println!("10,000 rows went in within {:?}", begun.elapsed());
    let done = team.until_done(&app, run).await;
    println!("and were answered after {:?}", begun.elapsed());
    assert_eq!((done.counts.rows, done.counts.not_registered), (10_000, 10_000));
    assert_eq!(asked(&app.simulator).len(), 120);
    let mut seen = Vec::new();
    for offset in (0..10_000).step_by(2500) {
        let query = RowQuery { offset, limit: 2500, ..RowQuery::default() };
        let page = team.page(&app, run, &query).await;
        assert_eq!(page.total, 10_000);
        seen.extend(page.rows.into_iter().map(|row| row.submitted));
    }
    assert_eq!(seen, pasted);
    let page =
        RowQuery { search: "DE1".to_owned(), order: RowOrder::Outcome, limit: 50, ..RowQuery::default() };
    let begun = Instant::now();
    let found = team.page(&app, run, &page).await;
    println!("one page of a search took {:?}", begun.elapsed());
    assert_eq!((found.rows.len(), found.total), (50, 2500));
    let begun = Instant::now();
    let file = app.batch_checks.csv(team.account, run, Separator::Comma).await.expect("a file");
    println!("the file of {} bytes took {:?}", file.len(), begun.elapsed());
    assert_eq!(file.lines().count(), 10_001);
    assert!(file.len() < 5_000_000);
}
