//! The metadata of a section into what the search modal shows: one mapping for live answers and for the local index.

use std::ops::Range;

use crate::highlight::Matcher;
use crate::rank::Correction;
use crate::snippet::{Snippet, snippet_with};

/// The specification's name of hits without a folder.
pub const DEFAULT_FOLDER: &str = "Documentation";

/// What is known of a section. Live answers may lack anything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// Identity of the section.
    pub item_id: Option<String>,
    /// Path and anchor on the site.
    pub url: Option<String>,
    /// Section of the site.
    pub folder: Option<String>,
    /// Title of the page.
    pub header_1: Option<String>,
    /// Heading of level 2.
    pub header_2: Option<String>,
    /// Heading of level 3.
    pub header_3: Option<String>,
    /// Heading of level 4.
    pub header_4: Option<String>,
    /// The section's text.
    pub body: Option<String>,
}

/// A hit as it is displayed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The item's id; its place in the list where it has none.
    pub object_id: String,
    /// Site root and path, with query and fragment.
    pub url: String,
    /// The path on the site, from `/` on, without the site's root, query and fragment: what the router takes.
    pub pathname: String,
    /// What follows `#`; empty if nothing does.
    pub hash: String,
    /// Folder and title.
    pub hierarchy: Hierarchy,
    /// The deepest heading, or some words of the text where there is no heading.
    pub content: String,
    /// What to mark in these texts.
    pub marks: Marks,
}

impl Hit {
    /// The specification knows one type of hit.
    pub const KIND: &'static str = "content";
}

/// Where a hit belongs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hierarchy {
    /// The folder.
    pub lvl0: String,
    /// The title of the page.
    pub lvl1: String,
}

/// Byte ranges to mark in the texts of a hit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks {
    /// In `hierarchy.lvl0`.
    pub lvl0: Vec<Range<usize>>,
    /// In `hierarchy.lvl1`.
    pub lvl1: Vec<Range<usize>>,
    /// In `content`.
    pub content: Vec<Range<usize>>,
}

/// How hits are to be shown: for which query, under which root, in how many words.
#[derive(Debug, Clone)]
pub struct Display<'a> {
    /// Taken from the query.
    pub matcher: Matcher,
    /// What stands before every path: `https://docs.example.com/` or `/`.
    pub site_root: &'a str,
    /// Words of a snippet: 10, on small screens 5.
    pub snippet_words: usize,
}

impl<'a> Display<'a> {
    /// How to show the hits of a query.
    pub fn new(query: &str, site_root: &'a str, snippet_words: usize) -> Self {
        Self {
            matcher: Matcher::new(query),
            site_root,
            snippet_words,
        }
    }

    /// Marks what was searched in the place of misspelt words, too.
    pub fn with_corrections(mut self, corrections: &[Correction]) -> Self {
        self.matcher = self.matcher.with_corrections(corrections);
        self
    }
}

/// Maps the metadata at `list_index` of an answer.
///
/// The link always leads into the site, whatever the metadata says: it starts with the site's root, and what could turn a path
/// into another host (slashes at its beginning, control characters, a scheme with a host) is taken away.
pub fn map(metadata: &Metadata, list_index: usize, display: &Display<'_>) -> Hit {
    let object_id = present(&metadata.item_id).map_or_else(|| list_index.to_string(), str::to_owned);
    let path = path_on_site(present(&metadata.url).unwrap_or_default());
    let (before_hash, hash) = path.split_once('#').unwrap_or((&path, ""));
    let pathname = before_hash.split('?').next().unwrap_or_default();
    let hierarchy = Hierarchy {
        lvl0: present(&metadata.folder).unwrap_or(DEFAULT_FOLDER).to_owned(),
        lvl1: present(&metadata.header_1).unwrap_or_default().to_owned(),
    };
    let passage = [
        &metadata.header_4,
        &metadata.header_3,
        &metadata.header_2,
        &metadata.body,
    ];
    let passage = passage.into_iter().find_map(present).unwrap_or_default();
    let Snippet {
        text: content,
        ranges,
    } = snippet_with(passage, &display.matcher, display.snippet_words);
    let marks = Marks {
        lvl0: display.matcher.ranges(&hierarchy.lvl0),
        lvl1: display.matcher.ranges(&hierarchy.lvl1),
        content: ranges,
    };
    Hit {
        object_id,
        url: [display.site_root.trim_end_matches('/'), "/", &path].concat(),
        pathname: ["/", pathname].concat(),
        hash: hash.to_owned(),
        hierarchy,
        content,
        marks,
    }
}

/// A path without its leading slash.
fn path_on_site(url: &str) -> String {
    let clean: String = url.chars().filter(|character| !character.is_control()).collect();
    let mut path = clean.trim();
    for scheme in ["https://", "http://"] {
        let (start, rest) = path.split_at(path.floor_char_boundary(scheme.len()));
        if start.eq_ignore_ascii_case(scheme) {
            path = rest.find(['/', '?', '#']).map_or("", |end| &rest[end..]);
            break;
        }
    }
    path.trim_start_matches(['/', '\\']).to_owned()
}

/// A text that is there and not empty.
fn present(text: &Option<String>) -> Option<&str> {
    text.as_deref().filter(|text| !text.is_empty())
}
