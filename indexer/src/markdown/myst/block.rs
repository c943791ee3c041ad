//! What the blocks of MyST are, by their names, and what stands for them.

use super::directive::Directive;
use super::roles;
use crate::markdown::{mdx, titles};

/// Whether a block of this name holds something else than Markdown.
pub(super) fn holds_code(name: &str) -> bool {
    matches!(
        named(name),
        Block::Code
            | Block::Math
            | Block::Source
            | Block::Nothing
            | Block::Program
            | Block::Html
            | Block::Csv
    )
}

/// What a block is.
pub(super) enum Block {
    /// An alert of a kind, with a title where that is another than that of the kind.
    Alert(&'static str, &'static str),
    Details,
    Code,
    /// Markdown that is shown as it is written.
    Source,
    Math,
    Image,
    Tabs,
    Tab,
    Card,
    /// Its argument stands before what it holds.
    Titled,
    Glossary,
    ListTable,
    Csv,
    /// Leads to what it would show.
    Medium,
    Html,
    /// Gives way to what it holds.
    Part,
    /// Shows nothing.
    Nothing,
    /// Shows what a program or another language says.
    Program,
    Unknown,
}

/// What a block is. Any alert can be one that opens.
pub(super) fn of(directive: &Directive<'_>) -> Block {
    match named(directive.name) {
        Block::Alert(..) if directive.has_class("dropdown") || directive.has_class("toggle") => {
            Block::Details
        }
        block => block,
    }
}

fn named(name: &str) -> Block {
    match name {
        "note" | "tip" | "important" | "warning" | "caution" | "danger" => Block::Alert(
            match name {
                "tip" => "tip",
                "important" => "important",
                "warning" => "warning",
                "caution" => "caution",
                "danger" => "danger",
                _ => "note",
            },
            "",
        ),
        "attention" => Block::Alert("warning", "Attention"),
        "error" => Block::Alert("danger", "Error"),
        "hint" => Block::Alert("tip", "Hint"),
        "seealso" => Block::Alert("info", "See also"),
        "todo" => Block::Alert("note", "To do"),
        "admonition" => Block::Alert("note", ""),
        "versionadded" => Block::Alert("info", "Added in version"),
        "versionchanged" => Block::Alert("info", "Changed in version"),
        "deprecated" | "versiondeprecated" => Block::Alert("warning", "Deprecated since version"),
        "versionremoved" => Block::Alert("warning", "Removed in version"),
        "aside" | "margin" | "sidebar" | "topic" => Block::Alert("note", "Aside"),
        "proof" => Block::Alert("note", "Proof"),
        "theorem" => Block::Alert("note", "Theorem"),
        "lemma" => Block::Alert("note", "Lemma"),
        "definition" => Block::Alert("note", "Definition"),
        "axiom" => Block::Alert("note", "Axiom"),
        "criterion" => Block::Alert("note", "Criterion"),
        "remark" => Block::Alert("note", "Remark"),
        "conjecture" => Block::Alert("note", "Conjecture"),
        "corollary" => Block::Alert("note", "Corollary"),
        "algorithm" => Block::Alert("note", "Algorithm"),
        "example" => Block::Alert("note", "Example"),
        "property" => Block::Alert("note", "Property"),
        "observation" => Block::Alert("note", "Observation"),
        "proposition" => Block::Alert("note", "Proposition"),
        "assumption" => Block::Alert("note", "Assumption"),
        "exercise" => Block::Alert("note", "Exercise"),
        "solution" => Block::Alert("note", "Solution"),
        "dropdown" | "toggle" => Block::Details,
        "code" | "code-block" | "code-cell" | "sourcecode" | "parsed-literal" | "prompt" | "doctest"
        | "mermaid" | "graphviz" | "digraph" | "literalinclude" => Block::Code,
        "myst" | "myst-example" => Block::Source,
        "math" => Block::Math,
        "image" | "figure" | "figure-md" => Block::Image,
        "tab-set" | "tabs" => Block::Tabs,
        "tab-item" | "tab" => Block::Tab,
        "card" | "grid-item-card" => Block::Card,
        "rubric" | "table" | "centered" | "exercise-start" | "solution-start" => Block::Titled,
        "glossary" => Block::Glossary,
        "list-table" => Block::ListTable,
        "csv-table" => Block::Csv,
        "iframe" | "youtube" | "vimeo" | "video" | "audio" | "embed" | "anywidget" | "button-link"
        | "button-ref" => Block::Medium,
        "raw" => Block::Html,
        "grid" | "grid-item" | "card-carousel" | "div" | "container" | "epigraph" | "pull-quote"
        | "blockquote" | "highlights" | "compound" | "only" | "hlist" | "block" | "tab-set-code"
        | "include" | "attribution" => Block::Part,
        "toctree" | "toc" | "contents" | "tableofcontents" | "index" | "show-index" | "genindex"
        | "bibliography" | "footbibliography" | "sectionauthor" | "codeauthor" | "highlight"
        | "currentmodule" | "py-module" | "module" | "meta" | "title" | "default-role" | "exercise-end"
        | "solution-end" | "label" | "cite" => Block::Nothing,
        "eval-rst" | "autosummary" | "plot" | "ipython" | "click" | "argparse" | "bokeh-plot"
        | "jupyter-execute" => Block::Program,
        _ if name.starts_with("auto") => Block::Program,
        _ => Block::Unknown,
    }
}

/// What stands before and behind what a block holds. `place` is what leads to it, `number` what becomes the number of a table.
pub(super) fn around(
    block: &Block,
    directive: &Directive<'_>,
    (place, number): (&str, &str),
    is_empty: bool,
) -> (String, String) {
    let Directive {
        name,
        argument,
        indent,
        ..
    } = *directive;
    let (opening, closing) = match block {
        Block::Alert(kind, own) => {
            let kind = kind_of_class(directive).unwrap_or(kind);
            let (title, says) = said(own, argument, is_empty);
            let title = match title.trim() {
                "" => String::new(),
                title => format!("[{}]", roles::plain(title)),
            };
            let says = match says {
                "" => String::new(),
                says => format!("\n\n{indent}{}", words(says)),
            };
            (format!(":::{kind}{title}{says}"), ":::")
        }
        Block::Details => {
            let title = if argument.is_empty() {
                default_title(name)
            } else {
                argument.to_owned()
            };
            (format!(":::details[{}]", roles::plain(&title)), ":::")
        }
        // The argument of the other kind is its label.
        Block::Image if !argument.is_empty() && name != "figure-md" => {
            let alt = directive.one_of(&["alt", "title"]).unwrap_or_default();
            (image(argument, alt, directive.one_of(&["width", "w"])), "")
        }
        Block::Tabs => match directive.one_of(&["sync-group"]) {
            Some(group) => (mdx::with_attribute("tabs", "group", Some(group)), "</tabs>"),
            None => ("<tabs>".to_owned(), "</tabs>"),
        },
        Block::Tab => {
            let title = Some(titles::marked(&roles::plain(argument))).filter(|title| !title.is_empty());
            let tag = mdx::with_attribute("tab", "title", title.as_deref());
            // Between two tabs there can be nothing.
            let opening = format!("\n{indent}{tag}\n\n{place}");
            return (opening, format!("\n\n{indent}</tab>\n\n"));
        }
        Block::Card => {
            let title = match (argument, destination(directive)) {
                ("", None) => String::new(),
                ("", Some(to)) => format!("[](<{to}>)"),
                (title, None) => format!("**{}**", words(title)),
                (title, Some(to)) => format!("**[{}](<{to}>)**", words(title)),
            };
            (title, "")
        }
        Block::Titled => (format!("{number}{}", caption(directive)), ""),
        // Of the others with an argument it says how they look.
        Block::Part
            if matches!(
                name,
                "epigraph" | "pull-quote" | "blockquote" | "highlights" | "attribution"
            ) =>
        {
            (words(argument), "")
        }
        _ => (String::new(), ""),
    };
    let closing = match closing {
        "" => "\n\n".to_owned(),
        closing => format!("\n\n{indent}{closing}\n\n"),
    };
    (format!("\n{place}{indent}{opening}\n\n"), closing)
}

/// What a table or a list of steps is called.
pub(super) fn caption(directive: &Directive<'_>) -> String {
    match directive.argument {
        "" => String::new(),
        caption => format!("**{}**", words(caption)),
    }
}

/// A link to what a block would show, with its first line as the text.
pub(super) fn link(directive: &Directive<'_>, body: &str) -> String {
    let Directive { name, argument, .. } = *directive;
    let own = Some(argument.to_owned()).filter(|to| !to.is_empty());
    let Some(to) = destination(directive).or(own) else {
        return String::new();
    };
    let to = match (name, to.contains("://")) {
        ("youtube", false) => format!("https://www.youtube.com/watch?v={to}"),
        ("vimeo", false) => format!("https://vimeo.com/{to}"),
        _ => to.replace(['<', '>'], ""),
    };
    // What is on this site has a name.
    let own = if to.contains("://") || argument.is_empty() {
        to.as_str()
    } else {
        ""
    };
    let text = body.lines().next().map(str::trim).filter(|text| !text.is_empty());
    format!("[{}](<{to}>)", words(text.unwrap_or(own)))
}

/// The kind of an alert that has it as its class.
fn kind_of_class(directive: &Directive<'_>) -> Option<&'static str> {
    if directive.name != "admonition" {
        return None;
    }
    [
        "note",
        "tip",
        "important",
        "warning",
        "caution",
        "danger",
        "attention",
        "error",
        "hint",
        "seealso",
    ]
    .into_iter()
    .find(|class| directive.has_class(class))
    .and_then(|class| match named(class) {
        Block::Alert(kind, _) => Some(kind),
        _ => None,
    })
}

/// The title of an alert, and what it says before what it holds. Behind the name of an alert stands its title in MyST; in Sphinx it may
/// be the beginning of its text, which ends as sentences do.
fn said<'a>(own: &str, argument: &'a str, is_empty: bool) -> (String, &'a str) {
    if own.ends_with("version") {
        let (version, says) = argument.split_once(' ').unwrap_or((argument, ""));
        return (format!("{own} {version}"), says);
    }
    let is_sentence = argument.ends_with(['.', ',', ';', ':']);
    match argument {
        "" => (own.to_owned(), ""),
        argument if is_empty || is_sentence => (own.to_owned(), argument),
        argument
            if own.is_empty()
                || matches!(
                    own,
                    "Aside" | "Attention" | "Error" | "Hint" | "See also" | "To do"
                ) =>
        {
            (argument.to_owned(), "")
        }
        argument => (format!("{own}: {argument}"), ""),
    }
}

fn default_title(name: &str) -> String {
    let mut title = name.to_owned();
    title[..1].make_ascii_uppercase();
    title
}

/// Where a card or a button leads.
fn destination(directive: &Directive<'_>) -> Option<String> {
    let to = directive.one_of(&["link", "url"]);
    let to = match (directive.name, to) {
        ("button-link" | "button-ref", None) => Some(directive.argument),
        (_, to) => to,
    }?;
    let is_label = directive.name == "button-ref" && directive.option("ref-type") != Some("doc")
        || directive.option("link-type") == Some("ref");
    let sign = if is_label && !to.starts_with('#') { "#" } else { "" };
    Some(format!("{sign}{}", to.replace(['<', '>'], "")))
}

/// Words in a line, with what they say of themselves.
fn words(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match roles::Role::at(&text[at..]) {
            Some(role) => {
                shown.push_str(&role.markdown());
                at += role.length;
            }
            None => {
                shown.push(c);
                at += c.len_utf8();
            }
        }
    }
    shown
}

/// The element of a picture, as wide as it is to be where that is said in pixels.
fn image(address: &str, alt: &str, width: Option<&str>) -> String {
    if [".mp4", ".webm", ".mov", ".ogv"]
        .iter()
        .any(|ending| address.ends_with(ending))
    {
        let name = address.rsplit('/').next().unwrap_or(address);
        let text = if alt.is_empty() { name } else { alt };
        return format!("[{}](<{}>)", mdx::plain(text), address.replace(['<', '>'], ""));
    }
    let image = mdx::image(&address.replace('"', "%22"), alt);
    let width = width
        .map(|width| width.trim_end_matches("px"))
        .filter(|width| !width.is_empty() && width.bytes().all(|byte| byte.is_ascii_digit()));
    match (width, image.strip_suffix('>')) {
        (Some(width), Some(image)) => format!("{image} width=\"{width}\">"),
        _ => image,
    }
}
