//! `cargo xtask test`: everything that must pass.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::build::{self, PRODUCT, Source};
use crate::platform::{Api, check_free};
use crate::process::{cargo, npm, run, run_quietly, step};
use crate::{budgets, contract, docs_model, fuzz, large_site, run as running, setup, tidy, wasm};

/// Addresses of the browser tests: not those of `cargo xtask run`, which may be up at the same time.
const PLATFORM: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 18787);
const SITE: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 14173);

/// Generated requests: enough to see every operation answered in most of its ways, and the same ones in each run.
const REQUESTS_PER_OPERATION: u32 = 15;
const SEED: u32 = 1;

pub(crate) fn test() -> Result<()> {
    check_free("the browser tests' platform-sim", PLATFORM)?;
    check_free("the browser tests' site", SITE)?;
    step("tools of this machine", || {
        setup::node()?;
        setup::c_compiler()?;
        setup::python()?;
        setup::curl()
    })?;
    let chromium = step("Chromium", setup::chromium)?;
    step("npm packages", || {
        setup::npm_packages("site").and_then(|()| setup::npm_packages("tests/e2e"))
    })?;
    let python = step("Python packages", contract::environment)?;
    step("formatting", || run(&mut cargo(&["fmt", "--all", "--check"])))?;
    step("edges and texts of the repository", tidy::tidy)?;
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
    let site = step("site under test", SiteUnderTest::build)?;
    step("budgets", || budgets::check(&site.dist))?;
    step("pages of a large site", || site.compare_with_large())?;
    step("browser journeys", || site.journeys(&chromium))?;
    println!("everything passed");
    Ok(())
}

/// The real site, with the real platform's data, on addresses of its own.
struct SiteUnderTest {
    config: PathBuf,
    search_key: String,
    dist: PathBuf,
    data_dir: PathBuf,
    /// What platform-sim reads queries with, where the site has vectors.
    text_encoder: Option<PathBuf>,
}

impl SiteUnderTest {
    fn build() -> Result<SiteUnderTest> {
        let folder = crate::target().join("siftwren/test");
        if folder.exists() {
            std::fs::remove_dir_all(&folder).context("cannot clear the last test's folder")?;
        }
        std::fs::create_dir_all(&folder)?;
        let ours = Source::ours();
        let config = std::fs::read_to_string(crate::root().join("siftwren.toml"))?;
        let config_file = folder.join("siftwren.toml");
        std::fs::write(
            &config_file,
            config.replace("127.0.0.1:8787", &PLATFORM.to_string()),
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
        let (server, keys) = running::start_platform(PLATFORM, &data_dir, text_encoder.as_deref())?;
        docs_model::load(&Api::new(PLATFORM, keys.admin), &pages, &data_dir)?;
        drop(server);

        let dist = folder.join("dist");
        build::site(&pages, &dist, Some(&keys.search))?;
        Ok(SiteUnderTest {
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

    fn journeys(&self, chromium: &Path) -> Result<()> {
        let golden = crate::root().join("tests/golden");
        // Each of the servers that the journeys start and stop inherits it; an empty one counts as none.
        let text_encoder = self.text_encoder.as_deref().unwrap_or(Path::new(""));
        run(npm("tests/e2e", &["run", "--silent", "test"])
            .env("SIFTWREN_CHROMIUM", chromium)
            .env("SIFTWREN_TEST_DIST", &self.dist)
            .env("SIFTWREN_TEST_SITE", SITE.to_string())
            .env("SIFTWREN_TEST_PREVIEW", build::program("preview"))
            .env("SIFTWREN_TEST_XTASK", std::env::current_exe()?)
            .env("SIFTWREN_TEST_INDEXER", build::program("indexer"))
            .env("SIFTWREN_TEST_PLATFORM", PLATFORM.to_string())
            .env("SIFTWREN_TEST_PLATFORM_SIM", build::program("platform-sim"))
            .env("SIFTWREN_TEST_DATA", &self.data_dir)
            .env("SIFTWREN_TEXT_ENCODER", text_encoder)
            .env("SIFTWREN_TEST_GOLDEN", golden)
            .env("SIFTWREN_TEST_WASM", wasm::package()))
    }
}
