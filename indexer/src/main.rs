//! Arguments, exit codes and what is printed.

#![forbid(unsafe_code)]

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};

use indexer::config::Config;
use indexer::diagnostic::Diagnostic;
use indexer::emit::EmitError;
use indexer::site::{Input, Site};
use indexer::source::{self, Source};
use indexer::{emit, history, query, site};

/// Turns a folder of Markdown into pages, a search index and search items.
///
/// Exit codes: 0 done, 1 the input is wrong (each problem as file:line:column: message), 2 wrong arguments,
/// 3 something outside failed.
#[derive(Parser)]
#[command(version, about)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the content and write pages, index and items
    Build {
        #[command(flatten)]
        content: Content,
        /// The folder to write; it is replaced as a whole
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
    },
    /// Check the content and write nothing
    Check {
        #[command(flatten)]
        content: Content,
    },
    /// Rank queries with the code that runs in the browser, and print JSON lines
    Query {
        /// An index file, or the output folder of `build`
        #[arg(long, value_name = "FILE_OR_DIR")]
        index: PathBuf,
        /// A file with a JSON object {"id", "query"} on each line
        #[arg(long, value_name = "FILE.jsonl", required_unless_present = "text")]
        queries: Option<PathBuf>,
        /// The most hits for a query
        #[arg(long, value_name = "N", default_value_t = 10)]
        limit: usize,
        /// A query
        text: Option<String>,
    },
}

#[derive(Args)]
struct Content {
    /// The folder of Markdown files
    #[arg(long, value_name = "DIR")]
    content: PathBuf,
    /// The configuration; without one, defaults for any folder
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// Why a run did not succeed.
enum Failure {
    /// The input is wrong.
    Input(Vec<Diagnostic>),
    /// The arguments name something that cannot be used.
    Usage(String),
    /// Something outside failed.
    Outside(String),
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let result = match arguments.command {
        Command::Build { content, out } => build(&content, &out),
        Command::Check { content } => check(&content),
        Command::Query {
            index,
            queries,
            limit,
            text,
        } => rank(&index, queries.as_deref(), limit, text),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(problems)) => {
            print_problems(&problems);
            let errors = problems.iter().filter(|problem| problem.is_error()).count();
            eprintln!(
                "indexer: {errors} {} found",
                plural(errors, "problem", "problems")
            );
            ExitCode::from(1)
        }
        Err(Failure::Usage(message)) => {
            eprintln!("indexer: {message}");
            ExitCode::from(2)
        }
        Err(Failure::Outside(message)) => {
            eprintln!("indexer: {message}");
            ExitCode::from(3)
        }
    }
}

fn build(content: &Content, out: &Path) -> Result<(), Failure> {
    let (site, warnings) = read_site(content)?;
    emit::write(&site, out).map_err(|error| match error {
        EmitError::NotOurs(_) => Failure::Usage(error.to_string()),
        EmitError::Failed { .. } => Failure::Outside(error.to_string()),
    })?;
    println!(
        "{} pages, {} sections, index of {} bytes in {}",
        site.pages.len(),
        site.items.len(),
        site.index.len(),
        out.display()
    );
    if !warnings.is_empty() {
        let count = warnings.len();
        println!(
            "{count} {}; `indexer check` lists them",
            plural(count, "warning", "warnings")
        );
    }
    Ok(())
}

fn check(content: &Content) -> Result<(), Failure> {
    let (site, warnings) = read_site(content)?;
    print_problems(&warnings);
    println!(
        "{} pages, no problem, {} warnings",
        site.pages.len(),
        warnings.len()
    );
    Ok(())
}

/// Reads and builds a site, or lists every problem of it. The second value holds only warnings.
fn read_site(content: &Content) -> Result<(Site, Vec<Diagnostic>), Failure> {
    if !content.content.is_dir() {
        return Err(Failure::Usage(format!(
            "--content {} is not a folder",
            content.content.display()
        )));
    }
    let outside = |error: source::ReadError| Failure::Outside(error.to_string());
    let (config_source, mut problems) = match &content.config {
        Some(path) if !path.is_file() => {
            return Err(Failure::Usage(format!(
                "--config {} is not a file",
                path.display()
            )));
        }
        Some(path) => source::read_file(path).map_err(outside)?,
        None => {
            let folder = content.content.to_string_lossy().into_owned();
            (Source::new(folder.clone(), folder, ""), Vec::new())
        }
    };
    let (mut config, found) = Config::parse(&config_source);
    problems.extend(found);
    // Under a configuration that could not be read, the content would be held to the wrong rules.
    if !problems.is_empty() {
        problems.sort();
        return Err(Failure::Input(problems));
    }
    if config.site.title.is_empty() {
        config.site.title = folder_name(&content.content);
    }
    let (folder, mut problems) = source::read_folder(&content.content).map_err(outside)?;
    let last_changes = history::last_changes(&content.content);
    let (site, found) = site::build(&Input {
        folder,
        config,
        config_source,
        last_changes,
    });
    problems.extend(found);
    problems.sort();
    problems.dedup();
    if problems.iter().any(Diagnostic::is_error) {
        problems.retain(Diagnostic::is_error);
        return Err(Failure::Input(problems));
    }
    Ok((site, problems))
}

fn rank(index: &Path, queries: Option<&Path>, limit: usize, text: Option<String>) -> Result<(), Failure> {
    let file = query::find_index(index).map_err(Failure::Usage)?;
    let bytes = std::fs::read(&file)
        .map_err(|error| Failure::Outside(format!("cannot read {}: {error}", file.display())))?;
    let opened = search_core::Index::open(&bytes).map_err(|error| {
        let source = Source::new("", file.to_string_lossy(), "");
        Failure::Input(vec![Diagnostic::error(
            &source,
            0,
            format!("{error}; build the index again"),
        )])
    })?;
    let mut all = Vec::new();
    if let Some(path) = queries {
        let (source, mut problems) =
            source::read_file(path).map_err(|error| Failure::Outside(error.to_string()))?;
        let (read, found) = query::read_queries(&source);
        problems.extend(found);
        if !problems.is_empty() {
            return Err(Failure::Input(problems));
        }
        all.extend(read);
    }
    all.extend(text.map(|query| query::Query {
        id: Some("1".to_owned()),
        query,
    }));

    let mut output = BufWriter::new(io::stdout().lock());
    let printed = all.iter().try_for_each(|query| {
        serde_json::to_writer(&mut output, &query::answer(&opened, query, limit))?;
        output.write_all(b"\n")
    });
    match printed.and_then(|()| output.flush()) {
        // The reader of the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::Outside(format!("cannot write the answers: {error}"))),
        Ok(()) => Ok(()),
    }
}

fn print_problems(problems: &[Diagnostic]) {
    for problem in problems {
        eprintln!("{problem}");
    }
}

fn plural<'a>(count: usize, one: &'a str, many: &'a str) -> &'a str {
    if count == 1 { one } else { many }
}

fn folder_name(path: &Path) -> String {
    let full = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    full.file_name().map_or_else(
        || "Documentation".to_owned(),
        |name| name.to_string_lossy().into_owned(),
    )
}
