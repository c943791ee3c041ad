//! The text of a value model into words and signs, by Python's rules.

use crate::error::{Error, ErrorKind, Place, Result};
use crate::syntax::{Lexeme, parameter};

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    Keyword(&'static str),
    Name(String),
    Integer(i64),
    Float(f64),
    Text(String),
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
            Self::Keyword(word) => format!("'{word}'"),
            Self::Name(name) => format!("'{name}'"),
            Self::Integer(number) => number.to_string(),
            Self::Float(number) => format!("{number:?}"),
            Self::Text(_) => "a text".to_owned(),
            Self::Parameter(name) => format!("$param.{name}"),
            Self::Sign(sign) => format!("'{sign}'"),
            Self::End => "the end".to_owned(),
        }
    }

    fn advise(&self, error: Error) -> Error {
        match self {
            Self::Keyword("is") => error.help("compare with == and !=; a NULL counts as 0 here"),
            Self::Keyword("None") => error.help("there is no None here: a NULL counts as 0"),
            Self::Keyword("lambda" | "for" | "await") => error.help("a value model is one plain expression"),
            Self::Sign("=") => error.help("compare with =="),
            Self::Sign("[") => error.help("entries of lists cannot be taken out here"),
            Self::Sign(":") => error.help("write value if test else other"),
            Self::Name(word) if word.eq_ignore_ascii_case("and") || word.eq_ignore_ascii_case("or") => {
                error.help(format!("write {}", word.to_lowercase()))
            }
            Self::Name(word) if word == "true" || word == "false" => {
                error.help("write True or False with a capital letter")
            }
            _ => error,
        }
    }
}

const KEYWORDS: [&str; 13] = [
    "and", "or", "not", "in", "is", "if", "else", "True", "False", "None", "lambda", "for", "await",
];

/// Longest first.
const SIGNS: [&str; 21] = [
    "**", "//", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "<", ">", "(", ")", "[", "]", ",", ".", "=",
    ":",
];

/// Signs of other languages, and what to write instead.
const FOREIGN: [(&str, &str); 12] = [
    ("&&", "write and"),
    ("||", "write or"),
    ("<>", "write !="),
    ("<<", "numbers are not shifted here; write * 2 ** n"),
    (">>", "numbers are not shifted here; write // 2 ** n"),
    ("&", "write and"),
    ("|", "write or"),
    ("^", "a power is written **"),
    ("?", "write value if test else other"),
    ("~", "write not"),
    ("@", "write cosine_similarity(a, b)"),
    (";", "a value model is one expression: leave the semicolon out"),
];

pub(super) fn tokens(text: &str) -> Result<Vec<(Token, Place)>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if first == '#' {
            // Models are written over several lines, so a comment ends with its line.
            at += rest.find('\n').unwrap_or(rest.len());
        } else {
            let (token, length) = token(rest, first, at)?;
            tokens.push((token, Place::new(at, at + length)));
            at += length;
        }
    }
    tokens.push((Token::End, Place::new(text.len(), text.len())));
    Ok(tokens)
}

fn token(rest: &str, first: char, at: usize) -> Result<(Token, usize)> {
    let second = rest[first.len_utf8()..].chars().next();
    match first {
        '\'' | '"' => text(rest, first, at),
        '$' => parameter(rest, at, continues_name).map(|(name, length)| (Token::Parameter(name), length)),
        '.' if second.is_some_and(|second| second.is_ascii_digit()) => number(rest, at),
        _ if first.is_ascii_digit() => number(rest, at),
        _ if first.is_alphabetic() || first == '_' => {
            let end = rest
                .find(|character| !continues_name(character))
                .unwrap_or(rest.len());
            let name = &rest[..end];
            let token = match KEYWORDS.iter().find(|keyword| **keyword == name) {
                Some(keyword) => Token::Keyword(keyword),
                None => Token::Name(name.to_owned()),
            };
            Ok((token, end))
        }
        _ => {
            if let Some((foreign, help)) = FOREIGN.iter().find(|(foreign, _)| rest.starts_with(foreign)) {
                let place = Place::new(at, at + foreign.len());
                let message = format!("'{foreign}' means nothing in a value model");
                return Err(Error::new(ErrorKind::Syntax, place, message).help(*help));
            }
            match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                Some(sign) => Ok((Token::Sign(sign), sign.len())),
                None => Err(unknown_character(first, at)),
            }
        }
    }
}

fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn unknown_character(character: char, at: usize) -> Error {
    let place = Place::new(at, at + character.len_utf8());
    let message = format!("the character '{}' means nothing here", character.escape_debug());
    let error = Error::new(ErrorKind::Syntax, place, message);
    match character {
        '!' => error.help("write not, or != for 'not equal'"),
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => {
            error.help("write texts in straight quotes: 'like this'")
        }
        '\u{2212}' | '\u{2013}' => error.help("write a plain minus sign: -"),
        '\u{d7}' | '\u{b7}' => error.help("write *"),
        _ => error,
    }
}

fn text(rest: &str, quote: char, at: usize) -> Result<(Token, usize)> {
    let unfinished = || {
        let place = Place::new(at, at + rest.len());
        Error::new(
            ErrorKind::Syntax,
            place,
            format!("this text does not end: a {quote} is missing"),
        )
        .help(format!("a {quote} inside is written \\{quote}"))
    };
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1);
    while let Some((offset, character)) = characters.next() {
        match character {
            character if character == quote => return Ok((Token::Text(text), offset + 1)),
            '\\' => {
                let (_, escaped) = characters.next().ok_or_else(unfinished)?;
                let digits = match escaped {
                    'x' => 2,
                    'u' => 4,
                    'U' => 8,
                    _ => 0,
                };
                let place = Place::new(at + offset, at + offset + 1 + escaped.len_utf8());
                if digits > 0 {
                    let code: String = characters.by_ref().take(digits).map(|(_, digit)| digit).collect();
                    let character = (code.len() == digits)
                        .then(|| u32::from_str_radix(&code, 16).ok())
                        .flatten()
                        .and_then(char::from_u32);
                    text.push(character.ok_or_else(|| {
                        Error::new(
                            ErrorKind::Syntax,
                            place,
                            format!("{digits} hexadecimal digits of a character must follow"),
                        )
                    })?);
                    continue;
                }
                text.push(match escaped {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    '\\' | '\'' | '"' => escaped,
                    _ => {
                        let message = format!("'\\{escaped}' means nothing in a text");
                        return Err(
                            Error::new(ErrorKind::Syntax, place, message).help("a backslash is written \\\\")
                        );
                    }
                });
            }
            '\n' => return Err(unfinished()),
            character => text.push(character),
        }
    }
    Err(unfinished())
}

fn number(rest: &str, at: usize) -> Result<(Token, usize)> {
    // Everything that could belong to it first, so that what is wrong is named whole.
    let mut end = 0;
    let hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let bytes = rest.as_bytes();
    while let Some(byte) = bytes.get(end) {
        let exponent_sign = matches!(byte, b'+' | b'-')
            && !hexadecimal
            && end > 0
            && matches!(bytes[end - 1], b'e' | b'E')
            && bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        if byte.is_ascii_alphanumeric() || *byte == b'_' || (*byte == b'.' && !hexadecimal) || exponent_sign {
            end += 1;
        } else {
            break;
        }
    }
    let literal = &rest[..end];
    let place = Place::new(at, at + end);
    let broken =
        |help: &str| Error::new(ErrorKind::Syntax, place, format!("'{literal}' is not a number")).help(help);
    // Between two digits an underscore is a separator.
    let inner = literal
        .as_bytes()
        .windows(3)
        .filter(|window| window[1] == b'_' && window[0].is_ascii_hexdigit() && window[2].is_ascii_hexdigit())
        .count();
    if literal.matches('_').count() != inner {
        return Err(broken("an underscore may stand between two digits only"));
    }
    let digits = literal.replace('_', "");
    let lower = digits.to_ascii_lowercase();
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] {
        if let Some(code) = lower.strip_prefix(prefix) {
            return match i64::from_str_radix(code, radix) {
                Ok(number) => Ok((Token::Integer(number), end)),
                Err(_) => Err(broken("digits of that base must follow, for at most 63 bits")),
            };
        }
    }
    if digits.bytes().all(|byte| byte.is_ascii_digit()) {
        if digits.len() > 1 && digits.starts_with('0') && digits.bytes().any(|byte| byte != b'0') {
            return Err(broken("leave out the zeros in front"));
        }
        if let Ok(number) = digits.parse() {
            return Ok((Token::Integer(number), end));
        }
    }
    if lower.ends_with('j') {
        return Err(broken("there are no imaginary numbers here"));
    }
    let plain = digits
        .bytes()
        .all(|byte| byte.is_ascii_digit() || b".eE+-".contains(&byte));
    match digits.parse::<f64>() {
        Ok(number) if plain && number.is_finite() => Ok((Token::Float(number), end)),
        Ok(_) if plain => Err(Error::new(
            ErrorKind::WrongValue,
            place,
            "this number is too large",
        )),
        _ => Err(broken("write it like 12, 0.5 or 1e-3")),
    }
}
