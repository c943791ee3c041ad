//! Lines of code that are marked or have numbers.

use crate::markdown::line_marks::{LineMark, MarkedLines};

/// Wraps the lines of `html` that are marked: highlighted ones that follow each other in one `<mark>`, each that is put in or taken out in
/// `<ins>` or `<del>`. The code's own elements never hold each other; one that goes over the end of a mark is closed before it and opened
/// again behind it. Where the first line has a number, each line begins with its own, for the style sheet to show: it is no text. All are
/// as wide as the last one.
pub(super) fn laid_out(html: &str, lines: &MarkedLines, first_number: Option<usize>) -> String {
    let mut marked = String::with_capacity(html.len() + 16 * lines.len());
    let mut open_span = "";
    let mut open_mark = None;
    let last_number = first_number.map(|first| first.saturating_add(html.lines().count().saturating_sub(1)));
    let width = last_number.map_or(0, |last| last.to_string().len());
    for (index, line) in html.split_inclusive('\n').enumerate() {
        let mut wanted = lines.iter().filter(|(range, _)| range.contains(&(index + 1)));
        let wanted = wanted.next().map(|(_, mark)| *mark);
        // Each line that is put in or taken out has a sign of its own.
        if wanted != open_mark || !matches!(wanted, None | Some(LineMark::Highlighted)) {
            if !open_span.is_empty() {
                marked.push_str("</span>");
            }
            close(&mut marked, open_mark);
            if let Some(mark) = wanted {
                marked.push_str(&format!("<{}>", element(mark)));
            }
            marked.push_str(open_span);
            open_mark = wanted;
        }
        if let Some(first) = first_number {
            let number = first.saturating_add(index);
            marked.push_str(&format!("<data value=\"{number:>width$}\"></data>"));
        }
        marked.push_str(line);
        if let Some(tag) = line.rfind('<') {
            let tag = &line[tag..];
            let end = tag.find('>').map_or(tag.len(), |end| end + 1);
            open_span = if tag.starts_with("</") { "" } else { &tag[..end] };
        }
    }
    if open_mark.is_some() {
        if !open_span.is_empty() {
            marked.push_str("</span>");
        }
        close(&mut marked, open_mark);
    }
    marked
}

fn element(mark: LineMark) -> &'static str {
    match mark {
        LineMark::Highlighted => "mark",
        LineMark::Inserted => "ins",
        LineMark::Deleted => "del",
    }
}

fn close(html: &mut String, mark: Option<LineMark>) {
    if let Some(mark) = mark {
        html.push_str(&format!("</{}>", element(mark)));
    }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use super::*;

    fn marked(html: &str, lines: &[RangeInclusive<usize>]) -> String {
        let lines = lines.iter().map(|lines| (lines.clone(), LineMark::Highlighted));
        laid_out(html, &lines.collect(), None)
    }

    #[test]
    fn each_line_begins_with_its_number() {
        assert_eq!(
            laid_out(
                "<span class=\"h-c\">a\nb</span>\n\nd\n",
                &vec![(2..=2, LineMark::Inserted)],
                Some(9)
            ),
            "<data value=\" 9\"></data><span class=\"h-c\">a\n</span>\
             <ins><span class=\"h-c\"><data value=\"10\"></data>b</span>\n</ins>\
             <data value=\"11\"></data>\n<data value=\"12\"></data>d\n"
        );
        assert_eq!(laid_out("", &Vec::new(), Some(1)), "");
    }

    #[test]
    fn each_line_that_changes_is_an_element() {
        let lines = vec![
            (1..=2, LineMark::Inserted),
            (3..=3, LineMark::Deleted),
            (2..=4, LineMark::Highlighted),
        ];
        assert_eq!(
            laid_out("a\n<span class=\"h-s\">b\nc</span>\nd\ne\n", &lines, None),
            "<ins>a\n</ins><ins><span class=\"h-s\">b\n</span></ins><del><span class=\"h-s\">c</span>\n</del><mark>d\n</mark>e\n"
        );
    }

    #[test]
    fn lines_that_follow_each_other_are_one_mark() {
        assert_eq!(marked("a\nb\nc\nd\n", &[2..=3]), "a\n<mark>b\nc\n</mark>d\n");
        assert_eq!(marked("a\nb", &[2..=2]), "a\n<mark>b</mark>");
        assert_eq!(marked("a\nb\n", &[3..=9]), "a\nb\n");
    }

    #[test]
    fn an_element_over_several_lines_is_cut_at_the_mark() {
        let html = "<span class=\"h-string\">a\nb\nc</span>\nd\n";
        assert_eq!(
            marked(html, &[2..=2]),
            "<span class=\"h-string\">a\n</span><mark><span class=\"h-string\">b\n</span></mark><span class=\"h-string\">c</span>\nd\n"
        );
    }
}
