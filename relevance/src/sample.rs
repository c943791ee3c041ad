//! Queries for a site that nobody has judged: enough to measure bytes and times, not relevance.
//!
//! A query asks for a random section of a random page, so that long pages are not asked for more often: three in ten are the
//! page's title, three in ten the section's heading with the title before it, four in ten two to five words in a row from its text. One
//! in eight of all has a typo.

use std::collections::{BTreeMap, BTreeSet};

use indexer::diagnostic::Diagnostic;
use indexer::source::Source;
use serde::{Deserialize, Serialize};

use crate::random::Random;
use crate::typos::one_edit;

/// What is needed of a line of `items.ndjson`.
#[derive(Clone, Debug, Deserialize)]
pub struct Item {
    url: String,
    header_1: String,
    header_2: String,
    header_3: String,
    header_4: String,
    body: String,
}

/// A query that was made up.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Sample {
    id: String,
    query: String,
}

/// Reads `items.ndjson`.
pub fn read_items(source: &Source) -> (Vec<Item>, Vec<Diagnostic>) {
    let mut items = Vec::new();
    let mut problems = Vec::new();
    let mut at = 0;
    for line in source.text.split_inclusive('\n') {
        match serde_json::from_str(line) {
            Ok(item) => items.push(item),
            Err(error) => problems.push(Diagnostic::error(
                source,
                at + error.column().saturating_sub(1),
                format!("not an item: {error}"),
            )),
        }
        at += line.len();
    }
    (items, problems)
}

/// Makes up this many queries, each one different; fewer if the site is too small for it.
pub fn queries(items: &[Item], count: usize, seed: u64) -> Vec<Sample> {
    let mut pages: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items {
        let page = item.url.split('#').next().unwrap_or(&item.url);
        pages.entry(page).or_default().push(item);
    }
    let pages: Vec<Vec<&Item>> = pages.into_values().collect();
    let mut random = Random::new(seed);
    let mut seen = BTreeSet::new();
    let mut samples = Vec::new();
    // A small site runs out of different queries.
    for _ in 0..count * 20 {
        if samples.len() == count || pages.is_empty() {
            break;
        }
        let page = random.pick(&pages);
        let item = random.pick(page);
        let mut query = match random.below(10) {
            0..3 => item.header_1.clone(),
            3..6 => {
                let headings = [&item.header_4, &item.header_3, &item.header_2];
                match headings.iter().find(|heading| !heading.is_empty()) {
                    Some(heading) => format!("{} {heading}", item.header_1),
                    None => item.header_1.clone(),
                }
            }
            _ => window(&item.body, &mut random),
        };
        if random.below(8) == 0 {
            query = one_edit(&query, seed).unwrap_or(query);
        }
        if !query.trim().is_empty() && query.len() <= 120 && seen.insert(query.clone()) {
            samples.push(Sample {
                id: samples.len().to_string(),
                query,
            });
        }
    }
    samples
}

/// Two to five words in a row.
fn window(body: &str, random: &mut Random) -> String {
    let words: Vec<&str> = body
        .split_whitespace()
        .map(|word| word.trim_matches(|character: char| !character.is_alphanumeric()))
        .filter(|word| !word.is_empty())
        .collect();
    let length = 2 + random.below(4);
    if words.len() < length {
        return String::new();
    }
    let start = random.below(words.len() - length + 1);
    words[start..start + length].join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_asks_the_same() {
        let line = |page: usize| {
            format!(
                "{{\"url\":\"/p{page}#s\",\"header_1\":\"Title {page}\",\"header_2\":\"Heading {page}\",\"header_3\":\"\",\"header_4\":\"\",\"body\":\"some words that stand here\"}}\n"
            )
        };
        let text: String = (0..50).map(line).collect();
        let (items, problems) = read_items(&Source::new("i", "i", &text));
        assert!(problems.is_empty());
        let asked = queries(&items, 40, 1);
        assert_eq!(asked.len(), 40);
        assert_eq!(asked, queries(&items, 40, 1));
        assert_ne!(asked, queries(&items, 40, 2));
        let titles = asked
            .iter()
            .filter(|sample| sample.query.starts_with("Title"))
            .count();
        assert!((10..40).contains(&titles), "{titles}");
        let (_, problems) = read_items(&Source::new("i", "i.ndjson", "{}\n"));
        assert!(
            problems[0].to_string().starts_with("i.ndjson:1:"),
            "{}",
            problems[0]
        );
    }
}
