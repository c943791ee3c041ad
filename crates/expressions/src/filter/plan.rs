//! A filter bound to columns, and its evaluation.
//!
//! Candidates are taken in batches; each operation goes over a whole batch before the next one starts, so the inner
//! loops are plain loops over slices. Truth values are bytes (false 0, unknown 1, true 2), which makes SQL's AND the
//! smaller of two, its OR the larger, and its NOT a subtraction. Terms of AND and OR run cheapest first, and an
//! expensive one looks only at the candidates that are still undecided.
//!
//! No row can fail: what has no value (a division by zero, an overflow, an impossible cast) is NULL.

use std::borrow::Cow;
use std::collections::HashSet;

use regex::Regex;

use crate::data::{Column, Data, Items, Loaded, Selection, Type, Validity, both_valid};
use crate::error::{Fuel, Place, Result};
use crate::filter::like::LikePattern;
use crate::filter::tree::{Cast, Compare, Operator};

/// Candidates in a batch: a few columns of them fit into the first-level cache.
pub(super) const BATCH: usize = 2_048;

pub(super) const FALSE: u8 = 0;
pub(super) const UNKNOWN: u8 = 1;
pub(super) const TRUE: u8 = 2;

#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) place: Place,
    /// Nothing for a NULL that could be anything.
    pub(super) value_type: Option<Type>,
    pub(super) op: Op,
}

#[derive(Debug, Clone)]
pub(super) enum Op {
    Null,
    Truth(bool),
    /// Whole numbers and timestamps.
    Int(i64),
    Float(f64),
    Text(Box<str>),
    List(Set),
    /// The n-th of the columns that the filter reads.
    Column(usize),
    And(Vec<Plan>),
    Or(Vec<Plan>),
    Not(Box<Plan>),
    /// Both sides have one type.
    Compare(Compare, Box<Plan>, Box<Plan>),
    IsNull(Box<Plan>),
    IsTruth(Box<Plan>, u8),
    InSet(Box<Plan>, Set),
    InAny(Box<Plan>, Vec<Plan>),
    Between(Box<Plan>, Box<Plan>, Box<Plan>),
    Like(Box<Plan>, LikePattern),
    LikeEach(Box<Plan>, Box<Plan>, Option<char>),
    Regex(Box<Plan>, Regex, u64),
    Has(Box<Plan>, Box<Plan>, Keys),
    HasAny(Box<Plan>, Box<Plan>, Keys),
    HasAll(Box<Plan>, Box<Plan>, Keys),
    Chain(Box<Plan>, Vec<(Operator, Plan)>),
    Negate(Box<Plan>),
    ToFloat(Box<Plan>),
    Cast(Box<Plan>, Cast),
}

/// As what the items of two lists are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    Ints,
    Floats,
    Texts,
}

/// A constant list. Its NULLs are counted apart.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    /// Whole numbers, seconds, 0 and 1, or [`float_key`]s.
    pub(super) numbers: Vec<i64>,
    pub(super) texts: Vec<Box<str>>,
    pub(super) has_null: bool,
    number_index: HashSet<i64>,
    text_index: HashSet<Box<str>>,
}

impl Set {
    /// Up to this many entries, looking at each beats hashing.
    const FEW: usize = 8;

    pub(super) fn new(numbers: Vec<i64>, texts: Vec<Box<str>>, has_null: bool) -> Self {
        let number_index = if numbers.len() > Self::FEW {
            numbers.iter().copied().collect()
        } else {
            HashSet::new()
        };
        let text_index = if texts.len() > Self::FEW {
            texts.iter().cloned().collect()
        } else {
            HashSet::new()
        };
        Self {
            numbers,
            texts,
            has_null,
            number_index,
            text_index,
        }
    }

    fn has_number(&self, number: i64) -> bool {
        if self.number_index.is_empty() {
            self.numbers.contains(&number)
        } else {
            self.number_index.contains(&number)
        }
    }

    fn has_text(&self, text: &str) -> bool {
        if self.text_index.is_empty() {
            self.texts.iter().any(|known| &**known == text)
        } else {
            self.text_index.contains(text)
        }
    }

    fn has(&self, key: Key<'_>) -> bool {
        match key {
            Key::Number(number) => self.has_number(number),
            Key::Text(text) => self.has_text(text),
        }
    }

    fn keys(&self) -> impl Iterator<Item = Key<'_>> {
        let texts = self.texts.iter().map(|text| Key::Text(text));
        self.numbers
            .iter()
            .map(|number| Key::Number(*number))
            .chain(texts)
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len() + self.texts.len()
    }
}

/// Equal floats, and only those, have equal keys; NaN equals NaN.
pub(super) fn float_key(number: f64) -> i64 {
    let canonical = if number.is_nan() {
        f64::NAN
    } else {
        // Negative zero plus zero is zero.
        number + 0.0
    };
    canonical.to_bits().cast_signed()
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key<'e> {
    Number(i64),
    Text(&'e str),
}

/// The values of one operation for a batch.
#[derive(Debug)]
pub(super) enum Vector<'e> {
    Null,
    Truth(Data<'e, u8>),
    Int(Data<'e, i64>, Validity),
    Float(Data<'e, f64>, Validity),
    Text(Texts<'e>, Validity),
}

#[derive(Debug)]
pub(super) enum Texts<'e> {
    Borrowed(Data<'e, &'e str>),
    Owned(Vec<String>),
}

impl Texts<'_> {
    pub(super) fn get(&self, place: usize) -> &str {
        match self {
            Self::Borrowed(data) => data.get(place),
            Self::Owned(texts) => &texts[place],
        }
    }
}

impl Plan {
    pub(super) fn is_constant(&self) -> bool {
        matches!(
            self.op,
            Op::Null | Op::Truth(_) | Op::Int(_) | Op::Float(_) | Op::Text(_) | Op::List(_)
        )
    }

    /// Roughly the work for one candidate, to put cheap terms first.
    pub(super) fn cost(&self) -> u64 {
        match &self.op {
            Op::Null | Op::Truth(_) | Op::Int(_) | Op::Float(_) | Op::Text(_) | Op::List(_) => 0,
            Op::Column(_) => match self.value_type {
                Some(Type::Utf8) => 4,
                Some(Type::List(_)) => 20,
                _ => 1,
            },
            Op::And(terms) | Op::Or(terms) => terms.iter().map(Self::cost).sum(),
            Op::Not(node) | Op::IsTruth(node, _) | Op::Negate(node) | Op::ToFloat(node) => 1 + node.cost(),
            Op::IsNull(node) => match node.op {
                Op::Column(_) => 1,
                _ => 1 + node.cost(),
            },
            Op::Compare(_, left, right) => {
                let each = if left.value_type == Some(Type::Utf8) { 8 } else { 1 };
                each + left.cost() + right.cost()
            }
            Op::InSet(node, _) => 8 + node.cost(),
            Op::InAny(node, entries) => {
                node.cost() + entries.iter().map(|entry| 1 + entry.cost()).sum::<u64>()
            }
            Op::Between(node, low, high) => 2 + node.cost() + low.cost() + high.cost(),
            Op::Like(node, _) => 30 + node.cost(),
            Op::LikeEach(node, pattern, _) => 100 + node.cost() + pattern.cost(),
            Op::Regex(node, ..) => 100 + node.cost(),
            Op::Has(list, node, _) | Op::HasAny(list, node, _) | Op::HasAll(list, node, _) => {
                30 + list.cost() + node.cost()
            }
            Op::Chain(first, rest) => {
                first.cost() + rest.iter().map(|(_, node)| 2 + node.cost()).sum::<u64>()
            }
            Op::Cast(node, _) => 40 + node.cost(),
        }
    }
}

pub(super) struct Evaluator<'e> {
    pub(super) columns: &'e [Column<'e>],
    pub(super) fuel: &'e Fuel,
}

impl<'e> Evaluator<'e> {
    /// The truth of a condition per place of the selection.
    pub(super) fn truth(&self, plan: &'e Plan, selection: &Selection<'_>) -> Result<Data<'e, u8>> {
        let count = selection.len();
        let spend = |per_row: u64| self.fuel.burn(per_row * count as u64 + 16, plan.place);
        Ok(match &plan.op {
            Op::Null => Data::Const(UNKNOWN),
            Op::Truth(value) => Data::Const(if *value { TRUE } else { FALSE }),
            Op::Column(index) => {
                spend(1)?;
                match self.columns[*index].bools(selection) {
                    Loaded::Null => Data::Const(UNKNOWN),
                    Loaded::Data(data, valid) => with_unknown(data.map(truth), valid, count),
                }
            }
            Op::And(terms) => self.joined(terms, selection, FALSE, u8::min)?,
            Op::Or(terms) => self.joined(terms, selection, TRUE, u8::max)?,
            Op::Not(node) => self.truth(node, selection)?.map(|value| TRUE - value),
            Op::Compare(compare, left, right) => {
                let left = self.vector(left, selection)?;
                let right = self.vector(right, selection)?;
                self.burn_texts(&left, count, plan.place)?;
                spend(1)?;
                compared(*compare, &left, &right, count)
            }
            Op::IsNull(node) => match &node.op {
                Op::Column(index) => {
                    spend(1)?;
                    self.columns[*index]
                        .presence(selection)
                        .map(|there| truth(!there))
                }
                _ => self.is_null(&self.vector(node, selection)?),
            },
            Op::IsTruth(node, wanted) => {
                let wanted = *wanted;
                self.truth(node, selection)?.map(|value| truth(value == wanted))
            }
            Op::InSet(node, set) => {
                let value = self.vector(node, selection)?;
                self.burn_texts(&value, count, plan.place)?;
                spend(if set.len() > 4 { 16 } else { 4 })?;
                let miss = if set.has_null { UNKNOWN } else { FALSE };
                let found = |found: bool| if found { TRUE } else { miss };
                match &value {
                    Vector::Null => Data::Const(UNKNOWN),
                    Vector::Int(data, valid) => with_unknown(
                        data.map(|number| found(set.has_number(number))),
                        valid.clone(),
                        count,
                    ),
                    Vector::Float(data, valid) => with_unknown(
                        data.map(|number| found(set.has_number(float_key(number)))),
                        valid.clone(),
                        count,
                    ),
                    Vector::Text(texts, valid) => with_unknown(
                        text_truths(texts, count, |text| found(set.has_text(text))),
                        valid.clone(),
                        count,
                    ),
                    Vector::Truth(data) => data.map(|value| match value {
                        UNKNOWN => UNKNOWN,
                        value => found(set.has_number(i64::from(value == TRUE))),
                    }),
                }
            }
            Op::InAny(node, entries) => {
                let value = self.vector(node, selection)?;
                let mut any = Data::Const(FALSE);
                for entry in entries {
                    let entry = self.vector(entry, selection)?;
                    self.burn_texts(&value, count, plan.place)?;
                    spend(1)?;
                    any = any.zip(&compared(Compare::Equal, &value, &entry, count), u8::max);
                }
                any
            }
            Op::Between(node, low, high) => {
                let value = self.vector(node, selection)?;
                let low = self.vector(low, selection)?;
                let high = self.vector(high, selection)?;
                self.burn_texts(&value, count, plan.place)?;
                spend(2)?;
                compared(Compare::GreaterOrEqual, &value, &low, count)
                    .zip(&compared(Compare::LessOrEqual, &value, &high, count), u8::min)
            }
            Op::Like(node, pattern) => self.matched(
                self.vector(node, selection)?,
                count,
                plan.place,
                pattern.weight(),
                |text| pattern.matches(text),
            )?,
            Op::Regex(node, regex, weight) => self.matched(
                self.vector(node, selection)?,
                count,
                plan.place,
                *weight,
                |text| regex.is_match(text),
            )?,
            Op::LikeEach(node, pattern, escape) => {
                let value = self.vector(node, selection)?;
                let patterns = self.vector(pattern, selection)?;
                let (Vector::Text(texts, valid), Vector::Text(patterns, patterns_valid)) = (value, patterns)
                else {
                    return Ok(Data::Const(UNKNOWN));
                };
                let valid = both_valid(valid, patterns_valid);
                let mut truths = Vec::with_capacity(count);
                for place in 0..count {
                    if valid.as_ref().is_some_and(|valid| !valid[place]) {
                        truths.push(UNKNOWN);
                        continue;
                    }
                    let (text, pattern) = (texts.get(place), patterns.get(place));
                    self.fuel.burn(100 + pattern.len() as u64 * 4, plan.place)?;
                    truths.push(match LikePattern::new(pattern, *escape) {
                        Some(pattern) => {
                            self.fuel.burn(text.len() as u64 * pattern.weight(), plan.place)?;
                            truth(pattern.matches(text))
                        }
                        None => UNKNOWN,
                    });
                }
                Data::Many(Cow::Owned(truths))
            }
            Op::Has(list, needle, keys) => {
                let needles = self.vector(needle, selection)?;
                self.each_list(list, *keys, selection, plan.place, |place, items| {
                    let Some(needle) = vector_key(&needles, place) else {
                        return Ok(UNKNOWN);
                    };
                    Ok(truth(items.contains(&needle)))
                })?
            }
            Op::HasAny(left, right, keys) => match (&left.op, &right.op) {
                (_, Op::List(set)) => self.each_list(left, *keys, selection, plan.place, |_, items| {
                    Ok(truth(items.iter().any(|key| set.has(*key))))
                })?,
                (Op::List(set), _) => self.each_list(right, *keys, selection, plan.place, |_, items| {
                    Ok(truth(items.iter().any(|key| set.has(*key))))
                })?,
                _ => self.each_two_lists(left, right, *keys, selection, plan.place, |left, right| {
                    left.iter().any(|key| right.contains(key))
                })?,
            },
            Op::HasAll(left, right, keys) => match (&left.op, &right.op) {
                (_, Op::List(set)) => {
                    let wanted = set.len() as u64;
                    self.each_list(left, *keys, selection, plan.place, |_, items| {
                        self.fuel.burn(wanted * items.len() as u64, plan.place)?;
                        Ok(truth(set.keys().all(|key| items.contains(&key))))
                    })?
                }
                (Op::List(set), _) => self.each_list(right, *keys, selection, plan.place, |_, items| {
                    Ok(truth(items.iter().all(|key| set.has(*key))))
                })?,
                _ => self.each_two_lists(left, right, *keys, selection, plan.place, |left, right| {
                    right.iter().all(|key| left.contains(key))
                })?,
            },
            Op::Cast(..) => match self.vector(plan, selection)? {
                Vector::Truth(data) => data,
                _ => Data::Const(UNKNOWN),
            },
            // Not conditions: binding lets none of these here.
            Op::Int(_)
            | Op::Float(_)
            | Op::Text(_)
            | Op::List(_)
            | Op::Chain(..)
            | Op::Negate(_)
            | Op::ToFloat(_) => Data::Const(UNKNOWN),
        })
    }

    /// AND and OR: `decided` is the value that no further term can change.
    fn joined(
        &self,
        terms: &'e [Plan],
        selection: &Selection<'_>,
        decided: u8,
        join: fn(u8, u8) -> u8,
    ) -> Result<Data<'e, u8>> {
        let mut result: Data<'e, u8> = Data::Const(TRUE - decided);
        for term in terms {
            let Data::Many(truths) = &mut result else {
                if matches!(result, Data::Const(value) if value == decided) {
                    return Ok(result);
                }
                let next = self.truth(term, selection)?;
                result = result.zip(&next, join);
                continue;
            };
            // Below this a term costs less than finding out who needs it.
            if term.cost() <= 4 {
                let next = self.truth(term, selection)?;
                result = result.zip(&next, join);
                continue;
            }
            let open: Vec<u32> = (0..truths.len() as u32)
                .filter(|place| truths[*place as usize] != decided)
                .collect();
            if open.is_empty() {
                return Ok(result);
            }
            if open.len() * 8 > truths.len() * 7 {
                let next = self.truth(term, selection)?;
                result = result.zip(&next, join);
                continue;
            }
            let candidates: Vec<u32> = open
                .iter()
                .map(|place| selection.candidate(*place as usize) as u32)
                .collect();
            let next = self.truth(term, &Selection::List(&candidates))?;
            let truths = truths.to_mut();
            for (index, place) in open.iter().enumerate() {
                let truth = &mut truths[*place as usize];
                *truth = join(*truth, next.get(index));
            }
        }
        Ok(result)
    }

    fn is_null(&self, vector: &Vector<'e>) -> Data<'e, u8> {
        let valid = match vector {
            Vector::Null => return Data::Const(TRUE),
            Vector::Truth(data) => return data.map(|value| truth(value == UNKNOWN)),
            Vector::Int(_, valid) | Vector::Float(_, valid) | Vector::Text(_, valid) => valid,
        };
        match valid {
            None => Data::Const(FALSE),
            Some(valid) => Data::Many(valid.iter().map(|valid| truth(!valid)).collect()),
        }
    }

    fn burn_texts(&self, vector: &Vector<'_>, count: usize, place: Place) -> Result<()> {
        match vector {
            Vector::Text(..) => self.fuel.burn(8 * count as u64, place),
            _ => Ok(()),
        }
    }

    fn matched(
        &self,
        vector: Vector<'e>,
        count: usize,
        place: Place,
        weight: u64,
        matches: impl Fn(&str) -> bool,
    ) -> Result<Data<'e, u8>> {
        let Vector::Text(texts, valid) = vector else {
            return Ok(Data::Const(UNKNOWN));
        };
        if let Texts::Borrowed(Data::Const(text)) = texts {
            self.fuel.burn(20 + text.len() as u64 * weight, place)?;
            return Ok(Data::Const(truth(matches(text))));
        }
        let mut truths = Vec::with_capacity(count);
        for row in 0..count {
            if valid.as_ref().is_some_and(|valid| !valid[row]) {
                truths.push(UNKNOWN);
                continue;
            }
            let text = texts.get(row);
            self.fuel.burn(20 + text.len() as u64 * weight, place)?;
            truths.push(truth(matches(text)));
        }
        Ok(Data::Many(Cow::Owned(truths)))
    }

    /// Asks about the items of each candidate's list, without their NULLs; unknown where the list is NULL.
    fn each_list(
        &self,
        list: &'e Plan,
        keys: Keys,
        selection: &Selection<'_>,
        place: Place,
        ask: impl Fn(usize, &[Key<'e>]) -> Result<u8>,
    ) -> Result<Data<'e, u8>> {
        let mut items: Vec<Key<'e>> = Vec::new();
        let mut truths = Vec::with_capacity(selection.len());
        if let Op::List(set) = &list.op {
            items.extend(set.keys());
        }
        for row in 0..selection.len() {
            if let Op::Column(index) = &list.op {
                items.clear();
                match self.columns[*index].list(selection.candidate(row)) {
                    Some(found) => collect(&found, keys, &mut items),
                    None => {
                        truths.push(UNKNOWN);
                        continue;
                    }
                }
            }
            self.fuel.burn(16 + 8 * items.len() as u64, place)?;
            truths.push(ask(row, &items)?);
        }
        Ok(Data::Many(Cow::Owned(truths)))
    }

    fn each_two_lists(
        &self,
        left: &'e Plan,
        right: &'e Plan,
        keys: Keys,
        selection: &Selection<'_>,
        place: Place,
        ask: impl Fn(&[Key<'e>], &[Key<'e>]) -> bool,
    ) -> Result<Data<'e, u8>> {
        let (Op::Column(left), Op::Column(right)) = (&left.op, &right.op) else {
            return Ok(Data::Const(UNKNOWN));
        };
        let (mut left_items, mut right_items) = (Vec::new(), Vec::new());
        let mut truths = Vec::with_capacity(selection.len());
        for row in 0..selection.len() {
            let candidate = selection.candidate(row);
            let lists = (
                self.columns[*left].list(candidate),
                self.columns[*right].list(candidate),
            );
            let (Some(left), Some(right)) = lists else {
                truths.push(UNKNOWN);
                continue;
            };
            left_items.clear();
            right_items.clear();
            let work = (left.len() as u64 + 1) * (right.len() as u64 + 1);
            self.fuel.burn(16 + 8 * work, place)?;
            collect(&left, keys, &mut left_items);
            collect(&right, keys, &mut right_items);
            truths.push(truth(ask(&left_items, &right_items)));
        }
        Ok(Data::Many(Cow::Owned(truths)))
    }

    /// The values of an operation per place of the selection.
    pub(super) fn vector(&self, plan: &'e Plan, selection: &Selection<'_>) -> Result<Vector<'e>> {
        let count = selection.len();
        Ok(match &plan.op {
            Op::Null | Op::List(_) => Vector::Null,
            Op::Int(number) => Vector::Int(Data::Const(*number), None),
            Op::Float(number) => Vector::Float(Data::Const(*number), None),
            Op::Text(text) => Vector::Text(Texts::Borrowed(Data::Const(text)), None),
            Op::Column(index) if plan.value_type != Some(Type::Boolean) => {
                let column = &self.columns[*index];
                self.fuel.burn(count as u64 * plan.cost() + 16, plan.place)?;
                match plan.value_type {
                    Some(Type::Int64 | Type::Timestamp) => match column.ints(selection) {
                        Loaded::Null => Vector::Null,
                        Loaded::Data(data, valid) => Vector::Int(data, valid),
                    },
                    Some(Type::Float64) => match column.floats(selection) {
                        Loaded::Null => Vector::Null,
                        Loaded::Data(data, valid) => Vector::Float(data, valid),
                    },
                    Some(Type::Utf8) => match column.texts(selection) {
                        Loaded::Null => Vector::Null,
                        Loaded::Data(data, valid) => Vector::Text(Texts::Borrowed(data), valid),
                    },
                    _ => Vector::Null,
                }
            }
            Op::Chain(first, rest) => {
                let mut value = self.vector(first, selection)?;
                for (operator, node) in rest {
                    let next = self.vector(node, selection)?;
                    // Dividing whole numbers is by far the slowest of them.
                    let work = if *operator == Operator::Remainder { 16 } else { 4 };
                    self.fuel.burn(work * count as u64 + 16, plan.place)?;
                    value = arithmetic(*operator, value, next, count);
                }
                value
            }
            Op::Negate(node) => {
                self.fuel.burn(count as u64 + 16, plan.place)?;
                match self.vector(node, selection)? {
                    Vector::Int(data, valid) => arithmetic(
                        Operator::Subtract,
                        Vector::Int(Data::Const(0), None),
                        Vector::Int(data, valid),
                        count,
                    ),
                    Vector::Float(data, valid) => Vector::Float(data.map(|number| -number), valid),
                    _ => Vector::Null,
                }
            }
            Op::ToFloat(node) => {
                self.fuel.burn(count as u64 + 16, plan.place)?;
                match self.vector(node, selection)? {
                    Vector::Int(data, valid) => Vector::Float(data.map(|number| number as f64), valid),
                    vector => vector,
                }
            }
            Op::Cast(node, to) => {
                let value = self.vector(node, selection)?;
                self.fuel.burn(60 * count as u64 + 16, plan.place)?;
                super::cast::cast(value, node.value_type, *to, count)
            }
            _ => Vector::Truth(self.truth(plan, selection)?),
        })
    }
}

pub(super) fn truth(value: bool) -> u8 {
    if value { TRUE } else { FALSE }
}

fn with_unknown<'e>(data: Data<'e, u8>, valid: Validity, count: usize) -> Data<'e, u8> {
    let Some(valid) = valid else {
        return data;
    };
    match data {
        Data::Const(value) => Data::Many(
            valid
                .iter()
                .take(count)
                .map(|valid| if *valid { value } else { UNKNOWN })
                .collect(),
        ),
        Data::Many(mut values) => {
            for (value, valid) in values.to_mut().iter_mut().zip(valid) {
                *value = if valid { *value } else { UNKNOWN };
            }
            Data::Many(values)
        }
    }
}

fn text_truths(texts: &Texts<'_>, count: usize, ask: impl Fn(&str) -> u8) -> Data<'static, u8> {
    match texts {
        Texts::Borrowed(Data::Const(text)) => Data::Const(ask(text)),
        Texts::Borrowed(Data::Many(texts)) => Data::Many(texts.iter().map(|text| ask(text)).collect()),
        Texts::Owned(texts) => Data::Many(texts.iter().take(count).map(|text| ask(text)).collect()),
    }
}

fn vector_key<'v>(vector: &'v Vector<'_>, place: usize) -> Option<Key<'v>> {
    let valid = |valid: &Validity| valid.as_ref().is_none_or(|valid| valid[place]);
    match vector {
        Vector::Null => None,
        Vector::Truth(data) => match data.get(place) {
            UNKNOWN => None,
            value => Some(Key::Number(i64::from(value == TRUE))),
        },
        Vector::Int(data, validity) => valid(validity).then(|| Key::Number(data.get(place))),
        Vector::Float(data, validity) => valid(validity).then(|| Key::Number(float_key(data.get(place)))),
        Vector::Text(texts, validity) => valid(validity).then(|| Key::Text(texts.get(place))),
    }
}

fn collect<'e>(items: &Items<'e>, keys: Keys, into: &mut Vec<Key<'e>>) {
    for item in items.range.clone() {
        into.extend(match keys {
            Keys::Ints => items.int(item).map(Key::Number),
            Keys::Floats => items.float(item).map(|number| Key::Number(float_key(number))),
            Keys::Texts => items.text(item).map(Key::Text),
        });
    }
}

fn compared(compare: Compare, left: &Vector<'_>, right: &Vector<'_>, count: usize) -> Data<'static, u8> {
    match (left, right) {
        (Vector::Int(left, left_valid), Vector::Int(right, right_valid)) => {
            let data = match compare {
                Compare::Equal => left.zip(right, |left, right| truth(left == right)),
                Compare::NotEqual => left.zip(right, |left, right| truth(left != right)),
                Compare::Less => left.zip(right, |left, right| truth(left < right)),
                Compare::LessOrEqual => left.zip(right, |left, right| truth(left <= right)),
                Compare::Greater => left.zip(right, |left, right| truth(left > right)),
                Compare::GreaterOrEqual => left.zip(right, |left, right| truth(left >= right)),
            };
            own(with_unknown(
                data,
                both_valid(left_valid.clone(), right_valid.clone()),
                count,
            ))
        }
        (Vector::Float(left, left_valid), Vector::Float(right, right_valid)) => {
            let data = match compare {
                Compare::Equal => left.zip(right, |left, right| truth(float_equal(left, right))),
                Compare::NotEqual => left.zip(right, |left, right| truth(!float_equal(left, right))),
                Compare::Less => left.zip(right, |left, right| truth(float_less(left, right))),
                Compare::LessOrEqual => left.zip(right, |left, right| truth(!float_less(right, left))),
                Compare::Greater => left.zip(right, |left, right| truth(float_less(right, left))),
                Compare::GreaterOrEqual => left.zip(right, |left, right| truth(!float_less(left, right))),
            };
            own(with_unknown(
                data,
                both_valid(left_valid.clone(), right_valid.clone()),
                count,
            ))
        }
        (Vector::Text(left, left_valid), Vector::Text(right, right_valid)) => {
            let ask = |left: &str, right: &str| {
                truth(match compare {
                    // Lengths first: most different texts differ in length.
                    Compare::Equal => left == right,
                    Compare::NotEqual => left != right,
                    Compare::Less => left < right,
                    Compare::LessOrEqual => left <= right,
                    Compare::Greater => left > right,
                    Compare::GreaterOrEqual => left >= right,
                })
            };
            let data = match (left, right) {
                (texts, Texts::Borrowed(Data::Const(right))) => {
                    text_truths(texts, count, |left| ask(left, right))
                }
                (Texts::Borrowed(Data::Const(left)), texts) => {
                    text_truths(texts, count, |right| ask(left, right))
                }
                _ => Data::Many(
                    (0..count)
                        .map(|place| ask(left.get(place), right.get(place)))
                        .collect(),
                ),
            };
            own(with_unknown(
                data,
                both_valid(left_valid.clone(), right_valid.clone()),
                count,
            ))
        }
        (Vector::Truth(left), Vector::Truth(right)) => left.zip(right, |left, right| {
            if left == UNKNOWN || right == UNKNOWN {
                return UNKNOWN;
            }
            truth(match compare {
                Compare::Equal => left == right,
                Compare::NotEqual => left != right,
                Compare::Less => left < right,
                Compare::LessOrEqual => left <= right,
                Compare::Greater => left > right,
                Compare::GreaterOrEqual => left >= right,
            })
        }),
        _ => Data::Const(UNKNOWN),
    }
}

fn own(data: Data<'_, u8>) -> Data<'static, u8> {
    match data {
        Data::Const(value) => Data::Const(value),
        Data::Many(values) => Data::Many(Cow::Owned(values.into_owned())),
    }
}

/// NaN equals itself and is greater than every other number, so that numbers have an order.
fn float_equal(left: f64, right: f64) -> bool {
    left == right || (left.is_nan() && right.is_nan())
}

fn float_less(left: f64, right: f64) -> bool {
    left < right || (right.is_nan() && !left.is_nan())
}

fn arithmetic<'e>(operator: Operator, left: Vector<'e>, right: Vector<'e>, count: usize) -> Vector<'e> {
    match (left, right) {
        (Vector::Int(left, left_valid), Vector::Int(right, right_valid)) => {
            let valid = both_valid(left_valid, right_valid);
            let checked = match operator {
                Operator::Add => left.zip(&right, i64::overflowing_add),
                Operator::Subtract => left.zip(&right, i64::overflowing_sub),
                Operator::Multiply => left.zip(&right, i64::overflowing_mul),
                Operator::Remainder => left.zip(&right, |left, right| match left.checked_rem(right) {
                    Some(rest) => (rest, false),
                    None => (0, true),
                }),
                Operator::Divide => {
                    let divided = left.zip(&right, |left, right| (left as f64 / right as f64, right == 0));
                    return match settled(divided, valid, count) {
                        Some((data, valid)) => Vector::Float(data, valid),
                        None => Vector::Null,
                    };
                }
            };
            match settled(checked, valid, count) {
                Some((data, valid)) => Vector::Int(data, valid),
                None => Vector::Null,
            }
        }
        (Vector::Null, _) | (_, Vector::Null) => Vector::Null,
        (left, right) => {
            let (Some((left, left_valid)), Some((right, right_valid))) = (floats(left), floats(right)) else {
                return Vector::Null;
            };
            let valid = both_valid(left_valid, right_valid);
            let checked = match operator {
                Operator::Add => return Vector::Float(left.zip(&right, |left, right| left + right), valid),
                Operator::Subtract => {
                    return Vector::Float(left.zip(&right, |left, right| left - right), valid);
                }
                Operator::Multiply => {
                    return Vector::Float(left.zip(&right, |left, right| left * right), valid);
                }
                Operator::Divide => left.zip(&right, |left, right| (left / right, right == 0.0)),
                Operator::Remainder => left.zip(&right, |left, right| (left % right, right == 0.0)),
            };
            match settled(checked, valid, count) {
                Some((data, valid)) => Vector::Float(data, valid),
                None => Vector::Null,
            }
        }
    }
}

fn floats<'e>(vector: Vector<'e>) -> Option<(Data<'e, f64>, Validity)> {
    match vector {
        Vector::Float(data, valid) => Some((data, valid)),
        Vector::Int(data, valid) => Some((data.map(|number| number as f64), valid)),
        _ => None,
    }
}

/// Results that come with whether there is none, split into values and validity; nothing if no place has one.
fn settled<T: Copy>(
    data: Data<'_, (T, bool)>,
    valid: Validity,
    count: usize,
) -> Option<(Data<'static, T>, Validity)> {
    match data {
        Data::Const((_, true)) => None,
        Data::Const((value, false)) => Some((Data::Const(value), valid)),
        Data::Many(pairs) => {
            let values = pairs.iter().map(|(value, _)| *value).collect();
            let valid = if pairs.iter().any(|(_, failed)| *failed) {
                let computed = pairs.iter().take(count).map(|(_, failed)| !failed).collect();
                both_valid(valid, Some(computed))
            } else {
                valid
            };
            Some((Data::Many(values), valid))
        }
    }
}
