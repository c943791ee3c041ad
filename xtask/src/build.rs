//! `cargo xtask build`: Markdown in, a static site out.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::follower::Follower;
use crate::live_reload::LiveReload;
use crate::platform::check_free;
use crate::process::{cargo, digest, once, run, run_listening, step};
use crate::run::{Preview, SITE, stop_requested};
use crate::watch::{Watched, until_stopped};
use crate::{setup, wasm};

#[derive(Args)]
pub(crate) struct Options {
    /// Folder of Markdown [default: our own content]
    #[arg(long)]
    content: Option<PathBuf>,
    /// Site configuration [default: siftwren.toml for our own content, none for another folder]
    #[arg(long)]
    config: Option<PathBuf>,
    /// Where the site goes; everything in it is replaced
    #[arg(long, default_value = "dist")]
    out: PathBuf,
    /// With the pages that say that they are drafts
    #[arg(long)]
    drafts: bool,
    /// Serve the site, and build again whenever a page or the configuration is saved, until Ctrl+C
    #[arg(long)]
    watch: bool,
    /// Where it is served
    #[arg(long, default_value_t = SITE, requires = "watch")]
    addr: SocketAddr,
    /// The programs and packages that a build needs are there already, as they are in the tests
    #[arg(long, hide = true)]
    prepared: bool,
}

/// To the indexer, where no platform makes a model of the pages.
pub(crate) const WITHOUT_ITEMS: &str = "--without-items";
/// To the indexer while an author is at work: all texts, written again with each page that is saved. The build before the site is
/// published brings them.
pub(crate) const WITHOUT_FULL_TEXT: &str = "--without-llms-full";

/// What one site is made from.
pub(crate) struct Source {
    pub(crate) content: PathBuf,
    pub(crate) config: Option<PathBuf>,
}

impl Source {
    /// The documentation in this repository.
    pub(crate) fn ours() -> Source {
        let root = crate::root();
        Source {
            content: root.join("content"),
            config: Some(root.join("siftwren.toml")),
        }
    }

    /// What an author works on, as far as the last build knows.
    pub(crate) fn inputs(&self) -> Result<Vec<PathBuf>> {
        let manifest = self.pages()?.join("manifest.json");
        let others: Option<Vec<PathBuf>> = if manifest.is_file() {
            Some(manifest_field(&manifest, "inputs")?)
        } else {
            None
        };
        let own = [Some(self.content.clone()), self.config.clone()];
        Ok(own
            .into_iter()
            .flatten()
            .chain(others.unwrap_or_default())
            .collect())
    }

    /// Where the indexer's output for this source is kept between builds.
    pub(crate) fn pages(&self) -> Result<PathBuf> {
        let content = self.content.canonicalize();
        let content =
            content.with_context(|| format!("cannot read the folder {}", self.content.display()))?;
        let name = digest(&[], &[&content.to_string_lossy()])?;
        Ok(crate::target()
            .join("siftwren")
            .join(format!("pages-{}", &name[..8])))
    }
}

pub(crate) fn command(options: &Options) -> Result<()> {
    let mut source = match &options.content {
        Some(content) => Source {
            content: content.clone(),
            config: None,
        },
        None => Source::ours(),
    };
    if options.config.is_some() {
        source.config.clone_from(&options.config);
    }
    let out = std::path::absolute(&options.out)?;
    if options.watch {
        check_free("the site", options.addr).context("choose another address with --addr")?;
    }
    if !options.prepared {
        prepare()?;
    }
    let mut indexer = indexer(&source)?;
    indexer.arg(WITHOUT_ITEMS);
    if options.drafts {
        indexer.arg("--drafts");
    }
    let key = std::env::var("SIFTWREN_SEARCH_KEY").ok();
    if !options.watch {
        step("pages, index", || run_listening(&mut indexer))?;
        step("site", || site(&source.pages()?, &out, key.as_deref()))?;
        println!("built {}", out.display());
        return Ok(());
    }
    indexer.arg(WITHOUT_FULL_TEXT);
    let stopped = stop_requested()?;
    let live = LiveReload::new(&out)?;
    let mut preview = Preview::new(options.addr, &out, &live);
    let mut watched = Watched::new(vec![source.content.clone()])?;
    let mut builders = Builders::new(indexer, &source.pages()?, &out, key.as_deref())?;
    let mut is_first = true;
    let mut look = || {
        let changed = watched.changed()?;
        if std::mem::take(&mut is_first) || changed.is_some() {
            if live.build(|| builders.build(&changed.unwrap_or_default()))?
                && let Some(url) = preview.serve(&source.pages()?)?
            {
                println!("{url} follows what is saved. Ctrl+C stops it");
            }
            watched.follow(source.inputs()?)?;
        }
        preview.check()?;
        Ok(watched.pause())
    };
    look()?;
    until_stopped(&stopped, look)
}

/// The path below which a site is served, from the indexer's output.
pub(crate) fn base(pages: &Path) -> Result<String> {
    let site: Value = manifest_field(&pages.join("manifest.json"), "site")?;
    let base = site["base"].as_str();
    Ok(base.context("the site in manifest.json has no base")?.to_owned())
}

/// A field of the indexer's manifest, which has each on a line of its own. All of it is long.
fn manifest_field<T: DeserializeOwned>(file: &Path, name: &str) -> Result<T> {
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let start = format!("\"{name}\":");
    let value = text.lines().find_map(|line| line.strip_prefix(&start));
    let value = value.with_context(|| format!("{} has no line of `{name}`", file.display()))?;
    serde_json::from_str(value.trim_end_matches(','))
        .with_context(|| format!("{} is damaged", file.display()))
}

/// Everything that a build needs, from the machine's tools to our own programs.
pub(crate) fn prepare() -> Result<()> {
    step("tools of this machine", || {
        setup::node().and_then(|()| setup::c_compiler())
    })?;
    step("npm packages of the site", || setup::npm_packages("site"))?;
    step("WebAssembly target", setup::wasm_target)?;
    step("WebAssembly module", wasm::build)?;
    step("code of the site", || run(&mut bundler()))?;
    step("Rust programs", programs)
}

/// What every cargo command works on. One selection of packages means one set of features, so that `run` and `test`
/// share what they compile; xtask stays out because it is running.
pub(crate) const PRODUCT: [&str; 3] = ["--workspace", "--exclude", "xtask"];

/// indexer, platform-sim and preview, for development.
pub(crate) fn programs() -> Result<()> {
    run(cargo(&["build"]).args(PRODUCT).arg("--bins"))
}

/// The path of one of our programs.
pub(crate) fn program(name: &str) -> PathBuf {
    crate::target().join("debug").join(name)
}

/// Runs the indexer.
pub(crate) fn index(source: &Source) -> Result<()> {
    run_listening(&mut indexer(source)?)
}

/// What turns a source into pages.
pub(crate) fn indexer(source: &Source) -> Result<Command> {
    let mut command = Command::new(program("indexer"));
    command
        .arg("build")
        .arg("--content")
        .arg(&source.content)
        .arg("--out")
        .arg(source.pages()?);
    if let Some(config) = &source.config {
        command.arg("--config").arg(config);
    }
    Ok(command)
}

/// What builds a site while its author is at work.
pub(crate) struct Builders {
    indexer: Follower,
    site: Follower,
}

impl Builders {
    /// Of the site in `out`, made from the folder `pages` that the indexer writes, searched with a key that may be public.
    pub(crate) fn new(
        indexer: Command,
        pages: &Path,
        out: &Path,
        search_key: Option<&str>,
    ) -> Result<Builders> {
        // What these make is not compared with what it was made from.
        forget(&stamp(out)?)?;
        Ok(Builders {
            indexer: Follower::new(indexer),
            site: Follower::new(renderer(pages, out, search_key)),
        })
    }

    /// Builds, after these files and folders have changed. Whatever they are, the first build is a whole one.
    pub(crate) fn build(&mut self, changed: &BTreeSet<PathBuf>) -> Result<()> {
        step("pages, index", || self.indexer.build(&paths_line(changed)))?;
        step("site", || self.site.build(""))
    }
}

/// The line by which the indexer is told of them. An empty one, by which it looks at everything, where one of them is no text.
pub(crate) fn paths_line(changed: &BTreeSet<PathBuf>) -> String {
    serde_json::to_string(changed).unwrap_or_default()
}

/// Bundles the code of all sites, where it is another than before.
pub(crate) fn bundler() -> Command {
    let mut command = site_tool("bundles.mjs");
    command.env("SIFTWREN_WASM", wasm::package());
    command
}

/// `npm run build` in `site`, without the CPU time of npm.
pub(crate) fn site_builder() -> Command {
    site_tool("build.mjs")
}

fn site_tool(name: &str) -> Command {
    let mut command = Command::new("node");
    command
        .arg(Path::new("tools").join(name))
        .current_dir(crate::root().join("site"));
    command
}

/// Makes the site from the indexer's output, unless it is there already for exactly this input.
pub(crate) fn site(pages: &Path, out: &Path, search_key: Option<&str>) -> Result<()> {
    let stamp = stamp(out)?;
    if !out.join("index.html").is_file() {
        forget(&stamp)?;
    }
    let source = crate::root().join("site");
    // By its name in `tools/build.mjs`: whoever has to get rid of a worker must not be told that the site is up to date.
    let service_worker = std::env::var("SIFTWREN_SERVICE_WORKER").unwrap_or_default();
    let inputs = digest(
        &[pages, &source, &wasm::package()],
        &[search_key.unwrap_or_default(), &service_worker],
    )?;
    once(&stamp, &inputs, || {
        run_listening(&mut renderer(pages, out, search_key))
    })
}

/// Where is remembered what the site in a folder was made from.
fn stamp(out: &Path) -> Result<PathBuf> {
    let name = digest(&[], &[&out.to_string_lossy()])?;
    Ok(crate::target()
        .join("siftwren")
        .join(format!("site-{}.inputs", &name[..8])))
}

fn forget(stamp: &Path) -> Result<()> {
    match std::fs::remove_file(stamp) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("cannot remove {}", stamp.display()))
        }
        _ => Ok(()),
    }
}

/// What turns the indexer's output into a site.
fn renderer(pages: &Path, out: &Path, search_key: Option<&str>) -> Command {
    let mut command = site_builder();
    command
        .env("SIFTWREN_PAGES", pages)
        .env("SIFTWREN_DIST", out)
        .env("SIFTWREN_WASM", wasm::package());
    match search_key {
        Some(key) => command.env("SIFTWREN_SEARCH_KEY", key),
        None => command.env_remove("SIFTWREN_SEARCH_KEY"),
    };
    command
}
