//! Columns from the row's own words: keywords, the language, a summary of its sentences, the nearest of the labels
//! that the prompt names. No language model, no network, the same answer every time.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::{Enrichment, Outputs, Provider};

/// The most keywords of a row.
const KEYWORDS: usize = 5;

/// The longest summary, in characters, unless its first sentence is longer.
const SUMMARY_CHARACTERS: usize = 300;

#[derive(Debug)]
pub(super) struct Extractive;

impl Provider for Extractive {
    fn description(&self) -> String {
        "built-in, extractive: keywords, language, summary, or the nearest of the labels that the prompt names ('one of: …'), all from the words of the row itself; no language model is asked, and a column that is none of these stays null".to_owned()
    }

    fn identity(&self) -> Option<String> {
        None
    }

    fn enrich(&self, task: &Enrichment, rows: &[Map<String, Value>]) -> Result<Vec<Outputs>, String> {
        let kinds: Vec<Kind> = task
            .outputs
            .iter()
            .map(|column| kind(column, &task.outputs, &task.prompt))
            .collect();
        Ok(rows
            .iter()
            .map(|row| {
                let text = text_of(task, row);
                kinds.iter().map(|kind| write(kind, &text)).collect()
            })
            .collect())
    }
}

/// What a column is.
#[derive(Debug, PartialEq)]
enum Kind {
    Keywords,
    Language,
    Summary,
    Label(Vec<String>),
    Other,
}

/// What a column is by what the prompt says of it, else by its name.
fn kind(column: &str, outputs: &[String], prompt: &str) -> Kind {
    let spaced = |name: &str| name.to_lowercase().replace(['_', '-'], " ");
    let name = spaced(column);
    let prompt_lower = prompt.to_lowercase();
    let clauses: Vec<&str> = prompt_lower.split(['.', ';', '\n']).collect();
    let others: Vec<String> = outputs
        .iter()
        .filter(|output| *output != column)
        .map(|output| spaced(output))
        .collect();
    // What follows the column's name in its clause, up to the name of another column.
    let of_column = clauses.iter().map(|clause| spaced(clause)).find_map(|clause| {
        let said = &clause[clause.find(&name)?..];
        let end = others
            .iter()
            .filter_map(|other| said[name.len()..].find(other.as_str()))
            .min()
            .map_or(said.len(), |end| name.len() + end);
        Some(said[..end].to_owned())
    });
    if let Some(labels) = of_column.as_deref().and_then(|said| labels(said, prompt)) {
        return Kind::Label(labels);
    }
    let by_words = |text: &str| {
        let any = |words: &[&str]| words.iter().any(|word| text.contains(word));
        if any(&["keyword", "tag", "topic"]) {
            Some(Kind::Keywords)
        } else if any(&["language", "lang"]) {
            Some(Kind::Language)
        } else if any(&["summar", "abstract", "synopsis", "tldr"]) {
            Some(Kind::Summary)
        } else {
            None
        }
    };
    if let Some(kind) = by_words(&name) {
        return kind;
    }
    if let Some(kind) = of_column.as_deref().and_then(by_words) {
        return kind;
    }
    // A list that is said of no column in particular is for those of which nothing else is said.
    clauses
        .iter()
        .filter(|clause| {
            others
                .iter()
                .all(|other| !spaced(clause).contains(other.as_str()))
        })
        .find_map(|clause| labels(clause, prompt))
        .map_or(Kind::Other, Kind::Label)
}

/// The labels behind "one of", in the spelling of the prompt.
fn labels(clause: &str, prompt: &str) -> Option<Vec<String>> {
    let (_, list) = clause.split_once("one of")?;
    let list = list.trim_start_matches([':', ' ', '[', '(']);
    let labels: Vec<String> = list
        .replace(" or ", ",")
        .split([',', '|', '/'])
        .map(|label| label.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
        .filter(|label| !label.is_empty())
        .map(|label| spelt(&label, prompt))
        .collect();
    (labels.len() >= 2).then_some(labels)
}

/// The label as the prompt writes it; lower-casing may have changed lengths, so it is searched for.
fn spelt(label: &str, prompt: &str) -> String {
    prompt
        .split([',', '|', '/', '.', ';', '\n', ':', '[', '(', ']', ')'])
        .flat_map(|part| part.split(" or "))
        .map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()))
        .find(|part| part.to_lowercase().replace(['_', '-'], " ") == label.replace(['_', '-'], " "))
        .unwrap_or(label)
        .to_owned()
}

fn text_of(task: &Enrichment, row: &Map<String, Value>) -> String {
    let texts: Vec<String> = task
        .columns
        .iter()
        .filter_map(|column| match row.get(column)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            Value::Array(items) => Some(
                items
                    .iter()
                    .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                    .collect::<Vec<_>>()
                    .join(", "),
            ),
            other => Some(other.to_string()),
        })
        .filter(|text| !text.trim().is_empty())
        .collect();
    texts.join("\n")
}

fn write(kind: &Kind, text: &str) -> Option<String> {
    match kind {
        Kind::Keywords => {
            let words = keywords(text);
            (!words.is_empty()).then(|| words.join(", "))
        }
        Kind::Language => language(text).map(str::to_owned),
        Kind::Summary => summary(text),
        Kind::Label(labels) => nearest_label(text, labels),
        Kind::Other => None,
    }
}

/// The words of a text in lower case.
fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn says_something(word: &str) -> bool {
    word.chars().count() > 2
        && !word.chars().all(|c| c.is_ascii_digit())
        && !STOP_WORDS.iter().any(|(_, stops)| stops.contains(&word))
}

/// How often each word that says something is there.
fn counts(text: &str) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for word in words(text).filter(|word| says_something(word)) {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// The most frequent words, earlier ones first among equals.
fn keywords(text: &str) -> Vec<String> {
    let counts = counts(text);
    let mut ranked: Vec<String> = Vec::new();
    for word in words(text) {
        if counts.contains_key(&word) && !ranked.contains(&word) {
            ranked.push(word);
        }
    }
    ranked.sort_by_key(|word| std::cmp::Reverse(counts.get(word).copied().unwrap_or(0)));
    ranked.truncate(KEYWORDS);
    ranked
}

/// The sentences whose words are the most frequent ones of the text, in their order.
fn summary(text: &str) -> Option<String> {
    let sentences = sentences(text);
    let counts = counts(text);
    let score = |sentence: &str| {
        let mut sum = 0;
        let mut length = 0;
        for word in words(sentence) {
            sum += counts.get(&word).copied().unwrap_or(0);
            length += 1;
        }
        // Longer sentences say more, but not in proportion.
        sum as f64 / f64::from(length.max(1)).sqrt()
    };
    let mut ranked: Vec<(usize, f64)> = sentences
        .iter()
        .map(|sentence| score(sentence))
        .enumerate()
        .collect();
    ranked.sort_by(|(a_index, a), (b_index, b)| b.total_cmp(a).then(a_index.cmp(b_index)));
    let mut chosen: Vec<usize> = Vec::new();
    let mut length = 0;
    for (index, _) in ranked {
        let more = sentences[index].chars().count() + 1;
        if chosen.is_empty() || length + more <= SUMMARY_CHARACTERS && chosen.len() < 2 {
            chosen.push(index);
            length += more;
        }
    }
    chosen.sort_unstable();
    let text: Vec<&str> = chosen.into_iter().map(|index| sentences[index]).collect();
    (!text.is_empty()).then(|| text.join(" "))
}

fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut previous = ' ';
    for (index, character) in text.char_indices() {
        let ends =
            character == '\n' || (character.is_whitespace() && matches!(previous, '.' | '!' | '?' | '…'));
        if ends || matches!(previous, '。' | '！' | '？') {
            sentences.push(text[start..index].trim());
            start = index;
        }
        previous = character;
    }
    sentences.push(text[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// The label whose words are most like words of the text; `None` if none is like any.
fn nearest_label(text: &str, labels: &[String]) -> Option<String> {
    let text: Vec<Vec<[char; 3]>> = words(text).map(|word| trigrams(&word)).collect();
    let mut best: Option<(f64, &String)> = None;
    for label in labels {
        let mut score = 0.0;
        let mut parts = 0;
        for part in words(label) {
            let part = trigrams(&part);
            score += text
                .iter()
                .map(|word| (likeness(word, &part) - 0.4).max(0.0))
                .sum::<f64>();
            parts += 1;
        }
        score /= f64::from(parts.max(1));
        if score > 0.0 && best.is_none_or(|(known, _)| score > known) {
            best = Some((score, label));
        }
    }
    let fallback = || {
        labels
            .iter()
            .find(|label| ["unknown", "other"].contains(&label.to_lowercase().as_str()))
    };
    best.map(|(_, label)| label).or_else(fallback).cloned()
}

/// Groups of three letters, with the start marked: beginnings weigh more than ends.
fn trigrams(word: &str) -> Vec<[char; 3]> {
    let padded: Vec<char> = "^^".chars().chain(word.chars()).collect();
    padded
        .windows(3)
        .map(|window| [window[0], window[1], window[2]])
        .collect()
}

/// Dice's coefficient.
fn likeness(a: &[[char; 3]], b: &[[char; 3]]) -> f64 {
    let common = a.iter().filter(|gram| b.contains(gram)).count();
    2.0 * common as f64 / (a.len() + b.len()).max(1) as f64
}

/// The language by its script, else by its small words; ISO 639-1.
fn language(text: &str) -> Option<&'static str> {
    let mut scripts: HashMap<&'static str, usize> = HashMap::new();
    for character in text.chars().filter(|character| character.is_alphabetic()) {
        let script = match u32::from(character) {
            0x0370..=0x03ff => "el",
            0x0400..=0x04ff => "ru",
            0x0590..=0x05ff => "he",
            0x0600..=0x06ff => "ar",
            0x0900..=0x097f => "hi",
            0x0e00..=0x0e7f => "th",
            0x3040..=0x30ff => "ja",
            0x4e00..=0x9fff => "zh",
            0xac00..=0xd7af => "ko",
            _ => "latin",
        };
        *scripts.entry(script).or_default() += 1;
    }
    // Japanese mixes its own letters with Chinese ones.
    if scripts.contains_key("ja") {
        return Some("ja");
    }
    let (script, _) = scripts
        .into_iter()
        .max_by_key(|(script, count)| (*count, *script))?;
    if script != "latin" {
        return Some(script);
    }
    let mut best: Option<(usize, &'static str)> = None;
    for (language, stops) in STOP_WORDS {
        let count = words(text).filter(|word| stops.contains(&word.as_str())).count();
        if count > 0 && best.is_none_or(|(known, _)| count > known) {
            best = Some((count, language));
        }
    }
    best.map(|(_, language)| language)
}

/// The commonest small words of languages in Latin letters.
const STOP_WORDS: [(&str, &[&str]); 7] = [
    (
        "en",
        &[
            "the", "and", "of", "to", "a", "in", "is", "it", "that", "for", "with", "as", "was", "on", "are",
            "be", "by", "this", "his", "her", "from", "at", "an", "or", "who", "which", "not", "but", "they",
            "their", "has", "have", "had", "its", "when", "into", "about", "after", "out", "one", "all",
            "will", "what",
        ],
    ),
    (
        "de",
        &[
            "der", "die", "das", "und", "ist", "nicht", "ein", "eine", "zu", "den", "mit", "von", "auf",
            "im", "dem", "sich", "des", "für", "als", "auch", "er", "sie", "wird", "aus", "bei", "nach",
            "einen", "wie", "seine",
        ],
    ),
    (
        "fr",
        &[
            "le", "la", "les", "et", "est", "un", "une", "du", "des", "dans", "que", "qui", "pour", "pas",
            "sur", "au", "avec", "son", "sa", "ses", "il", "elle", "ce", "par", "plus", "ne", "leur", "aux",
        ],
    ),
    (
        "es",
        &[
            "el", "los", "las", "y", "es", "una", "del", "que", "para", "por", "con", "su", "sus", "al",
            "lo", "como", "más", "pero", "no", "se", "en", "este", "cuando", "sobre",
        ],
    ),
    (
        "it",
        &[
            "il", "gli", "di", "è", "che", "una", "per", "non", "con", "sono", "della", "del", "nel", "più",
            "anche", "come", "suo", "sua", "dei", "alla", "ma",
        ],
    ),
    (
        "pt",
        &[
            "os", "uma", "um", "do", "da", "não", "com", "para", "em", "dos", "das", "mais", "ao", "seu",
            "sua", "que", "são", "pelo", "também", "foi",
        ],
    ),
    (
        "nl",
        &[
            "het", "een", "van", "en", "niet", "dat", "op", "te", "zijn", "voor", "met", "aan", "ook",
            "maar", "wordt", "naar", "deze", "haar", "bij", "uit",
        ],
    ),
];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn columns_are_told_apart_by_the_prompt_and_by_their_names() {
        let prompt = "Write keywords of the plot, and the mood, which is one of: Dark, Light or Tense. Gist: summarise it.";
        let outputs = ["keywords", "mood", "gist"].map(str::to_owned);
        let kind = |column: &str, prompt: &str| kind(column, &outputs, prompt);
        assert_eq!(kind("keywords", prompt), Kind::Keywords);
        assert_eq!(kind("plot_tags", prompt), Kind::Keywords);
        assert_eq!(kind("lang", prompt), Kind::Language);
        assert_eq!(
            kind("mood", prompt),
            Kind::Label(["Dark", "Light", "Tense"].map(str::to_owned).to_vec())
        );
        assert_eq!(kind("gist", prompt), Kind::Summary);
        assert_eq!(kind("director", "Who directed it?"), Kind::Other);
        assert_eq!(
            kind("genre", "Choose one of 'sci-fi'|'drama'"),
            Kind::Label(vec!["sci-fi".to_owned(), "drama".to_owned()])
        );
    }

    #[test]
    fn languages_are_known_by_script_or_small_words() {
        for (text, expected) in [
            ("A writer looks for a friend in the city", Some("en")),
            ("Ein Mann sucht seinen Freund und findet ihn nicht", Some("de")),
            ("Le film est une histoire dans la ville", Some("fr")),
            ("Los amigos buscan el tesoro con su perro", Some("es")),
            ("Привет мир", Some("ru")),
            ("猫が好きです", Some("ja")),
            ("电影", Some("zh")),
            ("영화", Some("ko")),
            ("Metropolis", None),
            ("", None),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }

    #[test]
    fn keywords_summaries_and_labels_come_from_the_row() {
        let text = "Vienna after the war. A writer looks for his friend Harry in Vienna. Harry is dead, they say. It rains.";
        assert_eq!(keywords(text), ["vienna", "harry", "war", "writer", "looks"]);
        assert_eq!(
            summary(text).as_deref(),
            Some("A writer looks for his friend Harry in Vienna. Harry is dead, they say.")
        );
        assert_eq!(summary("One line"), Some("One line".to_owned()));
        assert_eq!(summary("  "), None);
        let labels = |labels: &[&str]| labels.iter().map(|label| (*label).to_owned()).collect::<Vec<_>>();
        let genres = labels(&["comedy", "crime drama", "science fiction"]);
        assert_eq!(
            nearest_label("A comedic tale", &genres).as_deref(),
            Some("comedy")
        );
        assert_eq!(
            nearest_label("Two criminals flee", &genres).as_deref(),
            Some("crime drama")
        );
        assert_eq!(nearest_label("xyz", &genres), None);
        assert_eq!(
            nearest_label("xyz", &labels(&["a1b", "Unknown"])).as_deref(),
            Some("Unknown")
        );
    }

    #[test]
    fn a_row_without_text_gives_nulls() {
        let task = Enrichment {
            source: "s".to_owned(),
            columns: vec!["a".to_owned(), "b".to_owned()],
            kept: Vec::new(),
            outputs: ["keywords", "summary", "language"].map(str::to_owned).to_vec(),
            prompt: "x".to_owned(),
        };
        let row = json!({"a": null, "b": ["  "]});
        let written = Extractive
            .enrich(&task, &[row.as_object().unwrap().clone()])
            .unwrap();
        assert_eq!(written, [vec![None, None, None]]);
    }
}
