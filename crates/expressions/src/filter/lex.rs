//! The text of a filter into words and signs.

use crate::error::{Error, ErrorKind, Place, Result};
use crate::filter::tree::{Quotes, continues_name, is_keyword, starts_name};
use crate::syntax::{Lexeme, parameter};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A keyword, in capitals.
    Keyword(&'static str),
    /// A name with its dots; the flag: it stands bare, so it may be a function or a type.
    Name(String, bool),
    /// Without a sign.
    Integer(u64),
    Float(f64),
    Text(String, Quotes),
    Parameter(String),
    Sign(&'static str),
    End,
}

impl Lexeme for Token {
    const END: Self = Self::End;

    fn is_keyword(&self, keyword: &str) -> bool {
        matches!(self, Self::Keyword(word) if *word == keyword)
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self, Self::Sign(found) if *found == sign)
    }

    fn describe(&self) -> String {
        match self {
            Self::Keyword(word) => (*word).to_owned(),
            Self::Name(name, _) => format!("'{name}'"),
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => format!("{number:?}"),
            Self::Text(..) => "a text".to_owned(),
            Self::Parameter(name) => format!("$param.{name}"),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end".to_owned(),
        }
    }

    fn advise(&self, error: Error) -> Error {
        let word = match self {
            Self::Name(word, true) => word.to_ascii_lowercase(),
            _ => String::new(),
        };
        match (word.as_str(), self) {
            ("ilike", _) => {
                error.help("LIKE tells cases apart; write regexp_match(column, '(?i)pattern') for both cases")
            }
            ("contains" | "has", _) => error.help("write array_has(list, value) or column LIKE '%text%'"),
            ("where", _) => error.help("begin with the condition, without WHERE"),
            (_, Self::Keyword("IN" | "LIKE" | "BETWEEN")) | (_, Self::Sign("=" | "!=" | "<" | ">")) => {
                error.help("comparisons do not chain: put one of them in brackets, or join them with AND")
            }
            (_, Self::End) => error,
            (_, Self::Name(..) | Self::Integer(_) | Self::Float(_) | Self::Text(..)) => {
                error.help("join conditions with AND or OR, and put texts in single quotes")
            }
            _ => error,
        }
    }
}

/// Longest first, so that `<=` is not `<` and `=`.
const SIGNS: [&str; 18] = [
    "!=", "<>", "<=", ">=", "==", "=", "<", ">", "(", ")", "[", "]", ",", "+", "-", "*", "/", "%",
];

/// Signs of other languages, and what to write instead.
const FOREIGN: [(&str, &str); 7] = [
    ("&&", "write AND"),
    ("||", "write OR for a choice; texts cannot be joined here"),
    ("!", "write NOT, or != for 'not equal'"),
    (";", "a filter is one expression: leave the semicolon out"),
    ("::", "write CAST(… AS …)"),
    ("~", "write regexp_match(column, 'pattern')"),
    ("^", "there are no powers in a filter: write a * a"),
];

/// All tokens with their places, an [`Token::End`] behind them.
pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Place)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (token, length) = token(&text[at..], first, at)?;
        tokens.push((token, Place::new(at, at + length)));
        at += length;
    }
    tokens.push((Token::End, Place::new(text.len(), text.len())));
    Ok(tokens)
}

fn token(rest: &str, first: char, at: usize) -> Result<(Token, usize)> {
    let second = rest[first.len_utf8()..].chars().next();
    match first {
        '\'' => quoted(rest, '\'', at).map(|(text, length)| (Token::Text(text, Quotes::Single), length)),
        '"' => quoted(rest, '"', at).map(|(text, length)| (Token::Text(text, Quotes::Double), length)),
        '$' => parameter(rest, at, continues_name).map(|(name, length)| (Token::Parameter(name), length)),
        '.' if second.is_some_and(|second| second.is_ascii_digit()) => number(rest, at),
        _ if first.is_ascii_digit() => number(rest, at),
        _ if starts_name(first) || first == '`' => name(rest, at),
        '-' if second == Some('-') => Err(Error::new(
            ErrorKind::Syntax,
            Place::new(at, at + 2),
            "'--' begins a comment in SQL, and a filter has no comments",
        )
        .help("put a space or brackets between two minus signs")),
        '/' if second == Some('*') => Err(Error::new(
            ErrorKind::Syntax,
            Place::new(at, at + 2),
            "a filter has no comments",
        )),
        _ => {
            if let Some((foreign, help)) = FOREIGN
                .iter()
                .find(|(foreign, _)| rest.starts_with(foreign) && !rest.starts_with("!="))
            {
                let place = Place::new(at, at + foreign.len());
                let message = format!("'{foreign}' means nothing in a filter");
                return Err(Error::new(ErrorKind::Syntax, place, message).help(*help));
            }
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => Ok((Token::Sign(sign), sign.len())),
                None => Err(unknown_character(first, at)),
            }
        }
    }
}

fn unknown_character(character: char, at: usize) -> Error {
    let place = Place::new(at, at + character.len_utf8());
    let error = Error::new(
        ErrorKind::Syntax,
        place,
        format!("the character '{}' means nothing here", character.escape_debug()),
    );
    match character {
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => {
            error.help("write texts in straight quotes: 'like this'")
        }
        '\u{2212}' | '\u{2013}' => error.help("write a plain minus sign: -"),
        '\u{2264}' => error.help("write <="),
        '\u{2265}' => error.help("write >="),
        '\u{2260}' => error.help("write !="),
        _ => error,
    }
}

/// A doubled quote stands for one.
fn quoted(rest: &str, quote: char, at: usize) -> Result<(String, usize)> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((offset, character)) = characters.next() {
        if character != quote {
            text.push(character);
        } else if characters.next_if(|(_, next)| *next == quote).is_some() {
            text.push(quote);
        } else {
            return Ok((text, offset + quote.len_utf8()));
        }
    }
    let what = if quote == '`' { "name" } else { "text" };
    Err(Error::new(
        ErrorKind::Syntax,
        Place::new(at, at + rest.len()),
        format!("this {what} does not end: a {quote} is missing"),
    )
    .help(format!("a {quote} inside is written twice: {quote}{quote}")))
}

fn number(rest: &str, at: usize) -> Result<(Token, usize)> {
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    let mut whole = true;
    if rest[end..].starts_with('.') {
        whole = false;
        end += 1;
        end += digits(end);
    }
    if rest[end..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            whole = false;
            end += 1 + sign + exponent;
        }
    }
    let place = Place::new(at, at + end);
    if let Some(next) = rest[end..].chars().next().filter(|next| continues_name(*next)) {
        let name_end = rest[end..]
            .find(|character| !continues_name(character))
            .map_or(rest.len(), |length| end + length);
        return Err(Error::new(
            ErrorKind::Syntax,
            Place::new(at, at + name_end),
            format!("'{next}' cannot stand in a number"),
        )
        .help("a name that begins with a digit stands in backticks: `2nd_price`"));
    }
    let literal = &rest[..end];
    if whole {
        return match literal.parse() {
            Ok(number) => Ok((Token::Integer(number), end)),
            Err(_) => Err(too_large(place)),
        };
    }
    match literal.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok((Token::Float(number), end)),
        _ => Err(too_large(place)),
    }
}

pub(super) fn too_large(place: Place) -> Error {
    Error::new(ErrorKind::WrongValue, place, "this number is too large")
        .help("whole numbers lie between -9223372036854775808 and 9223372036854775807")
}

fn name(rest: &str, at: usize) -> Result<(Token, usize)> {
    let mut name = String::new();
    let mut end = 0;
    let mut bare = true;
    loop {
        let tail = &rest[end..];
        match tail.chars().next() {
            Some('`') => {
                let (part, length) = quoted(tail, '`', at + end)?;
                if part.is_empty() {
                    let place = Place::new(at + end, at + end + length);
                    return Err(Error::new(ErrorKind::Syntax, place, "this name is empty"));
                }
                bare = false;
                name.push_str(&part);
                end += length;
            }
            Some(first) if starts_name(first) => {
                let length = tail
                    .find(|character| !continues_name(character))
                    .unwrap_or(tail.len());
                name.push_str(&tail[..length]);
                end += length;
            }
            _ => {
                let place = Place::new(at, at + end);
                return Err(
                    Error::new(ErrorKind::Syntax, place, "a name must follow the point")
                        .help("a name with other signs stands in backticks: note.`e-mail`"),
                );
            }
        }
        if !rest[end..].starts_with('.') {
            break;
        }
        name.push('.');
        end += 1;
    }
    if bare
        && is_keyword(&name)
        && let Some(keyword) = crate::filter::tree::KEYWORDS
            .iter()
            .find(|keyword| keyword.eq_ignore_ascii_case(&name))
    {
        return Ok((Token::Keyword(keyword), end));
    }
    Ok((Token::Name(name, bare), end))
}
