//! The data of a page, as the site reads them.

use std::borrow::Cow;
use std::rc::Rc;

use serde::Serialize;

use super::below;
use super::page::{Page, TocEntry};

/// The data of a page.
#[derive(Clone, Debug)]
pub struct PageData {
    pub(super) page: Rc<Page>,
    pub(super) around: Rc<PageAround>,
}

/// What the data of a page say of where it stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct PageAround {
    pub(super) path: String,
    pub(super) section: PageSection,
    pub(super) previous: Option<PageLink>,
    pub(super) next: Option<PageLink>,
    pub(super) edit_url: Option<String>,
    pub(super) last_change: Option<String>,
    /// `reference` or `operations`, for the pages of an API reference.
    pub(super) layout: Option<&'static str>,
    /// The list of the pages below, where the page shows it.
    pub(super) pages_below: Option<String>,
    /// The file of its data in the output.
    pub(super) data_file: String,
    /// Whether its Markdown is a file of the site: not where nothing leads to the page.
    pub(super) has_markdown_file: bool,
}

impl PageData {
    /// The body below the title.
    pub fn html(&self) -> Cow<'_, str> {
        match &self.around.pages_below {
            Some(list) => Cow::Owned(below::with_list(&self.page.html, list)),
            None => Cow::Borrowed(&self.page.html),
        }
    }

    /// The page as the site reads it.
    pub(crate) fn to_json(&self) -> Vec<u8> {
        let Self { page, around } = self;
        let aliases = page.front_matter.aliases.iter();
        json(&PageJson {
            path: &around.path,
            title: &page.title,
            description: &page.description,
            section: &around.section,
            kind: page.front_matter.kind.as_ref().map(|kind| kind.text.as_str()),
            html: &self.html(),
            toc: &page.toc,
            previous: &around.previous,
            next: &around.next,
            edit_url: &around.edit_url,
            last_change: &around.last_change,
            aliases: aliases.map(|alias| alias.text.as_str()).collect(),
            layout: around.layout,
            markdown: self.markdown(),
        })
    }

    /// The name of its file in the output.
    pub(crate) fn file(&self) -> &str {
        &self.around.data_file
    }

    /// What the file of its Markdown holds, where it has one.
    fn markdown(&self) -> Option<&str> {
        let markdown = self.page.markdown.as_ref();
        let markdown = markdown.filter(|_| self.around.has_markdown_file)?;
        Some(&markdown.text)
    }

    /// Whether it is the same, as far as that can be told without reading texts: a page that was kept is one and the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_around_same = Rc::ptr_eq(&self.around, &other.around) || self.around == other.around;
        Rc::ptr_eq(&self.page, &other.page) && is_around_same
    }
}

#[derive(Serialize)]
struct PageJson<'a> {
    path: &'a str,
    title: &'a str,
    description: &'a str,
    section: &'a PageSection,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    html: &'a str,
    toc: &'a [TocEntry],
    previous: &'a Option<PageLink>,
    next: &'a Option<PageLink>,
    edit_url: &'a Option<String>,
    last_change: &'a Option<String>,
    aliases: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<&'static str>,
    markdown: Option<&'a str>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PageSection {
    pub(super) id: String,
    pub(super) title: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct PageLink {
    pub(super) path: String,
    pub(super) title: String,
}

pub(super) fn json(value: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("the data has only text keys")
}
