//! A value model bound to its inputs, and its evaluation.
//!
//! Candidates are taken in batches; each operation goes over a whole batch. A branch that Python would not look at is
//! not looked at either, candidate by candidate: `a if test else b` splits the batch in two.
//!
//! Inputs are whole from the start (a NULL is 0). Where Python would raise, the candidate has failed: its value ends
//! as 0 and is counted. So no operation but the failing one has to think of missing values.

use std::borrow::Cow;
use std::cell::RefCell;
use std::cmp::Ordering;
use std::collections::HashSet;

use crate::data::{Column, Data, Loaded, Selection, Type};
use crate::error::{Fuel, Place, Result};
use crate::value::functions::{
    Call, Failure, Number, divide_floor, exact_sum, is_close, power, scale_by_power,
};
use crate::value::tree::{Compare, Operator};
use crate::value::{BoundInput, Input, Warning, WarningKind};

/// Candidates in a batch.
pub(super) const BATCH: usize = 2_048;

/// The type of a single value, as Python would name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Bool,
    Int,
    Float,
    Text,
}

#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) place: Place,
    pub(super) shape: Shape,
    pub(super) op: Op,
}

#[derive(Debug, Clone)]
pub(super) enum Op {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Box<str>),
    Input(usize),
    Now,
    Or(Vec<Plan>),
    And(Vec<Plan>),
    Not(Box<Plan>),
    Compare(Box<Plan>, Vec<Link>),
    If(Box<Plan>, Box<Plan>, Box<Plan>),
    Chain(Box<Plan>, Vec<(Operator, Plan)>),
    Power(Box<Plan>, Box<Plan>),
    Negate(Box<Plan>),
    Plus(Box<Plan>),
    Apply(Call, Vec<Plan>),
    /// Over one list, with a start or a default.
    OverList(Call, List, Option<Box<Plan>>),
    OverLists(
        fn(&[f64], &[f64]) -> std::result::Result<f64, Failure>,
        List,
        List,
    ),
    TextLength(Box<Plan>),
    Cosine(List, List),
}

/// What a comparison goes on with.
#[derive(Debug, Clone)]
pub(super) enum Link {
    Compare(Compare, Plan),
    InList(List, bool),
    InText(Plan, bool),
}

#[derive(Debug, Clone)]
pub(super) struct List {
    pub(super) place: Place,
    pub(super) of_texts: bool,
    pub(super) source: Source,
}

#[derive(Debug, Clone)]
pub(super) enum Source {
    /// A list or vector column.
    Input(usize),
    /// Entries, and constant ones hashed.
    Entries(Vec<Plan>, HashSet<Box<str>>),
}

/// The values of one operation for a selection.
#[derive(Debug, Clone)]
pub(super) enum Vector<'e> {
    Bool(Data<'e, bool>),
    Int(Data<'e, i64>),
    Float(Data<'e, f64>),
    /// Whole numbers for some candidates and floats for others. Kept apart, so that no candidate's value depends on
    /// who else is in the batch.
    Mixed(Vec<Number>),
    Text(Data<'e, &'e str>),
}

/// Which candidates of the batch, by their number in it.
#[derive(Clone, Copy)]
pub(super) enum Chosen<'s> {
    All(usize),
    Some(&'s [u32]),
}

impl Chosen<'_> {
    fn len(&self) -> usize {
        match self {
            Self::All(count) => *count,
            Self::Some(places) => places.len(),
        }
    }

    fn place(&self, index: usize) -> usize {
        match self {
            Self::All(_) => index,
            Self::Some(places) => places[index] as usize,
        }
    }

    /// The chosen among the chosen.
    fn narrowed(&self, indices: &[u32]) -> Vec<u32> {
        indices
            .iter()
            .map(|index| self.place(*index as usize) as u32)
            .collect()
    }
}

pub(super) struct Evaluator<'e> {
    inputs: Vec<Vector<'e>>,
    columns: &'e [Column<'e>],
    start: usize,
    now_seconds: f64,
    fuel: &'e Fuel,
    /// Candidates of the batch whose value cannot be computed.
    failed: RefCell<Vec<bool>>,
    warnings: &'e RefCell<Vec<Warning>>,
}

impl<'e> Evaluator<'e> {
    /// Takes in the inputs of a batch, NULLs and non-finite numbers replaced and counted.
    pub(super) fn new(
        bound: &[BoundInput],
        columns: &'e [Column<'e>],
        start: usize,
        len: usize,
        now_seconds: f64,
        fuel: &'e Fuel,
        warnings: &'e RefCell<Vec<Warning>>,
    ) -> Result<Self> {
        let selection = Selection::Range { start, len };
        let mut inputs = Vec::with_capacity(columns.len());
        for (column, input) in columns.iter().zip(bound) {
            fuel.burn(2 * len as u64 + 16, input.place)?;
            let mut nulls = 0;
            let mut not_finite = 0;
            let vector = match input.input_type {
                Type::Boolean => Vector::Bool(present(column.bools(&selection), false, &mut nulls, len)),
                Type::Int64 | Type::Timestamp => {
                    Vector::Int(present(column.ints(&selection), 0, &mut nulls, len))
                }
                Type::Float64 => {
                    // Behind everything that the step did find.
                    let absent = match input.input {
                        Input::RetrievalRank(_) => f64::INFINITY,
                        _ => 0.0,
                    };
                    let mut floats = present(column.floats(&selection), absent, &mut nulls, len);
                    match &mut floats {
                        Data::Const(value) if !value.is_finite() && *value != absent => {
                            not_finite = len;
                            *value = absent;
                        }
                        Data::Const(_) => {}
                        Data::Many(values) => {
                            if values.iter().any(|value| !value.is_finite() && *value != absent) {
                                for value in values.to_mut() {
                                    if !value.is_finite() && *value != absent {
                                        not_finite += 1;
                                        *value = absent;
                                    }
                                }
                            }
                        }
                    }
                    Vector::Float(floats)
                }
                Type::Utf8 => Vector::Text(present(column.texts(&selection), "", &mut nulls, len)),
                Type::List(_) | Type::Vector => {
                    nulls = match column.presence(&selection) {
                        Data::Const(true) => 0,
                        Data::Const(false) => len,
                        Data::Many(there) => there.iter().filter(|there| !**there).count(),
                    };
                    Vector::Bool(Data::Const(false))
                }
            };
            // Not having been found by a step is no fault of the data.
            let expected = matches!(input.input, Input::RetrievalRank(_) | Input::RetrievalScore(_));
            if !expected {
                warn(warnings, WarningKind::Null, input.place, &input.name(), nulls);
            }
            warn(
                warnings,
                WarningKind::NotFinite,
                input.place,
                &input.name(),
                not_finite,
            );
            inputs.push(vector);
        }
        Ok(Self {
            inputs,
            columns,
            start,
            now_seconds,
            fuel,
            failed: RefCell::new(vec![false; len]),
            warnings,
        })
    }

    /// The values of all candidates of the batch, 0 where there is none.
    pub(super) fn scores(&self, plan: &'e Plan, len: usize, into: &mut Vec<f64>) -> Result<()> {
        let vector = self.vector(plan, Chosen::All(len))?;
        let failed = self.failed.borrow();
        let mut not_finite = 0;
        let mut push = |place: usize, value: f64| {
            if failed[place] {
                into.push(0.0);
            } else if value.is_finite() {
                into.push(value);
            } else {
                not_finite += 1;
                into.push(0.0);
            }
        };
        match vector {
            Vector::Bool(data) => {
                (0..len).for_each(|place| push(place, f64::from(u8::from(data.get(place)))))
            }
            Vector::Int(data) => (0..len).for_each(|place| push(place, data.get(place) as f64)),
            Vector::Float(data) => (0..len).for_each(|place| push(place, data.get(place))),
            Vector::Mixed(numbers) => {
                (0..len)
                    .for_each(|place| push(place, numbers.get(place).map_or(0.0, |number| number.float())));
            }
            Vector::Text(_) => (0..len).for_each(|place| push(place, 0.0)),
        }
        warn(
            self.warnings,
            WarningKind::NotFinite,
            plan.place,
            "the value",
            not_finite,
        );
        Ok(())
    }

    fn fail(&self, failure: Failure, place: Place, chosen: Chosen<'_>, index: usize) {
        let candidate = chosen.place(index);
        let failed = &mut self.failed.borrow_mut()[candidate];
        // Python stops at the first one too.
        if *failed {
            return;
        }
        *failed = true;
        let (kind, what) = match failure {
            Failure::Division => (WarningKind::Division, "a division by zero"),
            Failure::Domain => (WarningKind::Domain, "an argument outside of the domain"),
            Failure::Overflow => (WarningKind::Overflow, "a result that is too large"),
        };
        warn(self.warnings, kind, place, what, 1);
    }

    fn vector(&self, plan: &'e Plan, chosen: Chosen<'_>) -> Result<Vector<'e>> {
        let count = chosen.len();
        if count == 0 {
            return Ok(Vector::Int(Data::Const(0)));
        }
        let burn = |per_row: u64| self.fuel.burn(per_row * count as u64 + 16, plan.place);
        Ok(match &plan.op {
            Op::Bool(value) => Vector::Bool(Data::Const(*value)),
            Op::Int(number) => Vector::Int(Data::Const(*number)),
            Op::Float(number) => Vector::Float(Data::Const(*number)),
            Op::Text(text) => Vector::Text(Data::Const(text)),
            Op::Now => Vector::Float(Data::Const(self.now_seconds)),
            Op::Input(index) => {
                burn(1)?;
                match chosen {
                    Chosen::All(_) => self.inputs[*index].clone(),
                    Chosen::Some(places) => gathered(&self.inputs[*index], places),
                }
            }
            Op::Or(terms) => self.joined(terms, chosen, true)?,
            Op::And(terms) => self.joined(terms, chosen, false)?,
            Op::Not(node) => {
                burn(1)?;
                Vector::Bool(truths(&self.vector(node, chosen)?).map(|truth| !truth))
            }
            Op::Compare(first, links) => Vector::Bool(self.compared(first, links, chosen, plan.place)?),
            Op::If(test, then, otherwise) => {
                burn(4)?;
                match truths(&self.vector(test, chosen)?) {
                    Data::Const(true) => self.vector(then, chosen)?,
                    Data::Const(false) => self.vector(otherwise, chosen)?,
                    Data::Many(truths) => {
                        let (yes, no): (Vec<u32>, Vec<u32>) =
                            (0..count as u32).partition(|index| truths[*index as usize]);
                        let then = self.vector(then, Chosen::Some(&chosen.narrowed(&yes)))?;
                        let otherwise = self.vector(otherwise, Chosen::Some(&chosen.narrowed(&no)))?;
                        merged(&[(&yes, then), (&no, otherwise)], count)
                    }
                }
            }
            Op::Chain(first, rest) => {
                let mut value = self.vector(first, chosen)?;
                for (operator, node) in rest {
                    let next = self.vector(node, chosen)?;
                    burn(3)?;
                    value = self.arithmetic(*operator, value, next, plan.place, chosen);
                }
                value
            }
            Op::Power(base, exponent) => {
                let base = self.vector(base, chosen)?;
                let exponent = self.vector(exponent, chosen)?;
                burn(30)?;
                self.powers(base, exponent, plan.place, chosen)
            }
            Op::Negate(node) => {
                burn(1)?;
                match whole(self.vector(node, chosen)?) {
                    Vector::Float(data) => Vector::Float(data.map(|number| -number)),
                    Vector::Mixed(numbers) => from_numbers(numbers.into_iter().map(negated).collect(), false),
                    vector => self.arithmetic(
                        Operator::Subtract,
                        Vector::Int(Data::Const(0)),
                        vector,
                        plan.place,
                        chosen,
                    ),
                }
            }
            Op::Plus(node) => whole(self.vector(node, chosen)?),
            Op::Apply(call, arguments) => self.apply(*call, arguments, plan.place, chosen)?,
            Op::OverList(call, list, start) => {
                self.over_list(*call, list, start.as_deref(), plan.place, chosen)?
            }
            Op::OverLists(function, left, right) => {
                let left = self.entries(left, chosen)?;
                let right = self.entries(right, chosen)?;
                let (mut left_row, mut right_row) = (Vec::new(), Vec::new());
                let mut results = Vec::with_capacity(count);
                for index in 0..count {
                    self.floats_of(&left, chosen.place(index), index, &mut left_row);
                    self.floats_of(&right, chosen.place(index), index, &mut right_row);
                    self.fuel
                        .burn(20 + 4 * (left_row.len() + right_row.len()) as u64, plan.place)?;
                    results.push(match function(&left_row, &right_row) {
                        Ok(result) => result,
                        Err(failure) => {
                            self.fail(failure, plan.place, chosen, index);
                            0.0
                        }
                    });
                }
                Vector::Float(Data::Many(Cow::Owned(results)))
            }
            Op::TextLength(node) => {
                let texts = self.vector(node, chosen)?;
                let Vector::Text(texts) = texts else {
                    return Ok(Vector::Int(Data::Const(0)));
                };
                if let Data::Many(texts) = &texts {
                    let bytes: usize = texts.iter().map(|text| text.len()).sum();
                    self.fuel.burn(bytes as u64, plan.place)?;
                }
                Vector::Int(texts.map(|text| text.chars().count() as i64))
            }
            Op::Cosine(left, right) => self.cosine(left, right, plan.place, chosen)?,
        })
    }

    /// `and` and `or` answer with the operand that decides; `decides` is the truth that ends the search.
    fn joined(&self, terms: &'e [Plan], chosen: Chosen<'_>, decides: bool) -> Result<Vector<'e>> {
        let count = chosen.len();
        let mut open: Vec<u32> = (0..count as u32).collect();
        let mut settled: Vec<(Vec<u32>, Vector<'e>)> = Vec::new();
        for (number, term) in terms.iter().enumerate() {
            let everybody = open.len() == count;
            let vector = if everybody {
                self.vector(term, chosen)?
            } else {
                self.vector(term, Chosen::Some(&chosen.narrowed(&open)))?
            };
            self.fuel.burn(4 * open.len() as u64, term.place)?;
            if number + 1 == terms.len() {
                if everybody {
                    return Ok(vector);
                }
                settled.push((open, vector));
                break;
            }
            let truths = truths(&vector);
            match truths {
                Data::Const(truth) if truth == decides => {
                    if everybody {
                        return Ok(vector);
                    }
                    settled.push((open, vector));
                    break;
                }
                Data::Const(_) => {}
                Data::Many(truths) => {
                    let (decided, undecided): (Vec<u32>, Vec<u32>) =
                        (0..open.len() as u32).partition(|index| truths[*index as usize] == decides);
                    let places =
                        |indices: &[u32]| indices.iter().map(|index| open[*index as usize]).collect();
                    settled.push((places(&decided), gathered(&vector, &decided)));
                    open = places(&undecided);
                }
            }
            if open.is_empty() {
                break;
            }
        }
        let parts: Vec<(&Vec<u32>, Vector<'e>)> = settled
            .iter()
            .map(|(places, vector)| (places, vector.clone()))
            .collect();
        Ok(merged(&parts, count))
    }

    fn compared(
        &self,
        first: &'e Plan,
        links: &'e [Link],
        chosen: Chosen<'_>,
        place: Place,
    ) -> Result<Data<'e, bool>> {
        let count = chosen.len();
        let mut left = self.vector(first, chosen)?;
        if let [link] = links {
            return self.link(&left, link, chosen, place).map(|(truths, _)| truths);
        }
        let mut results = vec![true; count];
        let mut open: Vec<u32> = (0..count as u32).collect();
        for link in links {
            let narrowed = chosen.narrowed(&open);
            let (holds, right) = self.link(&left, link, Chosen::Some(&narrowed), place)?;
            let mut still = Vec::with_capacity(open.len());
            for (index, place) in open.iter().enumerate() {
                if holds.get(index) {
                    still.push(index as u32);
                } else {
                    results[*place as usize] = false;
                }
            }
            let Some(right) = right else {
                break;
            };
            left = gathered(&right, &still);
            open = still.iter().map(|index| open[*index as usize]).collect();
            if open.is_empty() {
                break;
            }
        }
        Ok(Data::Many(Cow::Owned(results)))
    }

    /// Whether a comparison holds, and its right side for the next one.
    fn link(
        &self,
        left: &Vector<'e>,
        link: &'e Link,
        chosen: Chosen<'_>,
        place: Place,
    ) -> Result<(Data<'e, bool>, Option<Vector<'e>>)> {
        let count = chosen.len();
        self.fuel.burn(4 * count as u64 + 16, place)?;
        match link {
            Link::Compare(compare, right) => {
                let right = self.vector(right, chosen)?;
                Ok((compare_vectors(*compare, left, &right), Some(right)))
            }
            Link::InText(right, wanted) => {
                let right = self.vector(right, chosen)?;
                let (Vector::Text(needles), Vector::Text(texts)) = (left, &right) else {
                    return Ok((Data::Const(false), None));
                };
                for index in 0..count {
                    let work = needles.get(index).len() + texts.get(index).len();
                    self.fuel.burn(10 + work as u64, place)?;
                }
                let found = texts.zip(needles, |text: &str, needle: &str| {
                    text.contains(needle) == *wanted
                });
                Ok((found, Some(right)))
            }
            Link::InList(list, wanted) => {
                let mut results = Vec::with_capacity(count);
                let entries = self.entries(list, chosen)?;
                match (left, &entries) {
                    (Vector::Text(texts), Entries::Hashed(set)) => {
                        results.extend((0..count).map(|index| set.contains(texts.get(index)) == *wanted));
                    }
                    (Vector::Text(texts), Entries::Vectors(vectors)) => {
                        self.fuel.burn((vectors.len() * count) as u64 * 8, place)?;
                        results.extend((0..count).map(|index| {
                            let wanted_text = texts.get(index);
                            let found = vectors.iter().any(|vector| match vector {
                                Vector::Text(data) => data.get(index) == wanted_text,
                                _ => false,
                            });
                            found == *wanted
                        }));
                    }
                    (Vector::Text(texts), Entries::Column(column)) => {
                        for index in 0..count {
                            let items = column.list(self.start + chosen.place(index));
                            let found = match items {
                                Some(items) => {
                                    self.fuel.burn(10 + 8 * items.len() as u64, place)?;
                                    let wanted_text = Some(texts.get(index));
                                    items.range.clone().any(|item| items.text(item) == wanted_text)
                                }
                                None => false,
                            };
                            results.push(found == *wanted);
                        }
                    }
                    _ => {
                        let mut row = Vec::new();
                        for index in 0..count {
                            self.numbers_of(&entries, chosen.place(index), index, &mut row);
                            self.fuel.burn(10 + 2 * row.len() as u64, place)?;
                            let number = number(left, index);
                            let found = row
                                .iter()
                                .any(|entry| entry.compare(number) == Some(Ordering::Equal));
                            results.push(found == *wanted);
                        }
                    }
                }
                Ok((Data::Many(Cow::Owned(results)), None))
            }
        }
    }

    fn arithmetic(
        &self,
        operator: Operator,
        left: Vector<'e>,
        right: Vector<'e>,
        place: Place,
        chosen: Chosen<'_>,
    ) -> Vector<'e> {
        let (left, right) = (whole(left), whole(right));
        if let (Vector::Int(left), Vector::Int(right)) = (&left, &right) {
            let exact = match operator {
                Operator::Add => exact(&left.zip(right, i64::overflowing_add)),
                Operator::Subtract => exact(&left.zip(right, i64::overflowing_sub)),
                Operator::Multiply => exact(&left.zip(right, i64::overflowing_mul)),
                Operator::FloorDivide | Operator::Remainder => {
                    let divided = left.zip(right, |left, right| match right {
                        0 => Err(Failure::Division),
                        right if operator == Operator::Remainder => Ok((floor_rest(left, right), false)),
                        right => {
                            Ok(floor_quotient(left, right).map_or((0, true), |quotient| (quotient, false)))
                        }
                    });
                    exact(&self.settled(divided, (1, false), place, chosen))
                }
                Operator::Divide => None,
            };
            if let Some(exact) = exact {
                return Vector::Int(exact);
            }
        }
        let mixed = |vector: &Vector<'_>| matches!(vector, Vector::Mixed(_));
        let whole_numbers = matches!((&left, &right), (Vector::Int(_), Vector::Int(_)));
        if mixed(&left) || mixed(&right) || (whole_numbers && operator != Operator::Divide) {
            // One of them left the whole numbers: each candidate for itself.
            let constant = is_constant(&left) && is_constant(&right);
            let results = (0..if constant { 1 } else { chosen.len() })
                .map(|index| combined(operator, number(&left, index), number(&right, index)))
                .collect();
            return match self.settled(repeated(results, constant), Number::Int(1), place, chosen) {
                Data::Const(number) => from_numbers(vec![number], true),
                Data::Many(numbers) => from_numbers(numbers.into_owned(), false),
            };
        }
        let (left, right) = (floats(left), floats(right));
        let checked = match operator {
            Operator::Add => return Vector::Float(left.zip(&right, |left, right| left + right)),
            Operator::Subtract => return Vector::Float(left.zip(&right, |left, right| left - right)),
            Operator::Multiply => return Vector::Float(left.zip(&right, |left, right| left * right)),
            Operator::Divide => {
                // The common case: a constant that is not zero.
                if let Data::Const(divisor) = right
                    && divisor != 0.0
                {
                    return Vector::Float(left.map(|number| number / divisor));
                }
                left.zip(&right, |left, right| {
                    if right == 0.0 {
                        Err(Failure::Division)
                    } else {
                        Ok(left / right)
                    }
                })
            }
            Operator::FloorDivide => left.zip(&right, |left, right| {
                divide_floor(left, right).map(|(quotient, _)| quotient)
            }),
            Operator::Remainder => left.zip(&right, |left, right| {
                divide_floor(left, right).map(|(_, rest)| rest)
            }),
        };
        Vector::Float(self.settled(checked, 1.0, place, chosen))
    }

    /// Takes failures out of results.
    fn settled<T: Copy>(
        &self,
        data: Data<'_, std::result::Result<T, Failure>>,
        instead: T,
        place: Place,
        chosen: Chosen<'_>,
    ) -> Data<'static, T> {
        match data {
            Data::Const(Ok(value)) => Data::Const(value),
            Data::Const(Err(failure)) => {
                for index in 0..chosen.len() {
                    self.fail(failure, place, chosen, index);
                }
                Data::Const(instead)
            }
            Data::Many(results) => Data::Many(
                results
                    .iter()
                    .enumerate()
                    .map(|(index, result)| {
                        result.unwrap_or_else(|failure| {
                            self.fail(failure, place, chosen, index);
                            instead
                        })
                    })
                    .collect(),
            ),
        }
    }

    fn powers(&self, base: Vector<'e>, exponent: Vector<'e>, place: Place, chosen: Chosen<'_>) -> Vector<'e> {
        let (base, exponent) = (whole(base), whole(exponent));
        if let (Vector::Int(base), Vector::Int(exponent)) = (&base, &exponent) {
            let powers = base.zip(exponent, whole_power);
            match powers {
                Data::Const(Some(power)) => return Vector::Int(Data::Const(power)),
                Data::Const(None) => {}
                Data::Many(powers) => {
                    if let Some(powers) = powers.iter().copied().collect::<Option<Vec<i64>>>() {
                        return Vector::Int(Data::Many(Cow::Owned(powers)));
                    }
                }
            }
        }
        if !matches!((&base, &exponent), (Vector::Float(_), _) | (_, Vector::Float(_))) {
            let constant = is_constant(&base) && is_constant(&exponent);
            let results = (0..if constant { 1 } else { chosen.len() })
                .map(|index| {
                    let (base, exponent) = (number(&base, index), number(&exponent, index));
                    if let (Number::Int(base), Number::Int(exponent)) = (base, exponent)
                        && let Some(power) = whole_power(base, exponent)
                    {
                        return Ok(Number::Int(power));
                    }
                    power(base.float(), exponent.float()).map(Number::Float)
                })
                .collect();
            return match self.settled(repeated(results, constant), Number::Int(1), place, chosen) {
                Data::Const(number) => from_numbers(vec![number], true),
                Data::Many(numbers) => from_numbers(numbers.into_owned(), false),
            };
        }
        let powers = floats(base).zip(&floats(exponent), power);
        Vector::Float(self.settled(powers, 1.0, place, chosen))
    }

    fn apply(
        &self,
        call: Call,
        arguments: &'e [Plan],
        place: Place,
        chosen: Chosen<'_>,
    ) -> Result<Vector<'e>> {
        let count = chosen.len();
        let mut vectors = Vec::with_capacity(arguments.len());
        for argument in arguments {
            vectors.push(self.vector(argument, chosen)?);
        }
        let work = match call {
            Call::Integers(..) => 200,
            Call::Round(_) | Call::Test(_) | Call::Absolute | Call::Extreme(_) => 4,
            _ => 20,
        };
        let constant = vectors.iter().all(is_constant);
        let rows = if constant { 1 } else { count };
        self.fuel
            .burn(work * (rows * arguments.len().max(1)) as u64 + 16, place)?;
        let mut row: Vec<Number> = Vec::with_capacity(vectors.len());
        Ok(match (call, vectors.as_slice()) {
            (Call::Unary(function), [x]) => {
                let results = floats(x.clone()).map(function);
                Vector::Float(self.settled(results, 1.0, place, chosen))
            }
            (Call::Test(function), [x]) => Vector::Bool(floats(x.clone()).map(function)),
            (Call::Round(function), [x]) => match whole(x.clone()) {
                Vector::Int(data) => Vector::Int(data),
                vector => {
                    let results = (0..rows)
                        .map(|index| match number(&vector, index) {
                            Number::Float(number) if !number.is_finite() => Err(Failure::Domain),
                            Number::Float(number) => Ok(narrowed(function(number))),
                            whole => Ok(whole),
                        })
                        .collect();
                    match self.settled(repeated(results, constant), Number::Int(0), place, chosen) {
                        Data::Const(number) => from_numbers(vec![number], true),
                        Data::Many(numbers) => from_numbers(numbers.into_owned(), false),
                    }
                }
            },
            (Call::Absolute, [x]) => match whole(x.clone()) {
                Vector::Float(data) => Vector::Float(data.map(f64::abs)),
                vector => {
                    let results = (0..rows)
                        .map(|index| match number(&vector, index) {
                            Number::Int(number) if number < 0 => negated(Number::Int(number)),
                            Number::Float(number) => Number::Float(number.abs()),
                            whole => whole,
                        })
                        .collect();
                    from_numbers(results, constant)
                }
            },
            (Call::Extreme(greatest), vectors) => {
                let wanted = if greatest {
                    Ordering::Greater
                } else {
                    Ordering::Less
                };
                let results: Vec<Number> = (0..rows)
                    .map(|index| extreme(vectors.iter().map(|vector| number(vector, index)), wanted))
                    .map(|found| found.unwrap_or(Number::Int(0)))
                    .collect();
                from_numbers(results, constant)
            }
            (Call::Floats(_, _, function), vectors) => {
                let mut arguments = Vec::with_capacity(vectors.len());
                let results = (0..rows)
                    .map(|index| {
                        arguments.clear();
                        arguments.extend(vectors.iter().map(|vector| number(vector, index).float()));
                        function(&arguments)
                    })
                    .collect();
                Vector::Float(self.settled(repeated(results, constant), 1.0, place, chosen))
            }
            (Call::Integers(_, _, function), vectors) => {
                let mut arguments = Vec::with_capacity(vectors.len());
                let results = (0..rows)
                    .map(|index| {
                        arguments.clear();
                        for vector in vectors {
                            arguments.push(whole_number(vector, index)?);
                        }
                        function(&arguments)
                    })
                    .collect();
                match self.settled(repeated(results, constant), Number::Int(0), place, chosen) {
                    Data::Const(number) => from_numbers(vec![number], true),
                    Data::Many(numbers) => from_numbers(numbers.into_owned(), false),
                }
            }
            (Call::ScaleByPower, [x, exponent]) => {
                let results = (0..rows)
                    .map(|index| scale_by_power(number(x, index).float(), whole_number(exponent, index)?))
                    .collect();
                Vector::Float(self.settled(repeated(results, constant), 1.0, place, chosen))
            }
            (Call::IsClose, [left, right, relative, absolute]) => {
                let results = (0..rows)
                    .map(|index| {
                        row.clear();
                        row.extend([left, right, relative, absolute].map(|vector| number(vector, index)));
                        is_close(row[0].float(), row[1].float(), row[2].float(), row[3].float())
                    })
                    .collect();
                Vector::Bool(self.settled(repeated(results, constant), false, place, chosen))
            }
            _ => Vector::Int(Data::Const(0)),
        })
    }

    fn over_list(
        &self,
        call: Call,
        list: &'e List,
        start: Option<&'e Plan>,
        place: Place,
        chosen: Chosen<'_>,
    ) -> Result<Vector<'e>> {
        let count = chosen.len();
        let start = match start {
            Some(start) => Some(self.vector(start, chosen)?),
            None => None,
        };
        if let Call::Length = call {
            self.fuel.burn(8 * count as u64, place)?;
            return Ok(match &list.source {
                Source::Entries(entries, _) => Vector::Int(Data::Const(entries.len() as i64)),
                Source::Input(index) => Vector::Int(Data::Many(
                    (0..count)
                        .map(|row| self.length(*index, self.start + chosen.place(row)) as i64)
                        .collect(),
                )),
            });
        }
        let entries = self.entries(list, chosen)?;
        let mut row: Vec<Number> = Vec::new();
        let mut results = Vec::with_capacity(count);
        for index in 0..count {
            self.numbers_of(&entries, chosen.place(index), index, &mut row);
            self.fuel.burn(10 + 4 * row.len() as u64, place)?;
            let begin = start.as_ref().map(|start| number(start, index));
            let result = match call {
                Call::Extreme(greatest) => {
                    let wanted = if greatest {
                        Ordering::Greater
                    } else {
                        Ordering::Less
                    };
                    extreme(row.iter().copied(), wanted).ok_or(Failure::Domain)
                }
                Call::Total(false) => Ok(row
                    .iter()
                    .fold(begin.unwrap_or(Number::Int(0)), |total, entry| add(total, *entry))),
                Call::Total(true) => Ok(row.iter().fold(begin.unwrap_or(Number::Int(1)), |total, entry| {
                    multiply(total, *entry)
                })),
                _ => {
                    let values: Vec<f64> = row.iter().map(|entry| entry.float()).collect();
                    exact_sum(&values).map(Number::Float)
                }
            };
            results.push(result.unwrap_or_else(|failure| {
                self.fail(failure, place, chosen, index);
                Number::Int(0)
            }));
        }
        Ok(from_numbers(results, false))
    }

    fn length(&self, input: usize, candidate: usize) -> usize {
        let column = &self.columns[input];
        match column.list(candidate) {
            Some(items) => items.len(),
            None => column.vector(candidate).map_or(0, <[f32]>::len),
        }
    }

    fn entries(&self, list: &'e List, chosen: Chosen<'_>) -> Result<Entries<'e>> {
        self.fuel.burn(16, list.place)?;
        match &list.source {
            Source::Input(index) => Ok(Entries::Column(&self.columns[*index])),
            Source::Entries(_, set) if !set.is_empty() => Ok(Entries::Hashed(set)),
            Source::Entries(entries, _) => {
                let vectors = entries
                    .iter()
                    .map(|entry| self.vector(entry, chosen))
                    .collect::<Result<_>>()?;
                Ok(Entries::Vectors(vectors))
            }
        }
    }

    /// The numbers of a list for one candidate, NULLs as 0.
    fn numbers_of(&self, entries: &Entries<'e>, place: usize, index: usize, into: &mut Vec<Number>) {
        into.clear();
        match entries {
            Entries::Hashed(_) => {}
            Entries::Vectors(vectors) => into.extend(vectors.iter().map(|vector| number(vector, index))),
            Entries::Column(column) => {
                let candidate = self.start + place;
                if let Some(items) = column.list(candidate) {
                    let whole = !matches!(
                        column.column_type(),
                        Some(Type::List(crate::data::Element::Float64))
                    );
                    into.extend(items.range.clone().map(|item| {
                        if whole {
                            Number::Int(items.int(item).unwrap_or(0))
                        } else {
                            let value = items.float(item).unwrap_or(0.0);
                            Number::Float(if value.is_finite() { value } else { 0.0 })
                        }
                    }));
                } else if let Some(vector) = column.vector(candidate) {
                    into.extend(vector.iter().map(|value| Number::Float(f64::from(*value))));
                }
            }
        }
    }

    fn floats_of(&self, entries: &Entries<'e>, place: usize, index: usize, into: &mut Vec<f64>) {
        let mut numbers = Vec::new();
        self.numbers_of(entries, place, index, &mut numbers);
        into.clear();
        into.extend(numbers.iter().map(|number| number.float()));
    }

    fn cosine(
        &self,
        left: &'e List,
        right: &'e List,
        place: Place,
        chosen: Chosen<'_>,
    ) -> Result<Vector<'e>> {
        let count = chosen.len();
        let mut results = Vec::with_capacity(count);
        if let (Source::Input(left), Source::Input(right)) = (&left.source, &right.source) {
            let (left, right) = (&self.columns[*left], &self.columns[*right]);
            // One side is mostly the user's: its length is the same for everybody.
            let mut known: Option<(*const f32, f64)> = None;
            let vectors =
                left.column_type() == Some(Type::Vector) && right.column_type() == Some(Type::Vector);
            for index in 0..count {
                let candidate = self.start + chosen.place(index);
                if !vectors {
                    break;
                }
                let (Some(left), Some(right)) = (left.vector(candidate), right.vector(candidate)) else {
                    results.push(0.0);
                    continue;
                };
                self.fuel.burn(10 + 2 * left.len() as u64, place)?;
                if left.len() != right.len() {
                    self.fail(Failure::Domain, place, chosen, index);
                    results.push(0.0);
                    continue;
                }
                let right_square = match known {
                    Some((at, square)) if at == right.as_ptr() => square,
                    _ => {
                        let square = dot(right, right);
                        known = Some((right.as_ptr(), square));
                        square
                    }
                };
                let scale = (dot(left, left) * right_square).sqrt();
                results.push(if scale > 0.0 {
                    dot(left, right) / scale
                } else {
                    0.0
                });
            }
            if vectors {
                return Ok(Vector::Float(Data::Many(Cow::Owned(results))));
            }
        }
        let left = self.entries(left, chosen)?;
        let right = self.entries(right, chosen)?;
        let (mut left_row, mut right_row) = (Vec::new(), Vec::new());
        for index in 0..count {
            self.floats_of(&left, chosen.place(index), index, &mut left_row);
            self.floats_of(&right, chosen.place(index), index, &mut right_row);
            self.fuel
                .burn(10 + 4 * (left_row.len() + right_row.len()) as u64, place)?;
            if left_row.is_empty() || right_row.is_empty() {
                results.push(0.0);
                continue;
            }
            if left_row.len() != right_row.len() {
                self.fail(Failure::Domain, place, chosen, index);
                results.push(0.0);
                continue;
            }
            let product = |left: &[f64], right: &[f64]| -> f64 {
                left.iter().zip(right).map(|(left, right)| left * right).sum()
            };
            let scale = (product(&left_row, &left_row) * product(&right_row, &right_row)).sqrt();
            results.push(if scale > 0.0 {
                product(&left_row, &right_row) / scale
            } else {
                0.0
            });
        }
        Ok(Vector::Float(Data::Many(Cow::Owned(results))))
    }
}

enum Entries<'e> {
    Column(&'e Column<'e>),
    Vectors(Vec<Vector<'e>>),
    Hashed(&'e HashSet<Box<str>>),
}

/// Counts a warning; of one kind at one place there is one.
fn warn(warnings: &RefCell<Vec<Warning>>, kind: WarningKind, place: Place, what: &str, count: usize) {
    if count == 0 {
        return;
    }
    let mut warnings = warnings.borrow_mut();
    match warnings
        .iter_mut()
        .find(|warning| warning.kind == kind && warning.place == place)
    {
        Some(warning) => warning.count += count,
        None => warnings.push(Warning {
            kind,
            place,
            what: what.to_owned(),
            count,
        }),
    }
}

/// The values with something instead of NULLs, which are counted.
fn present<'e, T: Copy>(loaded: Loaded<'e, T>, instead: T, nulls: &mut usize, len: usize) -> Data<'e, T> {
    match loaded {
        Loaded::Null => {
            *nulls = len;
            Data::Const(instead)
        }
        Loaded::Data(data, None) => data,
        Loaded::Data(data, Some(valid)) => {
            *nulls = valid.iter().filter(|valid| !**valid).count();
            Data::Many(
                valid
                    .iter()
                    .enumerate()
                    .map(|(place, valid)| if *valid { data.get(place) } else { instead })
                    .collect(),
            )
        }
    }
}

fn repeated<T: Clone>(mut values: Vec<T>, constant: bool) -> Data<'static, T> {
    match values.pop() {
        Some(value) if constant => Data::Const(value),
        Some(value) => {
            values.push(value);
            Data::Many(Cow::Owned(values))
        }
        None => Data::Many(Cow::Owned(values)),
    }
}

/// In the narrowest form.
fn from_numbers<'e>(numbers: Vec<Number>, constant: bool) -> Vector<'e> {
    let whole = numbers
        .iter()
        .filter(|number| matches!(number, Number::Int(_)))
        .count();
    if whole == numbers.len() {
        let whole = numbers.iter().map(|number| match number {
            Number::Int(number) => *number,
            Number::Float(_) => 0,
        });
        Vector::Int(repeated(whole.collect(), constant))
    } else if whole == 0 {
        let floats = numbers.iter().map(|number| number.float());
        Vector::Float(repeated(floats.collect(), constant))
    } else {
        Vector::Mixed(numbers)
    }
}

fn negated(number: Number) -> Number {
    match number {
        Number::Int(whole) => whole
            .checked_neg()
            .map_or(Number::Float(-(whole as f64)), Number::Int),
        Number::Float(number) => Number::Float(-number),
    }
}

/// One operation as Python does it, whole numbers of more than 64 bits as floats.
fn combined(operator: Operator, left: Number, right: Number) -> std::result::Result<Number, Failure> {
    if let (Number::Int(left), Number::Int(right)) = (left, right) {
        let whole = match operator {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::FloorDivide | Operator::Remainder if right == 0 => return Err(Failure::Division),
            Operator::Remainder => Some(floor_rest(left, right)),
            Operator::FloorDivide => floor_quotient(left, right),
            Operator::Divide => None,
        };
        if let Some(whole) = whole {
            return Ok(Number::Int(whole));
        }
    }
    let (left, right) = (left.float(), right.float());
    Ok(Number::Float(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return Err(Failure::Division),
        Operator::Divide => left / right,
        Operator::FloorDivide => divide_floor(left, right)?.0,
        Operator::Remainder => divide_floor(left, right)?.1,
    }))
}

fn floor_quotient(left: i64, right: i64) -> Option<i64> {
    let quotient = left.checked_div(right)?;
    let inexact = left.wrapping_rem(right) != 0 && ((left < 0) != (right < 0));
    Some(quotient - i64::from(inexact))
}

fn whole_power(base: i64, exponent: i64) -> Option<i64> {
    match u32::try_from(exponent) {
        Ok(exponent) => base.checked_pow(exponent),
        // Only these stay whole with exponents beyond 32 bits.
        Err(_) if exponent > 0 && (-1..=1).contains(&base) => {
            Some(if base == -1 && exponent % 2 == 0 { 1 } else { base })
        }
        Err(_) => None,
    }
}

fn is_constant(vector: &Vector<'_>) -> bool {
    match vector {
        Vector::Mixed(_) => false,
        Vector::Bool(data) => matches!(data, Data::Const(_)),
        Vector::Int(data) => matches!(data, Data::Const(_)),
        Vector::Float(data) => matches!(data, Data::Const(_)),
        Vector::Text(data) => matches!(data, Data::Const(_)),
    }
}

fn gathered<'e>(vector: &Vector<'e>, places: &[u32]) -> Vector<'e> {
    fn gather<'e, T: Copy>(data: &Data<'e, T>, places: &[u32]) -> Data<'e, T> {
        match data {
            Data::Const(value) => Data::Const(*value),
            Data::Many(values) => Data::Many(places.iter().map(|place| values[*place as usize]).collect()),
        }
    }
    match vector {
        Vector::Bool(data) => Vector::Bool(gather(data, places)),
        Vector::Int(data) => Vector::Int(gather(data, places)),
        Vector::Float(data) => Vector::Float(gather(data, places)),
        Vector::Mixed(numbers) => {
            Vector::Mixed(places.iter().map(|place| numbers[*place as usize]).collect())
        }
        Vector::Text(data) => Vector::Text(gather(data, places)),
    }
}

/// Parts of a selection put together.
fn merged<'e>(parts: &[(&Vec<u32>, Vector<'e>)], count: usize) -> Vector<'e> {
    fn scatter<T: Copy>(
        parts: &[(&Vec<u32>, Vector<'_>)],
        count: usize,
        nothing: T,
        get: impl Fn(&Vector<'_>, usize) -> T,
    ) -> Vec<T> {
        let mut values = vec![nothing; count];
        for (places, vector) in parts {
            for (index, place) in places.iter().enumerate() {
                values[*place as usize] = get(vector, index);
            }
        }
        values
    }
    let parts: Vec<(&Vec<u32>, Vector<'e>)> = parts
        .iter()
        .filter(|(places, _)| !places.is_empty())
        .cloned()
        .collect();
    let all = |is: fn(&Vector<'_>) -> bool| parts.iter().all(|(_, vector)| is(vector));
    if all(|vector| matches!(vector, Vector::Text(_))) {
        let mut values: Vec<&'e str> = vec![""; count];
        for (places, vector) in &parts {
            if let Vector::Text(data) = vector {
                for (index, place) in places.iter().enumerate() {
                    values[*place as usize] = data.get(index);
                }
            }
        }
        return Vector::Text(Data::Many(Cow::Owned(values)));
    }
    if all(|vector| matches!(vector, Vector::Bool(_))) {
        let values = scatter(&parts, count, false, |vector, index| {
            matches!(number(vector, index), Number::Int(1))
        });
        return Vector::Bool(Data::Many(Cow::Owned(values)));
    }
    let values = scatter(&parts, count, Number::Int(0), |vector, index| {
        number(vector, index)
    });
    from_numbers(values, false)
}

fn truths<'e>(vector: &Vector<'e>) -> Data<'e, bool> {
    match vector {
        Vector::Bool(data) => data.clone(),
        Vector::Int(data) => data.map(|number| number != 0),
        Vector::Float(data) => data.map(|number| number != 0.0),
        Vector::Mixed(numbers) => Data::Many(numbers.iter().map(|number| number.float() != 0.0).collect()),
        Vector::Text(data) => data.map(|text| !text.is_empty()),
    }
}

/// Booleans as 0 and 1.
fn whole(vector: Vector<'_>) -> Vector<'_> {
    match vector {
        Vector::Bool(data) => Vector::Int(data.map(i64::from)),
        vector => vector,
    }
}

fn floats(vector: Vector<'_>) -> Data<'_, f64> {
    match vector {
        Vector::Bool(data) => data.map(|value| f64::from(u8::from(value))),
        Vector::Int(data) => data.map(|number| number as f64),
        Vector::Float(data) => data,
        Vector::Mixed(numbers) => Data::Many(numbers.iter().map(|number| number.float()).collect()),
        // Binding lets no text come here.
        Vector::Text(_) => Data::Const(0.0),
    }
}

fn number(vector: &Vector<'_>, index: usize) -> Number {
    match vector {
        Vector::Bool(data) => Number::Int(i64::from(data.get(index))),
        Vector::Int(data) => Number::Int(data.get(index)),
        Vector::Float(data) => Number::Float(data.get(index)),
        Vector::Mixed(numbers) => numbers[index],
        Vector::Text(_) => Number::Int(0),
    }
}

/// Binding lets only whole numbers come here; they are floats where they left 64 bits on the way.
fn whole_number(vector: &Vector<'_>, index: usize) -> std::result::Result<i64, Failure> {
    match number(vector, index) {
        Number::Int(number) => Ok(number),
        // And came back: up to 2^53 each whole float is one number.
        Number::Float(number) if number.abs() <= 9_007_199_254_740_992.0 => Ok(number as i64),
        Number::Float(_) => Err(Failure::Overflow),
    }
}

/// The results, if none overflowed.
fn exact(data: &Data<'_, (i64, bool)>) -> Option<Data<'static, i64>> {
    match data {
        Data::Const((value, overflow)) => (!overflow).then_some(Data::Const(*value)),
        Data::Many(values) => (!values.iter().any(|(_, overflow)| *overflow))
            .then(|| Data::Many(values.iter().map(|(value, _)| *value).collect())),
    }
}

fn floor_rest(left: i64, right: i64) -> i64 {
    let rest = left.wrapping_rem(right);
    if rest != 0 && (rest < 0) != (right < 0) {
        rest + right
    } else {
        rest
    }
}

/// A rounded float as a whole number, if it fits.
fn narrowed(number: f64) -> Number {
    if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&number) {
        Number::Int(number as i64)
    } else {
        Number::Float(number)
    }
}

/// The first of those that none is before, as Python's min and max find it.
fn extreme(numbers: impl Iterator<Item = Number>, wanted: Ordering) -> Option<Number> {
    numbers.reduce(|best, next| {
        if next.compare(best) == Some(wanted) {
            next
        } else {
            best
        }
    })
}

fn add(left: Number, right: Number) -> Number {
    match (left, right) {
        (Number::Int(whole), Number::Int(other)) => match whole.checked_add(other) {
            Some(sum) => Number::Int(sum),
            None => Number::Float(whole as f64 + other as f64),
        },
        (left, right) => Number::Float(left.float() + right.float()),
    }
}

fn multiply(left: Number, right: Number) -> Number {
    match (left, right) {
        (Number::Int(whole), Number::Int(other)) => match whole.checked_mul(other) {
            Some(product) => Number::Int(product),
            None => Number::Float(whole as f64 * other as f64),
        },
        (left, right) => Number::Float(left.float() * right.float()),
    }
}

fn compare_vectors(compare: Compare, left: &Vector<'_>, right: &Vector<'_>) -> Data<'static, bool> {
    let holds = |ordering: Option<Ordering>| match compare {
        Compare::Equal => ordering == Some(Ordering::Equal),
        Compare::NotEqual => ordering != Some(Ordering::Equal),
        Compare::Less => ordering == Some(Ordering::Less),
        Compare::LessOrEqual => matches!(ordering, Some(Ordering::Less | Ordering::Equal)),
        Compare::Greater => ordering == Some(Ordering::Greater),
        Compare::GreaterOrEqual => matches!(ordering, Some(Ordering::Greater | Ordering::Equal)),
        Compare::In | Compare::NotIn => false,
    };
    match (left, right) {
        (Vector::Text(left), Vector::Text(right)) => {
            left.zip(right, |left: &str, right: &str| holds(Some(left.cmp(right))))
        }
        (Vector::Float(left), Vector::Float(right)) => {
            left.zip(right, |left: f64, right: f64| holds(left.partial_cmp(&right)))
        }
        (Vector::Int(left), Vector::Int(right)) => {
            left.zip(right, |left: i64, right: i64| holds(Some(left.cmp(&right))))
        }
        _ => {
            if is_constant(left) && is_constant(right) {
                return Data::Const(holds(number(left, 0).compare(number(right, 0))));
            }
            let count = length(left).or_else(|| length(right)).unwrap_or(1);
            Data::Many(
                (0..count)
                    .map(|index| holds(number(left, index).compare(number(right, index))))
                    .collect(),
            )
        }
    }
}

/// How many values there are; nothing for one that stands for all.
fn length(vector: &Vector<'_>) -> Option<usize> {
    match vector {
        Vector::Bool(Data::Many(values)) => Some(values.len()),
        Vector::Int(Data::Many(values)) => Some(values.len()),
        Vector::Float(Data::Many(values)) => Some(values.len()),
        Vector::Text(Data::Many(values)) => Some(values.len()),
        Vector::Mixed(numbers) => Some(numbers.len()),
        _ => None,
    }
}

/// Eight sums side by side, which the compiler turns into vector instructions.
fn dot(left: &[f32], right: &[f32]) -> f64 {
    let mut sums = [0.0_f32; 8];
    let (left_chunks, right_chunks) = (left.chunks_exact(8), right.chunks_exact(8));
    let tail: f32 = left_chunks
        .remainder()
        .iter()
        .zip(right_chunks.remainder())
        .map(|(left, right)| left * right)
        .sum();
    for (left, right) in left_chunks.zip(right_chunks) {
        for ((sum, left), right) in sums.iter_mut().zip(left).zip(right) {
            *sum += left * right;
        }
    }
    f64::from(sums.iter().sum::<f32>() + tail)
}
