//! The main menu of a site of Hugo, which its configuration and its pages have together.

use crate::config::{NavbarItem, Position};
use crate::lists::bar;

/// What one of them says of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MenuEntry {
    /// What readers see.
    pub name: String,
    /// What entries of its list call it, beside its name.
    pub identifier: Option<String>,
    /// In the list of which it is.
    pub parent: Option<String>,
    /// They stand by it; 0 is none.
    pub weight: i64,
    /// A path of the site or a whole address, without one it has but a list.
    pub address: Option<String>,
}

/// The items of a bar. Entries that name another one as their parent are in its list.
pub(crate) fn items(mut entries: Vec<MenuEntry>) -> Vec<NavbarItem> {
    entries.sort_by_cached_key(|entry| (by_weight(entry.weight), entry.name.clone()));
    let link = |entry: &MenuEntry| bar::link(&entry.name, entry.address.as_deref()?, Position::Left);
    let roots = entries.iter().filter(|entry| entry.parent.is_none());
    let items = roots.filter_map(|root| {
        let names = [root.identifier.as_ref(), Some(&root.name)];
        let is_inner = |entry: &&MenuEntry| entry.parent.is_some() && names.contains(&entry.parent.as_ref());
        let inner: Vec<NavbarItem> = entries.iter().filter(is_inner).filter_map(link).collect();
        match inner.is_empty() {
            true => link(root),
            false => bar::dropdown(&root.name, inner, Position::Left),
        }
    });
    bar::unique(items.collect())
}

/// What things of Hugo stand by: those without a weight come last.
pub(crate) fn by_weight(weight: i64) -> (bool, i64) {
    (weight == 0, weight)
}
