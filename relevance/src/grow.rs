//! Makes a folder of Markdown larger, to see what a search costs on a site of another size.
//!
//! Copying pages would not do: no new word would come, though in real sites words never stop coming. So the rule is:
//!
//! 1. The real pages stay as they are, and each one is a template once in every generation, in a random order. A new page has the
//!    kinds of blocks of its template, in that order. A fifth of its headings, paragraphs, lists, tables and code blocks are those of
//!    other pages of the template's folder. So pages are as long and as varied as real ones, and folders keep their subjects.
//! 2. *Heaps' law*: a site of `n` words in running text has about `K · n^b` different ones. `b` is measured on the real pages, from
//!    their first half to all of them, in several random orders. It says how many words have to be new on each page.
//! 3. On each new page nine of ten rare words (those of at most one in a hundred real pages) are replaced, everywhere on the page. As
//!    many of the replacements are made up as the law asks for; the others are drawn from all words so far that at most one in ten
//!    real pages holds, by how often they were used (Simon's process): made-up words and rare ones become commoner as real ones do
//!    when a site grows, and nearly half of all words stay on one page.
//! 4. A made-up word is the beginning of one rare word and the end of another: as long as real ones, with common letter sequences,
//!    a typo away from others as real ones are.
//! 5. Titles are made different by such a word where two would be the same.
//!
//! The folder should hold pages that do not link to each other by relative paths: new pages stand elsewhere. Equal folders, sizes
//! and seeds give equal bytes. The report shows whether the words behave: vocabulary beside what the law asks for, the share of words
//! on one page only, and the different words a page, which are the postings of an index.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexer::source::Source;

use crate::random::Random;

/// A word of at most this share of the real pages is rare.
const RARE: f64 = 0.01;
/// A word of at most this share of the real pages may stand in for a rare one.
const KNOWN: f64 = 0.1;
/// The share of a new page's rare words that are replaced.
const REPLACED: f64 = 0.9;
/// The share of a template's blocks that come from elsewhere in its folder.
const EXCHANGED: f64 = 0.2;
/// In how many orders the real pages are read to measure the exponent of Heaps' law.
const ORDERS: usize = 5;
/// Says that a folder was made here and may be written anew.
const MARK: &str = ".grown";

/// Why nothing was written.
#[derive(Debug)]
pub enum Error {
    /// The folder holds something else.
    NotOurs(PathBuf),
    /// Something outside failed.
    Failed(String),
}

/// Writes a folder of `pages` pages and gives the report.
///
/// # Panics
/// If there is no source: there would be nothing to start from.
pub fn grow(sources: &[Source], pages: usize, seed: u64, out: &Path) -> Result<String, Error> {
    assert!(!sources.is_empty(), "there is a page to start from");
    prepare(out)?;
    let real: Vec<Template> = sources.iter().map(Template::read).collect();
    let mut grower = Grower::new(&real, seed);
    let mut report = format!(
        "Heaps' law on {} pages: vocabulary ~ words^{:.3}\n{:>7}  {:>11}  {:>10}  {:>10}  {:>12}  {:>15}\n",
        real.len(),
        grower.exponent,
        "pages",
        "words",
        "vocabulary",
        "by the law",
        "on one page",
        "different/page"
    );
    let mut marks: Vec<usize> = std::iter::successors(Some(real.len()), |size| Some(size * 2))
        .take_while(|size| *size < pages)
        .collect();
    marks.push(pages);
    for (source, template) in sources.iter().zip(&real) {
        write(out, &source.path, &source.text)?;
        grower.census.add(&template.text());
    }
    let mut order: Vec<usize> = Vec::new();
    let mut generation = 1;
    for written in real.len()..=pages {
        if marks.contains(&written) {
            report += &grower.line(written);
        }
        if written == pages {
            break;
        }
        if order.is_empty() {
            order = (0..real.len()).collect();
            grower.random.shuffle(&mut order);
            generation += 1;
        }
        let template = order.pop().expect("the order was just filled");
        let page = grower.page(template);
        write(
            out,
            &grower.path(&real[template].folder, generation, &page.title),
            &page.text(),
        )?;
        grower.census.add(&page.text());
    }
    Ok(report)
}

fn prepare(out: &Path) -> Result<(), Error> {
    let failed = |error: std::io::Error| Error::Failed(format!("cannot write {}: {error}", out.display()));
    if out.exists() {
        if !out.join(MARK).is_file() {
            return Err(Error::NotOurs(out.to_owned()));
        }
        std::fs::remove_dir_all(out).map_err(failed)?;
    }
    std::fs::create_dir_all(out).map_err(failed)?;
    std::fs::write(out.join(MARK), "made by `relevance grow`\n").map_err(failed)
}

fn write(out: &Path, path: &str, text: &str) -> Result<(), Error> {
    let file = out.join(path);
    let failed = |error: std::io::Error| Error::Failed(format!("cannot write {}: {error}", file.display()));
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(&file, text).map_err(failed)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Heading(usize),
    Fence,
    Table,
    List,
    /// What may open something that another block closes; stays where it is.
    Fixed,
    Text,
}

/// A page as its parts.
#[derive(Clone, Debug)]
struct Template {
    folder: String,
    title: String,
    description: String,
    blocks: Vec<(Kind, String)>,
}

impl Template {
    fn read(source: &Source) -> Self {
        let (front, body) = source
            .text
            .strip_prefix("---\n")
            .and_then(|rest| rest.split_once("\n---\n"))
            .unwrap_or(("", &source.text));
        let value = |key: &str| {
            front
                .lines()
                .find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))
                .map(|value| value.trim().trim_matches(['"', '\'']).to_owned())
                .unwrap_or_default()
        };
        let blocks = blocks(body);
        let heading = blocks.iter().find(|(kind, _)| matches!(kind, Kind::Heading(_)));
        let title = Some(value("title"))
            .filter(|title| !title.is_empty())
            .or_else(|| heading.map(|(_, text)| text.trim_start_matches('#').trim().to_owned()))
            .unwrap_or_else(|| source.path.clone());
        let folder = source.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        Self {
            folder: folder.to_owned(),
            title,
            description: value("description"),
            blocks,
        }
    }

    fn text(&self) -> String {
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let mut text = format!("---\ntitle: {}\n", quoted(&self.title));
        if !self.description.is_empty() {
            let _ = writeln!(text, "description: {}", quoted(&self.description));
        }
        text += "---\n";
        for (_, block) in &self.blocks {
            let _ = write!(text, "\n{block}\n");
        }
        text
    }
}

/// Cuts Markdown at empty lines, headings and code fences.
fn blocks(body: &str) -> Vec<(Kind, String)> {
    let mut blocks: Vec<(Kind, String)> = Vec::new();
    let mut lines: Vec<&str> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut close = |lines: &mut Vec<&str>| {
        if let Some(first) = lines.first() {
            blocks.push((kind(first), lines.join("\n")));
            lines.clear();
        }
    };
    for line in body.lines() {
        let start = line.trim_start();
        if let Some(mark) = fence {
            lines.push(line);
            if start.starts_with(mark) {
                fence = None;
                close(&mut lines);
            }
            continue;
        }
        let opens = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match opens {
            Some(mark) => {
                // Inside of a list the fence belongs to the item above it.
                if start.len() == line.len() {
                    close(&mut lines);
                }
                fence = Some(mark);
                lines.push(line);
            }
            None if start.is_empty() => close(&mut lines),
            None if line.starts_with('#') => {
                close(&mut lines);
                lines.push(line.split(" {#").next().unwrap_or(line));
                close(&mut lines);
            }
            None => lines.push(line),
        }
    }
    close(&mut lines);
    blocks
}

fn kind(line: &str) -> Kind {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    match line.as_bytes().first() {
        _ if level > 0 => Kind::Heading(level),
        _ if line.starts_with("```") || line.starts_with("~~~") => Kind::Fence,
        Some(b'|') => Kind::Table,
        Some(b'-' | b'*' | b'+' | b'0'..=b'9') => Kind::List,
        Some(b'<' | b' ' | b'\t' | b'>' | b':' | b'[' | b'{') => Kind::Fixed,
        _ => Kind::Text,
    }
}

/// The words of a text with their places: runs of letters.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = 0;
    std::iter::from_fn(move || {
        let at = rest + text[rest..].find(char::is_alphabetic)?;
        let length = text[at..].find(|character: char| !character.is_alphabetic());
        rest = length.map_or(text.len(), |length| at + length);
        Some((at, &text[at..rest]))
    })
}

/// Which words have been written so far.
#[derive(Debug, Default)]
struct Census {
    words: usize,
    postings: usize,
    pages: HashMap<String, u32>,
}

impl Census {
    fn add(&mut self, text: &str) {
        let mut here = HashSet::new();
        for (_, word) in words(text) {
            self.words += 1;
            here.insert(word.to_lowercase());
        }
        self.postings += here.len();
        for word in here {
            *self.pages.entry(word).or_default() += 1;
        }
    }
}

struct Grower<'a> {
    real: &'a [Template],
    random: Random,
    /// Of Heaps' law, and where it starts from.
    exponent: f64,
    start: (f64, f64),
    /// Blocks of each folder by kind: page and place.
    pools: BTreeMap<(&'a str, Kind), Vec<(usize, usize)>>,
    rare: HashSet<String>,
    /// The rare words in order, for their beginnings and ends.
    parts: Vec<String>,
    made_up: HashSet<String>,
    /// Every page's use of a word that may stand in for another: a draw from it is a draw by use.
    uses: Vec<String>,
    census: Census,
    titles: HashSet<String>,
    paths: BTreeSet<String>,
}

impl<'a> Grower<'a> {
    fn new(real: &'a [Template], seed: u64) -> Self {
        let mut random = Random::new(seed);
        let texts: Vec<String> = real.iter().map(Template::text).collect();
        let mut all = Census::default();
        texts.iter().for_each(|text| all.add(text));
        let most = |share: f64| (real.len() as f64 * share).max(1.0) as u32;
        let rare: HashSet<String> = all
            .pages
            .iter()
            .filter(|(word, pages)| **pages <= most(RARE) && word.chars().count() >= 4)
            .map(|(word, _)| word.clone())
            .collect();
        let mut parts: Vec<String> = rare.iter().filter(|word| word.is_ascii()).cloned().collect();
        parts.sort_unstable();
        let mut known: Vec<(&String, &u32)> = all
            .pages
            .iter()
            .filter(|(word, pages)| **pages <= most(KNOWN) && word.chars().count() >= 4)
            .collect();
        known.sort_unstable();
        let uses: Vec<String> = known
            .into_iter()
            .flat_map(|(word, pages)| std::iter::repeat_n(word.clone(), *pages as usize))
            .collect();
        let mut pools: BTreeMap<(&str, Kind), Vec<(usize, usize)>> = BTreeMap::new();
        for (page, template) in real.iter().enumerate() {
            for (place, (kind, _)) in template.blocks.iter().enumerate() {
                pools
                    .entry((&template.folder, *kind))
                    .or_default()
                    .push((page, place));
            }
        }
        Self {
            real,
            exponent: exponent(&texts, &all, &mut random),
            start: (all.words as f64, all.pages.len() as f64),
            random,
            pools,
            rare,
            parts,
            made_up: HashSet::new(),
            uses,
            census: Census::default(),
            titles: real.iter().map(|template| template.title.clone()).collect(),
            paths: BTreeSet::new(),
        }
    }

    /// How large the vocabulary should be after so many words.
    fn by_the_law(&self, words: usize) -> f64 {
        self.start.1 * (words as f64 / self.start.0).powf(self.exponent)
    }

    fn page(&mut self, template: usize) -> Template {
        let real = self.real;
        let mut page = real[template].clone();
        for (kind, block) in &mut page.blocks {
            if *kind != Kind::Fixed && self.random.chance(EXCHANGED) {
                let pool = &self.pools[&(page.folder.as_str(), *kind)];
                let (other, place) = *self.random.pick(pool);
                block.clone_from(&real[other].blocks[place].1);
            }
        }
        let text = page.text();
        let mut rare: Vec<String> = words(&text)
            .map(|(_, word)| word.to_lowercase())
            .filter(|word| self.rare.contains(word))
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        self.random.shuffle(&mut rare);
        rare.truncate((rare.len() as f64 * REPLACED).round() as usize);
        let words_after = self.census.words + words(&text).count();
        let missing = (self.by_the_law(words_after) - self.census.pages.len() as f64).max(0.0);
        let mut new = missing.round() as usize;
        let mut replacements = HashMap::new();
        for word in rare {
            let other = if new > 0 || self.uses.is_empty() {
                new = new.saturating_sub(1);
                self.make_up()
            } else {
                self.random.pick(&self.uses).clone()
            };
            self.uses.push(other.clone());
            replacements.insert(word, other);
        }
        page.title = replaced(&page.title, &replacements);
        page.description = replaced(&page.description, &replacements);
        for (_, block) in &mut page.blocks {
            *block = replaced(block, &replacements);
        }
        while !self.titles.insert(page.title.clone()) {
            let word = self.random.pick(&self.uses).clone();
            page.title = format!("{} {word}", page.title);
        }
        page
    }

    /// The beginning of one rare word and the end of another, and a letter more until no word is like it.
    fn make_up(&mut self) -> String {
        let mut word = String::new();
        for end in [false, true] {
            if self.parts.is_empty() {
                break;
            }
            let part = self.random.pick(&self.parts);
            let length = 2 + self.random.below(part.len().min(9) - 2);
            word += match end {
                false => &part[..length],
                true => &part[part.len() - length..],
            };
        }
        while self.census.pages.contains_key(&word) || !self.made_up.insert(word.clone()) {
            word.push(*self.random.pick(&['a', 'e', 'i', 'n', 'r', 's', 't']));
        }
        word
    }

    fn path(&mut self, folder: &str, generation: usize, title: &str) -> String {
        let mut name = String::new();
        for word in title.split(|character: char| !character.is_ascii_alphanumeric()) {
            if !word.is_empty() && name.len() < 60 {
                if !name.is_empty() {
                    name.push('-');
                }
                name += &word.to_ascii_lowercase();
            }
        }
        if name.is_empty() || name == "index" || name == "readme" {
            name = format!("page-{name}");
        }
        let folder = match folder {
            "" => format!("more-{generation}"),
            folder => format!("{folder}-{generation}"),
        };
        let mut path = format!("{folder}/{name}.md");
        for number in 2.. {
            if self.paths.insert(path.clone()) {
                break;
            }
            path = format!("{folder}/{name}-{number}.md");
        }
        path
    }

    fn line(&self, pages: usize) -> String {
        let vocabulary = self.census.pages.len();
        let once = self.census.pages.values().filter(|pages| **pages == 1).count();
        format!(
            "{pages:>7}  {:>11}  {vocabulary:>10}  {:>10.0}  {:>10.1} %  {:>15.1}\n",
            self.census.words,
            self.by_the_law(self.census.words),
            once as f64 * 100.0 / vocabulary as f64,
            self.census.postings as f64 / pages as f64,
        )
    }
}

/// The exponent of Heaps' law: how much faster words come than different words, over the second half of the pages.
fn exponent(texts: &[String], all: &Census, random: &mut Random) -> f64 {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    let mut sum = 0.0;
    for _ in 0..ORDERS {
        random.shuffle(&mut order);
        let mut half = Census::default();
        order[..texts.len().div_ceil(2)]
            .iter()
            .for_each(|page| half.add(&texts[*page]));
        let ratio = |all: usize, half: usize| (all as f64 / half.max(1) as f64).ln();
        let growth = ratio(all.words, half.words);
        if growth > 0.0 {
            sum += ratio(all.pages.len(), half.pages.len()) / growth;
        }
    }
    (sum / ORDERS as f64).clamp(0.0, 1.0)
}

/// The text with its words replaced; capitals stay where they were.
fn replaced(text: &str, replacements: &HashMap<String, String>) -> String {
    let mut output = String::with_capacity(text.len());
    let mut end = 0;
    for (at, word) in words(text) {
        let Some(other) = replacements.get(&word.to_lowercase()) else {
            continue;
        };
        output += &text[end..at];
        end = at + word.len();
        if word.chars().all(char::is_uppercase) {
            output += &other.to_uppercase();
        } else if word.starts_with(char::is_uppercase) {
            let mut letters = other.chars();
            output.extend(letters.next().into_iter().flat_map(char::to_uppercase));
            output += letters.as_str();
        } else {
            output += other;
        }
    }
    output + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site() -> Vec<Source> {
        let mut random = Random::new(5);
        // Words as Zipf has them: the square of an even draw prefers the first ones.
        let mut word = |most: usize| {
            let draw = random.below(1_000) as f64 / 1_000.0;
            let mut number = (draw * draw * draw * most as f64) as usize;
            let mut word = String::from("w");
            loop {
                word.push(char::from(b'a' + (number % 26) as u8));
                number /= 26;
                if number == 0 {
                    break word + "xyz";
                }
            }
        };
        (0..60)
            .map(|page| {
                let mut text = format!(
                    "---\ntitle: \"Page {page}: {}\"\ndescription: d\n---\n",
                    word(500)
                );
                for _ in 0..4 {
                    let line: Vec<String> = (0..30).map(|_| word(40 + page * 30)).collect();
                    let _ = write!(
                        text,
                        "\n## {}\n\n{}\n\n```bash\nrun {}\n\nagain\n```\n",
                        word(99),
                        line.join(" "),
                        word(900)
                    );
                }
                let path = format!("folder-{}/p{page}.md", page % 3);
                Source::new(path.clone(), path, &text)
            })
            .collect()
    }

    #[test]
    fn a_grown_site_has_the_words_that_the_law_asks_for_and_is_the_same_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let sources = site();
        let out = folder.path().join("out");
        let report = grow(&sources, 300, 1, &out).unwrap();
        assert_eq!(report, grow(&sources, 300, 1, &out).unwrap());
        let last: Vec<f64> = report
            .lines()
            .last()
            .unwrap()
            .split_whitespace()
            .filter_map(|number| number.parse().ok())
            .collect();
        let [pages, _, vocabulary, by_the_law, once, ..] = last[..] else {
            panic!("{report}")
        };
        assert!((pages - 300.0).abs() < 0.5, "{report}");
        assert!((vocabulary / by_the_law - 1.0).abs() < 0.03, "{report}");
        assert!((30.0..80.0).contains(&once), "{report}");
        let (grown, problems) = indexer::source::read_folder(&out).unwrap();
        assert!(problems.is_empty() && grown.sources.len() == 300);
        let kept = grown
            .sources
            .iter()
            .find(|source| source.path == "folder-1/p1.md");
        assert_eq!(kept.unwrap().text, sources[1].text);
        let titles: BTreeSet<String> = grown
            .sources
            .iter()
            .map(|source| Template::read(source).title)
            .collect();
        assert_eq!(titles.len(), 300);
    }

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let result = grow(&site(), 70, 1, folder.path());
        assert!(matches!(result, Err(Error::NotOurs(_))));
    }

    #[test]
    fn blocks_are_cut_at_empty_lines_but_not_in_code() {
        let cut: Vec<(Kind, String)> =
            blocks("# T {#t}\ntext\nmore\n\n- a\n  ```\n  x\n\n  y\n  ```\n\n```js\n# no\n\n```\n| a |\n");
        let kinds: Vec<Kind> = cut.iter().map(|(kind, _)| *kind).collect();
        assert_eq!(
            kinds,
            [Kind::Heading(1), Kind::Text, Kind::List, Kind::Fence, Kind::Table]
        );
        assert_eq!(cut[0].1, "# T");
        assert_eq!(cut[3].1, "```js\n# no\n\n```");
    }

    #[test]
    fn replaced_words_keep_their_capitals() {
        let replacements = HashMap::from([("gauge".to_owned(), "metrum".to_owned())]);
        assert_eq!(
            replaced("Gauge, GAUGE: gauge_x gauges", &replacements),
            "Metrum, METRUM: metrum_x gauges"
        );
    }
}
