//! The folder `.obsidian` of a vault of Obsidian. It says only what the folder around it is: notes have neither an order nor titles.

use std::path::Path;

use super::Found;
use crate::config::{Generator, Origin};
use crate::diagnostic::Diagnostic;
use crate::source::{ReadError, is_folder};

/// In each vault, written when somebody changes a setting. Another file is written with each note that is looked at.
pub(super) const FILES: [&str; 1] = [".obsidian/app.json"];

pub(super) fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for folder in super::folders(content) {
        if is_folder(&folder.join(".obsidian"))? {
            let found = Found {
                origin: Origin {
                    generator: Some(Generator::Obsidian),
                    site: folder.to_owned(),
                    ..Origin::default()
                },
                ..Found::default()
            };
            return Ok(Some((found, Vec::new())));
        }
    }
    Ok(None)
}
