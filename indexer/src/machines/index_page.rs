//! The page from A to Z: every page by its title, and by the other names that it has.

use std::collections::BTreeMap;

use crate::html::escaped;
use crate::words::Words;

/// An entry before it is in order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Named<'a> {
    /// The title of the page, or another name of it.
    pub(crate) name: &'a str,
    /// The title, where `name` is another one.
    pub(crate) title: Option<&'a str>,
    pub(crate) section: &'a str,
    pub(crate) path: &'a str,
}

/// What the page is called.
pub(crate) const TITLE: &str = "All pages, A to Z";

/// The body of the page, and its headings as id and text.
pub(crate) fn body(names: &[Named<'_>], base: &str, words: &Words) -> (String, Vec<(String, String)>) {
    let mut letters: BTreeMap<Letter, Vec<&Named<'_>>> = BTreeMap::new();
    for named in names {
        letters.entry(Letter::of(named.name)).or_default().push(named);
    }
    let mut html = String::new();
    let mut headings = Vec::new();
    for (letter, mut entries) in letters {
        entries.sort_by_cached_key(|entry| (entry.name.to_lowercase(), entry.path));
        let (id, title) = letter.heading(words);
        html.push_str(&format!(
            "<h2 id=\"{id}\"><a href=\"#{id}\">{title}</a></h2>\n<ul class=\"index\">\n"
        ));
        for entry in entries {
            let href = escaped(&format!("{}{}", base.trim_end_matches('/'), entry.path));
            let place = match (entry.title, entry.section) {
                (Some(title), _) => title,
                (None, section) => section,
            };
            let place = match place {
                "" => String::new(),
                place => format!(" <small>{}</small>", escaped(place)),
            };
            html.push_str(&format!(
                "<li><a href=\"{href}\">{}</a>{place}</li>\n",
                escaped(entry.name)
            ));
        }
        html.push_str("</ul>\n");
        headings.push((id, title));
    }
    (html, headings)
}

/// What an entry stands under. Letters come first, everything else is one group at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Letter {
    Letter(char),
    Other,
}

impl Letter {
    fn of(name: &str) -> Self {
        let first = name.chars().find(|c| c.is_alphanumeric());
        match first.and_then(|c| c.to_uppercase().next()) {
            Some(letter) if letter.is_alphabetic() => Self::Letter(letter),
            _ => Self::Other,
        }
    }

    fn heading(self, words: &Words) -> (String, String) {
        match self {
            Self::Letter(letter) => (format!("letter-{}", letter.to_lowercase()), letter.to_string()),
            Self::Other => ("other".to_owned(), words.say("0–9 and signs").to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_under_their_letters() {
        let page = |name, path| Named {
            name,
            title: None,
            section: "Metrics",
            path,
        };
        let names = [
            page("nDCG & friends", "/docs/ndcg"),
            page("Éclair", "/docs/e"),
            page("MRR", "/docs/mrr"),
            page("2026", "/docs/y"),
            Named {
                title: Some("nDCG & friends"),
                ..page("`normal` gain", "/docs/ndcg")
            },
        ];
        let (html, headings) = body(&names, "/sub/", &Words::default());
        insta::assert_snapshot!(html, @r##"
        <h2 id="letter-m"><a href="#letter-m">M</a></h2>
        <ul class="index">
        <li><a href="/sub/docs/mrr">MRR</a> <small>Metrics</small></li>
        </ul>
        <h2 id="letter-n"><a href="#letter-n">N</a></h2>
        <ul class="index">
        <li><a href="/sub/docs/ndcg">`normal` gain</a> <small>nDCG &amp; friends</small></li>
        <li><a href="/sub/docs/ndcg">nDCG &amp; friends</a> <small>Metrics</small></li>
        </ul>
        <h2 id="letter-é"><a href="#letter-é">É</a></h2>
        <ul class="index">
        <li><a href="/sub/docs/e">Éclair</a> <small>Metrics</small></li>
        </ul>
        <h2 id="other"><a href="#other">0–9 and signs</a></h2>
        <ul class="index">
        <li><a href="/sub/docs/y">2026</a> <small>Metrics</small></li>
        </ul>
        "##);
        assert_eq!(headings[0], ("letter-m".to_owned(), "M".to_owned()));
    }
}
