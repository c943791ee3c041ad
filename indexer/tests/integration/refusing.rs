//! Each kind of thing that a build refuses: the message, its place and the exit code.

use crate::{BUILD, Folder};

const CONFIG: &str =
    "[content]\nschema = \"siftwren\"\nroute_prefix = \"/docs\"\n[[sidebar]]\nid = \"a\"\ntitle = \"A\"\n";

/// A page of our content that has nothing wrong with it; its body starts in line 7.
fn page(title: &str, body: &str) -> String {
    format!(
        "---\ntitle: {title}\ndescription: One sentence about the page that is neither too short nor too long for a list of results.\nsection: A\ntype: reference\n---\n{body}"
    )
}

/// Builds a folder with the good page `a/good.md` and `a/page.md`, and compares the problems.
#[track_caller]
fn check(page: &str, expected: &[&str]) {
    check_files(&[("content/a/page.md", page)], CONFIG, expected);
}

#[track_caller]
fn check_body(body: &str, expected: &[&str]) {
    check(&page("Page", body), expected);
}

#[track_caller]
fn check_files(files: &[(&str, &str)], config: &str, expected: &[&str]) {
    let good = page("Good", "## There {#there}\n");
    let mut all = vec![("content/a/good.md", good.as_str()), ("siftwren.toml", config)];
    all.extend(files);
    let folder = Folder::new(&all);
    for arguments in [
        &BUILD[..],
        &["check", "--content", "content", "--config", "siftwren.toml"],
    ] {
        let run = folder.run(arguments);
        let mut lines: Vec<&str> = run.stderr.lines().collect();
        let summary = lines.pop();
        assert_eq!(lines, expected, "{run:?}");
        let count = expected.len();
        let noun = if count == 1 { "problem" } else { "problems" };
        assert_eq!(summary, Some(format!("indexer: {count} {noun} found").as_str()));
        assert_eq!(run.code, 1);
        assert_eq!(run.stdout, "");
    }
    assert!(!folder.path("out").exists());
}

#[test]
fn the_good_page_passes() {
    let good = page(
        "Good",
        "## There {#there}\n\n[this](#there) [that](good.md#there) [absolute](/docs/a/good#there)\n",
    );
    let folder = Folder::new(&[("content/a/good.md", &good), ("siftwren.toml", CONFIG)]);
    let run = folder
        .run(&["check", "--content", "content", "--config", "siftwren.toml"])
        .assert_ok();
    assert_eq!(
        (run.stdout.as_str(), run.stderr.as_str()),
        ("1 page, no problem, 0 warnings\n", "")
    );
}

#[test]
fn broken_links() {
    check_body(
        "\nSee [one](./gone.md) and\n[two](/docs/a/gone), [three](../b/good).\n",
        &[
            "content/a/page.md:8:5: there is no page `./gone.md`; write the path of a file from this one, such as `./other.md`, or of a page",
            "content/a/page.md:9:1: there is no page `/docs/a/gone`; write the path of a file from this one, such as `./other.md`, or of a page",
            "content/a/page.md:9:22: there is no page `../b/good`; a page of that name is at /docs/a/good",
        ],
    );
}

#[test]
fn broken_anchors() {
    check_body(
        "## Here\n\n[a](#her) [b](good.md#the) [c](/docs/a/good#the)\n",
        &[
            "content/a/page.md:9:1: this page has no heading with the id `her`; it has `here`",
            "content/a/page.md:9:11: /docs/a/good has no heading with the id `the`; it has `there`",
            "content/a/page.md:9:28: /docs/a/good has no heading with the id `the`; it has `there`",
        ],
    );
}

#[test]
fn missing_images() {
    check_body(
        "![a](a.png) ![](https://example.com/b.png)\n",
        &[
            "content/a/page.md:7:1: there is no image `a.png`; put the file into the content folder and write its path from this file",
            "content/a/page.md:7:13: the image has no text; describe it between the brackets: `![what it shows](…)`",
        ],
    );
}

#[test]
fn duplicate_ids() {
    check_body(
        "## A {#x}\n\n### x\n",
        &[
            "content/a/page.md:9:1: another heading of this page has the id `x`; give this one `{#another-id}`",
        ],
    );
}

#[test]
fn a_page_without_a_title() {
    check(
        "---\ndescription: One sentence about the page that is neither too short nor too long for a list of results.\nsection: A\ntype: reference\n---\nText.\n",
        &["content/a/page.md:1:1: the front matter has no `title`; add one, for example `nDCG`"],
    );
}

#[test]
fn raw_html() {
    let refused = "raw HTML is refused; write Markdown, or one of the tags abbr, br, kbd, mark, sub, sup, details, summary, tabs, tab";
    check_body(
        "a <b>c</b>\n\n<script>\nalert(1)\n</script>\n\n<kbd onclick=\"x\">d</kbd>\n",
        &[
            &format!("content/a/page.md:7:3: {refused}"),
            &format!("content/a/page.md:7:7: {refused}"),
            &format!("content/a/page.md:9:1: {refused}"),
            &format!("content/a/page.md:11:1: {refused}"),
            "content/a/page.md:13:1: <kbd> takes no such attribute (abbr and tab take a title, tabs a group)",
            "content/a/page.md:13:19: </kbd> closes nothing here; open <kbd> in the same block",
        ],
    );
}

#[test]
fn foreign_schemes_and_their_disguises() {
    let refused =
        |address: &str| format!("the address `{address}` is refused; use https:, http:, mailto: or a path");
    let lines = [
        ("[a](javascript:alert(1))", refused("javascript:alert(1)")),
        ("[a](JaVaScRiPt:x)", refused("JaVaScRiPt:x")),
        ("[a](javascript&colon;x)", refused("javascript:x")),
        ("[a](&#106;avascript:x)", refused("javascript:x")),
        ("[a](java&#x0A;script&#58;x)", refused("javascript:x")),
        ("[a](&#1;javascript:x)", refused("javascript:x")),
        ("[a](< javascript:x>)", refused("javascript:x")),
        ("<javascript:x>", refused("javascript:x")),
        ("[a](data:text/html,x)", refused("data:text/html,x")),
        ("![a](data:image/svg+xml,x)", refused("data:image/svg+xml,x")),
        ("[a](vbscript:x)", refused("vbscript:x")),
        ("[a](file:///etc/passwd)", refused("file:///etc/passwd")),
        (
            "[a](//example.com)",
            "`//example.com` leads to another host; write its scheme: https://…".to_owned(),
        ),
        (
            "[a](/\\example.com)",
            "`/\\example.com` leads to another host; write its scheme: https://…".to_owned(),
        ),
    ];
    let body: String = lines
        .iter()
        .map(|(markdown, _)| format!("{markdown}\n\n"))
        .collect();
    let expected: Vec<String> = lines
        .iter()
        .enumerate()
        .map(|(index, (_, message))| format!("content/a/page.md:{}:1: {message}", 7 + 2 * index))
        .collect();
    check_body(&body, &expected.iter().map(String::as_str).collect::<Vec<_>>());

    // A folder that knows nothing of us is held to the same.
    let folder = Folder::new(&[("content/a.md", "# A\n\n[a](&#106;avascript:x)\n")]);
    let run = folder.run(&["check", "--content", "content"]);
    assert_eq!((run.code, run.stderr.lines().count()), (1, 3), "{run:?}");
}

#[test]
fn broken_front_matter() {
    check(
        "---\ntitle: A\ndescription: \"open\nsection: A\n---\n",
        &["content/a/page.md:3:14: the front matter is not valid YAML: invalid indentation in quoted scalar"],
    );
    check(
        "# A\n",
        &[
            "content/a/page.md:1:1: the page has no front matter; start the file with a block between two lines `---`",
        ],
    );
    check(
        "---\ntitle: A\n",
        &["content/a/page.md:1:1: the front matter is not closed; end it with a line `---`"],
    );
}

#[test]
fn front_matter_against_the_schema() {
    check(
        "---\ntitle: Good\ncolour: red\ndescription: Too short.\nsection: B\ntype: essay\nrelated: [/docs/a/gone]\ntested: [x]\n---\n",
        &[
            "content/a/page.md:2:8: `a/good.md` has the title `Good` too; titles are unique",
            "content/a/page.md:3:1: the front matter has no key `colour`; it takes title, description, section, type, api, status, aliases, redirect_from, related, schema, tested, verified",
            "content/a/page.md:4:14: `description` has 10 characters; it takes 70 to 160",
            "content/a/page.md:5:10: `section` is `B`, but the page stands in the section `A`",
            "content/a/page.md:6:7: `type` takes tutorial, how-to, reference, explanation, not `essay`",
            "content/a/page.md:7:11: there is no page `/docs/a/gone`; write the path of a file from this one, such as `./other.md`, or of a page",
            "content/a/page.md:8:10: `tested` names `x`, but no code block of the page has this id",
        ],
    );
}

#[test]
fn code_blocks() {
    check_body(
        "```powershell\nls\n```\n\n```\nx\n```\n\n```bash id=a colour=red expect=soon numbers=one wide\n# hide-start\nx\n```\n\n```json output-of=b\n{}\n```\n\n```bash\nls\n",
        &[
            "content/a/page.md:7:1: `powershell` is not a language of our content; take one of bash, http, json, mermaid, python, rust, sql, text, toml, typescript, yaml",
            "content/a/page.md:11:1: the code block names no language; take one of bash, http, json, mermaid, python, rust, sql, text, toml, typescript, yaml",
            "content/a/page.md:15:1: `expect` takes an HTTP status such as 200, not `soon`",
            "content/a/page.md:15:1: `numbers` takes the number of the first line such as 1, or `off`, not `one`",
            "content/a/page.md:15:1: `wide` is neither a language nor `key=value`; remove it",
            "content/a/page.md:15:1: a code block has no key `colour`; it takes id, expect, fixture, title, output-of, highlight, numbers",
            "content/a/page.md:16:1: `# hide-start` and `# hide-end` come in pairs, each on a line of its own",
            "content/a/page.md:20:1: no code block above has the id `b`, so this cannot be its output",
            "content/a/page.md:24:1: the code block is not closed; end it with a line of as many backticks as it starts with",
        ],
    );
}

#[test]
fn wrong_formulas() {
    check_body(
        "The value $\\frac{1}$.\n\n$$\n\\nosuch\n$$\n\nA price of $5 and \\$6 and $\\frac{1$ and `$7`.\n",
        &[
            "content/a/page.md:7:11: the formula cannot be read: expected a token",
            "content/a/page.md:9:1: the formula cannot be read: unknown primitive command found",
            "content/a/page.md:13:12: this `$` starts no formula: close it, match its braces, or write `\\$` for the sign",
        ],
    );
}

#[test]
fn headings_that_do_not_fit() {
    check_body(
        "# One\n\n# Two\n\n##### Five\n\n## A {.class}\n",
        &[
            "content/a/page.md:9:1: the page has a second H1; use `##` for the headings below the title",
            "content/a/page.md:11:1: headings go down to H4; this is an H5",
            "content/a/page.md:13:1: a heading takes an id, such as `{#edge-cases}`, and nothing else",
        ],
    );
}

#[test]
fn footnotes_that_nobody_refers_to() {
    check_body(
        "Text.\n\n[^n]: Note.\n",
        &["content/a/page.md:9:1: nothing refers to the footnote `n`; write `[^n]` in the text or remove it"],
    );
}

#[test]
fn two_files_at_one_address() {
    check_files(
        &[
            ("content/a/page.md", &page("One", "")),
            ("content/a/page/index.md", &page("Two", "")),
        ],
        CONFIG,
        &[
            "content/a/page/index.md:1:1: `a/page.md` is shown at /docs/a/page too; rename one of the two files",
        ],
    );
}

#[test]
fn a_file_that_is_not_text() {
    let folder = Folder::new(&[("content/a.md", "# A\n")]);
    folder.write("content/b.md", b"# B\n\nok \xff\n");
    let run = folder.run(&["check", "--content", "content"]);
    assert_eq!(
        (run.code, run.stderr.lines().next()),
        (
            1,
            Some("content/b.md:3:4: the file is not UTF-8 text; save it as UTF-8")
        )
    );
}

#[test]
fn a_wrong_configuration() {
    check_files(
        &[],
        "[site]\ntitel = \"A\"\n[search]\nmode = \"cloud\"\nmodel = 4\n[colours]\n",
        &[
            "siftwren.toml:2:1: [site] has no key `titel`; it takes title, tagline, url, base, language, logo, logo_dark, logo_has_title, favicon, hide_navbar_on_scroll, words",
            "siftwren.toml:4:8: `mode` takes live, local, live-with-fallback, not `cloud`",
            "siftwren.toml:5:9: `model` takes text, not a number",
            "siftwren.toml:6:2: the configuration has no key `colours`; it takes site, content, search, language, sidebar, navbar, footer, announcement, api, analytics, redirects",
        ],
    );
    check_files(
        &[],
        "[site\n",
        &["siftwren.toml:1:6: the configuration is not valid TOML: unclosed table, expected `]`"],
    );
    check_files(
        &[],
        &format!("{CONFIG}[[navbar]]\nlabel = \"Gone\"\nto = \"/docs/gone\"\n[[sidebar]]\nid = \"b\"\n"),
        &[
            "siftwren.toml:9:6: there is no page `/docs/gone`; the link `Gone` takes the path of a page",
            "siftwren.toml:11:6: the content has no folder `b`; remove it here, or correct its name",
        ],
    );
}

#[test]
fn an_announcement_of_a_page_that_is_not_there() {
    let config =
        |href: &str| format!("{CONFIG}[announcement]\nid = \"x\"\ntext = \"New\"\nhref = \"{href}\"\n");
    check_files(
        &[],
        &config("/docs/gone#new"),
        &[
            "siftwren.toml:10:8: there is no page `/docs/gone#new`; the announcement takes the path of a page, or an address outside of this site",
        ],
    );
    for href in ["/", "/docs/a/good#there", "https://example.com/docs/gone"] {
        let folder = Folder::new(&[
            ("content/a/good.md", &page("Good", "## There {#there}\n")),
            ("siftwren.toml", &config(href)),
        ]);
        folder
            .run(&["check", "--content", "content", "--config", "siftwren.toml"])
            .assert_ok();
    }
}

#[test]
fn problems_of_many_files_come_in_one_run_and_in_order() {
    check_files(
        &[
            ("content/a/z.md", &page("Z", "[a](gone.md)\n")),
            ("content/a/b.md", &page("B", "<b>\n\n[a](gone.md)\n")),
        ],
        CONFIG,
        &[
            "content/a/b.md:7:1: raw HTML is refused; write Markdown, or one of the tags abbr, br, kbd, mark, sub, sup, details, summary, tabs, tab",
            "content/a/b.md:9:1: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page",
            "content/a/z.md:7:1: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page",
        ],
    );
}

#[test]
fn wrong_arguments_are_not_wrong_input() {
    let folder = Folder::new(&[("content/a.md", "# A\n"), ("out/mine.txt", "keep me")]);
    for (arguments, message) in [
        (
            &["build", "--content", "nowhere", "--out", "o"][..],
            "--content nowhere is not a folder",
        ),
        (
            &[
                "build",
                "--content",
                "content",
                "--config",
                "none.toml",
                "--out",
                "o",
            ],
            "--config none.toml is not a file",
        ),
        (
            &["build", "--content", "content", "--out", "out"],
            "out is not empty and was not written by this program",
        ),
        (&["build", "--content", "content"], "--out"),
        (&["query", "--index", "content", "x"], "content holds no index"),
        (&["query", "--index", "content"], "--queries"),
        (&["brew"], "brew"),
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, 2, "{run:?}");
        assert!(run.stderr.contains(message), "{run:?}");
    }
    assert_eq!(folder.read("out/mine.txt"), "keep me");
}

#[test]
fn what_cannot_be_written_or_read_is_a_failure_outside() {
    let folder = Folder::new(&[("content/a.md", "# A\n"), ("file", "")]);
    let run = folder.run(&["build", "--content", "content", "--out", "file/out"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(run.stderr.starts_with("indexer: cannot write file"), "{run:?}");
    let run = folder.run(&["query", "--index", "nothing.bin", "x"]);
    assert_eq!(run.code, 3, "{run:?}");
    assert!(
        run.stderr.starts_with("indexer: cannot read nothing.bin"),
        "{run:?}"
    );
}

#[test]
fn a_wrong_api_reference() {
    check_files(
        &[],
        &format!("{CONFIG}[[api]]\nroute = \"docs\"\ndocument = \"../api.yaml\"\nserver = \"ftp://x\"\n"),
        &[
            "siftwren.toml:8:9: `route` takes a path of letters, digits, `-`, `_` and `.` that starts with `/` and does not end with one",
            "siftwren.toml:9:12: `document` takes the path of a file beside this one or in a folder below it",
            "siftwren.toml:10:10: `server` takes an address that starts with https:// or http://",
        ],
    );
    let config = format!("{CONFIG}[[api]]\nroute = \"/docs/api\"\ndocument = \"api.yaml\"\n");
    check_files(&[], &config, &["siftwren.toml:9:12: there is no file `api.yaml`"]);
    check_files(
        &[("api.yaml", "openapi: 3.1.0\ninfo: {title: T\n")],
        &config,
        &[
            "api.yaml:3:1: the document is not valid YAML: while parsing a flow mapping, did not find expected ',' or '}'",
        ],
    );
    let document = "openapi: 3.1.0
info: {title: T, description: 'See [there](/docs/api/pets#feed_cat).'}
servers: [{url: https://pets.example}]
tags: [{name: pets}]
paths:
  /pets:
    get: {operationId: list_pets, tags: [pets], responses: {'200': {description: All.}}}
";
    let body = page(
        "Page",
        "[good](/docs/api/pets#list_pets) [bad](/docs/api/pets#feed_dog)\n",
    );
    check_files(
        &[("api.yaml", document), ("content/a/page.md", &body)],
        &config,
        &[
            "api.yaml:2:31: /docs/api/pets has no heading with the id `feed_cat`; it has `list_pets`",
            "content/a/page.md:7:34: /docs/api/pets has no heading with the id `feed_dog`; it has `list_pets`",
        ],
    );
}

/// A link to itself: it is there, and the system cannot say what it is.
#[cfg(unix)]
fn link_to_itself(folder: &Folder, path: &str) {
    let path = folder.path(path);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(path.file_name().unwrap(), &path).unwrap();
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_of_another_generator_is_not_taken_for_absent() {
    const HUGO: (&str, &str) = (
        "hugo.toml",
        "defaultContentLanguage = 'en'\n[languages.en]\n[languages.fr]\n",
    );
    const DOCUSAURUS: (&str, &str) = (
        "docusaurus.config.js",
        "module.exports = { i18n: { locales: ['en', 'fr'], defaultLocale: 'en' }, presets: [['classic', { docs: { path: 'content', sidebarPath: './sidebars' } }]] };\n",
    );
    const ASTRO: (&str, &str) = ("astro.config.mjs", "import { title } from './site.mjs';\n");
    const META: (&str, &str) = ("content/_meta.js", "export default { a: 'A' };\n");
    let translated = "i18n/fr/docusaurus-plugin-content-docs";
    let [pages, names, bar] = [
        format!("{translated}/current"),
        format!("{translated}/current.json"),
        "i18n/fr/docusaurus-theme-classic/navbar.json".to_owned(),
    ];
    for (files, content, path) in [
        (&[HUGO][..], "content", "config/_default"),
        (&[HUGO], "content", "config/_default/menus"),
        (&[HUGO], "content", "config/production/params.toml"),
        (&[HUGO], "content", "config/_default/menus/menu.en.toml"),
        (&[HUGO], "content", "content/en"),
        (&[HUGO], "content", "static/favicon.ico"),
        (&[], "content", "hugo.toml"),
        (&[], "content", "mkdocs.yml"),
        (&[], "content", "docusaurus.config.js"),
        (&[DOCUSAURUS], "content", "sidebars.js"),
        (&[DOCUSAURUS], "content", "static"),
        (&[DOCUSAURUS], "content", &pages),
        (&[DOCUSAURUS], "content", &names),
        (&[DOCUSAURUS], "content", &bar),
        (&[ASTRO], "src/content/docs", "site.mjs"),
        (&[], "content", "content/docs.json"),
        (&[], "content", "content/_meta.js"),
        (&[], "content", "content/a/_meta.js"),
        (&[META], "content", "content/package.json"),
        (&[META], "content", "lib/i18n.ts"),
        (&[], "app", "app/_meta.global.js"),
        (&[], "content", "book.toml"),
        (&[], "content", "myst.yml"),
        (&[("_toc.yml", "root: a\n")], "content", "_config.yml"),
        (&[("conf.py", "'myst_parser'\n")], "content", "content/index.md"),
        (&[], "content", "_config.yml"),
        (&[], "content", ".obsidian"),
    ] {
        let folder = Folder::new(files);
        for page in ["page.mdx", "a/b.md"] {
            folder.write(&format!("{content}/{page}"), b"# A\n");
        }
        link_to_itself(&folder, path);
        let run = folder.run(&["check", "--content", content]);
        let expected = format!("indexer: cannot read {path}: ");
        assert!(
            run.code == 3 && run.stderr.starts_with(&expected),
            "{path}: {run:?}"
        );
    }

    // A file in the place of a folder, and a link to what is not there among the parts of a configuration.
    let folder = Folder::new(&[HUGO, ("config/_default", ""), ("content/a.md", "# A\n")]);
    let run = folder.run(&["check", "--content", "content"]);
    assert!(
        run.stderr.starts_with("indexer: cannot read config/_default: "),
        "{run:?}"
    );
    let folder = Folder::new(&[HUGO, ("config/_default/notes", ""), ("content/a.md", "# A\n")]);
    let part = "config/_default/params.toml";
    std::os::unix::fs::symlink("gone.toml", folder.path(part)).unwrap();
    let run = folder.run(&["check", "--content", "content"]);
    assert!(
        run.stderr.starts_with(&format!("indexer: cannot read {part}: ")),
        "{run:?}"
    );

    // Below a file nothing is: this `config` is something else.
    let folder = Folder::new(&[HUGO, ("config", "#!/bin/sh\n"), ("content/a.md", "# A\n")]);
    folder.run(&["check", "--content", "content"]).assert_ok();
}

#[cfg(unix)]
#[test]
fn what_a_page_asks_of_a_file_that_cannot_be_read_is_told_with_the_reason() {
    const HUGO: (&str, &str) = ("hugo.toml", "title = 'T'\n");
    const DOCUSAURUS: (&str, &str) = (
        "docusaurus.config.js",
        "module.exports = { presets: [['classic', { docs: { path: 'content' } }]] };\n",
    );
    const MKDOCS: (&str, &str) = (
        "mkdocs.yml",
        "docs_dir: content\nmarkdown_extensions:\n- pymdownx.snippets:\n    base_path: [parts]\n",
    );
    for (files, page, path, expected) in [
        (
            &[HUGO][..],
            "A.\n\nOf {{< param version >}}.\n",
            "content/a/_index.md",
            "content/a/page.mdx:3:4: warning: cannot read content/a/_index.md: ",
        ),
        (
            &[DOCUSAURUS],
            "import { tabs } from './tabs.js';\n\n<Tabs values={tabs}>\n</Tabs>\n",
            "content/a/tabs.js",
            "content/a/page.mdx:3:14: warning: cannot read content/a/tabs.js: ",
        ),
        (
            &[MKDOCS, ("part.md", "Of another folder.\n")],
            "A.\n\n--8<-- \"part.md\"\n",
            "parts/part.md",
            "content/a/page.mdx:3:1: warning: cannot include `part.md`: ",
        ),
    ] {
        let folder = Folder::new(files);
        folder.write("content/a/page.mdx", page.as_bytes());
        link_to_itself(&folder, path);
        let run = folder.run(&["check", "--content", "content"]).assert_ok();
        let is_told = run
            .stderr
            .lines()
            .any(|line| line.starts_with(expected) && line.contains("symbolic link"));
        assert!(is_told, "{path}: {run:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_output_whose_manifest_cannot_be_read_is_not_taken_for_one_without() {
    let folder = Folder::new(&[("out/core.1.bin", "")]);
    link_to_itself(&folder, "out/manifest.json");
    let run = folder.run(&["query", "--index", "out", "x"]);
    let expected = "indexer: cannot read out/manifest.json: ";
    assert!(run.code == 3 && run.stderr.starts_with(expected), "{run:?}");
}
