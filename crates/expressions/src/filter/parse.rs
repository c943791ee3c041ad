//! Words and signs into a tree, by recursive descent.
//!
//! From loose to tight: OR, AND, NOT, comparisons with IS, IN, BETWEEN and LIKE, + and -, * and / and %, a sign.
//! Long runs of one level become one node with many terms, so that only real nesting makes a tree deep.

use crate::error::{Error, ErrorKind, Limits, Place, Result};
use crate::filter::lex::{Token, tokens, too_large};
use crate::filter::tree::{Cast, Compare, Function, Is, Kind, Node, Operator, Quotes};
use crate::near::suggestion;
use crate::syntax::{Cursor, Lexeme};

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node> {
    if text.len() > limits.length {
        let place = Place::new(0, text.len());
        let message = format!(
            "a filter has at most {} bytes and this one has {}",
            limits.length,
            text.len()
        );
        return Err(Error::new(ErrorKind::TooLarge, place, message)
            .help("give long lists of values as a parameter: item_id IN ($param.ids)"));
    }
    let mut parser = Parser::new(tokens(text)?, limits);
    if *parser.peek() == Token::End {
        return Err(Error::new(
            ErrorKind::Syntax,
            Place::new(0, text.len()),
            "the filter is empty",
        )
        .help("write a condition such as price < 40, or leave the filter out"));
    }
    let node = parser.or()?;
    parser.expect_end()?;
    Ok(node)
}

type Parser<'l> = Cursor<'l, Token>;

impl Parser<'_> {
    fn expect_keyword(&mut self, keyword: &str) -> Result<()> {
        if self.take_keyword(keyword) {
            Ok(())
        } else {
            Err(self.unexpected(keyword))
        }
    }

    fn or(&mut self) -> Result<Node> {
        self.joined("OR", Self::and, Kind::Or)
    }

    fn and(&mut self) -> Result<Node> {
        self.joined("AND", Self::not, Kind::And)
    }

    fn not(&mut self) -> Result<Node> {
        let place = self.place();
        if !self.take_keyword("NOT") {
            return self.predicate();
        }
        let node = self.deeper(Self::not)?;
        Ok(Node {
            place: place.to(node.place),
            kind: Kind::Not(Box::new(node)),
        })
    }

    /// A value, at most one comparison, any number of `IS …`.
    fn predicate(&mut self) -> Result<Node> {
        let value = self.sum()?;
        let mut node = self.comparison(value)?;
        while self.take_keyword("IS") {
            let negated = self.take_keyword("NOT");
            let end = self.place();
            let what = match self.peek() {
                Token::Keyword("NULL") => Is::Null,
                Token::Keyword("TRUE") => Is::True,
                Token::Keyword("FALSE") => Is::False,
                _ => {
                    return Err(self
                        .unexpected("NULL, TRUE or FALSE")
                        .help("compare with = and !=; IS asks only for NULL, TRUE and FALSE"));
                }
            };
            self.step();
            node = Node {
                place: node.place.to(end),
                kind: Kind::Is {
                    value: Box::new(node),
                    what,
                    negated,
                },
            };
        }
        Ok(node)
    }

    fn comparison(&mut self, value: Node) -> Result<Node> {
        let compare = match self.peek() {
            Token::Sign("=" | "==") => Compare::Equal,
            Token::Sign("!=" | "<>") => Compare::NotEqual,
            Token::Sign("<") => Compare::Less,
            Token::Sign("<=") => Compare::LessOrEqual,
            Token::Sign(">") => Compare::Greater,
            Token::Sign(">=") => Compare::GreaterOrEqual,
            _ => return self.sql_comparison(value),
        };
        self.step();
        let right = self.sum()?;
        Ok(Node {
            place: value.place.to(right.place),
            kind: Kind::Compare(compare, Box::new(value), Box::new(right)),
        })
    }

    fn sql_comparison(&mut self, value: Node) -> Result<Node> {
        let negated = *self.peek() == Token::Keyword("NOT")
            && matches!(self.peek_second(), Token::Keyword("IN" | "BETWEEN" | "LIKE"));
        if negated {
            self.step();
        }
        let start = value.place;
        let value = Box::new(value);
        if self.take_keyword("IN") {
            let (list, end) = self.in_list()?;
            return Ok(Node {
                place: start.to(end),
                kind: Kind::In { value, list, negated },
            });
        }
        if self.take_keyword("BETWEEN") {
            let low = Box::new(self.sum()?);
            self.expect_keyword("AND")?;
            let high = Box::new(self.sum()?);
            return Ok(Node {
                place: start.to(high.place),
                kind: Kind::Between {
                    value,
                    low,
                    high,
                    negated,
                },
            });
        }
        if self.take_keyword("LIKE") {
            let pattern = Box::new(self.sum()?);
            let mut place = start.to(pattern.place);
            let escape = if self.take_keyword("ESCAPE") {
                let (token, end) = self.step();
                place = place.to(end);
                let escape = match &token {
                    Token::Text(text, _) if text.chars().count() == 1 => text.chars().next(),
                    _ => None,
                };
                if escape.is_none() {
                    return Err(
                        Error::new(ErrorKind::Syntax, end, "ESCAPE needs a text of one character")
                            .help("write LIKE '100!%' ESCAPE '!'"),
                    );
                }
                escape
            } else {
                None
            };
            return Ok(Node {
                place,
                kind: Kind::Like {
                    value,
                    pattern,
                    escape,
                    negated,
                },
            });
        }
        Ok(*value)
    }

    fn in_list(&mut self) -> Result<(Vec<Node>, Place)> {
        if let Token::Parameter(_) = self.peek() {
            let (token, place) = self.step();
            let Token::Parameter(name) = token else {
                return Err(self.unexpected("a parameter"));
            };
            let kind = Kind::Parameter(name);
            return Ok((vec![Node { place, kind }], place));
        }
        let (open, close) = if *self.peek() == Token::Sign("[") {
            ("[", "]")
        } else {
            ("(", ")")
        };
        if let Token::Name(name, _) = self.peek() {
            let help = format!("to look into a list column write array_has({name}, value)");
            return Err(self.unexpected("'(' or '['").help(help));
        }
        self.expect_sign(open)?;
        self.entries(close)
    }

    /// Values between commas up to `close`, which may follow at once.
    fn entries(&mut self, close: &str) -> Result<(Vec<Node>, Place)> {
        let mut entries = Vec::new();
        if let Some(end) = self.take_sign(close) {
            return Ok((entries, end));
        }
        loop {
            entries.push(self.deeper(Self::or)?);
            self.check_entries(entries.len())?;
            if let Some(end) = self.take_sign(close) {
                return Ok((entries, end));
            }
            if self.take_sign(",").is_none() {
                return Err(self.unexpected(&format!("',' or '{close}'")));
            }
        }
    }

    fn sum(&mut self) -> Result<Node> {
        self.chain(
            Self::product,
            |token| match token {
                Token::Sign("+") => Some(Operator::Add),
                Token::Sign("-") => Some(Operator::Subtract),
                _ => None,
            },
            Kind::Chain,
        )
    }

    fn product(&mut self) -> Result<Node> {
        self.chain(
            Self::signed,
            |token| match token {
                Token::Sign("*") => Some(Operator::Multiply),
                Token::Sign("/") => Some(Operator::Divide),
                Token::Sign("%") => Some(Operator::Remainder),
                _ => None,
            },
            Kind::Chain,
        )
    }

    fn signed(&mut self) -> Result<Node> {
        if self.take_sign("+").is_some() {
            return self.deeper(Self::signed);
        }
        let Some(sign) = self.take_sign("-") else {
            return self.primary();
        };
        // The least whole number has no positive counterpart: the sign belongs to the literal.
        if let Token::Integer(number) = self.peek() {
            let number = *number;
            let (_, place) = self.step();
            let place = sign.to(place);
            return match 0_i64.checked_sub_unsigned(number) {
                Some(number) => Ok(Node {
                    place,
                    kind: Kind::Integer(number),
                }),
                None => Err(too_large(place)),
            };
        }
        let node = self.deeper(Self::signed)?;
        let place = sign.to(node.place);
        let kind = match node.kind {
            Kind::Float(number) => Kind::Float(-number),
            Kind::Integer(number) if number != i64::MIN => Kind::Integer(-number),
            kind => Kind::Negate(Box::new(Node {
                place: node.place,
                kind,
            })),
        };
        Ok(Node { place, kind })
    }

    fn primary(&mut self) -> Result<Node> {
        let place = self.place();
        let leaf = |parser: &mut Self, kind| {
            parser.step();
            Ok(Node { place, kind })
        };
        match self.peek().clone() {
            Token::Keyword("NULL") => leaf(self, Kind::Null),
            Token::Keyword("TRUE") => leaf(self, Kind::Boolean(true)),
            Token::Keyword("FALSE") => leaf(self, Kind::Boolean(false)),
            Token::Keyword("CAST") => self.cast(),
            Token::Integer(number) => match i64::try_from(number) {
                Ok(number) => leaf(self, Kind::Integer(number)),
                Err(_) => Err(too_large(place)),
            },
            Token::Float(number) => leaf(self, Kind::Float(number)),
            Token::Text(text, quotes) => leaf(self, Kind::Text(text, quotes)),
            Token::Parameter(name) => leaf(self, Kind::Parameter(name)),
            Token::Name(name, bare) => match self.peek_second() {
                Token::Sign("(") if bare => self.call(&name),
                Token::Text(_, Quotes::Single) if bare && typed_literal(&name).is_some() => {
                    let cast = typed_literal(&name).unwrap_or(Cast::Timestamp);
                    self.step();
                    let text = self.primary()?;
                    Ok(Node {
                        place: place.to(text.place),
                        kind: Kind::Cast(Box::new(text), cast),
                    })
                }
                _ => leaf(self, Kind::Column(name)),
            },
            Token::Sign("(") => {
                self.step();
                let mut node = self.deeper(Self::or)?;
                let end = self.expect_sign(")")?;
                node.place = place.to(end);
                Ok(node)
            }
            Token::Sign("[") => {
                self.step();
                let (entries, end) = self.entries("]")?;
                Ok(Node {
                    place: place.to(end),
                    kind: Kind::List(entries),
                })
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    fn cast(&mut self) -> Result<Node> {
        let start = self.step().1;
        self.expect_sign("(")?;
        let value = self.deeper(Self::or)?;
        let (token, place) = self.step();
        if !matches!(&token, Token::Name(word, true) if word.eq_ignore_ascii_case("AS")) {
            return Err(Error::new(
                ErrorKind::Syntax,
                place,
                format!("found {} where AS should stand", token.describe()),
            )
            .help("write CAST(value AS type)"));
        }
        let (token, place) = self.step();
        let types = || Cast::NAMES.iter().map(|(name, _)| *name);
        let cast = match &token {
            Token::Name(name, true) => Cast::NAMES
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name))
                .map(|(_, cast)| *cast)
                .ok_or_else(|| {
                    let error = Error::new(
                        ErrorKind::UnknownName,
                        place,
                        format!("there is no type '{name}'"),
                    );
                    match suggestion(name, types()) {
                        Some(help) => error.help(help),
                        None => error,
                    }
                })?,
            token => {
                return Err(Error::new(
                    ErrorKind::Syntax,
                    place,
                    format!("found {} where a type should stand", token.describe()),
                ));
            }
        };
        let end = self.expect_sign(")")?;
        Ok(Node {
            place: start.to(end),
            kind: Kind::Cast(Box::new(value), cast),
        })
    }

    fn call(&mut self, name: &str) -> Result<Node> {
        let (_, place) = self.step();
        let function = Function::ALL
            .iter()
            .find(|(known, ..)| known.eq_ignore_ascii_case(name))
            .map(|(_, function, ..)| *function);
        let Some(function) = function else {
            let error = Error::new(
                ErrorKind::UnknownName,
                place,
                format!("a filter has no function '{name}'"),
            );
            return Err(match name.to_ascii_lowercase().as_str() {
                "lower" | "upper" => error.help("for both cases write regexp_match(column, '(?i)pattern')"),
                "array_contains" | "list_contains" | "contains" => error.help("write array_has(list, value)"),
                "now" | "now_seconds" | "current_timestamp" => {
                    error.help("give the time as a parameter or as a timestamp such as '2026-03-01 12:00:00'")
                }
                "regexp_matches" | "regexp_like" => error.help("write regexp_match(text, 'pattern')"),
                _ => match suggestion(name, Function::ALL.iter().map(|(known, ..)| *known)) {
                    Some(help) => error.help(help),
                    None => error,
                },
            });
        };
        self.expect_sign("(")?;
        let (arguments, end) = self.entries(")")?;
        let place = place.to(end);
        if arguments.len() != 2 {
            let signature = Function::ALL
                .iter()
                .find(|(_, known, ..)| *known == function)
                .map_or("", |(_, _, signature, _)| signature);
            return Err(Error::new(
                ErrorKind::WrongType,
                place,
                format!(
                    "{} takes 2 arguments and got {}",
                    function.name(),
                    arguments.len()
                ),
            )
            .help(format!("write {}({signature})", function.name())));
        }
        Ok(Node {
            place,
            kind: Kind::Call(function, arguments),
        })
    }
}

/// `DATE '…'` and `TIMESTAMP '…'`.
fn typed_literal(name: &str) -> Option<Cast> {
    if name.eq_ignore_ascii_case("timestamp") {
        Some(Cast::Timestamp)
    } else if name.eq_ignore_ascii_case("date") {
        Some(Cast::Date)
    } else {
        None
    }
}
