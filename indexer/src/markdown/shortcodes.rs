//! The shortcodes of Hugo and of its themes, as far as a page can show them without running their templates: alerts, tabs, details,
//! pictures, code and references become what we have for them, of others what stands between their tags is shown.
//!
//! ```text
//! {{% alert title="Before you start" color="warning" %}}
//! Markdown
//! {{% /alert %}}
//!
//! {{< figure src="flow.png" alt="How a request goes" >}}
//!
//! See [the guide]({{< relref "guide.md" >}}).
//! ```
//!
//! Names and parameters are those of Hugo itself (`figure`, `highlight`, `ref`, `relref`) and of the themes that documentations use most:
//! Docsy, Book, Hextra, Relearn, Doks, and that of Kubernetes.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::reshaped::Reshaped;
use super::{diagram, fence, line_at, mdx};

/// A text as Markdown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) reshaped: Reshaped,
    /// The shortcodes of which nothing is known.
    pub(super) left_out: BTreeSet<String>,
}

/// How shortcodes begin: those whose inside is shown as it is, and those whose inside is Markdown.
const STARTS: [&str; 2] = ["{{<", "{{%"];

/// The text as Markdown; `None` where it has no shortcode. What stands before `body_at` stays.
pub(super) fn markdown(text: &str, body_at: usize) -> Option<Shown> {
    if !STARTS.iter().any(|start| text[body_at..].contains(start)) {
        return None;
    }
    let mut reader = Reader {
        text,
        reshaped: Reshaped::default(),
        left_out: BTreeSet::new(),
        pairs: pairs(text, body_at),
        open: Vec::new(),
        is_used: false,
    };
    reader.reshaped.copy(text, 0..body_at);
    reader.read(body_at);
    reader.reshaped.copy(text, text.len()..text.len());
    reader.is_used.then_some(Shown {
        reshaped: reader.reshaped,
        left_out: reader.left_out,
    })
}

/// What is between `{{<` and `>}}`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Shortcode<'a> {
    pub(super) name: &'a str,
    is_end: bool,
    /// It ends itself: `{{< tab />}}`.
    is_alone: bool,
    /// What stands in it is Markdown, and not shown as it is.
    is_markdown: bool,
    /// With their names; those without have an empty one.
    parameters: Vec<(&'a str, String)>,
}

impl Shortcode<'_> {
    /// The first of these parameters that there is.
    fn named(&self, names: &[&str]) -> Option<&str> {
        let of_name = |wanted: &&str| self.parameters.iter().find(|(name, _)| name == wanted);
        let (_, value) = names.iter().find_map(of_name)?;
        Some(value)
    }

    /// A parameter without a name, counted from 0.
    pub(super) fn at(&self, index: usize) -> Option<&str> {
        let mut unnamed = self.parameters.iter().filter(|(name, _)| name.is_empty());
        unnamed.nth(index).map(|(_, value)| value.as_str())
    }

    /// The title of a block, in the place of which stands the parameter `index` where none has a name.
    fn title(&self, index: usize) -> Option<&str> {
        self.named(&["title", "header", "name", "label", "summary", "heading"])
            .or_else(|| self.at(index))
            .filter(|title| !title.is_empty())
    }
}

/// A block that has not ended.
#[derive(Debug)]
struct Block<'a> {
    name: &'a str,
    indent: &'a str,
    end: &'static str,
    /// The titles of the tabs in it, where it has them.
    titles: Vec<String>,
    tabs: usize,
    /// What stands in its tabs is code, in this language unless they name one.
    code: Option<Language>,
}

#[derive(Clone, Debug)]
enum Language {
    Named(String),
    /// That of the title of the tab.
    OfTitle,
}

struct Reader<'a> {
    text: &'a str,
    reshaped: Reshaped,
    left_out: BTreeSet<String>,
    /// Where those end that have an end: by their own place, that of their end tags.
    pairs: HashMap<usize, Range<usize>>,
    open: Vec<Block<'a>>,
    is_used: bool,
}

impl<'a> Reader<'a> {
    fn read(&mut self, body_at: usize) {
        let mut at = body_at;
        let mut fence = None;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            match fence {
                Some(opened) if fence::ends(line, opened) => fence = None,
                Some(_) => {}
                None => fence = fence::marks(line),
            }
            at = if fence.is_some() || fence::marks(line).is_some() {
                self.copy_code(at, at + line.len());
                at + line.len()
            } else {
                self.read_line(at, at + line.len())
            };
        }
    }

    /// Reads from `at` to the end of the line at `end`, or of what begins in it and goes on behind it.
    fn read_line(&mut self, start: usize, end: usize) -> usize {
        let line = &self.text[start..end];
        let indent = &line[..line.len() - line.trim_start_matches([' ', '\t']).len()];
        let mut at = start;
        let mut copied = at;
        while at < end {
            let rest = &self.text[at..];
            let length = if rest.starts_with('`') {
                let length = mdx::code_length(rest);
                if let Some(length) = length {
                    self.reshaped.copy(self.text, copied..at);
                    self.copy_code(at, at + length);
                    copied = at + length;
                }
                length
            } else if let Some((length, by)) = literal(rest) {
                self.reshaped.copy(self.text, copied..at);
                self.reshaped.put(&by, at);
                self.is_used = true;
                copied = at + length;
                Some(length)
            } else if let Some(length) = comment_length(rest) {
                self.reshaped.copy(self.text, copied..at);
                self.is_used = true;
                copied = at + length;
                Some(length)
            } else if let Some((length, shortcode)) = shortcode(rest) {
                self.reshaped.copy(self.text, copied..at);
                self.is_used = true;
                copied = self.read_shortcode(&shortcode, at, at + length, indent);
                Some(copied - at)
            } else {
                None
            };
            at += length.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
        }
        self.reshaped.copy(self.text, copied..at);
        at
    }

    /// Code is as it is, but for shortcodes that are written so that they are none.
    fn copy_code(&mut self, start: usize, end: usize) {
        let mut copied = start;
        for (at, _) in self.text[start..end].match_indices("{{") {
            let at = start + at;
            let found = literal(&self.text[at..end]).filter(|_| at >= copied);
            if let Some((length, by)) = found {
                self.reshaped.copy(self.text, copied..at);
                self.reshaped.put(&by, at);
                self.is_used = true;
                copied = at + length;
            }
        }
        self.reshaped.copy(self.text, copied..end);
    }

    /// Writes what stands for the shortcode at `at`, behind which the text goes on at `behind`; where it goes on behind what is taken
    /// with it.
    fn read_shortcode(
        &mut self,
        shortcode: &Shortcode<'a>,
        at: usize,
        behind: usize,
        indent: &'a str,
    ) -> usize {
        if shortcode.is_end {
            if let Some(index) = self.open.iter().rposition(|open| open.name == shortcode.name) {
                for block in self.open.drain(index..).rev() {
                    self.reshaped.put(&standing_alone(block.end, block.indent), at);
                }
            }
            return behind;
        }
        let Some(end) = self.pairs.get(&at).cloned() else {
            self.put_alone(shortcode, at);
            return behind;
        };
        let inside = &self.text[behind..end.start];
        let parent = self.open.last();
        // Tabs may be further to the right than what holds them, with their content where it is.
        let indent = match (shortcode.name, parent) {
            ("tab" | "codetab", Some(parent)) => parent.indent,
            // What is further to the left than its start would end the item of a list that this stands in.
            _ => &indent[..indent.len().min(least_indent(inside))],
        };
        match shortcode.name {
            "comment" => return end.end,
            "highlight" => {
                self.put_code(inside, shortcode.at(0).unwrap_or_default(), at, indent);
                return end.end;
            }
            diagram::LANGUAGE => {
                self.put_code(inside, diagram::LANGUAGE, at, indent);
                return end.end;
            }
            "tab" if !shortcode.is_markdown && shortcode.named(&["text"]) != Some("true") => {
                if let Some(language) = parent.and_then(|parent| parent.code.clone()) {
                    let title = self.tab_title(shortcode);
                    let language = match (shortcode.named(&["lang"]), language, &title) {
                        (Some(own), ..) => own.to_owned(),
                        (None, Language::OfTitle, Some(title)) => title.to_lowercase(),
                        (None, Language::OfTitle, None) => String::new(),
                        (None, Language::Named(language), _) => language,
                    };
                    let start = tab(title.as_deref());
                    self.reshaped.put(&standing_alone(&start, indent), at);
                    self.put_code(inside, &language, at, indent);
                    self.reshaped.put(&standing_alone("</tab>", indent), at);
                    return end.end;
                }
            }
            _ => {}
        }
        let Some((start, end)) = self.block(shortcode) else {
            self.left_out.insert(shortcode.name.to_owned());
            return behind;
        };
        self.reshaped.put(&standing_alone(&start, indent), at);
        let items = shortcode.named(&["items"]).unwrap_or_default();
        let has_code = shortcode.name == "tabpane" && shortcode.named(&["text"]) != Some("true");
        self.open.push(Block {
            name: shortcode.name,
            indent,
            end,
            titles: items.split(',').map(|item| item.trim().to_owned()).collect(),
            tabs: 0,
            code: has_code.then(|| match shortcode.named(&["langEqualsHeader"]) {
                Some("true") => Language::OfTitle,
                _ => Language::Named(shortcode.named(&["lang"]).unwrap_or_default().to_owned()),
            }),
        });
        behind
    }

    /// Writes what stands for a shortcode with nothing in it.
    fn put_alone(&mut self, shortcode: &Shortcode<'_>, at: usize) {
        // Of Docsy: a word before the tabs.
        if shortcode.name == "tab" {
            return;
        }
        match shown_alone(shortcode) {
            Some(by) => self.reshaped.put(&by, at),
            None => {
                self.left_out.insert(shortcode.name.to_owned());
            }
        }
    }

    /// What begins and ends a block.
    fn block(&mut self, shortcode: &Shortcode<'_>) -> Option<(String, &'static str)> {
        let title = |index| shortcode.title(index).map(mdx::plain);
        Some(match shortcode.name {
            "tabs" | "tabpane" | "codetabs" => {
                let group = shortcode.named(&["groupId", "groupid", "persist-key"]);
                (mdx::with_attribute("tabs", "group", group), "</tabs>")
            }
            "tab" | "codetab" => (tab(self.tab_title(shortcode).as_deref()), "</tab>"),
            "details" | "expand" | "collapse" | "spoiler" | "accordion-item" => {
                let title = title(0).unwrap_or_default();
                (format!(":::details {title}"), ":::")
            }
            "card" => {
                let title = title(0).map(|title| format!("**{title}**"));
                (title.unwrap_or_default(), "")
            }
            // These say nothing beside what they hold.
            "accordion" | "cardpane" | "cards" | "columns" | "lead" | "pageinfo" | "steps" => {
                (String::new(), "")
            }
            name => {
                let (kind, index) = alert(name, shortcode)?;
                let title = title(index).map_or_else(String::new, |title| format!("[{title}]"));
                (format!(":::{kind}{title}"), ":::")
            }
        })
    }

    /// The title of the next tab.
    fn tab_title(&mut self, shortcode: &Shortcode<'_>) -> Option<String> {
        let parent = self.open.last_mut();
        let listed = parent.and_then(|parent| {
            parent.tabs += 1;
            parent.titles.get(parent.tabs - 1).cloned()
        });
        // There are no marks of Markdown in it.
        let own = shortcode.title(0).map(|title| title.replace(['*', '`'], ""));
        own.or(listed.filter(|title| !title.is_empty()))
    }

    fn put_code(&mut self, code: &str, language: &str, at: usize, indent: &str) {
        // Tildes, so that code of Markdown stays code.
        let longest = code.split(|c| c != '~').map(str::len).max().unwrap_or_default();
        let fence = "~".repeat(longest.max(2) + 1);
        let code = without_escapes(code);
        let lines = || code.trim_end().lines().skip_while(|line| line.trim().is_empty());
        let blank = |line: &str| line.len() - line.trim_start().len();
        let full = lines().filter(|line| !line.trim().is_empty());
        let common = full.map(blank).min().unwrap_or_default();
        let lines: String = lines()
            .map(|line| format!("{indent}{}\n", line.get(common..).unwrap_or_default()))
            .collect();
        let by = format!("{fence}{language}\n{lines}{indent}{fence}");
        self.reshaped.put(&standing_alone(&by, indent), at);
    }
}

/// How far to the right all lines are that begin in a text.
fn least_indent(text: &str) -> usize {
    let lines = text.lines().skip(1).filter(|line| !line.trim().is_empty());
    let indents = lines.map(|line| line.len() - line.trim_start().len());
    indents.min().unwrap_or(usize::MAX)
}

/// A block by itself, whatever stands around it.
fn standing_alone(block: &str, indent: &str) -> String {
    if block.is_empty() {
        return String::new();
    }
    format!("\n\n{indent}{block}\n\n{indent}")
}

fn tab(title: Option<&str>) -> String {
    mdx::with_attribute("tab", "title", title)
}

/// The kind of an alert that a shortcode is, and which of its parameters without a name is its title.
fn alert(name: &str, shortcode: &Shortcode<'_>) -> Option<(&'static str, usize)> {
    const GENERAL: [&str; 6] = ["alert", "admonition", "callout", "hint", "notice", "box"];
    let given = ["type", "style", "color", "context", "level"];
    let (kind, title) = match name {
        _ if GENERAL.contains(&name) => match shortcode.named(&given) {
            Some(kind) => (kind, 0),
            None => (shortcode.at(0).unwrap_or("note"), 1),
        },
        name => (name, 0),
    };
    let kind = match kind {
        "tip" | "success" | "green" => "tip",
        "info" | "primary" | "blue" => "info",
        "important" => "important",
        "warning" | "orange" | "attention" => "warning",
        "caution" => "caution",
        "danger" | "error" | "red" => "danger",
        "note" => "note",
        _ if GENERAL.contains(&name) => "note",
        _ => return None,
    };
    Some((kind, title))
}

/// What a shortcode without anything in it becomes.
fn shown_alone(shortcode: &Shortcode<'_>) -> Option<String> {
    let text = match shortcode.name {
        "ref" | "relref" => {
            let path = shortcode.named(&["path"]).or_else(|| shortcode.at(0))?;
            let is_plain = !path.contains([' ', '<', '>', '(', ')', '\n']);
            return Some(if is_plain {
                path.to_owned()
            } else {
                format!("<{path}>")
            });
        }
        // Of Relearn and its kin.
        "children" => return Some("\n<DocCardList />\n".to_owned()),
        "figure" | "img" | "image" => {
            let address = shortcode.named(&["src", "link"]).or_else(|| shortcode.at(0))?;
            if address.contains(['<', '>', '\n']) {
                return None;
            }
            let caption = shortcode.named(&["caption", "title"]);
            let alt = shortcode.named(&["alt"]).or(caption).unwrap_or_default();
            let picture = format!("![{}](<{address}>)", mdx::plain(alt));
            return Some(match caption {
                Some(caption) if !caption.is_empty() => format!("{picture}\\\n*{}*", mdx::plain(caption)),
                _ => picture,
            });
        }
        "card" => {
            let title = mdx::plain(shortcode.title(0)?);
            let address = shortcode.named(&["link", "href"]);
            let shown = match address.filter(|address| !address.contains(['<', '>', '\n'])) {
                Some(address) => format!("[{title}](<{address}>)"),
                None => title,
            };
            return Some(match shortcode.named(&["subtitle", "description"]) {
                Some(text) => format!("\n\n{shown}: {}\n\n", mdx::plain(text)),
                None => format!("\n\n{shown}\n\n"),
            });
        }
        // A word that is explained elsewhere.
        name if name.starts_with("glossary") => shortcode
            .named(&["text", "term_id", "term"])
            .or_else(|| shortcode.at(0))?,
        _ => shortcode.named(&["text"])?,
    };
    Some(mdx::plain(text))
}

/// The shortcode at the start of a text, and its length.
pub(super) fn shortcode(text: &str) -> Option<(usize, Shortcode<'_>)> {
    let start = STARTS.iter().find(|start| text.starts_with(**start))?;
    let is_markdown = start.ends_with('%');
    let end = if is_markdown { "%}}" } else { ">}}" };
    let mut at = start.len();
    let blank = |at: usize| at + text[at..].len() - text[at..].trim_start().len();
    at = blank(at);
    let is_end = text[at..].starts_with('/');
    at = blank(at + usize::from(is_end));
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.');
    let word = |at: usize, is_part: &dyn Fn(char) -> bool| {
        at + text[at..].find(|c| !is_part(c)).unwrap_or(text[at..].len())
    };
    let name_end = word(at, &is_part);
    let name = text[at..name_end].trim_end_matches('/');
    if name.is_empty() {
        return None;
    }
    let mut shortcode = Shortcode {
        name,
        is_end,
        is_markdown,
        is_alone: text[at..name_end].ends_with('/'),
        parameters: Vec::new(),
    };
    at = name_end;
    loop {
        at = blank(at);
        let rest = &text[at..];
        if rest.starts_with(end) {
            return Some((at + end.len(), shortcode));
        }
        if let Some(behind) = rest.strip_prefix('/')
            && behind.starts_with(end)
        {
            shortcode.is_alone = true;
            at += 1;
            continue;
        }
        let key_end = word(at, &|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        let (key, value_at) = match text[key_end..].starts_with('=') && key_end > at {
            true => (&text[at..key_end], key_end + 1),
            false => ("", at),
        };
        let (length, value) = value(&text[value_at..])?;
        shortcode.parameters.push((key, value));
        at = value_at + length;
    }
}

/// The value at the start of a text: in quotes, raw between backticks, or a word.
fn value(text: &str) -> Option<(usize, String)> {
    if let Some(inner) = text.strip_prefix('`') {
        let end = inner.find('`')?;
        return Some((end + 2, inner[..end].to_owned()));
    }
    let Some(inner) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c.is_whitespace() || matches!(c, '<' | '>' | '%' | '"' | '{' | '}'))?;
        return (end > 0).then(|| (end, text[..end].to_owned()));
    };
    let mut value = String::new();
    let mut characters = inner.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((at + 2, value)),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

/// Where the shortcodes behind `body_at` end that have an end: by the places of their starts, the end tags.
fn pairs(text: &str, body_at: usize) -> HashMap<usize, Range<usize>> {
    let mut pairs = HashMap::new();
    let mut open: Vec<(&str, usize)> = Vec::new();
    let mut behind = body_at;
    while let Some(found) = text[behind..].find("{{") {
        let at = behind + found;
        let shortcode = shortcode(&text[at..]);
        behind = at + shortcode.as_ref().map_or(2, |(length, _)| *length);
        match shortcode {
            Some((length, found)) if found.is_end => {
                if let Some(last) = open.iter().rposition(|(name, _)| *name == found.name) {
                    pairs.insert(open[last].1, at..at + length);
                    // Those in it had no end.
                    open.truncate(last);
                }
            }
            Some((_, found)) if !found.is_alone => open.push((found.name, at)),
            _ => {}
        }
    }
    pairs
}

/// A shortcode that is written so that it is none, `{{</* name */>}}`: its length, and what is shown.
fn literal(text: &str) -> Option<(usize, String)> {
    let (start, end) = STARTS.iter().zip(["*/>}}", "*/%}}"]).find_map(|(start, end)| {
        let behind = text.strip_prefix(*start)?.strip_prefix("/*")?;
        Some((*start, end)).filter(|_| behind.contains(end))
    })?;
    let inside = start.len() + 2;
    let length = text[inside..].find(end)?;
    let shown = format!("{start}{}{}", &text[inside..inside + length], &end[2..]);
    Some((inside + length + end.len(), shown))
}

/// The code with the shortcodes that it shows.
fn without_escapes(code: &str) -> String {
    let mut shown = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(at) = rest.find("{{") {
        let (before, found) = rest.split_at(at);
        let (length, by) = literal(found).unwrap_or_else(|| (2, "{{".to_owned()));
        shown.push_str(before);
        shown.push_str(&by);
        rest = &found[length..];
    }
    shown + rest
}

/// Of `{{/* what nobody sees */}}`.
fn comment_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("{{")?;
    let inner = inner.strip_prefix("- ").unwrap_or(inner).strip_prefix("/*")?;
    let end = inner.find("*/")?;
    let behind = inner[end + 2..].strip_prefix(" -").unwrap_or(&inner[end + 2..]);
    let rest = behind.strip_prefix("}}")?;
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a text becomes, without empty lines in a row and spaces at ends, and what is left out.
    fn read(text: &str) -> (String, String) {
        let Some(Shown { reshaped, left_out }) = markdown(text, 0) else {
            return (text.to_owned(), String::new());
        };
        let mut lines: Vec<&str> = reshaped.text.split('\n').map(str::trim_end).collect();
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        let names: Vec<String> = left_out.into_iter().collect();
        (lines.join("\n"), names.join(" "))
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(read(text), (expected.to_owned(), String::new()), "{text}");
    }

    #[test]
    fn alerts_are_alerts() {
        for (start, expected) in [
            (
                "{{% alert title=\"Take *care*\" color=\"warning\" %}}",
                ":::warning[Take \\*care\\*]",
            ),
            ("{{% alert color=success %}}", ":::tip"),
            ("{{< alert >}}", ":::note"),
            ("{{% notice tip \"Of use\" %}}", ":::tip[Of use]"),
            (
                "{{% notice style=\"red\" title=`Raw \"one\"` %}}",
                ":::danger[Raw \"one\"]",
            ),
            ("{{< hint info >}}", ":::info"),
            ("{{< callout type=\"unknown\" >}}", ":::note"),
            ("{{% caution %}}", ":::caution"),
        ] {
            let name = start[3..].trim_start().split(' ').next().unwrap();
            check(
                &format!("a\n{start}\n*b*\n{{{{% /{name} %}}}}\nc\n"),
                &format!("a\n\n{expected}\n\n*b*\n\n:::\n\nc\n"),
            );
        }
        check(
            "1. a\n\n   {{% alert %}}\nb\n\n   {{% /alert %}}\n",
            "1. a\n\n:::note\n\nb\n\n:::\n",
        );
        check(
            "1. a\n\n   {{% alert %}}\n   b\n   {{% /alert %}}\n",
            "1. a\n\n   :::note\n\n   b\n\n   :::\n",
        );
    }

    #[test]
    fn tabs_hold_code_or_text() {
        check(
            "{{< tabpane lang=\"bash\" >}}\n  {{< tab header=\"**Lang**:\" text=true disabled=true />}}\n    {{< tab header=\"`A`\" >}}\n    a {{< x >}}\n      ~~~\n    {{< /tab >}}\n{{< tab B lang=go >}}b{{< /tab >}}\n{{% tab C %}}\n*c*\n{{% /tab %}}\n{{< /tabpane >}}\n",
            "\n<tabs>\n\n<tab title=\"A\">\n\n~~~~bash\na {{< x >}}\n  ~~~\n~~~~\n\n</tab>\n\n<tab title=\"B\">\n\n~~~go\nb\n~~~\n\n</tab>\n\n<tab title=\"C\">\n\n*c*\n\n</tab>\n\n</tabs>\n",
        );
        check(
            "{{< tabpane langEqualsHeader=true >}}{{< tab \"Go\" >}}a{{< /tab >}}{{< /tabpane >}}",
            "\n<tabs>\n\n<tab title=\"Go\">\n\n~~~go\na\n~~~\n\n</tab>\n\n</tabs>\n",
        );
        check(
            "{{< tabpane text=true >}}{{< tab \"A\" >}}*a*{{< /tab >}}{{< /tabpane >}}",
            "\n<tabs>\n\n<tab title=\"A\">\n\n*a*\n\n</tab>\n\n</tabs>\n",
        );
        check(
            "{{< tabs items=\"A, B\" groupId=\"os\" >}}\n{{< tab >}}a{{< /tab >}}\n{{< tab >}}b{{< /tab >}}\n{{< tab >}}c{{< /tab >}}\n{{< /tabs >}}",
            "\n<tabs group=\"os\">\n\n<tab title=\"A\">\n\na\n\n</tab>\n\n<tab title=\"B\">\n\nb\n\n</tab>\n\n<tab>\n\nc\n\n</tab>\n\n</tabs>\n",
        );
    }

    #[test]
    fn what_stands_alone_is_what_it_says() {
        check(
            "[a]({{< relref \"b.md#c\" >}}) [d]({{% ref path=\"/e f\" %}})",
            "[a](b.md#c) [d](</e f>)",
        );
        check(
            "{{< figure src=\"a.png\" alt=\"A_\" >}} {{< figure src=\"b.png\" caption=\"B\" >}} {{< img c.png />}}",
            "![A\\_](<a.png>) ![B](<b.png>)\\\n*B* ![](<c.png>)",
        );
        check(
            "{{< card link=\"/a\" title=\"A\" subtitle=\"of all\" >}}\n{{< card header=\"B\" >}}b{{< /card >}}",
            "\n[A](</a>): of all\n\n**B**\n\nb",
        );
        check(
            "a {{< glossary_tooltip text=\"pod\" term_id=\"pod\" >}} b",
            "a pod b",
        );
        check(
            "{{< details \"More\" >}}\na\n{{< /details >}}\n{{% expand title=\"And\" %}}b{{% /expand %}}",
            "\n:::details More\n\na\n\n:::\n\n:::details And\n\nb\n\n:::\n",
        );
        check(
            "{{< highlight go \"linenos=table\" >}}\n\nfunc a() {}\n{{< /highlight >}}",
            "\n~~~go\nfunc a() {}\n~~~\n",
        );
        check(
            "{{< mermaid >}}\npie\n{{< /mermaid >}}",
            "\n~~~mermaid\npie\n~~~\n",
        );
        check(
            "a {{/* b */}}c {{- /* d\n */ -}} e{{< comment >}}f{{< /comment >}}\n",
            "a c  e\n",
        );
    }

    #[test]
    fn others_give_way_to_what_they_hold() {
        assert_eq!(
            read(
                "a {{< param \"x\" >}} b\n{{% blocks/lead color=\"x\" %}}*c*{{% /blocks/lead %}} {{< figure >}}{{< /none >}}"
            ),
            ("a  b\n*c*".to_owned(), "blocks/lead figure param".to_owned())
        );
        // One has no end that would be outside of what it stands in, or in code.
        assert_eq!(
            read("{{% note %}}\na\n{{% details b %}}\nc\n{{% /note %}}\n{{% /details %}}\n"),
            ("\n:::note\n\na\n\nc\n\n:::\n".to_owned(), "details".to_owned())
        );
        check(
            "{{% note %}}\n{{% details b %}}\n`{{% /details %}}`\n{{% /note %}}\n",
            "\n:::note\n\n:::details b\n\n`{{% /details %}}`\n\n:::\n\n:::\n",
        );
    }

    #[test]
    fn what_is_no_shortcode_stays() {
        for text in [
            "a {{ b }} {{<b}} {{< >}} {{< \"a\" >}}",
            "{{< a \"b >}}",
            "`{{< a >}}` b",
            "```\n{{< figure src=a >}}\n```\n",
        ] {
            check(text, text);
            // Then blocks of MkDocs are looked for.
            assert!(markdown(text, 0).is_none(), "{text}");
        }
        check(
            "{{</* a \"b\" */>}} `{{%/* c */%}}`\n\n~~~\n{{</* d */>}}\n~~~\n{{</* e",
            "{{< a \"b\" >}} `{{% c %}}`\n\n~~~\n{{< d >}}\n~~~\n{{</* e",
        );
    }

    #[test]
    fn a_place_is_that_in_the_file() {
        let text = "é {{% alert %}}\nü **x**\n{{% /alert %}}\n`a {{</* é */>}} b`\n";
        let shown = markdown(text, 0).unwrap().reshaped;
        for part in ["ü **x**", " b`"] {
            let at = shown.text.find(part).unwrap();
            assert_eq!(&text[shown.place(&(at..at + part.len()))], part);
        }
        let alert = shown.text.find(":::note").unwrap();
        assert!(text[shown.place(&(alert..alert + 7)).start..].starts_with("{{% alert"));
    }

    proptest! {
        #[test]
        fn places_stay_what_they_are(pieces in proptest::collection::vec(prop_oneof![
            Just("{{< tabpane >}}"), Just("{{< tab é=\"é\" >}}"), Just("{{< /tab >}}"), Just("{{< /tabpane >}}"), Just("{{%"), Just("%}}"),
            Just("{{< alert"), Just(">}}"), Just(" \""), Just("{{</*"), Just("*/>}}"), Just("{{/*"), Just("{{< /alert >}}"), Just("`"), Just("```\n"),
            Just("\n"), Just("  "), Just("é"), Just("a="), Just("/"), Just("{{< highlight a >}}"), Just("{{< /highlight >}}"),
        ], 0..24)) {
            let text = pieces.concat();
            if let Some(Shown { reshaped, .. }) = markdown(&text, 0) {
                reshaped.assert_places(&text);
            }
        }
    }
}
