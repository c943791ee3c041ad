//! Which pages a document becomes, and where each operation and schema stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::routes::words;
use crate::sidebar::SidebarItem;

use super::document::{Document, Tag, schema_name};
use super::fields::SchemaPaths;
use crate::yaml::Yaml;

/// Schemas that no operation reaches.
const REST: &str = "other";

/// The plan of the pages of one document.
pub(crate) struct Reference<'a> {
    pub(crate) document: &'a Document,
    pub(crate) tags: Vec<Tag<'a>>,
    /// The schemas by the tag that first needs them, in the order of the tags.
    pub(crate) groups: Vec<(String, Vec<(&'a str, &'a Yaml)>)>,
    /// The document that this one is compared with.
    pub(crate) before: Option<&'a Document>,
    pub(crate) schema_paths: SchemaPaths<'a>,
}

/// A page of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Index,
    /// Of this tag.
    Tag(usize),
    SchemaIndex,
    /// Of this group.
    Schemas(usize),
    Changes,
}

impl<'a> Reference<'a> {
    pub(crate) fn new(document: &'a Document, before: Option<&'a Document>) -> Self {
        let tags = document.tags();
        let groups = groups(document, &tags);
        let mut schema_paths = SchemaPaths::new();
        for (group, schemas) in &groups {
            for (name, _) in schemas {
                schema_paths.insert(name, format!("{}/schemas/{group}", document.route));
            }
        }
        Self {
            document,
            tags,
            groups,
            before,
            schema_paths,
        }
    }

    /// The id of its section in the sidebar: `/docs/api/v2` is `api-v2`.
    pub(crate) fn section_id(&self, prefix: &str) -> String {
        let route = &self.document.route;
        let below = route.strip_prefix(prefix).unwrap_or(route);
        below.trim_matches('/').replace('/', "-")
    }

    /// The pages in the order of reading.
    pub(crate) fn pages(&self) -> Vec<Kind> {
        let mut pages = vec![Kind::Index];
        pages.extend((0..self.tags.len()).map(Kind::Tag));
        if self.before.is_some() {
            pages.push(Kind::Changes);
        }
        if !self.groups.is_empty() {
            pages.push(Kind::SchemaIndex);
        }
        pages.extend((0..self.groups.len()).map(Kind::Schemas));
        pages
    }

    pub(crate) fn path(&self, page: Kind) -> String {
        let route = &self.document.route;
        match page {
            Kind::Index => route.clone(),
            Kind::Tag(tag) => self.tag_path(self.tags[tag].name),
            Kind::SchemaIndex => format!("{route}/schemas"),
            Kind::Schemas(group) => format!("{route}/schemas/{}", self.groups[group].0),
            Kind::Changes => format!("{route}/changes"),
        }
    }

    pub(crate) fn tag_path(&self, tag: &str) -> String {
        format!("{}/{}", self.document.route, tag.to_lowercase())
    }

    pub(crate) fn title(&self, page: Kind) -> String {
        let label = &self.document.label;
        match page {
            Kind::Index => label.clone(),
            Kind::Tag(tag) => format!("{}, {label}", words(self.tags[tag].name)),
            Kind::SchemaIndex => format!("Schemas, {label}"),
            Kind::Schemas(group) => format!("Schemas of {}, {label}", self.groups[group].0),
            Kind::Changes => format!(
                "From {} to {label}",
                self.before.map_or("", |before| &before.label)
            ),
        }
    }

    /// What the sidebar lists below the page of the document itself. Operations are parts of the pages of their tags.
    pub(crate) fn sidebar(&self) -> Vec<SidebarItem> {
        let leaf = |path: String, title: String| SidebarItem {
            language: None,
            path: Some(path),
            title,
            items: Vec::new(),
        };
        let mut items = Vec::new();
        for page in self.pages() {
            let path = self.path(page);
            match page {
                Kind::Index | Kind::Schemas(_) => {}
                Kind::Tag(tag) => items.push(SidebarItem {
                    language: None,
                    title: words(self.tags[tag].name),
                    items: self.tags[tag]
                        .operations
                        .iter()
                        .map(|operation| {
                            leaf(format!("{path}#{}", operation.id), operation.summary.to_owned())
                        })
                        .collect(),
                    path: Some(path),
                }),
                Kind::SchemaIndex => items.push(SidebarItem {
                    language: None,
                    path: Some(path),
                    title: "Schemas".to_owned(),
                    items: (0..self.groups.len())
                        .map(|group| leaf(self.path(Kind::Schemas(group)), words(&self.groups[group].0)))
                        .collect(),
                }),
                Kind::Changes => {
                    let before = self.before.map_or("", |before| &before.label);
                    items.push(leaf(path, format!("Changes from {before}")));
                }
            }
        }
        items
    }
}

/// Gives every schema to the tag whose operations reach it first.
fn groups<'a>(document: &'a Document, tags: &[Tag<'a>]) -> Vec<(String, Vec<(&'a str, &'a Yaml)>)> {
    let schemas: BTreeMap<&str, &Yaml> = document.schemas().collect();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    let mut groups: Vec<(String, BTreeSet<&str>)> = Vec::new();
    for tag in tags {
        let mut reached = BTreeSet::new();
        for operation in &tag.operations {
            for part in operation.parts() {
                collect(part, &schemas, &mut taken, &mut reached);
            }
        }
        if !reached.is_empty() {
            groups.push((tag.name.to_lowercase(), reached));
        }
    }
    let rest: BTreeSet<&str> = schemas
        .keys()
        .copied()
        .filter(|name| !taken.contains(name))
        .collect();
    if !rest.is_empty() {
        groups.push((REST.to_owned(), rest));
    }
    groups
        .into_iter()
        .map(|(name, members)| {
            let in_order = document.schemas().filter(|(name, _)| members.contains(name));
            (name, in_order.collect())
        })
        .collect()
}

/// Follows the references below a value. A schema that was reached before is not followed again.
fn collect<'a>(
    value: &'a Yaml,
    schemas: &BTreeMap<&'a str, &'a Yaml>,
    taken: &mut BTreeSet<&'a str>,
    reached: &mut BTreeSet<&'a str>,
) {
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        if let Some(name) = schema_name(value)
            && let Some((name, schema)) = schemas.get_key_value(name)
            && taken.insert(name)
        {
            reached.insert(name);
            waiting.push(schema);
        }
        waiting.extend(value.items());
        // A reference below another component, such as a header, leads on from there.
        waiting.extend(value.entries().iter().map(|entry| &entry.value));
    }
}

/// The names of the schemas that a value refers to, itself or further down, each once.
pub(crate) fn references<'a>(value: &'a Yaml, names: &mut BTreeSet<&'a str>) {
    names.extend(schema_name(value));
    for item in value.items() {
        references(item, names);
    }
    for entry in value.entries() {
        references(&entry.value, names);
    }
}
