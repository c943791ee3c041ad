//! `mkdocs.yml`, as far as it says what a site is called and in which order its pages are. What extensions and plug-ins write into
//! such a file need not be YAML that anybody else can read, so the rest of it is not looked at.

use std::path::Path;

use crate::diagnostic::Diagnostic;
use crate::source::{ReadError, Source, read_file};
use crate::yaml::{self, Yaml};

const FILES: [&str; 2] = ["mkdocs.yml", "mkdocs.yaml"];
/// How far above the content folder the file may be: `docs_dir` may be a path.
const HIGHEST: usize = 3;
const KEYS: [&str; 3] = ["site_name", "docs_dir", "nav"];

/// What the file says.
#[derive(Debug)]
pub struct MkDocs {
    /// The name of the site.
    pub site_name: Option<String>,
    /// The file, where it puts pages in order.
    pub nav: Option<Source>,
}

/// The file of a content folder: one above it whose `docs_dir` is this folder. What is wrong with it is told with it.
pub fn find(content: &Path) -> Result<Option<(MkDocs, Vec<Diagnostic>)>, ReadError> {
    for folder in content.ancestors().skip(1).take(HIGHEST) {
        for name in FILES {
            let file = folder.join(name);
            if !file.is_file() {
                continue;
            }
            let (mut source, mut problems) = read_file(&file)?;
            // Its paths start in the content folder.
            source.path = name.to_owned();
            let found = match read(&source) {
                Ok(found) => found,
                Err(found) => {
                    problems.extend(found);
                    let nothing = MkDocs {
                        site_name: None,
                        nav: None,
                    };
                    return Ok(Some((nothing, problems)));
                }
            };
            let docs = folder.join(found.text("docs_dir").unwrap_or("docs"));
            if docs.canonicalize().ok() != content.canonicalize().ok() {
                continue;
            }
            let mkdocs = MkDocs {
                site_name: found.text("site_name").map(str::to_owned),
                nav: found.get("nav").is_some().then_some(source),
            };
            return Ok(Some((mkdocs, problems)));
        }
    }
    Ok(None)
}

/// The keys that are looked at, with their places in the file.
pub(crate) fn read(source: &Source) -> Result<Yaml, Vec<Diagnostic>> {
    let mut text = String::with_capacity(source.text.len());
    let mut is_wanted = false;
    for line in source.text.split_inclusive('\n') {
        // The lines of a list may stand as far left as its key.
        if !line.starts_with([' ', '\t', '#', '-', '\n']) {
            let key = line.split(':').next().unwrap_or_default().trim_end();
            is_wanted = KEYS.contains(&key);
        }
        if is_wanted {
            text.push_str(line);
        } else {
            // Places in the text are places in the file.
            text.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
        }
    }
    if text.trim().is_empty() {
        text = "{}".to_owned();
    }
    yaml::read(&Source::new(source.path.clone(), source.display.clone(), &text))
}
