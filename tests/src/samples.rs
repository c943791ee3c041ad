//! The samples in the documentation: found, run in the order of their page, and held to the output that stands
//! below them.
//!
//! A fence with `id=NAME` is a sample: `bash` and `python` fences run, in one working folder per page. The fence
//! `output-of=NAME` after it shows what it printed; `expect=STATUS` is the HTTP status of the last `curl` call in
//! it. Times and ids of requests are masked, and JSON is compared as JSON with numbers to three decimals.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use anyhow::{Context, Result, bail};
use regex::Regex;
use serde_json::Value;

use crate::platform::Platform;

/// One fenced block of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fence {
    /// The language word.
    pub language: String,
    /// `key=value` words after the language.
    pub attributes: Vec<(String, String)>,
    /// The lines between the fences.
    pub text: String,
    /// Line of the opening fence, from 1.
    pub line: usize,
}

impl Fence {
    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    fn is_sample(&self) -> bool {
        self.attribute("id").is_some() && ["bash", "python"].contains(&self.language.as_str())
    }
}

/// The fenced blocks of a page, in order.
pub fn fences(markdown: &str) -> Vec<Fence> {
    let mut found = Vec::new();
    let mut open: Option<(String, Fence)> = None;
    for (index, line) in markdown.lines().enumerate() {
        if let Some((marker, fence)) = &mut open {
            if line.trim_end() == marker {
                found.extend(open.take().map(|(_, fence)| fence));
            } else {
                fence.text.push_str(line);
                fence.text.push('\n');
            }
            continue;
        }
        let ticks = line.len() - line.trim_start_matches('`').len();
        if ticks >= 3 {
            let mut words = line[ticks..].split_whitespace();
            let language = words.next().unwrap_or_default().to_owned();
            let attributes = words.filter_map(|word| word.split_once('=')).map(owned).collect();
            let fence = Fence {
                language,
                attributes,
                text: String::new(),
                line: index + 1,
            };
            open = Some(("`".repeat(ticks), fence));
        }
    }
    found
}

fn owned((key, value): (&str, &str)) -> (String, String) {
    (key.to_owned(), value.to_owned())
}

/// All pages below a folder, sorted.
pub fn pages(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// What a run of a page found.
#[derive(Debug, Default)]
pub struct Report {
    /// Samples that ran.
    pub samples: usize,
    /// Samples whose output was compared.
    pub compared: usize,
    /// `file:line: message`, one per sample that did not do what the page says.
    pub problems: Vec<String>,
}

/// Runs the samples of one page. Those that speak to the platform get a fresh one.
pub fn run_page(page: &Path) -> Result<Report> {
    let markdown = std::fs::read_to_string(page).with_context(|| page.display().to_string())?;
    let fences = fences(&markdown);
    let samples: Vec<&Fence> = fences.iter().filter(|fence| fence.is_sample()).collect();
    let mut report = Report {
        samples: samples.len(),
        ..Report::default()
    };
    if samples.is_empty() {
        return Ok(report);
    }
    let folder = tempfile::tempdir()?;
    let needs_platform = samples.iter().any(|sample| {
        ["SIFTWREN_", "siftwren"]
            .iter()
            .any(|word| sample.text.contains(word))
    });
    let platform = match needs_platform {
        true => Some(Platform::start(&folder.path().join("platform"))?),
        false => None,
    };
    let results = run_samples(&samples, folder.path(), platform.as_ref())?;
    for (index, sample) in samples.iter().enumerate() {
        let id = sample.attribute("id").expect("samples have an id");
        let place = format!("{}:{}: sample {id}", page.display(), sample.line);
        let Some(result) = results.get(index).and_then(Option::as_ref) else {
            let stderr = std::fs::read_to_string(folder.path().join("stderr")).unwrap_or_default();
            report
                .problems
                .push(format!("{place} failed:\n{}", stderr.trim_end()));
            break;
        };
        if let Some(expected) = sample.attribute("expect")
            && expected != result.status
        {
            report.problems.push(format!(
                "{place}: the page says status {expected}, the answer had {:?}:\n{}",
                result.status, result.output
            ));
        }
        if let Some(shown) = fences
            .iter()
            .find(|fence| fence.attribute("output-of") == Some(id))
        {
            report.compared += 1;
            if masked(&shown.text) != masked(&result.output) {
                report.problems.push(format!(
                    "{place} printed:\n{}\nand line {} of the page shows:\n{}",
                    result.output.trim_end(),
                    shown.line,
                    shown.text.trim_end()
                ));
            }
        }
    }
    Ok(report)
}

struct SampleResult {
    output: String,
    status: String,
}

/// One shell session for the page, so that a sample sees the variables and files of those before it.
fn run_samples(
    samples: &[&Fence],
    folder: &Path,
    platform: Option<&Platform>,
) -> Result<Vec<Option<SampleResult>>> {
    let work = folder.join("work");
    let bin = folder.join("bin");
    std::fs::create_dir_all(&work)?;
    std::fs::create_dir_all(&bin)?;
    let cli = bin.join("siftwren");
    std::fs::write(&cli, "#!/bin/sh\nexec python3 -m siftwren \"$@\"\n")?;
    make_executable(&cli)?;
    let mut script = PRELUDE.to_owned();
    for (index, sample) in samples.iter().enumerate() {
        let base = folder.join(index.to_string());
        let base = base.to_str().context("temporary folders have plain names")?;
        writeln!(script, ": >\"$SIFTWREN_LAST_STATUS\"")?;
        if sample.language == "python" {
            std::fs::write(format!("{base}.py"), &sample.text)?;
            writeln!(script, "python3 '{base}.py' >'{base}.out'")?;
        } else {
            writeln!(script, "{{\n{}\n}} >'{base}.out'", sample.text)?;
        }
        writeln!(script, "cp \"$SIFTWREN_LAST_STATUS\" '{base}.status'")?;
    }
    let script_file = folder.join("page.sh");
    std::fs::write(&script_file, script)?;
    let path = std::env::var("PATH").context("there is a PATH")?;
    let mut command = Command::new("bash");
    command
        .arg(&script_file)
        .current_dir(&work)
        .stdin(std::process::Stdio::null())
        .stdout(std::fs::File::create(folder.join("stdout"))?)
        .stderr(std::fs::File::create(folder.join("stderr"))?)
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("HOME", &work)
        .env("PYTHONPATH", crate::root().join("clients/python"))
        .env("SIFTWREN_LAST_STATUS", folder.join("status"));
    if let Some(platform) = platform {
        command
            .env("SIFTWREN_API_URL", &platform.url)
            .env("SIFTWREN_API_KEY", &platform.admin_key);
    }
    // A failing sample ends the session; it is found by its missing status file.
    command.status().context("cannot start bash")?;
    samples
        .iter()
        .enumerate()
        .map(|(index, _)| {
            let status_file = folder.join(format!("{index}.status"));
            if !status_file.exists() {
                return Ok(None);
            }
            let output = std::fs::read_to_string(folder.join(format!("{index}.out")))?;
            Ok(Some(SampleResult {
                output,
                status: std::fs::read_to_string(status_file)?,
            }))
        })
        .collect()
}

/// `curl` notes the status of its answer beside showing it.
const PRELUDE: &str = r#"set -euo pipefail
curl() {
  local body code=0
  body=$(mktemp)
  command curl -o "$body" -w '%{http_code}' "$@" >"$SIFTWREN_LAST_STATUS" || code=$?
  cat "$body"
  rm -f "$body"
  return "$code"
}
"#;

fn make_executable(file: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    Ok(std::fs::set_permissions(
        file,
        std::fs::Permissions::from_mode(0o755),
    )?)
}

static TIME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?")
        .expect("the expression is valid")
});

/// The request's id behind the path of a problem's `instance`.
static REQUEST: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"#req-[0-9a-f]+-\d+").expect("the expression is valid"));

/// The text in the form that two runs share.
fn masked(text: &str) -> String {
    let text = TIME.replace_all(text.trim_end(), "<time>");
    let text = REQUEST.replace_all(&text, "");
    match serde_json::from_str::<Value>(&text) {
        Ok(value) => rounded(value).to_string(),
        Err(_) => text.into_owned(),
    }
}

fn rounded(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().expect("checked just now");
            Value::from((number * 1000.0).round() / 1000.0)
        }
        Value::Array(values) => values.into_iter().map(rounded).collect(),
        Value::Object(fields) => fields
            .into_iter()
            .map(|(name, value)| (name, rounded(value)))
            .collect(),
        other => other,
    }
}

/// Runs every page below a folder; the sum, or an error that lists each problem.
pub fn run_all(folder: &Path) -> Result<Report> {
    let mut sum = Report::default();
    for page in pages(folder)? {
        let report = run_page(&page)?;
        sum.samples += report.samples;
        sum.compared += report.compared;
        sum.problems.extend(report.problems);
    }
    if !sum.problems.is_empty() {
        bail!(
            "{} of {} samples:\n\n{}",
            sum.problems.len(),
            sum.samples,
            sum.problems.join("\n\n")
        );
    }
    Ok(sum)
}
