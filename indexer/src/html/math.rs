//! LaTeX to MathML.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, ParserError, Storage, push_mathml};

use super::escaped;

/// A formula of a page.
#[derive(Debug, PartialEq)]
pub(crate) struct Rendered {
    pub(crate) mathml: String,
    /// What stands beside the formula, as HTML: a number in parentheses, most often.
    pub(crate) tag: Option<String>,
}

/// Renders a formula; the error says what is wrong with it, on one line.
pub(crate) fn render(formula: &str, block: bool) -> Result<Rendered, String> {
    // Only a block has something beside it.
    if !block {
        let mathml = render_as_it_is(formula, false)?;
        return Ok(Rendered { mathml, tag: None });
    }
    let (formula, tag) = untagged(formula);
    Ok(Rendered {
        mathml: render_block(&formula)?,
        tag: tag.map(|tag| tag_html(&tag)),
    })
}

fn render_block(formula: &str) -> Result<String, String> {
    let rendered = render_as_it_is(formula, true);
    // MathJax and KaTeX begin a line in a formula that says of no environment how its lines stand.
    if rendered.is_err() && formula.contains("\\\\") {
        let environment = if formula.contains('&') {
            "aligned"
        } else {
            "gathered"
        };
        let lines = format!("\\begin{{{environment}}}{formula}\\end{{{environment}}}");
        return render_as_it_is(&lines, true).or(rendered);
    }
    rendered
}

/// A formula without what names it (`\label`, `\notag`), and its only `\tag`; of several each stays behind its line. All of them
/// are of amsmath; the parser knows none.
fn untagged(formula: &str) -> (Cow<'_, str>, Option<String>) {
    if !["\\tag", "\\label", "\\notag", "\\nonumber"]
        .iter()
        .any(|command| formula.contains(command))
    {
        return (Cow::Borrowed(formula), None);
    }
    let ends = ends_of_groups(formula);
    // Parts of the formula, and what stands behind each.
    let mut parts = Vec::new();
    let mut part = String::new();
    let mut copied = 0;
    let mut at = 0;
    while let Some(found) = formula[at..].find('\\') {
        let start = at + found;
        let command = &formula[start + 1..];
        let letters = command.bytes().take_while(u8::is_ascii_alphabetic).count();
        let name = &command[..letters];
        at = start + 1 + letters.max(command.chars().next().map_or(0, char::len_utf8));
        let group = matches!(name, "tag" | "label").then(|| Group::at(formula, at, &ends));
        if let Some(Some(group)) = group {
            part.push_str(&formula[copied..start]);
            if name == "tag" {
                let inner = &formula[group.inner.clone()];
                let tag = if group.is_starred {
                    inner.to_owned()
                } else {
                    format!("({inner})")
                };
                parts.push((std::mem::take(&mut part), tag));
            }
            at = group.inner.end + 1;
            copied = at;
        } else if matches!(name, "notag" | "nonumber") {
            part.push_str(&formula[copied..start]);
            copied = at;
        }
    }
    part.push_str(&formula[copied..]);
    let only = match &mut parts[..] {
        [(before, tag)] => Some((std::mem::take(before), std::mem::take(tag))),
        _ => None,
    };
    if let Some((before, tag)) = only {
        return (Cow::Owned(before + &part), Some(tag));
    }
    let lines = parts
        .into_iter()
        .map(|(before, tag)| format!("{before}\\qquad\\text{{{tag}}}"));
    (Cow::Owned(lines.collect::<String>() + &part), None)
}

/// What stands in braces behind a command.
struct Group {
    is_starred: bool,
    inner: Range<usize>,
}

impl Group {
    fn at(formula: &str, at: usize, ends: &HashMap<usize, usize>) -> Option<Self> {
        let text = &formula[at..];
        let starless = text.trim_start().strip_prefix('*');
        let braced = starless.unwrap_or(text).trim_start();
        let opening = formula.len() - braced.len();
        Some(Self {
            is_starred: starless.is_some(),
            inner: opening + 1..*ends.get(&opening)?,
        })
    }
}

/// Where the groups end that begin at a brace.
fn ends_of_groups(formula: &str) -> HashMap<usize, usize> {
    let mut ends = HashMap::new();
    let mut open = Vec::new();
    let mut is_escaped = false;
    for (at, byte) in formula.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'{' => open.push(at),
            b'}' => {
                if let Some(opening) = open.pop() {
                    ends.insert(opening, at);
                }
            }
            _ => {}
        }
    }
    ends
}

/// What stands beside a formula: words, or a formula among them.
fn tag_html(tag: &str) -> String {
    if tag.contains(['\\', '$'])
        && let Ok(mathml) = render_as_it_is(&tag.replace('$', ""), false)
    {
        return mathml;
    }
    escaped(tag)
}

fn render_as_it_is(formula: &str, block: bool) -> Result<String, String> {
    let storage = Storage::new();
    let formula = with_logos(formula);
    let events: Vec<Result<Event<'_>, ParserError>> = Parser::new(&formula, &storage).collect();
    if let Some(error) = events.iter().find_map(|event| event.as_ref().err()) {
        let text = error.to_string();
        let message = text.lines().next().unwrap_or_default().trim();
        return Err(message
            .strip_prefix("parsing error: ")
            .unwrap_or(message)
            .to_owned());
    }
    let display_mode = if block {
        DisplayMode::Block
    } else {
        DisplayMode::Inline
    };
    let mut mathml = String::new();
    push_mathml(
        &mut mathml,
        events.into_iter(),
        RenderConfig {
            display_mode,
            ..RenderConfig::default()
        },
    )
    .map_err(|error| error.to_string())?;
    Ok(escape_operators(&without_styles(&mathml)))
}

/// The names of programs, which the parser does not know, as words.
fn with_logos(formula: &str) -> Cow<'_, str> {
    let mut formula = Cow::Borrowed(formula);
    for logo in ["LaTeX", "TeX", "KaTeX"] {
        let command = format!("\\{logo}");
        let is_whole = |(at, _): &(usize, &str)| {
            let behind = formula[at + command.len()..].chars().next();
            !behind.is_some_and(char::is_alphabetic)
        };
        let places: Vec<usize> = formula
            .match_indices(&command)
            .filter(is_whole)
            .map(|(at, _)| at)
            .collect();
        for at in places.into_iter().rev() {
            let words = format!("\\mathrm{{{logo}}}");
            formula.to_mut().replace_range(at..at + command.len(), &words);
        }
    }
    formula
}

/// The renderer escapes text, but not the operators `<`, `>` and `&`, each of which is all that its element holds.
fn escape_operators(mathml: &str) -> String {
    mathml
        .replace("><</", ">&lt;</")
        .replace(">></", ">&gt;</")
        .replace(">&</", ">&amp;</")
        .replace(ESCAPED_SPACE, SPACE)
}

/// A tie (`~`), which the renderer escapes once too often.
const ESCAPED_SPACE: &str = "<mtext>&amp;nbsp;</mtext>";
const SPACE: &str = "<mtext>\u{a0}</mtext>";

/// Drops inline styles, which the pages' content security policy forbids. They only carry fine spacing and colours.
fn without_styles(mathml: &str) -> String {
    const STYLE: &str = " style=\"";
    let mut kept = String::with_capacity(mathml.len());
    let mut rest = mathml;
    while let Some(at) = rest.find(STYLE) {
        kept.push_str(&rest[..at]);
        let value = &rest[at + STYLE.len()..];
        rest = value.find('"').map_or("", |end| &value[end + 1..]);
    }
    kept.push_str(rest);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_and_text_are_escaped() {
        insta::assert_snapshot!(render(r"a < b > c \& ~ \text{<i>&}", false).unwrap().mathml, @r#"<math display="inline"><mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mi>c</mi><mi>&amp;</mi><mtext> </mtext><mtext>&lt;i&gt;&amp;</mtext></math>"#);
    }

    #[test]
    fn names_of_programs_are_words() {
        let latex = render(r"\LaTeX", false).unwrap();
        assert_eq!(latex, render(r"\mathrm{LaTeX}", false).unwrap());
        assert_eq!(
            render(r"\KaTeX{} \TeX^2", true),
            render(r"\mathrm{KaTeX}{} \mathrm{TeX}^2", true)
        );
        assert!(render(r"\TeXt", false).is_err());
    }

    #[test]
    fn lines_need_no_environment_in_a_block() {
        let with = |environment: &str, formula: &str| {
            render(
                &format!(r"\begin{{{environment}}}{formula}\end{{{environment}}}"),
                true,
            )
        };
        for (formula, environment) in [(r"a \\ b", "gathered"), (r"a &= b \\ c &= d", "aligned")] {
            let lines = render(formula, true);
            assert!(lines.is_ok(), "{lines:?}");
            assert_eq!(lines, with(environment, formula));
            assert!(render(formula, false).is_err());
        }
        // What is wrong is told of what was written.
        let wrong = render(r"a \\ \unknown", true).unwrap_err();
        assert_eq!(wrong, render_as_it_is(r"a \\ \unknown", true).unwrap_err());
    }

    #[test]
    fn what_numbers_a_formula_stands_beside_it() {
        let plain = render("a = b", true).unwrap();
        for (formula, tag) in [
            (r"a = b \tag{1}", Some("(1)")),
            (r"\tag {2.1a} a = b", Some("(2.1a)")),
            (r"a = b \tag*{A & B}", Some("A &amp; B")),
            (r"a = b \label{eq:a}", None),
            (r"\label{a} a = b \tag*{} \notag", Some("")),
            (r"a = b \nonumber", None),
        ] {
            let tag = tag.map(str::to_owned);
            let mathml = plain.mathml.clone();
            assert_eq!(render(formula, true), Ok(Rendered { mathml, tag }), "{formula}");
        }
        let star = render(r"a \tag{$\ast$}", true).unwrap().tag.unwrap();
        assert!(star.starts_with("<math") && star.contains("<mi>*</mi>"), "{star}");
        let bold = render(r"a \tag{\textbf{B}}", true).unwrap().tag.unwrap();
        assert!(bold.starts_with("<math"), "{bold}");
        // Of several each stays in its line.
        assert_eq!(
            render(r"a \tag{1} \\ b \tag{2}", true),
            render(r"a \qquad\text{(1)} \\ b \qquad\text{(2)}", true)
        );
        for wrong in [r"\tag{a", r"\tag", r"\tagged{a}", r"\label a", r"\tag{\tag{1}"] {
            assert!(render(wrong, true).is_err(), "{wrong}");
        }
        assert!(render(r"a \tag{1}", false).is_err());
        assert_eq!(
            untagged(r"\{\tag{\}a{b}}é\é"),
            (r"\{é\é".into(), Some(r"(\}a{b})".into()))
        );
    }

    #[test]
    fn no_style_is_left() {
        let Rendered { mathml, .. } = render(
            r"\color{red}{x} \quad \begin{matrix} a \\\\[2em] b \end{matrix}",
            true,
        )
        .unwrap();
        assert!(!mathml.contains("style="), "{mathml}");
        assert_eq!(
            without_styles("<mi style=\"color: red\" class=\"x\">style=</mi>"),
            "<mi class=\"x\">style=</mi>"
        );
    }

    #[test]
    fn a_wrong_formula_says_why() {
        assert_eq!(
            render(r"\frac{1", false).unwrap_err(),
            "unbalanced group found, expected it to be closed with `}`"
        );
        assert_eq!(
            render(r"\nosuch", false).unwrap_err(),
            "unknown primitive command found"
        );
    }
}
