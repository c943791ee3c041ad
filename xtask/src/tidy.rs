//! What no compiler checks: which of our crates may know which, and texts that must not be in the repository.

use std::path::Path;

use anyhow::{Context, Result, bail};
use cargo_metadata::{DependencyKind, MetadataCommand};

/// Every edge between our own crates: `(who, knows whom)`. A new row is a decision, see ARCHITECTURE.md.
const EDGES: [(&str, &str); 7] = [
    ("indexer", "search-core"),
    ("platform-sim", "expressions"),
    ("platform-sim", "recsys"),
    ("platform-sim", "search-core"),
    ("relevance", "indexer"),
    ("relevance", "search-core"),
    ("wasm-core", "search-core"),
];

/// The package of cross-component tests may know every crate; nothing may know it.
const TESTS: &str = "siftwren-tests";

/// Places where text is written by us and read by others.
const TEXTS: [&str; 20] = [
    ".cargo",
    ".ci",
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "Cargo.toml",
    "api-spec",
    "clients",
    "content",
    "docs",
    "crates",
    "indexer",
    "platform-sim",
    "preview",
    "relevance",
    "site",
    "siftwren.toml",
    "tests",
    "wasm-core",
];

pub(crate) fn tidy() -> Result<()> {
    let mut problems = edges()?;
    problems.extend(unsaid_words()?);
    for place in TEXTS {
        let walk = walkdir::WalkDir::new(crate::root().join(place))
            .sort_by_file_name()
            .into_iter();
        let is_ours = |name: &std::ffi::OsStr| name != "node_modules" && name != "target";
        for entry in walk.filter_entry(|entry| is_ours(entry.file_name())) {
            let entry = entry.with_context(|| format!("cannot read {place}"))?;
            // Only texts are of interest: binary files are not UTF-8.
            if entry.file_type().is_file()
                && let Ok(text) = String::from_utf8(std::fs::read(entry.path())?)
            {
                problems.extend(text_problems(entry.path(), &text));
            }
        }
    }
    if !problems.is_empty() {
        bail!("{} problem(s):\n{}", problems.len(), problems.join("\n"));
    }
    Ok(())
}

fn edges() -> Result<Vec<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(crate::root().join("Cargo.toml"))
        .no_deps()
        .exec()
        .context("cargo metadata failed")?;
    let ours: Vec<&str> = metadata
        .packages
        .iter()
        .map(|package| package.name.as_str())
        .collect();
    let mut problems = Vec::new();
    let mut unused = EDGES.to_vec();
    for package in &metadata.packages {
        for dependency in &package.dependencies {
            let (from, to) = (package.name.as_str(), dependency.name.as_str());
            unused.retain(|edge| *edge != (from, to));
            let allowed = EDGES.contains(&(from, to)) || from == TESTS || from == to;
            if ours.contains(&to) && (!allowed || to == TESTS) && dependency.kind != DependencyKind::Build {
                problems.push(format!(
                    "{from} depends on {to}: no such edge in xtask/src/tidy.rs"
                ));
            }
        }
    }
    problems.extend(unused.iter().map(|(from, to)| {
        format!("xtask/src/tidy.rs has an edge from {from} to {to}, which no longer depends on it")
    }));
    Ok(problems)
}

/// The words of the site, as the code names them, and where the code is that says them.
const WORDS: &str = "indexer/words/en.json";
const SAID_IN: [&str; 2] = ["site/src", "indexer/src"];

/// Words that are translated into every language and said nowhere.
fn unsaid_words() -> Result<Vec<String>> {
    let root = crate::root();
    let words = std::fs::read(root.join(WORDS)).with_context(|| format!("cannot read {WORDS}"))?;
    let words: std::collections::BTreeMap<String, String> = serde_json::from_slice(&words)?;
    let mut code = String::new();
    for place in SAID_IN {
        for entry in walkdir::WalkDir::new(root.join(place)) {
            let path = entry.with_context(|| format!("cannot read {place}"))?.into_path();
            let name = path.to_string_lossy();
            let is_code = [".ts", ".tsx", ".rs"].iter().any(|end| name.ends_with(end));
            if is_code && !name.contains(".test.") {
                code.push_str(&std::fs::read_to_string(&path)?);
            }
        }
    }
    let unsaid = words.keys().filter(|word| {
        !['\'', '"']
            .iter()
            .any(|quote| code.contains(&format!("{quote}{word}{quote}")))
    });
    Ok(unsaid
        .map(|word| format!("{WORDS}: nothing says `{word}`; remove it here and from the files beside it"))
        .collect())
}

/// Absolute paths of one machine; keys that look real.
fn text_problems(path: &Path, text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let mut report = |what: &str| problems.push(format!("{}:{}: {what}", path.display(), index + 1));
        for folder in ["/root/", "/home/", "/work/", "/Users/"] {
            // Not a part of a relative path such as `features/home/`.
            if line.split(folder).next().is_some_and(|before| {
                before.len() < line.len() && !before.ends_with(|last: char| last.is_alphanumeric())
            }) {
                report(&format!("'{folder}…' is a path of one machine"));
            }
        }
        if path.extension().is_some_and(|extension| extension == "md") && has_literal_key(line) {
            report("this looks like an API key: write $SIFTWREN_API_KEY");
        }
    }
    problems
}

/// Forty letters and digits in a row, mixed, as API keys are; digests in hexadecimal are not meant.
fn has_literal_key(line: &str) -> bool {
    line.split(|character: char| !character.is_ascii_alphanumeric())
        .any(|word| {
            word.len() == 40
                && word.bytes().any(|byte| byte.is_ascii_digit())
                && word
                    .bytes()
                    .any(|byte| byte.is_ascii_alphabetic() && !byte.is_ascii_hexdigit())
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_paths_and_keys_are_found_with_their_line() {
        let key = "a1B2".repeat(9) + "zz9Y";
        let home = "/home";
        let text = format!(
            "features{home}/View\nsee {home}/me/x\nkey {key}\n0123456789abcdef0123456789abcdef01234567"
        );
        let found = text_problems(Path::new("page.md"), &text);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(
            found[0].starts_with("page.md:2:") && found[1].starts_with("page.md:3:"),
            "{found:?}"
        );
    }
}
