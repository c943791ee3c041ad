//! Tables as kramdown and Python-Markdown read them, in the pages of Jekyll and MkDocs:
//!
//! ```text
//! | Sign  | Meaning    |
//! |-------|------------|
//! | `a|b` | One of two |
//!
//! no | head
//! ```
//!
//! For the parser, which reads them as GitHub does, a line in code ends a cell too, a table has a head, and what has more cells than that is
//! dropped. So tables are written anew where that would be seen: with a backslash before lines in code, and for kramdown with an empty head
//! where there is none, with as many columns as the longest row has, and without the rulers and lists of attributes that are no rows there.

use std::ops::Range;

use pulldown_cmark::{Event, Tag};

use super::reshaped::Reshaped;
use super::{PlacedEvent, kramdown};

/// Who reads the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rules {
    Kramdown,
    PythonMarkdown,
}

/// A table with more columns is not made wider: each of its rows would have as many cells.
const MOST_COLUMNS: usize = 100;

/// The text with its tables as the parser reads them; `None` where they are so already. `events` are what it has made of the text.
pub(super) fn markdown(text: &str, events: &[PlacedEvent<'_>], rules: Rules) -> Option<Reshaped> {
    let mut changes = Changes::default();
    let mut blocks = events.iter().filter_map(|(event, range)| match event {
        Event::Start(Tag::Table(_)) => Some((true, range.clone())),
        Event::Start(Tag::Paragraph) => Some((false, range.clone())),
        _ => None,
    });
    let mut next = blocks.next();
    while let Some((is_table, mut block)) = next {
        next = blocks.next();
        // Of several rows in a head the parser takes the last for the head, and the others for a text.
        if let Some((true, below)) = &next
            && rules == Rules::Kramdown
            && !is_table
            && is_directly_above(text, &block, below)
            && text[block.clone()].lines().all(|line| kind(line).0 == Kind::Row)
        {
            block.end = below.end;
            next = blocks.next();
        }
        read(text, &block, is_table, rules, &mut changes);
    }
    changes.applied(text)
}

fn is_directly_above(text: &str, block: &Range<usize>, below: &Range<usize>) -> bool {
    let between = text[..below.start].get(block.end..).unwrap_or("\n\n");
    let has_end = text[block.clone()].ends_with('\n');
    between.trim_matches(['>', ' ', '\t']).len() == usize::from(!has_end)
}

/// What stands in the place of parts of the text, in their order.
#[derive(Default)]
struct Changes(Vec<(Range<usize>, String)>);

impl Changes {
    fn put(&mut self, range: Range<usize>, by: impl Into<String>) {
        self.0.push((range, by.into()));
    }

    fn applied(mut self, text: &str) -> Option<Reshaped> {
        if self.0.is_empty() {
            return None;
        }
        self.0.sort_by_key(|(range, _)| (range.start, range.end));
        let mut reshaped = Reshaped::default();
        let mut copied = 0;
        for (range, by) in self.0 {
            // What is in a line that is left out goes with it.
            if range.start < copied {
                continue;
            }
            reshaped.copy(text, copied..range.start);
            reshaped.put(&by, range.start);
            copied = range.end;
        }
        reshaped.copy(text, copied..text.len());
        Some(reshaped)
    }
}

/// A line without the signs of the quotes and lists that it is in, and what it is for kramdown.
struct Line {
    range: Range<usize>,
    kind: Kind,
    cells: usize,
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Row,
    /// Between the head and the rows, or between rows.
    Ruler,
    Attributes,
    /// Without any sign of a table.
    Other,
}

fn read(text: &str, block: &Range<usize>, is_table: bool, rules: Rules, changes: &mut Changes) {
    if !text[block.clone()].contains('|') {
        return;
    }
    let mut lines = lines(text, block);
    match rules {
        Rules::PythonMarkdown => {
            let has_head = lines.get(1).is_some_and(|line| line.kind == Kind::Ruler);
            if is_table || has_head {
                escape(text, &lines, changes);
            }
        }
        Rules::Kramdown => {
            let mut attributes = Vec::new();
            while let Some(line) = lines.pop_if(|line| line.kind == Kind::Attributes) {
                attributes.push(whole_line(text, &line));
            }
            let is_sign = |line: &Line| matches!(line.kind, Kind::Row | Kind::Ruler);
            let is_own = is_alone(text, block) && lines.iter().all(is_sign);
            let is_written = is_own && write(text, &lines, changes);
            if !is_written && is_table {
                escape(text, &lines, changes);
            }
            if is_written || is_table {
                attributes.into_iter().for_each(|line| changes.put(line, ""));
            }
        }
    }
}

/// Writes a table of kramdown; false where it is none.
fn write(text: &str, lines: &[Line], changes: &mut Changes) -> bool {
    let is_row = |line: &Line| line.kind == Kind::Row;
    let (Some(first), Some(last)) = (lines.iter().position(is_row), lines.iter().rposition(is_row)) else {
        return false;
    };
    let ruler = lines[first..].iter().position(|line| line.kind == Kind::Ruler);
    let ruler = ruler.map(|ruler| first + ruler);
    // A head with nothing below it is a text.
    if ruler.is_some_and(|ruler| ruler > last) {
        return false;
    }
    let head = &lines[first];
    let longest = lines.iter().map(|line| line.cells).max().unwrap_or_default();
    let columns = longest.min(MOST_COLUMNS).max(head.cells);
    let written = ruler.map_or("", |ruler| &text[lines[ruler].range.clone()]);
    let rulers = rulers(written, columns);
    let prefix = prefix(text, head.range.start);
    match ruler {
        None => {
            let empty = "| ".repeat(columns);
            let before = format!("{empty}|\n{prefix}{rulers}\n{prefix}");
            changes.put(head.range.start..head.range.start, before);
        }
        Some(ruler) => {
            let missing = columns.saturating_sub(head.cells);
            let end = head.range.start + text[head.range.clone()].trim_end().len();
            if missing > 0 {
                let has_end = text[head.range.start..end].ends_with('|');
                let cells = " |".repeat(missing + usize::from(!has_end));
                changes.put(end..end, cells);
            }
            let is_below = ruler == first + 1;
            if is_below && (missing > 0 || !is_ruler_of(written, columns)) {
                changes.put(lines[ruler].range.clone(), rulers);
            } else if !is_below {
                // Of several rows in a head the first is one.
                changes.put(end..end, format!("\n{prefix}{rulers}"));
            }
        }
    }
    for (number, line) in lines.iter().enumerate() {
        let is_kept = ruler == Some(number) && number == first + 1;
        if line.kind != Kind::Ruler || is_kept {
            continue;
        }
        match lines.get(number + 1).filter(|_| number < first) {
            Some(next) => changes.put(line.range.start..next.range.start, ""),
            None => changes.put(whole_line(text, line), ""),
        }
    }
    escape(text, lines, changes);
    true
}

/// Puts a backslash before each line in code.
fn escape(text: &str, lines: &[Line], changes: &mut Changes) {
    for line in lines {
        let row = &text[line.range.clone()];
        for part in parts(row) {
            if let Part::Code(code) = part {
                for (at, _) in row[code.clone()].match_indices('|') {
                    let at = code.start + at;
                    if !row[..at].ends_with('\\') {
                        let at = line.range.start + at;
                        changes.put(at..at, "\\");
                    }
                }
            }
        }
    }
}

/// Whether nothing but empty lines is around a block. Signs of quotes are none.
fn is_alone(text: &str, block: &Range<usize>) -> bool {
    let is_empty = |line: &str| line.trim_matches(['>', ' ', '\t', '\r']).is_empty();
    let start = line_start(text, block.start);
    let above = text[..start].strip_suffix('\n').unwrap_or_default();
    let above = above.rsplit('\n').next().unwrap_or_default();
    let below = text[block.end..].trim_start_matches('\r');
    let below = match text[..block.end].ends_with('\n') {
        true => below,
        false => below.strip_prefix('\n').unwrap_or(below),
    };
    let below = below.split('\n').next().unwrap_or_default();
    // The text of an item begins in the line of its sign.
    let is_first = !is_empty(&text[start..block.start]);
    (is_first || is_empty(above)) && is_empty(below)
}

fn lines(text: &str, block: &Range<usize>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut at = block.start;
    for line in text[block.clone()].split_inclusive('\n') {
        let inner = match at == block.start {
            true => line,
            false => line.trim_start_matches(['>', ' ', '\t']),
        };
        let start = at + line.len() - inner.len();
        let range = start..start + inner.trim_end_matches(['\n', '\r']).len();
        let (kind, cells) = kind(&text[range.clone()]);
        lines.push(Line { range, kind, cells });
        at += line.len();
    }
    lines
}

fn kind(line: &str) -> (Kind, usize) {
    if kramdown::is_list_of_attributes(line) {
        return (Kind::Attributes, 0);
    }
    let consists_of = |sign: char| {
        let is_sign = |c: char| c == sign || matches!(c, '+' | '|' | ':' | ' ' | '\t');
        line.contains(sign) && line.contains('|') && line.chars().all(is_sign)
    };
    if consists_of('-') || consists_of('=') {
        return (Kind::Ruler, 0);
    }
    let ends: Vec<usize> = parts(line)
        .filter_map(|part| match part {
            Part::End(at) => Some(at),
            Part::Code(_) => None,
        })
        .collect();
    let (Some(first), Some(last)) = (ends.first(), ends.last()) else {
        return (Kind::Other, 0);
    };
    let has_start = line[..*first].trim().is_empty();
    let has_end = line[last + 1..].trim().is_empty();
    let cells = (ends.len() + 1)
        .saturating_sub(usize::from(has_start) + usize::from(has_end))
        .max(1);
    (Kind::Row, cells)
}

/// What is read of a row.
enum Part {
    /// The end of a cell.
    End(usize),
    Code(Range<usize>),
}

fn parts(row: &str) -> impl Iterator<Item = Part> {
    const CODE_END: &str = "</code>";
    // Nobody looks for an end behind it.
    let last_end = row.rfind(CODE_END).unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(found) = row[at..].find(['\\', '|', '`', '<']) {
            let start = at + found;
            let rest = &row[start..];
            let length = match rest.as_bytes()[0] {
                b'\\' => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
                b'|' => {
                    at = start + 1;
                    return Some(Part::End(start));
                }
                b'`' => {
                    if let Some(length) = code_length(rest) {
                        at = start + length;
                        return Some(Part::Code(start..at));
                    }
                    rest.len() - rest.trim_start_matches('`').len()
                }
                _ => {
                    let is_code = rest.starts_with("<code>") || rest.starts_with("<code ");
                    let is_code = is_code && start < last_end;
                    if let Some(length) = rest.find(CODE_END).filter(|_| is_code) {
                        at = start + length + CODE_END.len();
                        return Some(Part::Code(start..at));
                    }
                    1
                }
            };
            at = start + length;
        }
        None
    })
}

/// The length of the code at the start of a row, if it ends there.
fn code_length(row: &str) -> Option<usize> {
    let marks = row.len() - row.trim_start_matches('`').len();
    let mut at = marks;
    while let Some(found) = row[at..].find('`') {
        let rest = &row[at + found..];
        let length = rest.len() - rest.trim_start_matches('`').len();
        at += found + length;
        if length == marks {
            return Some(at);
        }
    }
    None
}

/// The line below a head, for as many columns, with what is written there of their alignments.
fn rulers(written: &str, columns: usize) -> String {
    let written = written.split(['|', '+']).map(str::trim);
    let mut written = written.filter(|ruler| ruler.contains('-'));
    let rulers = (0..columns).map(|_| {
        let ruler = written.next().unwrap_or_default();
        let left = if ruler.starts_with(':') { ":" } else { "" };
        let right = if ruler.ends_with(':') { ":" } else { "" };
        format!("|{left}--{right}")
    });
    let rulers: String = rulers.collect();
    rulers + "|"
}

/// Whether this is such a line for the parser.
fn is_ruler_of(written: &str, columns: usize) -> bool {
    let inner = written.trim();
    let inner = inner.strip_prefix('|').unwrap_or(inner);
    let inner = inner.strip_suffix('|').unwrap_or(inner);
    let is_ruler = |ruler: &str| {
        let dashes = ruler.trim();
        let dashes = dashes.strip_prefix(':').unwrap_or(dashes);
        let dashes = dashes.strip_suffix(':').unwrap_or(dashes);
        !dashes.is_empty() && dashes.bytes().all(|byte| byte == b'-')
    };
    // It takes no tabs.
    let is_known = !written.contains('\t') && inner.split('|').all(is_ruler);
    is_known && inner.split('|').count() == columns
}

/// What stands before the next line of a block whose first begins at `at`: signs of quotes, and spaces for those of lists.
fn prefix(text: &str, at: usize) -> String {
    let before = text[line_start(text, at)..at].chars();
    before.map(|c| if c == '>' { '>' } else { ' ' }).collect()
}

/// A line with the signs before it and its end.
fn whole_line(text: &str, line: &Line) -> Range<usize> {
    let end = text[line.range.end..].find('\n');
    let end = end.map_or(text.len(), |end| line.range.end + end + 1);
    line_start(text, line.range.start)..end
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}
