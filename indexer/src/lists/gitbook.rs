//! `.gitbook.yaml` of GitBook, as far as it says what leads from old addresses to pages. The order of these stands in `SUMMARY.md`.

use std::path::Path;

use super::Found;
use crate::config::Origin;
use crate::diagnostic::{Diagnostic, Severity};
use crate::redirects::Moved;
use crate::source::{ReadError, Source, read_file};
use crate::yaml::{self, Value, Yaml};

pub(super) const FILES: [&str; 1] = [".gitbook.yaml"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for file in super::above(content, &FILES)? {
        let (source, mut problems) = read_file(&file)?;
        let folder = file.parent().unwrap_or(Path::new(""));
        let mut value = |key: &str| {
            yaml::value(&source, key).unwrap_or_else(|wrong| {
                problems.extend(wrong.into_iter().map(|problem| left_out(key, problem)));
                Yaml {
                    at: 0,
                    value: Value::Null,
                }
            })
        };
        let root = value("root");
        if !super::is_same_folder(&folder.join(root.as_text().unwrap_or(".")), content) {
            continue;
        }
        let redirects = value("redirects");
        let found = Found {
            files: vec![file],
            origin: Origin {
                redirects: redirects_of(&redirects, &source, &mut problems),
                ..Origin::default()
            },
            ..Found::default()
        };
        return Ok(Some((found, problems)));
    }
    Ok(None)
}

/// What each old address leads to: the path of a file from the root of the pages, or an address.
fn redirects_of(table: &Yaml, source: &Source, problems: &mut Vec<Diagnostic>) -> Vec<Moved> {
    let mut redirects = Vec::new();
    if !matches!(table.value, Value::Table(_) | Value::Null) {
        let message = format!(
            "`redirects` is left out: it takes old addresses with the files that they lead to, such as `help: support.md`, not {}",
            table.kind()
        );
        problems.push(Diagnostic::warning(source, table.at, message));
    }
    for entry in table.entries() {
        match entry.value.as_text() {
            Some(to) => redirects.push(Moved::new(&entry.key, to, (source, entry.at))),
            None => {
                let message = format!(
                    "this is left out: an old address takes the file that it leads to, such as `support.md`, not {}",
                    entry.value.kind()
                );
                problems.push(Diagnostic::warning(source, entry.value.at, message));
            }
        }
    }
    redirects
}

fn left_out(key: &str, problem: Diagnostic) -> Diagnostic {
    Diagnostic {
        severity: Severity::Warning,
        message: format!("`{key}` is left out: {}", problem.message),
        ..problem
    }
}
