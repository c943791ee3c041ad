//! Equations of MyST, between dollar signs or as LaTeX has them, with what they are called.

use std::collections::BTreeMap;
use std::ops::Range;

/// A formula between dollar signs, which may have empty lines in it, and a label behind it: `$$ a $$ (label)`.
pub(super) struct Formula<'a> {
    /// The one behind it.
    pub(super) label: Option<&'a str>,
    /// Where the formula ends, and what belongs to it.
    pub(super) end: usize,
    pub(super) label_end: usize,
}

/// The one at the start of a text.
pub(super) fn formula(text: &str) -> Option<Formula<'_>> {
    let indent = text.len() - text.trim_start_matches(' ').len();
    let inner = text[indent..].strip_prefix("$$")?;
    let length = inner.find("$$")?;
    // Some author has forgotten an end.
    if ["\n#", "\n```", "\n:::"]
        .iter()
        .any(|block| inner[..length].contains(block))
    {
        return None;
    }
    let end = indent + 2 + length + 2;
    let behind = text[end..].lines().next().unwrap_or_default();
    let label = behind
        .trim()
        .strip_prefix('(')
        .and_then(|label| label.strip_suffix(')'));
    let label = label.filter(|label| !label.is_empty());
    Some(Formula {
        label,
        end,
        label_end: label.map_or(end, |_| end + behind.len()),
    })
}

/// The equations that are environments of LaTeX, in a text.
pub(super) struct Environments<'a> {
    text: &'a str,
    /// Those that do not end before this.
    without_end: BTreeMap<&'a str, usize>,
}

impl<'a> Environments<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            text,
            without_end: BTreeMap::new(),
        }
    }

    /// The length of the one at the start of a part.
    pub(super) fn length_at(&mut self, part: Range<usize>) -> Option<usize> {
        let text = &self.text[part.clone()];
        let name = text
            .trim_start_matches(' ')
            .strip_prefix("\\begin{")?
            .split('}')
            .next()?;
        let known = [
            "align", "aligned", "alignat", "equation", "gather", "multline", "eqnarray",
        ];
        let is_known = known.contains(&name.trim_end_matches('*'));
        if !is_known || self.without_end.get(name).is_some_and(|end| part.start < *end) {
            return None;
        }
        // A paragraph ends it too.
        let paragraph = &text[..text.find("\n\n").unwrap_or(text.len())];
        let close = format!("\\end{{{name}}}");
        let Some(at) = paragraph.find(&close) else {
            self.without_end.insert(name, part.start + paragraph.len());
            return None;
        };
        Some(at + close.len())
    }
}

/// What an equation is called in its formula.
pub(super) fn label(formula: &str) -> Option<&str> {
    argument(formula, "\\label{")
}

/// What its author numbers it with.
pub(super) fn tag(formula: &str) -> Option<&str> {
    argument(formula, "\\tag{")
}

fn argument<'a>(formula: &'a str, command: &str) -> Option<&'a str> {
    let (_, behind) = formula.split_once(command)?;
    let argument = behind.split_once('}')?.0.trim();
    (!argument.is_empty()).then_some(argument)
}

/// Whether it is counted where it has a label.
pub(super) fn is_counted(formula: &str) -> bool {
    !["\\tag", "\\notag", "\\nonumber"]
        .iter()
        .any(|command| formula.contains(command))
}

/// What says in a formula what it is called.
pub(super) fn labelled(label: &str) -> String {
    let id = super::labels::id(label);
    format!("\\label{{{id}}}")
}

/// A formula with the number that it has by its label.
pub(super) fn numbered(formula: &str, number: impl Fn(&str) -> Option<String>) -> Option<String> {
    let number = label(formula).filter(|_| is_counted(formula)).and_then(number)?;
    Some(format!("{formula}\\tag{{{number}}}"))
}
