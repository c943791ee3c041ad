//! CSV, NDJSON and Parquet files of this machine.
//!
//! Only files below one folder are read, the one that the server was started with; a path or a link that leads out
//! of it is an error. Rows pass through the same rules as inserted ones, so a value means the same wherever it came
//! from. A file is read in batches, never held whole.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use datafusion::arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_null_array};
use datafusion::arrow::compute::cast;
use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use serde_json::Value;

use super::{Connector, ConnectorSpec, Delivery, SourceError};
use crate::service::domain::{Column, Schema, ValueType};
use crate::service::rows::{self, Guess, Row, arrow_schema, plain_type, value_type};

pub(crate) static SPEC: ConnectorSpec = ConnectorSpec {
    id: "File",
    delivery: Delivery::ReadWhole,
};

/// Rows that are turned into columns at a time.
const BATCH_ROWS: usize = 8192;

/// The longest line of a text file, in bytes: as much as a body may have.
const MAX_LINE_BYTES: usize = 16 << 20;

/// The most days that a path stands for.
pub(crate) const MAX_DAY_LOOKBACK: i64 = 3650;

/// Files of one source, found and allowed.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<(PathBuf, Format)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// Values apart by this byte; the first line names the columns.
    Separated(u8),
    /// One JSON object a line.
    Lines,
    Parquet,
}

impl Files {
    /// The files that `path` means: one, or all of a folder. In `path`, `%Y`, `%m` and `%d` stand for the year, month
    /// and day of `today` and of the `day_lookback` days before it, and a day without its file is passed over.
    pub(crate) fn find(
        folder: Option<&Path>,
        path: &str,
        day_lookback: i64,
        today: chrono::NaiveDate,
    ) -> Result<Files, SourceError> {
        let folder = folder.ok_or_else(|| {
            owner("this server reads no files: start it with --files-dir DIR and put them there")
        })?;
        let root = std::fs::canonicalize(folder)
            .map_err(|error| anyhow::anyhow!("cannot find the folder {}: {error}", folder.display()))?;
        let dated = path.contains('%');
        if day_lookback > 0 && !dated {
            return Err(owner(format!(
                "day_lookback needs a path with a day in it, such as events-%Y-%m-%d.csv, and '{path}' has none"
            )));
        }
        let mut files = Vec::new();
        // Oldest first: of rows with one key the newest shall come last.
        for back in (0..=day_lookback.clamp(0, MAX_DAY_LOOKBACK)).rev() {
            let day = today - chrono::Duration::days(back);
            let day_path = on_day(path, day)?;
            match allowed(folder, &root, &day_path)? {
                Some(found) => add(&mut files, &found, &day_path)?,
                None if dated => {}
                None => {
                    return Err(owner(format!(
                        "there is no file '{path}' in the server's folder of files"
                    )));
                }
            }
        }
        if files.is_empty() {
            return Err(owner(format!(
                "there is no file for '{path}' in the server's folder of files, today or {day_lookback} days back"
            )));
        }
        Ok(Files { files })
    }
}

fn owner(message: impl Into<String>) -> SourceError {
    SourceError::Owner(message.into())
}

fn on_day(path: &str, day: chrono::NaiveDate) -> Result<String, SourceError> {
    let mut dated = String::with_capacity(path.len());
    let mut characters = path.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            dated.push(character);
            continue;
        }
        dated += &match characters.next() {
            Some('Y') => day.format("%Y").to_string(),
            Some('m') => day.format("%m").to_string(),
            Some('d') => day.format("%d").to_string(),
            _ => {
                return Err(owner(format!(
                    "in '{path}' a % must be followed by Y, m or d, for the year, month or day"
                )));
            }
        };
    }
    Ok(dated)
}

/// Where a path leads, if anything is there and the path stays below the folder; `root` is the folder without links.
fn allowed(folder: &Path, root: &Path, path: &str) -> Result<Option<PathBuf>, SourceError> {
    let outside = || {
        owner(format!(
            "'{path}' is not below the server's folder of files; give a path relative to it"
        ))
    };
    if path.is_empty() || path.contains('\0') {
        return Err(owner("a path must not be empty"));
    }
    let given = Path::new(path);
    // Told from the text alone, so that an answer says nothing about files outside.
    let relative = if given.is_absolute() {
        given
            .strip_prefix(root)
            .or_else(|_| given.strip_prefix(folder))
            .map_err(|_| outside())?
    } else {
        given
    };
    if relative
        .components()
        .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
    {
        return Err(outside());
    }
    let found = match std::fs::canonicalize(root.join(relative)) {
        Ok(found) => found,
        Err(error)
            if matches!(
                error.kind(),
                std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(owner(format!("'{path}' cannot be read: {}", error.kind()))),
    };
    if !found.starts_with(root) {
        return Err(owner(format!(
            "'{path}' leads out of the server's folder of files by a symbolic link"
        )));
    }
    Ok(Some(found))
}

fn add(files: &mut Vec<(PathBuf, Format)>, found: &Path, shown: &str) -> Result<(), SourceError> {
    let metadata = std::fs::metadata(found)
        .map_err(|error| owner(format!("'{shown}' cannot be read: {}", error.kind())))?;
    if metadata.is_file() {
        let format = format_of(found).ok_or_else(|| {
            owner(format!(
                "'{shown}' has no ending that says its format: .csv, .tsv, .ndjson, .jsonl or .parquet"
            ))
        })?;
        files.push((found.to_owned(), format));
        return Ok(());
    }
    if !metadata.is_dir() {
        return Err(owner(format!("'{shown}' is neither a file nor a folder")));
    }
    let entries = std::fs::read_dir(found)
        .map_err(|error| owner(format!("'{shown}' cannot be read: {}", error.kind())))?;
    let mut inside = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| SourceError::Internal(error.into()))?;
        // The entry itself, not what a link in the folder points to.
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if let Some(format) = format_of(&entry.path()).filter(|_| is_file) {
            inside.push((entry.path(), format));
        }
    }
    if inside.is_empty() {
        return Err(owner(format!(
            "the folder '{shown}' has no file that ends in .csv, .tsv, .ndjson, .jsonl or .parquet"
        )));
    }
    inside.sort_by(|(a, _), (b, _)| a.cmp(b));
    files.extend(inside);
    Ok(())
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "csv" => Some(Format::Separated(b',')),
        "tsv" => Some(Format::Separated(b'\t')),
        "ndjson" | "jsonl" => Some(Format::Lines),
        "parquet" => Some(Format::Parquet),
        _ => None,
    }
}

impl Connector for Files {
    fn check(&self) -> Result<(), SourceError> {
        self.files.iter().try_for_each(|(path, _)| open(path).map(drop))
    }

    fn discover(&self) -> Result<Schema, SourceError> {
        let mut columns = Columns::default();
        for (path, format) in &self.files {
            match format {
                Format::Separated(separator) => columns.of_separated(path, *separator)?,
                Format::Lines => lines(path, &mut |_, row| {
                    columns.of_row(row);
                    Ok(())
                })?,
                Format::Parquet => columns.of_parquet(path)?,
            }
        }
        columns.schema()
    }

    fn read(
        &self,
        schema: &Schema,
        sink: &mut dyn FnMut(RecordBatch) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        for (path, format) in &self.files {
            match format {
                Format::Parquet => read_parquet(path, schema, sink)?,
                Format::Lines => {
                    let mut batch = Batch::new(path, schema, sink);
                    lines(path, &mut |line, row| batch.push(line, row.clone()))?;
                    batch.flush()?;
                }
                Format::Separated(separator) => {
                    let mut batch = Batch::new(path, schema, sink);
                    separated(path, *separator, &mut |line, names, record| {
                        let mut row = Row::new();
                        for (name, text) in names.iter().zip(record) {
                            let column = schema.column(name);
                            if let Some(value) = column.and_then(|column| text_value(text, column.value_type))
                            {
                                row.insert(name.clone(), value);
                            }
                        }
                        batch.push(line, row)
                    })?;
                    batch.flush()?;
                }
            }
        }
        Ok(())
    }
}

/// Rows of a text file on their way into columns.
struct Batch<'a> {
    path: &'a Path,
    schema: &'a Schema,
    sink: &'a mut dyn FnMut(RecordBatch) -> Result<(), SourceError>,
    rows: Vec<Row>,
    lines: Vec<u64>,
}

impl<'a> Batch<'a> {
    fn new(
        path: &'a Path,
        schema: &'a Schema,
        sink: &'a mut dyn FnMut(RecordBatch) -> Result<(), SourceError>,
    ) -> Batch<'a> {
        Batch {
            path,
            schema,
            sink,
            rows: Vec::with_capacity(BATCH_ROWS),
            lines: Vec::with_capacity(BATCH_ROWS),
        }
    }

    fn push(&mut self, line: u64, row: Row) -> Result<(), SourceError> {
        self.rows.push(row);
        self.lines.push(line);
        if self.rows.len() < BATCH_ROWS {
            return Ok(());
        }
        self.flush()
    }

    fn flush(&mut self) -> Result<(), SourceError> {
        let encoded = rows::encode(self.schema, &[], &self.rows).map_err(|violations| {
            let first = violations.into_iter().next();
            let message = first
                .as_ref()
                .map_or("a row does not fit", |first| first.message.as_str());
            let line = first.as_ref().and_then(|first| match first.place {
                crate::service::failure::Place::Cell { row, .. } => self.lines.get(row).copied(),
                _ => None,
            });
            at(self.path, line.unwrap_or(0), message)
        })?;
        self.rows.clear();
        self.lines.clear();
        (self.sink)(encoded)
    }
}

/// The columns of a source as they show themselves.
#[derive(Default)]
struct Columns {
    columns: Vec<(String, Seen)>,
}

enum Seen {
    /// Of JSON values.
    Values(Guess),
    /// Of texts: which types all of them read as.
    Texts { any: bool, possible: Vec<ValueType> },
    /// Of a file that says its types itself.
    Declared(ValueType),
}

impl Columns {
    fn seen(&mut self, name: &str, new: impl FnOnce() -> Seen) -> &mut Seen {
        let index = match self.columns.iter().position(|(known, _)| known == name) {
            Some(index) => index,
            None => {
                self.columns.push((name.to_owned(), new()));
                self.columns.len() - 1
            }
        };
        &mut self.columns[index].1
    }

    fn of_row(&mut self, row: &Row) {
        for (name, value) in row {
            match self.seen(name, || Seen::Values(Guess::default())) {
                Seen::Values(guess) => guess.see(value),
                Seen::Texts { possible, .. } => possible.clear(),
                Seen::Declared(_) => {}
            }
        }
    }

    fn of_separated(&mut self, path: &Path, separator: u8) -> Result<(), SourceError> {
        let new = || Seen::Texts {
            any: false,
            possible: TEXT_TYPES.to_vec(),
        };
        let mut header: Vec<String> = Vec::new();
        separated(path, separator, &mut |_, names, record| {
            if header.is_empty() {
                header = names.to_vec();
            }
            for (name, text) in names.iter().zip(record) {
                match self.seen(name, new) {
                    Seen::Texts { any, possible } if !text.is_empty() => {
                        *any = true;
                        possible.retain(|value_type| text_value(text, *value_type).is_some());
                    }
                    Seen::Values(guess) if !text.is_empty() => guess.see(&Value::from(text)),
                    _ => {}
                }
            }
            Ok(())
        })
    }

    fn of_parquet(&mut self, path: &Path) -> Result<(), SourceError> {
        let reader = parquet(path)?;
        for field in reader.schema().fields() {
            if field.data_type().is_nested()
                && !matches!(field.data_type(), DataType::List(_) | DataType::LargeList(_))
            {
                return Err(at(
                    path,
                    0,
                    &format!(
                        "the column '{}' has the type {}, which is not read",
                        field.name(),
                        field.data_type()
                    ),
                ));
            }
            let found = value_type(&Field::new(field.name(), plain_type(field.data_type()), true));
            match self.seen(field.name(), || Seen::Declared(found)) {
                Seen::Declared(known) if *known == found => {}
                _ => {
                    return Err(at(
                        path,
                        0,
                        &format!(
                            "the column '{}' is {} here and of another type in an earlier file",
                            field.name(),
                            found.name()
                        ),
                    ));
                }
            }
        }
        Ok(())
    }

    fn schema(self) -> Result<Schema, SourceError> {
        let mut columns = Vec::with_capacity(self.columns.len());
        for (name, seen) in self.columns {
            crate::service::names::check_column(&name)
                .map_err(|message| owner(format!("the column '{}': {message}", name.escape_debug())))?;
            let value_type = match seen {
                Seen::Declared(value_type) => value_type,
                Seen::Values(guess) => guess.value_type().unwrap_or(ValueType::String),
                Seen::Texts { any: true, possible } => possible.first().copied().unwrap_or(ValueType::String),
                Seen::Texts { any: false, .. } => ValueType::String,
            };
            columns.push(Column { name, value_type });
        }
        if columns.is_empty() {
            return Err(owner("the files have no columns"));
        }
        Ok(Schema {
            declared: true,
            columns,
        })
    }
}

/// What a text may be read as, the narrowest first. String is what is left.
const TEXT_TYPES: [ValueType; 4] = [
    ValueType::Bool,
    ValueType::Int64,
    ValueType::Double,
    ValueType::DateTime,
];

/// A text as a value of a type; `None` where it is empty or does not read as one. Numbers are those that come back as
/// they were written: 007 is a text.
fn text_value(text: &str, value_type: ValueType) -> Option<Value> {
    if text.is_empty() {
        return None;
    }
    match value_type {
        ValueType::Bool => match text {
            "true" | "True" | "TRUE" => Some(Value::from(true)),
            "false" | "False" | "FALSE" => Some(Value::from(false)),
            _ => None,
        },
        ValueType::Int64 => {
            let number: i64 = text.parse().ok()?;
            (number.to_string() == text).then(|| Value::from(number))
        }
        ValueType::Double => {
            let digits = text.strip_prefix('-').unwrap_or(text);
            let written_as_number = digits.starts_with(|first: char| first.is_ascii_digit())
                && !(digits.len() > 1 && digits.starts_with('0') && digits.as_bytes()[1].is_ascii_digit());
            let number: f64 = text.parse().ok().filter(|_| written_as_number)?;
            // Whole numbers beyond what floating point holds are identifiers.
            let exact =
                number.is_finite() && (number.fract() != 0.0 || number.abs() <= 9_007_199_254_740_992.0);
            exact.then(|| Value::from(number))
        }
        ValueType::DateTime => {
            let value = Value::from(text);
            let dated = text.len() >= 10 && text.as_bytes()[0].is_ascii_digit();
            rows::timestamp(&value).filter(|_| dated).map(|_| value)
        }
        _ => Some(Value::from(text)),
    }
}

fn open(path: &Path) -> Result<File, SourceError> {
    File::open(path).map_err(|error| at(path, 0, &format!("cannot be opened: {}", error.kind())))
}

/// An error with the file's own name and, unless it is 0, the line.
fn at(path: &Path, line: u64, message: &str) -> SourceError {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    owner(if line == 0 {
        format!("{name}: {message}")
    } else {
        format!("{name}, line {line}: {message}")
    })
}

/// Reads a file of one JSON object a line.
fn lines(path: &Path, each: &mut dyn FnMut(u64, &Row) -> Result<(), SourceError>) -> Result<(), SourceError> {
    let mut reader = BufReader::with_capacity(1 << 16, open(path)?);
    let mut line = Vec::new();
    for number in 1.. {
        line.clear();
        let limit = u64::try_from(MAX_LINE_BYTES + 1).unwrap_or(u64::MAX);
        let length = std::io::Read::take(&mut reader, limit)
            .read_until(b'\n', &mut line)
            .map_err(|error| at(path, number, &format!("cannot be read: {error}")))?;
        if length == 0 {
            break;
        }
        if length > MAX_LINE_BYTES {
            return Err(at(
                path,
                number,
                &format!("a line has at most {MAX_LINE_BYTES} bytes"),
            ));
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        let row: Row = serde_json::from_slice(&line)
            .map_err(|error| at(path, number, &format!("is not a JSON object: {error}")))?;
        each(number, &row)?;
    }
    Ok(())
}

/// What is done with a line, given its number and the names of the columns.
type EachRecord<'a> = dyn FnMut(u64, &[String], &csv::StringRecord) -> Result<(), SourceError> + 'a;

/// Reads a file of separated values whose first line names the columns.
fn separated(path: &Path, separator: u8, each: &mut EachRecord<'_>) -> Result<(), SourceError> {
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(separator)
        .from_reader(BufReader::with_capacity(1 << 16, open(path)?));
    let names: Vec<String> = reader
        .headers()
        .map_err(|error| at(path, 1, &error.to_string()))?
        .iter()
        .map(|name| name.trim_start_matches('\u{feff}').to_owned())
        .collect();
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(at(path, 1, &format!("two columns have the name '{name}'")));
        }
    }
    let mut record = csv::StringRecord::new();
    loop {
        match reader.read_record(&mut record) {
            Ok(true) => each(record.position().map_or(0, csv::Position::line), &names, &record)?,
            Ok(false) => return Ok(()),
            Err(error) => {
                let line = error.position().map_or(0, csv::Position::line);
                let message = match error.kind() {
                    csv::ErrorKind::UnequalLengths {
                        expected_len, len, ..
                    } => {
                        format!("has {len} values, and the first line names {expected_len} columns")
                    }
                    csv::ErrorKind::Utf8 { .. } => "is not UTF-8".to_owned(),
                    _ => "cannot be read".to_owned(),
                };
                return Err(at(path, line, &message));
            }
        }
    }
}

fn parquet(path: &Path) -> Result<ParquetRecordBatchReaderBuilder<File>, SourceError> {
    ParquetRecordBatchReaderBuilder::try_new(open(path)?).map_err(|error| {
        at(
            path,
            0,
            &format!("is not Parquet that this server reads: {error}"),
        )
    })
}

fn read_parquet(
    path: &Path,
    schema: &Schema,
    sink: &mut dyn FnMut(RecordBatch) -> Result<(), SourceError>,
) -> Result<(), SourceError> {
    let broken = |error: String| at(path, 0, &format!("cannot be read: {error}"));
    let target = arrow_schema(schema);
    let reader = parquet(path)?
        .build()
        .map_err(|error| broken(error.to_string()))?;
    for batch in reader {
        let batch = batch.map_err(|error| broken(error.to_string()))?;
        let columns = target
            .fields()
            .iter()
            .map(|field| match batch.column_by_name(field.name()) {
                Some(column) => cast(column, field.data_type()),
                None => Ok(new_null_array(field.data_type(), batch.num_rows())),
            })
            .collect::<Result<Vec<ArrayRef>, _>>()
            .map_err(|error| broken(error.to_string()))?;
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let batch = RecordBatch::try_new_with_options(target.clone(), columns, &options)
            .map_err(|error| broken(error.to_string()))?;
        sink(batch)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day() -> chrono::NaiveDate {
        chrono::NaiveDate::from_ymd_opt(2026, 3, 1).unwrap()
    }

    fn refused(folder: &Path, path: &str) -> String {
        match Files::find(Some(folder), path, 0, day()) {
            Err(SourceError::Owner(message)) => message,
            other => panic!("{path}: {other:?}"),
        }
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        let outside = tempfile::tempdir().unwrap();
        std::fs::write(outside.path().join("secret.csv"), "a\n1\n").unwrap();
        let inside = tempfile::tempdir().unwrap();
        std::fs::write(inside.path().join("good.csv"), "a\n1\n").unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret.csv"), inside.path().join("link.csv"))
            .unwrap();
        std::os::unix::fs::symlink(outside.path(), inside.path().join("door")).unwrap();
        std::os::unix::fs::symlink(inside.path().join("good.csv"), inside.path().join("alias.csv")).unwrap();
        let folder = inside.path();
        let secret = outside.path().join("secret.csv");
        for path in [
            secret.to_str().unwrap(),
            "../secret.csv",
            "door/../../secret.csv",
            "./../x.csv",
            "/etc/passwd",
        ] {
            let message = refused(folder, path);
            assert!(message.contains("not below"), "{path}: {message}");
        }
        for path in ["link.csv", "door/secret.csv", "door"] {
            let message = refused(folder, path);
            assert!(message.contains("symbolic link"), "{path}: {message}");
        }
        assert!(refused(folder, "nothing.csv").contains("no file"));
        assert!(refused(folder, "").contains("empty"));
        assert!(refused(folder, "a\0b").contains("empty"));
        assert!(refused(folder, "%H.csv").contains('%'));
        for good in [
            "good.csv",
            "./good.csv",
            "alias.csv",
            folder.join("good.csv").to_str().unwrap(),
        ] {
            assert_eq!(
                Files::find(Some(folder), good, 0, day()).unwrap().files.len(),
                1,
                "{good}"
            );
        }
        // A link inside a folder is passed over.
        assert_eq!(Files::find(Some(folder), ".", 0, day()).unwrap().files.len(), 1);
        assert!(matches!(
            Files::find(None, "good.csv", 0, day()),
            Err(SourceError::Owner(_))
        ));
    }

    #[test]
    fn a_day_in_the_path_stands_for_the_days_looked_back_to() {
        let folder = tempfile::tempdir().unwrap();
        for name in [
            "e-2026-02-26.csv",
            "e-2026-02-28.csv",
            "e-2026-03-01.csv",
            "e-2026-03-02.csv",
        ] {
            std::fs::write(folder.path().join(name), "a\n1\n").unwrap();
        }
        let names = |lookback: i64| -> Vec<String> {
            let found = Files::find(Some(folder.path()), "e-%Y-%m-%d.csv", lookback, day()).unwrap();
            found
                .files
                .iter()
                .map(|(path, _)| path.file_name().unwrap().to_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(names(0), ["e-2026-03-01.csv"]);
        assert_eq!(names(2), ["e-2026-02-28.csv", "e-2026-03-01.csv"]);
        assert_eq!(names(3).len(), 3);
        let missing = Files::find(Some(folder.path()), "f-%Y.csv", 1, day());
        assert!(matches!(missing, Err(SourceError::Owner(message)) if message.contains("1 days back")));
        let undated = Files::find(Some(folder.path()), "e-2026-03-01.csv", 1, day());
        assert!(matches!(undated, Err(SourceError::Owner(message)) if message.contains("day_lookback")));
    }

    #[test]
    fn columns_of_texts_have_the_narrowest_type_that_gives_every_text_back() {
        let folder = tempfile::tempdir().unwrap();
        let text = "id,whole,code,real,yes,at,word,none,big\n\
                    1,-3,007,0.5,true,2026-01-31,a,,12345678901234567890\n\
                    2,,1,2,FALSE,2026-01-31T12:00:00Z,2,,1\n";
        std::fs::write(folder.path().join("t.csv"), text).unwrap();
        let files = Files::find(Some(folder.path()), "t.csv", 0, day()).unwrap();
        let schema = files.discover().unwrap();
        let types: Vec<&str> = schema
            .columns
            .iter()
            .map(|column| column.value_type.name())
            .collect();
        assert_eq!(
            types,
            [
                "Int64", "Int64", "String", "Double", "Bool", "DateTime", "String", "String", "String"
            ]
        );
        let mut rows = 0;
        files
            .read(&schema, &mut |batch| {
                rows += batch.num_rows();
                assert_eq!(batch.column_by_name("whole").unwrap().null_count(), 1);
                Ok(())
            })
            .unwrap();
        assert_eq!(rows, 2);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        for (name, content, sentence) in [
            ("a.csv", "a,b\n1,2\n3\n", "a.csv, line 3: has 1 values"),
            (
                "b.csv",
                "a,a\n1,2\n",
                "b.csv, line 1: two columns have the name 'a'",
            ),
            (
                "c.ndjson",
                "{\"a\":1}\n\n[1]\n",
                "c.ndjson, line 3: is not a JSON object",
            ),
            ("d.parquet", "PAR1", "d.parquet: is not Parquet"),
            ("e.csv", "a\n\u{0}\n", ""),
            ("f.csv", "", "no columns"),
        ] {
            std::fs::write(folder.path().join(name), content).unwrap();
            let files = Files::find(Some(folder.path()), name, 0, day()).unwrap();
            match files.discover() {
                Err(SourceError::Owner(message)) => assert!(message.contains(sentence), "{message}"),
                Ok(_) => assert!(sentence.is_empty(), "{name}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}
