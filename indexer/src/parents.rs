//! The list of pages that their front matter makes, as Just the Docs has it: `parent` is the title of the page above, `grand_parent` that
//! of the page above it, `nav_order` says where a page stands among its neighbours, and `nav_exclude: true` that no list has it, nor what
//! is below it. Each collection of Jekyll, a folder `_name`, has a list of its own.

use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

use crate::fields::Value;
use crate::front_matter::{all_keys, body_at};
use crate::routes::words;
use crate::source::Source;
use crate::yaml;

/// Pages in pages end here; a page that is above itself has none above it.
const DEEPEST: usize = 16;

/// A page by its number among the sources, with those below it.
#[derive(Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) page: usize,
    pub(crate) title: String,
    pub(crate) below: Vec<Placed>,
}

/// The pages beside each other in a collection; the first has no name, and the pages that are in none.
#[derive(Debug, PartialEq)]
pub(crate) struct Collection {
    pub(crate) name: String,
    pub(crate) pages: Vec<Placed>,
}

/// Whether a page says what it stands below.
pub(crate) fn are_said(sources: &[Source]) -> bool {
    sources.iter().any(|source| {
        source.text.contains("parent:") && all_keys(&source.text).iter().any(|(key, _)| key.name == "parent")
    })
}

/// The lists of the pages, under the names that the configuration has for collections, in its order.
pub(crate) fn collections(sources: &[Source], config: &Source) -> Vec<Collection> {
    let said: Vec<Said> = sources.iter().map(Said::of).collect();
    let above = above(&said);
    let mut below: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
    for page in (0..said.len()).filter(|page| !said[*page].is_excluded) {
        below.entry(above[page]).or_default().push(page);
    }
    for pages in below.values_mut() {
        pages.sort_by(|one, other| said[*one].compared_with(&said[*other]));
    }
    let tops = below.get(&None).map_or(&[][..], Vec::as_slice);
    let mut by_folder: BTreeMap<&str, Vec<Placed>> = BTreeMap::new();
    for page in tops {
        let pages = by_folder.entry(said[*page].collection).or_default();
        pages.push(placed(*page, &said, &below));
    }
    let names = names(config);
    let mut collections: Vec<_> = by_folder.into_iter().collect();
    let position = |folder: &str| {
        names
            .iter()
            .position(|(known, _)| known == folder)
            .unwrap_or(names.len())
    };
    collections.sort_by_key(|(folder, _)| (!folder.is_empty(), position(folder)));
    let named = collections.into_iter().map(|(folder, pages)| Collection {
        name: match names.get(position(folder)) {
            Some((_, name)) => name.clone(),
            None => words(folder),
        },
        pages,
    });
    named.collect()
}

/// What a page says of its place.
struct Said<'a> {
    path: &'a str,
    collection: &'a str,
    title: String,
    parent: Option<String>,
    grand_parent: Option<String>,
    order: Option<f64>,
    is_excluded: bool,
    has_children: bool,
}

impl<'a> Said<'a> {
    fn of(source: &'a Source) -> Self {
        let keys = all_keys(&source.text);
        let value = |name: &str| {
            let found = keys.iter().find(|(key, _)| key.name == name);
            match found.map(|(_, node)| &node.value) {
                Some(Value::String(text)) if !text.trim().is_empty() => Some(text.trim().to_owned()),
                _ => None,
            }
        };
        let heading = || {
            let mut lines = source.text[body_at(&source.text)..].lines();
            Some(lines.find_map(|line| line.strip_prefix("# "))?.trim().to_owned())
        };
        let is_true = |name: &str| value(name).is_some_and(|value| value == "true");
        Self {
            path: &source.path,
            collection: collection_of(&source.path),
            title: value("title").or_else(heading).unwrap_or_default(),
            parent: value("parent"),
            grand_parent: value("grand_parent"),
            order: value("nav_order").and_then(|order| order.parse().ok()),
            is_excluded: is_true("nav_exclude"),
            has_children: is_true("has_children"),
        }
    }

    fn compared_with(&self, other: &Self) -> Ordering {
        let order = |said: &Self| said.order.unwrap_or(f64::INFINITY);
        let title = |said: &Self| said.title.to_lowercase();
        order(self)
            .total_cmp(&order(other))
            .then_with(|| title(self).cmp(&title(other)))
    }
}

/// The name of the collection that a page is in, without its `_`.
fn collection_of(path: &str) -> &str {
    let folders = path.rsplit_once('/').map_or("", |(folders, _)| folders);
    folders
        .split('/')
        .find_map(|folder| folder.strip_prefix('_'))
        .unwrap_or_default()
}

/// The page above each. Of several with the wanted title it is the one below the wanted page, else one that says that it has pages below,
/// else the nearest.
fn above(said: &[Said<'_>]) -> Vec<Option<usize>> {
    let mut titled: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
    for (page, said) in said.iter().enumerate() {
        titled
            .entry((said.collection, &said.title))
            .or_default()
            .push(page);
    }
    let parent = |(page, child): (usize, &Said<'_>)| {
        let named = titled.get(&(child.collection, child.parent.as_deref()?))?;
        let others = named.iter().copied().filter(|other| *other != page);
        others.max_by_key(|other| {
            let other = &said[*other];
            let is_wanted = child.grand_parent.is_some() && other.parent == child.grand_parent;
            let shared = child.path.bytes().zip(other.path.bytes());
            let shared = shared.take_while(|(one, other)| one == other).count();
            (is_wanted, other.has_children, shared)
        })
    };
    let parents: Vec<Option<usize>> = said.iter().enumerate().map(parent).collect();
    let has_end = |page: usize| {
        let ancestors = std::iter::successors(Some(page), |page| parents[*page]);
        ancestors.take(DEEPEST + 1).count() <= DEEPEST
    };
    let pages = 0..said.len();
    pages
        .map(|page| parents[page].filter(|_| has_end(page)))
        .collect()
}

fn placed(page: usize, said: &[Said<'_>], below: &BTreeMap<Option<usize>, Vec<usize>>) -> Placed {
    let pages = below.get(&Some(page)).into_iter().flatten();
    Placed {
        page,
        title: said[page].title.clone(),
        below: pages.map(|page| placed(*page, said, below)).collect(),
    }
}

/// The collections that the configuration names for the lists, and what it calls them: `just_the_docs: {collections: {guides: {name:
/// Guides}}}`. Sites with a theme of their own call the outer key differently.
fn names(config: &Source) -> Vec<(String, String)> {
    let Ok(config) = yaml::read(config) else {
        return Vec::new();
    };
    let tables = config
        .entries()
        .iter()
        .flat_map(|entry| entry.value.table("collections"));
    let named =
        tables.filter_map(|entry| Some((entry.key.clone(), entry.value.text("name")?.trim().to_owned())));
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(pages: &[(&str, &str)], config: &str, expected: &str) {
        let sources = pages.iter().map(|(path, keys)| {
            let text = format!("---\n{}\n---\n", keys.replace("; ", "\n"));
            Source::new(*path, *path, &text)
        });
        let sources: Vec<Source> = sources.collect();
        let collections = collections(&sources, &Source::new("c", "c", config));
        let lists = collections
            .iter()
            .map(|collection| format!("{}[{}]", collection.name, shown(&collection.pages)));
        assert_eq!(lists.collect::<Vec<_>>().join(" "), expected);
    }

    fn shown(pages: &[Placed]) -> String {
        let pages = pages.iter().map(|placed| match placed.below.as_slice() {
            [] => placed.title.clone(),
            below => format!("{}({})", placed.title, shown(below)),
        });
        pages.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pages_stand_below_what_they_name() {
        check(
            &[
                ("a.md", "title: A; nav_order: 2"),
                ("b.md", "title: B; nav_order: 1"),
                ("c.md", "title: c; parent: A"),
                ("d.md", "title: D; parent: A"),
                ("e.md", "title: E; parent: D; nav_order: 10"),
                ("f.md", "title: F; parent: D; nav_order: 9"),
                ("g.md", "title: G; parent: Gone"),
                ("h.md", "title: H; parent: A; nav_exclude: true"),
                ("i.md", "title: I; parent: H"),
            ],
            "",
            "[B A(c D(F E)) G]",
        );
    }

    #[test]
    fn of_one_title_the_page_below_the_wanted_one_is_meant() {
        check(
            &[
                ("a/a.md", "title: A"),
                ("a/x.md", "title: X; parent: A"),
                ("b/b.md", "title: B"),
                ("b/x.md", "title: X; parent: B"),
                ("b/y.md", "title: Y; parent: X; grand_parent: A"),
                ("b/z.md", "title: Z; parent: X"),
            ],
            "",
            "[A(X(Y)) B(X(Z))]",
        );
    }

    #[test]
    fn who_is_above_itself_stands_at_the_top() {
        check(
            &[
                ("a.md", "title: A; parent: B"),
                ("b.md", "title: B; parent: A"),
                ("c.md", "title: C; parent: C"),
            ],
            "",
            "[A B C]",
        );
    }

    #[test]
    fn collections_have_their_own_lists() {
        check(
            &[
                ("_a-b/x.md", "title: X"),
                ("_a-b/y.md", "title: Y; parent: X"),
                ("_c/x.md", "title: X"),
                ("_d/x.md", "title: X; parent: Y"),
                ("e.md", "title: E"),
            ],
            "just_the_docs:\n  collections:\n    d:\n      name: The D\n    c:\n      name: The C\n",
            "[E] The D[X] The C[X] A b[X(Y)]",
        );
    }
}
