//! What stands for the content of a file, so that nobody has to read it to find out whether it is what it was.

use std::fs;
use std::path::Path;
use std::rc::Rc;

use serde::{Serialize, Serializer};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

/// Stands for the content of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mark {
    length: usize,
    /// Of its bytes; none where something else says what they are.
    digest: Option<u128>,
}

/// A text that a file holds, or a part of one.
#[derive(Debug, PartialEq, Eq)]
pub struct MarkedText {
    pub(crate) text: String,
    mark: Mark,
}

impl Mark {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        Self {
            length: bytes.len(),
            digest: Some(xxh3_128(bytes)),
        }
    }

    /// The mark of a file of several parts; that of a single one is its own.
    pub(crate) fn of_parts(parts: &[Rc<MarkedText>]) -> Self {
        if let [part] = parts {
            return part.mark;
        }
        let mut hasher = Xxh3::new();
        for part in parts {
            hasher.update(&part.mark.digest.unwrap_or_default().to_le_bytes());
        }
        Self {
            length: parts.iter().map(|part| part.mark.length).sum(),
            digest: Some(hasher.digest128()),
        }
    }

    /// The mark of a file of which something else says whether it is what it was.
    pub(crate) fn of_length(length: usize) -> Self {
        Self { length, digest: None }
    }

    /// Whether a file is there that may hold it.
    pub(crate) fn fits(self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|found| found.len() == self.length as u64)
    }

    /// Whether both stand for the same bytes.
    pub(crate) fn is_same(self, other: Self) -> bool {
        self.digest.is_some() && self == other
    }
}

/// As its digest in hexadecimal digits; empty where it has none.
impl Serialize for Mark {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let Some(digest) = self.digest else {
            return serializer.serialize_str("");
        };
        let mut text = [0; 32];
        for (byte, digits) in digest.to_be_bytes().into_iter().zip(text.as_chunks_mut().0) {
            *digits = [byte >> 4, byte & 0xf].map(|digit| DIGITS[usize::from(digit)]);
        }
        serializer.serialize_str(std::str::from_utf8(&text).expect("digits are ASCII"))
    }
}

impl MarkedText {
    pub(crate) fn new(text: String) -> Rc<Self> {
        let mark = Mark::of(text.as_bytes());
        Rc::new(Self { text, mark })
    }
}
