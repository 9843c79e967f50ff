//! A CSV file as an answer.

use axum::{
    body::Body,
    http::header,
    response::{IntoResponse, Response},
};
use chrono::NaiveDate;

/// Answers with a file to be kept, named after its content and the day it was asked for.
pub(super) fn csv_file(content: &'static str, day: NaiveDate, body: Body) -> Response {
    let disposition = format!("attachment; filename=\"crossvat-{content}-{day}.csv\"");
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
        (header::CACHE_CONTROL, "no-store".to_owned()),
    ];
    (headers, body).into_response()
}
