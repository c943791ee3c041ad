//! What the configuration of another generator says of a site, where its own configuration does not.

use super::Found;
use crate::brand::Pictures;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::source::{Folder, ReadError};
use crate::static_files::StaticFiles;

/// What was found and goes neither into the configuration nor into the folder.
#[derive(Debug, Default)]
pub struct TakenOver {
    /// The logo and the picture of the tab.
    pub pictures: Pictures,
    /// Whether the languages of the site are those that were found. Some of them may have no page.
    pub has_languages: bool,
}

impl Found {
    /// Fills in what `config` leaves open, and what the folder does not know by itself. What a team says itself stays.
    pub fn take_over(
        self,
        config: &mut Config,
        folder: &mut Folder,
    ) -> Result<(TakenOver, Vec<Diagnostic>), ReadError> {
        let mut problems = Vec::new();
        folder.summary = folder.summary.take().or(self.list);
        folder.list_files.extend(self.files);
        let content = &mut config.content;
        content.heading_ids = content.heading_ids.or(self.heading_ids);
        content.number_prefixes = content.number_prefixes.or(self.number_prefixes);
        content.line_numbers = content.line_numbers.or(self.line_numbers);
        content.notebooks = content.notebooks.or(self.notebooks);
        if !content.has_route_prefix {
            content.route_prefix = self.route_prefix.unwrap_or_default();
        }
        content.origin = self.origin;
        content.edit_url = content.edit_url.take().or(self.edit_url);
        if let (None, Some(root)) = (&content.static_files, self.static_files) {
            let icon = self.pictures.favicon.as_ref().map(|icon| icon.file.as_path());
            let (files, wrong) = StaticFiles::read_found(&root, icon)?;
            folder.files.static_files = files;
            problems.extend(wrong);
        }
        let has_languages = config.languages.is_empty() && config.translated.is_empty();
        if has_languages {
            config.languages = self.languages;
            // What a team calls its site itself is its name in each language.
            if !config.site.title.is_empty() {
                config
                    .languages
                    .iter_mut()
                    .for_each(|language| language.title = None);
            }
            config.translated = self.translated;
            folder.titles = self.titles;
        }
        let site = &mut config.site;
        if let (false, Some(language)) = (site.has_language, self.language) {
            site.language = language;
        }
        if let (true, Some(title)) = (site.title.is_empty(), self.title) {
            site.title = title;
        }
        let taken_over = TakenOver {
            pictures: self.pictures,
            has_languages,
        };
        Ok((taken_over, problems))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markdown::slug::HeadingIds;
    use crate::source::{Source, read_folder};

    fn found() -> Found {
        Found {
            title: Some("Theirs".to_owned()),
            language: Some("de".to_owned()),
            heading_ids: Some(HeadingIds::MkDocs),
            line_numbers: Some(true),
            route_prefix: Some("/docs".to_owned()),
            edit_url: Some("https://example.com/theirs/".to_owned()),
            ..Found::default()
        }
    }

    fn parsed(config: &str) -> Config {
        let (config, problems) = Config::parse(&Source::new("siftwren.toml", "siftwren.toml", config));
        assert!(problems.is_empty(), "{problems:?}");
        config
    }

    fn taken_over(config: &str, found: Found) -> (Config, TakenOver) {
        let mut config = parsed(config);
        let content = tempfile::tempdir().unwrap();
        let (mut folder, _) = read_folder(content.path()).unwrap();
        let (taken_over, problems) = found.take_over(&mut config, &mut folder).unwrap();
        assert!(problems.is_empty(), "{problems:?}");
        (config, taken_over)
    }

    #[test]
    fn what_was_found_fills_in_what_the_own_configuration_leaves_open() {
        let (config, _) = taken_over("", found());
        assert_eq!((&*config.site.title, &*config.site.language), ("Theirs", "de"));
        assert_eq!(config.content.heading_ids, Some(HeadingIds::MkDocs));
        assert_eq!(config.content.line_numbers, Some(true));
        assert_eq!(config.content.route_prefix, "/docs");
        assert_eq!(
            config.content.edit_url.as_deref(),
            Some("https://example.com/theirs/")
        );
    }

    #[test]
    fn what_a_team_says_itself_stays() {
        let own = "[site]\ntitle = \"Ours\"\nlanguage = \"fr\"\n[content]\nheading_ids = \"github\"\nline_numbers = false\nroute_prefix = \"\"\nedit_url = \"https://example.com/ours\"\n";
        let (config, _) = taken_over(own, found());
        assert_eq!((&*config.site.title, &*config.site.language), ("Ours", "fr"));
        assert_eq!(config.content.heading_ids, Some(HeadingIds::Github));
        assert_eq!(config.content.line_numbers, Some(false));
        assert_eq!(config.content.route_prefix, "");
        assert!(config.content.edit_url.unwrap().contains("ours"));
    }

    #[test]
    fn languages_are_theirs_or_ours_as_a_whole() {
        let theirs = || {
            let mut languages = parsed("[[language]]\ntag = \"de\"\n").languages;
            languages[0].title = Some("Die Seite".to_owned());
            Found { languages, ..found() }
        };
        let (config, _) = taken_over("", theirs());
        assert_eq!(config.languages[0].title.as_deref(), Some("Die Seite"));
        let (config, whole) = taken_over("[site]\ntitle = \"Ours\"\n", theirs());
        assert!(whole.has_languages);
        // The name that the team gave goes for all of them.
        assert_eq!(config.languages[0].title, None);
        let (config, none) = taken_over("[[language]]\ntag = \"fr\"\n", theirs());
        assert!(!none.has_languages);
        let tags: Vec<&str> = config.languages.iter().map(|language| &*language.tag).collect();
        assert_eq!(tags, ["fr"]);
    }
}
