//! The languages of a site. All but the first have their pages in a folder of their own: `fr/guide/start.md` is what
//! `guide/start.md` is in French. The first may have one, too.

mod texts;
mod translation;

use serde::Serialize;

use crate::config::{Config, Generator, Site};
use crate::diagnostic::Diagnostic;
use crate::markdown::slug::HeadingIds;
use crate::routes::{Routes, prefix};
use crate::source::Source;
use crate::source::translated::From;
use crate::words::OwnWords;

pub use texts::OwnTexts;
pub(crate) use texts::read as read_texts;
pub(crate) use translation::Translation;

/// A language that has a folder of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Language {
    /// As HTML names it, such as `pt-BR`.
    pub tag: String,
    /// What readers choose; without it what the language calls itself.
    pub label: Option<String>,
    /// Its folder below the content folder.
    pub folder: String,
    /// Whether its folder comes before what all addresses start with: `/fr/docs/start`, not `/docs/fr/start`.
    pub comes_first: bool,
    /// The words around its texts that are others than the known ones.
    pub words: OwnWords,
    /// What the site is called in it, as another generator has it.
    pub title: Option<String>,
    /// The texts of the configuration in it.
    pub texts: OwnTexts,
    /// Where the configuration names the folder.
    pub at: usize,
}

impl Language {
    /// Whether a path is in its folder.
    pub fn has(&self, path: &str) -> bool {
        is_below(path, &self.folder)
    }
}

/// Whether a path is that of a folder or of something in it.
fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A language as the site knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Locale {
    pub(crate) tag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    /// What the addresses of its pages begin with; those that begin otherwise are of the first language.
    pub(crate) root: String,
    /// The page from A to Z of its pages, where no page of the content is in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) index_page: Option<String>,
}

impl Locale {
    /// What it is called where nobody knows what it calls itself.
    pub(crate) fn name(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.tag)
    }
}

/// The languages of a site, the first one first.
pub(crate) fn locales(config: &Config) -> Vec<Locale> {
    let locale = |language: &Language| Locale {
        tag: language.tag.clone(),
        label: language.label.clone(),
        root: root(language, config),
        index_page: None,
    };
    let mut languages = config.languages.iter();
    let first = languages.find(|language| language.tag == config.site.language);
    let first = first.map_or_else(
        || Locale {
            tag: config.site.language.clone(),
            label: None,
            root: config.content.route_prefix.clone(),
            index_page: None,
        },
        locale,
    );
    std::iter::once(first).chain(others(config).map(locale)).collect()
}

/// The site as it is called in each language, in the order of [`locales`].
pub(crate) fn sites(config: &Config) -> Vec<Site> {
    let others = others(config).map(|language| language.site(&config.site));
    std::iter::once(config.site.clone()).chain(others).collect()
}

/// The languages beside the first.
pub(crate) fn others(config: &Config) -> impl Iterator<Item = &Language> {
    let languages = config.languages.iter();
    languages.filter(|language| language.tag != config.site.language)
}

/// Which of them a path is in.
pub(crate) fn locale_of(path: &str, locales: &[Locale]) -> usize {
    (0..locales.len())
        .filter(|at| is_below(path, &locales[*at].root))
        .max_by_key(|at| locales[*at].root.len())
        .unwrap_or(0)
}

/// The folder of a language that a place is in, if any.
pub(crate) fn folder_of<'c>(place: &str, config: &'c Config) -> Option<&'c str> {
    let languages = config.languages.iter().filter(|language| language.has(place));
    languages
        .map(|language| language.folder.as_str())
        .max_by_key(|folder| folder.len())
}

/// The number of the language that a place is in, in the order of [`locales`].
pub(crate) fn number_of(place: &str, config: &Config) -> usize {
    let folder = folder_of(place, config);
    let position = others(config).position(|other| Some(other.folder.as_str()) == folder);
    position.map_or(0, |position| position + 1)
}

/// The language that a place is in, where that is not the first.
pub(crate) fn other_of<'c>(place: &str, config: &'c Config) -> Option<&'c Language> {
    let folder = folder_of(place, config)?;
    others(config).find(|other| other.folder == folder)
}

/// Its tag.
pub(crate) fn tag_of(place: &str, config: &Config) -> Option<String> {
    other_of(place, config).map(|language| language.tag.clone())
}

/// What the site is called in the language that a place is in.
pub(crate) fn title_of(place: &str, config: &Config) -> String {
    match other_of(place, config) {
        Some(language) => language.site(&config.site).title,
        None => config.site.title.clone(),
    }
}

/// The place in the first language of what is at a place in another one.
pub(crate) fn in_first(place: &str, config: &Config) -> Option<String> {
    let below = place.strip_prefix(&other_of(place, config)?.folder)?;
    Some(
        format!("{}{below}", folder_of_first(config))
            .trim_start_matches('/')
            .to_owned(),
    )
}

/// The place in a language of what is at a place in the first one.
pub(crate) fn in_language(place: &str, language: &Language, config: &Config) -> Option<String> {
    let below = match folder_of_first(config) {
        "" => place,
        folder if is_below(place, folder) => place[folder.len()..].trim_start_matches('/'),
        _ => return None,
    };
    let translated = format!("{}/{below}", language.folder);
    Some(translated.trim_end_matches('/').to_owned())
}

/// The folder of the first language, if it has one.
fn folder_of_first(config: &Config) -> &str {
    let mut languages = config.languages.iter();
    let first = languages.find(|language| language.tag == config.site.language);
    first.map_or("", |language| language.folder.as_str())
}

/// Problems where the configuration names languages that have no pages.
pub(crate) fn check(config: &Config, routes: &Routes, config_source: &Source) -> Vec<Diagnostic> {
    let has_pages = |language: &&Language| {
        let mut places = routes.places.iter();
        places.any(|place| folder_of(place, config) == Some(&language.folder))
    };
    let missing = config.languages.iter().filter(|language| !has_pages(language));
    let mut problems = texts::check(config, config_source);
    problems.extend(missing.map(|language| {
            let mut translated = config.translated.iter();
            let own = translated.find(|translated| translated.folder == language.folder);
            let message = match own.map(|translated| &translated.from) {
                Some(From::Ending(ending)) => format!(
                    "the content has no pages whose names end with `.{ending}.md`, as those of the language `{}` are to; correct `ending`",
                    language.tag
                ),
                _ => format!(
                    "the content has no pages in a folder `{}`, where those of the language `{}` are looked for; name it with `folder`",
                    language.folder, language.tag
                ),
            };
            Diagnostic::error(config_source, language.at, message)
        }));
    problems
}

fn root(language: &Language, config: &Config) -> String {
    let folder = if config.content.is_of(Generator::Starlight) {
        let names = language.folder.split('/').map(|name| HeadingIds::Github.id(name));
        names.collect::<Vec<_>>().join("/")
    } else if config.content.is_of(Generator::Hugo) {
        language.folder.to_lowercase()
    } else {
        language.folder.clone()
    };
    let (before, behind) = (prefix(&folder), config.content.route_prefix.as_str());
    match language.comes_first {
        true => format!("{before}{behind}"),
        false => format!("{behind}{before}"),
    }
}

/// What the address of a page is that stands at a place below the prefix.
pub(crate) fn address(below: &str, config: &Config) -> String {
    let mut languages = config.languages.iter().filter(|language| language.comes_first);
    let own = languages.find_map(|language| {
        let inner = below.strip_prefix(language.folder.as_str())?;
        (inner.is_empty() || inner.starts_with('/')).then(|| format!("{}{inner}", root(language, config)))
    });
    let path = own.unwrap_or_else(|| match below {
        "" => config.content.route_prefix.clone(),
        _ => format!("{}/{below}", config.content.route_prefix),
    });
    if path.is_empty() { "/".to_owned() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_a_language_are_those_of_the_first_and_back() {
        let config = |text: &str| Config::parse(&Source::new("c", "c", text)).0;
        let own = "[site]\nlanguage = \"en\"\n[[language]]\ntag = \"en\"\nfolder = \"en\"\n";
        let french = "[[language]]\ntag = \"fr\"\n";
        for (config, first) in [(config(french), ""), (config(&format!("{own}{french}")), "en/")] {
            let language = config.languages.last().unwrap();
            let place = format!("{first}guides/start");
            let there = in_language(&place, language, &config);
            assert_eq!(there.as_deref(), Some("fr/guides/start"));
            assert_eq!(in_first("fr/guides/start", &config), Some(place));
            let start = in_language(first.trim_end_matches('/'), language, &config);
            assert_eq!(start.as_deref(), Some("fr"));
        }
        // Beside the folder of the first language.
        let config = config(&format!("{own}{french}"));
        assert_eq!(in_language("english/start", &config.languages[1], &config), None);
    }
}
