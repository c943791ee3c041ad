//! Builds of one process that follow each other: each gives what a build that begins anew gives.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};

use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use crate::{BUILD, Folder, build_into};

/// A file, and what it may hold; an empty text stands for no file.
type File = (&'static str, &'static [&'static str]);

const GIF: [&str; 2] = ["GIF89a\x03\0\x02\0\0", "GIF89a\x05\0\x04\0\0"];
const FILES: [File; 16] = [
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
            "# The guide\n\n## Ways\n\nWords.\n",
            "---\nunlisted: true\n---\n# Guide\n\n## Ways\n\nWords.\n",
            "# Guide\n\n## Paths\n\nWords.\n",
            "# Guide\n\n(place)=\n## Paths\n\nWords.\n",
            "(place)=\n# The guide\n",
            "---\nredirect_from: [/was, more/was]\n---\n# Guide\n\n## Ways\n\nWords.\n",
            // As long as the other before what is wrong, in more lines.
            "---\nredirect_from: [/was, /more/notes]\n---\n# Guide\n\n## Ways\n",
            "---\nredirect_from:\n\n - /was\n - /more/notes\n---\n# Guide\n\n## Ways\n",
        ],
    ),
    (
        "content/more/notes.md",
        &[
            "# Notes\n\n[ways](../guide.md#ways)\n",
            "# Notes\n\n[start](../index.md) and ![a mark](/mark.gif)\n",
            "---\ndraft: true\n---\n# Notes\n",
            "",
            "# Notes\n\n## More\n\n[ways](../guide.md#ways)\n",
            "# Notes\n\n## More\n\n[all ways](../guide.md#ways)\n",
            "# Notes\n\n## More\n\n[all ways](../guide.md#paths)\n",
            "# Notes\n\n{{< param version >}}\n",
            "# Notes\n\n![a mark](@site/beside.gif)\n",
            "# Notes\n\n{ref}`place`, [](#place)\n",
            "[[Guide|the *guide*]], [[gone]], [[rows.csv]] and ![[flow.gif|20]] %%unseen%%\n",
            "[[rows.csv]]\n",
            "# Notes\n\n[was](/was#ways), [beside it](was) and [rows](/lines)\n",
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
            "[content]\nstatic = \"static\"\nbroken_links = \"warn\"\n[[language]]\ntag = \"fr\"\nfolder = \"more\"\n",
            "[content]\nstatic = \"static\"\nbroken_links = \"warn\"\n[redirects]\n\"/was/\" = \"/guide#ways\"\n",
            "[content]\nstatic = \"static\"\nbroken_links = \"warn\"\n[redirects]\n\"/lines\" = \"/rows.csv\"\n",
            "[content]\nstatic = \"static\"\n[redirects]\n\"/lines\" = \"/gone\"\n",
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
            "# Docs\n\n- [The guide](guide.md)\n- [Start](index.md)\n",
        ],
    ),
    (
        "docusaurus.config.js",
        &[
            "",
            "export default { docs: { path: 'content', sidebarPath: './sidebars.js' } };\n",
            "export default { title: 'X', docs: { path: 'content', sidebarPath: './gone.js', numberPrefixParser: false } };\n",
        ],
    ),
    (
        "sidebars.js",
        &[
            "export default { docs: [{ More: [{ type: 'autogenerated', dirName: 'more' }] }, 'index'] };\n",
            "export default { docs: ['guide', gone] };\n",
            "",
        ],
    ),
    (
        "content/more/_index.md",
        &[
            "",
            "---\ntitle: More\ncascade:\n  version: one\n---\n",
            "---\ntitle: More\ncascade:\n  version: two\n---\n",
            // Without a text a page lists those below it.
            "---\ntitle: More\ndescription: Of more\n---\n\nText\n",
            "---\ntitle: More\ndescription: Of more\n---\n",
        ],
    ),
    (
        "content/myst.yml",
        &[
            "",
            "project:\n  title: X\n",
            "project:\n  toc:\n  - file: guide.md\n  - file: index.md\n",
        ],
    ),
    ("beside.gif", &[GIF[0], GIF[1], ""]),
    // A page with a picture in it where there is a `myst.yml`.
    (
        "content/book.ipynb",
        &[
            "",
            r##"{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# Book\n", "(place)="]}]}"##,
            r##"{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# A book\n\n[](#place)"}, {"cell_type": "code", "source": "x", "outputs": [{"output_type": "display_data", "data": {"image/gif": "R0lGODlhAwACAA=="}}]}]}"##,
            r##"{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# A book"}, {"cell_type": "raw", "source": "y"}]}"##,
            r##"{"nbformat": 3}"##,
            r##"{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["# A book\n", "[a](javascript:x)"]}]}"##,
            // The same text, in other lines.
            "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"markdown\",\n\"source\": [\"# A book\\n\",\n \"[a](javascript:x)\"]}]}",
        ],
    ),
    (".obsidian/app.json", &["", "{}"]),
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

/// Saves one file after the other, and compares each build with one that begins anew. Those that `is_told` are told which file it was.
fn compare(saved: &[(usize, usize)], is_told: impl Fn(usize) -> bool) -> Result<(), TestCaseError> {
    let folder = Folder::new(&[("static/robots.txt", "User-agent: *\n")]);
    for file in FILES {
        put(&folder, file, 0);
    }
    let mut following = Following::start(&folder);
    for step in 0..=saved.len() {
        if let Some((file, text)) = step.checked_sub(1).map(|last| saved[last]) {
            put(&folder, FILES[file], text);
            let changed = serde_json::json!([FILES[file].0]).to_string();
            let line = if is_told(step) {
                changed + "\n"
            } else {
                "\n".to_owned()
            };
            following.lines.write_all(line.as_bytes()).unwrap();
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
    let [docusaurus, sidebars] = [9, 10];
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
        (docusaurus, 1),
        (sidebars, 1),
        (sidebars, 0),
        (notes, 0),
        (sidebars, 2),
        (docusaurus, 2),
        (docusaurus, 0),
    ];
    compare(&saved, |_| false).unwrap();
    compare(&saved, |_| true).unwrap();
}

#[test]
fn all_pages_are_arranged_anew_when_one_says_something_else_of_itself_or_of_another() {
    let [index, guide, notes, config, summary] = [0, 1, 2, 5, 8];
    let saved = [
        (guide, 5),
        (guide, 0),
        (guide, 6),
        (guide, 0),
        // A link to a heading that is gone is to the page then.
        (config, 5),
        (notes, 4),
        (notes, 5),
        (guide, 7),
        (notes, 6),
        (guide, 0),
        (index, 3),
        (notes, 3),
        (summary, 1),
        (summary, 3),
    ];
    compare(&saved, |_| true).unwrap();
}

#[test]
fn what_a_folder_says_of_its_pages_and_pictures_beside_them_are_followed() {
    let [notes, docusaurus, more, beside] = [2, 9, 11, 13];
    let saved = [
        (notes, 7),
        (more, 1),
        (more, 2),
        (docusaurus, 1),
        (notes, 8),
        (beside, 1),
        (beside, 2),
        (beside, 0),
        (more, 0),
    ];
    compare(&saved, |_| true).unwrap();
}

#[test]
fn a_page_that_loses_its_text_lists_those_below_it() {
    let [notes, more] = [2, 11];
    let saved = [(more, 3), (more, 4), (notes, 1), (more, 3), (more, 4)];
    compare(&saved, |_| true).unwrap();
}

#[test]
fn old_addresses_may_come_and_go() {
    let [guide, notes, config, rows] = [1, 2, 5, 7];
    let saved = [
        (config, 5),
        (notes, 12),
        (guide, 10),
        (guide, 11),
        (guide, 12),
        (guide, 10),
        (guide, 0),
        (config, 7),
        (guide, 5),
        (guide, 2),
        (rows, 1),
        (config, 8),
        (rows, 2),
        (rows, 0),
        (rows, 1),
        (config, 9),
        (config, 8),
        (config, 5),
    ];
    compare(&saved, |_| false).unwrap();
    compare(&saved, |_| true).unwrap();
}

#[test]
fn what_notes_name_may_come_and_go() {
    let [guide, notes, rows, vault] = [1, 2, 7, 15];
    let saved = [
        (vault, 1),
        (notes, 10),
        (rows, 1),
        (rows, 0),
        (notes, 11),
        (rows, 1),
        (rows, 2),
        (rows, 0),
        (notes, 10),
        (guide, 4),
        (guide, 0),
        (vault, 0),
    ];
    compare(&saved, |_| true).unwrap();
    compare(&saved, |_| false).unwrap();
}

#[test]
fn notebooks_are_followed() {
    let [index, guide, myst, book] = [0, 1, 12, 14];
    let saved = [
        (book, 2),
        (myst, 1),
        (index, 3),
        (guide, 8),
        (book, 3),
        (book, 2),
        (index, 1),
        (book, 5),
        (book, 6),
        (book, 4),
        (book, 1),
        (myst, 0),
        (book, 0),
    ];
    compare(&saved, |_| true).unwrap();
    compare(&saved, |_| false).unwrap();
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
fn a_file_with_another_name_has_another_address_and_one_that_is_taken_is_said_each_time() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("content/a.md", "# A\n"),
        ("content/b.md", "# B\n"),
    ]);
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    let mut build = || {
        following.lines.write_all(b"\n").unwrap();
        let built = following.next();
        let anew = folder.run(&build_into("anew"));
        assert_eq!(built, (anew.stderr, anew.code == 0));
        assert!(!built.1 || folder.all_bytes("out") == folder.all_bytes("anew"));
        built
    };
    std::fs::rename(folder.path("content/b.md"), folder.path("content/c.md")).unwrap();
    assert!(build().1);

    folder.write("content/a/index.md", b"# The same\n");
    for text in ["# C\n", "# C, again\n"] {
        folder.write("content/c.md", text.as_bytes());
        assert!(build().0.contains("is shown at /a too"));
    }
    std::fs::remove_dir_all(folder.path("content/a")).unwrap();
    assert!(build().1);
}

#[test]
fn each_language_is_followed() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            "[site]\ntitle = \"Docs\"\n\n[[language]]\ntag = \"fr\"\n",
        ),
        ("content/index.md", "# Start\n\n[the wren](fr/wren.md)\n"),
        ("content/fr/index.md", "# Début\n"),
        ("content/fr/wren.md", "# Le troglodyte\n\nUn petit oiseau.\n"),
    ]);
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    for (path, text) in [
        ("content/fr/wren.md", "# Le troglodyte\n\nUn tout petit oiseau.\n"),
        // Another language calls it otherwise.
        ("content/index.md", "# Start\n\n[a small bird](fr/wren.md)\n"),
        ("content/index.md", "# The start\n\n[a small bird](fr/wren.md)\n"),
        ("content/fr/owl.md", "# La chouette\n"),
        ("content/fr/zebra.md", "# Le zèbre\n"),
        ("content/fr/zebra.md", "---\nunlisted: true\n---\n# Le zèbre\n"),
        ("content/fr/zebra.md", "# Le zèbre\n\n> [!NOTE]\n> Rayé.\n"),
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        (
            "siftwren.toml",
            "[site]\ntitle = \"Docs\"\n\n[[language]]\ntag = \"fr-CH\"\nfolder = \"fr\"\n",
        ),
        (
            "siftwren.toml",
            "[site]\ntitle = \"Docs\"\n\n[[language]]\ntag = \"fr-CH\"\nfolder = \"fr\"\nwords = { Note = \"Nota\" }\n",
        ),
    ] {
        folder.write(path, text.as_bytes());
        following.lines.write_all(b"\n").unwrap();
        assert!(following.next().1);
        folder.run(&build_into("anew")).assert_ok();
        assert!(
            folder.all_bytes("out") == folder.all_bytes("anew"),
            "{path}: {text}"
        );
    }
}

#[test]
fn pages_of_a_language_that_are_elsewhere_are_followed() {
    let config = |more: &str| {
        format!(
            "module.exports = {{ presets: [['classic', {{ docs: {{ path: 'content', sidebarPath: undefined }} }}]], i18n: {{ defaultLocale: 'en', locales: ['en', 'fr'{more}] }} }};\n"
        )
    };
    let current = |file: &str| format!("i18n/fr/docusaurus-plugin-content-docs/current{file}");
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("docusaurus.config.js", &config("")),
        ("content/a.md", "# A\n\n[b](b.md)\n"),
        ("content/b.md", "# B\n"),
        ("content/group/_category_.json", r#"{ "label": "Group" }"#),
        ("content/group/c.md", "# C\n"),
        (&current("/a.md"), "# Un A\n\n[b](b.md)\n"),
        ("i18n/de/docusaurus-plugin-content-docs/current/a.md", "# Ein A\n"),
    ]);
    let config_at = |more: &str| ("docusaurus.config.js".to_owned(), config(more));
    let in_french = |file: &str, text: &str| (current(file), text.to_owned());
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    for (path, text) in [
        in_french("/a.md", "# Un autre A\n\n[b](b.md)\n"),
        in_french("/b.md", "# Un B\n"),
        in_french(
            ".json",
            r#"{ "sidebar.docs.category.Group": { "message": "Groupe" } }"#,
        ),
        in_french("/group/c.md", "# Un C\n"),
        in_french(
            ".json",
            r#"{ "sidebar.docs.category.Group": { "message": "Groupes" } }"#,
        ),
        config_at(", 'de'"),
        ("content/b.md".to_owned(), "# Another B\n".to_owned()),
        config_at(""),
    ] {
        folder.write(&path, text.as_bytes());
        let changed = serde_json::json!([path]).to_string();
        following
            .lines
            .write_all(format!("{changed}\n").as_bytes())
            .unwrap();
        assert!(following.next().1);
        folder.run(&build_into("anew")).assert_ok();
        assert!(
            folder.all_bytes("out") == folder.all_bytes("anew"),
            "{path}: {text}"
        );
    }
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
    // Before anything is known of its folders.
    std::fs::remove_dir_all(folder.path("out/pages/a")).unwrap();
    assert!(build().1 && is_as_anew());

    for file in ["out/items.ndjson", "out/pages/a/b.json", "out/root/llms.txt"] {
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
fn a_file_that_was_copied_may_become_shorter() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[content]\nstatic = \"static\"\n"),
        ("content/index.md", "# Start\n"),
        ("static/a.txt", "ab"),
    ]);
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    for text in ["a", "ab", "abc", ""] {
        folder.write("static/a.txt", text.as_bytes());
        following.lines.write_all(b"\n").unwrap();
        assert!(following.next().1);
        assert_eq!(folder.read("out/root/a.txt"), text);
    }
    drop(following.lines);
    assert!(following.child.wait().unwrap().success());
}

#[test]
fn a_line_that_names_no_paths_is_refused() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("content/index.md", "# Start\n"),
    ]);
    let mut following = Following::start(&folder);
    assert!(following.next().1);
    let mut build = |line: &str| {
        following.lines.write_all(line.as_bytes()).unwrap();
        following.next()
    };
    let (said, is_built) = build("content/index.md\n");
    assert!(!is_built);
    assert!(
        said.contains("a JSON array of paths, not `content/index.md`"),
        "{said}"
    );
    folder.write("content/index.md", b"# Begin\n");
    assert!(build("[\"content/index.md\"]\n").1);
    assert_eq!(folder.json("out/pages/index.json")["title"], "Begin");
    drop(following.lines);
    assert!(following.child.wait().unwrap().success());
}

#[test]
fn an_api_document_is_read_anew_when_it_or_the_configuration_is_another() {
    let of = |name| FILES.iter().position(|(path, _)| *path == name).unwrap();
    let (config, api, guide) = (of("siftwren.toml"), of("api.yaml"), of("content/guide.md"));
    compare(
        &[(guide, 1), (config, 3), (api, 1), (api, 2), (guide, 0), (api, 0)],
        |_| false,
    )
    .unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn each_build_gives_what_one_that_begins_anew_gives(
        saved in prop::collection::vec((0..FILES.len(), 0_usize..8), 1..18),
        is_told in prop::collection::vec(any::<bool>(), 18),
    ) {
        compare(&saved, |step| is_told[step - 1])?;
    }
}

#[test]
fn where_another_generator_may_come_is_looked_at() {
    let folder = Folder::new(&[("docs/a.md", "# A\n"), ("siftwren.toml", "")]);
    let build = ["build", "--content", "docs", "--out", "out"];
    folder.run(&build).assert_ok();
    let looks_at = |path: &str| {
        let manifest = folder.json("out/manifest.json");
        let mut inputs = manifest["inputs"].as_array().unwrap().iter();
        inputs.any(|input| input == path)
    };
    for path in [
        "mkdocs.yml",
        "website/docusaurus.config.ts",
        "docs/.vitepress/config.mts",
        "astro.config.mjs",
        "book.toml",
        "hugo.toml",
        "_meta.global.ts",
    ] {
        assert!(looks_at(path), "{path}");
    }
    // It says itself what it is.
    folder.write("siftwren.toml", b"[content]\nschema = \"siftwren\"\n");
    folder.write("docs/a.md", b"---\ntitle: A\ndescription: A page that says all that a page of ours has to say of itself, and no word more.\nsection: docs\ntype: reference\n---\n\nText.\n");
    let strict = [&build[..], &["--config", "siftwren.toml"]].concat();
    folder.run(&strict).assert_ok();
    assert!(!looks_at("mkdocs.yml"));
}
