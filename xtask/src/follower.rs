//! Programs that stay while an author is at work: each build after the first is made by what the one before has warmed up and kept.
//!
//! Both builders have `--follow`: they build, say how it went in the last line of what they write to standard error, and build
//! again at each line of their standard input. A line may say what changed meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};

use anyhow::{Context, Result};

use crate::process::{Failed, describe};

pub(crate) struct Follower {
    command: Command,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// There until it is to end.
    lines: Option<ChildStdin>,
    said: BufReader<ChildStderr>,
}

impl Follower {
    /// `command` knows `--follow`. It is started for the first build.
    pub(crate) fn new(mut command: Command) -> Follower {
        command
            .arg("--follow")
            .stdin(Stdio::piped())
            .stderr(Stdio::piped());
        Follower {
            command,
            running: None,
        }
    }

    /// Builds, told in a line what changed since the last time. What the program says is shown, and is in the error, a [`Failed`], where
    /// it fails. A program that has ended is started again.
    pub(crate) fn build(&mut self, changed: &str) -> Result<()> {
        let words = describe(&self.command);
        let mut running = match self.running.take().and_then(|running| running.asked(changed)) {
            Some(running) => running,
            None => Running::start(&mut self.command)?,
        };
        let mut said = String::new();
        let code = loop {
            let mut line = Vec::new();
            let read = running.said.read_until(b'\n', &mut line);
            if read.with_context(|| format!("cannot read what `{words}` says"))? == 0 {
                break running.child.wait()?.code();
            }
            match &*String::from_utf8_lossy(&line) {
                "== built\n" => {
                    self.running = Some(running);
                    return Ok(());
                }
                "== failed\n" => {
                    self.running = Some(running);
                    break Some(1);
                }
                line => {
                    eprint!("{line}");
                    said.push_str(line);
                }
            }
        };
        Err(Failed {
            command: words,
            code,
            said,
        }
        .into())
    }
}

impl Follower {
    /// CPU seconds that all threads of the program have used, as proc(5) has them in `schedstat`.
    pub(crate) fn cpu_seconds(&self) -> Result<f64> {
        let running = self.running.as_ref().context("the builder has ended")?;
        let mut nanoseconds = 0;
        for thread in std::fs::read_dir(format!("/proc/{}/task", running.child.id()))? {
            let stat = std::fs::read_to_string(thread?.path().join("schedstat"))?;
            let on_cpu = stat.split(' ').next().unwrap_or_default();
            nanoseconds += on_cpu.parse::<u64>().context("schedstat starts with a number")?;
        }
        Ok(nanoseconds as f64 / 1e9)
    }
}

impl Running {
    fn start(command: &mut Command) -> Result<Running> {
        let mut child = command
            .spawn()
            .with_context(|| format!("cannot start `{}`", describe(command)))?;
        let lines = child.stdin.take();
        let said = BufReader::new(child.stderr.take().context("the program has no standard error")?);
        Ok(Running { child, lines, said })
    }

    /// The program, asked for a build; none where it has ended.
    fn asked(mut self, changed: &str) -> Option<Running> {
        let lines = self.lines.as_mut()?;
        writeln!(lines, "{changed}").is_ok().then_some(self)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // By this it ends.
        self.lines = None;
        if let Err(error) = self.child.wait() {
            eprintln!("xtask: a builder did not end: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Follower {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Follower::new(command)
    }

    #[track_caller]
    fn failure(built: Result<()>) -> (Option<i32>, String) {
        let failed = built.unwrap_err().downcast::<Failed>().unwrap();
        (failed.code, failed.said)
    }

    #[test]
    fn one_process_builds_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let ended = folder.path().join("ended");
        let mut builder = shell(&format!(
            "echo first >&2; echo '== built' >&2; n=1; while read -r line; do n=$((n + 1)); echo $n $line >&2; echo '== failed' >&2; done; touch {}",
            ended.display()
        ));
        builder.build("").unwrap();
        assert_eq!(failure(builder.build("a")), (Some(1), "2 a\n".to_owned()));
        assert_eq!(failure(builder.build("")), (Some(1), "3\n".to_owned()));
        drop(builder);
        assert!(ended.exists());
    }

    #[test]
    fn one_that_ends_has_failed_and_is_started_again() {
        let mut builder = shell("echo '== built' >&2; read -r line; echo 'a panic' >&2; exit 101");
        for _ in 0..2 {
            builder.build("").unwrap();
            assert_eq!(failure(builder.build("")), (Some(101), "a panic\n".to_owned()));
        }
    }

    #[test]
    fn one_that_ended_between_builds_is_started_again() {
        let mut builder = shell("echo '== built' >&2");
        for _ in 0..3 {
            builder.build("").unwrap();
            // Until nobody reads the question any more.
            builder.running.as_mut().unwrap().child.wait().unwrap();
        }
    }
}
