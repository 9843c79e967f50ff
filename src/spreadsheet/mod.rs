//! CSV files as spreadsheets write and read them: bytes in whatever encoding become text, rows become a file that opens
//! right and cannot run anything. What the cells mean is others' business.

mod decode;
mod writer;

pub use self::{
    decode::{NotText, text_of},
    writer::{CsvWriter, Separator},
};
