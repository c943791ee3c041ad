//! What a team's own site looks like in a tab and beside its name: the pictures that the configuration names.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};
use serde::Serialize;

use crate::config::{Config, Site};
use crate::diagnostic::Diagnostic;
use crate::fields::Text;
use crate::source::{Asset, Files, Source};

/// The pictures of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brand {
    /// Beside the name of the site.
    pub(crate) logo: Option<Logo>,
    /// In the tab of the browser.
    pub(crate) favicon: Option<Favicon>,
    /// Those of them that are loaded as files.
    pub(crate) assets: Vec<Asset>,
    /// Where all of them come from.
    pub(crate) sources: Vec<PathBuf>,
}

/// The picture beside the name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum Logo {
    /// Drawn by the pages themselves, in the colour of their theme.
    Drawn { view_box: String, paths: Vec<Shape> },
    /// A file, and another one where the dark theme has its own.
    Image {
        #[serde(flatten)]
        image: Image,
        dark: Option<Image>,
    },
}

/// A picture that is loaded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Image {
    /// Below the base.
    src: String,
    width: usize,
    height: usize,
}

/// A path of an SVG without a colour of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Shape {
    d: String,
    transform: Option<String>,
    /// Pages fill by `evenodd` unless this says otherwise.
    fill_rule: Option<&'static str>,
}

/// The picture of a tab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Favicon {
    /// Below the base.
    src: String,
    /// What it is, as HTML says it.
    media_type: &'static str,
}

/// The pictures that pages can show.
const IMAGES: [&str; 5] = ["svg", "png", "jpg", "jpeg", "webp"];
/// Those that tabs show everywhere. Their media type is the second one.
const ICONS: [(&str, &str); 2] = [("svg", "image/svg+xml"), ("png", "image/png")];
/// A drawing is part of every page, which has 14 kB for its first answer; a longer one is loaded as a file.
const LONGEST_DRAWING: usize = 2_000;

impl Brand {
    /// Reads the pictures that the configuration names, below `root`.
    pub fn read(config: &Config, root: &Path, config_source: &Source) -> (Self, Vec<Diagnostic>) {
        let Site {
            logo,
            logo_dark,
            favicon,
            ..
        } = &config.site;
        let files = Files::new(root, []);
        let mut brand = Self::default();
        let mut problems = Vec::new();
        if let Some(name) = logo {
            match read_logo(&files, root, name, logo_dark.as_ref()) {
                Ok(logo) => brand.logo = Some(logo),
                Err((at, message)) => problems.push(Diagnostic::error(config_source, at, message)),
            }
        } else if let Some(dark) = logo_dark {
            let message = "`logo_dark` takes the place of `logo` in the dark theme; name that as well";
            problems.push(Diagnostic::error(config_source, dark.at, message));
        }
        if let Some(name) = favicon {
            match read_favicon(&files, name) {
                Ok(favicon) => brand.favicon = Some(favicon),
                Err(message) => problems.push(Diagnostic::error(config_source, name.at, message)),
            }
        }
        brand.assets = files.used();
        brand.sources = [logo, logo_dark, favicon]
            .into_iter()
            .flatten()
            .map(|name| root.join(&name.text))
            .collect();
        (brand, problems)
    }
}

/// A mistake has the place of the name that it is about.
fn read_logo(files: &Files, root: &Path, name: &Text, dark: Option<&Text>) -> Result<Logo, (usize, String)> {
    let at_name = |message| (name.at, message);
    let extension = picture_extension("logo", name).map_err(at_name)?;
    if let Some(dark) = dark {
        let at_dark = |message| (dark.at, message);
        picture_extension("logo_dark", dark).map_err(at_dark)?;
        return Ok(Logo::Image {
            image: read_image(files, name).map_err(at_name)?,
            dark: Some(read_image(files, dark).map_err(at_dark)?),
        });
    }
    if extension == "svg" {
        let text = std::fs::read_to_string(root.join(&name.text))
            .map_err(|error| at_name(cannot_read(name, &error)))?;
        let document =
            Document::parse(&text).map_err(|error| at_name(format!("`{}` is no SVG: {error}", name.text)))?;
        if let Some(drawn) = drawn(&document).filter(|_| text.len() <= LONGEST_DRAWING) {
            return Ok(drawn);
        }
    }
    Ok(Logo::Image {
        image: read_image(files, name).map_err(at_name)?,
        dark: None,
    })
}

fn picture_extension(key: &str, name: &Text) -> Result<String, String> {
    let extension = extension(&name.text);
    if IMAGES.contains(&extension.as_str()) {
        Ok(extension)
    } else {
        Err(format!("`{key}` takes a picture: {}", IMAGES.join(", ")))
    }
}

fn read_image(files: &Files, name: &Text) -> Result<Image, String> {
    let asset = files
        .load(&name.text)
        .map_err(|error| cannot_read(name, &error))?;
    let Some((width, height)) = asset.size else {
        return Err(format!(
            "`{}` does not say how large it is; save it anew, an SVG with a `viewBox`",
            name.text
        ));
    };
    Ok(Image {
        src: asset.output,
        width,
        height,
    })
}

fn read_favicon(files: &Files, name: &Text) -> Result<Favicon, String> {
    let extension = extension(&name.text);
    let Some((_, media_type)) = ICONS.iter().find(|(known, _)| *known == extension) else {
        return Err("`favicon` takes an SVG or a PNG".to_owned());
    };
    let asset = files
        .load(&name.text)
        .map_err(|error| cannot_read(name, &error))?;
    Ok(Favicon {
        src: asset.output,
        media_type,
    })
}

fn cannot_read(name: &Text, error: &std::io::Error) -> String {
    format!(
        "cannot read `{}`: {error}; paths start at the folder of this file",
        name.text
    )
}

fn extension(name: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.to_ascii_lowercase()
}

/// The paths of an SVG, if it has nothing else that is seen and no colours of its own.
fn drawn(document: &Document<'_>) -> Option<Logo> {
    let svg = document.root_element();
    let view_box = svg.attribute("viewBox").filter(|text| is_plain(text))?;
    if svg.tag_name().name() != "svg"
        || !has_only(svg, &["viewBox", "width", "height", "fill", "fill-rule", "role"])
    {
        return None;
    }
    let mut paths = Vec::new();
    for child in svg.children().filter(Node::is_element) {
        match child.tag_name().name() {
            "title" | "desc" => {}
            "path" if has_only(child, &["d", "transform", "fill", "fill-rule"]) => {
                let transform = child.attribute("transform");
                if !transform.is_none_or(is_plain) {
                    return None;
                }
                paths.push(Shape {
                    d: child.attribute("d").filter(|text| is_plain(text))?.to_owned(),
                    transform: transform.map(str::to_owned),
                    fill_rule: (child.attribute("fill-rule").or(svg.attribute("fill-rule"))
                        != Some("evenodd"))
                    .then_some("nonzero"),
                });
            }
            _ => return None,
        }
    }
    (!paths.is_empty()).then(|| Logo::Drawn {
        view_box: view_box.to_owned(),
        paths,
    })
}

/// No other attributes than these, and no colour but that of the text.
fn has_only(node: Node<'_, '_>, names: &[&str]) -> bool {
    node.attributes().all(|attribute| {
        names.contains(&attribute.name())
            && match attribute.name() {
                "fill" => attribute.value() == "currentColor",
                "fill-rule" => ["evenodd", "nonzero"].contains(&attribute.value()),
                _ => true,
            }
    })
}

fn is_plain(text: &str) -> bool {
    text.chars().all(|c| {
        c.is_ascii_alphanumeric() || c.is_ascii_whitespace() || matches!(c, '.' | ',' | '-' | '+' | '(' | ')')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is read with these files and this `[site]`.
    fn read(files: &[(&str, &[u8])], site: &str) -> (Brand, Vec<String>) {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            std::fs::write(folder.path().join(name), content).unwrap();
        }
        let source = Source::new("c.toml", "c.toml", &format!("[site]\n{site}\n"));
        let (config, problems) = Config::parse(&source);
        assert_eq!(problems, []);
        let (brand, problems) = Brand::read(&config, folder.path(), &source);
        (brand, problems.iter().map(ToString::to_string).collect())
    }

    const PLAIN: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><title>A</title><path d="M0 0h8v8z" transform="rotate(4)"/></svg>"#;

    #[test]
    fn paths_without_colours_are_drawn_by_the_pages() {
        let (brand, problems) = read(&[("a.svg", PLAIN.as_bytes())], "logo = \"a.svg\"");
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            serde_json::to_string(&brand.logo).unwrap(),
            r#"{"view_box":"0 0 8 8","paths":[{"d":"M0 0h8v8z","transform":"rotate(4)","fill_rule":"nonzero"}]}"#
        );
        assert_eq!(brand.assets, []);
        for (at, rule) in [("<svg", None), ("<path", None), ("<title", Some("nonzero"))] {
            let svg = PLAIN.replace(at, &format!("{at} fill-rule=\"evenodd\""));
            let (brand, _) = read(&[("a.svg", svg.as_bytes())], "logo = \"a.svg\"");
            let Some(Logo::Drawn { paths, .. }) = brand.logo else {
                panic!("{svg}")
            };
            assert_eq!(paths[0].fill_rule, rule, "{at}");
        }
    }

    #[test]
    fn every_other_picture_is_a_file() {
        for svg in [
            PLAIN.replace("<path", "<path fill=\"#f00\""),
            PLAIN.replace("<path", "<path fill-rule=\"inherit\""),
            PLAIN.replace("<path", "<path onclick=\"x()\""),
            PLAIN.replace("<title>A</title>", "<script>x()</script>"),
            PLAIN.replace("<title>A</title>", "<style>path { fill: red }</style>"),
            PLAIN.replace("rotate(4)", "rotate(4)&quot;"),
            PLAIN.replace("<title>A</title>", "<circle r=\"2\"/>"),
            PLAIN.replace("M0", &"M0 0".repeat(LONGEST_DRAWING)),
        ] {
            let (brand, problems) = read(&[("a.svg", svg.as_bytes())], "logo = \"a.svg\"");
            assert_eq!(problems, [""; 0], "{svg}");
            let Some(Logo::Image {
                image:
                    Image {
                        src,
                        width: 8,
                        height: 8,
                    },
                dark: None,
            }) = &brand.logo
            else {
                panic!("{svg}: {:?}", brand.logo);
            };
            assert!(
                src.starts_with("assets/a.") && brand.assets[0].output == *src,
                "{src}"
            );
        }
    }

    #[test]
    fn the_dark_theme_has_a_picture_of_its_own() {
        let files: [(&str, &[u8]); 2] = [
            ("a.svg", PLAIN.as_bytes()),
            ("b.svg", br#"<svg viewBox="0 0 9 3"></svg>"#),
        ];
        let (brand, problems) = read(&files, "logo = \"a.svg\"\nlogo_dark = \"b.svg\"");
        assert_eq!(problems, [""; 0]);
        let [light, dark] = [&brand.assets[0].output, &brand.assets[1].output];
        assert_eq!(
            serde_json::to_string(&brand.logo).unwrap(),
            format!(
                r#"{{"src":"{light}","width":8,"height":8,"dark":{{"src":"{dark}","width":9,"height":3}}}}"#
            )
        );
        assert_eq!(brand.sources.len(), 2);
        for (site, message) in [
            (
                "logo_dark = \"b.svg\"",
                "c.toml:2:13: `logo_dark` takes the place of `logo` in the dark theme; name that as well",
            ),
            (
                "logo = \"a.svg\"\nlogo_dark = \"b.gif\"",
                "c.toml:3:13: `logo_dark` takes a picture: svg, png, jpg, jpeg, webp",
            ),
        ] {
            assert_eq!(read(&files, site).1, [message]);
        }
        let (_, problems) = read(&files, "logo = \"a.svg\"\nlogo_dark = \"c.svg\"");
        assert!(
            problems[0].starts_with("c.toml:3:13: cannot read `c.svg`: "),
            "{problems:?}"
        );
    }

    #[test]
    fn a_favicon_says_what_it_is() {
        let (brand, problems) = read(&[("i.PNG", b"\x89PNG")], "favicon = \"i.PNG\"");
        assert_eq!(problems, [""; 0]);
        let favicon = brand.favicon.unwrap();
        assert_eq!(
            (favicon.media_type, favicon.src),
            ("image/png", brand.assets[0].output.clone())
        );
    }

    #[test]
    fn what_is_no_picture_is_named() {
        for (site, message) in [
            (
                "logo = \"a.gif\"",
                "c.toml:2:8: `logo` takes a picture: svg, png, jpg, jpeg, webp",
            ),
            (
                "favicon = \"a.ico\"",
                "c.toml:2:11: `favicon` takes an SVG or a PNG",
            ),
            (
                "logo = \"x.svg\"",
                "c.toml:2:8: `x.svg` is no SVG: invalid name token at 1:2",
            ),
            (
                "logo = \"x.png\"",
                "c.toml:2:8: `x.png` does not say how large it is; save it anew, an SVG with a `viewBox`",
            ),
        ] {
            let files: [(&str, &[u8]); 2] = [("x.svg", b"</svg>"), ("x.png", b"no")];
            assert_eq!(read(&files, site).1, [message]);
        }
        let (_, problems) = read(&[], "favicon = \"none.svg\"");
        assert!(
            problems[0].starts_with("c.toml:2:11: cannot read `none.svg`: ")
                && problems[0].ends_with("; paths start at the folder of this file"),
            "{problems:?}"
        );
    }
}
