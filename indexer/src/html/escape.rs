//! Text to HTML, and to XML, which has the same four characters.

/// Appends `text`, escaped for element content and for attribute values in double quotes.
pub(crate) fn push_escaped(html: &mut String, text: &str) {
    html_escape::encode_double_quoted_attribute_to_string(text, html);
}

/// Appends `text`, escaped for element content alone. Code has so many quotes that their escapes are 50 bytes of a compressed page.
pub(crate) fn push_content(html: &mut String, text: &str) {
    html_escape::encode_text_to_string(text, html);
}

/// `text`, escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    push_escaped(&mut html, text);
    html
}
