//! What a program wrote to a terminal, as the text that is left on it.

/// The text without colours and other control sequences (ECMA-48), and of lines that were written over each other, such as those of
/// progress bars, the last.
pub(super) fn shown(written: &str) -> String {
    let mut shown = String::with_capacity(written.len());
    let mut line = Line::default();
    let mut characters = written.chars();
    while let Some(character) = characters.next() {
        match character {
            '\n' => line.end(&mut shown),
            '\r' => line.at = 0,
            '\u{8}' => line.at = line.at.saturating_sub(1),
            '\u{1b}' => match characters.next() {
                // Up to the letter that says what it does.
                Some('[') => {
                    let end = characters.find(|c| matches!(c, '\u{40}'..='\u{7e}'));
                    if end == Some('K') {
                        line.characters.truncate(line.at);
                    }
                }
                Some(']') => pass_string(&mut characters),
                _ => {}
            },
            '\t' => line.put('\t'),
            character if character.is_control() => {}
            character => line.put(character),
        }
    }
    if !line.characters.is_empty() {
        line.end(&mut shown);
    }
    shown
}

/// Goes behind a title or an address: it ends with a bell, or with an escape and a backslash.
fn pass_string(characters: &mut std::str::Chars<'_>) {
    let end = characters.find(|c| matches!(c, '\u{7}' | '\u{1b}'));
    if end == Some('\u{1b}') {
        characters.next();
    }
}

/// The line that is being written.
#[derive(Default)]
struct Line {
    characters: Vec<char>,
    at: usize,
}

impl Line {
    fn put(&mut self, character: char) {
        match self.characters.get_mut(self.at) {
            Some(place) => *place = character,
            None => self.characters.push(character),
        }
        self.at += 1;
    }

    fn end(&mut self, shown: &mut String) {
        let characters = self.characters.drain(..);
        let start = shown.len();
        shown.extend(characters);
        shown.truncate(start + shown[start..].trim_end().len());
        shown.push('\n');
        self.at = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::shown;

    #[test]
    fn colours_are_left_out_and_the_last_of_lines_over_each_other_is_shown() {
        let cases = [
            ("a\nb", "a\nb\n"),
            ("\u{1b}[1;31mValueError\u{1b}[0m: x\n", "ValueError: x\n"),
            ("\u{1b}[38;5;28;01mdef\u{1b}[39;00m f\n", "def f\n"),
            (" 10%|#   |\r 50%|##  |\r100%|####|\n", "100%|####|\n"),
            ("100 left\rdone\u{1b}[K\n", "done\n"),
            ("100 left\rdone\n", "doneleft\n"),
            ("ab\u{8}c\n", "ac\n"),
            (
                "\u{1b}]8;;https://example.org\u{1b}\\here\u{1b}]8;;\u{1b}\\\n",
                "here\n",
            ),
            ("\ta  \n\n\u{0}b", "\ta\n\nb\n"),
            ("\u{1b}", ""),
            ("\u{1b}[31", ""),
            ("\u{1b}]8;;", ""),
            ("", ""),
        ];
        for (written, expected) in cases {
            assert_eq!(shown(written), expected, "{written:?}");
        }
    }
}
