//! Names of pictures in text: emoji (`:rocket:`) as on GitHub, in Docusaurus and VitePress, and the icons of Material for MkDocs
//! (`:material-check:`), which pages here do not have: those that say yes or no become signs, the others decorate and are left out.

use pulldown_cmark::{CowStr, Event, Tag, TagEnd};

use super::PlacedEvent;

/// The sets of icons whose names begin with theirs.
const ICON_SETS: [&str; 4] = ["material-", "octicons-", "fontawesome-", "simple-"];

/// Puts the pictures where the text outside of code names them.
pub(super) fn show(events: &mut [PlacedEvent<'_>]) {
    let mut in_code = false;
    for (event, _) in events {
        match event {
            Event::Start(Tag::CodeBlock(_)) => in_code = true,
            Event::End(TagEnd::CodeBlock) => in_code = false,
            Event::Text(text) if !in_code && text.contains(':') => {
                if let Some(shown) = shown(text) {
                    *text = CowStr::from(shown);
                }
            }
            _ => {}
        }
    }
}

/// The text with its pictures; nothing where it names none.
fn shown(text: &str) -> Option<String> {
    let mut shown = String::new();
    let mut kept = 0;
    let mut from = 0;
    while let Some(at) = text[from..].find(':').map(|at| from + at) {
        let behind = &text[at + 1..];
        let length = behind.find(|c: char| !(c.is_ascii_alphanumeric() || "_+-".contains(c)));
        from = at + 1;
        let Some(length) = length.filter(|length| behind[*length..].starts_with(':')) else {
            continue;
        };
        let end = from + length + 1;
        // Not in `10:100:20` or `a::rocket::b`; one may follow another.
        let is_in_word = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == ':') && at != kept;
        if is_in_word || text[end..].starts_with(char::is_alphanumeric) {
            continue;
        }
        let name = &behind[..length];
        if let Some(emoji) = emojis::get_by_shortcode(name) {
            shown.push_str(&text[kept..at]);
            shown.push_str(emoji.as_str());
            kept = end;
        } else if ICON_SETS.iter().any(|set| name.starts_with(set)) {
            shown.push_str(&text[kept..at]);
            let sign = sign(name);
            shown.push_str(sign);
            kept = end + attributes(&text[end..]);
            // The space behind an icon goes with it.
            if sign.is_empty() && text[kept..].starts_with(' ') {
                kept += 1;
            }
        } else {
            continue;
        }
        from = kept;
    }
    if kept == 0 {
        return None;
    }
    shown.push_str(&text[kept..]);
    Some(shown)
}

/// What readers are told by an icon that stands for an answer.
pub(super) fn sign(icon: &str) -> &'static str {
    let mut words = icon.split('-');
    if words.any(|word| word == "check") {
        "✓"
    } else if icon
        .split('-')
        .any(|word| matches!(word, "close" | "x" | "xmark" | "cancel"))
    {
        "✗"
    } else {
        ""
    }
}

/// The length of a list of attributes, `{ .lg .middle }`.
fn attributes(text: &str) -> usize {
    if text.starts_with('{') {
        text.find('}').map_or(0, |end| end + 1)
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shown_as_pictures() {
        for (text, expected) in [
            (":rocket: off", "🚀 off"),
            ("well done :tada::+1: :heart:!", "well done 🎉👍 ❤️!"),
            ("(:white_check_mark:)", "(✅)"),
            (":material-check:{ .green } :octicons-x-16:", "✓ ✗"),
            (":material-clock-fast:{ .lg .middle } **Set up**", "**Set up**"),
            ("a :fontawesome-brands-github: b", "a b"),
        ] {
            assert_eq!(shown(text).unwrap_or_else(|| text.to_owned()), expected);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "10:100:20",
            "a::rocket::b",
            "note: this: that",
            ":no_such_name:",
            ":",
            "::",
            ":rocket",
            ":é:",
            "é:rocket: é",
            ":rocket:s",
            "https://a.b:80:x",
        ] {
            assert_eq!(shown(text), None, "{text}");
        }
    }
}
