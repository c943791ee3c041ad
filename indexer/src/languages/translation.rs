//! The links and texts of a configuration as they are for the readers of a language.

use crate::config::{Config, Link};
use crate::routes::Routes;

use super::{Language, address, in_language};

/// What they become.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Translation<'a> {
    pub(crate) config: &'a Config,
    pub(crate) routes: &'a Routes,
    /// None: the first language, of which the configuration speaks.
    pub(crate) language: Option<&'a Language>,
    /// The path of the page that the language begins with.
    pub(crate) start: Option<&'a str>,
}

impl Translation<'_> {
    /// A text of the configuration.
    pub(crate) fn text(&self, text: &str) -> String {
        let translated = self.language.map(|language| language.text(text));
        translated.unwrap_or(text).to_owned()
    }

    /// A page, or the same one in the language.
    pub(crate) fn page(&self, page: usize) -> usize {
        self.translated(page).unwrap_or(page)
    }

    fn translated(&self, page: usize) -> Option<usize> {
        let place = in_language(self.routes.places.get(page)?, self.language?, self.config)?;
        self.routes.page_at(&address(&place, self.config))
    }

    /// The folder that a section of the sidebar is, or the same one in the language.
    pub(crate) fn section(&self, id: &str) -> String {
        let translated = self
            .language
            .and_then(|language| in_language(id, language, self.config));
        translated.unwrap_or_else(|| id.to_owned())
    }

    /// A path of this site, or an address: that of the same page in the language where it has the page.
    pub(crate) fn path(&self, path: &str) -> String {
        if self.language.is_none() {
            return path.to_owned();
        }
        let (named, behind) = path.split_at(path.find(['#', '?']).unwrap_or(path.len()));
        let is_home = named == "/" || named == self.routes.prefix;
        let landing = self.routes.landing.filter(|_| is_home);
        let original = landing.or_else(|| self.routes.page_at(named));
        match original.and_then(|page| self.translated(page)) {
            Some(page) => format!("{}{behind}", self.routes.paths[page]),
            None => match self.start.filter(|_| is_home) {
                Some(start) => format!("{start}{behind}"),
                None => path.to_owned(),
            },
        }
    }

    /// A link.
    pub(crate) fn link(&self, link: &Link) -> Link {
        Link {
            label: self.text(&link.label),
            to: link.to.as_deref().map(|to| self.path(to)),
            ..link.clone()
        }
    }
}
