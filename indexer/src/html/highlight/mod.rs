//! Code to HTML with class names. Grammars are loaded once and only for the languages that a folder uses.

mod grammar;
mod paint;
mod query;
mod session;

use std::borrow::Cow;
use std::collections::HashMap;

use self::grammar::Reader;
use self::paint::{Span, push_painted, push_span};
use self::session::Line;
use super::escape::push_content;

/// Highlights code; keep one for a whole run.
pub(crate) struct CodeRenderer {
    reader: Reader,
    /// References repeat themselves, and of a page that is saved most blocks are as they were: by language and code.
    known: HashMap<(&'static str, String), String>,
    /// Of the code and the HTML in `known`.
    known_bytes: usize,
}

/// Above this everything known is forgotten: what an author has saved meanwhile is mostly of no use any more.
const KNOWN_LIMIT: usize = 32_000_000;

impl std::fmt::Debug for CodeRenderer {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("CodeRenderer")
    }
}

impl Default for CodeRenderer {
    fn default() -> Self {
        Self::new()
    }
}

impl CodeRenderer {
    pub(crate) fn new() -> Self {
        Self {
            reader: Reader::new(),
            known: HashMap::new(),
            known_bytes: 0,
        }
    }

    /// Appends `code` in a language as [`crate::markdown::fence::canonical`] names it; other code stays plain.
    pub(crate) fn push(&mut self, html: &mut String, language: Option<&'static str>, code: &str) {
        match language {
            None | Some("text") => push_content(html, code),
            Some("http") => push_http(html, code),
            Some(language) => {
                let block = (language, code.to_owned());
                if let Some(known) = self.known.get(&block) {
                    html.push_str(known);
                    return;
                }
                let start = html.len();
                match session::lines(language, code) {
                    Some(lines) => self.push_session(html, language, &lines),
                    None => self.push_highlighted(html, language, code),
                }
                self.remember(block, &html[start..]);
            }
        }
    }

    fn push_highlighted(&mut self, html: &mut String, language: &'static str, code: &str) {
        let start = html.len();
        match self.spans(language, code) {
            Some((read, spans)) => {
                push_painted(html, &read, &spans);
                if let Cow::Owned(_) = read {
                    let written = as_written(&html[start..], code);
                    html.replace_range(start.., &written);
                }
            }
            // Colours are an extra: code that the highlighter cannot read is shown plain.
            None => push_content(html, code),
        }
    }

    /// What was typed, coloured as one text; prompts and answers are no code, and are not copied.
    fn push_session(&mut self, html: &mut String, language: &'static str, lines: &[Line]) {
        let typed = lines.iter().map(|line| match line {
            Line::Typed { text, .. } => *text,
            Line::Answer(_) => "",
        });
        let typed: String = typed.collect();
        let (read, spans) = self
            .spans(language, &typed)
            .unwrap_or((Cow::Borrowed(&typed), Vec::new()));
        let colours = paint::colours(&read, &spans);
        let (mut at, mut answer) = (0, String::new());
        for line in lines {
            match line {
                Line::Answer(text) => answer.push_str(text),
                Line::Typed { prompt, text } => {
                    push_answer(html, &mut answer);
                    if !prompt.is_empty() {
                        push_span(html, 'p', prompt);
                    }
                    let end = at + read[at..].find('\n').map_or(read.len() - at, |end| end + 1);
                    let start = html.len();
                    paint::push_part(html, &read, &colours, at..end);
                    if let Cow::Owned(_) = read {
                        let written = as_written(&html[start..], text);
                        html.replace_range(start.., &written);
                    }
                    at = end;
                }
            }
        }
        push_answer(html, &mut answer);
    }

    fn remember(&mut self, block: (&'static str, String), html: &str) {
        self.known_bytes += block.1.len() + html.len();
        if self.known_bytes > KNOWN_LIMIT {
            self.known.clear();
            self.known_bytes = block.1.len() + html.len();
        }
        self.known.insert(block, html.to_owned());
    }

    /// The coloured parts of a text, and the text, which is as long as `code` in characters.
    fn spans<'a>(&mut self, language: &'static str, code: &'a str) -> Option<(Cow<'a, str>, Vec<Span>)> {
        let mut read = Cow::Borrowed(code);
        let spans = match language {
            "bash" => {
                read = readable(code);
                self.reader.spans(language, &read)?
            }
            // Samples are often without the tag that begins the code in a file.
            "php" if !code.contains("<?") => {
                let mut spans = self.reader.spans(language, &format!("{PHP_TAG}{code}"))?;
                for span in &mut spans {
                    span.start = span.start.saturating_sub(PHP_TAG.len());
                    span.end = span.end.saturating_sub(PHP_TAG.len());
                }
                spans
            }
            _ => self.reader.spans(language, code)?,
        };
        Some((read, spans))
    }
}

fn push_answer(html: &mut String, answer: &mut String) {
    if !answer.is_empty() {
        push_span(html, 'o', answer);
        answer.clear();
    }
}

/// What code in PHP begins with.
const PHP_TAG: &str = "<?php\n";

/// Stands for a character that the scanner of bash must not see.
const FAR: char = '\u{ff}';

/// Code in bash as the highlighter may read it. The scanner (arborium-bash 2.18) looks each character up in C's table of classes,
/// which ends with U+00FF; what lies far beyond it ended the whole process.
fn readable(code: &str) -> Cow<'_, str> {
    if code.chars().any(|c| c > FAR) {
        Cow::Owned(code.chars().map(|c| c.min(FAR)).collect())
    } else {
        Cow::Borrowed(code)
    }
}

/// The HTML of [`readable`] code with the characters that `code` has.
fn as_written(highlighted: &str, code: &str) -> String {
    let mut far = code.chars().filter(|&c| c >= FAR);
    highlighted
        .chars()
        .map(|c| if c == FAR { far.next().unwrap_or(c) } else { c })
        .collect()
}

/// HTTP messages have no grammar in the highlighter: a start line, headers, and a body that stays plain.
fn push_http(html: &mut String, code: &str) {
    let mut in_head = true;
    for line in code.split_inclusive('\n') {
        let text = line.trim_end();
        in_head &= !text.is_empty();
        let method = text.split(' ').next().unwrap_or_default();
        let is_request = !method.is_empty() && method.bytes().all(|byte| byte.is_ascii_uppercase());
        if in_head && (is_request || method.starts_with("HTTP/")) {
            push_span(html, 'k', method);
            push_content(html, &line[method.len()..]);
        } else if in_head && let Some((name, _)) = text.split_once(':') {
            push_span(html, 'f', name);
            push_content(html, &line[name.len()..]);
        } else {
            push_content(html, line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_that_was_there_before_looks_as_it_did() {
        let mut renderer = CodeRenderer::new();
        let mut push = |language, code| {
            let mut html = String::new();
            renderer.push(&mut html, Some(language), code);
            html
        };
        let (python, bash) = (push("python", "if a:\n"), push("bash", "if a:\n"));
        assert_ne!(python, bash);
        assert_ne!(python, push("python", "if b:\n"));
        assert_eq!(
            (python, bash),
            (push("python", "if a:\n"), push("bash", "if a:\n"))
        );
    }

    #[test]
    fn colours_lie_on_their_text_where_the_highlighter_reads_another_one() {
        for (language, code, coloured) in [
            (
                "php",
                "echo 'é'; // a\n",
                "<span class=\"h-k\">echo</span> <span class=\"h-s\">'é'</span>; <span class=\"h-c\">// a</span>\n",
            ),
            (
                "bash",
                "# '→'\necho ÿ \"→\"\n",
                "<span class=\"h-c\"># '→'</span>\n<span class=\"h-f\">echo</span> ÿ <span class=\"h-s\">\"→\"</span>\n",
            ),
        ] {
            let mut html = String::new();
            CodeRenderer::new().push(&mut html, Some(language), code);
            assert_eq!(html, coloured);
        }
    }

    #[test]
    fn what_was_typed_into_a_shell_is_code_and_what_it_answered_is_not() {
        let session = "# A\n$ echo \"a →\n> $B\"\na = \"1\"\n\n$ exit\n";
        let mut html = String::new();
        CodeRenderer::new().push(&mut html, Some("bash"), session);
        insta::assert_snapshot!(html, @r#"
        <span class="h-c"># A</span>
        <span class="h-p">$ </span><span class="h-f">echo</span> <span class="h-s">"a →</span>
        <span class="h-p">&gt; </span>$<span class="h-f">B</span><span class="h-s">"</span>
        <span class="h-o">a = "1"

        </span><span class="h-p">$ </span><span class="h-f">exit</span>
        "#);
    }

    #[test]
    fn what_is_known_of_code_has_a_bound() {
        let mut renderer = CodeRenderer::new();
        for count in 1..=3 {
            let code = "# a\n".repeat(count * KNOWN_LIMIT / 64);
            let html = "b".repeat(KNOWN_LIMIT / 3);
            renderer.remember(("bash", code), &html);
        }
        assert!(renderer.known_bytes <= KNOWN_LIMIT);
        let held: usize = renderer
            .known
            .iter()
            .map(|((_, code), html)| code.len() + html.len())
            .sum();
        assert_eq!(held, renderer.known_bytes);
    }

    #[test]
    fn the_text_of_code_stays_as_it_is() {
        for (language, code) in [
            ("bash", "x=$(ls \"$HOME\" | wc -l)\n\n  # é <b>\n\n"),
            ("bash", "echo {\u{10ffff}1..3} ÿ '→' {1..\u{10ffff}\n"),
            ("python", "def f(a: str) -> None:\n    return f\"{a!r} & é\"\n"),
            ("yaml", "a:\n  - b: 'c' # d\n\n\n"),
            ("php", "$a = 'é';\n\necho $a; // <b>\n"),
            ("php", "<p><?= $a ?></p>\n"),
            ("html", "<script>\nlet a = '<b>';\n</script>\n<!-- é -->\n"),
            ("markdown", "# A\n\n```js\nlet a\n```\n"),
            ("http", "GET /v1/é HTTP/1.1\nA: b\n\n{\"a\": \"b\"}"),
            ("bash", "# é →\n$ a \"→\nÿ\" \\\n> '→'\nÿ <b>\n\n$ c"),
            ("python", ">>> '''→\n... ÿ'''\n'→\\nÿ'\n"),
        ] {
            let mut html = String::new();
            CodeRenderer::new().push(&mut html, Some(language), code);
            assert_eq!(text_of(&html), code, "{html}");
        }
    }

    fn text_of(html: &str) -> String {
        let mut text = String::new();
        let mut in_tag = false;
        for c in html.chars() {
            match c {
                '<' => in_tag = true,
                '>' => in_tag = false,
                _ if !in_tag => text.push(c),
                _ => {}
            }
        }
        text.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&quot;", "\"")
            .replace("&#39;", "'")
            .replace("&amp;", "&")
    }
}
