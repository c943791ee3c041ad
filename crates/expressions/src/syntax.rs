//! What the grammars of both languages share: nodes with places, and a cursor over words and signs.

use crate::error::{Error, ErrorKind, Limits, Place, Result};

/// A part of an expression and where it stands. Two are equal if they say the same, wherever they stand.
#[derive(Debug, Clone)]
pub struct Node<K> {
    /// Where it stands in the text.
    pub place: Place,
    /// What it says.
    pub kind: K,
}

impl<K: PartialEq> PartialEq for Node<K> {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// A word or a sign of a language.
pub(crate) trait Lexeme: Clone + PartialEq {
    /// What stands behind the last one.
    const END: Self;

    fn is_keyword(&self, keyword: &str) -> bool;

    fn is_sign(&self, sign: &str) -> bool;

    /// As it is named in a message.
    fn describe(&self) -> String;

    /// Adds how to mend it to the error that it stands in a wrong place.
    fn advise(&self, error: Error) -> Error;
}

/// The kind of node that terms with operators between them make.
type Chain<K, O> = fn(Box<Node<K>>, Vec<(O, Node<K>)>) -> K;

/// A place in the words and signs of a text. Each grammar is a set of methods on the cursor over its own.
pub(crate) struct Cursor<'l, T> {
    tokens: Vec<(T, Place)>,
    at: usize,
    depth: usize,
    pub(crate) limits: &'l Limits,
}

impl<'l, T: Lexeme> Cursor<'l, T> {
    /// The last token is [`Lexeme::END`] and is never stepped over.
    pub(crate) fn new(tokens: Vec<(T, Place)>, limits: &'l Limits) -> Self {
        Self {
            tokens,
            at: 0,
            depth: 0,
            limits,
        }
    }

    pub(crate) fn peek(&self) -> &T {
        &self.tokens[self.at].0
    }

    pub(crate) fn peek_second(&self) -> &T {
        &self.tokens[(self.at + 1).min(self.tokens.len() - 1)].0
    }

    pub(crate) fn place(&self) -> Place {
        self.tokens[self.at].1
    }

    pub(crate) fn step(&mut self) -> (T, Place) {
        let token = self.tokens[self.at].clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub(crate) fn take_keyword(&mut self, keyword: &str) -> bool {
        let found = self.peek().is_keyword(keyword);
        if found {
            self.step();
        }
        found
    }

    pub(crate) fn take_sign(&mut self, sign: &str) -> Option<Place> {
        self.peek().is_sign(sign).then(|| self.step().1)
    }

    pub(crate) fn expect_sign(&mut self, sign: &str) -> Result<Place> {
        match self.take_sign(sign) {
            Some(place) => Ok(place),
            None => Err(self.unexpected(&format!("'{sign}'"))),
        }
    }

    pub(crate) fn expect_end(&self) -> Result<()> {
        if *self.peek() == T::END {
            Ok(())
        } else {
            Err(self.unexpected("an operator or the end"))
        }
    }

    pub(crate) fn unexpected(&self, wanted: &str) -> Error {
        let (token, place) = &self.tokens[self.at];
        let message = format!("found {} where {wanted} should stand", token.describe());
        token.advise(Error::new(ErrorKind::Syntax, *place, message))
    }

    /// Parses one level further down.
    pub(crate) fn deeper<R>(&mut self, parse: impl FnOnce(&mut Self) -> Result<R>) -> Result<R> {
        self.depth += 1;
        if self.depth > self.limits.depth {
            let message = format!("this is nested more than {} levels deep", self.limits.depth);
            return Err(Error::new(ErrorKind::TooLarge, self.place(), message)
                .help("leave out brackets that are not needed"));
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// Terms with a keyword between them, as one node.
    pub(crate) fn joined<K>(
        &mut self,
        keyword: &str,
        term: fn(&mut Self) -> Result<Node<K>>,
        kind: fn(Vec<Node<K>>) -> K,
    ) -> Result<Node<K>> {
        let first = term(self)?;
        if !self.peek().is_keyword(keyword) {
            return Ok(first);
        }
        let mut place = first.place;
        let mut terms = vec![first];
        while self.take_keyword(keyword) {
            let next = term(self)?;
            place = place.to(next.place);
            terms.push(next);
        }
        Ok(Node {
            place,
            kind: kind(terms),
        })
    }

    /// Terms with operators of one level between them, as one node.
    pub(crate) fn chain<K, O>(
        &mut self,
        term: fn(&mut Self) -> Result<Node<K>>,
        operator: fn(&T) -> Option<O>,
        kind: Chain<K, O>,
    ) -> Result<Node<K>> {
        let first = term(self)?;
        let mut place = first.place;
        let mut rest = Vec::new();
        while let Some(operator) = operator(self.peek()) {
            self.step();
            let next = term(self)?;
            place = place.to(next.place);
            rest.push((operator, next));
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Node {
            place,
            kind: kind(Box::new(first), rest),
        })
    }

    pub(crate) fn check_entries(&self, count: usize) -> Result<()> {
        if count <= self.limits.list_items {
            return Ok(());
        }
        let message = format!("a list has at most {} entries", self.limits.list_items);
        Err(Error::new(ErrorKind::TooLarge, self.place(), message))
    }
}

/// The name behind `$param.` at the start of `rest`, and the length of the whole; `at` is where `rest` begins.
pub(crate) fn parameter(rest: &str, at: usize, continues_name: fn(char) -> bool) -> Result<(String, usize)> {
    let prefix = crate::params::PREFIX;
    let name = rest.strip_prefix(prefix).map(|name| {
        let end = name.find(|character| !continues_name(character));
        &name[..end.unwrap_or(name.len())]
    });
    match name {
        Some(name) if !name.is_empty() => Ok((name.to_owned(), prefix.len() + name.len())),
        _ => {
            let place = Place::new(at, at + 1);
            let message = "'$' begins a parameter and no name follows";
            Err(Error::new(ErrorKind::Syntax, place, message).help("write $param.NAME"))
        }
    }
}
