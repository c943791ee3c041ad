//! What stands around the pages in each language.

use serde_json::{Value, json};

use crate::{BUILD, Folder};

const CONFIG: &str = r#"
[site]
title = "Handbook"
tagline = "All that we know"
url = "https://docs.example"

[content]
route_prefix = "/docs"
landing = "guides/start"

[[sidebar]]
id = "reference"
title = "Look up"

[[sidebar]]
id = "guides"
title = "Guides"
pages = ["start", "install"]

[[navbar]]
label = "Start"
to = "/docs"

[[navbar]]
label = "Home"
to = "/"

[[navbar]]
label = "Options"
to = "/docs/reference/options#all"

[[navbar]]
type = "doc"
doc = "guides/install"

[[navbar]]
type = "sidebar"
sidebar = "reference"

[[navbar]]
type = "dropdown"
label = "More"

[[navbar.items]]
label = "Code"
href = "https://code.example"

[[navbar.items]]
type = "doc"
doc = "guides/advanced"
label = "For experts"

[footer]
text = "Free to use"

[[footer.links]]
label = "Install it"
to = "/docs/guides/install"

[announcement]
id = "one"
text = "Version one"
href = "/docs/guides/install?new#x"

[[language]]
tag = "fr"

[language.texts]
"Handbook" = "Manuel"
"All that we know" = "Tout ce que nous savons"
"Guides" = "Guides pratiques"
"Start" = "Démarrer"
"More" = "Plus"
"For experts" = "Pour les experts"
"Free to use" = "Libre d’usage"
"Install it" = "Installez"
"Version one" = "Version un"

[[language]]
tag = "de"
"#;

fn handbook() -> Folder {
    Folder::new(&[
        ("siftwren.toml", CONFIG),
        ("content/guides/start.md", "# Start here\n"),
        ("content/guides/install.md", "# Install\n"),
        ("content/guides/advanced.md", "# Advanced\n"),
        ("content/reference/options.md", "# Options\n\n## All\n"),
        ("content/fr/guides/start.md", "# Commencer\n"),
        ("content/fr/guides/install.md", "# Installer\n"),
        ("content/fr/guides/a-extra.md", "# Encore\n"),
        ("content/fr/reference/README.md", "# Référence\n"),
        ("content/fr/reference/options.md", "# Choix\n\n## Tous {#all}\n"),
        ("content/annex/more.md", "# Annexe\n"),
        ("content/fr/annex/more.md", "# Annexe\n"),
        ("content/fr/note.md", "# Note\n"),
        ("content/de/guides/advanced.md", "# Mehr\n"),
        ("content/de/index.md", "---\nunlisted: true\n---\n\n# Deutsch\n"),
    ])
}

#[test]
fn sections_of_a_language_stand_as_those_of_the_first() {
    let folder = handbook();
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    let sections = manifest["sidebar"].as_array().unwrap().iter();
    let sections = sections.map(|section| {
        let items = section["items"].as_array().unwrap().iter();
        let items: Vec<&str> = items.map(|item| item["title"].as_str().unwrap()).collect();
        format!("{} {}: {}", section["id"], section["title"], items.join(", "))
    });
    insta::assert_snapshot!(sections.collect::<Vec<_>>().join("\n"), @r#"
    "reference" "Look up": Options
    "guides" "Guides": Start here, Install, Advanced
    "annex" "Annex": Annexe
    "fr" "Manuel": Note
    "fr/reference" "Référence": Choix
    "fr/guides" "Guides pratiques": Commencer, Installer, Encore
    "fr/annex" "Annex": Annexe
    "de/guides" "Guides": Mehr
    "#);
}

#[test]
fn links_and_texts_of_the_configuration_are_those_of_the_language() {
    let folder = handbook();
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    let of = |tag: &str| manifest["in_languages"][tag].clone();
    let lines = |items: &Value| -> String {
        let items = items.as_array().unwrap().iter();
        let line = |item: &Value| match (&item["to"], &item["href"]) {
            (Value::String(to), _) | (_, Value::String(to)) => format!("{}: {to}", item["label"]),
            _ => format!("{} {}", item["type"], item["label"]),
        };
        let lines = items.flat_map(|item| {
            let inner = item["items"].as_array().into_iter().flatten();
            std::iter::once(line(item)).chain(inner.map(|item| format!("  {}", line(item))))
        });
        lines.collect::<Vec<_>>().join("\n")
    };
    insta::assert_snapshot!(lines(&of("fr")["navbar"]), @r#"
    "Démarrer": /docs/fr/guides/start
    "Home": /docs/fr/guides/start
    "Options": /docs/fr/reference/options#all
    "Installer": /docs/fr/guides/install
    "Référence": /docs/fr/reference
    "dropdown" "Plus"
      "Code": https://code.example
      "Pour les experts": /docs/guides/advanced
    "search" null
    "theme" null
    "#);
    assert_eq!(of("fr")["title"], "Manuel");
    assert_eq!(of("fr")["tagline"], "Tout ce que nous savons");
    assert_eq!(
        of("fr")["footer"],
        json!({ "text": "Libre d’usage", "links": [
            { "label": "Installez", "to": "/docs/fr/guides/install" },
            { "label": "All pages, A to Z", "to": "/docs/a-z" },
        ] })
    );
    assert_eq!(
        of("fr")["announcement"],
        json!({ "id": "one", "text": "Version un", "href": "/docs/fr/guides/install?new#x" })
    );
    // A language that says nothing has the links to its pages, and what is the same is not there twice.
    insta::assert_snapshot!(lines(&of("de")["navbar"]), @r#"
    "Start": /docs/de
    "Home": /docs/de
    "Options": /docs/reference/options#all
    "Install": /docs/guides/install
    "Look up": /docs/reference/options
    "dropdown" "More"
      "Code": https://code.example
      "For experts": /docs/de/guides/advanced
    "search" null
    "theme" null
    "#);
    assert_eq!(of("de").as_object().unwrap().len(), 1);

    let french = folder.read("out/root/docs/fr/llms.txt");
    assert!(
        french.starts_with("# Manuel\n\n> Tout ce que nous savons\n"),
        "{french}"
    );
    assert!(
        folder
            .read("out/root/docs/fr/feed.xml")
            .contains("<title>Manuel: changes</title>")
    );
    assert!(
        folder
            .read("out/root/feed.xml")
            .contains("<title>Handbook: changes</title>")
    );
    // The pictures of two pages that are called the same say what the site is called.
    let pages = manifest["pages"].as_array().unwrap();
    let card = |path: &str| &pages.iter().find(|page| page["path"] == path).unwrap()["card"];
    assert_ne!(card("/docs/annex/more"), card("/docs/fr/annex/more"));
    let all = folder.json("out/pages/docs/fr/a-z.json");
    assert!(all["description"].as_str().unwrap().contains("Manuel"), "{all}");
}

fn failed(folder: &Folder) -> String {
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1, "{run:?}");
    run.stderr
}

#[test]
fn texts_that_are_not_there_are_named() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            "[site]\ntitle = \"Handbook\"\n[[navbar]]\nlabel = \"Start\"\nto = \"/\"\n[[language]]\ntag = \"fr\"\n[language.texts]\n\"Strat\" = \"x\"\n\"Elsewhere\" = \"y\"\n\"Start\" = \"Début\"\n",
        ),
        ("content/index.md", "# A\n"),
        ("content/fr/index.md", "# B\n"),
    ]);
    insta::assert_snapshot!(failed(&folder), @r"
    siftwren.toml:9:1: the configuration has no text `Strat`; did you mean `Start`?
    siftwren.toml:10:1: the configuration has no text `Elsewhere`; texts are named by what they are there, such as the `label` of a link
    indexer: 2 problems found
    ");
    let of_first = "[[language]]\ntag = \"en\"\nfolder = \"en\"\n[language.texts]\n\"content\" = \"x\"\n";
    let folder = Folder::new(&[("siftwren.toml", of_first), ("content/en/index.md", "# A\n")]);
    insta::assert_snapshot!(failed(&folder), @r"
    siftwren.toml:5:1: the texts of the first language are those of the configuration; write them there
    indexer: 1 problem found
    ");
}

#[test]
fn other_generators_say_what_a_site_is_called() {
    let vitepress = "export default { title: 'Book', locales: { root: { lang: 'en' }, fr: { lang: 'fr', title: 'Livre' } } }\n";
    let starlight = "import starlight from '@astrojs/starlight';\nexport default defineConfig({ integrations: [starlight({ title: { en: 'Book', fr: 'Livre' }, defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français' } } })] });\n";
    let hugo = "title = 'Site'\ndefaultContentLanguage = 'en'\n[languages.en]\ntitle = 'Book'\n[languages.fr]\ntitle = 'Livre'\n";
    let mkdocs = "site_name: Book\nplugins:\n  - i18n:\n      languages:\n        - locale: en\n          default: true\n        - locale: fr\n          site_name: Livre\n";
    for (file, text, content, first, second) in [
        (".vitepress/config.js", vitepress, ".", "index.md", "fr/index.md"),
        (
            "astro.config.mjs",
            starlight,
            "src/content/docs",
            "index.md",
            "fr/index.md",
        ),
        ("hugo.toml", hugo, "content", "a.md", "a.fr.md"),
        ("mkdocs.yml", mkdocs, "docs", "index.md", "index.fr.md"),
    ] {
        let page = |name: &str| match content {
            "." => format!("site/{name}"),
            _ => format!("site/{content}/{name}"),
        };
        let (first, second) = (page(first), page(second));
        let folder = Folder::new(&[
            (&format!("site/{file}"), text),
            (&first, "# A\n"),
            (&second, "# B\n"),
        ]);
        let content = format!("site/{content}");
        let build = ["build", "--content", &content, "--out", "out"];
        folder.run(&build).assert_ok();
        let manifest = folder.json("out/manifest.json");
        assert_eq!(manifest["site"]["title"], "Book", "{file}");
        assert_eq!(manifest["in_languages"]["fr"]["title"], "Livre", "{file}");
        // What a team calls its site itself is its name in each language.
        folder.write("own.toml", b"[site]\ntitle = \"Own\"\n");
        let own = [&build[..], &["--config", "own.toml"]].concat();
        folder.run(&own).assert_ok();
        let manifest = folder.json("out/manifest.json");
        assert_eq!(manifest["site"]["title"], "Own", "{file}");
        assert_eq!(manifest["in_languages"]["fr"]["title"], Value::Null, "{file}");
    }
}
