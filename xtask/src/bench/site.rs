//! `cargo xtask bench site`: our site and those that others make of the same Markdown.
//!
//! Builds are whole processes, user and system CPU together. What a site costs its readers is measured in Chromium, from one static server
//! for all. The others' packages are pinned in `xtask/bench/site` and installed below `target/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use serde_json::Value;

use super::search::output;
use super::{Usage, cpu, release};
use crate::process::{cargo, digest, npm, once, run, run_quietly, step};
use crate::{setup, wasm};

#[derive(Args)]
pub(crate) struct Options {
    /// A large folder of Markdown; a part of it is the small site. Without it our own content is measured alone
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How many pages the small part has
    #[arg(long, default_value_t = 142, value_name = "PAGES")]
    pages: usize,
    /// Only these: siftwren, docusaurus, vitepress, starlight, mdbook
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Without the four categories of Lighthouse, which take a minute a site
    #[arg(long)]
    without_lighthouse: bool,
}

const OURS: &str = "siftwren";
/// Names in `xtask/bench/site/project.mjs`; their versions are in its package.json, that of mdBook is below.
const PEERS: [&str; 4] = ["docusaurus", "vitepress", "starlight", "mdbook"];
const MDBOOK: &str = "0.5.4";
/// Any key of 40 characters: what is measured does not depend on its value.
const KEY: &str = "0000000000000000000000000000000000000000";

/// What one generator made of one folder.
struct Site {
    generator: String,
    build: Usage,
    /// The build after a change of one page, with whatever the generator kept from the one before.
    again: Usage,
    megabytes: f64,
    browser: Value,
    lighthouse: Value,
}

/// One folder of Markdown.
struct Source {
    name: &'static str,
    content: PathBuf,
    list: PathBuf,
    pages: usize,
}

pub(crate) fn site(options: &Options) -> Result<()> {
    let folder = crate::target().join("siftwren/bench-site");
    std::fs::create_dir_all(&folder)?;
    let chosen: Vec<&str> = std::iter::once(OURS)
        .chain(PEERS)
        .filter(|name| options.only.is_empty() || options.only.iter().any(|only| only == name))
        .collect();
    step("tools of this machine", setup::node)?;
    let chromium = step("Chromium", setup::chromium)?;
    step("npm packages of the site", || setup::npm_packages("site"))?;
    step("WebAssembly target", setup::wasm_target)?;
    step("WebAssembly module", wasm::build)?;
    step("indexer, optimised", || {
        run(&mut cargo(&["build", "--release", "-p", "indexer"]))
    })?;
    step("generators and browser tools from npm", || install(&folder))?;
    if chosen.contains(&"mdbook") {
        step("mdBook from crates.io", || install_mdbook(&folder))?;
    }

    let corpus = match &options.corpus {
        Some(corpus) => corpus.canonicalize()?,
        None => {
            eprintln!("SKIPPED: a large site; name a folder of Markdown with --corpus DIR");
            crate::root().join("content")
        }
    };
    let mut sources = vec![Source::prepare("small", &corpus, Some(options.pages), &folder)?];
    if options.corpus.is_some() {
        sources.push(Source::prepare("large", &corpus, None, &folder)?);
    }
    let mut text = String::new();
    for source in &sources {
        let mut sites = Vec::new();
        for &generator in &chosen {
            sites.push(step(&format!("{generator}: {} pages", source.pages), || {
                Site::measure(generator, source, &chromium, options, &folder)
            })?);
        }
        text += &table(source, &sites);
    }
    println!("{text}");
    Ok(())
}

/// The scripts, and the packages that they use.
fn install(folder: &Path) -> Result<()> {
    let source = crate::root().join("xtask/bench/site");
    for entry in std::fs::read_dir(&source)? {
        let entry = entry?;
        std::fs::copy(entry.path(), folder.join(entry.file_name()))?;
    }
    let inputs = digest(&[&source.join("package-lock.json")], &[])?;
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

fn install_mdbook(folder: &Path) -> Result<()> {
    let root = folder.join("mdbook");
    once(&root.join(".siftwren-installed"), MDBOOK, || {
        let scratch = folder.join("mdbook-build");
        run(cargo(&["install", "mdbook", "--locked", "--no-track", "--force"])
            .args(["--version", MDBOOK, "--root"])
            .arg(&root)
            .arg("--target-dir")
            .arg(&scratch))?;
        Ok(std::fs::remove_dir_all(&scratch)?)
    })
}

impl Source {
    fn prepare(name: &'static str, from: &Path, pages: Option<usize>, folder: &Path) -> Result<Source> {
        let content = folder.join(format!("content-{name}"));
        let mut command = script(folder, "content.mjs");
        command.arg(from).arg(&content);
        if let Some(pages) = pages {
            command.arg(pages.to_string());
        }
        let files = output(&mut command)?;
        let list = folder.join(format!("files-{name}.json"));
        std::fs::write(&list, &files)?;
        let pages = serde_json::from_str::<Vec<String>>(&files)?.len();
        Ok(Source {
            name,
            content,
            list,
            pages,
        })
    }

    /// A file to change: the middle one.
    fn file(&self) -> Result<String> {
        let files: Vec<String> = serde_json::from_str(&std::fs::read_to_string(&self.list)?)?;
        files
            .get(files.len() / 2)
            .cloned()
            .context("the folder has no Markdown")
    }
}

impl Site {
    fn measure(
        generator: &str,
        source: &Source,
        chromium: &Path,
        options: &Options,
        folder: &Path,
    ) -> Result<Site> {
        let mut project = Project::new(generator, source, folder)?;
        let build = project.build()?;
        let changed = source.file()?;
        project.change(&changed)?;
        let again = project.build()?;
        let browser = output(
            script(folder, "browser.mjs")
                .arg(&project.dist)
                .arg(&source.list)
                .env("SIFTWREN_CHROMIUM", chromium),
        )?;
        let lighthouse = if options.without_lighthouse {
            Value::Null
        } else {
            let printed = output(
                script(folder, "lighthouse.mjs")
                    .arg(&project.dist)
                    .arg(format!("/{}", changed.trim_end_matches(".md")))
                    .env("SIFTWREN_CHROMIUM", chromium),
            )?;
            serde_json::from_str(&printed).context("lighthouse.mjs prints JSON")?
        };
        Ok(Site {
            generator: generator.to_owned(),
            build,
            again,
            megabytes: megabytes(&project.dist)?,
            browser: serde_json::from_str(&browser).context("browser.mjs prints JSON")?,
            lighthouse,
        })
    }
}

/// A generator with its copy of the Markdown.
struct Project {
    commands: Vec<Command>,
    content: PathBuf,
    dist: PathBuf,
}

impl Project {
    fn new(generator: &str, source: &Source, folder: &Path) -> Result<Project> {
        let project = folder.join("projects").join(generator);
        if generator == OURS {
            return Project::ours(source, &project);
        }
        let printed = output(
            script(folder, "project.mjs")
                .arg(generator)
                .arg(&source.content)
                .arg(&project),
        )?;
        let Printed {
            command,
            content,
            dist,
        } = serde_json::from_str(&printed).context("project.mjs prints JSON")?;
        let (program, arguments) = command.split_first().context("a generator has a command")?;
        let mut build = Command::new(program);
        build
            .args(arguments)
            .current_dir(&project)
            .env("NODE_ENV", "production")
            // More than Node takes by itself: one of them needs it on 1,400 pages.
            .env("NODE_OPTIONS", "--max-old-space-size=8192")
            .env("ASTRO_TELEMETRY_DISABLED", "1");
        Ok(Project {
            commands: vec![build],
            content,
            dist,
        })
    }

    /// The two programs behind `cargo xtask build`.
    fn ours(source: &Source, project: &Path) -> Result<Project> {
        if project.exists() {
            std::fs::remove_dir_all(project)?;
        }
        // From scratch, with the code to be bundled, as for the others.
        let bundles = crate::root().join("site/node_modules/.siftwren");
        if bundles.exists() {
            std::fs::remove_dir_all(&bundles)?;
        }
        let (content, pages, dist) = (
            project.join("content"),
            project.join("pages"),
            project.join("dist"),
        );
        copy_folder(&source.content, &content)?;
        let mut indexer = Command::new(release("indexer"));
        indexer.arg("build").arg("--content").arg(&content);
        indexer.arg("--out").arg(&pages).env_remove("SIFTWREN_ENCODER");
        let mut site = npm("site", &["run", "--silent", "build"]);
        site.env("SIFTWREN_PAGES", &pages)
            .env("SIFTWREN_DIST", &dist)
            .env("SIFTWREN_WASM", wasm::package())
            .env("SIFTWREN_SEARCH_KEY", KEY);
        Ok(Project {
            commands: vec![indexer, site],
            content,
            dist,
        })
    }

    fn build(&mut self) -> Result<Usage> {
        let mut sum = Usage {
            seconds: 0.0,
            peak_kilobytes: 0,
        };
        for command in &mut self.commands {
            let used = cpu(command)?;
            sum.seconds += used.seconds;
            sum.peak_kilobytes = sum.peak_kilobytes.max(used.peak_kilobytes);
        }
        Ok(sum)
    }

    fn change(&self, file: &str) -> Result<()> {
        let file = self.content.join(file);
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        Ok(std::fs::write(
            &file,
            text + "\nOne more sentence, by which this page changed.\n",
        )?)
    }
}

#[derive(serde::Deserialize)]
struct Printed {
    command: Vec<String>,
    content: PathBuf,
    dist: PathBuf,
}

fn script(folder: &Path, name: &str) -> Command {
    let mut command = Command::new("node");
    command.arg(folder.join(name));
    command
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    for entry in walkdir::WalkDir::new(from) {
        let entry = entry?;
        let target = to.join(entry.path().strip_prefix(from)?);
        if entry.file_type().is_dir() {
            std::fs::create_dir_all(&target)?;
        } else {
            std::fs::copy(entry.path(), &target)?;
        }
    }
    Ok(())
}

fn megabytes(folder: &Path) -> Result<f64> {
    let mut bytes = 0;
    for entry in walkdir::WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes as f64 / 1e6)
}

/// A row a figure, a column a generator.
fn table(source: &Source, sites: &[Site]) -> String {
    let mut text = format!("\n### {}: {} pages\n\n|  |", source.name, source.pages);
    for site in sites {
        text += &format!(" {} |", site.generator);
    }
    text += "\n| --- |";
    text += &" --- |".repeat(sites.len());
    text.push('\n');
    for (name, value) in figures(source.pages) {
        text += &format!("| {name} |");
        for site in sites {
            text += &format!(" {} |", value(site));
        }
        text.push('\n');
    }
    text
}

type Figure = (&'static str, Box<dyn Fn(&Site) -> String>);

fn figures(pages: usize) -> Vec<Figure> {
    let mut rows: Vec<Figure> = vec![
        (
            "build, CPU s per 1,000 pages",
            Box::new(move |site| format!("{:.1}", site.build.seconds * 1000.0 / pages as f64)),
        ),
        (
            "build, peak memory of its largest process, MB",
            Box::new(|site| format!("{:.0}", site.build.peak_kilobytes as f64 / 1000.0)),
        ),
        (
            "build after one changed page, CPU s",
            Box::new(|site| format!("{:.1}", site.again.seconds)),
        ),
        ("output, MB", Box::new(|site| format!("{:.0}", site.megabytes))),
    ];
    // Name in the table, name in what browser.mjs prints, divisor.
    for (name, key, divisor) in [
        ("page, HTML, kB brotli", "html", 1000.0),
        ("first load until the load event, kB", "bytes", 1000.0),
        ("requests until the load event", "requests", 1.0),
        (
            "requests that block the first paint, page included",
            "blocking",
            1.0,
        ),
        ("JavaScript at load, kB", "script", 1000.0),
        ("JavaScript executed at load, kB raw", "scriptRaw", 1000.0),
        ("all bytes, untouched for 5 s, kB", "idleBytes", 1000.0),
        (
            "JavaScript executed, untouched for 5 s, kB raw",
            "idleScriptRaw",
            1000.0,
        ),
        ("main-thread CPU at load, ms", "cpu", 1.0),
        ("main-thread CPU, untouched for 5 s, ms", "idleCpu", 1.0),
        ("navigation to the next page, kB", "navigationBytes", 1000.0),
        ("navigation, click to heading, ms", "navigationMs", 1.0),
    ] {
        rows.push((
            name,
            Box::new(move |site| match site.browser[key].as_f64() {
                Some(value) if divisor > 1.0 => format!("{:.1}", value / divisor),
                Some(value) => format!("{value:.0}"),
                None => "-".to_owned(),
            }),
        ));
    }
    rows.push((
        "without JavaScript: characters of text, pages linked",
        Box::new(|site| {
            let found = &site.browser["withoutScript"];
            format!("{}, {}", found["characters"], found["links"])
        }),
    ));
    rows.push((
        "offline after one visit: another page opens, kB",
        Box::new(|site| {
            let found = &site.browser["offline"];
            let works = if found["works"] == true { "yes" } else { "no" };
            format!(
                "{works}, {:.0}",
                found["bytes"].as_f64().unwrap_or_default() / 1000.0
            )
        }),
    ));
    rows.push((
        "axe: rules violated, dark and light, search open",
        Box::new(|site| {
            let rules = site.browser["axe"]["rules"].as_array();
            let rules: Vec<&str> = rules.into_iter().flatten().filter_map(Value::as_str).collect();
            match rules.len() {
                0 => "0".to_owned(),
                count => format!("{count}: {}", rules.join(", ")),
            }
        }),
    ));
    rows.push((
        "Lighthouse, mobile: performance, accessibility, practices, SEO",
        Box::new(|site| match site.lighthouse.get(0) {
            Some(of) => format!(
                "{}, {}, {}, {}",
                of["performance"], of["accessibility"], of["practices"], of["seo"]
            ),
            None => "-".to_owned(),
        }),
    ));
    rows.push((
        "Lighthouse: LCP ms, TBT ms, CLS",
        Box::new(|site| match site.lighthouse.get(0) {
            Some(of) => format!("{}, {}, {}", of["lcp"], of["tbt"], of["cls"]),
            None => "-".to_owned(),
        }),
    ));
    rows
}
