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
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        Self::at(metadata, SystemTime::now())
    }

    /// [`Stamp::of`], by another clock.
    #[cfg(unix)]
    pub(crate) fn at(metadata: &Metadata, now: SystemTime) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        let since_epoch = Duration::new(u64::try_from(changed.0).ok()?, u32::try_from(changed.1).ok()?);
        let age = now.duration_since(SystemTime::UNIX_EPOCH + since_epoch).ok()?;
        (age > STEP).then(|| Self {
            file: (metadata.dev(), metadata.ino()),
            length: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
            changed,
        })
    }

    #[cfg(not(unix))]
    pub(crate) fn at(_: &Metadata, _: SystemTime) -> Option<Self> {
        None
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_file_is_the_same_as_long_as_nobody_touches_it_and_no_sooner_than_that_can_be_told() {
        let folder = tempfile::tempdir().unwrap();
        let (file, other) = (folder.path().join("a"), folder.path().join("b"));
        let later = SystemTime::now() + STEP + Duration::from_secs(3600);
        let stamp = |now| Stamp::at(&fs::metadata(&file).unwrap(), now);
        fs::write(&file, "one").unwrap();
        assert_eq!(stamp(SystemTime::now()), None);
        // A clock that was put back.
        assert_eq!(stamp(SystemTime::UNIX_EPOCH), None);
        let first = stamp(later);
        assert!(first.is_some());
        assert_eq!(stamp(later), first);
        // Another file of the same length in its place, with the same date.
        fs::write(&other, "two").unwrap();
        let modified = fs::metadata(&file).unwrap().modified().unwrap();
        fs::File::options()
            .write(true)
            .open(&other)
            .unwrap()
            .set_modified(modified)
            .unwrap();
        fs::rename(&other, &file).unwrap();
        let second = stamp(later);
        assert!(second.is_some() && second != first);
        fs::write(&file, "three").unwrap();
        assert_ne!(stamp(later), second);
    }
}
