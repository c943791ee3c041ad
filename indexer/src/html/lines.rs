//! Highlighted lines of code.

use std::ops::RangeInclusive;

/// Wraps the lines of `html`, counted from 1, in `<mark>`. The code's own elements never hold each other; one that
/// goes over the end of a marked range is closed before it and opened again behind it.
pub(super) fn marked(html: &str, lines: &[RangeInclusive<usize>]) -> String {
    let mut marked = String::with_capacity(html.len() + 16 * lines.len());
    let mut open_span = "";
    let mut is_marked = false;
    for (index, line) in html.split_inclusive('\n').enumerate() {
        let is_wanted = lines.iter().any(|range| range.contains(&(index + 1)));
        if is_wanted != is_marked {
            if !open_span.is_empty() {
                marked.push_str("</span>");
            }
            marked.push_str(if is_wanted { "<mark>" } else { "</mark>" });
            marked.push_str(open_span);
            is_marked = is_wanted;
        }
        marked.push_str(line);
        if let Some(tag) = line.rfind('<') {
            let tag = &line[tag..];
            let end = tag.find('>').map_or(tag.len(), |end| end + 1);
            open_span = if tag.starts_with("</") { "" } else { &tag[..end] };
        }
    }
    if is_marked {
        if !open_span.is_empty() {
            marked.push_str("</span>");
        }
        marked.push_str("</mark>");
    }
    marked
}

#[cfg(test)]
mod tests {
    use super::*;

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
