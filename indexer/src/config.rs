//! `siftwren.toml`: the one configuration of a site. Every key is checked, and unknown keys are refused.

mod navbar;

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use serde::Serialize;
use toml::de::{DeTable, DeValue};

use crate::api::{self, Api};
use crate::diagnostic::Diagnostic;
use crate::fields::{Fields, Key, Node, Text, Value};
use crate::front_matter::Schema;
use crate::languages::{self, Language};
use crate::markdown::slug::HeadingIds;
use crate::menu::MenuEntry;
use crate::redirects::Moved;
use crate::source::Source;
use crate::source::translated::{From, Translated};
use crate::words::{self, OwnWords};

pub use navbar::{NavbarItem, NavbarKind, Position};

/// A checked configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The site itself.
    pub site: Site,
    /// How files become pages.
    pub content: Content,
    /// How the site searches.
    pub search: Search,
    /// The languages that have a folder of their own.
    pub languages: Vec<Language>,
    /// Where their pages are, if not in those folders.
    pub translated: Vec<Translated>,
    /// The sections that have an order or a title of their own.
    pub sidebar: Vec<SidebarSection>,
    /// The items of the navigation bar.
    pub navbar: Vec<NavbarItem>,
    /// The footer.
    pub footer: Option<Footer>,
    /// The announcement bar.
    pub announcement: Option<Announcement>,
    /// The OpenAPI documents that become pages.
    pub api: Vec<Api>,
    /// Where views of pages are counted.
    pub analytics: Option<Analytics>,
    /// Old addresses, and where each of them leads.
    pub redirects: Vec<(Text, Text)>,
}

/// `[site]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// The name of the site; empty: the name of the content folder.
    pub title: String,
    /// A line below the name.
    pub tagline: Option<String>,
    /// Where the site is published, without a slash at the end.
    pub url: Option<String>,
    /// The path under which the site is served; starts and ends with a slash.
    pub base: String,
    /// The language of the pages, as HTML names it.
    pub language: String,
    /// Whether the configuration says so.
    #[serde(skip)]
    pub has_language: bool,
    /// The picture beside the name, from the folder of the configuration.
    #[serde(skip)]
    pub logo: Option<Text>,
    /// The one in the dark theme, where it is another.
    #[serde(skip)]
    pub logo_dark: Option<Text>,
    /// Whether the logo says the name of the site, which is not written beside it then; and the place of the answer.
    #[serde(skip)]
    pub logo_has_title: Option<(bool, usize)>,
    /// The picture in the tab of the browser, from the folder of the configuration.
    #[serde(skip)]
    pub favicon: Option<Text>,
    /// Whether the navigation bar gives way while readers scroll down.
    #[serde(skip)]
    pub hide_navbar_on_scroll: bool,
    /// The words around its texts that are others than those of its language.
    #[serde(skip)]
    pub words: OwnWords,
}

impl Default for Site {
    fn default() -> Self {
        Self {
            title: String::new(),
            tagline: None,
            url: None,
            base: "/".to_owned(),
            language: LANGUAGE.to_owned(),
            has_language: false,
            logo: None,
            logo_dark: None,
            logo_has_title: None,
            favicon: None,
            hide_navbar_on_scroll: false,
            words: OwnWords::new(),
        }
    }
}

/// `[content]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Content {
    /// The rules for front matter, languages and raw HTML.
    pub schema: Schema,
    /// What routes start with: empty or `/docs`.
    pub route_prefix: String,
    /// The source, without extension, of the page that is shown at the route prefix itself.
    pub landing: Option<Text>,
    /// What a source path is appended to for the edit link; ends with a slash.
    pub edit_url: Option<String>,
    /// What the version of these pages is called.
    pub version: String,
    /// The folder of the pages that are components, from the folder of the configuration.
    pub components: Option<Text>,
    /// The folder of the files that stand on the site under their own names, from the folder of the configuration.
    pub static_files: Option<Text>,
    /// Whether numbers before names, such as `01-start.md`, give the order alone; without a word about it they do not.
    pub number_prefixes: Option<bool>,
    /// Whether lines of code have numbers where a block does not say otherwise; without a word about it they do not.
    pub line_numbers: Option<bool>,
    /// Whether notebooks are pages; without a word about it they are not.
    pub notebooks: Option<bool>,
    /// How the ids of headings are made from their texts; as on GitHub without a word about it.
    pub heading_ids: Option<HeadingIds>,
    /// What a link that leads nowhere is; without a word about it an error. In a folder of another generator it is a warning: most of them
    /// say nothing of such links, and of what a site has beside these pages nobody knows here.
    pub broken_links: Option<BrokenLinks>,
    /// Whether the configuration says what routes start with.
    pub has_route_prefix: bool,
    /// What else the configuration of another generator says about the folder.
    pub origin: Origin,
}

/// The generator that a folder was written for, as its own configuration has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Which one it is.
    pub generator: Option<Generator>,
    /// The folder of its configuration.
    pub site: PathBuf,
    /// Where the pages are below that folder; empty where nothing but them is named from there.
    pub pages: String,
    /// What addresses begin with there and not here, the longest first.
    pub bases: Vec<String>,
    /// Other folders that files are included from, below that of the configuration.
    pub included_from: Vec<String>,
    /// Whether words between brackets lead to what has them as its name, wherever it is, as in mkdocs-autorefs.
    pub has_autorefs: bool,
    /// Whether lists of attributes of Hugo may stand below blocks.
    pub has_block_attributes: bool,
    /// What plug-ins of MkDocs put into pages.
    pub templates: Templates,
    /// What the pages of Hugo, Jekyll and MkDocs can show of the configuration of their site.
    pub parameters: BTreeMap<String, String>,
    /// The files, the folders and the patterns that Jekyll leaves out, below the folder of its configuration.
    pub left_out: Vec<String>,
    /// The same of those that it does not leave out, whatever they are called.
    pub taken_in: Vec<String>,
    /// The addresses of other sites by the names that links of MyST have for them.
    pub references: BTreeMap<String, String>,
    /// The main menu of Hugo, without what its pages have of it. It comes before the rest of the bar.
    pub menu: Vec<MenuEntry>,
    /// Its navigation bar. Links may lead to pages that are not in the folder.
    pub navbar: Vec<NavbarItem>,
    /// Old addresses of its pages.
    pub redirects: Vec<Moved>,
}

/// What plug-ins of MkDocs put into the text of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Templates {
    /// Values of the configuration, by mkdocs-macros.
    pub has_values: bool,
    /// Files, by mkdocs-include-markdown.
    pub has_files: bool,
}

impl Origin {
    /// The path from the folder of the configuration, where `path` begins with a short name of a folder: `@site` in Docusaurus, and what
    /// is usual for the sources in Starlight.
    pub(crate) fn named(&self, path: &str) -> Option<String> {
        let generator = self.generator?;
        if let Some(below) = path.strip_prefix("@site/") {
            return Some(below.to_owned());
        }
        let in_sources = path.strip_prefix("@/").or_else(|| path.strip_prefix("~/"))?;
        (generator == Generator::Starlight).then(|| format!("src/{in_sources}"))
    }
}

/// Another generator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// MkDocs, with Python-Markdown.
    MkDocs,
    /// Docusaurus, whose Markdown is MDX.
    Docusaurus,
    /// VitePress.
    VitePress,
    /// Starlight.
    Starlight,
    /// Mintlify, whose Markdown is MDX.
    Mintlify,
    /// Fumadocs.
    Fumadocs,
    /// The folder `app` of Next.js, where Nextra has pages that are called `page.mdx`, in folders of their names.
    NextApp,
    /// Hugo.
    Hugo,
    /// Jekyll.
    Jekyll,
    /// MyST, Jupyter Book, or Sphinx with the parser of MyST.
    Myst,
    /// Obsidian, which is a program for notes.
    Obsidian,
}

/// What a link to a page, a heading or a file that is not there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenLinks {
    /// An error: nothing is built.
    Error,
    /// A warning: the link is shown as it is written, an image as its text. Of a scheme that no page leads to, the text stays.
    Warn,
}

impl Content {
    /// Whether numbers before names are no part of addresses.
    pub(crate) fn has_number_prefixes(&self) -> bool {
        self.number_prefixes.unwrap_or_default()
    }

    /// Whether a link may lead nowhere.
    pub(crate) fn broken_links(&self) -> BrokenLinks {
        self.broken_links.unwrap_or(BrokenLinks::Error)
    }

    /// A link of `source` that leads nowhere.
    pub(crate) fn broken_link(&self, source: &Source, at: usize, message: impl Into<String>) -> Diagnostic {
        match self.broken_links() {
            // Our own content has no such links.
            BrokenLinks::Error if self.schema.is_strict() => Diagnostic::error(source, at, message),
            BrokenLinks::Error => Diagnostic::error(source, at, message).of_broken_link(),
            BrokenLinks::Warn => Diagnostic::warning(source, at, message),
        }
    }

    /// Whether the folder was written for this generator.
    pub(crate) fn is_of(&self, generator: Generator) -> bool {
        self.origin.generator == Some(generator)
    }
}

impl Default for Content {
    fn default() -> Self {
        Self {
            schema: Schema::default(),
            route_prefix: String::new(),
            landing: None,
            edit_url: None,
            version: VERSION.to_owned(),
            components: None,
            static_files: None,
            number_prefixes: None,
            line_numbers: None,
            notebooks: None,
            heading_ids: None,
            broken_links: None,
            has_route_prefix: false,
            origin: Origin::default(),
        }
    }
}

/// `[search]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Search {
    /// live, local or live-with-fallback.
    pub mode: String,
    /// The API of the platform, without a slash at the end.
    pub api_url: Option<String>,
    /// The model that answers.
    pub model: Option<String>,
    /// Whether the index has vectors; without it: if there is a cache or an encoder.
    pub vectors: Option<bool>,
    /// The folder that keeps vectors between builds, from the folder of the configuration.
    pub vector_cache: String,
}

impl Default for Search {
    fn default() -> Self {
        Self {
            mode: "local".to_owned(),
            api_url: None,
            model: None,
            vectors: None,
            vector_cache: VECTOR_CACHE.to_owned(),
        }
    }
}

/// `[[sidebar]]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SidebarSection {
    /// The name of the folder.
    pub id: Text,
    /// What readers see; without it the name of the folder, as words.
    pub title: Option<String>,
    /// The pages that come first, in this order.
    pub pages: Vec<Text>,
}

/// A link: in the footer, or in the navigation bar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Link {
    /// What readers see.
    pub label: String,
    /// A path of this site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// An address outside of this site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub href: Option<String>,
    /// Where `to` stands in the configuration.
    #[serde(skip)]
    pub at: usize,
}

/// `[footer]`
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Footer {
    /// A line of text.
    pub text: Option<String>,
    /// Links.
    pub links: Vec<Link>,
}

/// `[announcement]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Announcement {
    /// A reader who dismissed this id does not see it again.
    pub id: String,
    /// The text.
    pub text: String,
    /// Where it leads.
    pub href: Option<String>,
    /// Where `href` stands in the configuration.
    #[serde(skip)]
    pub href_at: usize,
}

/// `[analytics]`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Analytics {
    /// The address that is told of every page that is read.
    pub endpoint: String,
}

/// What the version of the pages is called, unless `content.version` says otherwise.
const VERSION: &str = "Next";

/// The language of the pages, unless `site.language` says otherwise.
const LANGUAGE: &str = "en";

/// Where vectors are kept, unless `search.vector_cache` says otherwise.
const VECTOR_CACHE: &str = "search-vectors";

/// The values that `search.mode` takes.
pub const SEARCH_MODES: [&str; 3] = ["live", "local", "live-with-fallback"];

impl Config {
    /// Reads a configuration.
    pub fn parse(source: &Source) -> (Self, Vec<Diagnostic>) {
        let (entries, problems) = read_toml(source);
        if !problems.is_empty() {
            return (Self::default(), problems);
        }
        let mut problems = Vec::new();
        let mut config = Self::default();
        let mut root = Fields::new(source, "the configuration", 0, entries);
        if let Some(table) = root.table("site") {
            config.site = read(source, "[site]", table, &mut problems, read_site);
        }
        if let Some(table) = root.table("content") {
            config.content = read(source, "[content]", table, &mut problems, read_content);
        }
        if let Some(table) = root.table("search") {
            config.search = read(source, "[search]", table, &mut problems, read_search);
        }
        for table in root.tables("language") {
            let read_language = |fields: &mut Fields<'_>| read_language(fields, &config);
            let (language, translated) = read(source, "[[language]]", table, &mut problems, read_language);
            config.languages.extend(language);
            config.translated.extend(translated);
        }
        for table in root.tables("sidebar") {
            config
                .sidebar
                .extend(read(source, "[[sidebar]]", table, &mut problems, read_sidebar));
        }
        for table in root.tables("navbar") {
            config
                .navbar
                .extend(navbar::read_item(source, table, &mut problems));
        }
        if let Some(table) = root.table("footer") {
            config.footer = Some(read_footer(source, table, &mut problems));
        }
        if let Some(table) = root.table("announcement") {
            config.announcement = read(source, "[announcement]", table, &mut problems, read_announcement);
        }
        for table in root.tables("api") {
            config
                .api
                .extend(read(source, "[[api]]", table, &mut problems, api::read_settings));
        }
        if let Some(table) = root.table("analytics") {
            config.analytics = read(source, "[analytics]", table, &mut problems, read_analytics);
        }
        if let Some((_, entries)) = root.table("redirects") {
            config.redirects = read_redirects(source, entries, &mut problems);
        }
        problems.extend(root.finish());
        (config, problems)
    }
}

/// `[redirects]`: old addresses with the new ones.
fn read_redirects(
    source: &Source,
    entries: Vec<(Key, Node)>,
    problems: &mut Vec<Diagnostic>,
) -> Vec<(Text, Text)> {
    let mut redirects = Vec::new();
    for (key, node) in entries {
        match node.value {
            Value::String(text) => {
                let from = Text {
                    at: key.at,
                    text: key.name,
                };
                redirects.push((from, Text { at: node.at, text }));
            }
            _ => {
                let message = format!(
                    "`{}` takes the address that it leads to, such as `\"/guides/start\"`",
                    key.name
                );
                problems.push(Diagnostic::error(source, node.at, message));
            }
        }
    }
    redirects
}

type Table = (usize, Vec<(Key, Node)>);

fn read<T>(
    source: &Source,
    name: &str,
    (at, entries): Table,
    problems: &mut Vec<Diagnostic>,
    reader: impl FnOnce(&mut Fields<'_>) -> T,
) -> T {
    let mut fields = Fields::new(source, name, at, entries);
    let value = reader(&mut fields);
    problems.extend(fields.finish());
    value
}

fn read_site(fields: &mut Fields<'_>) -> Site {
    let title = fields
        .filled_text("title", "Docs")
        .map(|title| title.text)
        .unwrap_or_default();
    let tagline = fields.text("tagline").map(|tagline| tagline.text);
    let url = origin(fields, "url");
    let base = match fields.text("base") {
        None => "/".to_owned(),
        Some(base) => {
            if !is_path(&base.text) || !base.text.ends_with('/') {
                fields.error(
                    base.at,
                    "`base` takes a path that starts and ends with `/`, for example `/docs/`",
                );
            } else if base.text.contains(['?', '#']) || base.text.split('/').any(is_dots) {
                let message = "`base` takes a path without `?`, `#` and parts that are `.` or `..`, for example `/docs/`";
                fields.error(base.at, message);
            }
            base.text
        }
    };
    let language = fields
        .text("language")
        .map(|tag| language_tag(fields, "language", tag).text);
    Site {
        title,
        tagline,
        url,
        base,
        has_language: language.is_some(),
        language: language.unwrap_or_else(|| LANGUAGE.to_owned()),
        logo: inside(fields, "logo", "file", "images/logo.svg"),
        logo_dark: inside(fields, "logo_dark", "file", "images/logo-dark.svg"),
        logo_has_title: fields.boolean_at("logo_has_title"),
        favicon: inside(fields, "favicon", "file", "images/favicon.svg"),
        hide_navbar_on_scroll: fields.boolean("hide_navbar_on_scroll").unwrap_or_default(),
        words: words::read_own(fields),
    }
}

/// A language, and where its pages are if not in its folder. The first one has no folder, unless it says so.
fn read_language(fields: &mut Fields<'_>, config: &Config) -> (Option<Language>, Option<Translated>) {
    let others = &config.languages;
    let tag = fields.required_text("tag", "pt-BR");
    let label = fields.text("label").map(|label| label.text);
    let folder = fields.text("folder");
    let ending = fields.text("ending");
    let words = words::read_own(fields);
    let texts = languages::read_texts(fields);
    let Some(tag) = tag else {
        return (None, None);
    };
    let tag = language_tag(fields, "tag", tag);
    if let Some(text) = texts.values().next()
        && tag.text == config.site.language
    {
        let message = "the texts of the first language are those of the configuration; write them there";
        fields.error(text.at, message);
    }
    let ending = ending.and_then(|ending| read_ending(fields, ending, &config.translated));
    if let (Some(from), None) = (&ending, &folder)
        && tag.text == config.site.language
    {
        let translated = Translated {
            folder: String::new(),
            from: from.clone(),
        };
        return (None, Some(translated));
    }
    let mut folder = folder.unwrap_or_else(|| tag.clone());
    folder.text.truncate(folder.text.trim_end_matches('/').len());
    if !is_inside(&folder.text) || folder.text.starts_with('.') {
        let message = "`folder` takes the path of a folder below the content folder, such as `fr`";
        fields.error(folder.at, message);
    }
    if others.iter().any(|other| other.tag == tag.text) {
        let message = format!(
            "the language `{}` stands here twice; remove one of the two",
            tag.text
        );
        fields.error(tag.at, message);
    } else if let Some(other) = others.iter().find(|other| other.folder == folder.text) {
        let message = format!(
            "the language `{}` has the folder `{}`, too; each has one of its own",
            other.tag, folder.text
        );
        fields.error(folder.at, message);
    }
    let translated = ending.map(|from| Translated {
        folder: folder.text.clone(),
        from,
    });
    let language = Language {
        tag: tag.text,
        label,
        folder: folder.text,
        comes_first: false,
        words,
        title: None,
        texts,
        at: folder.at,
    };
    (Some(language), translated)
}

/// What the names of the files of a language end with.
fn read_ending(fields: &mut Fields<'_>, ending: Text, others: &[Translated]) -> Option<From> {
    let text = ending.text.trim_start_matches('.');
    if text.is_empty() || text.contains(['/', '\\', '.']) {
        let message = "`ending` takes what stands before `.md` in the names of the files, such as `fr` for `start.fr.md`";
        fields.error(ending.at, message);
        return None;
    }
    let from = From::Ending(text.to_owned());
    if others.iter().any(|other| other.from == from) {
        let message = format!("another language has the ending `{text}`, too; each has one of its own");
        fields.error(ending.at, message);
        return None;
    }
    Some(from)
}

fn language_tag(fields: &mut Fields<'_>, key: &str, tag: Text) -> Text {
    if !is_language(&tag.text) {
        let message = format!("`{key}` takes the tag of a language, for example `en` or `pt-BR`");
        fields.error(tag.at, message);
    }
    tag
}

fn read_content(fields: &mut Fields<'_>) -> Content {
    let schema = match fields.text("schema") {
        None => Schema::Foreign,
        Some(schema) => {
            if schema.text != "siftwren" {
                let message =
                    "`schema` takes `siftwren`; leave it out for a folder with front matter of its own";
                fields.error(schema.at, message);
            }
            Schema::Siftwren
        }
    };
    let written_prefix = fields.text("route_prefix");
    let has_route_prefix = written_prefix.is_some();
    let route_prefix = match written_prefix {
        None => String::new(),
        Some(prefix) => {
            if !prefix.text.is_empty() && (!is_path(&prefix.text) || prefix.text.ends_with('/')) {
                let message = "`route_prefix` takes a path that starts with `/` and does not end with one";
                fields.error(prefix.at, message);
            }
            prefix.text.trim_end_matches('/').to_owned()
        }
    };
    let landing = fields.text("landing");
    let edit_url = address(fields, "edit_url").map(|url| format!("{}/", url.trim_end_matches('/')));
    let version = fields
        .text("version")
        .map_or_else(|| VERSION.to_owned(), |version| version.text);
    Content {
        schema,
        route_prefix,
        landing,
        edit_url,
        version,
        components: inside(fields, "components", "folder", "pages"),
        static_files: inside(fields, "static", "folder", "static"),
        number_prefixes: fields.boolean("number_prefixes"),
        line_numbers: fields.boolean("line_numbers"),
        notebooks: fields.boolean("notebooks"),
        heading_ids: one_of(
            fields,
            "heading_ids",
            &HeadingIds::ALL.map(|style| (style.name(), Some(style))),
        ),
        broken_links: one_of(
            fields,
            "broken_links",
            &[
                ("error", Some(BrokenLinks::Error)),
                ("warn", Some(BrokenLinks::Warn)),
            ],
        ),
        has_route_prefix,
        origin: Origin::default(),
    }
}

/// The value of a key that takes one of some names; the default where there is none.
fn one_of<T: Copy + Default>(fields: &mut Fields<'_>, key: &'static str, values: &[(&str, T)]) -> T {
    let Some(text) = fields.text(key) else {
        return T::default();
    };
    if let Some((_, value)) = values.iter().find(|(name, _)| *name == text.text) {
        return *value;
    }
    let names: Vec<&str> = values.iter().map(|(name, _)| *name).collect();
    fields.error(
        text.at,
        format!("`{key}` takes {}, not `{}`", names.join(", "), text.text),
    );
    T::default()
}

/// The path of a file or a folder that stays below the configuration's own folder.
fn inside(fields: &mut Fields<'_>, key: &'static str, what: &str, example: &str) -> Option<Text> {
    let path = fields.text(key)?;
    if !is_inside(&path.text) {
        let message =
            format!("`{key}` takes the path of a {what} beside this file or below it, such as `{example}`");
        fields.error(path.at, message);
        return None;
    }
    Some(path)
}

fn read_search(fields: &mut Fields<'_>) -> Search {
    let mode = match fields.text("mode") {
        None => "local".to_owned(),
        Some(mode) => {
            if !SEARCH_MODES.contains(&mode.text.as_str()) {
                fields.error(
                    mode.at,
                    format!("`mode` takes {}, not `{}`", SEARCH_MODES.join(", "), mode.text),
                );
            }
            mode.text
        }
    };
    // What a mode needs that is none, nobody can say.
    let needs_platform = mode != "local" && SEARCH_MODES.contains(&mode.as_str());
    let (api_url, model) = if !needs_platform {
        (address(fields, "api_url"), fields.text("model"))
    } else {
        let api_url = fields.required_text("api_url", "http://127.0.0.1:8787/v1");
        (
            api_url.and_then(|url| check_address(fields, "api_url", url)),
            fields.required_text("model", "docs_search"),
        )
    };
    let vectors = fields.boolean("vectors");
    let vector_cache = match fields.text("vector_cache") {
        None => VECTOR_CACHE.to_owned(),
        Some(folder) => {
            if !is_inside(&folder.text) {
                let message = "`vector_cache` takes the path of a folder beside this file or below it, such as `search-vectors`";
                fields.error(folder.at, message);
            }
            folder.text
        }
    };
    Search {
        mode,
        vectors,
        vector_cache,
        api_url: api_url.map(|url| url.trim_end_matches('/').to_owned()),
        model: model.map(|model| model.text),
    }
}

fn read_sidebar(fields: &mut Fields<'_>) -> Option<SidebarSection> {
    let id = fields.required_text("id", "metrics");
    let title = fields.text("title").map(|title| title.text);
    let pages = fields.texts("pages");
    Some(SidebarSection {
        id: id?,
        title,
        pages,
    })
}

fn read_link(fields: &mut Fields<'_>) -> Option<Link> {
    let label = fields.required_filled_text("label", "Docs");
    let to = fields.text("to");
    let href = address(fields, "href");
    let label = label?;
    if let Some(to) = &to
        && !is_path(&to.text)
    {
        fields.error(
            to.at,
            "`to` takes a path of this site that starts with `/`; use `href` for other addresses",
        );
    }
    if to.is_some() == href.is_some() {
        let message = "a link takes either `to` (a path of this site) or `href` (an address outside of it)";
        fields.error(label.at, message);
    }
    let at = to.as_ref().map_or(label.at, |to| to.at);
    Some(Link {
        label: label.text,
        to: to.map(|to| to.text),
        href,
        at,
    })
}

fn read_footer(source: &Source, table: Table, problems: &mut Vec<Diagnostic>) -> Footer {
    let (text, links) = read(source, "[footer]", table, problems, |fields| {
        (fields.text("text").map(|text| text.text), fields.tables("links"))
    });
    let links = links
        .into_iter()
        .filter_map(|table| read(source, "[[footer.links]]", table, problems, read_link))
        .collect();
    Footer { text, links }
}

fn read_announcement(fields: &mut Fields<'_>) -> Option<Announcement> {
    let id = fields.required_filled_text("id", "first-release");
    let text = fields.required_filled_text("text", "siftwren 0.1 is out");
    let href = fields.text("href");
    let href_at = href.as_ref().map_or(0, |href| href.at);
    let href = href.and_then(|href| path_or_address(fields, "href", href));
    Some(Announcement {
        id: id?.text,
        text: text?.text,
        href,
        href_at,
    })
}

fn read_analytics(fields: &mut Fields<'_>) -> Option<Analytics> {
    let endpoint = fields.required_text("endpoint", "https://count.example/views")?;
    // Who hosts the pages may count their views.
    path_or_address(fields, "endpoint", endpoint).map(|endpoint| Analytics { endpoint })
}

fn address(fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    let text = fields.text(key)?;
    check_address(fields, key, text)
}

/// An address of a whole host, without the slash at its end. Paths of the site are appended to it, and begin with the base.
fn origin(fields: &mut Fields<'_>, key: &'static str) -> Option<String> {
    let text = fields.text(key)?;
    let at = text.at;
    let url = check_address(fields, key, text)?;
    let origin = url.trim_end_matches('/');
    let (_, host) = origin.split_once("://")?;
    if host.contains(['/', '?', '#', '@']) {
        let message = format!(
            "`{key}` takes the origin alone, for example `https://docs.example`; the path belongs into `base`"
        );
        fields.error(at, message);
        return None;
    }
    Some(origin.to_owned())
}

fn path_or_address(fields: &mut Fields<'_>, key: &str, text: Text) -> Option<String> {
    if !is_path(&text.text) && !is_address(&text.text) {
        let message = format!(
            "`{key}` takes a path that starts with `/`, or an address that starts with https:// or http://"
        );
        fields.error(text.at, message);
        return None;
    }
    Some(text.text)
}

fn check_address(fields: &mut Fields<'_>, key: &str, text: Text) -> Option<String> {
    if !is_address(&text.text) {
        fields.error(
            text.at,
            format!("`{key}` takes an address that starts with https:// or http://"),
        );
        return None;
    }
    Some(text.text)
}

fn is_address(text: &str) -> bool {
    let rest = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    rest.is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/') && has_only_url_characters(rest))
}

fn is_path(text: &str) -> bool {
    text.starts_with('/') && !text.starts_with("//") && has_only_url_characters(text)
}

/// Whether browsers and hosts leave out this part of a path, and perhaps the one before it.
fn is_dots(part: &str) -> bool {
    matches!(part.to_ascii_lowercase().replace("%2e", ".").as_str(), "." | "..")
}

/// A language tag, as far as its shape goes.
pub(crate) fn is_language(text: &str) -> bool {
    text.split('-').enumerate().all(|(index, part)| {
        let shortest = if index == 0 { 2 } else { 1 };
        (shortest..=8).contains(&part.len())
            && part
                .bytes()
                .all(|byte| byte.is_ascii_alphabetic() || index > 0 && byte.is_ascii_digit())
    })
}

/// A path that stays below where it starts.
fn is_inside(text: &str) -> bool {
    let mut parts = Path::new(text).components();
    !text.is_empty() && parts.all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

fn has_only_url_characters(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'\\' | b'"' | b'<' | b'>' | b'`'))
}

fn read_toml(source: &Source) -> (Vec<(Key, Node)>, Vec<Diagnostic>) {
    let (table, errors) = DeTable::parse_recoverable(&source.text);
    let problems = errors
        .iter()
        .map(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let message = format!(
                "the configuration is not valid TOML: {}",
                error.message().replace('\n', "; ")
            );
            Diagnostic::error(source, at, message)
        })
        .collect();
    (table_entries(table.into_inner()), problems)
}

fn table_entries(table: DeTable<'_>) -> Vec<(Key, Node)> {
    table
        .into_iter()
        .map(|(key, value)| {
            let at = key.span().start;
            (
                Key {
                    at,
                    name: key.into_inner().into_owned(),
                },
                node(value),
            )
        })
        .collect()
}

fn node(value: toml::Spanned<DeValue<'_>>) -> Node {
    let at = value.span().start;
    let value = match value.into_inner() {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(_) | DeValue::Float(_) => Value::Other("a number"),
        DeValue::Boolean(value) => Value::Boolean(value),
        DeValue::Datetime(_) => Value::Other("a date"),
        DeValue::Array(nodes) => Value::List(nodes.into_iter().map(node).collect()),
        DeValue::Table(table) => Value::Table(table_entries(table)),
    };
    Node { at, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        let (_, problems) = Config::parse(&Source::new("siftwren.toml", "siftwren.toml", text));
        problems
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn an_empty_configuration_is_the_default() {
        let (config, problems) = Config::parse(&Source::new("c", "c", ""));
        assert_eq!((config, problems), (Config::default(), vec![]));
    }

    #[test]
    fn every_wrong_key_is_reported_with_its_place() {
        insta::assert_snapshot!(problems("[site]\ntitel = \"x\"\nbase = \"docs\"\n[search]\nmode = \"cloud\"\n[other]\n"), @"
        siftwren.toml:3:8: `base` takes a path that starts and ends with `/`, for example `/docs/`
        siftwren.toml:2:1: [site] has no key `titel`; it takes title, tagline, url, base, language, logo, logo_dark, logo_has_title, favicon, hide_navbar_on_scroll, words
        siftwren.toml:5:8: `mode` takes live, local, live-with-fallback, not `cloud`
        siftwren.toml:6:2: the configuration has no key `other`; it takes site, content, search, language, sidebar, navbar, footer, announcement, api, analytics, redirects
        ");
        insta::assert_snapshot!(problems("[site]\ntitle = 4\nurl = \"javascript:x\"\n[[navbar]]\nlabel = \"A\"\n[[navbar]]\nlabel = \"B\"\nto = \"//evil\"\n"), @"
        siftwren.toml:2:9: `title` takes text, not a number
        siftwren.toml:3:7: `url` takes an address that starts with https:// or http://
        siftwren.toml:5:9: a link takes either `to` (a path of this site) or `href` (an address outside of it)
        siftwren.toml:8:6: `to` takes a path of this site that starts with `/`; use `href` for other addresses
        ");
    }

    #[test]
    fn a_site_is_published_at_an_origin_and_below_a_base() {
        let url = |url: &str| problems(&format!("[site]\nurl = \"{url}\"\n"));
        for origin in ["https://x.example", "https://x.example/", "http://127.0.0.1:8080"] {
            assert_eq!(url(origin), "");
        }
        for other in ["/docs", "/docs/", "?a=1", "/?a=1", "#a"] {
            assert_eq!(
                url(&format!("https://x.example{other}")),
                "siftwren.toml:2:7: `url` takes the origin alone, for example `https://docs.example`; the path belongs into `base`",
                "{other}"
            );
        }
        let base = |base: &str| problems(&format!("[site]\nbase = \"{base}\"\n"));
        assert_eq!(base("/.well/a..b/"), "");
        for other in ["/../x/", "/x/./", "/%2e%2E/x/", "/x?a/", "/x#a/"] {
            assert_eq!(
                base(other),
                "siftwren.toml:2:8: `base` takes a path without `?`, `#` and parts that are `.` or `..`, for example `/docs/`",
                "{other}"
            );
        }
    }

    #[test]
    fn what_readers_see_is_not_empty() {
        insta::assert_snapshot!(problems("[site]\ntitle = \" \"\n[announcement]\nid = \"\"\ntext = \"\"\n[[navbar]]\nlabel = \"\"\nto = \"/\"\n[[navbar]]\ntype = \"doc\"\ndoc = \"a\"\nlabel = \"\"\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"\"\n[[footer.links]]\nlabel = \"\"\nto = \"/\"\n"), @"
        siftwren.toml:2:9: `title` is empty; write one, for example `Docs`
        siftwren.toml:7:9: `label` is empty; write one, for example `Docs`
        siftwren.toml:12:9: `label` is empty; write one, for example `Start`
        siftwren.toml:15:9: `label` is empty; write one, for example `More`
        siftwren.toml:13:1: [[navbar]] has no `items`; add one, for example `[[navbar.items]]` with a `label` and a `to`
        siftwren.toml:17:9: `label` is empty; write one, for example `Docs`
        siftwren.toml:4:6: `id` is empty; write one, for example `first-release`
        siftwren.toml:5:8: `text` is empty; write one, for example `siftwren 0.1 is out`
        ");
        insta::assert_snapshot!(problems("[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\nitems = []\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\nitems = 4\n"), @"
        siftwren.toml:1:1: [[navbar]] has no `items`; add one, for example `[[navbar.items]]` with a `label` and a `to`
        siftwren.toml:8:9: `items` takes a list of tables, not a number
        ");
    }

    #[test]
    fn where_a_path_is_an_address_too_the_message_says_so() {
        insta::assert_snapshot!(problems("[announcement]\nid = \"x\"\ntext = \"New\"\nhref = \"nope\"\n[analytics]\nendpoint = \"zzz\"\n"), @"
        siftwren.toml:4:8: `href` takes a path that starts with `/`, or an address that starts with https:// or http://
        siftwren.toml:6:12: `endpoint` takes a path that starts with `/`, or an address that starts with https:// or http://
        ");
        assert_eq!(problems("[analytics]\nendpoint = \"/views\"\n"), "");
    }

    #[test]
    fn vectors_take_a_switch_and_a_folder_of_the_site() {
        let (config, found) = Config::parse(&Source::new(
            "c",
            "c",
            "[search]\nvectors = false\nvector_cache = \"kept/here\"\n",
        ));
        assert_eq!(
            (config.search.vectors, config.search.vector_cache.as_str(), found),
            (Some(false), "kept/here", vec![])
        );
        insta::assert_snapshot!(problems("[search]\nvectors = \"yes\"\nvector_cache = \"../elsewhere\"\n"), @"
        siftwren.toml:2:11: `vectors` takes true or false, not text
        siftwren.toml:3:16: `vector_cache` takes the path of a folder beside this file or below it, such as `search-vectors`
        ");
    }

    #[test]
    fn broken_toml_is_reported_where_it_breaks() {
        insta::assert_snapshot!(problems("[site]\ntitle = \n"), @"siftwren.toml:2:9: the configuration is not valid TOML: string values must be quoted, expected literal string");
    }
}
