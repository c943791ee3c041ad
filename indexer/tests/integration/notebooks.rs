//! Notebooks of Jupyter as pages.

use crate::Folder;
use crate::foreign_pages::{addresses, built, html};
use crate::other_generators::{BUILD_PLAIN, sidebar, warnings};

const MYST: &str = "project:\n  title: A project\n";

/// A picture of 3 by 2 pixels.
const GIF: &str = "R0lGODlhAwAC\nAAAAAA==";

/// A notebook of these cells, one in a line.
fn notebook(cells: &[&str]) -> String {
    let language = r#"{"kernelspec": {"language": "python"}, "language_info": {"name": "python"}}"#;
    format!(
        "{{\n \"nbformat\": 4,\n \"nbformat_minor\": 5,\n \"metadata\": {language},\n \"cells\": [\n{}\n ]\n}}\n",
        cells.join(",\n")
    )
}

/// A cell of code with an output that has these forms.
fn giving(data: &str) -> String {
    format!(
        r#"{{"cell_type": "code", "metadata": {{}}, "execution_count": 1, "source": [], "outputs": [{{"output_type": "execute_result", "execution_count": 1, "metadata": {{}}, "data": {data}}}]}}"#
    )
}

/// The page of a notebook of these cells.
#[track_caller]
fn page_of(cells: &[&str]) -> String {
    let folder = built(&[("content/myst.yml", MYST), ("content/a.ipynb", &notebook(cells))]);
    html(&folder, "a")
}

#[test]
fn text_code_and_what_it_gave_are_a_page() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/index.md",
            "# Start\n\n[](a.ipynb), [b](a.ipynb#two), {ref}`two`\n",
        ),
        (
            "content/a.ipynb",
            &notebook(&[
                r###"{"cell_type": "markdown", "metadata": {}, "source": ["# A *notebook*\n", "\n", "Words, and [the start](index.md).\n", "\n", "(two)=\n", "## Two"]}"###,
                r#"{"cell_type": "code", "metadata": {}, "execution_count": 3, "source": ["x = 1\n", "print('``` <b>')"], "outputs": [
                    {"output_type": "stream", "name": "stdout", "text": ["``` "]},
                    {"output_type": "stream", "name": "stdout", "text": "<b>\n"},
                    {"output_type": "stream", "name": "stderr", "text": ["\u001b[31mcareful\u001b[0m\n"]}]}"#,
                r#"{"cell_type": "code", "metadata": {}, "execution_count": 4, "source": "%%bash\nls", "outputs": []}"#,
                r#"{"cell_type": "code", "metadata": {}, "execution_count": 5, "source": "1 / 0", "outputs": [
                    {"output_type": "error", "ename": "ZeroDivisionError", "evalue": "division by zero", "traceback": ["\u001b[0;31m---\u001b[0m", "\u001b[0;31mZeroDivisionError\u001b[0m: division by zero"]}]}"#,
                r#"{"cell_type": "code", "metadata": {}, "execution_count": null, "source": [], "outputs": []}"#,
                r#"{"cell_type": "raw", "metadata": {}, "source": []}"#,
            ]),
        ),
    ]);
    assert_eq!(addresses(&folder), ["/", "/a"]);
    assert_eq!(
        html(&folder, "index"),
        "<p><a href=\"/a\">A notebook</a>, <a href=\"/a#two\">b</a>, <a href=\"/a#two\">Two</a></p>\n"
    );
    assert_eq!(
        html(&folder, "a"),
        "<p>Words, and <a href=\"/\">the start</a>.</p>\n<h2 id=\"two\"><a href=\"#two\">Two</a></h2>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>x = <span class=\"h-n\">1</span>\n<span class=\"h-f\">print</span>(<span class=\"h-s\">'``` &lt;b&gt;'</span>)\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>``` &lt;b&gt;\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>careful\n</code></pre></div>\n<div class=\"code\" data-lang=\"bash\"><pre tabindex=\"0\"><code><span class=\"h-f\">%%bash\nls</span>\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code><span class=\"h-n\">1</span> / <span class=\"h-n\">0</span>\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>---\nZeroDivisionError: division by zero\n</code></pre></div>\n"
    );
    assert_eq!(warnings(&folder, &[]), "");
    assert_eq!(
        folder.markdown("a"),
        "# A notebook\n\nWords, and [the start](/index.md).\n\n(two)=\n## Two\n\n````python\nx = 1\nprint('``` <b>')\n````\n\n````output\n``` <b>\n````\n\n```output\ncareful\n```\n\n```bash\n%%bash\nls\n```\n\n```python\n1 / 0\n```\n\n```output\n---\nZeroDivisionError: division by zero\n```\n"
    );
}

#[test]
fn of_the_forms_of_an_output_the_best_that_a_page_has_is_shown() {
    let check = |data: &str, expected: &str| assert_eq!(page_of(&[&giving(data)]), expected, "{data}");
    check(
        r#"{"text/plain": ["<DataFrame>\n", "  a  b"]}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>&lt;DataFrame&gt;\n  a  b\n</code></pre></div>\n",
    );
    check(
        r#"{"text/html": ["<div>\n", "<style scoped>\n", "  .a {\n", "\n", "  }\n", "</style>\n", "<table border=\"1\" class=\"dataframe\">\n", "  <thead>\n", "    <tr style=\"text-align: right;\">\n", "      <th></th>\n", "      <th>{note} $a$ *b*</th>\n", "    </tr>\n", "  </thead>\n", "\n", "  <tbody>\n", "    <tr>\n", "      <th>0</th>\n", "      <td>1</td>\n", "    </tr>\n", "  </tbody>\n", "</table>\n", "<p>1 row</p>\n", "</div>"], "text/plain": "   a\n0  1"}"#,
        "<div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table 1: A\"><table>\n<thead>\n<tr><td></td><th scope=\"col\">{note} $a$ *b*</th></tr>\n</thead>\n<tbody>\n<tr><td>0</td><td>1</td></tr>\n</tbody></table></div>\n<p>1 row</p>\n",
    );
    check(
        &format!(r#"{{"image/gif": {GIF:?}, "text/plain": ["<Figure size 3x2 with 1 Axes>"]}}"#),
        "<p><img src=\"/assets/a.5b40978bcadf93dc.gif\" alt=\"Output of the code above\" width=\"3\" height=\"2\" loading=\"lazy\" decoding=\"async\"></p>\n",
    );
    check(
        r#"{"image/svg+xml": ["<svg viewBox=\"0 0 6 4\">", "</svg>"], "image/png": "AA==", "text/plain": "A line & \"more\""}"#,
        "<p><img src=\"/assets/a.28f528bc9880d079.svg\" alt=\"A line &amp; &quot;more&quot;\" width=\"6\" height=\"4\" loading=\"lazy\" decoding=\"async\"></p>\n",
    );
    check(
        r#"{"text/latex": ["$\\displaystyle x^{2}$"], "text/plain": "x**2"}"#,
        "<div class=\"math-block\" tabindex=\"0\"><math display=\"block\"><msup><mi>x</mi><mrow><mn>2</mn></mrow></msup></math></div>\n",
    );
    check(
        r#"{"text/markdown": ["*a*\n", "\n", "- b"], "text/plain": "<IPython.core.display.Markdown object>"}"#,
        "<p><em>a</em></p>\n<ul>\n<li>b</li>\n</ul>\n",
    );
    check(
        r#"{"text/html": "<b>a</b> *b*", "text/plain": "<IPython.core.display.HTML object>"}"#,
        "<p><strong>a</strong> *b*</p>\n",
    );
    check(
        r#"{"text/html": "<div class=\"x\"><b>a</b></div>", "text/plain": "LinearRegression()"}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>LinearRegression()\n</code></pre></div>\n",
    );
    check(
        r#"{"text/markdown": " ", "text/plain": "a"}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>a\n</code></pre></div>\n",
    );
    check(
        r#"{"text/html": "<table><tr><td><INPUT></td></tr></table>", "text/plain": "a"}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>a\n</code></pre></div>\n",
    );
    check(
        r#"{"text/html": "<i>x</i>", "text/plain": "<a>\n<b>"}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>&lt;a&gt;\n&lt;b&gt;\n</code></pre></div>\n",
    );
    check(
        r#"{"image/png": "not base64", "text/plain": "a"}"#,
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>a\n</code></pre></div>\n",
    );
}

#[test]
fn what_stands_around_tables_and_frames_is_left_out() {
    let frame = r#"{"text/html": ["\n", "  <div id=\"df-1\" class=\"colab-df-container\">\n", "<style>\n", "  .b {}\n", "</style>\n", "<table border=\"1\" class=\"dataframe\"><tr><td>1</td></tr></table>\n", "<button onclick=\"x()\"><svg viewBox=\"0 0 1 1\"></svg>Convert</button>\n", "<script>\n", "  draw();\n", "</script></div>"], "application/vnd.google.colaboratory.intrinsic+json": {"type": "dataframe"}, "text/plain": "   a"}"#;
    let video = r#"{"text/html": "\n<iframe width=\"400\" src=\"https://www.youtube.com/embed/a\" allowfullscreen></iframe>", "image/gif": "R0lGODlhAwACAAAAAA==", "text/plain": "<IPython.lib.display.YouTubeVideo>"}"#;
    let chart = r#"{"application/vnd.vegalite.v5+json": {}, "image/gif": "R0lGODlhAwACAAAAAA==", "text/plain": "<VegaLite 5 object>"}"#;
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/a.ipynb",
            &notebook(&[&giving(frame), &giving(video), &giving(chart)]),
        ),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<span id=\"df-1\"></span><div class=\"table-scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table 1: A\"><table>\n<tbody>\n<tr><td>1</td></tr>\n</tbody></table></div>\n<p><a href=\"https://www.youtube.com/embed/a\">https://www.youtube.com/embed/a</a></p>\n<p><img src=\"/assets/a.5b40978bcadf93dc.gif\" alt=\"Output of the code above\" width=\"3\" height=\"2\" loading=\"lazy\" decoding=\"async\"></p>\n"
    );
    assert_eq!(
        warnings(&folder, &[]),
        "content/a.ipynb:6:87: warning: the page has no title and is shown as `A`; add `title:` to the front matter or a first heading `# Title`\ncontent/a.ipynb:7:87: warning: <iframe> is left out: pages show text, images and links\n"
    );
}

#[test]
fn pictures_are_as_wide_as_their_cell_says() {
    let cell = format!(
        r#"{{"cell_type": "code", "metadata": {{}}, "source": [], "outputs": [{{"output_type": "display_data", "metadata": {{"image/gif": {{"width": 6, "height": 4}}}}, "data": {{"image/gif": {GIF:?}}}}}]}}"#
    );
    assert_eq!(
        page_of(&[&cell]),
        "<p><img src=\"/assets/a.5b40978bcadf93dc.gif\" alt=\"Output of the code above\" width=\"6\" height=\"4\" loading=\"lazy\" decoding=\"async\"></p>\n"
    );
}

#[test]
fn what_programs_would_show_is_named() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/a.ipynb",
            &notebook(&[
                r##"{"cell_type": "markdown", "metadata": {}, "source": "# A"}"##,
                &giving(
                    r#"{"text/html": "<table><tr><td>1</td></tr></table><SCRIPT>draw()</script>", "text/plain": "Chart()"}"#,
                ),
                &giving(
                    r#"{"application/vnd.jupyter.widget-view+json": {"model_id": "1"}, "text/plain": "IntSlider(value=3)"}"#,
                ),
                r#"{"cell_type": "raw", "metadata": {}, "source": ["\\LaTeX"]}"#,
                r#"{"cell_type": "heading", "metadata": {}, "source": ["b"]}"#,
                r#"{"cell_type": "code", "metadata": {}, "source": "x", "outputs": [{"data": 3}, {"output_type": "display_data", "data": {}}]}"#,
                r#"{"cell_type": "code", "metadata": {}, "source": 3}"#,
            ]),
        ),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>Chart()\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>IntSlider(value=3)\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>x\n</code></pre></div>\n"
    );
    assert_eq!(
        warnings(&folder, &[]),
        "content/a.ipynb:7:87: warning: what a program would show here is not: programs are not run\ncontent/a.ipynb:8:87: warning: what a program would show here is not: programs are not run\ncontent/a.ipynb:9:48: warning: a cell of the kind `raw` is left out: it is for other programs\ncontent/a.ipynb:10:52: warning: a cell of the kind `heading` is left out: it is for other programs\ncontent/a.ipynb:11:66: warning: an output that is not as nbformat 4 has it is left out\ncontent/a.ipynb:12:49: warning: a cell whose `source` is no text is left out\n"
    );
}

#[test]
fn outputs_have_no_line_numbers() {
    let folder = Folder::new(&[
        ("content/myst.yml", MYST),
        ("siftwren.toml", "[content]\nline_numbers = true\n"),
        (
            "content/a.ipynb",
            &notebook(&[
                r#"{"cell_type": "code", "metadata": {}, "source": "x", "outputs": [{"output_type": "stream", "name": "stdout", "text": "y"}]}"#,
            ]),
        ),
    ]);
    folder
        .run(&[&BUILD_PLAIN[..], &["--config", "siftwren.toml"]].concat())
        .assert_ok();
    assert_eq!(
        html(&folder, "a"),
        "<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code><data value=\"1\"></data>x\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>y\n</code></pre></div>\n"
    );
}

#[test]
fn tags_hide_and_fold() {
    let cell = |metadata: &str, code: &str| {
        format!(
            r#"{{"cell_type": "code", "metadata": {metadata}, "source": ["{code}"], "outputs": [{{"output_type": "stream", "name": "stdout", "text": "out {code}"}}, {{"output_type": "stream", "name": "stderr", "text": "err {code}"}}]}}"#
        )
    };
    let cells = [
        cell(r#"{"tags": ["remove-cell"]}"#, "a"),
        cell(r#"{"tags": ["remove_input"]}"#, "b"),
        cell(r#"{"tags": ["remove-output"]}"#, "c"),
        cell(r#"{"tags": ["hide-input"]}"#, "d"),
        cell(r#"{"tags": ["x", "hide-output"]}"#, "e"),
        cell(r#"{"tags": ["hide-cell"]}"#, "f"),
        cell(r#"{"jupyter": {"source_hidden": true}}"#, "g"),
        cell(r#"{"jupyter": {"outputs_hidden": true}}"#, "h"),
        cell(r#"{"tags": ["remove-stderr"]}"#, "i"),
        cell(r#"{"tags": ["remove-stdout"]}"#, "j"),
        cell(r#"{"nbsphinx": "hidden"}"#, "k"),
        cell(r#"{"tags": 3}"#, r"#| label: x\n#| y\nl"),
        r#"{"cell_type": "markdown", "metadata": {"tags": ["remove-cell"]}, "source": "m"}"#.to_owned(),
    ];
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    assert_eq!(
        page_of(&cells),
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out b\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err b\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>c\n</code></pre></div>\n<details><summary>Code\n</summary><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>d\n</code></pre></div>\n</details><div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out d\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err d\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>e\n</code></pre></div>\n<details><summary>Output\n</summary><div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out e\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err e\n</code></pre></div>\n</details><details><summary>Code\n</summary><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>f\n</code></pre></div>\n</details><details><summary>Output\n</summary><div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out f\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err f\n</code></pre></div>\n</details><details><summary>Code\n</summary><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>g\n</code></pre></div>\n</details><div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out g\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err g\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>h\n</code></pre></div>\n<details><summary>Output\n</summary><div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out h\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err h\n</code></pre></div>\n</details><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>i\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out i\n</code></pre></div>\n<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>j\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err j\n</code></pre></div>\n<span id=\"x\"></span><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>l\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>out #| label: x\n#| y\nl\n</code></pre></div>\n<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>err #| label: x\n#| y\nl\n</code></pre></div>\n"
    );
}

#[test]
fn cells_of_text_end_where_they_end_and_bring_pictures() {
    let cells = [
        r#"{"cell_type": "raw", "metadata": {}, "source": "---\ntitle: Named\n---"}"#.to_owned(),
        r#"{"cell_type": "markdown", "metadata": {}, "source": ["```python\n", "a = 1"]}"#.to_owned(),
        r#"{"cell_type": "markdown", "metadata": {}, "source": ["---\n", "\n", "b"]}"#.to_owned(),
        format!(
            r#"{{"cell_type": "markdown", "metadata": {{}}, "source": ["![c](attachment:d.gif) ![e](attachment:f.gif)"], "attachments": {{"d.gif": {{"image/gif": {GIF:?}}}}}}}"#
        ),
    ];
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    let folder = Folder::new(&[
        ("content/myst.yml", MYST),
        ("content/sub/a (1).ipynb", &notebook(&cells)),
        ("siftwren.toml", "[content]\nbroken_links = \"warn\"\n"),
    ]);
    folder
        .run(&[
            "build",
            "--content",
            "content",
            "--out",
            "out",
            "--config",
            "siftwren.toml",
        ])
        .assert_ok();
    assert_eq!(addresses(&folder), ["/sub/a--1-"]);
    let page = folder.json("out/pages/sub/a--1-.json");
    assert_eq!(page["title"], "Named");
    assert_eq!(
        html(&folder, "sub/a--1-"),
        "<div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>a = <span class=\"h-n\">1</span>\n</code></pre></div>\n<hr>\n<p>b</p>\n<p><img src=\"/assets/a--1-.5b40978bcadf93dc.gif\" alt=\"c\" width=\"3\" height=\"2\" loading=\"lazy\" decoding=\"async\"> e</p>\n"
    );
    assert_eq!(
        warnings(&folder, &["--config", "siftwren.toml"]),
        "content/sub/a (1).ipynb:9:55: warning: the address `attachment:f.gif` is refused; use https:, http:, mailto: or a path\n"
    );
}

#[test]
fn a_line_in_the_first_cell_is_no_front_matter_that_ends_in_another_one() {
    let line = |text: &str| format!(r#"{{"cell_type": "markdown", "metadata": {{}}, "source": {text:?}}}"#);
    let html = page_of(&[&line("---\n\na"), &line("title: b\n\n---\n\nc")]);
    assert_eq!(html, "<hr>\n<p>a</p>\n<p>title: b</p>\n<hr>\n<p>c</p>\n");
}

#[test]
fn what_is_wrong_is_told_where_it_stands_in_the_file() {
    let check = |text: &str, expected: &str| {
        let folder = Folder::new(&[("content/myst.yml", MYST), ("content/a.ipynb", text)]);
        let run = match text.contains("gone") {
            true => folder.build_strictly(),
            false => folder.run(&BUILD_PLAIN),
        };
        assert_eq!(run.code, 1, "{text}");
        assert_eq!(run.stderr, expected, "{text}");
    };
    let broken = notebook(&[
        r##"{"cell_type": "markdown", "metadata": {}, "source": [
   "# A\n",
   "\n",
   "é and [gone](gone.md)"
  ]}"##,
        r#"{"cell_type": "markdown", "metadata": {}, "source": "b\n\n[gone](gone-2.md)"}"#,
    ]);
    check(
        &broken,
        "content/a.ipynb:9:11: there is no page `gone.md`; write the path of a file from this one, such as `./other.md`, or of a page\ncontent/a.ipynb:11:54: there is no page `gone-2.md`; write the path of a file from this one, such as `./other.md`, or of a page\nindexer: 2 problems found\nindexer: 2 of them would be warnings with `broken_links = \"warn\"` below `[content]` in siftwren.toml\n",
    );
    check(
        "{\"nbformat\": 4,\n \"cells\": [{]}",
        "content:1:1: the content folder holds no Markdown files; write a first page, such as index.md\ncontent/a.ipynb:2:13: this is no notebook that can be read: key must be a string; save it again with Jupyter\nindexer: 2 problems found\n",
    );
    check(
        "",
        "content:1:1: the content folder holds no Markdown files; write a first page, such as index.md\ncontent/a.ipynb:1:1: this is no notebook that can be read: EOF while parsing a value; save it again with Jupyter\nindexer: 2 problems found\n",
    );
    check(
        "{\"nbformat\": 3, \"worksheets\": []}",
        "content:1:1: the content folder holds no Markdown files; write a first page, such as index.md\ncontent/a.ipynb:1:1: notebooks of format 3 are not read; save it with a newer Jupyter, or `jupyter nbconvert --to notebook --nbformat 4`\nindexer: 2 problems found\n",
    );
    check(
        "{\"nbformat\": 4, \"cells\": [{\"cell_type\": \"code\"}]}",
        "content:1:1: the content folder holds no Markdown files; write a first page, such as index.md\ncontent/a.ipynb:1:47: this is no notebook that can be read: missing field `source`; save it again with Jupyter\nindexer: 2 problems found\n",
    );
}

#[test]
fn notebooks_are_pages_where_the_generator_of_the_folder_has_them_or_somebody_says_so() {
    let text = notebook(&[r##"{"cell_type": "markdown", "metadata": {}, "source": "# Of a notebook"}"##]);
    let check = |files: &[(&str, &str)], expected: &[&str]| {
        let content = [
            ("content/index.md", "# Start\n\n[a](a.ipynb)\n"),
            ("content/a.ipynb", &text),
        ];
        let folder = Folder::new(&[&content, files].concat());
        let config: &[&str] = match files.iter().any(|(name, _)| *name == "siftwren.toml") {
            true => &["--config", "siftwren.toml"],
            false => &[],
        };
        folder.run(&[&BUILD_PLAIN, config].concat()).assert_ok();
        assert_eq!(addresses(&folder), expected, "{files:?}");
    };
    check(&[], &["/"]);
    check(
        &[("siftwren.toml", "[content]\nnotebooks = true\n")],
        &["/", "/a"],
    );
    check(
        &[("content/_toc.yml", "root: index\nchapters:\n- file: a\n")],
        &["/", "/a"],
    );
    check(
        &[
            ("content/_toc.yml", "root: index\n"),
            ("siftwren.toml", "[content]\nnotebooks = false\n"),
        ],
        &["/"],
    );
    check(&[("content/conf.py", "extensions = ['myst_parser']\n")], &["/"]);
    check(&[("content/conf.py", "extensions = ['myst_nb']\n")], &["/", "/a"]);
    check(
        &[("content/conf.py", "extensions = ['myst_parser', 'nbsphinx']\n")],
        &["/", "/a"],
    );
    let mkdocs = "site_name: X\ndocs_dir: content\nplugins:\n  - search\n";
    check(&[("mkdocs.yml", mkdocs)], &["/"]);
    check(
        &[(
            "mkdocs.yml",
            &format!("{mkdocs}  - mkdocs-jupyter:\n      execute: false\n"),
        )],
        &["/", "/a"],
    );
}

#[test]
fn links_find_cells_by_their_labels_and_headings_by_the_ids_of_jupyter() {
    let folder = built(&[
        ("content/myst.yml", MYST),
        (
            "content/index.md",
            "# Start\n\n[](#tbl:one) [](#two) [b](a.ipynb#What-is-it?) [c](a.ipynb#own)\n",
        ),
        (
            "content/a.ipynb",
            &notebook(&[
                r##"{"cell_type": "markdown", "metadata": {}, "source": "# A\n\n[a](#What-is-it?) [b](#Mine-Own) [c](a.ipynb#Mine-Own)\n\n## What is it?\n\n<a id=\"Mine-Own\"></a><a id=\"own\"></a>Text"}"##,
                r##"{"cell_type": "code", "metadata": {}, "source": ["#| label: tbl:one\n", "#| other\n", "x"], "outputs": []}"##,
                r##"{"cell_type": "code", "metadata": {"label": "two"}, "source": ["y"], "outputs": []}"##,
            ]),
        ),
    ]);
    assert_eq!(
        html(&folder, "index"),
        "<p><a href=\"/a#tbl-one\">Code</a> <a href=\"/a#two\">Code</a> <a href=\"/a#what-is-it\">b</a> <a href=\"/a#own\">c</a></p>\n"
    );
    assert_eq!(
        html(&folder, "a"),
        "<p><a href=\"#what-is-it\">a</a> <a href=\"#Mine-Own\">b</a> <a href=\"/a#Mine-Own\">c</a></p>\n<h2 id=\"what-is-it\"><a href=\"#what-is-it\">What is it?</a></h2>\n<p><span id=\"Mine-Own\"></span><span id=\"own\"></span>Text</p>\n<span id=\"tbl-one\"></span><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>x\n</code></pre></div>\n<span id=\"two\"></span><div class=\"code\" data-lang=\"python\"><pre tabindex=\"0\"><code>y\n</code></pre></div>\n"
    );
}

#[test]
fn raw_cells_that_a_page_can_show_are_shown() {
    let raw = |metadata: &str, text: &str| {
        format!(r#"{{"cell_type": "raw", "metadata": {metadata}, "source": "{text}"}}"#)
    };
    let cells = [
        raw(r#"{"raw_mimetype": "text/markdown"}"#, "*a*"),
        raw(r#"{"format": "text/html"}"#, r"<b>b</b>\n\n*c*"),
        raw(r#"{"format": "text/html", "tags": ["remove-cell"]}"#, "d"),
    ];
    let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
    assert_eq!(
        page_of(&cells),
        "<p><em>a</em></p>\n<p><strong>b</strong>\n*c*</p>\n"
    );
}

#[test]
fn notebooks_stand_between_the_other_pages() {
    let folder = built(&[
        ("content/conf.py", "extensions = ['myst_nb']\n"),
        ("content/a.md", "# A\n"),
        (
            "content/b.ipynb",
            &notebook(&[r##"{"cell_type": "markdown", "metadata": {}, "source": "# B"}"##]),
        ),
        ("content/c.md", "# C\n"),
    ]);
    insta::assert_snapshot!(sidebar(&folder), @r"
    : content -
      A /a
      B /b
      C /c
    ");
}

#[test]
fn a_notebook_can_be_the_first_page() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[content]\nnotebooks = true\nlanding = \"a\"\n"),
        (
            "content/a.ipynb",
            &notebook(&[r##"{"cell_type": "markdown", "metadata": {}, "source": "# A"}"##]),
        ),
        ("content/b.md", "# B\n"),
    ]);
    folder
        .run(&[&BUILD_PLAIN[..], &["--config", "siftwren.toml"]].concat())
        .assert_ok();
    assert_eq!(folder.json("out/manifest.json")["content"]["landing"], "/a");
}

#[test]
fn a_drawing_in_html_is_not_left_out_without_a_word() {
    let drawing = r#"{"text/html": "<svg viewBox=\"0 0 1 1\"></svg>", "text/plain": "<IPython.core.display.HTML object>"}"#;
    let folder = built(&[
        ("content/myst.yml", MYST),
        ("content/a.ipynb", &notebook(&[&giving(drawing)])),
    ]);
    let told = warnings(&folder, &[]);
    assert!(
        told.contains("content/a.ipynb:6:87: warning: <svg> is left out"),
        "{told}"
    );
}

#[test]
fn an_error_without_a_trace_is_what_it_says() {
    let cell = r#"{"cell_type": "code", "metadata": {}, "source": [], "outputs": [{"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}]}"#;
    assert_eq!(
        page_of(&[cell]),
        "<div class=\"code\" data-lang=\"output\"><pre tabindex=\"0\"><code>ValueError: no\n</code></pre></div>\n"
    );
}

#[test]
fn lists_name_notebooks_and_markdown_of_the_same_name_goes_before() {
    let text = notebook(&[r##"{"cell_type": "markdown", "metadata": {}, "source": "# Of a notebook"}"##]);
    let folder = built(&[
        (
            "content/_toc.yml",
            "root: index\nchapters:\n- file: c\n- file: b.ipynb\n- file: a\n",
        ),
        ("content/index.md", "# Start\n"),
        ("content/a.ipynb", &text),
        ("content/b.ipynb", &text),
        ("content/c.ipynb", &text),
        ("content/c.md", "# Of Markdown\n"),
        ("content/.ipynb_checkpoints/a-checkpoint.ipynb", "{"),
    ]);
    insta::assert_snapshot!(sidebar(&folder), @r"
    : content -
      Start /
      Of Markdown /c
      Of a notebook /b
      Of a notebook /a
    ");
    assert_eq!(
        warnings(&folder, &[]),
        "content/c.ipynb:6:54: warning: the notebook is left out: `c.md` has the same address; keep one of them in the folder, or rename one\n"
    );
}
