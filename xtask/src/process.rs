//! Steps with their time, and child processes with their failures.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use xxhash_rust::xxh3::Xxh3;

/// Says what is being done, does it, says how long it took.
pub(crate) fn step<T>(name: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    eprintln!("\u{25b8} {name}");
    let started = Instant::now();
    let value = work()?;
    eprintln!("  done in {:.1} s", started.elapsed().as_secs_f64());
    Ok(value)
}

/// A child ended with a failure that it has already explained on its own output.
#[derive(Debug)]
pub(crate) struct Failed {
    pub(crate) command: String,
    pub(crate) code: Option<i32>,
    /// What it wrote to its stderr, where somebody listened.
    pub(crate) said: String,
}

impl fmt::Display for Failed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.code {
            Some(code) => write!(formatter, "`{}` ended with exit code {code}", self.command),
            None => write!(formatter, "`{}` was stopped by a signal", self.command),
        }
    }
}

impl std::error::Error for Failed {}

/// Runs a command with its output shown.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let words = describe(command);
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("cannot start `{words}`"))?;
    if !status.success() {
        return Err(Failed {
            command: words,
            code: status.code(),
            said: String::new(),
        }
        .into());
    }
    Ok(())
}

/// [`run`] for a command whose explanation of a failure is shown elsewhere too.
pub(crate) fn run_listening(command: &mut Command) -> Result<()> {
    let words = describe(command);
    let mut child = command
        .stdin(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start `{words}`"))?;
    let mut said = String::new();
    for line in BufReader::new(child.stderr.take().expect("it is piped")).split(b'\n') {
        let line = line.with_context(|| format!("cannot read what `{words}` says"))?;
        let line = String::from_utf8_lossy(&line);
        eprintln!("{line}");
        said.push_str(&line);
        said.push('\n');
    }
    let status = child.wait()?;
    if !status.success() {
        return Err(Failed {
            command: words,
            code: status.code(),
            said,
        }
        .into());
    }
    Ok(())
}

/// Runs a command and shows its output only if it fails; for steps whose output says nothing otherwise.
pub(crate) fn run_quietly(command: &mut Command) -> Result<()> {
    let words = describe(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start `{words}`"))?;
    if !output.status.success() {
        eprintln!(
            "{}{}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        return Err(Failed {
            command: words,
            code: output.status.code(),
            said: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
        .into());
    }
    Ok(())
}

/// A cargo command in the repository.
pub(crate) fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(crate::root());
    command
}

/// An npm command in one of the repository's packages.
pub(crate) fn npm(folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(crate::root().join(folder));
    command
}

/// A command as somebody would type it.
pub(crate) fn describe(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy().into_owned()];
    words.extend(
        command
            .get_args()
            .map(|argument| argument.to_string_lossy().into_owned()),
    );
    words.join(" ")
}

/// A digest of files and folders (names and contents) and of further words; equal inputs, equal digest.
pub(crate) fn digest(paths: &[&Path], words: &[&str]) -> Result<String> {
    let mut hasher = Xxh3::new();
    for path in paths {
        let walk = walkdir::WalkDir::new(path).sort_by_file_name().into_iter();
        for entry in walk.filter_entry(|entry| entry.file_name() != "node_modules") {
            let entry = entry.with_context(|| format!("cannot read {}", path.display()))?;
            if entry.file_type().is_file() {
                hasher.update(entry.path().to_string_lossy().as_bytes());
                let bytes = std::fs::read(entry.path())
                    .with_context(|| format!("cannot read {}", entry.path().display()))?;
                hasher.update(&bytes);
            }
        }
    }
    for word in words {
        hasher.update(word.as_bytes());
        hasher.update(&[0]);
    }
    Ok(format!("{:032x}", hasher.digest128()))
}

/// Does `work` unless it was done before with the same inputs; `stamp` remembers them.
pub(crate) fn once(stamp: &Path, inputs: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    if std::fs::read_to_string(stamp).is_ok_and(|before| before == inputs) {
        eprintln!("  up to date");
        return Ok(());
    }
    if stamp.exists() {
        std::fs::remove_file(stamp).with_context(|| format!("cannot remove {}", stamp.display()))?;
    }
    work()?;
    if let Some(folder) = stamp.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    }
    std::fs::write(stamp, inputs).with_context(|| format!("cannot write {}", stamp.display()))
}
