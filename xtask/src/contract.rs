//! Checks of the API by generated input: requests made from the OpenAPI documents against a real server
//! (`cargo xtask schemathesis`), and expressions and statements against the engines that define them
//! (`cargo xtask oracles`). `cargo xtask test` does both with few cases and a fixed seed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Deserialize;

use crate::platform::{self, Keys};
use crate::process::{cargo, run, step};
use crate::{build, python};

/// What is checked of every answer. That a key is required is checked, too; see the hooks for its statuses.
const CHECKS: &str = "not_a_server_error,status_code_conformance,response_schema_conformance,content_type_conformance,ignored_auth";

/// The examples of the documents, then generated requests.
pub(crate) const PHASES: &str = "examples,fuzzing";

/// Also every bound, type and choice of every field by itself: thousands of requests.
const LONG_PHASES: &str = "examples,coverage,fuzzing";

/// At least this share of the requests must be answered 200: else the run only tests how things are refused.
const LEAST_SHARE_OF_SUCCESSES: f64 = 0.3;

#[derive(Args)]
pub(crate) struct SchemathesisOptions {
    /// The document; both if none is named
    #[arg(value_parser = ["v1", "v2"])]
    document: Vec<String>,
    /// Generated requests for each operation, besides those that the document's fields and examples give
    #[arg(long, default_value_t = 500)]
    examples: u32,
    /// Where the choice of requests starts from
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

#[derive(Args)]
pub(crate) struct OracleOptions {
    /// Generated cases of each kind
    #[arg(long, default_value_t = 5_000)]
    cases: u32,
    /// Where the choice of cases starts from
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

/// The long run by command. The server is the one built for development.
pub(crate) fn schemathesis(options: &SchemathesisOptions) -> Result<()> {
    let python = step("Python packages", environment)?;
    step("platform-sim", || {
        run(&mut cargo(&[
            "build",
            "--locked",
            "--quiet",
            "-p",
            "platform-sim",
        ]))
    })?;
    let documents: Vec<&str> = match options.document.as_slice() {
        [] => vec!["v1", "v2"],
        named => named.iter().map(String::as_str).collect(),
    };
    for document in documents {
        step(&format!("requests made from api-spec/{document}"), || {
            requests(&python, document, LONG_PHASES, options.examples, options.seed)
        })?;
    }
    Ok(())
}

/// The long run by command.
pub(crate) fn oracles(options: &OracleOptions) -> Result<()> {
    let python = step("Python packages", environment)?;
    for arguments in [
        &[
            "test",
            "--locked",
            "-p",
            "expressions",
            "--test",
            "suite",
            "oracle",
        ][..],
        &["test", "--locked", "-p", "platform-sim", "--lib", "oracle"],
    ] {
        run(require_oracles(&mut cargo(arguments), &python)
            .env("SIFTWREN_ORACLE_CASES", options.cases.to_string())
            .env("SIFTWREN_ORACLE_SEED", options.seed.to_string()))?;
    }
    Ok(())
}

/// The Python that has what the checks need.
pub(crate) fn environment() -> Result<PathBuf> {
    python::environment("checks", &folder().join("requirements.txt"))
}

/// Tests that ask an oracle fail where they cannot.
pub(crate) fn require_oracles<'a>(command: &'a mut Command, python: &Path) -> &'a mut Command {
    command
        .env("SIFTWREN_ORACLE_PYTHON", python)
        .env("SIFTWREN_REQUIRE_ORACLES", "1")
}

/// Requests made from a document, against a server of their own.
pub(crate) fn requests(python: &Path, document: &str, phases: &str, examples: u32, seed: u32) -> Result<()> {
    let scratch = crate::target().join("siftwren/schemathesis").join(document);
    if scratch.exists() {
        std::fs::remove_dir_all(&scratch).with_context(|| format!("cannot clear {}", scratch.display()))?;
    }
    std::fs::create_dir_all(&scratch)?;
    let data_dir = scratch.join("data");
    let report = scratch.join("report.json");
    let (_server, address) = platform::start_anywhere(&build::program("platform-sim"), &data_dir)?;
    let key = Keys::read(&data_dir)?.admin;
    let url = format!("http://{address}/v1");
    let mut command = Command::new(python.with_file_name("schemathesis"));
    command
        .args(["--no-color", "run"])
        .arg(crate::root().join(format!("api-spec/{document}/openapi.yaml")))
        .args(["--url", &url, "--header", &format!("x-api-key: {key}")])
        .args(["--checks", CHECKS, "--phases", phases])
        .args([
            "--max-examples",
            &examples.to_string(),
            "--seed",
            &seed.to_string(),
        ])
        .args([
            "--generation-database",
            "none",
            "--warnings",
            "off",
            "--continue-on-failure",
        ])
        .current_dir(&scratch)
        .env("PYTHONPATH", folder())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("SCHEMATHESIS_HOOKS", "hooks")
        .env("SIFTWREN_TEST_URL", &url)
        .env("SIFTWREN_TEST_KEY", &key)
        .env("SIFTWREN_TEST_DOCUMENT", document)
        .env("SIFTWREN_TEST_REPORT", &report);
    let outcome = run(&mut command);
    let counts = Counts::read(&report)?;
    println!("{}", counts.ledger_row(document, seed, outcome.is_ok()));
    outcome?;
    // Of the requests that try every bound and type of every field, most shall be refused.
    if phases == PHASES && counts.share_of_successes() < LEAST_SHARE_OF_SUCCESSES {
        bail!(
            "only {:.0} % of the requests were answered 200: the names in tests/schemathesis are not those of the data any more",
            100.0 * counts.share_of_successes()
        );
    }
    Ok(())
}

fn folder() -> PathBuf {
    crate::root().join("tests/schemathesis")
}

/// Requests by the status of their answer.
#[derive(Deserialize)]
struct Counts {
    statuses: BTreeMap<String, u64>,
}

impl Counts {
    fn read(report: &Path) -> Result<Counts> {
        let text = std::fs::read_to_string(report)
            .with_context(|| format!("schemathesis left no {}", report.display()))?;
        serde_json::from_str(&text).with_context(|| format!("{} is damaged", report.display()))
    }

    fn all(&self) -> u64 {
        self.statuses.values().sum()
    }

    fn share_of_successes(&self) -> f64 {
        let successes = self.statuses.get("200").copied().unwrap_or(0);
        successes as f64 / self.all().max(1) as f64
    }

    /// A row for `tests/LEDGER.md`, without the date and the commit.
    fn ledger_row(&self, document: &str, seed: u32, is_clean: bool) -> String {
        let statuses: Vec<String> = self
            .statuses
            .iter()
            .map(|(status, count)| format!("{count} × {status}"))
            .collect();
        format!(
            "| schemathesis {document} | {} requests, {:.0} % of them 200 ({}) | {seed} | {} |",
            self.all(),
            100.0 * self.share_of_successes(),
            statuses.join(", "),
            if is_clean { "0" } else { "see above" }
        )
    }
}

#[cfg(test)]
mod tests {
    use super::Counts;

    #[test]
    fn the_ledger_has_the_counts() {
        let counts: Counts =
            serde_json::from_str(r#"{"statuses": {"200": 6, "422": 12, "404": 2}, "operations": {}}"#)
                .expect("a report");
        assert_eq!(
            counts.ledger_row("v2", 7, true),
            "| schemathesis v2 | 20 requests, 30 % of them 200 (6 × 200, 2 × 404, 12 × 422) | 7 | 0 |"
        );
    }
}
