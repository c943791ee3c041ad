//! Lines of code that a comment in the code asks to mark, as Docusaurus (`// highlight-next-line`) and VitePress (`// [!code ++]`) have
//! it. Such comments are not shown.

use std::ops::RangeInclusive;

/// What a marked line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LineMark {
    Highlighted,
    Inserted,
    Deleted,
}

/// Marked lines, counted from 1.
pub(crate) type MarkedLines = Vec<(RangeInclusive<usize>, LineMark)>;

/// The signs that begin a comment, in one language or another; those that hold others come first.
const OPENERS: [&str; 9] = ["{/*", "/*", "<!--", "//", "#", "--", ";", "%", "\""];
/// What may stand behind the mark in its comment.
const CLOSERS: [&str; 4] = ["", "*/", "*/}", "-->"];

/// Code without the comments that mark lines, and these lines. Nothing where there is none.
pub(super) fn taken(code: &str) -> Option<(String, MarkedLines)> {
    if !code.contains("highlight-") && !code.contains("[!code ") {
        return None;
    }
    let mut shown = String::with_capacity(code.len());
    let mut marked = MarkedLines::new();
    let mut number = 1;
    let mut began = None;
    let mut has_comments = false;
    for line in code.split_inclusive('\n') {
        let comment = whole_comment(line);
        has_comments |= comment.is_some();
        match comment {
            Some("highlight-next-line") => marked.push((number..=number, LineMark::Highlighted)),
            Some("highlight-start") => began = began.or(Some(number)),
            Some(_) => marked.extend(lines(began.take(), number)),
            None => match trailing_comment(line) {
                Some(found) => {
                    has_comments = true;
                    if let Some(mark) = found.mark {
                        marked.push((number..=number + found.lines - 1, mark));
                    }
                    if !found.before.trim().is_empty() {
                        shown.push_str(found.before.trim_end());
                        shown.push('\n');
                        number += 1;
                    }
                }
                None => {
                    shown.push_str(line);
                    number += 1;
                }
            },
        }
    }
    marked.extend(lines(began, number));
    // Numbers of lines that are not there are the fault of the comment before the last line.
    marked.retain(|(lines, _)| *lines.start() < number);
    for (lines, _) in &mut marked {
        *lines = *lines.start()..=(*lines.end()).min(number - 1);
    }
    has_comments.then_some((shown, marked))
}

/// The lines from `began` to the one before `end`.
fn lines(began: Option<usize>, end: usize) -> Option<(RangeInclusive<usize>, LineMark)> {
    let lines = began?..=end.checked_sub(1)?;
    (!lines.is_empty()).then_some((lines, LineMark::Highlighted))
}

/// The mark of Docusaurus that a line consists of, but for the signs of a comment.
fn whole_comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let opener = OPENERS.iter().find(|opener| line.starts_with(**opener))?;
    let text = line[opener.len()..].trim();
    let text = CLOSERS
        .iter()
        .rev()
        .find_map(|closer| text.strip_suffix(closer))?
        .trim();
    matches!(text, "highlight-next-line" | "highlight-start" | "highlight-end").then_some(text)
}

/// A mark of VitePress at the end of a line.
struct Trailing<'a> {
    before: &'a str,
    mark: Option<LineMark>,
    lines: usize,
}

fn trailing_comment(line: &str) -> Option<Trailing<'_>> {
    let (before, mark) = line.split_once("[!code ")?;
    let (mark, after) = mark.split_once(']')?;
    CLOSERS.contains(&after.trim()).then_some(())?;
    let before = before.trim_end();
    let before = OPENERS.iter().find_map(|opener| before.strip_suffix(opener))?;
    let (name, count) = mark.split_once(':').unwrap_or((mark, "1"));
    let mark = match name {
        "highlight" | "hl" | "focus" | "info" | "warning" | "error" => Some(LineMark::Highlighted),
        "++" => Some(LineMark::Inserted),
        "--" => Some(LineMark::Deleted),
        // Words have no marks of their own.
        "word" => None,
        _ => return None,
    };
    let lines = match mark {
        Some(_) => count.parse().ok().filter(|lines| *lines > 0)?,
        None => 1,
    };
    Some(Trailing { before, mark, lines })
}

#[cfg(test)]
mod tests {
    use LineMark::{Deleted, Highlighted, Inserted};

    use super::*;

    fn check(code: &str, shown: &str, marked: &[(RangeInclusive<usize>, LineMark)]) {
        assert_eq!(taken(code), Some((shown.to_owned(), marked.to_vec())), "{code}");
    }

    #[test]
    fn docusaurus_marks_lines_with_comments_of_their_own() {
        check(
            "a\n// highlight-next-line\nb\n  # highlight-start\nc\nd\n  # highlight-end\ne\n",
            "a\nb\nc\nd\ne\n",
            &[(2..=2, Highlighted), (3..=4, Highlighted)],
        );
        check(
            "<!-- highlight-next-line -->\n<b>\n{/* highlight-start */}\n<i>\n",
            "<b>\n<i>\n",
            &[(1..=1, Highlighted), (2..=2, Highlighted)],
        );
        // Nothing stands between or behind them.
        check("/* highlight-start */\n/* highlight-end */\na\n", "a\n", &[]);
        check("a\n-- highlight-next-line\n", "a\n", &[]);
    }

    #[test]
    fn vitepress_marks_the_lines_that_a_comment_ends() {
        check(
            "a // [!code highlight]\nb  # [!code ++]\nc <!-- [!code --] -->\nd // [!code focus:2]\ne\n",
            "a\nb\nc\nd\ne\n",
            &[
                (1..=1, Highlighted),
                (2..=2, Inserted),
                (3..=3, Deleted),
                (4..=5, Highlighted),
            ],
        );
        // On a line of its own a comment is about those below.
        check("// [!code ++:9]\na\nb\n", "a\nb\n", &[(1..=2, Inserted)]);
        check("// [!code word:a:1]\na\n", "a\n", &[]);
    }

    #[test]
    fn other_code_stays_as_it_is() {
        for code in [
            "a\nb\n",
            "let name = \"highlight-next-line\";\n",
            "highlight-start\n",
            "`// [!code ++]` adds a line\n",
            "a [!code ++]\n",
            "a // [!code colour]\n",
            "a // [!code ++:0]\n",
            "a // [!code ++\n",
        ] {
            assert_eq!(taken(code), None, "{code}");
        }
    }
}
