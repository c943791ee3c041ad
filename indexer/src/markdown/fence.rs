//! Code fences: the info string and the lines that are not shown.

use std::ops::RangeInclusive;

use super::diagram;
use super::line_marks::{LineMark, MarkedLines};

/// The info string of a fence: ` ```bash id=rank-1 expect=200 title="Ask for results" `.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Info {
    /// The language as written, in lower case; empty without one.
    pub(crate) language: String,
    /// The keys and values.
    pub(crate) attributes: Vec<(String, String)>,
    /// Words that are neither.
    pub(crate) strays: Vec<String>,
    /// The lines that comments in the code mark.
    pub(crate) commented: MarkedLines,
}

/// The languages of our own content. All of them are highlighted, except `text`, and `mermaid`, which is drawn.
pub(crate) const LANGUAGES: [&str; 11] = [
    "bash",
    "http",
    "json",
    diagram::LANGUAGE,
    "python",
    "rust",
    "sql",
    "text",
    "toml",
    "typescript",
    "yaml",
];

/// The keys that a fence of our own content takes.
pub(crate) const KEYS: [&str; 7] = [
    "id",
    "expect",
    "fixture",
    "title",
    "output-of",
    "highlight",
    "numbers",
];

/// The other languages that are highlighted.
const OTHERS: [&str; 36] = [
    "batch",
    "c",
    "cmake",
    "cpp",
    "csharp",
    "css",
    "dart",
    "diff",
    "dockerfile",
    "elixir",
    "go",
    "graphql",
    "groovy",
    "hcl",
    "html",
    "ini",
    "java",
    "javascript",
    "jsx",
    "kotlin",
    "lua",
    "make",
    "markdown",
    "php",
    "powershell",
    "proto",
    "r",
    "ruby",
    "scala",
    "scss",
    "svelte",
    "swift",
    "tsx",
    "vue",
    "xml",
    "zig",
];

/// The name of the language, of those that are highlighted and `text`, that `language` is another name of.
pub(crate) fn canonical(language: &str) -> Option<&'static str> {
    let name = match language {
        "bat" | "cmd" => "batch",
        "c++" | "cc" | "cxx" | "hpp" => "cpp",
        "c#" | "cs" => "csharp",
        "containerfile" | "docker" => "dockerfile",
        "ex" | "exs" => "elixir",
        "golang" => "go",
        "gql" => "graphql",
        "gradle" => "groovy",
        "h" => "c",
        "htm" => "html",
        "js" | "mjs" | "cjs" => "javascript",
        "json5" | "jsonc" => "json",
        "kt" | "kts" => "kotlin",
        "makefile" => "make",
        "md" | "mdx" => "markdown",
        "patch" => "diff",
        "plain" | "plaintext" | "txt" => "text",
        "postgresql" | "mysql" | "sqlite" => "sql",
        "properties" => "ini",
        "protobuf" => "proto",
        "ps1" | "pwsh" => "powershell",
        "py" | "python3" => "python",
        "rb" => "ruby",
        "rs" => "rust",
        // The blocks that Fumadocs shows for each package manager.
        "package-install" => "bash",
        "console" | "sh" | "shell" | "shellscript" | "zsh" => "bash",
        "svg" => "xml",
        "terraform" | "tf" => "hcl",
        "ts" | "mts" | "cts" => "typescript",
        "yml" => "yaml",
        other => other,
    };
    let mut known = LANGUAGES.iter().chain(&OTHERS);
    known.find(|known| **known == name).copied()
}

/// What readers are told that a block is written in.
pub(crate) fn shown(language: &str) -> &str {
    match language {
        "" => "text",
        other => canonical(other).unwrap_or(other),
    }
}

impl Info {
    /// Reads an info string.
    pub(crate) fn parse(info: &str) -> Self {
        let mut words = split_words(info);
        let first = if words.is_empty() {
            String::new()
        } else {
            words.remove(0)
        };
        let language_end = first
            .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '#' | '_' | '.')))
            .unwrap_or(first.len());
        // `hl_lines="1"` is an attribute of a block without a language.
        let language_end = if first[language_end..].starts_with('=') {
            0
        } else {
            language_end
        };
        let mut parsed = Self {
            language: first[..language_end].to_ascii_lowercase(),
            ..Self::default()
        };
        if language_end < first.len() {
            words.insert(0, first[language_end..].to_owned());
        }
        for word in words {
            if let Some(lines) = word.strip_prefix('{').and_then(|lines| lines.strip_suffix('}')) {
                // As other tools write `highlight=1,3-4`.
                parsed.attributes.push(("highlight".to_owned(), lines.to_owned()));
                continue;
            }
            if let Some(title) = word.strip_prefix('[').and_then(|title| title.strip_suffix(']')) {
                // As VitePress names the blocks of a group.
                parsed.attributes.push(("title".to_owned(), title.to_owned()));
                continue;
            }
            if let Some(first) = foreign_numbers(&word) {
                parsed.attributes.push(("numbers".to_owned(), first.to_owned()));
                continue;
            }
            match word.split_once('=') {
                Some(("hl_lines", value)) => {
                    // As Python-Markdown writes `highlight=1,3-4`.
                    let lines: Vec<&str> = value.trim_matches(['"', '\'']).split_whitespace().collect();
                    parsed.attributes.push(("highlight".to_owned(), lines.join(",")));
                }
                // As Nextra and Fumadocs name blocks.
                Some(("filename" | "tab", value)) => {
                    let title = value.trim_matches(['"', '\'']);
                    parsed.attributes.push(("title".to_owned(), title.to_owned()));
                }
                // As Starlight marks lines; its marks of words are in quotes.
                Some((key @ ("mark" | "ins" | "del"), value)) if value.starts_with('{') => {
                    let key = if key == "mark" { "highlight" } else { key };
                    let lines = value.trim_matches(['{', '}']);
                    parsed.attributes.push((key.to_owned(), lines.to_owned()));
                }
                Some((key, value)) if !key.is_empty() => {
                    parsed
                        .attributes
                        .push((key.to_owned(), value.trim_matches(['"', '\'']).to_owned()));
                }
                _ => parsed.strays.push(word),
            }
        }
        parsed
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value.as_str())
    }

    /// The lines to highlight, counted from 1; none where `highlight` is not a list such as `2,4-6`.
    pub(crate) fn highlighted(&self) -> Option<Vec<RangeInclusive<usize>>> {
        self.lines("highlight")
    }

    /// The number of the first line, where lines have numbers: `otherwise` where the block says nothing about it, an error where its
    /// `numbers` is none.
    pub(crate) fn first_number(&self, otherwise: Option<usize>) -> Result<Option<usize>, &str> {
        // A start behind `showLineNumbers` says more than it.
        let mut numbers = self.attributes.iter().rev().filter(|(key, _)| key == "numbers");
        match numbers.next() {
            None => Ok(otherwise),
            Some((_, first)) if first == NO_NUMBERS => Ok(None),
            Some((_, first)) => first.parse().map(Some).map_err(|_| first.as_str()),
        }
    }

    /// All lines that are marked. Where marks of two kinds meet, the first one counts.
    pub(crate) fn marked(&self) -> MarkedLines {
        let mut marked = self.commented.clone();
        for (key, mark) in [
            ("ins", LineMark::Inserted),
            ("del", LineMark::Deleted),
            ("highlight", LineMark::Highlighted),
        ] {
            let lines = self.lines(key).unwrap_or_default();
            marked.extend(lines.into_iter().map(|lines| (lines, mark)));
        }
        marked
    }

    fn lines(&self, key: &str) -> Option<Vec<RangeInclusive<usize>>> {
        let lines = self.get(key)?;
        lines
            .split(',')
            .map(|part| {
                let (first, last) = part.split_once('-').unwrap_or((part, part));
                let range = first.trim().parse().ok()?..=last.trim().parse().ok()?;
                (*range.start() > 0 && !range.is_empty()).then_some(range)
            })
            .collect()
    }
}

/// What `numbers` says of a block whose lines have none.
const NO_NUMBERS: &str = "off";

/// The number of the first line, in a word by which another tool numbers the lines of a block: `showLineNumbers` and `showLineNumbers=5`
/// (Docusaurus), `showLineNumbers{5}` (Rehype Pretty Code), `startLineNumber=5` (Expressive Code), `:line-numbers` and `:line-numbers=5`
/// (VitePress), `linenums="5"` (Python-Markdown).
fn foreign_numbers(word: &str) -> Option<&str> {
    let name_end = word.find(['=', '{']).unwrap_or(word.len());
    let (name, value) = word.split_at(name_end);
    let value = value.trim_matches(['=', '{', '}', '"', '\'']);
    match (name, value) {
        ("showLineNumbers" | ":line-numbers", "" | "true") => Some("1"),
        ("showLineNumbers", "false") | (":no-line-numbers", _) => Some(NO_NUMBERS),
        ("showLineNumbers" | ":line-numbers" | "startLineNumber" | "linenums", first)
            if !first.is_empty() =>
        {
            Some(first)
        }
        _ => None,
    }
}

/// The lines that readers see, and the offset of a `# hide-start` or `# hide-end` without its partner.
pub(crate) fn visible(code: &str) -> (String, Option<usize>) {
    if !code.contains("# hide-") {
        return (code.to_owned(), None);
    }
    let mut shown = String::with_capacity(code.len());
    let mut hidden_since = None;
    let mut stray = None;
    let mut at = 0;
    for line in code.split_inclusive('\n') {
        match line.trim() {
            "# hide-start" if hidden_since.is_none() => hidden_since = Some(at),
            "# hide-end" if hidden_since.is_some() => hidden_since = None,
            "# hide-start" | "# hide-end" => stray = stray.or(Some(at)),
            _ if hidden_since.is_none() => shown.push_str(line),
            _ => {}
        }
        at += line.len();
    }
    (shown, stray.or(hidden_since))
}

/// Code in Rust without the lines that rustdoc and mdBook compile and do not show: those that start with `# `. `##` is a `#`.
pub(super) fn shown_rust(code: &str) -> Option<String> {
    if !code.lines().any(|line| line.trim_start().starts_with('#')) {
        return None;
    }
    let mut shown = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        let text = line.trim_start();
        let rest = text.strip_prefix('#');
        if rest.is_some_and(|rest| rest.trim_end().is_empty() || rest.starts_with(' ')) {
            continue;
        }
        match rest.filter(|rest| rest.starts_with('#')) {
            Some(rest) => {
                shown.push_str(&line[..line.len() - text.len()]);
                shown.push_str(rest);
            }
            None => shown.push_str(line),
        }
    }
    Some(shown)
}

/// The sign and the length of the marks that a line starts a code block with.
pub(crate) fn marks(line: &str) -> Option<(u8, usize)> {
    let line = line.trim_start();
    let sign = *line
        .as_bytes()
        .first()
        .filter(|sign| matches!(sign, b'`' | b'~'))?;
    let length = line.bytes().take_while(|byte| *byte == sign).count();
    let is_inline = sign == b'`' && line[length..].contains('`');
    (length >= 3 && !is_inline).then_some((sign, length))
}

/// Whether a line ends the code block that started with these marks.
pub(crate) fn ends(line: &str, opened: (u8, usize)) -> bool {
    marks(line).is_some_and(|(sign, length)| {
        let has_only_signs = line.trim().bytes().all(|byte| byte == sign);
        sign == opened.0 && length >= opened.1 && has_only_signs
    })
}

/// Splits at white space, except inside double quotes and braces.
fn split_words(info: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut quoted = false;
    let mut braced = false;
    for c in info.chars() {
        match c {
            '"' => quoted = !quoted,
            '{' | '}' if !quoted => braced = c == '{',
            _ => {}
        }
        if c.is_whitespace() && !quoted && !braced {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(c);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_info_string_has_a_language_and_keys() {
        let info = Info::parse(r#"Bash id=rank-1 title="Ask for results" wide"#);
        assert_eq!(info.language, "bash");
        assert_eq!(
            (info.get("id"), info.get("title")),
            (Some("rank-1"), Some("Ask for results"))
        );
        assert_eq!(info.strays, ["wide"]);
        let braces = Info::parse("js{1,3-4}");
        assert_eq!(braces.language, "js");
        assert_eq!(braces.highlighted(), Some(vec![1..=1, 3..=4]));
        assert_eq!(braces.strays, [""; 0]);
        let python = Info::parse(r#"hl_lines="1 3-4" linenums="1""#);
        assert_eq!(python.language, "");
        assert_eq!(python.highlighted(), Some(vec![1..=1, 3..=4]));
        assert_eq!(Info::parse("bash [npm]").get("title"), Some("npm"));
        let starlight = Info::parse("ts {1, 3} ins={4-5} del={ 6 } ins=\"word\" \"a b\"");
        assert_eq!(
            starlight.marked(),
            [
                (4..=5, LineMark::Inserted),
                (6..=6, LineMark::Deleted),
                (1..=1, LineMark::Highlighted),
                (3..=3, LineMark::Highlighted),
            ]
        );
        assert_eq!(Info::parse(""), Info::default());
    }

    #[test]
    fn other_tools_name_blocks_by_other_words() {
        for info in ["js title=\"a b\"", "js filename=\"a b\"", "js tab=\"a b\" x=1"] {
            assert_eq!(Info::parse(info).get("title"), Some("a b"), "{info}");
        }
    }

    #[test]
    fn lines_to_highlight_are_numbers_and_ranges() {
        for (lines, expected) in [
            ("2", Some(vec![2..=2])),
            ("2,4-6", Some(vec![2..=2, 4..=6])),
            ("0", None),
            ("6-4", None),
            ("a", None),
            ("1,", None),
        ] {
            let info = Info::parse(&format!("bash highlight={lines}"));
            assert_eq!(info.highlighted(), expected, "{lines}");
        }
    }

    #[test]
    fn lines_have_the_numbers_that_other_tools_give_them() {
        for (info, expected) in [
            ("js", Ok(None)),
            ("js numbers=7", Ok(Some(7))),
            ("js showLineNumbers", Ok(Some(1))),
            ("js showLineNumbers=5 {6}", Ok(Some(5))),
            ("js showLineNumbers{5}", Ok(Some(5))),
            ("js {6} showLineNumbers startLineNumber=5", Ok(Some(5))),
            ("js showLineNumbers=false", Ok(None)),
            ("ts:line-numbers {1}", Ok(Some(1))),
            ("ts:line-numbers=2 {1}", Ok(Some(2))),
            ("ts:no-line-numbers {1}", Ok(None)),
            ("py linenums=\"3\"", Ok(Some(3))),
            ("js numbers=off", Ok(None)),
            ("js numbers=all", Err("all")),
            ("js numbers=-1", Err("-1")),
        ] {
            assert_eq!(Info::parse(info).first_number(None), expected, "{info}");
        }
        for (info, expected) in [
            ("js", Some(9)),
            ("js numbers=7", Some(7)),
            ("js numbers=off", None),
            ("js showLineNumbers=false", None),
            ("js:no-line-numbers", None),
        ] {
            assert_eq!(Info::parse(info).first_number(Some(9)), Ok(expected), "{info}");
        }
        let info = Info::parse("ts:line-numbers=2 {1}");
        assert_eq!((info.language.as_str(), info.get("highlight")), ("ts", Some("1")));
    }

    #[test]
    fn rust_shows_what_rustdoc_shows() {
        assert_eq!(
            shown_rust("# fn main() {\n#[a]\n#![b]\nlet c = 1;\n#\n  # d\n  ## e\n# }\n").as_deref(),
            Some("#[a]\n#![b]\nlet c = 1;\n  # e\n")
        );
        assert_eq!(shown_rust("let a = \"#\";\n"), None);
    }

    #[test]
    fn hidden_lines_are_left_out() {
        assert_eq!(
            visible("a\n# hide-start\nb\n# hide-end\nc\n"),
            ("a\nc\n".to_owned(), None)
        );
        assert_eq!(visible("a\n# hide-start\nb\n"), ("a\n".to_owned(), Some(2)));
        assert_eq!(visible("a\n# hide-end\nb\n"), ("a\nb\n".to_owned(), Some(2)));
    }
}
