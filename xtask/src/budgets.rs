//! Sizes of a built site, and the limits that a change must not exceed. All bytes are brotli, quality 11.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// First load of a page: its HTML and everything that the HTML itself asks for.
const FIRST_LOAD: usize = 14_000;
/// The same of a page of the API reference: the page may have 20 kB by itself, see [`API_PAGE`].
const API_FIRST_LOAD: usize = 20_000;
/// The scripts of it that are files, and what they are before compression: all that runs before anybody touches the page.
const SCRIPT: usize = 4_000;
const SCRIPT_RAW: usize = 10_000;
/// Files that the browser has to have before it paints: the page, which brings its styles.
const BLOCKING: usize = 1;
/// The fragment that brings the next page: the median one.
const NAVIGATION: usize = 3_500;
/// HTML of a page of the API reference.
const API_PAGE: usize = 20_000;
/// The console of the API reference, loaded when somebody opens it.
const CONSOLE: usize = 40_000;
/// The WebAssembly module with its JavaScript.
const WASM: usize = 90_000;

/// What readers download for one page before they touch anything.
pub(crate) struct FirstLoad {
    pub(crate) page: PathBuf,
    pub(crate) html: usize,
    pub(crate) parts: Vec<(String, usize)>,
    /// Bytes of the scripts, before compression.
    script_raw: usize,
    /// How many files, beside the page, the first paint waits for.
    blocking: usize,
}

impl FirstLoad {
    pub(crate) fn total(&self) -> usize {
        self.html + self.parts.iter().map(|(_, bytes)| bytes).sum::<usize>()
    }

    /// Brotli bytes of the scripts.
    fn script(&self) -> usize {
        let scripts = self.parts.iter().filter(|(url, _)| is_script(url));
        scripts.map(|(_, bytes)| bytes).sum()
    }
}

/// Fails with every number that is over its limit.
pub(crate) fn check(dist: &Path) -> Result<()> {
    let mut limits = site_limits(dist)?;
    let wasm = wasm_bytes()?;
    limits.hold("WebAssembly module".to_owned(), wasm, WASM);
    if !limits.problems.is_empty() {
        bail!("over budget:\n{}", limits.problems.join("\n"));
    }
    eprintln!(
        "  bytes: largest first load {} of {FIRST_LOAD}, median navigation {} of {NAVIGATION}, wasm {wasm} of {WASM}",
        limits.first_load, limits.navigation
    );
    Ok(())
}

fn site_limits(dist: &Path) -> Result<Limits> {
    let mut limits = Limits::default();
    let loads = first_loads(dist)?;
    for load in &loads {
        let page = load.page.display();
        let whole = format!("first load of {page} (html {}, {:?})", load.html, load.parts);
        let is_reference = load.page.starts_with("docs/api");
        limits.hold(
            whole,
            load.total(),
            if is_reference { API_FIRST_LOAD } else { FIRST_LOAD },
        );
        limits.hold(format!("scripts at load of {page}"), load.script(), SCRIPT);
        limits.hold(
            format!("scripts at load of {page}, raw"),
            load.script_raw,
            SCRIPT_RAW,
        );
        let files = 1 + load.blocking;
        limits.hold(format!("files before the first paint of {page}"), files, BLOCKING);
        if is_reference {
            limits.hold(format!("HTML of {page}"), load.html, API_PAGE);
        }
    }
    let mut fragments = sizes(dist, |name| {
        name.starts_with("fragments/") && name.ends_with(".json")
    })?;
    fragments.sort_unstable();
    let fragment = *fragments
        .get(fragments.len() / 2)
        .context("the site has no fragments")?;
    limits.hold("median navigation to a page".to_owned(), fragment, NAVIGATION);
    let console = sizes(dist, |name| {
        name.starts_with("assets/api-") && (name.ends_with(".js") || name.ends_with(".css"))
    })?;
    if console.is_empty() {
        bail!("the site has no console of the API");
    }
    limits.hold("console of the API".to_owned(), console.iter().sum(), CONSOLE);
    limits.navigation = fragment;
    limits.first_load = loads
        .iter()
        .filter(|load| !load.page.starts_with("docs/api"))
        .map(FirstLoad::total)
        .max()
        .context("the site has no page")?;
    Ok(limits)
}

/// Collects what is over its limit.
#[derive(Default)]
struct Limits {
    problems: Vec<String>,
    /// The largest one beside the API reference.
    first_load: usize,
    /// The median one.
    navigation: usize,
}

impl Limits {
    fn hold(&mut self, what: String, value: usize, limit: usize) {
        if value > limit {
            self.problems
                .push(format!("{what}: {value}, the limit is {limit}"));
        }
    }
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
    let mut script_raw = 0;
    for url in loaded_urls(&html) {
        let file = dist.join(url.trim_start_matches('/'));
        if is_script(&url) {
            script_raw += std::fs::metadata(&file)
                .with_context(|| format!("{} asks for {url}", page.display()))?
                .len() as usize;
        }
        parts.push((
            url.clone(),
            brotli_bytes(&file).with_context(|| format!("{} asks for it", page.display()))?,
        ));
    }
    Ok(FirstLoad {
        page: page.strip_prefix(dist)?.to_owned(),
        html: brotli_size(html.as_bytes())?,
        parts,
        script_raw,
        blocking: tags(&html).filter(|tag| blocks(tag)).count(),
    })
}

fn is_script(url: &str) -> bool {
    Path::new(url).extension().is_some_and(|end| end == "js")
}

/// Brotli bytes of the files whose path below the site's folder is wanted, without the compressed copies that a host takes in their place.
pub(crate) fn sizes(dist: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<usize>> {
    let mut sizes = Vec::new();
    for entry in walkdir::WalkDir::new(dist) {
        let entry = entry?;
        let path = entry.path().strip_prefix(dist)?.to_string_lossy().into_owned();
        let is_copy = path.ends_with(".br") || path.ends_with(".gz");
        if entry.file_type().is_file() && !is_copy && wanted(&path) {
            sizes.push(brotli_bytes(entry.path())?);
        }
    }
    Ok(sizes)
}

/// The URLs that a browser fetches because of the HTML alone: scripts, also the one that the first script of a page imports,
/// style sheets, preloads, pictures, icons.
fn loaded_urls(html: &str) -> BTreeSet<String> {
    let mut urls = BTreeSet::new();
    for tag in tags(html) {
        let loads = match tag_name(tag) {
            "script" => attribute(tag, "src").or_else(|| attribute(tag, "data-boot")),
            "img" => attribute(tag, "src"),
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

/// The tags that a browser with scripts reads.
fn tags(html: &str) -> impl Iterator<Item = &str> {
    let mut is_for_others = false;
    html.split('<').skip(1).filter_map(move |rest| {
        let (tag, _) = rest.split_once('>')?;
        match tag {
            "noscript" => is_for_others = true,
            "/noscript" => is_for_others = false,
            _ if !is_for_others => return Some(tag),
            _ => {}
        }
        None
    })
}

fn tag_name(tag: &str) -> &str {
    tag.split_whitespace().next().unwrap_or_default()
}

/// Whether the first paint waits for the file that a tag names.
fn blocks(tag: &str) -> bool {
    match tag_name(tag) {
        "link" => attribute(tag, "rel") == Some("stylesheet"),
        "script" => {
            let waits = |word: &str| matches!(word, "defer" | "async" | "type=\"module\"");
            attribute(tag, "src").is_some() && !tag.split_whitespace().any(waits)
        }
        _ => false,
    }
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
            <script data-boot="/boot.js">first()</script>
            <a href="/page">x</a><link rel="canonical" href="/c"><img alt="" src="/d.svg"><script src="https://e/f.js">
            <noscript><link rel="stylesheet" href="/g.css"></noscript><link rel="icon" href="/h.svg">"#;
        let urls: Vec<String> = loaded_urls(html).into_iter().collect();
        assert_eq!(urls, ["/a.css", "/b.js", "/boot.js", "/d.svg", "/h.svg"]);
        let blocking: Vec<&str> = tags(html).filter(|tag| blocks(tag)).collect();
        assert_eq!(
            blocking,
            [
                r#"link rel="stylesheet" href="/a.css""#,
                r#"script src="https://e/f.js""#
            ]
        );
    }

    /// Text that brotli cannot shrink much.
    fn noise(bytes: usize) -> String {
        let mut state = 1_u64;
        std::iter::repeat_with(|| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            char::from(b'!' + u8::try_from((state >> 40) % 90).unwrap())
        })
        .filter(|character| *character != '<')
        .take(bytes)
        .collect()
    }

    /// What is over its limit in a site of one page, beside an empty one.
    fn problems(html: &str, files: &[(&str, usize)]) -> Vec<String> {
        let folder = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let file = folder.path().join(file);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        for (file, bytes) in files {
            write(file, &noise(*bytes));
        }
        write("docs/api/index.html", html);
        write("index.html", "");
        site_limits(folder.path()).unwrap().problems
    }

    #[test]
    fn what_is_over_its_budget_is_named() {
        let html = format!(
            r#"<script src="/a.js"></script><link rel="stylesheet" href="/a.css"><link rel="stylesheet" href="/b.css">{}"#,
            noise(40_000)
        );
        let files = [
            ("a.js", 20_000),
            ("a.css", 10),
            ("b.css", 10),
            ("fragments/x.json", 9_000),
            ("assets/api-1.js", 60_000),
        ];
        let named = problems(&html, &files);
        let expected = [
            "first load of docs/api/index.html",
            "scripts at load of docs/api/index.html: ",
            "scripts at load of docs/api/index.html, raw: 20000, the limit is 10000",
            "files before the first paint of docs/api/index.html: 4, the limit is 1",
            "HTML of docs/api/index.html",
            "median navigation",
            "console of the API",
        ];
        for (problem, start) in named.iter().zip(expected) {
            assert!(problem.starts_with(start), "{problem}");
        }
        assert_eq!(named.len(), expected.len());
    }

    #[test]
    fn what_is_within_its_budget_is_not() {
        let html = r#"<style>a{}</style><script defer src="/a.js"></script><img src="/a.svg"><p>short</p>"#;
        let files = [
            ("a.js", 3_000),
            ("a.svg", 5_000),
            ("fragments/x.json", 3_000),
            ("assets/api-1.js", 30_000),
        ];
        assert_eq!(problems(html, &files), [""; 0]);
    }

    #[test]
    fn what_is_measured_has_to_be_there() {
        let folder = tempfile::tempdir().unwrap();
        let message = |folder: &Path| site_limits(folder).err().unwrap().to_string();
        assert_eq!(message(folder.path()), "the site has no fragments");
        std::fs::create_dir(folder.path().join("fragments")).unwrap();
        std::fs::write(folder.path().join("fragments/x.json"), "{}").unwrap();
        assert_eq!(message(folder.path()), "the site has no console of the API");
    }
}
