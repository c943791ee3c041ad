//! LaTeX to MathML.

use std::borrow::Cow;

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, ParserError, Storage, push_mathml};

/// Renders a formula; the error says what is wrong with it, on one line.
pub(crate) fn render(formula: &str, block: bool) -> Result<String, String> {
    let rendered = render_as_it_is(formula, block);
    // MathJax and KaTeX begin a line in a formula that says of no environment how its lines stand.
    if rendered.is_err() && block && formula.contains("\\\\") {
        let environment = if formula.contains('&') {
            "aligned"
        } else {
            "gathered"
        };
        let lines = format!("\\begin{{{environment}}}{formula}\\end{{{environment}}}");
        return render_as_it_is(&lines, block).or(rendered);
    }
    rendered
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
        insta::assert_snapshot!(render(r"a < b > c \& ~ \text{<i>&}", false).unwrap(), @r#"<math display="inline"><mi>a</mi><mo>&lt;</mo><mi>b</mi><mo>&gt;</mo><mi>c</mi><mi>&amp;</mi><mtext> </mtext><mtext>&lt;i&gt;&amp;</mtext></math>"#);
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
    fn no_style_is_left() {
        let mathml = render(
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
