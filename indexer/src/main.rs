//! Arguments, exit codes and what is printed.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;

use clap::{Args, Parser, Subcommand};

use indexer::brand::{Brand, Pictures};
use indexer::components::Components;
use indexer::config::{BrokenLinks, Config};
use indexer::diagnostic::Diagnostic;
use indexer::embed::{CacheError, CacheReader, Embedding, Encoder, EncoderError};
use indexer::emit::{EmitError, Standing};
use indexer::fields::Text;
use indexer::history::History;
use indexer::languages::Language;
use indexer::lists::TakenOver;
use indexer::site::{Extras, Input, Kept, Site};
use indexer::source::translated::{self, From, Translated};
use indexer::source::{self, KnownFolder, Source};
use indexer::static_files::StaticFiles;
use indexer::{emit, history, lists, query, site};
use search_core::{SearchOptions, Stages};

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
        #[command(flatten)]
        vectors: Vectors,
        #[command(flatten)]
        left_out: LeftOut,
        /// The folder to write; it is replaced as a whole
        #[arg(long, value_name = "DIR")]
        out: PathBuf,
        /// Stay, and build again at each line of standard input, until it ends. A line is empty, or it is a JSON array of the paths
        /// that changed since the last build began, as who looks at all files of `--content` names them from its path. What a build
        /// writes to standard error ends with a line `== built` or `== failed`
        #[arg(long)]
        follow: bool,
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
        /// The language that is searched, by its tag [default: the first of the site]
        #[arg(long, value_name = "TAG")]
        language: Option<String>,
        /// A file with a JSON object {"id", "query"} on each line
        #[arg(long, value_name = "FILE.jsonl", required_unless_present = "text")]
        queries: Option<PathBuf>,
        /// The most hits for a query
        #[arg(long, value_name = "N", default_value_t = 10)]
        limit: usize,
        /// Rank by words only, though the index has vectors
        #[arg(long)]
        no_vectors: bool,
        /// Leave out a stage of the ranking, to see what it brings; may be given several times
        #[arg(long, value_name = "STAGE", hide = true, value_parser = stage)]
        without: Vec<Stages>,
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
    /// The folder from which the configuration names other files [default: the folder of the configuration]
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// With the pages whose front matter says `draft: true` or `published: false`
    #[arg(long)]
    drafts: bool,
}

impl Content {
    /// Where the paths of the configuration start. Without a configuration there is no place that belongs to the site.
    fn root(&self) -> Option<&Path> {
        let beside = self.config.as_deref().and_then(Path::parent);
        self.root.as_deref().or(beside)
    }
}

#[derive(Args)]
struct Vectors {
    /// The folder of an encoder, for sections that the cache of vectors does not know [env: SIFTWREN_ENCODER]
    #[arg(long, value_name = "DIR")]
    encoder: Option<PathBuf>,
    /// The folder of the cache of vectors [default: what the configuration says]
    #[arg(long, value_name = "DIR")]
    vector_cache: Option<PathBuf>,
}

impl Vectors {
    /// The folder of the encoder, if there is to be one. An empty variable is none.
    fn encoder(&self) -> Option<PathBuf> {
        let variable = std::env::var_os("SIFTWREN_ENCODER").filter(|folder| !folder.is_empty());
        self.encoder.clone().or_else(|| variable.map(PathBuf::from))
    }

    /// The folder of the cache.
    fn cache(&self, content: &Content, config: &Config) -> Option<PathBuf> {
        self.vector_cache
            .clone()
            .or_else(|| Some(content.root()?.join(&config.search.vector_cache)))
    }
}

#[derive(Args)]
struct LeftOut {
    /// Leave out `items.ndjson`, of which the platform makes a model
    #[arg(long)]
    without_items: bool,
    /// Leave out `llms-full.txt`, the texts of all pages in one file
    #[arg(long)]
    without_llms_full: bool,
}

impl LeftOut {
    fn extras(&self) -> Extras {
        Extras {
            items: !self.without_items,
            llms_full: !self.without_llms_full,
        }
    }
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
        Command::Build {
            content,
            vectors,
            left_out,
            out,
            follow: false,
        } => {
            let mut last = Last::none();
            let result = build(&content, &vectors, left_out.extras(), &out, &mut last);
            // The process ends: to give back all the pieces of memory takes 3 % of a build.
            std::mem::forget(last);
            result
        }
        Command::Build {
            content,
            vectors,
            left_out,
            out,
            follow: true,
        } => return follow(|last| build(&content, &vectors, left_out.extras(), &out, last)),
        Command::Check { content } => check(&content),
        Command::Query {
            index,
            language,
            queries,
            limit,
            no_vectors,
            without,
            text,
        } => {
            let options = SearchOptions {
                limit,
                semantic: !no_vectors,
                without: without.into_iter().fold(Stages::NONE, Stages::and),
                ..SearchOptions::default()
            };
            rank(&index, language.as_deref(), queries.as_deref(), text, &options)
        }
    };
    report(result)
}

/// What builds of one process leave to each other.
struct Last {
    kept: Kept,
    /// By the folders of which they are.
    histories: BTreeMap<PathBuf, History>,
    folder: KnownFolder,
    vector_cache: CacheReader,
    /// None where there is one build alone.
    standing: Option<Standing>,
}

impl Last {
    fn none() -> Self {
        Self {
            kept: Kept::default(),
            histories: BTreeMap::new(),
            folder: KnownFolder::default(),
            vector_cache: CacheReader::default(),
            standing: None,
        }
    }

    /// When the files of the content changed last, by their paths from its folder. Those beside it have a history of their own.
    fn changes(&mut self, content: &Path, translated: &[Translated]) -> Rc<HashMap<String, String>> {
        let mut changes = |folder: &Path| match self.standing {
            Some(_) => {
                let history = self.histories.entry(folder.to_owned()).or_default();
                Rc::clone(history.last_changes(folder))
            }
            None => history::last_changes(folder).into(),
        };
        let mut all = changes(content);
        for language in translated {
            if let From::Beside(folder) = &language.from
                && let Some(way) = translated::way(content, folder)
            {
                let found = changes(folder);
                let found = found
                    .iter()
                    .map(|(path, date)| (format!("{way}/{path}"), date.clone()));
                Rc::make_mut(&mut all).extend(found);
            }
        }
        all
    }
}

/// Builds now, and again at each line of the standard input. The answer is that of the last build.
fn follow(mut build: impl FnMut(&mut Last) -> Result<(), Failure>) -> ExitCode {
    let mut last = Last {
        kept: Kept::for_next(),
        standing: Some(Standing::default()),
        ..Last::none()
    };
    let mut lines = io::stdin().lines();
    let mut line = Ok(None);
    loop {
        let (changed, wrong) = match line {
            Ok(changed) => (changed, None),
            Err(failure) => (None, Some(failure)),
        };
        last.folder.expect(changed);
        let result = wrong.map_or_else(|| build(&mut last), Err);
        let is_built = result.is_ok();
        let code = report(result);
        eprintln!("== {}", if is_built { "built" } else { "failed" });
        line = match lines.next() {
            Some(Ok(line)) => changed_paths(&line),
            None | Some(Err(_)) => return code,
        }
    }
}

/// What a line of the standard input says of what changed: nothing, or which paths.
fn changed_paths(line: &str) -> Result<Option<BTreeSet<PathBuf>>, Failure> {
    if line.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(line).map(Some).map_err(|error| {
        Failure::Usage(format!(
            "a line of standard input is empty or a JSON array of paths, not `{line}`: {error}"
        ))
    })
}

/// Says what went wrong.
fn report(result: Result<(), Failure>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Input(problems)) => {
            print_problems(&problems);
            let errors = problems.iter().filter(|problem| problem.is_error()).count();
            eprintln!(
                "indexer: {errors} {} found",
                plural(errors, "problem", "problems")
            );
            let broken = problems
                .iter()
                .filter(|problem| problem.is_of_broken_link)
                .count();
            if broken > 0 {
                eprintln!(
                    "indexer: {broken} of them would be warnings with `broken_links = \"warn\"` below `[content]` in siftwren.toml"
                );
            }
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

fn build(
    content: &Content,
    vectors: &Vectors,
    extras: Extras,
    out: &Path,
    last: &mut Last,
) -> Result<(), Failure> {
    let (site, warnings, cache) = read_site(content, Some(vectors), extras, last)?;
    let emit_failure = |error: EmitError| match error {
        EmitError::NotOurs(_) => Failure::Usage(error.to_string()),
        EmitError::Failed { .. } => Failure::Outside(error.to_string()),
    };
    let written = match &mut last.standing {
        Some(standing) => standing.write(&site, out),
        None => emit::write(&site, out),
    };
    written.map_err(emit_failure)?;
    if let (Some(cache), Some(folder)) = (&site.new_cache, &cache) {
        emit::write_cache(cache, folder).map_err(emit_failure)?;
        println!("vectors of {} sections kept in {}", cache.len(), folder.display());
    }
    println!(
        "{}, {}, index of {} bytes in {}",
        counted(site.content_pages(), "page", "pages"),
        counted(site.sections, "section", "sections"),
        site.index.iter().map(|file| file.bytes.len()).sum::<usize>(),
        out.display()
    );
    println!("{}", about_vectors(&site));
    if last.standing.is_none() && history::is_cut(&content.content) {
        println!(
            "warning: git has only the last commits here, so pages that these did not change say no date of their last \
             change; `git fetch --unshallow` gets the others"
        );
    }
    list_warnings(&warnings);
    if last.standing.is_none() {
        std::mem::forget(site);
    }
    Ok(())
}

/// So many warnings are listed by a build; `check` lists all of them.
const LISTED_WARNINGS: usize = 20;

/// Lists the first of them, and how many there are.
fn list_warnings(warnings: &[Diagnostic]) {
    let count = warnings.len();
    print_problems(&warnings[..count.min(LISTED_WARNINGS)]);
    if count > 0 {
        let all = if count > LISTED_WARNINGS {
            format!(
                ", the first {LISTED_WARNINGS} of them above; `indexer check` with the same arguments lists all"
            )
        } else {
            String::new()
        };
        println!("{}{all}", counted(count, "warning", "warnings"));
    }
}

/// One line on where the vectors came from.
fn about_vectors(site: &Site) -> String {
    match &site.vectors {
        None => "no vectors: the search goes by words only".to_owned(),
        Some(vectors) if vectors.guessed > 0 => format!(
            "warning: {} of {} sections are new to the cache of vectors and got approximate ones; build with --encoder to encode them",
            vectors.guessed, site.sections
        ),
        Some(vectors) => format!("vectors by {}", vectors.embedder),
    }
}

fn check(content: &Content) -> Result<(), Failure> {
    // Nothing is written.
    let extras = Extras {
        items: false,
        llms_full: false,
    };
    let (site, warnings, _) = read_site(content, None, extras, &mut Last::none())?;
    print_problems(&warnings);
    println!(
        "{}, no problem, {}",
        counted(site.content_pages(), "page", "pages"),
        counted(warnings.len(), "warning", "warnings")
    );
    Ok(())
}

/// Reads and builds a site, or lists every problem of it. The second value holds only warnings, the third is the folder
/// of the cache of vectors. A site without `vectors` gets none.
fn read_site(
    content: &Content,
    vectors: Option<&Vectors>,
    extras: Extras,
    last: &mut Last,
) -> Result<(Site, Vec<Diagnostic>, Option<PathBuf>), Failure> {
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
    let (mut folder, mut problems) = last.folder.read(&content.content).map_err(outside)?;
    folder.take_summary(config.content.schema);
    let mut is_of_another = folder.summary.is_some();
    let mut taken_over = TakenOver::default();
    if !config.content.schema.is_strict() {
        folder.list_files = lists::candidates(&content.content);
        if let Some((found, wrong)) = lists::find(&content.content).map_err(outside)? {
            problems.extend(wrong);
            let (found, wrong) = found.take_over(&mut config, &mut folder).map_err(outside)?;
            problems.extend(wrong);
            taken_over = found;
            is_of_another = true;
        }
    }
    if is_of_another {
        let broken_links = &mut config.content.broken_links;
        *broken_links = broken_links.or(Some(BrokenLinks::Warn));
    }
    if config.content.notebooks == Some(true) && !config.content.schema.is_strict() {
        problems.extend(last.folder.add_notebooks(&mut folder).map_err(outside)?);
    }
    if !config.translated.is_empty() {
        let found = last.folder.add_translated(&mut folder, config.translated.clone());
        problems.extend(found.map_err(outside)?);
    }
    if taken_over.has_languages {
        let has_pages = |language: &Language| folder.sources.iter().any(|source| language.has(&source.path));
        config.languages.retain(has_pages);
    }
    folder.leave_out_parts(&config.content);
    folder.leave_out_moved(&config.content);
    folder.leave_out_parents();
    if config.site.title.is_empty() {
        config.site.title = folder_name(&content.content);
    }
    if !content.drafts {
        folder.leave_out_drafts(config.content.schema);
        let drafts = folder.files.drafts.len();
        if drafts > 0 {
            println!(
                "{drafts} {} left out; `--drafts` shows them",
                plural(drafts, "draft", "drafts")
            );
        }
    }
    if let (Some(name), Some(root)) = (&config.content.static_files, content.root()) {
        let root = root.join(&name.text);
        if !root.is_dir() {
            return Err(no_folder("static", name, &root, &config_source));
        }
        folder.files.static_files = StaticFiles::read(&root).map_err(outside)?;
    }
    let own_pictures = Pictures::of(
        &config.site,
        content.root().unwrap_or(Path::new("")),
        &config_source,
    );
    let (brand, found) = Brand::read(&own_pictures, &taken_over.pictures);
    problems.extend(found);
    if let Some((true, at)) = config.site.logo_has_title
        && own_pictures.logo.is_none()
        && !brand.has_logo()
    {
        let message = "`logo_has_title` is about `logo`; name that as well";
        problems.push(Diagnostic::error(&config_source, at, message));
    }
    let (api_documents, found) = read_api_documents(&config, content.root().unwrap_or(Path::new("")))?;
    problems.extend(found);
    let last_changes = last.changes(&content.content, &config.translated);
    let vectors = vectors.filter(|_| config.search.vectors != Some(false));
    let cache = vectors.and_then(|vectors| vectors.cache(content, &config));
    let embedding = Embedding {
        cache: match &cache {
            Some(folder) => last.vector_cache.read(folder).map_err(cache_failure)?,
            None => None,
        },
        encoder: vectors
            .and_then(Vectors::encoder)
            .as_deref()
            .map(load_encoder)
            .transpose()?,
    };
    let components = match (&config.content.components, content.root()) {
        (Some(name), Some(root)) => read_components(&root.join(&name.text), &config, &config_source)?,
        _ => Components::default(),
    };
    let input = Input {
        folder,
        config,
        config_source,
        last_changes,
        embedding,
        api_documents,
        components,
        brand,
        extras,
    };
    let (site, found) = site::build_again(&input, &mut last.kept);
    problems.extend(found);
    problems.sort();
    problems.dedup();
    if problems.iter().any(Diagnostic::is_error) {
        problems.retain(Diagnostic::is_error);
        return Err(Failure::Input(problems));
    }
    Ok((site, problems, cache))
}

/// The OpenAPI documents that the configuration names. One that is not there is reported with the place of its name.
fn read_api_documents(
    config: &Config,
    root: &Path,
) -> Result<(Vec<Option<Source>>, Vec<Diagnostic>), Failure> {
    let mut problems = Vec::new();
    let mut documents = Vec::new();
    for api in &config.api {
        let path = root.join(&api.document.text);
        documents.push(if path.is_file() {
            let (mut source, found) =
                source::read_file(&path).map_err(|error| Failure::Outside(error.to_string()))?;
            source.path.clone_from(&api.document.text);
            problems.extend(found);
            Some(source)
        } else {
            None
        });
    }
    Ok((documents, problems))
}

fn read_components(folder: &Path, config: &Config, config_source: &Source) -> Result<Components, Failure> {
    if let (false, Some(name)) = (folder.is_dir(), &config.content.components) {
        return Err(no_folder("components", name, folder, config_source));
    }
    Components::read(folder, &config.content.route_prefix)
        .map_err(|error| Failure::Outside(error.to_string()))
}

fn no_folder(key: &str, name: &Text, folder: &Path, config_source: &Source) -> Failure {
    let message = format!("`{key}` names no folder: there is no {}", folder.display());
    Failure::Input(vec![Diagnostic::error(config_source, name.at, message)])
}

fn cache_failure(error: CacheError) -> Failure {
    match &error {
        CacheError::Damaged(path, _) => wrong_file(path, error.to_string()),
        CacheError::Failed(..) => Failure::Outside(error.to_string()),
    }
}

fn load_encoder(folder: &Path) -> Result<Encoder, Failure> {
    Encoder::load(folder).map_err(|error| match &error {
        EncoderError::Damaged(path, _) => wrong_file(path, error.to_string()),
        EncoderError::Missing(_) | EncoderError::NotBuilt => Failure::Usage(error.to_string()),
        EncoderError::Unreadable(..) | EncoderError::Failed(_) => Failure::Outside(error.to_string()),
    })
}

/// A file without lines that is not what it should be.
fn wrong_file(path: &Path, message: String) -> Failure {
    let source = Source::new("", path.to_string_lossy(), "");
    Failure::Input(vec![Diagnostic::error(&source, 0, message)])
}

fn rank(
    index: &Path,
    language: Option<&str>,
    queries: Option<&Path>,
    text: Option<String>,
    options: &SearchOptions,
) -> Result<(), Failure> {
    let file = query::find_index(index, language).map_err(|error| match error {
        query::FindError::Usage(message) => Failure::Usage(message),
        query::FindError::Unreadable(message) => Failure::Outside(message),
    })?;
    let bytes = std::fs::read(&file)
        .map_err(|error| Failure::Outside(format!("cannot read {}: {error}", file.display())))?;
    let mut opened = search_core::Index::open(&bytes)
        .map_err(|error| wrong_file(&file, format!("{error}; build the index again")))?;
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
    let folder = file.parent().unwrap_or(Path::new("."));
    for query in &all {
        let answer = query::answer(&mut opened, folder, query, options).map_err(|error| match error {
            query::LoadError::Unreadable(path, error) => {
                Failure::Outside(format!("cannot read {}: {error}", path.display()))
            }
            query::LoadError::Damaged(path, error) => {
                wrong_file(&path, format!("{error}; build the index again"))
            }
        })?;
        let printed = serde_json::to_writer(&mut output, &answer).map_err(io::Error::from);
        match printed.and_then(|()| output.write_all(b"\n")) {
            // The reader of the pipe has seen enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            Err(error) => return Err(Failure::Outside(format!("cannot write the answers: {error}"))),
            Ok(()) => {}
        }
    }
    match output.flush() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::Outside(format!("cannot write the answers: {error}")))
        }
        _ => Ok(()),
    }
}

/// A stage of the ranking, by its name.
fn stage(name: &str) -> Result<Stages, String> {
    Stages::named(name).ok_or_else(|| format!("the stages are {}", Stages::NAMES.join(", ")))
}

fn print_problems(problems: &[Diagnostic]) {
    for problem in problems {
        eprintln!("{problem}");
    }
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", plural(count, one, many))
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
