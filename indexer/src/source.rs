//! The input: text files with a line table, and the folder they come from.

pub mod translated;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

use crate::config::{Content, Generator, Origin};
use crate::diagnostic::{Diagnostic, Severity};
use crate::fields::Text;
use crate::front_matter::{Publication, Schema};
use crate::lists::{self, Format, List, Translations};
use crate::markdown::includes::{self, Included, Roots};
use crate::notebook::{self, Notebook};
use crate::parents;
use crate::stamp::Stamp;
use crate::static_files::StaticFiles;
use crate::summary;
use translated::{Placed, Translated};

/// A text file of the input.
#[derive(Clone, Debug)]
pub struct Source {
    /// Path inside the content folder, with forward slashes: `metrics/ndcg.md`.
    pub path: String,
    /// The path to show to people.
    pub display: String,
    /// The text, with `\n` as the only line end and without a byte order mark.
    pub text: Arc<str>,
    line_starts: LineStarts,
    /// What else there is of the notebook that the text was made from.
    notebook: Option<Arc<Notebook>>,
    placed: Option<Placed>,
    /// Of a file in a folder above that of the content, in which its path starts: the way from there to the content.
    way: Option<Arc<str>>,
}

/// Found when the first place is asked for: most texts have no mistakes.
#[derive(Clone, Debug, Default)]
struct LineStarts(OnceLock<Vec<usize>>);

impl PartialEq for Source {
    fn eq(&self, other: &Self) -> bool {
        let is_text_same = Arc::ptr_eq(&self.text, &other.text) || self.text == other.text;
        let is_notebook_same = match (&self.notebook, &other.notebook) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other) || own == other,
            (own, other) => own.is_none() && other.is_none(),
        };
        is_text_same && is_notebook_same && self.path == other.path && self.display == other.display
    }
}

impl Eq for Source {}

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
            notebook: None,
            placed: None,
            way: None,
        }
    }

    /// Whether it was made from a notebook.
    pub(crate) fn is_notebook(&self) -> bool {
        self.notebook.is_some()
    }

    /// What else there is of the notebook that it was made from.
    pub(crate) fn notebook(&self) -> Option<&Notebook> {
        self.notebook.as_deref()
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.0.get_or_init(|| {
            let breaks = self.text.match_indices('\n');
            std::iter::once(0).chain(breaks.map(|(at, _)| at + 1)).collect()
        })
    }

    /// Line and column (in characters) of a byte offset, both counted from 1. Of a notebook, those in its file.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        if let Some(notebook) = &self.notebook {
            return notebook.position(&self.text, offset);
        }
        let before = &self.text[..offset];
        // Where the front matter of each page begins is asked for in each build, and mostly nothing else of it.
        let (line, start) = if offset < FEW_BYTES {
            let line = before.matches('\n').count() + 1;
            (line, before.rfind('\n').map_or(0, |end| end + 1))
        } else {
            let line_starts = self.line_starts();
            let line = line_starts.partition_point(|start| *start <= offset);
            (line, line_starts[line - 1])
        };
        (line, before[start..].chars().count() + 1)
    }

    /// The byte offset of a line (counted from 1) and a column in characters (counted from 0).
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let Some(start) = line.checked_sub(1).and_then(|index| self.line_start(index)) else {
            return self.text.len();
        };
        let rest = &self.text[start..];
        rest.char_indices()
            .nth(column)
            .map_or(self.text.len(), |(at, _)| start + at)
    }

    /// Where a line starts, counted from 0, if there are so many.
    fn line_start(&self, index: usize) -> Option<usize> {
        // The front matter of each page is read in each build, and no line further down.
        let mut first = std::iter::once(0).chain(self.text.match_indices('\n').map(|(at, _)| at + 1));
        match index < FEW_LINES {
            true => first.nth(index),
            false => self.line_starts().get(index).copied(),
        }
    }
}

/// So many are counted through more quickly than the lines of a whole page.
const FEW_BYTES: usize = 256;
/// The same of lines.
const FEW_LINES: usize = 16;

/// A content folder: its Markdown, and the names of everything else in it.
#[derive(Debug)]
pub struct Folder {
    /// The Markdown files, ordered by path.
    pub sources: Vec<Source>,
    /// The other files that pages may link to.
    pub files: Files,
    /// The order of the pages, where a file says it.
    pub summary: Option<List>,
    /// What the lists of another generator are called in other languages.
    pub titles: Translations,
    /// The files of another generator that say something about the folder, and those that would if they were there.
    pub list_files: Vec<PathBuf>,
}

impl Folder {
    /// Takes out the pages that say that they are drafts.
    pub fn leave_out_drafts(&mut self, schema: Schema) {
        let is_draft = |source: &mut Source| Publication::read(source, schema).is_draft;
        let drafts = self.sources.extract_if(.., is_draft);
        self.files.drafts = drafts.map(|source| source.path).collect();
    }

    /// Takes out the pages of Jekyll that only lead elsewhere.
    pub fn leave_out_moved(&mut self, content: &Content) {
        if !content.is_of(Generator::Jekyll) {
            return;
        }
        let mut targets = Vec::new();
        let is_moved = |source: &mut Source| {
            let to = Publication::read(source, content.schema).leads_to;
            let is_moved = to.is_some();
            targets.extend(to);
            is_moved
        };
        let moved: Vec<Source> = self.sources.extract_if(.., is_moved).collect();
        self.files.moved = moved.into_iter().zip(targets).collect();
    }

    /// Takes out the Markdown that is no page but a part of others, where the generator of the folder has such.
    pub fn leave_out_parts(&mut self, content: &Content) {
        if content.is_of(Generator::Docusaurus) || content.is_of(Generator::Starlight) {
            let is_part = |source: &Source| source.path.split('/').any(|name| name.starts_with('_'));
            self.sources.retain(|source| !is_part(source));
        }
        if content.is_of(Generator::NextApp) {
            self.sources
                .retain(|source| crate::routes::is_page_of_app(&source.path));
        }
        if content.is_of(Generator::Jekyll) {
            self.sources
                .retain(|source| !lists::is_left_out(&source.path, &content.origin));
        }
        if content.is_of(Generator::Mintlify) {
            let is_part = |source: &Source| source.path.starts_with("snippets/");
            self.sources.retain(|source| !is_part(source));
        }
    }

    /// Pages of Jekyll are ordered by their folders, where none says what it stands below.
    pub fn leave_out_parents(&mut self) {
        let is_said = |list: &List| list.format != Format::JustTheDocs || parents::are_said(&self.sources);
        self.summary = self.summary.take().filter(is_said);
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
    /// Those of other languages that are elsewhere, by the paths that they stand for.
    placed: BTreeMap<String, PathBuf>,
    translated: Vec<Translated>,
    /// The pictures in notebooks, by the paths that these have for them.
    pictures: BTreeMap<String, Arc<[u8]>>,
    loaded: RefCell<BTreeMap<String, Asset>>,
    /// Pictures beside the folder that pages ask for, whether they are there or not.
    beside: RefCell<BTreeSet<PathBuf>>,
    /// The pages that are drafts, by their paths.
    pub drafts: BTreeSet<String>,
    /// The pages that are nothing but old addresses, and where each leads.
    pub moved: Vec<(Source, Text)>,
    /// Those that keep their names.
    pub static_files: StaticFiles,
}

/// A file that a page uses and that goes into the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asset {
    /// Where it comes from.
    pub from: AssetFrom,
    /// Its path in the output, with a hash of its bytes: `assets/flow.0123456789abcdef.png`.
    pub output: String,
    /// Width and height in pixels, if the format says so.
    pub size: Option<(usize, usize)>,
}

/// Where the bytes of a file are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AssetFrom {
    /// In this file.
    File(PathBuf),
    /// In a notebook.
    Notebook(Arc<[u8]>),
}

impl Files {
    /// The files at `paths` below `root`.
    pub fn new(root: &Path, paths: impl IntoIterator<Item = String>) -> Self {
        Self {
            root: root.to_owned(),
            paths: paths.into_iter().collect(),
            placed: BTreeMap::new(),
            translated: Vec::new(),
            pictures: BTreeMap::new(),
            loaded: RefCell::default(),
            beside: RefCell::default(),
            drafts: BTreeSet::new(),
            moved: Vec::new(),
            static_files: StaticFiles::default(),
        }
    }

    /// True if the folder has this file.
    pub fn contains(&self, path: &str) -> bool {
        self.paths.contains(path) || self.placed.contains_key(path) || self.pictures.contains_key(path)
    }

    /// The paths of the files with one of these names.
    pub(crate) fn named<'a>(&'a self, names: &'a [&str]) -> impl Iterator<Item = &'a str> {
        let has_name = |path: &&str| names.contains(&path.rsplit('/').next().unwrap_or_default());
        let paths = self.paths.iter().chain(self.placed.keys());
        paths.map(String::as_str).filter(has_name)
    }

    /// The file that a name means in notes: by its path from the page or the folder, or by its name or the end of its path, wherever it
    /// is. Of several it is the one nearest to the root.
    pub(crate) fn called(&self, name: &str, source: &str) -> Option<&str> {
        let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
        let at = |path: Option<String>| self.paths.get(path?.as_str()).map(String::as_str);
        let wanted = name.trim_matches('/').to_lowercase();
        let is_called = |path: &&str| ends_path(&path.to_lowercase(), &wanted);
        let anywhere = || {
            let found = self.paths.iter().map(String::as_str).filter(is_called);
            found.min_by_key(|path| path.matches('/').count())
        };
        let exact = at(joined_path(folder, name)).or_else(|| at(joined_path("", name)));
        exact.or_else(|| name.contains('.').then(anywhere).flatten())
    }

    /// The text of a file.
    pub(crate) fn read_text(&self, path: &str) -> Result<(Source, Vec<Diagnostic>), ReadError> {
        read_file(&self.file_at(path))
    }

    /// The text of a page with the files that it includes, if it does.
    pub(crate) fn included(&self, source: &Source, body_at: usize, origin: &Origin) -> Option<Included> {
        let page = self.file_of(source);
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
        match self.pictures.get(path) {
            Some(bytes) => {
                let name = named_by_notebook(path);
                Ok(self.add(path, &name, bytes, AssetFrom::Notebook(Arc::clone(bytes))))
            }
            None => self.load_from(path, self.file_at(path)),
        }
    }

    /// The picture at `path` from the folder of another generator's site, which may be beside that of its pages. `None` if there is none,
    /// or if it is not of this site: behind a link that leads out of it, hidden, or of a package.
    pub(crate) fn load_beside(&self, path: &str, origin: &Origin) -> Option<io::Result<Asset>> {
        if !is_picture(path) || path.split('/').any(is_left_out) {
            return None;
        }
        let from = origin.site.join(path);
        self.beside.borrow_mut().insert(from.clone());
        if let Some(asset) = self.loaded.borrow().get(&*from.to_string_lossy()) {
            return Some(Ok(asset.clone()));
        }
        let site = match origin.site.as_os_str().is_empty() {
            true => Path::new("."),
            false => &origin.site,
        };
        let (site, file) = (site.canonicalize().ok()?, from.canonicalize().ok()?);
        (file.starts_with(site) && file.is_file())
            .then(|| self.load_from(&from.to_string_lossy(), from.clone()))
    }

    /// The file of another generator's site at an address that is in a folder of the site here.
    pub(crate) fn load_renamed(&self, address: &str) -> Option<io::Result<Asset>> {
        let from = self.static_files.renamed(address)?;
        if let Some(asset) = self.loaded.borrow().get(address) {
            return Some(Ok(asset.clone()));
        }
        Some(self.load_from(address, from))
    }

    /// The pictures beside the folder that pages have asked for, those that are not there too.
    pub(crate) fn beside(&self) -> BTreeSet<PathBuf> {
        self.beside.borrow().clone()
    }

    /// Reads the file `from`, which is known by `path`.
    fn load_from(&self, path: &str, from: PathBuf) -> io::Result<Asset> {
        let bytes = std::fs::read(&from)?;
        let name = path.rsplit('/').next().unwrap_or(path);
        Ok(self.add(path, name, &bytes, AssetFrom::File(from)))
    }

    /// Notes that the file is used, whose name in the output begins as `name` does.
    fn add(&self, path: &str, name: &str, bytes: &[u8], from: AssetFrom) -> Asset {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "bin"));
        let asset = Asset {
            output: format!(
                "assets/{}.{:016x}.{}",
                url_word(stem),
                fnv1a(bytes),
                url_word(extension)
            ),
            size: image_size(extension, bytes),
            from,
        };
        self.loaded.borrow_mut().insert(path.to_owned(), asset.clone());
        asset
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
/// The error names the path that could not be read; a file that is not UTF-8, and what is called as pages are and is none, is a
/// diagnostic.
pub fn read_folder(root: &Path) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
    KnownFolder::default().read(root)
}

/// What is known of a content folder from the last time that it was read, so that the next time costs less.
#[derive(Debug, Default)]
pub struct KnownFolder {
    root: PathBuf,
    /// By its path in the folder.
    texts: HashMap<String, KnownText>,
    /// The same of the time before.
    last: HashMap<String, KnownText>,
    paths: Paths,
    /// Folders beside it.
    beside: BTreeMap<PathBuf, KnownFolder>,
    /// What is another since then; `None` where anything may be.
    inside: Option<BTreeSet<String>>,
    /// What may be others since then; `None` for anything.
    changed: Option<BTreeSet<PathBuf>>,
    /// Whether somebody has said so.
    is_told: bool,
}

/// The paths of what a content folder holds, in order.
#[derive(Debug, Default)]
struct Paths {
    markdown: Vec<String>,
    others: Vec<String>,
    /// What is called as pages are and is none, and why.
    left_out: Vec<(String, &'static str)>,
}

#[derive(Debug)]
struct KnownText {
    /// None for a file that may change without that this can be told.
    stamp: Option<Stamp>,
    text: Arc<str>,
    notebook: Option<Arc<Notebook>>,
}

impl KnownFolder {
    /// Says what may be others now: files and folders as somebody found them who has looked at all of them since before the last time
    /// that the folder was read. `None`, or nothing said, where nobody has. It counts until the folder has been read.
    pub fn expect(&mut self, changed: Option<BTreeSet<PathBuf>>) {
        for folder in self.beside.values_mut() {
            folder.expect(changed.clone());
        }
        match (&mut self.changed, changed) {
            (Some(before), Some(changed)) => before.extend(changed),
            (before, _) => *before = None,
        }
        self.is_told = true;
    }

    /// [`read_folder`], which asks for no file that cannot be another, and reads none again that is as it was.
    pub fn read(&mut self, root: &Path) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
        self.read_at(root, SystemTime::now())
    }

    fn read_at(&mut self, root: &Path, now: SystemTime) -> Result<(Folder, Vec<Diagnostic>), ReadError> {
        if self.root != root {
            *self = Self {
                root: root.to_owned(),
                ..Self::default()
            };
        }
        // Where this fails, nothing is known of what there is.
        self.last = std::mem::take(&mut self.texts);
        let is_told = std::mem::take(&mut self.is_told);
        let changed = self.changed.take().filter(|_| is_told);
        self.inside = changed.and_then(|changed| self.paths.changed(root, &changed));
        if self.inside.is_none() {
            self.paths = Paths::below(root)?;
        }
        let left_out = self.paths.left_out.iter();
        let mut problems: Vec<Diagnostic> = left_out
            .map(|(path, why)| Diagnostic {
                file: root.join(path).to_string_lossy().into_owned(),
                line: 1,
                column: 1,
                severity: Severity::Warning,
                message: format!("this is no page: {why}"),
                is_of_broken_link: false,
            })
            .collect();
        let mut sources = Vec::with_capacity(self.paths.markdown.len());
        let markdown = std::mem::take(&mut self.paths.markdown);
        for path in &markdown {
            match self.text_of(path, now)? {
                Ok(source) => sources.push(source),
                Err(problem) => problems.push(problem),
            }
        }
        self.paths.markdown = markdown;
        self.changed = Some(BTreeSet::new());
        let others = self.paths.others.iter().cloned();
        let folder = Folder {
            sources,
            files: Files::new(root, others),
            summary: None,
            titles: Translations::new(),
            list_files: Vec::new(),
        };
        Ok((folder, problems))
    }

    /// Makes pages of the notebooks of the folder that has been read, too.
    pub fn add_notebooks(&mut self, folder: &mut Folder) -> Result<Vec<Diagnostic>, ReadError> {
        self.add_notebooks_at(folder, SystemTime::now())
    }

    fn add_notebooks_at(
        &mut self,
        folder: &mut Folder,
        now: SystemTime,
    ) -> Result<Vec<Diagnostic>, ReadError> {
        let mut problems = Vec::new();
        let notebooks: Vec<String> = self.paths.notebooks().map(str::to_owned).collect();
        for path in notebooks {
            let source = match self.text_of(&path, now)? {
                Ok(source) => source,
                Err(problem) => {
                    problems.push(problem);
                    continue;
                }
            };
            let Some(notebook) = source.notebook.clone() else {
                continue;
            };
            if let Some(markdown) = self.paths.markdown_beside(&path) {
                let message = format!(
                    "the notebook is left out: `{markdown}` has the same address; keep one of them in the folder, or rename one"
                );
                problems.push(Diagnostic::warning(&source, 0, message));
                continue;
            }
            let left_out = notebook.left_out.iter();
            problems.extend(left_out.map(|(at, message)| Diagnostic::warning(&source, *at, message)));
            let below = path.rsplit_once('/').map_or("", |(below, _)| below);
            let pictures = notebook.pictures.iter().filter_map(|(picture, bytes)| {
                let picture = joined_path(below, picture)?;
                Some((picture, Arc::clone(bytes)))
            });
            folder.files.pictures.extend(pictures);
            folder.sources.push(source);
        }
        folder.sources.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(problems)
    }

    /// The text of a file, or what is wrong with it.
    fn text_of(&mut self, path: &str, now: SystemTime) -> Result<Result<Source, Diagnostic>, ReadError> {
        let file = self.root.join(path);
        let display = file.to_string_lossy().into_owned();
        let known = self.last.get(path);
        let has_stayed = self.inside.as_ref().is_some_and(|inside| !inside.contains(path));
        let stamp = match known {
            Some(KnownText {
                stamp: Some(stamp), ..
            }) if has_stayed => Some(stamp.clone()),
            // A file that cannot be asked for cannot be read either.
            _ => std::fs::metadata(&file)
                .ok()
                .and_then(|found| Stamp::at(&found, now)),
        };
        let is_same = |known: &&KnownText| stamp.is_some() && known.stamp == stamp;
        let source = match known.filter(is_same) {
            Some(known) => Source {
                path: path.to_owned(),
                display,
                text: Arc::clone(&known.text),
                line_starts: LineStarts::default(),
                notebook: known.notebook.clone(),
                placed: None,
                way: None,
            },
            None => {
                let bytes = std::fs::read(&file).map_err(|error| ReadError {
                    path: file.clone(),
                    error,
                })?;
                let source = match String::from_utf8(bytes) {
                    Ok(text) => Source::new(path, display, &text),
                    Err(error) => return Ok(Err(not_utf8(&display, &error))),
                };
                if !is_notebook(path) {
                    source
                } else {
                    match notebook::read(&source) {
                        Ok((markdown, notebook)) => Source {
                            notebook: Some(Arc::new(notebook)),
                            ..Source::new(path, source.display, &markdown)
                        },
                        Err(problem) => return Ok(Err(problem)),
                    }
                }
            }
        };
        let known = KnownText {
            stamp,
            text: Arc::clone(&source.text),
            notebook: source.notebook.clone(),
        };
        self.texts.insert(path.to_owned(), known);
        Ok(Ok(source))
    }
}

impl Paths {
    fn below(root: &Path) -> Result<Self, ReadError> {
        let mut found = Found::default();
        walk(root, "", &is_left_out, &mut found)?;
        found.paths.sort();
        let others = found.paths.iter().filter(|path| !is_markdown(path));
        let in_capitals = others.filter(|path| is_markdown(&path.to_ascii_lowercase()));
        let why = "names of pages end with `.md`, `.mdx` or `.markdown` in small letters; rename it";
        let mut left_out: Vec<_> = in_capitals.map(|path| (path.clone(), why)).collect();
        left_out.extend(found.left_out);
        left_out.sort();
        let (markdown, others) = found.paths.into_iter().partition(|path| is_markdown(path));
        Ok(Self {
            markdown,
            others,
            left_out,
        })
    }

    fn notebooks(&self) -> impl Iterator<Item = &str> {
        let others = self.others.iter().map(String::as_str);
        others.filter(|path| is_notebook(path))
    }

    /// The Markdown whose name is that of a notebook but for the ending.
    fn markdown_beside(&self, notebook: &str) -> Option<&str> {
        let stem = notebook.strip_suffix(notebook::ENDING)?;
        MARKDOWN.iter().find_map(|ending| {
            let found = self.markdown.binary_search(&format!("{stem}{ending}")).ok()?;
            Some(self.markdown[found].as_str())
        })
    }

    /// Of what changed, what is in the folder. None where something came into it or went.
    fn changed(&self, root: &Path, changed: &BTreeSet<PathBuf>) -> Option<BTreeSet<String>> {
        let mut inside = BTreeSet::new();
        for file in changed {
            let Ok(path) = file.strip_prefix(root) else {
                continue;
            };
            let path = path.to_str()?.to_owned();
            let is_known = |paths: &[String]| paths.binary_search(&path).is_ok();
            if !(is_known(&self.markdown) || is_known(&self.others)) || !file.is_file() {
                return None;
            }
            inside.insert(path);
        }
        Some(inside)
    }
}

/// The paths of all files below a folder, in order. Folders whose name starts with a dot and `node_modules` are left out.
pub fn files_below(root: &Path) -> Result<Vec<String>, ReadError> {
    let mut found = Found::default();
    walk(root, "", &is_left_out, &mut found)?;
    found.paths.sort();
    Ok(found.paths)
}

/// The file that marks a folder as one that a build has written, and may replace.
pub(crate) const OUTPUT_MARKER: &str = ".siftwren-output";

/// Whether nobody looks for pages in a folder of this name.
pub(crate) fn is_left_out(name: &str) -> bool {
    name.starts_with('.') || name == "node_modules"
}

/// The paths of all files below a folder, whatever their names.
pub(crate) fn all_files_below(root: &Path) -> Result<Vec<String>, ReadError> {
    let mut found = Found::default();
    walk(root, "", &|_| false, &mut found)?;
    Ok(found.paths)
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

/// Whether a path is that of `name`, or ends with it behind the name of a folder.
pub(crate) fn ends_path(path: &str, name: &str) -> bool {
    let before = path.strip_suffix(name);
    before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

/// The paths of what is in a folder, in no order; none where there is no such folder.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    if kind(folder)?.is_none() {
        return Ok(Vec::new());
    }
    let failed = |error| ReadError {
        path: folder.to_owned(),
        error,
    };
    let entries = std::fs::read_dir(folder).map_err(failed)?;
    let paths = entries.map(|entry| Ok(entry.map_err(failed)?.path()));
    paths.collect()
}

/// Whether there is a file at a path. It is an error where that cannot be told: who takes a file for absent makes another site of the
/// same folder.
pub(crate) fn is_file(path: &Path) -> Result<bool, ReadError> {
    Ok(kind(path)?.is_some_and(|kind| kind.is_file()))
}

/// Whether there is a folder at a path, see [`is_file`].
pub(crate) fn is_folder(path: &Path) -> Result<bool, ReadError> {
    Ok(kind(path)?.is_some_and(|kind| kind.is_dir()))
}

/// The first of these paths at which there is a file.
pub(crate) fn first_file(paths: impl IntoIterator<Item = PathBuf>) -> Result<Option<PathBuf>, ReadError> {
    for path in paths {
        if is_file(&path)? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// What is at a path, behind symbolic links too; `None` where nothing is.
fn kind(path: &Path) -> Result<Option<std::fs::FileType>, ReadError> {
    // The second is what is said of a path below a file, the others of one that nothing can have.
    let absent = [
        io::ErrorKind::NotFound,
        io::ErrorKind::NotADirectory,
        io::ErrorKind::InvalidFilename,
        io::ErrorKind::InvalidInput,
    ];
    match std::fs::metadata(path) {
        Ok(found) => Ok(Some(found.file_type())),
        Err(error) if absent.contains(&error.kind()) => Ok(None),
        Err(error) => Err(ReadError {
            path: path.to_owned(),
            error,
        }),
    }
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

/// 64-bit FNV-1a: names content, does not protect it. The values are for ever: published pictures are known to other sites by the names
/// that have them, and `relevance` splits its queries and draws its numbers by them, which its floors were measured with.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// What is in a folder.
#[derive(Default)]
struct Found {
    paths: Vec<String>,
    /// Markdown that is not read, and why.
    left_out: Vec<(String, &'static str)>,
}

fn walk(
    root: &Path,
    below: &str,
    is_left_out: &dyn Fn(&str) -> bool,
    found: &mut Found,
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
        let shown = name.to_string_lossy();
        if is_left_out(&shown) {
            continue;
        }
        let path = if below.is_empty() {
            shown.into_owned()
        } else {
            format!("{below}/{shown}")
        };
        let kind = entry.file_type().map_err(failed)?;
        let why = if name.to_str().is_none() {
            "its name is not UTF-8; rename it"
        } else if kind.is_dir() {
            // What a build has written, beside the pages that it was made from.
            if !entry.path().join(OUTPUT_MARKER).exists() {
                walk(root, &path, is_left_out, found)?;
            }
            continue;
        } else if kind.is_file() {
            found.paths.push(path);
            continue;
        } else {
            // They could lead out of the folder or in a circle.
            "symbolic links are not followed; put what it leads to in its place"
        };
        if is_markdown(&path.to_ascii_lowercase()) || entry.path().is_dir() {
            found.left_out.push((path, why));
        }
    }
    Ok(())
}

/// Whether a path is that of a picture, by its ending.
pub(crate) fn is_picture(path: &str) -> bool {
    let endings = ["avif", "gif", "jpeg", "jpg", "png", "svg", "webp"];
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// How the names of Markdown files end.
const MARKDOWN: [&str; 3] = ["md", "mdx", "markdown"];

pub(crate) fn is_markdown(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| MARKDOWN.contains(&ending))
}

/// The name of a notebook with the ending of a picture in it: `a.png` for `guide/a.ipynb/0123.png`.
fn named_by_notebook(picture: &str) -> String {
    let (notebook, picture) = picture.rsplit_once('/').unwrap_or_default();
    let name = notebook.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let ending = picture.rsplit('.').next().unwrap_or_default();
    format!("{stem}.{ending}")
}

/// Whether a path is that of a notebook, by its ending.
pub(crate) fn is_notebook(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| ending == notebook::ENDING)
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
        is_of_broken_link: false,
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
        let long = Source::new("a.md", "a.md", &"añb\r\n".repeat(FEW_BYTES));
        for (offset, _) in long.text.char_indices() {
            let lines: Vec<&str> = long.text[..offset].split('\n').collect();
            let place = (lines.len(), lines[lines.len() - 1].chars().count() + 1);
            assert_eq!(long.position(offset), place);
            assert_eq!(long.offset(place.0, place.1 - 1), offset);
        }
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
        let mut known = KnownFolder::default();
        let (first, _) = known.read(&root).unwrap();
        let (second, _) = known.read(&root).unwrap();
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
    fn a_notebook_that_stays_is_not_read_again_and_keeps_what_is_in_it() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("a.ipynb");
        std::fs::write(
            &file,
            r#"{"nbformat": 4, "cells": [{"cell_type": "code", "source": [], "outputs": [{"output_type": "display_data", "data": {"image/gif": "R0lG"}}]}]}"#,
        )
        .unwrap();
        let mut known = KnownFolder::default();
        let mut read = || {
            let (mut folder, _) = known.read_at(root.path(), later()).unwrap();
            known.add_notebooks_at(&mut folder, later()).unwrap();
            let pictures = folder.files.pictures.into_values().collect::<Vec<_>>();
            (folder.sources.remove(0), pictures)
        };
        let (first, again) = (read(), read());
        assert_eq!(first, again);
        assert_eq!(again.1, [Arc::from(*b"GIF")]);
        let is_kept = Arc::ptr_eq(
            first.0.notebook.as_ref().unwrap(),
            again.0.notebook.as_ref().unwrap(),
        );
        assert_eq!(is_kept, cfg!(unix));
        // Lines elsewhere in the file are another notebook, though it is the same page.
        let text = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, text.replace("[{", "[\n{")).unwrap();
        let moved = read();
        assert_eq!(moved.0.text, first.0.text);
        assert_ne!(moved.0, first.0);
    }

    #[test]
    fn a_text_in_the_place_of_another_is_read() {
        let root = tempfile::tempdir().unwrap();
        let (file, new) = (root.path().join("a.md"), root.path().join("new.txt"));
        let mut known = KnownFolder::default();
        for text in ["# 0\n", "# 1\n", "# 1\n", "# 2\n"] {
            std::fs::write(&new, text).unwrap();
            std::fs::rename(&new, &file).unwrap();
            let (folder, _) = known.read_at(root.path(), later()).unwrap();
            assert_eq!(&*folder.sources[0].text, text);
        }
        std::fs::remove_file(&file).unwrap();
        known.read_at(root.path(), later()).unwrap();
        assert!(known.texts.is_empty());
    }

    /// When nobody has touched any file for long.
    fn later() -> SystemTime {
        SystemTime::now() + std::time::Duration::from_secs(3600)
    }

    /// The texts of a folder.
    fn texts((folder, problems): (Folder, Vec<Diagnostic>)) -> Vec<(String, String)> {
        assert_eq!(problems, []);
        let sources = folder.sources.into_iter();
        sources
            .map(|source| (source.path, source.text.to_string()))
            .collect()
    }

    #[test]
    fn of_a_folder_that_somebody_else_looks_at_only_what_changed_is_asked_for() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path();
        let file = |name: &str| root.join(name);
        let changed = |names: &[&str]| Some(names.iter().map(|name| file(name)).collect());
        std::fs::create_dir(file("b")).unwrap();
        for (name, text) in [("a.md", "1"), ("b/b.md", "1"), ("c.png", "1"), ("d.md", "1")] {
            std::fs::write(file(name), text).unwrap();
        }
        let mut known = KnownFolder::default();
        let mut read = |changed, at: SystemTime| {
            known.expect(changed);
            let read = texts(known.read_at(root, at).unwrap());
            read.into_iter()
                .map(|(path, text)| path + " " + &text)
                .collect::<Vec<_>>()
        };
        // Of the first time it says nothing.
        assert_eq!(read(changed(&[]), later()), ["a.md 1", "b/b.md 1", "d.md 1"]);
        for name in ["a.md", "b/b.md", "d.md"] {
            std::fs::write(file(name), "two").unwrap();
        }
        std::fs::remove_file(file("d.md")).unwrap();
        // Whoever looks will find the others soon.
        let after = ["a.md 1", "b/b.md two", "d.md 1"];
        assert_eq!(read(changed(&["b/b.md", "c.png"]), later()), after);
        let elsewhere = Some(BTreeSet::from([PathBuf::from("/elsewhere")]));
        assert_eq!(read(elsewhere, later()), after);
        // What came or went may be anything.
        assert_eq!(read(changed(&["d.md"]), later()), ["a.md two", "b/b.md two"]);
        std::fs::write(file("b/e.md"), "1").unwrap();
        assert_eq!(
            read(changed(&["b/e.md"]), later()),
            ["a.md two", "b/b.md two", "b/e.md 1"]
        );
        std::fs::rename(file("b"), file("f")).unwrap();
        assert_eq!(
            read(changed(&["b", "f"]), later()),
            ["a.md two", "f/b.md two", "f/e.md 1"]
        );
        std::fs::write(file("a.md"), "three").unwrap();
        assert_eq!(read(None, later()), ["a.md three", "f/b.md two", "f/e.md 1"]);
        // Files of which the system cannot tell yet whether they will be written once more.
        assert_eq!(read(None, SystemTime::now())[0], "a.md three");
        std::fs::write(file("a.md"), "four!").unwrap();
        assert_eq!(read(changed(&[]), later())[0], "a.md four!");
    }

    #[test]
    fn what_changed_counts_until_the_folder_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("content");
        let file = root.join("a.md");
        let mut known = KnownFolder::default();
        std::fs::create_dir(&root).unwrap();
        std::fs::write(&file, "one").unwrap();
        known.read_at(&root, later()).unwrap();
        std::fs::write(&file, "two").unwrap();
        known.expect(Some(BTreeSet::from([file.clone()])));
        // That build had no need of it.
        known.expect(Some(BTreeSet::new()));
        let read = known.read_at(&root, later()).unwrap();
        assert_eq!(texts(read), [("a.md".to_owned(), "two".to_owned())]);
        // Whoever could not read it does not know what there is.
        let away = folder.path().join("away");
        std::fs::rename(&root, &away).unwrap();
        known.expect(Some(BTreeSet::from([root.clone()])));
        known.read_at(&root, later()).unwrap_err();
        std::fs::rename(&away, &root).unwrap();
        std::fs::write(&file, "three").unwrap();
        known.expect(Some(BTreeSet::new()));
        let read = known.read_at(&root, later()).unwrap();
        assert_eq!(texts(read), [("a.md".to_owned(), "three".to_owned())]);
    }
}
