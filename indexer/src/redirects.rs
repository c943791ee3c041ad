//! Old addresses: where something was before, and where whoever comes there is led.
//!
//! A page says those that it had itself; a configuration says those of anything. What leads nowhere else is asked for among them, so links
//! of the pages lead to the new address at once, and who comes from elsewhere finds a small document at the old one.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::config::{Config, Generator, Site};
use crate::diagnostic::{Diagnostic, Severity, excerpt};
use crate::fields::Text;
use crate::html::{address_of, escaped};
use crate::links::{self, Refusal, Surroundings, Target};
use crate::machines::RootFile;
use crate::mark::MarkedText;
use crate::routes::{self, Routes, path_below_prefix};
use crate::source::{Files, Source, joined_path};
use crate::static_files;

/// The file in which hosts such as Netlify and Cloudflare read of redirects.
pub(crate) const LIST: &str = "_redirects";
/// Redirects that lead to each other end here at the latest: one with a pattern can lead to longer and longer addresses.
const MOST_STEPS: usize = 32;

/// An old address in the configuration of another generator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    from: String,
    to: String,
    /// What is told where something is wrong with it, but for the words.
    remark: Diagnostic,
}

impl Moved {
    /// An address from the root of the site, and where it leads: an address as well, or the path of a file from the content folder.
    pub(crate) fn new(from: &str, to: &str, (source, at): (&Source, usize)) -> Self {
        Self {
            from: format!("/{}", from.trim().trim_start_matches('/')),
            to: to.trim().to_owned(),
            remark: Diagnostic::warning(source, at, ""),
        }
    }
}

/// Where all old addresses lead.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Redirects {
    /// By what [`key`] makes of them.
    plain: BTreeMap<String, Redirect>,
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug, PartialEq)]
struct Redirect {
    /// As it is written.
    from: String,
    target: Target,
}

/// An old address as it was said.
struct Said<'a> {
    from: String,
    to: To<'a>,
    /// Where a problem with it stands, and whether it is an error.
    remark: Diagnostic,
}

#[derive(Clone, Copy)]
enum To<'a> {
    /// The page that says so.
    Page(usize),
    Written(&'a str),
}

impl Said<'_> {
    fn problem(&self, message: String) -> Diagnostic {
        Diagnostic {
            message,
            ..self.remark.clone()
        }
    }
}

/// Finds out where all old addresses lead. Of a folder that was written for another generator a wrong one is left out, with a warning.
pub(crate) fn redirects(
    sources: &[Source],
    routes: &Routes,
    files: &Files,
    config: &Config,
    config_source: &Source,
) -> (Redirects, Vec<Diagnostic>) {
    let (said, mut problems) = all_said(sources, routes, files, config, config_source);
    let surroundings = Surroundings {
        routes,
        files,
        content: &config.content,
    };
    let mut redirects = Redirects::default();
    let mut by_key: HashMap<String, usize> = HashMap::new();
    for (number, said_now) in said.iter().enumerate() {
        let from = &said_now.from;
        if is_pattern(from) {
            match Pattern::new(said_now, routes) {
                Ok(mut pattern) => {
                    let taken = routes.paths.iter().find(|path| pattern.fits(path));
                    let why = match (pattern.from.first(), taken) {
                        (Some(Part::Written(_)), None) => None,
                        (Some(Part::Written(_)), Some(path)) => {
                            Some(format!("is the address of pages as well, such as {path}"))
                        }
                        (Some(Part::Any(_) | Part::Rest) | None, _) => {
                            Some("can be the address of anything here".to_owned())
                        }
                    };
                    if let Some(why) = why {
                        let message = format!(
                            "`{from}` {why}, which hosts would lead away from; they are not told of it"
                        );
                        problems.push(said_now.problem(message));
                        pattern.is_left_out = true;
                    }
                    redirects.patterns.push(pattern);
                }
                Err(message) => problems.push(said_now.problem(message)),
            }
            continue;
        }
        let key = key(from);
        if let Some(message) = taken(&key, said_now, sources, routes, files) {
            // A page of another generator that says its own address has nothing wrong with it.
            let is_own = matches!(said_now.to, To::Page(page) if routes.page_at(&key) == Some(page));
            if !is_own || said_now.remark.is_error() {
                problems.push(said_now.problem(message));
            }
            continue;
        }
        match by_key.get(&key) {
            Some(other) if said_now.remark.is_error() || !is_same(said[*other].to, said_now.to) => {
                let message = format!(
                    "`{from}` is an old address already, in {}:{}; one of the two is enough",
                    said[*other].remark.file, said[*other].remark.line
                );
                problems.push(said_now.problem(message));
            }
            Some(_) => {}
            None => {
                by_key.insert(key, number);
            }
        }
    }
    let way = Way {
        said: &said,
        by_key: &by_key,
        patterns: &redirects.patterns,
        surroundings,
    };
    let mut plain = BTreeMap::new();
    for (key, number) in &by_key {
        let from = &said[*number].from;
        match way.end(key, said[*number].to) {
            Ok(target) => {
                let from = from.clone();
                plain.insert(key.clone(), Redirect { from, target });
            }
            Err(Stuck::Nowhere(message)) => problems.push(said[*number].problem(message)),
            Err(Stuck::Circle(steps)) => {
                // One of them is enough to name all.
                let first = steps.iter().filter_map(|step| by_key.get(step)).min();
                if first == Some(number) || !steps.contains(key) {
                    let circle = steps.join("`, then `");
                    let message = format!("`{from}` leads round in a circle: `{circle}`; say where it ends");
                    problems.push(said[*number].problem(message));
                }
            }
        }
    }
    redirects.plain = plain;
    (redirects, problems)
}

/// What all pages and configurations say.
fn all_said<'a>(
    sources: &[Source],
    routes: &Routes,
    files: &'a Files,
    config: &'a Config,
    config_source: &Source,
) -> (Vec<Said<'a>>, Vec<Diagnostic>) {
    let mut said = Vec::new();
    let mut problems = Vec::new();
    for (from, to) in &config.redirects {
        said.push(Said {
            from: from.text.clone(),
            to: To::Written(&to.text),
            remark: Diagnostic::error(config_source, from.at, ""),
        });
    }
    for Moved { from, to, remark } in &config.content.origin.redirects {
        said.push(Said {
            from: from.clone(),
            to: To::Written(to),
            remark: remark.clone(),
        });
    }
    for (page, from) in &routes.old {
        let source = &sources[*page];
        let remark = match config.content.schema.is_strict() {
            true => Diagnostic::error(source, from.at, ""),
            false => Diagnostic::warning(source, from.at, ""),
        };
        let address = from.text.trim();
        let address = match address.starts_with('/') {
            true => Some(address.to_owned()),
            false => joined_path(&folder_of(*page, source, routes, config), address)
                .map(|joined| format!("/{joined}{}", if address.ends_with('/') { "/" } else { "" })),
        };
        match address.filter(|_| !from.text.trim().is_empty() && !from.text.contains("://")) {
            Some(from) => said.push(Said {
                from,
                to: To::Page(*page),
                remark,
            }),
            None => problems.push(Diagnostic {
                message: format!(
                    "`{}` is no address; write one such as `/guides/start`, or a name in the folder of the page",
                    excerpt(&from.text)
                ),
                ..remark
            }),
        }
    }
    if !files.moved.is_empty() {
        let (moved, wrong) = said_by_moved(&files.moved, config, config_source);
        said.extend(moved);
        problems.extend(wrong);
    }
    said.retain(|said| match wrong_address(&said.from) {
        Some(message) => {
            problems.push(said.problem(message));
            false
        }
        None => true,
    });
    (said, problems)
}

/// The addresses of pages that only lead elsewhere, and those that these had before.
fn said_by_moved<'a>(
    moved: &'a [(Source, Text)],
    config: &Config,
    config_source: &Source,
) -> (Vec<Said<'a>>, Vec<Diagnostic>) {
    let sources: Vec<Source> = moved.iter().map(|(source, _)| source.clone()).collect();
    let (routes, problems) = routes::routes(&sources, config, config_source);
    let own = routes.paths.iter().enumerate();
    let own = own.map(|(page, path)| (page, path.clone(), moved[page].1.at));
    let before = routes.old.iter().map(|(page, from)| {
        let path = from.text.trim().trim_start_matches('/');
        (*page, format!("/{path}"), from.at)
    });
    let said = own.chain(before).map(|(page, from, at)| Said {
        from,
        to: To::Written(moved[page].1.text.trim()),
        remark: Diagnostic::warning(&moved[page].0, at, ""),
    });
    // What is about the configuration is said of the pages that are shown.
    let problems = problems
        .into_iter()
        .filter(|problem| problem.file != config_source.display);
    let problems = problems.map(|problem| Diagnostic {
        severity: Severity::Warning,
        ..problem
    });
    (said.collect(), problems.collect())
}

/// The folder in which the old addresses of a page without a slash before them are.
fn folder_of(page: usize, source: &Source, routes: &Routes, config: &Config) -> String {
    let parent = |path: &str| path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
    match config.content.origin.generator {
        // That of its address.
        Some(Generator::Hugo) => parent(&routes.paths[page]),
        Some(Generator::Jekyll) => String::new(),
        // Zola has no others.
        None if source.text.starts_with("+++") => String::new(),
        _ => {
            let folder = parent(&source.path);
            let below = path_below_prefix(
                &format!("{folder}/index.md"),
                config.content.has_number_prefixes(),
            );
            format!("{}/{below}", routes.prefix)
        }
    }
}

/// Why nothing can be at an address.
fn wrong_address(from: &str) -> Option<String> {
    let shown = excerpt(from);
    if from.contains("://") || !from.starts_with('/') || from.starts_with("//") {
        return Some(format!(
            "`{shown}` is no address of this site; write a path such as `/guides/start`"
        ));
    }
    if from.contains(['#', '?']) {
        return Some(format!(
            "`{shown}` is a part of a page, which no server is told of; name the address before `#` and `?` alone"
        ));
    }
    let is_wrong =
        |name: &str| matches!(name, "." | "..") || name.contains(|c: char| c == '\\' || c.is_control());
    // As the names of files are made of it.
    decoded(from).split('/').any(is_wrong).then(|| {
        format!("`{shown}` is no address; write it without `.`, `..`, `\\` and signs that nobody sees")
    })
}

/// Why there can be no redirect at an address: something else is there.
fn taken(key: &str, said: &Said<'_>, sources: &[Source], routes: &Routes, files: &Files) -> Option<String> {
    let from = &said.from;
    if let Some(page) = routes.page_at(key) {
        return Some(match said.to {
            To::Page(own) if own == page => {
                format!("`{from}` is the address of this page now; take it out")
            }
            _ => match sources.get(page) {
                Some(source) => format!(
                    "`{from}` is the address of `{}`, which is shown there; take one of the two away",
                    source.file()
                ),
                None => format!("`{from}` is the address of a page; take it out"),
            },
        });
    }
    let file = file_of(from);
    let markdown = key.strip_suffix(".md").unwrap_or(key);
    let is_taken = routes.has(key)
        || routes.has(markdown)
        || matches!(key, "/")
        || ancestors(&file).any(|path| static_files::is_own(path) || files.static_files.contains(path));
    is_taken.then(|| format!("the site has something else at `{from}`; take this old address out"))
}

/// A path and the folders that it is in.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| Some(path.rsplit_once('/')?.0))
}

fn is_same(one: To<'_>, other: To<'_>) -> bool {
    match (one, other) {
        (To::Page(one), To::Page(other)) => one == other,
        (To::Written(one), To::Written(other)) => one == other,
        _ => false,
    }
}

/// The file at an address, from the root of the site.
fn file_of(address: &str) -> String {
    let path = decoded(address);
    let path = path.trim_matches('/');
    match path.ends_with(".html") {
        true => path.to_owned(),
        false => format!("{path}/index.html"),
    }
}

fn decoded(address: &str) -> String {
    links::percent_decoded(address)
}

/// What all ways to write an address have in common.
fn key(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = decoded(path);
    let path = path.trim_end_matches('/');
    let path = path.strip_suffix(".html").unwrap_or(path);
    let path = path
        .strip_suffix("/index")
        .filter(|_| address.contains(".html"))
        .unwrap_or(path);
    match path {
        "" => "/".to_owned(),
        path => path.to_owned(),
    }
}

/// Why an old address leads nowhere.
enum Stuck {
    Nowhere(String),
    /// The addresses, up to the one that comes again.
    Circle(Vec<String>),
}

/// The ways from old addresses to what is there.
struct Way<'a> {
    said: &'a [Said<'a>],
    by_key: &'a HashMap<String, usize>,
    patterns: &'a [Pattern],
    surroundings: Surroundings<'a>,
}

impl Way<'_> {
    /// The end of the way from an old address.
    fn end(&self, key_of_first: &str, to: To<'_>) -> Result<Target, Stuck> {
        let routes = self.surroundings.routes;
        let at_page = |page: usize, anchor: Option<String>| Target::Page {
            page,
            path: routes.paths[page].clone(),
            suffix: String::new(),
            anchor,
        };
        let mut to = match to {
            To::Page(page) => return Ok(at_page(page, None)),
            To::Written(to) => to.to_owned(),
        };
        // Where paths of files start.
        let root = Source::new("", "", "");
        let mut steps = vec![key_of_first.to_owned()];
        loop {
            if to.is_empty() || to.starts_with(['#', '?']) {
                return Err(Stuck::Nowhere(
                    "this leads nowhere; write an address such as `/guides/start`".to_owned(),
                ));
            }
            let message = match links::resolve(&to, &root, 0, false, self.surroundings) {
                Ok(target) => return Ok(target),
                Err(Refusal::Missing(_)) => format!(
                    "`{}` leads to `{}`, and nothing is there; write the address of a page",
                    self.said[self.by_key[key_of_first]].from,
                    excerpt(&to)
                ),
                Err(refusal) => refusal.message(),
            };
            let (path, anchor) = match to.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor)),
                None => (to.as_str(), None),
            };
            let next = key(&format!("/{}", path.trim_start_matches('/')));
            let is_circle = steps.contains(&next) || steps.len() > MOST_STEPS;
            steps.push(next.clone());
            if is_circle {
                return Err(Stuck::Circle(steps));
            }
            let found = self.by_key.get(&next).map(|number| self.said[*number].to);
            to = match found {
                Some(To::Page(page)) => return Ok(at_page(page, anchor.map(str::to_owned))),
                Some(To::Written(to)) => with_anchor(to, anchor),
                None => match self.patterns.iter().find_map(|pattern| pattern.leads(&next)) {
                    Some(to) => with_anchor(&to, anchor),
                    None => return Err(Stuck::Nowhere(message)),
                },
            };
        }
    }
}

/// An address with the part of a page that was asked for, unless it says one itself.
fn with_anchor(to: &str, anchor: Option<&str>) -> String {
    match anchor.filter(|_| !to.contains('#')) {
        Some(anchor) => format!("{to}#{anchor}"),
        None => to.to_owned(),
    }
}

impl Redirects {
    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.patterns.is_empty()
    }

    /// Where an address leads that was one before.
    pub(crate) fn at(&self, address: &str, routes: &Routes) -> Option<Target> {
        let mut address = key(address);
        for _ in 0..MOST_STEPS {
            if let Some(redirect) = self.plain.get(&address) {
                return Some(redirect.target.clone());
            }
            let to = self.patterns.iter().find_map(|pattern| pattern.leads(&address))?;
            if to.contains("://") {
                return Some(Target::External(to));
            }
            let (path, anchor) = match to.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor.to_owned())),
                None => (to.as_str(), None),
            };
            address = key(path);
            if let Some(page) = routes.page_at(&address) {
                return Some(Target::Page {
                    page,
                    path: routes.paths[page].clone(),
                    suffix: String::new(),
                    anchor,
                });
            }
        }
        None
    }

    /// The documents at the old addresses, and the list of all for hosts that read one. `named` is what a page is called, and its
    /// language.
    pub(crate) fn files<'a>(
        &self,
        site: &Site,
        named: impl Fn(usize) -> (&'a str, &'a str),
    ) -> Vec<RootFile> {
        if self.is_empty() {
            return Vec::new();
        }
        let base = site.base.trim_end_matches('/');
        let mut files = Vec::new();
        let mut names = BTreeSet::new();
        let mut list = String::new();
        for Redirect { from, target } in self.plain.values() {
            let to = address_of(target, &site.base);
            list.push_str(&format!("{} {to} 301\n", encoded(&format!("{base}{from}"))));
            let file = file_of(from);
            // Of `/a.html` and `/a.html/b` one alone can be a file.
            if ancestors(&file).any(|path| names.contains(path)) {
                continue;
            }
            names.insert(file.clone());
            let (name, language) = match target {
                Target::Page { page, .. } => named(*page),
                _ => (to.as_str(), site.language.as_str()),
            };
            let text = document(name, language, &to, target, site);
            files.push(RootFile {
                path: file,
                parts: vec![MarkedText::new(text)],
            });
        }
        for pattern in self.patterns.iter().filter(|pattern| !pattern.is_left_out) {
            list.push_str(&format!("{} 301\n", pattern.line(base)));
        }
        files.push(RootFile {
            path: LIST.to_owned(),
            parts: vec![MarkedText::new(list)],
        });
        files
    }
}

/// What is at an old address: it leads on without a script, and search engines take the other one.
fn document(name: &str, language: &str, to: &str, target: &Target, site: &Site) -> String {
    let to = escaped(to);
    let whole = match target {
        Target::External(_) => to.clone(),
        _ => format!("{}{to}", site.url.as_deref().unwrap_or_default()),
    };
    let canonical = whole.split('#').next().unwrap_or_default();
    let (name, language) = (escaped(name), escaped(language));
    format!(
        "<!doctype html><html lang=\"{language}\"><meta charset=\"utf-8\"><title>{name}</title><meta name=\"robots\" content=\"noindex\"><meta name=\"color-scheme\" content=\"light dark\"><link rel=\"canonical\" href=\"{canonical}\"><meta http-equiv=\"refresh\" content=\"0; url={to}\"><p><a href=\"{to}\">{name}</a>\n"
    )
}

fn encoded(path: &str) -> String {
    address_of(&Target::Other(path.to_owned()), "/")
}

/// Old addresses that begin alike.
#[derive(Clone, Debug, PartialEq)]
struct Pattern {
    from: Vec<Part>,
    /// What stands for all that is behind.
    rest: Option<String>,
    to: Vec<Part>,
    /// No host is told of it.
    is_left_out: bool,
}

/// A part of an address between two slashes.
#[derive(Clone, Debug, PartialEq)]
enum Part {
    Written(String),
    /// One that may be anything, by its name.
    Any(String),
    /// All that are behind.
    Rest,
}

/// Whether an address stands for several.
fn is_pattern(from: &str) -> bool {
    from.contains(['*', '(']) || from.split('/').any(|part| part.starts_with([':', '[']))
}

impl Pattern {
    fn new(said: &Said<'_>, routes: &Routes) -> Result<Self, String> {
        let mut from = Vec::new();
        let mut rest = None;
        let parts = said.from.trim_matches('/').split('/');
        for part in parts {
            let read = match rest {
                None => read_part(part),
                Some(_) => None,
            };
            match read {
                Some((Part::Rest, name)) => rest = Some(name),
                Some((part, _)) => from.push(part),
                None => {
                    return Err(format!(
                        "`{}` is left out: neither a file nor a host can stand for it; `*` takes the place of all that is behind it, `:name` that of one part",
                        said.from
                    ));
                }
            }
        }
        let written = match said.to {
            To::Page(page) => routes.paths[page].as_str(),
            To::Written(to) => to,
        };
        // A variable where a scheme would be (`:splat`) is none.
        let visible: String = written.chars().filter(|c| !c.is_control()).collect();
        let is_scheme = visible.trim().starts_with(|c: char| c.is_ascii_alphabetic());
        if let Some(message) = links::wrong_scheme(visible.trim(), false).filter(|_| is_scheme) {
            return Err(message);
        }
        let to = written.split('/').map(|part| match read_part(part) {
            Some((Part::Rest, _)) => Part::Rest,
            Some((Part::Any(name), _)) if name == "splat" || rest.as_ref() == Some(&name) => Part::Rest,
            Some((part, _)) => part,
            None => Part::Written(part.to_owned()),
        });
        let to: Vec<Part> = to.collect();
        Ok(Self {
            from,
            rest,
            to,
            is_left_out: false,
        })
    }

    /// Where an address leads that it stands for.
    fn leads(&self, address: &str) -> Option<String> {
        let parts: Vec<&str> = address.trim_matches('/').split('/').collect();
        let (own, behind) = parts.split_at_checked(self.from.len())?;
        if self.rest.is_none() && !behind.is_empty() {
            return None;
        }
        let mut names: Vec<(&str, &str)> = Vec::new();
        for (part, found) in self.from.iter().zip(own) {
            match part {
                Part::Written(written) if written != found => return None,
                Part::Any(name) => names.push((name, found)),
                Part::Written(_) | Part::Rest => {}
            }
        }
        let to = self.to.iter().map(|part| match part {
            Part::Written(written) => written.clone(),
            Part::Any(name) => {
                let found = names.iter().find(|(known, _)| known == name);
                found.map_or_else(|| format!(":{name}"), |(_, found)| (*found).to_owned())
            }
            Part::Rest => behind.join("/"),
        });
        let to: Vec<String> = to.collect();
        Some(to.join("/"))
    }

    fn fits(&self, address: &str) -> bool {
        self.leads(address).is_some()
    }

    /// Its line in the list for hosts, without the status.
    fn line(&self, base: &str) -> String {
        let written = |part: &Part| match part {
            Part::Written(written) => encoded(written).trim_start_matches('/').to_owned(),
            Part::Any(name) => format!(":{name}"),
            Part::Rest => ":splat".to_owned(),
        };
        let from: Vec<String> = self.from.iter().map(written).collect();
        let rest = if self.rest.is_some() { "/*" } else { "" };
        let to: Vec<String> = self.to.iter().map(written).collect();
        let to = to.join("/");
        let base_of_target = if to.starts_with('/') { base } else { "" };
        format!("{base}/{}{rest} {base_of_target}{to}", from.join("/"))
    }
}

/// A part of a pattern with its name, as Mintlify (`:name*`), Astro (`[...name]`) and hosts (`*`) write it.
fn read_part(part: &str) -> Option<(Part, String)> {
    let is_name = |name: &str| {
        !name.is_empty()
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-'))
    };
    if part == "*" {
        return Some((Part::Rest, "splat".to_owned()));
    }
    if let Some(name) = part.strip_prefix(':') {
        return match name.strip_suffix('*') {
            Some(name) if is_name(name) => Some((Part::Rest, name.to_owned())),
            None if is_name(name) => Some((Part::Any(name.to_owned()), name.to_owned())),
            _ => None,
        };
    }
    if let Some(name) = part.strip_prefix('[').and_then(|part| part.strip_suffix(']')) {
        return match name.strip_prefix("...") {
            Some(name) if is_name(name) => Some((Part::Rest, name.to_owned())),
            None if is_name(name) => Some((Part::Any(name.to_owned()), name.to_owned())),
            _ => None,
        };
    }
    let is_plain = !part.contains(['*', '(', ')', '[', ']']);
    is_plain.then(|| (Part::Written(part.to_owned()), String::new()))
}
