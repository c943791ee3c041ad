//! Pages of MDX: what is a program in them, and what is Markdown.

use crate::foreign_pages::{built, html};
use crate::other_generators::{sidebar, warnings};

#[test]
fn elements_whose_attributes_are_programs_stay_what_they_are() {
    let folder = built(&[
        (
            "content/a.mdx",
            "# A\n\n<img src=\"a.svg\" style={{float: 'right', margin: '0 0 1em'}} alt=\"An A\" />\n\n<div className=\"x\" style={{\n  display: 'flex',\n\n  gap: '1em'\n}}>\n\nSee <a style={{ color: \"red\" }} href=\"b.mdx\">B</a>, **or** <button onClick={async () => {\n  await go('b');\n}}>go</button>.\n\n</div>\n\nA<img src={clip} style={{ width: '50%' }}/>.\n",
        ),
        ("content/b.mdx", "# B\n"),
        ("content/a.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <p><img src="/assets/a.28f528bc9880d079.svg" alt="An A" width="6" height="4" loading="lazy" decoding="async"></p>
    <p>See <a href="/b">B</a>, <strong>or</strong> go.</p>
    <p>A.</p>
    "#);
    insta::assert_snapshot!(warnings(&folder, &[]), @"content/a.mdx:17:2: warning: the address `clip` is not shown: programs are not run; write it in quotes, or import the picture by name");
}

#[test]
fn imports_are_no_text_wherever_their_lines_end() {
    let folder = built(&[
        (
            "content/a.mdx",
            "---\ntitle: A\n---\n\n<!-- vale off -->\nimport Tabs from '@theme/Tabs'; import B from './_b.mdx';\n\n{/* One. */}\nimport\nC from './_c.mdx'\nimport {\n  d,\n  e\n} from './d'\n\n<B />\n\n<C />\n\nTo\nimport them, say so.\n",
        ),
        ("content/_b.mdx", "<!-- b -->\nimport X from 'x';\n\nThe *B*.\n"),
        ("content/_c.mdx", "The C.\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r"
    <p>The <em>B</em>.</p>
    <p>The C.</p>
    <p>To
    import them, say so.</p>
    ");
}

#[test]
fn a_hidden_title_gives_way_to_the_heading_of_the_text() {
    let folder = built(&[
        (
            "content/a.mdx",
            "---\ntitle: create\nhide_title: true\n---\n\n&nbsp;\n\n# `create()` it\n\nOne.\n\n## Two\n",
        ),
        (
            "content/b.mdx",
            "---\ntitle: B\nhide_title: true\nsidebar_label: The B\n---\n\n## The first\n\nOne.\n\n### Two\n",
        ),
        (
            "content/c.mdx",
            "---\ntitle: C\nhide_title: true\n---\n\nText.\n\n## One\n\n## Two\n",
        ),
        (
            "content/d.mdx",
            "---\ntitle: D\n---\n\n&nbsp;\n\n# The D\n\nOne.\n",
        ),
    ]);
    let shown = |page: &str| {
        let data = folder.json(&format!("out/pages/{page}.json"));
        format!("{}\n{}", data["title"].as_str().unwrap(), html(&folder, page))
    };
    insta::assert_snapshot!(["a", "b", "c", "d"].map(shown).join("\n"), @r##"
    create() it
    <p>One.</p>
    <h2 id="two"><a href="#two">Two</a></h2>

    The first
    <p>One.</p>
    <h2 id="two"><a href="#two">Two</a></h2>

    C
    <p>Text.</p>
    <h2 id="one"><a href="#one">One</a></h2>
    <h2 id="two"><a href="#two">Two</a></h2>

    D
    <p>One.</p>
    "##);
    assert_eq!(folder.read("out/root/a.md"), "# create() it\n\nOne.\n\n## Two\n");
    // Lists have the names that the pages say.
    let sidebar = sidebar(&folder);
    for entry in ["create /a\n", "The B /b\n", "C /c\n", "D /d\n"] {
        assert!(sidebar.contains(entry), "{sidebar}");
    }
}
