//! Models as bytes.
//!
//! ```text
//! magic       8 bytes   "swrecsys"
//! format      u32       FORMAT_VERSION
//! checksum    u32       CRC-32 of everything that follows
//! length      u64       of everything that follows
//! model       text      ModelSpec::id
//! version     u32       ModelSpec::version
//! content               as the model writes it
//! ```
//! Numbers are little-endian; a list is its length (u64) and its entries; a text is a list of bytes in UTF-8.

use crate::error::{Error, Result};

const MAGIC: &[u8; 8] = b"swrecsys";
const FORMAT_VERSION: u32 = 1;
const HEADER: usize = 24;

/// Collects the bytes of a model.
#[derive(Debug, Default)]
pub(crate) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Starts the file of a model.
    pub(crate) fn start(id: &str, version: u32) -> Self {
        let mut writer = Self {
            bytes: vec![0; HEADER],
        };
        writer.text(id);
        writer.u32(version);
        writer
    }

    /// The finished file.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let length = (self.bytes.len() - HEADER) as u64;
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&length.to_le_bytes());
        checksum.update(&self.bytes[HEADER..]);
        self.bytes[..8].copy_from_slice(MAGIC);
        self.bytes[8..12].copy_from_slice(&FORMAT_VERSION.to_le_bytes());
        self.bytes[12..16].copy_from_slice(&checksum.finalize().to_le_bytes());
        self.bytes[16..24].copy_from_slice(&length.to_le_bytes());
        self.bytes
    }

    #[cfg(test)]
    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub(crate) fn f32(&mut self, value: f32) {
        self.u32(value.to_bits());
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.u64(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn f32s(&mut self, values: &[f32]) {
        self.list(values, |value| value.to_le_bytes());
    }

    pub(crate) fn u32s(&mut self, values: &[u32]) {
        self.list(values, |value| value.to_le_bytes());
    }

    pub(crate) fn u64s(&mut self, values: &[u64]) {
        self.list(values, |value| value.to_le_bytes());
    }

    pub(crate) fn i64s(&mut self, values: &[i64]) {
        self.list(values, |value| value.to_le_bytes());
    }

    fn list<T: Copy, const N: usize>(&mut self, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
        self.u64(values.len() as u64);
        self.bytes.reserve(values.len() * N);
        for &value in values {
            self.bytes.extend_from_slice(&bytes(value));
        }
    }
}

/// Reads what a [`Writer`] wrote. A read beyond the end is an error, never a panic, and nothing is allocated for a
/// length that the bytes cannot hold.
#[derive(Debug)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    /// Checks the header and gives the id and the version of the model, and a reader of its content.
    pub(crate) fn open(bytes: &'a [u8]) -> Result<(String, u32, Self)> {
        if bytes.len() < HEADER || &bytes[..8] != MAGIC {
            return Err(Error::artefact("these bytes are not a saved model"));
        }
        let mut header = Self {
            bytes: &bytes[8..HEADER],
        };
        let format = header.u32()?;
        if format != FORMAT_VERSION {
            return Err(Error::artefact(format!(
                "the model was saved in format {format}; this library reads format {FORMAT_VERSION}"
            )));
        }
        let checksum = header.u32()?;
        let length = header.u64()?;
        let content = &bytes[HEADER..];
        if content.len() as u64 != length {
            return Err(Error::artefact(format!(
                "the saved model has {} bytes of {length}",
                content.len()
            )));
        }
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&length.to_le_bytes());
        hasher.update(content);
        if hasher.finalize() != checksum {
            return Err(Error::artefact(
                "the saved model is damaged: its checksum does not match",
            ));
        }
        let mut reader = Self { bytes: content };
        let id = reader.text()?;
        let version = reader.u32()?;
        Ok((id, version, reader))
    }

    /// Says that the content ends here.
    pub(crate) fn finish(&self) -> Result<()> {
        if self.bytes.is_empty() {
            Ok(())
        } else {
            Err(Error::artefact("a saved model is longer than its content"))
        }
    }

    pub(crate) fn u32(&mut self) -> Result<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Result<u64> {
        self.array().map(u64::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    pub(crate) fn usize(&mut self) -> Result<usize> {
        usize::try_from(self.u64()?).map_err(|_| Error::artefact("a length does not fit this machine"))
    }

    pub(crate) fn text(&mut self) -> Result<String> {
        let length = self.usize()?;
        let bytes = self.take(length)?;
        String::from_utf8(bytes.to_vec()).map_err(|_| Error::artefact("a saved text is not UTF-8"))
    }

    pub(crate) fn f32s(&mut self) -> Result<Vec<f32>> {
        self.list(f32::from_le_bytes)
    }

    pub(crate) fn u32s(&mut self) -> Result<Vec<u32>> {
        self.list(u32::from_le_bytes)
    }

    pub(crate) fn u64s(&mut self) -> Result<Vec<u64>> {
        self.list(u64::from_le_bytes)
    }

    pub(crate) fn i64s(&mut self) -> Result<Vec<i64>> {
        Ok(self.each_i64()?.collect())
    }

    /// As [`f32s`](Self::f32s), without a copy of all.
    pub(crate) fn each_f32(&mut self) -> Result<impl ExactSizeIterator<Item = f32> + Clone + use<'a>> {
        Ok(self.entries()?.iter().map(|entry| f32::from_le_bytes(*entry)))
    }

    /// As [`i64s`](Self::i64s), without a copy of all.
    pub(crate) fn each_i64(&mut self) -> Result<impl ExactSizeIterator<Item = i64> + Clone + use<'a>> {
        Ok(self.entries()?.iter().map(|entry| i64::from_le_bytes(*entry)))
    }

    fn list<T, const N: usize>(&mut self, value: impl Fn([u8; N]) -> T) -> Result<Vec<T>> {
        let entries = self.entries()?;
        Ok(entries.iter().map(|entry| value(*entry)).collect())
    }

    fn entries<const N: usize>(&mut self) -> Result<&'a [[u8; N]]> {
        let length = self.usize()?;
        let bytes = length
            .checked_mul(N)
            .ok_or_else(|| Error::artefact("a saved list is too long"))?;
        Ok(self.take(bytes)?.as_chunks::<N>().0)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let (head, tail) = self
            .bytes
            .split_first_chunk::<N>()
            .ok_or_else(|| Error::artefact("a saved model ends too early"))?;
        self.bytes = tail;
        Ok(*head)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (head, tail) = self
            .bytes
            .split_at_checked(length)
            .ok_or_else(|| Error::artefact("a saved model ends too early"))?;
        self.bytes = tail;
        Ok(head)
    }
}
