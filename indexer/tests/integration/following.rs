//! Builds of one process that follow each other: each gives what a build that begins anew gives.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::{BUILD, Folder, build_into};

/// A file, and what it may hold; an empty text stands for no file.
type File = (&'static str, &'static [&'static str]);

const GIF: [&str; 2] = ["GIF89a\x03\0\x02\0\0", "GIF89a\x05\0\x04\0\0"];
const FILES: [File; 9] = [
    (
        "content/index.md",
        &[
            "# Start\n\n[guide](guide.md)\n\n![A flow](flow.gif)\n",
            "---\ntitle: Begin\nsidebar_position: 3\n---\n\n```python\nx = 1\n```\n",
            "# Start\n\nWords of it, and [its list](/api/things).\n",
            "# Start\n\n[guide](guide.md)\n",
            "",
            "# Start\n\n<a id=\"here\">[guide](guide.html)</a> and [rows](rows.csv)\n",
            "# Start\n\n```text\n{{#include rows.csv}}\n```\n",
        ],
    ),
    (
        "content/guide.md",
        &[
            "# Guide\n\n## Ways\n\nWords.\n",
            "# Guide\n\n## Ways\n\n[start](index.md)\n\n```python\nx = 1\n```\n",
            "---\nslug: /way\n---\n# Guide\n\n## Ways\n",
            "# A guide\n\n[gone](gone.md) and [no site](ftp://x)\n",
            "",
        ],
    ),
    (
        "content/more/notes.md",
        &[
            "# Notes\n\n[ways](../guide.md#ways)\n",
            "# Notes\n\n[start](../index.md) and ![a mark](/mark.gif)\n",
            "---\ndraft: true\n---\n# Notes\n",
            "",
        ],
    ),
    ("content/flow.gif", &[GIF[0], GIF[1], ""]),
    ("static/mark.gif", &[GIF[0], GIF[1], ""]),
    (
        "siftwren.toml",
        &[
            "[site]\ntitle = \"Docs\"\nurl = \"https://docs.example\"\n[content]\nstatic = \"static\"\n[[api]]\nroute = \"/api\"\ndocument = \"api.yaml\"\n",
            "[site]\ntitle = \"Docs\"\nbase = \"/sub/\"\n[content]\nstatic = \"static\"\n[[api]]\nroute = \"/api\"\ndocument = \"api.yaml\"\n",
            "[site]\ntitle = \"Docs of it\"\nurl = \"https://docs.example\"\n[content]\nstatic = \"static\"\nroute_prefix = \"/docs\"\n",
            "[site]\ntitle = \"Docs\"\nurl = \"https://docs.example\"\n[content]\nstatic = \"static\"\n[[api]]\nroute = \"/api\"\ndocument = \"api.yaml\"\nlabel = \"Others\"\n",
            "[site]\ntitel = \"Docs\"\n",
            "[content]\nstatic = \"static\"\nbroken_links = \"warn\"\nheading_ids = \"mkdocs\"\n",
        ],
    ),
    (
        "api.yaml",
        &[
            "openapi: 3.1.0\ninfo: {title: Things, version: '1'}\nservers: [{url: 'https://api.example/'}]\ntags: [{name: things}]\npaths:\n  /things:\n    get:\n      operationId: list\n      tags: [things]\n      summary: Lists\n      responses: {'200': {description: Done}}\n",
            "openapi: 3.1.0\ninfo: {title: Things, version: '2'}\nservers: [{url: 'https://api.example/'}]\ntags: [{name: things}]\npaths:\n  /things:\n    put:\n      operationId: put\n      tags: [things]\n      summary: Puts, see [start](/)\n      responses: {'200': {description: Done}}\n",
            "openapi: 3.1.0\npaths: {}\n",
        ],
    ),
    ("content/rows.csv", &["", "a,b\n", "c,d\n"]),
    (
        "content/SUMMARY.md",
        &[
            "",
            "# Docs\n\n- [The guide](guide.md)\n  - [Start](index.md)\n",
            "# Docs\n\n[Start](index.md)\n\n# More\n\n- [Notes of it](more/notes.md)\n",
        ],
    ),
];

/// A process that stays.
struct Following {
    child: Child,
    lines: ChildStdin,
    said: BufReader<std::process::ChildStderr>,
}

impl Following {
    fn start(folder: &Folder) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_indexer"))
            .args(BUILD)
            .arg("--follow")
            .current_dir(folder.root.path())
            .env_remove("GIT_DIR")
            .env_remove("SIFTWREN_ENCODER")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            lines: child.stdin.take().unwrap(),
            said: BufReader::new(child.stderr.take().unwrap()),
            child,
        }
    }

    /// What the build says, and whether it was made.
    fn next(&mut self) -> (String, bool) {
        let mut said = String::new();
        loop {
            let before = said.len();
            assert_ne!(self.said.read_line(&mut said).unwrap(), 0, "it ended: {said}");
            let is_built = match &said[before..] {
                "== built\n" => true,
                "== failed\n" => false,
                _ => continue,
            };
            said.truncate(before);
            return (said, is_built);
        }
    }
}

fn put(folder: &Folder, (path, texts): File, text: usize) {
    match texts[text % texts.len()] {
        "" => std::fs::remove_file(folder.path(path)).unwrap_or_default(),
        text => folder.write(path, text.as_bytes()),
    }
}

/// Saves one file after the other, and compares each build with one that begins anew.
fn compare(saved: &[(usize, usize)]) -> Result<(), TestCaseError> {
    let folder = Folder::new(&[("static/robots.txt", "User-agent: *\n")]);
    for file in FILES {
        put(&folder, file, 0);
    }
    let mut following = Following::start(&folder);
    for step in 0..=saved.len() {
        if let Some((file, text)) = step.checked_sub(1).map(|last| saved[last]) {
            put(&folder, FILES[file], text);
            following.lines.write_all(b"\n").unwrap();
        }
        let (said, is_built) = following.next();
        let anew = folder.run(&build_into("anew"));
        prop_assert_eq!(is_built, anew.code == 0);
        prop_assert_eq!(said, anew.stderr);
        if is_built {
            prop_assert_eq!(folder.all_bytes("out"), folder.all_bytes("anew"));
        }
    }
    drop(following.lines);
    let status = following.child.wait().unwrap();
    prop_assert_eq!(status.success(), folder.run(&build_into("anew")).code == 0);
    Ok(())
}

#[test]
fn a_page_is_made_anew_when_something_around_it_is_another() {
    let [index, guide, notes, flow, mark, config, api, rows, summary] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let saved = [
        (mark, 1),
        (mark, 0),
        (flow, 1),
        (notes, 1),
        (mark, 1),
        (api, 1),
        // With one page less, the pages of the API have other numbers.
        (index, 2),
        (notes, 2),
        (notes, 3),
        (config, 1),
        (guide, 3),
        (guide, 2),
        (guide, 1),
        // A file that a page links to before it is there.
        (config, 4),
        (index, 5),
        (rows, 1),
        (rows, 2),
        (rows, 0),
        (summary, 1),
        (summary, 2),
        (index, 6),
        (rows, 1),
        (rows, 2),
        (index, 3),
        (summary, 0),
    ];
    compare(&saved).unwrap();
}

#[test]
fn a_commit_is_the_last_change_from_then_on() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("content/index.md", "# Start\n"),
    ]);
    folder.git("2026-02-03", &["init", "--quiet"]);
    let mut following = Following::start(&folder);
    let mut said = Vec::new();
    for day in ["2026-02-03", "2026-02-04"] {
        assert!(following.next().1);
        said.push(folder.json("out/pages/index.json")["last_change"].clone());
        folder.write("content/index.md", day.as_bytes());
        folder.git(day, &["add", "."]);
        folder.git(day, &["commit", "--quiet", "-m", "page"]);
        following.lines.write_all(b"\n").unwrap();
    }
    assert!(following.next().1);
    said.push(folder.json("out/pages/index.json")["last_change"].clone());
    assert_eq!(
        said,
        [serde_json::Value::Null, "2026-02-03".into(), "2026-02-04".into()]
    );
    drop(following.lines);
    assert!(following.child.wait().unwrap().success());
}

#[test]
fn an_output_that_somebody_has_touched_is_mended_or_refused() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("content/index.md", "# Start\n"),
        ("content/a/b.md", "# One\n\nWord.\n"),
    ]);
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    let mut build = || {
        following.lines.write_all(b"\n").unwrap();
        following.next()
    };
    let is_as_anew = || {
        folder.run(&build_into("anew"));
        folder.all_bytes("out") == folder.all_bytes("anew")
    };
    assert!(build().1 && is_as_anew());

    for file in ["out/items.ndjson", "out/pages/a/b.json", "out/root/a/b.md"] {
        std::fs::remove_file(folder.path(file)).unwrap();
        assert!(build().1 && is_as_anew(), "{file}");
    }

    // Half-way it fails, and then the page is again as it was before.
    std::fs::remove_file(folder.path("out/items.ndjson")).unwrap();
    folder.write("out/items.ndjson/in.the.way", b"");
    folder.write("content/a/b.md", b"# One\n\nWard.\n");
    let (said, is_built) = build();
    assert!(!is_built && said.contains("items.ndjson"), "{said}");
    std::fs::remove_dir_all(folder.path("out/items.ndjson")).unwrap();
    folder.write("content/a/b.md", b"# One\n\nWord.\n");
    assert!(build().1 && is_as_anew());

    std::fs::remove_dir_all(folder.path("content/a")).unwrap();
    assert!(build().1 && is_as_anew());
    assert!(!folder.path("out/pages/a").exists(), "an empty folder");

    std::fs::remove_dir_all(folder.path("out")).unwrap();
    assert!(build().1 && is_as_anew());

    std::fs::remove_dir_all(folder.path("out")).unwrap();
    folder.write("out/diary.txt", b"mine");
    let (said, is_built) = build();
    assert!(!is_built && said.contains("is not empty"), "{said}");
    assert_eq!(folder.all_bytes("out").len(), 1);
    drop(following.lines);
    assert!(!following.child.wait().unwrap().success());
}

#[test]
fn an_api_document_is_read_anew_when_it_or_the_configuration_is_another() {
    let of = |name| FILES.iter().position(|(path, _)| *path == name).unwrap();
    let (config, api, guide) = (of("siftwren.toml"), of("api.yaml"), of("content/guide.md"));
    compare(&[(guide, 1), (config, 3), (api, 1), (api, 2), (guide, 0), (api, 0)]).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn each_build_gives_what_one_that_begins_anew_gives(
        saved in prop::collection::vec((0..FILES.len(), 0_usize..7), 1..18),
    ) {
        compare(&saved)?;
    }
}
