//! Words as they are written, and how common they are.
//!
//! Streams: 0, 1, 2 the words in order, front-coded; 3 one byte each, the logarithm to base 2 of how often, a title counting
//! more than a text. The term of a word is its stem, so nothing has to say it.

use super::codec::{Reader, Strings, all_read};
#[cfg(feature = "write")]
use super::codec::{StringsWriter, put_streams, put_varint, to_u32};

/// Neighbouring words.
#[derive(Debug, Clone)]
pub(crate) struct WordFile {
    words: Strings,
    uses: Vec<u8>,
}

/// A word of the site.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word<'a> {
    pub(crate) form: &'a str,
    /// How common it is.
    pub(crate) uses: u8,
}

impl WordFile {
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let mut reader = Reader::new(bytes);
        let count = reader.count()?;
        let mut streams = reader.streams::<4>()?;
        let words = Strings::read_sorted(count, &mut streams[..3])?;
        let uses = streams[3].take(count)?.to_vec();
        all_read(&streams)?;
        Some(Self { words, uses })
    }

    /// The words from `beginning` on that begin with it.
    pub(crate) fn beginning_with<'a>(&'a self, beginning: &'a str) -> impl Iterator<Item = Word<'a>> {
        (self.words.lower_bound(beginning)..self.words.len())
            .map(|index| Word {
                form: self.words.get(index),
                uses: self.uses[index],
            })
            .take_while(move |word| word.form.starts_with(beginning))
    }

    pub(crate) fn has(&self, form: &str) -> bool {
        self.words.find(form).is_some()
    }

    pub(crate) fn memory(&self) -> usize {
        self.words.memory() + self.uses.len()
    }
}

/// Collects words for one file.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub(crate) struct WordWriter {
    words: StringsWriter,
    uses: Vec<u8>,
    bytes: usize,
}

#[cfg(feature = "write")]
impl WordWriter {
    pub(crate) fn push(&mut self, form: &str, uses: u8) {
        self.words.push(form);
        self.uses.push(uses);
        self.bytes += form.len() / 2 + 3;
    }

    /// Bytes so far, about.
    pub(crate) fn len(&self) -> usize {
        self.bytes
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        let mut bytes = Vec::new();
        put_varint(&mut bytes, to_u32(self.uses.len()));
        let streams: Vec<Vec<u8>> = self.words.finish().into_iter().chain([self.uses]).collect();
        put_streams(&mut bytes, &streams);
        bytes
    }
}
