//! Our content again and again, as one site of many pages: what a page weighs must not depend on how many others there are.

use std::path::Path;

use anyhow::{Context, Result, bail};
use walkdir::WalkDir;

/// How many pages the site has at least.
pub(crate) const PAGES: usize = 1_400;
/// Some addresses in a page carry the digest of what the whole site is; nothing else may differ.
const ALLOWED_GROWTH: usize = 100;

/// Writes our pages, and copies of them in folders of their own until there are [`PAGES`].
pub(crate) fn write_content(from: &Path, to: &Path) -> Result<()> {
    let mut pages = 0;
    for copy in 0.. {
        for entry in WalkDir::new(from).sort_by_file_name() {
            let entry = entry.with_context(|| format!("cannot read {}", from.display()))?;
            if !entry.file_type().is_file() {
                continue;
            }
            let path = entry.path().strip_prefix(from)?;
            let is_page = path.extension().is_some_and(|extension| extension == "md");
            let Some((section, rest)) = path.to_str().and_then(|path| path.split_once('/')) else {
                // What lies in no section is there once.
                if copy == 0 {
                    std::fs::create_dir_all(to)?;
                    std::fs::copy(entry.path(), to.join(path))?;
                }
                continue;
            };
            let target = match copy {
                0 => to.join(path),
                _ => to.join(format!("{section}-{copy}")).join(rest),
            };
            std::fs::create_dir_all(target.parent().context("a file has a folder")?)?;
            if is_page && copy > 0 {
                std::fs::write(&target, renamed(&std::fs::read_to_string(entry.path())?, copy))?;
            } else {
                std::fs::copy(entry.path(), &target)?;
            }
            pages += usize::from(is_page);
        }
        if pages == 0 {
            bail!("{} has no pages in sections", from.display());
        }
        if pages >= PAGES {
            break;
        }
    }
    Ok(())
}

/// Titles are unique in a site, and a page names the section that it stands in.
fn renamed(page: &str, copy: usize) -> String {
    let mut is_front_matter = true;
    let mut text = String::with_capacity(page.len() + 16);
    for (index, line) in page.lines().enumerate() {
        if index > 0 && line == "---" {
            is_front_matter = false;
        }
        text += line;
        if is_front_matter && (line.starts_with("title: ") || line.starts_with("section: ")) {
            if text.ends_with('"') {
                text.pop();
                text += &format!(" {copy}\"");
            } else {
                text += &format!(" {copy}");
            }
        }
        text.push('\n');
    }
    text
}

/// Fails with the pages of `small` that weigh more in `large`.
pub(crate) fn check_growth(small: &Path, large: &Path) -> Result<()> {
    let mut problems = Vec::new();
    let mut compared = 0;
    for entry in WalkDir::new(small).sort_by_file_name() {
        let entry = entry.with_context(|| format!("cannot read {}", small.display()))?;
        let page = entry.path().strip_prefix(small)?;
        // The start page of the site tells of all sections, and the page of all pages lists them.
        let is_list = page
            .parent()
            .is_some_and(|folder| folder.components().count() < 2 || folder.ends_with("a-z"));
        if entry.file_name() != "index.html" || is_list {
            continue;
        }
        let before = std::fs::metadata(entry.path())?.len() as usize;
        let after = std::fs::metadata(large.join(page))
            .with_context(|| format!("the large site has no {}", page.display()))?
            .len() as usize;
        compared += 1;
        if after > before + ALLOWED_GROWTH {
            problems.push(format!(
                "{}: {before} bytes of HTML, and {after} in a site of {PAGES} pages",
                page.display()
            ));
        }
    }
    if compared == 0 {
        bail!("{} has no pages to compare", small.display());
    }
    if !problems.is_empty() {
        bail!("pages grow with their site:\n{}", problems.join("\n"));
    }
    eprintln!("  {compared} pages are as large in a site of {PAGES}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(root: &Path, path: &str, bytes: usize) {
        let file = root.join(path).join("index.html");
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, "x".repeat(bytes)).unwrap();
    }

    #[test]
    fn copies_have_titles_and_sections_of_their_own() {
        let page = "---\ntitle: \"A page\"\nsection: Metrics\n---\ntitle: text\n";
        let copy = "---\ntitle: \"A page 3\"\nsection: Metrics 3\n---\ntitle: text\n";
        assert_eq!(renamed(page, 3), copy);
    }

    #[test]
    fn a_page_that_grows_with_the_site_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let (small, large) = (folder.path().join("small"), folder.path().join("large"));
        for (root, extra) in [(&small, 0), (&large, 5_000)] {
            page(root, "docs", 1_000 + extra);
            page(root, "docs/a-z", 1_000 + extra);
            page(root, "docs/metrics/ndcg", 1_000);
        }
        check_growth(&small, &large).unwrap();
        page(&large, "docs/metrics/ndcg", 1_000 + ALLOWED_GROWTH + 1);
        let error = check_growth(&small, &large).unwrap_err().to_string();
        assert!(error.contains("docs/metrics/ndcg"), "{error}");
    }
}
