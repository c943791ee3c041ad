//! `relevance`: judges rankings, makes queries and pages to measure with, learns the weights. `--help` lists the commands.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use indexer::diagnostic::Diagnostic;
use indexer::source::{self, Source};
use relevance::collection::{self, Collection};
use relevance::judged::{self, Form, Query};
use relevance::learn::{self, Learner};
use relevance::report::{self, System};
use relevance::split::Half;
use relevance::{grow, sample, split, typos};

#[derive(Parser)]
#[command(
    name = "relevance",
    about = "Judges how well searches rank",
    disable_version_flag = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Judges rankings: nDCG@10 with intervals, reciprocal rank, top 5, no result, each compared with the first system
    Judge(Judge),
    /// Prints the queries of judged files as `indexer query --queries` and others read them; misspelt forms end in `+typo`
    Queries {
        /// Judged queries, one JSON object a line
        #[arg(long, required = true)]
        judged: Vec<PathBuf>,
    },
    /// Prints judged queries with a typo where they have none: one edit, made by the seed
    Typos {
        /// Judged queries, one JSON object a line
        file: PathBuf,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Prints made-up queries for a site, to measure bytes and times with
    Sample {
        /// `items.ndjson` of the site
        #[arg(long)]
        items: PathBuf,
        #[arg(long, default_value_t = 200)]
        count: usize,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Learns the weights of our ranking from the dev half of judged sites, ours among them, and judges them on the test half
    Learn(Learn),
    /// Prints the stages of our ranking that can be left out
    Stages,
    /// Makes a folder of Markdown larger, with words that keep coming as in real sites
    Grow(Grow),
}

#[derive(Args)]
struct Judge {
    /// Judged queries, one JSON object a line; several files are one set
    #[arg(long, required = true)]
    judged: Vec<PathBuf>,
    /// A system: what to call it and its answers, as `indexer query` prints them
    #[arg(long = "ranking", value_name = "NAME=FILE", required = true)]
    rankings: Vec<String>,
    /// Seed of the split and of the intervals
    #[arg(long, default_value_t = split::SEED)]
    seed: u64,
    /// Prints JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Leaves the dev half out of the table
    #[arg(long)]
    compact: bool,
    /// Prints where the first system puts the gold page of every query, the worst first
    #[arg(long)]
    places: bool,
}

#[derive(Args)]
struct Learn {
    /// A site that is not ours: a folder with `content/` and `queries.jsonl`
    #[arg(long)]
    judged: Vec<PathBuf>,
    /// Caches of vectors of these sites: a folder with a folder of the same name for each
    #[arg(long)]
    vectors: Option<PathBuf>,
    /// Seed of the split and of the samples
    #[arg(long, default_value_t = split::SEED)]
    seed: u64,
    /// Learns from the test half and judges on the dev half: what is learnt should be much the same
    #[arg(long)]
    swap: bool,
    /// Writes the weights into search-core, with this date
    #[arg(long, value_name = "DATE")]
    write: Option<String>,
}

#[derive(Args)]
struct Grow {
    /// The folder of Markdown to start from
    #[arg(long)]
    from: PathBuf,
    /// How many pages the result has
    #[arg(long)]
    pages: usize,
    /// Where it goes: a folder that does not exist yet, or an earlier result
    #[arg(long)]
    out: PathBuf,
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Why a command did not succeed.
enum Failure {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// The arguments name something that cannot be used.
    Usage(String),
    /// Something outside failed.
    Outside(String),
}

fn main() -> ExitCode {
    let result = match Arguments::parse().command {
        Command::Judge(options) => judge(&options),
        Command::Queries { judged } => print_queries(&judged),
        Command::Typos { file, seed } => print_typos(&file, seed),
        Command::Sample { items, count, seed } => print_sample(&items, count, seed),
        Command::Stages => Ok(search_core::Stages::NAMES
            .map(|name| format!("{name}\n"))
            .concat()),
        Command::Learn(options) => learn_weights(&options),
        Command::Grow(options) => grow_folder(&options),
    };
    match result {
        Ok(output) => {
            print!("{output}");
            ExitCode::SUCCESS
        }
        Err(Failure::Input(problems)) => {
            for problem in &problems {
                eprintln!("{problem}");
            }
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            eprintln!("relevance: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Outside(message)) => {
            eprintln!("relevance: {message}");
            ExitCode::from(3)
        }
    }
}

fn judge(options: &Judge) -> Result<String, Failure> {
    let queries = read_judged(&options.judged)?;
    let mut systems = Vec::new();
    for ranking in &options.rankings {
        let (name, file) = ranking
            .split_once('=')
            .ok_or_else(|| Failure::Usage(format!("--ranking is NAME=FILE, not `{ranking}`")))?;
        let ranking = read(Path::new(file), judged::read_ranking)?;
        systems.push(System {
            name: name.to_owned(),
            ranking,
        });
    }
    let missing = report::unanswered(&queries, &systems);
    if let Some((system, id)) = missing.first() {
        let source = Source::new("", system.clone(), "");
        let message = format!(
            "{} judged queries have no line, the first one is `{id}`; ask those that `relevance queries` prints",
            missing.len()
        );
        return Err(Failure::Input(vec![Diagnostic::error(&source, 0, message)]));
    }
    if options.places {
        return Ok(report::places(&queries, &systems[0]));
    }
    let mut rows = report::rows(&queries, &systems, options.seed);
    if options.compact {
        rows.retain(|row| row.part != "dev");
    }
    if options.json {
        let json = serde_json::to_string(&rows).map_err(|error| Failure::Outside(error.to_string()))?;
        return Ok(json + "\n");
    }
    Ok(report::table(&rows))
}

fn print_queries(files: &[PathBuf]) -> Result<String, Failure> {
    let mut lines = String::new();
    for query in read_judged(files)? {
        for form in [Form::Clean, Form::Typo] {
            if let Some(text) = query.text(form) {
                let line = serde_json::json!({ "id": query.id(form), "query": text });
                lines += &format!("{line}\n");
            }
        }
    }
    Ok(lines)
}

fn print_typos(file: &Path, seed: u64) -> Result<String, Failure> {
    let queries = read_judged(&[file.to_owned()])?;
    let text = read(file, |source| (source.text.clone(), Vec::new()))?;
    let mut lines = String::new();
    for (line, query) in text.lines().filter(|line| !line.trim().is_empty()).zip(queries) {
        let typo = match query.typo {
            None => typos::one_edit(&query.query, seed),
            Some(_) => None,
        };
        match (typo, line.trim_end().strip_suffix('}')) {
            (Some(typo), Some(open)) => {
                lines += &format!("{open}, \"typo\": {}}}\n", serde_json::json!(typo));
            }
            _ => lines += &format!("{line}\n"),
        }
    }
    Ok(lines)
}

fn print_sample(items: &Path, count: usize, seed: u64) -> Result<String, Failure> {
    let items = read(items, sample::read_items)?;
    let mut lines = String::new();
    for query in sample::queries(&items, count, seed) {
        let line = serde_json::to_string(&query).map_err(|error| Failure::Outside(error.to_string()))?;
        lines += &format!("{line}\n");
    }
    Ok(lines)
}

fn learn_weights(options: &Learn) -> Result<String, Failure> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the package lies in the repository");
    let mut collections = Vec::new();
    for folder in &options.judged {
        let place = collection::in_folder(folder, options.vectors.as_deref());
        if !place.content.is_dir() || !place.queries.is_file() {
            return Err(Failure::Usage(format!(
                "--judged {} has no content/ or no queries.jsonl",
                folder.display()
            )));
        }
        collections.push(place);
    }
    collections.extend(collection::ours(root));
    let collections = collections
        .iter()
        .map(|place| {
            Collection::read(place).map_err(|error| match error {
                collection::Error::Input(problems) => Failure::Input(problems),
                collection::Error::Outside(message) => Failure::Outside(message),
            })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut learner = Learner::new(&collections, options.seed);
    let from = if options.swap { Half::Test } else { Half::Dev };
    let learnt = learner.learn(from, &mut |line| eprintln!("{line}"));
    let report = format!("{}\n{}", learnt.report, learner.flatness(&learnt.weights));
    if let Some(date) = &options.write {
        let file = root.join("crates/search-core/src/rank/weights.rs");
        let text = learn::source_file(&learnt, date, &collections, options.seed);
        std::fs::write(&file, text)
            .map_err(|error| Failure::Outside(format!("cannot write {}: {error}", file.display())))?;
    }
    Ok(report)
}

fn grow_folder(options: &Grow) -> Result<String, Failure> {
    if !options.from.is_dir() {
        return Err(Failure::Usage(format!(
            "--from {} is not a folder",
            options.from.display()
        )));
    }
    let (folder, problems) =
        source::read_folder(&options.from).map_err(|error| Failure::Outside(error.to_string()))?;
    if !problems.is_empty() {
        return Err(Failure::Input(problems));
    }
    if folder.sources.is_empty() || options.pages < folder.sources.len() {
        return Err(Failure::Usage(format!(
            "--pages {} is less than the {} pages of {}, which stay as they are, or these are none",
            options.pages,
            folder.sources.len(),
            options.from.display()
        )));
    }
    grow::grow(&folder.sources, options.pages, options.seed, &options.out).map_err(|error| match error {
        grow::Error::NotOurs(folder) => Failure::Usage(format!(
            "--out {} exists and was not made by `relevance grow`: name another folder",
            folder.display()
        )),
        grow::Error::Failed(message) => Failure::Outside(message),
    })
}

/// Judged queries of several files as one set.
fn read_judged(files: &[PathBuf]) -> Result<Vec<Query>, Failure> {
    let mut queries: Vec<Query> = Vec::new();
    for file in files {
        let more = read(file, judged::read_queries)?;
        if let Some(query) = more
            .iter()
            .find(|query| queries.iter().any(|other| other.id == query.id))
        {
            let source = Source::new("", file.to_string_lossy(), "");
            let message = format!("the id `{}` is in another of the files too", query.id);
            return Err(Failure::Input(vec![Diagnostic::error(&source, 0, message)]));
        }
        queries.extend(more);
    }
    Ok(queries)
}

/// Reads a file with one of the readers, all of which name what is wrong.
fn read<T>(file: &Path, reader: impl Fn(&Source) -> (T, Vec<Diagnostic>)) -> Result<T, Failure> {
    if !file.is_file() {
        return Err(Failure::Usage(format!("{} is not a file", file.display())));
    }
    let (source, mut problems) =
        source::read_file(file).map_err(|error| Failure::Outside(error.to_string()))?;
    let (value, found) = reader(&source);
    problems.extend(found);
    match problems.is_empty() {
        true => Ok(value),
        false => Err(Failure::Input(problems)),
    }
}
