//! `cargo xtask fuzz`: the readers of bytes from outside against bytes that nobody would write.
//!
//! libFuzzer works with the stable compiler: coverage is all it needs, and the sanitizers look for faults that safe Rust
//! does not have. Seeds are real files: our content, and the index of the golden ranking.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::process::{cargo, run, step};

#[derive(Args)]
pub(crate) struct Options {
    /// The programs to run; all of them if none is named
    target: Vec<String>,
    /// How long each one runs, in seconds
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Where the choice of inputs starts from: the same seed tries the same inputs in the same order
    #[arg(long, default_value_t = 1)]
    seed: u32,
}

/// The programs, and the longest input that each is given, in bytes.
const TARGETS: [(&str, usize); 4] = [
    ("front_matter", 4_096),
    ("markdown", 8_192),
    ("index_load", 16_384),
    ("query", 4_096),
];

/// What libFuzzer needs of the compiler: counters on edges and the operands of comparisons.
const COVERAGE: &str = "-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Ccodegen-units=1 --cfg fuzzing";

pub(crate) fn fuzz(options: &Options) -> Result<()> {
    if let Some(unknown) = options
        .target
        .iter()
        .find(|name| TARGETS.iter().all(|(known, _)| known != name))
    {
        let known: Vec<&str> = TARGETS.iter().map(|(name, _)| *name).collect();
        bail!(
            "there is no fuzzing program `{unknown}`; there are {}",
            known.join(", ")
        );
    }
    let triple = host()?;
    let folder = folder();
    step("instrumented build", || {
        // A target is named so that build scripts and macros are left as they are.
        run(
            cargo(&["build", "--quiet", "--release", "--bins", "--target", &triple])
                .arg("--target-dir")
                .arg(&folder)
                .current_dir(crate::root().join("tests/fuzz"))
                .env("RUSTFLAGS", COVERAGE),
        )
    })?;
    for (name, longest) in TARGETS {
        if options.target.is_empty() || options.target.iter().any(|wanted| wanted == name) {
            step(&format!("{name}, {} s", options.seconds), || {
                let program = folder.join(&triple).join("release").join(name);
                run_one(name, &program, longest, &folder, options)
            })?;
        }
    }
    Ok(())
}

/// That the programs can be built: they are a workspace of their own, which no other command looks at.
pub(crate) fn check() -> Result<()> {
    run(cargo(&["check", "--quiet", "--locked", "--bins"])
        .arg("--target-dir")
        .arg(folder())
        .current_dir(crate::root().join("tests/fuzz")))
}

fn folder() -> PathBuf {
    crate::target().join("fuzz")
}

fn run_one(name: &str, program: &Path, longest: usize, folder: &Path, options: &Options) -> Result<()> {
    let corpus = folder.join("corpus").join(name);
    let crashes = folder.join("crashes").join(name);
    for made in [&corpus, &crashes] {
        std::fs::create_dir_all(made).with_context(|| format!("cannot make {}", made.display()))?;
    }
    let seeds = folder.join("seeds").join(name);
    write_seeds(name, &seeds)?;
    let mut command = Command::new(program);
    command
        .arg(format!("-max_total_time={}", options.seconds))
        .arg(format!("-seed={}", options.seed))
        .arg(format!("-max_len={longest}"))
        .arg("-timeout=10")
        .arg("-rss_limit_mb=2048")
        .arg("-print_final_stats=1")
        .arg("-verbosity=0")
        .arg(format!("-artifact_prefix={}/", crashes.display()))
        .arg(&corpus)
        .arg(&seeds);
    run(&mut command).with_context(|| {
        format!(
            "the input that broke it lies in {}; mend the reader and keep the input in a test beside it",
            crashes.display()
        )
    })
}

/// Real files as the first inputs, each cut to what the program reads.
fn write_seeds(name: &str, folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    match name {
        "index_load" => {
            for (number, file) in files(&crate::root().join("tests/golden/index"), "bin")?
                .iter()
                .enumerate()
            {
                // The first byte chooses the file that the rest stands for.
                seeds.push([&[number as u8], std::fs::read(file)?.as_slice()].concat());
            }
        }
        "query" => {
            let queries = crate::root().join("tests/golden/queries.json");
            let queries: Vec<String> = serde_json::from_str(&std::fs::read_to_string(&queries)?)
                .with_context(|| format!("{} is no list of queries", queries.display()))?;
            seeds.extend(queries.into_iter().map(String::into_bytes));
        }
        _ => {
            for file in files(&crate::root().join("content"), "md")? {
                let text = std::fs::read_to_string(&file)?;
                let header = text
                    .strip_prefix("---\n")
                    .and_then(|rest| rest.split_once("\n---\n"));
                match header {
                    Some((header, _)) if name == "front_matter" => seeds.push(header.as_bytes().to_vec()),
                    // The first byte chooses the schema.
                    _ => seeds.push([b"\0", text.as_bytes()].concat()),
                }
            }
        }
    }
    if seeds.is_empty() {
        bail!("there is no file to start `{name}` from");
    }
    for (number, seed) in seeds.iter().enumerate() {
        std::fs::write(folder.join(format!("{number:04}")), seed)?;
    }
    Ok(())
}

fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in walkdir::WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("cannot read {}", folder.display()))?;
        if entry.path().extension().is_some_and(|other| other == extension) {
            found.push(entry.into_path());
        }
    }
    Ok(found)
}

/// The triple of this machine, as the compiler calls it.
fn host() -> Result<String> {
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .arg("-vV")
        .current_dir(crate::root())
        .output()
        .context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines()
        .find_map(|line| line.strip_prefix("host: "))
        .map(str::to_owned)
        .context("rustc does not say which machine this is")
}
