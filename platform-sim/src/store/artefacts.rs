//! What a training makes, as a directory per version.
//!
//! A version is built in a scratch directory, synchronised, and renamed into place, so a version that exists is
//! complete. The metadata says which one serves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{sync_directory, sync_file};

/// The versions of all models.
#[derive(Clone, Debug)]
pub(crate) struct Artefacts {
    root: PathBuf,
    work: PathBuf,
}

impl Artefacts {
    pub(crate) fn new(root: PathBuf, work: PathBuf) -> Artefacts {
        Artefacts { root, work }
    }

    /// A new scratch directory.
    pub(crate) fn scratch(&self) -> io::Result<Scratch> {
        let path = self.work.join(crate::random_name()?);
        fs::create_dir(&path)?;
        Ok(Scratch { path })
    }

    /// Where a version lies.
    pub(crate) fn version(&self, model: i64, version: u32) -> PathBuf {
        self.root.join(model.to_string()).join(version.to_string())
    }

    /// Moves what was built into place as `version`. Afterwards it survives a power cut.
    pub(crate) fn publish(&self, built: &Path, model: i64, version: u32) -> io::Result<PathBuf> {
        sync_tree(built)?;
        let target = self.version(model, version);
        let parent = self.root.join(model.to_string());
        fs::create_dir_all(&parent)?;
        if target.exists() {
            // Left by a crash between the rename and the commit that would have named it.
            fs::remove_dir_all(&target)?;
        }
        fs::rename(built, &target)?;
        sync_directory(&parent)?;
        sync_directory(&self.root)?;
        Ok(target)
    }

    /// Removes every version of the model except those in `keep`. What somebody else removes meanwhile is no error: the deletion of a
    /// model and its last training both do so.
    pub(crate) fn sweep(&self, model: i64, keep: &[u32]) -> io::Result<()> {
        let directory = self.root.join(model.to_string());
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        for entry in entries {
            let entry = entry?;
            let kept = |version: &u32| entry.file_name() == version.to_string().as_str();
            if !keep.iter().any(kept) {
                gone(fs::remove_dir_all(entry.path()))?;
            }
        }
        if keep.is_empty() {
            gone(fs::remove_dir(&directory))?;
        }
        Ok(())
    }

    /// The newest version before another one.
    pub(crate) fn before(&self, model: i64, version: u32) -> io::Result<Option<u32>> {
        let entries = match fs::read_dir(self.root.join(model.to_string())) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut newest = None;
        for entry in entries {
            let found = entry?.file_name().to_str().and_then(|name| name.parse().ok());
            newest = newest.max(found.filter(|found| *found < version));
        }
        Ok(newest)
    }

    /// The models that have versions.
    pub(crate) fn models(&self) -> io::Result<Vec<i64>> {
        let mut models = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            if let Some(model) = entry?.file_name().to_str().and_then(|name| name.parse().ok()) {
                models.push(model);
            }
        }
        Ok(models)
    }
}

/// A directory for the time of a job; removed when dropped.
#[derive(Debug)]
pub(crate) struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_dir_all(&self.path) {
            tracing::warn!(path = %self.path.display(), %error, "a scratch directory stays until the next start");
        }
    }
}

/// What is not there is removed.
fn gone(removed: io::Result<()>) -> io::Result<()> {
    removed.or_else(|error| match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    })
}

fn sync_tree(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        if path.is_dir() {
            sync_tree(&path)?;
        } else {
            sync_file(&path)?;
        }
    }
    sync_directory(directory)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn two_who_remove_a_model_leave_nothing() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("models");
        let artefacts = Artefacts::new(root.clone(), directory.path().join("work"));
        for model in 0..100 {
            for version in 0..8 {
                let version = artefacts.version(model, version);
                fs::create_dir_all(&version).unwrap();
                fs::write(version.join("items"), "a").unwrap();
            }
            let together = Barrier::new(2);
            let sweep = || {
                together.wait();
                artefacts.sweep(model, &[]).unwrap();
            };
            std::thread::scope(|scope| {
                scope.spawn(sweep);
                scope.spawn(sweep);
            });
            assert!(!root.join(model.to_string()).exists());
        }
    }
}
