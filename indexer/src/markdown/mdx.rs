//! What MDX files hold beside Markdown, as far as a page without their components can show it: the tabs, alerts and cards of Docusaurus
//! and Starlight become what we have for them, pictures that programs name are pictures, other components give way to what stands between
//! their tags, modules and comments are left out.
//!
//! What stands between the tags of a component may be indented, and is Markdown on their own lines too; so the text changes its shape,
//! and [`Reshaped::place`] says where a part of it comes from.

use std::collections::BTreeSet;

use super::components::{self, Form, Open, Start};
use super::expressions::{self, Addresses};
use super::fence;
use super::imports::{imports, lines_outside_of_code};
use super::line_at;
use super::reshaped::Reshaped;

/// An MDX file as Markdown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) reshaped: Reshaped,
    /// The components whose tags were left out.
    pub(super) left_out: BTreeSet<String>,
    /// Programs in the place of addresses, by their places in the file, for which no address can be seen.
    pub(super) unknown: Vec<(usize, String)>,
}

/// The Markdown of an MDX file, whose front matter ends at `body_at`.
pub(super) fn markdown(text: &str, body_at: usize) -> Shown {
    let mut reader = Reader {
        text,
        addresses: Addresses::new(imports(text, body_at)),
        reshaped: Reshaped::default(),
        left_out: BTreeSet::new(),
        unknown: Vec::new(),
        open: Vec::new(),
    };
    reader.copy(0, body_at);
    reader.read(body_at);
    reader.copy(text.len(), text.len());
    Shown {
        reshaped: reader.reshaped,
        left_out: reader.left_out,
        unknown: reader.unknown,
    }
}

/// The text of a file that another one shows as a component, with the addresses of the pictures that it imports: its modules are not
/// those of the page.
pub(super) fn with_pictures(text: &str) -> String {
    let addresses = Addresses::new(imports(text, 0));
    let mut shown = String::with_capacity(text.len());
    let mut copied = 0;
    tags_outside_of_code(text, |at| {
        let (length, by) = picture_at(&text[at..], &addresses)?;
        shown.push_str(&text[copied..at]);
        shown.push_str(&by);
        copied = at + length;
        Some(length)
    });
    shown.push_str(&text[copied..]);
    shown
}

/// Hands on where each `<` outside of code stands. What is given back is the length of the tag there; without one, reading goes on behind
/// the sign.
pub(super) fn tags_outside_of_code(text: &str, mut read: impl FnMut(usize) -> Option<usize>) {
    let mut behind = 0;
    for line in lines_outside_of_code(text, 0) {
        let mut at = line.start.max(behind);
        while at < line.end {
            let rest = &text[at..];
            let length = match rest.as_bytes()[0] {
                b'`' => code_length(rest),
                b'<' => read(at),
                _ => None,
            };
            at += length.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
        }
        behind = at;
    }
}

/// The length of the tag at the start of a text, and what stands for it, if it shows a picture by a program.
fn picture_at(text: &str, addresses: &Addresses<'_>) -> Option<(usize, String)> {
    let (length, found) = any_tag(text).filter(|(_, tag)| !tag.is_end)?;
    let by = if found.is_component() {
        components::picture(&found, addresses)
    } else {
        // The page says of an address that it cannot be seen.
        let (by, unknown) = without_programs(&found, addresses);
        by.filter(|_| unknown.is_none())
    };
    Some((length, by?))
}

/// Whether a file is MDX by what it holds: in Docusaurus those that end in `.md` are, too.
pub(super) fn is_used(text: &str) -> bool {
    ["<TabItem", " from '@theme/", " from \"@theme/"]
        .iter()
        .any(|sign| text.contains(sign))
}

/// The text without what it imports and exports.
pub(super) fn without_modules(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut code = None;
    let mut is_block_start = true;
    let mut is_module = false;
    let mut end = 0;
    for line in text.split_inclusive('\n') {
        end += line.len();
        match code {
            Some(opened) if fence::ends(line, opened) => code = None,
            Some(_) => {}
            None => {
                code = fence::marks(line);
                let is_empty = line.trim().is_empty();
                is_module = !is_empty && (is_module || is_block_start && self::is_module(line));
                is_block_start = is_empty || ends_comment(&text[..end]);
            }
        }
        if !is_module {
            kept.push_str(line);
        }
    }
    kept
}

struct Reader<'a> {
    text: &'a str,
    addresses: Addresses<'a>,
    reshaped: Reshaped,
    left_out: BTreeSet<String>,
    unknown: Vec<(usize, String)>,
    /// The components that have not ended.
    open: Vec<Open<'a>>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, body_at: usize) {
        let mut at = body_at;
        let mut is_block_start = true;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            if let Some(opened) = fence::marks(line) {
                at = self.read_fence(at, opened);
                is_block_start = false;
            } else if is_block_start && is_module(line) {
                at = self.text[at..]
                    .find("\n\n")
                    .map_or(self.text.len(), |length| at + length);
            } else {
                is_block_start = line.trim().is_empty();
                let is_mark = line.trim_start().starts_with(":::");
                // For CommonMark it would be part of the HTML.
                if is_mark && is_behind_html(&self.text[..at]) {
                    self.reshaped.put("\n", at);
                }
                at = self.read_line(at, at + line_at(self.text, at).len());
                is_block_start |= ends_comment(&self.text[..at]);
            }
        }
    }

    /// Up to the end of the code whose first line is at `at`.
    fn read_fence(&mut self, mut at: usize, opened: (u8, usize)) -> usize {
        let mut is_first = true;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            let end = at + line.len();
            let is_end = !is_first && fence::ends(line, opened);
            at += self.extra(line);
            if is_first && components::are_code_tabs(&self.open) {
                at = self.read_tab_title(at, line.trim_end());
            }
            self.copy(at, end);
            at = end;
            if is_end {
                break;
            }
            is_first = false;
        }
        at
    }

    /// The title of a tab of code: the words behind the language. Up to where the rest of the line stays as it is.
    fn read_tab_title(&mut self, start: usize, line: &str) -> usize {
        let info = line.trim_start().trim_start_matches(['`', '~']);
        let Some(language_end) = info.find(' ') else {
            return start;
        };
        let words = info[language_end..].split_inclusive(' ');
        let title_length: usize = words
            .take_while(|word| !word.contains(['=', '{', '[', '"']))
            .map(str::len)
            .sum();
        let title = &info[language_end..language_end + title_length];
        if title.trim().is_empty() {
            return start;
        }
        let info_at = start + line.trim_start().len() - info.len();
        let title_at = info_at + language_end;
        self.copy(start, title_at);
        self.reshaped
            .put(&format!(" title=\"{}\" ", title.trim()), title_at);
        title_at + title_length
    }

    /// Reads from `at` to the end of the line at `end`, or of what begins in it and goes on behind it.
    fn read_line(&mut self, start: usize, end: usize) -> usize {
        let line = &self.text[start..end];
        let extra = self.extra(line);
        let indent = " ".repeat(indent(line) - extra);
        let is_heading =
            line.trim_start().trim_start_matches('#').starts_with(' ') && line.trim_start().starts_with('#');
        let mut at = start + extra;
        let mut copied = at;
        while at < end {
            let text = self.text;
            let rest = &text[at..];
            let length = match rest.as_bytes()[0] {
                b'`' => code_length(rest),
                b'[' if is_heading => heading_marks(&text[at..end]).map(|(length, id)| {
                    self.copy(copied, at);
                    copied = at + length;
                    if let Some(id) = id {
                        self.reshaped.put(&format!("{{#{id}}}"), at);
                    }
                    length
                }),
                b'{' => comment_length(rest).inspect(|length| {
                    self.copy(copied, at);
                    copied = at + length;
                }),
                b'<' => match tag(rest) {
                    Some((length, tag)) => {
                        self.copy(copied, at);
                        copied = at + length;
                        self.read_tag(&tag, at, &indent);
                        Some(length)
                    }
                    None => element(rest).and_then(|(length, element)| {
                        let (by, unknown) = without_programs(&element, &self.addresses);
                        self.unknown
                            .extend(unknown.map(|program| (at, program.to_owned())));
                        let by = by?;
                        self.copy(copied, at);
                        copied = at + length;
                        self.reshaped.put(&by, at);
                        Some(length)
                    }),
                },
                _ => None,
            };
            at += length.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
        }
        self.copy(copied, at);
        at
    }

    /// How much of the indentation of a line is that of components.
    fn extra(&self, line: &str) -> usize {
        // The end of a component stands where its start does.
        let is_end = line.trim_start().starts_with("</");
        let open = self.open.len() - usize::from(is_end && !self.open.is_empty());
        indent(line).min(self.open[..open].iter().map(|open| open.indent).sum())
    }

    fn read_tag(&mut self, tag: &Tag<'a>, at: usize, indent: &str) {
        if tag.is_end {
            // One that is not open has been left out.
            if let Some(last) = self.open.iter().rposition(|open| open.name == tag.name) {
                let Open { end, form, .. } = self.open.swap_remove(last);
                self.open.truncate(last);
                self.put(&end, form, at, indent);
            }
            return;
        }
        let Start { text, mut open } = components::start(tag, &mut self.open, &self.addresses)
            .unwrap_or_else(|| {
                self.left_out.insert(tag.name.to_owned());
                Start::unknown(tag)
            });
        self.put(&text, open.form, at, indent);
        if tag.attributes.ends_with('/') {
            self.put(&open.end, open.form, at, indent);
        } else {
            open.indent = self.extra_behind(at);
            self.open.push(open);
        }
    }

    /// Adds what stands for a tag at `at`.
    fn put(&mut self, by: &str, form: Form, at: usize, indent: &str) {
        let line = self.reshaped.text.rsplit('\n').next().unwrap_or_default();
        match form {
            _ if by.is_empty() => {}
            Form::Inline => self.reshaped.put(by, at),
            Form::Item if line.trim().is_empty() => self.reshaped.put(by, at),
            Form::Item => self.reshaped.put(&format!("\n{indent}{by}"), at),
            // Whatever stands around it.
            Form::Block => self.reshaped.put(&format!("\n\n{indent}{by}\n\n{indent}"), at),
        }
    }

    /// By how much the line that follows a tag at `at` is indented more than that of the tag, if that is the end of its line.
    fn extra_behind(&self, at: usize) -> usize {
        let line_start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let tag_end = at + tag(&self.text[at..]).map_or(0, |(length, _)| length);
        let Some((rest, following)) = self.text[tag_end..].split_once('\n') else {
            return 0;
        };
        let next = following.lines().find(|line| !line.trim().is_empty());
        match next {
            Some(next) if rest.trim().is_empty() => {
                let own = self.text[line_start..at].len();
                indent(next).saturating_sub(own)
            }
            _ => 0,
        }
    }

    fn copy(&mut self, start: usize, end: usize) {
        self.reshaped.copy(self.text, start..end);
    }
}

/// What Fumadocs has behind a heading, where nothing else follows: `[#id]`, and `[toc]` or `[!toc]`, which list the heading or not. The
/// length of all of them, and the id.
fn heading_marks(text: &str) -> Option<(usize, Option<&str>)> {
    let mut rest = text.trim_end();
    let length = rest.len();
    let mut id = None;
    for _ in 0..MOST_MARKS {
        if rest.is_empty() {
            break;
        }
        let inner = rest.strip_prefix('[')?;
        let (mark, behind) = inner.split_at(inner.find(['[', ']'])?);
        match mark.strip_prefix('#') {
            // `[#12]` is the number of something.
            Some(name) if name.starts_with(|c: char| c.is_alphabetic()) && !name.contains(['}', ' ']) => {
                id = Some(name);
            }
            _ if matches!(mark, "toc" | "!toc") => {}
            _ => return None,
        }
        rest = behind.strip_prefix(']')?.trim_start();
    }
    rest.is_empty().then_some((length, id))
}

/// Behind a heading.
const MOST_MARKS: usize = 2;

fn indent(line: &str) -> usize {
    line.bytes()
        .take_while(|byte| matches!(byte, b' ' | b'\t'))
        .count()
}

/// The tag of a component.
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    pub(super) is_end: bool,
    pub(super) attributes: &'a str,
}

impl<'a> Tag<'a> {
    fn is_component(&self) -> bool {
        self.name.starts_with(|c: char| c.is_ascii_uppercase())
    }

    /// The value of the first of these attributes that there is, as it is written.
    pub(super) fn written(&self, names: &[&str]) -> Option<&'a str> {
        let attributes = expressions::attributes(self.attributes);
        let of_name = |name: &&str| attributes.iter().find(|(found, _)| found == name);
        let (_, value) = names.iter().find_map(of_name)?;
        Some(&self.attributes[value.clone()])
    }

    /// Whether an attribute stands there, and not as `{false}`.
    pub(super) fn is_set(&self, name: &str) -> bool {
        let value = self.written(&[name]).and_then(expressions::program);
        let mut words = self.attributes.split([' ', '\n', '\t', '/']);
        value.map_or_else(|| words.any(|word| word == name), |program| program != "false")
    }

    /// The text of the first of these attributes that has one.
    pub(super) fn value(&self, names: &[&str]) -> Option<&'a str> {
        names
            .iter()
            .find_map(|name| expressions::text(self.written(&[name])?))
    }
}

/// The tag of an element without the programs in it, if there are any, and the program in the place of its address, if none can be seen
/// in it. Texts, numbers and addresses that a program stands for are kept; for Markdown, any other one would make a text of the tag.
fn without_programs<'a>(element: &Tag<'a>, addresses: &Addresses<'_>) -> (Option<String>, Option<&'a str>) {
    let mut by = format!("<{}", element.name);
    let mut unknown = None;
    let mut copied = 0;
    for (name, value) in expressions::attributes(element.attributes) {
        let written = &element.attributes[value.clone()];
        let Some(program) = expressions::program(written) else {
            continue;
        };
        let said = match name {
            "src" | "href" => {
                let said = addresses.of_program(program);
                if said.is_none() {
                    unknown = Some(program);
                }
                said
            }
            _ if !program.is_empty() && program.bytes().all(|byte| byte.is_ascii_digit()) => Some(program),
            _ => expressions::text(written),
        };
        let quote = ['"', '\'']
            .into_iter()
            .find(|quote| said.is_some_and(|said| !said.contains(*quote)));
        let before = &element.attributes[copied..value.start];
        match (said, quote) {
            (Some(said), Some(quote)) => by.push_str(&format!("{before}{quote}{said}{quote}")),
            _ => {
                let kept = before.trim_end().trim_end_matches('=').trim_end();
                by.push_str(kept.strip_suffix(name).unwrap_or(kept).trim_end());
            }
        }
        copied = value.end;
    }
    by.push_str(&element.attributes[copied..]);
    by.push('>');
    ((copied > 0).then_some(by), unknown)
}

/// A text as Markdown that shows it as it is.
pub(super) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => plain.push(' '),
            c => {
                if matches!(c, '\\' | '<' | '>' | '*' | '_' | '[' | ']' | '`' | '&' | '$') {
                    plain.push('\\');
                }
                plain.push(c);
            }
        }
    }
    plain
}

pub(super) fn with_attribute(tag: &str, name: &str, value: Option<&str>) -> String {
    match value {
        Some(value) if !value.contains(['"', '\n']) => format!("<{tag} {name}=\"{value}\">"),
        Some(value) if !value.contains(['\'', '\n']) => format!("<{tag} {name}='{value}'>"),
        _ => format!("<{tag}>"),
    }
}

/// The element of a picture. Its text has the entities of MDX, which are those of HTML.
pub(super) fn image(address: &str, alt: &str) -> String {
    let alt = alt.replace('"', "&quot;").replace('\n', " ");
    format!("<img src=\"{address}\" alt=\"{alt}\">")
}

/// Whether the line before is one of HTML.
pub(super) fn is_behind_html(text: &str) -> bool {
    let before = text.lines().next_back().unwrap_or_default();
    before.trim_start().starts_with('<')
}

/// A line that imports or exports. Sentences begin with a capital.
fn is_module(line: &str) -> bool {
    ["import ", "import{", "import\n", "export "]
        .iter()
        .any(|word| line.starts_with(word))
}

/// Whether a text ends with a comment that has its lines for itself: what follows it is no part of a paragraph.
fn ends_comment(text: &str) -> bool {
    let text = text.trim_end();
    let start = match text.ends_with("*/}") {
        true => text.rfind("{/*"),
        false if text.ends_with("-->") => text.rfind("<!--"),
        false => None,
    };
    start.is_some_and(|start| text[..start].ends_with('\n') || start == 0)
}

/// Of code in a line: up to as many marks as it starts with, in the same paragraph.
pub(super) fn code_length(text: &str) -> Option<usize> {
    let marks = text.bytes().take_while(|byte| *byte == b'`').count();
    let mut at = marks;
    // Its paragraph ends at an empty line, which is looked for no further than the end of the code.
    while let Some(found) = text[at..].find(['`', '\n']) {
        at += found;
        if text[at..].starts_with("\n\n") {
            break;
        }
        let length = text[at..].bytes().take_while(|byte| *byte == b'`').count();
        at += length.max(1);
        if length == marks {
            return Some(at);
        }
    }
    Some(marks)
}

fn comment_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("{/*")?;
    inner.find("*/}").map(|length| length + 6)
}

/// The tag of a component at the start of `text`, and its length.
pub(super) fn tag(text: &str) -> Option<(usize, Tag<'_>)> {
    any_tag(text).filter(|(_, tag)| tag.is_component())
}

/// The tag that begins an element of HTML, at the start of `text`, and its length.
fn element(text: &str) -> Option<(usize, Tag<'_>)> {
    any_tag(text).filter(|(_, tag)| !tag.is_end && !tag.is_component())
}

/// The tag at the start of a text, and its length.
pub(super) fn any_tag(text: &str) -> Option<(usize, Tag<'_>)> {
    let inner = text.strip_prefix('<')?;
    let is_end = inner.starts_with('/');
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    if !inner.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let name_length = inner
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_')))
        .unwrap_or(inner.len());
    let (name, rest) = inner.split_at(name_length);
    let length = attributes_length(rest)?;
    let tag = Tag {
        name,
        is_end,
        attributes: &rest[..length],
    };
    Some((text.len() - rest.len() + length + 1, tag))
}

/// Up to the `>` that ends a tag: not one in a string, nor in an expression.
fn attributes_length(text: &str) -> Option<usize> {
    // `<T>` is a tag, `<Type, more` and `<A@b>` are none.
    if !text.starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/')) {
        return None;
    }
    let mut depth = 0usize;
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(c),
            (None, '{') => depth += 1,
            (None, '}') => depth = depth.checked_sub(1)?,
            (None, '>') if depth == 0 => return Some(at),
            (None, '<') if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
pub(super) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a text becomes, without empty lines in a row and spaces at ends, and what is left out.
    pub(crate) fn read(text: &str) -> (String, String) {
        let Shown {
            reshaped, left_out, ..
        } = markdown(text, 0);
        let mut lines: Vec<&str> = reshaped.text.split('\n').map(str::trim_end).collect();
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        let names: Vec<String> = left_out.into_iter().collect();
        (lines.join("\n"), names.join(" "))
    }

    pub(crate) fn check(text: &str, expected: &str) {
        assert_eq!(read(text).0, expected, "{text}");
    }

    #[test]
    fn modules_and_comments_are_left_out() {
        check(
            "import A from 'a';\nimport {\n  B,\n} from 'b';\n\nText\n",
            "\nText\n",
        );
        check("Text\n\nexport const a = 1;\n\nText\n", "Text\n\nText\n");
        check("import\nA from 'a';\n\nText\n", "\nText\n");
        check(
            "<!-- a\nb -->\nimport A from 'a'; import B from 'b'\n\n{/* c */}\nimport D from 'd'\n\nText\n",
            "<!-- a\nb -->\n\nText\n",
        );
        check(
            "We <!-- a -->\nimport things {/* b */}\nimport.\n",
            "We <!-- a -->\nimport things\nimport.\n",
        );
        check("We\nimport things.\n", "We\nimport things.\n");
        check("Imports are text.\n", "Imports are text.\n");
        check("a {/* b\n\nc */} d {e}\n", "a  d {e}\n");
        check("a {/* b\n", "a {/* b\n");
    }

    #[test]
    fn headings_of_fumadocs_say_their_ids() {
        check("## A *b* [#c-d]\nx", "## A *b* {#c-d}\nx");
        check("# A [toc] [#b]  \n", "# A {#b}\n");
        check("# A [!toc]", "# A");
        for other in [
            "# A [#12]",
            "# A [#b] c",
            "# A [x]",
            "A [#b]",
            "#A [#b]",
            "# A [#b](c)",
            "# A [#b",
            "`# A [#b]`",
            "# A [#b[c]",
        ] {
            check(other, other);
        }
    }

    #[test]
    fn tabs_are_tabs() {
        check(
            "<Tabs groupId=\"os\">\n<TabItem value=\"a\" label='The \"A\"' default>\n\nText\n\n</TabItem>\n</Tabs>\n",
            "\n<tabs group=\"os\">\n\n<tab title='The \"A\"' open>\n\nText\n\n</tab>\n\n</tabs>\n",
        );
        check(
            "<Tabs\n  syncKey={'os'}\n  values={[{a: '>'}]}>\nx",
            "\n<tabs group=\"os\">\n\nx",
        );
        check(
            "<TabItem value=\"a\">b</TabItem>",
            "\n<tab title=\"a\">\n\nb\n\n</tab>\n",
        );
        check("<TabItem mylabel=\"a\">", "\n<tab>\n");
    }

    #[test]
    fn what_is_indented_for_its_component_is_no_code() {
        check(
            "<Tabs>\n  <TabItem label=\"A\">\n    One:\n\n    1. Two\n\n       ```\n         x\n       ```\n  </TabItem>\n</Tabs>\n\n    code\n",
            "\n<tabs>\n\n<tab title=\"A\">\n\nOne:\n\n1. Two\n\n   ```\n     x\n   ```\n\n</tab>\n\n</tabs>\n\n    code\n",
        );
        check(
            "- a\n\n  <Tabs>\n    <TabItem label=\"A\">b</TabItem>\n  </Tabs>\n",
            "- a\n\n  <tabs>\n\n  <tab title=\"A\">\n\n  b\n\n  </tab>\n\n  </tabs>\n",
        );
    }

    #[test]
    fn what_is_indented_by_tabs_is_no_code_either() {
        check(
            "<Tabs>\n\t<TabItem label=\"A\">\n\t\tOne\n\n\t\t- Two\n\t</TabItem>\n</Tabs>\n",
            "\n<tabs>\n\n<tab title=\"A\">\n\nOne\n\n- Two\n\n</tab>\n\n</tabs>\n",
        );
    }

    #[test]
    fn other_components_give_way_to_what_they_hold() {
        let (text, left_out) =
            read("<Panel title=\"<One>\" on={() => x}>\n  Some *text* <Icon.Star /> and <br/>\n</Panel>\n");
        assert_eq!(text, "\nSome *text*  and <br/>\n");
        assert_eq!(left_out, "Icon.Star Panel");
        for text in [
            "a <B",
            "List<String, X>",
            "a < B and C > d",
            "<https://a.example>",
            "<Ab@c.example>",
        ] {
            check(text, text);
        }
    }

    #[test]
    fn pictures_that_programs_name_are_pictures() {
        let modules = "import flow from './flow.png';\nimport Logo from './logo.svg';\nimport Other from './other';\n\n";
        let check = |text: &str, expected: &str, left_out: &str| {
            let (found, names) = read(&format!("{modules}{text}"));
            assert_eq!(
                (found.trim_start(), names.as_str()),
                (expected, left_out),
                "{text}"
            );
        };
        check(
            "<img src={flow} alt=\"A\" width={300} style={{ a: 1 }} />\n",
            "<img src=\"./flow.png\" alt=\"A\" width=\"300\" />\n",
            "",
        );
        check(
            "a <img alt={'A'} src={require(\"@site/static/a.png\").default}/> <a href={useBaseUrl('/b.pdf')}>b</a>\n",
            "a <img alt=\"A\" src=\"@site/static/a.png\"/> <a href=\"/b.pdf\">b</a>\n",
            "",
        );
        check("<img src={other} />", "<img />", "");
        check("<img src='a.png' />", "<img src='a.png' />", "");
        check(
            "<Logo title='The \"logo\"' />",
            "<img src=\"./logo.svg\" alt=\"The &quot;logo&quot;\">",
            "",
        );
        check(
            "<Image src={flow} alt=\"A\n&lt;\">\n  b\n</Image>\n",
            "<img src=\"./flow.png\" alt=\"A &lt;\">\nb\n",
            "",
        );
        check(
            "<IdealImage img={require('../a.png')} />",
            "<img src=\"../a.png\" alt=\"\">",
            "",
        );
        check("<Image src={other} /><Other />", "", "Image Other");
        check(
            "<ThemedImage alt=\"A\" sources={{\n  light: useBaseUrl('/a.png'),\n  dark: flow,\n}} />",
            "<img src=\"/a.png#only-light\" alt=\"A\"><img src=\"./flow.png#only-dark\" alt=\"A\">",
            "",
        );
        check("<ThemedImage sources={sources} />", "", "ThemedImage");
        check("`<img src={flow} />`", "`<img src={flow} />`", "");
    }

    #[test]
    fn programs_are_no_part_of_an_element() {
        for (text, expected) in [
            (
                "<img src=\"a.png\" style={{float: 'right'}} />",
                "<img src=\"a.png\" />",
            ),
            (
                "<a style={{ a: { b: '>' } }} href=\"b\">c</a>",
                "<a href=\"b\">c</a>",
            ),
            (
                "<button onClick={async () => { await a('}') }}>b</button>",
                "<button>b</button>",
            ),
            (
                "<div\n  className={a(b)}\n\n  style={{\n\n    c: 1,\n  }}\n  id={'d'}\n>\ne",
                "<div\n  id=\"d\"\n>\ne",
            ),
            ("<p {...a} {...{ b: '>' }} c>", "<p c>"),
            ("<b title={'a \"b\"'} d={`'\"`}/>", "<b title='a \"b\"'/>"),
            ("<i a = {b}>", "<i>"),
            ("<T a={b}", "<T a={b}"),
            ("a <b && {c}>", "a <b &&>"),
            ("`<i a={b}>`", "`<i a={b}>`"),
        ] {
            check(text, expected);
        }
    }

    #[test]
    fn addresses_that_cannot_be_seen_are_named() {
        let text = "import a from './a.png';\n\n<img src={a} /> é <img src={ b() } alt={'B'} />\n<a href={c}>c</a> <b id={d} />\n";
        let unknown: Vec<_> = markdown(text, 0)
            .unknown
            .into_iter()
            .map(|(at, program)| {
                (
                    text[at..].split(' ').next().unwrap_or_default().to_owned(),
                    program,
                )
            })
            .collect();
        let expected = [("<img", "b()"), ("<a", "c")];
        assert_eq!(
            unknown,
            expected.map(|(at, program)| (at.to_owned(), program.to_owned()))
        );
    }

    #[test]
    fn a_part_shows_its_own_pictures() {
        let modules = "import flow from './flow.png';\nimport Logo from './logo.svg';\n\n";
        for (text, expected) in [
            ("é <img src={flow} /> b", "é <img src=\"./flow.png\" /> b"),
            (
                "<Logo\n  title='A'\n/>\n<Other /> <b>",
                "<img src=\"./logo.svg\" alt=\"A\">\n<Other /> <b>",
            ),
            ("`<Logo />` <img src={x} />", "`<Logo />` <img src={x} />"),
            ("```\n<Logo />\n```\n</Logo>", "```\n<Logo />\n```\n</Logo>"),
        ] {
            assert_eq!(
                with_pictures(&format!("{modules}{text}")),
                format!("{modules}{expected}")
            );
        }
    }

    #[test]
    fn a_place_is_that_in_the_file() {
        let text =
            "import a\n\n<Tabs>\n    <TabItem label=\"é\">\n        - ü **x**\n    </TabItem>\n</Tabs>\n";
        let Shown { reshaped, .. } = markdown(text, 0);
        for part in ["ü **x**", "- ü"] {
            let at = reshaped.text.find(part).unwrap();
            assert_eq!(&text[reshaped.place(&(at..at + part.len()))], part);
        }
        let tag = reshaped.text.find("<tab ").unwrap();
        assert!(text[reshaped.place(&(tag..tag + 4)).start..].starts_with("<TabItem"));
        let end = reshaped.text.len();
        assert_eq!(reshaped.place(&(end..end)), text.len()..text.len());
    }

    #[test]
    fn code_is_code() {
        for text in [
            "```jsx\nimport A from 'a';\n\n<Card>{/* x */}</Card>\n```\n",
            "~~~~\n<Card>\n~~~\n</Card>\n~~~~\n",
            "  ```\n  <Card>\n",
            "a `<Card>` and ``{/* ` */}`` b\n",
        ] {
            check(text, text);
        }
        check("```\na\n```\n<Card>\n", "```\na\n```\n");
        check("a ` b <Card>\n", "a ` b\n");
    }

    proptest! {
        #[test]
        fn places_stay_what_they_are(pieces in proptest::collection::vec(prop_oneof![
            Just("<Tabs groupId=\"é\">"), Just("<TabItem label='"), Just("</TabItem>"), Just("<Card"), Just(">"), Just("{/*"), Just("*/}"),
            Just("{"), Just("}"), Just("`"), Just("```"), Just("\n"), Just("\n\n"), Just("import a"), Just("é"), Just("\""), Just(" "), Just("\t"), Just("<LinkCard title=\"[é\" "), Just("<img src={"), Just("<Image src={'./é'}"), Just("<CodeGroup>"), Just("``` a "), Just("</CodeGroup>"), Just("<Step title='é'>"), Just("<File name='é'/>"),
        ], 0..24)) {
            let text = pieces.concat();
            let Shown { reshaped, .. } = markdown(&text, 0);
            with_pictures(&text);
            reshaped.assert_places(&text);
        }
    }
}
