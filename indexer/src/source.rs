//! The input: text files with a line table, and the folder they come from.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::config::{Content, Generator, Origin};
use crate::diagnostic::{Diagnostic, Severity};
use crate::front_matter::{Publication, Schema};
use crate::lists::{Format, List};
use crate::markdown::includes::{self, Included, Roots};
use crate::stamp::Stamp;
use crate::static_files::StaticFiles;
use crate::summary;

/// A text file of the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Path inside the content folder, with forward slashes: `metrics/ndcg.md`.
    pub path: String,
    /// The path to show to people.
    pub display: String,
    /// The text, with `\n` as the only line end and without a byte order mark.
    pub text: Arc<str>,
    line_starts: LineStarts,
}

/// Found when the first place is asked for: most texts have no mistakes. They follow from the text, so nothing depends on whether they
/// have been found.
#[derive(Clone, Debug, Default)]
struct LineStarts(OnceLock<Vec<usize>>);

impl PartialEq for LineStarts {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for LineStarts {}

impl Source {
    /// A source from text that is already in memory.
    pub fn new(path: impl Into<String>, display: impl Into<String>, text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let text = if text.contains('\r') {
            text.replace("\r\n", "\n").replace('\r', "\n").into()
        } else {
            text.into()
        };
        Self {
            path: path.into(),
            display: display.into(),
            text,
            line_starts: LineStarts::default(),
        }
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.0.get_or_init(|| {
            let breaks = self.text.match_indices('\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }

    /// Line and column (in characters) of a byte offset, both counted from 1.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line_starts = self.line_starts();
        let line = line_starts.partition_point(|start| *start <= offset);
        let start = line_starts[line - 1];
        (line, self.text[start..offset].chars().count() + 1)
    }

    /// The byte offset of a line (counted from 1) and a column in characters (counted from 0).
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = line
            .checked_sub(1)
            .and_then(|index| self.line_starts().get(index))
        else {
            return self.text.len();
        };
        let rest = &self.text[*start..];
        rest.char_indices()
            .nth(column)
            .map_or(self.text.len(), |(at, _)| start + at)
    }
}

/// A content folder: its Markdown, and the names of everything else in it.
#[derive(Debug)]
pub struct Folder {
    /// The Markdown files, ordered by path.
    pub sources: Vec<Source>,
    /// The other files that pages may link to.
    pub files: Files,
    /// The order of the pages, where a file says it.
    pub summary: Option<List>,
    /// The files of another generator that say something about the folder.
    pub list_files: Vec<PathBuf>,
}

impl Folder {
    /// Takes out the pages that say that they are drafts.
    pub fn leave_out_drafts(&mut self, schema: Schema) {
        let is_draft = |source: &mut Source| Publication::read(source, schema).is_draft;
        let drafts = self.sources.extract_if(.., is_draft);
        self.files.drafts = drafts.map(|source| source.path).collect();
    }

    /// Takes out the Markdown that is no page but a part of others, where the generator of the folder has such.
    pub fn leave_out_parts(&mut self, content: &Content) {
        if content.is_of(Generator::Docusaurus) || content.is_of(Generator::Starlight) {
            let is_part = |source: &Source| source.path.split('/').any(|name| name.starts_with('_'));
            self.sources.retain(|source| !is_part(source));
        }
    }

    /// Takes out the file that is no page but says the order of them. Our own content says it in the configuration.
    pub fn take_summary(&mut self, schema: Schema) {
        let is_summary = |source: &Source| source.path == summary::FILE && !schema.is_strict();
        if let Some(found) = self.sources.iter().position(is_summary) {
            self.summary = Some(List::new(Format::Book, self.sources.remove(found)));
        }
    }
}

/// The files of a folder that are not Markdown. Their bytes are read when a page first uses them.
#[derive(Debug, Default)]
pub struct Files {
    root: PathBuf,
    paths: BTreeSet<String>,
    loaded: RefCell<BTreeMap<String, Asset>>,
    /// The pages that are drafts, by their paths.
    pub drafts: BTreeSet<String>,
    /// Those that keep their names.
    pub static_files: StaticFiles,
}

/// A file that a page uses and that goes into the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Where it comes from.
    pub from: PathBuf,
    /// Its path in the output, with a hash of its bytes: `assets/flow.0123456789abcdef.png`.
    pub output: String,
    /// Width and height in pixels, if the format says so.
    pub size: Option<(usize, usize)>,
}

impl Files {
    /// The files at `paths` below `root`.
    pub fn new(root: &Path, paths: impl IntoIterator<Item = String>) -> Self {
        Self {
            root: root.to_owned(),
            paths: paths.into_iter().collect(),
            loaded: RefCell::default(),
            drafts: BTreeSet::new(),
            static_files: StaticFiles::default(),
        }
    }

    /// True if the folder has this file.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    /// The paths of the files with one of these names.
    pub(crate) fn named<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let has_name = |path: &&str| names.contains(&path.rsplit('/').next().unwrap_or_default());
        self.paths.iter().map(String::as_str).filter(has_name)
    }

    /// The text of a file.
    pub(crate) fn read_text(&self, path: &str) -> Result<(Source, Vec<Diagnostic>), ReadError> {
        read_file(&self.root.join(path))
    }

    /// A file that pages include, for what links in it mean.
    pub(crate) fn part(&self, file: &Path) -> Option<Source> {
        let path = file.strip_prefix(&self.root).ok()?.to_str()?;
        Some(Source::new(joined_path("", path)?, path, ""))
    }

    /// The text of a page with the files that it includes, if it does.
    pub(crate) fn included(&self, source: &Source, body_at: usize, origin: &Origin) -> Option<Included> {
        let page = self.root.join(&source.path);
        includes::read(
            &source.text,
            body_at,
            &page,
            Roots {
                content: &self.root,
                origin,
            },
        )
    }

    /// Reads the file and marks it as used.
    pub fn load(&self, path: &str) -> io::Result<Asset> {
        if let Some(asset) = self.loaded.borrow().get(path) {
            return Ok(asset.clone());
        }
        let from = self.root.join(path);
        let bytes = std::fs::read(&from)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let asset = Asset {
            output: format!(
                "assets/{}.{:016x}.{}",
                url_word(stem),
                fnv1a(&bytes),
                url_word(extension)
            ),
            size: image_size(extension, &bytes),
            from,
        };
        self.loaded.borrow_mut().insert(path.to_owned(), asset.clone());
        Ok(asset)
    }

    /// Every file that was loaded, in order of its path in the output.
    pub fn used(&self) -> Vec<Asset> {
        let mut assets: Vec<Asset> = self.loaded.borrow().values().cloned().collect();
        assets.sort_by(|a, b| a.output.cmp(&b.output));
        assets.dedup_by(|a, b| a.output == b.output);
        assets
    }
}

/// Reads a content folder. Folders whose name starts with a dot and `node_modules` are left out.
///
/// The error names the path that could not be read; a file that is not UTF-8 is a diagnostic.
pub fn read_folder(root: &Path) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
    read_folder_again(root, &mut KnownTexts::default())
}

/// Texts that were read, by their files.
#[derive(Debug, Default)]
pub struct KnownTexts {
    texts: HashMap<PathBuf, (Stamp, Arc<str>)>,
}

impl KnownTexts {
    /// Of a file that is as it was when it was read.
    fn get(&self, file: &Path, stamp: Option<&Stamp>) -> Option<&Arc<str>> {
        let (known, text) = self.texts.get(file)?;
        (Some(known) == stamp).then_some(text)
    }
}

/// [`read_folder`], which reads no file again that is as it was. What is in `known` afterwards is of the files of this folder alone.
pub fn read_folder_again(
    root: &Path,
    known: &mut KnownTexts,
) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
    read_folder_at(root, known, SystemTime::now())
}

fn read_folder_at(
    root: &Path,
    known: &mut KnownTexts,
    now: SystemTime,
) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
    let last = std::mem::take(known);
    let paths = files_below(root)?;
    let (markdown, others): (Vec<String>, Vec<String>) =
        paths.into_iter().partition(|path| is_markdown(path));
    let mut problems = Vec::new();
    let mut sources = Vec::with_capacity(markdown.len());
    for path in markdown {
        let file = root.join(&path);
        let display = file.to_string_lossy().into_owned();
        // A file that cannot be asked for cannot be read either.
        let stamp = std::fs::metadata(&file)
            .ok()
            .and_then(|found| Stamp::at(&found, now));
        let source = match last.get(&file, stamp.as_ref()) {
            Some(text) => Source {
                path,
                display,
                text: Arc::clone(text),
                line_starts: LineStarts::default(),
            },
            None => {
                let bytes = std::fs::read(&file).map_err(|error| ReadError {
                    path: file.clone(),
                    error,
                })?;
                match String::from_utf8(bytes) {
                    Ok(text) => Source::new(path, display, &text),
                    Err(error) => {
                        problems.push(not_utf8(&display, &error));
                        continue;
                    }
                }
            }
        };
        if let Some(stamp) = stamp {
            known.texts.insert(file, (stamp, Arc::clone(&source.text)));
        }
        sources.push(source);
    }
    Ok((
        Folder {
            sources,
            files: Files::new(root, others),
            summary: None,
            list_files: Vec::new(),
        },
        problems,
    ))
}

/// The paths of all files below a folder, in order. Folders whose name starts with a dot and `node_modules` are left out.
pub fn files_below(root: &Path) -> Result<Vec<String>, ReadError> {
    let is_left_out = |name: &str| name.starts_with('.') || name == "node_modules";
    let mut paths = Vec::new();
    walk(root, "", &is_left_out, &mut paths)?;
    paths.sort();
    Ok(paths)
}

/// The paths of all files below a folder, whatever their names.
pub(crate) fn all_files_below(root: &Path) -> Result<Vec<String>, ReadError> {
    let mut paths = Vec::new();
    walk(root, "", &|_| false, &mut paths)?;
    Ok(paths)
}

/// What a path means in a folder; `None` if it leads out of everything.
pub(crate) fn joined_path(folder: &str, path: &str) -> Option<String> {
    let mut names: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => {
                names.pop()?;
            }
            name => names.push(name),
        }
    }
    Some(names.join("/"))
}

/// Reads one text file, for example the configuration.
pub fn read_file(path: &Path) -> Result<(Source, Vec<Diagnostic>), ReadError> {
    let bytes = std::fs::read(path).map_err(|error| ReadError {
        path: path.to_owned(),
        error,
    })?;
    let display = path.to_string_lossy().into_owned();
    Ok(match String::from_utf8(bytes) {
        Ok(text) => (Source::new(display.clone(), display, &text), Vec::new()),
        Err(error) => (
            Source::new(display.clone(), display.clone(), ""),
            vec![not_utf8(&display, &error)],
        ),
    })
}

/// A path that could not be read.
#[derive(Debug)]
pub struct ReadError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system said.
    pub error: io::Error,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "cannot read {}: {}", self.path.display(), self.error)
    }
}

impl std::error::Error for ReadError {}

/// 64-bit FNV-1a: names content, does not protect it.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn walk(
    root: &Path,
    below: &str,
    is_left_out: &dyn Fn(&str) -> bool,
    paths: &mut Vec<String>,
) -> Result<(), ReadError> {
    let folder = if below.is_empty() {
        root.to_owned()
    } else {
        root.join(below)
    };
    let failed = |error| ReadError {
        path: folder.clone(),
        error,
    };
    for entry in std::fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if is_left_out(name) {
            continue;
        }
        let path = if below.is_empty() {
            name.to_owned()
        } else {
            format!("{below}/{name}")
        };
        // Symbolic links are not followed: they could lead out of the folder or in a circle.
        let kind = entry.file_type().map_err(failed)?;
        if kind.is_dir() {
            walk(root, &path, is_left_out, paths)?;
        } else if kind.is_file() {
            paths.push(path);
        }
    }
    Ok(())
}

fn is_markdown(path: &str) -> bool {
    matches!(path.rsplit('.').next(), Some("md" | "mdx" | "markdown")) && path.contains('.')
}

fn not_utf8(display: &str, error: &std::string::FromUtf8Error) -> Diagnostic {
    let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
    let line_start = good
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    Diagnostic {
        file: display.to_owned(),
        line: good.iter().filter(|byte| **byte == b'\n').count() + 1,
        column: String::from_utf8_lossy(&good[line_start..]).chars().count() + 1,
        severity: Severity::Error,
        message: "the file is not UTF-8 text; save it as UTF-8".to_owned(),
    }
}

fn url_word(text: &str) -> String {
    text.chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || c == '_' {
                c
            } else {
                '-'
            }
        })
        .collect()
}

/// Width and height in pixels of a picture, if the format says so.
pub(crate) fn file_size(path: &Path) -> Option<(usize, usize)> {
    let extension = path.extension()?.to_str()?;
    image_size(extension, &std::fs::read(path).ok()?)
}

fn image_size(extension: &str, bytes: &[u8]) -> Option<(usize, usize)> {
    if extension.eq_ignore_ascii_case("svg") {
        return svg_size(std::str::from_utf8(bytes).ok()?);
    }
    imagesize::blob_size(bytes)
        .ok()
        .map(|size| (size.width, size.height))
}

/// The size from `width` and `height` in plain pixels, else from the view box.
fn svg_size(text: &str) -> Option<(usize, usize)> {
    let tag = &text[text.find("<svg")?..];
    let tag = &tag[..tag.find('>')?];
    let attribute = |name: &str| -> Option<&str> {
        let at = tag.find(&format!(" {name}=\""))? + name.len() + 3;
        tag[at..].split('"').next()
    };
    let pixels = |text: &str| {
        text.trim_end_matches("px")
            .parse::<f64>()
            .ok()
            .map(|size| size.round() as usize)
    };
    match (
        attribute("width").and_then(pixels),
        attribute("height").and_then(pixels),
    ) {
        (Some(width), Some(height)) => Some((width, height)),
        _ => {
            let mut numbers = attribute("viewBox")?
                .split([' ', ','])
                .filter(|part| !part.is_empty())
                .map(pixels);
            let (_, _, width, height) = (
                numbers.next()?,
                numbers.next()?,
                numbers.next()??,
                numbers.next()??,
            );
            Some((width, height))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let source = Source::new("a.md", "a.md", "\u{feff}añb\r\ncd\n");
        assert_eq!(&*source.text, "añb\ncd\n");
        let place = |needle| source.position(source.text.find(needle).unwrap());
        assert_eq!(place("a"), (1, 1));
        assert_eq!(place("b"), (1, 3));
        assert_eq!(place("d"), (2, 2));
        assert_eq!(source.position(usize::MAX), (3, 1));
        assert_eq!(source.offset(2, 1), source.text.find('d').unwrap());
        assert_eq!(source.offset(99, 0), source.text.len());
    }

    #[test]
    fn an_svg_has_the_size_of_its_attributes_or_its_view_box() {
        assert_eq!(
            svg_size(r#"<svg width="20px" height="10" viewBox="0 0 1 1"></svg>"#),
            Some((20, 10))
        );
        assert_eq!(svg_size(r#"<svg viewBox="0 0 640 360"></svg>"#), Some((640, 360)));
        assert_eq!(svg_size("<svg></svg>"), None);
    }

    #[test]
    fn texts_that_are_as_they_were_are_not_read_again() {
        // Written longer ago than two seconds.
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let mut known = KnownTexts::default();
        let (first, _) = read_folder_again(&root, &mut known).unwrap();
        let (second, _) = read_folder_again(&root, &mut known).unwrap();
        assert!(first.sources.len() > 1);
        assert_eq!(first.sources, second.sources);
        for (first, second) in first.sources.iter().zip(&second.sources) {
            assert_eq!(
                Arc::ptr_eq(&first.text, &second.text),
                cfg!(unix),
                "{}",
                first.path
            );
        }
    }

    #[test]
    fn a_text_in_the_place_of_another_is_read() {
        let root = tempfile::tempdir().unwrap();
        let (file, new) = (root.path().join("a.md"), root.path().join("new.txt"));
        // When nobody has touched any of them for long.
        let later = SystemTime::now() + std::time::Duration::from_secs(3600);
        let mut known = KnownTexts::default();
        for text in ["# 0\n", "# 1\n", "# 1\n", "# 2\n"] {
            std::fs::write(&new, text).unwrap();
            std::fs::rename(&new, &file).unwrap();
            let (folder, _) = read_folder_at(root.path(), &mut known, later).unwrap();
            assert_eq!(&*folder.sources[0].text, text);
        }
        std::fs::remove_file(&file).unwrap();
        read_folder_at(root.path(), &mut known, later).unwrap();
        assert!(known.texts.is_empty());
    }
}
