//! `cargo xtask run`: the platform with the docs loaded, and the site that searches on it.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Context, Result};

use crate::build::{self, Builders, Source};
use crate::docs_model;
use crate::live_reload::LiveReload;
use crate::platform::{Api, Keys, Server, check_free, wait_until_up};
use crate::process::step;
use crate::watch::{Watched, until_stopped};

const PLATFORM: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8787);
/// Where the site is served unless somebody says otherwise.
pub(crate) const SITE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 4173);

pub(crate) fn run() -> Result<()> {
    let stopped = stop_requested()?;
    check_free("platform-sim", PLATFORM)?;
    check_free("the site", SITE)?;
    build::prepare()?;
    let source = Source::ours();
    step("pages, index", || build::index(&source))?;
    let mut watched = Watched::new(source.inputs()?)?;

    let data_dir = crate::root().join(".siftwren");
    let pages = source.pages()?;
    let encoder = docs_model::text_encoder(&pages);
    let (mut platform, keys) = step("platform-sim", || {
        start_platform(PLATFORM, &data_dir, encoder.as_deref())
    })?;
    let api = Api::new(PLATFORM, keys.admin);
    step("docs as a dataset and a model", || {
        docs_model::load(&api, &pages, &data_dir)
    })?;

    let dist = crate::root().join("dist");
    step("site", || build::site(&pages, &dist, Some(&keys.search)))?;
    let live = LiveReload::new(&dist)?;
    let mut preview = Preview::new(SITE, &dist, &live);
    let site = step("preview", || preview.serve(&pages))?.unwrap_or_default();

    println!(
        "\nsite      {site}\nplatform  http://{PLATFORM}/v1   keys: .siftwren/keys.json\nPages that are saved are built anew. Ctrl+C stops both"
    );
    let mut builders = Builders::new(build::indexer(&source)?, &pages, &dist, Some(&keys.search))?;
    let mut is_followed = false;
    until_stopped(&stopped, || {
        platform.check()?;
        preview.check()?;
        let Some(changed) = watched.changed()? else {
            return Ok(watched.pause());
        };
        let built = live.build(|| builders.build(&changed))?;
        if !is_followed {
            println!(
                "From now on pages follow what is saved, without what browsers store; load again what is open"
            );
            is_followed = true;
        }
        watched.follow(source.inputs()?)?;
        if built {
            if let Some(site) = preview.serve(&pages)? {
                println!("site      {site}");
            }
            let load = || docs_model::load(&api, &pages, &data_dir);
            if let Err(error) = step("docs as a dataset and a model", load) {
                eprintln!("{error:#}: the platform searches the pages as they were");
            }
        }
        Ok(watched.pause())
    })
}

/// Receives a word at Ctrl+C.
pub(crate) fn stop_requested() -> Result<Receiver<()>> {
    let (stop, stopped) = channel();
    ctrlc::set_handler(move || {
        if stop.send(()).is_err() {
            // Nobody waits for the word any more: everything is ending already.
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl+C")?;
    Ok(stopped)
}

/// A platform-sim on an address, answering, and its keys.
pub(crate) fn start_platform(
    address: SocketAddr,
    data_dir: &Path,
    text_encoder: Option<&Path>,
) -> Result<(Server, Keys)> {
    let mut command = Command::new(build::program("platform-sim"));
    command
        .arg("--addr")
        .arg(address.to_string())
        .arg("--data-dir")
        .arg(data_dir)
        .args(["--log", "warn"]);
    if let Some(file) = text_encoder {
        command.arg("--text-encoder").arg(file);
    }
    let mut server = Server::start("platform-sim", &mut command)?;
    wait_until_up(&mut server, address)?;
    let keys = Keys::read(data_dir)?;
    Ok((server, keys))
}

/// A built site on an address, following the builds.
pub(crate) struct Preview<'a> {
    address: SocketAddr,
    dist: &'a Path,
    live: &'a LiveReload,
    /// With the path below which it serves.
    running: Option<(String, Server)>,
}

impl Preview<'_> {
    pub(crate) fn new<'a>(address: SocketAddr, dist: &'a Path, live: &'a LiveReload) -> Preview<'a> {
        Preview {
            address,
            dist,
            live,
            running: None,
        }
    }

    /// Serves what was built from these pages. The answer is its address, where that is a new one.
    pub(crate) fn serve(&mut self, pages: &Path) -> Result<Option<String>> {
        let base = build::base(pages)?;
        if self.running.as_ref().is_some_and(|(before, _)| *before == base) {
            return Ok(None);
        }
        // The old one ends before, since both want the address.
        self.running = None;
        let mut command = Command::new(build::program("preview"));
        command
            .arg(self.dist)
            .args(["--addr", &self.address.to_string(), "--base", &base])
            .arg("--live-reload")
            .arg(self.live.file());
        let mut server = Server::start("preview", &mut command)?;
        wait_until_up(&mut server, self.address)?;
        let url = format!("http://{}{base}", self.address);
        self.running = Some((base, server));
        Ok(Some(url))
    }

    pub(crate) fn check(&mut self) -> Result<()> {
        self.running.as_mut().map_or(Ok(()), |(_, server)| server.check())
    }
}
