//! Logos, pictures of tabs and names of sites, as the configurations of other generators say them.

use serde_json::{Value, json};

use crate::Folder;
use crate::other_generators::BUILD_PLAIN;

const WIDE: &str = "<svg viewBox=\"0 0 9 3\"></svg>";
const TALL: &str = "<svg viewBox=\"0 0 2 6\"></svg>";

/// Builds the folder `content` of these files; gives the manifest and the warnings.
fn built(files: &[(&str, &str)], content: &str) -> (Value, String) {
    let page = format!("{content}/start.md");
    let files = [&[(&*page, "# Start\n")], files].concat();
    let folder = Folder::new(&files);
    folder
        .run(&["build", "--content", content, "--out", "out"])
        .assert_ok();
    let check = folder.run(&["check", "--content", content]);
    assert_eq!(check.code, 0, "{}", check.stderr);
    (folder.json("out/manifest.json"), check.stderr)
}

/// The logo without the hashes in its names.
fn logo(manifest: &Value) -> Value {
    let mut logo = manifest["logo"].clone();
    let is_file = |logo: &Value| logo["src"].is_string();
    if is_file(&logo) {
        logo["src"] = plain(&logo["src"]);
    }
    if is_file(&logo["dark"]) {
        logo["dark"]["src"] = plain(&logo["dark"]["src"]);
    }
    logo
}

fn favicon(manifest: &Value) -> Value {
    let mut favicon = manifest["favicon"].clone();
    if favicon.is_object() {
        favicon["src"] = plain(&favicon["src"]);
    }
    favicon
}

fn plain(name: &Value) -> Value {
    let parts: Vec<&str> = name.as_str().unwrap().split('.').collect();
    assert_eq!(parts.len(), 3, "{name}");
    json!(format!("{}.{}", parts[0], parts[2]))
}

fn both() -> Value {
    json!({
        "src": "assets/light.svg", "width": 9, "height": 3,
        "dark": { "src": "assets/dark.svg", "width": 2, "height": 6 },
    })
}

#[test]
fn docusaurus_has_them_in_its_static_folder() {
    let config = "export default {\n  title: 'A project',\n  favicon: 'img/favicon.ico',\n  themeConfig: { navbar: { title: 'A', logo: { alt: 'A', src: 'img/light.svg', srcDark: '/img/dark.svg' } } },\n  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],\n};\n";
    let (manifest, warnings) = built(
        &[
            ("docusaurus.config.js", config),
            ("static/img/light.svg", WIDE),
            ("static/img/dark.svg", TALL),
            ("static/img/favicon.ico", "an icon"),
        ],
        "docs",
    );
    assert_eq!(logo(&manifest), both());
    assert_eq!(manifest["logo_has_title"], false);
    assert_eq!(
        favicon(&manifest),
        json!({ "src": "assets/favicon.ico", "media_type": "image/x-icon" })
    );
    assert_eq!(warnings, "");

    // Without a title the logo stands alone there.
    let alone = config.replace("title: 'A', logo", "logo");
    let files = [
        ("docusaurus.config.js", &*alone),
        ("static/img/light.svg", WIDE),
        ("static/img/dark.svg", TALL),
        ("static/img/favicon.ico", "an icon"),
    ];
    assert_eq!(built(&files, "docs").0["logo_has_title"], true);
}

#[test]
fn vitepress_has_them_in_its_public_folder() {
    for (written, name, has_title, expected) in [
        (
            "'/light.svg'",
            "'A'",
            false,
            json!({ "src": "assets/light.svg", "width": 9, "height": 3, "dark": null }),
        ),
        (
            "{ src: '/dark.svg', width: 24 }",
            "false",
            true,
            json!({ "src": "assets/dark.svg", "width": 2, "height": 6, "dark": null }),
        ),
        (
            "{ light: '/light.svg', dark: '/dark.svg', alt: 'A' }",
            "undefined",
            false,
            both(),
        ),
        (
            "{ light: 'https://example.com/a.svg', alt: 'A' }",
            "'A'",
            false,
            json!(null),
        ),
        ("false", "'A'", false, json!(null)),
    ] {
        let config = format!(
            "import {{ defineConfig }} from 'vitepress'\nexport default defineConfig({{\n  base: '/project/',\n  head: [\n    ['meta', {{ rel: 'icon', href: '/x.png' }}],\n    ['link', {{ rel: 'preload', href: '/x.png' }}],\n    ['link', {{ rel: 'shortcut icon', href: '/project/tab.png' }}],\n  ],\n  themeConfig: {{ logo: {written}, siteTitle: {name} }},\n}})\n"
        );
        let (manifest, warnings) = built(
            &[
                ("docs/.vitepress/config.ts", &config),
                ("docs/public/light.svg", WIDE),
                ("docs/public/dark.svg", TALL),
                ("docs/public/tab.png", "a picture"),
            ],
            "docs",
        );
        assert_eq!(logo(&manifest), expected, "{written}");
        assert_eq!(manifest["logo_has_title"], has_title, "{name}");
        assert_eq!(
            favicon(&manifest),
            json!({ "src": "assets/tab.png", "media_type": "image/png" })
        );
        assert_eq!(warnings, "", "{written}");
    }
}

#[test]
fn starlight_has_its_logo_in_the_project_and_a_usual_icon() {
    let config = |more: &str| {
        format!(
            "import starlight from '@astrojs/starlight';\nexport default {{ integrations: [starlight({{ title: 'A', logo: {{ light: './src/assets/light.svg', dark: './src/assets/dark.svg', replacesTitle: true }},{more} }})] }};\n"
        )
    };
    for (more, icon) in [
        ("", "assets/favicon.svg"),
        (" favicon: '/other.svg'", "assets/other.svg"),
    ] {
        let (manifest, warnings) = built(
            &[
                ("astro.config.mjs", &config(more)),
                ("src/assets/light.svg", WIDE),
                ("src/assets/dark.svg", TALL),
                ("public/favicon.svg", WIDE),
                ("public/other.svg", WIDE),
            ],
            "src/content/docs",
        );
        assert_eq!(logo(&manifest), both());
        assert_eq!(manifest["logo_has_title"], true);
        assert_eq!(
            favicon(&manifest),
            json!({ "src": icon, "media_type": "image/svg+xml" })
        );
        // The usual one is that of the site, or else in its way.
        let in_its_way = if more.is_empty() {
            ""
        } else {
            "public/favicon.svg:1:1: warning: the site has a file of its own at /favicon.svg; this one is left out\n"
        };
        assert_eq!(warnings, in_its_way);
    }
}

#[test]
fn mkdocs_has_them_beside_its_pages() {
    let theme =
        "site_name: A\ntheme:\n  name: material\n  logo: assets/light.svg\n  favicon: assets/tab.png\n";
    let files = [
        ("docs/assets/light.svg", WIDE),
        ("docs/assets/tab.png", "a picture"),
        ("docs/img/favicon.ico", "an icon"),
    ];
    let (manifest, warnings) = built(&[&[("mkdocs.yml", theme)], &files[..]].concat(), "docs");
    assert_eq!(
        logo(&manifest),
        json!({ "src": "assets/light.svg", "width": 9, "height": 3, "dark": null })
    );
    assert_eq!(
        favicon(&manifest),
        json!({ "src": "assets/tab.png", "media_type": "image/png" })
    );
    assert_eq!(warnings, "");

    for (theme, is_named) in [
        ("theme: readthedocs\n", false),
        ("theme:\n  custom_dir: !ENV [X, \"y\"]\n", false),
        ("theme:\n  custom_dir: !ENV [X, \"y\"\n", true),
        ("", false),
    ] {
        let (manifest, warnings) = built(&[&[("mkdocs.yml", theme)], &files[..]].concat(), "docs");
        assert_eq!(logo(&manifest), json!(null), "{theme}");
        assert_eq!(
            favicon(&manifest),
            json!({ "src": "assets/favicon.ico", "media_type": "image/x-icon" })
        );
        let named = warnings.starts_with("mkdocs.yml:3:1: warning: the theme is left out: ");
        assert_eq!((named, warnings.is_empty()), (is_named, !is_named), "{warnings}");
    }
}

#[test]
fn a_book_has_its_name_in_its_configuration() {
    let (manifest, warnings) = built(
        &[
            (
                "book.toml",
                "[book]\ntitle = \"A book\"\n\n[output.html]\ntheme = \"look\"\n",
            ),
            ("src/SUMMARY.md", "# Summary\n\n- [Start](start.md)\n"),
            ("look/favicon.png", "a picture"),
        ],
        "src",
    );
    assert_eq!(manifest["site"]["title"], "A book");
    assert_eq!(
        favicon(&manifest),
        json!({ "src": "assets/favicon.png", "media_type": "image/png" })
    );
    let inputs = manifest["inputs"].as_array().unwrap();
    for path in ["book.toml", "look/favicon.png"] {
        assert!(inputs.contains(&path.into()), "{path}");
    }
    assert_eq!(warnings, "");

    // Of another folder.
    let (manifest, _) = built(&[("book.toml", "[book]\ntitle = \"A book\"\n")], "docs");
    assert_eq!(manifest["site"]["title"], "docs");

    let (manifest, warnings) = built(&[("book.toml", "[book]\ntitle = A book\n")], "src");
    assert_eq!(manifest["site"]["title"], "src");
    assert!(
        warnings.starts_with("book.toml:2:9: warning: this is no TOML: ")
            && warnings.ends_with("; the file is left out\n"),
        "{warnings}"
    );
}

#[test]
fn what_cannot_be_shown_is_left_out_with_a_warning() {
    let config = "export default {\n  favicon: 'img/a.gif',\n  themeConfig: { navbar: { logo: { src: 'img/gone.svg' } } },\n  presets: [['classic', { docs: { sidebarPath: './sidebars.js' } }]],\n};\n";
    let (manifest, warnings) = built(
        &[("docusaurus.config.js", config), ("static/img/a.gif", "GIF89a")],
        "docs",
    );
    assert_eq!([&manifest["logo"], &manifest["favicon"]], [&Value::Null; 2]);
    let lines: Vec<&str> = warnings.lines().collect();
    assert_eq!(lines.len(), 2, "{warnings}");
    assert_eq!(
        lines[0],
        "docusaurus.config.js:2:12: warning: `favicon` takes an SVG, a PNG or an ICO; it is left out"
    );
    assert!(
        lines[1].starts_with("docusaurus.config.js:3:41: warning: cannot read `img/gone.svg`: ")
            && lines[1].ends_with("; it is left out"),
        "{}",
        lines[1]
    );
}

#[test]
fn what_the_own_configuration_names_comes_first() {
    let folder = Folder::new(&[
        ("content/start.md", "# Start\n"),
        (
            "content/.vitepress/config.ts",
            "export default { title: 'Theirs', head: [['link', { rel: 'icon', href: '/tab.png' }]], themeConfig: { logo: '/gone.svg' } }\n",
        ),
        ("content/public/tab.png", "a picture"),
        ("siftwren.toml", "[site]\ntitle = \"Ours\"\nlogo = \"wide.svg\"\n"),
        ("wide.svg", WIDE),
    ]);
    let config = ["--config", "siftwren.toml"];
    folder.run(&[&BUILD_PLAIN[..], &config].concat()).assert_ok();
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["site"]["title"], "Ours");
    assert_eq!(logo(&manifest)["src"], "assets/wide.svg");
    assert_eq!(favicon(&manifest)["src"], "assets/tab.png");
    assert_eq!(manifest["logo_has_title"], false);
    let check = folder.run(&["check", "--content", "content", "--config", "siftwren.toml"]);
    assert_eq!((check.code, &*check.stderr), (0, ""));
}

#[test]
fn the_own_configuration_says_whether_a_logo_has_the_name() {
    let theirs = "export default { themeConfig: { logo: '/light.svg', siteTitle: false } }\n";
    for (own, has_title) in [
        ("", true),
        ("logo_has_title = false", false),
        ("logo_has_title = true", true),
        ("logo = \"wide.svg\"", false),
        ("logo = \"wide.svg\"\nlogo_has_title = true", true),
    ] {
        let folder = Folder::new(&[
            ("content/start.md", "# Start\n"),
            ("content/.vitepress/config.ts", theirs),
            ("content/public/light.svg", WIDE),
            ("siftwren.toml", &format!("[site]\n{own}\n")),
            ("wide.svg", WIDE),
        ]);
        let config = ["--config", "siftwren.toml"];
        folder.run(&[&BUILD_PLAIN[..], &config].concat()).assert_ok();
        assert_eq!(
            folder.json("out/manifest.json")["logo_has_title"],
            has_title,
            "{own}"
        );
    }
    let folder = Folder::new(&[
        ("content/start.md", "# Start\n"),
        ("siftwren.toml", "[site]\ntitle = \"A\"\nlogo_has_title = true\n"),
    ]);
    let check = folder.run(&["check", "--content", "content", "--config", "siftwren.toml"]);
    assert_eq!(
        (check.code, check.stderr.lines().next()),
        (
            1,
            Some("siftwren.toml:3:18: `logo_has_title` is about `logo`; name that as well")
        )
    );
}
