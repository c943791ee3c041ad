//! Sizes of a built site, and the limits that a change must not exceed. All bytes are brotli, quality 11.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// First load of a page: its HTML and everything that the HTML itself asks for.
const FIRST_LOAD: usize = 30_000;
/// The WebAssembly module with its JavaScript.
const WASM: usize = 90_000;

/// What readers download for one page before they touch anything.
pub(crate) struct FirstLoad {
    pub(crate) page: PathBuf,
    pub(crate) html: usize,
    pub(crate) parts: Vec<(String, usize)>,
}

impl FirstLoad {
    pub(crate) fn total(&self) -> usize {
        self.html + self.parts.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }
}

/// Fails with every number that is over its limit.
pub(crate) fn check(dist: &Path) -> Result<()> {
    let mut problems = Vec::new();
    let loads = first_loads(dist)?;
    for load in &loads {
        if load.total() > FIRST_LOAD {
            problems.push(format!(
                "{}: {} bytes at first load, the limit is {FIRST_LOAD}: html {}, {:?}",
                load.page.display(),
                load.total(),
                load.html,
                load.parts
            ));
        }
    }
    let wasm = wasm_bytes()?;
    if wasm > WASM {
        problems.push(format!(
            "the WebAssembly module is {wasm} bytes, the limit is {WASM}"
        ));
    }
    if !problems.is_empty() {
        bail!("over budget:\n{}", problems.join("\n"));
    }
    let largest = loads
        .iter()
        .map(FirstLoad::total)
        .max()
        .context("the site has no page")?;
    eprintln!("  largest first load {largest} of {FIRST_LOAD} bytes, wasm {wasm} of {WASM} bytes");
    Ok(())
}

/// The module and its glue code.
pub(crate) fn wasm_bytes() -> Result<usize> {
    let package = crate::wasm::package();
    Ok(brotli_bytes(&package.join("wasm_core_bg.wasm"))? + brotli_bytes(&package.join("wasm_core.js"))?)
}

/// Every page of a site with what it loads by itself.
pub(crate) fn first_loads(dist: &Path) -> Result<Vec<FirstLoad>> {
    let mut loads = Vec::new();
    for entry in walkdir::WalkDir::new(dist).sort_by_file_name() {
        let entry = entry.with_context(|| format!("cannot read {}", dist.display()))?;
        if entry.file_name() == "index.html" {
            loads.push(first_load(dist, entry.path())?);
        }
    }
    Ok(loads)
}

fn first_load(dist: &Path, page: &Path) -> Result<FirstLoad> {
    let html = std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
    let mut parts = Vec::new();
    for url in loaded_urls(&html) {
        let file = dist.join(url.trim_start_matches('/'));
        parts.push((
            url.clone(),
            brotli_bytes(&file).with_context(|| format!("{} asks for it", page.display()))?,
        ));
    }
    Ok(FirstLoad {
        page: page.strip_prefix(dist)?.to_owned(),
        html: brotli_size(html.as_bytes())?,
        parts,
    })
}

/// The URLs that a browser fetches because of the HTML alone: scripts, style sheets, preloads, pictures, icons.
fn loaded_urls(html: &str) -> BTreeSet<String> {
    let mut urls = BTreeSet::new();
    for tag in html
        .split('<')
        .skip(1)
        .filter_map(|rest| rest.split_once('>').map(|(tag, _)| tag))
    {
        let name = tag.split_whitespace().next().unwrap_or_default();
        let loads = match name {
            "script" | "img" => attribute(tag, "src"),
            "link" => match attribute(tag, "rel") {
                Some("stylesheet" | "preload" | "modulepreload" | "icon" | "manifest") => {
                    attribute(tag, "href")
                }
                _ => None,
            },
            _ => None,
        };
        urls.extend(loads.filter(|url| url.starts_with('/')).map(str::to_owned));
    }
    urls
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    tag[start..].split('"').next()
}

/// Size of a file as a CDN sends it.
pub(crate) fn brotli_bytes(file: &Path) -> Result<usize> {
    brotli_size(&std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?)
}

fn brotli_size(bytes: &[u8]) -> Result<usize> {
    let mut compressed = Vec::new();
    let parameters = brotli::enc::BrotliEncoderParams {
        quality: 11,
        lgwin: 22,
        ..Default::default()
    };
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &parameters)?;
    Ok(compressed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_browser_fetches_by_itself_counts() {
        let html = r#"<link rel="stylesheet" href="/a.css"><script type="module" src="/b.js"></script>
            <a href="/page">x</a><link rel="canonical" href="/c"><img alt="" src="/d.svg"><script src="https://e/f.js">"#;
        let urls: Vec<String> = loaded_urls(html).into_iter().collect();
        assert_eq!(urls, ["/a.css", "/b.js", "/d.svg"]);
    }

    #[test]
    fn a_page_over_its_budget_is_found() {
        let folder = tempfile::tempdir().unwrap();
        // Text that brotli cannot shrink below the limit.
        let mut state = 1_u64;
        let noise: String = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + u8::try_from((state >> 40) % 90).unwrap())
        })
        .filter(|character| *character != '<')
        .take(60_000)
        .collect();
        std::fs::write(folder.path().join("index.html"), noise).unwrap();
        let loads = first_loads(folder.path()).unwrap();
        assert!(loads[0].total() > FIRST_LOAD, "{}", loads[0].total());
    }
}
