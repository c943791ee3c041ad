//! The list of everything that an output has.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use search_core::IndexFile;
use serde::Serialize;

use super::arranged::Arranged;
use super::in_language::InLanguage;
use super::page::Page;
use super::searched::Searched;
use super::{Basis, Input};
use crate::api::ManifestApi;
use crate::brand::{Favicon, Logo};
use crate::config::{Analytics, Announcement, Footer, Search};
use crate::languages::Locale;
use crate::navbar::ManifestNavbarItem;
use crate::sidebar::SidebarSection;
use crate::words::Words;

/// `manifest.json`
#[derive(Debug, Serialize)]
pub struct Manifest {
    version: u32,
    site: crate::config::Site,
    logo: Option<Logo>,
    favicon: Option<Favicon>,
    content: ManifestContent,
    search: ManifestSearch,
    navbar: Vec<ManifestNavbarItem>,
    hide_navbar_on_scroll: bool,
    logo_has_title: bool,
    docs_version: ManifestVersion,
    /// The languages of the site.
    pub(super) locales: Vec<Locale>,
    /// Their words around the texts, where these are not the English ones.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    words: BTreeMap<String, Words>,
    footer: Option<Footer>,
    /// What stands around the pages of other languages, where it is not the same, by their tags.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    in_languages: BTreeMap<String, InLanguage>,
    announcement: Option<Announcement>,
    /// The API references.
    api: Vec<ManifestApi>,
    analytics: Option<Analytics>,
    /// The other sites whose images the pages show: a policy has to let them through.
    image_origins: BTreeSet<String>,
    /// The sections in the order of reading.
    #[serde(serialize_with = "as_list")]
    pub sidebar: Rc<[SidebarSection]>,
    /// The pages in the order of reading.
    #[serde(serialize_with = "as_list")]
    pub pages: Rc<[ManifestPage]>,
    /// The pages that are components.
    components: Vec<crate::components::Component>,
    /// The picture of the start page.
    card: Option<String>,
    /// The files at the root of the site, each below `root/` of the output. The Markdown of pages is with their data.
    #[serde(serialize_with = "as_list")]
    root_files: Rc<[String]>,
    /// The files and folders that the site is made from, beside the content and the configuration.
    inputs: BTreeSet<PathBuf>,
}

impl Manifest {
    /// What is to be said of these pages.
    pub(super) fn new(
        basis: Basis<'_>,
        arranged: &Arranged,
        locales: Vec<Locale>,
        searched: &Searched,
    ) -> Self {
        let Basis {
            input,
            routes,
            references,
            words,
            pages,
            ..
        } = basis;
        let Input {
            config,
            brand,
            components,
            ..
        } = input;
        Self {
            version: 1,
            site: config.site.clone(),
            logo: brand.logo.clone(),
            favicon: brand.favicon.clone(),
            content: ManifestContent {
                route_prefix: config.content.route_prefix.clone(),
                landing: routes.landing.map(|page| routes.paths[page].clone()),
            },
            search: ManifestSearch::new(&config.search, searched),
            navbar: arranged.navbar.clone(),
            hide_navbar_on_scroll: config.site.hide_navbar_on_scroll,
            logo_has_title: brand.logo_has_title,
            docs_version: ManifestVersion {
                label: config.content.version.clone(),
                plugin: "default",
            },
            words: locales
                .iter()
                .zip(words)
                .filter(|(_, words)| !words.is_empty())
                .map(|(locale, words)| (locale.tag.clone(), words.clone()))
                .collect(),
            locales,
            footer: arranged.footer.clone(),
            in_languages: arranged.in_languages.clone(),
            announcement: config.announcement.clone(),
            api: references.manifest(),
            analytics: config.analytics.clone(),
            image_origins: image_origins(pages),
            sidebar: Rc::clone(&arranged.sidebar),
            pages: Rc::clone(&arranged.manifest_pages),
            components: components.pages.clone(),
            card: arranged.card.clone(),
            root_files: Rc::clone(&arranged.root_names),
            inputs: inputs(input, pages),
        }
    }

    /// The name of the search index in the output.
    pub fn index_file(&self) -> &str {
        &self.search.index
    }
}

#[derive(Debug, Serialize)]
struct ManifestContent {
    route_prefix: String,
    landing: Option<String>,
}

/// The version of the pages. A site has one; the choice of a reader is remembered by the name of the plugin.
#[derive(Debug, Serialize)]
struct ManifestVersion {
    label: String,
    plugin: &'static str,
}

#[derive(Debug, Serialize)]
struct ManifestSearch {
    mode: String,
    api_url: Option<String>,
    model: Option<String>,
    /// The core of the index.
    index: String,
    /// The cores of the other languages.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    languages: BTreeMap<String, String>,
    /// All files of the indexes, which stand beside the cores.
    files: Vec<ManifestIndexFile>,
    /// Whether the index has vectors.
    vectors: bool,
}

#[derive(Debug, Serialize)]
struct ManifestIndexFile {
    name: String,
    bytes: usize,
    /// The letter of the kind, `core` for the core.
    kind: String,
}

/// A page in the manifest.
#[derive(Debug, Serialize)]
pub struct ManifestPage {
    /// Its address without the base.
    pub path: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) section: String,
    /// The file of its data.
    pub data: String,
    pub(super) source: String,
    /// The file of its picture.
    pub(super) card: Option<String>,
    /// Its Markdown, below the base.
    pub(super) markdown: Option<String>,
    /// Whether it is found by its address alone.
    #[serde(rename = "unlisted", skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_unlisted: bool,
}

fn as_list<T: Serialize, S: serde::Serializer>(list: &Rc<[T]>, serializer: S) -> Result<S::Ok, S::Error> {
    list.as_ref().serialize(serializer)
}

impl ManifestSearch {
    fn new(config: &Search, searched: &Searched) -> Self {
        Self {
            mode: config.mode.clone(),
            api_url: config.api_url.clone(),
            model: config.model.clone(),
            index: searched.core.clone(),
            languages: searched.other_cores.clone(),
            files: searched.index.iter().map(manifest_index_file).collect(),
            vectors: searched.vectors.is_some(),
        }
    }
}

fn manifest_index_file(file: &IndexFile) -> ManifestIndexFile {
    let kind = file.name.split(|c: char| !c.is_ascii_alphabetic()).next();
    ManifestIndexFile {
        name: file.name.clone(),
        bytes: file.bytes.len(),
        kind: kind.unwrap_or_default().to_owned(),
    }
}

/// The other sites whose images pages show.
fn image_origins(pages: &[Rc<Page>]) -> BTreeSet<String> {
    let links = pages.iter().flat_map(|page| &page.links);
    links
        .filter_map(|link| link.image_origin().map(str::to_owned))
        .collect()
}

/// The files and folders that the site is made from, beside the content and the configuration.
fn inputs(input: &Input, pages: &[Rc<Page>]) -> BTreeSet<PathBuf> {
    let included = pages.iter().flat_map(|page| page.included.iter().cloned());
    let documents = input.api_documents.iter().flatten();
    let pictures = input.brand.sources.iter().cloned();
    let folders = [&input.folder.files.static_files.root, &input.components.root];
    // They need not be in the content folder.
    let lists = input.folder.list_files.iter().cloned();
    let beside = input.folder.files.beside();
    documents
        .map(|document| PathBuf::from(&document.display))
        .chain(lists)
        .chain(pictures)
        .chain(beside)
        .chain(included)
        .chain(
            folders
                .into_iter()
                .filter(|folder| !folder.as_os_str().is_empty())
                .cloned(),
        )
        .collect()
}
