//! What a cell of code gave, in the one of its forms that a page can show.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::terminal;

/// The pictures that browsers show, the one that is sharp at every size first, with the endings of their files.
const PICTURES: [(&str, &str); 5] = [
    ("image/svg+xml", "svg"),
    ("image/png", "png"),
    ("image/jpeg", "jpg"),
    ("image/webp", "webp"),
    ("image/gif", "gif"),
];

/// What a table of data has, whoever made it.
const DATA: &str = "class=\"dataframe";

/// A form of an output that a page can show.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// Text as it is.
    Text(String),
    /// Markdown, HTML in it.
    Markdown(String),
    Picture(Picture),
}

/// A picture, of an output or of a cell of text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Picture {
    pub(super) bytes: Vec<u8>,
    /// The ending of its file.
    pub(super) ending: &'static str,
    /// What it says, for who does not see it.
    pub(super) text: Option<String>,
    /// In pixels, where it has another size than its file says.
    pub(super) width: Option<u64>,
}

/// The form of an output, with a note on one that only a program could show. `data` and `metadata` are those of nbformat's
/// `mimebundle`, by type.
pub(super) fn choose(data: &Map<String, Value>, metadata: &Value) -> (Option<Shown>, Option<&'static str>) {
    let of = |kind: &str| {
        data.get(kind)
            .and_then(text)
            .filter(|text| !text.trim().is_empty())
    };
    let html = of("text/html");
    let plain = of("text/plain").map(|plain| terminal::shown(&plain));
    let is_program = html.as_deref().is_some_and(is_program);
    let html = html.filter(|_| !is_program).map(|html| block(&html));
    let picture = || {
        PICTURES.iter().find_map(|(kind, ending)| {
            picture(kind, ending, data.get(*kind)?, metadata).map(|picture| Picture {
                text: plain.clone().filter(|plain| !is_name(plain)),
                ..picture
            })
        })
    };
    let shown = if let Some(table) = html.as_ref().filter(|html| has_structure(html)) {
        Some(Shown::Markdown(table.clone()))
    } else if let Some(picture) = picture() {
        Some(Shown::Picture(picture))
    } else if let Some(markdown) = of("text/markdown") {
        Some(Shown::Markdown(markdown))
    } else if let Some(formula) = of("text/latex") {
        Some(Shown::Markdown(formula_block(&formula)))
    } else {
        // Where the name of an object is all that the text says, its HTML says more.
        let named = plain.as_ref().is_none_or(|plain| is_name(plain));
        match html.filter(|_| named) {
            Some(html) => Some(Shown::Markdown(html)),
            None => plain.map(Shown::Text),
        }
    };
    // A table or a picture says what the program would show.
    let is_less = matches!(shown, None | Some(Shown::Text(_)));
    let is_left_out = is_less && (is_program || data.keys().any(|kind| is_application(kind)));
    let note = is_left_out.then_some("what a program would show here is not: programs are not run");
    (shown, note)
}

/// Whether HTML is nothing without its scripts. A table of data is, with those of Colab around it.
fn is_program(html: &str) -> bool {
    let has_script = contains(html, "<script") || contains(html, "<input");
    has_script && !contains(html, DATA)
}

/// Whether HTML says more than a text does.
fn has_structure(html: &str) -> bool {
    let is_elsewhere = contains(html, " src=\"http");
    let frames = ["<iframe", "<video", "<audio"];
    let elements = ["<table", "<img", "<h1", "<h2", "<h3", "<p>", "<ul", "<ol"];
    elements.iter().any(|tag| contains(html, tag))
        || is_elsewhere && frames.iter().any(|tag| contains(html, tag))
}

/// A picture in nbformat: base64, in several lines where it is long, or the text of an SVG.
pub(super) fn picture(kind: &str, ending: &'static str, value: &Value, metadata: &Value) -> Option<Picture> {
    let text = text(value)?;
    let bytes = match ending {
        "svg" => text.into_bytes(),
        _ => STANDARD
            .decode(text.split_whitespace().collect::<String>())
            .ok()?,
    };
    let width = metadata.get(kind).and_then(|about| about.get("width"));
    Some(Picture {
        bytes,
        ending,
        text: None,
        width: width.and_then(Value::as_u64),
    })
}

/// The picture of an attachment, by its types.
pub(super) fn attached(data: &Map<String, Value>) -> Option<Picture> {
    PICTURES
        .iter()
        .find_map(|(kind, ending)| picture(kind, ending, data.get(*kind)?, &Value::Null))
}

/// A `multiline_string` of nbformat: a text, or its lines.
pub(super) fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Array(lines) => lines.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// Whether only an application shows this type: interactive widgets and diagrams that scripts draw.
fn is_application(kind: &str) -> bool {
    kind.starts_with("application/vnd.") || kind == "application/javascript"
}

/// Whether a text is no more than the name of an object, such as `<Figure size 640x480 with 1 Axes>`.
fn is_name(plain: &str) -> bool {
    let plain = plain.trim();
    plain.starts_with('<') && plain.ends_with('>') && !plain.contains('\n')
}

fn contains(html: &str, tag: &str) -> bool {
    let tag = tag.as_bytes();
    html.as_bytes()
        .windows(tag.len())
        .any(|part| part.eq_ignore_ascii_case(tag))
}

/// HTML as one block of Markdown, which an empty line would end; without what only a browser that runs it shows.
pub(super) fn block(html: &str) -> String {
    let mut kept = html.to_owned();
    kept = without(&kept, "style");
    if contains(html, DATA) {
        // What Colab puts around it. Of others it is told that such elements are left out.
        for name in ["script", "button", "svg"] {
            kept = without(&kept, name);
        }
    }
    let mut block = String::from("<div>\n");
    for line in kept.lines().filter(|line| !line.trim().is_empty()) {
        block.push_str(line.trim_end());
        block.push('\n');
    }
    block.push_str("</div>");
    block
}

/// HTML without the elements of a name.
fn without(html: &str, name: &str) -> String {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut kept = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(start) = rest.find(&open) {
        kept.push_str(&rest[..start]);
        let end = rest[start..].find(&close);
        rest = end.map_or("", |end| &rest[start + end + close.len()..]);
    }
    kept.push_str(rest);
    kept
}

/// LaTeX as a formula in a block of its own.
fn formula_block(latex: &str) -> String {
    let formula = latex.trim().trim_matches('$').trim();
    let formula = formula.strip_prefix("\\displaystyle").unwrap_or(formula);
    let lines: Vec<&str> = formula.lines().filter(|line| !line.trim().is_empty()).collect();
    format!("$$\n{}\n$$", lines.join("\n").trim())
}
