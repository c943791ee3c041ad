//! The navigation bars and the edit links of other generators.

use serde_json::Value;

use crate::Folder;

/// The manifest of a content folder, and what was said about it.
fn built(files: &[(&str, &str)], content: &str) -> (Folder, Value) {
    let folder = Folder::new(files);
    let run = folder.run(&["build", "--content", content, "--out", "out"]);
    let manifest = run.assert_ok();
    assert_eq!(manifest.stderr, "", "{manifest:?}");
    let manifest = folder.json("out/manifest.json");
    (folder, manifest)
}

/// Its items, a line each.
fn lines(items: &Value) -> String {
    let line = |item: &Value| {
        let [label, to, href] = ["label", "to", "href"].map(|key| item[key].as_str());
        let label = label.unwrap_or_else(|| item["type"].as_str().unwrap());
        format!(
            "{label} {} {}",
            to.or(href).unwrap_or("-"),
            item["position"].as_str().unwrap()
        )
    };
    let lines = items.as_array().unwrap().iter().flat_map(|item| {
        let inner = item["items"].as_array().into_iter().flatten();
        std::iter::once(line(item)).chain(inner.map(|item| format!("  {}", line(item))))
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn edit_link(folder: &Folder, page: &str) -> String {
    let page = folder.json(&format!("out/pages/{page}.json"));
    page["edit_url"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn vitepress_has_a_nav_in_each_language() {
    let config = "const version = '8'\nexport default { title: 'T', lang: 'en', themeConfig: {
      nav: [
        { text: 'Guide', link: '/guide/', activeMatch: '/guide/' },
        { text: 'Start', link: '/guide/start.html#x' },
        { text: 'Blog', link: '/blog' },
        { text: 'More', items: [
          { text: 'Changes', link: 'https://a.example/changes' },
          { items: [{ text: 'Start', link: '/guide/start' }, { text: 'Gone', link: '/gone' }] },
        ] },
        { text: 'Empty', items: [{ text: 'Gone', link: '/gone' }] },
        { text: `v${version}`, link: 'https://a.example/versions' },
        { component: 'Thing' },
      ],
      socialLinks: [{ icon: 'x', link: 'https://x.com/a' }, { icon: 'github', link: 'https://github.com/a/b' }],
      editLink: { pattern: 'https://github.com/a/b/edit/main/docs/:path' },
    }, locales: { root: { label: 'English' }, fr: { label: 'Français', lang: 'fr', themeConfig: { nav: [
      { text: 'Le guide', link: '/fr/guide/' },
      { text: 'Commencer', link: '/fr/guide/start' },
      { text: 'Blogue', link: '/blog' },
      { text: 'Plus', items: [
        { text: 'Changements', link: 'https://a.example/changes' },
        { items: [{ text: 'Commencer', link: '/fr/guide/start' }, { text: 'Parti', link: '/gone' }] },
      ] },
      { text: 'Vide', items: [{ text: 'Parti', link: '/gone' }] },
    ] } } } }\n";
    let (folder, manifest) = built(
        &[
            ("docs/.vitepress/config.mts", config),
            ("docs/index.md", "# Home\n"),
            ("docs/guide/index.md", "# Guide\n"),
            ("docs/guide/start.md", "# Start\n\n## X\n"),
            ("docs/fr/guide/index.md", "# Guide\n"),
        ],
        "docs",
    );
    insta::assert_snapshot!(lines(&manifest["navbar"]), @r"
    Guide /guide left
    Start /guide/start#x left
    More - left
      Changes https://a.example/changes left
      Start /guide/start left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    insta::assert_snapshot!(lines(&manifest["in_languages"]["fr"]["navbar"]), @r"
    Le guide /fr/guide left
    Commencer /guide/start#x left
    Plus - left
      Changements https://a.example/changes left
      Commencer /guide/start left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    assert_eq!(
        edit_link(&folder, "guide/start"),
        "https://github.com/a/b/edit/main/docs/guide/start.md"
    );
}

#[test]
fn docusaurus_names_pages_and_sidebars() {
    let config = "module.exports = { title: 'T', i18n: { defaultLocale: 'en', locales: ['en', 'fr'] }, presets: [['classic', { docs: { sidebarPath: './sidebars.js', editUrl: 'https://github.com/a/b/tree/main/site/' } }]], themeConfig: { navbar: { items: [
      { type: 'docSidebar', sidebarId: 'guides', label: 'Guides', position: 'left' },
      { type: 'docSidebar', sidebarId: 'all', label: 'All' },
      { type: 'doc', docId: 'api/list' },
      { type: 'doc', docId: 'gone', label: 'Gone' },
      { type: 'doc', docId: 'own-id', label: 'Own' },
      { to: '/blog', label: 'Blog' },
      { to: 'docs/start', label: 'Start' },
      { type: 'dropdown', label: 'Community', position: 'right', items: [{ href: 'https://chat.example', label: 'Chat' }, { to: '/team', label: 'Team' }] },
      { type: 'localeDropdown', position: 'right' },
      { href: 'https://github.com/a/b', className: 'header-github-link', 'aria-label': 'Code', position: 'right' },
    ] } } };\n";
    let sidebars = "module.exports = { guides: [{ type: 'category', label: 'First', items: ['start', 'api/list'] }], all: [{ type: 'autogenerated', dirName: '.' }] };\n";
    let (folder, manifest) = built(
        &[
            ("site/docusaurus.config.js", config),
            ("site/sidebars.js", sidebars),
            ("site/docs/start.md", "# Start\n"),
            ("site/docs/api/list.md", "# List\n"),
            ("site/docs/OwnId.md", "---\nid: own-id\n---\n\n# Own\n"),
            (
                "site/i18n/fr/docusaurus-plugin-content-docs/current/start.md",
                "# Commencer\n",
            ),
            (
                "site/i18n/fr/docusaurus-theme-classic/navbar.json",
                "{\"item.label.Start\": {\"message\": \"Démarrer\"}, \"item.label.Community\": {\"message\": \"Communauté\", \"description\": \"x\"}, \"title\": {\"message\": \"T\"}, \"item.label.Versions\": {\"message\": \"Versions\"}}\n",
            ),
        ],
        "site/docs",
    );
    insta::assert_snapshot!(lines(&manifest["navbar"]), @r"
    Guides /docs/start left
    All /docs left
    List /docs/api/list left
    Own /docs/own-id left
    Start /docs/start left
    Community - right
      Chat https://chat.example left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    insta::assert_snapshot!(lines(&manifest["in_languages"]["fr"]["navbar"]), @r"
    Guides /fr/docs/start left
    All /fr/docs/start left
    List /docs/api/list left
    Own /docs/own-id left
    Démarrer /fr/docs/start left
    Communauté - right
      Chat https://chat.example left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    assert_eq!(
        edit_link(&folder, "docs/api/list"),
        "https://github.com/a/b/tree/main/site/docs/api/list.md"
    );
    // Browsers take the two dots for what they mean.
    assert_eq!(
        edit_link(&folder, "fr/docs/start"),
        "https://github.com/a/b/tree/main/site/docs/../i18n/fr/docusaurus-plugin-content-docs/current/start.md"
    );
}

#[test]
fn hugo_has_a_menu_by_weight() {
    let toml = "title = 'T'\ndefaultContentLanguage = 'en'\n[params]\ngithub_repo = 'https://github.com/a/b'\n[[menu.main]]\nname = 'Blog'\nurl = '/blog'\n[[menu.main]]\nname = 'More'\nidentifier = 'more'\nweight = 3\n[[menu.main]]\nname = 'Chat'\nparent = 'more'\nurl = 'https://chat.example'\n[[menu.main]]\nname = 'Start'\nurl = '/Guides/Start/'\n[[menu.main]]\nname = 'Guides'\npageRef = '/guides/_index'\nweight = 2\n[[menu.main]]\nname = 'Find'\nweight = 1\n[menu.main.params]\ntype = 'search'\n[languages.en]\n[languages.fr]\n[[languages.fr.menus.main]]\nname = 'Guides (fr)'\npageRef = '/guides'\nweight = 2\n[[languages.fr.menus.main]]\nname = 'Plus'\nidentifier = 'more'\nweight = 3\n[[languages.fr.menus.main]]\nname = 'Salon'\nparent = 'more'\nurl = 'https://chat.example'\n[[languages.fr.menus.main]]\nname = 'Blogue'\nurl = '/blog'\n[[languages.fr.menus.main]]\nname = 'Commencer'\nurl = '/guides/start'\n";
    let yaml = "title: T\nmenu:\n  main:\n    - name: Guides\n      pageRef: /guides\n      weight: 2\n    - name: Start\n      url: /guides/start/\n      weight: 1\n";
    let files = |file, text| {
        vec![
            (file, text),
            ("site/content/guides/_index.md", "---\ntitle: Guides\n---\nx\n"),
            (
                "site/content/guides/_index.fr.md",
                "---\ntitle: Les guides\n---\nx\n",
            ),
            ("site/content/guides/start.md", "---\ntitle: Start\n---\nx\n"),
        ]
    };
    let (_, manifest) = built(&files("site/hugo.toml", toml), "site/content");
    insta::assert_snapshot!(lines(&manifest["navbar"]), @r"
    Guides /guides left
    More - left
      Chat https://chat.example left
    Start /guides/start left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    insta::assert_snapshot!(lines(&manifest["in_languages"]["fr"]["navbar"]), @r"
    Guides (fr) /fr/guides left
    Plus - left
      Salon https://chat.example left
    Commencer /guides/start left
    GitHub https://github.com/a/b right
    search - right
    theme - right
    ");
    let (_, manifest) = built(&files("site/hugo.yaml", yaml)[..], "site/content");
    assert_eq!(
        lines(&manifest["navbar"]),
        "Start /guides/start left\nGuides /guides left\nsearch - right\ntheme - right"
    );
}

#[test]
fn pages_of_hugo_are_in_its_menu() {
    let start = [
        (
            "site/hugo.yaml",
            "title: T\ndefaultContentLanguage: en\nlanguages:\n  en: {}\n  fr: {}\nmenus:\n  main:\n    - name: More\n      identifier: more\n      weight: 15\n",
        ),
        (
            "site/content/en/_index.md",
            "---\ntitle: Home\nmenu: footer\n---\nx\n",
        ),
        (
            "site/content/en/docs/_index.md",
            "---\ntitle: Documentation\nlinkTitle: Docs\nweight: 90\nmenu: {main: {weight: 20}}\n---\nx\n",
        ),
        ("site/content/en/docs/start.md", "---\ntitle: Start\n---\nx\n"),
        (
            "site/content/en/blog.md",
            "+++\ntitle = \"Blog\"\nweight = 10\nmenus = [\"footer\", \"main\"]\n+++\nx\n",
        ),
        (
            "site/content/en/team.md",
            "---\ntitle: Team\nmenus:\n  main:\n    name: Our team\n    parent: more\n---\nx\n",
        ),
        (
            "site/content/en/last.md",
            "---\ntitle: Last\nmenu: main\n---\nx\n",
        ),
        (
            "site/content/fr/docs/_index.md",
            "---\ntitle: La documentation\nlinkTitle: Docus\nmenu: {main: {weight: 1}}\n---\nx\n",
        ),
        ("site/content/fr/team.md", "---\ntitle: Équipe\n---\nx\n"),
        (
            "site/content/fr/seul.md",
            "---\ntitle: Seul\nmenu: main\n---\nx\n",
        ),
    ];
    let (_, manifest) = built(&start, "site/content");
    insta::assert_snapshot!(lines(&manifest["navbar"]), @r"
    Blog /blog left
    More - left
      Our team /team left
    Docs /docs left
    Last /last left
    search - right
    theme - right
    ");
    insta::assert_snapshot!(lines(&manifest["in_languages"]["fr"]["navbar"]), @r"
    Blog /blog left
    More - left
      Our team /fr/team left
    Docus /fr/docs left
    Last /last left
    search - right
    theme - right
    ");
}

#[test]
fn parts_of_the_configuration_of_hugo_are_in_files_of_their_own() {
    let files = [
        (
            "site/config/_default/hugo.toml",
            "title = 'T'\ndefaultContentLanguage = 'en'\n[params]\nversion = '1'\nedition = 'small'\n",
        ),
        ("site/config/_default/params.yaml", "version: '2'\n"),
        ("site/config/_default/params.fr.yaml", "edition: petite\n"),
        (
            "site/config/_default/languages.toml",
            "[fr]\nlanguageName = 'Français'\nweight = 2\n[en]\nweight = 1\n",
        ),
        (
            "site/config/_default/menus/menus.en.toml",
            "[[main]]\nname = 'Guides'\npageRef = '/guides'\nweight = 2\n[[main]]\nname = 'First'\npageRef = '/guides/start'\nweight = 1\n",
        ),
        (
            "site/config/_default/menus/menus.fr.json",
            "{\"main\": [{\"name\": \"Les guides\", \"url\": \"/guides/\", \"weight\": 2}, {\"name\": \"D’abord\", \"url\": \"/guides/start/\", \"weight\": 1}]}",
        ),
        ("site/config/_default/notes.txt", "no part"),
        ("site/config/production/params.toml", "VERSION = '3'\n"),
        ("site/config/production/hugo.yaml", "title: Published\n"),
        ("site/content/guides/_index.md", "---\ntitle: Guides\n---\nx\n"),
        (
            "site/content/guides/start.md",
            "---\ntitle: Start\n---\nOf {{< param \"version\" >}}, {{< param \"edition\" >}}.\n",
        ),
        ("site/content/guides/start.fr.md", "---\ntitle: Début\n---\nx\n"),
    ];
    let (folder, manifest) = built(&files, "site/content");
    assert_eq!(manifest["site"]["title"], "Published");
    insta::assert_snapshot!(lines(&manifest["navbar"]), @r"
    First /guides/start left
    Guides /guides left
    search - right
    theme - right
    ");
    insta::assert_snapshot!(lines(&manifest["in_languages"]["fr"]["navbar"]), @r"
    D’abord /fr/guides/start left
    Les guides /guides left
    search - right
    theme - right
    ");
    let page = folder.json("out/pages/guides/start.json");
    assert_eq!(page["html"], "<p>Of 3, small.</p>\n");

    let mut broken = files.to_vec();
    broken.extend([
        ("site/config/_default/menus.toml", "[[main]\n"),
        ("site/config/_default/params.en.json", "{\n  \"a\": {,\n}"),
        ("site/config/_default/markup.yaml", "a: [\n"),
        ("site/config/_default/security.yaml", "a: [\n"),
    ]);
    let folder = Folder::new(&broken);
    let run = folder.run(&["check", "--content", "site/content"]);
    let run = run.assert_ok();
    insta::assert_snapshot!(run.stderr, @r"
    site/config/_default/markup.yaml:2:1: warning: the file is left out: the document is not valid YAML: while parsing a node, did not find expected node content
    site/config/_default/menus.toml:1:8: warning: this is no TOML: unclosed array table, expected `]`; the file is left out
    site/config/_default/params.en.json:2:9: warning: the file is left out: the document is not valid YAML: while parsing a node, did not find expected node content
    ");
}

#[test]
fn others_have_a_link_to_their_code() {
    let starlight = "import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'T', social: [{ icon: 'discord', label: 'Chat', href: 'https://chat.example' }, { icon: 'github', label: 'GitHub', href: 'https://github.com/a/b' }], editLink: { baseUrl: 'https://github.com/a/b/edit/main/' } })] });\n";
    let starlight_before = "import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: 'T', social: { github: 'https://github.com/a/b' } })] });\n";
    let mkdocs = "site_name: T\nrepo_url: https://github.com/a/b\nedit_uri: edit/main/docs/\n";
    let whole = "site_name: T\nrepo_url: https://github.com/a/b\nedit_uri: https://edit.example/docs\n";
    let without = "site_name: T\nrepo_url: https://github.com/a/b\n";
    let book = "[book]\ntitle = 'T'\n[output.html]\ngit-repository-url = 'https://github.com/a/b'\nedit-url-template = 'https://github.com/a/b/edit/main/guide/{path}'\n";
    let mintlify = "{\"name\": \"T\", \"navigation\": {\"pages\": [\"start\"]}, \"navbar\": {\"links\": [{\"label\": \"Support\", \"href\": \"https://help.example\"}], \"primary\": {\"type\": \"github\", \"href\": \"https://github.com/a/b\"}}}\n";
    let github = "GitHub https://github.com/a/b right";
    let both = "Support https://help.example right\nGitHub https://github.com/a/b right";
    for (file, text, content, bar, edit) in [
        (
            "astro.config.mjs",
            starlight,
            "src/content/docs",
            github,
            "https://github.com/a/b/edit/main/src/content/docs/start.md",
        ),
        (
            "astro.config.mjs",
            starlight_before,
            "src/content/docs",
            github,
            "",
        ),
        (
            "mkdocs.yml",
            mkdocs,
            "docs",
            github,
            "https://github.com/a/b/edit/main/docs/start.md",
        ),
        (
            "mkdocs.yml",
            whole,
            "docs",
            github,
            "https://edit.example/docs/start.md",
        ),
        ("mkdocs.yml", without, "docs", github, ""),
        (
            "book.toml",
            book,
            "src",
            github,
            "https://github.com/a/b/edit/main/guide/src/start.md",
        ),
        ("docs.json", mintlify, ".", both, ""),
    ] {
        let place = |name: &str| match content {
            "." => format!("site/{name}"),
            _ => format!("site/{content}/{name}"),
        };
        let mut files = vec![(format!("site/{file}"), text), (place("start.md"), "# Start\n")];
        if file == "book.toml" {
            files.push((place("SUMMARY.md"), "- [Start](start.md)\n"));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        let (folder, manifest) = built(&files, &format!("site/{content}"));
        let bar_and_tools = format!("{bar}\nsearch - right\ntheme - right");
        assert_eq!(lines(&manifest["navbar"]), bar_and_tools, "{text}");
        assert_eq!(edit_link(&folder, "start"), edit, "{text}");
    }
}

#[test]
fn what_the_own_configuration_has_takes_their_place() {
    let folder = Folder::new(&[
        (
            "site/mkdocs.yml",
            "site_name: T\nrepo_url: https://github.com/a/b\nedit_uri: edit/main/\n",
        ),
        ("site/docs/start.md", "# Start\n"),
        (
            "own.toml",
            "[content]\nedit_url = \"https://edit.example/here\"\n[[navbar]]\nlabel = \"Start\"\nto = \"/start\"\n",
        ),
    ]);
    let build = [
        "build",
        "--content",
        "site/docs",
        "--config",
        "own.toml",
        "--out",
        "out",
    ];
    folder.run(&build).assert_ok();
    let manifest = folder.json("out/manifest.json");
    assert_eq!(
        lines(&manifest["navbar"]),
        "Start /start left\nsearch - right\ntheme - right"
    );
    assert_eq!(edit_link(&folder, "start"), "https://edit.example/here/start.md");
}
