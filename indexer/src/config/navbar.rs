//! `[[navbar]]`: the items of the navigation bar, each of a type.

use serde::Serialize;

use super::{Link, Table, read, read_link};
use crate::diagnostic::Diagnostic;
use crate::fields::{Fields, Text};
use crate::source::Source;

/// An item of the navigation bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NavbarItem {
    /// At which end of the bar it stands.
    pub position: Position,
    /// What it is.
    pub kind: NavbarKind,
}

/// The ends of the navigation bar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Position {
    /// Beside the name of the site.
    #[default]
    Left,
    /// At the other end.
    Right,
}

/// The types of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NavbarKind {
    /// To a page or an address.
    Link(Link),
    /// To a page, by the path of its file.
    Doc {
        /// The file in the content folder, without `.md`.
        doc: Text,
        /// What readers see; without it the title of the page.
        label: Option<String>,
    },
    /// To the first page of a section of the sidebar.
    Sidebar {
        /// The name of the section's folder.
        sidebar: Text,
        /// What readers see; without it the title of the section.
        label: Option<String>,
    },
    /// A list of links that opens.
    Dropdown {
        /// What readers see.
        label: String,
        /// Its links.
        items: Vec<NavbarItem>,
    },
    /// The choice of the language.
    Language,
    /// The choice of the version.
    Version,
    /// The button of the search.
    Search,
    /// The switch between dark and light.
    Theme,
}

const TYPES: [&str; 8] = [
    "link", "doc", "sidebar", "dropdown", "language", "version", "search", "theme",
];
const TYPES_IN_DROPDOWN: [&str; 3] = ["link", "doc", "sidebar"];

/// Reads one item. The links of a dropdown are tables of their own and come after it.
pub(super) fn read_item(source: &Source, table: Table, problems: &mut Vec<Diagnostic>) -> Option<NavbarItem> {
    let (item, tables) = read(source, "[[navbar]]", table, problems, |fields| {
        let position = read_position(fields);
        let kind = read_kind(fields, &TYPES);
        let tables = match kind {
            Some(NavbarKind::Dropdown { .. }) => {
                fields.required_tables("items", "`[[navbar.items]]` with a `label` and a `to`")
            }
            _ => Vec::new(),
        };
        (kind.map(|kind| NavbarItem { position, kind }), tables)
    });
    let mut item = item?;
    if let NavbarKind::Dropdown { items, .. } = &mut item.kind {
        for table in tables {
            let kind = read(source, "[[navbar.items]]", table, problems, |fields| {
                read_kind(fields, &TYPES_IN_DROPDOWN)
            });
            items.extend(kind.map(|kind| NavbarItem {
                position: item.position,
                kind,
            }));
        }
    }
    Some(item)
}

fn read_position(fields: &mut Fields<'_>) -> Position {
    match fields.text("position") {
        Some(position) if position.text == "right" => Position::Right,
        Some(position) if position.text != "left" => {
            let message = format!("`position` takes left or right, not `{}`", position.text);
            fields.error(position.at, message);
            Position::Left
        }
        _ => Position::Left,
    }
}

fn read_kind(fields: &mut Fields<'_>, types: &[&str]) -> Option<NavbarKind> {
    let kind = fields.text("type");
    let label = |fields: &mut Fields<'_>| fields.filled_text("label", "Start").map(|label| label.text);
    match kind.as_ref().map_or("link", |kind| &kind.text) {
        unknown if !types.contains(&unknown) => {
            let at = kind.as_ref().map_or(0, |kind| kind.at);
            let message = format!(
                "No NavbarItem component found for type \"{unknown}\". The types here are {}.",
                types.join(", ")
            );
            fields.error(at, message);
            // Which keys it takes depends on the type.
            fields.ignore_rest();
            None
        }
        "doc" => {
            let doc = fields.required_text("doc", "overview/welcome");
            let label = label(fields);
            Some(NavbarKind::Doc { doc: doc?, label })
        }
        "sidebar" => {
            let sidebar = fields.required_text("sidebar", "overview");
            let label = label(fields);
            Some(NavbarKind::Sidebar {
                sidebar: sidebar?,
                label,
            })
        }
        "dropdown" => {
            let label = fields
                .required_filled_text("label", "More")
                .map(|label| label.text);
            Some(NavbarKind::Dropdown {
                label: label.unwrap_or_default(),
                items: Vec::new(),
            })
        }
        "language" => Some(NavbarKind::Language),
        "version" => Some(NavbarKind::Version),
        "search" => Some(NavbarKind::Search),
        "theme" => Some(NavbarKind::Theme),
        _ => read_link(fields).map(NavbarKind::Link),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    fn parse(text: &str) -> (Vec<NavbarItem>, String) {
        let (config, problems) = Config::parse(&Source::new("siftwren.toml", "siftwren.toml", text));
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        (config.navbar, problems.join("\n"))
    }

    #[test]
    fn an_item_is_a_link_unless_it_says_its_type() {
        let (items, problems) = parse(
            "[[navbar]]\nlabel = \"Docs\"\nto = \"/docs\"\n[[navbar]]\ntype = \"theme\"\nposition = \"right\"\n",
        );
        assert_eq!(problems, "");
        assert!(matches!(&items[0].kind, NavbarKind::Link(link) if link.to.as_deref() == Some("/docs")));
        assert_eq!(
            (items[1].position, &items[1].kind),
            (Position::Right, &NavbarKind::Theme)
        );
    }

    #[test]
    fn a_dropdown_holds_links() {
        let (items, problems) = parse(
            "[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\n[[navbar.items]]\ntype = \"doc\"\ndoc = \"a/b\"\n[[navbar.items]]\nlabel = \"Elsewhere\"\nhref = \"https://example.com\"\n",
        );
        assert_eq!(problems, "");
        let NavbarKind::Dropdown { items, .. } = &items[0].kind else {
            panic!("not a dropdown: {items:?}")
        };
        assert!(matches!(&items[0].kind, NavbarKind::Doc { doc, .. } if doc.text == "a/b"));
        assert!(matches!(&items[1].kind, NavbarKind::Link(_)));
    }

    #[test]
    fn what_an_item_cannot_be_is_said_with_its_place() {
        let (_, problems) = parse(
            "[[navbar]]\ntype = \"carousel\"\nspeed = 4\n[[navbar]]\ntype = \"doc\"\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\n[[navbar.items]]\ntype = \"search\"\n[[navbar]]\ntype = \"version\"\nlabel = \"v\"\nposition = \"top\"\n",
        );
        insta::assert_snapshot!(problems, @r#"
        siftwren.toml:2:8: No NavbarItem component found for type "carousel". The types here are link, doc, sidebar, dropdown, language, version, search, theme.
        siftwren.toml:4:1: [[navbar]] has no `doc`; add one, for example `overview/welcome`
        siftwren.toml:10:8: No NavbarItem component found for type "search". The types here are link, doc, sidebar.
        siftwren.toml:14:12: `position` takes left or right, not `top`
        siftwren.toml:13:1: [[navbar]] has no key `label`; it takes position, type
        "#);
    }
}
