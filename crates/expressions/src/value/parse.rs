//! Words and signs into a tree, by Python's grammar of expressions.
//!
//! From loose to tight: `if else`, or, and, not, comparisons, + and -, * / // %, signs, `**`. Long runs of one level
//! become one node with many terms, so that only real nesting makes a tree deep.

use crate::error::{Error, ErrorKind, Limits, Place, Result};
use crate::syntax::{Cursor, Lexeme};
use crate::value::lex::{Token, tokens};
use crate::value::tree::{Compare, Kind, Node, Operator};

pub(super) fn parse(text: &str, limits: &Limits) -> Result<Node> {
    if text.len() > limits.length {
        let message = format!(
            "a value model has at most {} bytes and this one has {}",
            limits.length,
            text.len()
        );
        return Err(Error::new(
            ErrorKind::TooLarge,
            Place::new(0, text.len()),
            message,
        ));
    }
    let mut parser = Parser::new(tokens(text)?, limits);
    if *parser.peek() == Token::End {
        let place = Place::new(0, text.len());
        return Err(Error::new(ErrorKind::Syntax, place, "the value model is empty")
            .help("write the name of a policy, or leave the value model out"));
    }
    let node = parser.expression()?;
    parser.expect_end()?;
    Ok(node)
}

type Parser<'l> = Cursor<'l, Token>;

impl Parser<'_> {
    fn expression(&mut self) -> Result<Node> {
        let then = self.or()?;
        if !self.take_keyword("if") {
            return Ok(then);
        }
        let test = self.or()?;
        if !self.take_keyword("else") {
            return Err(self
                .unexpected("else")
                .help("write value if test else other: both cases need a value"));
        }
        let otherwise = self.deeper(Self::expression)?;
        Ok(Node {
            place: then.place.to(otherwise.place),
            kind: Kind::Condition {
                then: Box::new(then),
                test: Box::new(test),
                otherwise: Box::new(otherwise),
            },
        })
    }

    fn or(&mut self) -> Result<Node> {
        self.joined("or", Self::and, Kind::Or)
    }

    fn and(&mut self) -> Result<Node> {
        self.joined("and", Self::not, Kind::And)
    }

    fn not(&mut self) -> Result<Node> {
        let place = self.place();
        if !self.take_keyword("not") {
            return self.comparison();
        }
        let node = self.deeper(Self::not)?;
        Ok(Node {
            place: place.to(node.place),
            kind: Kind::Not(Box::new(node)),
        })
    }

    fn comparison(&mut self) -> Result<Node> {
        let first = self.sum()?;
        let mut place = first.place;
        let mut rest = Vec::new();
        loop {
            let compare = match (self.peek(), self.peek_second()) {
                (Token::Sign("=="), _) => Compare::Equal,
                (Token::Sign("!="), _) => Compare::NotEqual,
                (Token::Sign("<"), _) => Compare::Less,
                (Token::Sign("<="), _) => Compare::LessOrEqual,
                (Token::Sign(">"), _) => Compare::Greater,
                (Token::Sign(">="), _) => Compare::GreaterOrEqual,
                (Token::Keyword("in"), _) => Compare::In,
                (Token::Keyword("not"), Token::Keyword("in")) => {
                    self.step();
                    Compare::NotIn
                }
                _ => break,
            };
            self.step();
            let next = self.sum()?;
            place = place.to(next.place);
            rest.push((compare, next));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Node {
            place,
            kind: Kind::Compare(Box::new(first), rest),
        })
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
                Token::Sign("//") => Some(Operator::FloorDivide),
                Token::Sign("%") => Some(Operator::Remainder),
                _ => None,
            },
            Kind::Chain,
        )
    }

    fn signed(&mut self) -> Result<Node> {
        let kind = match self.peek() {
            Token::Sign("-") => Kind::Negate,
            Token::Sign("+") => Kind::Plus,
            _ => return self.power(),
        };
        let (_, place) = self.step();
        let node = self.deeper(Self::signed)?;
        Ok(Node {
            place: place.to(node.place),
            kind: kind(Box::new(node)),
        })
    }

    /// Binds tighter than a sign before it and looser than one behind it: -2 ** -2.
    fn power(&mut self) -> Result<Node> {
        let base = self.primary()?;
        if self.take_sign("**").is_none() {
            return Ok(base);
        }
        let exponent = self.deeper(Self::signed)?;
        Ok(Node {
            place: base.place.to(exponent.place),
            kind: Kind::Power(Box::new(base), Box::new(exponent)),
        })
    }

    fn primary(&mut self) -> Result<Node> {
        let place = self.place();
        let kind = match self.peek().clone() {
            Token::Keyword("True") => Kind::Boolean(true),
            Token::Keyword("False") => Kind::Boolean(false),
            Token::Integer(number) => Kind::Integer(number),
            Token::Float(number) => Kind::Float(number),
            Token::Text(text) => Kind::Text(text),
            Token::Parameter(name) => Kind::Parameter(name),
            Token::Name(_) => return self.name(),
            Token::Sign("(") => return self.brackets(),
            Token::Sign("[") => {
                self.step();
                let (entries, end) = self.entries("]")?;
                return Ok(Node {
                    place: place.to(end),
                    kind: Kind::List(entries),
                });
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.step();
        if let (Kind::Text(_), Token::Text(_)) = (&kind, self.peek()) {
            return Err(self.unexpected("an operator"));
        }
        Ok(Node { place, kind })
    }

    /// One value in brackets, or several as a list.
    fn brackets(&mut self) -> Result<Node> {
        let (_, place) = self.step();
        if let Some(end) = self.take_sign(")") {
            return Ok(Node {
                place: place.to(end),
                kind: Kind::List(Vec::new()),
            });
        }
        let mut node = self.deeper(Self::expression)?;
        if let Some(end) = self.take_sign(")") {
            node.place = place.to(end);
            return Ok(node);
        }
        if self.take_sign(",").is_none() {
            return Err(self.unexpected("')'"));
        }
        let (rest, end) = self.entries(")")?;
        let mut entries = vec![node];
        entries.extend(rest);
        Ok(Node {
            place: place.to(end),
            kind: Kind::List(entries),
        })
    }

    /// Values between commas up to `close`; a comma may stand before it.
    fn entries(&mut self, close: &str) -> Result<(Vec<Node>, Place)> {
        let mut entries = Vec::new();
        loop {
            if let Some(end) = self.take_sign(close) {
                return Ok((entries, end));
            }
            entries.push(self.deeper(Self::expression)?);
            self.check_entries(entries.len())?;
            if self.take_sign(",").is_none() {
                return match self.take_sign(close) {
                    Some(end) => Ok((entries, end)),
                    None => Err(self.unexpected(&format!("',' or '{close}'"))),
                };
            }
        }
    }

    fn name(&mut self) -> Result<Node> {
        let (token, mut place) = self.step();
        let Token::Name(mut name) = token else {
            return Err(Error::new(ErrorKind::Syntax, place, "a name should stand here"));
        };
        while self.take_sign(".").is_some() {
            let (token, part) = self.step();
            match token {
                Token::Name(next) => {
                    name.push('.');
                    name.push_str(&next);
                }
                // Columns are named by others.
                Token::Keyword(next) => {
                    name.push('.');
                    name.push_str(next);
                }
                token => {
                    let message = format!("found {} where a name should follow the point", token.describe());
                    return Err(Error::new(ErrorKind::Syntax, part, message));
                }
            }
            place = place.to(part);
        }
        if self.take_sign("(").is_none() {
            return Ok(Node {
                place,
                kind: Kind::Name(name),
            });
        }
        let mut arguments: Vec<(Option<String>, Node)> = Vec::new();
        loop {
            if let Some(end) = self.take_sign(")") {
                return Ok(Node {
                    place: place.to(end),
                    kind: Kind::Call(name, arguments),
                });
            }
            let keyword = match (self.peek(), self.peek_second()) {
                (Token::Name(keyword), Token::Sign("=")) => Some(keyword.clone()),
                _ => None,
            };
            if keyword.is_some() {
                self.step();
                self.step();
            } else if arguments.last().is_some_and(|(keyword, _)| keyword.is_some()) {
                return Err(self
                    .unexpected("NAME=value")
                    .help("arguments without a name come first"));
            }
            arguments.push((keyword, self.deeper(Self::expression)?));
            if self.take_sign(",").is_none() {
                let end = self.expect_sign(")")?;
                return Ok(Node {
                    place: place.to(end),
                    kind: Kind::Call(name, arguments),
                });
            }
        }
    }
}
