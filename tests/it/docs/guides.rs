//! What guides and tables say, held against the code.

use std::{collections::BTreeSet, fs};

use crossvat::{
    config::Settings,
    registries::sandbox::{HMRC_CONSULTATION_NUMBER, NUMBERS, SandboxOutcome, VIES_CONSULTATION_NUMBER},
};
use vat::{AdviceCode, Prefix, Registry, ReverseCharge, Status, SupplierCountry, UnresolvedReason};

use super::{between, page};
use crate::support::{TestApp, plain};

/// The cells of every row of the tables of a guide, without marks of code; heads are left out.
fn rows(guide: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(format!("{}/docs/guides/{guide}.md", env!("CARGO_MANIFEST_DIR")))
        .expect("a guide");
    let mut rows = Vec::new();
    let mut in_body = false;
    for line in text.lines() {
        if !line.starts_with('|') {
            in_body = false;
        } else if line.starts_with("| ---") {
            in_body = true;
        } else if in_body {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', "")).collect();
            rows.push(cells);
        }
    }
    rows
}

#[test]
fn every_case_of_the_reverse_charge_is_decided_as_the_guide_says() {
    let rows = rows("reverse-charge");
    let mut reasons = BTreeSet::new();
    for row in &rows {
        let [case, customer, status, seller, eligible, reason] = row.as_slice() else { panic!("{row:?}") };
        let customer = Prefix::from_code(customer);
        assert!(customer.is_some(), "{case}");
        let status = Status::ALL.into_iter().find(|known| known.as_str() == status).expect("a status");
        let seller = (seller != "-").then(|| SupplierCountry::parse(seller).expect("a country"));
        let decided = ReverseCharge::decide(status, customer, seller);
        assert_eq!(
            (decided.as_str(), decided.eligible().to_string()),
            (reason.as_str(), eligible.clone()),
            "{case}"
        );
        reasons.insert(decided);
    }
    assert_eq!(reasons, ReverseCharge::ALL.into_iter().collect(), "every reason has a case");
}

#[test]
fn every_code_of_advice_and_every_reason_has_its_row() {
    let codes = |guide: &str| rows(guide).into_iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    let advice: Vec<_> = AdviceCode::ALL
        .iter()
        .filter(|code| !matches!(code, AdviceCode::Unresolved(_)))
        .map(|code| code.as_str().to_owned())
        .collect();
    assert_eq!(codes("check-digits"), advice);
    let reasons: Vec<_> = UnresolvedReason::ALL.iter().map(|reason| reason.as_str().to_owned()).collect();
    assert_eq!(codes("outages"), reasons);
}

#[test]
fn the_guide_to_routing_sends_every_prefix_to_its_registry() {
    for row in rows("routing") {
        let registry = match row[2].as_str() {
            "none" => continue,
            routing => [Registry::Hmrc, Registry::Vies].into_iter().find(|known| known.routing() == routing),
        };
        for code in row[0].split(' ') {
            assert_eq!(Prefix::from_code(code).map(Prefix::registry), registry, "{code}");
        }
    }
    let told: Vec<_> = rows("routing")
        .into_iter()
        .take(3)
        .flat_map(|row| row[0].split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(told.len(), Prefix::ALL.len());
}

#[test]
fn the_guide_to_data_names_every_time_that_is_set_and_every_cookie() {
    let rows = rows("data");
    let settings = Settings::gather(None, []).expect("defaults");
    let mut told = 0;
    for setting in settings.describe().filter(|setting| setting.starts_with("retention.")) {
        let (name, days) = setting.split_once(" = \"").expect("a value");
        let days = days.split('"').next().expect("its end");
        let times = if days == "1" { "1 day ".to_owned() } else { format!("{days} days") };
        let found: Vec<_> = rows.iter().filter(|row| row[1].contains(&format!("{name}: {times}"))).collect();
        assert_eq!(found.len(), 1, "{name}: {times}: {rows:?}");
        told += 1;
    }
    assert_eq!(told, rows.iter().filter(|row| row[1].contains("retention.")).count());
    let guide = crate::written::read("docs/guides/data.md");
    let sources =
        ["src/portal/mod.rs", "src/portal/unsent.rs", "src/portal/theme.rs"].map(crate::written::read);
    let cookies: BTreeSet<_> = sources
        .iter()
        .flat_map(|source| source.split('"').filter(|text| text.starts_with("__Host-")))
        .collect();
    let named: BTreeSet<_> = guide.split('`').filter(|text| text.starts_with("__Host-")).collect();
    assert_eq!((named.len(), named), (3, cookies));
}

#[tokio::test]
async fn the_sandbox_page_has_every_number_of_the_table() {
    let app = TestApp::start().await;
    let html = page(&app, "/docs/sandbox").await;
    let rows: Vec<_> = html.split("<tr").map(plain).collect();
    for entry in NUMBERS {
        let found: Vec<_> = rows.iter().filter(|row| row.contains(entry.number)).collect();
        let [row] = found.as_slice() else { panic!("{} stands in {found:?}", entry.number) };
        assert!(row.contains(&entry.says.replace('`', "")), "{row}");
        let word = match entry.outcome {
            SandboxOutcome::Registered(trader) | SandboxOutcome::RegisteredSlowly(trader) => {
                assert!(trader.is_none_or(|trader| row.contains(trader.name)), "{row}");
                Status::Valid
            }
            SandboxOutcome::NotRegistered | SandboxOutcome::RequesterRefused => Status::NotRegistered,
            SandboxOutcome::FormRefused => Status::Malformed,
            SandboxOutcome::Trouble(_) | SandboxOutcome::Deadline => Status::Unavailable,
        };
        assert!(row.contains(word.word()), "{row}");
    }
    let proofs = between(&html, "<section id=\"requesters\">", "</section>");
    assert!(proofs.contains(HMRC_CONSULTATION_NUMBER) && proofs.contains(VIES_CONSULTATION_NUMBER));
}

#[tokio::test]
async fn guides_say_what_is_set() {
    let app = TestApp::start().await;
    let limits = plain(&page(&app, "/docs/limits").await);
    let customer = app.customer("acme").await;
    let answer = customer.account().await;
    let requests = answer.body["limits"]["requestsPerMinute"].as_u64().expect("a number");
    let numbers = answer.body["limits"]["numbersPerMonth"].as_u64().expect("a number");
    assert!(
        limits.contains(&format!("{requests} requests a minute and {} numbers", grouped(numbers))),
        "{limits}"
    );
    let start = plain(&page(&app, "/").await);
    assert!(start.contains(&grouped(numbers)));
}

fn grouped(number: u64) -> String {
    format!("{},{:03}", number / 1000, number % 1000)
}
