//! From files to addresses: `metrics/ndcg.md` is shown at `/docs/metrics/ndcg`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::api::Api;
use crate::config::{Config, Generator};
use crate::diagnostic::Diagnostic;
use crate::fields::Text;
use crate::front_matter::Publication;
use crate::languages;
use crate::machines;
use crate::markdown::myst::labels::Labels;
use crate::markdown::slug::HeadingIds;
use crate::notebook;
use crate::redirects::Redirects;
use crate::source::{Source, ends_path, joined_path};

/// Where every page of a folder is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Routes {
    /// The path of each page, in the order of the sources.
    pub(crate) paths: Vec<String>,
    /// The folder (the part of the path below the prefix) that each page belongs to; empty: the root.
    pub(crate) folders: Vec<String>,
    /// The page that is shown at the prefix itself, if that is not its own path.
    pub(crate) landing: Option<usize>,
    /// Where the file of each page stands: its path below the prefix, wherever it is shown.
    pub(crate) places: Vec<String>,
    /// The number before the name of each file, where those give the order.
    pub(crate) numbers: Vec<Option<f64>>,
    /// The same of folders, by their path below the prefix.
    pub(crate) folder_numbers: BTreeMap<String, f64>,
    /// What the list of all pages calls them, where there is one.
    pub(crate) names: HashMap<usize, String>,
    /// What every path starts with.
    pub(crate) prefix: String,
    /// What pages of MyST call themselves and their parts.
    pub(crate) labels: Labels,
    /// The paths of pages that are not made from Markdown and that have no anchors to check: components, the A to Z.
    pub(crate) other: BTreeSet<String>,
    /// What pages say of where they were before, as they write it.
    pub(crate) old: Vec<(usize, Text)>,
    /// Where these addresses lead, and those that a configuration has.
    pub(crate) redirects: Redirects,
    components: Vec<String>,
    by_path: HashMap<String, usize>,
    by_source: HashMap<String, usize>,
    /// The files without their endings and their pages, by the last of their names as [`wiki_name`] has it.
    by_name: HashMap<String, Vec<(String, usize)>>,
}

impl Routes {
    /// The page at a path such as `/docs/metrics/ndcg`.
    pub(crate) fn page_at(&self, path: &str) -> Option<usize> {
        self.by_path.get(path).copied()
    }

    /// The page of a source such as `metrics/ndcg.md`.
    pub(crate) fn page_of(&self, source: &str) -> Option<usize> {
        self.by_source.get(source).copied()
    }

    /// Adds a page that is made from something else than Markdown. The error is the page that has the path already.
    pub(crate) fn add(&mut self, path: String, folder: String) -> Result<(), usize> {
        let page = self.paths.len();
        self.paths.push(path.clone());
        self.folders.push(folder);
        match *self.by_path.entry(path).or_insert(page) {
            found if found == page => Ok(()),
            other => Err(other),
        }
    }

    /// The page of a file, named by its path without the ending.
    pub(crate) fn page_named(&self, id: &str) -> Option<usize> {
        ["md", "mdx", "markdown", notebook::ENDING]
            .iter()
            .find_map(|extension| self.page_of(&format!("{id}.{extension}")))
    }

    /// The page that a name means in notes and wikis: a file by its name or the end of its path, wherever it is. Of several it is the one
    /// with the same capitals and signs, then that in the folder of `source`, then the one nearest to the root.
    pub(crate) fn page_called(&self, name: &str, source: &str) -> Option<usize> {
        let beside = source.rsplit_once('/').map_or("", |(folder, _)| folder);
        if name.starts_with("../") || name.starts_with("./") {
            let stem = joined_path(beside, name)?;
            return self.page_of(&stem).or_else(|| self.page_named(&stem));
        }
        let name = name.trim_matches('/');
        let is_markdown = |(_, ending): &(&str, &str)| matches!(*ending, "md" | "mdx" | "markdown");
        let name = name
            .rsplit_once('.')
            .filter(is_markdown)
            .map_or(name, |(stem, _)| stem);
        let wanted = wiki_name(name);
        let last = wanted.rsplit('/').next().unwrap_or(&wanted);
        let candidates = self.by_name.get(last)?.iter();
        let rank = |stem: &str| {
            let folder = stem.rsplit_once('/').map_or("", |(folder, _)| folder);
            (
                !ends_path(stem, name),
                folder != beside,
                stem.matches('/').count(),
            )
        };
        candidates
            .filter(|(stem, _)| ends_path(&wiki_name(stem), &wanted))
            .min_by_key(|(stem, _)| rank(stem))
            .map(|(_, page)| *page)
    }

    /// The paths of pages that are components.
    pub(crate) fn component_paths(&self) -> impl Iterator<Item = &str> {
        self.components.iter().map(String::as_str)
    }

    /// Notes the numbers before the name of the next source, and of the folders that it is in.
    fn add_numbers(&mut self, source_path: &str) {
        let (folders, file) = source_path.rsplit_once('/').unwrap_or(("", source_path));
        let mut place = String::new();
        for folder in folders.split('/').filter(|folder| !folder.is_empty()) {
            if !place.is_empty() {
                place.push('/');
            }
            place.push_str(&shown(folder, true));
            if let Some(number) = numbered(folder).0 {
                self.folder_numbers.insert(place.clone(), number);
            }
        }
        let (number, own) = numbered(file.rsplit_once('.').map_or(file, |(stem, _)| stem));
        self.numbers.push(number.filter(|_| !is_own_page(own)));
    }

    /// Takes a path for a page that is not made from Markdown, unless it is taken.
    pub(crate) fn add_component(&mut self, path: &str) -> bool {
        let is_free = !self.has(path) && self.other.insert(path.to_owned());
        if is_free {
            self.components.push(path.to_owned());
        }
        is_free
    }

    /// True if something is shown at a path.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.by_path.contains_key(path) || self.other.contains(path)
    }

    /// Paths that end with the same name as a link that leads nowhere.
    pub(crate) fn similar(&self, target: &str) -> Option<&str> {
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let wanted = name(target.trim_end_matches('/'));
        let wanted = wanted.trim_end_matches(".md").trim_end_matches(".html");
        self.paths
            .iter()
            .find(|path| name(path) == wanted)
            .map(String::as_str)
    }
}

/// A name as wikis compare it.
fn wiki_name(name: &str) -> String {
    name.to_lowercase().replace([' ', '_'], "-")
}

/// Gives every source its path.
pub(crate) fn routes(
    sources: &[Source],
    config: &Config,
    config_source: &Source,
) -> (Routes, Vec<Diagnostic>) {
    let prefix = &config.content.route_prefix;
    let mut routes = Routes {
        prefix: prefix.clone(),
        ..Routes::default()
    };
    let files = machines::file_names(&config.site, &languages::locales(config)).into_iter();
    let documents = config.api.iter().map(Api::published);
    routes
        .other
        .extend(files.chain(documents).map(|file| format!("/{file}")));
    let mut problems = Vec::new();
    let has_numbers = config.content.has_number_prefixes();
    let folders: BTreeSet<String> = sources
        .iter()
        .filter_map(|source| {
            let (language, below) = in_language(&source.path, config);
            Some(in_folder(language, &shown(below.split_once('/')?.0, has_numbers)))
        })
        .collect();
    let indexes: BTreeSet<&str> = sources
        .iter()
        .filter_map(|source| index_folder(&source.path))
        .collect();
    for (page, source) in sources.iter().enumerate() {
        let place = match readme_folder(&source.path) {
            // What those read who come to the files: the page of the folder is another one.
            Some(folder) if indexes.contains(folder) => {
                path_below_prefix(&format!("{folder}/readme/index.md"), has_numbers)
                    .trim_start_matches('/')
                    .to_owned()
            }
            _ if config.content.is_of(Generator::NextApp) => below_in_app(&source.path),
            _ => path_below_prefix(&source.path, has_numbers),
        };
        let publication = Publication::read(source, config.content.schema);
        let aliases = match config.content.is_of(Generator::Hugo) {
            true => publication.aliases,
            false => Vec::new(),
        };
        let old = publication.old_addresses.into_iter().chain(aliases);
        routes.old.extend(old.map(|address| (page, address)));
        let below = match publication.address {
            None if config.content.is_of(Generator::Docusaurus) => {
                below_in_docusaurus(&source.path, &place, publication.id.as_deref())
            }
            None if config.content.is_of(Generator::Fumadocs) => below_in_fumadocs(&source.path),
            // Whatever the names of the files are.
            None if config.content.is_of(Generator::Hugo) => place.to_lowercase(),
            None if config.content.is_of(Generator::Starlight) => below_in_starlight(&source.path),
            None if config.content.is_of(Generator::Jekyll) => place.trim_start_matches('_').to_owned(),
            None => place.clone(),
            Some(address) => below_prefix(&address.text, source, config).unwrap_or_else(|message| {
                problems.push(Diagnostic::error(source, address.at, message));
                place.clone()
            }),
        };
        let path = languages::address(&below, config);
        let (language, below) = in_language(&place, config);
        let folder = match below.split_once('/') {
            Some((folder, _)) => in_folder(language, folder),
            None if folders.contains(&place) => place.clone(),
            None => language.to_owned(),
        };
        if let Some(other) = routes.by_path.get(&path) {
            let message = format!(
                "`{}` is shown at {path} too; rename one of the two files",
                sources[*other].file()
            );
            problems.push(Diagnostic::error(source, 0, message));
        }
        routes.by_path.entry(path.clone()).or_insert(page);
        routes.by_source.insert(source.path.clone(), page);
        if source.file() != source.path {
            routes.by_source.entry(source.file().to_owned()).or_insert(page);
        }
        if !config.content.schema.is_strict() {
            let stem = source
                .path
                .rsplit_once('.')
                .map_or(&*source.path, |(stem, _)| stem);
            let own = wiki_name(stem.rsplit('/').next().unwrap_or(stem));
            routes
                .by_name
                .entry(own)
                .or_default()
                .push((stem.to_owned(), page));
        }
        routes.paths.push(path);
        routes.folders.push(folder);
        routes.places.push(place);
        if has_numbers {
            routes.add_numbers(&source.path);
        }
    }
    routes.numbers.resize(sources.len(), None);
    if let Some(landing) = &config.content.landing {
        let found = routes.page_named(&landing.text);
        let root = if prefix.is_empty() { "/" } else { prefix };
        match (found, routes.by_path.get(root)) {
            (None, _) => {
                let message = format!(
                    "`landing` names no page: the content has no `{}.md`",
                    landing.text
                );
                problems.push(Diagnostic::error(config_source, landing.at, message));
            }
            (Some(page), Some(other)) if page != *other => {
                let message = format!(
                    "`{}` is already shown at {root}; remove `landing` or that file",
                    sources[*other].path
                );
                problems.push(Diagnostic::error(config_source, landing.at, message));
            }
            (Some(page), _) => {
                routes.landing = Some(page);
                routes.by_path.insert(root.to_owned(), page);
            }
        }
    }
    (routes, problems)
}

/// The folder of the language that a path is in, empty where it has none, and the path in it.
fn in_language<'p>(path: &'p str, config: &'p Config) -> (&'p str, &'p str) {
    languages::folder_of(path, config).map_or(("", path), |folder| {
        (folder, path[folder.len()..].trim_start_matches('/'))
    })
}

/// A path in the folder of a language.
fn in_folder(language: &str, path: &str) -> String {
    match language {
        "" => path.to_owned(),
        _ => format!("{language}/{path}"),
    }
}

/// Where Docusaurus shows a page: under the name that it gives itself (`id`), or that of its folder, where that is its own.
fn below_in_docusaurus(source_path: &str, place: &str, id: Option<&str>) -> String {
    let stem = source_path.rsplit_once('.').map_or(source_path, |(stem, _)| stem);
    let name = without_number(stem.rsplit('/').next().unwrap_or(stem));
    if is_own_page(name) {
        return place.to_owned();
    }
    let (folders, own) = place.rsplit_once('/').unwrap_or(("", place));
    let folder = folders.rsplit('/').next().unwrap_or(folders);
    if !folder.is_empty() && folder.eq_ignore_ascii_case(own) {
        return folders.to_owned();
    }
    match id.filter(|id| !matches!(*id, "." | "..")) {
        Some(id) if folders.is_empty() => segment(id),
        Some(id) => format!("{folders}/{}", segment(id)),
        None => place.to_owned(),
    }
}

/// Folders in brackets are no part of an address.
fn below_in_fumadocs(source_path: &str) -> String {
    let names = source_path.split('/');
    let shown: Vec<&str> = names
        .filter(|name| !(name.starts_with('(') && name.ends_with(')')))
        .collect();
    path_below_prefix(&shown.join("/"), false)
}

/// Whether a file is a page in the folder `app` of Next.js: `page.mdx`, in no folder that is private there.
pub(crate) fn is_page_of_app(source_path: &str) -> bool {
    let name = source_path.rsplit('/').next().unwrap_or(source_path);
    matches!(name, "page.md" | "page.mdx") && !source_path.split('/').any(|name| name.starts_with('_'))
}

/// The folder of such a page. Those in brackets are no part of an address there either.
fn below_in_app(source_path: &str) -> String {
    let folder = source_path.rsplit_once('/').map_or("", |(folder, _)| folder);
    below_in_fumadocs(&format!("{folder}/index.md"))
        .trim_start_matches('/')
        .to_owned()
}

/// Astro makes addresses from names as GitHub makes ids from headings: without capitals and dots.
fn below_in_starlight(source_path: &str) -> String {
    let stem = source_path.rsplit_once('.').map_or(source_path, |(stem, _)| stem);
    let names: Vec<String> = stem.split('/').map(|name| HeadingIds::Github.id(name)).collect();
    path_below_prefix(&format!("{}.md", names.join("/")), false)
}

/// What addresses begin with, from a path that somebody has written: empty, or with a slash before each of its names.
pub(crate) fn prefix(path: &str) -> String {
    let names = path.split('/').filter(|name| !matches!(*name, "" | "." | ".."));
    names.map(|name| format!("/{}", segment(name))).collect()
}

/// The same for a folder in `app` of Next.js.
pub(crate) fn prefix_in_app(path: &str) -> String {
    prefix(&below_in_app(&format!("{path}/page.mdx")))
}

/// The address that a page asks for: from the root of the pages where it has a slash, else a name in its own folder.
fn below_prefix(address: &str, source: &Source, config: &Config) -> Result<String, String> {
    let prefix = config.content.route_prefix.as_str();
    let below = address
        .strip_prefix(prefix)
        .filter(|rest| !prefix.is_empty() && (rest.is_empty() || rest.starts_with('/')))
        .unwrap_or(address);
    let below = below.trim_end_matches("/index.html").trim_end_matches(".html");
    let parts = || below.split('/').filter(|part| !part.is_empty());
    let is_path = !below.is_empty() || address != below;
    if !is_path || below.contains(['?', '#', '\\']) || parts().any(|part| matches!(part, "." | "..")) {
        return Err(format!(
            "`{address}` is no address of a page; write a name such as `start` or a path such as `/guides/start`"
        ));
    }
    let folder = source.path.rsplit_once('/').map(|(folder, _)| folder);
    let folder = folder.filter(|_| !address.contains('/')).unwrap_or_default();
    let inner = folder.split('/').filter(|part| !part.is_empty());
    let inner = inner.map(|name| shown(name, config.content.has_number_prefixes()));
    let language = source.language_folder().filter(|_| folder.is_empty());
    let names = language
        .map(segment)
        .into_iter()
        .chain(inner)
        .chain(parts().map(segment));
    Ok(names.collect::<Vec<_>>().join("/"))
}

/// The name of a folder or a file as words: `model_creation` becomes `Model creation`.
pub(crate) fn words(name: &str) -> String {
    let spaced = name.replace(['-', '_'], " ");
    let mut characters = spaced.trim().chars();
    characters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(characters).collect()
    })
}

/// Where a file stands. With `has_numbers`, those before names are no part of it.
pub(crate) fn path_below_prefix(source_path: &str, has_numbers: bool) -> String {
    let stem = source_path.rsplit_once('.').map_or(source_path, |(stem, _)| stem);
    let mut segments: Vec<String> = stem.split('/').map(|name| shown(name, has_numbers)).collect();
    segments.pop_if(|name| is_own_page(name));
    segments.join("/")
}

/// The folder of a file that is called as the page of a folder is.
fn index_folder(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    (is_own_page(stem) && !is_readme(stem)).then_some(folder)
}

fn readme_folder(path: &str) -> Option<&str> {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    is_readme(name.rsplit_once('.').map_or(name, |(stem, _)| stem)).then_some(folder)
}

fn is_readme(name: &str) -> bool {
    name.eq_ignore_ascii_case("readme")
}

/// Whether a file of this name is the page of its folder.
fn is_own_page(name: &str) -> bool {
    ["index", "_index", "readme"]
        .iter()
        .any(|own| name.eq_ignore_ascii_case(own))
}

/// A name of a file or a folder in an address.
fn shown(name: &str, has_numbers: bool) -> String {
    segment(if has_numbers { numbered(name).1 } else { name })
}

/// A name without the number before it.
pub(crate) fn without_number(name: &str) -> &str {
    numbered(name).1
}

/// The number before a name such as `01-start`, and the name behind it. Names that start like a date or a version have none.
fn numbered(name: &str) -> (Option<f64>, &str) {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = name.split_at(digits);
    let is_separator = |c: char| matches!(c, '-' | '_' | '.');
    let own = rest.trim_start_matches(|c| is_separator(c) || c == ' ');
    let is_separated = rest[..rest.len() - own.len()].contains(is_separator);
    if !is_separated || own.is_empty() || own.starts_with(|c: char| c.is_ascii_digit()) {
        return (None, name);
    }
    (number.parse().ok(), own)
}

/// A name as it may stand in an address without being encoded.
fn segment(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '~' | '@' | '+') {
                c
            } else {
                '-'
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], toml: &str, expected: &[&str]) {
        let sources: Vec<Source> = paths.iter().map(|path| Source::new(*path, *path, "")).collect();
        let config_source = Source::new("siftwren.toml", "siftwren.toml", toml);
        let (config, problems) = Config::parse(&config_source);
        assert_eq!(problems, []);
        let (routes, problems) = routes(&sources, &config, &config_source);
        let mut found: Vec<String> = routes
            .paths
            .iter()
            .zip(&routes.folders)
            .map(|(path, folder)| format!("{path} in '{folder}'"))
            .collect();
        found.extend(problems.iter().map(ToString::to_string));
        assert_eq!(found, expected);
    }

    #[test]
    fn the_page_of_a_folder_with_two_is_its_index() {
        check(
            &[
                "README.md",
                "index.md",
                "a/Readme.md",
                "a/_index.md",
                "b/README.md",
            ],
            "",
            &[
                "/readme in ''",
                "/ in ''",
                "/a/readme in 'a'",
                "/a in 'a'",
                "/b in 'b'",
            ],
        );
    }

    #[test]
    fn files_become_paths() {
        check(
            &[
                "a b/@c/d.md",
                "docs.md",
                "docs/x.md",
                "guide/README.md",
                "index.md",
                "plain.md",
            ],
            "",
            &[
                "/a-b/@c/d in 'a-b'",
                "/docs in 'docs'",
                "/docs/x in 'docs'",
                "/guide in 'guide'",
                "/ in ''",
                "/plain in ''",
            ],
        );
        check(
            &["metrics/ndcg.md"],
            "[content]\nroute_prefix = \"/docs\"\n",
            &["/docs/metrics/ndcg in 'metrics'"],
        );
    }

    #[test]
    fn two_files_cannot_have_one_path() {
        check(
            &["a.md", "a/index.md"],
            "",
            &[
                "/a in 'a'",
                "/a in 'a'",
                "a/index.md:1:1: `a.md` is shown at /a too; rename one of the two files",
            ],
        );
    }

    #[test]
    fn a_page_is_shown_where_its_front_matter_says() {
        let shown = |path: &str, front_matter: &str, prefix: &str| {
            let source = Source::new(path, path, &format!("---\n{front_matter}\n---\n"));
            let toml = format!("[content]\nroute_prefix = \"{prefix}\"\n");
            let config_source = Source::new("siftwren.toml", "siftwren.toml", &toml);
            let (config, _) = Config::parse(&config_source);
            let (routes, problems) = routes(&[source], &config, &config_source);
            let lines = routes
                .paths
                .iter()
                .zip(&routes.folders)
                .map(|(path, folder)| format!("{path} in '{folder}'"));
            lines
                .chain(problems.iter().map(ToString::to_string))
                .collect::<Vec<_>>()
                .join("\n")
        };
        for (path, front_matter, prefix, expected) in [
            (
                "guides/a.md",
                "slug: start",
                "/docs",
                "/docs/guides/start in 'guides'",
            ),
            (
                "guides/index.md",
                "slug: 'all of them'",
                "",
                "/guides/all-of-them in 'guides'",
            ),
            ("a.md", "slug: start", "", "/start in ''"),
            ("guides/a.md", "slug: /", "/docs", "/docs in 'guides'"),
            ("guides/a.md", "slug: /", "", "/ in 'guides'"),
            (
                "guides/a.md",
                "slug: /start/here/",
                "/docs",
                "/docs/start/here in 'guides'",
            ),
            ("guides/a.md", "slug: start/here", "", "/start/here in 'guides'"),
            (
                "guides/a.md",
                "permalink: /docs/start.html",
                "/docs",
                "/docs/start in 'guides'",
            ),
            ("guides/a.md", "url: /docs", "/docs", "/docs in 'guides'"),
            (
                "guides/a.md",
                "url: /documents/",
                "/docs",
                "/docs/documents in 'guides'",
            ),
            ("guides/a.md", "curl: x\ntitle: slug", "", "/guides/a in 'guides'"),
            ("guides/a.md", "slug: [a]", "", "/guides/a in 'guides'"),
            (
                "guides/a.md",
                "slug: ''",
                "",
                "/guides/a in 'guides'\nguides/a.md:2:7: `` is no address of a page; write a name such as `start` or a path such as `/guides/start`",
            ),
            (
                "a.md",
                "title: A\nslug: ../x",
                "",
                "/a in ''\na.md:3:7: `../x` is no address of a page; write a name such as `start` or a path such as `/guides/start`",
            ),
            ("a.md", "url: https://x.example/", "", "/a in ''"),
        ] {
            assert_eq!(shown(path, front_matter, prefix), expected, "{front_matter}");
        }
    }

    #[test]
    fn numbers_before_names_are_no_part_of_addresses_where_the_configuration_says_so() {
        let paths = [
            "01-index.md",
            "02 - Guides/1_start.md",
            "02 - Guides/10.end.md",
            "02 - Guides/2-slugged.md",
            "2026-11-22-news.md",
            "3.1-changes.md",
            "7zip.md",
        ];
        check(
            &paths,
            "[content]\nnumber_prefixes = true\n",
            &[
                "/ in ''",
                "/Guides/start in 'Guides'",
                "/Guides/end in 'Guides'",
                "/Guides/slugged in 'Guides'",
                "/2026-11-22-news in ''",
                "/3.1-changes in ''",
                "/7zip in ''",
            ],
        );
        check(
            &paths[..2],
            "",
            &["/01-index in ''", "/02---Guides/1_start in '02---Guides'"],
        );
        check(
            &["1-a.md", "2-a.md"],
            "[content]\nnumber_prefixes = true\n",
            &[
                "/a in ''",
                "/a in ''",
                "2-a.md:1:1: `1-a.md` is shown at /a too; rename one of the two files",
            ],
        );
    }

    #[test]
    fn the_landing_page_must_be_there_and_the_only_one() {
        let toml = "[content]\nlanding = \"x\"\n";
        check(
            &["a.md"],
            toml,
            &[
                "/a in ''",
                "siftwren.toml:2:11: `landing` names no page: the content has no `x.md`",
            ],
        );
        let message = "siftwren.toml:2:11: `index.md` is already shown at /; remove `landing` or that file";
        check(&["index.md", "x.md"], toml, &["/ in ''", "/x in ''", message]);
    }
}
