//! Numbers and bytes: little-endian base-128 varints, and a checksum with a small table.

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
}

#[cfg(feature = "write")]
pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
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
