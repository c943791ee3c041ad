//! The server's side: starts a child for a task and collects its replies.

use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::Command;
use tokio::sync::Semaphore;

use crate::metrics::Metrics;

use super::{Planned, Refusal, Reply, SqlLimits, Statement, Tables, Task, WORKER_ARGUMENT};

/// More than any honest child writes to its standard output.
const MAX_REPLY_BYTES: u64 = 1 << 20;

/// The outcome of one statement: what came of it, or why it was refused.
pub(crate) type Outcome = std::result::Result<Planned, Refusal>;

/// Why a task gave no outcomes at all.
#[derive(Debug)]
pub(crate) enum SqlError {
    /// Other tasks hold all children.
    Busy,
    /// A fault of ours or of the machine.
    Internal(anyhow::Error),
}

/// Starts children.
#[derive(Clone, Debug)]
pub(crate) struct SqlClient {
    program: PathBuf,
    directory: PathBuf,
    limits: SqlLimits,
    children: Arc<Semaphore>,
    unsandboxed_reported: Arc<AtomicBool>,
    metrics: Metrics,
}

impl SqlClient {
    pub(crate) fn new(
        program: PathBuf,
        directory: PathBuf,
        limits: SqlLimits,
        metrics: Metrics,
    ) -> SqlClient {
        SqlClient {
            program,
            directory,
            limits,
            children: Arc::new(Semaphore::new(limits.children)),
            unsandboxed_reported: Arc::new(AtomicBool::new(false)),
            metrics,
        }
    }

    /// Runs (or, without an output, plans) the statements; one outcome for each, in order.
    pub(crate) async fn run(
        &self,
        tables: Tables,
        statements: Vec<Statement>,
    ) -> std::result::Result<Vec<Outcome>, SqlError> {
        let _turn = tokio::time::timeout(
            Duration::from_secs(self.limits.queue_seconds),
            self.children.acquire(),
        )
        .await
        .map_err(|_| SqlError::Busy)?
        .map_err(|closed| SqlError::Internal(closed.into()))?;
        let expected = statements.len();
        let task = Task {
            tables,
            statements,
            limits: self.limits,
            server: std::process::id(),
        };
        let running = self.metrics.sql_worker();
        let ran = self.run_child(&task).await;
        drop(running);
        let (replies, ending) = ran.map_err(|error| {
            self.metrics.sql_worker_ended("broken");
            SqlError::Internal(error)
        })?;
        let mut outcomes: Vec<Outcome> = Vec::with_capacity(expected);
        for reply in replies {
            outcomes.push(match reply {
                Reply::Done { result, sandboxed } => {
                    if !sandboxed && !self.unsandboxed_reported.swap(true, Ordering::Relaxed) {
                        tracing::warn!(
                            "this kernel has no Landlock: SQL workers run with resource limits but without a file sandbox"
                        );
                    }
                    Ok(result)
                }
                Reply::Refused(refusal) => Err(refusal),
            });
        }
        if outcomes.len() < expected && outcomes.iter().all(Result::is_ok) {
            outcomes.push(Err(Refusal {
                reason: ending,
                reads: Vec::new(),
            }));
        }
        Ok(outcomes)
    }

    /// The replies that came, and a sentence on why no more did.
    async fn run_child(&self, task: &Task) -> anyhow::Result<(Vec<Reply>, String)> {
        let mut child = Command::new(&self.program)
            .arg(WORKER_ARGUMENT)
            .env_clear()
            .current_dir(&self.directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .with_context(|| format!("cannot start the SQL worker {}", self.program.display()))?;
        let mut stdin = child
            .stdin
            .take()
            .context("the SQL worker has no standard input")?;
        let stdout = child
            .stdout
            .take()
            .context("the SQL worker has no standard output")?;
        let stderr = child
            .stderr
            .take()
            .context("the SQL worker has no standard error")?;
        let input = serde_json::to_vec(task)?;
        let (mut output, mut complaint) = (Vec::new(), Vec::new());
        let exchange = async {
            // A child that died early breaks the pipe; its exit status tells more than that.
            if let Err(error) = stdin.write_all(&input).await
                && error.kind() != io::ErrorKind::BrokenPipe
            {
                return Err(error);
            }
            drop(stdin);
            let mut replies = stdout.take(MAX_REPLY_BYTES);
            let mut complaints = stderr.take(MAX_REPLY_BYTES);
            tokio::try_join!(
                replies.read_to_end(&mut output),
                complaints.read_to_end(&mut complaint)
            )?;
            child.wait().await
        };
        let wall = Duration::from_secs(self.limits.wall_seconds);
        let ending = match tokio::time::timeout(wall, exchange).await {
            Ok(status) => {
                let status = status.context("cannot talk to the SQL worker")?;
                let outcome = if status.success() { "done" } else { "at a limit" };
                // A worker that could not do its work says so; one that a limit stopped was killed by a signal.
                if status.code().is_some_and(|code| code != 0) {
                    bail!(
                        "the SQL worker failed: {}",
                        String::from_utf8_lossy(&complaint).trim()
                    );
                }
                self.metrics.sql_worker_ended(outcome);
                format!(
                    "the statement exceeded a limit of this server ({} MiB of memory, {} s of processor time, nesting, {} MiB of result); make it simpler or read fewer rows",
                    self.limits.memory_bytes >> 20,
                    self.limits.cpu_seconds,
                    self.limits.result_bytes >> 20
                )
            }
            Err(_) => {
                child.kill().await.context("cannot stop the SQL worker")?;
                self.metrics.sql_worker_ended("at the deadline");
                format!("the statement did not end within {} s", self.limits.wall_seconds)
            }
        };
        let mut replies = Vec::new();
        // The last line may be cut off by a kill; it then counts as not said.
        for line in output
            .split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
        {
            match serde_json::from_slice(line) {
                Ok(reply) => replies.push(reply),
                Err(_) => break,
            }
        }
        Ok((replies, ending))
    }
}
