//! A tree meets the columns that there are: names become columns, types are checked, constants are computed.

use serde_json::{Map, Value};

use crate::data::{Element, Schema, Selection, Type};
use crate::error::{Error, ErrorKind, Fuel, Limits, Place, Result};
use crate::filter::BoundColumn;
use crate::filter::like::LikePattern;
use crate::filter::plan::{Evaluator, FALSE, Keys, Op, Plan, Set, TRUE, Vector, float_key};
use crate::filter::tree::{Cast, Compare, Function, Is, Kind, Node, Operator, Quotes};
use crate::near::suggestion;
use crate::params;
use crate::time;

pub(super) struct Binder<'b> {
    pub(super) schema: &'b Schema,
    pub(super) parameters: &'b Map<String, Value>,
    pub(super) limits: &'b Limits,
    pub(super) columns: Vec<BoundColumn>,
}

impl Binder<'_> {
    pub(super) fn condition(&mut self, node: &Node) -> Result<Plan> {
        let plan = self.value(node)?;
        match plan.value_type {
            None | Some(Type::Boolean) => Ok(plan),
            Some(_) => {
                let error = wrong_type(
                    node.place,
                    format!("a condition should stand here, and {}", described(node, &plan)),
                );
                Err(match (&node.kind, plan.value_type) {
                    (Kind::Column(name), Some(Type::Int64 | Type::Float64)) => {
                        error.help(format!("compare it: {name} > 0"))
                    }
                    (Kind::Column(name), Some(Type::List(_))) => {
                        error.help(format!("ask for a value: array_has({name}, value)"))
                    }
                    _ => error.help("compare it with something, or ask whether it IS NULL"),
                })
            }
        }
    }

    fn value(&mut self, node: &Node) -> Result<Plan> {
        let place = node.place;
        match &node.kind {
            Kind::Null => Ok(plan(place, None, Op::Null)),
            Kind::Boolean(value) => Ok(plan(place, Some(Type::Boolean), Op::Truth(*value))),
            Kind::Integer(number) => Ok(plan(place, Some(Type::Int64), Op::Int(*number))),
            Kind::Float(number) => Ok(plan(place, Some(Type::Float64), Op::Float(*number))),
            Kind::Text(text, _) => Ok(plan(place, Some(Type::Utf8), Op::Text(text.as_str().into()))),
            Kind::Parameter(name) => {
                let node = self.parameter(name, place)?;
                self.value(&node)
            }
            Kind::Column(name) => self.column(name, place),
            Kind::List(entries) => self.list(entries, place),
            Kind::Not(node) => {
                let node = self.condition(node)?;
                self.folded(plan(place, Some(Type::Boolean), Op::Not(Box::new(node))))
            }
            Kind::And(terms) | Kind::Or(terms) => {
                let mut terms = terms
                    .iter()
                    .map(|term| self.condition(term))
                    .collect::<Result<Vec<_>>>()?;
                // No term has an effect, so the order is free.
                terms.sort_by_key(Plan::cost);
                let op = if matches!(node.kind, Kind::And(_)) {
                    Op::And(terms)
                } else {
                    Op::Or(terms)
                };
                self.folded(plan(place, Some(Type::Boolean), op))
            }
            Kind::Compare(compare, left, right) => self.comparison(*compare, left, right, place),
            Kind::Is { value, what, negated } => {
                let op = match what {
                    Is::Null => Op::IsNull(Box::new(self.value(value)?)),
                    Is::True => Op::IsTruth(Box::new(self.condition(value)?), TRUE),
                    Is::False => Op::IsTruth(Box::new(self.condition(value)?), FALSE),
                };
                let asked = self.folded(plan(place, Some(Type::Boolean), op))?;
                self.negated(asked, *negated)
            }
            Kind::In { value, list, negated } => {
                let found = self.is_in(value, list, place)?;
                self.negated(found, *negated)
            }
            Kind::Between {
                value,
                low,
                high,
                negated,
            } => {
                let [value, low, high] = self
                    .alike(&[value, low, high], place)?
                    .try_into()
                    .map_err(|_| Error::new(ErrorKind::Data, place, "three values went in"))?;
                let op = Op::Between(Box::new(value), Box::new(low), Box::new(high));
                let between = self.folded(plan(place, Some(Type::Boolean), op))?;
                self.negated(between, *negated)
            }
            Kind::Like {
                value,
                pattern,
                escape,
                negated,
            } => {
                let like = self.like(value, pattern, *escape, place)?;
                self.negated(like, *negated)
            }
            Kind::Chain(first, rest) => self.chain(first, rest, place),
            Kind::Negate(inner) => {
                let inner_plan = self.value(inner)?;
                match inner_plan.value_type {
                    None | Some(Type::Int64 | Type::Float64) => {
                        let value_type = inner_plan.value_type;
                        self.folded(plan(place, value_type, Op::Negate(Box::new(inner_plan))))
                    }
                    Some(_) => Err(wrong_type(
                        inner.place,
                        format!("'-' needs a number, and {}", described(inner, &inner_plan)),
                    )),
                }
            }
            Kind::Cast(inner, to) => self.cast(inner, *to, place),
            Kind::Call(function, arguments) => self.call(*function, arguments, place),
        }
    }

    fn parameter(&self, name: &str, place: Place) -> Result<Node> {
        let Some(value) = self.parameters.get(name) else {
            let error = Error::new(
                ErrorKind::UnknownName,
                place,
                format!("the parameter '{name}' has no value"),
            );
            return Err(
                match suggestion(name, self.parameters.keys().map(String::as_str)) {
                    Some(help) => error.help(help),
                    None => error.help("no parameters were given"),
                },
            );
        };
        let kind = literal(value, name, place, self.limits)?;
        Ok(Node { place, kind })
    }

    fn column(&mut self, name: &str, place: Place) -> Result<Plan> {
        let Some((index, column_type)) = self.schema.find(name) else {
            let error = Error::new(
                ErrorKind::UnknownName,
                place,
                format!("there is no column '{name}'"),
            );
            return Err(match suggestion(name, self.schema.names()) {
                Some(help) => error.help(help),
                None => error,
            });
        };
        let read = match self.columns.iter().position(|column| column.index == index) {
            Some(read) => read,
            None => {
                self.columns.push(BoundColumn {
                    name: name.to_owned(),
                    index,
                    column_type,
                    place,
                });
                self.columns.len() - 1
            }
        };
        Ok(plan(place, Some(column_type), Op::Column(read)))
    }

    /// A list of constants of one type.
    fn list(&mut self, entries: &[Node], place: Place) -> Result<Plan> {
        let nodes: Vec<&Node> = entries.iter().collect();
        let plans = self.alike(&nodes, place)?;
        if let Some(entry) = plans.iter().find(|entry| !entry.is_constant()) {
            return Err(wrong_type(entry.place, "the entries of a list must be constants")
                .help("compare with a column outside of the list, or write value IN (a, b)"));
        }
        let value_type = plans.iter().find_map(|plan| plan.value_type);
        let element = match value_type {
            None => None,
            Some(value_type) => Some(element(value_type).ok_or_else(|| {
                wrong_type(
                    place,
                    format!("the entries of a list cannot be {}s", noun(value_type)),
                )
            })?),
        };
        Ok(plan(place, element.map(Type::List), Op::List(set(&plans))))
    }

    fn comparison(&mut self, compare: Compare, left: &Node, right: &Node, place: Place) -> Result<Plan> {
        let mut sides = self.alike(&[left, right], place)?.into_iter();
        let (Some(left), Some(right)) = (sides.next(), sides.next()) else {
            return Err(Error::new(ErrorKind::Data, place, "two values went in"));
        };
        let op = Op::Compare(compare, Box::new(left), Box::new(right));
        self.folded(plan(place, Some(Type::Boolean), op))
    }

    /// Values that are to be compared, converted to one type.
    fn alike(&mut self, nodes: &[&Node], place: Place) -> Result<Vec<Plan>> {
        let plans = nodes
            .iter()
            .map(|node| self.value(node))
            .collect::<Result<Vec<_>>>()?;
        let mut common: Option<(usize, Type)> = None;
        for (index, plan) in plans.iter().enumerate() {
            let Some(found) = plan.value_type else {
                continue;
            };
            if matches!(found, Type::List(_) | Type::Vector) {
                let error = wrong_type(
                    plan.place,
                    format!("{}, and that cannot be compared", described(nodes[index], plan)),
                );
                return Err(match (&nodes[index].kind, found) {
                    (Kind::Column(name), Type::List(_)) => error.help(format!(
                        "ask for a value with array_has({name}, value) or array_has_any({name}, [values])"
                    )),
                    _ => error,
                });
            }
            common = match common {
                None => Some((index, found)),
                Some((first, wanted)) => match wider(wanted, &plans[first], found, plan) {
                    Some(wider) if wider == wanted => Some((first, wanted)),
                    Some(wider) => Some((index, wider)),
                    None => {
                        return Err(incomparable(
                            (nodes[first], &plans[first]),
                            (nodes[index], plan),
                            self.schema,
                            place,
                        ));
                    }
                },
            };
        }
        let Some((_, common)) = common else {
            return Ok(plans);
        };
        plans
            .into_iter()
            .map(|plan| self.converted(plan, common))
            .collect()
    }

    fn converted(&self, value: Plan, to: Type) -> Result<Plan> {
        let place = value.place;
        match (value.value_type, to) {
            (Some(Type::Int64 | Type::Timestamp), Type::Float64) => {
                self.folded(plan(place, Some(Type::Float64), Op::ToFloat(Box::new(value))))
            }
            (Some(Type::Int64), Type::Timestamp) => Ok(plan(place, Some(Type::Timestamp), value.op)),
            (Some(Type::Utf8), Type::Timestamp) => match &value.op {
                Op::Text(text) => match time::parse(text) {
                    Some(seconds) => Ok(plan(place, Some(Type::Timestamp), Op::Int(seconds))),
                    None => Err(not_a_timestamp(text, place)),
                },
                _ => Ok(value),
            },
            _ => Ok(value),
        }
    }

    fn negated(&self, value: Plan, negated: bool) -> Result<Plan> {
        if !negated {
            return Ok(value);
        }
        self.folded(plan(value.place, Some(Type::Boolean), Op::Not(Box::new(value))))
    }

    fn is_in(&mut self, value: &Node, list: &[Node], place: Place) -> Result<Plan> {
        let expanded;
        let entries = match list {
            [
                Node {
                    kind: Kind::Parameter(name),
                    place,
                },
            ] => match self.parameter(name, *place)?.kind {
                Kind::List(entries) => {
                    expanded = entries;
                    &expanded
                }
                _ => list,
            },
            [
                Node {
                    kind: Kind::List(entries),
                    ..
                },
            ] => entries,
            _ => list,
        };
        let nodes: Vec<&Node> = std::iter::once(value).chain(entries).collect();
        let mut plans = self.alike(&nodes, place)?;
        let entries = plans.split_off(1);
        let Some(value) = plans.pop() else {
            return Err(Error::new(ErrorKind::Data, place, "a value went in"));
        };
        let op = if entries.iter().all(Plan::is_constant) {
            Op::InSet(Box::new(value), set(&entries))
        } else {
            Op::InAny(Box::new(value), entries)
        };
        self.folded(plan(place, Some(Type::Boolean), op))
    }

    fn text(&mut self, node: &Node, who: &str) -> Result<Plan> {
        let plan = self.value(node)?;
        match plan.value_type {
            None | Some(Type::Utf8) => Ok(plan),
            Some(found) => {
                let error = wrong_type(
                    node.place,
                    format!("{who} needs a text, and {}", described(node, &plan)),
                );
                Err(match (&node.kind, found) {
                    (Kind::Column(name), Type::List(_)) => {
                        error.help(format!("ask for a value: array_has({name}, value)"))
                    }
                    (Kind::Column(name), _) => error.help(format!("write CAST({name} AS VARCHAR)")),
                    _ => error,
                })
            }
        }
    }

    fn like(&mut self, value: &Node, pattern: &Node, escape: Option<char>, place: Place) -> Result<Plan> {
        let value = Box::new(self.text(value, "LIKE")?);
        let pattern = self.text(pattern, "LIKE")?;
        let op = match &pattern.op {
            Op::Null => Op::Null,
            Op::Text(text) => match LikePattern::new(text, escape) {
                Some(pattern) => Op::Like(value, pattern),
                None => {
                    return Err(Error::new(
                        ErrorKind::WrongValue,
                        pattern.place,
                        "the pattern ends with its escape character",
                    ));
                }
            },
            _ => Op::LikeEach(value, Box::new(pattern), escape),
        };
        self.folded(plan(place, Some(Type::Boolean), op))
    }

    fn chain(&mut self, first: &Node, rest: &[(Operator, Node)], place: Place) -> Result<Plan> {
        let mut value = self.value(first)?;
        let mut value_type = self.number(first, &value, rest.first().map(|(operator, _)| *operator))?;
        let mut operands: Vec<(Operator, Plan)> = Vec::new();
        for (operator, node) in rest {
            let operand = self.value(node)?;
            let operand_type = self.number(node, &operand, Some(*operator))?;
            value_type = match (value_type, operand_type) {
                (None, _) | (_, None) => None,
                (Some(Type::Timestamp), Some(Type::Int64))
                    if matches!(operator, Operator::Add | Operator::Subtract) =>
                {
                    Some(Type::Timestamp)
                }
                (Some(Type::Int64), Some(Type::Timestamp)) if *operator == Operator::Add => {
                    Some(Type::Timestamp)
                }
                (Some(Type::Timestamp), Some(Type::Timestamp)) if *operator == Operator::Subtract => {
                    Some(Type::Int64)
                }
                (Some(Type::Timestamp), _) | (_, Some(Type::Timestamp)) => {
                    return Err(wrong_type(
                        node.place,
                        format!("'{}' does not work with this timestamp", operator.symbol()),
                    )
                    .help("timestamps can be subtracted from each other, and moved by whole seconds with + and -"));
                }
                (Some(Type::Int64), Some(Type::Int64)) if *operator != Operator::Divide => Some(Type::Int64),
                _ => Some(Type::Float64),
            };
            operands.push((*operator, operand));
            if value_type.is_none() {
                // NULL in, NULL out, whatever follows; the types of the rest are still looked at.
                value = plan(place, None, Op::Null);
                operands.clear();
            }
        }
        if operands.is_empty() {
            return Ok(plan(place, None, Op::Null));
        }
        self.folded(plan(place, value_type, Op::Chain(Box::new(value), operands)))
    }

    fn number(&self, node: &Node, value: &Plan, operator: Option<Operator>) -> Result<Option<Type>> {
        match value.value_type {
            None | Some(Type::Int64 | Type::Float64 | Type::Timestamp) => Ok(value.value_type),
            Some(found) => {
                let sign = operator.map_or("+", Operator::symbol);
                let error = wrong_type(
                    node.place,
                    format!("'{sign}' needs numbers, and {}", described(node, value)),
                );
                Err(match (&node.kind, found) {
                    (Kind::Column(name), Type::Utf8 | Type::Boolean) => {
                        error.help(format!("write CAST({name} AS DOUBLE)"))
                    }
                    _ => error,
                })
            }
        }
    }

    fn cast(&mut self, inner: &Node, to: Cast, place: Place) -> Result<Plan> {
        let value = self.value(inner)?;
        let value_type = match to {
            Cast::Boolean => Type::Boolean,
            Cast::SmallInt | Cast::Integer | Cast::BigInt => Type::Int64,
            Cast::Double => Type::Float64,
            Cast::Varchar => Type::Utf8,
            Cast::Timestamp | Cast::Date => Type::Timestamp,
        };
        let impossible = match value.value_type {
            Some(Type::List(_) | Type::Vector) => true,
            Some(Type::Boolean) => value_type == Type::Timestamp,
            Some(Type::Timestamp) => value_type == Type::Boolean,
            _ => false,
        };
        if impossible {
            return Err(wrong_type(
                place,
                format!(
                    "{}, and that cannot become {value_type}",
                    described(inner, &value)
                ),
            ));
        }
        let text = match &value.op {
            Op::Text(text) => Some(text.clone()),
            _ => None,
        };
        let given = !matches!(value.op, Op::Null);
        let cast = self.folded(plan(place, Some(value_type), Op::Cast(Box::new(value), to)))?;
        if given && matches!(cast.op, Op::Null) {
            return Err(match text {
                Some(text) if value_type == Type::Timestamp => not_a_timestamp(&text, inner.place),
                _ => Error::new(
                    ErrorKind::WrongValue,
                    inner.place,
                    format!("this value cannot become {value_type} of that size"),
                ),
            });
        }
        Ok(cast)
    }

    fn call(&mut self, function: Function, arguments: &[Node], place: Place) -> Result<Plan> {
        let [first, second] = arguments else {
            let message = format!("{} takes 2 arguments", function.name());
            return Err(Error::new(ErrorKind::WrongType, place, message));
        };
        if function == Function::RegexpMatch {
            return self.regexp_match(first, second, place);
        }
        let name = function.name();
        let left = self.list_argument(first, name)?;
        let (right, right_type) = if function == Function::ArrayHas {
            let needle = self.value(second)?;
            if matches!(needle.value_type, Some(Type::List(_) | Type::Vector)) {
                return Err(wrong_type(
                    second.place,
                    format!(
                        "array_has looks for one value, and {}",
                        described(second, &needle)
                    ),
                )
                .help("for several values write array_has_any or array_has_all"));
            }
            let needle_type = needle.value_type;
            (needle, needle_type)
        } else {
            let list = self.list_argument(second, name)?;
            let item_type = match list.value_type {
                Some(Type::List(element)) => Some(Type::from(element)),
                _ => None,
            };
            (list, item_type)
        };
        let left_type = match left.value_type {
            Some(Type::List(element)) => Some(Type::from(element)),
            _ => None,
        };
        if matches!(left.op, Op::Null) || matches!(right.op, Op::Null) {
            return Ok(plan(place, Some(Type::Boolean), Op::Null));
        }
        let (mut left, mut right) = (left, right);
        let keys = match (left_type, right_type) {
            (Some(Type::Utf8), Some(Type::Timestamp)) => {
                left = timestamps(left)?;
                Keys::Ints
            }
            (Some(Type::Timestamp), Some(Type::Utf8)) => {
                right = timestamps(right)?;
                Keys::Ints
            }
            (Some(Type::Utf8), None | Some(Type::Utf8)) | (None, Some(Type::Utf8)) => Keys::Texts,
            (Some(Type::Float64), None | Some(Type::Int64 | Type::Float64))
            | (None | Some(Type::Int64), Some(Type::Float64)) => {
                left = float_constants(left);
                right = float_constants(right);
                Keys::Floats
            }
            (Some(Type::Boolean), None | Some(Type::Boolean))
            | (None, Some(Type::Boolean))
            | (Some(Type::Int64 | Type::Timestamp), None | Some(Type::Int64 | Type::Timestamp))
            | (None, Some(Type::Int64 | Type::Timestamp))
            | (None, None) => Keys::Ints,
            _ => {
                let wanted = left_type.map_or("values".to_owned(), |found| format!("{}s", noun(found)));
                return Err(wrong_type(
                    second.place,
                    format!(
                        "the list has {wanted}, and {}: nothing could ever be found",
                        described(second, &right)
                    ),
                ));
            }
        };
        if keys == Keys::Floats && function == Function::ArrayHas && right.value_type == Some(Type::Int64) {
            right = self.converted(right, Type::Float64)?;
        }
        let (left, right) = (Box::new(left), Box::new(right));
        let op = match function {
            Function::ArrayHas => Op::Has(left, right, keys),
            Function::ArrayHasAny => Op::HasAny(left, right, keys),
            _ => Op::HasAll(left, right, keys),
        };
        self.folded(plan(place, Some(Type::Boolean), op))
    }

    fn list_argument(&mut self, node: &Node, function: &str) -> Result<Plan> {
        let list = self.value(node)?;
        match list.value_type {
            None | Some(Type::List(_)) => Ok(list),
            Some(_) => {
                let error = wrong_type(
                    node.place,
                    format!("{function} needs a list, and {}", described(node, &list)),
                );
                Err(match &node.kind {
                    Kind::Column(name) if function == "array_has" => error.help(format!(
                        "the list comes first; for one value write {name} = value"
                    )),
                    _ => error.help("write a list in square brackets: ['a', 'b']"),
                })
            }
        }
    }

    fn regexp_match(&mut self, text: &Node, pattern: &Node, place: Place) -> Result<Plan> {
        let text = self.text(text, "regexp_match")?;
        let pattern = self.text(pattern, "regexp_match")?;
        let op = match &pattern.op {
            Op::Null => Op::Null,
            Op::Text(source) => {
                let regex = regex::RegexBuilder::new(source)
                    .size_limit(self.limits.pattern_bytes)
                    .dfa_size_limit(self.limits.pattern_bytes.saturating_mul(4))
                    .build()
                    .map_err(|error| broken_pattern(&error, pattern.place))?;
                Op::Regex(Box::new(text), regex, 2 + source.len() as u64 / 16)
            }
            _ => {
                return Err(
                    wrong_type(pattern.place, "the pattern of regexp_match must be a constant")
                        .help("write the pattern in quotes, or give it as a parameter"),
                );
            }
        };
        self.folded(plan(place, Some(Type::Boolean), op))
    }

    /// Computes what consists of constants.
    fn folded(&self, value: Plan) -> Result<Plan> {
        let constant = match &value.op {
            Op::And(terms) | Op::Or(terms) => terms.iter().all(Plan::is_constant),
            Op::Not(node)
            | Op::IsNull(node)
            | Op::IsTruth(node, _)
            | Op::InSet(node, _)
            | Op::Like(node, _)
            | Op::Regex(node, ..)
            | Op::Negate(node)
            | Op::ToFloat(node)
            | Op::Cast(node, _) => node.is_constant(),
            Op::Compare(_, left, right)
            | Op::LikeEach(left, right, _)
            | Op::Has(left, right, _)
            | Op::HasAny(left, right, _)
            | Op::HasAll(left, right, _) => left.is_constant() && right.is_constant(),
            Op::InAny(node, entries) => node.is_constant() && entries.iter().all(Plan::is_constant),
            Op::Between(value, low, high) => value.is_constant() && low.is_constant() && high.is_constant(),
            Op::Chain(first, rest) => first.is_constant() && rest.iter().all(|(_, node)| node.is_constant()),
            _ => false,
        };
        if !constant {
            return Ok(value);
        }
        let fuel = Fuel::new(self.limits, 1);
        let evaluator = Evaluator {
            columns: &[],
            fuel: &fuel,
        };
        let vector = evaluator.vector(&value, &Selection::Range { start: 0, len: 1 })?;
        let valid = |valid: &Option<Vec<bool>>| valid.as_ref().is_none_or(|valid| valid[0]);
        let op = match &vector {
            Vector::Truth(data) => match data.get(0) {
                FALSE => Op::Truth(false),
                TRUE => Op::Truth(true),
                _ => Op::Null,
            },
            Vector::Int(data, validity) if valid(validity) => Op::Int(data.get(0)),
            Vector::Float(data, validity) if valid(validity) => Op::Float(data.get(0)),
            Vector::Text(texts, validity) if valid(validity) => Op::Text(texts.get(0).into()),
            _ => Op::Null,
        };
        Ok(plan(value.place, value.value_type, op))
    }
}

/// A parameter's value as the literal that it stands for.
fn literal(value: &Value, name: &str, place: Place, limits: &Limits) -> Result<Kind> {
    Ok(match value {
        Value::Null => Kind::Null,
        Value::Bool(value) => Kind::Boolean(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Kind::Integer(number),
            (None, Some(number)) if number.is_finite() => Kind::Float(number),
            _ => return Err(super::lex::too_large(place)),
        },
        Value::String(text) => Kind::Text(text.clone(), Quotes::Single),
        Value::Array(entries) => {
            if entries.len() > limits.list_items {
                return Err(params::too_many(name, entries.len(), limits, place));
            }
            let entries = entries.iter().map(|entry| match entry {
                Value::Array(_) | Value::Object(_) => Err(params::not_plain(name, place)),
                entry => Ok(Node {
                    place,
                    kind: literal(entry, name, place, limits)?,
                }),
            });
            Kind::List(entries.collect::<Result<_>>()?)
        }
        Value::Object(_) => return Err(params::not_plain(name, place)),
    })
}

fn plan(place: Place, value_type: Option<Type>, op: Op) -> Plan {
    Plan {
        place,
        value_type,
        op,
    }
}

/// The type in which values of both can be compared.
fn wider(left: Type, left_plan: &Plan, right: Type, right_plan: &Plan) -> Option<Type> {
    let is_text = |plan: &Plan| matches!(plan.op, Op::Text(_));
    match (left, right) {
        _ if left == right => Some(left),
        (Type::Int64 | Type::Timestamp, Type::Float64) | (Type::Float64, Type::Int64 | Type::Timestamp) => {
            Some(Type::Float64)
        }
        (Type::Int64, Type::Timestamp) | (Type::Timestamp, Type::Int64) => Some(Type::Timestamp),
        (Type::Timestamp, Type::Utf8) if is_text(right_plan) => Some(Type::Timestamp),
        (Type::Utf8, Type::Timestamp) if is_text(left_plan) => Some(Type::Timestamp),
        _ => None,
    }
}

fn element(value_type: Type) -> Option<Element> {
    Some(match value_type {
        Type::Boolean => Element::Boolean,
        Type::Int64 => Element::Int64,
        Type::Float64 => Element::Float64,
        Type::Utf8 => Element::Utf8,
        Type::Timestamp => Element::Timestamp,
        Type::List(_) | Type::Vector => return None,
    })
}

fn set(entries: &[Plan]) -> Set {
    let mut numbers = Vec::new();
    let mut texts = Vec::new();
    let mut has_null = false;
    for entry in entries {
        match &entry.op {
            Op::Int(number) => numbers.push(*number),
            Op::Float(number) => numbers.push(float_key(*number)),
            Op::Truth(value) => numbers.push(i64::from(*value)),
            Op::Text(text) => texts.push(text.clone()),
            _ => has_null = true,
        }
    }
    Set::new(numbers, texts, has_null)
}

/// The constant texts of a plan as seconds.
fn timestamps(value: Plan) -> Result<Plan> {
    let place = value.place;
    let seconds = |text: &str| time::parse(text).ok_or_else(|| not_a_timestamp(text, place));
    match &value.op {
        Op::Text(text) => Ok(plan(place, Some(Type::Timestamp), Op::Int(seconds(text)?))),
        Op::List(set) => {
            let numbers = set
                .texts
                .iter()
                .map(|text| seconds(text))
                .collect::<Result<_>>()?;
            let list = Op::List(Set::new(numbers, Vec::new(), set.has_null));
            Ok(plan(place, Some(Type::List(Element::Timestamp)), list))
        }
        _ => Err(wrong_type(place, "texts and timestamps cannot be compared")
            .help("write CAST(… AS TIMESTAMP) around the text")),
    }
}

/// The whole numbers of a constant list as keys of floats.
fn float_constants(value: Plan) -> Plan {
    match (&value.op, value.value_type) {
        (Op::List(set), Some(Type::List(Element::Int64))) => {
            let numbers = set
                .numbers
                .iter()
                .map(|number| float_key(*number as f64))
                .collect();
            let list = Op::List(Set::new(numbers, Vec::new(), set.has_null));
            plan(value.place, Some(Type::List(Element::Float64)), list)
        }
        _ => value,
    }
}

fn wrong_type(place: Place, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::WrongType, place, message)
}

fn not_a_timestamp(text: &str, place: Place) -> Error {
    Error::new(
        ErrorKind::WrongValue,
        place,
        format!("'{}' is not a timestamp", shortened(text)),
    )
    .help("write it as '2026-03-01', '2026-03-01 12:30:00' or '2026-03-01T12:30:00+02:00'")
}

fn broken_pattern(error: &regex::Error, place: Place) -> Error {
    match error {
        regex::Error::CompiledTooBig(_) => {
            Error::new(ErrorKind::TooLarge, place, "this pattern needs too much memory")
                .help("use smaller repetitions, and [0-9a-z] instead of \\w and \\d")
        }
        error => {
            // The message shows the pattern with a marker first; its last line says what is wrong.
            let message = error.to_string();
            let last = message.lines().last().unwrap_or("it is broken").trim();
            let last = last.strip_prefix("error: ").unwrap_or(last);
            Error::new(
                ErrorKind::WrongValue,
                place,
                format!("this pattern cannot be used: {last}"),
            )
        }
    }
}

fn incomparable(first: (&Node, &Plan), second: (&Node, &Plan), schema: &Schema, place: Place) -> Error {
    let (first_node, first_plan) = first;
    let (second_node, second_plan) = second;
    let message = format!(
        "{} and {}: they cannot be compared",
        described(first_node, first_plan),
        described(second_node, second_plan)
    );
    for node in [first_node, second_node] {
        if let Kind::Text(text, Quotes::Double) = &node.kind
            && schema.find(text).is_some()
        {
            return wrong_type(node.place, message).help(format!(
                "double quotes make a text; the column stands bare: {text}"
            ));
        }
    }
    let culprit = if second_plan.is_constant() {
        second_node.place
    } else if first_plan.is_constant() {
        first_node.place
    } else {
        place
    };
    let error = wrong_type(culprit, message);
    let columns = [
        (first_node, first_plan, second_plan),
        (second_node, second_plan, first_plan),
    ];
    for (node, column, other) in columns {
        let Kind::Column(name) = &node.kind else {
            continue;
        };
        return match (column.value_type, other.value_type) {
            (Some(Type::Boolean), _) => error.help(format!("write {name} IS TRUE or {name} IS FALSE")),
            (Some(Type::Utf8), Some(Type::Int64)) => error.help(format!(
                "put the number in quotes, or write CAST({name} AS BIGINT)"
            )),
            (Some(Type::Utf8), Some(Type::Float64)) => error.help(format!("write CAST({name} AS DOUBLE)")),
            (Some(Type::Utf8), Some(Type::Timestamp)) => {
                error.help(format!("write CAST({name} AS TIMESTAMP)"))
            }
            (Some(Type::Int64 | Type::Float64), Some(Type::Utf8)) if other.is_constant() => {
                error.help("write the number without quotes")
            }
            _ => error.help("CAST(… AS …) changes a type"),
        };
    }
    error.help("CAST(… AS …) changes a type")
}

/// `'price' is a number`, or `this is a number`.
fn described(node: &Node, plan: &Plan) -> String {
    let what = plan
        .value_type
        .map_or("NULL".to_owned(), |found| found.to_string());
    match &node.kind {
        Kind::Column(name) => format!("'{name}' is {what}"),
        Kind::Text(text, _) => format!("'{}' is {what}", shortened(text)),
        Kind::Integer(number) => format!("{number} is {what}"),
        Kind::Float(number) => format!("{number:?} is {what}"),
        Kind::Parameter(name) => format!("$param.{name} is {what}"),
        _ => format!("this is {what}"),
    }
}

/// Without its article.
fn noun(value_type: Type) -> String {
    let described = value_type.to_string();
    described.strip_prefix("a ").unwrap_or(&described).to_owned()
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= 30 {
        return text.to_owned();
    }
    text.chars().take(29).chain(['…']).collect()
}
