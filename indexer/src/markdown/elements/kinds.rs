//! What the elements of HTML come to.

use pulldown_cmark::HeadingLevel;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Gives way to what it holds.
    Style,
    /// The same, and what stands before and behind it are texts of their own.
    Part,
    Strong,
    Emphasis,
    Strikethrough,
    Code,
    /// Passes as it is inside of a line.
    Line,
    /// Passes as it is between blocks.
    Fold,
    Link,
    Image,
    Break,
    Rule,
    Heading(HeadingLevel),
    Quote,
    List,
    Item,
    Table,
    /// Stands before its table.
    Caption,
    Row,
    Cell,
    Preformatted,
    /// What it shows is at another address.
    Medium,
    /// Nothing of it is shown.
    Nothing,
    Unknown,
}

impl Kind {
    /// Whether it stands around a part of a line.
    pub(super) fn is_phrase(self) -> bool {
        matches!(
            self,
            Kind::Strong | Kind::Emphasis | Kind::Strikethrough | Kind::Link
        )
    }

    /// Whether it is a block of Markdown.
    pub(super) fn is_block(self) -> bool {
        matches!(
            self,
            Kind::Fold
                | Kind::Rule
                | Kind::Heading(_)
                | Kind::Quote
                | Kind::List
                | Kind::Table
                | Kind::Preformatted
        )
    }

    /// Whether a text before it and one behind it are texts of their own.
    pub(super) fn parts(self) -> bool {
        self.is_block() || matches!(self, Kind::Part | Kind::Item | Kind::Row | Kind::Cell)
    }

    /// Whether it is read as a whole, or only where it ends in the same block of HTML. What holds others is not: looking for the end of
    /// each cell of a long table would take the square of its length.
    pub(super) fn is_whole(self) -> bool {
        self.is_phrase()
            || matches!(
                self,
                Kind::Code
                    | Kind::Line
                    | Kind::Heading(_)
                    | Kind::Preformatted
                    | Kind::Caption
                    | Kind::Medium
                    | Kind::Nothing
            )
    }
}

pub(super) fn kind(name: &str) -> Kind {
    match name {
        "b" | "strong" => Kind::Strong,
        "i" | "em" | "cite" | "dfn" | "var" => Kind::Emphasis,
        "s" | "strike" | "del" => Kind::Strikethrough,
        "code" | "tt" | "samp" => Kind::Code,
        "kbd" | "sub" | "sup" | "abbr" | "mark" => Kind::Line,
        "details" | "summary" | "tabs" | "tab" => Kind::Fold,
        "a" => Kind::Link,
        "img" => Kind::Image,
        "br" => Kind::Break,
        "hr" => Kind::Rule,
        "h1" => Kind::Heading(HeadingLevel::H1),
        "h2" => Kind::Heading(HeadingLevel::H2),
        "h3" => Kind::Heading(HeadingLevel::H3),
        "h4" => Kind::Heading(HeadingLevel::H4),
        "h5" => Kind::Heading(HeadingLevel::H5),
        "h6" => Kind::Heading(HeadingLevel::H6),
        "blockquote" => Kind::Quote,
        "ul" | "ol" | "menu" => Kind::List,
        "li" => Kind::Item,
        "table" => Kind::Table,
        "caption" => Kind::Caption,
        "tr" => Kind::Row,
        "td" | "th" => Kind::Cell,
        "pre" => Kind::Preformatted,
        "iframe" | "video" | "audio" | "embed" => Kind::Medium,
        "script" | "style" | "template" | "svg" | "head" | "title" | "noscript" | "object" | "canvas"
        | "math" | "select" | "textarea" => Kind::Nothing,
        "p" | "div" | "center" | "section" | "article" | "header" | "footer" | "main" | "nav" | "aside"
        | "figure" | "figcaption" | "form" | "fieldset" | "legend" | "dl" | "dt" | "dd" | "address"
        | "hgroup" | "html" | "body" => Kind::Part,
        "span" | "font" | "u" | "ins" | "small" | "big" | "q" | "nobr" | "wbr" | "label" | "picture"
        | "source" | "track" | "button" | "input" | "link" | "meta" | "base" | "col" | "colgroup"
        | "thead" | "tbody" | "tfoot" | "bdi" | "bdo" | "time" | "data" | "output" | "ruby" | "rb" | "rt"
        | "rp" | "meter" | "progress" | "area" | "map" | "param" => Kind::Style,
        _ => Kind::Unknown,
    }
}
