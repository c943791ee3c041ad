//! `cargo xtask run`: the platform with the docs loaded, and the site that searches on it.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use anyhow::{Context, Result};

use crate::build::{self, Source};
use crate::docs_model;
use crate::platform::{Api, Keys, Server, check_free, wait_until_up};
use crate::process::step;
use crate::watch::{Watched, until_stopped};

const PLATFORM: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8787);
const SITE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 4173);

pub(crate) fn run() -> Result<()> {
    let stopped = stop_requested()?;
    check_free("platform-sim", PLATFORM)?;
    check_free("the site", SITE)?;
    build::prepare()?;
    let source = Source::ours();
    let mut watched = Watched::new(source.inputs())?;
    step("pages, index", || build::index(&source))?;

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
    let mut preview = Some(step("preview", || start_preview(SITE, &dist))?);

    println!(
        "\nsite      http://{SITE}\nplatform  http://{PLATFORM}/v1   keys: .siftwren/keys.json\nPages that are saved are built anew. Ctrl+C stops both"
    );
    let headers = dist.join("_headers");
    until_stopped(&stopped, || {
        platform.check()?;
        preview.as_mut().map_or(Ok(()), Server::check)?;
        if !watched.has_changed()? {
            return Ok(());
        }
        let before = std::fs::read(&headers)?;
        build::again(|| {
            step("pages, index", || build::index(&source))?;
            step("site", || build::site(&pages, &dist, Some(&keys.search)))?;
            step("docs as a dataset and a model", || {
                docs_model::load(&api, &pages, &data_dir)
            })
        });
        if std::fs::read(&headers)? != before {
            // It reads them at its start. The old one ends before, since both want the address.
            preview = None;
            preview = Some(start_preview(SITE, &dist)?);
        }
        Ok(())
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

/// The built site on an address, answering.
pub(crate) fn start_preview(address: SocketAddr, dist: &Path) -> Result<Server> {
    let mut command = Command::new(build::program("preview"));
    command.arg(dist).arg("--addr").arg(address.to_string());
    let mut server = Server::start("preview", &mut command)?;
    wait_until_up(&mut server, address)?;
    Ok(server)
}
