//! Sites in several languages.

use serde_json::Value;

use crate::{BUILD, Folder};

const CONFIG: &str = "[site]\ntitle = \"Docs\"\nlanguage = \"de\"\n\n[content]\nroute_prefix = \"/docs\"\n\n[[language]]\ntag = \"fr\"\n\n[[language]]\ntag = \"pt-BR\"\nlabel = \"Brasileiro\"\nfolder = \"br\"\n";

fn in_three_languages() -> Folder {
    Folder::new(&[
        ("siftwren.toml", CONFIG),
        ("content/index.md", "# Anfang\n\nEin Wort: Zaunkönig.\n"),
        (
            "content/guides/first.md",
            "# Erste Schritte\n\n[weiter](second.md)\n",
        ),
        ("content/guides/second.md", "# Zweite Schritte\n"),
        ("content/fr/index.md", "# Début\n\nUn mot: troglodyte.\n"),
        (
            "content/fr/guides/first.md",
            "# Premiers pas\n\n[de](../../guides/first.md)\n",
        ),
        ("content/fr/only.md", "# Seulement ici\n"),
        ("content/br/guides/first.md", "# Primeiros passos\n"),
    ])
}

fn sections(folder: &Folder) -> Vec<String> {
    let manifest = folder.json("out/manifest.json");
    let sections = manifest["sidebar"].as_array().unwrap().iter();
    sections
        .map(|section| {
            let [id, title, language] = ["id", "title", "language"].map(|key| section[key].as_str());
            let mut line = format!(
                "{}: {} [{}]",
                id.unwrap_or_default(),
                title.unwrap_or_default(),
                language.unwrap_or("-")
            );
            push_items(&section["items"], 1, &mut line);
            line
        })
        .collect()
}

fn push_items(items: &Value, depth: usize, line: &mut String) {
    for item in items.as_array().into_iter().flatten() {
        line.push_str(&format!(
            "\n{}{} {}",
            "  ".repeat(depth),
            item["title"].as_str().unwrap(),
            item["path"].as_str().unwrap_or("-")
        ));
        if let Some(language) = item["language"].as_str() {
            line.push_str(&format!(" [{language}]"));
        }
        push_items(&item["items"], depth + 1, line);
    }
}

/// The paths that a query finds.
fn found(folder: &Folder, more: &[&str], query: &str) -> Vec<String> {
    let run = folder.run(&[&["query", "--index", "out"], more, &[query]].concat());
    let answer: Value = serde_json::from_str(&run.assert_ok().stdout).unwrap();
    let hits = answer["hits"].as_array().unwrap().iter();
    hits.map(|hit| hit["path"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_folder_of_a_language_has_its_own_sections_and_order() {
    let folder = in_three_languages();
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : Docs [-]
    guides: Guides [-]
      Erste Schritte /docs/guides/first
      Zweite Schritte /docs/guides/second
    fr: Docs [fr]
      Seulement ici /docs/fr/only
    fr/guides: Guides [fr]
      Premiers pas /docs/fr/guides/first
    br/guides: Guides [pt-BR]
      Primeiros passos /docs/br/guides/first
    ");
    let manifest = folder.json("out/manifest.json");
    assert_eq!(
        manifest["locales"],
        serde_json::json!([
            { "tag": "de", "root": "/docs", "index_page": "/docs/a-z" },
            { "tag": "fr", "root": "/docs/fr", "index_page": "/docs/fr/a-z" },
            { "tag": "pt-BR", "label": "Brasileiro", "root": "/docs/br", "index_page": "/docs/br/a-z" },
        ])
    );
    // The last page of a language leads to none of another.
    let next = |page: &str| folder.json(&format!("out/pages/docs/{page}.json"))["next"].clone();
    assert_eq!(next("guides/first")["path"], "/docs/guides/second");
    assert_eq!(next("guides/second"), Value::Null);
    assert_eq!(next("fr")["path"], "/docs/fr/only");
    assert_eq!(next("fr/guides/first"), Value::Null);
}

#[test]
fn each_language_has_its_own_search_and_the_platform_has_the_first() {
    let folder = in_three_languages();
    folder.run(&BUILD).assert_ok();
    assert_eq!(found(&folder, &[], "zaunkönig"), ["/docs"]);
    assert_eq!(found(&folder, &[], "troglodyte"), [] as [&str; 0]);
    assert_eq!(found(&folder, &["--language", "fr"], "troglodyte"), ["/docs/fr"]);
    assert_eq!(
        found(&folder, &["--language", "fr"], "zaunkönig"),
        [] as [&str; 0]
    );
    assert_eq!(
        found(&folder, &["--language", "pt-BR"], "passos"),
        ["/docs/br/guides/first"]
    );
    let run = folder.run(&["query", "--index", "out", "--language", "es", "x"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (
            2,
            "indexer: out has no index of its own for `es`; the languages beside the first are fr, pt-BR\n"
        )
    );
    let items = folder.read("out/items.ndjson");
    assert!(items.contains("Zaunkönig") && !items.contains("troglodyte") && !items.contains("passos"));
}

#[test]
fn each_language_has_its_own_page_from_a_to_z() {
    let folder = in_three_languages();
    folder.run(&BUILD).assert_ok();
    let listed = |page: &str| {
        let page = folder.json(&format!("out/pages/docs/{page}.json"));
        let html = page["html"].as_str().unwrap().split("</a>");
        let names = html.filter_map(|part| Some(part.rsplit_once("\">")?.1.to_owned()));
        // Letters are links, too.
        let mut names: Vec<String> = names.filter(|name| name.chars().count() > 1).collect();
        names.insert(0, page["title"].as_str().unwrap().to_owned());
        names
    };
    assert_eq!(
        listed("a-z"),
        [
            "Alle Seiten von A bis Z",
            "Anfang",
            "Erste Schritte",
            "Zweite Schritte"
        ]
    );
    assert_eq!(
        listed("fr/a-z"),
        [
            "Toutes les pages de A à Z",
            "Début",
            "Premiers pas",
            "Seulement ici"
        ]
    );
    assert_eq!(
        listed("br/a-z"),
        ["Todas as páginas de A a Z", "Primeiros passos"]
    );

    folder.write("content/fr/a-z.md", "# À nous\n".as_bytes());
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.json("out/pages/docs/fr/a-z.json")["title"], "À nous");
    let locales = folder.json("out/manifest.json")["locales"].clone();
    assert!(locales[1].get("index_page").is_none());
    assert_eq!(locales[2]["index_page"], "/docs/br/a-z");
}

#[test]
fn a_start_page_without_a_text_lists_its_own_language() {
    let folder = in_three_languages();
    folder.write("content/index.md", b"---\ntitle: Anfang\n---\n");
    folder.run(&BUILD).assert_ok();
    let html = folder.json("out/pages/docs.json")["html"].to_string();
    assert!(
        html.contains("/docs/guides/first") && !html.contains("/docs/fr"),
        "{html}"
    );
}

#[test]
fn languages_that_cannot_be_are_named() {
    let check = |languages: &str| {
        let folder = Folder::new(&[
            (
                "siftwren.toml",
                &format!("[site]\nlanguage = \"en\"\n{languages}"),
            ),
            ("content/index.md", "# A\n"),
            ("content/fr/a.md", "# B\n"),
        ]);
        let run = folder.run(&["check", "--content", "content", "--config", "siftwren.toml"]);
        assert_eq!(run.code, 1, "{run:?}");
        run.stderr
    };
    let twice = "[[language]]\ntag = \"fr\"\n";
    insta::assert_snapshot!(check(&twice.repeat(2)), @r"
    siftwren.toml:6:7: the language `fr` stands here twice; remove one of the two
    indexer: 1 problem found
    ");
    insta::assert_snapshot!(check(&format!("{twice}[[language]]\ntag = \"fr-CA\"\nfolder = \"fr/\"\n")), @r"
    siftwren.toml:7:10: the language `fr` has the folder `fr`, too; each has one of its own
    indexer: 1 problem found
    ");
    insta::assert_snapshot!(check("[[language]]\ntag = \"français\"\nfolder = \"../fr\"\n"), @r"
    siftwren.toml:4:7: `tag` takes the tag of a language, for example `en` or `pt-BR`
    siftwren.toml:5:10: `folder` takes the path of a folder below the content folder, such as `fr`
    indexer: 2 problems found
    ");
    insta::assert_snapshot!(check("[[language]]\nfolder = \"fr\"\ndir = \"rtl\"\n"), @r"
    siftwren.toml:3:1: [[language]] has no `tag`; add one, for example `pt-BR`
    siftwren.toml:5:1: [[language]] has no key `dir`; it takes tag, label, folder, ending, words, texts
    indexer: 2 problems found
    ");
    insta::assert_snapshot!(check("[[language]]\ntag = \"de\"\nending = \"x.de\"\n\n[[language]]\ntag = \"fr\"\nending = \"fr\"\n\n[[language]]\ntag = \"fr-CA\"\nending = \"fr\"\n"), @r"
    siftwren.toml:5:10: `ending` takes what stands before `.md` in the names of the files, such as `fr` for `start.fr.md`
    siftwren.toml:13:10: another language has the ending `fr`, too; each has one of its own
    indexer: 2 problems found
    ");
    insta::assert_snapshot!(check("[[language]]\ntag = \"fr\"\nending = \"fr\"\nfolder = \"french\"\n"), @r"
    siftwren.toml:6:10: the content has no pages whose names end with `.fr.md`, as those of the language `fr` are to; correct `ending`
    indexer: 1 problem found
    ");
    insta::assert_snapshot!(check("[[language]]\ntag = \"de\"\n"), @r"
    siftwren.toml:4:7: the content has no pages in a folder `de`, where those of the language `de` are looked for; name it with `folder`
    indexer: 1 problem found
    ");
}

#[test]
fn a_first_language_with_a_folder_of_its_own_is_the_first() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            "[site]\nlanguage = \"en\"\n\n[[language]]\ntag = \"de\"\n\n[[language]]\ntag = \"en\"\n",
        ),
        ("content/en/guides/a.md", "# Wren\n"),
        ("content/de/guides/a.md", "# Zaunkönig\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    en/guides: Guides [-]
      Wren /en/guides/a
    de/guides: Guides [de]
      Zaunkönig /de/guides/a
    ");
    assert_eq!(folder.json("out/manifest.json")["locales"][0]["root"], "/en");
    assert_eq!(found(&folder, &[], "wren"), ["/en/guides/a"]);
    assert_eq!(
        found(&folder, &["--language", "de"], "zaunkönig"),
        ["/de/guides/a"]
    );
}

#[test]
fn pages_beside_the_folders_of_a_language_come_before_them() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[[language]]\ntag = \"fr\"\n"),
        ("content/a.md", "# A\n"),
        (
            "content/fr/guides/index.md",
            "---\nsidebar_position: 1\n---\n# Guides\n",
        ),
        ("content/fr/more/b.md", "# B\n"),
        ("content/fr/start.md", "# Premier\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    let sections = sections(&folder);
    let ids: Vec<_> = sections.iter().filter_map(|line| line.split_once(':')).collect();
    let ids: Vec<&str> = ids.iter().map(|(id, _)| *id).collect();
    assert_eq!(ids, ["", "fr", "fr/guides", "fr/more"]);
}

#[test]
fn languages_of_hugo_have_addresses_without_capitals() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[[language]]\ntag = \"pt-BR\"\n"),
        ("hugo.toml", "title = \"X\"\n"),
        ("content/a.md", "# A\n"),
        ("content/pt-BR/Start.md", "# Começo\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.json("out/manifest.json")["locales"][1]["root"], "/pt-br");
    assert_eq!(
        found(&folder, &["--language", "pt-BR"], "começo"),
        ["/pt-br/start"]
    );
    assert_eq!(found(&folder, &[], "começo"), [] as [&str; 0]);
}

#[test]
fn the_language_of_a_site_is_that_of_its_generator() {
    let docusaurus = "module.exports = { presets: [['classic', { docs: { path: 'content', routeBasePath: '/', sidebarPath: 'sidebars.js' } }]], i18n: { defaultLocale: 'de' } };\n";
    let hugo = "title = \"X\"\ndefaultContentLanguage = \"de\"\n[languages.de]\nlanguageCode = \"de-at\"\ncontentDir = \"content\"\n";
    let mkdocs = "docs_dir: content\ntheme:\n  name: material\n  language: de\n";
    let starlight = "import starlight from '@astrojs/starlight';\nexport default { integrations: [starlight({ title: 'X', defaultLocale: 'de', locales: { de: { label: 'Deutsch' }, de2: { label: 'Again', lang: 'de' } } })] };\n";
    for (file, text, content, language) in [
        ("docusaurus.config.js", docusaurus, "content", "de"),
        ("hugo.toml", hugo, "content", "de-at"),
        (
            "hugo.toml",
            "languageCode = 'de-de'\n[params]\na = 1\n",
            "content",
            "de-de",
        ),
        ("mkdocs.yml", mkdocs, "content", "de"),
        ("_config.yml", "title: X\nlang: de\n", "content", "de"),
        (
            "book.toml",
            "[book]\nsrc = \"content\"\nlanguage = \"de\"\n",
            "content",
            "de",
        ),
        (
            ".vitepress/config.js",
            "export default { srcDir: 'content', lang: 'de-CH' };\n",
            "content",
            "de-CH",
        ),
        // What is no tag of a language.
        (
            "_config.yml",
            "title: X\nlang: deutsch und mehr\n",
            "content",
            "en",
        ),
        ("astro.config.mjs", starlight, "src/content/docs", "de"),
    ] {
        let folder = Folder::new(&[
            (file, text),
            (&format!("{content}/a.md"), "# A\n"),
            (&format!("{content}/de/b.md"), "# B\n"),
            (&format!("{content}/de2/b.md"), "# B\n"),
        ]);
        folder
            .run(&["build", "--content", content, "--out", "out"])
            .assert_ok();
        let manifest = folder.json("out/manifest.json");
        let found = (
            &manifest["site"]["language"],
            manifest["locales"].as_array().unwrap().len(),
        );
        assert_eq!(found, (&language.into(), 1), "{file}: {text}");
        // The first language of Starlight may have a folder.
        let is_in_folder = manifest["locales"][0]["root"] == "/de";
        assert_eq!(is_in_folder, content != "content", "{file}");

        // A team's own word counts.
        folder.write("siftwren.toml", b"[site]\nlanguage = \"fr\"\n");
        let own = [
            "build",
            "--content",
            content,
            "--config",
            "siftwren.toml",
            "--out",
            "out",
        ];
        folder.run(&own).assert_ok();
        assert_eq!(folder.json("out/manifest.json")["site"]["language"], "fr");
    }
}

#[test]
fn the_sidebar_of_starlight_is_there_in_each_language() {
    let config = "import starlight from '@astrojs/starlight';\nconst locales = { root: { label: 'English', lang: 'en' }, 'pt-BR': { label: 'Brasil', lang: 'pt-BR' }, fr: { label: 'Français' }, no: { label: 'Norsk' } };\nexport default { integrations: [starlight({ title: 'A project', locales, sidebar: [\n  'start',\n  { label: 'Guides', translations: { 'pt-BR': 'Guias' }, items: [{ label: 'The end', slug: 'guides/end', translations: { fr: 'La fin' } }, { label: 'The rest', slug: 'guides/rest', translations: { fr: 'Le reste' } }, { autogenerate: { directory: 'guides' } }] },\n] })] };\n";
    let folder = Folder::new(&[
        ("astro.config.mjs", config),
        ("src/content/docs/start.md", "---\ntitle: Start\n---\n"),
        ("src/content/docs/guides/a.md", "---\ntitle: A\n---\n"),
        ("src/content/docs/guides/end.md", "---\ntitle: End\n---\n"),
        ("src/content/docs/guides/rest.md", "---\ntitle: Rest\n---\n"),
        ("src/content/docs/pt-BR/start.md", "---\ntitle: Começo\n---\n"),
        ("src/content/docs/pt-BR/guides/a.md", "---\ntitle: Um A\n---\n"),
        ("src/content/docs/pt-BR/guides/end.md", "---\ntitle: Fim\n---\n"),
        ("src/content/docs/fr/guides/end.md", "---\ntitle: Fin\n---\n"),
    ]);
    let run = folder.run(&["build", "--content", "src/content/docs", "--out", "out"]);
    run.assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : A project [-]
      Start /start
    guides: Guides [-]
      The end /guides/end
      The rest /guides/rest
      A /guides/a
    pt-BR: A project [pt-BR]
      Começo /pt-br/start
    pt-BR/guides: Guias [pt-BR]
      Fim /pt-br/guides/end
      The rest /guides/rest [en]
      Um A /pt-br/guides/a
    fr: A project [fr]
      Start /start [en]
    fr/guides: Guides [fr]
      La fin /fr/guides/end
      Le reste /guides/rest
      A /guides/a [en]
    ");
    let roots = folder.json("out/manifest.json")["locales"].clone();
    assert_eq!(
        roots[1],
        serde_json::json!({ "tag": "pt-BR", "label": "Brasil", "root": "/pt-br", "index_page": "/pt-br/a-z" })
    );
    // Where nobody has written a page there is no language.
    assert_eq!(roots.as_array().unwrap().len(), 3);
    assert_eq!(found(&folder, &["--language", "fr"], "fin"), ["/fr/guides/end"]);
    // A page that is shown in the lists of several languages is read on where its own has it.
    let next = folder.json("out/pages/start.json")["next"].clone();
    assert_eq!(next["path"], "/guides/end");
}

#[test]
fn the_sidebars_of_vitepress_are_those_of_their_languages() {
    let config = "export default { title: 'A project', locales: {\n  root: { label: 'English', lang: 'en-GB', themeConfig: { sidebar: [{ text: 'Guide', items: [{ text: 'Start', link: '/start' }] }, { text: 'Other', link: '/other' }] } },\n  zh: { label: '中文', lang: 'zh-CN', themeConfig: { sidebar: { '/zh/': [{ text: '开始', link: '/zh/start' }, { text: '指南', items: [{ text: '其他', link: '/zh/other' }] }] } } },\n  ru: { label: 'Русский' },\n} };\n";
    let folder = Folder::new(&[
        (".vitepress/config.ts", config),
        ("start.md", "# Start\n"),
        ("other.md", "# Other\n"),
        ("zh/start.md", "# 开始\n"),
        ("zh/other.md", "# 其他\n"),
        ("ru/start.md", "# Начало\n"),
    ]);
    folder
        .run(&["build", "--content", ".", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : A project [-]
      Other /other
    guide: Guide [-]
      Start /start
    zh/中文: 中文 [zh-CN]
      开始 /zh/start
    zh/指南: 指南 [zh-CN]
      其他 /zh/other
    ru: A project [ru]
      Other /other [en-GB]
    ru/guide: Guide [ru]
      Начало /ru/start
    ");
    assert_eq!(
        folder.json("out/manifest.json")["locales"],
        serde_json::json!([
            { "tag": "en-GB", "root": "", "index_page": "/a-z" },
            { "tag": "zh-CN", "label": "中文", "root": "/zh", "index_page": "/zh/a-z" },
            { "tag": "ru", "label": "Русский", "root": "/ru", "index_page": "/ru/a-z" },
        ])
    );
}

/// What the pages of a site link to and show, by their paths.
fn linked(folder: &Folder, path: &str) -> Vec<String> {
    let html = folder.json(&format!("out/pages/{path}.json"))["html"].clone();
    let html = html.as_str().unwrap().to_owned();
    let targets = html.split([' ', '>']).filter_map(|word| {
        let target = word
            .strip_prefix("href=\"")
            .or_else(|| word.strip_prefix("src=\""))?;
        Some(target.split('"').next().unwrap().to_owned())
    });
    targets.filter(|target| !target.starts_with('#')).collect()
}

#[test]
fn files_whose_names_end_with_a_language_are_of_it() {
    let config = "[site]\nlanguage = \"de\"\n\n[content]\nroute_prefix = \"/docs\"\nedit_url = \"https://git.example/edit\"\n\n[[language]]\ntag = \"fr\"\nending = \"fr\"\n\n[[language]]\ntag = \"de\"\nending = \".de\"\n\n[[language]]\ntag = \"pt-BR\"\nfolder = \"br\"\nending = \"pt\"\n";
    let folder = Folder::new(&[
        ("siftwren.toml", config),
        ("content/index.md", "# Anfang\n"),
        (
            "content/guides/a.de.md",
            "# Eins\n\n[b](b.md) [fr](a.fr.md) ![c](c.svg)\n",
        ),
        ("content/guides/b.md", "# Zwei\n"),
        (
            "content/guides/a.fr.md",
            "# Un\n\n[b](b.md) [a](a.de.md) [b](/docs/guides/b) [d](/docs/guides/d) ![c](c.svg) ![e](e.svg)\n",
        ),
        ("content/guides/a.pt.md", "# Um\n"),
        ("content/guides/d.md", "# Vier\n\n[fr](d.fr.md)\n"),
        ("content/guides/d.fr.md", "# Quatre\n\n[de](/docs/guides/d)\n"),
        (
            "content/guides/c.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
        (
            "content/guides/c.fr.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"fr\"/>",
        ),
        (
            "content/guides/e.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"e\"/>",
        ),
    ]);
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : content [-]
    guides: Guides [-]
      Eins /docs/guides/a
      Zwei /docs/guides/b
      Vier /docs/guides/d
    fr/guides: Guides [fr]
      Un /docs/fr/guides/a
      Quatre /docs/fr/guides/d
    br/guides: Guides [pt-BR]
      Um /docs/br/guides/a
    ");
    insta::assert_snapshot!(linked(&folder, "docs/guides/a").join("\n"), @r"
    /docs/guides/b
    /docs/fr/guides/a
    /assets/c.f5bd0c1b826b9dfe.svg
    ");
    insta::assert_snapshot!(linked(&folder, "docs/fr/guides/a").join("\n"), @r"
    /docs/guides/b
    /docs/guides/a
    /docs/guides/b
    /docs/fr/guides/d
    /assets/c.4da016d1cc75462a.svg
    /assets/e.1bf125c4e271a7b9.svg
    ");
    // Who names a page in its own language means that of the first.
    assert_eq!(linked(&folder, "docs/fr/guides/d"), ["/docs/guides/d"]);
    assert_eq!(linked(&folder, "docs/guides/d"), ["/docs/fr/guides/d"]);
    let edit = folder.json("out/pages/docs/fr/guides/a.json")["edit_url"].clone();
    assert_eq!(edit, "https://git.example/edit/guides/a.fr.md");
    assert_eq!(
        found(&folder, &["--language", "fr"], "quatre"),
        ["/docs/fr/guides/d"]
    );

    folder.write("content/fr/guides/a.md", b"# Encore\n");
    let run = folder.run(&BUILD);
    insta::assert_snapshot!(run.stderr, @r"
    content/guides/a.fr.md:1:1: `fr/guides/a.md` is shown at /docs/fr/guides/a too; rename one of the two files
    indexer: 1 problem found
    ");
}

#[test]
fn the_languages_of_docusaurus_are_beside_the_pages() {
    let config = "module.exports = { title: 'A project', presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]], i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'zh', 'ru'], localeConfigs: { fr: { label: 'Français', htmlLang: 'fr-FR' }, zh: { path: 'zh-CN' } } } };\n";
    let sidebars = "module.exports = { docs: ['start', { type: 'category', label: 'Guides.old', items: ['guides/a', 'guides/b'] }] };\n";
    let fr = "i18n/fr/docusaurus-plugin-content-docs";
    let titles = r#"{ "sidebar.docs.category.Guides.old": { "message": "Vieux guides" }, "version.label": { "message": "Suivant" }, "sidebar.docs.unknown.Guides": { "message": "x" } }"#;
    let folder = Folder::new(&[
        ("docusaurus.config.js", config),
        ("sidebars.js", sidebars),
        ("docs/start.md", "---\nslug: /begin\n---\n# Start\n"),
        ("docs/guides/a.md", "# A\n\n[start](/docs/begin)\n"),
        ("docs/guides/b.md", "# B\n"),
        (
            "docs/guides/flow.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
        (&format!("{fr}/current.json"), titles),
        (
            &format!("{fr}/current/start.md"),
            "---\nslug: /begin\n---\n# Début\n",
        ),
        (
            &format!("{fr}/current/guides/a.md"),
            "# Un A\n\n[start](/docs/begin) [start](../start.md) [b](./b.md) [b](/docs/guides/b) ![flow](flow.svg) ![own](own.svg)\n",
        ),
        (
            &format!("{fr}/current/guides/own.svg"),
            "<svg xmlns=\"http://www.w3.org/2000/svg\" id=\"own\"/>",
        ),
        (
            "i18n/zh-CN/docusaurus-plugin-content-docs/current/guides/b.md",
            "# 二\n\n[no](no.md)\n",
        ),
    ]);
    let run = folder.run(&["check", "--content", "docs"]);
    insta::assert_snapshot!(run.assert_ok().stderr, @"i18n/zh-CN/docusaurus-plugin-content-docs/current/guides/b.md:3:1: warning: there is no page `no.md`; write the path of a file from this one, such as `./other.md`, or of a page");
    folder
        .run(&["build", "--content", "docs", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : A project [-]
      Start /docs/begin
    guidesold: Guides.old [-]
      A /docs/guides/a
      B /docs/guides/b
    fr: A project [fr-FR]
      Début /fr/docs/begin
    fr/guidesold: Vieux guides [fr-FR]
      Un A /fr/docs/guides/a
      B /docs/guides/b [en]
    zh: A project [zh]
      Start /docs/begin [en]
    zh/guidesold: Guides.old [zh]
      A /docs/guides/a [en]
      二 /zh/docs/guides/b
    ");
    insta::assert_snapshot!(linked(&folder, "fr/docs/guides/a").join("\n"), @r"
    /fr/docs/begin
    /fr/docs/begin
    /docs/guides/b
    /docs/guides/b
    /assets/flow.f5bd0c1b826b9dfe.svg
    /assets/own.9c1e49324c043570.svg
    ");
    assert_eq!(linked(&folder, "docs/guides/a"), ["/docs/begin"]);
    assert_eq!(
        folder.json("out/manifest.json")["locales"],
        serde_json::json!([
            { "tag": "en", "root": "/docs", "index_page": "/docs/a-z" },
            { "tag": "fr-FR", "label": "Français", "root": "/fr/docs", "index_page": "/fr/docs/a-z" },
            { "tag": "zh", "root": "/zh/docs", "index_page": "/zh/docs/a-z" },
        ])
    );
    let inputs = folder.json("out/manifest.json")["inputs"].to_string();
    assert!(
        inputs.contains("/current\"") && inputs.contains("/current.json\""),
        "{inputs}"
    );

    folder.write(&format!("{fr}/current.json"), b"{ \"sidebar\": ");
    let run = folder.run(&["check", "--content", "docs"]);
    insta::assert_snapshot!(run.assert_ok().stderr, @r"
    i18n/fr/docusaurus-plugin-content-docs/current.json:1:14: warning: these names are left out: the document is not valid YAML: while parsing a node, did not find expected node content
    i18n/zh-CN/docusaurus-plugin-content-docs/current/guides/b.md:3:1: warning: there is no page `no.md`; write the path of a file from this one, such as `./other.md`, or of a page
    ");
}

#[test]
fn a_translated_page_changed_when_its_own_file_did() {
    let config = "module.exports = { presets: [['classic', { docs: { path: 'content' } }]], i18n: { defaultLocale: 'en', locales: ['en', 'de'] } };\n";
    let own = "[[language]]\ntag = \"fr\"\nending = \"fr\"\n";
    let german = "i18n/de/docusaurus-plugin-content-docs/current/a.md";
    for (file, text, translated, data) in [
        ("docusaurus.config.js", config, german, "de/docs/a"),
        ("x.toml", "", "content/a.fr.md", "fr/a"),
    ] {
        let folder = Folder::new(&[
            (file, text),
            ("siftwren.toml", if text.is_empty() { own } else { "" }),
            ("content/a.md", "# A\n"),
            (translated, "# Ein A\n"),
        ]);
        folder.git("2026-02-03", &["init", "--quiet"]);
        for (day, file) in [("2026-02-04", "content/a.md"), ("2026-02-05", translated)] {
            folder.git(day, &["add", file]);
            folder.git(day, &["commit", "--quiet", "-m", "page"]);
        }
        folder.run(&BUILD).assert_ok();
        let page = folder.json(&format!("out/pages/{data}.json"));
        assert_eq!(page["last_change"], "2026-02-05", "{data}");
    }
}

#[test]
fn names_of_folders_of_docusaurus_are_translated_with_their_order() {
    let config = "module.exports = { presets: [['classic', { docs: { routeBasePath: '/' } }]], i18n: { defaultLocale: 'en', locales: ['en', 'fr'] } };\n";
    let fr = "i18n/fr/docusaurus-plugin-content-docs";
    let titles = r#"{ "sidebar.tutorialSidebar.category.The end": { "message": "La fin" } }"#;
    let folder = Folder::new(&[
        ("docusaurus.config.js", config),
        (
            "docs/one/_category_.json",
            r#"{ "label": "The end", "position": 2 }"#,
        ),
        ("docs/one/a.md", "# A\n"),
        (
            "docs/two/_category_.json",
            r#"{ "label": "The rest", "position": 1 }"#,
        ),
        ("docs/two/b.md", "# B\n"),
        ("docs/one/c.md", "# C\n"),
        ("docs/three/index.md", "# Three\n"),
        ("docs/three/deep/d.md", "# D\n"),
        ("docs/three/draft.md", "---\nunlisted: true\n---\n# E\n"),
        (&format!("{fr}/current.json"), titles),
        (&format!("{fr}/current/one/a.md"), "# Un A\n"),
        (&format!("{fr}/current/two/b.md"), "# Un B\n"),
    ]);
    folder
        .run(&["build", "--content", "docs", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    two: The rest [-]
      B /two/b
    one: The end [-]
      A /one/a
      C /one/c
    three: Three [-]
      Deep -
        D /three/deep/d
    fr/two: The rest [fr]
      Un B /fr/two/b
    fr/one: La fin [fr]
      Un A /fr/one/a
      C /one/c [en]
    fr/three: Three [fr]
      Deep -
        D /three/deep/d [en]
    ");
    let next = folder.json("out/pages/fr/one/a.json")["next"].clone();
    assert_eq!(next, Value::Null);
}

#[test]
fn the_languages_of_hugo_are_in_names_or_folders() {
    let config = "baseURL = 'https://wren.example/base/'\ndefaultContentLanguage = 'en'\n[languages.en]\nlanguageName = 'English'\n[languages.zh-CN]\nlabel = '中文'\nlanguageCode = 'zh-Hans'\n[languages.fr]\nlanguageName = 'Français'\n";
    let folder = Folder::new(&[
        ("hugo.toml", config),
        (
            "content/docs/_index.md",
            "---\ntitle: Docs\n---\n{{< children >}}\n",
        ),
        ("content/docs/guides/_index.md", "---\ntitle: Our guides\n---\n"),
        ("content/docs/guides/_index.zh-cn.md", "---\ntitle: 指南\n---\n"),
        ("content/docs/_index.zh-cn.md", "---\ntitle: 文档\n---\n"),
        (
            "content/docs/a.md",
            "---\ntitle: A\n---\n[a](/base/docs/b/) [a](/base/en/docs/b#x) [a]({{< relref \"docs/b\" >}})\n\n![e](/base/en/docs/e.svg)\n",
        ),
        ("content/docs/b.en.md", "---\ntitle: B\n---\n## x\n"),
        (
            "content/docs/e.svg",
            "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
        ),
        (
            "content/docs/b.zh-cn.md",
            "---\ntitle: 二\n---\n[a](/base/docs/a) [a](/base/zh-cn/docs/b) [a]({{< relref \"/docs\" >}})\n",
        ),
    ]);
    folder
        .run(&["build", "--content", "content/docs", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : docs [-]
      A /docs/a
      B /docs/b
    guides: Our guides [-]
    zh-cn: docs [zh-Hans]
      二 /zh-cn/docs/b
    zh-cn/guides: 指南 [zh-Hans]
    ");
    insta::assert_snapshot!(linked(&folder, "docs").join("\n"), @r"
    /docs/a
    /docs/b
    /docs/guides
    ");
    insta::assert_snapshot!(linked(&folder, "docs/a").join("\n"), @r"
    /docs/b
    /docs/b#x
    /docs/b
    /assets/e.f5bd0c1b826b9dfe.svg
    ");
    insta::assert_snapshot!(linked(&folder, "zh-cn/docs/b").join("\n"), @r"
    /docs/a
    /zh-cn/docs/b
    /zh-cn/docs
    ");

    let config = "contentDir: content/en\nlanguages:\n  en:\n    label: English\n  fa:\n    label: فارسی\n  no:\n    label: Norsk\n    weight: 2\n    contentDir: content/norsk\n";
    let folder = Folder::new(&[
        ("hugo.yaml", config),
        ("content/en/docs/a.md", "---\ntitle: A\n---\n"),
        (
            "content/norsk/docs/a.md",
            "---\ntitle: En A\n---\n[b](b.md) [a](../../en/docs/a.md)\n",
        ),
        ("content/en/docs/b.md", "---\ntitle: B\n---\n"),
        ("content/fa/docs/a.md", "---\ntitle: الف\n---\n"),
    ]);
    folder
        .run(&["build", "--content", "content", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    docs: Docs [-]
      A /docs/a
      B /docs/b
    no/docs: Docs [no]
      En A /no/docs/a
    fa/docs: Docs [fa]
      الف /fa/docs/a
    ");
    assert_eq!(linked(&folder, "no/docs/a"), ["/docs/b", "/docs/a"]);
    // One of them alone.
    let norsk = ["build", "--content", "content/norsk", "--out", "norsk"];
    folder.run(&norsk).assert_ok();
    let locales = folder.json("norsk/manifest.json")["locales"].clone();
    assert_eq!(
        locales,
        serde_json::json!([{ "tag": "no", "root": "/no", "index_page": "/no/a-z" }])
    );
}

#[test]
fn the_languages_of_zola_are_in_names() {
    let config = "base_url = 'https://wren.example'\ndefault_language = 'en'\n[languages.fr]\n";
    let folder = Folder::new(&[
        ("config.toml", config),
        ("content/a.md", "+++\ntitle = \"A\"\n+++\n"),
        ("content/a.fr.md", "+++\ntitle = \"Un A\"\n+++\n"),
    ]);
    folder
        .run(&["build", "--content", "content", "--out", "out"])
        .assert_ok();
    assert_eq!(found(&folder, &["--language", "fr"], "un"), ["/fr/a"]);
}

#[test]
fn the_languages_of_mkdocs_are_those_of_its_plug_in() {
    let of_now = |structure: &str| {
        format!(
            "nav:\n  - Home: index.md\n  - Guides:\n    - guides/a.md\nplugins:\n  - search\n  - i18n:\n      docs_structure: {structure}\n      languages:\n        - locale: en\n          default: true\n          name: English\n        - locale: pt_BR\n          name: Brasil\n          nav_translations:\n            Guides: Guias\n"
        )
    };
    let before = "plugins:\n  i18n:\n    default_language: en\n    languages:\n      en: English\n      pt_BR: Brasil\n";
    let mut sites = Vec::new();
    for (config, files) in [
        (
            of_now("suffix"),
            [
                "index.md",
                "index.pt_BR.md",
                "guides/a.en.md",
                "guides/a.pt_BR.md",
            ],
        ),
        (
            of_now("folder"),
            [
                "en/index.md",
                "pt_BR/index.md",
                "en/guides/a.md",
                "pt_BR/guides/a.md",
            ],
        ),
        (
            before.to_owned(),
            [
                "index.en.md",
                "index.pt_BR.md",
                "guides/a.md",
                "guides/a.pt_BR.md",
            ],
        ),
    ] {
        let [home, inicio, a, um] = files.map(|file| format!("docs/{file}"));
        let folder = Folder::new(&[
            ("mkdocs.yml", config.as_str()),
            (&home, "# Start\n"),
            (&inicio, "# Início\n"),
            (&a, "# A\n"),
            (&um, "# Um A\n\n[home](../index.md)\n"),
        ]);
        folder
            .run(&["build", "--content", "docs", "--out", "out"])
            .assert_ok();
        let locales = folder.json("out/manifest.json")["locales"].clone();
        assert_eq!(
            locales[1],
            serde_json::json!({ "tag": "pt-BR", "label": "Brasil", "root": "/pt_BR", "index_page": "/pt_BR/a-z" })
        );
        assert_eq!(linked(&folder, "pt_BR/guides/a"), ["/pt_BR"]);
        sites.push(sections(&folder).join("\n"));
    }
    assert_eq!(sites[0], sites[1]);
    insta::assert_snapshot!(sites[0], @r"
    : docs [-]
      Home /
    guides: Guides [-]
      A /guides/a
    pt_BR: docs [pt-BR]
      Início /pt_BR
    pt_BR/guides: Guias [pt-BR]
      Um A /pt_BR/guides/a
    ");
    insta::assert_snapshot!(sites[2], @r"
    : docs [-]
    guides: Guides [-]
      A /guides/a
    pt_BR: docs [pt-BR]
    pt_BR/guides: Guides [pt-BR]
      Um A /pt_BR/guides/a
    ");
}

#[test]
fn the_languages_of_fumadocs_are_in_names_or_folders() {
    let meta =
        r#"{ "title": "Guides", "root": true, "pages": ["start", "---[Icon]The end---", "end", "..."] }"#;
    let of_french = r#"{ "title": "Conseils", "pages": ["---La fin---", "end"] }"#;
    let in_names =
        "export const i18n = defineI18n({ defaultLanguage: 'en', languages: ['en', 'cn', 'fr', 'sr'] });\n";
    let elsewhere =
        "export const i18n = defineI18n({ defaultLanguage: 'en', languages: Object.keys(translations) });\n";
    let in_folders = in_names.replace("'en', languages", "'en', parser: 'dir', languages");
    let mut sites = Vec::new();
    for (config, is_in_folders) in [(in_names, false), (elsewhere, false), (&*in_folders, true)] {
        let file = |language: &str, path: &str| {
            let (stem, ending) = path.rsplit_once('.').unwrap();
            match (is_in_folders, language) {
                (true, _) => format!("content/docs/{language}/{path}"),
                (false, "en") => format!("content/docs/{path}"),
                (false, _) => format!("content/docs/{stem}.{language}.{ending}"),
            }
        };
        let folder = Folder::new(&[
            ("src/lib/i18n.ts", config),
            ("package.json", "{}"),
            ("public/flow.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
            (&file("en", "meta.json"), r#"{ "pages": ["index", "guides"] }"#),
            (&file("en", "guides/meta.json"), meta),
            (&file("fr", "guides/meta.json"), of_french),
            (&file("en", "guides/start.mdx"), "---\ntitle: Start\n---\n"),
            (
                &file("en", "guides/end.mdx"),
                "---\ntitle: End\n---\n![flow](/flow.svg)\n",
            ),
            (
                &file("fr", "guides/start.mdx"),
                "---\ntitle: Début\n---\n[fin](/docs/guides/end) [fin](./end.mdx)\n",
            ),
            (
                &file("cn", "guides/end.mdx"),
                "---\ntitle: 完\n---\n[start](/docs/guides/start)\n",
            ),
            (&file("en", "index.mdx"), "---\ntitle: Home\n---\n"),
        ]);
        folder
            .run(&["build", "--content", "content/docs", "--out", "out"])
            .assert_ok();
        assert_eq!(
            linked(&folder, "fr/docs/guides/start"),
            ["/docs/guides/end", "/docs/guides/end"]
        );
        assert_eq!(linked(&folder, "cn/docs/guides/end"), ["/docs/guides/start"]);
        assert_eq!(linked(&folder, "docs/guides/end"), ["/flow.svg"]);
        sites.push(sections(&folder).join("\n"));
    }
    insta::assert_snapshot!(sites[0], @r"
    : docs [-]
      Home /docs
    guides: Guides [-]
      Start /docs/guides/start
      The end -
        End /docs/guides/end
    cn: docs [zh-CN]
      Home /docs [en]
    cn/guides: Guides [zh-CN]
      Start /docs/guides/start [en]
      The end - [en]
        完 /cn/docs/guides/end
    fr: docs [fr]
      Home /docs [en]
    fr/guides: Conseils [fr]
      Début /fr/docs/guides/start
      La fin -
        End /docs/guides/end [en]
    ");
    assert_eq!(sites[0], sites[1]);
    assert_eq!(sites[0], sites[2]);
}

#[test]
fn names_of_fumadocs_that_end_with_a_known_language_are_of_it() {
    let folder = Folder::new(&[
        ("docs/meta.json", r#"{ "root": true }"#),
        ("docs/start.mdx", "---\ntitle: Start\n---\n"),
        ("docs/start.es.mdx", "---\ntitle: Inicio\n---\n"),
        ("docs/next.js.mdx", "---\ntitle: Next.js\n---\n"),
        ("docs/next.mdx", "---\ntitle: Next\n---\n"),
        ("docs/alone.fr.mdx", "---\ntitle: Alone\n---\n"),
    ]);
    folder
        .run(&["build", "--content", "docs", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : docs [-]
      Alone /docs/alone.fr
      Next /docs/next
      Next.js /docs/next.js
      Start /docs/start
    es: docs [es]
      Alone /docs/alone.fr [en]
      Next /docs/next [en]
      Next.js /docs/next.js [en]
      Inicio /es/docs/start
    ");
}

#[test]
fn the_languages_of_nextra_are_in_folders() {
    let config = "export default nextra({})({ i18n: { locales: ['en', 'de'], defaultLocale: 'en' } });\n";
    let folder = Folder::new(&[
        ("next.config.mjs", config),
        (
            "content/en/_meta.js",
            "export default { start: 'The start', guides: { title: 'Guides' } };\n",
        ),
        (
            "content/de/_meta.ts",
            "export default { guides: 'Anleitungen', start: 'Der Anfang' };\n",
        ),
        ("content/en/start.mdx", "# Start\n"),
        ("content/en/guides/a.mdx", "# A\n"),
        ("content/de/start.mdx", "# Anfang\n\n[a](/guides/a)\n"),
    ]);
    folder
        .run(&["build", "--content", "content", "--out", "out"])
        .assert_ok();
    insta::assert_snapshot!(sections(&folder).join("\n"), @r"
    : content [-]
      The start /start
    guides: Guides [-]
      A /guides/a
    de: content [de]
      Der Anfang /de/start
    de/guides: Anleitungen [de]
      A /guides/a [en]
    ");
    assert_eq!(linked(&folder, "de/start"), ["/guides/a"]);
    let alone = ["build", "--content", "content/de", "--out", "alone"];
    folder.run(&alone).assert_ok();
    let locales = folder.json("alone/manifest.json")["locales"].clone();
    assert_eq!(
        locales,
        serde_json::json!([{ "tag": "de", "root": "", "index_page": "/a-z" }])
    );
}

#[test]
fn the_words_around_a_text_are_those_of_its_language() {
    let text = "# A\n\n> [!TIP]\n> a\n\n:::danger\nb\n:::\n\n:::details\nc\n:::\n\n- [x] d[^1]\n\n| e |\n| - |\n| f |\n\n[^1]: g\n";
    let config = format!(
        "{CONFIG}\n[language.words]\n\"Page not found\" = \"Cadê?\"\n\n[site.words]\nTip = \"Kniff <1>\"\n"
    );
    let folder = Folder::new(&[
        ("siftwren.toml", &config),
        ("content/a.md", text),
        ("content/fr/a.md", text),
        ("content/br/a.md", "# A\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    let html = |page: &str| folder.json(page)["html"].as_str().unwrap().to_owned();
    insta::assert_snapshot!(html("out/pages/docs/a.json"), @r##"
    <div class="alert alert-tip" role="note"><p class="alert-title">Kniff &lt;1&gt;</p>
    <p>a</p>
    </div>
    <div class="alert alert-caution" role="note"><p class="alert-title">Gefahr</p>
    <p>b</p>
    </div>
    <details><summary>Details</summary><p>c</p>
    </details><ul>
    <li><input type="checkbox" disabled checked aria-label="Erledigt"> d<sup><a class="footnote-ref" id="footnote-1-ref" href="#footnote-1" aria-label="Fußnote 1">1</a></sup></li>
    </ul>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Tabelle 1: A"><table>
    <thead>
    <tr><th scope="col">e</th></tr>
    </thead>
    <tbody>
    <tr><td>f</td></tr>
    </tbody></table></div>
    <section class="footnotes" aria-label="Fußnoten"><ol>
    <li id="footnote-1"><p>g <a class="footnote-back" href="#footnote-1-ref" aria-label="Zurück zum Verweis 1">↩</a></p></li>
    </ol></section>
    "##);
    insta::assert_snapshot!(html("out/pages/docs/fr/a.json"), @r##"
    <div class="alert alert-tip" role="note"><p class="alert-title">Astuce</p>
    <p>a</p>
    </div>
    <div class="alert alert-caution" role="note"><p class="alert-title">Danger</p>
    <p>b</p>
    </div>
    <details><summary>Détails</summary><p>c</p>
    </details><ul>
    <li><input type="checkbox" disabled checked aria-label="Fait"> d<sup><a class="footnote-ref" id="footnote-1-ref" href="#footnote-1" aria-label="Note de bas de page 1">1</a></sup></li>
    </ul>
    <div class="table-scroll" tabindex="0" role="region" aria-label="Tableau 1 : A"><table>
    <thead>
    <tr><th scope="col">e</th></tr>
    </thead>
    <tbody>
    <tr><td>f</td></tr>
    </tbody></table></div>
    <section class="footnotes" aria-label="Notes de bas de page"><ol>
    <li id="footnote-1"><p>g <a class="footnote-back" href="#footnote-1-ref" aria-label="Retour à l’appel de note 1">↩</a></p></li>
    </ol></section>
    "##);
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["words"]["de"]["On this page"], "Auf dieser Seite");
    assert_eq!(manifest["words"]["de"]["Tip"], "Kniff <1>");
    assert_eq!(manifest["words"]["fr"]["On this page"], "Sur cette page");
    assert_eq!(manifest["words"]["pt-BR"]["Page not found"], "Cadê?");
    assert_eq!(manifest["words"]["pt-BR"]["Home"], "Início");
    let index = folder.json("out/pages/docs/a-z.json");
    assert_eq!(index["title"], "Alle Seiten von A bis Z");
}

#[test]
fn a_site_in_english_has_the_words_that_it_changes_alone() {
    let folder = Folder::new(&[
        ("siftwren.toml", "[site]\ntitle = \"Docs\"\n"),
        ("content/a.md", "# A\n"),
    ]);
    folder.run(&BUILD).assert_ok();
    assert!(folder.json("out/manifest.json").get("words").is_none());
    folder.write("siftwren.toml", b"[site]\nwords = { Home = \"Nest\" }\n");
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["words"], serde_json::json!({ "en": { "Home": "Nest" } }));
}

#[test]
fn versions_and_languages_of_mintlify_go_together() {
    let page = |title: &str| format!("---\ntitle: {title}\n---\n\nText\n");
    let built = |navigation: &str, folders: [&str; 2]| {
        let [first, second] = folders;
        let files = [
            (
                "docs.json".to_owned(),
                format!("{{\"name\": \"X\", \"navigation\": {navigation}}}"),
            ),
            (format!("{first}start.mdx"), page("Start")),
            (format!("{second}start.mdx"), page("Début")),
            ("v1/old.mdx".to_owned(), page("Old")),
        ];
        let files: Vec<(String, String)> = files
            .into_iter()
            .map(|(path, text)| (format!("content/{path}"), text))
            .collect();
        let files: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
            .collect();
        let folder = crate::foreign_pages::built(&files);
        let manifest = folder.json("out/manifest.json");
        let locales = manifest["locales"].as_array().unwrap().iter();
        let languages: Vec<String> = locales
            .map(|locale| format!("{} {}", locale["tag"], locale["root"]))
            .collect();
        let languages = languages.join(", ");
        format!(
            "{languages}\n{}\n{}",
            crate::foreign_pages::addresses(&folder).join(" "),
            crate::other_generators::sidebar(&folder)
        )
    };
    // Languages in versions, in folders that have the name of the version as well, or not.
    let of_version = |folders: [&str; 2]| {
        let [first, second] = folders;
        let navigation = format!(
            r#"{{"versions": [{{"version": "1", "languages": [{{"language": "en", "groups": [{{"group": "Old", "pages": ["v1/old"]}}]}}]}}, {{"version": "2", "default": true, "languages": [{{"language": "en", "groups": [{{"group": "Guide", "pages": ["{first}start"]}}]}}, {{"language": "fr", "groups": [{{"group": "Guide", "pages": ["{second}start"]}}]}}]}}]}}"#
        );
        built(&navigation, folders)
    };
    insta::assert_snapshot!(of_version(["v2/en/", "v2/fr/"]), @r#"
    "en" "", "fr" "/v2/fr"
    /v1/old /v2/en/start /v2/fr/start
    guide: Guide -
      Start /v2/en/start
    v2/fr/guide-1: Guide -
      Début /v2/fr/start
    "#);
    insta::assert_snapshot!(of_version(["", "fr/"]), @r#"
    "en" "", "fr" "/fr"
    /fr/start /start /v1/old
    guide: Guide -
      Start /start
    fr/guide-1: Guide -
      Début /fr/start
    "#);
    // Versions in languages.
    insta::assert_snapshot!(built(
        r#"{"languages": [{"language": "en", "versions": [{"version": "2", "groups": [{"group": "Guide", "pages": ["start"]}]}, {"version": "1", "groups": [{"group": "Old", "pages": ["v1/old"]}]}]}, {"language": "fr", "versions": [{"version": "2", "groups": [{"group": "Guide", "pages": ["fr/start"]}]}]}]}"#,
        ["", "fr/"],
    ), @r#"
    "en" "", "fr" "/fr"
    /fr/start /start /v1/old
    guide: Guide -
      Start /start
    fr/guide-1: Guide -
      Début /fr/start
    "#);
}
