//! The list of the pages below a page, for pages that ask for it (`<DocCardList />` of Docusaurus) or that say nothing themselves, as
//! the pages of folders do in Hugo and Jekyll.

use std::collections::HashMap;

use crate::html::{PAGES_BELOW, escaped};
use crate::sidebar::{SidebarItem, SidebarSection};

/// A body with its list.
pub(super) fn with_list(html: &str, list: &str) -> String {
    if html.contains(PAGES_BELOW) {
        html.replace(PAGES_BELOW, list)
    } else {
        list.to_owned()
    }
}

/// The list below the page at `path`: the pages of its folder. Where it is the page of none, and its body `html` asks for a list, those
/// beside it; a page that merely says nothing has none then, or a folder of such pages would grow with the square of their number.
/// `descriptions` are those of all pages by their addresses.
pub(super) fn list(
    (path, html): (&str, &str),
    sidebar: &[SidebarSection],
    descriptions: &HashMap<&str, String>,
    (prefix, base): (&str, &str),
) -> String {
    let is_start = path
        .strip_prefix(prefix)
        .is_some_and(|rest| matches!(rest, "" | "/"));
    let is_asked_for = html.contains(PAGES_BELOW);
    let entries: Vec<SidebarItem> = sidebar
        .iter()
        .find_map(|section| match section.path.as_deref() {
            Some(own) if own == path && is_start => Some([section.items.clone(), others(sidebar)].concat()),
            Some(own) if own == path => Some(section.items.clone()),
            _ => {
                let (found, is_below) = below(&section.items, path)?;
                Some(if is_below || is_asked_for {
                    found.to_vec()
                } else {
                    Vec::new()
                })
            }
        })
        // No list names it.
        .or_else(|| is_start.then(|| others(sidebar)))
        .unwrap_or_default();
    let mut list = String::new();
    for entry in entries.iter().filter(|entry| entry.path.as_deref() != Some(path)) {
        let Some(to) = first_path(entry) else { continue };
        let href = escaped(&format!("{}{to}", base.trim_end_matches('/')));
        // What a folder without a page is about nobody says.
        let description = entry.path.as_deref().and_then(|path| descriptions.get(path));
        let description = description.filter(|description| !description.is_empty());
        let description =
            description.map_or_else(String::new, |description| format!("<br>{}", escaped(description)));
        list.push_str(&format!(
            "<li><a href=\"{href}\">{}</a>{description}</li>\n",
            escaped(&entry.title)
        ));
    }
    match list.is_empty() {
        true => list,
        false => format!("<ul>\n{list}</ul>\n"),
    }
}

/// The sections of the first language, whose page the start is, but for the one of the pages beside the folders.
fn others(sidebar: &[SidebarSection]) -> Vec<SidebarItem> {
    let others = sidebar
        .iter()
        .filter(|section| !section.id.is_empty() && section.language.is_none());
    let entries = others.map(|section| SidebarItem {
        language: None,
        path: section.path.clone(),
        title: section.title.clone(),
        items: section.items.clone(),
    });
    entries.collect()
}

/// What stands below the page at `path`, or else beside it, and whether it is below.
fn below<'a>(items: &'a [SidebarItem], path: &str) -> Option<(&'a [SidebarItem], bool)> {
    for item in items {
        if item.path.as_deref() == Some(path) {
            return Some(match item.items.as_slice() {
                [] => (items, false),
                inner => (inner, true),
            });
        }
        if let Some(found) = below(&item.items, path) {
            return Some(found);
        }
    }
    None
}

/// The page of an entry, or the first below it.
fn first_path(item: &SidebarItem) -> Option<&str> {
    let own = item.path.as_deref();
    own.or_else(|| item.items.iter().find_map(first_path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(path: &str, title: &str, items: Vec<SidebarItem>) -> SidebarItem {
        SidebarItem {
            language: None,
            path: (!path.is_empty()).then(|| path.to_owned()),
            title: title.to_owned(),
            items,
        }
    }

    #[test]
    fn a_page_lists_what_is_below_or_beside_it() {
        let section = |path: &str, items| SidebarSection {
            language: None,
            id: path.trim_matches('/').to_owned(),
            title: format!("The {path}"),
            path: (!path.is_empty()).then(|| path.to_owned()),
            items,
        };
        let sidebar = [
            section("/", vec![item("/start", "Start", Vec::new())]),
            section(
                "/a",
                vec![
                    item("/a/one", "One & only", Vec::new()),
                    item("", "Deep", vec![item("/a/deep/x", "X", Vec::new())]),
                    item("/a/sub", "Sub", vec![item("/a/sub/y", "Y", Vec::new())]),
                ],
            ),
            section("/b", Vec::new()),
        ];
        let descriptions = HashMap::from([
            ("/a/one", "It is <one>.".to_owned()),
            ("/a/deep/x", "Not of the folder.".to_owned()),
            ("/a", String::new()),
        ]);
        let check_in = |sidebar: &[SidebarSection], path: &str, expected: &str| {
            let list = list((path, PAGES_BELOW), sidebar, &descriptions, ("", "/base/"));
            assert_eq!(list.replace("/base", ""), expected, "{path}");
            assert!(list.is_empty() || list.contains("\"/base/"), "{path}");
        };
        let check = |path: &str, expected: &str| check_in(&sidebar, path, expected);
        // The first page of a site lists its sections, too.
        check(
            "/",
            "<ul>\n<li><a href=\"/start\">Start</a></li>\n<li><a href=\"/a\">The /a</a></li>\n<li><a href=\"/b\">The /b</a></li>\n</ul>\n",
        );
        check(
            "/a",
            "<ul>\n<li><a href=\"/a/one\">One &amp; only</a><br>It is &lt;one&gt;.</li>\n<li><a href=\"/a/deep/x\">Deep</a></li>\n<li><a href=\"/a/sub\">Sub</a></li>\n</ul>\n",
        );
        check("/a/sub", "<ul>\n<li><a href=\"/a/sub/y\">Y</a></li>\n</ul>\n");
        // Alone in its folder.
        check("/a/sub/y", "");
        check(
            "/a/one",
            "<ul>\n<li><a href=\"/a/deep/x\">Deep</a></li>\n<li><a href=\"/a/sub\">Sub</a></li>\n</ul>\n",
        );
        check("/gone", "");
        // Nobody asks for it.
        let silent = |path| list((path, ""), &sidebar, &descriptions, ("", "/"));
        assert_eq!(silent("/a/one"), "");
        assert_eq!(
            silent("/a/sub"),
            "<ul>\n<li><a href=\"/a/sub/y\">Y</a></li>\n</ul>\n"
        );
        let unnamed = &sidebar[1..];
        check_in(
            unnamed,
            "/",
            "<ul>\n<li><a href=\"/a\">The /a</a></li>\n<li><a href=\"/b\">The /b</a></li>\n</ul>\n",
        );
        check_in(unnamed, "/start", "");
    }
}
