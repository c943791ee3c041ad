//! Pages and lists of MyST, Jupyter Book and Sphinx.

use crate::Folder;
use crate::foreign_pages::{addresses, built, html};
use crate::other_generators::{BUILD_PLAIN, sidebar, warnings};

const MYST: &str = "version: 1\nproject:\n  title: A project\n  references:\n    spec: https://spec.example/docs/\n    other:\n      url: https://other.example\n";

#[test]
fn what_has_a_name_is_linked_from_anywhere() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/index.md",
            "(top)=\n# The start\n\n{ref}`top`, [](#part_one), [here](part_one), [](./sub/two.md), [](sub/two.md#Fig_1), {ref}`the *end* <tail>`,\n\
             {doc}`sub/two`, {term}`Recall`, {term}`Nothing`, <project:#part_one>, [](wiki:Information_retrieval), [a](doi:10.1/b),\n\
             [](xref:spec/ast#x), [b](xref:other), [Equation %s](#eq_1), [The {name}](#part_one).\n\n![](#fig_1)\n\n(Part_One)=\n## Part *one*\n",
        ),
        (
            "content/sub/two.md",
            "---\ntitle: Two\n---\n\n(fig_1)=\n```{figure} a.svg\n:alt: A\nA caption\n```\n\n$$ a $$ (eq_1)\n\n(tail)=\nThe tail. See {ref}`top` and [](#fig_1).\n\n\
             :::{glossary}\nRecall\n  What was found.\n:::\n",
        ),
        ("content/sub/a.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
    ]);
    assert_eq!(
        html(&folder, "index"),
        "<span id=\"top\"></span><p><a href=\"#top\">The start</a>, <a href=\"#part-one\">Part one</a>, <a href=\"#part-one\">here</a>, <a href=\"/sub/two\">Two</a>, <a href=\"/sub/two#fig-1\">Figure 1</a>, <a href=\"/sub/two#tail\">the *end*</a>,\n<a href=\"/sub/two\">Two</a>, <a href=\"/sub/two#term-recall\">Recall</a>, Nothing, <a href=\"#part-one\">Part one</a>, <a href=\"https://en.wikipedia.org/wiki/Information_retrieval\">Information retrieval</a>, <a href=\"https://doi.org/10.1/b\">a</a>,\n<a href=\"https://spec.example/docs/ast\">https://spec.example/docs/ast</a>, <a href=\"https://other.example/\">b</a>, <a href=\"/sub/two#eq-1\">Equation 1</a>, <a href=\"#part-one\">The Part one</a>.</p>\n<p><a href=\"/sub/two#fig-1\">Figure 1</a></p>\n<h2 id=\"part-one\"><a href=\"#part-one\">Part <em>one</em></a></h2>\n"
    );
    assert_eq!(
        html(&folder, "sub/two"),
        "<span id=\"fig-1\"></span><p><img src=\"/assets/a.28f528bc9880d079.svg\" alt=\"A\" width=\"6\" height=\"4\" loading=\"lazy\" decoding=\"async\"></p>\n<p><strong>Figure 1:</strong> A caption</p>\n<span id=\"eq-1\"></span><div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mi>a</mi></math><span class=\"math-tag\">(1)</span></div>\n<span id=\"tail\"></span><p>The tail. See <a href=\"/\">The start</a> and <a href=\"#fig-1\">Figure 1</a>.</p>\n<dl>\n<dt><span id=\"term-recall\"></span>Recall</dt>\n<dd>What was found.</dd>\n</dl>\n"
    );
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn figures_tables_and_equations_have_numbers() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/a.md",
            "# A\n\n{eq}`b`, {numref}`Fig. %s <c>`, {numref}`c`, [](#d), [the {number}st](#d), [](#e), [See %s](#h).\n\n\
             $$ x $$\n\n$$\nx\n$$ (b)\n\n```{figure} c.svg\n:name: c\n```\n\n```{list-table} Of *all*\n:name: d\n* - x\n```\n\n\
             ```{csv-table}\n:name: g\nx\n```\n\n(h)=\n## H\n\nBeside $$y \\tag{*}$$ words.\n",
        ),
        (
            "content/b.md",
            "# B\n\n[](#b)\n\n```{math}\n:label: e\nx \\tag{7a}\n```\n\n\\begin{equation}\n\\label{f}\nx\n\\end{equation}\n\n@f\n\n```{figure} c.svg\n:name: h\nNo number: another page has the name.\n```\n",
        ),
        ("content/c.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<p><a href=\"#b\">(1)</a>, <a href=\"#c\">Fig. 1</a>, <a href=\"#c\">Figure 1</a>, <a href=\"#d\">Table 1</a>, <a href=\"#d\">the 1st</a>, <a href=\"/b#e\">(7a)</a>, <a href=\"#h\">See</a>.</p>\n<div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mi>x</mi></math></div>\n<span id=\"b\"></span><div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mi>x</mi></math><span class=\"math-tag\">(1)</span></div>\n<span id=\"c\"></span><p><img src=\"/assets/c.28f528bc9880d079.svg\" alt=\"\" width=\"6\" height=\"4\" loading=\"lazy\" decoding=\"async\"></p>\n<p><strong>Figure 1</strong></p>\n<span id=\"d\"></span><p><strong>Table 1:</strong> <strong>Of <em>all</em></strong></p>\n<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table 1: A\"><table>\n<tbody>\n<tr><td><p>x</p>\n</td></tr>\n</tbody></table></div>\n<span id=\"g\"></span><p><strong>Table 2</strong></p>\n<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table 2: A\"><table>\n<tbody>\n<tr><td>x</td></tr>\n</tbody></table></div>\n<h2 id=\"h\"><a href=\"#h\">H</a></h2>\n<p>Beside <span class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mi>y</mi></math><span class=\"math-tag\">(*)</span></span> words.</p>\n"
    );
    assert_eq!(
        html(&folder, "b"),
        "<p><a href=\"/a#b\">(1)</a></p>\n<span id=\"e\"></span><div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mi>x</mi></math><span class=\"math-tag\">(7a)</span></div>\n<span id=\"f\"></span><div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><mtable class=\"menv-with-eqn\"><mtr><mtd><mi>x</mi></mtd></mtr></mtable></math><span class=\"math-tag\">(1)</span></div>\n<p>@f</p>\n<span id=\"h\"></span><p><img src=\"/assets/c.28f528bc9880d079.svg\" alt=\"\" width=\"6\" height=\"4\" loading=\"lazy\" decoding=\"async\"></p>\n<p> No number: another page has the name.</p>\n"
    );
}

#[test]
fn what_nobody_is_called_is_a_link_to_nowhere() {
    let folder = Folder::new(&[
        ("content/myst.yml", MYST),
        (
            "content/a.md",
            "# A\n\n[](#gone)\n\n{doc}`gone`\n\n[](xref:gone#x)\n\n```{mine}\nText\n```\n\n```{autoclass} b\n```\n\n[a](number:gone)\n",
        ),
    ]);
    let run = folder.build_strictly();
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stderr,
        "content/a.md:3:1: nothing has the label `gone`; write `(gone)=` above what it should lead to\ncontent/a.md:5:1: there is no page `gone`; write the path of a file from this one, such as `./other.md`, or of a page\ncontent/a.md:7:1: the address `xref:gone#x` is refused; use https:, http:, mailto: or a path\ncontent/a.md:16:1: the address `number:gone` is refused; use https:, http:, mailto: or a path\nindexer: 4 problems found\nindexer: 4 of them would be warnings with `broken_links = \"warn\"` below `[content]` in siftwren.toml\n"
    );
    // Without a word about it they are none.
    assert_eq!(
        warnings(&folder, &[]),
        "content/a.md:1:1: warning: components are not known here; of mine only what stands between the tags is shown\ncontent/a.md:3:1: warning: nothing has the label `gone`; write `(gone)=` above what it should lead to\ncontent/a.md:5:1: warning: there is no page `gone`; write the path of a file from this one, such as `./other.md`, or of a page\ncontent/a.md:7:1: warning: the address `xref:gone#x` is refused; use https:, http:, mailto: or a path\ncontent/a.md:13:1: warning: `{autoclass}` is left out: programs are not run, and only Markdown is read\ncontent/a.md:16:1: warning: the address `number:gone` is refused; use https:, http:, mailto: or a path\n"
    );
}

#[test]
fn files_are_brought_in() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/a.md",
            "# A\n\n```{include} parts/b.md\n```\n\n- c\n\n  ```{literalinclude} ../code/d.py\n  :start-after: begin\n  :end-before: end\n  :emphasize-lines: 2\n  :caption: D\n  :name: the_d\n  ```\n\n  [](#the_d)\n\n\
             ```{literalinclude} ../code/d.py\n:lines: 1,4-\n:language: text\n```\n\n```{include} ../code/d.py\n:literal:\n:start-line: 1\n:end-line: 2\n```\n\n````{myst}\n```{include} gone.md\n```\n````\n",
        ),
        (
            "content/parts/b.md",
            "---\ntitle: Not seen\n---\n\n:::{tip}\nBrought {kbd}`in`.\n:::\n",
        ),
        ("code/d.py", "import e\n# begin\nf = 1\ng = 2\n# end\n"),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<div class=\"alert alert-tip\" role=\"note\"><p class=\"alert-title\">Tip</p>\n<p>Brought <kbd>in</kbd>.</p>\n</div>\n<ul>\n<li><p>c</p>\n<span id=\"the-d\"></span><figure class=\"code\" data-lang=\"python\"><figcaption>D</figcaption><pre tabindex=\"0\"><code>f = <span class=\"h-n\">1</span>\n<mark>g = <span class=\"h-n\">2</span>\n</mark></code></pre></figure>\n<p><a href=\"#the-d\">Code</a></p>\n</li>\n</ul>\n<div class=\"code\" data-lang=\"text\"><pre tabindex=\"0\"><code>import e\ng = 2\n# end\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code><span class=\"h-c\"># begin</span>\n</code></pre></div>\n<div class=\"code\" data-lang=\"markdown\"><pre tabindex=\"0\"><code>```<span class=\"h-s\">{include} gone.md</span>\n```\n</code></pre></div>\n"
    );
    folder.write("content/a.md", b"# A\n\n:::{include} gone.md\n:::\n");
    let run = folder.build_strictly();
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stderr,
        "content/a.md:3:1: cannot include `gone.md`: No such file or directory (os error 2); write its path from this file\nindexer: 1 problem found\nindexer: 1 of them would be warnings with `broken_links = \"warn\"` below `[content]` in siftwren.toml\n"
    );
}

#[test]
fn parts_of_files_that_are_not_there_are_named() {
    for (option, message) in [
        (":lines: a-b", "`b.py` has no part `a-b`"),
        (":start-after: c", "`b.py` has no line with `c`"),
        (":end-at: c", "`b.py` has no line with `c`"),
    ] {
        let page = format!("# A\n\n```{{literalinclude}} b.py\n{option}\n```\n");
        let folder = Folder::new(&[
            ("content/myst.yml", MYST),
            ("content/a.md", &page),
            ("content/b.py", "x\n"),
        ]);
        let run = folder.build_strictly();
        assert_eq!(run.code, 1, "{option}");
        assert!(
            run.stderr.starts_with(&format!("content/a.md:3:1: {message}")),
            "{}",
            run.stderr
        );
    }
}

#[test]
fn labels_of_any_heading_and_in_any_script_are_found() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/a.md",
            "# A\n\n(second)=\n# B\n\n(図-一)=\n```\nc\n```\n\n(図-二)=\nText\n\n## Term one\n\n[d](#term-one) [%s](https://e.example)\n",
        ),
        (
            "content/b.md",
            "---\ntitle: Own\n---\n\n(other)=\n# C\n\n[](#second) [](#図-一) [](#図-二) [](#other) {term}`再現` {term}`2 f`\n\n```{glossary}\n再現\n: g\n\n2 f\n: h\n```\n",
        ),
    ]);
    let page = html(&folder, "b");
    for link in [
        "<a href=\"/a#second\">B</a>",
        "<a href=\"/a#%E5%9B%B3-%E4%B8%80\">Code</a>",
        "<a href=\"/a#%E5%9B%B3-%E4%BA%8C\">図-二</a>",
        "<a href=\"#other\">C</a>",
        "<a href=\"#term-%E5%86%8D%E7%8F%BE\">再現</a>",
        "<a href=\"#term-2-f\">2 f</a>",
    ] {
        assert!(page.contains(link), "{link} in {page}");
    }
    let page = html(&folder, "a");
    assert!(
        page.contains("<a href=\"#term-one\">d</a> <a href=\"https://e.example\">%s</a>"),
        "{page}"
    );
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn the_list_of_myst_puts_pages_in_order() {
    let folder = built(&[
        (
            "content/myst.yml",
            "version: 1\nproject:\n  title: A project\n  toc:\n    - file: index.md\n    - title: Guides\n      children:\n        - file: guides/two.md\n          title: Another name\n          children:\n            - file: guides/one.md\n        - file: guides/book.ipynb\n        - pattern: 'more/*.md'\n        - url: https://a.example\n          title: Elsewhere\n        - file: hidden.md\n          hidden: true\n    - file: last.md\n      children:\n        - file: lower.md\n    - {}\nsite:\n  title: A site\n  options:\n    logo: logo.svg\n",
        ),
        ("content/logo.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
        ("content/index.md", "# Start\n"),
        ("content/README.md", "# Of the files\n"),
        ("content/guides/one.md", "# One\n"),
        ("content/guides/two.md", "# Two\n"),
        (
            "content/guides/book.ipynb",
            r##"{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "# A book"}]}"##,
        ),
        ("content/more/x.md", "# X\n"),
        ("content/hidden.md", "# Hidden\n"),
        ("content/last.md", "# Last\n"),
        ("content/lower.md", "# Lower\n"),
    ]);
    assert_eq!(
        sidebar(&folder),
        ": A site -\n  Start /\n  Last /last\n    Lower /lower\nguides: Guides -\n  Another name /guides/two\n    One /guides/one\n  A book /guides/book\n  X /more/x\n"
    );
    assert_eq!(
        addresses(&folder),
        [
            "/",
            "/guides/book",
            "/guides/one",
            "/guides/two",
            "/hidden",
            "/last",
            "/lower",
            "/more/x",
            "/readme"
        ]
    );
    assert_eq!(folder.json("out/manifest.json")["site"]["title"], "A site");
    assert_eq!(folder.inputs(), ["content/logo.svg", "content/myst.yml"]);
    assert_eq!(
        warnings(&folder, &[]),
        "content/myst.yml:21:7: warning: this is left out: a list has pages, `file: start.md`, and groups of them, not a table\n"
    );
}

#[test]
fn the_list_of_a_book_puts_pages_in_order() {
    let pages = [
        ("content/intro.md", "# Welcome\n"),
        ("content/one.md", "# One\n\n## What's new?\n"),
        ("content/two.md", "# Two\n\n[](one.md#what-s-new)\n"),
        ("content/three.md", "# Three\n"),
    ];
    let with = |list| {
        let mut files = vec![
            ("_toc.yml", list),
            ("_config.yml", "title: A book\nlogo: logo.svg\n"),
            ("logo.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
        ];
        files.extend(pages);
        let folder = built(&files);
        assert_eq!(folder.json("out/manifest.json")["site"]["title"], "A book");
        (sidebar(&folder), warnings(&folder, &[]))
    };
    let parts = "format: jb-book\nroot: content/intro\nparts:\n  - caption: First\n    chapters:\n      - file: content/two\n        sections:\n          - file: content/one\n  - caption: Second\n    chapters:\n      - glob: content/*\n";
    assert_eq!(with(parts), (": A book -\n  Welcome /intro\nfirst: First -\n  Two /two\n    One /one\nsecond: Second -\n  Three /three\n".to_owned(), "".to_owned()));
    let chapters = "root: content/intro\nchapters:\n- file: content/one\n- file: content/two\n  sections:\n  - file: content/three\n- file: elsewhere/four\n";
    assert_eq!(
        with(chapters),
        (
            ": A book -\n  Welcome /intro\n  One /one\n  Two /two\n    Three /three\n".to_owned(),
            "".to_owned()
        )
    );
    let old = "- file: content/intro\n- part: A part\n  chapters:\n  - file: content/three\n";
    assert_eq!(
        with(old),
        (
            ": A book -\n  Welcome /intro\na-part: A part -\n  Three /three\n".to_owned(),
            "".to_owned()
        )
    );
}

#[test]
fn a_list_that_cannot_be_read_is_named() {
    let page = ("content/a.md", "# A\n");
    let config = Folder::new(&[
        ("_toc.yml", "root: content/a\n"),
        ("_config.yml", "logo: [\n"),
        page,
    ]);
    assert!(config.run(&BUILD_PLAIN).stderr.starts_with("_config.yml:2:1: "));
    for (list, expected) in [
        ("root: content/a\nchapters: [\n", "_toc.yml:3:1: "),
        ("root: content/gone\n", "_toc.yml:1:7: there is no page `gone`"),
        (
            "chapters: []\n",
            "_toc.yml:1:1: the file names no page; write a list of pages, such as `- file: start.md`",
        ),
    ] {
        let folder = Folder::new(&[("_toc.yml", list), page]);
        let run = folder.build_strictly();
        assert_eq!(run.code, 1, "{list}");
        assert!(run.stderr.starts_with(expected), "{}", run.stderr);
    }
}

#[test]
fn the_pages_of_sphinx_put_themselves_in_order() {
    let files = [
        (
            "content/conf.py",
            "html_title = \"\"\nproject = 'A project'\nextensions = [\"myst_parser\"]\nhtml_logo = \"logo.svg\"\nintersphinx_mapping = {\n    'python': (\"https://docs.python.org/3\", None),\n    \"other\": ('https://other.example/', \"inv\"),\n}\n",
        ),
        ("content/logo.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
        (
            "content/index.md",
            "# Start\n\n```{toctree}\n:caption: Guides\n:maxdepth: 2\n\nguides/index\nNamed <other>\nself\nhttps://a.example\n```\n\n:::{toctree}\n:glob:\n% not this\nmore/*\n/last.md\n:::\n\n```\n:::{toctree}\nother\n:::\n```\n",
        ),
        (
            "content/guides/index.md",
            "# The guides\n\n```{toctree}\none\n../index\n```\n",
        ),
        ("content/guides/one.md", "# One\n"),
        ("content/other.md", "# Other\n"),
        ("content/more/x.md", "# X\n"),
        (
            "content/last.md",
            "# Last\n\n[a](inv:python#b) [](inv:other:std:doc#c/d) <inv:python#*.E> {ref}`other:f` {external:ref}`g`\n",
        ),
    ];
    let folder = built(&files);
    assert_eq!(
        html(&folder, "last"),
        "<p><a href=\"https://docs.python.org/3/\">a</a> <a href=\"https://other.example/\">d</a> <a href=\"https://docs.python.org/3/\">E</a> <a href=\"https://other.example/\">f</a> g</p>\n"
    );
    assert_eq!(
        sidebar(&folder),
        ": A project -\n  Start /\n  X /more/x\n  Last /last\nguides: Guides -\n  The guides /guides\n    One /guides/one\n  Named /other\n"
    );
    assert_eq!(folder.json("out/manifest.json")["site"]["title"], "A project");
    assert_eq!(warnings(&folder, &[]), "");
    folder.write(
        "content/guides/index.md",
        b"# The guides\n\n```{toctree}\n\ngone\n```\n",
    );
    let run = folder.build_strictly();
    assert!(
        run.stderr
            .starts_with("content/guides/index.md:5:1: there is no page `gone`"),
        "{}",
        run.stderr
    );
    folder.write(
        "content/guides/index.md",
        b"# The guides\n\n```{toctree}\none\n```\n",
    );
    folder.write(
        "content/conf.py",
        b"extensions = ['myst_nb']\nroot_doc = 'guides/index'\nintersphinx_mapping = {'python': ('https://a.example', None), 'other': ('https://b.example', None)}\n",
    );
    folder.run(&BUILD_PLAIN).assert_ok();
    assert_eq!(
        sidebar(&folder),
        ": content -\n  The guides /guides\n  One /guides/one\n"
    );
    // Without a word about MyST it is Markdown, in no order.
    folder.write("content/conf.py", b"project = 'A project'\n");
    folder.write("content/last.md", b"# Last\n\n{ref}`other`\n");
    folder.run(&BUILD_PLAIN).assert_ok();
    assert_eq!(html(&folder, "last"), "<p>{ref}<code>other</code></p>\n");
}
