//! What the navigation bars of other generators become: links, lists of links, and the link to the code.

use std::collections::HashSet;

use crate::config::{Link, NavbarItem, NavbarKind, Position};
use crate::fields::Text;
use crate::languages::OwnTexts;

/// The sites that a link to the code is called by.
const HOSTS: [(&str, &str); 4] = [
    ("github.com", "GitHub"),
    ("gitlab.com", "GitLab"),
    ("codeberg.org", "Codeberg"),
    ("bitbucket.org", "Bitbucket"),
];

/// A link to an address as another generator writes it: whole, or from the root of its site.
pub(crate) fn link(label: &str, address: &str, position: Position) -> Option<NavbarItem> {
    let label = label.trim();
    let is_whole = ["https://", "http://"]
        .iter()
        .any(|scheme| address.starts_with(scheme));
    if label.is_empty() || address.starts_with("//") || !is_whole && address.contains(':') {
        return None;
    }
    let path = || format!("/{}", address.trim_start_matches("./").trim_start_matches('/'));
    let link = Link {
        label: label.to_owned(),
        to: (!is_whole).then(path),
        href: is_whole.then(|| address.to_owned()),
        at: 0,
    };
    Some(NavbarItem {
        position,
        kind: NavbarKind::Link(link),
    })
}

/// A list of links.
pub(crate) fn dropdown(label: &str, items: Vec<NavbarItem>, position: Position) -> Option<NavbarItem> {
    let label = label.trim().to_owned();
    let items = unique(items);
    (!label.is_empty() && !items.is_empty()).then_some(NavbarItem {
        position,
        kind: NavbarKind::Dropdown { label, items },
    })
}

/// The link to the code of a site, called as its host is.
pub(super) fn code(address: &str) -> Option<NavbarItem> {
    let (_, rest) = address.split_once("://")?;
    let host = rest.split('/').next()?.trim_start_matches("www.");
    let (_, label) = HOSTS.iter().find(|(known, _)| *known == host)?;
    link(label, address, Position::Right)
}

/// Items of which no two are called the same: the first of these.
pub(crate) fn unique(items: Vec<NavbarItem>) -> Vec<NavbarItem> {
    let mut labels = HashSet::new();
    let is_new = |item: &NavbarItem| match &item.kind {
        NavbarKind::Link(Link { label, .. })
        | NavbarKind::Dropdown { label, .. }
        | NavbarKind::Doc {
            label: Some(label), ..
        } => labels.insert(label.clone()),
        _ => true,
    };
    items.into_iter().filter(is_new).collect()
}

/// What the labels of a bar are in that of another language, which has the same items in the same order.
pub(super) fn translations(bar: &[NavbarItem], own: &[NavbarItem]) -> OwnTexts {
    let mut texts = OwnTexts::new();
    add_translations(bar, own, &mut texts);
    texts
}

fn add_translations(bar: &[NavbarItem], own: &[NavbarItem], texts: &mut OwnTexts) {
    if bar.len() != own.len() {
        return;
    }
    for (item, own) in bar.iter().zip(own) {
        let (label, translated) = match (&item.kind, &own.kind) {
            (NavbarKind::Link(link), NavbarKind::Link(own)) => (&link.label, &own.label),
            (
                NavbarKind::Dropdown { label, items },
                NavbarKind::Dropdown {
                    label: own,
                    items: own_items,
                },
            ) => {
                add_translations(items, own_items, texts);
                (label, own)
            }
            _ => continue,
        };
        let translated = Text {
            at: 0,
            text: translated.clone(),
        };
        texts.insert(label.clone(), translated);
    }
}

/// What the path of a file in the content folder is appended to, where `content` is the path of that from the folder which `before` is
/// the address of.
pub(super) fn folder_of_edit_links(before: &str, content: &str) -> String {
    let mut parts: Vec<&str> = before.trim_end_matches('/').split('/').collect();
    for part in content.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("{}/", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_whole_or_from_the_root() {
        let address = |written: &str| match link("A", written, Position::Left)?.kind {
            NavbarKind::Link(Link { to, href, .. }) => to.or(href),
            _ => None,
        };
        for (written, expected) in [
            ("/guide/", Some("/guide/")),
            ("docs/intro", Some("/docs/intro")),
            ("./docs", Some("/docs")),
            ("https://a.example/b:c", Some("https://a.example/b:c")),
            ("//a.example", None),
            ("javascript:alert(1)", None),
            ("mailto:a@b.example", None),
        ] {
            assert_eq!(address(written).as_deref(), expected, "{written}");
        }
        assert_eq!(link(" ", "/a", Position::Left), None);
    }

    #[test]
    fn code_is_called_as_its_host() {
        let label = |address: &str| match code(address)?.kind {
            NavbarKind::Link(Link { label, .. }) => Some(label),
            _ => None,
        };
        for (address, expected) in [
            ("https://github.com/a/b", Some("GitHub")),
            ("https://www.gitlab.com/a/b", Some("GitLab")),
            ("https://github.com.evil.example/a", None),
            ("github.com/a/b", None),
        ] {
            assert_eq!(label(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn the_content_may_be_beside_the_folder_of_edit_links() {
        let before = "https://github.com/a/b/edit/main/site/";
        for (content, expected) in [
            ("docs", "https://github.com/a/b/edit/main/site/docs/"),
            ("./src/docs/", "https://github.com/a/b/edit/main/site/src/docs/"),
            ("../docs", "https://github.com/a/b/edit/main/docs/"),
            ("", before),
        ] {
            assert_eq!(folder_of_edit_links(before, content), expected);
        }
    }

    #[test]
    fn no_two_items_are_called_the_same() {
        let link = |label: &str, address: &str| link(label, address, Position::Left).unwrap();
        let items = unique(vec![link("A", "/a"), link("B", "/b"), link("A", "/c")]);
        assert_eq!(items, [link("A", "/a"), link("B", "/b")]);
        assert_eq!(dropdown("More", Vec::new(), Position::Left), None);
    }
}
