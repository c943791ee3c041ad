//! Notices that an author has saved something.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, UNIX_EPOCH};

use anyhow::Result;
use xxhash_rust::xxh3::Xxh3;

/// How often the files are looked at. A thousand of them take some milliseconds.
const INTERVAL: Duration = Duration::from_millis(150);
/// How long files stay the same that have come to rest.
const REST: Duration = Duration::from_millis(50);

/// Files and folders, by the names, sizes and times of all files in them.
pub(crate) struct Watched {
    paths: Vec<PathBuf>,
    /// As it was when it was built.
    built: u64,
    /// As it was at the last look.
    seen: u64,
}

impl Watched {
    pub(crate) fn new(paths: Vec<PathBuf>) -> Result<Watched> {
        let state = state(&paths)?;
        Ok(Watched {
            paths,
            built: state,
            seen: state,
        })
    }

    /// Looks at these from now on. What they hold now has been built, but for what changed meanwhile in those before.
    pub(crate) fn follow(&mut self, paths: Vec<PathBuf>) -> Result<()> {
        if paths != self.paths {
            let has_changed = state(&self.paths)? != self.built;
            *self = Watched::new(paths)?;
            self.built ^= u64::from(has_changed);
        }
        Ok(())
    }

    /// When to look again.
    pub(crate) fn pause(&self) -> Duration {
        if self.seen == self.built { INTERVAL } else { REST }
    }

    /// Whether something changed since the last time that this was true, and has come to rest: editors write several files,
    /// and `git` many.
    pub(crate) fn has_changed(&mut self) -> Result<bool> {
        let now = state(&self.paths)?;
        let is_at_rest = now == self.seen;
        self.seen = now;
        if !is_at_rest || now == self.built {
            return Ok(false);
        }
        self.built = now;
        Ok(true)
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

fn state(paths: &[impl AsRef<Path>]) -> Result<u64> {
    let mut hasher = Xxh3::new();
    for path in paths {
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            // What goes away under the walk has changed.
            let Ok(entry) = entry else { continue };
            let Ok(metadata) = entry.metadata() else { continue };
            hasher.update(entry.path().as_os_str().as_encoded_bytes());
            if metadata.is_file() {
                let time = metadata
                    .modified()?
                    .duration_since(UNIX_EPOCH)
                    .unwrap_or_default();
                hasher.update(&metadata.len().to_le_bytes());
                hasher.update(&time.as_nanos().to_le_bytes());
            }
        }
    }
    Ok(hasher.digest())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_saved_is_noticed_once_and_when_it_has_come_to_rest() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let page = folder.path().join("page.md");
        std::fs::write(&page, "a")?;
        let mut watched = Watched::new(vec![folder.path().to_owned()])?;
        assert!(!watched.has_changed()?);

        assert_eq!(watched.pause(), INTERVAL);

        std::fs::write(&page, "ab")?;
        assert!(!watched.has_changed()?, "it may not be whole yet");
        assert_eq!(watched.pause(), REST);
        std::fs::write(&page, "abc")?;
        assert!(!watched.has_changed()?, "it was not");
        assert!(watched.has_changed()?);
        assert_eq!(watched.pause(), INTERVAL);
        assert!(!watched.has_changed()?);

        std::fs::write(folder.path().join("new.md"), "")?;
        assert_eq!([watched.has_changed()?, watched.has_changed()?], [false, true]);
        std::fs::remove_file(&page)?;
        assert_eq!([watched.has_changed()?, watched.has_changed()?], [false, true]);

        let other = tempfile::tempdir()?;
        std::fs::write(other.path().join("a.png"), "")?;
        watched.follow(vec![folder.path().to_owned(), other.path().to_owned()])?;
        assert!(!watched.has_changed()?);
        std::fs::write(other.path().join("b.png"), "")?;
        assert_eq!([watched.has_changed()?, watched.has_changed()?], [false, true]);

        std::fs::write(other.path().join("c.png"), "")?;
        watched.follow(vec![folder.path().to_owned()])?;
        assert_eq!(
            [watched.has_changed()?, watched.has_changed()?],
            [true, false],
            "saved while it was built"
        );
        Ok(())
    }
}
