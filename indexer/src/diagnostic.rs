//! What is wrong, where, and how to mend it.
//!
//! Every stage takes values and returns `(T, Vec<Diagnostic>)`: one run finds every problem of a folder, instead
//! of the first. Only `main` prints, and only [`Severity::Error`] fails a run.

use std::fmt;

use crate::source::Source;

/// One finding at one place in one file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// The file as the author knows it: the path to the folder as given, then the path inside the folder.
    pub file: String,
    /// Line, counted from 1.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What it does to the run.
    pub severity: Severity,
    /// What is wrong and how to mend it.
    pub message: String,
    /// Whether it is an error for the reason alone that links must lead somewhere, which a configuration can change.
    pub is_of_broken_link: bool,
}

/// What a [`Diagnostic`] does to the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The run fails with exit code 1.
    Error,
    /// The page was built, but something on it was left out or shown as text.
    Warning,
}

impl Diagnostic {
    /// A problem at a byte offset of `source`.
    pub fn error(source: &Source, offset: usize, message: impl Into<String>) -> Self {
        Self::new(source, offset, Severity::Error, message.into())
    }

    /// A remark at a byte offset of `source`.
    pub fn warning(source: &Source, offset: usize, message: impl Into<String>) -> Self {
        Self::new(source, offset, Severity::Warning, message.into())
    }

    /// True if the run must fail.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn new(source: &Source, offset: usize, severity: Severity, message: String) -> Self {
        let (line, column) = source.position(offset);
        Self {
            file: source.display.clone(),
            line,
            column,
            severity,
            message,
            is_of_broken_link: false,
        }
    }

    pub(crate) fn of_broken_link(mut self) -> Self {
        self.is_of_broken_link = true;
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.severity {
            Severity::Error => "",
            Severity::Warning => "warning: ",
        };
        write!(
            formatter,
            "{}:{}:{}: {kind}{}",
            self.file, self.line, self.column, self.message
        )
    }
}

/// As much of a text of somebody else as a message shows.
pub(crate) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    for (number, c) in text.chars().enumerate() {
        if number == 80 {
            shown.push('…');
            break;
        }
        match c.is_control() {
            // A message is one line.
            true => shown.extend(c.escape_default()),
            false => shown.push(c),
        }
    }
    shown
}
