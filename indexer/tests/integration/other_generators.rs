//! Folders that were written for other generators: what their files say comes to the same here.

use serde_json::Value;

use crate::{BUILD, Folder};

pub(crate) const BUILD_PLAIN: [&str; 5] = ["build", "--content", "content", "--out", "out"];

/// What is wrong with the content, but no error.
pub(crate) fn warnings(folder: &Folder, config: &[&str]) -> String {
    let run = folder.run(&[&["check", "--content", "content"], config].concat());
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.stderr
}

const CONFIG: [&str; 2] = ["--config", "siftwren.toml"];

/// The sidebar, a line an entry: `title path`, indented as it is nested.
pub(crate) fn sidebar(folder: &Folder) -> String {
    fn push(lines: &mut String, depth: usize, entry: &Value, id: &str) {
        let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
        let (title, path) = (text(&entry["title"]), text(&entry["path"]));
        lines.push_str(&format!("{}{id}{title} {path}\n", "  ".repeat(depth)));
        for item in entry["items"].as_array().into_iter().flatten() {
            push(lines, depth + 1, item, "");
        }
    }
    let mut lines = String::new();
    for section in folder.json("out/manifest.json")["sidebar"].as_array().unwrap() {
        push(
            &mut lines,
            0,
            section,
            &format!("{}: ", section["id"].as_str().unwrap()),
        );
    }
    lines
}

#[test]
fn a_summary_puts_the_pages_of_a_book_in_order() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Book\"\n"),
        (
            "content/SUMMARY.md",
            "# Summary\n\n[Preface](preface.md)\n\n# Basics\n\n- [*Two* first](two.md)\n    - [One `then`](sub/one.md)\n    - [Not yet]()\n        - [Inner](./sub/inner.md)\n- [Also not yet]()\n\n---\n\n# Basics\n\n[End](end.md)\n- A group\n  - [README](sub/README.md)\n",
        ),
        ("content/preface.md", "# Foreword\n\n[summary](two.md)\n"),
        ("content/two.md", "# Two\n"),
        ("content/sub/one.md", "# One\n"),
        ("content/sub/inner.md", "# Inner page\n"),
        ("content/sub/README.md", "# Sub\n"),
        ("content/end.md", "# End\n"),
        ("content/sub/forgotten.md", "# Forgotten quagga\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(sidebar(&folder), @r#"
    : Book -
      Preface /preface
    basics: Basics -
      Two first /two
        One then /sub/one
        Not yet -
          Inner /sub/inner
    basics-1: Basics -
      End /end
      A group -
        README /sub
    "#);
    assert_eq!(
        warnings(&folder, &CONFIG).trim(),
        "content/sub/forgotten.md:1:1: warning: `SUMMARY.md` does not name this page, so no list and no search has it; name it there, or remove it"
    );
    let inner = folder.json("out/pages/sub/inner.json");
    assert_eq!(inner["section"]["title"], "Basics");
    assert_eq!(inner["previous"]["path"], "/sub/one");
    assert_eq!(inner["next"]["path"], "/end");
    assert_eq!(folder.json("out/pages/preface.json")["section"]["title"], "Book");
    assert_eq!(
        folder.json("out/pages/sub/forgotten.json")["section"]["title"],
        "Book"
    );
    let answer = folder.run(&["query", "--index", "out", "--no-vectors", "quagga"]);
    assert!(!answer.stdout.contains("forgotten"), "{}", answer.stdout);
}

#[test]
fn a_summary_says_what_is_wrong_with_it() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            "[[sidebar]]\nid = \"a\"\n[content]\nbroken_links = \"error\"\n",
        ),
        (
            "content/SUMMARY.md",
            "# Summary\n\n- [A](a.md)\n- [A again](a.md)\n- [Gone](gone.md)\n- [Elsewhere](https://example.com)\n- [Part](a.md#b)\n",
        ),
        ("content/a.md", "# A\n\n## B\n"),
    ]);
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.stderr, @r#"
    content/SUMMARY.md:4:3: `a.md` stands in line 3 too; a page has one place
    content/SUMMARY.md:5:3: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page
    siftwren.toml:2:6: `SUMMARY.md` says the order of the pages; remove that file, or the `[[sidebar]]` tables
    indexer: 3 problems found
    indexer: 1 of them would be warnings with `broken_links = "warn"` below `[content]` in siftwren.toml
    "#);

    let empty = Folder::new(&[("content/SUMMARY.md", "# Summary\n"), ("content/a.md", "# A\n")]);
    let run = empty.run(&BUILD_PLAIN);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .starts_with("content/SUMMARY.md:1:1: the file names no page; write a list of links"),
        "{}",
        run.stderr
    );
}

#[test]
fn the_nav_of_mkdocs_puts_pages_in_order() {
    let folder = Folder::new(&[
        (
            "mkdocs.yml",
            "site_name: A project\ndocs_dir: ./content\ntheme:\n  name: material\n  icon: !!python/name:material.extensions.emoji.twemoji\nextra: &extra\n  a: 1\nmore:\n  <<: *extra\n# The pages\nnav:\n- Start: index.md\n- Guide:\n  - guide/index.md\n  - First steps: guide/first.md\n  - Deep:\n    - guide/deep/one.md\n    - 2.0: guide/deep/two.md\n- about.md\n- Source: https://example.com\n- Guide:\n  - end.md\nplugins:\n  - search\n",
        ),
        ("content/index.md", "# Welcome\n"),
        ("content/guide/index.md", "# The guide\n"),
        ("content/guide/first.md", "# Your first steps\n"),
        ("content/guide/deep/one.md", "# One\n"),
        ("content/guide/deep/two.md", "# Two\n"),
        ("content/about.md", "# About us\n"),
        ("content/end.md", "# End\n"),
        ("content/blog/post.md", "# A post\n\nA quagga.\n"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    insta::assert_snapshot!(sidebar(&folder), @r"
    : A project -
      Start /
      About us /about
    guide: Guide -
      The guide /guide
      First steps /guide/first
      Deep -
        One /guide/deep/one
        2.0 /guide/deep/two
    guide-1: Guide -
      End /end
    ");
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["site"]["title"], "A project");
    assert_eq!(folder.inputs(), ["mkdocs.yml"]);
    assert_eq!(
        warnings(&folder, &[]).trim(),
        "mkdocs.yml:20:11: warning: `https://example.com` is no page of the content; such a link is left out"
    );
    // Its own title, on the page; that of the list in the list.
    let first = folder.json("out/pages/guide/first.json");
    assert_eq!(first["title"], "Your first steps");
    assert_eq!(first["section"]["title"], "Guide");
    assert_eq!(first["next"]["path"], "/guide/deep/one");
    // What it does not name has no neighbours, and is found.
    let post = folder.json("out/pages/blog/post.json");
    assert_eq!((&post["previous"], &post["next"]), (&Value::Null, &Value::Null));
    let of_post = |page: &&Value| page["path"] == "/blog/post";
    let post = manifest["pages"]
        .as_array()
        .unwrap()
        .iter()
        .find(of_post)
        .unwrap();
    assert_eq!(post["unlisted"], Value::Null);
    assert!(post["markdown"].is_string());
    let answer = folder.run(&["query", "--index", "out", "--no-vectors", "quagga"]);
    assert!(answer.stdout.contains("/blog/post"), "{}", answer.stdout);
}

#[test]
fn a_page_that_mkdocs_names_twice_stands_where_it_is_named_first() {
    let folder = Folder::new(&[
        (
            "mkdocs.yml",
            "docs_dir: content\nnav:\n- First: a.md\n- Group:\n  - b.md\n  - Again: a.md\n",
        ),
        ("content/a.md", "# A\n"),
        ("content/b.md", "# B\n"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    insta::assert_snapshot!(sidebar(&folder), @"
    : content -
      First /a
    group: Group -
      B /b
    ");
    assert_eq!(
        warnings(&folder, &[]),
        "mkdocs.yml:6:12: warning: `a.md` stands in line 3 too; a page has one place, the first\n"
    );
}

#[test]
fn the_nav_of_mkdocs_says_what_is_wrong_with_it() {
    let check = |nav: &str, expected: &str| {
        let folder = Folder::new(&[
            ("mkdocs.yml", &format!("docs_dir: content\nnav:{nav}")),
            ("content/a.md", "# A\n"),
        ]);
        let run = folder.build_strictly();
        assert_eq!(run.code, 1, "{nav}");
        assert!(run.stderr.starts_with(expected), "{nav}: {}", run.stderr);
    };
    check("\n- gone.md\n", "mkdocs.yml:3:3: there is no page `gone.md`;");
    check(
        "\n- A: 1\n",
        "mkdocs.yml:3:6: `nav` lists pages, `guide/start.md`, with a name, `Start: guide/start.md`, or groups of them with one, not a number",
    );
    check(
        "\n- a: a.md\n  b: a.md\n",
        "mkdocs.yml:3:3: `nav` lists pages, `guide/start.md`, with a name, `Start: guide/start.md`, or groups of them with one, not a table",
    );
    check("\n- a: [\n", "mkdocs.yml:4:1: the document is not valid YAML");
    check(" a.md\n", "mkdocs.yml:2:6: `nav` is a list of pages, not text");
    check(
        " []\n",
        "mkdocs.yml:1:1: the file names no page; write a list below `nav`, such as `- start.md`",
    );

    // The name of the site alone is followed, too.
    let folder = Folder::new(&[
        ("mkdocs.yml", "site_name: A project\ndocs_dir: content\n"),
        ("content/a.md", "# A\n"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    assert_eq!(folder.inputs(), ["mkdocs.yml"]);

    // Another folder is meant, whatever is wrong there; a book has an order of its own; there is nothing yet.
    for (file, extra) in [
        ("docs_dir: docs\nnav: [gone.md, *a\n", ("content/b.md", "# B\n")),
        (
            "docs_dir: content\nnav: [gone.md]\n",
            ("content/SUMMARY.md", "- [A](a.md)\n"),
        ),
        (
            "docs_dir: content\nnav:\n# - gone.md\n",
            ("content/b.md", "# B\n"),
        ),
    ] {
        let folder = Folder::new(&[("mkdocs.yml", file), ("content/a.md", "# A\n"), extra]);
        folder.run(&BUILD_PLAIN).assert_ok();
    }
}

#[test]
fn our_own_content_has_no_summary() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[content]\nschema = \"siftwren\"\n"),
        ("content/SUMMARY.md", "- [A](a.md)\n"),
    ]);
    let run = folder.run(&BUILD);
    assert!(
        run.stderr
            .starts_with("content/SUMMARY.md:1:1: the page has no front matter"),
        "{}",
        run.stderr
    );
}

#[test]
fn links_that_lead_nowhere_can_be_warnings() {
    let content = [
        (
            "content/a.md",
            "# A\n\n[gone](gone.md?x#y), [root](/api/x.html), [no heading](b.md#no), ![pic](pic.png), [other](../std/x.html)\n",
        ),
        ("content/b.md", "# B\n\n## Here\n"),
    ];
    let folder = Folder::new(&content);
    folder.write(
        "siftwren.toml",
        b"[site]\nbase = \"/sub/\"\n[content]\nbroken_links = \"warn\"\n",
    );
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(warnings(&folder, &CONFIG), @r#"
    content/a.md:3:1: warning: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page
    content/a.md:3:22: warning: there is no page `/api/x.html`; write the path of a file from this one, such as `./other.md`, or of a page
    content/a.md:3:43: warning: /b has no heading with the id `no`; it has `here`
    content/a.md:3:66: warning: there is no image `pic.png`; put the file into the content folder and write its path from this file
    content/a.md:3:83: warning: there is no page `../std/x.html`; write the path of a file from this one, such as `./other.md`, or of a page
    "#);
    insta::assert_snapshot!(folder.json("out/pages/a.json")["html"].as_str().unwrap(), @r#"<p><a href="gone.md?x#y">gone</a>, <a href="/sub/api/x.html">root</a>, <a href="/sub/b#no">no heading</a>, pic, <a href="../std/x.html">other</a></p>"#);
    // A file that comes is found, also by a build that follows another one.
    folder.write("content/gone.md", b"# No more\n\n## Y\n");
    folder.run(&BUILD).assert_ok();
    assert!(
        folder.json("out/pages/a.json")["html"]
            .as_str()
            .unwrap()
            .contains("\"/sub/gone?x#y\"")
    );

    // What nobody may link to is text.
    folder.write("content/b.md", b"# B\n\n[x](javascript:x) [y](//host)\n");
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.json("out/pages/b.json")["html"], "<p>x y</p>\n");
    assert!(
        warnings(&folder, &CONFIG)
            .contains("content/b.md:3:1: warning: the address `javascript:x` is refused"),
    );

    folder.write("siftwren.toml", b"[content]\nbroken_links = \"ignore\"\n");
    let run = folder.run(&BUILD);
    assert_eq!(
        run.stderr.lines().next(),
        Some("siftwren.toml:2:16: `broken_links` takes error, warn, not `ignore`")
    );
}

#[test]
fn ids_of_headings_can_be_those_of_another_generator() {
    let folder = Folder::new(&[
        (
            "content/a.md",
            "# A\n\n[b](b.md#server-host) [c](#what-s-new)\n\n## What's new\n",
        ),
        ("content/b.md", "# B\n\n## server.host\n\n## server.host\n"),
    ]);
    let run = folder.run(&BUILD_PLAIN);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.stderr, @r#"
    content/a.md:3:1: /b has no heading with the id `server-host`; `server.host` would have it with `heading_ids = "vitepress"` in `[content]`
    content/a.md:3:23: this page has no heading with the id `what-s-new`; `What's new` would have it with `heading_ids = "vitepress"` in `[content]`
    indexer: 2 problems found
    indexer: 2 of them would be warnings with `broken_links = "warn"` below `[content]` in siftwren.toml
    "#);
    folder.write("siftwren.toml", b"[content]\nheading_ids = \"vitepress\"\n");
    folder.run(&BUILD).assert_ok();
    folder.write("siftwren.toml", b"[content]\nheading_ids = \"mkdocs\"\n");
    folder.write("content/a.md", b"# A\n\n[b](b.md#serverhost_1)\n");
    folder.run(&BUILD).assert_ok();
}

/// The HTML of a page with this text, and below it what is wrong with it.
fn page(markdown: &str) -> String {
    let folder = Folder::new(&[
        ("content/a.md", &format!("# A\n\n{markdown}\n")),
        ("content/b.md", "# B\n\n<a name=\"there\"></a>\n"),
        ("content/pic.svg", "<svg width=\"40\" height=\"20\"></svg>"),
        ("content/other.svg", "<svg width=\"8\" height=\"8\"></svg>"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    let page = folder.json("out/pages/a.json");
    format!("{}{}", page["html"].as_str().unwrap(), warnings(&folder, &[]))
}

#[test]
fn html_becomes_what_markdown_has_for_it() {
    insta::assert_snapshot!(page(
        "<p align=\"center\">\n  <b>Bold</b> &amp; <em class=\"x\">soft</em><br>\n  <code>a &lt; b</code>\n</p>\n<hr>\n<h2 align=center>Head <i>ing</i></h2>\n<blockquote>Quote <del>d</del></blockquote>\n\n<u>a</u> <strong>b *c*</strong> <code>x *y*</code> <kbd class=x>K</kbd> <abbr title='a \"b\"'>ab</abbr> <span style=\"x\">d</span>\n\n<b>*e</b> f* <script>*g</script>* h\n\n[i <a href=\"b.md\">j</a>](b.md)"
    ), @r##"
    <p><strong>Bold</strong> &amp; <em>soft</em><br>
    <code>a &lt; b</code></p>
    <hr>
    <h2 id="head-ing"><a href="#head-ing">Head <em>ing</em></a></h2>
    <blockquote>
    <p>Quote <del>d</del></p>
    </blockquote>
    <p>a <strong>b <em>c</em></strong> <code>x y</code> <kbd>K</kbd> <abbr title="a &quot;b&quot;">ab</abbr> d</p>
    <p><em>e f</em> </p>
    <p><a href="/b">i j</a></p>
    content/a.md:13:14: warning: <script> is left out: pages show text, images and links
    "##);
    insta::assert_snapshot!(page(
        "<ol start=\"3\">\n<li>one\n<li><p>two</p><p>three</p></li>\n<li>\n\n**four**\n\n</li>\n</ol>\n\n<ul><li>a<ul><li>b</ul></ul>\n\n<dl><dt>Word</dt><dd>Meaning</dd></dl>\n\n:::tip\n<details>\n<summary>S</summary>\n\nt\n\n</details>\n:::\n\nafter\n\n::: fastapi.APIRouter\n\n<details><summary>open\n\n:::note\nu\n:::"
    ), @r#"
    <ol start="3">
    <li>one</li>
    <li>two<p>three</p>
    </li>
    <li><p><strong>four</strong></p>
    </li>
    </ol>
    <ul>
    <li>a<ul>
    <li>b</li>
    </ul>
    </li>
    </ul>
    <p>Word</p>
    <p>Meaning</p>
    <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
    <details><summary>S
    </summary><p>t</p>
    </details></div>
    <p>after</p>
    <p>::: fastapi.APIRouter</p>
    <details><summary>open
    </summary><div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    <p>u</p>
    </div>
    </details>content/a.md:30:1: warning: <details> is not closed in the same block; add </details>
    "#);
    insta::assert_snapshot!(page(
        "<table class=\"x\">\n<caption>Rows</caption>\n<thead><tr><th>H</th><th>I</th></tr></thead>\n<tr><td>a<td><b>b</b></tr>\n<tr>\n<td>\n\n- c\n\n</td>\n</tr>\n</table>\n\n<pre><code class=\"language-js\">\nlet a &lt; <span>b</span>;\n</code></pre>\n\n<details open><summary>More <b>of</b> it</summary>\n\nText\n\n</details>"
    ), @r#"
    <p>Rows</p>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: A"><table>
    <thead>
    <tr><th scope="col">H</th><th scope="col">I</th></tr>
    </thead>
    <tbody>
    <tr><td>a</td><td><strong>b</strong></td></tr>
    <tr><td><ul>
    <li>c</li>
    </ul>
    </td></tr>
    </tbody></table></div>
    <div class="code" data-lang="text"><pre tabindex="0"><code>let a &lt; b;
    </code></pre></div>
    <details><summary>More <strong>of</strong> it
    </summary><p>Text</p>
    </details>
    "#);
}

#[test]
fn a_picture_of_one_theme_says_so() {
    insta::assert_snapshot!(page(
        "![A](pic.svg#gh-dark-mode-only)![A](pic.svg#only-light) ![B](pic.svg#else) [C](b.md#there)\n\n\
        <picture>\n  <source media=\"(prefers-color-scheme: dark)\" srcset=\"other.svg 1x, pic.svg 2x\">\n  <img alt=\"D\" src=\"pic.svg\">\n</picture>\n\n\
        <picture><source media=\"(prefers-color-scheme: light)\" srcset=\"other.svg\"><source media=\"(--darker)\" srcset=\"gone.svg\"><img src=\"pic.svg\" width=\"20\"></picture>\n\n\
        <picture><source media=\"(prefers-color-scheme: dark)\" srcset=\"gone.svg\"></picture><picture><img alt=\"E\" src=\"pic.svg\"></picture>"
    ), @r#"
    <p><img src="/assets/pic.6505b30503489151.svg" alt="A" width="40" height="20" data-only="dark" loading="lazy" decoding="async"><img src="/assets/pic.6505b30503489151.svg" alt="A" width="40" height="20" data-only="light" loading="lazy" decoding="async"> <img src="/assets/pic.6505b30503489151.svg" alt="B" width="40" height="20" loading="lazy" decoding="async"> <a href="/b#there">C</a></p>
    <p><img src="/assets/other.dde188f4605bacbf.svg" alt="D" width="8" height="8" data-only="dark" loading="lazy" decoding="async"><img src="/assets/pic.6505b30503489151.svg" alt="D" width="40" height="20" data-only="light" loading="lazy" decoding="async">
    </p>
    <p><img src="/assets/pic.6505b30503489151.svg" alt="" width="20" height="10" data-only="dark" loading="lazy" decoding="async"><img src="/assets/other.dde188f4605bacbf.svg" alt="" width="20" height="20" data-only="light" loading="lazy" decoding="async"></p>
    <p><img src="/assets/pic.6505b30503489151.svg" alt="E" width="40" height="20" loading="lazy" decoding="async"></p>
    "#);
}

#[test]
fn what_html_links_to_is_checked_and_shown_as_any_link() {
    insta::assert_snapshot!(page(
        "<a href=\"b.md#there\" onclick=\"x\">to **b**</a> and <a href='https://example.com/?a&amp;b'>out</a>\n\n<p><a href=\"b.html\"><img src=\"pic.svg\" alt=\"A &quot;pic&quot;\" width=\"80\" onerror=\"x\"></a></p>\n\n<img src=\"https://example.com/x.png\" width=\"50%\"> <img alt=\"no address\"> <img src=\"pic.svg\"/>\n\n![](pic.svg){ width=\"20\" .left } [b](b.md){ .md-button } kept {braces}"
    ), @r#"
    <p><a href="/b#there">to <strong>b</strong></a> and <a href="https://example.com/?a&amp;b">out</a></p>
    <p><a href="/b"><img src="/assets/pic.6505b30503489151.svg" alt="A &quot;pic&quot;" width="80" height="40" loading="lazy" decoding="async"></a></p>
    <p><img src="https://example.com/x.png" alt="" loading="lazy" decoding="async">  <img src="/assets/pic.6505b30503489151.svg" alt="" width="40" height="20" loading="lazy" decoding="async"></p>
    <p><img src="/assets/pic.6505b30503489151.svg" alt="" width="20" height="10" loading="lazy" decoding="async"> <a href="/b">b</a> kept {braces}</p>
    "#);
    let folder = Folder::new(&[(
        "content/a.md",
        "# A\n\n<a href=\"gone.md\">x</a>\n\n<div>\n<img src=\"gone.png\">\n<a href=\"javascript:x\">y</a> <a href=\"#no\">z</a></div>\n",
    )]);
    let run = folder.run(&BUILD_PLAIN);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.stderr, @r#"
    content/a.md:3:1: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page
    content/a.md:6:1: there is no image `gone.png`; put the file into the content folder and write its path from this file
    content/a.md:7:1: the address `javascript:x` is refused; use https:, http:, mailto: or a path
    content/a.md:7:30: this page has no heading with the id `no`; it has no headings
    indexer: 4 problems found
    indexer: 4 of them would be warnings with `broken_links = "warn"` below `[content]` in siftwren.toml
    "#);
}

#[test]
fn ids_in_html_are_places_to_link_to() {
    insta::assert_snapshot!(page(
        "[1](#one) [2](#two) [3](#three) [4](#four) [h](#head)\n\n<a id=\"one\"></a>\n\nText <span id=\"two\">x</span> <a name=\"two\"></a>\n\n<table><tr id=\"three\"><td>a</td></tr></table>\n\n<h3 id=\"four\">H</h3>\n\n<div id=\"head\"></div>\n\n## Head\n\n<p id=\"a b\">no</p> <p id=\":main\">no</p>"
    ), @r##"
    <p><a href="#one">1</a> <a href="#two">2</a> <a href="#three">3</a> <a href="#four">4</a> <a href="#head">h</a></p>
    <span id="one"></span><p>Text <span id="two"></span>x </p>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: A"><table>
    <tbody>
    <tr><td><span id="three"></span>a</td></tr>
    </tbody></table></div>
    <h3 id="four"><a href="#four">H</a></h3>
    <h2 id="head"><a href="#head">Head</a></h2>
    <p>no</p>
    <p>no</p>
    "##);
}

#[test]
fn what_pages_cannot_show_is_left_out_and_named() {
    insta::assert_snapshot!(page(
        "<script setup>\nimport a from '</b>'\n\nlet b = a < 3\n</script>\n\n<style>\np { color: red }\n</style>\n\na <svg><path d=\"x\"/></svg> b\n\n<iframe src=\"https://video.example/1\" title=\"A talk\"></iframe>\n\n<video controls><source src=\"https://video.example/2.mp4\"></video>\n\n<Steps>\n\n1. one\n\n</Steps>\n\n<Badge text=\"new\" /> <my-note kind=\"a\">note</my-note>\n\nA Vec<T> of <string> and <https://example.com>."
    ), @r#"
    <p>a  b</p>
    <p><a href="https://video.example/1">A talk</a></p>
    <p><a href="https://video.example/2.mp4">https://video.example/2.mp4</a></p>
    <ol>
    <li>one</li>
    </ol>
    <p><sup>new</sup> note</p>
    <p>A Vec&lt;T&gt; of &lt;string&gt; and <a href="https://example.com">https://example.com</a>.</p>
    content/a.md:1:1: warning: components are not known here; of Steps, my-note only what stands between the tags is shown
    content/a.md:3:1: warning: <script> is left out: pages show text, images and links
    content/a.md:9:1: warning: <style> is left out: pages show text, images and links
    content/a.md:13:3: warning: <svg> is left out: pages show text, images and links
    content/a.md:15:1: warning: <iframe> is left out: pages show text, images and links
    content/a.md:17:1: warning: <video> is left out: pages show text, images and links
    content/a.md:27:6: warning: `<T>` is no element of HTML and shown as text; write it as code, or `\<` for the sign
    content/a.md:27:13: warning: `<string>` is no element of HTML and shown as text; write it as code, or `\<` for the sign
    "#);
}

#[test]
fn blocks_of_mkdocs_are_alerts_details_and_tabs() {
    insta::assert_snapshot!(page(
        "!!! note\n    One\n\n    - two\n\n            code\n\n!!! success \"Well *done*\"\n\n    !!! danger\n        Inner\n\n    After\n\nOut\n\n??? question \"Why?\"\n    Because\n\n???+ bug\n    Open\n\n!!! nothing follows\n\n- item\n\n    !!! tip\n        In the list\n\n```\n!!! note\n    code\n```"
    ), @r#"
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    <p>One</p>
    <ul>
    <li><p>two</p>
    <div class="code" data-lang="text"><pre tabindex="0"><code>  code
    </code></pre></div>
    </li>
    </ul>
    </div>
    <div class="alert alert-tip" role="note"><p class="alert-title">Well done</p>
    <div class="alert alert-caution" role="note"><p class="alert-title">Danger</p>
    <p>Inner</p>
    </div>
    <p>After</p>
    </div>
    <p>Out</p>
    <details><summary>Why?</summary><p>Because</p>
    </details><div class="alert alert-caution" role="note"><p class="alert-title">Bug</p>
    <p>Open</p>
    </div>
    <p>!!! nothing follows</p>
    <ul>
    <li><p>item</p>
    <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
    <p>In the list</p>
    </div>
    </li>
    </ul>
    <div class="code" data-lang="text"><pre tabindex="0"><code>!!! note
        code
    </code></pre></div>
    "#);
    insta::assert_snapshot!(page(
        "=== \"Linux\"\n\n    ```sh\n    apt\n      x\n    ```\n\n=== \"Mac \\\"OS\\\"\"\n    brew\n\nBetween\n\n===! \"A\"\n    a\n=== \"B\"\n    b\n\n===! \"C\"\n    c\n\nSetext\n===\n"
    ), @r##"
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="linux">Linux</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="mac-quotosquot">Mac &quot;OS&quot;</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="linux"><p class="tab-title" data-only-without-js>Linux</p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">apt
      x</span>
    </code></pre></div>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="mac-quotosquot"><p class="tab-title" data-only-without-js>Mac &quot;OS&quot;</p>
    <p>brew</p>
    </section>
    </div>
    <p>Between</p>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:2:1:b" aria-controls="tab:2:1" aria-selected="true" data-tab="a">A</button><button type="button" role="tab" id="tab:2:2:b" aria-controls="tab:2:2" aria-selected="false" tabindex="-1" data-tab="b">B</button></div>
    <section class="tab" role="tabpanel" id="tab:2:1" aria-labelledby="tab:2:1:b" data-tab="a"><p class="tab-title" data-only-without-js>A</p>
    <p>a</p>
    </section>
    <section class="tab" role="tabpanel" id="tab:2:2" aria-labelledby="tab:2:2:b" data-tab="b"><p class="tab-title" data-only-without-js>B</p>
    <p>b</p>
    </section>
    </div>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:3:1:b" aria-controls="tab:3:1" aria-selected="true" data-tab="c">C</button></div>
    <section class="tab" role="tabpanel" id="tab:3:1" aria-labelledby="tab:3:1:b" data-tab="c"><p class="tab-title" data-only-without-js>C</p>
    <p>c</p>
    </section>
    </div>
    <h2 id="setext"><a href="#setext">Setext</a></h2>
    "##);
    insta::assert_snapshot!(page(
        "/// note | Title\n    open: True\n\nText\n\n//// tab | One\n1\n////\n\n//// tab | Two\n\n2\n\n////\n\n///\n\n/// what | ever\n\n/// tip\nno end"
    ), @r#"
    <div class="alert alert-note" role="note"><p class="alert-title">Title</p>
    <p>Text</p>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="one">One</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="two">Two</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="one"><p class="tab-title" data-only-without-js>One</p>
    <p>1</p>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="two"><p class="tab-title" data-only-without-js>Two</p>
    <p>2</p>
    </section>
    </div>
    </div>
    <p>/// what | ever</p>
    <p>/// tip
    no end</p>
    "#);
}

#[test]
fn code_of_a_group_is_in_tabs() {
    insta::assert_snapshot!(page(
        "::: code-group\n\n```sh [npm]\nnpm i\n```\n\n```js{1} [a<b>.js]\nx\n```\n\n```py\ny\n```\n\n:::\n\n```sh [alone]\nz\n```"
    ), @r#"
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="npm">npm</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="altbgtjs">a&lt;b&gt;.js</button><button type="button" role="tab" id="tab:1:3:b" aria-controls="tab:1:3" aria-selected="false" tabindex="-1" data-tab="python">python</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="npm"><p class="tab-title" data-only-without-js>npm</p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">npm</span> i
    </code></pre></div>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="altbgtjs"><p class="tab-title" data-only-without-js>a&lt;b&gt;.js</p>
    <div class="code" data-lang="javascript"><pre tabindex="0"><code><mark>x
    </mark></code></pre></div>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:3" aria-labelledby="tab:1:3:b" data-tab="python"><p class="tab-title" data-only-without-js>python</p>
    <div class="code" data-lang="python"><pre tabindex="0"><code>y
    </code></pre></div>
    </section>
    </div>
    <figure class="code" data-lang="bash"><figcaption>alone</figcaption><pre tabindex="0"><code><span class="h-f">z</span>
    </code></pre></figure>
    "#);
}

#[test]
fn marks_for_others_are_no_text() {
    insta::assert_snapshot!(page(
        "[[toc]]\n\n[TOC]\n\nA text\n{: .lead #x }\n\n{: .note }\n> Quote\n\n{: .big }\nBelow\n\n{: is }\ntext\n\n[a](b.md){:target=\"_blank\" rel='a b'}, [b](b.md){not a list}\n\n`{: .x}` {: .y} z\n\n## Head {: #custom}\n\ntoc"
    ), @r##"
    <p>A text</p>
    <blockquote>
    <p>Quote</p>
    </blockquote>
    <p>Below</p>
    <p>{: is }
    text</p>
    <p><a href="/b">a</a>, <a href="/b">b</a>{not a list}</p>
    <p><code>{: .x}</code> {: .y} z</p>
    <h2 id="custom"><a href="#custom">Head</a></h2>
    <p>toc</p>
    "##);
}

#[test]
fn a_page_is_called_what_its_first_heading_says_whatever_its_level() {
    let folder = Folder::new(&[
        (
            "content/SUMMARY.md",
            "# S\n\n- [In the list](a.md)\n- [Two](b.md)\n- [Three](c.md)\n- [Four](d.md)\n- [Five](e.md)\n",
        ),
        ("content/a.md", "Text\n\n## Later\n\n[top](b.md#first)\n"),
        (
            "content/b.md",
            "<a id=\"old\"></a>\n\n## First\n\nText\n\n### Below\n\n#### Deep\n",
        ),
        ("content/c.md", "## One of two\n\n## The other\n"),
        (
            "content/d.md",
            "---\ntitle: Given\n---\n# Also given\n\n## Section\n",
        ),
        (
            "content/e.md",
            "---\ntitle: Given\n---\nText\n\n# In the middle\n",
        ),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    let found: Vec<String> = ["a", "b", "c", "d", "e"]
        .iter()
        .map(|name| {
            let page = folder.json(&format!("out/pages/{name}.json"));
            let entries = page["toc"].as_array().unwrap().iter();
            let toc: Vec<String> = entries
                .map(|entry| format!("{}{}", entry["level"], entry["id"]))
                .collect();
            format!("{} {}", page["title"], toc.join(" "))
        })
        .collect();
    assert_eq!(
        found,
        [
            "\"In the list\" 2\"later\"",
            "\"First\" 2\"below\" 3\"deep\"",
            "\"Three\" 2\"one-of-two\" 2\"the-other\"",
            "\"Given\" 2\"section\"",
            "\"Given\" 2\"in-the-middle\"",
        ]
    );
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn files_that_a_page_includes_are_in_its_text() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        (
            "content/guide/a.md",
            "# A\n\n```rust\n{{#rustdoc_include ../../code/main.rs:here}}\n```\n\n{{#include ../parts/list.txt:2:}}\n\n\\{{#include x}} {{#if y}} {{#title Tab}}\n\n{{#playground ../../code/main.rs:1}}\n\n  <!--@include: @/parts/whole.txt-->\n\n<<< ../../code/main.rs#there{1} [the `main`.rs]\n\n--8<-- \"parts/list.txt:1:1\"\n\n    --8<-- \"parts/list.txt\" is text\n\n## End {#end}\n",
        ),
        (
            "content/parts/list.txt",
            "- one\n- [two](../guide/a.md#end)\n- <a id=\"three\"></a>three ![](p.svg)\n",
        ),
        ("content/guide/p.svg", "<svg width=\"4\" height=\"2\"></svg>"),
        ("content/parts/whole.txt", "Whole:\n\n{{#include list.txt:3}}\n"),
        (
            "code/main.rs",
            "fn one() {}\n// ANCHOR: here\n# fn hidden() {}\nfn two() {}\n// ANCHOR_END: here\n// #region there\nfn three() {}\n// ANCHOR: here2\n// #endregion there\n",
        ),
    ]);
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(folder.json("out/pages/guide/a.json")["html"].as_str().unwrap(), @r##"
    <div class="code" data-lang="rust"><pre tabindex="0"><code><span class="h-k">fn</span> <span class="h-f">two</span>() {}
    </code></pre></div>
    <ul>
    <li><a href="/guide/a#end">two</a></li>
    <li><span id="three"></span>three <img src="/assets/p.ebb0349d8fef0111.svg" alt="" width="4" height="2" loading="lazy" decoding="async"></li>
    </ul>
    <p>{{#include x}} {{#if y}}</p>
    <div class="code" data-lang="rust"><pre tabindex="0"><code><span class="h-k">fn</span> <span class="h-f">one</span>() {}
    </code></pre></div>
    <p>Whole:</p>
    <ul>
    <li>three <img src="/assets/p.ebb0349d8fef0111.svg" alt="" width="4" height="2" loading="lazy" decoding="async"></li>
    </ul>
    <div class="code" data-lang="rust"><pre tabindex="0"><code><mark><span class="h-k">fn</span> <span class="h-f">three</span>() {}
    </mark></code></pre></div>
    <ul>
    <li><p>one</p>
    <p>--8&lt;-- &quot;parts/list.txt&quot; is text</p>
    </li>
    </ul>
    <h2 id="end"><a href="#end">End</a></h2>
    "##);
    insta::assert_snapshot!(folder.inputs().join(" "), @"content/guide/../../code/main.rs content/guide/../parts/list.txt content/parts/list.txt content/parts/whole.txt");

    folder.write("content/guide/b.md", b"# B\n\nText {{#include gone.md}}\n\n{{#include ../../code/main.rs:nowhere}}\n\n{{#include b.md}}\n\n{{#include /etc/hosts}}\n");
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1);
    insta::assert_snapshot!(run.stderr, @r#"
    content/guide/b.md:3:6: cannot include `gone.md`: No such file or directory (os error 2); write its path from this file
    content/guide/b.md:5:1: `../../code/main.rs` has no part `nowhere`
    content/guide/b.md:7:1: cannot include `gone.md`: No such file or directory (os error 2); write its path from this file
    content/guide/b.md:9:1: `/etc/hosts` is an absolute path; write it from this file
    indexer: 4 problems found
    indexer: 4 of them would be warnings with `broken_links = "warn"` below `[content]` in siftwren.toml
    "#);
}

#[test]
fn tabs_and_asides_of_other_generators_are_ours_in_markdown_too() {
    let folder = Folder::new(&[
        (
            "content/a.md",
            "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n# A\n\n<Tabs>\n<TabItem label=\"npm\">\n\nOne\n\n</TabItem>\n</Tabs>\n",
        ),
        (
            "content/b.mdx",
            "# B\n\n<Aside type=\"caution\" title=\"Mind\">\n\tTwo *b*.\n</Aside>\n\n<LinkCard title=\"Go on\" href=\"./a.md\" />\n",
        ),
        ("content/c.md", "# C\n\nimport nothing\n"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    assert_eq!(warnings(&folder, &[]), "");
    let html = |page: &str| {
        let page = folder.json(&format!("out/pages/{page}.json"));
        page["html"].as_str().unwrap().to_owned()
    };
    let tabs = html("a");
    assert!(
        tabs.contains("data-tab=\"npm\"") && !tabs.contains("import"),
        "{tabs}"
    );
    let aside = html("b");
    assert!(
        aside.contains("alert-caution") && aside.contains("Mind"),
        "{aside}"
    );
    assert!(aside.contains("Two <em>b</em>."), "{aside}");
    assert!(aside.contains("<a href=\"/a\">Go on</a>"), "{aside}");
    assert!(html("c").contains("import nothing"));
}
