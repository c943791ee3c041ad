//! Old addresses: what leads from them to the pages, and what links of the pages make of them.

use crate::foreign_pages::html;
use crate::{BUILD, Folder};

/// Where each old address leads, by its file, and what hosts are told.
fn led(folder: &Folder) -> String {
    let manifest = folder.json("out/manifest.json");
    let names = manifest["root_files"].as_array().unwrap().iter();
    let names = names.map(|name| name.as_str().unwrap());
    let mut lines: Vec<String> = names
        .filter(|name| name.ends_with(".html"))
        .map(|name| {
            let text = folder.read(&format!("out/root/{name}"));
            let to = text.split("url=").nth(1).unwrap().split('"').next().unwrap();
            format!("{name} -> {to}\n")
        })
        .collect();
    lines.sort();
    let list = folder.path("out/root/_redirects");
    let list = std::fs::read_to_string(list).unwrap_or_default();
    format!("{}{list}", lines.concat())
}

const PAGE: &str = "---\ntitle: A page\ndescription: A sentence that is as long as the description of a page has to be here.\nsection: Guides\ntype: reference\n";

fn strict(config: &str, front_matter: &str, body: &str) -> Folder {
    let page = format!("{PAGE}{front_matter}---\n\n{body}\n");
    let other = PAGE.replace("A page", "Other");
    Folder::new(&[
        (
            "siftwren.toml",
            &format!(
                "[site]\nurl = \"https://docs.example\"\nbase = \"/sub/\"\n[content]\nschema = \"siftwren\"\n{config}"
            ),
        ),
        ("content/guides/page.md", &page),
        (
            "content/guides/other.md",
            &format!("{other}---\n\n## Part\n\nText.\n"),
        ),
    ])
}

#[test]
fn an_old_address_leads_to_what_is_there_now() {
    let folder = strict(
        "[redirects]\n\"/first/\" = \"/guides/page#part\"\n\"/second.html\" = \"/first\"\n\"/far\" = \"https://example.com/a?b&c\"\n\"/v1/*\" = \"/guides/:splat\"\n",
        "redirect_from: [/before/it, old name]\n",
        "## Part\n\n[a](/before/it) [b](/first) [c](/second#x) [d](other.md) [e](old%20name) [f](/far) [g](/v1/other#part) [h](/before/it.html#part)",
    );
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(led(&folder), @r#"
    before/it/index.html -> /sub/guides/page
    far/index.html -> https://example.com/a?b&amp;c
    first/index.html -> /sub/guides/page#part
    guides/old name/index.html -> /sub/guides/page
    second.html -> /sub/guides/page#part
    /sub/before/it /sub/guides/page 301
    /sub/far https://example.com/a?b&c 301
    /sub/first/ /sub/guides/page#part 301
    /sub/guides/old%20name /sub/guides/page 301
    /sub/second.html /sub/guides/page#part 301
    /sub/v1/* /sub/guides/:splat 301
    "#);
    insta::assert_snapshot!(folder.read("out/root/before/it/index.html"), @r#"
    <!doctype html><html lang="en"><meta charset="utf-8"><title>A page</title><meta name="robots" content="noindex"><meta name="color-scheme" content="light dark"><link rel="canonical" href="https://docs.example/sub/guides/page"><meta http-equiv="refresh" content="0; url=/sub/guides/page"><p><a href="/sub/guides/page">A page</a>
    "#);
    insta::assert_snapshot!(html(&folder, "guides/page"), @r##"
    <h2 id="part"><a href="#part">Part</a></h2>
    <p><a href="/sub/guides/page">a</a> <a href="/sub/guides/page#part">b</a> <a href="/sub/guides/page#part">c</a> <a href="/sub/guides/other">d</a> <a href="/sub/guides/page">e</a> <a href="https://example.com/a?b&amp;c">f</a> <a href="/sub/guides/other#part">g</a> <a href="/sub/guides/page#part">h</a></p>
    "##);
    for file in [
        "out/root/sitemap.xml",
        "out/root/llms.txt",
        "out/items.ndjson",
        "out/pages/a-z.json",
    ] {
        let text = folder.read(file);
        assert!(
            !text.contains("before") && !text.contains("first"),
            "{file}: {text}"
        );
    }
}

#[test]
fn a_wrong_old_address_is_told_with_its_place() {
    let refused = |config: &str, front_matter: &str| {
        let run = strict(config, front_matter, "Text.").run(&BUILD);
        assert_eq!(run.code, 1, "{run:?}");
        run.stderr
    };
    insta::assert_snapshot!(refused("[redirects]\n\"/guides/other/\" = \"/guides/page\"\n\"/a\" = \"/nowhere\"\n\"/b\" = \"/c#x\"\n\"/c\" = \"/d/\"\n\"/d\" = \"/b\"\n\"/e\" = \"/c\"\n\"f\" = \"/guides/page\"\n\"/g#h\" = \"/guides/page\"\n\"/i/*/j\" = \"/guides/page\"\n\"/l/../m\" = \"/guides/page\"\n\"/sw.js/\" = \"#x\"\n\"/n\" = \"#x\"\n\"/o\" = \"javascript:x\"\n\"/p/*\" = \"JavaScript://x/:splat\"\n\"/%2e%2e/q\" = \"#x\"\n\"/r%0As\" = \"#x\"\n\"/guides/:page\" = \"/:page\"\n", ""), @r#"
    siftwren.toml:7:1: `/guides/other/` is the address of `guides/other.md`, which is shown there; take one of the two away
    siftwren.toml:8:1: `/a` leads to `/nowhere`, and nothing is there; write the address of a page
    siftwren.toml:9:1: `/b` leads round in a circle: `/b`, then `/c`, then `/d`, then `/b`; say where it ends
    siftwren.toml:13:1: `f` is no address of this site; write a path such as `/guides/start`
    siftwren.toml:14:1: `/g#h` is a part of a page, which no server is told of; name the address before `#` and `?` alone
    siftwren.toml:15:1: `/i/*/j` is left out: neither a file nor a host can stand for it; `*` takes the place of all that is behind it, `:name` that of one part
    siftwren.toml:16:1: `/l/../m` is no address; write it without `.`, `..`, `\` and signs that nobody sees
    siftwren.toml:17:1: the site has something else at `/sw.js/`; take this old address out
    siftwren.toml:18:1: this leads nowhere; write an address such as `/guides/start`
    siftwren.toml:19:1: the address `javascript:x` is refused; use https:, http:, mailto: or a path
    siftwren.toml:20:1: the address `JavaScript://x/:splat` is refused; use https:, http:, mailto: or a path
    siftwren.toml:21:1: `/%2e%2e/q` is no address; write it without `.`, `..`, `\` and signs that nobody sees
    siftwren.toml:22:1: `/r%0As` is no address; write it without `.`, `..`, `\` and signs that nobody sees
    siftwren.toml:23:1: `/guides/:page` is the address of pages as well, such as /guides/other, which hosts would lead away from; they are not told of it
    indexer: 14 problems found
    "#);
    insta::assert_snapshot!(refused("[redirects]\n\"/k\" = 3\n", ""), @r#"
    siftwren.toml:7:8: `/k` takes the address that it leads to, such as `"/guides/start"`
    indexer: 1 problem found
    "#);
    insta::assert_snapshot!(refused("[redirects]\n\"/twice\" = \"/guides/page\"\n", "redirect_from: [/guides/other, /guides/page, /twice/, ../../x, '', 'https://x.example/']\n"), @r#"
    content/guides/page.md:6:17: `/guides/other` is the address of `guides/other.md`, which is shown there; take one of the two away
    content/guides/page.md:6:32: `/guides/page` is the address of this page now; take it out
    content/guides/page.md:6:46: `/twice/` is an old address already, in siftwren.toml:7; one of the two is enough
    content/guides/page.md:6:55: `../../x` is no address; write one such as `/guides/start`, or a name in the folder of the page
    content/guides/page.md:6:64: `` is no address; write one such as `/guides/start`, or a name in the folder of the page
    content/guides/page.md:6:68: `https://x.example/` is no address; write one such as `/guides/start`, or a name in the folder of the page
    indexer: 6 problems found
    "#);
    insta::assert_snapshot!(refused("", "redirect_from: /old\n"), @r#"
    content/guides/page.md:6:16: `redirect_from` takes a list of texts, not text
    indexer: 1 problem found
    "#);
}

const MINTLIFY: &str = r#"{"name": "X", "navigation": {"pages": ["a", "v2/b"]}, "redirects": [
  {"source": "/b", "destination": "/v2/b"},
  {"source": "/v1/:slug*", "destination": "/v2/:slug*"},
  {"source": "/:lang/c/:page", "destination": "/v2/:page"},
  {"source": "/v2/:slug*", "destination": "/v3/:slug*"},
  {"source": "/x/:slug*/y", "destination": "/v2/b"},
  {"source": "/gone", "destination": "/nowhere"},
  {"source": "/one", "destination": "/two"},
  {"source": "/two", "destination": "/one"}
]}
"#;

/// Builds a folder of another generator whose first page links to old addresses: where these lead, its HTML and what is told.
fn of_another(content: &str, files: &[(&str, &str)]) -> String {
    let folder = Folder::new(files);
    folder
        .run(&["build", "--content", content, "--out", "out"])
        .assert_ok();
    let manifest = folder.json("out/manifest.json");
    let path = manifest["pages"][0]["path"].as_str().unwrap().to_owned();
    let check = folder.run(&["check", "--content", content]).assert_ok();
    format!("{}{}{}", led(&folder), html(&folder, &path[1..]), check.stderr)
}

#[test]
fn old_addresses_of_other_generators_are_those_of_the_site() {
    // Jekyll: one or several, from the root.
    insta::assert_snapshot!(of_another("content", &[
        ("_config.yml", "title: X\nbaseurl: /latest\n"),
        ("content/a.md", "---\ntitle: A\nnav_order: 1\n---\n\n[a](/old/b/) [b]({{site.baseurl}}/older#x) [c](/c/) [d](/content/gone) [e](/content/more/index/#x)\n"),
        ("content/more/index.md", "---\ntitle: More\n---\n\n## X\n"),
        ("content/b.md", "---\ntitle: B\nredirect_from: older/\n---\n\n# B\n\n## X\n"),
        ("content/c.md", "---\ntitle: C\nredirect_from:\n  - /old/b/\n  - /content/c/\n  - /content/b/\n---\n\n# C\n"),
    ]), @r#"
    old/b/index.html -> /content/c
    older/index.html -> /content/b
    /old/b/ /content/c 301
    /older/ /content/b 301
    <p><a href="/content/c">a</a> <a href="/content/b#x">b</a> <a href="/content/c">c</a> <a href="/content/gone">d</a> <a href="/content/more#x">e</a></p>
    content/a.md:6:53: warning: there is no page `/content/gone`; write the path of a file from this one, such as `./other.md`, or of a page
    content/c.md:6:5: warning: `/content/b/` is the address of `b.md`, which is shown there; take one of the two away
    "#);
    // Hugo: also from the folder of the address.
    insta::assert_snapshot!(of_another("content", &[
        ("hugo.yaml", "title: X\n"),
        ("content/guide/a.md", "---\ntitle: A\nweight: 1\n---\n\n[a](/old) [b](../older/) [c](../../top) [d]({{< relref \"/old#x\" >}})\n"),
        ("content/guide/b.md", "---\ntitle: B\nweight: 2\naliases: [/old/, older, ../top]\n---\n\n## X\n"),
        ("content/guide/c.md", "+++\ntitle = 'C'\nweight = 3\naliases = ['/old']\n+++\n\n# C\n"),
    ]), @r#"
    guide/older/index.html -> /guide/b
    old/index.html -> /guide/b
    top/index.html -> /guide/b
    /guide/older /guide/b 301
    /old/ /guide/b 301
    /top /guide/b 301
    <p><a href="/guide/b">a</a> <a href="/guide/b">b</a> <a href="/guide/b">c</a> <a href="/guide/b#x">d</a></p>
    content/guide/c.md:4:12: warning: `/old` is an old address already, in content/guide/b.md:4; one of the two is enough
    "#);
    // Zola, whose front matter is TOML.
    insta::assert_snapshot!(of_another("content", &[
        ("config.toml", "base_url = 'https://x.example'\ntitle = 'X'\n"),
        ("content/a.md", "+++\ntitle = 'A'\naliases = ['old.html', '/older']\n+++\n\n[a](/old.html) [b](/older/)\n"),
    ]), @r#"
    old.html -> /a
    older/index.html -> /a
    /old.html /a 301
    /older /a 301
    <p><a href="/a">a</a> <a href="/a">b</a></p>
    "#);
    // Elsewhere these are other names of a page.
    insta::assert_snapshot!(of_another("content", &[
        ("content/a.md", "---\naliases: [old, /older]\nredirect_from: /oldest\n---\n\n# A\n\n[a](/oldest)\n"),
    ]), @r#"
    oldest/index.html -> /a
    /oldest /a 301
    <p><a href="/a">a</a></p>
    "#);
    // Mintlify, with patterns.
    insta::assert_snapshot!(of_another("content", &[
        ("content/docs.json", MINTLIFY),
        ("content/a.mdx", "---\ntitle: A\n---\n\n[a](/b#x) [b](/v1/b) [c](/de/c/b) [d](b)\n"),
        ("content/v2/b.mdx", "---\ntitle: B\n---\n\n## X\n"),
    ]), @r#"
    b/index.html -> /v2/b
    /b /v2/b 301
    /v1/* /v2/:splat 301
    <p><a href="/v2/b#x">a</a> <a href="/v2/b">b</a> <a href="/v2/b">c</a> <a href="/v2/b">d</a></p>
    content/docs.json:4:3: warning: `/:lang/c/:page` can be the address of anything here, which hosts would lead away from; they are not told of it
    content/docs.json:5:3: warning: `/v2/:slug*` is the address of pages as well, such as /v2/b, which hosts would lead away from; they are not told of it
    content/docs.json:6:3: warning: `/x/:slug*/y` is left out: neither a file nor a host can stand for it; `*` takes the place of all that is behind it, `:name` that of one part
    content/docs.json:7:3: warning: `/gone` leads to `/nowhere`, and nothing is there; write the address of a page
    content/docs.json:8:3: warning: `/one` leads round in a circle: `/one`, then `/two`, then `/one`; say where it ends
    "#);
    // MkDocs, beside what is no YAML.
    insta::assert_snapshot!(of_another("content", &[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\nmarkdown_extensions:\n  - x: !!python/name:y\nplugins:\n  - redirects:\n      redirect_maps:\n        # Moved\n        'old.md': 'guide/b.md#x'\n        older/index.md: https://example.com/ # Far\n        gone.md: nowhere.md\n  - search\n"),
        ("content/a.md", "# A\n\n[a](old.md) [b](older/) [c](./old/)\n"),
        ("content/guide/b.md", "# B\n\n## X\n\n[a](../old.md)\n"),
    ]), @r#"
    old/index.html -> /guide/b#x
    older/index.html -> https://example.com/
    /old/ /guide/b#x 301
    /older/ https://example.com/ 301
    <p><a href="/guide/b#x">a</a> <a href="https://example.com/">b</a> <a href="/guide/b#x">c</a></p>
    mkdocs.yml:11:9: warning: `/gone/` leads to `nowhere.md`, and nothing is there; write the address of a page
    "#);
    // Docusaurus: from one or several.
    insta::assert_snapshot!(of_another("content", &[
        ("docusaurus.config.js", "export default { title: 'X', presets: [['y', { docs: { path: 'content', sidebarPath: false } }]], plugins: [['@docusaurus/plugin-client-redirects', { redirects: [{ from: '/old', to: '/docs/b' }, { from: ['/docs/older', '/docs/a'], to: '/docs/b#x' }] }]] };\n"),
        ("content/a.md", "# A\n\n[a](/old) [b](./older)\n"),
        ("content/b.md", "# B\n\n## X\n"),
    ]), @r#"
    docs/older/index.html -> /docs/b#x
    old/index.html -> /docs/b
    /docs/older /docs/b#x 301
    /old /docs/b 301
    <p><a href="/docs/b">a</a> <a href="/docs/b#x">b</a></p>
    docusaurus.config.js:1:196: warning: `/docs/a` is the address of `a.md`, which is shown there; take one of the two away
    "#);
    // Starlight: the redirects of Astro.
    insta::assert_snapshot!(of_another("src/content/docs", &[
        ("astro.config.mjs", "export default defineConfig({ integrations: [starlight({ title: 'X' })], redirects: { '/old': '/b', '/older': { status: 302, destination: '/b#x' }, '/v1/[...slug]': '/[...slug]' } });\n"),
        ("src/content/docs/a.md", "---\ntitle: A\n---\n\n[a](/old) [b](/older) [c](/v1/b)\n"),
        ("src/content/docs/b.md", "---\ntitle: B\n---\n\n## X\n"),
    ]), @r#"
    old/index.html -> /b
    older/index.html -> /b#x
    /old /b 301
    /older /b#x 301
    /v1/* /:splat 301
    <p><a href="/b">a</a> <a href="/b#x">b</a> <a href="/b">c</a></p>
    "#);
    // mdBook, from the old address.
    insta::assert_snapshot!(of_another("content", &[
        ("book.toml", "[book]\ntitle = 'X'\nsrc = 'content'\n[output.html.redirect]\n'/guide/old.html' = '../b.html'\n'older.html' = 'https://example.com/'\n"),
        ("content/SUMMARY.md", "- [A](a.md)\n- [B](b.md)\n"),
        ("content/a.md", "# A\n\n[a](guide/old.html) [b](older.html)\n"),
        ("content/b.md", "# B\n"),
    ]), @r#"
    guide/old.html -> /b
    older.html -> https://example.com/
    /guide/old.html /b 301
    /older.html https://example.com/ 301
    <p><a href="/b">a</a> <a href="https://example.com/">b</a></p>
    "#);
    // GitBook, whose paths start where its pages are.
    insta::assert_snapshot!(of_another("content", &[
        (".gitbook.yaml", "root: ./content/\n\nredirects:\n  old: guide/b.md#x\n  older/page: ./guide/b.md\n  far: https://example.com/\n  chain: older/page\n  gone: nowhere.md\n  one: two\n  two: one\n  a: guide/b.md\n  ..%2fup: guide/b.md\n  bad: javascript:alert(1)\n  list: [a.md]\n"),
        ("content/SUMMARY.md", "# Summary\n\n* [A](a.md)\n* [B](guide/b.md)\n"),
        ("content/a.md", "# A\n\n[a](old) [b](older/page.md) [c](/far) [d](/chain#y)\n"),
        ("content/guide/b.md", "# B\n\n## X\n"),
    ]), @r#"
    chain/index.html -> /guide/b
    far/index.html -> https://example.com/
    old/index.html -> /guide/b#x
    older/page/index.html -> /guide/b
    /chain /guide/b 301
    /far https://example.com/ 301
    /old /guide/b#x 301
    /older/page /guide/b 301
    <p><a href="/guide/b#x">a</a> <a href="/guide/b">b</a> <a href="https://example.com/">c</a> <a href="/guide/b#y">d</a></p>
    .gitbook.yaml:8:3: warning: `/gone` leads to `nowhere.md`, and nothing is there; write the address of a page
    .gitbook.yaml:9:3: warning: `/one` leads round in a circle: `/one`, then `/two`, then `/one`; say where it ends
    .gitbook.yaml:11:3: warning: `/a` is the address of `a.md`, which is shown there; take one of the two away
    .gitbook.yaml:12:3: warning: `/..%2fup` is no address; write it without `.`, `..`, `\` and signs that nobody sees
    .gitbook.yaml:13:3: warning: the address `javascript:alert(1)` is refused; use https:, http:, mailto: or a path
    .gitbook.yaml:14:9: warning: this is left out: an old address takes the file that it leads to, such as `support.md`, not a list
    content/a.md:3:39: warning: /guide/b has no heading with the id `y`; it has `x`
    "#);
}

#[test]
fn what_cannot_be_read_of_gitbook_is_left_out() {
    let told = |config: &str| {
        let folder = Folder::new(&[(".gitbook.yaml", config), ("docs/a.md", "# A\n")]);
        folder.run(&["check", "--content", "docs"]).assert_ok().stderr
    };
    insta::assert_snapshot!(told("root: docs\nredirects:\n  a: [b\n"), @".gitbook.yaml:4:1: warning: `redirects` is left out: the document is not valid YAML: while parsing a flow sequence, expected ',' or ']'");
    insta::assert_snapshot!(told("root: docs\nredirects: [a, b]\n"), @".gitbook.yaml:2:12: warning: `redirects` is left out: it takes old addresses with the files that they lead to, such as `help: support.md`, not a list");
    // That of another folder.
    insta::assert_snapshot!(told("root: other\nredirects:\n  old: b.md\n"), @"");
}

#[test]
fn a_page_of_jekyll_may_only_lead_elsewhere() {
    insta::assert_snapshot!(of_another("content", &[
        ("_config.yml", "title: X\n"),
        ("content/a.md", "---\ntitle: A\nnav_order: 1\n---\n\n[a](old.md) [b](/content/far) [c](/content/sub/old#y) [d](/before/) [e](/content/named/#y)\n"),
        ("content/b.md", "---\ntitle: B\n---\n\n## X\n"),
        ("content/old.md", "---\ntitle: Old\nredirect_to: /content/b#x\nredirect_from: /before/\n---\n\nUnseen.\n"),
        ("content/far.md", "---\nredirect_to:\n  - https://example.com/\n  - /content/b\n---\n"),
        ("content/sub/old.md", "---\npermalink: /named/\nredirect_to: /content/old\n---\n"),
        ("content/one.md", "---\nredirect_to: /content/two\n---\n"),
        ("content/two.md", "---\nredirect_to: /content/one/\n---\n"),
        ("content/bad.md", "---\nredirect_to: 'javascript:alert(1)'\n---\n"),
        ("content/up.md", "---\nredirect_to: /..%2f..%2fetc\nredirect_from: /a/..%2fb\n---\n"),
        ("content/blank.md", "---\nredirect_to: ''\n---\n"),
    ]), @r#"
    before/index.html -> /content/b#x
    content/far/index.html -> https://example.com/
    content/named/index.html -> /content/b#x
    content/old/index.html -> /content/b#x
    /before/ /content/b#x 301
    /content/far https://example.com/ 301
    /content/named /content/b#x 301
    /content/old /content/b#x 301
    <p><a href="/content/b#x">a</a> <a href="https://example.com/">b</a> <a href="/content/sub/old#y">c</a> <a href="/content/b#x">d</a> <a href="/content/b#x">e</a></p>
    content/a.md:6:31: warning: there is no page `/content/sub/old`; write the path of a file from this one, such as `./other.md`, or of a page
    content/bad.md:2:14: warning: the address `javascript:alert(1)` is refused; use https:, http:, mailto: or a path
    content/blank.md:2:14: warning: this leads nowhere; write an address such as `/guides/start`
    content/one.md:2:14: warning: `/content/one` leads round in a circle: `/content/one`, then `/content/two`, then `/content/one`; say where it ends
    content/up.md:2:14: warning: `/content/up` leads to `/..%2f..%2fetc`, and nothing is there; write the address of a page
    content/up.md:3:16: warning: `/a/..%2fb` is no address; write it without `.`, `..`, `\` and signs that nobody sees
    "#);
    // Elsewhere it is a key like any other.
    let folder =
        crate::foreign_pages::built(&[("content/a.md", "---\ntitle: A\nredirect_to: /b\n---\n\nSeen.\n")]);
    assert_eq!(html(&folder, "a"), "<p>Seen.</p>\n");
}
