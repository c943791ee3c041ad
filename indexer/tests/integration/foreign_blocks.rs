//! Blocks that other generators read in another way than the parser: tables, lists of attributes and titles.

use crate::foreign_pages::{built, html};
use crate::other_generators::warnings;

/// The HTML of a page of Jekyll, of which all is shown that is no table.
fn of_jekyll(config: &str, body: &str) -> String {
    let page = format!("---\ntitle: A\n---\n\n{body}");
    let folder = built(&[
        ("_config.yml", &format!("title: X\n{config}")),
        ("content/a.md", &page),
    ]);
    rows(&html(&folder, "content/a"))
}

/// Tables with a line for each row.
fn rows(html: &str) -> String {
    let mut rows = String::new();
    for line in html.lines() {
        if line.starts_with("<div class=\"table-scroll\"") {
            rows.push_str("<table>\n");
        } else if line.starts_with("<tr>") || !line.contains("thead") && !line.contains("tbody") {
            rows.push_str(&format!("{}\n", line.replace(" scope=\"col\"", "")));
        }
    }
    rows
}

#[test]
fn tables_of_jekyll_are_those_of_kramdown() {
    // Lines in code end no cell, and no row loses a cell.
    insta::assert_snapshot!(of_jekyll("", "| A | B |\n|:--|---|\n| `a|b` | <code>c|d</code> |\n| e \\| f | `` g|`h `` | `i\\|j` |\n| k \\`l | m` |\n{: .table }\n\n`A|B` | C\n---|---\nd | e\n"), @r#"
    <table>
    <tr><th class="left">A</th><th>B</th><td></td></tr>
    <tr><td class="left"><code>a|b</code></td><td><code>c|d</code></td><td></td></tr>
    <tr><td class="left">e | f</td><td><code>g|`h</code></td><td><code>i|j</code></td></tr>
    <tr><td class="left">k `l</td><td>m`</td><td></td></tr>
    <table>
    <tr><th><code>A|B</code></th><th>C</th></tr>
    <tr><td>d</td><td>e</td></tr>
    "#);
    // Without a head, below a ruler, with several rows in a head, and with a foot.
    insta::assert_snapshot!(of_jekyll("", "a | `b|c`\nd | e\n{: .x}\n\n|---+---|\n| f | g |\n|---+--:|\n| h | i |\n|---+---|\n| j | k |\n|===+===|\n| l | m |\n\n| n | o |\n| p | q |\n|---|---|\n| r | s |\n"), @r#"
    <table>
    <tr><td>a</td><td><code>b|c</code></td></tr>
    <tr><td>d</td><td>e</td></tr>
    <table>
    <tr><th>f</th><th class="right">g</th></tr>
    <tr><td>h</td><td class="right">i</td></tr>
    <tr><td>j</td><td class="right">k</td></tr>
    <tr><td>l</td><td class="right">m</td></tr>
    <table>
    <tr><th>n</th><th>o</th></tr>
    <tr><td>p</td><td>q</td></tr>
    <tr><td>r</td><td>s</td></tr>
    "#);
    insta::assert_snapshot!(of_jekyll("", "| A\t| B\t|\n|:---\t|---\t|\n| c\t| d |\n"), @r#"
    <table>
    <tr><th class="left">A</th><th>B</th></tr>
    <tr><td class="left">c</td><td>d</td></tr>
    "#);
    // In quotes and lists.
    insta::assert_snapshot!(of_jekyll("", "> | a | b |\n> | c | d |\n\n1. Item\n\n   e | f\n   g | h\n"), @"
    <blockquote>
    <table>
    <tr><td>a</td><td>b</td></tr>
    <tr><td>c</td><td>d</td></tr>
    </blockquote>
    <ol>
    <li><p>Item</p>
    <table>
    <tr><td>e</td><td>f</td></tr>
    <tr><td>g</td><td>h</td></tr>
    </li>
    </ol>
    ");
    // Text is what has a line without a sign, no empty line around it, code alone, or a head alone.
    insta::assert_snapshot!(of_jekyll("", "a | b\nc\n\n`d|e`\n\nf \\| g\n\n## H\ni | j\n\nk | l\n- m\n\n| n |\n|---|\n\n```\no | p\n```\n\n<div>\nq | r\n</div>\n"), @r##"
    <p>a | b
    c</p>
    <p><code>d|e</code></p>
    <p>f | g</p>
    <h2 id="h"><a href="#h">H</a></h2>
    <p>i | j</p>
    <p>k | l</p>
    <ul>
    <li>m</li>
    </ul>
    <table>
    <tr><th>n</th></tr>
    </table></div>
    <div class="code" data-lang="text"><pre tabindex="0"><code>o | p
    </code></pre></div>
    <p>q | r</p>
    "##);
    // Who reads Markdown as GitHub does reads tables so.
    insta::assert_snapshot!(of_jekyll("markdown: CommonMarkGhPages\n", "a | b\nc | d\n"), @"
    <p>a | b
    c | d</p>
    ");
}

#[test]
fn wide_and_long_tables_end() {
    let wide = format!("{}\n|---|\n{}", "| ".repeat(5_000), "| a |\n".repeat(200));
    let ticks = format!("a | {}\n---|---\nb | c\n", "`a`` ".repeat(20_000));
    let html = of_jekyll("", &format!("{wide}\n{ticks}\n{}", "<code>|".repeat(20_000)));
    assert!(html.contains("<td>a</td>"));
}

#[test]
fn tables_of_mkdocs_have_code_with_lines_in_it() {
    let folder = built(&[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\n"),
        (
            "content/a.md",
            "# A\n\n| `A|B` | C |\n|---|---|\n| `a|b` | c |\n\nd | e\nf | g\n",
        ),
    ]);
    insta::assert_snapshot!(rows(&html(&folder, "a")), @"
    <table>
    <tr><th><code>A|B</code></th><th>C</th></tr>
    <tr><td><code>a|b</code></td><td>c</td></tr>
    <p>d | e
    f | g</p>
    ");
}

#[test]
fn lists_of_attributes_of_hugo_are_not_shown() {
    let page = "---\ntitle: A\n---\n\nText\n{.lead}\nbehind [q](#quote) [t](#table)\n\n> Quote\n{.quote #quote cite=\"https://example.com\"}\n\n> Inner\n> {.inner}\n\n- a\n{.list}\n- b\n{ .list, data-x=1 }\n\n| A |\n|---|\n| b |\n{.table #table}\n\n```js\n{.code}\n```\n{.code}\n\n{.alone}\n\nText {.not} and `{.code}`\n\n{notatall}\n\n## H {#own .class key=\"v\"}\n";
    let built = |config: &str| {
        let folder = built(&[("hugo.yaml", config), ("content/a.md", page)]);
        assert_eq!(
            warnings(&folder, &[]).matches("no heading").count(),
            if config.contains("true") { 0 } else { 2 }
        );
        html(&folder, "a")
    };
    insta::assert_snapshot!(rows(&built("title: X\nmarkup:\n  goldmark:\n    parser:\n      attribute:\n        block: true\n")), @r##"
    <p>Text</p>
    <p>behind <a href="#quote">q</a> <a href="#table">t</a></p>
    <blockquote>
    <p>Quote
    <span id="quote"></span></p>
    </blockquote>
    <blockquote>
    <p>Inner</p>
    </blockquote>
    <ul>
    <li>a</li>
    <li>b</li>
    </ul>
    <table>
    <tr><th>A</th></tr>
    <tr><td>b</td></tr>
    <span id="table"></span><div class="code" data-lang="javascript"><pre tabindex="0"><code>{.code}
    </code></pre></div>
    <p>Text {.not} and <code>{.code}</code></p>
    <p>{notatall}</p>
    <h2 id="own"><a href="#own">H</a></h2>
    "##);
    // Without a word about it they are text there, too.
    assert!(built("title: X\n").contains("{.lead}"));
    let folder = crate::foreign_pages::built(&[
        ("config/_default/hugo.toml", "title = 'X'\n"),
        (
            "config/_default/markup.toml",
            "[goldmark.parser.attribute]\nblock = true\n",
        ),
        ("content/a.md", "---\ntitle: A\n---\n\nText\n{.lead}\n"),
    ]);
    assert_eq!(html(&folder, "a"), "<p>Text</p>\n");
}

#[test]
fn code_in_titles_is_code() {
    let folder = built(&[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\n"),
        (
            "content/a.md",
            "# A\n\n!!! note \"Use `a<b>` and **c**\"\n    Body\n\n??? tip \"`d`\"\n    Body\n\n=== \"`pip`\"\n\n    A\n\n=== \"uv *x*\"\n\n    B\n",
        ),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-note" role="note"><p class="alert-title">Use <code>a&lt;b&gt;</code> and c</p>
    <p>Body</p>
    </div>
    <details><summary><code>d</code></summary><p>Body</p>
    </details><div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="pip"><code>pip</code></button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="uv-x">uv x</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="pip"><p class="tab-title" data-only-without-js><code>pip</code></p>
    <p>A</p>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="uv-x"><p class="tab-title" data-only-without-js>uv x</p>
    <p>B</p>
    </section>
    </div>
    "#);
    let items = folder.read("out/items.ndjson");
    assert!(
        items.contains("Use a<b> and c") && items.contains("pip") && !items.contains(['\u{4}', '`']),
        "{items}"
    );
    let folder = built(&[(
        "content/a.md",
        "# A\n\n:::note[Use `a`]\nText\n:::\n\n::: details Use `b` *now*\nText\n:::\n\n> [!TIP] Use `c`\n> Text\n",
    )]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-note" role="note"><p class="alert-title">Use <code>a</code></p>
    <p>Text</p>
    </div>
    <details><summary>Use <code>b</code> now</summary><p>Text</p>
    </details><div class="alert alert-tip" role="note"><p class="alert-title">Use <code>c</code></p>
    <p>Text</p>
    </div>
    "#);
}
