// cargo add reqwest --features json
// cargo add serde_json
// cargo add tokio --features macros,rt-multi-thread

use std::{env, error::Error, time::Duration};

use reqwest::Client;
use serde_json::{Value, json};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let answer = Client::new()
        .post(env::var("CROSSVAT_URL")? + "/v1/verify-vat")
        .bearer_auth(env::var("CROSSVAT_KEY")?)
        .json(&json!({
            "vatNumbers": ["GB999910095", "de 999 991 005", "FR76999992001"],
        }))
        .timeout(Duration::from_secs(35))
        .send()
        .await?;

    let ok = answer.status().is_success();
    let body: Value = answer.json().await?;
    if !ok {
        // The code is stable; with a 503 "unresolved" says what to ask again.
        return Err(format!("{}: {}", body["code"], body["detail"]).into());
    }

    for result in body["results"].as_array().into_iter().flatten() {
        let text = |field: &str| result[field].as_str().unwrap_or("-");
        println!("{} {} {}", text("vatNumber"), text("status"), text("businessName"));
    }
    Ok(())
}
