//! Notices that an author has saved something.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::Result;

/// How often the files are looked at. A thousand of them take some milliseconds.
const INTERVAL: Duration = Duration::from_millis(150);
/// How long files stay the same that have come to rest.
const REST: Duration = Duration::from_millis(50);

/// Files and folders, by the names of all that is in them, and the sizes and times of the files.
pub(crate) struct Watched {
    paths: Vec<PathBuf>,
    /// As it was when it was built.
    built: State,
    /// As it was at the last look.
    seen: State,
}

/// All that is in watched folders: of a file what changes with its content, of a folder nothing.
type State = BTreeMap<PathBuf, Option<FileState>>;

#[derive(Clone, Copy, PartialEq, Eq)]
struct FileState {
    inode: u64,
    length: u64,
    /// Seconds and nanoseconds, of the content and of what the system says of it.
    times: [i64; 4],
}

impl Watched {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Result<Watched> {
        let state = state(&paths)?;
        Ok(Watched {
            paths,
            built: state.clone(),
            seen: state,
        })
    }

    /// Looks at these from now on. What they hold now has been built, but for what changed meanwhile in those that were watched before.
    pub(crate) fn follow(&mut self, paths: Vec<PathBuf>) -> Result<()> {
        if paths == self.paths {
            return Ok(());
        }
        let is_below = |file: &Path, paths: &[PathBuf]| paths.iter().any(|path| file.starts_with(path));
        self.seen = state(&paths)?;
        self.built.retain(|file, _| is_below(file, &paths));
        for (file, state) in &self.seen {
            if !is_below(file, &self.paths) {
                self.built.insert(file.clone(), *state);
            }
        }
        self.paths = paths;
        Ok(())
    }

    /// When to look again.
    pub(crate) fn pause(&self) -> Duration {
        if self.seen == self.built { INTERVAL } else { REST }
    }

    /// What is another since the last time that there was something here, or came or went, once it has come to rest: editors write
    /// several files, and `git` many.
    pub(crate) fn changed(&mut self) -> Result<Option<BTreeSet<PathBuf>>> {
        let now = state(&self.paths)?;
        let is_at_rest = now == self.seen;
        self.seen = now;
        if !is_at_rest || self.seen == self.built {
            return Ok(None);
        }
        let before = std::mem::replace(&mut self.built, self.seen.clone());
        let gone = before.keys().filter(|path| !self.built.contains_key(*path));
        let others = self.built.iter();
        let others = others.filter(|(path, state)| before.get(*path) != Some(*state));
        Ok(Some(gone.chain(others.map(|(path, _)| path)).cloned().collect()))
    }
}

/// Calls `work` again and again, each time after as long as it says, until somebody wants the program to stop, or it fails.
pub(crate) fn until_stopped(
    stopped: &Receiver<()>,
    mut work: impl FnMut() -> Result<Duration>,
) -> Result<()> {
    let mut pause = INTERVAL;
    loop {
        match stopped.recv_timeout(pause) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => pause = work()?,
        }
    }
}

/// Whether a folder in a watched one holds what a program writes for itself. Obsidian does so with each note that somebody looks at.
fn is_of_a_program(name: &str) -> bool {
    matches!(name, ".git" | ".obsidian" | "node_modules")
}

fn state(paths: &[PathBuf]) -> Result<State> {
    let mut found = State::new();
    for path in paths {
        let is_of_pages = |entry: &walkdir::DirEntry| {
            entry.depth() == 0 || !entry.file_name().to_str().is_some_and(is_of_a_program)
        };
        for entry in walkdir::WalkDir::new(path).into_iter().filter_entry(is_of_pages) {
            // What goes away under the walk has changed.
            let Ok(entry) = entry else { continue };
            let Ok(metadata) = entry.metadata() else { continue };
            let file = metadata.is_file().then(|| FileState {
                inode: metadata.ino(),
                length: metadata.len(),
                times: [
                    metadata.mtime(),
                    metadata.mtime_nsec(),
                    metadata.ctime(),
                    metadata.ctime_nsec(),
                ],
            });
            found.insert(entry.into_path(), file);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_noticed_once_and_when_it_has_come_to_rest() -> Result<()> {
        let root = tempfile::tempdir()?;
        let file = |name: &str| root.path().join(name);
        let set = |names: &[&str]| Some(names.iter().map(|name| file(name)).collect::<BTreeSet<_>>());
        for folder in ["docs", "other"] {
            std::fs::create_dir(file(folder))?;
        }
        std::fs::write(file("docs/page.md"), "a")?;
        let mut watched = Watched::new(vec![file("docs")])?;
        assert_eq!(watched.changed()?, None);
        assert_eq!(watched.pause(), INTERVAL);

        std::fs::write(file("docs/page.md"), "ab")?;
        assert_eq!(watched.changed()?, None, "it may not be whole yet");
        assert_eq!(watched.pause(), REST);
        std::fs::write(file("docs/page.md"), "abc")?;
        assert_eq!(watched.changed()?, None, "it was not");
        assert_eq!(watched.changed()?, set(&["docs/page.md"]));
        assert_eq!(watched.pause(), INTERVAL);
        assert_eq!(watched.changed()?, None);

        std::fs::create_dir(file("docs/more"))?;
        std::fs::write(file("docs/more/new.md"), "")?;
        assert_eq!(
            [watched.changed()?, watched.changed()?],
            [None, set(&["docs/more", "docs/more/new.md"])]
        );
        std::fs::remove_file(file("docs/page.md"))?;
        assert_eq!(
            [watched.changed()?, watched.changed()?],
            [None, set(&["docs/page.md"])]
        );

        std::fs::create_dir(file("docs/.obsidian"))?;
        std::fs::write(file("docs/.obsidian/workspace.json"), "{}")?;
        assert_eq!([watched.changed()?, watched.changed()?], [None, None]);

        // Another file with the same size and date.
        let date = std::fs::metadata(file("docs/more/new.md"))?.modified()?;
        std::fs::File::create(file("new"))?.set_modified(date)?;
        std::fs::rename(file("new"), file("docs/more/new.md"))?;
        assert_eq!(
            [watched.changed()?, watched.changed()?],
            [None, set(&["docs/more/new.md"])]
        );
        Ok(())
    }

    #[test]
    fn what_is_watched_may_become_more_and_less() -> Result<()> {
        let root = tempfile::tempdir()?;
        let file = |name: &str| root.path().join(name);
        let set = |names: &[&str]| Some(names.iter().map(|name| file(name)).collect::<BTreeSet<_>>());
        for folder in ["docs", "other"] {
            std::fs::create_dir(file(folder))?;
        }
        let mut watched = Watched::new(vec![file("docs")])?;
        std::fs::write(file("docs/a.md"), "")?;
        std::fs::write(file("other/a.png"), "")?;
        watched.follow(vec![file("docs"), file("other")])?;
        assert_eq!(
            watched.changed()?,
            set(&["docs/a.md"]),
            "saved while it was built"
        );
        std::fs::write(file("other/b.png"), "")?;
        assert_eq!(
            [watched.changed()?, watched.changed()?],
            [None, set(&["other/b.png"])]
        );

        std::fs::write(file("other/c.png"), "")?;
        std::fs::remove_file(file("docs/a.md"))?;
        watched.follow(vec![file("docs")])?;
        assert_eq!(
            [watched.changed()?, watched.changed()?],
            [set(&["docs/a.md"]), None]
        );
        Ok(())
    }
}
