//! The licences of everything that is compiled or bundled here: those that let others pass it on under MIT or Apache-2.0.
//!
//! What a package says of itself is believed: Cargo's metadata and npm's lock files have it, so that nothing is installed
//! or asked for.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use cargo_metadata::MetadataCommand;
use serde::Deserialize;
use spdx::{Expression, ParseMode};

/// SPDX identifiers: of code, where MPL-2.0 asks for changes to its own files alone, and then of data and texts.
const ALLOWED: [&str; 15] = [
    "0BSD",
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "ISC",
    "MIT",
    "MPL-2.0",
    "Python-2.0",
    "Unlicense",
    "Zlib",
    "CC0-1.0",
    "CC-BY-4.0",
    "CDLA-Permissive-2.0",
    "Unicode-3.0",
];

/// npm's lock files, from the root of the repository.
const NPM_LOCKS: [&str; 2] = ["site/package-lock.json", "tests/e2e/package-lock.json"];

/// Names every package whose licence is not one of ours.
pub(crate) fn licences() -> Result<()> {
    let mut problems = cargo_packages()?;
    for lock in NPM_LOCKS {
        let text = std::fs::read_to_string(crate::root().join(lock))
            .with_context(|| format!("cannot read {lock}"))?;
        let lock_file: Lock = serde_json::from_str(&text).with_context(|| format!("cannot read {lock}"))?;
        problems.extend(lock_file.problems(lock));
    }
    if !problems.is_empty() {
        bail!(
            "{} package(s) under a licence that xtask/src/licences.rs does not allow:\n{}",
            problems.len(),
            problems.join("\n")
        );
    }
    Ok(())
}

/// What is built on this machine. That of other systems would have to be fetched to be looked at.
fn cargo_packages() -> Result<Vec<String>> {
    let metadata = MetadataCommand::new()
        .manifest_path(crate::root().join("Cargo.toml"))
        .other_options(["--filter-platform".to_owned(), host()?])
        .exec()
        .context("cargo metadata failed")?;
    let resolved = metadata.resolve.context("cargo metadata resolves nothing")?;
    let packages = resolved.nodes.iter().map(|node| &node.id);
    let packages = packages.filter_map(|id| metadata.packages.iter().find(|package| package.id == *id));
    Ok(packages
        .filter(|package| package.source.is_some())
        .filter_map(|package| {
            problem(
                "Cargo.lock",
                &format!("{} {}", package.name, package.version),
                package.license.as_deref(),
            )
        })
        .collect())
}

/// The system that rustc builds for, such as `x86_64-unknown-linux-gnu`.
fn host() -> Result<String> {
    let output = std::process::Command::new("rustc")
        .arg("-vV")
        .output()
        .context("cannot run rustc")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc -vV names no host")?.to_owned())
}

/// The part of a `package-lock.json` that counts.
#[derive(Deserialize)]
struct Lock {
    packages: BTreeMap<String, Locked>,
}

#[derive(Deserialize)]
struct Locked {
    license: Option<String>,
}

impl Lock {
    fn problems(&self, file: &str) -> Vec<String> {
        let installed = self.packages.iter().filter(|(path, _)| !path.is_empty());
        installed
            .filter_map(|(path, package)| problem(file, path, package.license.as_deref()))
            .collect()
    }
}

fn problem(file: &str, package: &str, licence: Option<&str>) -> Option<String> {
    match licence {
        Some(licence) if is_allowed(licence) => None,
        Some(licence) => Some(format!("{file}: {package} is under {licence}")),
        None => Some(format!("{file}: {package} names no licence")),
    }
}

/// Whether one can choose licences of ours from an SPDX expression, or from what older packages write (`MIT/Apache-2.0`).
fn is_allowed(expression: &str) -> bool {
    let expression = Expression::parse_mode(expression, ParseMode::LAX);
    expression.is_ok_and(|expression| {
        expression.evaluate(|licence| {
            let id = licence.license.id();
            id.is_some_and(|id| ALLOWED.contains(&id.name))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_allowed_choice_suffices_and_all_parts_of_it_are_needed() {
        for allowed in [
            "MIT",
            "MIT/GPL-3.0",
            "GPL-3.0 OR Apache-2.0 WITH LLVM-exception",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "GPL-3.0 AND MIT OR ISC",
        ] {
            assert!(is_allowed(allowed), "{allowed}");
        }
        for refused in [
            "GPL-3.0",
            "MIT AND GPL-3.0",
            "(MIT OR ISC) AND (GPL-3.0 OR AGPL-3.0)",
            "MIT OR",
            "(MIT",
            "",
            "SEE LICENSE IN x",
        ] {
            assert!(!is_allowed(refused), "{refused}");
        }
    }

    #[test]
    fn a_package_is_named_with_its_licence_or_that_it_has_none() {
        let lock: Lock = serde_json::from_str(
            r#"{"packages": {"": {}, "node_modules/a": {"license": "MIT"},
                "node_modules/b": {"license": "AGPL-3.0"}, "node_modules/c": {}}}"#,
        )
        .unwrap();
        assert_eq!(
            lock.problems("package-lock.json"),
            [
                "package-lock.json: node_modules/b is under AGPL-3.0",
                "package-lock.json: node_modules/c names no licence",
            ]
        );
    }
}
