//! Blocks that other generators read in another way than the parser: tables, lists of attributes, titles, and what plug-ins put into a text.

use crate::Folder;
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

#[test]
fn an_admonition_of_mkdocs_may_be_a_title_alone() {
    let text = "# A\n\n!!! warning \"Mind the gap\"\n\nText\n\n!!! note\nText behind.\n\n- !!! tip\n\n!!! note it \"a\" b\n\n!!!info \"I\"\n    Right behind\n\n!!! no, really\n";
    let folder = built(&[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\n"),
        ("content/a.md", text),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-warning" role="note"><p class="alert-title">Mind the gap</p>
    </div>
    <p>Text</p>
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    </div>
    <p>Text behind.</p>
    <ul>
    <li>!!! tip</li>
    </ul>
    <p>!!! note it &quot;a&quot; b</p>
    <div class="alert alert-note" role="note"><p class="alert-title">I</p>
    <p>Right behind</p>
    </div>
    <p>!!! no, really</p>
    "#);
    // Elsewhere it is text.
    let folder = built(&[("content/a.md", text)]);
    assert_eq!(html(&folder, "a").matches("alert-title").count(), 1);
}

const PLUGINS: &str = "site_name: X\ndocs_dir: content\nplugins:\n  - search\n  - macros:\n      x: !!python/name:y\n  - include-markdown\nextra:\n  version: 1.2\n  names:\n    short: sw\n  list: [a]\n";

#[test]
fn plug_ins_of_mkdocs_put_values_into_pages() {
    let page = "---\ntitle: Own\nrelease: r1\n---\n\n# A {{ version }}\n\n{{names.short}} {{ config.extra.names.short }} {{ config.site_name }} {{ page.title }} {{ page.meta.release }} {{ release }} {{ list }} {{ unknown }} {{ version | upper }} {{ version\n\n`{{ version }}` {% raw %}{{ version }}{% endraw %} {% raw %} {{ version }}\n\n```\n{{ version }}\n```\n";
    let folder = built(&[
        ("mkdocs.yml", PLUGINS),
        ("content/a.md", page),
        (
            "content/b.md",
            "---\nrender_macros: false\n---\n\n# B\n\n{{ version }}\n",
        ),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <p>sw sw X Own r1 r1 {{ list }} {{ unknown }} {{ version | upper }} {{ version</p>
    <p><code>1.2</code> {{ version }} {% raw %} 1.2</p>
    <div class="code" data-lang="text"><pre tabindex="0"><code>1.2
    </code></pre></div>
    "#);
    assert_eq!(html(&folder, "b"), "<p>{{ version }}</p>\n");
    for config in [
        "site_name: X\ndocs_dir: content\nextra:\n  version: 1\n".to_owned(),
        PLUGINS.replace("x: !!", "j2_variable_start_string: '[['\n      x: !!"),
    ] {
        let folder = built(&[
            ("mkdocs.yml", &config),
            ("content/a.md", "# A\n\n{{ version }}\n"),
        ]);
        assert_eq!(html(&folder, "a"), "<p>{{ version }}</p>\n");
    }
}

#[test]
fn plug_ins_of_mkdocs_put_files_into_pages() {
    let folder = built(&[
        ("mkdocs.yml", PLUGINS),
        (
            "README.md",
            "---\nx: y\n---\n# Read me\n\n<!--start-->\n[Guide](content/guide/b.md) {{ version }}\n\n## Part\n<!--end-->\nUnseen\n<!--start-->Again<!--end-->\n",
        ),
        (
            "content/a.md",
            "# A\n\n{%\n  include-markdown \"../README.md\"\n  start=\"<!--start-->\"\n  end=\"<!--end-->\"\n  heading-offset=1\n  comments=true\n%}\n\n- Item\n\n    {% include-markdown 'parts/p.md' rewrite-relative-urls=false %}\n\n```python\n{% include \"../x.py\" %}\n```\n",
        ),
        (
            "content/parts/p.md",
            "First\n\n{% include-markdown \"./q.md\" %}\n",
        ),
        ("content/parts/q.md", "[To b](../guide/b.md)\n"),
        ("content/guide/b.md", "# B\n"),
        ("x.py", "def f():\n    pass\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r##"
    <p><a href="/guide/b">Guide</a> 1.2</p>
    <h3 id="part"><a href="#part">Part</a></h3>
    <p>Again</p>
    <ul>
    <li><p>Item</p>
    <p>First</p>
    <p><a href="/guide/b">To b</a></p>
    </li>
    </ul>
    <div class="code" data-lang="python"><pre tabindex="0"><code><span class="h-k">def</span> <span class="h-f">f</span>():
        <span class="h-k">pass</span>
    </code></pre></div>
    "##);
}

#[test]
fn what_cannot_be_put_into_a_page_is_told() {
    let nested = "{% include-markdown \"loop.md\" %}".repeat(40);
    let folder = Folder::new(&[
        ("mkdocs.yml", PLUGINS),
        (
            "content/a.md",
            "# A\n\n{% include-markdown \"gone.md\" %}\n\n{% include-markdown \"/etc/passwd\" %}\n\n{% include-markdown \"https://example.com/x.md\" %}\n\n{% include-markdown \"b.md\" start=\"nowhere\" %}\n\n{% include-markdown \"loop.md\" %}\n\n{% include-markdown \"../../../../x.md\" %}\n\n{% include-markdown \"b.md\n\nEnd\n",
        ),
        ("content/b.md", "# B\n"),
        ("content/loop.md", &format!("# Loop\n\n{nested}\n")),
    ]);
    let run = folder.run(&["check", "--content", "content"]).assert_ok();
    let of_first: Vec<&str> = run
        .stderr
        .lines()
        .filter(|line| line.starts_with("content/a.md"))
        .collect();
    insta::assert_snapshot!(of_first.join("\n"), @"
    content/a.md:3:1: warning: cannot include `gone.md`: No such file or directory (os error 2); write its path from the content folder
    content/a.md:5:1: warning: `/etc/passwd` is an absolute path; write it from this file
    content/a.md:7:1: warning: `https://example.com/x.md` is not included: nothing is fetched; put the file beside this one and write its path
    content/a.md:9:1: warning: `b.md` has no text `nowhere`
    content/a.md:11:1: warning: `loop.md` is included by a file that it includes
    content/a.md:13:1: warning: `../../../../x.md` is too far above the content folder; put the file nearer to it
    ");
}
