//! The words of a site around its texts, such as "On this page", in the language of the pages.
//!
//! The words are named by what they are in English. `words/en.json` has all of them and says where each stands; the files beside it
//! have them in other languages. A configuration may have words of its own.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::config::Config;
use crate::fields::{Fields, Key, Node, Value};
use crate::languages;

/// All words, in English, and where each stands.
static ENGLISH: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../words/en.json")).expect("the words are a table of texts")
});

macro_rules! translations {
    ($($tag:literal)*) => { [$(($tag, include_str!(concat!("../words/", $tag, ".json")))),*] };
}

/// The languages that they are known in beside English, and the words in each.
const TRANSLATIONS: [(&str, &str); 28] = translations! {
    "ar" "cs" "da" "de" "el" "es" "fa" "fi" "fr" "he" "hi" "hu" "id" "it" "ja" "ko" "nb" "nl" "pl" "pt" "ro" "ru" "sv" "tr" "uk" "vi" "zh-Hans" "zh-Hant"
};

/// The categories of numbers that languages tell apart, see "Language Plural Rules" of Unicode CLDR.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];
/// What stands for a number in words that have forms.
const COUNT: &str = "count";

/// Words in a language.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Wording {
    /// The same for all numbers.
    Text(String),
    /// A form for each category of numbers.
    Forms(BTreeMap<String, String>),
}

/// The words of a configuration, by what they are in English.
pub type OwnWords = BTreeMap<String, Wording>;

/// The words in one language: those that are not what they are in English.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Words(BTreeMap<String, Wording>);

impl Words {
    /// The words of each language of a site, in their order.
    pub(crate) fn of_site(config: &Config) -> Vec<Self> {
        let locales = languages::locales(config);
        locales
            .iter()
            .enumerate()
            .map(|(number, locale)| {
                let mut words = Self::in_language(&locale.tag);
                let own = config.languages.iter().find(|own| own.tag == locale.tag);
                let of_site = (number == 0).then_some(&config.site.words);
                for own in of_site.into_iter().chain(own.map(|own| &own.words)) {
                    words.0.extend(own.clone());
                }
                words
            })
            .collect()
    }

    /// Those that are known in the language of a tag, such as `pt-BR`.
    fn in_language(tag: &str) -> Self {
        let name = translation_of(tag);
        let found = TRANSLATIONS.iter().find(|(known, _)| *known == name);
        let words =
            found.map(|(_, words)| serde_json::from_str(words).expect("words are texts or forms of them"));
        Self(words.unwrap_or_default())
    }

    /// Whether they are all what they are in English.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Words that hold no value.
    pub(crate) fn say<'w>(&'w self, english: &'w str) -> &'w str {
        debug_assert!(is_word(english), "words/en.json has no {english:?}");
        match self.0.get(english) {
            Some(Wording::Text(text)) => text,
            Some(Wording::Forms(forms)) => forms.get("other").map_or(english, String::as_str),
            None => english,
        }
    }

    /// The title of an alert: in the language where it is one of the words.
    pub(crate) fn title<'w>(&'w self, title: &'w str) -> &'w str {
        if is_word(title) { self.say(title) } else { title }
    }

    /// Words with a value for each `{name}` in them.
    pub(crate) fn fill(&self, english: &str, values: &[(&str, &str)]) -> String {
        let mut text = String::new();
        let mut rest = self.say(english);
        while let Some((before, (name, after))) = next_place(rest) {
            let value = values.iter().find(|(known, _)| *known == name);
            text.push_str(before);
            text.push_str(value.map_or("", |(_, value)| value));
            rest = after;
        }
        text + rest
    }
}

/// Whether these are words of the site, in English.
fn is_word(english: &str) -> bool {
    ENGLISH.contains_key(english)
}

/// Whether they are known in the language of a tag.
pub(crate) fn is_known(tag: &str) -> bool {
    let name = translation_of(tag);
    name == "en" || TRANSLATIONS.iter().any(|(known, _)| *known == name)
}

/// The name of the file with the words in a language. Chinese is written in two ways, which its regions tell apart, and Norwegian in two,
/// most of it in one.
fn translation_of(tag: &str) -> String {
    let tag = tag.to_lowercase();
    let mut parts = tag.split('-');
    match parts.next().unwrap_or_default() {
        "zh" if parts.any(|part| matches!(part, "hant" | "tw" | "hk" | "mo")) => "zh-Hant".to_owned(),
        "zh" => "zh-Hans".to_owned(),
        "no" => "nb".to_owned(),
        language => language.to_owned(),
    }
}

/// The text before the first `{name}`, the name, and the text after it.
fn next_place(text: &str) -> Option<(&str, (&str, &str))> {
    let (before, rest) = text.split_once('{')?;
    Some((before, rest.split_once('}')?))
}

/// The names of the values in words.
fn places(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((_, (name, after))) = next_place(rest) {
        names.push(name);
        rest = after;
    }
    names.sort_unstable();
    names
}

/// Reads the words of a configuration from `words` of a table.
pub(crate) fn read_own(fields: &mut Fields<'_>) -> OwnWords {
    let Some((_, mut entries)) = fields.table("words") else {
        return OwnWords::new();
    };
    entries.sort_by_key(|(key, _)| key.at);
    let mut own = OwnWords::new();
    for (key, node) in entries {
        match read_wording(&key, &node) {
            Ok(wording) => {
                own.insert(key.name, wording);
            }
            Err((at, message)) => fields.error(at, message),
        }
    }
    own
}

/// Problems have a place and a message.
fn read_wording(key: &Key, node: &Node) -> Result<Wording, (usize, String)> {
    let english = &key.name;
    if !is_word(english) {
        let hint = match nearest(english) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "all that it has are in `indexer/words/en.json`".to_owned(),
        };
        return Err((key.at, format!("the site has no words `{english}`; {hint}")));
    }
    let wanted = places(english);
    match &node.value {
        Value::String(text) => {
            check_places(text, &wanted, &wanted).map_err(|message| (node.at, message))?;
            Ok(Wording::Text(text.clone()))
        }
        Value::Table(forms) if wanted.contains(&COUNT) => {
            let mut read = BTreeMap::new();
            for (category, form) in forms {
                let Value::String(text) = &form.value else {
                    return Err((form.at, format!("the form `{}` takes text", category.name)));
                };
                if !CATEGORIES.contains(&category.name.as_str()) {
                    let known = CATEGORIES.join(", ");
                    let message = format!("there is no form `{}`; there are {known}", category.name);
                    return Err((category.at, message));
                }
                // "One page" needs no number.
                let needed: Vec<&str> = wanted.iter().copied().filter(|name| *name != COUNT).collect();
                check_places(text, &needed, &wanted).map_err(|message| (form.at, message))?;
                read.insert(category.name.clone(), text.clone());
            }
            if !read.contains_key("other") {
                return Err((
                    node.at,
                    "the form `other` is missing, which every language has".to_owned(),
                ));
            }
            Ok(Wording::Forms(read))
        }
        _ if wanted.contains(&COUNT) => Err((
            node.at,
            format!("`{english}` takes text, or a table of forms such as {{ one = \"…\", other = \"…\" }}"),
        )),
        _ => Err((node.at, format!("`{english}` takes text"))),
    }
}

/// Whether a text holds what is needed and nothing that is not known.
fn check_places(text: &str, needed: &[&str], known: &[&str]) -> Result<(), String> {
    let found = places(text);
    if let Some(missing) = needed.iter().find(|name| !found.contains(name)) {
        return Err(format!(
            "these words have no `{{{missing}}}`, for which the site puts in a value"
        ));
    }
    match found.iter().find(|name| !known.contains(name)) {
        Some(unknown) => Err(format!("the site has no value for `{{{unknown}}}`")),
        None => Ok(()),
    }
}

/// The words that are most like a text, where they differ by a few letters.
fn nearest(text: &str) -> Option<&'static str> {
    nearest_of(text, ENGLISH.keys().map(String::as_str))
}

/// The one of some texts that another is likely to mean.
pub(crate) fn nearest_of<'t>(text: &str, known: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let distance = |word: &str| strsim::damerau_levenshtein(&text.to_lowercase(), &word.to_lowercase());
    let (distance, word) = known.map(|word| (distance(word), word)).min()?;
    (distance <= text.chars().count() / 3).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Source;

    /// The categories of whole numbers below a thousand, by the rules of CLDR 48. Languages that are not here have `other` alone, those
    /// of `ONE` that and `one`.
    const MORE: [(&str, &[&str]); 9] = [
        ("ar", &["zero", "one", "two", "few", "many", "other"]),
        ("cs", &["one", "few", "other"]),
        ("he", &["one", "two", "other"]),
        ("pl", &["one", "few", "many"]),
        ("ro", &["one", "few", "other"]),
        ("ru", &["one", "few", "many"]),
        ("uk", &["one", "few", "many"]),
        ("fa", &["one", "other"]),
        ("hi", &["one", "other"]),
    ];
    const ONE: [&str; 16] = [
        "da", "de", "el", "es", "fa", "fi", "fr", "hi", "hu", "it", "nb", "nl", "pt", "sv", "tr", "en",
    ];

    fn categories(language: &str) -> &[&str] {
        match MORE.iter().find(|(known, _)| *known == language) {
            Some((_, categories)) => categories,
            None if ONE.contains(&language) => &["one", "other"],
            None => &["other"],
        }
    }

    #[test]
    fn every_language_has_all_words_with_their_places_and_forms() {
        for (language, text) in TRANSLATIONS {
            let words: BTreeMap<String, Wording> = serde_json::from_str(text).expect(language);
            let known: Vec<&String> = words.keys().collect();
            assert_eq!(known, ENGLISH.keys().collect::<Vec<_>>(), "{language}");
            for (english, wording) in &words {
                let wanted = places(english);
                let forms: Vec<(&str, &str)> = match wording {
                    Wording::Text(text) => vec![("other", text)],
                    Wording::Forms(forms) => forms
                        .iter()
                        .map(|(name, form)| (name.as_str(), form.as_str()))
                        .collect(),
                };
                for (name, form) in &forms {
                    // A form that stands for one number alone may say it in words.
                    let mut needed = wanted.clone();
                    needed.retain(|place| *place != COUNT || !matches!(*name, "one" | "two"));
                    assert_eq!(
                        check_places(form, &needed, &wanted),
                        Ok(()),
                        "{language}: {english}: {form}"
                    );
                    assert!(
                        !form.trim().is_empty() && form.trim() == *form,
                        "{language}: {form:?}"
                    );
                }
                for category in categories(language) {
                    let has_form = forms.iter().any(|(name, _)| name == category);
                    assert!(
                        !wanted.contains(&COUNT) || has_form,
                        "{language}: {english} has no form for the category {category}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_tag_has_the_words_of_its_language() {
        for (tag, file) in [
            ("pt-BR", "pt"),
            ("PT", "pt"),
            ("zh", "zh-Hans"),
            ("zh-CN", "zh-Hans"),
            ("zh-TW", "zh-Hant"),
            ("zh-Hant-HK", "zh-Hant"),
            ("no", "nb"),
        ] {
            assert_eq!(translation_of(tag), file, "{tag}");
            assert!(!Words::in_language(tag).is_empty(), "{tag}");
        }
        for tag in ["en", "en-GB", "la", "x"] {
            assert!(Words::in_language(tag).is_empty(), "{tag}");
        }
    }

    fn own(toml: &str) -> (Words, Vec<String>) {
        let (config, problems) = Config::parse(&Source::new("siftwren.toml", "siftwren.toml", toml));
        let problems = problems.iter().map(ToString::to_string).collect();
        (Words::of_site(&config).swap_remove(0), problems)
    }

    #[test]
    fn a_configuration_has_words_of_its_own() {
        let (words, problems) = own(
            "[site]\nlanguage = \"de\"\n[site.words]\n\"Note\" = \"Merke\"\n\"Footnote {number}\" = \"({number})\"\n[site.words.\"{count} pages\"]\none = \"eine\"\nother = \"{count}\"\n",
        );
        assert_eq!(problems, [""; 0]);
        assert_eq!(words.say("Note"), "Merke");
        assert_eq!(words.title("Note"), "Merke");
        assert_eq!(words.title("Note well"), "Note well");
        assert_eq!(words.fill("Footnote {number}", &[("number", "{3}")]), "({3})");
        assert_eq!(words.say("{count} pages"), "{count}");
        assert_eq!(words.say("Done"), "Erledigt");
        let (words, _) = own("[site]\ntitle = \"A\"\n");
        assert!(words.is_empty());
        assert_eq!(
            words.fill("Table {number}: {title}", &[("number", "1"), ("title", "A")]),
            "Table 1: A"
        );
    }

    #[test]
    fn words_that_cannot_be_are_named() {
        let (_, problems) = own(concat!(
            "[site.words]\n",
            "\"On this pages\" = \"a\"\n",
            "\"x\" = \"a\"\n",
            "\"Home\" = 1\n",
            "\"Search for “{query}”\" = \"{text}\"\n",
            "\"Footnotes\" = \"{number}\"\n",
            "\"Done\" = { other = \"a\" }\n",
            "\"{count} pages\" = { one = \"a\" }\n",
            "\"{count} results\" = { some = \"a\", other = \"b\" }\n",
            "\"All {count} sections\" = { other = 1 }\n",
            "\"{count} results from the offline index\" = 1\n",
        ));
        insta::assert_snapshot!(problems.join("\n"), @r#"
        siftwren.toml:2:1: the site has no words `On this pages`; did you mean `On this page`?
        siftwren.toml:3:1: the site has no words `x`; all that it has are in `indexer/words/en.json`
        siftwren.toml:4:10: `Home` takes text
        siftwren.toml:5:26: these words have no `{query}`, for which the site puts in a value
        siftwren.toml:6:15: the site has no value for `{number}`
        siftwren.toml:7:10: `Done` takes text
        siftwren.toml:8:19: the form `other` is missing, which every language has
        siftwren.toml:9:23: there is no form `some`; there are zero, one, two, few, many, other
        siftwren.toml:10:36: the form `other` takes text
        siftwren.toml:11:44: `{count} results from the offline index` takes text, or a table of forms such as { one = "…", other = "…" }
        "#);
    }
}
