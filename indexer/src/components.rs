//! Pages that are components: modules of a folder that the site's build renders, one page each.
//!
//! What they show is known only to that build. Here they get their paths, so that links to them are checked.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::diagnostic::Diagnostic;
use crate::routes::{Routes, path_below_prefix};
use crate::source::{ReadError, Source, files_below};

/// The endings of modules that are pages.
const EXTENSIONS: [&str; 2] = ["tsx", "jsx"];

/// The pages of a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Components {
    /// The folder.
    pub root: PathBuf,
    /// The pages, in order of their files.
    pub pages: Vec<Component>,
    /// All files of the folder, which pages may import.
    pub files: Vec<String>,
}

/// A page that is a component.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Component {
    /// Where it is shown.
    pub path: String,
    /// Its module below `components/` of the output.
    pub file: String,
    /// Its module as the author knows it.
    pub source: String,
}

impl Components {
    /// The pages below `root`. Files and folders whose name starts with a sign, such as `_`, are only imported.
    pub fn read(root: &Path, prefix: &str) -> Result<Self, ReadError> {
        let files = files_below(root)?;
        let is_private = |file: &str| {
            file.split('/')
                .any(|name| !name.starts_with(char::is_alphanumeric))
        };
        let pages = files
            .iter()
            .filter(|file| !is_private(file))
            .filter(|file| {
                let extension = file.rsplit_once('.').map(|(_, extension)| extension);
                extension.is_some_and(|extension| EXTENSIONS.contains(&extension))
            })
            .map(|file| Component {
                path: format!("{prefix}/{}", path_below_prefix(file, false))
                    .trim_end_matches('/')
                    .to_owned(),
                file: file.clone(),
                source: root.join(file).to_string_lossy().into_owned(),
            })
            .collect();
        Ok(Self {
            root: root.to_owned(),
            pages,
            files,
        })
    }

    /// Takes the paths of the pages.
    pub(crate) fn add_to(&self, routes: &mut Routes) -> Vec<Diagnostic> {
        let mut problems = Vec::new();
        for page in &self.pages {
            // The start page of the site is made by the site itself.
            if page.path == routes.prefix || !routes.add_component(&page.path) {
                let shown = if page.path.is_empty() { "/" } else { &page.path };
                let message = format!("another page is shown at {shown} already; rename this file");
                let source = Source::new(page.file.clone(), page.source.clone(), "");
                problems.push(Diagnostic::error(&source, 0, message));
            }
        }
        problems
    }
}
