//! What MyST says of a few words: `` {name}`words` ``.

use std::borrow::Cow;

use crate::markdown::mdx;

/// A name with its words.
pub(super) struct Role<'a> {
    name: &'a str,
    words: &'a str,
    /// Of all of it.
    pub(super) length: usize,
}

impl<'a> Role<'a> {
    /// The one at the start of a text.
    pub(super) fn at(text: &'a str) -> Option<Self> {
        let text_behind = text.strip_prefix('{')?;
        // What stands between braces is most often something else, and may have no end.
        let near = &text_behind[..text_behind.floor_char_boundary(LONGEST)];
        let inside = &near[..near.find('}')?];
        let rest = &text_behind[inside.len() + 1..];
        // Attributes may stand behind the name.
        let name = inside.split(' ').next().unwrap_or_default();
        let is_name =
            |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'+' | b'.');
        if name.is_empty() || !name.bytes().all(is_name) || !rest.starts_with('`') {
            return None;
        }
        let marks = rest.bytes().take_while(|byte| *byte == b'`').count();
        let length = mdx::code_length(rest).filter(|length| *length > 2 * marks)?;
        Some(Self {
            name,
            words: rest[marks..length - marks].trim(),
            length: inside.len() + 2 + length,
        })
    }

    /// What readers see, as Markdown.
    pub(super) fn markdown(&self) -> String {
        let words = self.words.replace('\n', " ");
        let words = words.as_str();
        let (shown, target) = titled(words);
        let (domain, name) = match self.name.rsplit_once(':') {
            Some((domain, name)) => (domain, name),
            None => ("", self.name),
        };
        match name {
            _ if matches!(domain, "cite") || name == "cite" || name == "footcite" => cited(words),
            // Of another site, whose pages nobody knows.
            _ if domain.starts_with("external") => mdx::plain(shown.unwrap_or(target)),
            "ref" | "numref" | "eq" | "any" | "embed" => {
                link(shown.unwrap_or_default(), &format!("#{target}"))
            }
            "term" => link(shown.unwrap_or(target), &format!("term:{target}")),
            "doc" => link(shown.unwrap_or_default(), target),
            "download" | "button" => link(shown.unwrap_or(target), target),
            "pep" | "rfc" => {
                let number = target.split('#').next().unwrap_or_default();
                let address = match name {
                    "pep" => format!("https://peps.python.org/pep-{number:0>4}/"),
                    _ => format!("https://datatracker.ietf.org/doc/html/rfc{number}"),
                };
                let own = format!("{} {target}", name.to_ascii_uppercase());
                link(shown.unwrap_or(&own), &address)
            }
            "abbr" | "abbreviation" | "ac" => {
                match words.strip_suffix(')').and_then(|words| words.rsplit_once('(')) {
                    Some((short, long)) => format!(
                        "{}{}</abbr>",
                        mdx::with_attribute("abbr", "title", Some(long)),
                        mdx::plain(short.trim())
                    ),
                    None => mdx::plain(words),
                }
            }
            "kbd" | "sub" | "sup" => format!("<{name}>{}</{name}>", mdx::plain(words)),
            "subscript" => format!("<sub>{}</sub>", mdx::plain(words)),
            "superscript" => format!("<sup>{}</sup>", mdx::plain(words)),
            "del" | "strike" | "delete" => format!("~~{}~~", mdx::plain(words)),
            "math" | "m" => format!("${words}$"),
            "strong" | "command" | "program" | "dfn" | "guilabel" => format!("**{}**", mdx::plain(words)),
            "menuselection" => format!("**{}**", mdx::plain(&words.replace("-->", "→"))),
            "emphasis" | "i" => format!("*{}*", mdx::plain(words)),
            "u" | "underline" | "sc" | "smallcaps" | "span" | "text" => mdx::plain(words),
            "index" => mdx::plain(words.split([';', '!']).next().unwrap_or_default()),
            "raw" | "word-count" => String::new(),
            _ if domain == "raw" || is_icon(name) => String::new(),
            // What is said of a program: `~package.Class` is shown as `Class`.
            _ if is_of_program(domain, name) => {
                let own = shown.unwrap_or(target).trim_start_matches('!');
                let own = match own.strip_prefix('~') {
                    Some(own) => own.rsplit('.').next().unwrap_or(own),
                    None => own,
                };
                code(own)
            }
            _ => code(shown.unwrap_or(words)),
        }
    }
}

/// A name and its attributes are no longer.
const LONGEST: usize = 200;

/// A text as it is shown in a title, where no Markdown is read.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains("}`") {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match Role::at(&text[at..]) {
            Some(role) => {
                let (shown, target) = titled(role.words);
                plain.push_str(shown.unwrap_or(target));
                at += role.length;
            }
            None => {
                plain.push(c);
                at += c.len_utf8();
            }
        }
    }
    Cow::Owned(plain)
}

/// `text <target>`, or a target alone.
fn titled(words: &str) -> (Option<&str>, &str) {
    let named = words.strip_suffix('>').and_then(|words| words.rsplit_once('<'));
    match named {
        Some((text, target)) if !text.trim().is_empty() => (Some(text.trim()), target.trim()),
        Some((_, target)) => (None, target.trim()),
        None => (None, words),
    }
}

fn link(text: &str, target: &str) -> String {
    let target = target.replace('<', "\\<").replace('>', "\\>");
    format!("[{}](<{target}>)", mdx::plain(text))
}

/// The keys of a bibliography, which is not read.
fn cited(words: &str) -> String {
    let keys = words.split([',', ';']).map(|key| mdx::plain(key.trim()));
    format!("\\[{}\\]", keys.collect::<Vec<_>>().join(", "))
}

fn code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let marks = "`".repeat(longest + 1);
    let space = if text.starts_with('`') || text.ends_with('`') {
        " "
    } else {
        ""
    };
    format!("{marks}{space}{text}{space}{marks}")
}

fn is_icon(name: &str) -> bool {
    name == "octicon"
        || name.starts_with("material-")
        || matches!(name, "fa" | "fas" | "fab" | "far" | "icon")
}

fn is_of_program(domain: &str, name: &str) -> bool {
    let names = [
        "attr", "class", "const", "data", "exc", "func", "meth", "mod", "module", "obj", "property", "type",
    ];
    matches!(domain, "py" | "c" | "cpp" | "js") || names.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_they_are_called() {
        for (text, expected) in [
            ("{ref}`a_b`", "[](<#a_b>)"),
            ("{ref}`the *end* <a b>`.", "[the \\*end\\*](<#a b>)"),
            ("{numref}`Figure %s <a>`", "[Figure %s](<#a>)"),
            ("{doc}`/a/b`", "[](</a/b>)"),
            ("{term}`Graph`", "[Graph](<term:Graph>)"),
            ("{term}`graphs <Graph Type>`", "[graphs](<term:Graph Type>)"),
            ("{download}`a.zip`", "[a.zip](<a.zip>)"),
            ("{pep}`8`", "[PEP 8](<https://peps.python.org/pep-0008/>)"),
            (
                "{abbr}`CPU (Central \"Unit\")`",
                "<abbr title='Central \"Unit\"'>CPU</abbr>",
            ),
            ("{kbd}`Ctrl+C`", "<kbd>Ctrl+C</kbd>"),
            ("{sub}`2`", "<sub>2</sub>"),
            ("{math}`a_b`", "$a_b$"),
            ("{del}`a`", "~~a~~"),
            ("{cite:p}`a, b_c`", "\\[a, b\\_c\\]"),
            ("{guilabel}`&Open`", "**\\&Open**"),
            ("{menuselection}`File --> Open`", "**File → Open**"),
            ("{py:func}`~a.b.c`", "`c`"),
            ("{class}`the class <a.b>`", "`the class`"),
            ("{external:ref}`a_b <c>`", "a\\_b"),
            ("{external+py:class}`a`", "a"),
            ("{doc}`a<b>c`", "[](<a\\<b\\>c>)"),
            ("{unknown}`` `a` ``", "`` `a` ``"),
            ("{unknown}``a ` b``", "``a ` b``"),
            ("{fas}`book`", ""),
            ("{u .x}`a_b`", "a\\_b"),
            ("{ref}`a\nb <c>`", "[a b](<#c>)"),
        ] {
            let role = Role::at(text).expect(text);
            assert_eq!(role.markdown(), expected, "{text}");
        }
        let long = format!("{{a {}}}`b`", "c".repeat(LONGEST));
        for text in [
            &*long,
            "{ref}",
            "{ref} `a`",
            "{ref}`a",
            "{}`a`",
            "{a,b}`c`",
            "{ref}`a\n\nb`",
        ] {
            assert!(Role::at(text).is_none(), "{text}");
        }
    }

    #[test]
    fn titles_have_the_words_alone() {
        assert_eq!(
            plain("Use {kbd}`A` and {ref}`this <b>` {c}"),
            "Use A and this {c}"
        );
    }
}
