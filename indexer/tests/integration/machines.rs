//! What a build writes for programs, and the pages that are not Markdown.

use crate::{BUILD, Folder};

const CONFIG: &str = "[site]\ntitle = \"Site\"\nurl = \"https://docs.example\"\nbase = \"/sub/\"\n[content]\nroute_prefix = \"/docs\"\ncomponents = \"pages\"\n";

const START: &str = "---\ntitle: Start\ndescription: How it starts.\n---\n\nSee [**the** end](./end.md#last \"The \\\"end\\\"\"), [again][end], [here](#here), [all](/docs/a-z),\n[status](/docs/status?x=1#now) and ![a flow](../img/flow.svg).\n\n## Here\n\n```js\nlink(\"[x](./end.md)\")\n```\n\n<https://example.com>\n\n[end]: end.md\n";

fn build(config: &str, files: &[(&str, &str)]) -> Folder {
    let mut all = vec![
        ("siftwren.toml", config),
        ("content/guide/start.md", START),
        (
            "content/guide/end.md",
            "# The [end](start.md)\n\n## Last\n\nText.\n",
        ),
        ("content/img/flow.svg", "<svg width=\"4\" height=\"2\"></svg>"),
        (
            "pages/status.tsx",
            "export const title = 'Status';\nexport default () => null;\n",
        ),
        ("pages/_parts/part.tsx", "export const part = 1;\n"),
    ];
    all.extend(files);
    Folder::new(&all)
}

#[test]
fn the_markdown_of_a_page_has_links_that_work_everywhere() {
    let folder = build(CONFIG, &[]);
    folder.run(&BUILD).assert_ok();
    insta::assert_snapshot!(folder.markdown("docs/guide/start"), @r#"
    # Start

    > How it starts.

    See [**the** end](https://docs.example/sub/docs/guide/end.md#last "The \"end\""), [again](https://docs.example/sub/docs/guide/end.md), [here](#here), [all](https://docs.example/sub/docs/a-z),
    [status](https://docs.example/sub/docs/status?x=1#now) and ![a flow](https://docs.example/sub/assets/flow.ebb0349d8fef0111.svg).

    ## Here

    ```js
    link("[x](./end.md)")
    ```

    <https://example.com>

    [end]: end.md
    "#);
    assert_eq!(
        folder.markdown("docs/guide/end"),
        "# The end\n\n## Last\n\nText.\n"
    );
}

#[test]
fn every_page_has_a_picture_and_a_place_in_the_map() {
    let folder = build(CONFIG, &[]);
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    let cards: Vec<&str> = manifest["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| page["card"].as_str().unwrap())
        .collect();
    assert_eq!(cards.len(), 3);
    for card in &cards {
        let bytes = std::fs::read(folder.path("out").join(card)).unwrap();
        assert_eq!(&bytes[1..4], b"PNG");
    }
    assert_ne!(cards[0], cards[1]);
    let map = folder.read("out/root/sitemap.xml");
    for path in [
        "docs",
        "docs/status",
        "docs/guide/start",
        "docs/guide/end",
        "docs/a-z",
    ] {
        let address = format!("<loc>https://docs.example/sub/{path}</loc>");
        assert!(map.contains(&address), "{map} has no {address}");
    }
}

#[test]
fn a_site_without_an_address_has_neither_pictures_nor_a_map() {
    let folder = build(&CONFIG.replace("url = \"https://docs.example\"\n", ""), &[]);
    folder.run(&BUILD).assert_ok();
    assert!(folder.json("out/manifest.json")["pages"][0]["card"].is_null());
    assert!(!folder.path("out/cards").exists());
    assert!(!folder.path("out/root/sitemap.xml").exists());
    assert!(
        folder
            .markdown("docs/guide/start")
            .contains("](/sub/docs/guide/end.md#last")
    );
}

#[test]
fn the_page_from_a_to_z_lists_every_page_and_the_footer_leads_there() {
    let folder = build(CONFIG, &[]);
    folder.run(&BUILD).assert_ok();
    let page = folder.json("out/pages/docs/a-z.json");
    let html = page["html"].as_str().unwrap();
    for link in ["/sub/docs/guide/start\">Start<", "/sub/docs/guide/end\">The end<"] {
        assert!(html.contains(link), "{html} has no {link}");
    }
    let footer = &folder.json("out/manifest.json")["footer"]["links"][0];
    assert_eq!(footer["to"], "/docs/a-z");

    // A page of the content at that address is the author's.
    let folder = build(CONFIG, &[("content/a-z.md", "# Ours\n\nText.\n")]);
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.json("out/pages/docs/a-z.json")["title"], "Ours");
    assert!(folder.json("out/manifest.json")["locales"][0]["index_page"].is_null());
}

#[test]
fn components_are_copied_with_what_they_import() {
    let folder = build(CONFIG, &[]);
    folder.run(&BUILD).assert_ok();
    let components = &folder.json("out/manifest.json")["components"];
    assert_eq!(components.as_array().unwrap().len(), 1);
    assert_eq!(components[0]["path"], "/docs/status");
    assert_eq!(components[0]["file"], "status.tsx");
    assert!(folder.path("out/components/_parts/part.tsx").is_file());
}

#[test]
fn a_component_cannot_take_the_place_of_a_page() {
    let folder = build(CONFIG, &[("pages/guide/end.tsx", "")]);
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stderr.contains(
            "pages/guide/end.tsx:1:1: another page is shown at /docs/guide/end already; rename this file"
        ),
        "{run:?}"
    );
    let folder = build(&CONFIG.replace("\"pages\"", "\"nowhere\""), &[]);
    let run = folder.run(&BUILD);
    assert_eq!(run.code, 1, "{run:?}");
    assert!(
        run.stderr
            .contains("siftwren.toml:7:14: `components` names no folder"),
        "{run:?}"
    );
}

#[test]
fn the_configuration_may_lie_elsewhere_than_what_it_names() {
    let folder = build(CONFIG, &[("other/siftwren.toml", CONFIG)]);
    let mut arguments = BUILD;
    arguments[4] = "other/siftwren.toml";
    assert_eq!(folder.run(&arguments).code, 1);
    let with_root = [&arguments[..], &["--root", "."]].concat();
    folder.run(&with_root).assert_ok();
}

const OWN: &str = "[site]\nlogo = \"logo.svg\"\nfavicon = \"tab.png\"\n[content]\nstatic = \"static\"\n";
const PAGE: &str = "# Page\n\n[Paper](/files/a%20b.pdf), ![flow](/img/flow.svg)\n";

#[test]
fn files_of_the_static_folder_keep_their_names_and_pages_lead_to_them() {
    let folder = Folder::new(&[
        (
            "siftwren.toml",
            &OWN.replace("[content]", "base = \"/docs/\"\n[content]"),
        ),
        ("content/page.md", PAGE),
        ("logo.svg", "<svg viewBox='0 0 2 1'><path d='M0 0h2v1z'/></svg>"),
        ("tab.png", "a picture"),
        ("static/files/a b.pdf", "a paper"),
        ("static/img/flow.svg", "<svg viewBox=\"0 0 30 20\"></svg>"),
        ("static/robots.txt", "User-agent: *\nDisallow: /\n"),
        (
            "static/.well-known/security.txt",
            "Contact: mailto:a@example.com\n",
        ),
    ]);
    folder.run(&BUILD).assert_ok();
    let manifest = folder.json("out/manifest.json");
    assert_eq!(manifest["logo"]["paths"][0]["d"], "M0 0h2v1z");
    let favicon = manifest["favicon"]["src"].as_str().unwrap();
    assert_eq!(folder.read(&format!("out/{favicon}")), "a picture");

    let listed: Vec<&str> = manifest["root_files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    for file in [
        "files/a b.pdf",
        "img/flow.svg",
        "robots.txt",
        ".well-known/security.txt",
    ] {
        let at: Vec<&&str> = listed.iter().filter(|listed| **listed == file).collect();
        assert_eq!(at.len(), 1, "{file} in {listed:?}");
        assert_eq!(
            folder.read(&format!("out/root/{file}")),
            folder.read(&format!("static/{file}"))
        );
    }
    assert_eq!(folder.inputs(), ["logo.svg", "static", "tab.png"]);
    let html = folder.json("out/pages/page.json")["html"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(html.contains("href=\"/docs/files/a%20b.pdf\""), "{html}");
    assert!(
        html.contains("src=\"/docs/img/flow.svg\" alt=\"flow\" width=\"30\" height=\"20\""),
        "{html}"
    );
}

#[test]
fn what_a_team_brings_is_refused_with_its_place() {
    let page = ("content/page.md", "# Page\n");
    for (files, problem) in [
        (
            &[("static/sw.js", "")][..],
            "static/sw.js:1:1: the site has a file of its own at /sw.js; rename this one",
        ),
        (
            &[],
            "siftwren.toml:5:10: `static` names no folder: there is no static",
        ),
        (
            &[("static/x", ""), ("tab.png", "")],
            "siftwren.toml:2:8: cannot read `logo.svg`",
        ),
        (
            &[("static/x", ""), ("tab.png", ""), ("logo.svg", "<svg>")],
            "siftwren.toml:2:8: `logo.svg` is no SVG",
        ),
    ] {
        let folder = Folder::new(&[&[("siftwren.toml", OWN), page], files].concat());
        let run = folder.run(&BUILD);
        assert_eq!(run.code, 1, "{run:?}");
        assert!(run.stderr.contains(problem), "{problem}: {run:?}");
    }
}

#[test]
fn the_openapi_documents_lie_beside_their_pages() {
    const API: &str = "openapi: 3.1.0\ninfo: {title: Pets}\nservers: [{url: 'https://api.example'}]\n";
    const JSON: &str = "{\"openapi\": \"3.1.0\", \"info\": {\"title\": \"Cats\"}, \"servers\": [{\"url\": \"https://b.example\"}]}";
    let config = format!(
        "{CONFIG}static = \"static\"\n[[api]]\nroute = \"/docs/api\"\ndocument = \"api/pets.yml\"\n[[api]]\nroute = \"/docs/api/cats\"\ndocument = \"cats.json\"\n"
    );
    let link = "# Made\n\nFrom [the document](/docs/api/openapi.yaml), not [this](/docs/api/openapi.json).\n";
    let files = [
        ("api/pets.yml", API),
        ("cats.json", JSON),
        ("content/guide/made.md", link),
        ("static/empty.txt", ""),
    ];
    let folder = build(&config, &files);
    let run = folder.run(&BUILD);
    assert!(
        run.stderr
            .contains("content/guide/made.md:3:50: there is no page `/docs/api/openapi.json`"),
        "{run:?}"
    );
    folder.write(
        "content/guide/made.md",
        link.split(", not").next().unwrap().as_bytes(),
    );
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.read("out/root/docs/api/openapi.yaml"), API);
    assert_eq!(folder.read("out/root/docs/api/cats/openapi.json"), JSON);
    let list = folder.read("out/root/llms.txt");
    let documents = list.split_once("## OpenAPI documents\n\n").unwrap().1;
    assert_eq!(
        documents,
        "- [Pets](https://docs.example/sub/docs/api/openapi.yaml)\n- [Cats](https://docs.example/sub/docs/api/cats/openapi.json)\n"
    );
    let html = folder.json("out/pages/docs/api.json")["html"].to_string();
    assert!(
        html.contains("href=\\\"/sub/docs/api/openapi.yaml\\\" download"),
        "{html}"
    );
    let markdown = folder.markdown("docs/api");
    assert!(
        markdown.contains("(https://docs.example/sub/docs/api/openapi.yaml)"),
        "{markdown}"
    );
    // A team may have another one there.
    folder.write("static/docs/api/openapi.yaml", b"own");
    folder.run(&BUILD).assert_ok();
    assert_eq!(folder.read("out/root/docs/api/openapi.yaml"), "own");
}
