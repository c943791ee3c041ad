//! What programs read of a site: its map, its changes, and its pages as Markdown.
//!
//! Every file stands at the root of the site. Those that need whole addresses are only made where the configuration
//! says under which address the site is published.

mod feed;
pub(crate) mod index_page;
mod llms;
pub(crate) mod markdown;
mod sitemap;

use std::rc::Rc;

use crate::config;
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

/// Where all texts are.
pub(crate) const FULL_TEXT: &str = "llms-full.txt";

/// The names of all these files, which links may lead to.
pub(crate) fn file_names(site: &config::Site) -> Vec<&'static str> {
    let published: &[_] = match site.url {
        Some(_) => &["sitemap.xml", "feed.xml"],
        None => &[],
    };
    [&["llms.txt", "robots.txt", FULL_TEXT], published].concat()
}

/// The files that hold no text of a page. `home` are the paths that show the start page and no page of their own.
pub(crate) fn listings(site: &config::Site, home: &[String], entries: &[Entry<'_>]) -> Vec<RootFile> {
    let addresses = Addresses { site };
    let mut files = vec![
        file("llms.txt", llms::index(addresses, entries)),
        file("robots.txt", sitemap::robots(addresses)),
    ];
    if site.url.is_some() {
        files.push(file("sitemap.xml", sitemap::sitemap(addresses, home, entries)));
        files.push(file("feed.xml", feed::feed(addresses, entries)));
    }
    files
}

/// All texts in one file.
pub(crate) fn full_text(site: &config::Site, entries: &[Entry<'_>]) -> RootFile {
    RootFile {
        path: FULL_TEXT.to_owned(),
        parts: llms::full(Addresses { site }, entries),
    }
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

/// A path as it stands in an address. What is percent-encoded already stays as it is.
fn encoded(path: &str) -> String {
    let mut address = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'"' | b'\'' | b'<' | b'>' | b'\\' | b'`' | b'{' | b'}' | b'|' | b'^' | b' ' => {
                address.push_str(&format!("%{byte:02X}"));
            }
            byte if byte.is_ascii_graphic() => address.push(char::from(byte)),
            byte => address.push_str(&format!("%{byte:02X}")),
        }
    }
    address
}

/// Text as it stands in XML. Characters that XML cannot hold are left out.
fn xml(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\t' | '\n' | '\r' => escaped.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

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

    fn names(site: &config::Site) -> Vec<String> {
        let files = listings(site, &["/docs".to_owned()], &entries(&texts()));
        files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn whole_addresses_are_only_given_where_they_are_known() {
        let with = ["llms.txt", "robots.txt", "sitemap.xml", "feed.xml"];
        assert_eq!(names(&site()), with);
        let unpublished = config::Site { url: None, ..site() };
        assert_eq!(names(&unpublished), with[..2]);
        // Links may lead to each of them.
        for site in [site(), unpublished] {
            let mut listed = names(&site);
            listed.push(FULL_TEXT.to_owned());
            listed.sort();
            let mut known = file_names(&site);
            known.sort_unstable();
            assert_eq!(known, listed);
        }
    }
}
