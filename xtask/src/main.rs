//! The commands of this repository: `cargo xtask run | test | build | bench`. `cargo xtask help` lists them.
//!
//! No product code lives here: xtask brings what a machine lacks, calls cargo and npm in the right order and
//! shows what takes how long.

mod bench;
mod budgets;
mod build;
mod contract;
mod crash;
mod docs_model;
mod encoder;
mod follower;
mod fuzz;
mod large_site;
mod licences;
mod live_reload;
mod platform;
mod process;
mod python;
mod run;
mod setup;
mod test;
mod tidy;
mod wasm;
mod watch;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    about = "Build, run, test and measure siftwren",
    disable_version_flag = true
)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build everything, start platform-sim with the docs loaded, serve the site; Ctrl+C stops it all.
    Run,
    /// Everything that must pass: formatting, lints, Rust, WASM, site, browser journeys, budgets.
    Test,
    /// The static site into a folder, for our content or any folder of Markdown.
    Build(build::Options),
    /// The measurements behind the figures that we state.
    Bench(bench::Options),
    /// Learns the weights of the ranking from judged queries.
    Learn(bench::learn::Options),
    /// Feeds the readers of bytes from outside with bytes that nobody would write.
    Fuzz(fuzz::Options),
    /// Requests made from the OpenAPI documents, against a server of their own.
    Schemathesis(contract::SchemathesisOptions),
    /// Generated filters, value models and SQL against DuckDB and Python.
    Oracles(contract::OracleOptions),
    /// Kills platform-sim at random moments and looks for what it had promised.
    Crash(crash::Options),
    /// Fetches the transformer that encodes sections, for builds with new content.
    Encoder,
    /// Runs a command and writes its CPU seconds and peak memory to a file.
    #[command(hide = true)]
    Measure {
        report: PathBuf,
        command: Vec<std::ffi::OsString>,
    },
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Run => run::run(),
        Command::Test => test::test(),
        Command::Build(options) => build::command(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Learn(options) => bench::learn::learn(&options),
        Command::Fuzz(options) => fuzz::fuzz(&options),
        Command::Schemathesis(options) => contract::schemathesis(&options),
        Command::Oracles(options) => contract::oracles(&options),
        Command::Crash(options) => crash::crash(&options),
        Command::Encoder => encoder::encoder(),
        Command::Measure { report, command } => bench::measure(&report, &command),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::from(exit_code(&error))
        }
    }
}

/// Wrong input is 1, everything that failed around us is 3 (2, wrong usage, is clap's).
fn exit_code(error: &anyhow::Error) -> u8 {
    match error.downcast_ref::<process::Failed>() {
        Some(failed) if failed.code == Some(1) => 1,
        _ => 3,
    }
}

/// The repository's root.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the repository")
        .to_owned()
}

/// Cargo's target folder: `CARGO_TARGET_DIR`, or `target` in the repository.
fn target() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
