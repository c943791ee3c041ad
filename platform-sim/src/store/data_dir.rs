//! The directory that holds everything: its layout, its format version and the lock of the one process that owns it.
//!
//! ```text
//! format            the version of this layout, one line
//! lock              locked while a server runs; the operating system releases it when the process ends
//! keys.json         the two keys made at the first start, readable by the owner only
//! metadata.sqlite   datasets and their secrets, transforms, models, jobs, digests of keys; readable by the owner only
//! pages.sqlite      what users were shown lately, for the time of the pages; readable by the owner only
//! rows/<dataset>/, rows/t<transform>/   Parquet files, named by the metadata
//! models/<model>/<version>/   what a training made
//! work/             scratch, emptied at every start
//! ```

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::sync_directory;

const FORMAT: &str = "siftwren data 1";

/// An opened data directory; the lock lasts as long as the value.
#[derive(Debug)]
pub(crate) struct DataDir {
    root: PathBuf,
    _lock: File,
}

impl DataDir {
    /// Opens a data directory, making it if it is not there.
    pub(crate) fn open(root: &Path) -> anyhow::Result<DataDir> {
        let shown = root.display();
        fs::create_dir_all(root).with_context(|| format!("cannot make the data directory {shown}"))?;
        let root =
            fs::canonicalize(root).with_context(|| format!("cannot find the data directory {shown}"))?;
        let lock = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(root.join("lock"))
            .with_context(|| format!("cannot write to the data directory {shown}"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "the data directory {shown} is in use by another platform-sim; stop that one or name another with --data-dir"
            ),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock the data directory {shown}"));
            }
        }
        let directory = DataDir { root, _lock: lock };
        directory.check_format()?;
        for part in ["rows", "models", "work"] {
            fs::create_dir_all(directory.root.join(part))
                .with_context(|| format!("cannot make {shown}/{part}"))?;
        }
        directory.empty_work()?;
        sync_directory(&directory.root).with_context(|| format!("cannot synchronise {shown}"))?;
        Ok(directory)
    }

    pub(crate) fn metadata(&self) -> PathBuf {
        self.root.join("metadata.sqlite")
    }

    pub(crate) fn pages(&self) -> PathBuf {
        self.root.join("pages.sqlite")
    }

    pub(crate) fn rows(&self) -> PathBuf {
        self.root.join("rows")
    }

    pub(crate) fn models(&self) -> PathBuf {
        self.root.join("models")
    }

    pub(crate) fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Where the keys of the first start lie.
    pub(crate) fn keys(&self) -> PathBuf {
        self.root.join("keys.json")
    }

    /// Writes a file that only the owner may read, whole or not at all.
    pub(crate) fn write_private(&self, path: &Path, content: &str) -> anyhow::Result<()> {
        let temporary = path.with_extension("new");
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options
            .open(&temporary)
            .with_context(|| format!("cannot write {}", temporary.display()))?;
        file.write_all(content.as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        sync_directory(&self.root)?;
        Ok(())
    }

    fn check_format(&self) -> anyhow::Result<()> {
        let path = self.root.join("format");
        let shown = self.root.display();
        match fs::read_to_string(&path) {
            Ok(found) if found.trim_end() == FORMAT => Ok(()),
            Ok(found) => bail!(
                "the data directory {shown} has the format '{}', this server reads '{FORMAT}'; use the server that wrote it or name another directory with --data-dir",
                found.trim_end().chars().take(60).collect::<String>()
            ),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // The format file is the first thing that a new directory gets, so data without it is not ours.
                if self.metadata().exists() {
                    bail!(
                        "the data directory {shown} has no format file beside its metadata; it is damaged or not a siftwren directory"
                    );
                }
                let mut file = File::create(&path)?;
                writeln!(file, "{FORMAT}")?;
                file.sync_all()?;
                sync_directory(&self.root)?;
                Ok(())
            }
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        }
    }

    fn empty_work(&self) -> anyhow::Result<()> {
        for entry in fs::read_dir(self.work())? {
            let path = entry?.path();
            let removed = if path.is_dir() {
                fs::remove_dir_all(&path)
            } else {
                fs::remove_file(&path)
            };
            removed.with_context(|| format!("cannot remove {}", path.display()))?;
        }
        Ok(())
    }
}
