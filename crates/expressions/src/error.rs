//! What is wrong with an expression, where, and how to mend it.

use std::fmt;

/// A stretch of the text of an expression, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Bytes before the stretch. Always a character boundary of the text.
    pub offset: usize,
    /// Length in bytes; 0 at the end of the text.
    pub length: usize,
}

impl Place {
    pub(crate) fn new(start: usize, end: usize) -> Self {
        Self {
            offset: start,
            length: end - start,
        }
    }

    pub(crate) fn end(self) -> usize {
        self.offset + self.length
    }

    /// From the start of this stretch to the end of another one behind it.
    pub(crate) fn to(self, other: Self) -> Self {
        Self::new(self.offset, other.end().max(self.end()))
    }
}

/// What a caller can do about an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The text is not an expression of this language.
    Syntax,
    /// A name that nothing here answers to: a column, a policy, a function, a step, a parameter.
    UnknownName,
    /// A known thing of the wrong type, or the wrong number of arguments.
    WrongType,
    /// A value that cannot be used: a broken pattern, a date that does not exist, a number too large.
    WrongValue,
    /// The text is longer, deeper or larger than the limits allow.
    TooLarge,
    /// Evaluating would take more work than the limits allow.
    TooMuchWork,
    /// The columns handed over are not those that the expression was bound to: a bug of the caller.
    Data,
}

impl ErrorKind {
    /// A stable name for programs.
    pub fn code(self) -> &'static str {
        match self {
            Self::Syntax => "expression_syntax",
            Self::UnknownName => "expression_unknown_name",
            Self::WrongType => "expression_wrong_type",
            Self::WrongValue => "expression_wrong_value",
            Self::TooLarge => "expression_too_large",
            Self::TooMuchWork => "expression_too_much_work",
            Self::Data => "expression_data",
        }
    }
}

/// Why an expression cannot be used. Displayed as one sentence with its place and, where one is known, the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    kind: ErrorKind,
    place: Place,
    message: String,
    help: Option<String>,
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(kind: ErrorKind, place: Place, message: impl Into<String>) -> Self {
        Self {
            kind,
            place,
            message: message.into(),
            help: None,
        }
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// What a caller can do about it.
    pub fn kind(&self) -> ErrorKind {
        self.kind
    }

    /// Where it is, in bytes of the text that was parsed.
    pub fn place(&self) -> Place {
        self.place
    }

    /// What is wrong, without the place and without the remedy.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// How to mend it, where that is known.
    pub fn remedy(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The line of `text` where the error is, with the stretch underlined by carets below it.
    ///
    /// `text` is the text that was parsed; with another one the answer is merely useless.
    pub fn underlined(&self, text: &str) -> String {
        let offset = floor_boundary(text, self.place.offset);
        let end = floor_boundary(text, self.place.end()).max(offset);
        let line_start = text[..offset].rfind('\n').map_or(0, |newline| newline + 1);
        let line_end = text[offset..]
            .find('\n')
            .map_or(text.len(), |newline| offset + newline);
        let before = text[line_start..offset].chars().count();
        let width = text[offset..end.min(line_end)].chars().count().max(1);
        format!(
            "{}\n{}{}",
            &text[line_start..line_end],
            " ".repeat(before),
            "^".repeat(width)
        )
    }
}

fn floor_boundary(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { offset, length } = self.place;
        write!(formatter, "{} (at byte {offset}, {length} long)", self.message)?;
        match &self.help {
            Some(help) => write!(formatter, ": {help}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// How large an expression may be and how much work it may cause. The defaults suit a server that takes them from
/// anybody who may query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of the text.
    pub length: usize,
    /// Nesting: brackets, calls, conditions, signs, powers.
    pub depth: usize,
    /// Entries of one list, in the text or in a parameter.
    pub list_items: usize,
    /// Bytes that one compiled regular expression may take.
    pub pattern_bytes: usize,
    /// Work per row, in units of about a nanosecond: what an evaluation may use grows with its rows.
    pub work_per_row: u64,
    /// Work of one evaluation, whatever its rows, in the same unit.
    pub work_total: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            length: 16 * 1024,
            depth: 64,
            list_items: 10_000,
            pattern_bytes: 256 * 1024,
            work_per_row: 20_000,
            work_total: 1_000_000_000,
        }
    }
}

/// Counts down the work of one evaluation.
pub(crate) struct Fuel {
    left: std::cell::Cell<u64>,
    given: u64,
}

impl Fuel {
    pub(crate) fn new(limits: &Limits, rows: usize) -> Self {
        // A floor, so that a handful of rows may pay for what is paid once per batch.
        let given = (limits.work_per_row.saturating_mul(rows as u64))
            .saturating_add(1_000_000)
            .min(limits.work_total);
        Self {
            left: std::cell::Cell::new(given),
            given,
        }
    }

    pub(crate) fn burn(&self, work: u64, place: Place) -> Result<()> {
        match self.left.get().checked_sub(work) {
            Some(left) => {
                self.left.set(left);
                Ok(())
            }
            None => Err(Error::new(
                ErrorKind::TooMuchWork,
                place,
                format!(
                    "this takes more work than one request may cause ({} units)",
                    self.given
                ),
            )
            .help("use fewer or cheaper conditions, shorter lists or a simpler pattern")),
        }
    }
}
