//! `cargo xtask bench search`: our search and those that a docs site could have instead, on the same sections and queries.
//!
//! Relevance is judged by the tool `relevance` for all alike. Bytes are brotli, quality 11, from a cold start to the first result.
//! Times are CPU times of a query in Node once everything is loaded and compiled; the machine's other work hardly touches them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::{Row, copy_scripts, cpu, install_packages, print_rows, release, row};
use crate::build::{self, Source};
use crate::process::{cargo, run, run_quietly, step};
use crate::{budgets, setup, wasm};

#[derive(Args)]
pub(crate) struct Options {
    /// A judged site that is not ours: a folder with content/ and queries.jsonl
    #[arg(long, value_name = "DIR")]
    judged: Option<PathBuf>,
    /// A large folder of Markdown, for bytes and times
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// Of how many pages the corpus is made to measure a very large site
    #[arg(long, default_value_t = 11_000, value_name = "PAGES")]
    grow: usize,
    /// Ours alone, without the systems from npm
    #[arg(long)]
    without_peers: bool,
}

/// Names in `xtask/bench/search/peers.mjs`.
const PEERS: [&str; 7] = [
    "Pagefind",
    "MiniSearch",
    "MiniSearch as VitePress",
    "Lunr",
    "Lunr, names cut",
    "FlexSearch",
    "Orama",
];
/// Those worth asking on the largest site: the one that shards as ours does, and the fastest one. The others would send tens of
/// megabytes and take minutes.
const PEERS_OF_LARGE_SITES: [&str; 2] = ["Pagefind", "FlexSearch"];
/// Made-up queries of a site that nobody has judged.
const SAMPLES: usize = 200;
/// Of how many queries one is misspelt where bytes and times are measured; `relevance sample` does the same.
const TYPOS: usize = 8;
/// How many seconds a system's queries are timed.
const SECONDS: &str = "6";

/// A site under measurement.
struct Site {
    name: String,
    /// The indexer's output.
    pages: PathBuf,
    /// Judged queries; none where only bytes and times are of interest.
    judged: Vec<PathBuf>,
    /// What is asked to judge the answers: every query and its typo.
    judged_queries: PathBuf,
    /// What is asked to measure bytes and times: one query in eight with a typo, about as people make them.
    queries: PathBuf,
    has_vectors: bool,
    count: usize,
}

pub(crate) fn search(options: &Options) -> Result<()> {
    let folder = crate::target().join("siftwren/bench-search");
    std::fs::create_dir_all(&folder)?;
    step("tools of this machine", setup::node)?;
    step("npm packages of the site", || setup::npm_packages("site"))?;
    step("WebAssembly target", setup::wasm_target)?;
    step("WebAssembly module", wasm::build)?;
    step("indexer and relevance, optimised", || {
        run(&mut cargo(&[
            "build",
            "--release",
            "-p",
            "indexer",
            "-p",
            "relevance",
        ]))
    })?;
    copy_scripts("search", &folder)?;
    if !options.without_peers {
        step("peers from npm", || install_packages(&folder))?;
    }

    let mut rows = Vec::new();
    let encoder = std::env::var_os("SIFTWREN_ENCODER").filter(|folder| !folder.is_empty());
    if encoder.is_none() {
        eprintln!(
            "SKIPPED: vectors of other sites than ours; name an encoder in SIFTWREN_ENCODER (cargo xtask encoder)"
        );
    }
    let mut sites = Vec::new();
    let ours = Source::ours();
    sites.push(step("our content", || {
        let judged = ["questions.jsonl", "search.jsonl"];
        let judged = judged.map(|name| crate::root().join("tests/relevance").join(name));
        Site::index("ours", &ours, None, &folder, &mut rows)?.asked(&judged)
    })?);
    match &options.judged {
        Some(judged) => sites.push(step("judged site", || {
            let source = Source {
                content: judged.join("content"),
                config: None,
            };
            let cache = folder.join("vectors-judged");
            if encoder.is_some() && cache.exists() {
                // So that encoding is measured.
                std::fs::remove_dir_all(&cache)?;
            }
            let cache = encoder.as_ref().map(|_| cache);
            Site::index("judged", &source, cache.as_deref(), &folder, &mut rows)?
                .asked(&[judged.join("queries.jsonl")])
        })?),
        None => eprintln!("SKIPPED: a judged site that is not ours; name one with --judged DIR"),
    }
    match &options.corpus {
        Some(corpus) => {
            let cache = encoder.as_ref().map(|_| folder.join("vectors-corpus"));
            let source = Source {
                content: corpus.clone(),
                config: None,
            };
            sites.push(step("corpus", || {
                Site::index("corpus", &source, cache.as_deref(), &folder, &mut rows)?.sampled()
            })?);
            sites.push(step("corpus, grown", || {
                let grown = folder.join("grown");
                grow(corpus, options.grow, &grown)?;
                let source = Source {
                    content: grown,
                    config: None,
                };
                // New sections get their vectors from the corpus's table: encoding them would take hours.
                Site::index_with("grown", &source, cache.as_deref(), false, &folder, &mut rows)?.sampled()
            })?);
        }
        None => {
            eprintln!("SKIPPED: bytes and times on large sites; name a folder of Markdown with --corpus DIR")
        }
    }

    let code = step("code of the search", || search_code(&sites[0].pages))?;
    rows.push(row(
        "wasm-core and its JavaScript, brotli bytes",
        budgets::wasm_bytes()?.to_string(),
    ));
    rows.push(row(
        "module and code that a search loads, brotli bytes",
        code.to_string(),
    ));
    let mut text = String::new();
    for site in &sites {
        step(&format!("search: {}", site.name), || {
            text += &measure_site(site, code, options, &folder)?;
            Ok(())
        })?;
    }
    println!();
    print_rows(&rows);
    println!("{text}");
    Ok(())
}

impl Site {
    fn index(
        name: &str,
        source: &Source,
        cache: Option<&Path>,
        folder: &Path,
        rows: &mut Vec<Row>,
    ) -> Result<Site> {
        Self::index_with(name, source, cache, true, folder, rows)
    }

    /// Runs the indexer: without vectors, for its own time, and then with those that it can get.
    fn index_with(
        name: &str,
        source: &Source,
        cache: Option<&Path>,
        encode: bool,
        folder: &Path,
        rows: &mut Vec<Row>,
    ) -> Result<Site> {
        let pages = folder.join(format!("pages-{name}"));
        let command = || {
            let mut command = Command::new(release("indexer"));
            command.arg("build").arg("--content").arg(&source.content);
            command.arg("--out").arg(&pages);
            if let Some(config) = &source.config {
                command.arg("--config").arg(config);
            }
            command
        };
        let nowhere = folder.join("no-vectors");
        let plain = cpu(command()
            .arg("--vector-cache")
            .arg(&nowhere)
            .env_remove("SIFTWREN_ENCODER"))?;
        let manifest = read_json(&pages.join("manifest.json"))?;
        let count = manifest["pages"].as_array().map_or(0, Vec::len);
        rows.push(row(
            &format!("indexer, {name}: pages, CPU s per 1,000 pages without vectors, peak MB"),
            format!(
                "{count}, {:.2}, {:.0}",
                plain.seconds * 1000.0 / count as f64,
                plain.peak_kilobytes as f64 / 1000.0
            ),
        ));
        if cache.is_some() || source.config.is_some() {
            let mut with_vectors = command();
            if let Some(cache) = cache {
                with_vectors.arg("--vector-cache").arg(cache);
            }
            if !encode || cache.is_none() {
                with_vectors.env_remove("SIFTWREN_ENCODER");
            }
            let is_new = cache.is_some_and(|cache| !cache.exists());
            let used = cpu(&mut with_vectors)?;
            let sections = std::fs::read_to_string(pages.join("items.ndjson"))?
                .lines()
                .count();
            let seconds = used.seconds - plain.seconds;
            if is_new && encode {
                rows.push(row(
                    &format!("encoder, {name}: sections per CPU s, training of the query side included"),
                    format!(
                        "{:.1} ({sections} sections in {seconds:.0} s)",
                        sections as f64 / seconds
                    ),
                ));
            } else {
                rows.push(row(
                    &format!("indexer, {name}: CPU s per 1,000 pages with vectors from a cache"),
                    format!("{:.2}", used.seconds * 1000.0 / count as f64),
                ));
            }
        }
        let has_vectors = read_json(&pages.join("manifest.json"))?["search"]["vectors"] == Value::Bool(true);
        Ok(Site {
            name: name.to_owned(),
            judged_queries: folder.join(format!("judged-{name}.jsonl")),
            queries: folder.join(format!("queries-{name}.jsonl")),
            pages,
            judged: Vec::new(),
            has_vectors,
            count,
        })
    }

    /// Asks judged queries.
    fn asked(mut self, judged: &[PathBuf]) -> Result<Site> {
        self.judged = judged.to_vec();
        let mut command = relevance(&["queries"]);
        for file in judged {
            command.arg("--judged").arg(file);
        }
        let lines = output(&mut command)?;
        std::fs::write(&self.judged_queries, &lines)?;
        let mut typos = 0;
        let measured: String = lines
            .split_inclusive('\n')
            .filter(|line| {
                let is_typo = line.contains("+typo\"");
                typos += usize::from(is_typo);
                !is_typo || typos % TYPOS == 0
            })
            .collect();
        std::fs::write(&self.queries, measured)?;
        Ok(self)
    }

    /// Asks made-up queries.
    fn sampled(self) -> Result<Site> {
        let mut command = relevance(&["sample", "--count", &SAMPLES.to_string()]);
        command.arg("--items").arg(self.pages.join("items.ndjson"));
        std::fs::write(&self.queries, output(&mut command)?)?;
        Ok(self)
    }
}

fn grow(corpus: &Path, pages: usize, out: &Path) -> Result<()> {
    let mut command = relevance(&["grow", "--pages", &pages.to_string()]);
    command.arg("--from").arg(corpus).arg("--out").arg(out);
    eprint!("{}", output(&mut command)?);
    Ok(())
}

/// Relevance, bytes and times of every system on one site.
fn measure_site(site: &Site, code: usize, options: &Options, folder: &Path) -> Result<String> {
    let mut text = format!("\n== {}, {} pages ==\n", site.name, site.count);
    let mut rankings: Vec<(String, PathBuf)> = Vec::new();
    let stages = output(&mut relevance(&["stages"]))?;
    let best = if site.has_vectors {
        "ours, hybrid"
    } else {
        "ours, lexical"
    };
    let mut ours: Vec<(String, Vec<&str>)> = vec![(best.to_owned(), Vec::new())];
    if !site.judged.is_empty() {
        if site.has_vectors {
            ours.push(("ours, lexical".to_owned(), vec!["--no-vectors"]));
        }
        for stage in stages.lines().filter(|stage| *stage != "semantic") {
            ours.push((format!("{best}, without {stage}"), vec!["--without", stage]));
        }
        for (name, switches) in &ours {
            let file = folder.join(format!("ranking-{}-{}.jsonl", site.name, rankings.len()));
            let mut command = Command::new(release("indexer"));
            command.arg("query").arg("--index").arg(&site.pages);
            command.args(["--limit", "60"]).args(switches);
            command.arg("--queries").arg(&site.judged_queries);
            std::fs::write(&file, output(&mut command)?)?;
            rankings.push((name.clone(), file));
        }
    }

    let measured = output(
        Command::new("node")
            .arg(folder.join("ours.mjs"))
            .arg(wasm::package())
            .arg(site.pages.join("search"))
            .arg(&site.queries)
            .arg(SECONDS),
    )?;
    let measured: Value = serde_json::from_str(&measured).context("ours.mjs prints JSON")?;
    let mut costs = vec![];
    for stage in ["lexical", "hybrid"] {
        if measured[stage].is_object() {
            costs.push(Cost::ours(stage, &measured[stage], code));
        }
    }
    let mut peers = Vec::new();
    if !options.without_peers {
        let html = folder.join(format!("html-{}", site.name));
        pagefind_pages(site, &html, folder)?;
        let names: &[&str] = if site.name == "grown" {
            &PEERS_OF_LARGE_SITES
        } else {
            &PEERS
        };
        for (number, name) in names.iter().enumerate() {
            let ranking = folder.join(format!("ranking-{}-peer-{number}.jsonl", site.name));
            let mut command = Command::new("node");
            command
                .arg("--max-old-space-size=12000")
                .arg(folder.join("peer.mjs"))
                .arg(name)
                .arg(site.pages.join("items.ndjson"))
                .arg(&html)
                .arg(&site.queries)
                .arg(SECONDS);
            if !site.judged.is_empty() {
                command.arg(&site.judged_queries).arg(&ranking);
            }
            let measured = output(&mut command)?;
            let measured: Value = serde_json::from_str(&measured).context("peer.mjs prints JSON")?;
            peers.push(Cost::peer(name, &measured));
            rankings.push(((*name).to_owned(), ranking));
        }
    }
    if !site.judged.is_empty() {
        for judged in &site.judged {
            text += &judge(judged, &rankings)?;
        }
    }
    text += &cost_table(costs, peers);
    text += &format!("ours, by kind of file, mean brotli bytes: {}\n", kinds(&measured));
    Ok(text)
}

fn judge(judged: &Path, rankings: &[(String, PathBuf)]) -> Result<String> {
    let mut command = relevance(&["judge", "--compact"]);
    command.arg("--judged").arg(judged);
    for (name, file) in rankings {
        command.arg("--ranking").arg(format!("{name}={}", file.display()));
    }
    let name = judged.file_name().unwrap_or_default().to_string_lossy();
    Ok(format!("\n{name}\n{}", output(&mut command)?))
}

/// What a system costs a reader.
struct Cost {
    name: String,
    code: f64,
    bytes: [f64; 3],
    micros: [f64; 2],
    rounds: f64,
}

impl Cost {
    fn ours(stage: &str, measured: &Value, code: usize) -> Cost {
        let bytes = ["mean", "p95", "max"].map(|key| number(&measured["bytes"][key]) + code as f64);
        Cost {
            name: format!("ours, {stage}"),
            code: code as f64,
            bytes,
            micros: ["p50", "p95"].map(|key| number(&measured["micros"][key])),
            rounds: number(&measured["rounds"]["max"]),
        }
    }

    fn peer(name: &str, measured: &Value) -> Cost {
        Cost {
            name: name.to_owned(),
            code: number(&measured["bytes"]["code"]),
            bytes: ["mean", "p95", "max"].map(|key| number(&measured["bytes"][key])),
            micros: ["p50", "p95"].map(|key| number(&measured["micros"][key])),
            rounds: 0.0,
        }
    }
}

fn cost_table(ours: Vec<Cost>, peers: Vec<Cost>) -> String {
    let fastest = peers
        .iter()
        .map(|peer| peer.micros[0])
        .fold(f64::INFINITY, f64::min);
    let lightest = peers
        .iter()
        .map(|peer| peer.bytes[0])
        .fold(f64::INFINITY, f64::min);
    let mut text = format!(
        "\n{:26} {:>9} {:>9} {:>9} {:>8} {:>7} {:>9} {:>9} {:>7}\n",
        "", "kB mean", "p95", "max", "of best", "code", "µs p50", "p95", "of best"
    );
    for cost in ours.into_iter().chain(peers) {
        let [mean, p95, max] = cost.bytes.map(|bytes| bytes / 1000.0);
        let share = |value: f64, best: f64| match best.is_finite() {
            true => format!("{:.2}", value / best),
            false => "-".to_owned(),
        };
        text += &format!(
            "{:26} {mean:>9.1} {p95:>9.1} {max:>9.1} {:>8} {:>7.1} {:>9.0} {:>9.0} {:>7}{}\n",
            cost.name,
            share(cost.bytes[0], lightest),
            cost.code / 1000.0,
            cost.micros[0],
            cost.micros[1],
            share(cost.micros[0], fastest),
            match cost.rounds {
                0.0 => String::new(),
                rounds => format!("  at most {rounds} rounds of loading"),
            }
        );
    }
    text
}

fn kinds(measured: &Value) -> String {
    let stage = if measured["hybrid"].is_object() {
        "hybrid"
    } else {
        "lexical"
    };
    let kinds: BTreeMap<String, f64> = measured[stage]["kinds"]
        .as_object()
        .map(|kinds| {
            kinds
                .iter()
                .map(|(kind, bytes)| (kind.clone(), number(bytes)))
                .collect()
        })
        .unwrap_or_default();
    let mut words = vec![format!("core {}", number(&measured["core"]))];
    words.extend(kinds.iter().map(|(kind, bytes)| format!("{kind} {bytes}")));
    words.join(", ")
}

/// What a browser loads for a search beside the index: the module, its glue and the worker around it, as the site ships them.
fn search_code(pages: &Path) -> Result<usize> {
    let dist = crate::target().join("siftwren/bench-dist");
    build::site(pages, &dist, Some(&"0".repeat(40)))?;
    shipped_code(&dist)
}

/// The same for a site that is built.
pub(super) fn shipped_code(dist: &Path) -> Result<usize> {
    let sizes = budgets::sizes(dist, |name| {
        name.strip_prefix("assets/").is_some_and(|name| {
            !name.contains('/')
                && (name.ends_with(".wasm") || (name.starts_with("search") && name.ends_with(".js")))
        })
    })?;
    if sizes.len() < 2 {
        bail!(
            "the site ships no module or no code of the search where it is expected: {}",
            dist.display()
        );
    }
    Ok(sizes.iter().sum())
}

fn pagefind_pages(site: &Site, html: &Path, folder: &Path) -> Result<()> {
    if html.exists() {
        std::fs::remove_dir_all(html)?;
    }
    run_quietly(
        Command::new("node")
            .arg(folder.join("pagefind-html.mjs"))
            .arg(site.pages.join("items.ndjson"))
            .arg(html),
    )?;
    run_quietly(
        Command::new(folder.join("node_modules/.bin/pagefind"))
            .arg("--site")
            .arg(html)
            .arg("--quiet"),
    )
}

pub(super) fn relevance(arguments: &[&str]) -> Command {
    let mut command = Command::new(release("relevance"));
    command.args(arguments);
    command
}

/// What a command prints.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .output()
        .with_context(|| format!("cannot start {program}"))?;
    anyhow::ensure!(
        output.status.success(),
        "{program}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).with_context(|| format!("{program} printed no text"))
}

fn read_json(file: &Path) -> Result<Value> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text).with_context(|| format!("{} is no JSON", file.display()))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or(f64::NAN)
}
