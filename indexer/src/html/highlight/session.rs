//! What was typed into a shell, and what it answered: code that begins with a prompt.

/// A line with its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    Typed {
        /// Empty where a line goes on with what the one before it began, and for a comment above a prompt.
        prompt: &'a str,
        text: &'a str,
    },
    Answer(&'a str),
}

/// The lines of a session in a language as [`crate::markdown::fence::canonical`] names it. `None` for other code: where something stands
/// before the first prompt, comments aside.
pub(super) fn lines<'a>(language: &str, code: &'a str) -> Option<Vec<Line<'a>>> {
    let shell = Prompts::of(language)?;
    let mut lines = Vec::new();
    let mut command = Command::default();
    for line in code.split_inclusive('\n') {
        let is_open = command.is_open();
        let prompt = match shell.prompt(line) {
            0 if command.is_there => shell.further_prompt(line, is_open),
            0 => 0,
            prompt => {
                command = Command::default();
                prompt
            }
        };
        if prompt == 0 && !is_open {
            lines.push(Line::Answer(line));
            command = Command::default();
            continue;
        }
        let (prompt, text) = line.split_at(prompt);
        command.add(text, shell);
        lines.push(Line::Typed { prompt, text });
    }
    if shell != Prompts::Python {
        type_comments(&mut lines);
    }
    let first = lines
        .iter()
        .find(|line| !matches!(line, Line::Answer(text) if text.trim().is_empty()));
    let is_session = matches!(first, Some(Line::Typed { .. }));
    is_session.then_some(lines)
}

/// Comments that stand right above what is typed are no answer to anything.
fn type_comments(lines: &mut [Line]) {
    let mut is_typed_below = false;
    for line in lines.iter_mut().rev() {
        if let Line::Answer(text) = *line
            && is_typed_below
            && text.starts_with('#')
        {
            *line = Line::Typed { prompt: "", text };
        }
        is_typed_below = matches!(line, Line::Typed { .. });
    }
}

/// Whose they are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prompts {
    Bash,
    Batch,
    PowerShell,
    Python,
}

impl Prompts {
    fn of(language: &str) -> Option<Self> {
        Some(match language {
            "bash" => Self::Bash,
            "batch" => Self::Batch,
            "powershell" => Self::PowerShell,
            "python" => Self::Python,
            _ => return None,
        })
    }

    /// How long the prompt is that a line begins with, its space included.
    fn prompt(self, line: &str) -> usize {
        match self {
            Self::Bash => with_space(line, 0, "$").max(at_host(line)),
            Self::Batch => on_drive(line),
            Self::PowerShell => powershell(line).max(on_drive(line)),
            Self::Python => with_space(line, 0, ">>>"),
        }
    }

    /// The same of a line behind one that was typed. Where nothing is left open, only a prompt that no answer begins with counts.
    fn further_prompt(self, line: &str, is_open: bool) -> usize {
        match self {
            Self::Bash if is_open => with_space(line, 0, ">"),
            Self::PowerShell => with_space(line, 0, ">>"),
            Self::Python => with_space(line, 0, "..."),
            Self::Bash | Self::Batch => 0,
        }
    }

    /// Before a character that stands for itself, the end of a line included.
    fn escape(self) -> char {
        match self {
            Self::Batch => '^',
            Self::PowerShell => '`',
            Self::Bash | Self::Python => '\\',
        }
    }
}

/// The end of `sign` at `start`, and of the space behind it. 0 where neither a space nor the end of the line is there.
fn with_space(line: &str, start: usize, sign: &str) -> usize {
    match line[start..].strip_prefix(sign) {
        Some(rest) if rest.starts_with(' ') => start + sign.len() + 1,
        Some(rest) if rest.trim_end().is_empty() => start + sign.len(),
        _ => 0,
    }
}

/// `me@host:~$ `, or `[me@host dir]# ` of the administrator.
fn at_host(line: &str) -> usize {
    let user = line.strip_prefix('[').unwrap_or(line);
    let name = user.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '-' | '_' | '.'));
    if !name.is_some_and(|at| at > 0 && user[at..].starts_with('@')) {
        return 0;
    }
    match line.find(['$', '#', '%']) {
        Some(at) => with_space(line, at, &line[at..=at]),
        None => 0,
    }
}

/// `C:\dir>`; a space before the sign sends what a program says to a file.
fn on_drive(line: &str) -> usize {
    match line.as_bytes() {
        [drive, b':', b'\\', ..] if drive.is_ascii_alphabetic() => match to_arrow(line, 0) {
            end if line[..end].trim_end().ends_with(" >") => 0,
            end => end,
        },
        _ => 0,
    }
}

/// `PS C:\dir> `, `PS>`, and `[host]: PS C:\> ` of another machine.
fn powershell(line: &str) -> usize {
    let host = line.starts_with('[').then(|| line.find("]: ")).flatten();
    let start = host.map_or(0, |at| at + "]: ".len());
    match line[start..].strip_prefix("PS") {
        Some(rest) if rest.starts_with(['>', ' ']) => to_arrow(line, start),
        _ => 0,
    }
}

fn to_arrow(line: &str, start: usize) -> usize {
    match line[start..].find(['>', '|', '\n']) {
        Some(at) if line[start + at..].starts_with('>') => {
            let end = start + at + 1;
            end + usize::from(line[end..].starts_with(' '))
        }
        _ => 0,
    }
}

/// What of the text since the last prompt decides whether the next line goes on with it.
#[derive(Default)]
struct Command<'a> {
    is_there: bool,
    quote: Option<char>,
    /// Of the brackets that are open.
    depth: usize,
    is_end_escaped: bool,
    /// The word that ends the text which a shell is given with `<<`.
    until: Option<&'a str>,
}

impl<'a> Command<'a> {
    fn is_open(&self) -> bool {
        self.quote.is_some() || self.depth > 0 || self.is_end_escaped || self.until.is_some()
    }

    fn add(&mut self, line: &'a str, shell: Prompts) {
        self.is_there = true;
        self.is_end_escaped = false;
        match self.until {
            // Python has a sign of its own for each line.
            _ if shell == Prompts::Python => {}
            Some(word) if line.trim() == word => self.until = None,
            Some(_) => {}
            None => {
                self.read(line.trim_end_matches(['\r', '\n']), shell);
                if shell == Prompts::Bash {
                    self.until = here_document(line);
                }
            }
        }
    }

    fn read(&mut self, line: &str, shell: Prompts) {
        let mut before = ' ';
        let mut characters = line.chars();
        while let Some(c) = characters.next() {
            match (self.quote, c) {
                (Some('\''), '\'') => self.quote = None,
                (Some('\''), _) => {}
                (_, c) if c == shell.escape() => self.is_end_escaped = characters.next().is_none(),
                (Some(open), c) if c == open => self.quote = None,
                (Some(_), _) => {}
                (None, '\'') if shell == Prompts::Batch => {}
                (None, '"' | '\'') => self.quote = Some(c),
                (None, '#') if before.is_whitespace() && shell != Prompts::Batch => return,
                (None, '{' | '(') => self.depth += 1,
                (None, '}' | ')') => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            before = c;
        }
    }
}

/// The word behind `<<`, in quotes or behind a dash where it has them; `<<<` has none.
fn here_document(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("<<")?;
    let word = rest
        .strip_prefix('-')
        .unwrap_or(rest)
        .trim_start_matches([' ', '\'', '"', '\\']);
    let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let word = &word[..end.unwrap_or(word.len())];
    // In arithmetic a number is behind it.
    (!word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit())).then_some(word)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    /// Each line with what it is: `$` for a prompt and what was typed, `+` for more of it, ` ` for an answer.
    fn read(language: &str, code: &str) -> String {
        let Some(lines) = lines(language, code) else {
            return "no session".to_owned();
        };
        let all = lines.iter().map(|line| match line {
            Line::Typed { prompt: "", text } => format!("+|{text}"),
            Line::Typed { prompt, text } => format!("{prompt}|{text}"),
            Line::Answer(text) => format!(" |{text}"),
        });
        all.collect()
    }

    #[test]
    fn prompts_of_each_shell() {
        for (language, code, expected) in [
            ("bash", "$ a\nb\n", "$ |a\n |b\n"),
            ("bash", "\n$ a", " |\n$ |a"),
            ("bash", "$\n$ a\n", "$|\n$ |a\n"),
            ("bash", "me@host:~/a$ b\nc\n", "me@host:~/a$ |b\n |c\n"),
            ("bash", "[root@host a]# b\n", "[root@host a]# |b\n"),
            ("batch", "C:\\a b>c > d\ne\n", "C:\\a b>|c > d\n |e\n"),
            ("powershell", "PS C:\\> a\n\nb\n", "PS C:\\> |a\n |\n |b\n"),
            ("powershell", "PS>a\n", "PS>|a\n"),
            ("powershell", "C:\\PS> a\n", "C:\\PS> |a\n"),
            ("powershell", "[é]: PS C:\\> a\n", "[é]: PS C:\\> |a\n"),
            (
                "powershell",
                "PS> if (1)\n>> { a }\n>>\nb\n",
                "PS> |if (1)\n>> |{ a }\n>>|\n |b\n",
            ),
            (
                "python",
                ">>> def a():\n...     b\n...\n>>> 1\n1\n... c\n",
                ">>> |def a():\n... |    b\n...|\n>>> |1\n |1\n |... c\n",
            ),
        ] {
            assert_eq!(read(language, code), expected);
        }
    }

    #[test]
    fn code_without_a_prompt_is_no_session() {
        for (language, code) in [
            ("bash", "a\n$ b\n"),
            ("bash", "# a\nb\n"),
            ("bash", "$a = b\n"),
            ("bash", "$(a)\n"),
            ("bash", "@a $ b\n"),
            ("bash", "a@b.c é\n"),
            ("bash", ""),
            ("powershell", "PSObject > a\n"),
            ("powershell", "C:\\a.exe | b > c\n"),
            ("batch", "C:\\a.exe > b\n"),
            ("powershell", "PS a\n"),
            ("powershell", "[a]: b\n"),
            ("python", ">> a\n"),
            ("javascript", "$ a\n"),
        ] {
            assert_eq!(read(language, code), "no session", "{code}");
        }
    }

    #[test]
    fn what_is_left_open_goes_on() {
        for (language, code, expected) in [
            ("bash", "$ a \\\n  b\nc\n", "$ |a \\\n+|  b\n |c\n"),
            ("bash", "$ a \\\n> b\n> c\n", "$ |a \\\n> |b\n |> c\n"),
            ("bash", "$ a '{\n\"b\n}'\nc\n", "$ |a '{\n+|\"b\n+|}'\n |c\n"),
            ("bash", "$ a \"\\\"\nb\"\nc\n", "$ |a \"\\\"\n+|b\"\n |c\n"),
            ("bash", "$ a {\n(b)\n}\nc\n", "$ |a {\n+|(b)\n+|}\n |c\n"),
            (
                "bash",
                "$ a <<'EOF' | b\nc\nEOF\nd\n",
                "$ |a <<'EOF' | b\n+|c\n+|EOF\n |d\n",
            ),
            ("bash", "$ echo $((1<<2))\n4\n", "$ |echo $((1<<2))\n |4\n"),
            ("bash", "$ a <<<b\nc\n", "$ |a <<<b\n |c\n"),
            // What an author left open does not take the next command with it.
            ("bash", "$ a 'b\nc\n$ d\ne\n", "$ |a 'b\n+|c\n$ |d\n |e\n"),
            ("bash", "$ a # it's b\nc\n", "$ |a # it's b\n |c\n"),
            ("batch", "C:\\>a ^\nit's\nb\n", "C:\\>|a ^\n+|it's\n |b\n"),
            ("powershell", "PS> a `\n b\nc\n", "PS> |a `\n+| b\n |c\n"),
            ("powershell", "PS> a {\nb\n}\nc\n", "PS> |a {\n+|b\n+|}\n |c\n"),
        ] {
            assert_eq!(read(language, code), expected);
        }
    }

    proptest! {
        #[test]
        fn no_character_is_lost(
            language in select(["bash", "batch", "powershell", "python"].as_slice()),
            pieces in vec(select(PIECES), 0..24),
        ) {
            let code: String = pieces.concat();
            if let Some(lines) = lines(language, &code) {
                let all = lines.iter().flat_map(|line| match *line {
                    Line::Typed { prompt, text } => [prompt, text],
                    Line::Answer(text) => ["", text],
                });
                prop_assert_eq!(all.collect::<String>(), code);
            }
        }
    }

    const PIECES: &[&str] = &[
        "$ ", ">", ">> ", ">>> ", "... ", "PS", "C:\\", "[", "]: ", "a@b", "%", "# ", "\n", "\r\n", " ", "é",
        "\"", "'", "`", "^", "\\", "{", ")", "<<", "EOF", "|",
    ];

    #[test]
    fn a_comment_above_a_prompt_is_no_answer() {
        assert_eq!(
            read("bash", "# a\n# b\n$ c\n# d\n\n# e\n$ f\n"),
            "+|# a\n+|# b\n$ |c\n |# d\n |\n+|# e\n$ |f\n"
        );
        assert_eq!(read("python", "# a\n>>> b\n"), "no session");
    }
}
