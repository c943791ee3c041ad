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
pub(crate) mod worker;

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::service::domain::{Column, Schema};

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
    /// How many children run at once. One more than trainings, so that a training never holds up a set-up.
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
            children: 2,
            queue_seconds: 20,
        }
    }
}

/// What a child is asked to do.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Task {
    pub(crate) tables: Vec<Table>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) limits: SqlLimits,
}

/// A dataset under the name by which statements read it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Table {
    pub(crate) id: String,
    pub(crate) schema: Schema,
    pub(crate) unique_keys: Vec<String>,
    /// Parquet files, oldest first. Empty for a check.
    pub(crate) files: Vec<PathBuf>,
}

/// One SELECT.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Statement {
    sql: String,
    output: Option<PathBuf>,
}

impl Statement {
    /// A statement whose rows go to `output`, as an Arrow file; without it the statement is planned and not run.
    /// Text that no parser should see is refused, with the reason.
    pub(crate) fn new(sql: &str, output: Option<PathBuf>) -> Result<Statement, String> {
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
        columns: Vec<Column>,
        sandboxed: bool,
    },
    /// The statement is wrong or asks for what is not allowed; the text says where and what.
    Refused(String),
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
