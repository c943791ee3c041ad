//! What stands around the pages of each language: the name of the site, and the links of its configuration.

use serde::Serialize;

use crate::config::{Announcement, Config, Footer, Link};
use crate::languages::Translation;
use crate::machines::index_page;
use crate::navbar::{self, ManifestNavbarItem, Surroundings};

/// What it is in another language than the first, as far as it is not the same.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct InLanguage {
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tagline: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    navbar: Option<Vec<ManifestNavbarItem>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    footer: Option<Footer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    announcement: Option<Announcement>,
}

impl InLanguage {
    /// Whether it is the same.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// It in the language of a translation; the first has `navbar`, and `index_path` as the path of its page from A to Z.
pub(super) fn in_language(
    translation: Translation<'_>,
    navbar: &[ManifestNavbarItem],
    index_path: Option<&str>,
    surroundings: Surroundings<'_>,
) -> InLanguage {
    let config = translation.config;
    let site = translation.language.map(|language| language.site(&config.site));
    let announcement = config.announcement.as_ref().map(|original| Announcement {
        text: translation.text(&original.text),
        href: original.href.as_deref().map(|href| translation.path(href)),
        ..original.clone()
    });
    // What is wrong with them has been said of the first language.
    let (own, _) = navbar::navbar(surroundings, translation);
    let of_first = Translation {
        language: None,
        ..translation
    };
    let footer_of = |translation| footer(config, index_path, translation);
    InLanguage {
        title: site
            .as_ref()
            .map(|site| site.title.clone())
            .filter(|title| *title != config.site.title),
        tagline: site
            .and_then(|site| site.tagline)
            .filter(|tagline| Some(tagline) != config.site.tagline.as_ref()),
        navbar: Some(own).filter(|own| own != navbar),
        footer: footer_of(translation).filter(|own| Some(own) != footer_of(of_first).as_ref()),
        announcement: announcement.filter(|own| Some(own) != config.announcement.as_ref()),
    }
}

/// The footer, which always leads to the page from A to Z of the first language. The site says that in the language of the page, and leads
/// to the page of that.
pub(super) fn footer(
    config: &Config,
    index_path: Option<&str>,
    translation: Translation<'_>,
) -> Option<Footer> {
    let footer = config.footer.as_ref();
    let translated = footer.map(|footer| Footer {
        text: footer.text.as_deref().map(|text| translation.text(text)),
        links: footer.links.iter().map(|link| translation.link(link)).collect(),
    });
    let Some(path) = index_path else {
        return translated;
    };
    let mut links = footer.iter().flat_map(|footer| &footer.links);
    let is_there = links.any(|link| link.to.as_deref() == Some(path));
    let mut whole = translated.unwrap_or_default();
    if !is_there {
        whole.links.push(Link {
            label: index_page::TITLE.to_owned(),
            to: Some(path.to_owned()),
            href: None,
            at: 0,
        });
    }
    Some(whole)
}
