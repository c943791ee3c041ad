//! The order of the pages: sections are the folders below the route prefix, and readers go through them in this order.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};

use serde::Serialize;

use crate::config::{self, Config, Generator};
use crate::diagnostic::Diagnostic;
use crate::front_matter::Category;
use crate::languages;
use crate::routes::{Routes, words};
use crate::source::Source;

/// A section of the sidebar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SidebarSection {
    /// The name of the folder; empty for the pages beside the folders.
    pub id: String,
    /// What readers see.
    pub title: String,
    /// The language of its pages, where that is not the first of the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The page of the folder itself.
    pub path: Option<String>,
    /// The other pages.
    pub items: Vec<SidebarItem>,
}

/// A page of the sidebar, or a folder of pages.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SidebarItem {
    /// The page; a folder may have none.
    pub path: Option<String>,
    /// What readers see.
    pub title: String,
    /// The language of that, where it is not the one of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// The pages below.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub items: Vec<SidebarItem>,
}

/// The sections, and the pages in the order of reading.
#[derive(Debug, Default)]
pub(crate) struct Sidebar {
    pub(crate) sections: Vec<SidebarSection>,
    pub(crate) order: Vec<usize>,
    /// The pages that are in no list, but in the search.
    pub(crate) found: Vec<usize>,
    /// The pages that are in none of both.
    pub(crate) unlisted: Vec<usize>,
}

/// The pages that are put in order, in that of the sources.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pages<'a> {
    pub(crate) routes: &'a Routes,
    /// Pages without one are left out.
    pub(crate) titles: &'a [String],
    /// Where they say that they stand among their neighbours; as many as titles.
    pub(crate) orders: &'a [Option<f64>],
    /// What those that are the page of a folder have as its name; as many as titles.
    pub(crate) labels: &'a [Option<String>],
    /// Which of them are in no list.
    pub(crate) are_unlisted: &'a [bool],
    /// What folders say about themselves, by their path below the prefix.
    pub(crate) categories: &'a BTreeMap<String, Category>,
    /// The first language of the site.
    pub(crate) language: &'a str,
}

impl Pages<'_> {
    /// Pages that say nothing, and folders without a page, come after the others.
    fn order(&self, tree: &Tree, folder: &str) -> f64 {
        tree.page
            .and_then(|page| self.orders[page])
            .or_else(|| self.categories.get(folder)?.position)
            .unwrap_or(f64::INFINITY)
    }

    /// The name that a folder has from its own page, or from a file of its own.
    fn label(&self, tree: &Tree, folder: &str) -> Option<String> {
        tree.page
            .and_then(|page| self.labels[page].clone())
            .or_else(|| self.categories.get(folder)?.label.clone())
    }

    /// The same of a section, which its own page calls where the folders in it are called so too. MkDocs and Starlight call it by its
    /// folder, which is a name in the first language alone.
    fn section_label(&self, tree: &Tree, folder: &str, config: &Config) -> Option<String> {
        let is_translated = || languages::tag_of(folder, config).is_some();
        let by_folder = [Generator::MkDocs, Generator::Starlight];
        let is_by_folder = || by_folder.iter().any(|generator| config.content.is_of(*generator));
        let is_called_by_page = !config.content.schema.is_strict() && (is_translated() || !is_by_folder());
        let title = || {
            tree.page
                .filter(|_| is_called_by_page)
                .map(|page| self.titles[page].clone())
        };
        self.label(tree, folder).or_else(title)
    }
}

/// Puts pages in order.
pub(crate) fn sidebar(
    pages: Pages<'_>,
    config: &Config,
    config_source: &Source,
) -> (Sidebar, Vec<Diagnostic>) {
    let routes = pages.routes;
    let mut problems = Vec::new();
    let mut trees: BTreeMap<Cow<'_, str>, Tree> = BTreeMap::new();
    let mut sidebar = Sidebar::default();
    for (page, (place, folder)) in routes.places.iter().zip(&routes.folders).enumerate() {
        if pages.are_unlisted.get(page) == Some(&true) {
            sidebar.unlisted.push(page);
            continue;
        }
        let below = place
            .strip_prefix(folder.as_str())
            .unwrap_or(place)
            .trim_start_matches('/');
        trees
            .entry(Cow::Borrowed(folder))
            .or_default()
            .insert(below, page, false);
    }
    add_untranslated(&mut trees, pages, config);
    let mut add = |id: &str, title: String, first: &[String], tree: &Tree| {
        sidebar.order.extend(tree.own_page());
        let items = tree.items((id, ""), first, pages, &mut sidebar.order);
        let path = tree.page.map(|page| routes.paths[page].clone());
        sidebar.sections.push(SidebarSection {
            id: id.to_owned(),
            title,
            language: languages::tag_of(id, config),
            path,
            items,
        });
    };
    if let Some(tree) = trees.remove("") {
        add("", config.site.title.clone(), &[], &tree);
    }
    for (index, section) in config.sidebar.iter().enumerate() {
        let Some(tree) = trees.remove(section.id.text.as_str()) else {
            let id = &section.id.text;
            let stood_before = config.sidebar[..index].iter().any(|other| other.id.text == *id);
            let message = if stood_before {
                format!("the section `{id}` stands here twice; remove one of the two")
            } else {
                format!("the content has no folder `{id}`; remove it here, or correct its name")
            };
            problems.push(Diagnostic::error(config_source, section.id.at, message));
            continue;
        };
        for page in section.pages.iter().filter(|page| !tree.contains(&page.text)) {
            let message = format!(
                "the folder `{}` has no page `{}`; remove it from `pages`",
                section.id.text, page.text
            );
            problems.push(Diagnostic::error(config_source, page.at, message));
        }
        let first = named(section);
        add(
            &section.id.text,
            section_title(
                &section.id.text,
                config,
                pages.section_label(&tree, &section.id.text, config),
            ),
            &first,
            &tree,
        );
    }
    let mut others: Vec<(Cow<'_, str>, Tree)> = trees.into_iter().collect();
    // Language by language, first the pages beside its folders, then as the first language has them.
    let position = |id: &str| {
        let mut sections = config.sidebar.iter();
        let original = languages::in_first(id, config)?;
        sections.position(|section| section.id.text == original)
    };
    let key = |id: &str, tree: &Tree| {
        let is_inner = languages::folder_of(id, config) != Some(id);
        let position = position(id).unwrap_or(usize::MAX);
        (
            (languages::number_of(id, config), is_inner, position),
            pages.order(tree, id),
        )
    };
    others.sort_by(|(of_left, left), (of_right, right)| {
        let (left, right) = (key(of_left, left), key(of_right, right));
        left.0.cmp(&right.0).then(left.1.total_cmp(&right.1))
    });
    for (id, tree) in &others {
        let label = pages.section_label(tree, id, config);
        let original = position(id).map(|position| &config.sidebar[position]);
        let first = original.map_or_else(Vec::new, named);
        add(id, section_title(id, config, label), &first, tree);
    }
    (sidebar, problems)
}

/// The pages that come first in a section.
fn named(section: &config::SidebarSection) -> Vec<String> {
    section.pages.iter().map(|page| page.text.clone()).collect()
}

/// Puts the pages that nobody has translated into the lists of the other languages, where a generator shows all pages in each.
fn add_untranslated<'p>(trees: &mut BTreeMap<Cow<'p, str>, Tree>, pages: Pages<'p>, config: &Config) {
    let shows_all = [Generator::Docusaurus, Generator::MkDocs, Generator::Starlight];
    if !shows_all.iter().any(|generator| config.content.is_of(*generator)) {
        return;
    }
    let routes = pages.routes;
    let places: HashSet<&str> = routes.places.iter().map(String::as_str).collect();
    let of_first = routes.places.iter().zip(&routes.folders).enumerate();
    let of_first: Vec<(usize, (&String, &String))> = of_first
        .filter(|(page, (place, _))| {
            pages.are_unlisted.get(*page) != Some(&true) && languages::folder_of(place, config).is_none()
        })
        .collect();
    let others = config.languages.iter();
    for language in others.filter(|language| language.tag != config.site.language) {
        for (page, (place, folder)) in &of_first {
            let translated = joined(&language.folder, place);
            if places.contains(translated.trim_end_matches('/')) {
                continue;
            }
            let below = place.strip_prefix(folder.as_str()).unwrap_or(place);
            let section = joined(&language.folder, folder).trim_end_matches('/').to_owned();
            let tree = trees.entry(Cow::Owned(section)).or_default();
            tree.insert(below.trim_start_matches('/'), *page, true);
        }
    }
}

/// Puts the pages of a folder in order, where a list leaves that to the folder.
pub(crate) fn folder(
    path: &str,
    listed: &[usize],
    pages: Pages<'_>,
    order: &mut Vec<usize>,
) -> Vec<SidebarItem> {
    let mut tree = Tree::default();
    for page in listed {
        let place = pages.routes.places[*page].as_str();
        let below = place.strip_prefix(path).unwrap_or(place);
        tree.insert(below.trim_start_matches('/'), *page, false);
    }
    order.extend(tree.page);
    let own = tree.page.map(|page| SidebarItem {
        language: None,
        path: Some(pages.routes.paths[page].clone()),
        title: pages.titles[page].clone(),
        items: Vec::new(),
    });
    own.into_iter()
        .chain(tree.items((path, ""), &[], pages, order))
        .collect()
}

/// The title of a section: from the configuration, else what the folder says, else its name as words.
pub(crate) fn section_title(id: &str, config: &Config, label: Option<String>) -> String {
    let language = languages::folder_of(id, config).unwrap_or_default();
    if id == language {
        return languages::title_of(id, config);
    }
    let configured = |id: &str| {
        let mut sections = config.sidebar.iter();
        sections.find(|section| section.id.text == id)?.title.as_deref()
    };
    let translated = || {
        let original = configured(&languages::in_first(id, config)?)?;
        let language = languages::other_of(id, config)?;
        language.texts.get(original).map(|text| text.text.clone())
    };
    configured(id)
        .map(str::to_owned)
        .or_else(translated)
        .or(label)
        .unwrap_or_else(|| words(id[language.len()..].trim_start_matches('/')))
}

#[derive(Debug, Default)]
struct Tree {
    page: Option<usize>,
    /// The page is of the first language, and the list of another one.
    is_untranslated: bool,
    children: BTreeMap<String, Tree>,
}

impl Tree {
    fn insert(&mut self, path: &str, page: usize, is_untranslated: bool) {
        let mut tree = self;
        for segment in path.split('/').filter(|segment| !segment.is_empty()) {
            tree = tree.children.entry(segment.to_owned()).or_default();
        }
        if tree.page.is_none() {
            tree.page = Some(page);
            tree.is_untranslated = is_untranslated;
        }
    }

    /// The page, if it is read on from here.
    fn own_page(&self) -> Option<usize> {
        self.page.filter(|_| !self.is_untranslated)
    }

    fn contains(&self, path: &str) -> bool {
        let mut tree = self;
        for segment in path.split('/') {
            match tree.children.get(segment) {
                Some(child) => tree = child,
                None => return false,
            }
        }
        true
    }

    fn items(
        &self,
        (section, below): (&str, &str),
        first: &[String],
        pages: Pages<'_>,
        order: &mut Vec<usize>,
    ) -> Vec<SidebarItem> {
        let mut children: Vec<(String, &String, &Tree)> = self
            .children
            .iter()
            .map(|(name, tree)| (format!("{below}{name}"), name, tree))
            .collect();
        let folder = |path: &str| joined(section, path);
        // Those that the configuration names, those that name a place themselves, the overview, then by name.
        let configured = |path: &String| first.iter().position(|named| named == path).unwrap_or(usize::MAX);
        children.sort_by(|(path, name, tree), (other_path, other_name, other)| {
            let by_order = pages
                .order(tree, &folder(path))
                .total_cmp(&pages.order(other, &folder(other_path)));
            configured(path)
                .cmp(&configured(other_path))
                .then(by_order)
                .then_with(|| (*name != "overview", *name).cmp(&(*other_name != "overview", *other_name)))
        });
        children
            .into_iter()
            .map(|(path, name, tree)| {
                order.extend(tree.own_page());
                let items = tree.items((section, &format!("{path}/")), first, pages, order);
                SidebarItem {
                    language: tree.is_untranslated.then(|| pages.language.to_owned()),
                    path: tree.page.map(|page| pages.routes.paths[page].clone()),
                    title: tree
                        .page
                        .map(|page| pages.titles[page].clone())
                        .or_else(|| pages.label(tree, &folder(&path)))
                        .unwrap_or_else(|| words(name)),
                    items,
                }
            })
            .collect()
    }
}

fn joined(section: &str, path: &str) -> String {
    if section.is_empty() {
        path.to_owned()
    } else {
        format!("{section}/{path}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(paths: &[&str], toml: &str, expected: &str) {
        check_ordered(paths, &vec![None; paths.len()], toml, expected);
    }

    fn check_ordered(paths: &[&str], orders: &[Option<f64>], toml: &str, expected: &str) {
        let sources: Vec<Source> = paths.iter().map(|path| Source::new(*path, *path, "")).collect();
        let config_source = Source::new("siftwren.toml", "siftwren.toml", toml);
        let (mut config, _) = Config::parse(&config_source);
        config.site.title = "Site".to_owned();
        let (routes, _) = crate::routes::routes(&sources, &config, &config_source);
        let pages = Pages {
            routes: &routes,
            titles: &routes.paths,
            orders,
            labels: &vec![None; orders.len()],
            are_unlisted: &[],
            categories: &BTreeMap::new(),
            language: &config.site.language,
        };
        let (sidebar, problems) = sidebar(pages, &config, &config_source);
        let mut lines = Vec::new();
        for section in &sidebar.sections {
            lines.push(format!(
                "[{}] {} {}",
                section.id,
                section.title,
                section.path.as_deref().unwrap_or("-")
            ));
            push_lines(&mut lines, &section.items, 1);
        }
        lines.push(format!("order {:?}", sidebar.order));
        lines.extend(problems.iter().map(ToString::to_string));
        assert_eq!(lines.join("\n"), expected);
    }

    fn push_lines(lines: &mut Vec<String>, items: &[SidebarItem], depth: usize) {
        for item in items {
            let path = item.path.as_deref().unwrap_or("-");
            lines.push(format!("{}{path} {}", "  ".repeat(depth), item.title));
            push_lines(lines, &item.items, depth + 1);
        }
    }

    #[test]
    fn folders_are_sections_in_alphabetical_order_with_the_overview_first() {
        check(
            &[
                "b/a.md",
                "b/overview.md",
                "a/README.md",
                "a/deep_one/x.md",
                "z.md",
            ],
            "",
            "[] Site -\n  /z /z\n[a] /a /a\n  - Deep one\n    /a/deep_one/x /a/deep_one/x\n[b] B -\n  /b/overview /b/overview\n  /b/a /b/a\norder [4, 2, 3, 1, 0]",
        );
    }

    #[test]
    fn pages_and_folders_stand_where_they_say() {
        check_ordered(
            &[
                "a/x.md",
                "b/README.md",
                "b/end.md",
                "b/overview.md",
                "b/start.md",
                "b/deep/README.md",
            ],
            &[None, Some(1.0), Some(2.5), None, Some(-1.0), Some(2.0)],
            "",
            "[b] /b /b\n  /b/start /b/start\n  /b/deep /b/deep\n  /b/end /b/end\n  /b/overview /b/overview\n[a] A -\n  /a/x /a/x\norder [1, 4, 5, 2, 3, 0]",
        );
        check_ordered(
            &["a/x.md", "a/y.md"],
            &[Some(1.0), None],
            "[[sidebar]]\nid = \"a\"\npages = [\"y\"]\n",
            "[a] A -\n  /a/y /a/y\n  /a/x /a/x\norder [1, 0]",
        );
    }

    #[test]
    fn the_configuration_names_what_comes_first() {
        check(
            &["a/x.md", "a/y.md", "a/z.md", "b/x.md"],
            "[[sidebar]]\nid = \"b\"\n[[sidebar]]\nid = \"a\"\ntitle = \"First\"\npages = [\"z\", \"q\"]\n[[sidebar]]\nid = \"c\"\n[[sidebar]]\nid = \"b\"\n",
            "[b] B -\n  /b/x /b/x\n[a] First -\n  /a/z /a/z\n  /a/x /a/x\n  /a/y /a/y\norder [3, 2, 0, 1]\n\
             siftwren.toml:6:15: the folder `a` has no page `q`; remove it from `pages`\n\
             siftwren.toml:8:6: the content has no folder `c`; remove it here, or correct its name\n\
             siftwren.toml:10:6: the section `b` stands here twice; remove one of the two",
        );
    }
}
