//! The table: a row a figure, a column a generator.

use anyhow::Result;
use serde_json::Value;

use super::measure::Site;
use super::projects::Source;

/// Name in the table, and what stands in the column of a site; `None` where it could not be measured.
type Figure = (String, Box<dyn Fn(&Site) -> Option<String>>);

pub(super) fn table(source: &Source, sites: &[Site]) -> Result<String> {
    let mut text = format!("\n### {}: {} pages\n\n|  |", source.name, source.pages());
    for site in sites {
        text += &format!(" {} |", site.generator);
    }
    text += "\n| --- |";
    text += &" --- |".repeat(sites.len());
    text.push('\n');
    let mut figures = builds();
    if !source.is_ours() {
        figures.insert(1, builds_per_page(source.pages()));
    }
    figures.extend(numbers());
    figures.extend(browser());
    for (index, visit) in source.visits()?.iter().enumerate() {
        figures.extend(lighthouse(visit.kind, index));
    }
    for (name, value) in figures {
        text += &format!("| {name} |");
        for site in sites {
            text += &format!(" {} |", value(site).unwrap_or_else(|| "-".to_owned()));
        }
        text.push('\n');
    }
    for site in sites {
        for line in site.failures.iter().chain(&below_ninety(site)) {
            text += &format!("\n{}: {line}\n", site.generator);
        }
    }
    Ok(text)
}

fn builds_per_page(pages: usize) -> Figure {
    (
        "build, CPU s per 1,000 pages".to_owned(),
        Box::new(move |site| {
            let seconds = site.build.as_ref()?.seconds * 1000.0 / pages as f64;
            Some(format!("{seconds:.1}"))
        }),
    )
}

fn builds() -> Vec<Figure> {
    vec![
        (
            "build, CPU s".to_owned(),
            Box::new(|site| Some(format!("{:.1}", site.build.as_ref()?.seconds))),
        ),
        (
            "build, the indexer of it, CPU s".to_owned(),
            Box::new(|site| Some(format!("{:.2}", site.indexer?))),
        ),
        (
            "code of all sites, bundled once before, CPU s".to_owned(),
            Box::new(|site| Some(format!("{:.1}", site.bundling.as_ref()?.seconds))),
        ),
        (
            "build, peak memory of its largest process, MB".to_owned(),
            Box::new(|site| {
                Some(format!(
                    "{:.0}",
                    site.build.as_ref()?.peak_kilobytes as f64 / 1000.0
                ))
            }),
        ),
        (
            "build after one changed page, CPU s".to_owned(),
            Box::new(|site| Some(format!("{:.1}", site.again.as_ref()?.seconds))),
        ),
        (
            "a page that is saved under `build --watch`, CPU s".to_owned(),
            Box::new(|site| Some(format!("{:.3}", site.followed?))),
        ),
        (
            "output, MB".to_owned(),
            Box::new(|site| Some(format!("{:.0}", site.megabytes?))),
        ),
    ]
}

/// What browser.mjs measures as numbers.
fn numbers() -> Vec<Figure> {
    // Name in the table, name in what browser.mjs prints, divisor.
    let rows = [
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
        (
            "longest task, untouched for 5 s, processor slowed 4 times, ms; 0: below 50",
            "longestTask",
            1.0,
        ),
        ("first navigation, at once, kB", "navigationBytes", 1000.0),
        (
            "first navigation, at once, click to heading, ms",
            "navigationMs",
            1.0,
        ),
        (
            "first navigation, at once, click to the end of that frame, ms",
            "navigationPaintedMs",
            1.0,
        ),
        (
            "further navigations, the application there, kB",
            "laterNavigationBytes",
            1000.0,
        ),
        (
            "further navigations, the application there, click to heading, ms",
            "laterNavigationMs",
            1.0,
        ),
        (
            "further navigations, the application there, click to the end of that frame, ms",
            "laterNavigationPaintedMs",
            1.0,
        ),
    ];
    let figure = |(name, key, divisor): (&str, &'static str, f64)| -> Figure {
        let value = move |site: &Site| {
            let value = site.browser[key].as_f64()?;
            Some(if divisor > 1.0 {
                format!("{:.1}", value / divisor)
            } else {
                format!("{value:.0}")
            })
        };
        (name.to_owned(), Box::new(value))
    };
    rows.map(figure).into()
}

/// What else browser.mjs finds.
fn browser() -> Vec<Figure> {
    vec![
        (
            "without JavaScript: characters of text, pages linked".to_owned(),
            Box::new(|site| {
                let found = site.browser["withoutScript"].as_object()?;
                Some(format!("{}, {}", found["characters"], found["links"]))
            }),
        ),
        (
            "offline after one visit: another page opens, kB".to_owned(),
            Box::new(|site| {
                let found = site.browser["offline"].as_object()?;
                let works = if found["works"] == true { "yes" } else { "no" };
                Some(format!("{works}, {:.0}", found["bytes"].as_f64()? / 1000.0))
            }),
        ),
        (
            "axe: rules violated, dark and light, search open".to_owned(),
            Box::new(|site| {
                let rules = words(site.browser["axe"].get("rules")?);
                Some(match rules.len() {
                    0 => "0".to_owned(),
                    count => format!("{count}: {}", rules.join(", ")),
                })
            }),
        ),
    ]
}

/// One visit of Lighthouse.
fn lighthouse(kind: &str, index: usize) -> [Figure; 3] {
    [
        (
            format!("Lighthouse, {kind}: performance, accessibility, practices, SEO"),
            Box::new(move |site| {
                let of = site.lighthouse.get(index)?;
                Some(format!(
                    "{}, {}, {}, {}",
                    of["performance"], of["accessibility"], of["practices"], of["seo"]
                ))
            }),
        ),
        (
            format!("Lighthouse, {kind}: LCP ms, TBT ms, CLS"),
            Box::new(move |site| {
                let of = site.lighthouse.get(index)?;
                Some(format!("{}, {}, {}", of["lcp"], of["tbt"], of["cls"]))
            }),
        ),
        (
            format!("Lighthouse's loads, {kind}: TBT in processor time, ms"),
            Box::new(move |site| Some(site.lighthouse.get(index)?["tbtCpu"].to_string())),
        ),
    ]
}

/// What Lighthouse marks down, a line a page.
fn below_ninety(site: &Site) -> Vec<String> {
    let visits = site.lighthouse.as_array().into_iter().flatten();
    visits
        .map(|of| (of["path"].as_str().unwrap_or_default(), words(&of["failed"])))
        .filter(|(_, failed)| !failed.is_empty())
        .map(|(path, failed)| format!("Lighthouse marks down on {path}: {}", failed.join(", ")))
        .collect()
}

fn words(list: &Value) -> Vec<&str> {
    list.as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Run;
    use super::*;
    use crate::bench::Usage;

    #[test]
    fn a_figure_that_cannot_be_had_leaves_the_others_and_its_reason() -> Result<()> {
        let folder = tempfile::tempdir()?;
        let source = Source::ours(&Run::new(folder.path().to_owned())?)?;
        let site = Site {
            generator: "starlight".to_owned(),
            build: Some(Usage {
                seconds: 12.34,
                peak_kilobytes: 56_000,
            }),
            indexer: Some(1.234),
            bundling: None,
            again: None,
            followed: Some(0.123),
            megabytes: Some(7.8),
            browser: json!({ "cpu": 90, "navigationMs": 40.2, "navigationPaintedMs": 55.6, "offline": null, "axe": { "rules": ["color-contrast (dark)"] } }),
            lighthouse: json!([{ "path": "/", "performance": 99, "accessibility": 100, "practices": 96, "seo": 54, "tbtCpu": 12, "failed": ["is-crawlable"] }]),
            failures: vec!["offline: no heading".to_owned()],
        };
        let text = table(&source, &[site])?;
        for line in [
            "| build, CPU s | 12.3 |",
            "| build, the indexer of it, CPU s | 1.23 |",
            "| build, peak memory of its largest process, MB | 56 |",
            "| build after one changed page, CPU s | - |",
            "| a page that is saved under `build --watch`, CPU s | 0.123 |",
            "| output, MB | 8 |",
            "| main-thread CPU at load, ms | 90 |",
            "| first navigation, at once, click to heading, ms | 40 |",
            "| first navigation, at once, click to the end of that frame, ms | 56 |",
            "| main-thread CPU, untouched for 5 s, ms | - |",
            "| offline after one visit: another page opens, kB | - |",
            "| axe: rules violated, dark and light, search open | 1: color-contrast (dark) |",
            "| Lighthouse, start page: performance, accessibility, practices, SEO | 99, 100, 96, 54 |",
            "| Lighthouse's loads, start page: TBT in processor time, ms | 12 |",
            "| Lighthouse, text page: performance, accessibility, practices, SEO | - |",
            "starlight: offline: no heading",
            "starlight: Lighthouse marks down on /: is-crawlable",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
        Ok(())
    }
}
