//! An answer of the API, taken apart.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// Status, headers and JSON body.
#[derive(Clone, Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Value,
}

impl Answer {
    pub async fn of(request: reqwest::RequestBuilder) -> Self {
        Self::if_any(request).await.expect("an answer")
    }

    /// Of a server that may be gone before its answer is read to the end.
    pub async fn if_any(request: reqwest::RequestBuilder) -> reqwest::Result<Self> {
        let response = request.send().await?;
        let status = response.status().as_u16();
        let headers = response.headers().clone();
        let text = response.text().await?;
        let body = serde_json::from_str(&text).unwrap_or(Value::String(text));
        Ok(Self { status, headers, body })
    }

    /// Whether anything was said of the numbers: what an answer with results says is on record.
    pub fn is_acknowledged(&self) -> bool {
        self.status == 200 || self.body["code"] == "registry_unavailable"
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().expect("text"))
    }

    /// The results of a 200 or of a 503.
    pub fn results(&self) -> &[Value] {
        self.body["results"].as_array().unwrap_or_else(|| panic!("no results: {self:?}"))
    }

    /// The one result of a 200.
    #[track_caller]
    pub fn only_result(&self) -> &Value {
        assert_eq!(self.status, 200, "{self:?}");
        let [only] = self.results() else { panic!("not one result: {self:?}") };
        only
    }

    /// The one unresolved number of a 503, with the envelope that must go with it.
    #[track_caller]
    pub fn only_unresolved(&self) -> &Value {
        self.assert_problem(503, "registry_unavailable");
        assert!(
            self.header("retry-after").is_some_and(|seconds| seconds.parse::<u64>().is_ok_and(|s| s >= 1)),
            "{self:?}"
        );
        let [only] = self.body["unresolved"].as_array().expect("unresolved").as_slice() else {
            panic!("not one unresolved: {self:?}")
        };
        only
    }

    /// The codes of the advice of a result.
    pub fn advice_codes(result: &Value) -> Vec<&str> {
        result["advice"].as_array().map_or_else(Vec::new, |advice| {
            advice.iter().map(|item| item["code"].as_str().expect("a code")).collect()
        })
    }

    /// A problem body of this status and code, with everything such a body has.
    #[track_caller]
    pub fn assert_problem(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.body["code"].as_str()), (status, Some(code)), "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"));
        assert_eq!(self.header("cache-control"), Some("no-store"));
        assert_eq!(self.body["status"], status);
        assert_eq!(self.body["requestId"].as_str(), self.header("x-request-id"));
        assert!(
            self.body["type"].as_str().is_some_and(|at| at.ends_with(&format!("/docs/errors#{code}"))),
            "{self:?}"
        );
        for member in ["title", "detail"] {
            assert!(self.body[member].as_str().is_some_and(|text| !text.is_empty()), "{member}: {self:?}");
        }
    }

    /// Pointer and code of every fault of a 422.
    pub fn faults(&self) -> Vec<(&str, &str)> {
        self.body["errors"]
            .as_array()
            .expect("errors")
            .iter()
            .map(|fault| (fault["pointer"].as_str().expect("pointer"), fault["code"].as_str().expect("code")))
            .collect()
    }
}

/// What a reader sees of `html`.
pub fn plain(html: &str) -> String {
    let mut text = String::new();
    for part in html.split('<') {
        text.push_str(part.split_once('>').map_or(part, |(_, after)| after));
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

/// Where the link of a list's pager leads: `next` or `prev`, if there is one.
pub fn pager_link(page: &str, rel: &str) -> Option<String> {
    let (before, _) = page.split_once(&format!("\" rel=\"external {rel}\""))?;
    Some(before.rsplit_once("href=\"")?.1.replace("&amp;", "&"))
}
