//! Blocks of GitBook, and what Jekyll's pages have of Liquid, as far as a page can show them without running templates:
//!
//! ```text
//! {% hint style="info" %}
//! Markdown
//! {% endhint %}
//!
//! See [the guide]({% link guide.md %}) and [the start]({{ site.baseurl }}/start).
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::reshaped::Reshaped;
use super::{diagram, fence, line_at, mdx};

/// A text as Markdown.
#[derive(Debug)]
pub(super) struct Shown {
    pub(super) reshaped: Reshaped,
    /// The tags of which nothing is known.
    pub(super) left_out: BTreeSet<String>,
}

/// Those that only GitBook has: they are read wherever they stand.
const OF_GITBOOK: [&str; 14] = [
    "code",
    "column",
    "columns",
    "content-ref",
    "embed",
    "file",
    "hint",
    "step",
    "stepper",
    "swagger",
    "tab",
    "tabs",
    "update",
    "updates",
];

const DETAILS_END: &str = "</details>";

/// The text as Markdown; `None` where it has nothing of these. What stands before `body_at` stays. With what Jekyll knows of its site, all
/// tags are read.
pub(super) fn markdown(
    text: &str,
    body_at: usize,
    jekyll: Option<&BTreeMap<String, String>>,
) -> Option<Shown> {
    let is_jekyll = jekyll.is_some();
    let body = &text[body_at..];
    let signs: &[&str] = if is_jekyll {
        &["{%", "{{", "{:", "</"]
    } else {
        &["{%"]
    };
    if !signs.iter().any(|sign| body.contains(sign)) {
        return None;
    }
    let mut reader = Reader {
        text,
        jekyll,
        reshaped: Reshaped::default(),
        left_out: BTreeSet::new(),
        copied: 0,
        address_end: 0,
        is_raw: false,
        title: None,
        last_details_end: text.rfind(DETAILS_END).unwrap_or_default(),
        last_ends: ["%}", "}}"].map(|end| text.rfind(end).unwrap_or_default()),
        without_end: BTreeSet::new(),
        is_used: false,
    };
    reader.read(body_at);
    reader.copy_to(text.len());
    reader.reshaped.copy(text, text.len()..text.len());
    reader.is_used.then_some(Shown {
        reshaped: reader.reshaped,
        left_out: reader.left_out,
    })
}

/// What is between `{%` and `%}`.
#[derive(Debug, PartialEq)]
struct Tag<'a> {
    name: &'a str,
    arguments: &'a str,
}

impl<'a> Tag<'a> {
    /// The tag at the start of a text, and its length.
    fn at(text: &'a str) -> Option<(usize, Self)> {
        let inner = text.strip_prefix("{%")?;
        let end = inner.find("%}")?;
        let written = inner[..end].trim_matches('-').trim();
        let name_end = written
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_')))
            .unwrap_or(written.len());
        let (name, arguments) = written.split_at(name_end);
        let tag = Self {
            name,
            arguments: arguments.trim(),
        };
        (!name.is_empty()).then_some((end + 4, tag))
    }

    /// The value of an argument with a name, in quotes.
    fn value(&self, name: &str) -> Option<&'a str> {
        let mut from = 0;
        while let Some(found) = self.arguments[from..].find(name) {
            let at = from + found;
            from = at + name.len();
            let is_whole = at == 0 || self.arguments[..at].ends_with(char::is_whitespace);
            let value = self.arguments[from..].trim_start().strip_prefix('=');
            if let Some(value) = value.filter(|_| is_whole) {
                let value = value.trim_start();
                let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                return value[1..].split(quote).next().filter(|value| !value.is_empty());
            }
        }
        None
    }
}

struct Reader<'a> {
    text: &'a str,
    /// What pages of Jekyll can show of their site.
    jekyll: Option<&'a BTreeMap<String, String>>,
    reshaped: Reshaped,
    left_out: BTreeSet<String>,
    /// How far the text has been taken over.
    copied: usize,
    /// Where the last part of an address ends that is left out.
    address_end: usize,
    /// Between `{% raw %}` and its end, where nothing is read.
    is_raw: bool,
    /// What the next block of code is called.
    title: Option<&'a str>,
    /// Where the last tag and the last output end: nobody looks for an end behind it again.
    last_ends: [usize; 2],
    /// The same of the last folded part.
    last_details_end: usize,
    /// The ends of blocks that are not there in the rest of the text.
    without_end: BTreeSet<&'static str>,
    is_used: bool,
}

impl<'a> Reader<'a> {
    fn read(&mut self, body_at: usize) {
        let mut at = body_at;
        let mut opened = None;
        while at < self.text.len() {
            let line = line_at(self.text, at);
            let end = at + line.len();
            match opened {
                Some(marks) => {
                    if fence::ends(line, marks) {
                        opened = None;
                    }
                    self.read_code(at..end);
                }
                None if fence::marks(line).is_some() => {
                    opened = fence::marks(line);
                    // For CommonMark it would be part of the HTML.
                    if self.jekyll.is_some() && mdx::is_behind_html(&self.text[..at]) {
                        self.replace(at..at, "\n");
                    }
                    if let Some(title) = self.title.take() {
                        let info_end = at + line.trim_end().len();
                        self.replace(info_end..info_end, &format!(" title=\"{title}\""));
                    }
                }
                None => {
                    at = match self.contents_at(at) {
                        Some(length) => {
                            self.replace(at..at + length, "");
                            at + length
                        }
                        None => {
                            // For CommonMark it would be part of the HTML.
                            if self.jekyll.is_some()
                                && line.trim_start().starts_with("{:")
                                && is_behind_tag(&self.text[..at])
                            {
                                self.replace(at..at, "\n");
                            }
                            let read_to = self.read_line(at..end);
                            if self.jekyll.is_some() && has_markdown(line) {
                                self.replace(read_to..read_to, "\n");
                            }
                            read_to
                        }
                    };
                    continue;
                }
            }
            at = end;
        }
    }

    /// The length of the folded table of contents at `at`, as Just the Docs recommends it: pages have one anyway.
    fn contents_at(&self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let is_read = self.jekyll.is_some() && !self.is_raw && at < self.last_details_end;
        let length = rest
            .find(DETAILS_END)
            .filter(|_| is_read && rest.starts_with("<details"))?
            + DETAILS_END.len();
        let mut lines = rest[..length].lines();
        lines.any(|line| line.trim() == "{:toc}").then_some(length)
    }

    /// Up to the end of a line, or of what begins in it and goes on behind it.
    fn read_line(&mut self, line: Range<usize>) -> usize {
        let text = &self.text[line.clone()];
        let indent = &text[..text.len() - text.trim_start_matches([' ', '\t']).len()];
        let mut at = line.start;
        while at < line.end {
            let rest = &self.text[at..];
            let length = if rest.starts_with('`') {
                let length = mdx::code_length(rest).unwrap_or(1);
                self.read_code(at..at + length);
                length
            } else if let Some((length, tag)) = self.tag(at) {
                self.read_tag(&tag, at, length, indent)
            } else if let Some((length, by)) = self.output(at) {
                let is_address = self.is_address(line.start, at);
                if is_address {
                    self.address_end = at + length;
                }
                self.replace(at..at + length, by.shown(is_address));
                length
            } else if let Some(length) = extension(rest)
                .or_else(|| attributes_of_span(&self.text[line.start..at], rest))
                .filter(|_| self.jekyll.is_some() && !self.is_raw)
            {
                self.replace(at..at + length, "");
                length
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            at += length;
        }
        at
    }

    fn tag(&self, at: usize) -> Option<(usize, Tag<'a>)> {
        let [last_end, _] = self.last_ends;
        (at < last_end).then(|| Tag::at(&self.text[at..])).flatten()
    }

    fn output(&self, at: usize) -> Option<(usize, Output<'a>)> {
        let [_, last_end] = self.last_ends;
        let site = self.jekyll.filter(|_| !self.is_raw && at < last_end)?;
        Output::at(&self.text[at..], site)
    }

    /// Whether what stands at `at` begins the address of a link, or goes on with one.
    fn is_address(&self, line_start: usize, at: usize) -> bool {
        let before = self.text[line_start..at].trim_end();
        self.address_end == at
            || before.ends_with(['(', '<', '"', '\'', '='])
            || before.trim_start().starts_with('[') && before.ends_with("]:")
    }

    /// Code is as it is, but for the marks around what Jekyll does not read, and what it says of the site.
    fn read_code(&mut self, code: Range<usize>) {
        let mut at = code.start;
        while let Some(found) = self.text[at..code.end]
            .find('{')
            .filter(|_| self.jekyll.is_some())
        {
            at += found;
            if let Some((length, by)) = self.output(at).filter(|(length, _)| at + length <= code.end) {
                self.replace(at..at + length, by.shown(false));
                at += length;
                continue;
            }
            let Some((length, tag)) = self.tag(at).filter(|(length, _)| at + length <= code.end) else {
                at += 1;
                continue;
            };
            if tag.name == "endraw" || tag.name == "raw" && !self.is_raw {
                self.is_raw = tag.name == "raw";
                self.replace(at..at + length, "");
            }
            at += length;
        }
    }

    /// A part of the text that is code, with what it says of the site.
    fn with_outputs(&self, code: Range<usize>) -> String {
        let mut text = String::new();
        let mut at = code.start;
        while let Some(found) = self.text[at..code.end].find("{{") {
            text.push_str(&self.text[at..at + found]);
            at += found;
            match self.output(at).filter(|(length, _)| at + length <= code.end) {
                Some((length, by)) => {
                    text.push_str(by.shown(false));
                    at += length;
                }
                None => {
                    text.push_str("{{");
                    at += 2;
                }
            }
        }
        text.push_str(&self.text[at..code.end]);
        text
    }

    /// Writes what stands for the tag at `at`. How far it has been read.
    fn read_tag(&mut self, tag: &Tag<'a>, at: usize, length: usize, indent: &str) -> usize {
        let place = at..at + length;
        let name = tag.name.strip_prefix("end").unwrap_or(tag.name);
        let is_end = name.len() < tag.name.len();
        let is_known = OF_GITBOOK.contains(&name);
        if !(is_known || self.jekyll.is_some()) || self.is_raw && tag.name != "endraw" {
            return length;
        }
        let block = match (name, is_end) {
            ("raw", _) => {
                self.is_raw = !is_end;
                String::new()
            }
            ("hint", false) => match tag.value("style") {
                Some("warning") => ":::warning",
                Some("danger") => ":::danger",
                Some("success") => ":::tip[Success]",
                _ => ":::info",
            }
            .to_owned(),
            ("hint", true) => ":::".to_owned(),
            ("tabs", false) => "<tabs>".to_owned(),
            ("tabs", true) => "</tabs>".to_owned(),
            ("tab", false) => mdx::with_attribute("tab", "title", tag.value("title")),
            ("tab", true) => "</tab>".to_owned(),
            ("code", false) => {
                self.title = tag.value("title").filter(|title| !title.contains('"'));
                String::new()
            }
            ("embed" | "file", false) => address(
                tag.value("url").or_else(|| tag.value("src")),
                tag.value("caption"),
            ),
            ("update", false) => tag
                .value("date")
                .map_or_else(String::new, |date| format!("**{}**", mdx::plain(date))),
            _ if is_known => String::new(),
            ("highlight" | diagram::LANGUAGE, false) => {
                let Some(end) = self.end_of(
                    if name == diagram::LANGUAGE {
                        "endmermaid"
                    } else {
                        "endhighlight"
                    },
                    place.end,
                ) else {
                    return length;
                };
                let inside = match self.text[place.end..end.start].contains("{% raw %}") {
                    true => self.text[place.end..end.start].to_owned(),
                    false => self.with_outputs(place.end..end.start),
                };
                let language = match name {
                    diagram::LANGUAGE => name,
                    _ => tag.arguments.split_whitespace().next().unwrap_or_default(),
                };
                let code = inside.trim_matches('\n').trim_end();
                let code = code.replace("{% raw %}", "").replace("{% endraw %}", "");
                self.replace(at..end.end, &format!("\n\n~~~~{language}\n{code}\n~~~~\n\n"));
                return end.end - at;
            }
            ("link" | "post_url", false) => {
                let path = tag.arguments.trim_matches(['"', '\'']);
                self.replace(place, &format!("@site/{}", path.trim_start_matches('/')));
                return length;
            }
            ("comment", false) => {
                let end = self
                    .end_of("endcomment", place.end)
                    .map_or(place.end, |end| end.end);
                self.replace(at..end, "");
                return end - at;
            }
            // These show nothing.
            ("assign" | "comment" | "highlight", _) | (_, true) => String::new(),
            _ => {
                self.left_out.insert(name.to_owned());
                tag.value("content")
                    .or_else(|| tag.value("text"))
                    .map_or_else(String::new, str::to_owned)
            }
        };
        if block.is_empty() {
            self.replace(place, "");
        } else {
            self.replace(place, &format!("\n\n{indent}{block}\n\n{indent}"));
        }
        length
    }

    /// Where the next tag of this name is behind `from`.
    fn end_of(&mut self, name: &'static str, from: usize) -> Option<Range<usize>> {
        if self.without_end.contains(name) {
            return None;
        }
        let found = self.text[from..].match_indices("{%").find_map(|(at, _)| {
            let (length, tag) = self.tag(from + at)?;
            (tag.name == name).then(|| from + at..from + at + length)
        });
        if found.is_none() {
            self.without_end.insert(name);
        }
        found
    }

    fn replace(&mut self, place: Range<usize>, by: &str) {
        self.copy_to(place.start);
        self.reshaped.put(by, place.start);
        self.copied = place.end;
        self.is_used = true;
    }

    fn copy_to(&mut self, end: usize) {
        self.reshaped.copy(self.text, self.copied..end);
        self.copied = end;
    }
}

/// Whether the line before is a tag and nothing else.
fn is_behind_tag(text: &str) -> bool {
    let before = text.lines().next_back().unwrap_or_default().trim();
    before.starts_with("<") && before.ends_with('>') && before.matches('<').count() == 1
}

/// Whether a line is a tag whose element holds Markdown, which for CommonMark begins behind an empty line.
fn has_markdown(line: &str) -> bool {
    let line = line.trim();
    let values = ["markdown=\"1\"", "markdown=\"block\"", "markdown='1'"];
    line.starts_with('<')
        && line.ends_with('>')
        && !line.contains("</")
        && values.iter().any(|value| line.contains(value))
}

/// The length of the list of attributes behind an emphasis, code or an element. Those of links and pictures may have a width, and are left
/// for later.
fn attributes_of_span(before: &str, text: &str) -> Option<usize> {
    let inner = text
        .strip_prefix("{:")
        .filter(|_| before.ends_with(['*', '_', '`', '>']))?;
    let end = inner
        .find(['}', '\n'])
        .filter(|end| inner[*end..].starts_with('}'))?;
    (!before.trim_start_matches(['>', ' ', '\t']).is_empty()).then_some(end + 3)
}

/// The length of what kramdown is told of the text around it: `{::nomarkdown}`, `{:/}`, `{::options toc_levels="2..4" /}`. A comment is
/// left out with what it holds.
fn extension(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("{:")?;
    let is_end = inner.starts_with('/');
    let name = inner.strip_prefix([':', '/'])?;
    let end = name
        .find(['}', '\n'])
        .filter(|end| name[*end..].starts_with('}'))?;
    let length = end + 4;
    let name = name[..end].split_whitespace().next().unwrap_or_default();
    match name {
        "comment" if !is_end => {
            let inside = text[length..].find("{:/").map(|at| length + at)?;
            Some(inside + text[inside..].find('}')? + 1)
        }
        "nomarkdown" | "options" | "comment" => Some(length),
        "" if is_end => Some(length),
        _ => None,
    }
}

/// A link to what a page shows from elsewhere.
fn address(to: Option<&str>, caption: Option<&str>) -> String {
    let Some(to) = to.filter(|to| !to.contains(['<', '>', '\n'])) else {
        return String::new();
    };
    let name = caption.unwrap_or_else(|| to.rsplit('/').find(|name| !name.is_empty()).unwrap_or(to));
    format!("[{}](<{to}>)", mdx::plain(name))
}

/// What Jekyll puts in the place of `{{ site.name }}` and of `{{ '/a' | relative_url }}`.
#[derive(Debug, PartialEq)]
enum Output<'a> {
    Text(&'a str),
    /// What addresses of the site begin with. Pages have theirs without it.
    Base(&'a str),
}

impl<'a> Output<'a> {
    /// That at the start of a text, with its length; `None` for what a program would have to say.
    fn at(text: &'a str, site: &'a BTreeMap<String, String>) -> Option<(usize, Self)> {
        let inner = text.strip_prefix("{{")?;
        let end = inner.find("}}")?;
        let written = inner[..end].trim_matches('-').trim();
        let value = |name: &str| site.get(name).map(String::as_str);
        let said = match written {
            "site.baseurl" | "site.url" | "site.github.url" => {
                Self::Base(value(&written["site.".len()..]).unwrap_or_default())
            }
            _ => match written.strip_prefix("site.") {
                Some(name) => Self::Text(value(name)?),
                None => {
                    let (said, filter) = written.split_once('|')?;
                    let said = said.trim();
                    let quote = said.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                    let is_address = matches!(filter.trim(), "relative_url" | "absolute_url");
                    let said = said.strip_prefix(quote)?.strip_suffix(quote);
                    Self::Text(said.filter(|_| is_address)?)
                }
            },
        };
        Some((end + 4, said))
    }

    fn shown(&self, is_address: bool) -> &'a str {
        match self {
            Self::Text(text) => text,
            Self::Base(_) if is_address => "",
            Self::Base(base) => base,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a text becomes, without empty lines in a row and spaces at ends, and what is left out.
    fn read(text: &str, is_jekyll: bool) -> (String, String) {
        let site = BTreeMap::new();
        let Some(Shown { reshaped, left_out }) = markdown(text, 0, is_jekyll.then_some(&site)) else {
            return (text.to_owned(), String::new());
        };
        let mut lines: Vec<&str> = reshaped.text.split('\n').map(str::trim_end).collect();
        lines.dedup_by(|line, before| line.is_empty() && before.is_empty());
        let names: Vec<String> = left_out.into_iter().collect();
        (lines.join("\n").trim().to_owned(), names.join(" "))
    }

    fn check(is_jekyll: bool, text: &str, expected: &str) {
        assert_eq!(read(text, is_jekyll).0, expected, "{text}");
    }

    #[test]
    fn blocks_of_gitbook_are_what_they_say() {
        for (style, start) in [
            (" style=\"info\"", ":::info"),
            ("", ":::info"),
            (" style='warning' %", ":::warning"),
            (" style=\"danger\"", ":::danger"),
            (" icon=\"x\" style=\"success\"", ":::tip[Success]"),
        ] {
            let style = style.trim_end_matches(" %");
            check(
                false,
                &format!("{{% hint{style} %}}\nOne\n{{% endhint %}}\n"),
                &format!("{start}\n\nOne\n\n:::"),
            );
        }
        check(
            false,
            "{% tabs %}\n{% tab title=\"A \\ b\" %}\nOne\n{% endtab %}\n\n{% tab %}\nTwo\n{% endtab %}\n{% endtabs %}",
            "<tabs>\n\n<tab title=\"A \\ b\">\n\nOne\n\n</tab>\n\n<tab>\n\nTwo\n\n</tab>\n\n</tabs>",
        );
        check(
            false,
            "{% code subtitle=\"b\" title=\"a.js\" lineNumbers=\"true\" %}\n```js\nx\n```\n{% endcode %}\n\n```\ny\n```\n",
            "```js title=\"a.js\"\nx\n```\n\n```\ny\n```",
        );
        check(
            false,
            "{% content-ref url=\"a.md\" %}\n[a.md](a.md)\n{% endcontent-ref %}\n\n{% embed url=\"https://a.example/b/\" %}\n\n{% file src=\"../c.pdf\" caption=\"The *c*\" %}\n",
            "[a.md](a.md)\n\n[b](<https://a.example/b/>)\n\n[The \\*c\\*](<../c.pdf>)",
        );
        check(
            false,
            "{% stepper %}\n{% step %}\n### One\n{% endstep %}\n{% endstepper %}\n{% updates %}\n{% update date=\"2026-01-02\" %}\nx\n{% endupdate %}\n{% endupdates %}",
            "### One\n\n**2026-01-02**\n\nx",
        );
    }

    #[test]
    fn what_is_of_others_stays() {
        for text in [
            "{% raw %}a{% endraw %}",
            "`{% raw %}`",
            "{% if a %}b{% endif %}",
            "`{% hint %}`",
            "```\n{% hint %}\n```",
            "{% hint",
            "{% %} {{ site.baseurl }}",
        ] {
            check(false, text, text);
        }
    }

    #[test]
    fn pages_of_jekyll_have_their_addresses() {
        check(
            true,
            "[a]({% link b/c.md %}) [d]({{ site.baseurl }}/e) [f]({{ '/g' | relative_url }}) {% post_url 2020-01-02-h %} {{ page.i }}",
            "[a](@site/b/c.md) [d](/e) [f](/g) @site/2020-01-02-h {{ page.i }}",
        );
    }

    #[test]
    fn what_jekyll_does_not_read_is_shown() {
        check(
            true,
            "{% raw %}\n```liquid\n{{ site.baseurl }} {% if a %}\n```\n{% endraw %}\n`{% raw %}{% link %}{% endraw %}` {{ site.url }}x\n",
            "```liquid\n{{ site.baseurl }} {% if a %}\n```\n\n`{% link %}` x",
        );
        check(
            true,
            "{% raw %}{% link a.md %} {{ site.url }}{% endraw %}{{ site.url }} {% link a.md %}",
            "{% link a.md %} {{ site.url }} @site/a.md",
        );
        check(
            true,
            "```\n{% raw %}\n{{ a }}\n{% endraw %}\n```\n{% link a.md %}",
            "```\n\n{{ a }}\n\n```\n@site/a.md",
        );
    }

    #[test]
    fn code_of_jekyll_is_code() {
        check(
            true,
            "<div>\na\n</div>\n```\n</b>\n```\n",
            "<div>\na\n</div>\n\n```\n</b>\n```",
        );
        check(
            true,
            "{% highlight ruby linenos %}\n{% raw %}def a{% endraw %}\n  {{ b }}\n{%- endhighlight -%}\nc",
            "~~~~ruby\ndef a\n  {{ b }}\n~~~~\n\nc",
        );
        check(true, "{% highlight ruby %}\na", "{% highlight ruby %}\na");
        check(
            true,
            "{% mermaid %}\npie\n{% endmermaid %}",
            "~~~~mermaid\npie\n~~~~",
        );
    }

    #[test]
    fn what_kramdown_is_told_is_left_out() {
        for (text, expected) in [
            (
                "{::nomarkdown}<b>a</b>{:/} c {::nomarkdown}d{:/nomarkdown}",
                "<b>a</b> c d",
            ),
            ("{::options toc_levels=\"2..4\" /}\na", "a"),
            ("a {::comment}b\nc{:/comment}d {::comment}", "a d {::comment}"),
            ("`{:/}` {: .a } {:: {:/b}", "`{:/}` {: .a } {:: {:/b}"),
            (
                "<details open markdown=\"block\">\n<summary>\nContents\n</summary>\n{: .text-delta }\n1. TOC\n{:toc}\n</details>\na",
                "a",
            ),
            (
                "<details>\nb\n</details>\n{:toc}",
                "<details>\nb\n</details>\n\n{:toc}",
            ),
            (
                "**a**{: .b } <i>c</i>{:.d} `e`{: .f}\n> {: .g }",
                "**a** <i>c</i> `e`\n> {: .g }",
            ),
            (
                "<div markdown=\"1\">\na\n</div>\n",
                "<div markdown=\"1\">\n\na\n</div>",
            ),
        ] {
            check(true, text, expected);
        }
        check(false, "{:/}", "{:/}");
    }

    #[test]
    fn blocks_end_at_their_own_ends() {
        check(
            true,
            "{% comment %}a{% endcomment %}b{% comment %}c{% endcomment %}d{% comment %}e",
            "bde",
        );
        check(
            true,
            "{% highlight js %}\na\n{% endhighlight %}\n{% highlight js %}\nb\n{% endhighlight %}",
            "~~~~js\na\n~~~~\n\n~~~~js\nb\n~~~~",
        );
        // What only looks like the end of a tag is in the last one.
        check(true, "{% if a %}b{%endif%}", "b");
    }

    #[test]
    fn templates_give_way_to_what_they_hold() {
        let (text, left_out) = read(
            "{%- for a in b -%}\none\n{% endfor %}\n{% comment %} x {% endcomment %}{% assign c = 'd' %}\n{% include note.html content=\"Two\" %}\n",
            true,
        );
        assert_eq!(text, "one\n\nTwo");
        assert_eq!(left_out, "for include");
    }

    proptest! {
        #[test]
        fn places_stay_what_they_are(pieces in proptest::collection::vec(prop_oneof![
            Just("{% hint style=\"é\" %}"), Just("{% endhint %}"), Just("{% raw %}"), Just("{% endraw %}"), Just("{%"), Just("%}"), Just("{{"),
            Just("}}"), Just("{{ site.url }}"), Just("{{site.a}}"), Just("{% highlight é %}"), Just("{% endhighlight %}"), Just("{% comment %}"), Just("endcomment"),
            Just("{% code title=\"é\" %}"), Just("```"), Just("`"), Just("\n"), Just("é"), Just(" "), Just("{% link é %}"), Just("{::comment}"), Just("{:/}"), Just("<details"), Just("</details>"), Just("\n{:toc}\n"),
        ], 0..24), is_jekyll in proptest::bool::ANY) {
            let text = pieces.concat();
            let site = BTreeMap::from([("a".to_owned(), "é{{".to_owned())]);
            if let Some(shown) = markdown(&text, 0, is_jekyll.then_some(&site)) {
                shown.reshaped.assert_places(&text);
            }
        }
    }
}
