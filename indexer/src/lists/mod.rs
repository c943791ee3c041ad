//! The lists of pages that other generators have, with the names and pictures of their sites: `mkdocs.yml`, the sidebars of Docusaurus,
//! the configurations of VitePress, Starlight, Mintlify, Nextra, Fumadocs, mdBook, GitBook, Hugo, Zola, Jekyll, MyST, Sphinx and Obsidian. The file `SUMMARY.md` of mdBook and GitBook, which is in the content folder, is read by
//! [`crate::summary`].

pub(crate) mod bar;
mod docusaurus;
mod folders;
mod gitbook;
mod hugo;
mod jekyll;
mod locales;
mod mdbook;
mod mintlify;
pub(crate) mod mkdocs;
mod myst;
mod obsidian;
mod starlight;
mod taken_over;
mod vitepress;

pub(crate) use jekyll::is_left_out;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
pub use taken_over::TakenOver;

use crate::brand::{Picture, Pictures};
use crate::config::{Origin, is_language};
use crate::diagnostic::Diagnostic;
use crate::javascript::{Js, Modules, Names, Script};
use crate::languages::{Language, OwnTexts};
use crate::markdown::slug::HeadingIds;
use crate::source::translated::Translated;
use crate::source::{ReadError, Source, is_file, is_folder};
use crate::words::OwnWords;

/// How far above the content folder such a file may be.
const HIGHEST: usize = 3;
/// What languages are called by others than HTML.
const TAGS: [(&str, &str); 2] = [("cn", "zh-CN"), ("jp", "ja")];
/// Groups in groups end here: a group of JavaScript may hold itself.
const DEEPEST: usize = 16;

/// What is found for a content folder.
#[derive(Debug, Default)]
pub struct Found {
    /// The name of the site.
    pub title: Option<String>,
    /// The first language.
    pub language: Option<String>,
    /// The others, with pages of their own.
    pub languages: Vec<Language>,
    /// Where their pages are, if not in those folders.
    pub translated: Vec<Translated>,
    /// The names of lists in other languages.
    pub titles: Translations,
    /// The order of the pages.
    pub list: Option<List>,
    /// The files that say so.
    pub files: Vec<PathBuf>,
    /// How the generator makes the ids of headings.
    pub heading_ids: Option<HeadingIds>,
    /// Whether numbers before names give the order alone.
    pub number_prefixes: Option<bool>,
    /// Whether lines of code have numbers where a block does not say otherwise.
    pub line_numbers: Option<bool>,
    /// Whether notebooks are pages.
    pub notebooks: Option<bool>,
    /// The folder of the files that keep their names.
    pub static_files: Option<PathBuf>,
    /// The logo and the picture of the tab.
    pub pictures: Pictures,
    /// What addresses of pages start with.
    pub route_prefix: Option<String>,
    /// What the path of a file is appended to for its edit link.
    pub edit_url: Option<String>,
    /// The generator, and what its files need to know of it.
    pub origin: Origin,
}

/// A file that puts pages in order.
#[derive(Debug)]
pub struct List {
    /// How it is written.
    pub format: Format,
    files: Modules,
    /// The Markdown of the folder, where the list goes by what is there.
    pages: Vec<String>,
    /// Where the content folder is below that in which the names of the list start.
    below: String,
}

/// How a list is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `SUMMARY.md`.
    Book,
    /// The `nav` of `mkdocs.yml`.
    MkDocs,
    /// `sidebars.js`.
    Docusaurus,
    /// `_meta.js` of Nextra and `meta.json` of Fumadocs, in each folder, and `_meta.global.js` of Nextra.
    Folders,
    /// `docs.json` of Mintlify.
    Mintlify,
    /// `.vitepress/config.js`.
    VitePress,
    /// `astro.config.mjs`.
    Starlight,
    /// `myst.yml` of MyST and `_toc.yml` of Jupyter Book.
    Myst,
    /// The lists in the pages of Sphinx.
    Toctree,
    /// What pages of Jekyll name as their `parent`, as in Just the Docs; the file has the names of collections.
    JustTheDocs,
}

/// Something of a list that is written in JavaScript.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Entry {
    Page(Named),
    Group {
        title: String,
        page: Option<Named>,
        entries: Vec<Entry>,
    },
    /// The pages of a folder, in their own order; empty: all pages.
    Folder {
        path: String,
        at: usize,
    },
}

/// A page as a list names it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) to: String,
    pub(crate) at: usize,
    /// Empty where the page is called by its own title.
    pub(crate) title: String,
    /// It has its place elsewhere.
    pub(crate) is_reference: bool,
}

/// The names of a list in other languages: by name and by the tag of the language.
pub type Translations = BTreeMap<String, BTreeMap<String, String>>;

/// A list, and what is wrong with it.
pub(crate) type Listing = (Vec<Entry>, Vec<Diagnostic>);

/// What the files of other generators say about a content folder.
pub fn find(content: &Path) -> Result<Option<(Found, Vec<Diagnostic>)>, ReadError> {
    for find in [
        mkdocs::find,
        docusaurus::find,
        vitepress::find,
        starlight::find,
        mintlify::find,
        folders::find,
        mdbook::find,
        gitbook::find,
        hugo::find,
        myst::find,
        jekyll::find,
        obsidian::find,
    ] {
        if let Some((mut found, problems)) = find(content)? {
            found.language = found.language.filter(|tag| is_language(tag));
            let (mut tags, mut folders) = (BTreeSet::new(), BTreeSet::new());
            found.languages.retain(|Language { tag, folder, .. }| {
                is_language(tag) && tags.insert(tag.clone()) && folders.insert(folder.clone())
            });
            return Ok(Some((found, problems)));
        }
    }
    Ok(None)
}

/// Where such a file can be, whether it is there or not: whoever follows a folder looks there as well.
pub fn candidates(content: &Path) -> Vec<PathBuf> {
    let names: [&[&str]; 13] = [
        &mkdocs::FILES,
        &docusaurus::FILES,
        &vitepress::FILES,
        &starlight::FILES,
        &mintlify::FILES,
        &folders::FILES,
        &folders::GLOBAL,
        &mdbook::FILES,
        &gitbook::FILES,
        &hugo::FILES,
        &myst::FILES,
        &jekyll::FILES,
        &obsidian::FILES,
    ];
    folders(content)
        .flat_map(|folder| names.iter().copied().flatten().map(|name| folder.join(name)))
        .collect()
}

impl List {
    /// A list in one file.
    pub fn new(format: Format, source: Source) -> Self {
        Self {
            format,
            files: Modules::of_all(vec![source]),
            pages: Vec::new(),
            below: String::new(),
        }
    }

    /// The file, with a path as if it was in the content folder: where what it names starts.
    pub fn source(&self) -> &Source {
        self.files.source()
    }

    /// The file in which something of the list is written, and where.
    pub(crate) fn place(&self, at: usize) -> (&Source, usize) {
        self.files.place(at)
    }

    /// The list of a file of JavaScript; nothing of another one.
    pub(crate) fn entries(&self) -> Listing {
        match self.format {
            Format::Book | Format::MkDocs | Format::JustTheDocs => Listing::default(),
            Format::Docusaurus => docusaurus::read(&self.files),
            Format::Folders => folders::read(&self.files, &self.pages, &self.below),
            Format::Mintlify => mintlify::read(&self.files),
            Format::VitePress => vitepress::read(&self.files),
            Format::Starlight => starlight::read(&self.files),
            Format::Myst => myst::read(self.files.source(), &self.below),
            Format::Toctree => myst::read_pages(&self.files),
        }
    }

    /// Its names in other languages.
    pub(crate) fn translations(&self) -> Translations {
        match self.format {
            Format::Starlight => starlight::translations(&self.files),
            _ => Translations::default(),
        }
    }

    /// Where in the file to write what.
    pub(crate) fn example(&self) -> &'static str {
        match self.format {
            Format::Book => "write a list of links, such as `- [Start](start.md)`",
            Format::MkDocs => "write a list below `nav`, such as `- start.md`",
            Format::Docusaurus => "write a list, such as `export default { docs: ['start'] }`",
            Format::Folders => {
                "name pages in it, such as `\"pages\": [\"start\"]` or `export default { start: 'Start' }`"
            }
            Format::Mintlify => "write groups as `navigation`, such as `{ \"pages\": [\"start\"] }`",
            Format::VitePress => "write a list as `themeConfig.sidebar`, such as `[{ link: '/start' }]`",
            Format::Starlight => "write a list as `sidebar`, such as `['start']`",
            Format::Myst => "write a list of pages, such as `- file: start.md`",
            Format::Toctree => "name pages in a `{toctree}`",
            Format::JustTheDocs => "take `nav_exclude` out of a page",
        }
    }
}

impl Entry {
    /// The entries of the lists that a site has, by their names: those with several groups are as they are, those without one are one
    /// group, unless there is no other list.
    fn of_lists(lists: Vec<(String, Vec<Entry>)>) -> Vec<Entry> {
        let is_only = lists.len() == 1;
        let mut entries = Vec::new();
        for (title, list) in lists {
            if is_only || list.iter().any(|entry| matches!(entry, Entry::Group { .. })) {
                entries.extend(list);
            } else if !list.is_empty() {
                entries.push(Entry::Group {
                    title,
                    page: None,
                    entries: list,
                });
            }
        }
        entries
    }

    /// The entries of a language beside the first. Beside the pages of the first that are in no group its own would be one section with
    /// those, so they are a group by its name.
    fn of_language(name: String, entries: Vec<Entry>) -> Vec<Entry> {
        let is_group = |entry: &Entry| matches!(entry, Entry::Group { .. });
        let (groups, loose): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_group);
        let loose = Entry::Group {
            title: name,
            page: None,
            entries: loose,
        };
        let has_loose = matches!(&loose, Entry::Group { entries, .. } if !entries.is_empty());
        has_loose.then_some(loose).into_iter().chain(groups).collect()
    }

    /// Whether it is a group that is called as its page is.
    pub(crate) fn has_no_name(&self) -> bool {
        matches!(self, Entry::Group { title, page: Some(_), .. } if title.trim().is_empty())
    }

    /// Whether a list is what every folder without one has.
    fn is_everything(entries: &[Entry]) -> bool {
        matches!(entries, [Entry::Folder { path, .. }] if path.is_empty())
    }
}

/// A folder and those above it in which something may be said about it, the nearest first.
fn folders(folder: &Path) -> impl Iterator<Item = &Path> {
    folder.ancestors().take(HIGHEST + 1)
}

/// The files of these names in a folder and those above it, the nearest first.
fn above(folder: &Path, names: &[&str]) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    for file in folders(folder).flat_map(|folder| names.iter().map(|name| folder.join(name))) {
        if is_file(&file)? {
            files.push(file);
        }
    }
    Ok(files)
}

/// The nearest of a folder and those above it that has a file of this name.
fn folder_with<'a>(folder: &'a Path, name: &str) -> Result<Option<&'a Path>, ReadError> {
    for folder in folders(folder) {
        if is_file(&folder.join(name))? {
            return Ok(Some(folder));
        }
    }
    Ok(None)
}

/// The table of a file, or what is wrong with it.
fn toml(source: &Source) -> Result<toml::Table, Diagnostic> {
    source.text.parse().map_err(|error: toml::de::Error| {
        let at = error.span().map_or(0, |span| span.start);
        let message = format!("this is no TOML: {}; the file is left out", error.message());
        Diagnostic::warning(source, at, message)
    })
}

fn folder(path: PathBuf) -> Result<Option<PathBuf>, ReadError> {
    Ok(is_folder(&path)?.then_some(path))
}

/// Where a folder is below another one: empty if they are one.
fn path_below(folder: &Path, inner: &Path) -> Option<String> {
    // The folder above a relative path has no name.
    let [folder, inner] = [folder, inner].map(|path| Path::new(".").join(path).canonicalize().ok());
    Some(inner?.strip_prefix(folder?).ok()?.to_str()?.replace('\\', "/"))
}

fn is_same_folder(left: &Path, right: &Path) -> bool {
    left.canonicalize()
        .is_ok_and(|left| right.canonicalize().is_ok_and(|right| left == right))
}

/// The languages in the `locales` of VitePress and Starlight: the first, which is called `root` there and has no folder, and those that
/// have one.
fn languages(locales: Option<Js<'_>>) -> (Option<String>, Vec<Language>) {
    let mut first = None;
    let mut others = Vec::new();
    for (name, locale) in locales.and_then(Js::entries).unwrap_or_default() {
        // With slashes in older versions of VitePress.
        let folder = name.trim_matches('/');
        let tag = locale.text_of("lang").unwrap_or_else(|| folder.to_owned());
        if matches!(folder, "root" | "") {
            first = Some(tag);
        } else {
            others.push(Language {
                label: locale.text_of("label"),
                title: locale.name_of("title"),
                ..language(tag, folder)
            });
        }
    }
    (first, others)
}

/// A language in a folder.
fn language(tag: String, folder: &str) -> Language {
    Language {
        tag,
        label: None,
        folder: folder.to_owned(),
        comes_first: false,
        words: OwnWords::new(),
        title: None,
        texts: OwnTexts::new(),
        at: 0,
    }
}

/// The tag of a language that a generator calls by its own name for it.
fn tag(name: &str) -> String {
    let known = TAGS.iter().find(|(own, _)| *own == name);
    known.map_or_else(|| name.replace('_', "-"), |(_, tag)| (*tag).to_owned())
}

/// The picture that a text names by its path below a folder. Those of other sites are not taken over.
fn picture(name: Option<Js<'_>>, folder: &Path) -> Option<Picture> {
    let name = name?;
    let text = name.text()?;
    let (source, at) = name.place();
    named_picture(&text, folder, source, at)
}

fn named_picture(name: &str, folder: &Path, source: &Source, at: usize) -> Option<Picture> {
    let is_elsewhere = name.is_empty() || name.starts_with("//") || name.contains(':');
    (!is_elsewhere).then(|| Picture {
        file: folder.join(name.trim_start_matches("./").trim_start_matches('/')),
        name: name.to_owned(),
        source: source.clone(),
        at,
    })
}

/// The pictures of a logo that is written as one path, as `{ src }`, or as one for each theme.
fn logo(logo: Option<Js<'_>>, folder: &Path) -> Pictures {
    let Some(logo) = logo else {
        return Pictures::default();
    };
    let [light, dark, one, one_dark] = ["light", "dark", "src", "srcDark"].map(|key| logo.get(key));
    Pictures {
        logo: picture(light.or(one).or(Some(logo)), folder),
        logo_dark: picture(dark.or(one_dark), folder),
        ..Pictures::default()
    }
}

/// A picture that a generator looks for where nothing is said about it.
fn usual_picture(folder: &Path, names: &[&str], source: &Source) -> Result<Option<Picture>, ReadError> {
    let pictures = names
        .iter()
        .filter_map(|name| named_picture(name, folder, source, 0));
    for picture in pictures {
        if is_file(&picture.file)? {
            return Ok(Some(picture));
        }
    }
    Ok(None)
}

/// A list that is found in its file, unless it is what every folder without one has.
fn listed(format: Format, files: Modules) -> Option<List> {
    let list = List {
        format,
        files,
        pages: Vec::new(),
        below: String::new(),
    };
    let (entries, problems) = list.entries();
    let is_list = !problems.is_empty() || !entries.is_empty() && !Entry::is_everything(&entries);
    is_list.then_some(list)
}

/// What is left out of a list.
fn computed(value: Js<'_>, expected: &str) -> Diagnostic {
    let message = format!(
        "this is left out: only {expected} that is written out, here or in a file that is imported by its path, is read; nothing is run"
    );
    let (source, at) = value.place();
    Diagnostic::warning(source, at, message)
}

/// The items of a list; something else has none.
fn items<'t>(list: Js<'t>, problems: &mut Vec<Diagnostic>) -> Vec<Js<'t>> {
    list.items().unwrap_or_else(|| {
        problems.push(computed(list, "a list"));
        Vec::new()
    })
}

/// The name of a list as words: `tutorialSidebar` and `/tutorial/` become `Tutorial`.
fn list_title(name: &str) -> String {
    let name = name.trim_matches('/');
    let short = name
        .strip_suffix("Sidebar")
        .or_else(|| name.strip_suffix("sidebar"))
        .filter(|short| !short.is_empty())
        .unwrap_or(name);
    crate::routes::words(&short.replace('/', " "))
}

/// Parses the files and reads a list of them.
fn read_script(
    files: &Modules,
    read: impl FnOnce(&Names<'_>, &mut Vec<Diagnostic>) -> Vec<Entry>,
) -> Listing {
    let mut problems = Vec::new();
    let script = Script::parse(files);
    let names = script.names();
    let entries = read(&names, &mut problems);
    (entries, problems)
}
