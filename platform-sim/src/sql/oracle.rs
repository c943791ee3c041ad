//! What DuckDB answers to generated statements, against what transforms get: rows come in as an insert brings them, lie
//! in row files, and are read by the engine as a worker sets it up.
//!
//! | variable | does |
//! |---|---|
//! | `SIFTWREN_ORACLE_CASES` | how many statements; 400 without it |
//! | `SIFTWREN_ORACLE_SEED` | where the generator begins; 1 without it |
//! | `SIFTWREN_ORACLE_PYTHON` | a Python that has duckdb; `python3` without it |
//! | `SIFTWREN_REQUIRE_ORACLES` | set: an oracle that is not to be had is a failure, and not only a loud warning |

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use datafusion::arrow::ipc::reader::FileReader;
use serde_json::{Map, Value};

use super::worker::{Session, run_statement};
use super::{Relation, Rows, SqlLimits, Statement, Tables};
use crate::service::domain::{Column, Schema, ValueType};
use crate::service::rows;
use crate::store::parquet::BatchFile;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/oracles/sql_oracle.py");

#[test]
fn statements_mean_what_they_mean_to_duckdb() {
    let Some(lines) = lines() else { return };
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let session = Session::new(&SqlLimits::default()).unwrap();
    let scratch = tempfile::tempdir().unwrap();
    let mut tables = Tables::default();
    let (mut cases, mut compared) = (0, 0);
    let mut wrong = Vec::new();
    for line in lines {
        if let Some(found) = line["tables"].as_object() {
            tables = stored(found, scratch.path());
            continue;
        }
        let sql = line["sql"].as_str().unwrap();
        let expected = line["rows"].as_array().unwrap();
        let ordered = line["ordered"] == true;
        cases += 1;
        compared += expected.len();
        let answer = runtime.block_on(answer(&session, &tables, sql, scratch.path()));
        match answer {
            Ok(found) => {
                let (found, expected) = (comparable(&found, ordered), comparable(expected, ordered));
                if found != expected {
                    wrong.push(format!(
                        "{sql}\n  DuckDB {}\n  here   {}",
                        expected.join(" "),
                        found.join(" ")
                    ));
                }
            }
            Err(error) => wrong.push(format!("{sql}\n  refused: {error}")),
        }
    }
    let seed = variable("SIFTWREN_ORACLE_SEED").unwrap_or(1);
    shout(&format!(
        "statements against DuckDB: {cases} cases, {compared} rows, seed {seed}, {} wrong",
        wrong.len()
    ));
    assert!(cases > 0, "the oracle made no cases");
    assert!(
        wrong.is_empty(),
        "seed {seed}: {} of {cases} are wrong\n{}",
        wrong.len(),
        wrong.iter().take(15).cloned().collect::<Vec<_>>().join("\n")
    );
}

/// Tables as datasets have them.
fn stored(tables: &Map<String, Value>, folder: &Path) -> Tables {
    let mut stored = Tables::default();
    for (name, table) in tables {
        let columns = table["columns"].as_object().unwrap();
        let schema = Schema {
            declared: true,
            columns: columns
                .iter()
                .map(|(name, value_type)| Column {
                    name: name.clone(),
                    value_type: ValueType::ALL
                        .into_iter()
                        .find(|known| known.name() == value_type)
                        .unwrap(),
                })
                .collect(),
        };
        let inserted: Vec<rows::Row> = serde_json::from_value(table["rows"].clone()).unwrap();
        // In two files, as two inserts leave them.
        let files = inserted
            .chunks(inserted.len().div_ceil(2).max(1))
            .enumerate()
            .map(|(index, part)| {
                let path = folder.join(format!("{name}-{index}.parquet"));
                let mut file = BatchFile::create(&path, &schema).unwrap();
                file.write(&rows::encode(&schema, &[], part).unwrap()).unwrap();
                file.finish().unwrap();
                path
            })
            .collect();
        let unique_keys = Vec::new();
        stored.add(
            name,
            Relation {
                schema,
                rows: Rows::Files { files, unique_keys },
            },
        );
    }
    stored
}

async fn answer(
    session: &Session,
    tables: &Tables,
    sql: &str,
    folder: &Path,
) -> Result<Vec<Value>, anyhow::Error> {
    let output = folder.join("answer.arrow");
    let statement = Statement::new(sql, Some(output.clone())).map_err(anyhow::Error::msg)?;
    let context = session.context(tables).await?;
    run_statement(&context, &statement, &tables.names, &mut Vec::new()).await?;
    let mut found = Vec::new();
    for batch in FileReader::try_new(File::open(&output)?, None)? {
        let batch = batch?;
        let schema = batch.schema();
        for row in 0..batch.num_rows() {
            let cells = schema.fields().iter().zip(batch.columns());
            found.push(
                cells
                    .map(|(field, column)| rows::cell(field, column, row))
                    .collect(),
            );
        }
    }
    Ok(found)
}

/// Rows as texts: numbers without regard to their type and their last digits, in an order of their own where the
/// statement has none.
fn comparable(rows: &[Value], ordered: bool) -> Vec<String> {
    let mut texts: Vec<String> = rows
        .iter()
        .map(|row| {
            let cells = row.as_array().unwrap().iter().map(|cell| match cell.as_f64() {
                // No minus zero.
                Some(number) => format!("{:.9e}", number + 0.0),
                None => cell.to_string(),
            });
            format!("({})", cells.collect::<Vec<_>>().join(", "))
        })
        .collect();
    if !ordered {
        texts.sort();
    }
    texts
}

fn lines() -> Option<Vec<Value>> {
    let python = std::env::var_os("SIFTWREN_ORACLE_PYTHON").unwrap_or_else(|| "python3".into());
    let has_duckdb = Command::new(&python)
        .args(["-c", "import duckdb"])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !has_duckdb {
        let absent =
            "statements against DuckDB: no Python has duckdb; set SIFTWREN_ORACLE_PYTHON to one that has";
        assert!(
            std::env::var_os("SIFTWREN_REQUIRE_ORACLES").is_none(),
            "the oracle is required and not to be had: {absent}"
        );
        shout(&format!("\n*** NOT TESTED: {absent} ***\n"));
        return None;
    }
    let cases = variable("SIFTWREN_ORACLE_CASES").unwrap_or(400);
    let seed = variable("SIFTWREN_ORACLE_SEED").unwrap_or(1);
    let output = Command::new(&python)
        .arg(SCRIPT)
        .args(["--seed", &seed.to_string(), "--cases", &cases.to_string()])
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{SCRIPT} failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let text = String::from_utf8(output.stdout).unwrap();
    Some(
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
    )
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Past the capture of the test runner, so that it is seen in a run that passes too.
fn shout(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}
