//! Tables as lists and as values between commas.

use std::ops::Range;

/// A cell of a table that is written as a list of lists.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) row: usize,
    /// Of its row.
    pub(super) is_first: bool,
    pub(super) is_last: bool,
    /// The white space and the marks before its text.
    pub(super) marked: Range<usize>,
    /// Where its first line starts.
    pub(super) line_start: usize,
    pub(super) text: Range<usize>,
}

/// The cells of a list such as `* - One` and `  - Two` below it.
pub(super) fn cells(text: &str) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut rows = 0;
    // Where the marks of rows and of cells stand.
    let mut columns: Option<(usize, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let indent = line.len() - line.trim_start_matches(' ').len();
        let is_row = columns.is_none_or(|(row, _)| row == indent);
        let mark_end = if let Some(inner) = item(&line[indent..]).filter(|_| is_row) {
            let column = indent + inner;
            let Some(length) = item(&line[column..]) else {
                continue;
            };
            columns = Some((indent, column));
            if let Some(last) = cells.last_mut() {
                last.is_last = true;
            }
            rows += 1;
            Some((column + length, true))
        } else {
            columns
                .filter(|(_, column)| *column == indent)
                .and_then(|(_, column)| item(&line[column..]).map(|length| (column + length, false)))
        };
        match mark_end {
            Some((length, is_first)) => {
                let length = length.min(line.trim_end_matches('\n').len());
                cells.push(Cell {
                    row: rows - 1,
                    is_first,
                    is_last: false,
                    marked: start..start + length,
                    line_start: start,
                    text: start + length..at,
                });
            }
            None => {
                if let Some(last) = cells.last_mut() {
                    last.text.end = at;
                }
            }
        }
    }
    if let Some(last) = cells.last_mut() {
        last.is_last = true;
    }
    cells
}

/// Lines without so much white space before all but the first.
pub(super) fn moved_left(text: &str, indent: usize) -> String {
    let lines = text.split_inclusive('\n').enumerate().map(|(index, line)| {
        let space = line.len() - line.trim_start_matches(' ').len();
        if index == 0 {
            line
        } else {
            &line[space.min(indent)..]
        }
    });
    lines.collect()
}

/// How long the mark of an item is, with the space behind it.
fn item(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['*', '-'])?;
    let space = rest.len() - rest.trim_start_matches(' ').len();
    (space > 0 || rest.trim().is_empty()).then_some(1 + space)
}

/// A table of Markdown from values between commas.
pub(super) fn of_csv(header: Option<&str>, text: &str, header_rows: Option<&str>) -> String {
    let mut rows: Vec<Vec<String>> = header.into_iter().map(values).collect();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    rows.extend(lines.map(values));
    let width = rows.iter().map(Vec::len).max().unwrap_or_default();
    if width == 0 {
        return String::new();
    }
    let has_header = header.is_some() || header_rows.is_some_and(|rows| rows != "0");
    if !has_header {
        rows.insert(0, Vec::new());
    }
    let mut table = String::new();
    for (index, row) in rows.iter().enumerate() {
        for column in 0..width {
            let value = row.get(column).map_or("", String::as_str);
            table.push_str(&format!("| {} ", value.replace('|', "\\|")));
        }
        table.push_str("|\n");
        if index == 0 {
            table.push_str(&"| --- ".repeat(width));
            table.push_str("|\n");
        }
    }
    table
}

/// The values of a line: quotes stand around those that hold commas, and two for one.
fn values(line: &str) -> Vec<String> {
    let mut values = Vec::new();
    let mut value = String::new();
    let mut is_quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '"' if is_quoted && characters.next_if_eq(&'"').is_some() => value.push('"'),
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => values.push(std::mem::take(&mut value).trim().to_owned()),
            c => value.push(c),
        }
    }
    values.push(value.trim().to_owned());
    values
}
