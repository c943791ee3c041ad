//! What stands in for the encoder where the program was built without it.

use std::path::Path;

use super::{Cache, EncoderError, Passage};

/// There is none.
#[derive(Debug)]
pub enum Encoder {}

impl Encoder {
    /// Always an error.
    pub fn load(_folder: &Path) -> Result<Self, EncoderError> {
        Err(EncoderError::NotBuilt)
    }
}

/// Never called: there is no encoder to call it with.
pub fn refresh(
    _passages: &[Passage<'_>],
    _cache: Option<&Cache>,
    encoder: &Encoder,
) -> Result<Cache, EncoderError> {
    match *encoder {}
}
