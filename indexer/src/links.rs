//! Where links and images lead. A link is either an address outside of the site with a known scheme, or a page, an
//! anchor or a file that is there.

use std::borrow::Cow;
use std::ops::Range;

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use crate::config::{BrokenLinks, Content, Generator};
use crate::diagnostic::{Diagnostic, excerpt};
use crate::markdown::myst::labels;
use crate::markdown::slug::HeadingIds;
use crate::markdown::{Document, plain_text};
use crate::notebook;
use crate::routes::{self, Routes};
use crate::source::{self, Asset, Files, Source, joined_path};

/// A link or an image of a page, in the order of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    /// Where it stands.
    pub(crate) at: usize,
    /// The visible text.
    pub(crate) text: String,
    /// Where it leads; `None` if it was refused, and only its text is shown.
    pub(crate) target: Option<Target>,
    /// The browser fetches it with the page.
    pub(crate) is_image: bool,
    /// Of an image that one theme alone shows.
    pub(crate) theme: Option<Theme>,
}

/// The colours of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The one for which an address asks, as on GitHub and in Material for MkDocs.
    fn of(address: &str) -> Option<Self> {
        match address.rsplit_once('#')?.1 {
            "only-light" | "gh-light-mode-only" => Some(Self::Light),
            "only-dark" | "gh-dark-mode-only" => Some(Self::Dark),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Link {
    /// The origin of another site whose image the page shows, as a content security policy writes it.
    ///
    /// An address whose host has other characters than a host may have is none: it must not add words to a policy.
    pub(crate) fn image_origin(&self) -> Option<&str> {
        let Some(Target::External(address)) = self.target.as_ref().filter(|_| self.is_image) else {
            return None;
        };
        let (scheme, rest) = address.split_once("://")?;
        let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
        (!host.is_empty() && host.chars().all(is_plain)).then(|| &address[..scheme.len() + 3 + host.len()])
    }
}

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// An address outside of the site.
    External(String),
    /// A page of the site. `path` is the address without the base; empty: the page itself.
    Page {
        page: usize,
        path: String,
        suffix: String,
        anchor: Option<String>,
    },
    /// A file of the content folder.
    Asset(Asset),
    /// A page of the site that is not made from Markdown: its path, with what stands behind it.
    Other(String),
    /// Nothing that is known, where that is allowed: the address as it is written.
    Unknown(String),
}

/// What links are resolved against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) routes: &'a Routes,
    pub(crate) files: &'a Files,
    pub(crate) content: &'a Content,
}

/// Why a destination is no target: what is wrong and how to mend it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Nobody may link to that.
    Refused(String),
    /// It leads to what browsers run or hand to a program, or to a host without saying how.
    Elsewhere(String),
    /// There is nothing.
    Missing(String),
}

impl Refusal {
    pub(crate) fn message(self) -> String {
        match self {
            Refusal::Refused(message) | Refusal::Elsewhere(message) | Refusal::Missing(message) => message,
        }
    }
}

/// The schemes that addresses outside of the site may have.
const SCHEMES: [&str; 3] = ["https", "http", "mailto"];

/// Resolves every link and image of a page. `parts` are the files whose text it has beside its own; what they link to may be named from
/// there. Anchors on other pages are checked later by [`check_anchors`].
pub(crate) fn collect(
    document: &Document<'_>,
    source: &Source,
    page: usize,
    parts: &[Source],
    surroundings: Surroundings<'_>,
) -> (Vec<Link>, Vec<Diagnostic>) {
    let mut links = Vec::new();
    let mut problems = Vec::new();
    for (index, (event, range)) in document.events.iter().enumerate() {
        let (destination, kind, is_image) = match event {
            Event::Start(Tag::Link {
                link_type, dest_url, ..
            }) => (dest_url, *link_type, false),
            Event::Start(Tag::Image {
                link_type, dest_url, ..
            }) => (dest_url, *link_type, true),
            _ => continue,
        };
        let at = range.start;
        let text = plain_text(inner_events(&document.events, index, is_image));
        // What other pages have, and programs, is not looked for.
        let is_name = matches!(kind, LinkType::ReferenceUnknown | LinkType::CollapsedUnknown);
        if is_name && !document.has_id(destination) {
            links.push(Link {
                at,
                text,
                target: None,
                is_image,
                theme: None,
            });
            continue;
        }
        let resolved = match kind {
            _ if is_name => Ok(Target::Page {
                page,
                path: String::new(),
                suffix: String::new(),
                anchor: Some(destination.to_string()),
            }),
            LinkType::Email => Ok(Target::External(format!("mailto:{destination}"))),
            _ => resolve(destination, source, page, is_image, surroundings).or_else(|refusal| {
                let mut found = parts
                    .iter()
                    .map(|part| resolve(destination, part, page, is_image, surroundings));
                found.find_map(Result::ok).ok_or(refusal)
            }),
        };
        let resolved = if is_image || !surroundings.content.is_of(Generator::Myst) {
            resolved
        } else {
            resolved_by_name(resolved, destination, document, page, surroundings.routes)
        };
        let is_in_notebook = match &resolved {
            Ok(Target::Page { page: found, .. }) if *found == page => source.is_notebook(),
            _ => source::is_notebook(destination.split('#').next().unwrap_or_default()),
        };
        let resolved = match resolved {
            Ok(target) if is_in_notebook => Ok(of_jupyter(target, document, page, surroundings.content)),
            resolved => resolved,
        };
        if is_image && text.is_empty() && surroundings.content.schema.is_strict() {
            let message = "the image has no text; describe it between the brackets: `![what it shows](…)`";
            problems.push(Diagnostic::error(source, at, message));
        }
        let target = match resolved {
            Ok(target) => Some(target),
            Err(Refusal::Missing(message)) => {
                problems.push(surroundings.content.broken_link(source, at, message));
                // The page may be beside this site. A picture that does not come would be seen as one.
                let is_shown = !is_image && surroundings.content.broken_links() == BrokenLinks::Warn;
                is_shown.then(|| Target::Unknown(destination.to_string()))
            }
            Err(Refusal::Elsewhere(message)) => {
                problems.push(surroundings.content.broken_link(source, at, message));
                None
            }
            Err(refusal) => {
                problems.push(Diagnostic::error(source, at, refusal.message()));
                None
            }
        };
        links.push(Link {
            at,
            text,
            target,
            is_image,
            theme: Theme::of(destination).filter(|_| is_image),
        });
    }
    (links, problems)
}

/// What a link of MyST leads to: besides what it says, whatever has its name, on this page or another one.
fn resolved_by_name(
    resolved: Result<Target, Refusal>,
    destination: &str,
    document: &Document<'_>,
    page: usize,
    routes: &Routes,
) -> Result<Target, Refusal> {
    let name = match &resolved {
        Ok(Target::Page {
            page: found,
            anchor: Some(anchor),
            ..
        }) if *found != page || !document.has_id(anchor) => anchor,
        Err(Refusal::Missing(_) | Refusal::Elsewhere(_)) => destination,
        _ => return resolved,
    };
    let Some(label) = routes.labels.get(name) else {
        return resolved;
    };
    match &resolved {
        // On another page something may have this as its id.
        Ok(Target::Page { page: found, .. }) if *found != page && label.page != *found => return resolved,
        _ => {}
    }
    // Its own top is at its address: nothing behind the `#` would load it anew.
    let path = if label.page == page && !label.is_page {
        String::new()
    } else {
        routes.paths[label.page].clone()
    };
    Ok(Target::Page {
        page: label.page,
        path,
        suffix: String::new(),
        anchor: (!label.is_page).then(|| labels::id(name)),
    })
}

/// What a link into a notebook leads to. Jupyter makes the id of a heading from its text with hyphens in the place of spaces.
fn of_jupyter(target: Target, document: &Document<'_>, page: usize, content: &Content) -> Target {
    match target {
        Target::Page {
            page: found,
            path,
            suffix,
            anchor: Some(anchor),
        } if found != page || !document.has_id(&anchor) => {
            let text = anchor.replace('-', " ");
            let anchor = content.heading_ids.unwrap_or_default().id(&text);
            Target::Page {
                page: found,
                path,
                suffix,
                anchor: Some(anchor),
            }
        }
        target => target,
    }
}

/// Checks the anchors of a page's links against the ids of the pages they lead to. `headings` are the ids and the texts of a page.
pub(crate) fn check_anchors<'a>(
    links: &[Link],
    source: &Source,
    content: &Content,
    has_id: impl Fn(usize, &str) -> bool,
    headings: impl Fn(usize) -> Vec<(&'a str, &'a str)>,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    for link in links {
        let Some(Target::Page {
            page,
            path,
            anchor: Some(anchor),
            ..
        }) = &link.target
        else {
            continue;
        };
        if has_id(*page, anchor) {
            continue;
        }
        let place = if path.is_empty() { "this page" } else { path };
        let known = headings(*page);
        let known = match other_heading_ids(anchor, &known, content.heading_ids.unwrap_or_default()) {
            Some((style, text)) => format!(
                "`{text}` would have it with `heading_ids = \"{}\"` in `[content]`",
                style.name()
            ),
            None if known.is_empty() => "it has no headings".to_owned(),
            None => format!("it has {}", shortened(&known)),
        };
        let message = if path.is_empty() && content.is_of(Generator::Myst) {
            format!("nothing has the label `{anchor}`; write `({anchor})=` above what it should lead to")
        } else {
            format!("{place} has no heading with the id `{anchor}`; {known}")
        };
        problems.push(content.broken_link(source, link.at, message));
    }
    problems
}

/// The way to make ids by which one of the headings would have this one, and the text of that heading.
fn other_heading_ids<'a>(
    id: &str,
    headings: &[(&str, &'a str)],
    used: HeadingIds,
) -> Option<(HeadingIds, &'a str)> {
    let others = HeadingIds::ALL.into_iter().filter(|style| *style != used);
    others
        .flat_map(|style| headings.iter().map(move |(_, text)| (style, *text)))
        .find(|(style, text)| style.id(text) == id)
}

/// The target of one destination.
pub(crate) fn resolve(
    destination: &str,
    source: &Source,
    page: usize,
    is_image: bool,
    surroundings: Surroundings<'_>,
) -> Result<Target, Refusal> {
    let resolve = |destination: &str| resolve_here(destination, source, page, is_image, surroundings);
    resolve(destination).or_else(|refusal| {
        let mut bases = surroundings.content.origin.bases.iter();
        let destination = destination.trim();
        let inside = bases.find_map(|base| destination.strip_prefix(base.as_str())?.strip_prefix('/'));
        let found = inside.map(|inside| resolve(&format!("/{inside}")));
        found.and_then(Result::ok).ok_or(refusal)
    })
}

/// The target of a destination whose address begins as those of pages do here.
fn resolve_here(
    destination: &str,
    source: &Source,
    page: usize,
    is_image: bool,
    Surroundings {
        routes,
        files,
        content,
    }: Surroundings<'_>,
) -> Result<Target, Refusal> {
    // Browsers skip these characters when they look for a scheme, so we have to do so too.
    let cleaned: String = destination.chars().filter(|c| !c.is_control()).collect();
    let cleaned = cleaned.trim();
    if scheme(cleaned).is_some() {
        return match wrong_scheme(cleaned, is_image) {
            Some(message) => Err(Refusal::Elsewhere(message)),
            None => Ok(Target::External(cleaned.to_owned())),
        };
    }
    if cleaned.starts_with(['/', '\\']) && cleaned[1..].starts_with(['/', '\\']) {
        return Err(Refusal::Elsewhere(format!(
            "`{}` leads to another host; write its scheme: https://…",
            excerpt(cleaned)
        )));
    }
    let (path, anchor) = match cleaned.split_once('#') {
        Some((path, anchor)) => (path, (!anchor.is_empty()).then(|| percent_decoded(anchor))),
        None => (cleaned, None),
    };
    let (path, query) = match path.split_once('?') {
        Some((path, query)) => (path, format!("?{query}")),
        None => (path, String::new()),
    };
    let path = named_from_root(percent_decoded(path), content);
    if path.is_empty() {
        if is_image {
            let message = "the image has no address; write the path of its file";
            return Err(Refusal::Refused(message.to_owned()));
        }
        return Ok(Target::Page {
            page,
            path: String::new(),
            suffix: query,
            anchor,
        });
    }
    if !is_image && let Some((page, path)) = find_page(&path, source, routes) {
        return Ok(Target::Page {
            page,
            path,
            suffix: query,
            anchor,
        });
    }
    if !is_image && routes.other.contains(path.trim_end_matches('/')) {
        let anchor = anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
        return Ok(Target::Other(format!(
            "{}{query}{anchor}",
            path.trim_end_matches('/')
        )));
    }
    let elsewhere = || find_file_elsewhere(&path, source, files).filter(|_| !content.schema.is_strict());
    if let Some(file) = find_file(&path, source, routes, files).or_else(elsewhere) {
        return files
            .load(&file)
            .map(Target::Asset)
            .map_err(|error| Refusal::Refused(format!("cannot read `{file}`: {error}")));
    }
    if let Some(asset) = files.static_files.at(&path) {
        return Ok(Target::Asset(asset));
    }
    if let Some(asset) = files.load_renamed(&path) {
        return asset
            .map(Target::Asset)
            .map_err(|error| Refusal::Refused(format!("cannot read `{path}`: {error}")));
    }
    if is_image
        && let Some(in_site) = beside_the_pages(&path, source, content)
        && let Some(asset) = files.load_beside(&in_site, &content.origin)
    {
        return asset
            .map(Target::Asset)
            .map_err(|error| Refusal::Refused(format!("cannot read `{in_site}`: {error}")));
    }
    // Where other generators show a page, and what is written for them links to.
    if !is_image
        && let Some(shown_at) = path.strip_suffix(".html")
        && let Some((page, path)) = find_page(without_index(shown_at), source, routes)
    {
        return Ok(Target::Page {
            page,
            path,
            suffix: query,
            anchor,
        });
    }
    if !is_image
        && !content.schema.is_strict()
        && let Some(page) = find_page_elsewhere(&path, source, routes, content)
    {
        return Ok(Target::Page {
            page,
            path: routes.paths[page].clone(),
            suffix: query,
            anchor,
        });
    }
    if !is_image && let Some(target) = moved(&path, source, routes) {
        return Ok(behind(target, query, anchor));
    }
    // Jekyll has the page of a folder there, where it is told to name pages by their files.
    if !is_image
        && content.is_of(Generator::Jekyll)
        && let Some(folder) = path.trim_end_matches('/').strip_suffix("/index")
        && let Some((page, path)) = find_page(folder, source, routes)
    {
        return Ok(Target::Page {
            page,
            path,
            suffix: query,
            anchor,
        });
    }
    let shown = excerpt(&path);
    let is_draft = || {
        let mut meant = source.meant(&path);
        meant.any(|file| page_files(&file).any(|file| files.drafts.contains(&file)))
    };
    Err(Refusal::Missing(if is_image {
        format!(
            "there is no image `{shown}`; put the file into the content folder and write its path from this file"
        )
    } else if is_draft() {
        format!("`{shown}` is a draft, which nobody sees; publish it, or take the link away until then")
    } else if let Some(similar) = routes.similar(&path) {
        format!("there is no page `{shown}`; a page of that name is at {similar}")
    } else {
        format!(
            "there is no page `{shown}`; write the path of a file from this one, such as `./other.md`, or of a page"
        )
    }))
}

/// Where an address leads that was one before: as it is written, or as a browser, or who looks for a file, understands it on this page.
fn moved(path: &str, source: &Source, routes: &Routes) -> Option<Target> {
    if routes.redirects.is_empty() {
        return None;
    }
    let at = |address: &str| routes.redirects.at(address, routes);
    if path.starts_with('/') {
        return at(path);
    }
    let own = routes
        .page_of(&source.path)
        .map(|page| routes.paths[page].as_str());
    let folders = own
        .into_iter()
        .flat_map(|own| [own.rsplit_once('/').map_or("", |(folder, _)| folder), own]);
    let mut addresses = folders.filter_map(|folder| joined_path(folder, path));
    let by_address = addresses.find_map(|address| at(&format!("/{address}")));
    by_address.or_else(|| {
        let mut files = source.meant(path);
        files.find_map(|file| {
            at(&format!(
                "{}/{}",
                routes.prefix,
                routes::path_below_prefix(&file, false)
            ))
        })
    })
}

/// A target with what is written behind the address, which is less than what a redirect says.
fn behind(target: Target, query: String, own_anchor: Option<String>) -> Target {
    match target {
        Target::Page {
            page,
            path,
            suffix,
            anchor,
        } => Target::Page {
            page,
            path,
            suffix: if suffix.is_empty() { query } else { suffix },
            anchor: anchor.or(own_anchor),
        },
        Target::External(address) if !address.contains('#') => {
            let anchor = own_anchor.map_or_else(String::new, |anchor| format!("#{anchor}"));
            Target::External(format!("{address}{anchor}"))
        }
        target => target,
    }
}

/// `guide/` for `guide/index`.
fn without_index(path: &str) -> &str {
    match path.strip_suffix("index") {
        Some("") => "./",
        Some(folder) if folder.ends_with('/') => folder,
        _ => path,
    }
}

/// Why nothing may lead to an address with this scheme; none where it has one that may be, or none at all.
pub(crate) fn wrong_scheme(address: &str, is_image: bool) -> Option<String> {
    let scheme = scheme(address)?.to_ascii_lowercase();
    let is_known = SCHEMES.contains(&scheme.as_str()) && !(is_image && scheme == "mailto");
    (!is_known).then(|| {
        format!(
            "the address `{}` is refused; use https:, http:, mailto: or a path",
            excerpt(address)
        )
    })
}

/// The part before the first colon, unless a path starts before it. Whatever stands there is what a browser could
/// take for a scheme.
fn scheme(address: &str) -> Option<&str> {
    let end = address.find(['/', '?', '#', ':'])?;
    (address.as_bytes()[end] == b':').then(|| &address[..end])
}

pub(crate) fn find_page(path: &str, source: &Source, routes: &Routes) -> Option<(usize, String)> {
    let with_path = |page: usize| (page, routes.paths[page].clone());
    if path.starts_with('/') {
        let trimmed = match path.trim_end_matches('/') {
            "" => "/",
            trimmed => trimmed,
        };
        if let Some(page) = translated_page(trimmed, source, routes) {
            return Some(with_path(page));
        }
        if let Some(page) = routes.page_at(trimmed) {
            return Some((page, trimmed.to_owned()));
        }
        // The start page of the site is there even where no Markdown file stands for it.
        if trimmed == "/" {
            return routes
                .page_at(&routes.prefix)
                .or(Some(0))
                .map(|page| (page, "/".to_owned()));
        }
    }
    source
        .meant(path)
        .find_map(|file| page_files(&file).find_map(|file| routes.page_of(&file)))
        .map(with_path)
}

/// The page at an address in the language of this one, unless that is the page itself: it leads to the first language.
fn translated_page(path: &str, source: &Source, routes: &Routes) -> Option<usize> {
    let language = routes::prefix(source.language_folder()?);
    // The folder of a language stands before the prefix of all pages or behind it.
    let below = path.strip_prefix(&routes.prefix);
    let addresses = [
        Some(format!("{language}{path}")),
        below.map(|below| format!("{}{language}{below}", routes.prefix)),
    ];
    let page = addresses
        .iter()
        .flatten()
        .find_map(|address| routes.page_at(address))?;
    (routes.page_of(&source.path) != Some(page)).then_some(page)
}

/// The page that other generators find: a file by its path from the content folder (Docusaurus), or the address that a browser would
/// make of the link, at the address of this page with or without a slash behind it.
fn find_page_elsewhere(path: &str, source: &Source, routes: &Routes, content: &Content) -> Option<usize> {
    if let Some(from_root) = path.strip_prefix('/') {
        return match content.origin.generator? {
            Generator::Docusaurus => find_page_in_docusaurus(path, routes, content),
            // It shows every page below each language, in the first one where nobody has translated it.
            Generator::Starlight => {
                let address = from_root.trim_end_matches('/').to_lowercase();
                let (language, below) = address.split_once('/')?;
                let is_language = matches!(language.split('-').next()?.len(), 2 | 3)
                    && routes.paths.iter().any(|other| {
                        let first = other[1..].split_once('/').map(|(first, _)| first);
                        first == Some(language)
                    });
                routes.page_at(&format!("/{below}")).filter(|_| is_language)
            }
            Generator::Hugo => routes.page_at(&path.trim_end_matches('/').to_lowercase()),
            _ => None,
        };
    }
    if path.ends_with(".md") || path.ends_with(".mdx") {
        return routes.page_of(path);
    }
    let own = &routes.paths[routes.page_of(&source.path)?];
    let beside = own.rsplit_once('/').map_or("", |(folder, _)| folder);
    let beside = [beside, own].into_iter().find_map(|folder| {
        let address = joined_path(folder, path)?;
        routes.page_at(&format!("/{address}"))
    });
    // Its `ref` looks below the root as well.
    let is_ref = beside.is_none() && content.is_of(Generator::Hugo) && !path.starts_with('.');
    let below_root = is_ref.then(|| find_page(&format!("/{path}"), source, routes));
    beside.or_else(|| below_root.flatten().map(|(page, _)| page))
}

/// A file by its path from the folder of the site, or a page of what Docusaurus calls the version that is in work.
fn find_page_in_docusaurus(path: &str, routes: &Routes, content: &Content) -> Option<usize> {
    if path.ends_with(".md") || path.ends_with(".mdx") {
        let below = path[1..].strip_prefix(content.origin.pages.as_str())?;
        return routes.page_of(below.strip_prefix('/')?);
    }
    let below = path
        .strip_prefix(routes.prefix.as_str())?
        .strip_prefix("/next/")?;
    routes.page_at(&format!("{}/{}", routes.prefix, below.trim_end_matches('/')))
}

/// A path that other generators take from the folder of the pages or of the site: `@/guide/start.md` in Zola, `@site/docs/start.md` and
/// `@site/static/flow.png` in Docusaurus, and what Jekyll's pages name.
fn named_from_root(path: String, content: &Content) -> String {
    if content.schema.is_strict() {
        return path;
    }
    if let Some(in_site) = path.strip_prefix("@site/") {
        let below = [content.origin.pages.as_str(), "static"]
            .into_iter()
            .find_map(|folder| match folder {
                "" => Some(in_site),
                folder => in_site.strip_prefix(folder)?.strip_prefix('/'),
            });
        return below.map_or_else(|| path.clone(), |below| format!("/{below}"));
    }
    match path.strip_prefix('@') {
        // There it is the folder of the sources.
        Some(below) if below.starts_with('/') && !content.is_of(Generator::Starlight) => below.to_owned(),
        _ => path,
    }
}

/// What the path of a picture means in the folder of another generator's site: Starlight has them in `src/assets`, beside the pages.
fn beside_the_pages(path: &str, source: &Source, Content { origin, .. }: &Content) -> Option<String> {
    if let Some(named) = origin.named(path) {
        return joined_path("", &named);
    }
    let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    // Of the others the pages are all that is shown.
    let is_relative = !origin.pages.is_empty() && !path.starts_with('/');
    is_relative
        .then(|| joined_path(&format!("{}/{folder}", origin.pages), path))
        .flatten()
}

/// The files that a link to `file` can mean, where that is a page, with or without its ending, or a folder.
fn page_files(file: &str) -> impl Iterator<Item = String> {
    let ended = ["md", "mdx", "markdown", notebook::ENDING].into_iter();
    let inner = ["index.md", "README.md", "index.mdx", "readme.md", "_index.md"].into_iter();
    std::iter::once(file.to_owned())
        .chain(ended.map(move |end| format!("{file}.{end}")))
        .chain(inner.map(move |name| match file {
            "" => name.to_owned(),
            file => format!("{file}/{name}"),
        }))
}

fn find_file(path: &str, source: &Source, routes: &Routes, files: &Files) -> Option<String> {
    if let Some(file) = source.meant(path).find(|file| files.contains(file)) {
        return Some(file);
    }
    let below_prefix = path.strip_prefix(&routes.prefix)?.strip_prefix('/')?;
    files.contains(below_prefix).then(|| below_prefix.to_owned())
}

/// The file that a browser would find at the address of a page with a slash behind it, as Hugo and MkDocs have them: `../a.png` on
/// `guide/start.md` is beside that page.
fn find_file_elsewhere(path: &str, source: &Source, files: &Files) -> Option<String> {
    let (page, _) = source.path.rsplit_once('.')?;
    let is_relative = !path.starts_with('/');
    let file = is_relative.then(|| joined_path(page, path)).flatten()?;
    files.contains(&file).then_some(file)
}

/// What stands between the start of a link or an image and its end.
pub(crate) fn inner_events<'a, 'b>(
    events: &'b [(Event<'a>, Range<usize>)],
    start: usize,
    is_image: bool,
) -> &'b [(Event<'a>, Range<usize>)] {
    let end = if is_image { TagEnd::Image } else { TagEnd::Link };
    let mut depth = 0;
    for (index, (event, _)) in events.iter().enumerate().skip(start) {
        match event {
            Event::Start(tag) if tag.to_end() == end => depth += 1,
            Event::End(tag) if *tag == end => {
                depth -= 1;
                if depth == 0 {
                    return &events[start + 1..index];
                }
            }
            _ => {}
        }
    }
    &events[start + 1..]
}

/// An address without its escapes; as it is where they are no text.
pub(crate) fn percent_decoded(text: &str) -> String {
    let decoded = percent_encoding::percent_decode_str(text).decode_utf8();
    decoded.map_or_else(|_| text.to_owned(), Cow::into_owned)
}

fn shortened(headings: &[(&str, &str)]) -> String {
    const SHOWN: usize = 8;
    let shown = headings
        .iter()
        .take(SHOWN)
        .map(|(id, _)| format!("`{id}`"))
        .collect::<Vec<_>>()
        .join(", ");
    if headings.len() > SHOWN {
        format!("{shown} and {} more", headings.len() - SHOWN)
    } else {
        shown
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::config::Config;

    #[test]
    fn escapes_are_read_and_what_is_none_stays() {
        for (address, expected) in [
            ("a%20b%C3%A9", "a bé"),
            ("100%", "100%"),
            ("%+f", "%+f"),
            ("%ff", "%ff"),
        ] {
            assert_eq!(percent_decoded(address), expected);
        }
    }

    fn check(destination: &str, expected: &str) {
        let sources: Vec<Source> = ["index.md", "guide/README.md", "guide/a b.md", "metrics/ndcg.md"]
            .iter()
            .map(|path| Source::new(*path, *path, ""))
            .collect();
        let (config, _) = Config::parse(&Source::new("c", "c", "[content]\nroute_prefix = \"/docs\"\n"));
        let (routes, _) = crate::routes::routes(&sources, &config, &sources[0]);
        let files = Files::new(Path::new("."), []);
        let surroundings = Surroundings {
            routes: &routes,
            files: &files,
            content: &config.content,
        };
        let found = match resolve(destination, &sources[3], 3, false, surroundings) {
            Ok(Target::External(address)) => address,
            Ok(Target::Page {
                path, suffix, anchor, ..
            }) => {
                format!(
                    "{path}{suffix}{}",
                    anchor.map(|anchor| format!("#{anchor}")).unwrap_or_default()
                )
            }
            Ok(Target::Asset(asset)) => asset.output,
            Ok(Target::Other(path) | Target::Unknown(path)) => path,
            Err(refusal) => refusal.message(),
        };
        assert_eq!(found, expected, "{destination}");
    }

    #[test]
    fn links_lead_to_pages() {
        check("../guide/a b.md#x", "/docs/guide/a-b#x");
        check("../guide/a%20b.md", "/docs/guide/a-b");
        check("../guide/", "/docs/guide");
        check("ndcg", "/docs/metrics/ndcg");
        check("/docs/metrics/ndcg/?q=1#top", "/docs/metrics/ndcg?q=1#top");
        check("/guide/a b.md", "/docs/guide/a-b");
        check("#x", "#x");
        check("/docs", "/docs");
        check("/", "/");
    }

    #[test]
    fn links_as_other_generators_show_pages_lead_there_too() {
        check("ndcg.html?q=1#x", "/docs/metrics/ndcg?q=1#x");
        check("../guide/a%20b.html", "/docs/guide/a-b");
        check("../guide/index.html", "/docs/guide");
        check("../guide/README.html", "/docs/guide");
        check("../index.html", "/docs");
        check("/docs/metrics/ndcg.html", "/docs/metrics/ndcg");
        check("/docs/index.html", "/docs");
        let hint = "write the path of a file from this one, such as `./other.md`, or of a page";
        check("index.html", &format!("there is no page `index.html`; {hint}"));
        check(
            "../guide/a bindex.html",
            &format!("there is no page `../guide/a bindex.html`; {hint}"),
        );
    }

    #[test]
    fn our_own_links_name_files_or_addresses() {
        let sources: Vec<Source> = ["a.md", "sub/b.md"]
            .map(|path| Source::new(path, path, ""))
            .to_vec();
        for (schema, is_found) in [("", true), ("schema = \"siftwren\"", false)] {
            let (config, _) = Config::parse(&Source::new("c", "c", &format!("[content]\n{schema}\n")));
            let (routes, _) = crate::routes::routes(&sources, &config, &sources[0]);
            let files = Files::new(Path::new("."), []);
            let surroundings = Surroundings {
                routes: &routes,
                files: &files,
                content: &config.content,
            };
            // At `/sub/b/` this is `/a`; the last one is Zola's.
            for destination in ["../../a", "a.md", "@/a.md"] {
                let found = resolve(destination, &sources[1], 1, false, surroundings);
                assert_eq!(found.is_ok(), is_found, "{destination} {found:?}");
            }
        }
    }

    #[test]
    fn links_to_nothing_say_what_is_there() {
        check(
            "/docs/ndcg",
            "there is no page `/docs/ndcg`; a page of that name is at /docs/metrics/ndcg",
        );
        let hint = "write the path of a file from this one, such as `./other.md`, or of a page";
        check(
            "../../secret.md",
            &format!("there is no page `../../secret.md`; {hint}"),
        );
    }

    #[test]
    fn an_image_of_another_site_has_an_origin_that_cannot_add_to_a_policy() {
        for (address, is_image, origin) in [
            (
                "https://images.example:8080/a.png?x#y",
                true,
                Some("https://images.example:8080"),
            ),
            (
                "https://images.example?/a.png",
                true,
                Some("https://images.example"),
            ),
            (
                "https://images.example#/a.png",
                true,
                Some("https://images.example"),
            ),
            ("HTTP://[::1]/a.png", true, Some("HTTP://[::1]")),
            ("https://images.example", false, None),
            ("https://images.example; script-src *", true, None),
            ("https://a,b/", true, None),
            ("https://name@images.example/", true, None),
            ("https:///a.png", true, None),
        ] {
            let target = Some(Target::External(address.to_owned()));
            let link = Link {
                at: 0,
                text: String::new(),
                target,
                is_image,
                theme: None,
            };
            assert_eq!(link.image_origin(), origin, "{address}");
        }
    }

    #[test]
    fn only_known_schemes_pass() {
        for address in [
            "https://example.com/a:b",
            "HTTP://example.com",
            "mailto:a@example.com",
        ] {
            check(address, address);
        }
        for address in [
            "javascript:x",
            "JaVaScRiPt:x",
            " javascript:x",
            "data:text/html,x",
            "vbscript:x",
            "file:///etc",
            "java script:x",
        ] {
            check(
                address,
                &format!(
                    "the address `{}` is refused; use https:, http:, mailto: or a path",
                    address.trim()
                ),
            );
        }
        check(
            "java\tscr\nipt\u{1}:x",
            "the address `javascript:x` is refused; use https:, http:, mailto: or a path",
        );
        for address in ["//example.com", "/\\example.com", "\\\\example.com"] {
            check(
                address,
                &format!("`{address}` leads to another host; write its scheme: https://…"),
            );
        }
    }
}
