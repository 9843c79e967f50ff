//! Builds the files of the pages into the program when `CROSSVAT_EMBED_SITE` names the folder that holds them, as
//! `scripts/release.sh` does. Otherwise the program reads them when it starts.

use std::{
    env,
    error::Error,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
};

const FOLDER: &str = "CROSSVAT_EMBED_SITE";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed={FOLDER}");
    let mut list = String::from("&[\n");
    if let Some(folder) = variable(FOLDER).filter(|folder| !folder.as_os_str().is_empty()) {
        println!("cargo::rerun-if-changed={}", folder.display());
        let folder = folder.canonicalize()?;
        for path in files_below(&folder)? {
            let (name, path) = (path.strip_prefix(&folder)?.to_str(), path.to_str());
            let (name, path) = name.zip(path).ok_or("a file's name is no text")?;
            writeln!(list, "({name:?}, include_bytes!({path:?})),")?;
        }
    }
    list.push(']');
    let out = variable("OUT_DIR").ok_or("cargo says where to write")?;
    fs::write(out.join("built_in.rs"), list)?;
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "cargo tells build scripts by the environment")]
fn variable(name: &str) -> Option<PathBuf> {
    env::var_os(name).map(PathBuf::from)
}

fn files_below(folder: &Path) -> Result<Vec<PathBuf>, std::io::Error> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files_below(&path)?);
        } else {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
