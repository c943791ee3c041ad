//! Diagrams of Mermaid, drawn while the site is built, as SVG that stands in the page.
//!
//! Of what the library draws only elements and attributes pass that are a picture, each with a value that leads nowhere, whatever a
//! diagram says: the policy of a site forbids styles in a page, and a page has several pictures with ids of their own.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::LazyLock;

use mermaid_svg::{ParseError, RenderError, Theme};
use roxmltree::{Document, Node, NodeType};

use super::escaped;

/// A longer source is no diagram that anybody reads. Mermaid draws none either (`maxTextSize`).
const MOST_BYTES: usize = 50_000;

/// The width of the text of a page, in pixels, on a screen that is wide enough for it.
const TEXT_WIDTH: f64 = 720.0;
/// Words of 14 pixels have 11 then.
const LEAST_SCALE: f64 = 0.8;

/// Arial is what the library measures words in.
const FONTS: &str = "Arial,Helvetica,sans-serif";

/// Elements that draw, and those that hold them.
const ELEMENTS: [&str; 16] = [
    "circle",
    "clipPath",
    "defs",
    "ellipse",
    "g",
    "line",
    "linearGradient",
    "marker",
    "path",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "text",
    "tspan",
];

/// Where something is, how large, and how it looks.
const ATTRIBUTES: [&str; 54] = [
    "alignment-baseline",
    "clip-path",
    "cx",
    "cy",
    "d",
    "dominant-baseline",
    "dx",
    "dy",
    "fill",
    "fill-opacity",
    "fill-rule",
    "font-size",
    "font-style",
    "font-weight",
    "gradientTransform",
    "gradientUnits",
    "height",
    "letter-spacing",
    "marker-end",
    "marker-mid",
    "marker-start",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "offset",
    "opacity",
    "orient",
    "points",
    "r",
    "refX",
    "refY",
    "rx",
    "ry",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-opacity",
    "stroke-width",
    "text-anchor",
    "text-decoration",
    "textLength",
    "transform",
    "viewBox",
    "visibility",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
];

/// Colours are those of the light theme. The style sheet of the site turns them around in the dark one, so that what an author
/// colours is readable in both.
static THEME: LazyLock<Theme> = LazyLock::new(|| {
    const TEXT: &str = "#2c2620";
    const LINE: &str = "#6d655c";
    const FILL: &str = "#faf3ea";
    const STROKE: &str = "#b08968";
    const PALETTE: [&str; 8] = [
        "#e2b58a", "#9db4cc", "#a9c4a4", "#d9a0a0", "#c7b2d6", "#e5d28f", "#9cc8c8", "#c9b8a6",
    ];
    let palette = || PALETTE.map(Into::into).to_vec().into();
    Theme {
        fg: TEXT.into(),
        fg_muted: LINE.into(),
        actor_fill: FILL.into(),
        actor_stroke: STROKE.into(),
        lifeline: "#c9c3bb".into(),
        arrow_stroke: LINE.into(),
        note_fill: "#fff7d6".into(),
        note_stroke: "#cbb76a".into(),
        activation_fill: "#eef1f4".into(),
        activation_stroke: "#8d99a6".into(),
        frame_label_fill: "#eef1f4".into(),
        flow_node_fill: FILL.into(),
        flow_node_stroke: STROKE.into(),
        flow_edge_stroke: LINE.into(),
        flow_label_bg: "#fdfcf9".into(),
        flow_cluster_fill: "#f6f5f3".into(),
        flow_cluster_stroke: "#c9c3bb".into(),
        cscale_palette: palette(),
        pie_palette: palette(),
        git_palette: palette(),
        pie_stroke: Some("#fdfcf9".into()),
        ..Theme::default()
    }
    .with_font(FONTS)
});

/// Draws a diagram, the `number`th of its page; `label` is its name where it has no title. The error says what is wrong with it, on one
/// line, and in which line of it where that is known.
pub(super) fn render(source: &str, number: usize, label: &str) -> Result<String, Problem> {
    if source.len() > MOST_BYTES {
        return Err(Problem::new(
            &format!("it has more than {MOST_BYTES} bytes"),
            None,
        ));
    }
    match mermaid_svg::render_with(source, &THEME) {
        Ok(svg) => plain(&svg, number, label).map_err(|error| Problem::new(&error, None)),
        Err(RenderError::Parse(ParseError::Syntax { message, line, .. })) => {
            Err(Problem::new(&message, line.checked_sub(1)))
        }
        Err(error) => Err(Problem::new(&error.to_string(), None)),
    }
}

/// Why a diagram cannot be drawn.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Problem {
    pub(super) reason: String,
    /// The line of the diagram, from 0.
    pub(super) line: Option<usize>,
}

impl Problem {
    fn new(reason: &str, line: Option<usize>) -> Problem {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        Problem { reason, line }
    }
}

/// The picture with what passes.
fn plain(svg: &str, number: usize, label: &str) -> Result<String, String> {
    let document = Document::parse(svg).map_err(|error| error.to_string())?;
    let mut picture = Picture {
        wanted: None,
        number,
        label,
        html: String::with_capacity(svg.len()),
    };
    picture.root(document.root_element());
    // Kinds of diagrams bring all their arrows.
    let all = std::mem::take(&mut picture.html);
    let ids = all.split("url(#").skip(1);
    picture.wanted = Some(ids.filter_map(|rest| rest.split(')').next()).collect());
    picture.root(document.root_element());
    Ok(picture.html)
}

struct Picture<'a> {
    /// The ids, as they stand in the page, to which something in the picture leads, once they are known.
    wanted: Option<BTreeSet<&'a str>>,
    number: usize,
    label: &'a str,
    html: String,
}

impl Picture<'_> {
    fn root(&mut self, root: Node<'_, '_>) {
        let title = root
            .children()
            .find(|node| node.is_element() && node.tag_name().name() == "title")
            .and_then(|node| node.text())
            .map(str::trim)
            .filter(|title| !title.is_empty());
        let kind = root.attribute("aria-roledescription").unwrap_or("diagram");
        let kind = kind.trim_end_matches("-v2");
        let view = root.attribute("viewBox").unwrap_or_default();
        let sizes: Vec<f64> = view
            .split_ascii_whitespace()
            .filter_map(|size| size.parse().ok())
            .collect();
        let (width, height) = match sizes[..] {
            [_, _, width, height] => (width, height),
            _ => (0.0, 0.0),
        };
        // One that is wider than a page becomes smaller as long as its words can be read.
        let scale = (TEXT_WIDTH / width).clamp(LEAST_SCALE, 1.0);
        let (width, height) = ((width * scale).ceil(), (height * scale).ceil());
        let size = root.attribute("font-size").unwrap_or("14");
        let _ = write!(
            self.html,
            "<svg role=\"graphics-document document\" aria-roledescription=\"{}\" aria-label=\"{}\" viewBox=\"{}\" width=\"{width}\" height=\"{height}\">",
            escaped(kind),
            escaped(title.unwrap_or(self.label)),
            escaped(&rounded(view)),
        );
        // Style sheets of the page say of a picture what they say of icons; of what is in it they say nothing.
        let _ = write!(
            self.html,
            "<g fill=\"#000\" stroke=\"none\" stroke-linecap=\"butt\" stroke-linejoin=\"miter\" stroke-width=\"1\" font-family=\"{FONTS}\" font-size=\"{}\">",
            escaped(size),
        );
        self.children(root);
        self.html.push_str("</g></svg>");
    }

    fn children(&mut self, node: Node<'_, '_>) {
        for child in node.children() {
            match child.node_type() {
                NodeType::Text => self.html.push_str(&escaped(child.text().unwrap_or_default())),
                NodeType::Element => self.element(child),
                _ => {}
            }
        }
    }

    fn element(&mut self, node: Node<'_, '_>) {
        let name = node.tag_name().name();
        if name == "a" {
            // Where it leads is not known to be right.
            self.children(node);
            return;
        }
        let id = node.attribute("id").map(|id| self.id(id));
        let id = id.filter(|id| self.wanted.as_ref().is_none_or(|wanted| wanted.contains(&**id)));
        let is_part = matches!(name, "marker" | "clipPath" | "linearGradient" | "radialGradient");
        if !ELEMENTS.contains(&name) || is_part && id.is_none() {
            return;
        }
        let start = self.html.len();
        let _ = write!(self.html, "<{name}");
        if let Some(id) = id {
            let _ = write!(self.html, " id=\"{}\"", escaped(&id));
        }
        for attribute in node.attributes() {
            let name = attribute.name();
            if ATTRIBUTES.contains(&name)
                && let Some(value) = self.safe(attribute.value())
            {
                let _ = write!(self.html, " {name}=\"{}\"", escaped(&value));
            }
        }
        self.html.push('>');
        let inner = self.html.len();
        self.children(node);
        if matches!(name, "g" | "defs") && self.html[inner..].trim().is_empty() {
            self.html.truncate(start);
        } else {
            let _ = write!(self.html, "</{name}>");
        }
    }

    /// An id of the page, which none of its headings has.
    fn id(&self, id: &str) -> String {
        format!(":d{}-{id}", self.number)
    }

    /// A value that leads to nothing but a part of its picture.
    fn safe(&self, value: &str) -> Option<String> {
        let value = value.trim();
        // By an escape of CSS a word is written otherwise.
        if !value.to_ascii_lowercase().contains("url") && !value.contains('\\') {
            return Some(rounded(value));
        }
        let id = value.strip_prefix("url(#")?.strip_suffix(')')?;
        let is_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        id.bytes().all(is_id).then(|| format!("url(#{})", self.id(id)))
    }
}

/// Numbers without the digits that nobody sees: two behind the point.
fn rounded(value: &str) -> String {
    let mut rounded = String::with_capacity(value.len());
    let mut rest = value;
    while let Some(point) = rest.find('.') {
        let (before, fraction) = rest.split_at(point);
        let digits = fraction[1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = 1 + digits;
        rounded.push_str(before);
        // What is a power of ten smaller says so behind its digits.
        let is_power = fraction[end..].starts_with(['e', 'E']);
        let kept = if is_power { end } else { end.min(3) };
        rounded.push_str(&fraction[..kept]);
        rest = &fraction[end..];
    }
    rounded + rest
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What an SVG of a page must never have.
    fn assert_plain(svg: &str) {
        let document = Document::parse(svg).expect("it is XML as well");
        for node in document.descendants().filter(|node| node.is_element()) {
            let name = node.tag_name().name();
            assert!(name == "svg" || ELEMENTS.contains(&name), "<{name}> in {svg}");
            for attribute in node.attributes() {
                let name = attribute.name();
                let is_own = matches!(
                    name,
                    "id" | "role" | "aria-roledescription" | "aria-label" | "font-family"
                );
                assert!(is_own || ATTRIBUTES.contains(&name), "{name} in {svg}");
                let leads = attribute.value().split("url(").skip(1);
                assert!(
                    leads.into_iter().all(|address| address.starts_with("#:d")),
                    "{svg}"
                );
            }
        }
    }

    fn drawn(source: &str) -> String {
        let svg = render(source, 1, "Diagram").expect("it can be drawn");
        assert_plain(&svg);
        svg
    }

    #[test]
    fn kinds_of_diagrams_are_drawn_with_their_words() {
        let kinds = [
            (
                "flowchart LR\n  A[Client] -->|asks| B{Server}",
                ["Client", "asks", "Server"],
            ),
            (
                "sequenceDiagram\n  Alice->>+Bob: Hello\n  Bob-->>-Alice: Fine",
                ["Alice", "Hello", "Fine"],
            ),
            (
                "classDiagram\n  Animal <|-- Duck\n  Animal : +int age",
                ["Animal", "Duck", "+int age"],
            ),
            (
                "stateDiagram-v2\n  [*] --> Idle\n  Idle --> Busy: key",
                ["Idle", "Busy", "key"],
            ),
            (
                "erDiagram\n  USER ||--o{ ORDER : places",
                ["USER", "ORDER", "places"],
            ),
            (
                "gantt\n  dateFormat YYYY-MM-DD\n  section One\n  First :a, 2024-01-01, 3d",
                ["One", "First", "2024"],
            ),
            (
                "pie title Pets\n  \"Dogs\" : 3\n  \"Cats\" : 1",
                ["Pets", "Dogs", "75%"],
            ),
            (
                "mindmap\n  root((search))\n    words\n    meaning",
                ["search", "words", "meaning"],
            ),
            (
                "gitGraph\n  commit\n  branch develop\n  commit",
                ["main", "develop", "0-"],
            ),
            (
                "timeline\n  title Past\n  2002 : One\n  2004 : Two",
                ["Past", "2002", "Two"],
            ),
            (
                "journey\n  title Day\n  section Work\n    Tea: 5: Me",
                ["Day", "Work", "Tea"],
            ),
            (
                "quadrantChart\n  x-axis Low --> High\n  quadrant-1 Best\n  A: [0.3, 0.6]",
                ["Low", "High", "Best"],
            ),
            (
                "xychart-beta\n  title Sales\n  x-axis [jan, feb]\n  bar [1, 2]",
                ["Sales", "jan", "feb"],
            ),
        ];
        for (source, words) in kinds {
            let svg = drawn(source);
            let document = Document::parse(&svg).expect("it is XML as well");
            let texts = document.descendants().filter(|node| node.is_text());
            let text = texts.filter_map(|node| node.text()).collect::<String>();
            for word in words {
                assert!(text.contains(word), "{word} in {text}");
            }
        }
    }

    #[test]
    fn a_diagram_says_what_it_is() {
        let svg = drawn("flowchart TD\n  accTitle: How a query goes\n  A --> B");
        assert!(svg.contains("aria-label=\"How a query goes\""), "{svg}");
        assert!(
            svg.starts_with("<svg role=\"graphics-document document\" aria-roledescription=\"flowchart\"")
        );
        assert!(drawn("flowchart TD\n  A --> B").contains("aria-label=\"Diagram\""));
    }

    #[test]
    fn diagrams_of_one_page_have_ids_of_their_own() {
        let source = "flowchart TD\n  A --> B";
        assert!(drawn(source).contains("url(#:d1-"));
        let second = render(source, 2, "Diagram").expect("it can be drawn");
        assert!(
            second.contains("id=\":d2-") && !second.contains(":d1-"),
            "{second}"
        );
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let problem = render("flowchart LR\n  A --> B\n  B ==[\n", 1, "Diagram").expect_err("it is wrong");
        assert_eq!(problem.line, Some(2), "{problem:?}");
        assert!(problem.reason.contains("node"), "{problem:?}");
        for source in ["", "\n\n", "hello", "flowchart LR\n  A --> [", "pie\n  x"] {
            let problem = render(source, 1, "Diagram").expect_err(source);
            assert!(
                !problem.reason.is_empty() && !problem.reason.contains('\n'),
                "{problem:?}"
            );
        }
    }

    #[test]
    fn one_that_nobody_can_read_is_refused() {
        let lines = |count| format!("pie\n{}", "  \"Dogs\" : 3\n".repeat(count));
        assert!(render(&lines(1_000), 1, "Diagram").is_ok());
        let problem = render(&lines(4_000), 1, "Diagram").expect_err("it is too long");
        assert_eq!(problem.reason, "it has more than 50000 bytes");
    }

    #[test]
    fn nothing_of_a_diagram_runs_or_leads_away() {
        for source in [
            "flowchart LR\n  A[\"<script>alert(1)</script>\"] --> B[\"<img src=x onerror=alert(1)>\"]",
            "flowchart LR\n  A --> B\n  click A \"javascript:alert(1)\"\n  click B call steal()",
            "flowchart LR\n  A --> B\n  style A fill:url(https://evil.example/x),stroke:red",
            "flowchart LR\n  classDef x fill:#f96;background:url(//evil.example)\n  A:::x --> B",
            "%%{init: {\"securityLevel\": \"loose\", \"themeCSS\": \"rect { fill: url(//evil.example) }\"}}%%\nflowchart LR\n  A[\"<a href='javascript:alert(1)'>x</a>\"] --> B",
            "---\ntitle: \"</title><script>alert(1)</script>\"\n---\nflowchart LR\n  A --> B",
            "sequenceDiagram\n  participant A\n  link A: Home @ javascript:alert(1)\n  A->>A: <svg onload=alert(1)>",
            "flowchart LR\n  A@{ img: \"https://evil.example/x.png\", label: \"x\" }",
        ] {
            let Ok(svg) = render(source, 1, "Diagram") else {
                continue;
            };
            assert_plain(&svg);
        }
    }

    #[test]
    fn what_is_no_picture_is_left_out() {
        let svg = r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10.12345 20" onload="no()"><style>no</style>
            <defs><marker id="m"/><marker id="n"/></defs><a href="javascript:no"><text onclick="no">word</text></a>
            <rect fill="blue" style="stroke:blue" width="1.23456"/><g><g> </g></g>
            <rect fill="url(https://evil.example/#a)" stroke="URL(//evil.example)" clip-path="url(#a) url(//evil.example)" opacity="u\72l(//evil.example)"/>
            <path d="M0 0" marker-end="url(#m)"/>
            <foreignObject><p>no</p></foreignObject><image href="no"/><script>no</script><use href="#no"/></svg>"##;
        let plain = plain(svg, 3, "Diagram").expect("it is XML");
        assert_plain(&plain);
        let rects = plain.split("<rect").skip(1);
        let rects: Vec<_> = rects.filter_map(|rest| rest.split('>').next()).collect();
        assert_eq!(rects, [" fill=\"blue\" width=\"1.23\"", ""]);
        assert!(
            plain.contains("viewBox=\"0 0 10.12 20\" width=\"11\" height=\"20\""),
            "{plain}"
        );
        // Of two arrows the one that something ends with.
        assert!(plain.contains("<marker id=\":d3-m\">"), "{plain}");
        assert_eq!(plain.matches("<marker").count(), 1, "{plain}");
        assert!(plain.contains("<text>word</text>"), "{plain}");
        assert_eq!(
            plain.matches("no").count(),
            plain.matches("stroke=\"none\"").count(),
            "{plain}"
        );
    }

    #[test]
    fn one_that_is_wide_becomes_smaller_as_long_as_it_can_be_read() {
        for (width, expected) in [(300, 300), (720, 720), (800, 720), (2000, 1600)] {
            let svg = format!("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} 100\"/>");
            let plain = plain(&svg, 1, "Diagram").expect("it is XML");
            assert!(
                plain.contains(&format!(" width=\"{expected}\" height=")),
                "{plain}"
            );
        }
    }

    #[test]
    fn numbers_lose_what_nobody_sees() {
        for (value, expected) in [
            ("M1.23456,-0.009L3", "M1.23,-0.00L3"),
            ("1.5e-7 2.123456e3", "1.5e-7 2.123456e3"),
            ("translate(.98765)", "translate(.98)"),
            ("a.b.", "a.b."),
        ] {
            assert_eq!(rounded(value), expected);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn whatever_is_written_is_drawn_plainly_or_refused(
            kind in prop::sample::select(vec![
                "flowchart LR", "sequenceDiagram", "classDiagram", "stateDiagram-v2", "erDiagram", "gantt", "pie", "mindmap",
                "gitGraph", "timeline", "journey", "quadrantChart", "xychart-beta", "block-beta", "C4Context", "kanban",
                "requirementDiagram", "sankey-beta", "packet-beta", "architecture-beta", "",
            ]),
            parts in prop::collection::vec(prop::sample::select(vec![
                "A", "B", "[text]", "(", ")", "{", "}", "-->", "--x", "->>", "+", "-", ":", "\n", "\n  ", "end", "subgraph x",
                "state", "class", "\"<b>x</b>\"", "<|--", "||--o{", "1", "2024-01-01", ",", "title", "section", "commit",
                "branch", "style A fill:#f96", "click A \"javascript:x\"", "%%{init: {}}%%", "é", "&lt;", "@{", "loop", "alt",
            ]), 0..30),
        ) {
            let source = format!("{kind}\n{}", parts.join(" "));
            if let Ok(svg) = render(&source, 1, "Diagram") {
                assert_plain(&svg);
            }
        }
    }
}
