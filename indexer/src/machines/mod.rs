//! What programs read of a site: its map, its changes, and its pages as Markdown.
//!
//! Every file stands at the root of the site, or of a language beside the first, whose pages it has then. Those that need whole addresses are only made where the configuration
//! says under which address the site is published.

mod feed;
pub(crate) mod index_page;
mod llms;
pub(crate) mod markdown;
mod sitemap;

use std::rc::Rc;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::config;
use crate::html::escaped;
use crate::languages::{self, Locale};
use crate::mark::MarkedText;

/// A file at the root of the site.
#[derive(Clone, Debug)]
pub struct RootFile {
    /// Its path: `docs/metrics/ndcg.md`.
    pub path: String,
    /// What is in it, in parts.
    pub parts: Vec<Rc<MarkedText>>,
}

/// A page, as far as programs are told of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<'a> {
    pub(crate) path: &'a str,
    pub(crate) title: &'a str,
    pub(crate) description: &'a str,
    pub(crate) section: &'a str,
    /// The date of the last change.
    pub(crate) last_change: Option<&'a str>,
    /// The page as Markdown, if it was made from it.
    pub(crate) markdown: Option<&'a Rc<MarkedText>>,
}

/// The addresses of a site.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addresses<'a> {
    pub(crate) site: &'a config::Site,
}

impl Addresses<'_> {
    /// The address of a path: whole where the site says where it is published, else from its root.
    pub(crate) fn of(&self, path: &str) -> String {
        let origin = self.site.url.as_deref().unwrap_or("");
        format!(
            "{origin}{}{}",
            self.site.base,
            encoded(path.trim_start_matches('/'))
        )
    }
}

const LIST: &str = "llms.txt";
/// Where all texts are.
const FULL_TEXT: &str = "llms-full.txt";
const MAP: &str = "sitemap.xml";
const ROBOTS: &str = "robots.txt";
const FEED: &str = "feed.xml";

/// The path of such a file that is there for each language.
fn path_of(name: &str, number: usize, locale: &Locale) -> String {
    match number {
        0 => name.to_owned(),
        _ => format!("{}/{name}", locale.root.trim_start_matches('/')),
    }
}

fn of_each(name: &str, locales: &[Locale]) -> Vec<String> {
    let locales = locales.iter().enumerate();
    locales
        .map(|(number, locale)| path_of(name, number, locale))
        .collect()
}

/// The names of all these files, which links may lead to.
pub(crate) fn file_names(site: &config::Site, locales: &[Locale]) -> Vec<String> {
    let mut names = vec![ROBOTS.to_owned()];
    names.extend(of_each(LIST, locales));
    names.extend(full_text_names(locales));
    if site.url.is_some() {
        names.push(MAP.to_owned());
        names.extend(of_each(FEED, locales));
    }
    names
}

/// The names of those that have all texts of a language.
pub(crate) fn full_text_names(locales: &[Locale]) -> Vec<String> {
    of_each(FULL_TEXT, locales)
}

/// The pages of each language.
fn by_language<'a>(locales: &[Locale], entries: &[Entry<'a>]) -> Vec<Vec<Entry<'a>>> {
    let mut by_language = vec![Vec::new(); locales.len()];
    for entry in entries {
        by_language[languages::locale_of(entry.path, locales)].push(*entry);
    }
    by_language
}

/// The files that hold no text of a page. `sites` is the site as each language calls it; `home` are the paths that show the start page and no page of their own;
/// `documents` the names of the OpenAPI documents, and where they are.
pub(crate) fn listings(
    sites: &[config::Site],
    locales: &[Locale],
    home: &[String],
    entries: &[Entry<'_>],
    documents: &[(&str, &str)],
) -> Vec<RootFile> {
    let site = &sites[0];
    let addresses = Addresses { site };
    let mut files = vec![file(ROBOTS, sitemap::robots(addresses))];
    if site.url.is_some() {
        files.push(file(MAP, sitemap::sitemap(addresses, home, entries)));
    }
    let lists = of_each(LIST, locales);
    for (number, own) in by_language(locales, entries).iter().enumerate() {
        let locale = &locales[number];
        let addresses = Addresses { site: &sites[number] };
        let others = locales.iter().zip(&lists).filter(|(other, _)| *other != locale);
        let others: Vec<(&str, &str)> = others
            .map(|(other, path)| (other.name(), path.as_str()))
            .collect();
        files.push(file(
            &lists[number],
            llms::index(addresses, own, documents, &others),
        ));
        if site.url.is_some() {
            let path = path_of(FEED, number, locale);
            let text = feed::feed(addresses, own, &locale.tag, &path);
            files.push(file(&path, text));
        }
    }
    files
}

/// All texts of each language in one file.
pub(crate) fn full_texts(sites: &[config::Site], locales: &[Locale], entries: &[Entry<'_>]) -> Vec<RootFile> {
    let texts = by_language(locales, entries).into_iter();
    texts
        .zip(full_text_names(locales))
        .zip(sites)
        .map(|((own, path), site)| RootFile {
            path,
            parts: llms::full(Addresses { site }, &own),
        })
        .collect()
}

/// Where the Markdown of a page is: its path and `.md`.
pub(crate) fn markdown_file(path: &str) -> String {
    match path.trim_start_matches('/') {
        "" => "index.md".to_owned(),
        path => format!("{path}.md"),
    }
}

fn file(path: &str, text: String) -> RootFile {
    RootFile {
        path: path.to_owned(),
        parts: vec![MarkedText::new(text)],
    }
}

/// What no address has as it is, and what would end a text in XML.
const OUTSIDE_ADDRESSES: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'\'')
    .add(b'<')
    .add(b'>')
    .add(b'\\')
    .add(b'`')
    .add(b'{')
    .add(b'}')
    .add(b'|')
    .add(b'^');

/// A path as it stands in an address. What is percent-encoded already stays as it is.
fn encoded(path: &str) -> String {
    utf8_percent_encode(path, OUTSIDE_ADDRESSES).to_string()
}

/// Text as it stands in XML. Characters that XML cannot hold are left out.
fn xml(text: &str) -> String {
    let is_of_xml = |c: &char| match c {
        '\t' | '\n' | '\r' => true,
        '\u{fffe}' | '\u{ffff}' => false,
        c => !c.is_control(),
    };
    escaped(&text.chars().filter(is_of_xml).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    pub(super) fn site() -> config::Site {
        config::Site {
            title: "Site & co".to_owned(),
            tagline: Some("All of it".to_owned()),
            url: Some("https://docs.example".to_owned()),
            base: "/sub/".to_owned(),
            ..config::Site::default()
        }
    }

    pub(super) fn texts() -> [Rc<MarkedText>; 2] {
        ["# X <1>\n\nText.\n", "# Y\n"].map(|text| MarkedText::new(text.to_owned()))
    }

    pub(super) fn entries([x, y]: &[Rc<MarkedText>; 2]) -> [Entry<'_>; 3] {
        [
            Entry {
                path: "/docs/a/x",
                title: "X <1>",
                description: "What X is.",
                section: "A",
                last_change: Some("2026-11-21"),
                markdown: Some(x),
            },
            Entry {
                path: "/docs/a/größe y",
                title: "Y",
                description: "",
                section: "A",
                last_change: Some("2026-11-20"),
                markdown: Some(y),
            },
            Entry {
                path: "/docs/a-z",
                title: "A to Z",
                description: "Every page.",
                section: "",
                last_change: None,
                markdown: None,
            },
        ]
    }

    /// Two languages.
    fn locales() -> Vec<Locale> {
        let source = Source::new(
            "c",
            "c",
            "[content]\nroute_prefix = \"/docs\"\n[[language]]\ntag = \"fr\"\n",
        );
        languages::locales(&config::Config::parse(&source).0)
    }

    fn files(site: &config::Site, locales: &[Locale]) -> Vec<RootFile> {
        let texts = texts();
        let french = Entry {
            path: "/docs/fr/a/x",
            title: "Un X",
            ..entries(&texts)[0]
        };
        let entries = [&entries(&texts)[..], &[french]].concat();
        let french = config::Site {
            title: "Le site".to_owned(),
            ..site.clone()
        };
        let sites = [site.clone(), french];
        let mut files = listings(
            &sites,
            locales,
            &["/docs".to_owned()],
            &entries,
            &[("API [v1]", "docs/api/openapi.yaml")],
        );
        files.extend(full_texts(&sites, locales, &entries));
        files
    }

    fn names(site: &config::Site) -> Vec<String> {
        let files = files(site, &locales()[..1]);
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn each_language_has_its_own_lists_and_texts() {
        let files = files(&site(), &locales());
        let text_of = |path: &str| {
            let file = files.iter().find(|file| file.path == path).unwrap();
            file.parts
                .iter()
                .map(|part| part.text.as_str())
                .collect::<String>()
        };
        for (path, own, other) in [
            ("llms.txt", "/docs/a/x.md", "Un X"),
            ("llms.txt", "# Site & co\n", "Le site"),
            ("docs/fr/llms.txt", "/docs/fr/a/x.md", "/docs/a/x.md"),
            ("docs/fr/llms.txt", "# Le site\n", "Site & co"),
            ("llms-full.txt", "/docs/a/x\n", "/docs/fr/a/x\n"),
            ("docs/fr/llms-full.txt", "/docs/fr/a/x\n", "/docs/a/x\n"),
            ("docs/fr/llms-full.txt", "# Le site\n", "Site & co"),
            ("feed.xml", "<title>X", "<title>Un X"),
            ("feed.xml", "<title>Site &amp; co: changes", "Le site"),
            ("docs/fr/feed.xml", "<title>Un X", "<title>X"),
            ("docs/fr/feed.xml", "<title>Le site: changes", "Site &amp; co"),
        ] {
            let text = text_of(path);
            assert!(text.contains(own) && !text.contains(other), "{path}: {text}");
        }
        assert!(
            text_of("llms.txt")
                .ends_with("\n## Other languages\n\n- [fr](https://docs.example/sub/docs/fr/llms.txt)\n")
        );
        assert!(text_of("docs/fr/llms.txt").ends_with("\n- [en](https://docs.example/sub/llms.txt)\n"));
        let feed = text_of("docs/fr/feed.xml");
        assert!(
            feed.contains("<language>fr</language>")
                && feed.contains("\"https://docs.example/sub/docs/fr/feed.xml\""),
            "{feed}"
        );
        assert!(
            text_of("sitemap.xml").contains("/docs/fr/a/x<") && text_of("sitemap.xml").contains("/docs/a/x<")
        );
        let mut known = file_names(&site(), &locales());
        known.sort_unstable();
        let mut listed: Vec<String> = files.iter().map(|file| file.path.clone()).collect();
        listed.sort();
        assert_eq!(known, listed);
    }

    #[test]
    fn whole_addresses_are_only_given_where_they_are_known() {
        let with = [
            "robots.txt",
            "sitemap.xml",
            "llms.txt",
            "feed.xml",
            "llms-full.txt",
        ];
        assert_eq!(names(&site()), with);
        let unpublished = config::Site { url: None, ..site() };
        assert_eq!(names(&unpublished), ["robots.txt", "llms.txt", "llms-full.txt"]);
        // Links may lead to each of them.
        for site in [site(), unpublished] {
            let mut listed = names(&site);
            listed.sort();
            let mut known = file_names(&site, &locales()[..1]);
            known.sort_unstable();
            assert_eq!(known, listed);
        }
    }
}
