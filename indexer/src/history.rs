//! When each file last changed, from git.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::time::SystemTime;

/// The dates of the last changes, asked for again and again.
#[derive(Debug, Default)]
pub struct History {
    /// The commit of which they are.
    head: Option<String>,
    last_changes: Rc<HashMap<String, String>>,
    /// Git's log of where `HEAD` has been, and what it was like before git was asked.
    log: Option<(PathBuf, LogState)>,
}

/// Git writes to the log whenever `HEAD` becomes another commit.
#[derive(Debug, PartialEq, Eq)]
struct LogState {
    length: u64,
    written: SystemTime,
}

impl LogState {
    fn of(log: &Path) -> Option<Self> {
        let metadata = fs::metadata(log).ok()?;
        Some(Self {
            length: metadata.len(),
            written: metadata.modified().ok()?,
        })
    }
}

impl History {
    /// [`last_changes`]. Git is asked only where there may be other commits, and goes through all of them only where there are.
    pub fn last_changes(&mut self, folder: &Path) -> &Rc<HashMap<String, String>> {
        if let Some((log, state)) = &self.log
            && LogState::of(log).as_ref() == Some(state)
        {
            return &self.last_changes;
        }
        let log = git(folder, &["rev-parse", "--absolute-git-dir"])
            .map(|folder| Path::new(folder.trim_end_matches('\n')).join("logs/HEAD"));
        // Not every repository keeps one.
        self.log = log.and_then(|log| LogState::of(&log).map(|state| (log, state)));
        let head = git(folder, &["rev-parse", "HEAD"]);
        if head != self.head {
            self.last_changes = match head {
                Some(_) => last_changes(folder).into(),
                None => Rc::default(),
            };
            self.head = head;
        }
        &self.last_changes
    }
}

/// The date (`YYYY-MM-DD`) of the last commit of each file below `folder`, by its path inside the folder.
///
/// Empty where the folder is in no git repository or git is not installed: the date is an extra that pages can do
/// without, and a folder that someone points us at need not be a repository. Of a clone that was cut off ([`is_cut`]) a file
/// has a date only where a commit changed it that was fetched whole.
pub fn last_changes(folder: &Path) -> HashMap<String, String> {
    let log = git(
        folder,
        &[
            "-c",
            "core.quotePath=off",
            "log",
            "--format=format:%x01%cs %P",
            "--name-only",
            "--no-renames",
            "--relative",
            "--",
            ".",
        ],
    );
    log.map_or_else(HashMap::new, |log| read_log(&log, is_cut(folder)))
}

/// Whether git has not all commits of the folder (`git clone --depth 1`, as CI services clone): the oldest that it has seems
/// to have made every file.
pub fn is_cut(folder: &Path) -> bool {
    git(folder, &["rev-parse", "--is-shallow-repository"]).is_some_and(|answer| answer.trim_end() == "true")
}

/// What git says, where it is there and knows the folder.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(arguments);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let output = output.ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Of a line `DATE PARENTS` for each commit, and the files that it changed.
fn read_log(log: &str, is_cut: bool) -> HashMap<String, String> {
    let mut changes = HashMap::new();
    let mut date = None;
    for line in log.lines() {
        if let Some(commit) = line.strip_prefix('\u{1}') {
            let (day, parents) = commit.split_once(' ').unwrap_or((commit, ""));
            date = (!is_cut || !parents.is_empty()).then_some(day);
        } else if !line.is_empty()
            && let Some(day) = date
        {
            // The log starts with the newest commit.
            changes.entry(line.to_owned()).or_insert_with(|| day.to_owned());
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_commit_of_a_file_counts() {
        let log = "\u{1}2026-11-21 5f3c\na.md\n\n\u{1}2026-11-20 \na.md\nb c.md\n";
        let changes = read_log(log, false);
        assert_eq!(changes.get("a.md").map(String::as_str), Some("2026-11-21"));
        assert_eq!(changes.get("b c.md").map(String::as_str), Some("2026-11-20"));
        // Where the second is the last that was fetched, nobody knows which files it really changed.
        let changes = read_log(log, true);
        assert_eq!(changes.get("a.md").map(String::as_str), Some("2026-11-21"));
        assert_eq!(changes.get("b c.md"), None);
    }
}
