//! Cutting a text into chunks, names and words. See the module above for what these are.

use super::{MAX_TERM_BYTES, fold};

/// How much of a chunk a token stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// One word.
    Word,
    /// Two neighbouring characters of a script without spaces, or a lonely one.
    Pair,
    /// Several words that are written as one: `tableOfContents`, `x-api-key`, `themeConfig.navbar`, `--dry-run`.
    Whole,
}

/// A folded word and where it stood; borrowed, because the writer sees millions of them and most repeat.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) form: &'a str,
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) position: u32,
    pub(crate) level: Level,
}

/// Calls `emit` for every token of the text: by start, and a whole before its words.
pub(crate) fn scan(text: &str, emit: &mut dyn FnMut(Piece<'_>)) {
    let mut scanner = Scanner {
        text,
        position: 0,
        folded: String::new(),
        words: Vec::new(),
    };
    let mut at = 0;
    while let Some(character) = character_at(text, at) {
        at = match kind(character) {
            Kind::Dense => scanner.dense_run(at, emit),
            Kind::Spaced => scanner.chunk(at, emit),
            Kind::Other => at + character.len_utf8(),
        };
    }
}

/// What holds two words of a chunk together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// The first word of the chunk.
    Start,
    /// `_`, `-` or a change of case: the words are one name.
    Name,
    /// `.`, `:` or `/`: the names are one chunk.
    Chunk,
}

struct Word {
    joint: Joint,
    start: usize,
    end: usize,
    folded_start: usize,
    folded_end: usize,
}

enum Kind {
    Spaced,
    Dense,
    Other,
}

struct Scanner<'t> {
    text: &'t str,
    position: u32,
    /// The folded words of the current chunk, one after the other: a whole name is a slice of it.
    folded: String,
    words: Vec<Word>,
}

impl Scanner<'_> {
    /// Reads and emits the chunk that starts at `start`; gives where it ends.
    fn chunk(&mut self, start: usize, emit: &mut dyn FnMut(Piece<'_>)) -> usize {
        let is_scoped = follows_sigil(self.text, start, "@");
        self.folded.clear();
        self.words.clear();
        let mut joint = Joint::Start;
        let mut at = start;
        loop {
            let folded_start = self.folded.len();
            let end = self.word(at);
            let folded_end = self.folded.len();
            self.words.push(Word {
                joint,
                start: at,
                end,
                folded_start,
                folded_end,
            });
            match next_joint(self.text, end, is_scoped) {
                Some((next, next_at)) => (joint, at) = (next, next_at),
                None => {
                    at = end;
                    break;
                }
            }
        }
        self.emit_chunk(emit);
        self.emit_symbolic(at, emit)
    }

    /// Folds one word into the buffer; gives where it ends. A change of case ends a word too.
    fn word(&mut self, start: usize) -> usize {
        let text = self.text;
        let mut at = start;
        let mut previous = '\0';
        let mut length = 0;
        loop {
            // Most of most texts, and folded already.
            let run = plain_run(&text.as_bytes()[at..]);
            if let Some(last) = run.last() {
                self.folded.push_str(&text[at..at + run.len()]);
                previous = char::from(*last);
                length += run.len();
                at += run.len();
            }
            let Some(character) = character_at(text, at) else {
                break;
            };
            let after = at + character.len_utf8();
            let is_part = match kind(character) {
                Kind::Spaced => true,
                Kind::Dense => false,
                Kind::Other => fold::is_ignorable(character) || is_inner(text, previous, character, after),
            };
            if !is_part || (length >= 2 && is_case_change(text, previous, character, after)) {
                break;
            }
            if character != ',' {
                fold::push_folded(character, &mut self.folded);
            }
            if !fold::is_ignorable(character) {
                previous = character;
                length += 1;
            }
            at = after;
        }
        at
    }

    fn emit_chunk(&mut self, emit: &mut dyn FnMut(Piece<'_>)) {
        let first_position = self.position;
        let (Some(first), Some(last)) = (self.words.first(), self.words.last()) else {
            return;
        };
        let names = self.words.iter().filter(|word| word.joint != Joint::Name).count();
        if names > 1 {
            self.emit_whole(first, last, first_position, emit);
        }
        if follows_sigil(self.text, first.start, "--") {
            let end = self.name_end(0);
            let flag = format!("--{}", &self.folded[..self.words[end].folded_end]);
            if flag.len() <= MAX_TERM_BYTES {
                let (start, end) = (first.start - 2, self.words[end].end);
                emit(Piece {
                    form: &flag,
                    start,
                    end,
                    position: first_position,
                    level: Level::Whole,
                });
            }
        }
        for (index, word) in self.words.iter().enumerate() {
            let position = first_position + index as u32;
            if word.joint != Joint::Name {
                let end = self.name_end(index);
                if end > index {
                    self.emit_whole(word, &self.words[end], position, emit);
                }
            }
            let form = cut(&self.folded[word.folded_start..word.folded_end]);
            if !form.is_empty() {
                emit(Piece {
                    form,
                    start: word.start,
                    end: word.end,
                    position,
                    level: Level::Word,
                });
            }
        }
        self.position += self.words.len() as u32;
    }

    /// The last word of the name that begins at a word.
    fn name_end(&self, index: usize) -> usize {
        let following = self.words[index + 1..]
            .iter()
            .take_while(|word| word.joint == Joint::Name);
        index + following.count()
    }

    fn emit_whole(&self, first: &Word, last: &Word, position: u32, emit: &mut dyn FnMut(Piece<'_>)) {
        let form = &self.folded[first.folded_start..last.folded_end];
        if !form.is_empty() && form.len() <= MAX_TERM_BYTES {
            emit(Piece {
                form,
                start: first.start,
                end: last.end,
                position,
                level: Level::Whole,
            });
        }
    }

    /// `c++` and `c#`: one letter whose signs make it a name. Gives where the chunk ends.
    fn emit_symbolic(&mut self, end: usize, emit: &mut dyn FnMut(Piece<'_>)) -> usize {
        let [word] = self.words.as_slice() else { return end };
        let sign = ["++", "#"]
            .into_iter()
            .find(|sign| self.text[end..].starts_with(sign));
        let Some(sign) = sign.filter(|_| self.folded.len() == 1) else {
            return end;
        };
        let after = end + sign.len();
        if character_at(self.text, after).is_some_and(char::is_alphanumeric) {
            return end;
        }
        self.folded.push_str(sign);
        let position = self.position.saturating_sub(1);
        emit(Piece {
            form: &self.folded,
            start: word.start,
            end: after,
            position,
            level: Level::Whole,
        });
        after
    }

    /// Emits a run of a script without spaces as overlapping pairs; a lonely character stands alone.
    fn dense_run(&mut self, start: usize, emit: &mut dyn FnMut(Piece<'_>)) -> usize {
        let mut previous: Option<usize> = None;
        let mut is_alone = true;
        let mut at = start;
        while let Some(character) = character_at(self.text, at) {
            if !matches!(kind(character), Kind::Dense) {
                break;
            }
            let end = at + character.len_utf8();
            if let Some(pair_start) = previous {
                self.emit_dense(pair_start, end, emit);
                is_alone = false;
            }
            previous = Some(at);
            at = end;
        }
        if is_alone {
            self.emit_dense(start, at, emit);
        }
        at
    }

    fn emit_dense(&mut self, start: usize, end: usize, emit: &mut dyn FnMut(Piece<'_>)) {
        self.folded.clear();
        self.text[start..end]
            .chars()
            .for_each(|character| fold::push_folded(character, &mut self.folded));
        let position = self.position;
        self.position += 1;
        if !self.folded.is_empty() {
            emit(Piece {
                form: &self.folded,
                start,
                end,
                position,
                level: Level::Pair,
            });
        }
    }
}

/// The small letters and digits of ASCII that a text begins with.
fn plain_run(text: &[u8]) -> &[u8] {
    let is_plain = |byte: &&u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let length = text.iter().take_while(is_plain).count();
    &text[..length]
}

/// The joint after a word and where the next word starts, if they belong together.
fn next_joint(text: &str, end: usize, is_scoped: bool) -> Option<(Joint, usize)> {
    let connector = character_at(text, end)?;
    let rest = &text[end..];
    let (joint, length) = match connector {
        '_' => (Joint::Name, rest.bytes().take_while(|byte| *byte == b'_').count()),
        '-' | '\u{2010}' | '\u{2011}' => (Joint::Name, connector.len_utf8()),
        ':' => (Joint::Chunk, if rest.starts_with("::") { 2 } else { 1 }),
        '.' => (Joint::Chunk, 1),
        '/' if is_scoped => (Joint::Chunk, 1),
        // A change of case ended the word.
        _ => (Joint::Name, 0),
    };
    let at = end + length;
    matches!(character_at(text, at).map(kind), Some(Kind::Spaced)).then_some((joint, at))
}

/// Signs that belong to a word when they stand inside it: `don't`, `1.95`, `1,000`.
fn is_inner(text: &str, previous: char, character: char, after: usize) -> bool {
    let is_digit_at = |at: usize| text.as_bytes().get(at).is_some_and(u8::is_ascii_digit);
    match character {
        '\'' | '’' => {
            previous.is_alphabetic() && character_at(text, after).is_some_and(char::is_alphabetic)
        }
        '.' => previous.is_ascii_digit() && is_digit_at(after),
        ',' => previous.is_ascii_digit() && (after..after + 3).all(is_digit_at) && !is_digit_at(after + 3),
        // The viramas and dots of the Indian scripts; dandas end a sentence.
        '\u{0900}'..='\u{0DFF}' => !matches!(character, '\u{0964}' | '\u{0965}'),
        _ => false,
    }
}

/// Whether `character` begins a new word of a camel-case name: `table|Of`, `HTTP|Server`, but not `nDCG` or `URLs`.
fn is_case_change(text: &str, previous: char, character: char, after: usize) -> bool {
    if !character.is_ascii_uppercase() {
        return false;
    }
    let Some(next) = character_at(text, after).filter(char::is_ascii_alphanumeric) else {
        return false;
    };
    if !previous.is_ascii_uppercase() {
        return previous.is_ascii_alphanumeric();
    }
    let is_plural = next == 's' && !character_at(text, after + 1).is_some_and(|c| c.is_ascii_lowercase());
    next.is_ascii_lowercase() && !is_plural
}

/// Whether a sigil stands before `start` and is itself the beginning of something.
fn follows_sigil(text: &str, start: usize, sigil: &str) -> bool {
    // Asked for every word, and seldom so.
    if text.as_bytes()[..start].last() != sigil.as_bytes().last() {
        return false;
    }
    let Some(before) = text[..start].strip_suffix(sigil) else {
        return false;
    };
    !before.ends_with(|character: char| character.is_alphanumeric() || character == '-' || character == '@')
}

fn kind(character: char) -> Kind {
    if character.is_ascii() {
        return if character.is_ascii_alphanumeric() {
            Kind::Spaced
        } else {
            Kind::Other
        };
    }
    if is_dense(character) {
        Kind::Dense
    } else if character.is_alphanumeric() {
        Kind::Spaced
    } else {
        Kind::Other
    }
}

/// Characters of scripts that are written without spaces between words.
fn is_dense(character: char) -> bool {
    matches!(character as u32,
        0x0E01..=0x0E3A | 0x0E40..=0x0E4E // Thai
        | 0x0E80..=0x0EDF // Lao
        | 0x1000..=0x103F | 0x1050..=0x109F // Burmese
        | 0x1780..=0x17D3 // Khmer
        | 0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7AF // Hangul
        | 0x3005 | 0x3007 | 0x3041..=0x3096 | 0x309D | 0x309E | 0x30A1..=0x30FA | 0x30FC..=0x30FE // kana
        | 0x3100..=0x312F | 0x31A0..=0x31BF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFD) // Han
}

fn character_at(text: &str, at: usize) -> Option<char> {
    text.get(at..)?.chars().next()
}

/// The first [`MAX_TERM_BYTES`] of a word, whole characters only.
fn cut(form: &str) -> &str {
    &form[..form.floor_char_boundary(MAX_TERM_BYTES)]
}
