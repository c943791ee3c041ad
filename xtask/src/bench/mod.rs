//! `cargo xtask bench`: the measurements behind every figure that we state. CPU time is that of whole processes,
//! user and system together: the time on the wall says more about the machine's other work than about ours.

pub(crate) mod learn;
mod platform;
mod search;
mod site;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

use crate::budgets;
use crate::build::{self, Source};
use crate::process::{cargo, digest, once, run, run_quietly, step};
use crate::wasm;

#[derive(Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Options {
    /// A large folder of Markdown to index, beside our own content
    #[arg(long)]
    corpus: Option<PathBuf>,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Subcommand)]
enum Part {
    /// The search and those of others, on the same sections and queries: relevance, bytes, times
    Search(search::Options),
    /// The site and those that others make of the same Markdown: builds, bytes, times, Lighthouse, accessibility
    Site(site::Options),
    /// The platform server: quality of its rankings, cost of trainings, rankings and inserts, beside libraries from PyPI
    Platform(platform::Options),
}

/// One line of the table.
struct Row {
    what: String,
    value: String,
}

pub(crate) fn bench(options: &Options) -> Result<()> {
    match &options.part {
        Some(Part::Search(options)) => return search::search(options),
        Some(Part::Site(options)) => return site::site(options),
        Some(Part::Platform(options)) => return platform::platform(options),
        None => {}
    }
    build::prepare()?;
    step("indexer, optimised", || {
        run(&mut cargo(&["build", "--release", "-p", "indexer"]))
    })?;
    // First, because the other steps remove files.
    let mut of_corpus = Vec::new();
    match &options.corpus {
        Some(corpus) => step("indexer on the corpus", || {
            let name = corpus
                .file_name()
                .map_or_else(|| "corpus".into(), |name| name.to_string_lossy());
            of_corpus = indexer_rows(&name, corpus, None)?;
            Ok(())
        })?,
        None => eprintln!("SKIPPED: the indexer on a large folder; name one with --corpus DIR"),
    }
    let mut rows = Vec::new();
    let source = Source::ours();
    step("our content", || {
        build::index(&source)?;
        // The sizes are those of a site with a search key, whatever its value.
        let dist = crate::target().join("siftwren/bench-dist");
        build::site(&source.pages()?, &dist, Some(&"0".repeat(40)))?;
        rows.extend(site_rows(&dist)?);
        Ok(())
    })?;
    step("queries", || query_rows(&source.pages()?, &mut rows))?;
    step("indexer on our content", || {
        rows.extend(indexer_rows(
            "our content",
            &source.content,
            source.config.as_deref(),
        )?);
        Ok(())
    })?;
    rows.extend(of_corpus);
    println!();
    print_rows(&rows);
    Ok(())
}

fn print_rows(rows: &[Row]) {
    let width = rows.iter().map(|row| row.what.chars().count()).max().unwrap_or(0);
    for row in rows {
        println!("{:width$}  {}", row.what, row.value);
    }
}

fn site_rows(dist: &Path) -> Result<Vec<Row>> {
    let mut loads = budgets::first_loads(dist)?;
    loads.sort_by_key(budgets::FirstLoad::total);
    let (middle, last) = (loads.len() / 2, loads.len() - 1);
    let parts: Vec<String> = loads[middle]
        .parts
        .iter()
        .map(|(url, bytes)| format!("{url} {bytes}"))
        .collect();
    let mut rows = vec![
        row(
            "first load of a page, brotli bytes: median, largest",
            format!(
                "{}, {} ({})",
                loads[middle].total(),
                loads[last].total(),
                loads[last].page.display()
            ),
        ),
        row(
            "  median page: html and what it loads",
            format!("{} + {}", loads[middle].html, parts.join(" + ")),
        ),
    ];
    let mut fragments = budgets::sizes(dist, |name| name.starts_with("fragments/"))?;
    fragments.sort();
    if let (Some(median), Some(largest)) = (fragments.get(fragments.len() / 2), fragments.last()) {
        rows.push(row(
            "navigation to a page, brotli bytes: median, largest",
            format!("{median}, {largest}"),
        ));
    }
    let application = budgets::sizes(dist, |name| name.starts_with("assets/client"))?;
    rows.push(row(
        "deferred React and application with their style sheet, brotli bytes",
        application.iter().sum::<usize>().to_string(),
    ));
    rows.push(row(
        "wasm-core with its JavaScript, brotli bytes",
        budgets::wasm_bytes()?.to_string(),
    ));
    rows.push(row(
        "code of the search with the module, brotli bytes",
        search::shipped_code(dist)?.to_string(),
    ));
    Ok(rows)
}

fn row(what: &str, value: String) -> Row {
    Row {
        what: what.to_owned(),
        value,
    }
}

/// The queries of the golden ranking, through the native program and through the module in Node.
fn query_rows(pages: &Path, rows: &mut Vec<Row>) -> Result<()> {
    const REPEAT: usize = 200;
    let golden = crate::root().join("tests/golden/queries.json");
    let queries: Vec<String> = serde_json::from_str(&std::fs::read_to_string(&golden)?)
        .with_context(|| format!("{} is no list of queries", golden.display()))?;
    let lines: String = queries
        .iter()
        .enumerate()
        .map(|(id, query)| {
            format!(
                "{}\n",
                serde_json::json!({ "id": id.to_string(), "query": query })
            )
        })
        .collect();
    let folder = crate::target().join("siftwren");
    let (once, often) = (
        folder.join("queries-once.jsonl"),
        folder.join("queries-often.jsonl"),
    );
    std::fs::write(&once, &lines)?;
    std::fs::write(&often, lines.repeat(REPEAT))?;
    let native = |file: &Path| {
        cpu(Command::new(release("indexer"))
            .arg("query")
            .arg("--index")
            .arg(pages)
            .arg("--queries")
            .arg(file))
    };
    // Starting and reading the index are in both; the difference is the queries, with the printing of their hits.
    let seconds = native(&often)?.seconds - native(&once)?.seconds;
    let count = queries.len() * (REPEAT - 1);
    rows.push(row(
        "native query, CPU µs: mean",
        format!("{:.0} over {count} queries", seconds * 1e6 / count as f64),
    ));

    let scripts = crate::root().join("xtask/bench/search");
    let measured = search::output(
        Command::new("node")
            .arg(scripts.join("ours.mjs"))
            .arg(wasm::package())
            .arg(pages.join("search"))
            .arg(&once)
            .arg("5"),
    )?;
    let measured: serde_json::Value = serde_json::from_str(&measured).context("ours.mjs prints JSON")?;
    for stage in ["lexical", "hybrid"] {
        let of = &measured[stage];
        if of.is_object() {
            rows.push(row(
                &format!("WASM query in Node, {stage}, CPU µs: mean, p50, p95"),
                format!(
                    "{}, {}, {}",
                    of["micros"]["mean"], of["micros"]["p50"], of["micros"]["p95"]
                ),
            ));
            rows.push(row(
                &format!("index files of a first search, {stage}, brotli bytes: mean, p95"),
                format!("{}, {}", of["bytes"]["mean"], of["bytes"]["p95"]),
            ));
        }
    }
    Ok(())
}

fn indexer_rows(name: &str, content: &Path, config: Option<&Path>) -> Result<Vec<Row>> {
    const RUNS: usize = 5;
    // Not where another run has just removed thousands of files: ext4 looks past each of them for minutes. The files that a run
    // makes cost the system .2 to 1 s, by what else the disk does.
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
    let folder = crate::target().join(format!("siftwren/bench-pages-{}", now.as_secs()));
    let mut usages = Vec::new();
    for run in 0..RUNS {
        let mut command = Command::new(release("indexer"));
        command.arg("build").arg("--content").arg(content);
        command.arg("--out").arg(folder.join(run.to_string()));
        if let Some(config) = config {
            command.arg("--config").arg(config);
        }
        usages.push(cpu(&mut command)?);
    }
    usages.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let usage = &usages[RUNS / 2];
    let out = folder.join("0");
    let pages = walkdir::WalkDir::new(out.join("pages"))
        .into_iter()
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.file_type().is_file()))
        .count();
    let index: usize = budgets::sizes(&out, |name| name.ends_with(".bin"))?.iter().sum();
    std::fs::remove_dir_all(&folder)?;
    Ok(vec![
        row(
            &format!("indexer, {name}: pages, CPU s, median of {RUNS}"),
            format!("{pages}, {:.2}", usage.seconds),
        ),
        row(
            &format!("indexer, {name}: CPU s per 1,000 pages"),
            format!("{:.2}", usage.seconds * 1000.0 / pages as f64),
        ),
        row(
            &format!("indexer, {name}: peak memory, MB"),
            format!("{:.0}", usage.peak_kilobytes as f64 / 1000.0),
        ),
        row(
            &format!("indexer, {name}: search index, brotli bytes"),
            index.to_string(),
        ),
    ])
}

fn release(name: &str) -> PathBuf {
    crate::target().join("release").join(name)
}

struct Usage {
    seconds: f64,
    peak_kilobytes: i64,
}

impl Usage {
    /// Of programs that run one after the other.
    fn of_all(programs: &[Usage]) -> Self {
        Self {
            seconds: programs.iter().map(|program| program.seconds).sum(),
            peak_kilobytes: programs
                .iter()
                .map(|program| program.peak_kilobytes)
                .max()
                .unwrap_or_default(),
        }
    }
}

/// The scripts of a part of the bench, with the list of the packages that they use.
fn copy_scripts(part: &str, folder: &Path) -> Result<()> {
    for entry in std::fs::read_dir(crate::root().join("xtask/bench").join(part))? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// The packages stand in `target`: they are nobody's but this measurement's.
fn install_packages(folder: &Path) -> Result<()> {
    let inputs = digest(&[&folder.join("package-lock.json")], &[])?;
    once(&folder.join("node_modules/.siftwren-installed"), &inputs, || {
        run_quietly(
            Command::new("npm")
                .args([
                    "install",
                    "--no-save",
                    "--no-audit",
                    "--no-fund",
                    "--loglevel=error",
                ])
                .current_dir(folder),
        )
    })
}

/// CPU seconds and peak memory of one command, run below a process of its own: what the system reports about
/// finished children is a sum, and a maximum, over all of them.
fn cpu(command: &mut Command) -> Result<Usage> {
    let report = crate::target().join("siftwren/measured");
    let mut measured = Command::new(std::env::current_exe()?);
    measured
        .arg("measure")
        .arg(&report)
        .arg("--")
        .arg(command.get_program())
        .args(command.get_args());
    if let Some(folder) = command.get_current_dir() {
        measured.current_dir(folder);
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => measured.env(name, value),
            None => measured.env_remove(name),
        };
    }
    run_quietly(&mut measured)?;
    let text = std::fs::read_to_string(&report)?;
    let (seconds, peak_kilobytes) = text
        .split_once(' ')
        .context("the measurement wrote two numbers")?;
    Ok(Usage {
        seconds: seconds.parse()?,
        peak_kilobytes: peak_kilobytes.parse()?,
    })
}

/// The other side of [`cpu`].
pub(crate) fn measure(report: &Path, command: &[std::ffi::OsString]) -> Result<()> {
    let (program, arguments) = command.split_first().context("there is a command to measure")?;
    run(Command::new(program).args(arguments))?;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let seconds =
        (usage.user_time().num_microseconds() + usage.system_time().num_microseconds()) as f64 / 1e6;
    Ok(std::fs::write(report, format!("{seconds} {}", usage.max_rss()))?)
}
