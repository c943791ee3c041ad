//! The WebAssembly module: compiled, bound to JavaScript, shrunk, checked.
//!
//! wasm-bindgen runs as a library of the version that Cargo.lock pins for the module itself, so that no separate
//! program has to be installed and the two can never differ.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

use crate::process::{cargo, digest, once, run, run_quietly};

/// What the module may use beyond the first version of WebAssembly. Named one by one: with `--all-features`
/// wasm-opt emits proposals that browsers refuse to load.
const FEATURES: [&str; 6] = [
    "--enable-bulk-memory",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
];

/// The folder of the finished package.
pub(crate) fn package() -> PathBuf {
    crate::root().join("wasm-core/pkg")
}

/// Builds `wasm-core/pkg`; needs the npm packages of the site (wasm-opt is one of them).
pub(crate) fn build() -> Result<()> {
    run(&mut cargo(&[
        "build",
        "--quiet",
        "-p",
        "wasm-core",
        "--target",
        "wasm32-unknown-unknown",
        "--profile",
        "wasm",
    ]))?;
    let compiled = crate::target().join("wasm32-unknown-unknown/wasm/wasm_core.wasm");
    let inputs = digest(&[&compiled], &FEATURES)?;
    once(&package().join(".inputs"), &inputs, || {
        Bindgen::new()
            .input_path(&compiled)
            .web(true)
            .context("wasm-bindgen refuses the web target")?
            .typescript(true)
            .out_name("wasm_core")
            .generate(package())
            .context("wasm-bindgen cannot bind the module")?;
        let module = package().join("wasm_core_bg.wasm");
        run_quietly(
            Command::new(crate::root().join("site/node_modules/.bin/wasm-opt"))
                .arg("-Oz")
                .args(FEATURES)
                .arg(&module)
                .arg("-o")
                .arg(&module),
        )?;
        // The engine that counts: a module that V8 does not compile must not get any further.
        let check = "new WebAssembly.Module(require('node:fs').readFileSync(process.argv[1]))";
        run_quietly(Command::new("node").args(["-e", check]).arg(&module))
    })
}
