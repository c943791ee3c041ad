//! The weights of our ranking, learnt: a coordinate search that has to be convinced.
//!
//! - What is maximised is nDCG@10 on the dev half: the mean over collections, forms (clean, misspelt) and stages (lexical, with vectors).
//! - Round numbers are where the search starts from and what it is held to: leaving one of them by a factor costs [`HOLD`] times the
//!   square of the factor's logarithm, so that doubling one weight has to earn .002.
//! - One query more or less must not decide. The search runs on [`BAGS`] bootstrap samples of the dev half (gold pages are drawn, with
//!   their queries), and the geometric mean of what it finds is taken, rounded to two digits.
//! - Every sample leaves pages out. Only if what was found on the samples is better on those, by more than one standard error, is it
//!   taken at all; otherwise the round numbers stay. On some fifty queries the search finds something that it likes every time.
//! - A step counts only if it earns more than [`LEAST_GAIN`]; a round that earns less is the last one.
//! - Stages that no judged query can show (links, where the queries are the links) stay as they are.
//!
//! The test half is judged once, before and after. [`flatness`] tells how much each weight matters at all.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::thread;

use search_core::Weights;

use crate::bootstrap::estimate;
use crate::collection::Collection;
use crate::judged::{Form, Query};
use crate::metrics::mean;
use crate::random::Random;
use crate::split::{Half, half};

/// What leaving a round number costs.
pub const HOLD: f64 = 0.004;
/// What a step has to earn.
pub const LEAST_GAIN: f64 = 0.0005;
/// On how many samples of the dev half the search runs.
pub const BAGS: usize = 6;
/// By which factors a weight is tried, round by round; the last ones are kept until nothing is earned.
const FACTORS: [f64; 3] = [2.0, 1.5, 1.25];
const MOST_ROUNDS: usize = 6;
/// Where the logarithm is cut off, so that 0 is not infinitely far away.
const FLOOR: f64 = 0.05;

/// Weights that stay as they are: no judged query shows what they bring.
const FIXED: [&str; 2] = ["page_links", "section_links"];
/// Weights that are shares, 1 at the most.
const SHARES: [&str; 6] = [
    "b_text",
    "b_short",
    "completion",
    "one_edit",
    "two_edits",
    "run_together",
];

/// The round numbers.
pub const PRIOR: Weights = Weights {
    page_title: 0.5,
    page_url: 0.3,
    page_about: 0.3,
    page_links: 0.3,
    page_body: 0.5,
    section_body: 0.5,
    section_heading: 0.5,
    section_path: 0.2,
    section_links: 0.3,
    k1: 1.2,
    b_text: 0.75,
    b_short: 0.5,
    title_overlap: 1.0,
    heading_overlap: 1.0,
    whole_title: 3.0,
    whole_heading: 2.0,
    adjacency: 0.5,
    completion: 0.7,
    one_edit: 0.8,
    two_edits: 0.5,
    run_together: 0.8,
    semantic: 0.5,
};

/// A vector of weights, in the order of their names.
type Vector = [f64; Weights::COUNT];

/// The scores of one set of weights: a value for each row of a sheet.
type Scores = Vec<f64>;

/// A query in a form and a stage: what one value of [`Scores`] is about.
struct Row<'a> {
    collection: usize,
    query: &'a Query,
    form: Form,
    semantic: bool,
}

/// One half of all collections, and what it earned under the weights that were tried.
struct Sheet<'a> {
    half: Half,
    collections: &'a [Collection],
    rows: Vec<Row<'a>>,
    known: BTreeMap<Vec<u64>, Scores>,
}

/// The search for weights.
pub struct Learner<'a> {
    collections: &'a [Collection],
    dev: Sheet<'a>,
    test: Sheet<'a>,
    seed: u64,
}

/// What was learnt.
#[derive(Debug)]
pub struct Learnt {
    /// The weights.
    pub weights: Weights,
    /// The report for people, on what the search found, taken or not.
    pub report: String,
    /// Whether what the search found was taken, and why.
    pub verdict: String,
    /// The figures that the file of the weights tells, a line each.
    pub figures: Vec<String>,
}

impl<'a> Learner<'a> {
    /// A search over these collections.
    pub fn new(collections: &'a [Collection], seed: u64) -> Self {
        let sheet = |half| Sheet::new(collections, half, seed);
        Self {
            collections,
            dev: sheet(Half::Dev),
            test: sheet(Half::Test),
            seed,
        }
    }

    /// Searches on one half.
    pub fn learn(&mut self, from: Half, progress: &mut dyn FnMut(&str)) -> Learnt {
        let prior = PRIOR.to_array();
        let sheet = match from {
            Half::Dev => &mut self.dev,
            Half::Test => &mut self.test,
        };
        let mut random = Random::new(self.seed);
        let mut logarithms = [0.0; Weights::COUNT];
        let mut left_out = Vec::new();
        for bag in 1..=BAGS {
            let counts = sheet.sample(&mut random);
            let shares = sheet.balanced(&counts);
            let found = sheet.search(&shares, &mut random);
            for ((sum, value), prior) in logarithms.iter_mut().zip(found).zip(prior) {
                *sum += ((value + FLOOR) / (prior + FLOOR)).ln() / BAGS as f64;
            }
            let others: Vec<f64> = counts
                .iter()
                .map(|count| if *count > 0.0 { 0.0 } else { 1.0 })
                .collect();
            let others = sheet.balanced(&others);
            let gain = sheet.gain(&found, &others) - sheet.gain(&prior, &others);
            left_out.push(gain);
            let changes = changes(&prior, &found);
            progress(&format!(
                "sample {bag} of {BAGS}: {gain:+.3} on the pages that it leaves out; {changes}"
            ));
        }
        let mut found = prior;
        for (value, log) in found.iter_mut().zip(logarithms) {
            *value = rounded(((*value + FLOOR) * log.exp() - FLOOR).max(0.0));
        }
        let gain = mean(left_out.iter().copied());
        let variance = mean(left_out.iter().map(|one| (one - gain).powi(2))) / (BAGS as f64 - 1.0);
        let is_taken = gain > variance.sqrt();
        let verdict = format!(
            "{gain:+.3} with a standard error of {:.3} on pages left out: {}",
            variance.sqrt(),
            if is_taken {
                "taken"
            } else {
                "the round numbers stay"
            }
        );
        let mut report = format!("{:>16}  round  found\n", "weight");
        for ((name, prior), found) in Weights::NAMES.iter().zip(prior).zip(found) {
            let _ = writeln!(report, "{name:>16}  {prior:<5}  {found}");
        }
        for line in self.figures(&prior, &found) {
            let _ = writeln!(report, "{line}");
        }
        let _ = writeln!(report, "{verdict}");
        let learnt = if is_taken { found } else { prior };
        Learnt {
            weights: Weights::from_array(learnt),
            report,
            verdict,
            figures: self.figures(&prior, &learnt),
        }
    }

    /// nDCG@10 before and after, with the interval of the difference.
    fn figures(&mut self, before: &Vector, after: &Vector) -> Vec<String> {
        let mut lines = Vec::new();
        for sheet in [&mut self.dev, &mut self.test] {
            let (old, new) = (sheet.scores(before).clone(), sheet.scores(after).clone());
            for index in 0..self.collections.len() {
                for semantic in [false, true] {
                    for form in [Form::Clean, Form::Typo] {
                        let places: Vec<usize> = (0..sheet.rows.len())
                            .filter(|place| {
                                sheet.rows[*place].part() == (index, semantic, form == Form::Typo)
                            })
                            .collect();
                        if places.is_empty() {
                            continue;
                        }
                        let queries: Vec<&Query> =
                            places.iter().map(|place| sheet.rows[*place].query).collect();
                        let change: Vec<f64> = places.iter().map(|place| new[*place] - old[*place]).collect();
                        let change = estimate(&queries, &change, self.seed);
                        let name = format!(
                            "{}: {}, {}{}",
                            if sheet.half == Half::Dev { "dev" } else { "test" },
                            self.collections[index].name,
                            if form == Form::Clean { "clean" } else { "typo" },
                            if semantic { ", with vectors" } else { "" },
                        );
                        let reached = mean(places.iter().map(|place| new[*place]));
                        let count = places.len();
                        lines.push(match before == after {
                            true => format!("{name}: {reached:.3} over {count} queries"),
                            false => format!(
                                "{name}: {:.3} -> {reached:.3}, change {:+.3} [{:+.3}, {:+.3}] over {count} queries",
                                mean(places.iter().map(|place| old[*place])),
                                change.mean,
                                change.low,
                                change.high,
                            ),
                        });
                    }
                }
            }
        }
        lines
    }

    /// What halving and doubling each weight does to the dev and test halves, all collections, forms and stages alike.
    pub fn flatness(&mut self, weights: &Weights) -> String {
        let vector = weights.to_array();
        let mut report = format!("{:>16}  halved: dev, test  doubled: dev, test\n", "");
        for (place, name) in Weights::NAMES.iter().enumerate() {
            let _ = write!(report, "{name:>16}");
            for factor in [0.5, 2.0] {
                let mut other = vector;
                other[place] = moved_by(&vector, place, factor);
                let [dev, test] = [&mut self.dev, &mut self.test].map(|sheet| {
                    let shares = sheet.balanced(&vec![1.0; sheet.rows.len()]);
                    sheet.gain(&other, &shares) - sheet.gain(&vector, &shares)
                });
                let _ = write!(report, "     {dev:+.3}, {test:+.3}");
            }
            report.push('\n');
        }
        report
    }
}

impl Row<'_> {
    /// Rows of one part have one say together.
    fn part(&self) -> (usize, bool, bool) {
        (self.collection, self.semantic, self.form == Form::Typo)
    }
}

impl<'a> Sheet<'a> {
    fn new(collections: &'a [Collection], wanted: Half, seed: u64) -> Self {
        let mut rows = Vec::new();
        for (index, collection) in collections.iter().enumerate() {
            for semantic in collection.stages() {
                let asked = collection
                    .asked()
                    .filter(|(query, _)| half(query, seed) == wanted);
                rows.extend(asked.map(|(query, form)| Row {
                    collection: index,
                    query,
                    form,
                    semantic: *semantic,
                }));
            }
        }
        Self {
            half: wanted,
            collections,
            rows,
            known: BTreeMap::new(),
        }
    }

    /// How often each row was drawn: gold pages with replacement, the same ones for all forms and stages.
    fn sample(&self, random: &mut Random) -> Vec<f64> {
        let page = |row: &Row<'a>| (row.collection, row.query.gold[0].as_str());
        let mut drawn: BTreeMap<(usize, &str), f64> = BTreeMap::new();
        for collection in 0..self.collections.len() {
            let own = self.rows.iter().map(page).filter(|page| page.0 == collection);
            let own: Vec<(usize, &str)> = own.collect::<BTreeSet<_>>().into_iter().collect();
            for _ in 0..own.len() {
                *drawn.entry(*random.pick(&own)).or_default() += 1.0;
            }
        }
        self.rows
            .iter()
            .map(|row| drawn.get(&page(row)).copied().unwrap_or(0.0))
            .collect()
    }

    /// Shares that give every collection the same say, and in it every form and stage.
    fn balanced(&self, counts: &[f64]) -> Vec<f64> {
        let mut sums: BTreeMap<(usize, bool, bool), f64> = BTreeMap::new();
        for (row, count) in self.rows.iter().zip(counts) {
            *sums.entry(row.part()).or_default() += count;
        }
        let parts_of = |collection: usize| sums.keys().filter(|part| part.0 == collection).count() as f64;
        let collections = self.collections.len() as f64;
        self.rows
            .iter()
            .zip(counts)
            .map(|(row, count)| match sums[&row.part()] {
                0.0 => 0.0,
                sum => count / sum / parts_of(row.collection) / collections,
            })
            .collect()
    }

    fn search(&mut self, shares: &[f64], random: &mut Random) -> Vector {
        let mut best = PRIOR.to_array();
        let mut best_value = self.value(&best, shares);
        for round in 0..MOST_ROUNDS {
            let before = best_value;
            let factor = FACTORS[round.min(FACTORS.len() - 1)];
            let mut order: Vec<usize> = (0..Weights::COUNT).collect();
            random.shuffle(&mut order);
            for place in order {
                let candidates = candidates(&best, place, factor);
                self.fill(&candidates);
                for candidate in candidates {
                    let value = self.value(&candidate, shares);
                    if value > best_value + LEAST_GAIN {
                        (best, best_value) = (candidate, value);
                    }
                }
            }
            if round + 1 >= FACTORS.len() && best_value - before < 2.0 * LEAST_GAIN {
                break;
            }
        }
        best
    }

    /// What is maximised.
    fn value(&mut self, vector: &Vector, shares: &[f64]) -> f64 {
        self.gain(vector, shares) - HOLD * distance(vector)
    }

    fn gain(&mut self, vector: &Vector, shares: &[f64]) -> f64 {
        self.scores(vector)
            .iter()
            .zip(shares)
            .map(|(score, share)| score * share)
            .sum()
    }

    fn scores(&mut self, vector: &Vector) -> &Scores {
        self.fill(&[*vector]);
        &self.known[&key(vector)]
    }

    /// Judges what has not been judged yet, side by side.
    fn fill(&mut self, vectors: &[Vector]) {
        let (known, sheet) = (&self.known, &*self);
        let new = vectors.iter().filter(|vector| !known.contains_key(&key(vector)));
        let judged: Vec<(Vec<u64>, Scores)> = thread::scope(|scope| {
            let running: Vec<_> = new
                .map(|vector| scope.spawn(move || (key(vector), sheet.judge(vector))))
                .collect();
            running
                .into_iter()
                .map(|thread| thread.join().expect("judging does not panic"))
                .collect()
        });
        self.known.extend(judged);
    }

    fn judge(&self, vector: &Vector) -> Scores {
        let weights = Weights::from_array(*vector);
        let mut scores = Vec::with_capacity(self.rows.len());
        for (index, collection) in self.collections.iter().enumerate() {
            for semantic in collection.stages() {
                let rows = self.rows.iter();
                let own = rows.filter(|row| (row.collection, row.semantic) == (index, *semantic));
                let judged = collection.judge(own.map(|row| (row.query, row.form)), &weights, *semantic);
                scores.extend(judged.into_iter().map(|score| score.ndcg));
            }
        }
        scores
    }
}

/// The same weights with one of them smaller and larger.
fn candidates(vector: &Vector, place: usize, factor: f64) -> Vec<Vector> {
    if FIXED.contains(&Weights::NAMES[place]) {
        return Vec::new();
    }
    [1.0 / factor, factor]
        .into_iter()
        .map(|factor| {
            let mut other = *vector;
            other[place] = moved_by(vector, place, factor);
            other
        })
        .filter(|other| other != vector)
        .collect()
}

fn moved_by(vector: &Vector, place: usize, factor: f64) -> f64 {
    // From 0 the first step leads to a tenth.
    let value = match vector[place] * factor {
        0.0 if factor > 1.0 => 0.1,
        value if value < 0.02 => 0.0,
        value => value,
    };
    match SHARES.contains(&Weights::NAMES[place]) {
        true => value.min(1.0),
        false => value,
    }
}

/// How far weights are from the round numbers.
fn distance(vector: &Vector) -> f64 {
    vector
        .iter()
        .zip(PRIOR.to_array())
        .map(|(value, prior)| ((value + FLOOR) / (prior + FLOOR)).ln().powi(2))
        .sum()
}

fn changes(prior: &Vector, found: &Vector) -> String {
    let changed: Vec<String> = Weights::NAMES
        .iter()
        .zip(prior.iter().zip(found))
        .filter(|(_, (prior, found))| prior != found)
        .map(|(name, (prior, found))| format!("{name} {prior} -> {found:.3}"))
        .collect();
    match changed.is_empty() {
        true => "nothing earns enough".to_owned(),
        false => changed.join(", "),
    }
}

/// Two digits are more than the data tells.
fn rounded(value: f64) -> f64 {
    if value < 0.005 {
        return 0.0;
    }
    let unit = 10f64.powi(value.log10().floor() as i32 - 1);
    // Through text, so that 0.30000000000000004 does not reach the file.
    format!("{:.4}", (value / unit).round() * unit)
        .parse()
        .expect("a number was just written")
}

fn key(vector: &Vector) -> Vec<u64> {
    vector.iter().map(|value| value.to_bits()).collect()
}

/// The file of search-core that holds the weights.
pub fn source_file(learnt: &Learnt, date: &str, collections: &[Collection], seed: u64) -> String {
    let names: Vec<String> = collections
        .iter()
        .map(|collection| format!("{} ({} queries)", collection.name, collection.queries.len()))
        .collect();
    let mut text = format!(
        "//! The weights in use. Written by `cargo xtask learn`.\n\n\
         use super::Weights;\n\n\
         impl Weights {{\n\
         \x20   /// From a coordinate search of {date}: from round numbers, held to them by a penalty on the squared logarithm ({HOLD}), over\n\
         \x20   /// {BAGS} bootstrap samples of the dev half, split by gold page with the seed {seed}. What the search found earned\n\
         \x20   /// {}.\n\
         \x20   /// nDCG@10 on {}:\n    ///\n",
        learnt.verdict,
        names.join(", ")
    );
    for figure in &learnt.figures {
        let _ = writeln!(text, "    /// - {figure}");
    }
    text += "    pub const LEARNT: Self = Self {\n";
    for (name, value) in Weights::NAMES.iter().zip(learnt.weights.to_array()) {
        let _ = writeln!(text, "        {name}: {value:?},");
    }
    text + "    };\n}\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits() {
        let rounded: Vec<f64> = [0.0, 0.001, 0.123, 0.3 + 1e-9, 1.26, 1.0].map(rounded).to_vec();
        assert_eq!(rounded, [0.0, 0.0, 0.12, 0.3, 1.3, 1.0]);
    }

    #[test]
    fn steps_stay_within_bounds() {
        let place = |name: &str| Weights::NAMES.iter().position(|known| *known == name).unwrap();
        let prior = PRIOR.to_array();
        let mut without = prior;
        without[place("adjacency")] = 0.0;
        assert!((moved_by(&without, place("adjacency"), 2.0) - 0.1).abs() < 1e-12);
        assert!((moved_by(&prior, place("b_text"), 2.0) - 1.0).abs() < 1e-12);
        assert_eq!(candidates(&prior, place("page_links"), 2.0).len(), 0);
        // Doubling one weight costs about .002.
        let doubled = candidates(&prior, place("title_overlap"), 2.0)[1];
        assert!((HOLD * distance(&doubled) - 0.0018).abs() < 0.0002);
    }

    /// Pages that are called one thing and talk of the next one.
    fn site(folder: &std::path::Path, asks_for_the_text: bool) -> Collection {
        let names = [
            "apple", "pear", "cherry", "plum", "fig", "quince", "lemon", "grape", "melon", "medlar",
        ];
        std::fs::create_dir_all(folder.join("content")).unwrap();
        let mut queries = String::new();
        for (place, name) in names.iter().enumerate() {
            let next = names[(place + 1) % names.len()];
            // From page to page it takes less to find the text rather than the title.
            let own: String = (0..1 + place % 5)
                .map(|word| format!(" {name}ish{word}"))
                .collect();
            let text = format!("# {name}\n\n{own}. {next}{own}.\n");
            std::fs::write(folder.join(format!("content/{name}.md")), text).unwrap();
            let asked = match asks_for_the_text {
                true => format!("{next}{own}"),
                false => (*name).to_owned(),
            };
            let line = serde_json::json!({"id": name, "query": asked, "gold": [format!("/{name}")]});
            let _ = writeln!(queries, "{line}");
        }
        std::fs::write(folder.join("queries.jsonl"), queries).unwrap();
        Collection::read(&crate::collection::in_folder(folder, None)).unwrap()
    }

    #[test]
    fn only_what_helps_unseen_pages_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let learn = |asks_for_the_text: bool| {
            let collections = [site(folder.path(), asks_for_the_text)];
            Learner::new(&collections, 1).learn(Half::Dev, &mut |_| ())
        };
        // Names in titles are what the round numbers find best: nothing to learn.
        let learnt = learn(false);
        assert!(
            learnt.verdict.ends_with("the round numbers stay"),
            "{}",
            learnt.verdict
        );
        assert_eq!(learnt.weights, PRIOR);
        // Where every query asks for words of the text, texts have to count more.
        let learnt = learn(true);
        assert!(
            learnt.verdict.ends_with("taken"),
            "{}\n{}",
            learnt.verdict,
            learnt.report
        );
        assert!(learnt.weights.page_body > PRIOR.page_body, "{}", learnt.report);
    }
}
