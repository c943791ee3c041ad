//! What a build writes.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{BUILD, Folder, build_into};

const CONFIG: &str = "[site]\ntitle = \"Site\"\nbase = \"/sub/\"\n[content]\nroute_prefix = \"/docs\"\nlanding = \"guide/start\"\nedit_url = \"https://example.com/edit\"\n";

fn sample() -> Folder {
    let folder = Folder::new(&[
        ("siftwren.toml", CONFIG),
        (
            "content/guide/start.md",
            "# Start\n\nLead text.\n\n## First step {#first}\n\nSee [the end](./end.md#last) and ![a flow](../img/flow.svg).\n\n### Deep\n\nDown.\n",
        ),
        (
            "content/guide/end.md",
            "---\ntitle: The end\ndescription: How it ends.\n---\n\n## Last\n\nBack to [the start](/docs).\n",
        ),
        ("content/img/flow.svg", "<svg width=\"4\" height=\"2\"></svg>"),
        ("content/img/unused.svg", "<svg></svg>"),
    ]);
    folder.run(&BUILD).assert_ok();
    folder
}

#[test]
fn a_page_has_its_data() {
    let folder = sample();
    let page = folder.json("out/pages/docs/guide/start.json");
    insta::assert_snapshot!(serde_json::to_string_pretty(&page).unwrap(), @r##"
        {
          "aliases": [],
          "description": "Lead text.",
          "edit_url": "https://example.com/edit/guide/start.md",
          "html": "<p>Lead text.</p>\n<h2 id=\"first\"><a href=\"#first\">First step</a></h2>\n<p>See <a href=\"/sub/docs/guide/end#last\">the end</a> and <img src=\"/sub/assets/flow.ebb0349d8fef0111.svg\" alt=\"a flow\" width=\"4\" height=\"2\" loading=\"lazy\" decoding=\"async\">.</p>\n<h3 id=\"deep\"><a href=\"#deep\">Deep</a></h3>\n<p>Down.</p>\n",
          "last_change": null,
          "markdown": "# Start\n\nLead text.\n\n## First step {#first}\n\nSee [the end](/sub/docs/guide/end.md#last) and ![a flow](/sub/assets/flow.ebb0349d8fef0111.svg).\n\n### Deep\n\nDown.\n",
          "next": null,
          "path": "/docs/guide/start",
          "previous": {
            "path": "/docs/guide/end",
            "title": "The end"
          },
          "section": {
            "id": "guide",
            "title": "Guide"
          },
          "title": "Start",
          "toc": [
            {
              "id": "first",
              "level": 2,
              "title": "First step"
            },
            {
              "id": "deep",
              "level": 3,
              "title": "Deep"
            }
          ],
          "type": null
        }
        "##);
}

#[test]
fn the_manifest_lists_everything_in_the_order_of_reading() {
    let manifest = sample().json("out/manifest.json");
    assert_eq!(manifest["content"]["landing"], "/docs/guide/start");
    assert_eq!(manifest["search"]["mode"], "local");
    insta::assert_snapshot!(serde_json::to_string_pretty(&manifest["pages"][0]).unwrap(), @r#"
    {
      "card": null,
      "data": "pages/docs/guide/end.json",
      "description": "How it ends.",
      "markdown": "docs/guide/end.md",
      "path": "/docs/guide/end",
      "section": "guide",
      "source": "guide/end.md",
      "title": "The end"
    }
    "#);
    insta::assert_snapshot!(serde_json::to_string(&manifest["sidebar"]).unwrap(), @r#"[{"id":"guide","items":[{"path":"/docs/guide/end","title":"The end"},{"path":"/docs/guide/start","title":"Start"}],"path":null,"title":"Guide"}]"#);
}

#[test]
fn every_section_is_an_item() {
    insta::assert_snapshot!(sample().read("out/items.ndjson"), @r#"
    {"item_id":"/docs/guide/end","url":"/docs/guide/end","folder":"Guide","header_1":"The end","header_2":"","header_3":"","header_4":"","body":"","about":"How it ends.","links":""}
    {"item_id":"/docs/guide/end#last","url":"/docs/guide/end#last","folder":"Guide","header_1":"The end","header_2":"Last","header_3":"","header_4":"","body":"Back to the start.","about":"How it ends.","links":"the end"}
    {"item_id":"/docs/guide/start","url":"/docs/guide/start","folder":"Guide","header_1":"Start","header_2":"","header_3":"","header_4":"","body":"Lead text.","about":"Lead text.","links":"the start"}
    {"item_id":"/docs/guide/start#first","url":"/docs/guide/start#first","folder":"Guide","header_1":"Start","header_2":"First step","header_3":"","header_4":"","body":"See the end and a flow.","about":"Lead text.","links":"the start"}
    {"item_id":"/docs/guide/start#deep","url":"/docs/guide/start#deep","folder":"Guide","header_1":"Start","header_2":"First step","header_3":"Deep","header_4":"","body":"Down.","about":"Lead text.","links":"the start"}
    "#);
}

#[test]
fn files_that_pages_use_are_copied() {
    let folder = sample();
    let assets = folder.all_bytes("out/assets");
    assert_eq!(assets.len(), 1);
    assert_eq!(assets[0].1, b"<svg width=\"4\" height=\"2\"></svg>");
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = sample();
    let first = folder.all_bytes("out");
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.all_bytes("out"), first);
    folder.run(&build_into("again")).assert_ok();
    assert_eq!(folder.all_bytes("again"), first);
}

#[test]
fn what_nobody_has_a_use_for_is_left_out() {
    let folder = sample();
    let whole = folder.all_bytes("out");
    let without = |arguments: &[&str]| {
        folder
            .run(&[&build_into("less")[..], arguments].concat())
            .assert_ok();
        let less = folder.all_bytes("less");
        let gone = whole.iter().filter(|(name, bytes)| {
            let found = less.iter().find(|(other, _)| other == name);
            let is_same = found.is_none_or(|(_, other)| other == bytes);
            assert!(is_same || name.ends_with("manifest.json"), "{}", name.display());
            found.is_none()
        });
        gone.map(|(name, _)| name.display().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(without(&["--without-items"]), ["items.ndjson"]);
    assert_eq!(without(&["--without-llms-full"]), ["root/llms-full.txt"]);
    let manifest = folder.json("less/manifest.json");
    assert!(!manifest["root_files"].to_string().contains("llms-full"));
    assert!(!manifest["digest_names"].to_string().contains("llms-full"));
}

#[test]
fn a_new_output_takes_the_place_of_the_old_one() {
    let folder = sample();
    std::fs::rename(
        folder.path("content/guide/end.md"),
        folder.path("content/guide/finish.md"),
    )
    .unwrap();
    folder.write("content/guide/start.md", b"# Start\n");
    folder.run(&BUILD).assert_ok();
    assert!(!folder.path("out/pages/docs/guide/end.json").exists());
    assert!(folder.path("out/pages/docs/guide/finish.json").exists());
    assert!(!folder.path("out/assets").exists());
    let left: Vec<String> = std::fs::read_dir(folder.path("."))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with(".out"))
        .collect();
    assert_eq!(left, [""; 0]);
}

#[test]
fn what_is_the_same_is_taken_from_the_old_output() {
    let folder = sample();
    let before = folder.all_bytes("out");
    let kept = std::fs::read(folder.path("out/pages/docs/guide/end.json")).unwrap();
    // A second name for the same file: it would be another one if it was written again.
    std::fs::hard_link(
        folder.path("out/pages/docs/guide/end.json"),
        folder.path("witness"),
    )
    .unwrap();
    std::fs::write(folder.path("out/items.ndjson"), "changed by somebody").unwrap();
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.all_bytes("out"), before);
    std::fs::write(folder.path("witness"), "both").unwrap();
    assert_eq!(
        std::fs::read(folder.path("out/pages/docs/guide/end.json")).unwrap(),
        b"both"
    );

    folder.run(&BUILD).assert_ok();
    assert_eq!(
        std::fs::read(folder.path("out/pages/docs/guide/end.json")).unwrap(),
        kept
    );
    assert_eq!(std::fs::read(folder.path("witness")).unwrap(), b"both");
}

#[test]
fn a_failed_build_leaves_the_old_output_alone() {
    let folder = sample();
    let before = folder.all_bytes("out");
    folder.write("content/guide/start.md", b"# Start\n\n[gone](gone.md)\n");
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1);
    assert_eq!(folder.all_bytes("out"), before);
}

#[test]
fn a_folder_that_knows_nothing_of_us_builds() {
    let folder = Folder::new(&[
        (
            "notes/README.md",
            "---\nid: x\ntags: [a]\n---\n# Notes\n\n<div align=\"center\"><b>Hi</b></div>\n\n## Same\n\n## Same\n",
        ),
        (
            "notes/deep/er/page.mdx",
            "---\r\ntitle: \"Deep: page\"\r\n---\r\n\r\n```mermaid\r\na\r\n```\r\n\r\n![x](https://images.example/a.png)\r\n",
        ),
        ("notes/.hidden/x.md", "no title"),
        ("notes/node_modules/x.md", "no title"),
    ]);
    let run = folder
        .run(&["build", "--content", "notes", "--out", "out"])
        .assert_ok();
    assert!(run.stdout.contains("2 pages"), "{run:?}");
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["site"]["title"], "notes");
    assert_eq!(
        manifest["image_origins"],
        serde_json::json!(["https://images.example"])
    );
    insta::assert_snapshot!(serde_json::to_string(&manifest["sidebar"]).unwrap(), @r#"[{"id":"","items":[],"path":"/","title":"notes"},{"id":"deep","items":[{"items":[{"path":"/deep/er/page","title":"Deep: page"}],"path":null,"title":"Er"}],"path":null,"title":"Deep"}]"#);
    insta::assert_snapshot!(folder.json("out/pages/index.json")["html"].as_str().unwrap(), @r##"
        <p><strong>Hi</strong></p>
        <h2 id="same"><a href="#same">Same</a></h2>
        <h2 id="same-1"><a href="#same-1">Same</a></h2>
        "##);
}

#[test]
fn a_foreign_page_without_a_title_is_shown_under_the_name_of_its_file() {
    let folder = Folder::new(&[
        ("notes/README.md", "Text.\n"),
        ("notes/how_it-works.md", "---\ntitle: ' '\n---\nText.\n"),
    ]);
    folder
        .run(&["build", "--content", "notes", "--out", "out"])
        .assert_ok();
    let run = folder.run(&["check", "--content", "notes"]);
    let how = "add `title:` to the front matter or a first heading `# Title`";
    assert_eq!(
        run.stderr,
        format!(
            "notes/README.md:1:1: warning: the page has no title and is shown as `notes`; {how}\nnotes/how_it-works.md:1:1: warning: the page has no title and is shown as `How it works`; {how}\n"
        )
    );
    assert_eq!(
        folder.json("out/pages/how_it-works.json")["title"],
        "How it works"
    );
}

#[test]
fn the_last_change_is_that_of_the_commit() {
    let folder = sample();
    assert_eq!(
        folder.json("out/pages/docs/guide/start.json")["last_change"],
        serde_json::Value::Null
    );
    folder.git("2026-02-03", &["init", "--quiet"]);
    folder.git("2026-02-03", &["add", "content/guide/start.md"]);
    folder.git("2026-02-03", &["commit", "--quiet", "-m", "start"]);
    folder.run(&BUILD).assert_ok();
    assert_eq!(
        folder.json("out/pages/docs/guide/start.json")["last_change"],
        "2026-02-03"
    );
    assert_eq!(
        folder.json("out/pages/docs/guide/end.json")["last_change"],
        serde_json::Value::Null
    );
}

#[test]
fn an_edit_link_leads_to_a_file_whatever_it_is_called() {
    let folder = Folder::new(&[
        ("content/index.md", "# Start\n"),
        ("content/Über [50%] #1.md", "---\nslug: /above\n---\n# Above\n"),
        (
            "siftwren.toml",
            "[content]\nedit_url = \"https://example.com/edit\"\n",
        ),
    ]);
    folder.run(&BUILD).assert_ok();
    assert_eq!(
        folder.json("out/pages/above.json")["edit_url"],
        "https://example.com/edit/%C3%9Cber%20%5B50%25%5D%20%231.md"
    );
}

#[test]
fn a_clone_that_was_cut_off_gives_no_wrong_dates() {
    let folder = sample();
    folder.git("2026-02-03", &["init", "--quiet"]);
    folder.git("2026-02-03", &["add", "siftwren.toml", "content/guide/start.md"]);
    folder.git("2026-02-03", &["commit", "--quiet", "-m", "start"]);
    folder.git("2026-02-04", &["add", "content"]);
    folder.git("2026-02-04", &["commit", "--quiet", "-m", "end"]);
    folder.write(
        "content/guide/end.md",
        b"# The end\n\n## Last {#last}\n\nAnother text.\n",
    );
    folder.git("2026-02-05", &["add", "content/guide/end.md"]);
    folder.git("2026-02-05", &["commit", "--quiet", "-m", "end, again"]);
    let source = format!("file://{}", folder.path(".").display());
    folder.git(
        "2026-02-05",
        &["clone", "--quiet", "--depth", "2", &source, "clone"],
    );
    let run = folder
        .run(&[
            "build",
            "--content",
            "clone/content",
            "--config",
            "clone/siftwren.toml",
            "--out",
            "of-clone",
        ])
        .assert_ok();
    assert_eq!(
        folder.json("of-clone/pages/docs/guide/end.json")["last_change"],
        "2026-02-05"
    );
    assert_eq!(
        folder.json("of-clone/pages/docs/guide/start.json")["last_change"],
        serde_json::Value::Null
    );
    assert!(run.stdout.contains("git fetch --unshallow"), "{}", run.stdout);
}

#[test]
fn pages_are_listed_where_their_files_are_and_shown_where_they_say() {
    let folder = Folder::new(&[
        (
            "content/index.md",
            "# Home\n\n[to the guide](guides/start.md), [by its address](/begin)\n",
        ),
        (
            "content/guides/start.md",
            "---\nslug: /begin\n---\n# Start\n\n[next](next.md)\n",
        ),
        ("content/guides/next.md", "# Next\n"),
    ]);
    let build = ["build", "--content", "content", "--out", "out"];
    folder.run(&build).assert_ok();
    let manifest = folder.json("out/manifest.json");
    let guides = &manifest["sidebar"][1];
    assert_eq!(guides["title"], "Guides");
    let paths: Vec<_> = guides["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| &item["path"])
        .collect();
    assert_eq!(paths, ["/guides/next", "/begin"]);
    let page = folder.json("out/pages/begin.json");
    assert_eq!(page["section"]["title"], "Guides");
    assert!(
        page["html"].as_str().unwrap().contains("href=\"/guides/next\""),
        "{page}"
    );
    let home = folder.json("out/pages/index.json");
    assert_eq!(
        home["html"].as_str().unwrap().matches("href=\"/begin\"").count(),
        2,
        "{home}"
    );

    folder.write("content/guides/next.md", b"---\nslug: /begin\n---\n# Next\n");
    let run = folder.run(&build);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .contains("content/guides/start.md:1:1: `guides/next.md` is shown at /begin too"),
        "{run:?}"
    );
}

#[test]
fn numbers_before_names_give_the_order() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[content]\nnumber_prefixes = true\n"),
        (
            "content/index.md",
            "# Home\n\n[by its file](2-guides/10-last.md)\n",
        ),
        ("content/1-zebras/a.md", "# Zebras\n"),
        ("content/2-guides/10-last.md", "# Last\n"),
        ("content/2-guides/2-middle/page.md", "# Page\n"),
        ("content/2-guides/1-start.md", "# Start\n"),
        (
            "content/2-guides/zero.md",
            "---\nsidebar_position: 0\n---\n# Zero\n",
        ),
        (
            "content/3-api/_category_.json",
            "{\"position\": 1, \"label\": \"API\"}",
        ),
        ("content/3-api/b.md", "# B\n"),
        (
            "content/3-api/nested/1-inner/slugged.md",
            "---\nslug: own\n---\n# Own\n",
        ),
    ]);
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    let mut lines = Vec::new();
    fn list(items: &serde_json::Value, lines: &mut Vec<String>) {
        for item in items.as_array().into_iter().flatten() {
            lines.push(format!("{} {}", item["title"], item["path"]));
            list(&item["items"], lines);
        }
    }
    list(&manifest["sidebar"], &mut lines);
    assert_eq!(
        lines.join("\n").replace('"', ""),
        "content /
API null
B /api/b
Nested null
Inner null
Own /api/nested/inner/own
Zebras null
Zebras /zebras/a
Guides null
Zero /guides/zero
Start /guides/start
Middle null
Page /guides/middle/page
Last /guides/last"
    );
}

#[test]
fn an_unlisted_page_is_known_to_whoever_has_its_address() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            "[site]\ntitle = \"Docs\"\nurl = \"https://docs.example\"\n",
        ),
        ("content/a/one.md", "# One\n\n[A way](hidden.md) there.\n"),
        (
            "content/a/hidden.md",
            "---\nunlisted: true\n---\n# Zebra\n\n[quagga](two.md)\n",
        ),
        ("content/a/two.md", "---\nunlisted: false\n---\n# Two\n"),
        ("content/b/alone.md", "---\nunlisted: true\n---\n# Zebra foal\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    let page = folder.json("out/pages/a/hidden.json");
    assert_eq!(page["title"], "Zebra");
    assert_eq!(
        (&page["previous"], &page["next"], &page["section"]["title"]),
        (&serde_json::Value::Null, &serde_json::Value::Null, &"A".into())
    );
    assert_eq!(folder.json("out/pages/a/one.json")["next"]["path"], "/a/two");

    let manifest = folder.json("out/manifest.json");
    let pages = manifest["pages"].as_array().unwrap();
    let unlisted: Vec<_> = pages
        .iter()
        .filter(|page| page["unlisted"] == true)
        .map(|page| (page["path"].as_str().unwrap(), &page["markdown"]))
        .collect();
    let no_file = &serde_json::Value::Null;
    assert_eq!(unlisted, [("/a/hidden", no_file), ("/b/alone", no_file)]);
    let sidebar = manifest["sidebar"].to_string();
    assert!(sidebar.contains("/a/two") && !sidebar.contains("hidden") && !sidebar.contains("alone"));

    // The search is asked; every other file is read.
    for query in ["zebra", "foal", "quagga"] {
        let answer = folder.run(&["query", "--index", "out", "--no-vectors", query]);
        assert_eq!(answer.code, 0);
        assert!(!answer.stdout.contains("/a/hidden") && !answer.stdout.contains("/b/alone"));
        assert!(
            !(query == "quagga" && answer.stdout.contains("/a/two")),
            "{}",
            answer.stdout
        );
    }
    for (file, bytes) in folder.all_bytes("out") {
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        let is_own = ["manifest.json", "pages/a/hidden.json", "pages/b/alone.json"]
            .iter()
            .any(|own| file.ends_with(own));
        assert!(
            is_own || file.starts_with("search") || !text.contains("zebra"),
            "{}",
            file.display()
        );
    }
    assert!(folder.json("out/pages/a/hidden.json")["markdown"].is_null());
}

#[test]
fn the_manifest_has_a_line_for_each_of_its_fields() {
    let text = sample().read("out/manifest.json");
    let whole: serde_json::Map<String, serde_json::Value> = serde_json::from_str(&text).unwrap();
    let lines: Vec<&str> = text.split('\n').collect();
    let [first, fields @ .., last] = &lines[..] else {
        panic!("{text}")
    };
    assert_eq!([first, last], [&"{", &"}"]);
    let fields = fields.iter().map(|line| {
        let field = format!("{{{}}}", line.trim_end_matches(','));
        serde_json::from_str::<serde_json::Map<_, _>>(&field).unwrap()
    });
    assert_eq!(fields.flatten().collect::<serde_json::Map<_, _>>(), whole);
}

#[test]
fn the_manifest_tells_which_files_hold_something_else() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\nurl = \"https://docs.example\"\n"),
        ("content/a.md", "# A\n\n![a mark](mark.gif)\n"),
        ("content/b.md", "---\ndescription: Of b.\n---\n# B\n"),
        ("content/mark.gif", "GIF89a\x03\0\x02\0\0"),
    ]);
    let digests = || {
        folder.run(&BUILD).assert_ok();
        let manifest = folder.json("out/manifest.json");
        let list = |field: &str| manifest[field].as_array().unwrap().clone();
        let (names, digests) = (list("digest_names"), list("digests"));
        assert_eq!(names.len(), digests.len());
        let names = names.iter().map(|name| name.as_str().unwrap().to_owned());
        names.zip(digests).collect::<BTreeMap<String, Value>>()
    };
    let before = digests();
    for name in before.keys() {
        assert!(folder.path(&format!("out/{name}")).is_file(), "{name}");
    }
    for name in ["pages/a.json", "pages/b.json", "root/llms.txt"] {
        assert!(before.contains_key(name), "{name}");
    }
    folder.write("content/b.md", b"---\ndescription: Of b.\n---\n# B\n\nWords.\n");
    let after = digests();
    assert!(before.keys().eq(after.keys()), "{after:?}");
    let changed: Vec<&String> = before
        .iter()
        .filter(|(name, digest)| after[*name] != **digest)
        .map(|(name, _)| name)
        .collect();
    assert_eq!(changed, ["pages/b.json", "root/llms-full.txt"]);
}

#[test]
fn a_draft_may_say_so_as_any_yaml_does() {
    let page = |line: &str| format!("---\n{line}\n---\n\n# A\n");
    for line in [
        "draft: True",
        "draft: yes",
        "draft: ON",
        "published: False",
        "published: off",
    ] {
        let folder = Folder::new(&[("content/a.md", &page(line)), ("content/b.md", "# B\n")]);
        let run = folder.run(&["check", "--content", "content"]);
        assert!(run.stdout.contains("1 draft left out"), "{line}: {run:?}");
    }
    for line in ["draft: No", "published: 2026-01-02", "draft:"] {
        let folder = Folder::new(&[("content/a.md", &page(line))]);
        let run = folder.run(&["check", "--content", "content"]);
        let run = run.assert_ok();
        assert!(
            !run.stdout.contains("draft") && !run.stdout.contains("takes"),
            "{line}: {run:?}"
        );
    }
    let folder = Folder::new(&[("content/a.md", &page("draft: soon"))]);
    let run = folder.run(&["check", "--content", "content"]);
    let warning = "content/a.md:2:8: warning: `draft` takes true or false, not `soon`; the page is shown";
    assert!(format!("{run:?}").contains(warning), "{run:?}");
}

#[test]
fn front_matter_without_an_end_is_named() {
    let folder = Folder::new(&[
        ("content/a.md", "---\ntitle: A\ndraft: true\n\nText.\n"),
        ("content/b.md", "---\n\n# B\n\nA rule stands above it.\n"),
        ("content/c.md", "+++\ntitle = \"C\"\n\nText.\n"),
    ]);
    let run = folder.run(&["check", "--content", "content"]);
    let found: Vec<&str> = run
        .stdout
        .lines()
        .chain(run.stderr.lines())
        .filter(|line| line.contains("not closed"))
        .collect();
    assert_eq!(
        found,
        [
            "content/a.md:1:1: warning: the front matter is not closed, and readers see it as text; end it with a line `---`",
            "content/c.md:1:1: warning: the front matter is not closed, and readers see it as text; end it with a line `+++`",
        ]
    );
}

#[cfg(unix)]
#[test]
fn what_is_called_like_a_page_and_is_none_is_named() {
    use std::os::unix::ffi::OsStrExt;
    let folder = Folder::new(&[
        ("content/a.md", "# A\n"),
        ("content/B.MD", "# B\n"),
        ("more/d.md", "# D\n"),
    ]);
    let content = folder.path("content");
    std::os::unix::fs::symlink("a.md", content.join("c.md")).unwrap();
    std::os::unix::fs::symlink("../more", content.join("d")).unwrap();
    std::os::unix::fs::symlink("a.txt", content.join("e.txt")).unwrap();
    std::fs::write(content.join(std::ffi::OsStr::from_bytes(b"caf\xe9.md")), "# E\n").unwrap();
    let run = folder.run(&["check", "--content", "content"]);
    let run = run.assert_ok();
    let mut found: Vec<&str> = run
        .stdout
        .lines()
        .chain(run.stderr.lines())
        .filter(|line| line.contains("no page"))
        .collect();
    found.sort_unstable();
    insta::assert_snapshot!(found.join("\n"), @"
    content/B.MD:1:1: warning: this is no page: names of pages end with `.md`, `.mdx` or `.markdown` in small letters; rename it
    content/c.md:1:1: warning: this is no page: symbolic links are not followed; put what it leads to in its place
    content/caf�.md:1:1: warning: this is no page: its name is not UTF-8; rename it
    content/d:1:1: warning: this is no page: symbolic links are not followed; put what it leads to in its place
    ");
}

#[test]
fn an_output_in_the_folder_of_the_pages_is_not_read() {
    let folder = Folder::new(&[("content/a.md", "# A\n")]);
    for _ in 0..3 {
        let run = folder.run(&["build", "--content", "content", "--out", "content/guide/out"]);
        assert!(run.stdout.starts_with("1 page,"), "{run:?}");
    }
    assert!(folder.path("content/guide/out/pages/a.json").is_file());
}

#[test]
fn drafts_are_left_out_unless_somebody_asks_for_them() {
    let folder = Folder::new(&[
        ("content/index.md", "# Home\n"),
        ("content/a.md", "---\ndraft: true\n---\n# A\n\n[b](b.md)\n"),
        (
            "content/b.md",
            "---\npublished: false\n---\n# B\n\n[gone](gone.md)\n",
        ),
        ("content/c.md", "---\ndraft: false\npublished: true\n---\n# C\n"),
    ]);
    let build = ["build", "--content", "content", "--out", "out"];
    let run = folder.run(&build).assert_ok();
    assert!(
        run.stdout.contains("2 drafts left out; `--drafts` shows them"),
        "{run:?}"
    );
    let paths = || -> Vec<String> {
        let manifest = folder.json("out/manifest.json");
        let pages = manifest["pages"].as_array().unwrap();
        pages.iter().map(|page| page["path"].to_string()).collect()
    };
    assert_eq!(paths(), ["\"/\"", "\"/c\"", "\"/a-z\""]);

    // What a draft says is checked when it is built.
    let with_drafts = [&build[..], &["--drafts"]].concat();
    let run = folder.run(&with_drafts);
    assert!(
        run.stderr
            .contains("content/b.md:6:1: there is no page `gone.md`"),
        "{run:?}"
    );
    folder.write("content/b.md", b"---\npublished: false\n---\n# B\n");
    folder.run(&with_drafts).assert_ok();
    assert_eq!(paths(), ["\"/\"", "\"/a\"", "\"/b\"", "\"/c\"", "\"/a-z\""]);

    folder.write("content/c.md", b"# C\n\n[a](./a)\n");
    let run = folder.run(&build);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("content/c.md:3:1: `./a` is a draft, which nobody sees; publish it, or take the link away until then"),
        "{run:?}"
    );
    for file in ["index", "c"] {
        folder.write(&format!("content/{file}.md"), b"---\ndraft: true\n---\n# D\n");
    }
    let run = folder.run(&build);
    assert!(run.stderr.contains("nothing but drafts"), "{run:?}");
}

#[test]
fn lists_name_pages_and_folders_as_other_generators_have_it() {
    let folder = Folder::new(&[
        ("content/index.md", "# Home\n"),
        (
            "content/b-guides/_index.md",
            "---\nlinkTitle: How to\n---\n# All our guides\n\n[back](../)\n",
        ),
        (
            "content/b-guides/long.md",
            "---\nsidebar_label: Short\n---\n# A very long title of a page\n",
        ),
        (
            "content/b-guides/deep/_category_.yml",
            "label: Deeper still\nposition: 1\n",
        ),
        ("content/b-guides/deep/a.md", "# A\n"),
        (
            "content/c-api/_category_.json",
            "{\"label\": \"API\", \"position\": 1}\n",
        ),
        ("content/c-api/x.md", "# X\n"),
    ]);
    folder
        .run(&["build", "--content", "content", "--out", "out"])
        .assert_ok();
    let manifest = folder.json("out/manifest.json");
    let mut lines = Vec::new();
    for section in manifest["sidebar"].as_array().unwrap() {
        lines.push(format!("{} {}", section["title"], section["path"]));
        for item in section["items"].as_array().unwrap() {
            lines.push(format!("  {} {}", item["title"], item["path"]));
        }
    }
    assert_eq!(
        lines,
        [
            "\"content\" \"/\"",
            "\"API\" null",
            "  \"X\" \"/c-api/x\"",
            "\"How to\" \"/b-guides\"",
            "  \"Deeper still\" null",
            "  \"Short\" \"/b-guides/long\"",
        ]
    );
    let page = folder.json("out/pages/b-guides/long.json");
    assert_eq!(page["title"], "A very long title of a page");
    assert_eq!(page["section"]["title"], "How to");

    folder.write("content/c-api/_category_.json", b"{\"label\": ");
    let run = folder.run(&["build", "--content", "content", "--out", "out"]);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(run.stderr.contains("content/c-api/_category_.json:1:"), "{run:?}");
}
