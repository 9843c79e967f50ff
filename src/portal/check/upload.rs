//! What the form sends: fields and a file, as `multipart/form-data`. Too much is read to its end all the same, within
//! reason, since a browser shows no answer that comes before it has sent everything.

use std::mem;

use axum::extract::{
    Multipart,
    multipart::{Field, MultipartError},
};

/// Most bytes of numbers that are taken, pasted and in a file together.
pub(super) const MAX_BYTES: usize = 2 * 1024 * 1024;
/// Most bytes that are read, and thrown away when they are more than are taken.
pub(in super::super) const MAX_DRAINED: usize = 16 * 1024 * 1024;
/// Longest text of any other field.
const MAX_FIELD: usize = 200;

/// A form that arrived.
#[derive(Debug, Default)]
pub(super) struct Submitted {
    pub(super) token: String,
    pub(super) numbers: String,
    pub(super) file: Option<File>,
    pub(super) requester: String,
    pub(super) age: String,
    pub(super) supplier: String,
    /// What is to be done, when it is not a check: `read`.
    pub(super) deed: String,
    /// A suggestion that is to be taken.
    pub(super) suggestion: String,
    /// The field that held more than is taken. The form has nothing of it.
    pub(super) too_large: Option<&'static str>,
}

/// A file that was sent.
#[derive(Debug)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) content: Vec<u8>,
}

impl Submitted {
    /// Reads a form to its end.
    ///
    /// # Errors
    /// It breaks off, is none, or is larger than is read.
    pub(super) async fn read(mut form: Multipart) -> Result<Self, MultipartError> {
        let mut submitted = Self::default();
        let mut left = MAX_BYTES;
        while let Some(mut field) = form.next_field().await? {
            match field.name().map(str::to_owned).as_deref() {
                Some("numbers") => match content(&mut field, left).await? {
                    Some(content) => {
                        left -= content.len();
                        submitted.numbers = text(content);
                    }
                    None => submitted.too_large = Some("numbers"),
                },
                Some("file") => {
                    let name = field.file_name().unwrap_or_default().to_owned();
                    match content(&mut field, left).await? {
                        // Browsers send the field without a file too.
                        Some(content) if name.is_empty() && content.is_empty() => {}
                        Some(content) => {
                            left -= content.len();
                            submitted.file = Some(File { name, content });
                        }
                        None => submitted.too_large = Some("file"),
                    }
                }
                Some(name) => {
                    let place = match name {
                        "token" => &mut submitted.token,
                        "requester" => &mut submitted.requester,
                        "age" => &mut submitted.age,
                        "supplier" => &mut submitted.supplier,
                        "do" => &mut submitted.deed,
                        "use" => &mut submitted.suggestion,
                        _ => continue,
                    };
                    *place = text(content(&mut field, MAX_FIELD).await?.unwrap_or_default());
                }
                None => {}
            }
        }
        Ok(submitted)
    }
}

/// What a field holds, read to its end; `None` when it is more than `most` bytes.
async fn content(field: &mut Field<'_>, most: usize) -> Result<Option<Vec<u8>>, MultipartError> {
    let mut content = Vec::new();
    let mut fits = true;
    while let Some(chunk) = field.chunk().await? {
        fits = fits && content.len() + chunk.len() <= most;
        if fits {
            content.extend_from_slice(&chunk);
        } else {
            drop(mem::take(&mut content));
        }
    }
    Ok(fits.then_some(content))
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
