//! The navigation bar of the manifest: every item with the place that it leads to, so that the site needs no list of
//! pages to draw it.

use serde::Serialize;

use crate::config::{Config, Link, NavbarItem, NavbarKind, Position};
use crate::diagnostic::Diagnostic;
use crate::fields::Text;
use crate::languages::Translation;
use crate::lists::bar;
use crate::menu::{self, MenuEntry};
use crate::routes::Routes;
use crate::sidebar::{SidebarItem, SidebarSection};
use crate::source::Source;

/// An item of the navigation bar in the manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ManifestNavbarItem {
    position: Position,
    #[serde(flatten)]
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Kind {
    Link(Link),
    Doc {
        doc: String,
        label: String,
        to: String,
    },
    Sidebar {
        sidebar: String,
        label: String,
        to: String,
    },
    Dropdown {
        label: String,
        items: Vec<ManifestNavbarItem>,
    },
    Language,
    Version,
    Search,
    Theme,
}

/// What the items are resolved against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings<'a> {
    pub(crate) titles: &'a [String],
    /// What pages say of the main menu of Hugo.
    pub(crate) menu: &'a [InMenu],
    pub(crate) sidebar: &'a [SidebarSection],
    pub(crate) config_source: &'a Source,
}

/// A page that is in the main menu of Hugo.
#[derive(Clone, Debug)]
pub(crate) struct InMenu {
    pub(crate) page: usize,
    /// Whether it is in the first language.
    pub(crate) is_of_first: bool,
    pub(crate) entry: MenuEntry,
}

/// The items of the configuration in the language of a translation; the search and the theme come last where the configuration has no
/// place for them.
pub(crate) fn navbar(
    surroundings: Surroundings<'_>,
    translation: Translation<'_>,
) -> (Vec<ManifestNavbarItem>, Vec<Diagnostic>) {
    let mut problems = Vec::new();
    let config = translation.config;
    let found: Vec<NavbarItem> = match config.navbar.is_empty() {
        true => {
            let menu = menu::items(menu_entries(surroundings, translation));
            let found_in = |items| found(items, translation.routes);
            let items = found_in(&menu)
                .into_iter()
                .chain(found_in(&config.content.origin.navbar));
            bar::unique(items.collect())
        }
        false => Vec::new(),
    };
    let mut items: Vec<ManifestNavbarItem> = config
        .navbar
        .iter()
        .chain(&found)
        .filter_map(|item| resolved(item, surroundings, translation, &mut problems))
        .collect();
    for kind in [Kind::Search, Kind::Theme] {
        if !items.iter().any(|item| item.kind == kind) {
            let position = Position::Right;
            items.push(ManifestNavbarItem { position, kind });
        }
    }
    (items, problems)
}

/// The main menu of Hugo, with the pages that are in it in the first language, called as the same pages in that of the translation.
fn menu_entries(surroundings: Surroundings<'_>, translation: Translation<'_>) -> Vec<MenuEntry> {
    let Surroundings { menu, .. } = surroundings;
    let of_pages = menu.iter().filter(|found| found.is_of_first).map(|original| {
        let page = translation.page(original.page);
        let own = menu.iter().find(|found| found.page == page).unwrap_or(original);
        MenuEntry {
            name: own.entry.name.clone(),
            address: Some(translation.routes.paths[original.page].clone()),
            ..original.entry.clone()
        }
    });
    let of_site = translation.config.content.origin.menu.iter().cloned();
    of_site.chain(of_pages).collect()
}

/// The items of another generator, as far as they lead to what is here or elsewhere: its sites have pages beside those of the folder.
fn found(items: &[NavbarItem], routes: &Routes) -> Vec<NavbarItem> {
    let items = items.iter().filter_map(|item| {
        let kind = match &item.kind {
            NavbarKind::Link(link) => NavbarKind::Link(Link {
                to: match &link.to {
                    Some(to) => Some(found_path(to, routes)?),
                    None => None,
                },
                ..link.clone()
            }),
            // Some pages have another name there than their file.
            NavbarKind::Doc { doc, label } if routes.page_named(&doc.text).is_none() => {
                NavbarKind::Link(Link {
                    label: label.clone()?,
                    to: Some(found_path(&format!("{}/{}", routes.prefix, doc.text), routes)?),
                    href: None,
                    at: 0,
                })
            }
            NavbarKind::Dropdown { label, items } => NavbarKind::Dropdown {
                label: label.clone(),
                items: Some(found(items, routes)).filter(|items| !items.is_empty())?,
            },
            kind => kind.clone(),
        };
        let position = item.position;
        Some(NavbarItem { position, kind })
    });
    items.collect()
}

/// The path of a page that another generator writes with an ending, or as the file of a folder.
fn found_path(written: &str, routes: &Routes) -> Option<String> {
    let (path, behind) = written.split_at(written.find(['#', '?']).unwrap_or(written.len()));
    let path = [".html", ".md", ".mdx"]
        .iter()
        .find_map(|ending| path.strip_suffix(ending))
        .unwrap_or(path);
    let path = path.strip_suffix("/index").unwrap_or(path).trim_end_matches('/');
    let home = if routes.prefix.is_empty() {
        "/"
    } else {
        &routes.prefix
    };
    match path {
        "" => Some(format!("{home}{behind}")),
        path if path == home || routes.has(path) => Some(format!("{path}{behind}")),
        _ => None,
    }
}

fn resolved(
    item: &NavbarItem,
    surroundings: Surroundings<'_>,
    translation: Translation<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Option<ManifestNavbarItem> {
    let said = |label: &Option<String>| label.as_deref().map(|label| translation.text(label));
    let kind = match &item.kind {
        NavbarKind::Link(link) => Kind::Link(translation.link(link)),
        NavbarKind::Doc { doc, label } => doc_item(doc, said(label), surroundings, translation, problems)?,
        NavbarKind::Sidebar { sidebar, label } => {
            sidebar_item(sidebar, said(label), surroundings, translation, problems)?
        }
        NavbarKind::Dropdown { label, items } => Kind::Dropdown {
            label: translation.text(label),
            items: items
                .iter()
                .filter_map(|item| resolved(item, surroundings, translation, problems))
                .collect(),
        },
        NavbarKind::Language => Kind::Language,
        NavbarKind::Version => Kind::Version,
        NavbarKind::Search => Kind::Search,
        NavbarKind::Theme => Kind::Theme,
    };
    let position = item.position;
    Some(ManifestNavbarItem { position, kind })
}

fn doc_item(
    doc: &Text,
    label: Option<String>,
    Surroundings {
        titles,
        config_source,
        ..
    }: Surroundings<'_>,
    translation: Translation<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Kind> {
    let routes = translation.routes;
    let Some(page) = routes.page_named(&doc.text) else {
        let hint = match routes.similar(&doc.text) {
            Some(path) => format!("a page of that name is at {path}"),
            None => "write the path of its file in the content folder, without `.md`".to_owned(),
        };
        let message = format!("there is no doc with the id \"{}\"; {hint}", doc.text);
        problems.push(Diagnostic::error(config_source, doc.at, message));
        return None;
    };
    let page = translation.page(page);
    Some(Kind::Doc {
        doc: doc.text.clone(),
        label: label.unwrap_or_else(|| titles[page].clone()),
        to: routes.paths[page].clone(),
    })
}

fn sidebar_item(
    id: &Text,
    label: Option<String>,
    Surroundings {
        sidebar,
        config_source,
        ..
    }: Surroundings<'_>,
    translation: Translation<'_>,
    problems: &mut Vec<Diagnostic>,
) -> Option<Kind> {
    let section_of = |id: &str| sidebar.iter().find(|section| section.id == id);
    let translated = section_of(&translation.section(&id.text));
    let Some(section) = translated.or_else(|| section_of(&id.text)) else {
        let known: Vec<&str> = sidebar
            .iter()
            .map(|section| section.id.as_str())
            .filter(|id| !id.is_empty())
            .collect();
        let message = format!(
            "there is no sidebar with the id \"{}\"; the sidebars are the folders {}",
            id.text,
            known.join(", ")
        );
        problems.push(Diagnostic::error(config_source, id.at, message));
        return None;
    };
    Some(Kind::Sidebar {
        sidebar: section.id.clone(),
        label: label.unwrap_or_else(|| section.title.clone()),
        to: section
            .path
            .clone()
            .or_else(|| first_path(&section.items))
            .expect("a section is there because of a page in it"),
    })
}

fn first_path(items: &[SidebarItem]) -> Option<String> {
    items
        .iter()
        .find_map(|item| item.path.clone().or_else(|| first_path(&item.items)))
}

/// The links of the configuration: in the navigation bar, in its dropdowns and in the footer.
pub(crate) fn links(config: &Config) -> Vec<&Link> {
    fn collect<'a>(items: &'a [NavbarItem], links: &mut Vec<&'a Link>) {
        for item in items {
            match &item.kind {
                NavbarKind::Link(link) => links.push(link),
                NavbarKind::Dropdown { items, .. } => collect(items, links),
                _ => {}
            }
        }
    }
    let mut links = Vec::new();
    collect(&config.navbar, &mut links);
    links.extend(config.footer.iter().flat_map(|footer| &footer.links));
    links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(toml: &str) -> String {
        let sources: Vec<Source> = ["guide/start.md", "guide/end.md", "api/README.md"]
            .iter()
            .map(|path| Source::new(*path, *path, ""))
            .collect();
        let config_source = Source::new("siftwren.toml", "siftwren.toml", toml);
        let (config, problems) = Config::parse(&config_source);
        assert_eq!(problems, []);
        let (routes, _) = crate::routes::routes(&sources, &config, &config_source);
        let titles: Vec<String> = ["Start", "End", "API"].map(str::to_owned).to_vec();
        let pages = crate::sidebar::Pages {
            routes: &routes,
            titles: &titles,
            orders: &[None; 3],
            labels: &[const { None }; 3],
            are_unlisted: &[],
            categories: &std::collections::BTreeMap::new(),
            language: "en",
        };
        let (sidebar, _) = crate::sidebar::sidebar(pages, &config, &config_source);
        let surroundings = Surroundings {
            titles: &titles,
            menu: &[],
            sidebar: &sidebar.sections,
            config_source: &config_source,
        };
        let translation = Translation {
            config: &config,
            routes: &routes,
            language: None,
            start: None,
        };
        let (items, problems) = navbar(surroundings, translation);
        items
            .iter()
            .map(|item| serde_json::to_string(item).expect("items have text keys"))
            .chain(problems.iter().map(ToString::to_string))
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn items_know_where_they_lead() {
        let toml = "[[navbar]]\ntype = \"doc\"\ndoc = \"guide/start\"\n[[navbar]]\ntype = \"sidebar\"\nsidebar = \"guide\"\nlabel = \"Read\"\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\nposition = \"right\"\n[[navbar.items]]\ntype = \"sidebar\"\nsidebar = \"api\"\n[[navbar]]\ntype = \"theme\"\n";
        insta::assert_snapshot!(check(toml), @r#"
        {"position":"left","type":"doc","doc":"guide/start","label":"Start","to":"/guide/start"}
        {"position":"left","type":"sidebar","sidebar":"guide","label":"Read","to":"/guide/end"}
        {"position":"right","type":"dropdown","label":"More","items":[{"position":"right","type":"sidebar","sidebar":"api","label":"API","to":"/api"}]}
        {"position":"left","type":"theme"}
        {"position":"right","type":"search"}
        "#);
    }

    #[test]
    fn what_is_missing_is_named() {
        let toml = "[[navbar]]\ntype = \"doc\"\ndoc = \"guides/start\"\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\n[[navbar.items]]\ntype = \"sidebar\"\nsidebar = \"manual\"\n";
        insta::assert_snapshot!(check(toml), @r#"
        {"position":"left","type":"dropdown","label":"More","items":[]}
        {"position":"right","type":"search"}
        {"position":"right","type":"theme"}
        siftwren.toml:3:7: there is no doc with the id "guides/start"; a page of that name is at /guide/start
        siftwren.toml:9:11: there is no sidebar with the id "manual"; the sidebars are the folders api, guide
        "#);
    }
}
