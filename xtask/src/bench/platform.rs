//! `cargo xtask bench platform`: the platform server beside well-known libraries, in one run.
//!
//! Everything is asked over HTTP, as a client would. Times are processor times of the server's process wherever a figure is
//! compared, because other work on the machine hardly touches them; times on the wall stand beside them.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::Value;

use super::search::output;
use super::{cpu, release};
use crate::platform::{Keys, Server, wait_until_up};
use crate::process::{cargo, once, run, run_quietly, step};
use crate::setup;

#[derive(Args)]
pub(crate) struct Options {
    /// A folder with real ratings: interactions.tsv, strong.json, loo.json and evaluate.py
    #[arg(long, value_name = "DIR")]
    ratings: Option<PathBuf>,
    /// The sizes of the made-up catalogues
    #[arg(long, value_name = "ITEMS", value_delimiter = ',', default_values_t = [10_000, 100_000, 1_000_000])]
    items: Vec<usize>,
    /// For how many seconds rows are inserted
    #[arg(long, default_value_t = 8)]
    insert_seconds: u32,
    /// Ours alone, without the libraries from PyPI
    #[arg(long)]
    without_peers: bool,
}

/// What peers need, pinned.
const PACKAGES: [&str; 4] = ["implicit==0.7.3", "numpy==2.4.6", "scipy==1.17.1", "tqdm==4.70.1"];

/// nDCG@10 of well-known implementations on movietweetings, as the README beside the ratings has it: split, model, value.
const KNOWN: [(&str, &str, f64); 7] = [
    ("strong", "popular", 0.099),
    ("strong", "als", 0.148),
    ("strong", "ease", 0.149),
    ("loo", "popular", 0.078),
    ("loo", "als", 0.085),
    ("loo", "ease", 0.094),
    ("loo", "ngram", 0.115),
];

/// A line of the table.
struct Line {
    what: String,
    value: String,
    wanted: String,
}

impl Line {
    fn new(what: impl Into<String>, value: impl Into<String>, wanted: impl Into<String>) -> Line {
        Line {
            what: what.into(),
            value: value.into(),
            wanted: wanted.into(),
        }
    }
}

pub(crate) fn platform(options: &Options) -> Result<()> {
    let folder = crate::target().join("siftwren/bench-platform");
    std::fs::create_dir_all(&folder)?;
    step("tools of this machine", || {
        setup::c_compiler()?;
        setup::python()
    })?;
    step("platform-sim and the models, optimised", || {
        run(&mut cargo(&["build", "--release", "-p", "platform-sim"]))?;
        for (package, example) in [("recsys", "movietweetings"), ("expressions", "speed")] {
            run(&mut cargo(&[
                "build",
                "--release",
                "-p",
                package,
                "--example",
                example,
            ]))?;
        }
        Ok(())
    })?;
    let mut lines = Vec::new();
    match &options.ratings {
        Some(ratings) => {
            for split in ["strong", "loo"] {
                step(&format!("real ratings, split {split}"), || {
                    quality(ratings, split, &folder, &mut lines)
                })?;
            }
            if !options.without_peers {
                step("peers from PyPI", || install_peers(&folder))?;
            }
            step("trainings", || {
                trainings(ratings, &folder, !options.without_peers, &mut lines)
            })?;
        }
        None => {
            eprintln!("SKIPPED: nDCG and the cost of trainings; name a folder of ratings with --ratings DIR")
        }
    }
    step("filters and value models", || expressions(&mut lines))?;
    step("inserts", || inserts(options.insert_seconds, &folder, &mut lines))?;
    for items in &options.items {
        step(&format!("rankings over {items} items"), || {
            rankings(*items, &folder, &mut lines)
        })?;
    }
    println!();
    print(&lines);
    Ok(())
}

fn print(lines: &[Line]) {
    let width = |of: fn(&Line) -> &String| {
        lines
            .iter()
            .map(|line| of(line).chars().count())
            .max()
            .unwrap_or(0)
    };
    let (what, value) = (width(|line| &line.what), width(|line| &line.value));
    for line in lines {
        println!("{:what$}  {:value$}  {}", line.what, line.value, line.wanted);
    }
}

/// A server of the optimised program with a data directory of its own.
struct Running {
    server: Server,
    address: SocketAddr,
    key: String,
}

impl Running {
    fn start(data_dir: &Path) -> Result<Running> {
        // The port is free now; whoever takes it in between makes the start fail with a sentence.
        let address = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?;
        let mut command = Command::new(release("platform-sim"));
        command
            .args(["--addr", &address.to_string(), "--log", "warn", "--data-dir"])
            .arg(data_dir)
            .stdout(std::process::Stdio::null());
        let mut server = Server::start("platform-sim", &mut command)?;
        wait_until_up(&mut server, address)?;
        let key = Keys::read(data_dir)?.admin;
        Ok(Running { server, address, key })
    }

    /// Runs one of the scripts against this server; the values that it prints.
    fn ask(&self, script: &str, first: &[&str], arguments: &[&str]) -> Result<Value> {
        let mut command = Command::new("python3");
        command
            .arg(crate::root().join("xtask/bench/platform").join(script))
            .args(first)
            .args([&self.address.to_string(), &self.key])
            .args(arguments)
            .env("PYTHONDONTWRITEBYTECODE", "1");
        values(&mut command)
    }

    fn pid(&self) -> String {
        self.server.id().to_string()
    }
}

fn values(command: &mut Command) -> Result<Value> {
    let text = output(command)?;
    serde_json::from_str(&text).with_context(|| format!("the script printed no JSON: {text}"))
}

fn new_folder(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    if path.exists() {
        std::fs::remove_dir_all(&path)?;
    }
    Ok(path)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str()
        .with_context(|| format!("{} is not UTF-8", path.display()))
}

fn quality(ratings: &Path, split: &str, folder: &Path, lines: &mut Vec<Line>) -> Result<()> {
    let data = new_folder(folder, &format!("data-{split}"))?;
    let running = Running::start(&data)?;
    let found = running.ask("quality.py", &[], &[text(ratings)?, split, text(folder)?])?;
    let found = found.as_object().context("quality.py prints an object")?;
    for (name, value) in found {
        let what = format!("nDCG@10, {split}, {name}");
        let model = name.split(' ').next_back().unwrap_or(name);
        let known = KNOWN
            .iter()
            .find(|(of, known, _)| (*of, *known) == (split, model));
        let wanted = known.map_or_else(String::new, |(_, _, value)| format!("{value:.3} or more"));
        match value.as_f64() {
            Some(value) => lines.push(Line::new(what, format!("{value:.4}"), wanted)),
            None => lines.push(Line::new(what, value.to_string(), wanted)),
        }
    }
    Ok(())
}

/// A folder with the packages of the peers. Not an environment of Python's own: those need a package of the system.
fn packages(folder: &Path) -> PathBuf {
    folder.join("python")
}

fn install_peers(folder: &Path) -> Result<()> {
    let target = packages(folder);
    once(&target.join(".installed"), &PACKAGES.join(" "), || {
        let mut command = Command::new("python3");
        command
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--upgrade",
                "--target",
            ])
            .arg(&target)
            .args(PACKAGES);
        run_quietly(&mut command)
    })
}

fn trainings(ratings: &Path, folder: &Path, with_peers: bool, lines: &mut Vec<Line>) -> Result<()> {
    for (model, peer) in [("als", "implicit"), ("ease", "numpy")] {
        let mut ours = Command::new(example("movietweetings"));
        ours.arg(ratings).args(["loo", model, "--fit-only"]);
        let ours = cpu(&mut ours)?.seconds;
        let what = format!("training {model}, CPU s, with reading the data");
        if !with_peers {
            lines.push(Line::new(what, format!("{ours:.2}"), ""));
            continue;
        }
        let mut script = Command::new("python3");
        script
            .arg(crate::root().join("xtask/bench/platform/training.py"))
            .arg(model)
            .arg(ratings)
            .env("PYTHONPATH", packages(folder))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            // More threads make the same work dearer.
            .env("OPENBLAS_NUM_THREADS", "1")
            .env("MKL_NUM_THREADS", "1")
            .env("OMP_NUM_THREADS", "1");
        let theirs = values(&mut script)?;
        let (fit, whole) = (number(&theirs, "fit")?, number(&theirs, "whole")?);
        lines.push(Line::new(
            what,
            format!("{ours:.2}"),
            format!("{peer}: {fit:.2} the fit alone, {whole:.2} the process"),
        ));
    }
    Ok(())
}

/// The example prints a time and what took it, a line each.
fn expressions(lines: &mut Vec<Line>) -> Result<()> {
    let text = output(&mut Command::new(example("speed")))?;
    for line in text.lines() {
        let fields = line.split_once('\t');
        // The first line names the columns.
        if let Some((time, what)) = fields.filter(|(time, _)| time.parse::<f64>().is_ok()) {
            lines.push(Line::new(format!("{what}, CPU ms"), time, ""));
        }
    }
    Ok(())
}

fn example(name: &str) -> PathBuf {
    crate::target().join("release/examples").join(name)
}

fn inserts(seconds: u32, folder: &Path, lines: &mut Vec<Line>) -> Result<()> {
    let data = new_folder(folder, "data-insert")?;
    let running = Running::start(&data)?;
    let seconds = seconds.to_string();
    let found = running.ask("insert.py", &[], &[&running.pid(), "8", &seconds, "1000"])?;
    lines.push(Line::new(
        "inserts, batches of 1,000, 8 clients, rows/s",
        format!("{:.0}", number(&found, "rows_per_second")?),
        "100000 or more",
    ));
    lines.push(Line::new(
        "  rows per CPU second of the server",
        format!("{:.0}", number(&found, "rows_per_cpu_second")?),
        "",
    ));
    lines.push(Line::new(
        "  ms a batch, wall: p50, p95",
        format!(
            "{:.1}, {:.1}",
            number(&found, "p50_ms")?,
            number(&found, "p95_ms")?
        ),
        "",
    ));
    Ok(())
}

/// The latency, in ms, and the requests per second and core that a ranking is to have.
fn wanted(items: usize) -> (f64, f64) {
    match items {
        ..=10_000 => (5.0, 2000.0),
        10_001..=100_000 => (10.0, 500.0),
        _ => (40.0, 50.0),
    }
}

fn rankings(items: usize, folder: &Path, lines: &mut Vec<Line>) -> Result<()> {
    let data = new_folder(folder, &format!("data-{items}"))?;
    let size = items.to_string();
    let running = Running::start(&data)?;
    running.ask("rank.py", &["prepare"], &[&size])?;
    drop(running);
    // A new process: its memory is what serving needs, not what the training left behind.
    let running = Running::start(&data)?;
    let requests = if items > 200_000 { "300" } else { "1000" };
    let found = running.ask("rank.py", &["measure"], &[&running.pid(), &size, requests])?;
    let (latency, rate) = wanted(items);
    lines.push(Line::new(
        format!("rank over {items} items, ms, wall: p50, p95"),
        format!(
            "{:.2}, {:.2}",
            number(&found, "wall_p50_ms")?,
            number(&found, "wall_p95_ms")?
        ),
        format!("p95 {latency} or less"),
    ));
    let p95 = found["cpu_p95_ms"].as_f64();
    lines.push(Line::new(
        "  CPU ms of the server: mean, p95",
        format!(
            "{:.2}, {}",
            number(&found, "cpu_ms")?,
            p95.map_or_else(|| "unknown".to_owned(), |p95| format!("{p95:.2}"))
        ),
        "",
    ));
    lines.push(Line::new(
        "  requests per CPU second",
        format!("{:.0}", number(&found, "requests_per_cpu_second")?),
        format!("{rate} or more"),
    ));
    let memory = number(&found, "memory_bytes")?;
    let vectors = number(&found, "vector_bytes")?;
    lines.push(Line::new(
        "  memory of the server, MB, and times the vectors",
        format!("{:.0}, {:.2}", memory / 1e6, memory / vectors),
        if items >= 1_000_000 { "2 or less" } else { "" },
    ));
    Ok(())
}

fn number(values: &Value, name: &str) -> Result<f64> {
    match values[name].as_f64() {
        Some(value) => Ok(value),
        None => bail!("the measurement has no {name}: {values}"),
    }
}
