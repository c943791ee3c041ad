//! `cargo xtask test`: everything that must pass.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::build::{self, PRODUCT, Source};
use crate::platform::{Api, check_free};
use crate::process::{cargo, npm, run, run_quietly, step};
use crate::{budgets, contract, docs_model, fuzz, large_site, licences, run as running, setup, tidy, wasm};

/// Ports of the browser tests, of the platform and of the site, a pair for journeys that run beside each other: not those of `cargo
/// xtask run`, which may be up at the same time.
const PORTS: [(u16, u16); 2] = [(18787, 14173), (18788, 14174)];

/// Generated requests: enough to see every operation answered in most of its ways, and the same ones in each run.
const REQUESTS_PER_OPERATION: u32 = 15;
const SEED: u32 = 1;

pub(crate) fn test() -> Result<()> {
    for (platform, site) in PORTS {
        check_free("the browser tests' platform-sim", local(platform))?;
        check_free("the browser tests' site", local(site))?;
    }
    step("tools of this machine", || {
        setup::node()?;
        setup::c_compiler()?;
        setup::python()?;
        setup::curl()
    })?;
    let chromium = step("Chromium", setup::chromium_for_journeys)?;
    step("npm packages", || {
        setup::npm_packages("site").and_then(|()| setup::npm_packages("tests/e2e"))
    })?;
    let python = step("Python packages", contract::environment)?;
    step("formatting", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    step("edges and texts of the repository", tidy::tidy)?;
    step("licences", licences::licences)?;
    step("WebAssembly target", setup::wasm_target)?;
    step("WebAssembly module", wasm::build)?;
    step("site: types, lints, formatting", || {
        run_quietly(&mut npm("site", &["run", "--silent", "check:api"]))?;
        run_quietly(&mut npm("site", &["run", "--silent", "typecheck"]))?;
        run_quietly(&mut npm("site", &["run", "--silent", "lint"]))?;
        run_quietly(&mut npm("site", &["run", "--silent", "format:check"]))?;
        run_quietly(&mut npm("tests/e2e", &["run", "--silent", "typecheck"]))
    })?;
    step("site: unit tests", || {
        run(&mut npm("site", &["run", "--silent", "test"]))
    })?;
    step("Rust: build of programs and tests", || {
        // One command: what tests need may switch features of shared libraries on, and the large ones are to be
        // compiled once.
        run(cargo(&["build", "--locked", "--quiet"])
            .args(PRODUCT)
            .args(["--bins", "--tests"]))
    })?;
    step("Rust: tests", || {
        run(contract::require_oracles(
            cargo(&["test", "--locked"]).args(PRODUCT),
            &python,
        ))?;
        run(&mut cargo(&["test", "--locked", "-p", "xtask"]))
    })?;
    for document in ["v1", "v2"] {
        step(&format!("requests made from api-spec/{document}"), || {
            contract::requests(&python, document, contract::PHASES, REQUESTS_PER_OPERATION, SEED)
        })?;
    }
    step("Rust: lints", || {
        let lints = ["--all-targets", "--locked", "--quiet", "--", "-D", "warnings"];
        run(cargo(&["clippy"]).args(PRODUCT).args(lints))?;
        run(cargo(&["clippy", "-p", "xtask"]).args(lints))
    })?;
    step("fuzzing programs: types", fuzz::check)?;
    step("shipped module in Node: boundary, golden ranking", || {
        run(Command::new("node")
            .args(["--test", "tests/golden/"])
            .current_dir(crate::root()))
    })?;
    step("Python client", || {
        run(Command::new("python3")
            .args(["-m", "unittest", "discover", "-s", "tests", "-t", "."])
            .current_dir(crate::root().join("clients/python")))
    })?;
    let sites = step("sites under test", SiteUnderTest::build_all)?;
    step("budgets", || budgets::check(&sites[0].dist))?;
    step("pages of a large site", || sites[0].compare_with_large())?;
    step("browser journeys", || journeys(&sites, &chromium))?;
    println!("everything passed");
    Ok(())
}

fn local(port: u16) -> SocketAddr {
    SocketAddr::from((Ipv4Addr::LOCALHOST, port))
}

/// The real site, with the real platform's data, on addresses of its own.
struct SiteUnderTest {
    platform: SocketAddr,
    address: SocketAddr,
    config: PathBuf,
    search_key: String,
    dist: PathBuf,
    data_dir: PathBuf,
    /// What platform-sim reads queries with, where the site has vectors.
    text_encoder: Option<PathBuf>,
}

impl SiteUnderTest {
    fn build_all() -> Result<Vec<SiteUnderTest>> {
        let folder = crate::target().join("siftwren/test");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).context("cannot clear the last test's folder")?;
        }
        let sites = PORTS.iter().enumerate();
        let sites = sites.map(|(index, ports)| Self::build(&folder.join(index.to_string()), *ports));
        sites.collect()
    }

    fn build(folder: &Path, (platform, site): (u16, u16)) -> Result<SiteUnderTest> {
        let platform = local(platform);
        std::fs::create_dir_all(folder)?;
        let ours = Source::ours();
        let config = std::fs::read_to_string(crate::root().join("siftwren.toml"))?;
        let config_file = folder.join("siftwren.toml");
        std::fs::write(
            &config_file,
            config.replace("127.0.0.1:8787", &platform.to_string()),
        )?;
        let pages = folder.join("pages");
        run(Command::new(build::program("indexer"))
            .arg("build")
            .arg("--content")
            .arg(&ours.content)
            .arg("--config")
            .arg(&config_file)
            // The configuration is a copy elsewhere, so what it names is not beside it.
            .arg("--root")
            .arg(crate::root())
            .arg("--out")
            .arg(&pages))?;

        let data_dir = folder.join("data");
        let text_encoder = docs_model::text_encoder(&pages);
        let (server, keys) = running::start_platform(platform, &data_dir, text_encoder.as_deref())?;
        docs_model::load(&Api::new(platform, keys.admin), &pages, &data_dir)?;
        drop(server);

        let dist = folder.join("dist");
        build::site(&pages, &dist, Some(&keys.search))?;
        Ok(SiteUnderTest {
            platform,
            address: local(site),
            config: config_file,
            search_key: keys.search,
            dist,
            data_dir,
            text_encoder,
        })
    }

    /// The same pages among many others.
    fn compare_with_large(&self) -> Result<()> {
        let folder = crate::target().join("siftwren/test-large");
        if folder.exists() {
            std::fs::remove_dir_all(&folder)?;
        }
        let (content, pages, dist) = (folder.join("content"), folder.join("pages"), folder.join("dist"));
        large_site::write_content(&Source::ours().content, &content)?;
        run_quietly(
            Command::new(build::program("indexer"))
                .arg("build")
                .arg("--content")
                .arg(&content)
                .arg("--config")
                .arg(&self.config)
                .arg("--root")
                .arg(crate::root())
                .arg("--out")
                .arg(&pages),
        )?;
        build::site(&pages, &dist, Some(&self.search_key))?;
        large_site::check_growth(&self.dist, &dist)?;
        std::fs::remove_dir_all(&folder).context("cannot remove the large site")
    }
}

fn journeys(sites: &[SiteUnderTest], chromium: &Path) -> Result<()> {
    let golden = crate::root().join("tests/golden");
    let places = sites.iter().map(|site| {
        serde_json::json!({
            "dist": site.dist,
            "site": site.address.to_string(),
            "platform": site.platform.to_string(),
            "data": site.data_dir,
        })
    });
    let places: serde_json::Value = places.collect();
    // Each of the servers that the journeys start and stop inherits it; an empty one counts as none.
    let text_encoder = sites[0].text_encoder.as_deref().unwrap_or(Path::new(""));
    run(npm("tests/e2e", &["run", "--silent", "test"])
        .env("SIFTWREN_CHROMIUM", chromium)
        .env("SIFTWREN_TEST_PLACES", places.to_string())
        .env("SIFTWREN_TEST_PREVIEW", build::program("preview"))
        .env("SIFTWREN_TEST_XTASK", std::env::current_exe()?)
        .env("SIFTWREN_TEST_INDEXER", build::program("indexer"))
        .env("SIFTWREN_TEST_PLATFORM_SIM", build::program("platform-sim"))
        .env("SIFTWREN_TEXT_ENCODER", text_encoder)
        .env("SIFTWREN_TEST_GOLDEN", golden)
        .env("SIFTWREN_TEST_WASM", wasm::package()))
}
