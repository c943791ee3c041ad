//! Text to HTML.

/// Appends `text`, escaped for element content and for attribute values in double quotes.
pub(crate) fn push_escaped(html: &mut String, text: &str) {
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let entity = match byte {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            b'"' => "&quot;",
            _ => continue,
        };
        html.push_str(&text[from..at]);
        html.push_str(entity);
        from = at + 1;
    }
    html.push_str(&text[from..]);
}

/// `text`, escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    push_escaped(&mut html, text);
    html
}
