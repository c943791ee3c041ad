//! Whether a file may hold something else than when it was read, by what the system says of it.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// What the system says of a file that nobody has touched for a while. As long as it says the same, the file holds the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    file: (u64, u64),
    length: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Times of files are steps, of two seconds at the most: who writes twice within one leaves the same time twice.
const STEP: Duration = Duration::from_secs(2);

impl Stamp {
    /// To be asked for before the file is read. None for a file that was touched just now, and where the system does not tell when a
    /// file was touched in a way that nobody can change afterwards.
    #[cfg(unix)]
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        let since_epoch = Duration::new(u64::try_from(changed.0).ok()?, u32::try_from(changed.1).ok()?);
        let age = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH + since_epoch)
            .ok()?;
        (age > STEP).then(|| Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed,
        })
    }

    /// None: the system does not tell when a file was touched in a way that nobody can change afterwards.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Metadata) -> Option<Self> {
        None
    }
}
