//! SQL that users write, away from the server.
//!
//! A statement of a user can be built to exhaust memory, time or the stack of whatever runs it, and no engine
//! promises to withstand that. So it is parsed, planned and run by a child process ([`worker`]) that the server
//! ([`client`]) starts for the purpose: with no environment, limits on memory, processor time, wall time and file
//! size, and, where the kernel has Landlock, with access to the named row files only. Whatever happens to the
//! child, the server sees an answer or the lack of one.
//!
//! The task goes to the child's standard input as JSON; the child answers with one JSON line per statement on its
//! standard output, so an answer that is missing names the statement that broke it.

pub(crate) mod client;
#[cfg(test)]
mod oracle;
mod rows_table;
pub(crate) mod worker;

pub(crate) use rows_table::RowsTable;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::service::domain::{Cell, Column, Schema};

/// The hidden argument that makes the server binary a worker.
pub const WORKER_ARGUMENT: &str = "sql-worker";

/// The longest statement.
const MAX_SQL_BYTES: usize = 16 * 1024;

/// The deepest nesting of brackets in a statement.
const MAX_SQL_DEPTH: usize = 48;

/// What children may use.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct SqlLimits {
    /// Address space, in bytes.
    pub memory_bytes: u64,
    /// Processor time, in seconds.
    pub cpu_seconds: u64,
    /// The largest result, in bytes.
    pub result_bytes: u64,
    /// Time on the clock for all statements of a task, in seconds; then the child is killed.
    pub wall_seconds: u64,
    /// How many children run at once. One more than trainings and refreshes of transforms, so that none of them ever
    /// holds up a set-up.
    pub children: usize,
    /// How long a task waits for its turn, in seconds, before the caller is told to come back.
    pub queue_seconds: u64,
}

impl Default for SqlLimits {
    fn default() -> SqlLimits {
        SqlLimits {
            memory_bytes: 3 << 30,
            cpu_seconds: 60,
            result_bytes: 1 << 30,
            wall_seconds: 60,
            children: 3,
            queue_seconds: 20,
        }
    }
}

/// What a child is asked to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) tables: Tables,
    pub(crate) statements: Vec<Statement>,
    pub(crate) limits: SqlLimits,
    /// The process that asks; its worker ends with it.
    pub(crate) server: u32,
}

/// What statements can read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Tables {
    /// Each reads only those before it.
    pub(crate) relations: Vec<Relation>,
    /// The names by which statements read relations, with their positions.
    pub(crate) names: Vec<(String, usize)>,
}

impl Tables {
    /// Adds a relation that statements read by `name`.
    pub(crate) fn add(&mut self, name: &str, relation: Relation) {
        self.names.push((name.to_owned(), self.relations.len()));
        self.relations.push(relation);
    }
}

/// Columns and where the rows come from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Relation {
    pub(crate) schema: Schema,
    pub(crate) rows: Rows,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Rows {
    /// Parquet files, oldest first. None for a check. Of rows with equal keys the last one counts.
    Files {
        files: Vec<PathBuf>,
        unique_keys: Vec<String>,
    },
    /// The result of a statement that has its own names for what it reads.
    View {
        /// The transform's name, for messages.
        transform: String,
        sql: String,
        names: Vec<(String, usize)>,
    },
}

/// One SELECT.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Statement {
    sql: String,
    output: Option<Output>,
}

/// Where the rows of a statement go.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum Output {
    /// An Arrow file.
    Arrow(PathBuf),
    /// A Parquet file as datasets have them.
    Parquet(PathBuf),
}

impl Output {
    pub(crate) fn path(&self) -> &std::path::Path {
        match self {
            Output::Arrow(path) | Output::Parquet(path) => path,
        }
    }
}

impl Statement {
    /// A statement whose rows go to `output`, as an Arrow file; without it the statement is planned and not run.
    /// Text that no parser should see is refused, with the reason.
    pub(crate) fn new(sql: &str, output: Option<PathBuf>) -> Result<Statement, String> {
        Statement::with_output(sql, output.map(Output::Arrow))
    }

    /// The same, with a choice of format.
    pub(crate) fn with_output(sql: &str, output: Option<Output>) -> Result<Statement, String> {
        check_text(sql)?;
        Ok(Statement {
            sql: sql.to_owned(),
            output,
        })
    }
}

/// What the child says about one statement.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum Reply {
    Done {
        result: Planned,
        sandboxed: bool,
    },
    /// The statement is wrong or asks for what is not allowed.
    Refused(Refusal),
}

/// A statement that was understood, and run if it has an output.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Planned {
    pub(crate) columns: Vec<Column>,
    /// The names that it reads, of those in [`Tables::names`].
    pub(crate) reads: Vec<String>,
    /// The rows that were written.
    pub(crate) rows: usize,
    /// Where the columns come from that are taken over from a table unchanged, if the statement is a plain SELECT of
    /// all rows of one table.
    #[serde(default)]
    pub(crate) taken_over: Vec<(String, Cell)>,
}

/// Why a statement was not run.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Refusal {
    /// Where and what is wrong with it.
    pub(crate) reason: String,
    /// Every name that it reads, known or not, as far as it could be read.
    pub(crate) reads: Vec<String>,
}

fn check_text(sql: &str) -> Result<(), String> {
    if sql.trim().is_empty() {
        return Err("the statement is empty; it must be one SELECT".to_owned());
    }
    if sql.len() > MAX_SQL_BYTES {
        return Err(format!(
            "the statement has {} bytes; at most {MAX_SQL_BYTES} are accepted",
            sql.len()
        ));
    }
    let mut depth = 0_usize;
    for (index, byte) in sql.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > MAX_SQL_DEPTH {
            return Err(format!(
                "brackets are nested more than {MAX_SQL_DEPTH} deep at byte {index}"
            ));
        }
    }
    Ok(())
}
