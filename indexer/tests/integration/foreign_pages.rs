//! Pages as other generators have them: their addresses, the files they are put together from, and what only one of the generators knows.

use crate::other_generators::{BUILD_PLAIN, sidebar, warnings};
use crate::{BUILD, Folder};

pub(crate) const DOCUSAURUS: &str =
    "export default { title: 'X', presets: [['y', { docs: { path: 'content', sidebarPath: false } }]] };\n";
const MKDOCS: &str = "site_name: X\ndocs_dir: content\nplugins:\n  - search\n  - mkdocstrings:\n      default_handler: !!python/name:x\n";

pub(crate) fn built(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::new(files);
    folder.run(&BUILD_PLAIN).assert_ok();
    folder
}

/// Builds a folder with something wrong in it, of which this is told first.
#[track_caller]
fn assert_refused(folder: &Folder, expected: &str) {
    let run = folder.build_strictly();
    assert_eq!(run.code, 1);
    assert!(run.stderr.starts_with(expected), "{}", run.stderr);
}

pub(crate) fn html(folder: &Folder, page: &str) -> String {
    let data = folder.json(&format!("out/pages/{page}.json"));
    data["html"].as_str().unwrap().to_owned()
}

/// The addresses of all pages, in order.
pub(crate) fn addresses(folder: &Folder) -> Vec<String> {
    let manifest = folder.json("out/manifest.json");
    let pages = manifest["pages"].as_array().unwrap().iter();
    let mut paths: Vec<String> = pages
        .map(|page| page["path"].as_str().unwrap().to_owned())
        .filter(|path| !path.ends_with("/a-z"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn pages_of_docusaurus_have_its_addresses() {
    let folder = built(&[
        ("docusaurus.config.js", DOCUSAURUS),
        (
            "content/start.md",
            "---\nid: getting-started\n---\n\n# Start\n\n[a](guides/01-tool.md) [b](/docs/next/guides/tool) [c](guides) [d](@site/content/guides/guides.md#x) [e](next)\n\n![f](@site/static/f.svg)\n",
        ),
        ("content/next.md", "# Next\n\n{/* unseen */}seen\n"),
        ("content/top.md", "---\nid: top page\n---\n\n# Top\n"),
        (
            "content/guides/guides.md",
            "---\nid: other\n---\n\n# Guides\n\n## X\n\n[a](tool) [b](guides/01-tool.md) [c](getting-started) [e](../next.md)\n",
        ),
        (
            "content/guides/01-tool.md",
            "---\nid: tool-1\nslug: tool\n---\n\n# Tool\n",
        ),
        ("content/sub/index.md", "---\nid: ignored\n---\n\n# Sub\n"),
        (
            "content/sub/Deep page.md",
            "---\nid: 'deep page'\n---\n\n# Deep\n",
        ),
        ("static/f.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
    ]);
    assert_eq!(
        addresses(&folder),
        [
            "/docs/getting-started",
            "/docs/guides",
            "/docs/guides/tool",
            "/docs/next",
            "/docs/sub",
            "/docs/sub/deep-page",
            "/docs/top-page",
        ]
    );
    insta::assert_snapshot!(html(&folder, "docs/getting-started"), @r#"
    <p><a href="/docs/guides/tool">a</a> <a href="/docs/guides/tool">b</a> <a href="/docs/guides">c</a> <a href="/docs/guides#x">d</a> <a href="/docs/next">e</a></p>
    <p><img src="/f.svg" alt="f" width="6" height="4" loading="lazy" decoding="async"></p>
    "#);
    insta::assert_snapshot!(html(&folder, "docs/guides"), @r##"
    <h2 id="x"><a href="#x">X</a></h2>
    <p><a href="/docs/guides/tool">a</a> <a href="/docs/guides/tool">b</a> <a href="/docs/getting-started">c</a> <a href="/docs/next">e</a></p>
    "##);
    assert_eq!(warnings(&folder, &[]), "");

    assert_eq!(html(&folder, "docs/next"), "<p>seen</p>\n");

    // Who says where pages are is obeyed, and an `id` means nothing to others.
    let folder = built(&[("content/start.md", "---\nid: x\n---\n\n# Start\n")]);
    assert_eq!(addresses(&folder), ["/start"]);
    for (base, address) in [
        ("/manual/", "/manual/a"),
        ("../the manual/v1", "/the-manual/v1/a"),
        ("/", "/a"),
    ] {
        let option = format!("path: 'content', routeBasePath: '{base}'");
        let config = DOCUSAURUS.replace("path: 'content'", &option);
        let folder = built(&[
            ("docusaurus.config.js", &config),
            ("content/a.md", "---\nid: ..\n---\n\n# A\n"),
        ]);
        assert_eq!(addresses(&folder), [address]);
    }

    // Nobody else has a version of this name.
    let folder = Folder::new(&[("content/a.md", "# A\n\n[a](/next/a)\n")]);
    assert_refused(&folder, "content/a.md:3:1: there is no page `/next/a`;");
}

#[test]
fn files_that_a_page_imports_stand_where_their_components_do() {
    let folder = built(&[
        ("docusaurus.config.js", DOCUSAURUS),
        (
            "content/a.md",
            "---\ntitle: A\n---\n\nimport Part from './parts/\\_part.mdx';\nimport Other from '@site/shared/other.md'\nimport Code from './code';\n\n## Before\n\n1. One\n\n   <Part of=\"x\" />\n\n2. Two\n\nA line, <Other>left out</Other>\n\n<Other /> begins one\n\n```jsx\n<Part />\n```\n",
        ),
        (
            "content/parts/_part.mdx",
            "---\ntitle: None\n---\n\nimport Inner from './_inner.mdx'\nexport const a = {\n  b: 1,\n};\n\n### From a part\n\n[Link](../b.md), ![Picture](p.svg)\n\n<Inner />\n",
        ),
        (
            "content/parts/_inner.mdx",
            "import picture from './p.svg'\n\n*Inner* text <img src={picture} alt=\"Own\" />\n",
        ),
        ("content/parts/p.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
        ("content/b.md", "# B\n"),
        (
            "content/sub/c.md",
            "# C\n\nimport Part from '../parts/_part.mdx';\n\n<Part />\n\n:::info\n<details>\n<summary>S</summary>\n\nx\n\n</details>\n:::\n\nbehind\n",
        ),
        ("shared/other.md", "---\ntitle: Other\n---\n\n**brought in**\n"),
    ]);
    assert_eq!(addresses(&folder), ["/docs/a", "/docs/b", "/docs/sub/c"]);
    insta::assert_snapshot!(html(&folder, "docs/sub/c"), @r##"
    <h3 id="from-a-part"><a href="#from-a-part">From a part</a></h3>
    <p><a href="/docs/b">Link</a>, <img src="/assets/p.28f528bc9880d079.svg" alt="Picture" width="6" height="4" loading="lazy" decoding="async"></p>
    <p><em>Inner</em> text <img src="/assets/p.28f528bc9880d079.svg" alt="Own" width="6" height="4" loading="lazy" decoding="async"></p>
    <div class="alert alert-note" role="note"><p class="alert-title">Info</p>
    <details><summary>S
    </summary><p>x</p>
    </details></div>
    <p>behind</p>
    "##);
    insta::assert_snapshot!(html(&folder, "docs/a"), @r##"
    <h2 id="before"><a href="#before">Before</a></h2>
    <ol>
    <li><p>One</p>
    <h3 id="from-a-part"><a href="#from-a-part">From a part</a></h3>
    <p><a href="/docs/b">Link</a>, <img src="/assets/p.28f528bc9880d079.svg" alt="Picture" width="6" height="4" loading="lazy" decoding="async"></p>
    <p><em>Inner</em> text <img src="/assets/p.28f528bc9880d079.svg" alt="Own" width="6" height="4" loading="lazy" decoding="async"></p>
    </li>
    <li><p>Two</p>
    </li>
    </ol>
    <p>A line, <strong>brought in</strong></p>
    <p><strong>brought in</strong> begins one</p>
    <div class="code" data-lang="jsx"><pre tabindex="0"><code>&lt;<span class="h-t">Part</span> /&gt;
    </code></pre></div>
    "##);
    assert_eq!(warnings(&folder, &[]), "");

    folder.write(
        "content/b.md",
        b"# B\n\nimport Gone from './_gone.mdx';\n\n<Gone />\n",
    );
    assert_refused(&folder, "content/b.md:5:1: cannot include `./_gone.mdx`: ");
}

#[test]
fn pictures_that_a_page_imports_are_pictures() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"4\"/>";
    let folder = built(&[
        ("docusaurus.config.js", DOCUSAURUS),
        (
            "content/guide/a.md",
            "# A\n\nimport flow from './flow.svg';\nimport Logo from '@site/static/logo.svg'\nimport icon from '@site/src/icon.svg'\n\n\
             <img src={flow} alt=\"Flow\" /> <img src={icon} alt=\"Icon\" />\n\n<div style={{ a: 1 }}>\n  <Logo title=\"Logo\" />\n</div>\n\n\
             <ThemedImage sources={{ light: flow, dark: require('./flow.svg').default }} />\n",
        ),
        ("content/guide/flow.svg", svg),
        ("src/icon.svg", svg),
        ("static/logo.svg", svg),
    ]);
    let html = html(&folder, "docs/guide/a");
    let found: Vec<&str> = html
        .split("<img ")
        .skip(1)
        .map(|image| image.split(" width=").next().unwrap_or_default())
        .collect();
    let flow = html.split('"').nth(1).unwrap();
    let icon = flow.replace("flow", "icon");
    assert!(flow.starts_with("/assets/flow."), "{html}");
    assert_eq!(
        found,
        [
            format!("src=\"{flow}\" alt=\"Flow\""),
            format!("src=\"{icon}\" alt=\"Icon\""),
            "src=\"/logo.svg\" alt=\"Logo\"".to_owned(),
            format!("src=\"{flow}\" alt=\"\""),
            format!("src=\"{flow}\" alt=\"\""),
        ]
    );
    let themes = ["light", "dark"].map(|theme| html.matches(&format!("data-only=\"{theme}\"")).count());
    assert_eq!(themes, [1, 1]);
    assert_eq!(warnings(&folder, &[]), "");

    folder.write(
        "content/guide/b.md",
        b"# B\n\nimport gone from './gone.png'\n\n<TabItem>\n<img src={gone} />\n</TabItem>\n",
    );
    assert_refused(&folder, "content/guide/b.md:6:1: there is no image `./gone.png`");

    folder.write(
        "content/guide/b.md",
        b"# B\n\nimport flow from './flow.svg'\n\n- a\n  <img src={flow} /> <img src={ pick(\n  1) } />\n- <a href={there}>x</a>\n",
    );
    insta::assert_snapshot!(warnings(&folder, &[]), @r"
    content/guide/b.md:6:22: warning: the address `pick( 1)` is not shown: programs are not run; write it in quotes, or import the picture by name
    content/guide/b.md:8:3: warning: the address `there` is not shown: programs are not run; write it in quotes, or import the picture by name
    ");
}

#[test]
fn pictures_beside_the_pages_are_those_of_the_site() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"4\"/>";
    let files = [
        (
            "site/astro.config.mjs",
            "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X' })] };\n",
        ),
        (
            "site/src/content/docs/guide/a.mdx",
            "---\ntitle: A\n---\n\nimport two from '~/assets/two.svg';\nimport three from '@/assets/three.svg';\n\n\
             ![One](../../../assets/one.svg)\n\n<img src={two.src} alt=\"Two\" /> <Image src={three} alt=\"Three\" />\n",
        ),
        (
            "site/src/content/docs/b.md",
            "---\ntitle: B\n---\n\n![One](../../assets/one.svg)\n",
        ),
        ("site/src/assets/one.svg", svg),
        ("site/src/assets/two.svg", svg),
        ("site/src/assets/three.svg", svg),
        ("site/src/assets/one.txt", "text"),
        ("site/src/.hidden/one.svg", svg),
        ("site/node_modules/one.svg", svg),
        ("outside.svg", svg),
    ];
    let folder = Folder::new(&files);
    let build = ["build", "--content", "site/src/content/docs", "--out", "out"];
    folder.run(&build).assert_ok();
    insta::assert_snapshot!(html(&folder, "guide/a"), @r#"
    <p><img src="/assets/one.a78839a1c906b409.svg" alt="One" width="8" height="4" loading="lazy" decoding="async"></p>
    <p><img src="/assets/two.a78839a1c906b409.svg" alt="Two" width="8" height="4" loading="lazy" decoding="async"> <img src="/assets/three.a78839a1c906b409.svg" alt="Three" width="8" height="4" loading="lazy" decoding="async"></p>
    "#);
    insta::assert_snapshot!(html(&folder, "b"), @r#"<p><img src="/assets/one.a78839a1c906b409.svg" alt="One" width="8" height="4" loading="lazy" decoding="async"></p>"#);
    let pictures = |path: &String| path.ends_with("svg");
    let inputs: Vec<_> = folder.inputs().into_iter().filter(pictures).collect();
    insta::assert_snapshot!(inputs.join("\n"), @r"
    site/src/assets/one.svg
    site/src/assets/three.svg
    site/src/assets/two.svg
    ");

    // Neither outside of the site, also by a detour, nor what it hides, nor packages, nor what is no picture.
    #[cfg(unix)]
    std::os::unix::fs::symlink(
        folder.path("outside.svg"),
        folder.path("site/src/assets/link.svg"),
    )
    .unwrap();
    for path in [
        "../../../../outside.svg",
        "../../../node_modules/one.svg",
        "../../.hidden/one.svg",
        "../../assets/one.txt",
        "../../assets/link.svg",
        "../../assets/gone.svg",
    ] {
        let text = format!("---\ntitle: B\n---\n\n![One]({path})\n");
        folder.write("site/src/content/docs/b.md", text.as_bytes());
        let run = folder.run(&["check", "--content", "site/src/content/docs"]);
        let expected = format!("site/src/content/docs/b.md:5:1: warning: there is no image `{path}`");
        assert!(run.stderr.starts_with(&expected), "{path}: {}", run.stderr);
    }

    // MkDocs has none beside its pages.
    let folder = Folder::new(&[
        ("mkdocs.yml", MKDOCS),
        ("content/guide/a.md", "# A\n\n![One](../img/one.svg)\n"),
        ("img/one.svg", svg),
    ]);
    assert_refused(
        &folder,
        "content/guide/a.md:3:1: there is no image `../img/one.svg`",
    );
}

#[test]
fn a_file_that_imports_itself_is_named() {
    let folder = Folder::new(&[
        ("content/a.mdx", "# A\n\nimport B from './b.md'\n\n<B />\n"),
        ("content/b.md", "import B from './b.md'\n\n# B\n\n<B />\n"),
    ]);
    assert_refused(
        &folder,
        "content/a.mdx:5:1: `./b.md` is included by a file that it includes",
    );
}

#[test]
fn a_page_that_shows_files_as_components_is_mdx_whatever_it_is_called() {
    let folder = built(&[
        ("content/a.md", "# A\n\nimport B from './b.md'\n\n<B />\n"),
        ("content/b.md", "# B\n"),
    ]);
    assert_eq!(html(&folder, "a"), "<h2 id=\"b\"><a href=\"#b\">B</a></h2>\n");
}

#[test]
fn links_that_lead_nowhere_are_warnings_where_another_generator_wrote_them() {
    let page = ("content/a.md", "# A\n\n[gone](gone.md) [no](#no)\n");
    for file in [
        ("mkdocs.yml", MKDOCS),
        ("content/SUMMARY.md", "- [A](a.md)\n"),
        ("content/.vitepress/config.js", "export default { title: 'X' }"),
        ("book.toml", "[book]\nsrc = \"content\"\ntitle = \"X\"\n"),
        ("hugo.toml", "title = \"X\"\n"),
    ] {
        let folder = Folder::new(&[page, file]);
        folder.run(&BUILD_PLAIN).assert_ok();
        assert_eq!(
            html(&folder, "a"),
            "<p><a href=\"gone.md\">gone</a> <a href=\"#no\">no</a></p>\n",
            "{file:?}"
        );
        let warnings = warnings(&folder, &[]);
        assert_eq!(warnings.lines().count(), 2, "{file:?}: {warnings}");
        // Who wants them to be errors says so.
        assert_eq!(folder.build_strictly().code, 1, "{file:?}");
    }
    let folder = Folder::new(&[page]);
    let run = folder.run(&BUILD_PLAIN);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.ends_with(
            "indexer: 2 of them would be warnings with `broken_links = \"warn\"` below `[content]` in siftwren.toml\n"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn a_part_of_a_site_of_vitepress_has_the_addresses_of_the_whole() {
    let folder = built(&[
        (
            ".vitepress/config.ts",
            "export default { title: `X ${version}`, themeConfig: { sidebar: [{ text: 'Start', link: '/content/guides/start' }] } }",
        ),
        (
            "content/a.md",
            "# A\n\n[Start](/content/guides/start) ![B](/img/b.svg)\n",
        ),
        ("content/guides/start.md", "# Begin\n"),
        ("public/img/b.svg", "<svg viewBox=\"0 0 6 4\"></svg>"),
        ("other/b.md", "# Not of these\n"),
    ]);
    assert_eq!(addresses(&folder), ["/content/a", "/content/guides/start"]);
    let page = html(&folder, "content/a");
    assert!(
        page.starts_with("<p><a href=\"/content/guides/start\">Start</a> <img src=\"/img/b.svg\""),
        "{page}"
    );
    assert_eq!(sidebar(&folder), ": X -\n  Start /content/guides/start\n");
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn addresses_of_starlight_have_neither_capitals_nor_dots() {
    let folder = Folder::new(&[
        (
            "astro.config.mjs",
            "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X', sidebar: [{ label: 'G', items: ['zh-cn/v20-a'] }] })] };\n",
        ),
        (
            "src/content/docs/zh-CN/v2.0 A.md",
            "---\ntitle: A\n---\n\n[b](/zh-cn/) [c](./index.mdx)\n",
        ),
        ("src/content/docs/zh-CN/index.mdx", "---\ntitle: B\n---\n"),
    ]);
    let run = folder.run(&["check", "--content", "src/content/docs"]);
    assert_eq!(run.stderr, "");
    folder
        .run(&["build", "--content", "src/content/docs", "--out", "out"])
        .assert_ok();
    assert_eq!(addresses(&folder), ["/zh-cn", "/zh-cn/v20-a"]);
    assert_eq!(
        html(&folder, "zh-cn/v20-a"),
        "<p><a href=\"/zh-cn\">b</a> <a href=\"/zh-cn\">c</a></p>\n"
    );
}

#[test]
fn what_an_item_of_a_list_brings_in_stays_in_it() {
    let folder = built(&[
        (
            "content/a.md",
            "# A\n\n1. One\n\n   <<< ./b.yaml#part [b]\n\n   ```text\n   --8<-- \"sub/c.txt\"\n   ```\n\n   <!--@include: ./sub/d.txt-->\n\n2. Two\n",
        ),
        (
            "content/b.yaml",
            "#region part\n# Not a heading\na:\n\n  - b\n#endregion part\n",
        ),
        ("content/sub/c.txt", "c\n\n  d\n"),
        ("content/sub/d.txt", "- *e*\n  - f\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r##"
    <ol>
    <li><p>One</p>
    <figure class="code" data-lang="yaml"><figcaption>b</figcaption><pre tabindex="0"><code><span class="h-c"># Not a heading</span>
    <span class="h-f">a</span>:

      - <span class="h-s">b</span>
    </code></pre></figure>
    <div class="code" data-lang="text"><pre tabindex="0"><code>c

      d
    </code></pre></div>
    <ul>
    <li><em>e</em><ul>
    <li>f</li>
    </ul>
    </li>
    </ul>
    </li>
    <li><p>Two</p>
    </li>
    </ol>
    "##);
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn the_front_matter_of_a_first_page_is_its_beginning() {
    let page = "---\nlayout: home\nhero:\n  name: The *X*\n  tagline: All of it\n  actions:\n    - text: Start\n      link: /start\n    - text: Gone\n      link: /gone\nfeatures:\n  - title: One\n    details: Of <code>it</code>\n---\n\nBody\n";
    let start = ("content/start.md", "# Start\n");
    let folder = built(&[
        ("content/.vitepress/config.js", "export default { title: `${x}` }"),
        ("content/index.md", page),
        start,
    ]);
    insta::assert_snapshot!(html(&folder, "index"), @r#"
    <p>All of it</p>
    <p><a href="/start">Start</a> · <a href="/gone">Gone</a></p>
    <ul>
    <li><strong>One</strong><br>
    Of <code>it</code></li>
    </ul>
    <p>Body</p>
    "#);
    assert_eq!(folder.json("out/pages/index.json")["title"], "The *X*");
    assert_eq!(
        warnings(&folder, &[]),
        "content/index.md:15:1: warning: there is no page `/gone`; write the path of a file from this one, such as `./other.md`, or of a page\n"
    );
    // Nobody else means that.
    let folder = built(&[("content/index.md", page), start]);
    assert_eq!(html(&folder, "index"), "<p>Body</p>\n");
}

#[test]
fn links_are_found_where_their_generators_find_them() {
    // Below a language Starlight shows every page, translated or not.
    let folder = Folder::new(&[
        (
            "astro.config.mjs",
            "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X' })] };\n",
        ),
        (
            "src/content/docs/pt-BR/a.md",
            "---\ntitle: A\n---\n\n[b](/pt-br/b/#c) [g](/guides/b) [no](/api/b) [own](/pt-BR/a) [all](/llms.txt)\n",
        ),
        ("src/content/docs/b.md", "---\ntitle: B\n---\n\n## C\n"),
        ("src/content/docs/guides/c.md", "---\ntitle: C\n---\n"),
    ]);
    let of_starlight = ["--content", "src/content/docs"];
    folder
        .run(&[&["build", "--out", "out"][..], &of_starlight].concat())
        .assert_ok();
    assert_eq!(
        html(&folder, "pt-br/a"),
        "<p><a href=\"/b#c\">b</a> <a href=\"/guides/b\">g</a> <a href=\"/api/b\">no</a> <a href=\"/pt-br/a\">own</a> <a href=\"/llms.txt\">all</a></p>\n"
    );
    let run = folder.run(&[&["check"][..], &of_starlight].concat());
    assert_eq!(
        run.stderr,
        "src/content/docs/pt-BR/a.md:5:18: warning: there is no page `/guides/b`; a page of that name is at /b\nsrc/content/docs/pt-BR/a.md:5:33: warning: there is no page `/api/b`; a page of that name is at /b\n"
    );

    // Files from the folder of the site.
    let folder = built(&[
        (
            "docusaurus.config.js",
            "module.exports = { presets: [['classic', { docs: { path: 'content', routeBasePath: 'guides', sidebarPath: 'sidebars.js' } }]] }",
        ),
        (
            "content/a.md",
            "# A\n\n[b](/content/more/b.mdx#c) [gone](/contents/more/b.mdx)\n",
        ),
        ("content/more/b.mdx", "# B\n\n## C\n"),
    ]);
    assert_eq!(
        html(&folder, "guides/a"),
        "<p><a href=\"/guides/more/b#c\">b</a> <a href=\"/contents/more/b.mdx\">gone</a></p>\n"
    );
    assert_eq!(warnings(&folder, &[]).lines().count(), 1);

    // Addresses of Hugo have no capitals.
    let folder = built(&[
        ("hugo.toml", "title = \"X\"\n"),
        (
            "content/a.md",
            "---\ntitle: A\n---\n\n[b](/methods/page/wordcount/) [c](/Methods/Page/WordCount)\n",
        ),
        ("content/methods/Page/WordCount.md", "---\ntitle: B\n---\n"),
    ]);
    let link = |text: &str| format!("<a href=\"/methods/page/wordcount\">{text}</a>");
    assert_eq!(
        html(&folder, "a"),
        format!("<p>{} {}</p>\n", link("b"), link("c"))
    );
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn files_that_fumadocs_and_hugo_bring_in_are_shown() {
    let folder = Folder::new(&[
        ("content/docs/meta.json", r#"{ "pages": ["..."] }"#),
        (
            "content/docs/index.mdx",
            "---\ntitle: A\n---\n\n- One\n\n  <include>./parts.mdx</include>\n\n<include cwd lang=\"ts\" meta='title=\"b.ts\"'>\n  src/b.txt#two\n</include>\n\nIn words: <include>parts.mdx#three</include>.\n\n```mdx\n<include>x.mdx</include>\n```\n\n<DocsCategory />\n",
        ),
        (
            "content/docs/parts.mdx",
            "---\ntitle: Parts\n---\n\n*Two*\n\n<section id=\"three\">three</section>\n",
        ),
        ("src/b.txt", "// #region two\nlet two = 2;\n// #endregion two\n"),
    ]);
    let build = ["build", "--content", "content/docs", "--out", "out"];
    folder.run(&build).assert_ok();
    insta::assert_snapshot!(html(&folder, "docs"), @r#"
    <ul>
    <li><p>One</p>
    <p><em>Two</em></p>
    <span id="three"></span><p>three</p>
    </li>
    </ul>
    <figure class="code" data-lang="typescript"><figcaption>b.ts</figcaption><pre tabindex="0"><code><span class="h-k">let</span> two = <span class="h-n">2</span>;
    </code></pre></figure>
    <p>In words: three.</p>
    <div class="code" data-lang="markdown"><pre tabindex="0"><code>&lt;include&gt;x.mdx&lt;/include&gt;
    </code></pre></div>
    <ul>
    <li><a href="/docs/parts">Parts</a><br>Two three…</li>
    </ul>
    "#);
    let run = folder.run(&["check", "--content", "content/docs"]);
    assert_eq!(run.stderr, "");
    folder.write(
        "content/docs/index.mdx",
        b"---\ntitle: A\n---\n\n<include>gone.ts</include> <include>parts.mdx#gone</include>\n",
    );
    let run = folder.run(&["check", "--content", "content/docs"]);
    assert_eq!(
        run.stderr,
        "content/docs/index.mdx:5:1: warning: cannot include `gone.ts`: No such file or directory (os error 2); write its path from this file\ncontent/docs/index.mdx:5:28: warning: `parts.mdx` has no section `gone`\n"
    );

    let folder = built(&[
        ("hugo.toml", "title = \"X\"\n"),
        (
            "content/guide/a.md",
            "---\ntitle: A\n---\n\n1. One\n\n   {{% include \"/_parts/b.md\" %}}\n\n{{< readfile file=\"c.py\" code=\"true\" lang=\"python\" >}}\n\n{{% readfile \"../../static/d.md\" /%}}\n\n{{< include nothing >}}\n",
        ),
        ("content/_parts/b.md", "---\ntitle: B\n---\n\nOf *two*\nlines\n"),
        ("content/guide/c.py", "c = 1\n"),
        ("static/d.md", "The end\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "guide/a"), @r#"
    <ol>
    <li><p>One</p>
    <p>Of <em>two</em>
    lines</p>
    </li>
    </ol>
    <div class="code" data-lang="python"><pre tabindex="0"><code>c = <span class="h-n">1</span>
    </code></pre></div>
    <p>The end</p>
    "#);
    assert_eq!(
        warnings(&folder, &[]),
        "content/guide/a.md:4:1: warning: components are not known here; of include only what stands between the tags is shown\n"
    );
}

#[test]
fn a_heading_that_says_nothing_is_a_place_to_link_to() {
    let folder = built(&[
        (
            "content/a.md",
            "# A\n\n[b](#b) [c](#section)\n\n## <!-- of a program --> {#b}\n\n## ![D](d.svg)\n\n##\n\nText\n",
        ),
        ("content/d.svg", "<svg width=\"4\" height=\"2\"></svg>"),
    ]);
    let page = html(&folder, "a");
    assert!(
        page.contains("<span id=\"b\"></span>\n<h2 id=\"d\"><a href=\"#d\"><img "),
        "{page}"
    );
    assert!(
        page.ends_with("</h2>\n<span id=\"section\"></span>\n<p>Text</p>\n"),
        "{page}"
    );
    let toc = &folder.json("out/pages/a.json")["toc"];
    assert_eq!(toc, &serde_json::json!([{ "id": "d", "title": "D", "level": 2 }]));
}

#[test]
fn files_at_addresses_that_the_site_has_itself_get_other_names() {
    let svg = "<svg width=\"4\" height=\"2\"></svg>";
    let files = [
        (
            "docusaurus.config.js",
            "module.exports = { presets: [['classic', { docs: { path: 'content', sidebarPath: 'sidebars.js' } }]] }",
        ),
        (
            "content/a.md",
            "# A\n\n![B](/assets/img/b.svg) ![C](/img/c.svg)\n",
        ),
        ("static/assets/img/b.svg", svg),
        ("static/assets/img/unused.svg", svg),
        ("static/img/c.svg", svg),
    ];
    let folder = built(&files);
    let page = html(&folder, "docs/a");
    assert!(
        page.starts_with("<p><img src=\"/assets/b.ebb0349d8fef0111.svg\" alt=\"B\" width=\"4\""),
        "{page}"
    );
    assert!(page.contains("src=\"/img/c.svg\""), "{page}");
    assert_eq!(folder.read("out/assets/b.ebb0349d8fef0111.svg"), svg);
    assert_eq!(
        warnings(&folder, &[]),
        "static/assets/img/unused.svg:1:1: warning: the site has a file of its own at /assets/img/unused.svg; this one is left out\n"
    );
}

#[test]
fn mkdocs_includes_from_the_folders_of_its_snippets() {
    let folder = built(&[
        (
            "mkdocs.yml",
            "site_name: X\ndocs_dir: content\nmarkdown_extensions:\n  - pymdownx.snippets:\n      base_path: [code/parts, other]\n",
        ),
        (
            "content/a.md",
            "# A\n\n--8<-- \"one.md\"\n\n--8<-- \"two.md\"\n\n--8<-- \"three.md\"\n",
        ),
        ("code/parts/one.md", "One of the first\n"),
        ("other/one.md", "One of the second\n"),
        ("other/two.md", "Two of the second\n"),
        ("three.md", "Three of the site\n"),
    ]);
    assert_eq!(
        html(&folder, "a"),
        "<p>One of the first</p>\n<p>Two of the second</p>\n<p>Three of the site</p>\n"
    );
}

#[test]
fn badges_are_shown_and_no_part_of_an_id() {
    let folder = built(&[
        ("content/.vitepress/config.js", "export default { title: 'X' }"),
        (
            "content/a.md",
            "# A\n\n[one](#one) [two](b.mdx#two)\n\n## <Badge type=\"tip\" text=\"New & 2\" /> One\n\nOf <Badge>old</Badge> <sup>2</sup>\n\n## x<sup>2</sup>\n",
        ),
        (
            "content/b.mdx",
            "# B\n\n## Two <Badge text='*new*' variant=\"note\" />\n",
        ),
    ]);
    insta::assert_snapshot!(html(&folder, "a"), @r##"
    <p><a href="#one">one</a> <a href="/b#two">two</a></p>
    <h2 id="one"><a href="#one"><sup>New &amp; 2</sup> One</a></h2>
    <p>Of old <sup>2</sup></p>
    <h2 id="x2"><a href="#x2">x<sup>2</sup></a></h2>
    "##);
    insta::assert_snapshot!(html(&folder, "b"), @r##"<h2 id="two"><a href="#two">Two <sup>*new*</sup></a></h2>"##);
    assert!(
        !warnings(&folder, &[]).contains("heading"),
        "{}",
        warnings(&folder, &[])
    );
}

#[test]
fn docusaurus_imports_from_the_root_of_its_site_and_lists_the_pages_below() {
    let files = [
        (
            "docusaurus.config.js",
            "module.exports = { presets: [['classic', { docs: { path: 'content', sidebarPath: 'sidebars.js' } }]] }",
        ),
        ("parts/_a.mdx", "From the *root*.\n"),
        (
            "content/guides/index.mdx",
            "---\ntitle: Guides\n---\n\nimport DocCardList from '@theme/DocCardList';\nimport A from '/parts/_a.mdx';\n\n<A />\n\n<DocCardList />\n\n`<DocCardList />`\n",
        ),
        (
            "content/guides/one.md",
            "---\ntitle: One & only\ndescription: All of one.\nsidebar_position: 2\n---\n\nText\n",
        ),
        (
            "content/guides/two.md",
            "---\ntitle: Two\nsidebar_position: 1\n---\n\nA text that goes on.\n",
        ),
        ("content/empty/index.md", "---\ntitle: Empty\n---\n"),
        ("content/empty/three.md", "# Three\n"),
        (
            "content/alone.md",
            "---\ntitle: Alone\n---\n\n<TOCInline toc={toc} />\n",
        ),
    ];
    let folder = built(&files);
    insta::assert_snapshot!(html(&folder, "docs/guides"), @r##"
    <p>From the <em>root</em>.</p>
    <ul>
    <li><a href="/docs/guides/two">Two</a><br>A text that goes on.</li>
    <li><a href="/docs/guides/one">One &amp; only</a><br>All of one.</li>
    </ul>
    <p><code>&lt;DocCardList /&gt;</code></p>
    "##);
    assert_eq!(
        html(&folder, "docs/empty"),
        "<ul>\n<li><a href=\"/docs/empty/three\">Three</a></li>\n</ul>\n"
    );
    assert_eq!(html(&folder, "docs/alone"), "");
    assert_eq!(warnings(&folder, &[]), "");
    // The search has what the page says itself.
    let items = folder.read("out/items.ndjson");
    let item = items.lines().find(|line| line.contains("/docs/guides\""));
    assert!(
        item.unwrap()
            .contains("\"body\":\"From the root.\\n<DocCardList />\""),
        "{items}"
    );
}

#[test]
fn files_of_starlight_are_found_in_its_sources() {
    let folder = Folder::new(&[
        (
            "astro.config.mjs",
            "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X' })] };\n",
        ),
        (
            "src/content/docs/a.mdx",
            "---\ntitle: A\n---\n\nimport B from '@/parts/b.md';\nimport C from \"~/parts/b.md\";\n\n<B />\n\n<C />\n",
        ),
        ("src/content/docs/_draft/c.md", "# No page\n"),
        ("src/parts/b.md", "From the sources.\n"),
    ]);
    folder
        .run(&["build", "--content", "src/content/docs", "--out", "out"])
        .assert_ok();
    assert_eq!(addresses(&folder), ["/a"]);
    let text = "<p>From the sources.</p>\n";
    assert_eq!(html(&folder, "a"), text.repeat(2));
}

#[test]
fn pages_of_hugo_have_its_addresses_and_shortcodes() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"8\" height=\"4\"/>";
    let config = "# of Hugo\nbaseurl: https://a.example\ncontentDir: content/en\nlanguages:\n  en:\n    title: A site\n    contentDir: content/en\nmenu: {main: [{name: x}]}\nparams: {site: {is: 1}}\n";
    let folder = Folder::new(&[
        ("hugo.yaml", config),
        (
            "content/en/docs/_index.md",
            "---\ntitle: Docs\ncascade:\n  version: v2\n---\n\n[a]({{< relref \"guide/start.md#first\" >}}) [b](/docs/guide/start/)\n",
        ),
        (
            "content/en/docs/guide/start.md",
            "---\ntitle: Start\n---\n\n## First\n\n{{% alert title=\"Take care\" color=\"warning\" %}}\n*One*\n{{% /alert %}}\n\n{{< tabpane >}}\n{{< tab header=\"Shell\" lang=\"bash\" >}}\necho {{</* x */>}}\n{{< /tab >}}\n{{< /tabpane >}}\n\n{{< figure src=\"/img/a.svg\" alt=\"A\" >}}\n\n{{< unknown >}}inner{{< /unknown >}}\n\n![B](../b.svg) [c](/docs/{{< param version >}}/)\n\n```bash\nget {{< param \"version\" >}} {{< param site.is >}} {{< param none >}}\n```\n",
        ),
        ("content/en/docs/guide/b.svg", svg),
        ("content/en/docs/v2.md", "---\ntitle: Two\n---\n"),
        ("static/img/a.svg", svg),
        ("static/favicons/favicon.svg", svg),
    ]);
    let build = ["build", "--content", "content/en/docs", "--out", "out"];
    folder.run(&build).assert_ok();
    assert_eq!(addresses(&folder), ["/docs", "/docs/guide/start", "/docs/v2"]);
    assert_eq!(folder.json("out/manifest.json")["site"]["title"], "A site");
    insta::assert_snapshot!(html(&folder, "docs"), @r#"<p><a href="/docs/guide/start#first">a</a> <a href="/docs/guide/start">b</a></p>"#);
    insta::assert_snapshot!(html(&folder, "docs/guide/start"), @r##"
    <h2 id="first"><a href="#first">First</a></h2>
    <div class="alert alert-warning" role="note"><p class="alert-title">Take care</p>
    <p><em>One</em></p>
    </div>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="shell">Shell</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="shell"><p class="tab-title" data-only-without-js>Shell</p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">echo</span> {{&lt; x &gt;}}
    </code></pre></div>
    </section>
    </div>
    <p><img src="/img/a.svg" alt="A" width="8" height="4" loading="lazy" decoding="async"></p>
    <p>inner</p>
    <p><img src="/assets/b.a78839a1c906b409.svg" alt="B" width="8" height="4" loading="lazy" decoding="async"> <a href="/docs/v2">c</a></p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">get</span> v2 1 {{&lt; param none &gt;}}
    </code></pre></div>
    "##);
    let warned = folder.run(&["check", "--content", "content/en/docs"]);
    insta::assert_snapshot!(warned.stderr, @"content/en/docs/guide/start.md:4:1: warning: components are not known here; of unknown only what stands between the tags is shown");
}

#[test]
fn words_with_what_they_mean_are_a_list() {
    let text =
        "# A\n\nOne\n: *Two*\n  three\n\nFour\n\n: Five\n\n  Six\n\n: Seven\n\n```\n:code\n```\n\nc :\n";
    let emoji = "# B\n\na\n:rocket: b\n\n`c\n:d`\n: e\n\nf | g\n:--|:-:\n:x | y\n";
    let folder = built(&[("content/a.md", text), ("content/b.md", emoji)]);
    insta::assert_snapshot!(html(&folder, "b"), @r#"
    <p>a
    🚀 b</p>
    <dl>
    <dt><code>c :d</code></dt>
    <dd>e</dd>
    </dl>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Table 1: B"><table>
    <thead>
    <tr><th scope="col">f</th><th scope="col" class="center">g</th></tr>
    </thead>
    <tbody>
    <tr><td>:x</td><td class="center">y</td></tr>
    </tbody></table></div>
    "#);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <dl>
    <dt>One</dt>
    <dd><p><em>Two</em>
    three</p>
    </dd>
    <dt>Four</dt>
    <dd><p>Five</p>
    <p>Six</p>
    </dd>
    <dd><p>Seven</p>
    </dd>
    </dl>
    <div class="code" data-lang="text"><pre tabindex="0"><code>:code
    </code></pre></div>
    <p>c :</p>
    "#);
    let items = folder.read("out/items.ndjson");
    assert!(
        items.contains(r"One\nTwo\nthree\nFour\nFive\nSix\nSeven\n"),
        "{items}"
    );
}

#[test]
fn quotes_that_begin_as_alerts_are_alerts() {
    let text = "# A\n\n> [!WARNING] Take `care` of [it](b.md)\n>\n> One\n\n> [!success]-\n> Two\n> > [!info]+ Inner\n> > Three\n>\n> Four\n\n> [!NOTE] Only\n\n> [!unknown] Five\n\n> Six [!NOTE]\n\n> [!NOTE]\n> Seven\n";
    let folder = built(&[("content/a.md", text), ("content/b.md", "# B\n")]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-warning" role="note"><p class="alert-title">Take <code>care</code> of it</p>
    <p>One</p>
    </div>
    <div class="alert alert-tip" role="note"><p class="alert-title">Success</p>
    <p>Two</p>
    <div class="alert alert-note" role="note"><p class="alert-title">Inner</p>
    <p>Three</p>
    </div>
    <p>Four</p>
    </div>
    <div class="alert alert-note" role="note"><p class="alert-title">Only</p>
    </div>
    <blockquote>
    <p>[!unknown] Five</p>
    </blockquote>
    <blockquote>
    <p>Six [!NOTE]</p>
    </blockquote>
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    <p>Seven</p>
    </div>
    "#);
    let items = folder.read("out/items.ndjson");
    assert!(
        items.contains(r"Take care of it\nOne\nTwo\nInner\nThree\nFour\nOnly\n[!unknown]"),
        "{items}"
    );
}

#[test]
fn what_begins_in_the_title_of_an_alert_ends_with_it() {
    let folder = built(&[(
        "content/a.md",
        "# A\n\n> [!note]- Of *two **parts\n> of* it** and _more_\n\n> [!tip] Of **one\n> *inner* one** and [a\n> link](a.md)\n",
    )]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-note" role="note"><p class="alert-title">Of two parts</p>
    <p>of it and <em>more</em></p>
    </div>
    <div class="alert alert-tip" role="note"><p class="alert-title">Of one</p>
    <p><em>inner</em> one and <a href="/a">a
    link</a></p>
    </div>
    "#);
}

#[test]
fn what_hugo_and_zola_say_of_a_site_is_found() {
    for (file, config, content, title) in [
        (
            "config/_default/hugo.toml",
            "title = 'A'\n[params]\nx = 1\n",
            "content",
            "A",
        ),
        (
            "config.toml",
            "defaultContentLanguage = 'de'\n[languages.de]\ntitle = 'B'\n",
            "content/de",
            "B",
        ),
        (
            "config.yaml",
            "Title: G\nlanguages:\n  en: {label: E}\n  fr: {label: F}\n",
            "content/fr/docs",
            "G",
        ),
        ("hugo.toml", "contentDir = 'pages'\nTitle = 'C'\n", "pages", "C"),
        ("config.toml", "base_url = '/'\ntitle = 'D'\n", "content", "D"),
        // Of another folder, and of another program.
        ("hugo.toml", "title = 'E'\n", "pages", "pages"),
        (
            "config.toml",
            "base_url = '/'\ntitle = 'F'\n",
            "content/docs",
            "docs",
        ),
        ("config.yaml", "a: [\ntitle: G\n", "pages", "pages"),
    ] {
        let page = format!("{content}/a.md");
        let folder = Folder::new(&[(file, config), (&page, "# A\n")]);
        folder
            .run(&["build", "--content", content, "--out", "out"])
            .assert_ok();
        let manifest = folder.json("out/manifest.json");
        assert_eq!(manifest["site"]["title"], title, "{config}");
        let address = if content.starts_with("content/fr") {
            "/fr/docs/a"
        } else {
            "/a"
        };
        assert_eq!(addresses(&folder), [address], "{config}");
    }
    let folder = Folder::new(&[("hugo.toml", "title = 'A\n"), ("content/a.md", "# A\n")]);
    insta::assert_snapshot!(warnings(&folder, &[]), @"hugo.toml:1:11: warning: this is no TOML: invalid literal string, expected `'`; the file is left out");
}

#[test]
fn what_mkdocs_writes_for_programs_is_no_text() {
    let folder = built(&[
        ("mkdocs.yml", MKDOCS),
        (
            "content/a.md",
            "# A\n\n[](){#place}\nA [`Model`][app.Model], an [`int`][] and [words][place], not [x][1] or `[y][z.z]`.\n\n::: app.config\n    options:\n      members:\n\n        - One\n\n::: app\n\nLast [gone][] {#not-last} words\n{: #last .big }\n\n- item\n  {#of-item}\n\n{#alone}\n\n[word] [word][]\n\n```\n[](){#code}\n{#code-too}\n```\n\n[a](#place) [b](#last) [c](#of-item)\n",
        ),
        ("content/b.md", "# B\n\n[](){#only}\nx [a](#only)\n"),
        ("content/c.md", "# C\n\nx\n{#only}\n\n[a](#only)\n"),
    ]);
    let plain = built(&[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\n"),
        ("content/a.md", "# A\n\n[x][y] [z][]\n"),
    ]);
    assert_eq!(html(&plain, "a"), "<p>[x][y] [z][]</p>\n");
    insta::assert_snapshot!(html(&folder, "a"), @r##"
    <p><span id="place"></span>
    A <code>Model</code>, an <code>int</code> and <a href="#place">words</a>, not [x][1] or <code>[y][z.z]</code>.</p>
    <p>Last gone {#not-last} words
    <span id="last"></span></p>
    <ul>
    <li>item
    <span id="of-item"></span></li>
    </ul>
    <p>{#alone}</p>
    <p>[word] word</p>
    <div class="code" data-lang="text"><pre tabindex="0"><code>[](){#code}
    {#code-too}
    </code></pre></div>
    <p><a href="#place">a</a> <a href="#last">b</a> <a href="#of-item">c</a></p>
    "##);
    insta::assert_snapshot!(warnings(&folder, &[]), @r"
    content/a.md:6:1: warning: the documentation of `app.config` is left out: programs are not read
    content/a.md:12:1: warning: the documentation of `app` is left out: programs are not read
    ");
}

#[test]
fn code_of_mkdocs_can_be_lines_of_files() {
    let folder = built(&[
        ("mkdocs.yml", "site_name: X\ndocs_dir: content\n"),
        ("code/a.py", "one\ntwo\nthree\nfour\nfive\n"),
        ("snippet.txt", "of the site\n"),
        (
            "content/sub/a.md",
            "# A\n\n{* code/a.py ln[1:2,4] hl[2,4:5] title[\"a.py\"] *}\n\n{* code/a.py *}\n\n--8<-- \"snippet.txt\"\n\n```python\n{!> code/a.py!}\n```\n",
        ),
    ]);
    insta::assert_snapshot!(html(&folder, "sub/a"), @r#"
    <figure class="code" data-lang="python"><figcaption>a.py</figcaption><pre tabindex="0"><code>one
    <mark>two
    four
    </mark></code></pre></figure>
    <div class="code" data-lang="python"><pre tabindex="0"><code>one
    two
    three
    four
    five
    </code></pre></div>
    <p>of the site</p>
    <div class="code" data-lang="python"><pre tabindex="0"><code>one
    two
    three
    four
    five
    </code></pre></div>
    "#);
    for (text, expected) in [
        ("```text\n{!snippet.txt!}\n```\n", 1),
        ("--8<-- \"snippet.txt\"\n\n{{#include ../../snippet.txt}}\n", 2),
    ] {
        folder.write("content/sub/a.md", format!("# A\n\n{text}").as_bytes());
        folder.run(&BUILD_PLAIN).assert_ok();
        let html = html(&folder, "sub/a");
        assert_eq!(html.matches("of the site").count(), expected, "{html}");
    }
    folder.write("content/sub/a.md", b"# A\n\n{* code/gone.py *}\n");
    assert_refused(&folder, "content/sub/a.md:3:1: cannot include `code/gone.py`: ");
}

#[test]
fn groups_of_mkdocs_without_a_name_have_that_of_their_first_page() {
    let folder = built(&[
        (
            "mkdocs.yml",
            "site_name: X\ndocs_dir: content\nnav:\n- index.md\n- '':\n  - learn/index.md\n  - '':\n    - learn/a.md\n    - learn/b.md\n  - '':\n    - Deep:\n      - learn/c.md\n",
        ),
        ("content/index.md", "# Home\n"),
        ("content/learn/index.md", "# Learn it\n"),
        ("content/learn/a.md", "# First\n"),
        ("content/learn/b.md", "# Second\n"),
        ("content/learn/c.md", "# Third\n"),
    ]);
    insta::assert_snapshot!(sidebar(&folder), @r"
    : X -
      Home /
    learn: Learn it -
      Learn it /learn
      First /learn/a
        Second /learn/b
      Deep -
        Third /learn/c
    ");
    assert_eq!(
        folder.json("out/pages/learn/b.json")["section"]["title"],
        "Learn it"
    );
}

#[test]
fn pages_of_zola_and_hugo_say_what_they_are_in_toml() {
    let folder = built(&[
        (
            "content/_index.md",
            "\n+++\ntitle = \"Home\"\n+++\n\n[a](@/guide/b.md#x)\n",
        ),
        (
            "content/guide/b.md",
            "+++\ntitle = \"B \\\"here\\\"\"\ndescription = 'About B'\nweight = 2\n[extra]\nx = 1979-05-27\n+++\n\n## X\n",
        ),
        (
            "content/guide/a.md",
            "+++\ntitle = \"A\"\nweight = 10\nslug = \"other\"\n+++\n",
        ),
        (
            "content/guide/c.md",
            "+++\ntitle = \"C\"\npath = \"elsewhere\"\nweight = 3\n+++\n",
        ),
        ("content/guide/d.md", "+++\ntitle = \"D\"\ndraft = true\n+++\n"),
        (
            "content/late.md",
            "\n  \n---\ntitle: Late\npath: other\ndraft: false\n---\n\ntext\n",
        ),
    ]);
    insta::assert_snapshot!(sidebar(&folder), @r#"
    : content /
      Late /late
    guide: Guide -
      B "here" /guide/b
      C /elsewhere
      A /guide/other
    "#);
    assert_eq!(folder.json("out/pages/guide/b.json")["description"], "About B");
    assert_eq!(html(&folder, "late"), "<p>text</p>\n");
    assert_eq!(
        addresses(&folder),
        ["/", "/elsewhere", "/guide/b", "/guide/other", "/late"]
    );

    folder.write(
        "content/late.md",
        b"+++\ntitle = \"Late\"\nslug = \"../x\"\n+++\n",
    );
    assert_refused(&folder, "content/late.md:3:8: `../x` is no address of a page;");

    folder.write("content/late.md", b"+++\ntitle = \n+++\n");
    assert_refused(
        &folder,
        "content/late.md:2:9: the front matter is not valid TOML: ",
    );
}

#[test]
fn tabs_between_lines_of_colons_are_tabs() {
    let folder = built(&[(
        "content/a.md",
        "# A\n\n::: tabs key:os\n== Linux & \"co\"\none\n\n::: code-group\n```sh [npm]\nx\n```\n:::\n\n=== macOS\ntwo\n:::\n\n:::: tabs\n\n== Deep\n\n::: tip\n== no tab\n:::\n\n::::\n\n::: tabs of other kinds\n== text\n:::\n\n== text\n\n::: tabs\nno title\n:::\n",
    )]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="tabs" data-group="os"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="linux-amp-quotcoquot">Linux &amp; &quot;co&quot;</button><button type="button" role="tab" id="tab:1:2:b" aria-controls="tab:1:2" aria-selected="false" tabindex="-1" data-tab="macos">macOS</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="linux-amp-quotcoquot"><p class="tab-title" data-only-without-js>Linux &amp; &quot;co&quot;</p>
    <p>one</p>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:2:1:b" aria-controls="tab:2:1" aria-selected="true" data-tab="npm">npm</button></div>
    <section class="tab" role="tabpanel" id="tab:2:1" aria-labelledby="tab:2:1:b" data-tab="npm"><p class="tab-title" data-only-without-js>npm</p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">x</span>
    </code></pre></div>
    </section>
    </div>
    </section>
    <section class="tab" role="tabpanel" id="tab:1:2" aria-labelledby="tab:1:2:b" data-tab="macos"><p class="tab-title" data-only-without-js>macOS</p>
    <p>two</p>
    </section>
    </div>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:3:1:b" aria-controls="tab:3:1" aria-selected="true" data-tab="deep">Deep</button></div>
    <section class="tab" role="tabpanel" id="tab:3:1" aria-labelledby="tab:3:1:b" data-tab="deep"><p class="tab-title" data-only-without-js>Deep</p>
    <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
    <p>== no tab</p>
    </div>
    </section>
    </div>
    <p>== text</p>
    <p>== text</p>
    <p>no title</p>
    "#);
}

#[test]
fn a_line_of_colons_ends_all_that_only_it_can_end() {
    let folder = built(&[(
        "content/a.md",
        "# A\n\n::: tip\none\n\n::: code-group\n```sh [npm]\n:::\n```\n:::\n\n::: tabs\n== A\n::: note\n== B\nx\n:::\n\nbehind\n",
    )]);
    let balanced = built(&[(
        "content/a.md",
        "# A\n\n```\n::: note\n```\n\n::: tip\n::: note\nx\n:::\n\ny\n:::\n\nz\n",
    )]);
    let html_of_balanced = html(&balanced, "a");
    assert!(
        html_of_balanced.ends_with("<p>x</p>\n</div>\n<p>y</p>\n</div>\n<p>z</p>\n"),
        "{html_of_balanced}"
    );
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
    <p>one</p>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:1:1:b" aria-controls="tab:1:1" aria-selected="true" data-tab="npm">npm</button></div>
    <section class="tab" role="tabpanel" id="tab:1:1" aria-labelledby="tab:1:1:b" data-tab="npm"><p class="tab-title" data-only-without-js>npm</p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">:::</span>
    </code></pre></div>
    </section>
    </div>
    </div>
    <div class="tabs"><div role="tablist" data-needs-js><button type="button" role="tab" id="tab:2:1:b" aria-controls="tab:2:1" aria-selected="true" data-tab="a">A</button><button type="button" role="tab" id="tab:2:2:b" aria-controls="tab:2:2" aria-selected="false" tabindex="-1" data-tab="b">B</button></div>
    <section class="tab" role="tabpanel" id="tab:2:1" aria-labelledby="tab:2:1:b" data-tab="a"><p class="tab-title" data-only-without-js>A</p>
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    </div>
    </section>
    <section class="tab" role="tabpanel" id="tab:2:2" aria-labelledby="tab:2:2:b" data-tab="b"><p class="tab-title" data-only-without-js>B</p>
    <p>x</p>
    </section>
    </div>
    <p>behind</p>
    "#);
    assert_eq!(warnings(&folder, &[]), "");
}

#[test]
fn components_in_a_line_give_way_to_what_they_hold() {
    let folder = built(&[(
        "content/a.md",
        "# A\n\n## Retry <Badge>3.1</Badge> {#retry}\n\n- [a](#retry) <Since v=\"1\">2.0</Since>\n\nA `Vec<T>`, a Vec<T> and </Lost>.\n\nThen </T>.\n",
    )]);
    insta::assert_snapshot!(html(&folder, "a"), @r##"
    <h2 id="retry"><a href="#retry">Retry 3.1</a></h2>
    <ul>
    <li><a href="#retry">a</a> 2.0</li>
    </ul>
    <p>A <code>Vec&lt;T&gt;</code>, a Vec&lt;T&gt; and .</p>
    <p>Then .</p>
    "##);
    insta::assert_snapshot!(warnings(&folder, &[]), @r"
    content/a.md:1:1: warning: components are not known here; of Badge, Since only what stands between the tags is shown
    content/a.md:7:18: warning: `<T>` is no element of HTML and shown as text; write it as code, or `\<` for the sign
    ");
}

#[test]
fn addresses_of_programs_are_text_where_links_may_lead_nowhere() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[content]\nbroken_links = \"warn\"\n"),
        (
            "content/a.md",
            "# A\n\n[a](vscode:extension/x) [b](chrome://inspect) [c](//host/x) ![d](ftp://x/y.png)\n",
        ),
    ]);
    folder.run(&crate::BUILD).assert_ok();
    assert_eq!(html(&folder, "a"), "<p>a b c d</p>\n");
    let config = ["--config", "siftwren.toml"];
    assert_eq!(warnings(&folder, &config).matches(": warning: ").count(), 4);
    for address in ["javascript:x", "DATA:text/html,x", "vbscript:x", "blob:x"] {
        folder.write(
            "content/a.md",
            format!("# A\n\n[a]({address}) ![b]({address}) <a href=\"{address}\">c</a>\n").as_bytes(),
        );
        folder.run(&crate::BUILD).assert_ok();
        assert_eq!(html(&folder, "a"), "<p>a b c</p>\n", "{address}");
        assert_eq!(warnings(&folder, &config).matches(": warning: ").count(), 3);
    }
    folder.write("siftwren.toml", b"");
    folder.write("content/a.md", b"# A\n\n[a](vscode:extension/x)\n");
    assert_eq!(folder.run(&crate::BUILD).code, 1);
}

#[test]
fn pages_of_jekyll_show_what_they_hold() {
    let folder = built(&[
        ("_config.yml", "title: A site\nbaseurl: /a\n"),
        (
            "content/index.md",
            "# Start\n\n{: .warning }\nTake *care*.\n\n[Two]({% link content/_guides/two.md %}) [three]({{ site.baseurl }}/content/guides/three) [four]({{ '/content/four/' | relative_url }})\n\n{% for a in b %}x{% endfor %}\n\n<div markdown=\"1\">\nOne\n</div>\n```liquid\n{% raw %}{% if a %}{% endraw %}\n```\n",
        ),
        (
            "content/_guides/two.md",
            "# Two\n\n{% highlight js %}\nlet a = 1;\n{% endhighlight %}\n",
        ),
        ("content/_guides/three.md", "# Three\n"),
        ("content/four.md", "# Four\n"),
    ]);
    assert_eq!(
        addresses(&folder),
        [
            "/content",
            "/content/four",
            "/content/guides/three",
            "/content/guides/two"
        ]
    );
    assert_eq!(folder.json("out/manifest.json")["site"]["title"], "A site");
    insta::assert_snapshot!(html(&folder, "content"), @r#"
    <div class="alert alert-warning" role="note"><p class="alert-title">Warning</p>
    <p>Take <em>care</em>.</p>
    </div>
    <p><a href="/content/guides/two">Two</a> <a href="/content/guides/three">three</a> <a href="/content/four">four</a></p>
    <p>x</p>
    <p>One</p>
    <div class="code" data-lang="liquid"><pre tabindex="0"><code>{% if a %}
    </code></pre></div>
    "#);
    assert!(html(&folder, "content/guides/two").contains("<span class=\"h-k\">let</span>"));
    insta::assert_snapshot!(warnings(&folder, &[]), @r"
    content/index.md:1:1: warning: components are not known here; of for only what stands between the tags is shown
    ");
}

#[test]
fn lists_of_attributes_of_jekyll_make_alerts_and_are_no_text() {
    let text = "# Start\n{: .no_toc }\n\n## Contents\n{: .no_toc .text-delta }\n\n1. TOC\n{:toc}\n\n## One\n{: #first }\n\nKeep it.\n{: .note}\n\n{: .warning-title }\n> Mind *this*\n>\n> Words\n\n- Item\n  {: .tip }\n\n[Go](#first){: .btn } **b**{: .x } {::nomarkdown}<b>c</b>{:/}\n{: .fs-6 .fw-300 }\n\n```\n{: .note }\n{:/}\n```\n\n<div markdown=\"1\">\nIn it\n{: .lh-0 }\n</div>\n";
    let jekyll = built(&[("content/_config.yml", "title: A\n"), ("content/index.md", text)]);
    insta::assert_snapshot!(html(&jekyll, "index"), @r##"
    <h2 id="first"><a href="#first">One</a></h2>
    <div class="alert alert-note" role="note"><p class="alert-title">Note</p>
    <p>Keep it.</p>
    </div>
    <div class="alert alert-warning" role="note"><p class="alert-title">Mind this</p>
    <p>Words</p>
    </div>
    <ul>
    <li><div class="alert alert-tip" role="note"><p class="alert-title">Tip</p>
    <p>Item</p>
    </div>
    </li>
    </ul>
    <p><a href="#first">Go</a> <strong>b</strong> <strong>c</strong></p>
    <div class="code" data-lang="text"><pre tabindex="0"><code>{: .note }
    {:/}
    </code></pre></div>
    <p>In it</p>
    "##);
    let plain = built(&[("content/index.md", "# A\n\nx\n\n{: .note }\nKeep it.\n\n{:/}\n")]);
    insta::assert_snapshot!(html(&plain, "index"), @r"
    <p>x</p>
    <p>Keep it.</p>
    <p>{:/}</p>
    ");
}

#[test]
fn a_folder_of_jekyll_is_its_site_or_a_part_of_it() {
    let folder = Folder::new(&[
        ("content/_config.yml", "title: A site\n"),
        ("content/index.md", "# Start\n\n[A]({% link _docs/a.md %})\n"),
        ("content/_docs/a.md", "# A\n"),
    ]);
    folder.run(&BUILD_PLAIN).assert_ok();
    assert_eq!(addresses(&folder), ["/", "/docs/a"]);
    let part = ["build", "--content", "content/_docs", "--out", "out"];
    folder.run(&part).assert_ok();
    assert_eq!(addresses(&folder), ["/docs/a"]);
}

#[test]
fn a_configuration_that_is_no_yaml_is_named() {
    let pages = ("content/a.md", "# A\n");
    let folder = Folder::new(&[("_config.yml", "title: [a\n"), pages]);
    assert_refused(&folder, "_config.yml:");
    let mkdocs = "site_name: X\ndocs_dir: content\ntheme: {logo: [\n";
    let folder = Folder::new(&[("mkdocs.yml", mkdocs), pages]);
    insta::assert_snapshot!(warnings(&folder, &[]), @r"
    mkdocs.yml:4:1: warning: the theme is left out: the document is not valid YAML: while parsing a node, did not find expected node content
    ");
}

#[test]
fn a_folder_of_jupyter_book_is_none_of_jekyll() {
    let folder = built(&[
        ("_config.yml", "title: A book\n"),
        ("_toc.yml", "root: content/a\nchapters:\n- file: other/b\n"),
        ("content/a.md", "# A\n\n{% assign b = 1 %}\n"),
    ]);
    assert_eq!(addresses(&folder), ["/a"]);
    assert!(html(&folder, "a").contains("{% assign b = 1 %}"));
}

#[test]
fn blocks_of_gitbook_are_read_where_they_stand_in_text() {
    let folder = built(&[(
        "content/a.md",
        "# A\n\n{% hint style=\"warning\" %}\nTake *care*.\n{% endhint %}\n\n{% code title=\"a.js\" %}\n```js\n// {% hint %}\n```\n{% endcode %}\n\nOf `{% hint %}` and {% other %}.\n",
    )]);
    insta::assert_snapshot!(html(&folder, "a"), @r#"
    <div class="alert alert-warning" role="note"><p class="alert-title">Warning</p>
    <p>Take <em>care</em>.</p>
    </div>
    <figure class="code" data-lang="javascript"><figcaption>a.js</figcaption><pre tabindex="0"><code><span class="h-c">// {% hint %}</span>
    </code></pre></figure>
    <p>Of <code>{% hint %}</code> and {% other %}.</p>
    "#);
    assert_eq!(warnings(&folder, &[]), "");
}

/// The title of `guide/start.md`, what the list calls it, and what its section is called, where a file is there.
fn names(config: &str, text: &str) -> [String; 3] {
    let folder = Folder::new(&[
        (config, text),
        (
            "docs/guide/start.md",
            "---\ntitle: Told | Guide\n---\n\n# Written\n\ntext\n",
        ),
        ("docs/guide/index.md", "---\ntitle: The guide\n---\n\ntext\n"),
    ]);
    folder
        .run(&["build", "--content", "docs", "--out", "out"])
        .assert_ok();
    let manifest = folder.json("out/manifest.json");
    let section = &manifest["sidebar"][0];
    let path = "/guide/start";
    let items = section["items"].as_array().unwrap();
    let item = items
        .iter()
        .find(|item| item["path"].as_str().is_some_and(|found| found.ends_with(path)))
        .unwrap_or_else(|| panic!("{section}"));
    let file = item["path"].as_str().unwrap();
    let page = folder.json(&format!("out/pages{file}.json"));
    assert!(!page["html"].as_str().unwrap().contains("Written"), "{page}");
    [&page["title"], &item["title"], &section["title"]].map(|title| title.as_str().unwrap().to_owned())
}

#[test]
fn a_page_is_headed_as_its_generator_heads_it() {
    let docusaurus = "export default { title: 'T', presets: [['classic', { docs: { path: 'docs' } }]] };\n";
    for (config, text, expected) in [
        (
            "docs/.vitepress/config.js",
            "export default { title: 'T' }\n",
            ["Written", "Written", "The guide"],
        ),
        (
            "docusaurus.config.js",
            docusaurus,
            ["Written", "Told | Guide", "The guide"],
        ),
        (
            "mkdocs.yml",
            "site_name: T\n",
            ["Written", "Told | Guide", "Guide"],
        ),
        (
            "_config.yml",
            "title: T\n",
            ["Written", "Told | Guide", "The guide"],
        ),
        (
            "hugo.yaml",
            "title: T\ncontentDir: docs\n",
            ["Told | Guide", "Told | Guide", "The guide"],
        ),
        (
            "notes.txt",
            "nothing",
            ["Told | Guide", "Told | Guide", "The guide"],
        ),
    ] {
        assert_eq!(names(config, text), expected, "{config}");
    }
}

#[test]
fn front_matter_that_other_generators_take_ends_no_build() {
    let folder = built(&[
        (
            "content/a.md",
            "---\ntitle: First\nweight: 1\ntitle: Last\nlabels:\n  x: 1\n  x: 2\n---\n\nText.\n",
        ),
        (
            "content/b.md",
            "---\ntitle: \"One\ntwo\"\ndescription: It goes\non here: and there\ntags: [a,\nb]\nsidebar_label: B\n---\n\nText.\n",
        ),
    ]);
    let page = |name: &str| folder.json(&format!("out/pages/{name}.json"));
    assert_eq!(page("a")["title"], "Last");
    assert_eq!(page("b")["title"], "One two");
    assert_eq!(sidebar(&folder), ": content -\n  Last /a\n  B /b\n");
    insta::assert_snapshot!(warnings(&folder, &[]), @"
    content/a.md:4:1: warning: the key `title` stands here a second time, which counts; keep one of them
    content/a.md:7:3: warning: the key `x` stands here a second time, which counts; keep one of them
    ");

    // Our own content is held to the rules.
    let refused = Folder::new(&[
        ("siftwren.toml", "[content]\nschema = \"siftwren\"\n"),
        ("content/a.md", "---\ntitle: \"One\ntwo\"\n---\n"),
    ]);
    let run = refused.run(&BUILD);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr
            .starts_with("content/a.md:2:8: the front matter is not valid YAML"),
        "{}",
        run.stderr
    );
}

#[test]
fn pages_of_jekyll_show_what_their_site_says() {
    let folder = built(&[
        (
            "content/_config.yml",
            "title: A site\nbaseurl: /a\nurl: https://a.example # x\nversion: '3.8.0'\nmajor: 3\nbeta: true\ntheme:\n  colour: {name: blue}\nbroken: [\n",
        ),
        (
            "content/index.md",
            "# Start\n\n{{site.title}} {{ site.version }}, {{- site.major -}}, {{site.beta}}, {{ site.theme.colour.name }}: {{ site.unknown }} {{ page.title }}.\n\n[Two]({{site.url}}{{site.baseurl}}/two#v{{site.major}}), at {{site.url}}{{site.baseurl}}, `v{{site.version}}`\n\n```sh\ncurl {{site.url}}/{{ site.version }} {% raw %}{{ site.version }}{% endraw %} {{ site.unknown }} ${{\n```\n\n{% highlight sh %}\nget {{ site.version }}\n{% endhighlight %}\n\n{% raw %}{{ site.version }}{% endraw %}\n",
        ),
        ("content/two.md", "# Two\n\n## v3\n"),
    ]);
    insta::assert_snapshot!(html(&folder, "index"), @r#"
    <p>A site 3.8.0, 3, true, blue: {{ site.unknown }} {{ page.title }}.</p>
    <p><a href="/two#v3">Two</a>, at <a href="https://a.example/a">https://a.example/a</a>, <code>v3.8.0</code></p>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">curl</span> https://a.example/3.8.0 {{ site.version }} {{ site.unknown }} ${{
    </code></pre></div>
    <div class="code" data-lang="bash"><pre tabindex="0"><code><span class="h-f">get</span> 3.8.0
    </code></pre></div>
    <p>{{ site.version }}</p>
    "#);
    assert_eq!(warnings(&folder, &[]), "");

    // In other folders it means nothing.
    let folder = built(&[("content/a.md", "# A\n\n{{ site.title }}\n")]);
    assert_eq!(html(&folder, "a"), "<p>{{ site.title }}</p>\n");
}

#[test]
fn what_jekyll_leaves_out_is_no_page() {
    let folder = built(&[
        (
            "content/_config.yml",
            "exclude:\n- README.md\n- /drafts/\n- '*.tmp.md'\n- in/x?.md\n- news\ninclude: [_kept, in/x2.md]\ncollections:\n  guides:\n    output: true\n",
        ),
        ("content/index.md", "# Start\n"),
        ("content/README.md", "# Left out\n"),
        ("content/drafts/deep/a.md", "# Left out\n"),
        ("content/other/drafts/a.md", "# Kept\n"),
        ("content/in/y.tmp.md", "# Left out\n"),
        ("content/in/x1.md", "# Left out\n"),
        ("content/in/x2.md", "# Kept\n"),
        ("content/in/x10.md", "# Kept\n"),
        ("content/news/a.md", "# Left out\n"),
        ("content/_kept/a.md", "# Kept\n"),
        ("content/_guides/a.md", "# Kept\n"),
        ("content/_guides/_part.md", "# Left out\n"),
        ("content/_posts/a.md", "# Kept\n"),
        ("content/_notes/a.md", "# Left out\n"),
        ("content/vendor/bundle/a.md", "# Left out\n"),
    ]);
    assert_eq!(
        addresses(&folder),
        [
            "/",
            "/guides/a",
            "/in/x10",
            "/in/x2",
            "/kept/a",
            "/other/drafts/a",
            "/posts/a"
        ]
    );
    // Without collections every folder may be one, but for those of the programs.
    let folder = built(&[
        ("content/_config.yml", "title: A\n"),
        ("content/_notes/a.md", "# Kept\n"),
        ("content/_includes/a.md", "# Left out\n"),
    ]);
    assert_eq!(addresses(&folder), ["/notes/a"]);
    // Whoever asks for a folder gets it.
    let folder = built(&[
        ("_config.yml", "exclude: [content]\ncollections: [x]\n"),
        ("content/a.md", "# Kept\n"),
    ]);
    assert_eq!(addresses(&folder), ["/content/a"]);
}
