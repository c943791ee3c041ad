//! Heading ids. Readers have links to them, so a folder that comes from another generator can keep those that it had there.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

/// How the ids of headings are made from their texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadingIds {
    /// As on GitHub and by Docusaurus, Starlight and mdBook: see [`slug`].
    #[default]
    Github,
    /// As by VitePress: `slugify` of @mdit-vue/shared.
    VitePress,
    /// As by MkDocs: `markdown.extensions.toc.slugify` of Python-Markdown.
    MkDocs,
    /// As by Sphinx, Jupyter Book and MyST: `make_id` of docutils.
    Sphinx,
}

impl HeadingIds {
    /// Every way there is.
    pub(crate) const ALL: [HeadingIds; 4] = [
        HeadingIds::Github,
        HeadingIds::VitePress,
        HeadingIds::MkDocs,
        HeadingIds::Sphinx,
    ];

    /// What a configuration calls it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            HeadingIds::Github => "github",
            HeadingIds::VitePress => "vitepress",
            HeadingIds::MkDocs => "mkdocs",
            HeadingIds::Sphinx => "sphinx",
        }
    }

    /// The id that a heading text gives.
    pub(crate) fn id(self, text: &str) -> String {
        let id = match self {
            HeadingIds::Github => return slug(text),
            HeadingIds::VitePress => vitepress(text),
            HeadingIds::MkDocs => mkdocs(text),
            HeadingIds::Sphinx => sphinx(text),
        };
        if id.is_empty() { slug(text) } else { id }
    }

    /// What stands between an id that is taken and the number of the next one.
    pub(crate) fn before_number(self) -> char {
        match self {
            HeadingIds::Github | HeadingIds::VitePress | HeadingIds::Sphinx => '-',
            HeadingIds::MkDocs => '_',
        }
    }
}

/// The id that a heading text gives on GitHub: lower case, spaces to hyphens, everything but letters, digits, `-` and `_` dropped.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            ' ' | '\t' => slug.push('-'),
            '-' | '_' => slug.push(c),
            _ if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    if slug.is_empty() {
        "section".to_owned()
    } else {
        slug
    }
}

/// Lower case without accents, punctuation to single hyphens between words, a `_` before a digit at the start.
fn vitepress(text: &str) -> String {
    let is_accent = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    let is_between = |c: char| c.is_whitespace() || c.is_ascii_punctuation() || "“”‘’".contains(c);
    let kept: String = text
        .nfkd()
        .filter(|c| !is_accent(*c) && (!c.is_control() || c.is_whitespace()))
        .collect();
    let words = kept.split(is_between).filter(|word| !word.is_empty());
    let id = words.collect::<Vec<_>>().join("-").to_lowercase();
    if id.starts_with(|c: char| c.is_ascii_digit()) {
        format!("_{id}")
    } else {
        id
    }
}

/// Lower case, what ASCII has of the letters, spaces to single hyphens.
fn mkdocs(text: &str) -> String {
    let is_kept = |c: &char| c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '_' | '-');
    let kept: String = text.nfkd().filter(is_kept).collect();
    let mut id = String::with_capacity(kept.len());
    for c in kept.trim().chars() {
        let c = if c.is_ascii_whitespace() { '-' } else { c };
        if c != '-' || !id.ends_with('-') {
            id.push(c.to_ascii_lowercase());
        }
    }
    id
}

/// Lower case, what ASCII has of the letters, single hyphens for all between them, none of them and no digits at the start.
fn sphinx(text: &str) -> String {
    let kept: String = text.nfkd().filter(char::is_ascii).collect();
    let words = kept
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    let id = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    id.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-')
        .to_owned()
}

/// Hands out ids that no other element of the page has.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    used: HashMap<String, usize>,
}

impl Ids {
    /// Takes `id` as it is; false if it was taken before.
    pub(crate) fn take(&mut self, id: &str) -> bool {
        if self.used.contains_key(id) {
            return false;
        }
        self.used.insert(id.to_owned(), 0);
        true
    }

    /// Takes `id`, or else the first free one of `id-1`, `id-2` and so on.
    pub(crate) fn take_free(&mut self, id: &str) -> String {
        self.take_numbered(id, '-')
    }

    /// The same with another sign before the number.
    pub(crate) fn take_numbered(&mut self, id: &str, before_number: char) -> String {
        if self.take(id) {
            return id.to_owned();
        }
        loop {
            let count = self.used.entry(id.to_owned()).or_insert(0);
            *count += 1;
            let candidate = format!("{id}{before_number}{count}");
            if self.take(&candidate) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_those_of_github() {
        for (text, expected) in [
            ("Hello, World!", "hello-world"),
            ("  C++ & Rust  ", "c--rust"),
            ("replication_key", "replication_key"),
            ("Übergröße 2.0", "übergröße-20"),
            ("!!!", "section"),
        ] {
            assert_eq!(slug(text), expected, "{text}");
        }
    }

    #[test]
    fn ids_can_be_those_of_other_generators() {
        for (text, vitepress, mkdocs, sphinx) in [
            ("server.host", "server-host", "serverhost", "server-host"),
            ("C++ & Rust", "c-rust", "c-rust", "c-rust"),
            (
                "replication_key",
                "replication-key",
                "replication_key",
                "replication-key",
            ),
            ("What’s new?", "what-s-new", "whats-new", "whats-new"),
            ("Übergröße 2.0", "ubergroße-2-0", "ubergroe-20", "ubergroe-2-0"),
            ("2 ways", "_2-ways", "2-ways", "ways"),
            ("- a -- b -", "a-b", "-a-b-", "a-b"),
            ("a → b", "a-→-b", "a-b", "a-b"),
            ("日本語", "日本語", "日本語", "日本語"),
            ("!!!", "section", "section", "section"),
        ] {
            assert_eq!(HeadingIds::VitePress.id(text), vitepress, "{text}");
            assert_eq!(HeadingIds::MkDocs.id(text), mkdocs, "{text}");
            assert_eq!(HeadingIds::Sphinx.id(text), sphinx, "{text}");
        }
    }

    #[test]
    fn taken_ids_get_a_number() {
        let mut ids = Ids::default();
        let given: Vec<String> = ["a", "a", "a-1", "a"]
            .iter()
            .map(|id| ids.take_free(id))
            .collect();
        assert_eq!(given, ["a", "a-1", "a-1-1", "a-2"]);
        assert_eq!(ids.take_numbered("a", '_'), "a_3");
    }
}
