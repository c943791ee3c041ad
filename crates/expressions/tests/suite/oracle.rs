//! What DuckDB and Python's eval think of generated expressions.
//!
//! | variable | does |
//! |---|---|
//! | `SIFTWREN_ORACLE_CASES` | how many cases of each kind; 400 without it |
//! | `SIFTWREN_ORACLE_SEED` | where the generator begins; 1 without it |
//! | `SIFTWREN_ORACLE_PYTHON` | a Python that has duckdb, instead of an environment made for the tests |
//! | `SIFTWREN_REQUIRE_ORACLES` | set: an oracle that is not to be had is a failure, and not only a loud warning |

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expressions::data::Element;
use expressions::value::{Input, Model, Names};
use expressions::{Column, ErrorKind, Limits, Type};
use serde_json::{Map, Value};

use crate::table::{Cells, Item, LAYOUTS, Layout, Table, truths, with_columns};

const DUCKDB: &str = "duckdb==2.0.0";

#[test]
fn filters_mean_what_they_mean_to_duckdb() {
    let Some(python) = python_with_duckdb() else {
        return;
    };
    let Some(lines) = run(&python, "filter_oracle.py") else {
        return;
    };
    let mut table = Table::default();
    let (mut cases, mut rows, mut refused) = (0, 0, 0);
    let mut wrong = Vec::new();
    for line in lines {
        if let Some(columns) = line.get("columns").and_then(Value::as_object) {
            table.columns = columns
                .iter()
                .map(|(name, column)| (name.clone(), cells(column)))
                .collect();
        } else if let Some(filter) = line.get("filter").and_then(Value::as_str) {
            let expected: Vec<Option<bool>> = line["expected"]
                .as_array()
                .expect("a truth per row")
                .iter()
                .map(Value::as_bool)
                .collect();
            cases += 1;
            rows += expected.len();
            match truths(filter, &table, &Map::new()) {
                Ok(found) if found == expected => {}
                Ok(found) => {
                    let row = (0..expected.len()).find(|row| found[*row] != expected[*row]);
                    wrong.push(format!(
                        "{filter}\n  {}\n  row {row:?}: DuckDB {:?}, here {:?}\n  {}",
                        line["theirs"],
                        row.map(|row| expected[row]),
                        row.map(|row| found[row]),
                        row.map_or(String::new(), |row| describe(&table, row, filter)),
                    ));
                }
                // A constant that cannot be cast is a mistake to point out, and a NULL to DuckDB's TRY_CAST.
                Err(error) if error.kind() == ErrorKind::WrongValue && filter.contains("CAST(") => {
                    refused += 1
                }
                Err(error) => wrong.push(format!("{filter}\n  refused: {error}")),
            }
        }
    }
    assert!(refused * 20 < cases, "{refused} of {cases} filters were refused");
    report("filters against DuckDB", cases, rows, &wrong);
}

#[test]
fn value_models_mean_what_they_mean_to_python() {
    let Some(python) = any_python() else {
        return;
    };
    let Some(lines) = run(&python, "value_oracle.py") else {
        return;
    };
    let mut inputs: Vec<(String, Cells)> = Vec::new();
    let mut names = Names::default();
    let mut now = 0.0;
    let (mut cases, mut rows, mut skipped) = (0, 0, 0);
    let mut wrong = Vec::new();
    for line in lines {
        if let Some(columns) = line.get("inputs").and_then(Value::as_object) {
            inputs = columns
                .iter()
                .map(|(name, column)| (name.clone(), cells(column)))
                .collect();
            names = names_of(&inputs);
            now = line["now"].as_f64().expect("a time");
        } else if let Some(value) = line.get("value").and_then(Value::as_str) {
            let expected: Vec<Option<f64>> = line["expected"]
                .as_array()
                .expect("a number per row")
                .iter()
                .map(|number| number.as_str().map(|text| text.parse().expect("a float")))
                .collect();
            cases += 1;
            rows += expected.len();
            skipped += expected.iter().filter(|number| number.is_none()).count();
            let parsed = expressions::value::parse(value, &Limits::default());
            let model = match parsed.and_then(|parsed| parsed.bind(&names, &Map::new())) {
                Ok(model) => model,
                Err(error) => {
                    wrong.push(format!("{value}\n  refused: {error}"));
                    continue;
                }
            };
            let wanted: Vec<&Cells> = model
                .inputs()
                .iter()
                .map(|input| {
                    let name = match &input.input {
                        Input::Policy(name) => name.clone(),
                        _ => input.name(),
                    };
                    &inputs
                        .iter()
                        .find(|(known, _)| *known == name)
                        .expect("an input")
                        .1
                })
                .collect();
            if let Some(row) = depends_on_neighbours(&model, &wanted, expected.len(), now) {
                wrong.push(format!(
                    "{value}\n  row {row} has another value alone than among others"
                ));
            }
            for layout in LAYOUTS {
                let scores = with_columns(&wanted, layout, |columns| {
                    model.evaluate(columns, expected.len(), now)
                });
                let found = match scores {
                    Ok(scores) => scores.values,
                    Err(error) => {
                        wrong.push(format!("{value}\n  {error}"));
                        break;
                    }
                };
                let differing = (0..expected.len())
                    .find(|row| expected[*row].is_some_and(|expected| !near(expected, found[*row])));
                if let Some(row) = differing {
                    wrong.push(format!(
                        "{value}\n  row {row}, {layout:?}: Python {:?}, here {:?}\n  {}",
                        expected[row],
                        found[row],
                        describe(
                            &Table {
                                columns: inputs.clone()
                            },
                            row,
                            value
                        ),
                    ));
                    break;
                }
            }
        }
    }
    assert!(
        skipped * 5 < rows,
        "{skipped} of {rows} rows left 64 bits: the generator makes too few comparable cases"
    );
    report("value models against Python", cases, rows - skipped, &wrong);
}

/// A row whose value changes when nobody else is there.
fn depends_on_neighbours(model: &Model, cells: &[&Cells], rows: usize, now: f64) -> Option<u32> {
    with_columns(cells, Layout::Plain, |columns| {
        let together = model.evaluate(columns, rows, now).ok()?.values;
        (0..rows as u32).step_by(7).find(|row| {
            let at = [*row];
            let alone: Vec<Column<'_>> = columns.iter().map(|column| column.at_rows(&at)).collect();
            let value = model.evaluate(&alone, 1, now).map(|scores| scores.values[0]);
            value.map(f64::to_bits) != Ok(together[*row as usize].to_bits())
        })
    })
}

/// Libraries of functions differ in their last digits, and a sum may cancel all others.
fn near(expected: f64, found: f64) -> bool {
    expected == found || (expected - found).abs() <= 1e-9 * expected.abs().max(1e-3)
}

fn report(what: &str, cases: usize, rows: usize, wrong: &[String]) {
    shout(&format!(
        "{what}: {cases} cases, {rows} rows, seed {}, {} wrong",
        seed(),
        wrong.len()
    ));
    assert!(cases > 0, "{what}: the oracle made no cases");
    assert!(
        wrong.is_empty(),
        "{what}, seed {}: {} of {cases} are wrong\n{}",
        seed(),
        wrong.len(),
        wrong.iter().take(15).cloned().collect::<Vec<_>>().join("\n")
    );
}

fn seed() -> u64 {
    variable("SIFTWREN_ORACLE_SEED").unwrap_or(1)
}

fn variable(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Past the capture of the test runner, so that it is seen in a run that passes too.
fn shout(message: &str) {
    let _ = writeln!(std::io::stderr(), "{message}");
}

/// An oracle that is not to be had: a failure where it is required, otherwise words that nobody overlooks.
fn absent(reason: &str) {
    assert!(
        std::env::var_os("SIFTWREN_REQUIRE_ORACLES").is_none(),
        "the oracle is required and not to be had: {reason}"
    );
    shout(&format!(
        "\n*** NOT TESTED: {reason}. Set SIFTWREN_ORACLE_PYTHON to a Python that has duckdb. ***\n"
    ));
}

fn any_python() -> Option<PathBuf> {
    let python = std::env::var_os("SIFTWREN_ORACLE_PYTHON").map_or("python3".into(), PathBuf::from);
    if works(&python, "import math; math.cbrt") {
        return Some(python);
    }
    absent("value models against Python: there is no python3 of 3.11 or newer");
    None
}

fn python_with_duckdb() -> Option<PathBuf> {
    if let Some(python) = std::env::var_os("SIFTWREN_ORACLE_PYTHON").map(PathBuf::from) {
        if works(&python, "import duckdb") {
            return Some(python);
        }
        absent("filters against DuckDB: SIFTWREN_ORACLE_PYTHON has no duckdb");
        return None;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-python");
    let python = folder.join("bin/python");
    if works(&python, "import duckdb") {
        return Some(python);
    }
    let made = quiet(Command::new("python3").args(["-m", "venv"]).arg(&folder))
        && quiet(Command::new(&python).args(["-m", "pip", "install", "--quiet", DUCKDB]));
    if made && works(&python, "import duckdb") {
        return Some(python);
    }
    absent(&format!("filters against DuckDB: pip cannot install {DUCKDB}"));
    None
}

fn works(python: &Path, code: &str) -> bool {
    quiet(Command::new(python).args(["-c", code]))
}

fn quiet(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// The lines of an oracle.
fn run(python: &Path, script: &str) -> Option<Vec<Value>> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/oracles")
        .join(script);
    let cases = variable("SIFTWREN_ORACLE_CASES").unwrap_or(400);
    let output = Command::new(python)
        .arg(&script)
        .args(["--seed", &seed().to_string(), "--cases", &cases.to_string()])
        .stdin(Stdio::null())
        .output();
    match output {
        Ok(output) if output.status.success() => Some(
            String::from_utf8(output.stdout)
                .expect("the oracle prints UTF-8")
                .lines()
                .map(|line| serde_json::from_str(line).expect("the oracle prints JSON lines"))
                .collect(),
        ),
        Ok(output) => panic!(
            "{} failed: {}",
            script.display(),
            String::from_utf8_lossy(&output.stderr)
        ),
        Err(error) => {
            absent(&format!("{}: {error}", script.display()));
            None
        }
    }
}

fn cells(column: &Value) -> Cells {
    let values = column["values"].as_array().expect("values");
    let float = |value: &Value| value.as_str().map(|text| text.parse().expect("a float"));
    match column["type"].as_str().expect("a type") {
        "bool" => Cells::Bools(values.iter().map(Value::as_bool).collect()),
        "int" => Cells::Ints(values.iter().map(Value::as_i64).collect()),
        "time" => Cells::Times(values.iter().map(Value::as_i64).collect()),
        "float" => Cells::Floats(values.iter().map(float).collect()),
        "text" => Cells::Texts(
            values
                .iter()
                .map(|value| value.as_str().map(str::to_owned))
                .collect(),
        ),
        list => {
            let (element, item): (Element, fn(&Value) -> Option<Item>) = match list {
                "list int" => (Element::Int64, |value| value.as_i64().map(Item::Int)),
                "list float" => (Element::Float64, |value| {
                    value
                        .as_str()
                        .map(|text| Item::Float(text.parse().expect("a float")))
                }),
                "list text" => (Element::Utf8, |value| {
                    value.as_str().map(|text| Item::Text(text.to_owned()))
                }),
                other => panic!("the oracle has a column of {other}"),
            };
            let lists = values
                .iter()
                .map(|value| value.as_array().map(|items| items.iter().map(item).collect()))
                .collect();
            Cells::Lists(lists, element)
        }
    }
}

fn names_of(inputs: &[(String, Cells)]) -> Names {
    let mut names = Names {
        retrieve_steps: vec!["cf".to_owned(), "new".to_owned()],
        ..Names::default()
    };
    for (name, cells) in inputs {
        let column = |rest: &str| -> (String, Type) { (rest.to_owned(), cells.column_type()) };
        match name.split_once('.') {
            Some(("item", rest)) => names.item.push(column(rest)),
            Some(("user", rest)) => names.user.push(column(rest)),
            Some(_) => {}
            None => names.policies.push(name.clone()),
        }
    }
    names
}

/// The cells of a row that an expression names.
fn describe(table: &Table, row: usize, text: &str) -> String {
    table
        .columns
        .iter()
        .filter(|(name, _)| text.contains(name.as_str()))
        .map(|(name, cells)| {
            let cell = match cells {
                Cells::Bools(cells) => format!("{:?}", cells[row]),
                Cells::Ints(cells) | Cells::Times(cells) => format!("{:?}", cells[row]),
                Cells::Floats(cells) => format!("{:?}", cells[row]),
                Cells::Texts(cells) => format!("{:?}", cells[row]),
                Cells::Lists(cells, _) => format!("{:?}", cells[row]),
                Cells::Vectors(cells) => format!("{:?}", cells[row]),
            };
            format!("{name} = {cell}")
        })
        .collect::<Vec<_>>()
        .join(", ")
}
