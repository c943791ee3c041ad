//! What the first page of a site says in its front matter, as VitePress and Starlight have it: a `hero` with a name, a text and links, and
//! `features`. Here it is the beginning of the page.

use crate::fields::{Key, Node, Value};
use crate::front_matter;

/// The Markdown that the front matter of a text stands for, with an end of its own; `None` where it has nothing of the kind.
pub(super) fn markdown(text: &str, body_at: usize) -> Option<String> {
    let block = &text[..body_at];
    if !["hero:", "features:"].iter().any(|key| block.contains(key)) {
        return None;
    }
    let keys = front_matter::all_keys(text);
    let is_titled = word(&keys, "title").is_some();
    let hero = match get(&keys, "hero") {
        Some(Value::Table(hero)) => hero.as_slice(),
        _ => &[],
    };
    let mut parts = Vec::new();
    if let Some(name) = word(hero, "name").filter(|_| !is_titled) {
        parts.push(format!("# {name}"));
    }
    parts.extend(word(hero, "text").map(|text| format!("**{text}**")));
    parts.extend(word(hero, "tagline"));
    let actions = tables(hero, "actions").filter_map(|action| link(action, "text", "link"));
    parts.push(actions.collect::<Vec<_>>().join(" · "));
    let features = tables(&keys, "features").filter_map(feature);
    parts.push(features.collect::<Vec<_>>().join("\n"));
    parts.retain(|part| !part.is_empty());
    (!parts.is_empty()).then(|| parts.join("\n\n") + "\n\n")
}

/// An item of a list.
fn feature(feature: &[(Key, Node)]) -> Option<String> {
    let title = word(feature, "title")?;
    // Others are pictures.
    let icon =
        word(feature, "icon").filter(|icon| !icon.contains('<') && icon.chars().count() <= LONGEST_ICON);
    let icon = icon.map_or_else(String::new, |icon| format!("{icon} "));
    let details = word(feature, "details").map_or_else(String::new, |details| format!("<br>{details}"));
    let more = link(feature, "linkText", "link").or_else(|| {
        let to = destination(feature, "link")?;
        Some(format!("[{title}]({to})"))
    });
    Some(match (more, word(feature, "linkText")) {
        (Some(more), Some(_)) => format!("- **{icon}{title}**{details} {more}"),
        (Some(titled), None) => format!("- **{icon}{titled}**{details}"),
        (None, _) => format!("- **{icon}{title}**{details}"),
    })
}

/// An emoji may have several characters.
const LONGEST_ICON: usize = 8;

fn link(table: &[(Key, Node)], text: &str, to: &str) -> Option<String> {
    Some(format!("[{}]({})", word(table, text)?, destination(table, to)?))
}

fn destination(table: &[(Key, Node)], key: &str) -> Option<String> {
    match get(table, key)? {
        Value::String(to) if !to.trim().is_empty() && !to.contains(['<', '>', '\n']) => {
            Some(format!("<{}>", to.trim()))
        }
        _ => None,
    }
}

/// A text as Markdown. It may have elements of HTML in it, as there.
fn word(table: &[(Key, Node)], key: &str) -> Option<String> {
    let Value::String(text) = get(table, key)? else {
        return None;
    };
    let mut word = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            '\n' => word.push(' '),
            c => {
                if matches!(c, '\\' | '*' | '_' | '[' | ']' | '`' | '$') {
                    word.push('\\');
                }
                word.push(c);
            }
        }
    }
    (!word.is_empty()).then_some(word)
}

fn get<'a>(table: &'a [(Key, Node)], key: &str) -> Option<&'a Value> {
    let found = table.iter().find(|(name, _)| name.name == key);
    found.map(|(_, node)| &node.value)
}

fn tables<'a>(table: &'a [(Key, Node)], key: &str) -> impl Iterator<Item = &'a [(Key, Node)]> {
    let list = match get(table, key) {
        Some(Value::List(list)) => list.as_slice(),
        _ => &[],
    };
    list.iter().filter_map(|node| match &node.value {
        Value::Table(table) => Some(table.as_slice()),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(block: &str, expected: Option<&str>) {
        let text = format!("---\n{block}\n---\nBody\n");
        let body_at = front_matter::body_at(&text);
        assert_eq!(markdown(&text, body_at).as_deref(), expected, "{block}");
    }

    #[test]
    fn a_hero_and_features_begin_the_page() {
        check(
            "layout: home\nhero:\n  name: X_y\n  text: |\n    Of two\n    lines\n  tagline: Fast & <b>small</b>\n  image: /a.svg\n  actions:\n    - theme: brand\n      text: Start [now]\n      link: /start here\n    - text: No link\n    - text: Code\n      link: https://example.com\nfeatures:\n  - icon: ⚡️\n    title: One\n    details: All of *one*.\n  - icon: <svg/>\n    title: Two\n    link: /two\n  - title: Three\n    details: D\n    link: /three\n    linkText: More\n  - details: Nothing\n  - text",
            Some(
                "# X\\_y\n\n**Of two lines**\n\nFast & <b>small</b>\n\n[Start \\[now\\]](</start here>) · [Code](<https://example.com>)\n\n- **⚡️ One**<br>All of \\*one\\*.\n- **[Two](</two>)**\n- **Three**<br>D [More](</three>)\n\n",
            ),
        );
        check("title: T\nhero:\n  title: U\n  tagline: V", Some("V\n\n"));
        for nothing in [
            "title: hero:",
            "hero: x",
            "hero: {}\nfeatures: []",
            "hero: [",
            "features:\n- a",
        ] {
            check(nothing, None);
        }
    }
}
