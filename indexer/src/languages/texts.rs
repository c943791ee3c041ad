//! The texts of a configuration, such as the labels of the navigation bar, in the other languages of a site.

use std::collections::BTreeMap;

use crate::config::{Config, NavbarItem, NavbarKind, Site};
use crate::diagnostic::Diagnostic;
use crate::fields::{Fields, Text, Value};
use crate::source::Source;
use crate::words;

use super::Language;

/// Texts in a language, each with the place of its key, by what they are in the configuration.
pub type OwnTexts = BTreeMap<String, Text>;

/// Reads `texts` of a table.
pub(crate) fn read(fields: &mut Fields<'_>) -> OwnTexts {
    let (_, entries) = fields.table("texts").unwrap_or_default();
    let mut texts = OwnTexts::new();
    for (key, node) in entries {
        match node.value {
            Value::String(text) => {
                texts.insert(key.name, Text { at: key.at, text });
            }
            _ => fields.error(node.at, format!("`{}` takes text", key.name)),
        }
    }
    texts
}

/// Problems where a language has texts that the configuration has not. Another generator, whose texts have no place, may have more.
pub(super) fn check(config: &Config, config_source: &Source) -> Vec<Diagnostic> {
    let known = known(config);
    let all = config.languages.iter().flat_map(|language| &language.texts);
    let unknown = all.filter(|(original, text)| text.at > 0 && !known.contains(&original.as_str()));
    unknown
        .map(|(original, Text { at, .. })| {
            let hint = match words::nearest_of(original, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "texts are named by what they are there, such as the `label` of a link".to_owned(),
            };
            let message = format!("the configuration has no text `{original}`; {hint}");
            Diagnostic::error(config_source, *at, message)
        })
        .collect()
}

/// What of a configuration readers see.
fn known(config: &Config) -> Vec<&str> {
    let Config {
        site,
        content,
        sidebar,
        navbar,
        footer,
        announcement,
        ..
    } = config;
    let mut texts = vec![site.title.as_str()];
    texts.extend(site.tagline.as_deref());
    texts.extend(sidebar.iter().filter_map(|section| section.title.as_deref()));
    add_labels(navbar, &mut texts);
    add_labels(&content.origin.navbar, &mut texts);
    if let Some(footer) = footer {
        texts.extend(footer.text.as_deref());
        texts.extend(footer.links.iter().map(|link| link.label.as_str()));
    }
    texts.extend(announcement.iter().map(|announcement| announcement.text.as_str()));
    texts
}

fn add_labels<'c>(items: &'c [NavbarItem], texts: &mut Vec<&'c str>) {
    for item in items {
        match &item.kind {
            NavbarKind::Link(link) => texts.push(&link.label),
            NavbarKind::Doc { label, .. } | NavbarKind::Sidebar { label, .. } => {
                texts.extend(label.as_deref())
            }
            NavbarKind::Dropdown { label, items } => {
                texts.push(label);
                add_labels(items, texts);
            }
            NavbarKind::Language | NavbarKind::Version | NavbarKind::Search | NavbarKind::Theme => {}
        }
    }
}

impl Language {
    /// What a text of the configuration is in this language: what it is there, unless it says more.
    pub(crate) fn text<'t>(&'t self, original: &'t str) -> &'t str {
        self.texts
            .get(original)
            .map_or(original, |text| text.text.as_str())
    }

    /// The site, as it is called in this language.
    pub(crate) fn site(&self, site: &Site) -> Site {
        let title = match (self.texts.get(&site.title), &self.title) {
            (None, Some(title)) => title,
            _ => self.text(&site.title),
        };
        Site {
            title: title.to_owned(),
            tagline: site
                .tagline
                .as_deref()
                .map(|tagline| self.text(tagline).to_owned()),
            ..site.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONFIG: &str = "[site]\ntitle = \"Site\"\ntagline = \"All of it\"\n[[sidebar]]\nid = \"a\"\ntitle = \"Letters\"\n[[navbar]]\ntype = \"dropdown\"\nlabel = \"More\"\n[[navbar.items]]\ntype = \"doc\"\ndoc = \"a/b\"\nlabel = \"The b\"\n[[navbar.items]]\ntype = \"sidebar\"\nsidebar = \"a\"\n[footer]\ntext = \"Free\"\n[[footer.links]]\nlabel = \"Code\"\nhref = \"https://code.example\"\n[announcement]\nid = \"x\"\ntext = \"New\"\n[[language]]\ntag = \"fr\"\n[language.texts]\n";

    fn problems(texts: &str) -> String {
        let source = Source::new("siftwren.toml", "siftwren.toml", &format!("{CONFIG}{texts}"));
        let (config, mut problems) = Config::parse(&source);
        problems.extend(check(&config, &source));
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        problems.join("\n")
    }

    #[test]
    fn every_text_that_readers_see_can_be_translated() {
        for text in [
            "Site",
            "All of it",
            "Letters",
            "More",
            "The b",
            "Free",
            "Code",
            "New",
        ] {
            assert_eq!(problems(&format!("\"{text}\" = \"x\"\n")), "");
        }
    }

    #[test]
    fn others_are_named_with_the_nearest() {
        insta::assert_snapshot!(problems("\"Leters\" = \"Lettres\"\n\"a\" = \"x\"\n\"More\" = 4\n"), @r"
        siftwren.toml:30:10: `More` takes text
        siftwren.toml:28:1: the configuration has no text `Leters`; did you mean `Letters`?
        siftwren.toml:29:1: the configuration has no text `a`; texts are named by what they are there, such as the `label` of a link
        ");
    }

    #[test]
    fn a_site_is_called_what_its_texts_or_another_generator_say() {
        let config = |texts: &str| {
            let text = format!("{CONFIG}{texts}");
            Config::parse(&Source::new("siftwren.toml", "siftwren.toml", &text)).0
        };
        let called = |config: &Config| {
            let site = config.languages[0].site(&config.site);
            (site.title, site.tagline.unwrap_or_default())
        };
        let expected = |title: &str, tagline: &str| (title.to_owned(), tagline.to_owned());
        let mut config_with = config("\"Site\" = \"Le site\"\n\"All of it\" = \"Tout\"\n");
        assert_eq!(called(&config_with), expected("Le site", "Tout"));
        config_with.languages[0].title = Some("Autre".to_owned());
        assert_eq!(called(&config_with), expected("Le site", "Tout"));
        let mut config_without = config("");
        assert_eq!(called(&config_without), expected("Site", "All of it"));
        config_without.languages[0].title = Some("Autre".to_owned());
        assert_eq!(called(&config_without), expected("Autre", "All of it"));
    }
}
