//! Whatever the Markdown is, a build ends, and what it writes is made of known elements and attributes only.

use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

use indexer::config::{Config, Generator};
use indexer::site::{self, Input};
use indexer::source::{Files, Folder, Source};
use proptest::prelude::*;

/// Pieces that have led renderers astray.
const FRAGMENTS: [&str; 164] = [
    "[[",
    "![[",
    "]]",
    "[[a]]",
    "[[a#\"><script>|",
    "[[javascript:x|",
    "==",
    "%%",
    " ^id\n",
    "\n",
    "\n\n",
    "  ",
    "\t",
    "# ",
    "## ",
    "###### ",
    "> ",
    "- ",
    "1. ",
    "- [x] ",
    "```",
    "~~~",
    "```bash\n",
    "```python title=\"<\"\n",
    "```http\n",
    "$",
    "$$",
    "\\text{<script>}",
    "\\href{javascript:x}{y}",
    "\\color{red}",
    "\\frac{1}{2}",
    "{",
    "}",
    "\\begin{matrix}a&b\\\\c\\end{matrix}",
    "^",
    "_",
    "<script>",
    "</script>",
    "<SCRIPT src=x>",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=x>",
    "<details>",
    "</details>",
    "<summary>",
    "</summary>",
    "<kbd>",
    "</kbd>",
    "<kbd onclick=x>",
    "<tabs>\n",
    "<tabs group='\"><script>'>\n",
    "<tab title='\"><script>'>\n",
    "</tab>\n",
    "</tabs>\n",
    "<Tabs groupId='\"><script>'>",
    "<TabItem label='\"><script>'>",
    "</TabItem>",
    "</Tabs>",
    "{/*",
    "*/}",
    "\nimport a\n",
    "<abbr title=\"",
    "<abbr title='\"><script>'>",
    "<br/>",
    "<sub>",
    "</sub>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "[a](",
    "](javascript:x)",
    "[x]: data:x\n",
    "[x]",
    "![",
    "](http://a/\"onclick=x)",
    "](#a '\"><b>')",
    ")",
    "<http://a\"b>",
    "<a@b.c>",
    "[^1]",
    "[^1]: ",
    "| a | b |\n|---|:-:|\n| c |",
    "|",
    "*",
    "**",
    "~~",
    "`",
    "&lt;script&gt;",
    "&#60;script&#62;",
    "{#id\"onclick=x}",
    "> [!NOTE]\n",
    "\n:::",
    "\n:::\n",
    "\n::::tip [<b>]\n",
    "\n  :::details <b>\n",
    "\n:::x\n",
    "https://a.b/\"onclick=x",
    "<div id=x>",
    "</div>",
    "<p>",
    "</p>",
    "<ul>",
    "<ol start=3>",
    "<li id='\"><script>'>",
    "<li id=b>",
    "</li>",
    "</ul>",
    "<table>",
    "<tr id=c>",
    "<td>",
    "<td><p>",
    "</td>",
    "</tr>",
    "</table>",
    "<a href='javascript:x'>",
    "<a href=\"http://a/'>",
    "<a href='//a'>",
    "<a name=x>",
    "</a>",
    "<b>",
    "</b>",
    "<code>",
    "</code>",
    "<pre>",
    "</pre>",
    "<h1>",
    "<h2 id=':x'>",
    "</h2>",
    "<blockquote>",
    "</blockquote>",
    "<hr>",
    "<img src=a.png width=3 alt='\"><b>'>",
    "<img src=http://a/b.png width=3px alt='\"><b>'>",
    "<iframe src='javascript:x' title='\"><b>'>",
    "</iframe>",
    "<Foo a={b}>",
    "</Foo>",
    "<T>",
    "\n    ",
    "\n!!! note \"<b>]\"\n    ",
    "\n??? x\n    ",
    "\n=== \"\"><b>\"\n    ",
    "\n/// tab | \"><b>\n",
    "\n/// note | <b>\n",
    "\n///\n",
    "\n::: code-group\n",
    "{{#include ",
    "}}",
    "\n<<< ./",
    "```js [\"><b>]\n",
    ": ",
    "a\n: b\n",
    ":c",
    "> [!note]- ",
    "> [!warning] x\n",
    "{{% alert %}}\n",
    "{{% /alert %}}\n",
    "{{< tabpane >}}",
    "{{< tab a >}}",
    "{{< /tab >}}{{< /tabpane >}}",
    "{{< figure src=\"a.png\" caption=\"<b>\" >}}",
    "{{< param a >}}",
];

const ELEMENTS: [&str; 45] = [
    "a",
    "abbr",
    "blockquote",
    "br",
    "button",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "img",
    "input",
    "kbd",
    "li",
    "mark",
    "math",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "tr",
    "ul",
    "semantics",
    "annotation",
];

const VOID: [&str; 4] = ["br", "hr", "img", "input"];

const ATTRIBUTES: [&str; 30] = [
    "alt",
    "aria-label",
    "checked",
    "class",
    "aria-controls",
    "aria-labelledby",
    "aria-selected",
    "data-group",
    "data-lang",
    "data-needs-js",
    "data-only-without-js",
    "data-tab",
    "decoding",
    "disabled",
    "display",
    "height",
    "href",
    "id",
    "loading",
    "role",
    "scope",
    "src",
    "start",
    "tabindex",
    "title",
    "type",
    "width",
    "open",
    "lang",
    "dir",
];

fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(&FRAGMENTS[..]).prop_map(str::to_owned),
        1 => "[a-zA-Zé<>&\"'/=:\\\\ ]{0,6}",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn build(name: &str, text: &str, config: &str) -> (site::Site, Vec<String>) {
    build_of(None, name, text, config)
}

fn build_of(generator: Option<Generator>, name: &str, text: &str, config: &str) -> (site::Site, Vec<String>) {
    let config_source = Source::new("siftwren.toml", "siftwren.toml", config);
    let (mut config, _) = Config::parse(&config_source);
    config.content.origin.generator = generator;
    let folder = Folder {
        sources: vec![Source::new(name, name, text)],
        files: Files::new(Path::new("."), []),
        summary: None,
        titles: BTreeMap::new(),
        list_files: Vec::new(),
    };
    let (site, problems) = site::build(&Input {
        folder,
        config,
        config_source,
        last_changes: Rc::default(),
        embedding: indexer::embed::Embedding::default(),
        api_documents: Vec::new(),
        components: indexer::components::Components::default(),
        brand: indexer::brand::Brand::default(),
        extras: site::Extras::default(),
    });
    (site, problems.iter().map(ToString::to_string).collect())
}

/// Panics unless `html` is balanced and has only what is listed.
fn assert_harmless(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        assert!(!rest[..at].contains('>'), "a `>` that ends no tag: {html}");
        rest = &rest[at + 1..];
        let end = rest
            .find('>')
            .unwrap_or_else(|| panic!("a tag without an end: {html}"));
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{html}");
            continue;
        }
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        let is_math = name.starts_with('m') && open.contains(&"math");
        assert!(is_math || ELEMENTS.contains(&name), "<{name}>: {html}");
        if let Some(before) = attributes.strip_suffix('/').filter(|_| is_math) {
            attributes = before;
        } else if !VOID.contains(&name) {
            open.push(name);
        }
        while !attributes.trim().is_empty() {
            attributes = attributes.trim_start();
            let end = attributes.find([' ', '=']).unwrap_or(attributes.len());
            let attribute = &attributes[..end];
            attributes = &attributes[end..];
            let is_known = ATTRIBUTES.contains(&attribute)
                || (is_math && attribute != "style" && !attribute.starts_with("on"));
            assert!(is_known, "{attribute} of <{name}>: {html}");
            if let Some(value) = attributes.strip_prefix("=\"") {
                let end = value.find('"').unwrap_or_else(|| panic!("an open value: {html}"));
                if matches!(attribute, "href" | "src") {
                    assert_address(&value[..end]);
                }
                attributes = &value[end + 1..];
            }
        }
    }
    assert!(!rest.contains('>'), "a `>` that ends no tag: {html}");
    assert_eq!(open, [""; 0], "{html}");
}

/// Panics unless every element may stand where it is. `html` is balanced.
fn assert_nested(html: &str) {
    let mut open: Vec<&str> = Vec::new();
    for tag in html.split('<').skip(1) {
        let name = tag.split([' ', '>']).next().unwrap_or_default();
        if name.starts_with('/') {
            open.pop();
            continue;
        }
        let is_math = open.contains(&"math");
        assert!(is_math || may_stand(name, &open), "<{name}> in {open:?}: {html}");
        let is_empty = VOID.contains(&name) || tag.split('>').next().is_some_and(|tag| tag.ends_with('/'));
        if !is_empty {
            open.push(name);
        }
    }
}

/// Whether an element may stand in those that are open, as far as browsers would mend it where it may not.
fn may_stand(name: &str, open: &[&str]) -> bool {
    let parent = open.last().copied().unwrap_or_default();
    let is_in_line = open.contains(&"p") || matches!(parent, "h2" | "h3" | "h4" | "h5" | "h6" | "summary");
    match name {
        "li" => matches!(parent, "ul" | "ol"),
        "tr" => matches!(parent, "thead" | "tbody"),
        "td" | "th" => parent == "tr",
        "thead" | "tbody" => parent == "table",
        "a" => !open.contains(&"a"),
        "p" | "div" | "ul" | "ol" | "table" | "pre" | "blockquote" | "hr" | "details" | "section" | "h2"
        | "h3" | "h4" | "h5" | "h6" => {
            !is_in_line && !matches!(parent, "ul" | "ol" | "table" | "thead" | "tbody" | "tr")
        }
        _ => !matches!(parent, "ul" | "ol" | "table" | "thead" | "tbody" | "tr"),
    }
}

fn assert_address(address: &str) {
    let known = ["https:", "http:", "mailto:"]
        .iter()
        .any(|scheme| address.to_lowercase().starts_with(scheme));
    let before_path = address.split(['/', '#', '?']).next().unwrap_or_default();
    assert!(known || !before_path.contains(':'), "{address}");
    assert!(!address.starts_with("//"), "{address}");
}

#[test]
fn the_check_sees_what_it_is_for() {
    for html in [
        "<script>",
        "<p onclick=\"x\"></p>",
        "<p>",
        "</p>",
        "<a href=\"javascript:x\"></a>",
        "<b>x</b>",
        "<math><mi style=\"x\"></mi></math>",
    ] {
        assert!(
            std::panic::catch_unwind(|| assert_harmless(html)).is_err(),
            "{html}"
        );
    }
    assert_harmless("<p><a href=\"/x\" title=\"&lt;\">a</a><br></p>");
    for html in [
        "<p><ul></ul></p>",
        "<ul><p></p></ul>",
        "<table><td></td></table>",
        "<a href=\"/x\"><em><a href=\"/y\"></a></em></a>",
        "<summary><details></details></summary>",
    ] {
        assert!(
            std::panic::catch_unwind(|| assert_nested(html)).is_err(),
            "{html}"
        );
    }
    assert_nested("<ul><li><p><br></p><img></li></ul><table><tbody><tr><td></td></tr></tbody></table>");
}

proptest! {
    #[test]
    fn no_note_panics_or_writes_unknown_markup(text in markdown()) {
        let (site, problems) = build_of(Some(Generator::Obsidian), "a.md", &text, "");
        assert_harmless(&site.pages[0].html());
        if problems.iter().all(|problem| problem.contains(" warning: ")) {
            assert_nested(&site.pages[0].html());
        }
    }

    #[test]
    fn no_markdown_panics_or_writes_unknown_markup(text in markdown()) {
        for config in ["[content]\nbroken_links = \"warn\"\n", "[content]\nschema = \"siftwren\"\n"] {
            for name in ["a.md", "a.mdx"] {
                let (site, problems) = build(name, &format!("# T\n\n{text}"), config);
                assert_harmless(&site.pages[0].html());
                // With an error in it a page is not shown.
                if problems.iter().all(|problem| problem.contains(" warning: ")) {
                    assert_nested(&site.pages[0].html());
                }
            }
        }
    }

    #[test]
    fn no_front_matter_panics(yaml in "(\\[|\\{|- |a: |\"|'|\\||>|&x|\\*x|!!|\\n|  |#|,|:|[a-z]){0,40}", body in "[a-z\\n#]{0,10}") {
        for config in ["", "[content]\nschema = \"siftwren\"\n"] {
            build("a.md", &format!("---\n{yaml}\n---\n{body}"), config);
        }
    }

    #[test]
    fn no_configuration_panics(toml in "(\\[|\\]|site|content|sidebar|=|\"|/|\\n|title|id|a|\\.|base|landing| ){0,40}") {
        build("a.md", "# T\n", &toml);
    }
}
