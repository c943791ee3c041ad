//! What a team's own site looks like in a tab and beside its name: the pictures that the configuration names.

use std::path::{Path, PathBuf};

use roxmltree::{Document, Node};
use serde::Serialize;

use crate::config::Site;
use crate::diagnostic::Diagnostic;
use crate::fields::Text;
use crate::source::{Asset, Files, Source};

/// The pictures of a site.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Brand {
    /// Beside the name of the site.
    pub(crate) logo: Option<Logo>,
    /// Whether it says the name, which is not shown beside it then.
    pub(crate) logo_has_title: bool,
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
const ICONS: [(&str, &str); 3] = [
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
];
/// A drawing is part of every page, which has 14 kB for its first answer; a longer one is loaded as a file.
const LONGEST_DRAWING: usize = 2_000;

/// The pictures that a configuration names.
#[derive(Debug, Default)]
pub struct Pictures {
    /// Beside the name of the site.
    pub logo: Option<Picture>,
    /// The one in the dark theme, where it is another.
    pub logo_dark: Option<Picture>,
    /// Whether the logo says the name of the site.
    pub logo_has_title: Option<bool>,
    /// In the tab of the browser.
    pub favicon: Option<Picture>,
}

/// A picture, and the place that names it.
#[derive(Clone, Debug)]
pub struct Picture {
    /// Where it is.
    pub file: PathBuf,
    /// As it is named.
    pub name: String,
    /// The configuration.
    pub source: Source,
    /// Where in it.
    pub at: usize,
}

/// What is wrong with the picture of a place.
type Problem<'p> = (&'p Picture, Wrong);

enum Wrong {
    Unreadable(std::io::Error),
    /// Cannot be shown, for this reason.
    Unfit(String),
}

impl Pictures {
    /// Those of our own configuration, whose paths start at `root`.
    pub fn of(site: &Site, root: &Path, source: &Source) -> Self {
        let picture = |name: &Option<Text>| {
            let name = name.as_ref()?;
            Some(Picture {
                file: root.join(&name.text),
                name: name.text.clone(),
                source: source.clone(),
                at: name.at,
            })
        };
        Self {
            logo: picture(&site.logo),
            logo_dark: picture(&site.logo_dark),
            logo_has_title: site.logo_has_title.map(|(has_title, _)| has_title),
            favicon: picture(&site.favicon),
        }
    }
}

impl Brand {
    /// Whether there is a picture beside the name of the site.
    pub fn has_logo(&self) -> bool {
        self.logo.is_some()
    }

    /// Reads the pictures that our own configuration names, and in the place of those that it does not name the ones that were found in
    /// the configuration of another generator. Of these, what cannot be shown is left out.
    pub fn read(own: &Pictures, found: &Pictures) -> (Self, Vec<Diagnostic>) {
        let files = Files::new(Path::new(""), []);
        let of = |is_own| -> (&Pictures, fn(Problem<'_>) -> Diagnostic) {
            if is_own { (own, refused) } else { (found, left_out) }
        };
        let (with_logo, problem) = of(own.logo.is_some() || own.logo_dark.is_some());
        let logo = read_logo(&files, with_logo).map_err(problem);
        let (pictures, problem) = of(own.favicon.is_some());
        let favicon = read_favicon(&files, pictures).map_err(problem);
        let named = [own, found].map(|pictures| [&pictures.logo, &pictures.logo_dark, &pictures.favicon]);
        let mut problems = Vec::new();
        let brand = Self {
            logo: or_tell(logo, &mut problems),
            logo_has_title: own.logo_has_title.or(with_logo.logo_has_title) == Some(true),
            favicon: or_tell(favicon, &mut problems),
            assets: files.used(),
            sources: named
                .into_iter()
                .flatten()
                .flatten()
                .map(|picture| picture.file.clone())
                .collect(),
        };
        (brand, problems)
    }
}

fn or_tell<T>(read: Result<Option<T>, Diagnostic>, problems: &mut Vec<Diagnostic>) -> Option<T> {
    read.unwrap_or_else(|problem| {
        problems.push(problem);
        None
    })
}

fn refused((picture, wrong): Problem<'_>) -> Diagnostic {
    let message = match wrong {
        Wrong::Unreadable(error) => {
            format!(
                "cannot read `{}`: {error}; paths start at the folder of this file",
                picture.name
            )
        }
        Wrong::Unfit(message) => message,
    };
    Diagnostic::error(&picture.source, picture.at, message)
}

fn left_out((picture, wrong): Problem<'_>) -> Diagnostic {
    let message = match wrong {
        Wrong::Unreadable(error) => format!("cannot read `{}`: {error}", picture.name),
        Wrong::Unfit(message) => message,
    };
    Diagnostic::warning(&picture.source, picture.at, format!("{message}; it is left out"))
}

fn read_logo<'p>(files: &Files, pictures: &'p Pictures) -> Result<Option<Logo>, Problem<'p>> {
    let Pictures { logo, logo_dark, .. } = pictures;
    let Some(light) = logo else {
        return match logo_dark {
            Some(dark) => {
                let message = "`logo_dark` takes the place of `logo` in the dark theme; name that as well";
                Err((dark, Wrong::Unfit(message.to_owned())))
            }
            None => Ok(None),
        };
    };
    let extension = picture_extension("logo", light)?;
    if let Some(dark) = logo_dark {
        picture_extension("logo_dark", dark)?;
        return Ok(Some(Logo::Image {
            image: read_image(files, light)?,
            dark: Some(read_image(files, dark)?),
        }));
    }
    if extension == "svg" {
        let text = std::fs::read_to_string(&light.file).map_err(|error| (light, Wrong::Unreadable(error)))?;
        let document = Document::parse(&text).map_err(|error| {
            (
                light,
                Wrong::Unfit(format!("`{}` is no SVG: {error}", light.name)),
            )
        })?;
        if let Some(drawn) = drawn(&document).filter(|_| text.len() <= LONGEST_DRAWING) {
            return Ok(Some(drawn));
        }
    }
    Ok(Some(Logo::Image {
        image: read_image(files, light)?,
        dark: None,
    }))
}

fn picture_extension<'p>(key: &str, picture: &'p Picture) -> Result<String, Problem<'p>> {
    let extension = extension(&picture.name);
    if IMAGES.contains(&extension.as_str()) {
        Ok(extension)
    } else {
        let message = format!("`{key}` takes a picture: {}", IMAGES.join(", "));
        Err((picture, Wrong::Unfit(message)))
    }
}

fn load<'p>(files: &Files, picture: &'p Picture) -> Result<Asset, Problem<'p>> {
    let loaded = files.load(&picture.file.to_string_lossy());
    loaded.map_err(|error| (picture, Wrong::Unreadable(error)))
}

fn read_image<'p>(files: &Files, picture: &'p Picture) -> Result<Image, Problem<'p>> {
    let asset = load(files, picture)?;
    let Some((width, height)) = asset.size else {
        let message = format!(
            "`{}` does not say how large it is; save it anew, an SVG with a `viewBox`",
            picture.name
        );
        return Err((picture, Wrong::Unfit(message)));
    };
    Ok(Image {
        src: asset.output,
        width,
        height,
    })
}

fn read_favicon<'p>(files: &Files, pictures: &'p Pictures) -> Result<Option<Favicon>, Problem<'p>> {
    let Some(picture) = &pictures.favicon else {
        return Ok(None);
    };
    let extension = extension(&picture.name);
    let Some((_, media_type)) = ICONS.iter().find(|(known, _)| *known == extension) else {
        let message = "`favicon` takes an SVG, a PNG or an ICO";
        return Err((picture, Wrong::Unfit(message.to_owned())));
    };
    Ok(Some(Favicon {
        src: load(files, picture)?.output,
        media_type,
    }))
}

fn extension(name: &str) -> String {
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending);
    ending.to_ascii_lowercase()
}

/// The paths of an SVG, if it has nothing else that is seen and at most one colour: none, that of the text, or white, which is made for
/// bars that have a colour of their own and would not be seen on ours.
fn drawn(document: &Document<'_>) -> Option<Logo> {
    let svg = document.root_element();
    let view_box = svg.attribute("viewBox").filter(|text| is_plain(text))?;
    if svg.tag_name().name() != "svg" {
        return None;
    }
    let mut drawing = Drawing::default();
    drawing.read(
        svg,
        &["viewBox", "width", "height", "role", "version"],
        Style::default(),
    )?;
    (!drawing.paths.is_empty()).then(|| Logo::Drawn {
        view_box: view_box.to_owned(),
        paths: drawing.paths,
    })
}

/// What elements hand on to those in them.
#[derive(Clone, Copy, Default)]
struct Style<'d> {
    fill: Option<&'d str>,
    is_evenodd: bool,
}

#[derive(Default)]
struct Drawing {
    paths: Vec<Shape>,
    /// Whether they are white.
    is_white: Option<bool>,
}

impl Drawing {
    /// Reads an element and what is in it; `None` where there is more to see than paths of one colour.
    fn read<'d>(&mut self, element: Node<'d, '_>, own: &[&str], outer: Style<'d>) -> Option<()> {
        let style = style(element, own, outer)?;
        for child in element.children().filter(Node::is_element) {
            // What other programs have written there is not shown.
            let is_svg = child.tag_name().namespace() == svg_namespace(element);
            match child.tag_name().name() {
                _ if !is_svg => {}
                "title" | "desc" | "metadata" => {}
                "defs" if !child.has_children() => {}
                "g" => self.read(child, &[], style)?,
                "path" => self.path(child, style)?,
                _ => return None,
            }
        }
        Some(())
    }

    fn path<'d>(&mut self, path: Node<'d, '_>, outer: Style<'d>) -> Option<()> {
        let style = style(path, &["d", "transform"], outer)?;
        let is_white = match style.fill {
            Some("none") => return Some(()),
            None | Some("currentColor") => false,
            Some(colour) => is_white(colour).then_some(true)?,
        };
        if *self.is_white.get_or_insert(is_white) != is_white {
            return None;
        }
        let transform = path.attribute("transform");
        if !transform.is_none_or(is_plain) {
            return None;
        }
        self.paths.push(Shape {
            d: path.attribute("d").filter(|text| is_plain(text))?.to_owned(),
            transform: transform.map(str::to_owned),
            fill_rule: (!style.is_evenodd).then_some("nonzero"),
        });
        Some(())
    }
}

/// The namespace of the drawing; some have none.
fn svg_namespace<'d>(element: Node<'d, '_>) -> Option<&'d str> {
    element.document().root_element().tag_name().namespace()
}

/// How an element is painted, in attributes or as CSS; `None` where it says more than is read here. `own` are attributes of its kind.
fn style<'d>(element: Node<'d, '_>, own: &[&str], outer: Style<'d>) -> Option<Style<'d>> {
    let mut style = outer;
    let attributes = element
        .attributes()
        .filter(|attribute| attribute.namespace().is_none())
        .filter(|attribute| attribute.name() != "style" && !own.contains(&attribute.name()))
        .map(|attribute| (attribute.name(), attribute.value().trim()));
    let declarations = element.attribute("style").unwrap_or_default().split(';');
    let declarations = declarations.filter(|text| !text.trim().is_empty()).map(|text| {
        let (name, value) = text.split_once(':').unwrap_or((text, ""));
        (name.trim(), value.trim())
    });
    for (name, value) in attributes.chain(declarations) {
        match (name, value) {
            ("fill", value) => style.fill = Some(value),
            ("fill-rule", "evenodd") => style.is_evenodd = true,
            ("fill-rule", "nonzero") => style.is_evenodd = false,
            ("stroke", "none") | ("id" | "stroke-width" | "stop-color", _) => {}
            ("fill-opacity", value) if value.parse::<f32>().is_ok_and(|opacity| opacity > 0.9) => {}
            _ => return None,
        }
    }
    Some(style)
}

fn is_white(colour: &str) -> bool {
    ["#fff", "#ffffff", "white"]
        .iter()
        .any(|white| colour.eq_ignore_ascii_case(white))
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
        let (config, problems) = crate::config::Config::parse(&source);
        assert_eq!(problems, []);
        let own = Pictures::of(&config.site, folder.path(), &source);
        let (brand, problems) = Brand::read(&own, &Pictures::default());
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
    fn what_is_white_alone_is_drawn_in_the_colour_of_the_theme() {
        let white = r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i" viewBox="0 0 8 8" fill="#FFF" version="1.1" i:version="2"><metadata><a/></metadata><defs/><i:view x="1"/><g id="a" fill-rule="evenodd"><path id="b" style="stroke:none; fill-opacity:0.98" d="M0 0h8v8z"/></g><path fill="none" d="M0 0h9"/><path style="fill:white" d="M1 1"/></svg>"##;
        let (brand, problems) = read(&[("a.svg", white.as_bytes())], "logo = \"a.svg\"");
        assert_eq!(problems, [""; 0]);
        assert_eq!(
            serde_json::to_string(&brand.logo).unwrap(),
            r#"{"view_box":"0 0 8 8","paths":[{"d":"M0 0h8v8z","transform":null,"fill_rule":null},{"d":"M1 1","transform":null,"fill_rule":"nonzero"}]}"#
        );
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
            PLAIN.replace("<path", "<path fill=\"#fff\" d=\"M0 0\"/><path"),
            PLAIN.replace("<path", "<path stroke=\"#000\""),
            PLAIN.replace("<path", "<path style=\"fill:#fff;fill-opacity:0.2\""),
            PLAIN.replace("<path", "<path style=\"fill:#fff;mask:url(#a)\""),
            PLAIN.replace("<title>A</title>", "<defs><mask/></defs>"),
            PLAIN.replace("<title>A</title>", "<g opacity=\"0.5\"/>"),
            PLAIN.replace("<path", "<path fill=\"none\""),
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
        for (name, media_type) in [("i.PNG", "image/png"), ("i.ico", "image/x-icon")] {
            let (brand, problems) = read(&[(name, b"\x89PNG")], &format!("favicon = {name:?}"));
            assert_eq!(problems, [""; 0]);
            let favicon = brand.favicon.unwrap();
            assert_eq!(
                (favicon.media_type, favicon.src),
                (media_type, brand.assets[0].output.clone())
            );
        }
    }

    #[test]
    fn what_is_no_picture_is_named() {
        for (site, message) in [
            (
                "logo = \"a.gif\"",
                "c.toml:2:8: `logo` takes a picture: svg, png, jpg, jpeg, webp",
            ),
            (
                "favicon = \"a.gif\"",
                "c.toml:2:11: `favicon` takes an SVG, a PNG or an ICO",
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
