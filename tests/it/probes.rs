//! What an operator's tools ask.

use crate::support::{Answer, Port, TestApp};

#[tokio::test]
async fn it_is_alive_and_ready_and_says_so_without_a_key() {
    let app = TestApp::start().await;
    for (path, said) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        let answer = Answer::of(app.http.get(app.url(path))).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, Some(said)), "{path}");
    }
}

#[tokio::test]
async fn metrics_are_on_a_listener_of_their_own() {
    let port = Port::free();
    let address = format!("127.0.0.1:{}", port.number());
    let app = TestApp::with().set("METRICS__BIND", &address).start().await;
    app.customer("acme").await.verify(&["DE136695976"]).await;
    let answer = Answer::of(app.http.get(format!("http://{address}/metrics"))).await;
    let text = answer.body.as_str().expect("text");
    for line in [
        r#"crossvat_requests_total{route="/v1/verify-vat",method="POST",status="200"} 1"#,
        r#"crossvat_lookups_total{prefix="DE",outcome="answered"} 1"#,
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    assert!(!text.contains("136695976"), "no number becomes a label");
    assert_eq!(Answer::of(app.http.get(app.url("/metrics"))).await.status, 404, "not on the public listener");
}
