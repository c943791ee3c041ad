//! What folders say about themselves.

use std::collections::BTreeMap;

use super::Input;
use crate::config::Config;
use crate::diagnostic::Diagnostic;
use crate::front_matter::Category;
use crate::languages::{self, Language};
use crate::lists::Translations;
use crate::routes::{Routes, path_below_prefix};
use crate::source::Source;

/// What folders say about themselves, by their path below the prefix. Our own content says it in the configuration.
pub(super) fn categories(
    Input { folder, config, .. }: &Input,
    routes: &Routes,
) -> (BTreeMap<String, Category>, Vec<Diagnostic>) {
    let mut categories = BTreeMap::new();
    let mut problems = Vec::new();
    if config.content.schema.is_strict() {
        return (categories, problems);
    }
    for path in folder.files.named(&Category::FILES) {
        match folder.files.read_text(path) {
            Ok((source, found)) => {
                problems.extend(found);
                let (category, found) = Category::parse(&source);
                problems.extend(found);
                let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
                categories.insert(
                    path_below_prefix(
                        &format!("{parent}/index.md"),
                        config.content.has_number_prefixes(),
                    )
                    .trim_start_matches('/')
                    .to_owned(),
                    category,
                );
            }
            Err(error) => {
                let source = Source::new(path, path, "");
                problems.push(Diagnostic::error(&source, 0, error.to_string()));
            }
        }
    }
    add_of_languages(&mut categories, config, &folder.titles);
    for (folder, number) in &routes.folder_numbers {
        let category: &mut Category = categories.entry(folder.clone()).or_default();
        category.position.get_or_insert(*number);
    }
    (categories, problems)
}

/// What a folder says in the first language holds for the translated ones that say nothing, with the name that it has there.
fn add_of_languages(categories: &mut BTreeMap<String, Category>, config: &Config, titles: &Translations) {
    let is_translated = |language: &&Language| {
        let mut translated = config.translated.iter();
        translated.any(|translated| translated.folder == language.folder)
    };
    for language in config.languages.iter().filter(is_translated) {
        let of_first: Vec<(String, Category)> = categories
            .iter()
            .filter(|(path, _)| languages::folder_of(path, config).is_none())
            .map(|(path, category)| (format!("{}/{path}", language.folder), category.clone()))
            .collect();
        for (path, mut category) in of_first {
            if let Some(label) = &mut category.label
                && let Some(own) = titles.get(label).and_then(|own| own.get(&language.tag))
            {
                label.clone_from(own);
            }
            categories.entry(path).or_insert(category);
        }
    }
}
