//! Pages of MDX: what is a program in them, and what is Markdown.

use crate::Folder;
use crate::foreign_pages::{DOCUSAURUS, built, html};
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
    assert_eq!(folder.markdown("a"), "# create() it\n\nOne.\n\n## Two\n");
    // Lists have the names that the pages say.
    let sidebar = sidebar(&folder);
    for entry in ["create /a\n", "The B /b\n", "C /c\n", "D /d\n"] {
        assert!(sidebar.contains(entry), "{sidebar}");
    }
}

/// The titles of the tabs of a page, with a star before those that are shown first.
fn tabs(folder: &Folder, page: &str) -> String {
    let html = html(folder, page);
    let buttons = html.split("<button ").skip(1).map(|button| {
        let (attributes, behind) = button.split_once('>').unwrap();
        let star = match attributes.contains("aria-selected=\"true\"") {
            true => "*",
            false => "",
        };
        format!("{star}{}", behind.split('<').next().unwrap())
    });
    buttons.collect::<Vec<_>>().join(", ")
}

#[test]
fn tabs_are_called_as_their_set_says() {
    let folder = built(&[
        ("docusaurus.config.js", DOCUSAURUS),
        (
            "content/a.md",
            "# A\n\n<Tabs groupId=\"os\" defaultValue=\"win\" values={[\n  {label: 'Mac, or so', value: 'mac'},\n  {\"value\": \"win\", label: `Windows`},\n  {label: <b>x</b>, value: 'c'},\n]}>\n<TabItem value=\"mac\">\n\nOne\n\n</TabItem>\n<TabItem value=\"win\" label=\"W\">\n\nTwo\n\n</TabItem>\n<TabItem value=\"c\">\n\nThree\n\n</TabItem>\n</Tabs>\n\nBehind.\n",
        ),
        (
            "content/b.md",
            "# B\n\n<Tabs>\n<TabItem value=\"one\">\n\nOne\n\n</TabItem>\n<TabItem value=\"two\" default>\n\nTwo\n\n</TabItem>\n</Tabs>\n",
        ),
    ]);
    assert_eq!(tabs(&folder, "docs/a"), "Mac, or so, *Windows, c");
    assert_eq!(tabs(&folder, "docs/b"), "one, *two");
    insta::assert_snapshot!(html(&folder, "docs/b"), @r#"
    <div class="tabs" data-ready><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="false" tabindex="-1" data-tab="one">one</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="true" data-tab="two">two</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="one" data-off><p class="tab-title" data-only-without-js>one</p>
    <p>One</p>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="two"><p class="tab-title" data-only-without-js>two</p>
    <p>Two</p>
    </section>
    </div>
    "#);
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn tabs_are_called_as_another_file_says() {
    let page = |modules: &str, set: &str| {
        format!(
            "{modules}\n\n# A\n\n<Tabs {set}>\n<TabItem value=\"a\">\n\nOne\n\n</TabItem>\n<TabItem value=\"b\">\n\nTwo\n\n</TabItem>\n</Tabs>\n"
        )
    };
    let import = "import Tabs from '@theme/Tabs'; import constants from '@site/core/constants';";
    let of_values = page(
        import,
        "values={constants.of.letters} defaultValue={constants.second}",
    );
    let folder = built(&[
        ("docusaurus.config.js", DOCUSAURUS),
        (
            "core/constants.tsx",
            "import { more } from './more';\nconst letters = [{label: 'The A', value: 'a'}, ...more];\nconst made = (all) => [\n  all.includes('b') ? {label: 'Made', value: 'b'} : undefined,\n].filter(Boolean);\nexport default { of: { letters }, made, second: 'b', unknown: letters.map(x => x) };\n",
        ),
        (
            "core/more.ts",
            "export const more = [{label: 'The B', value: 'b'}];\n",
        ),
        ("content/a.md", &of_values),
        (
            "content/made.mdx",
            &page(import, "values={constants.made(['b'])}"),
        ),
        (
            "content/own.mdx",
            &page(
                "export const letters = [\n  {label: 'Own', value: 'a'},\n];",
                "values={letters}",
            ),
        ),
        (
            "content/named.mdx",
            &page("import { more as b } from '../core/more';", "values={b}"),
        ),
        // What cannot be seen is called by its value.
        (
            "content/unknown.mdx",
            &page(import, "values={constants.unknown} defaultValue={constants.none}"),
        ),
        (
            "content/missing.mdx",
            &page("import constants from './nowhere';", "values={constants.a}"),
        ),
        (
            "content/part.mdx",
            "import Part from './parts/_part.mdx';\n\n# Part\n\n<Part />\n",
        ),
        ("content/parts/_part.mdx", &of_values.replace("# A\n", "")),
        ("content/code.mdx", &format!("# C\n\n```jsx\n{of_values}```\n")),
    ]);
    for (page, expected) in [
        ("a", "The A, *The B"),
        ("made", "*a, Made"),
        ("own", "*Own, b"),
        ("named", "*a, The B"),
        ("unknown", "*a, b"),
        ("missing", "*a, b"),
        ("part", "The A, *The B"),
        ("code", ""),
    ] {
        assert_eq!(tabs(&folder, &format!("docs/{page}")), expected, "{page}");
    }
    let code = html(&folder, "docs/code");
    assert!(code.contains("constants"), "{code}");
    assert_eq!(warnings(&folder, &[]), "");
    // Whoever follows the folder looks at these files, too.
    let inputs = folder.inputs();
    for file in ["core/constants.tsx", "core/more.ts"] {
        assert!(inputs.iter().any(|path| path.ends_with(file)), "{inputs:?}");
    }
}

#[test]
fn a_line_of_an_element_is_markdown() {
    let text = "---\ntitle: A\n---\n\n<details>\n<summary>**One** `two*` [b](b.mdx)</summary>\n\nText.\n\n</details>\n\n<table>\n<tr><td>_x_ &lt; ~~y~~</td><td><b>*z*</b> \\*w\\*</td></tr>\n<tr><td><code>**c**</code></td><td>![i](i.svg)</td></tr>\n</table>\n\n<p>- no *list*</p>\n\n<pre>\n**d**\n</pre>\n\n<div>\n  **e**\n  - f\n</div>\n";
    let other = [
        ("content/b.mdx", "# B\n"),
        ("content/i.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
    ];
    let folder = built(&[[("content/a.mdx", text)].as_slice(), &other].concat());
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <details><summary><strong>One</strong> <code>two*</code> <a href="/b">b</a>
    </summary><p>Text.</p>
    </details><div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: A"><table>
    <tbody>
    <tr><td><em>x</em> &lt; <del>y</del></td><td><strong><em>z</em></strong> *w*</td></tr>
    <tr><td><code>**c**</code></td><td><img src="/assets/i.28f528bc9880d079.svg" alt="i" width="6" height="4" loading="lazy" decoding="async"></td></tr>
    </tbody></table></div>
    <p>- no <em>list</em></p>
    <div class="code" data-lang="text"><pre tabindex="0"><code>**d**
    </code></pre></div>
    <p>**e**
    - f</p>
    "#);
    assert_eq!(warnings(&folder, &[]), "");

    // In HTML that is not of MDX it is text.
    let folder = built(&[("content/a.md", "# A\n\n<p>**One**</p>\n")]);
    assert_eq!(html(&folder, "a"), "<p>**One**</p>\n");
}
