//! From the sections of a site to a cache: encode what is new, and train the table if the sections changed.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use search_core::vector::pieces;

use super::cache::{Cache, Encoded, Hash, digest};
use super::math::Random;
use super::projection::Projection;
use super::table::QueryTable;
use super::train::{Examples, Training, train};
use super::{DIMENSIONS, Encoder, EncoderError, Passage};

/// Changes whenever the same sections would give another table.
const TEACHING_VERSION: u8 = 1;

/// The most sentences of a section that are training texts, and the most windows.
const SENTENCES: usize = 8;
const WINDOWS: usize = 6;

/// How long the rows are before the training.
const PRIOR_LENGTH: f32 = 0.3;

/// The shortest and the longest window, in words: as long as queries are.
const WINDOW_WORDS: (usize, usize) = (2, 8);

/// The cache for these sections. Only sections that `cache` does not know are encoded; entries that no section needs
/// are left out.
pub fn refresh(
    passages: &[Passage<'_>],
    cache: Option<&Cache>,
    encoder: &Encoder,
) -> Result<Cache, EncoderError> {
    // By hash, not by place: moving a page changes nothing, and equal sections are one.
    let distinct: BTreeMap<Hash, Passage<'_>> = passages
        .iter()
        .map(|passage| (passage.hash(), *passage))
        .collect();
    let known =
        cache.filter(|cache| cache.encoder == encoder.name() && cache.dimensions == encoder.dimensions());
    let new: Vec<(&Hash, String)> = distinct
        .iter()
        .filter(|(hash, _)| known.is_none_or(|known| !known.sections.contains_key(*hash)))
        .map(|(hash, passage)| (hash, passage.text()))
        .collect();
    let texts: Vec<&str> = new.iter().map(|(_, text)| text.as_str()).collect();
    let encoded = encoder.encode(&texts)?;
    let mut sections: BTreeMap<Hash, Encoded> = new
        .iter()
        .zip(encoded.chunks_exact(encoder.dimensions()))
        .map(|((hash, _), vector)| (**hash, Encoded::new(vector)))
        .collect();
    for hash in distinct.keys() {
        if let Some(encoded) = known.and_then(|known| known.sections.get(hash)) {
            sections.insert(*hash, encoded.clone());
        }
    }
    let trained_on = fingerprint(encoder.name(), distinct.keys());
    if let Some(known) = known.filter(|known| known.trained_on == trained_on) {
        return Ok(Cache {
            sections,
            ..known.clone()
        });
    }

    // What the files will hold, not what the encoder said: a build from the files must see the same.
    let vectors: Vec<f32> = sections.values().flat_map(Encoded::vector).collect();
    let projection = Projection::fit(&vectors, encoder.dimensions(), DIMENSIONS);
    let targets: Vec<f32> = vectors
        .chunks_exact(encoder.dimensions())
        .flat_map(|vector| projection.apply(vector))
        .collect();
    let distinct: Vec<Passage<'_>> = distinct.into_values().collect();
    let table = table(&distinct, &targets, &projection, encoder)?;
    Ok(Cache {
        encoder: encoder.name().to_owned(),
        dimensions: encoder.dimensions(),
        sections,
        projection,
        trained_on,
        table: Rc::new(table),
    })
}

fn fingerprint<'a>(encoder: &str, hashes: impl Iterator<Item = &'a Hash>) -> Hash {
    let mut bytes = vec![TEACHING_VERSION];
    bytes.extend_from_slice(encoder.as_bytes());
    hashes.for_each(|hash| bytes.extend_from_slice(hash));
    digest(&bytes)
}

fn table(
    passages: &[Passage<'_>],
    targets: &[f32],
    projection: &Projection,
    encoder: &Encoder,
) -> Result<QueryTable, EncoderError> {
    let (names, ids) = pieces_in_use(passages, encoder);
    let mut examples = Examples::default();
    let mut cut = Vec::new();
    let mut random = Random(1);
    for (section, passage) in (0..).zip(passages) {
        for text in training_texts(passage, &mut random) {
            cut.clear();
            pieces(&text, &mut |piece| ids.get(piece).copied(), &mut |piece| {
                cut.push(piece)
            });
            examples.push(&cut, section);
        }
    }
    // A piece that the site says little about keeps most of what the encoder makes of it alone.
    let alone: Vec<&str> = names.iter().map(|name| name.trim_start_matches("##")).collect();
    let alone = encoder.encode(&alone)?;
    let mut start = Vec::with_capacity(names.len() * projection.to);
    for vector in alone.chunks_exact(encoder.dimensions()) {
        // Through the bytes of a cache, so that the last bits of the encoder's sums do not matter.
        let vector = projection.apply(&Encoded::new(vector).vector());
        start.extend(vector.iter().map(|value| value * PRIOR_LENGTH));
    }
    let rows = train(&examples, targets, start, projection.to, &Training::default());
    Ok(QueryTable::new(names, rows, projection.to))
}

/// The wordpieces of the passages, the most used ones first.
fn pieces_in_use(passages: &[Passage<'_>], encoder: &Encoder) -> (Vec<String>, HashMap<String, u32>) {
    let mut uses = vec![0_u32; encoder.pieces().len()];
    for passage in passages {
        for text in [passage.title]
            .iter()
            .chain(&passage.headings)
            .chain([&passage.body])
        {
            pieces(text, &mut |piece| encoder.piece(piece), &mut |piece| {
                uses[piece as usize] += 1
            });
        }
    }
    let mut by_use: Vec<usize> = (0..uses.len()).filter(|piece| uses[*piece] > 0).collect();
    by_use.sort_by_key(|piece| std::cmp::Reverse(uses[*piece]));
    let names: Vec<String> = by_use
        .into_iter()
        .map(|piece| encoder.pieces()[piece].clone())
        .collect();
    let ids = names.iter().cloned().zip(0..).collect();
    (names, ids)
}

/// Texts of the kind that readers type, which this section answers.
fn training_texts(passage: &Passage<'_>, random: &mut Random) -> Vec<String> {
    let heading = passage.headings.iter().rev().find(|heading| !heading.is_empty());
    let heading = heading.unwrap_or(&passage.title);
    let mut texts = vec![(*heading).to_owned(), format!("{} {heading}", passage.title)];
    let sentences = passage
        .body
        .split('\n')
        .flat_map(|line| line.split_inclusive(['.', '?', '!', ';']));
    texts.extend(
        sentences
            .filter(|text| !text.trim().is_empty())
            .take(SENTENCES)
            .map(str::to_owned),
    );
    let words: Vec<&str> = passage.body.split_whitespace().collect();
    let (shortest, longest) = WINDOW_WORDS;
    for _ in 0..WINDOWS.min(words.len()) {
        let length = (shortest + random.below(longest - shortest + 1)).min(words.len());
        let start = random.below(words.len() - length + 1);
        texts.push(words[start..start + length].join(" "));
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::super::encoder::tiny_encoder;
    use super::*;

    fn encoder(seed: u32) -> Encoder {
        let folder = tempfile::tempdir().unwrap();
        tiny_encoder::write(folder.path(), seed);
        Encoder::load(folder.path()).unwrap()
    }

    fn passage<'a>(title: &'a str, body: &'a str) -> Passage<'a> {
        Passage {
            title,
            headings: ["", "", ""],
            body,
        }
    }

    #[test]
    fn order_and_repetition_of_sections_change_nothing() {
        let encoder = encoder(1);
        let (one, two, three) = (
            passage("one", "a box. to open"),
            passage("two", "the end"),
            passage("three", "x"),
        );
        let first = refresh(&[one, two, three], None, &encoder).unwrap();
        let second = refresh(&[three, one, one, two], None, &encoder).unwrap();
        assert_eq!(first.files(), second.files());
        assert_eq!(
            refresh(&[one, two, three], Some(&first), &encoder).unwrap(),
            first
        );
    }

    #[test]
    fn known_sections_stay_as_they_are_and_old_ones_go() {
        let encoder = encoder(1);
        let (one, two, three) = (
            passage("one", "a box"),
            passage("two", "the end"),
            passage("three", "x"),
        );
        let mut before = refresh(&[one, two], None, &encoder).unwrap();
        // Whoever encodes again would not come to this vector.
        before.sections.insert(one.hash(), Encoded::new(&[1.0; 8]));
        let after = refresh(&[one, three], Some(&before), &encoder).unwrap();
        assert_eq!(after.sections[&one.hash()], Encoded::new(&[1.0; 8]));
        assert_eq!(after.sections.keys().copied().collect::<Vec<_>>().len(), 2);
        assert!(after.sections.contains_key(&three.hash()));
        assert_ne!(after.trained_on, before.trained_on);
    }

    #[test]
    fn what_another_encoder_said_is_of_no_use() {
        let one = passage("one", "a box");
        let before = refresh(&[one], None, &encoder(1)).unwrap();
        let after = refresh(&[one], Some(&before), &encoder(2)).unwrap();
        assert_ne!(after.sections, before.sections);
        assert_ne!(after.encoder, before.encoder);
    }

    #[test]
    fn the_table_has_the_pieces_in_use_the_most_used_first() {
        let cache = refresh(&[passage("a", "b b zb b")], None, &encoder(1)).unwrap();
        assert_eq!(cache.table.pieces(), ["b", "a", "z", "##b"]);
    }

    #[test]
    fn a_site_without_words_has_a_table_without_rows() {
        let cache = refresh(&[], None, &encoder(1)).unwrap();
        assert!(cache.is_empty() && cache.table.pieces().is_empty());
    }
}
