//! Notes of Obsidian, and links between brackets elsewhere.

use crate::foreign_pages::{addresses, built, html};
use crate::other_generators::warnings;
use crate::{BUILD, Folder};

const VAULT: (&str, &str) = (".obsidian/app.json", "{}");
const GIF: &str = "GIF89a\u{3}\0\u{2}\0\0";

#[test]
fn notes_are_found_by_their_names() {
    let folder = built(&[
        VAULT,
        (
            "content/Start here.md",
            "[[Second note]], [[second note|the *second* one]], [[Deep/Second note#A heading#Within it]], [[Second note.md]],\n\
             [[#Local part]], [[./Deep/Third]], [[#^named]], [[#`Local` part|`code`]], [[#Local `part`]], [[`a]]`, `[[Second note]]`, \\[[Second note]] and [[*Second* note]](#local-part \"A title\").\n\n\
             | a | b |\n|---|---|\n| [[Second note\\|in a table]] | [[Second note|a]b]] |\n\n\
             ![[Second note]]\n\nA line. ^named\n\n## Local part\n\n```sh\nif [[ -f x ]]; then :; fi\n[[Second note]]\n```\n\n## Of [[Second note]]\n",
        ),
        ("content/Second note.md", "One\n"),
        (
            "content/Deep/Second note.md",
            "# Its own title\n\n## A heading\n\n### Within it\n\n[[Second note]], [[third]] and [[../Start here|up]].\n",
        ),
        ("content/Deep/Third.md", "Three\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "Start-here"), @r##"
    <p><a href="/Second-note">Second note</a>, <a href="/Second-note">the <em>second</em> one</a>, <a href="/Deep/Second-note#within-it">Deep/Second note &gt; A heading &gt; Within it</a>, <a href="/Second-note">Second note</a>,
    <a href="#local-part">Local part</a>, <a href="/Deep/Third">./Deep/Third</a>, <a href="#named">named</a>, <a href="#local-part"><code>code</code></a>, <a href="#local-part">Local part</a>, [[<code>a]]</code>, <code>[[Second note]]</code>, [[Second note]] and <a href="#local-part" title="A title">[<em>Second</em> note]</a>.</p>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: Start here"><table>
    <thead>
    <tr><th scope="col">a</th><th scope="col">b</th></tr>
    </thead>
    <tbody>
    <tr><td><a href="/Second-note">in a table</a></td><td><a href="/Second-note">a]b</a></td></tr>
    </tbody></table></div>
    <p><a href="/Second-note">Second note</a></p>
    <p>A line. <span id="named"></span></p>
    <h2 id="local-part"><a href="#local-part">Local part</a></h2>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-k">if</span> [[ -f x ]]; <span class="h-k">then</span> <span class="h-f">:</span>; <span class="h-k">fi</span>
    [[Second note]]
    </code></pre></div>
    <h2 id="of-second-note">Of <a href="/Second-note">Second note</a></h2>
    "##);
    insta::assert_snapshot!(html(&folder, "Deep/Second-note"), @r##"
    <h2 id="a-heading"><a href="#a-heading">A heading</a></h2>
    <h3 id="within-it"><a href="#within-it">Within it</a></h3>
    <p><a href="/Deep/Second-note">Second note</a>, <a href="/Deep/Third">third</a> and <a href="/Start-here">up</a>.</p>
    "##);
    assert_eq!(warnings(&folder, &[]), "");
    assert_eq!(folder.json("out/pages/Start-here.json")["title"], "Start here");
    let markdown = folder.markdown("Start-here");
    assert!(markdown.contains("[the second one](/Second-note.md), [Deep/Second note > A heading > Within it](/Deep/Second-note.md#within-it)"), "{markdown}");
    assert!(
        markdown.contains("and [[*Second* note]](#local-part \"A title\")."),
        "{markdown}"
    );
}

#[test]
fn pictures_and_files_are_found_by_their_names() {
    let folder = built(&[
        VAULT,
        (
            "content/a/b/c.md",
            "![[Pasted image.gif|40]] ![[pasted image.gif|A *flow*|40x30]] ![[files/Pasted image.gif]] [[Pasted image.gif]] [[rows.csv|rows]] ![[rows.csv]]\n",
        ),
        ("content/files/Pasted image.gif", GIF),
        ("content/files/rows.csv", "a\n"),
        ("content/rows.csv", "b\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "a/b/c"), @r##"<p><img src="/assets/Pasted-image.dbfe0adf974aac7c.gif" alt="Pasted image" width="40" loading="lazy" decoding="async"> <img src="/assets/Pasted-image.dbfe0adf974aac7c.gif" alt="A *flow*" width="40" loading="lazy" decoding="async"> <img src="/assets/Pasted-image.dbfe0adf974aac7c.gif" alt="Pasted image" loading="lazy" decoding="async"> <a href="/assets/Pasted-image.dbfe0adf974aac7c.gif">Pasted image.gif</a> <a href="/assets/rows.08a61e07b54dac5d.csv">rows</a> <a href="/assets/rows.08a61e07b54dac5d.csv">rows.csv</a></p>"##);
    assert_eq!(warnings(&folder, &[]), "");
    let markdown = folder.markdown("a/b/c");
    assert!(markdown.contains("# c\n\n![Pasted image](/assets/"), "{markdown}");
}

#[test]
fn names_may_have_signs_that_addresses_have_not() {
    let folder = built(&[
        VAULT,
        ("content/a.md", "![[100%25 <(x)>.gif]] [[Why? & \"how\"]]\n"),
        ("content/files/100%25 <(x)>.gif", GIF),
        ("content/Why? & \"how\".md", "Text\n"),
    ]);
    assert_eq!(warnings(&folder, &[]), "");
    let html = html(&folder, "a");
    assert!(html.starts_with("<p><img src=\"/assets/100-25"), "{html}");
    assert!(
        html.contains("<a href=\"/Why-----how-\">Why? &amp; &quot;how&quot;</a>"),
        "{html}"
    );
}

#[test]
fn of_several_with_a_name_one_is_meant() {
    let text = "[[one]] [[One]] [[o n.csv]] [[n.csv]] [[c/One]] [[c/n.csv]]\n";
    let folder = built(&[
        VAULT,
        ("content/a/b/page.md", text),
        ("content/a/page.md", text),
        ("content/a/a/d/One.md", "0\n"),
        ("content/a/b/One.md", "1\n"),
        ("content/a/b/c/One.md", "2\n"),
        ("content/x/one.md", "3\n"),
        ("content/a/b/c/n.csv", "4\n"),
        ("content/a/b/n.csv", "5\n"),
        ("content/x/n.csv", "6\n"),
        ("content/x/o n.csv", "7\n"),
        ("content/ben.csv", "8\n"),
    ]);
    let targets = |page: &str| -> Vec<String> {
        let html = html(&folder, page);
        let links = html.split("href=\"").skip(1);
        links
            .map(|link| link.split('"').next().unwrap().to_owned())
            .collect()
    };
    assert_eq!(targets("a/b/page")[..2], ["/x/one", "/a/b/One"]);
    assert_eq!(targets("a/page")[..2], ["/x/one", "/a/b/One"]);
    assert_eq!(targets("a/page")[4], "/a/b/c/One");
    let file = |page: &str, index: usize| {
        std::fs::read_to_string(folder.path(&format!("out{}", targets(page)[index]))).unwrap()
    };
    assert_eq!(
        [2, 3, 5].map(|index| file("a/b/page", index)),
        ["7\n", "5\n", "4\n"]
    );
    assert_eq!(
        [2, 3, 5].map(|index| file("a/page", index)),
        ["7\n", "6\n", "4\n"]
    );
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn what_a_note_names_and_nobody_has_is_shown_as_text() {
    let folder = built(&[
        VAULT,
        (
            "content/a.md",
            "Of [[Not *written*|this]], [[b#Gone]],\n![[gone.gif]] and [[Nobody]].\n",
        ),
        ("content/b.md", "B\n"),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<p>Of this, <a href=\"/b#gone\">b &gt; Gone</a>,\ngone and Nobody.</p>\n"
    );
    insta::assert_snapshot!(warnings(&folder, &[]), @r##"
    content/a.md:1:4: warning: there is no note or file `Not *written*`; write it, or take the brackets away
    content/a.md:1:28: warning: /b has no heading with the id `gone`; it has no headings
    content/a.md:2:1: warning: there is no note or file `gone.gif`; write it, or take the brackets away
    content/a.md:2:19: warning: there is no note or file `Nobody`; write it, or take the brackets away
    "##);
    folder.write("siftwren.toml", b"[content]\nbroken_links = \"error\"\n");
    let refused = folder.run(&BUILD);
    assert_eq!(refused.code, 1);
    assert!(
        refused
            .stderr
            .contains("content/a.md:2:19: there is no note or file `Nobody`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn marks_and_comments_of_notes() {
    let folder = built(&[
        VAULT,
        (
            "content/a.md",
            "==One *two*== a == b, ===, ==x and `==y==`. %%unseen%% 100%\n\n%%\n[[Nobody]]\n\n```js\nunseen()\n```\n%% End\n\n- Item ^of-it\n\n2^3 and ^ alone\n",
        ),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<p><mark>One <em>two</em></mark> a == b, ===, ==x and <code>==y==</code>.  100%</p>\n<p>End</p>\n<ul>\n<li>Item <span id=\"of-it\"></span></li>\n</ul>\n<p>2^3 and ^ alone</p>\n"
    );
    assert!(!folder.markdown("a").contains("unseen"));
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn formulas_of_notes_are_no_notes() {
    let folder = built(&[
        VAULT,
        (
            "content/a.md",
            "$a==b==c$, $[[n]]$ and\n\n$$\nx ^2\n[[n]] ==y== %%z%%\n$$\n\n$5 and [[n]] for 6 $, $ [[n]]$, \\$1 [[n]] 2\\$ $x\n[[n]]\n",
        ),
        ("content/n.md", "N\n"),
    ]);
    let html = html(&folder, "a");
    assert_eq!(html.matches("<math").count(), 3, "{html}");
    assert_eq!(html.matches("<a href=\"/n\">n</a>").count(), 4, "{html}");
    assert!(
        html.contains("<msup><mi>x</mi><mn>2</mn></msup><mo symmetric=\"false\" stretchy=\"false\">[</mo>"),
        "{html}"
    );
    // Of elements in a formula the signs would be seen.
    assert!(!html.contains("<mark>") && !html.contains("&lt;"), "{html}");
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn elsewhere_brackets_are_links_where_they_name_something() {
    let folder = built(&[
        (
            "content/Home.md",
            "# Home\n\n[[Getting Started]], [[The text|Getting-Started]], [[getting_started#A part]], [[nodiscard]], [[1, 2]], [[Home|]], ==a== %%b%% c ^d [[#A part]]\n\n<div>[[Home]]</div>\n\n!!! note\n    [[Home]]\n",
        ),
        ("content/Getting-Started.md", "# Begin\n\n## A part\n"),
    ]);
    assert_eq!(addresses(&folder), ["/Getting-Started", "/Home"]);
    insta::assert_snapshot!(html(&folder, "Home"), @r##"
    <p><a href="/Getting-Started">Getting Started</a>, <a href="/Getting-Started">The text</a>, <a href="/Getting-Started#a-part">getting_started &gt; A part</a>, [[nodiscard]], [[1, 2]], <a href="/Home">Home</a>, ==a== %%b%% c ^d [[#A part]]</p>
    <p>[[Home]]</p>
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    <p><a href="/Home">Home</a></p>
    </div>
    "##);
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn our_own_content_has_no_such_links() {
    let page = |title: &str, text: &str| {
        format!(
            "---\ntitle: {title}\ndescription: A page that says in at least seventy characters what it is about, so that it can be built.\nsection: A\ntype: how-to\n---\n\n{text}\n"
        )
    };
    let folder = built_strictly(&[
        ("content/a/one.md", &page("One", "[[two]] and ==b== %%c%%")),
        ("content/a/two.md", &page("Two", "Text.")),
    ]);
    assert_eq!(html(&folder, "docs/a/one"), "<p>[[two]] and ==b== %%c%%</p>\n");
}

fn built_strictly(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(files);
    folder.write(
        "siftwren.toml",
        b"[content]\nschema = \"siftwren\"\nroute_prefix = \"/docs\"\n[[sidebar]]\nid = \"a\"\ntitle = \"A\"\n",
    );
    folder.run(&BUILD).assert_ok();
    folder
}
