//! Numbers, texts and bytes: little-endian base-128 varints, streams, sorted texts, and a checksum with a small table.

/// Reads forward over bytes. Every read says `None` instead of going beyond the end.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn remaining(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(crate) fn u8(&mut self) -> Option<u8> {
        let byte = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// A number of at most five bytes; a longer or larger one is refused.
    pub(crate) fn varint(&mut self) -> Option<u32> {
        let mut value = 0u32;
        for shift in [0, 7, 14, 21, 28] {
            let byte = self.u8()?;
            let bits = u32::from(byte & 0x7F);
            if shift == 28 && bits > 0x0F {
                return None;
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    pub(crate) fn length(&mut self) -> Option<usize> {
        self.varint().map(|value| value as usize)
    }

    /// How many entries follow. Each takes a byte at least, so a number beyond what is left is wrong, and
    /// nothing is ever allocated for it.
    pub(crate) fn count(&mut self) -> Option<usize> {
        self.length().filter(|count| *count <= self.remaining())
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.take(4)?.try_into().ok().map(u32::from_le_bytes)
    }

    pub(crate) fn f32(&mut self) -> Option<f32> {
        self.u32().map(f32::from_bits)
    }

    pub(crate) fn text(&mut self) -> Option<&'a str> {
        let length = self.length()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    /// The streams that are the rest of the bytes: numbers beside numbers and letters beside letters compress better
    /// than records.
    pub(crate) fn streams<const N: usize>(&mut self) -> Option<[Reader<'a>; N]> {
        let mut lengths = [0; N];
        for length in &mut lengths[..N - 1] {
            *length = self.length()?;
        }
        let all_but_last = lengths
            .iter()
            .try_fold(0usize, |sum, length| sum.checked_add(*length))?;
        lengths[N - 1] = self.remaining().checked_sub(all_but_last)?;
        let mut streams = [const { Reader { bytes: &[], at: 0 } }; N];
        for (stream, length) in streams.iter_mut().zip(lengths) {
            *stream = Reader::new(self.take(length)?);
        }
        Some(streams)
    }
}

/// Whether nothing is left in any of them.
pub(crate) fn all_read(readers: &[Reader<'_>]) -> Option<()> {
    readers.iter().all(|reader| reader.remaining() == 0).then_some(())
}

/// Longest text that is believed to share its beginning with the one before it, and longest beginning. Without it a short
/// file could ask for gigabytes.
const MAX_SHARED: usize = 255;

/// Texts one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Strings {
    text: String,
    /// Where each one ends.
    ends: Vec<u32>,
}

impl Strings {
    /// Reads texts that were written by [`StringsWriter`].
    pub(crate) fn read(count: usize, streams: &mut [Reader<'_>]) -> Option<Self> {
        let [shared_lengths, suffix_lengths, suffixes] = streams else {
            return None;
        };
        let mut strings = Self::default();
        // Each takes a byte of each of two streams.
        if count > shared_lengths.remaining() {
            return None;
        }
        strings.ends.reserve(count);
        let mut previous = 0..0;
        for _ in 0..count {
            let shared = shared_lengths.length().filter(|shared| *shared <= MAX_SHARED)?;
            let suffix_length = suffix_lengths.length()?;
            let suffix = std::str::from_utf8(suffixes.take(suffix_length)?).ok()?;
            let start = strings.text.len();
            if shared > previous.len() || !strings.text.is_char_boundary(previous.start + shared) {
                return None;
            }
            strings
                .text
                .extend_from_within(previous.start..previous.start + shared);
            strings.text.push_str(suffix);
            previous = start..strings.text.len();
            strings.ends.push(u32::try_from(strings.text.len()).ok()?);
        }
        Some(strings)
    }

    /// The same for texts that are each after the one before it.
    pub(crate) fn read_sorted(count: usize, streams: &mut [Reader<'_>]) -> Option<Self> {
        let strings = Self::read(count, streams)?;
        (1..count)
            .all(|index| strings.get(index - 1) < strings.get(index))
            .then_some(strings)
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        let start = if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        };
        &self.text[start..self.ends[index] as usize]
    }

    /// How many of the sorted texts are before `wanted`.
    pub(crate) fn lower_bound(&self, wanted: &str) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle) < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    pub(crate) fn find(&self, wanted: &str) -> Option<usize> {
        let index = self.lower_bound(wanted);
        (index < self.len() && self.get(index) == wanted).then_some(index)
    }

    pub(crate) fn memory(&self) -> usize {
        self.text.len() + 4 * self.ends.len()
    }
}

#[cfg(feature = "write")]
pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

#[cfg(feature = "write")]
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_varint(bytes, to_u32(text.len()));
    bytes.extend_from_slice(text.as_bytes());
}

/// Writes streams for [`Reader::streams`]; the last one takes what is left.
#[cfg(feature = "write")]
pub(crate) fn put_streams(bytes: &mut Vec<u8>, streams: &[Vec<u8>]) {
    for stream in &streams[..streams.len() - 1] {
        put_varint(bytes, to_u32(stream.len()));
    }
    streams.iter().for_each(|stream| bytes.extend_from_slice(stream));
}

/// Texts of which each says only where it differs from the one before it.
#[cfg(feature = "write")]
#[derive(Debug, Default)]
pub(crate) struct StringsWriter {
    previous: String,
    streams: [Vec<u8>; 3],
}

#[cfg(feature = "write")]
impl StringsWriter {
    pub(crate) fn push(&mut self, text: &str) {
        let shared = shared_prefix(&self.previous, text, MAX_SHARED);
        put_varint(&mut self.streams[0], to_u32(shared));
        put_varint(&mut self.streams[1], to_u32(text.len() - shared));
        self.streams[2].extend_from_slice(&text.as_bytes()[shared..]);
        self.previous.clear();
        self.previous.push_str(text);
    }

    pub(crate) fn finish(self) -> [Vec<u8>; 3] {
        self.streams
    }
}

/// Bytes that two texts share at their beginning, at most so many, whole characters only.
#[cfg(feature = "write")]
pub(crate) fn shared_prefix(left: &str, right: &str, most: usize) -> usize {
    let mut shared = left
        .bytes()
        .zip(right.bytes())
        .take(most)
        .take_while(|(left, right)| left == right)
        .count();
    while !left.is_char_boundary(shared) || !right.is_char_boundary(shared) {
        shared -= 1;
    }
    shared
}

#[cfg(feature = "write")]
pub(crate) fn to_u32(number: usize) -> u32 {
    u32::try_from(number).expect("an index is smaller than 4 GiB")
}

/// CRC-32 (the one of zlib and PNG) over several slices, by half bytes: 64 bytes of table instead of a kilobyte.
pub(crate) fn crc32(parts: [&[u8]; 2]) -> u32 {
    let mut crc = !0u32;
    for byte in parts.into_iter().flatten() {
        crc ^= u32::from(*byte);
        crc = CRC_TABLE[(crc & 15) as usize] ^ (crc >> 4);
        crc = CRC_TABLE[(crc & 15) as usize] ^ (crc >> 4);
    }
    !crc
}

const CRC_TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut index = 0;
    while index < 16 {
        let mut value = index as u32;
        let mut bit = 0;
        while bit < 4 {
            value = if value & 1 == 1 {
                0xEDB8_8320 ^ (value >> 1)
            } else {
                value >> 1
            };
            bit += 1;
        }
        table[index] = value;
        index += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_common_crc_32() {
        assert_eq!(crc32([b"1234", b"56789"]), 0xCBF4_3926);
    }

    #[test]
    fn a_number_that_is_too_long_or_too_large_is_refused() {
        assert_eq!(
            Reader::new(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F]).varint(),
            Some(u32::MAX)
        );
        assert_eq!(Reader::new(&[0xFF, 0xFF, 0xFF, 0xFF, 0x1F]).varint(), None);
        assert_eq!(Reader::new(&[0x80, 0x80, 0x80, 0x80, 0x80, 0x00]).varint(), None);
        assert_eq!(Reader::new(&[0x80]).varint(), None);
    }
}
