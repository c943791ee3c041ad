//! A text that was written anew as Markdown, and where each part of it comes from.

use std::ops::Range;

/// The new text.
#[derive(Debug, Default)]
pub(crate) struct Reshaped {
    pub(super) text: String,
    parts: Vec<Part>,
}

/// A part of the text, up to the next one.
#[derive(Debug)]
struct Part {
    start: usize,
    /// Where it is in the file.
    from: usize,
    /// It stands there as it is; else all of it stands for what is there.
    is_copy: bool,
}

impl Reshaped {
    /// Adds `text`, which stands for what is at `from` of the file.
    pub(super) fn put(&mut self, text: &str, from: usize) {
        self.add(text, from, false);
    }

    /// Adds a part of the file.
    pub(super) fn copy(&mut self, file: &str, range: Range<usize>) {
        self.add(&file[range.clone()], range.start, true);
    }

    /// The bytes of the file that this part of the text comes from.
    pub(super) fn place(&self, range: &Range<usize>) -> Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// Panics unless each sign of the text stands for a part of `file`, in its order.
    #[cfg(test)]
    pub(super) fn assert_places(&self, file: &str) {
        let mut last = 0;
        for (at, c) in self.text.char_indices() {
            let place = self.place(&(at..at + c.len_utf8()));
            assert!(place.start >= last, "{file}");
            assert!(file.get(place.clone()).is_some(), "{file}");
            last = place.start;
        }
    }

    fn add(&mut self, text: &str, from: usize, is_copy: bool) {
        let start = self.text.len();
        self.parts.push(Part { start, from, is_copy });
        self.text.push_str(text);
    }

    fn offset(&self, at: usize) -> usize {
        let next = self.parts.partition_point(|part| part.start <= at);
        match next.checked_sub(1).map(|part| &self.parts[part]) {
            Some(part) if part.is_copy => part.from + (at - part.start),
            Some(part) => part.from,
            None => at,
        }
    }
}
