//! A tree meets the names that there are: names become inputs, calls become functions, types are checked.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::data::{Element, Type};
use crate::error::{Error, ErrorKind, Limits, Place, Result};
use crate::near::{nearest, suggestion};
use crate::params;
use crate::value::functions::{CONSTANTS, Call, FUNCTIONS, FunctionSpec};
use crate::value::plan::{Link, List, Op, Plan, Shape, Source};
use crate::value::tree::{Compare, Kind, Node, Operator};
use crate::value::{BoundInput, Entity, Input, Names, Pooling};

pub(super) struct Binder<'b> {
    pub(super) names: &'b Names,
    pub(super) parameters: &'b Map<String, Value>,
    pub(super) limits: &'b Limits,
    pub(super) inputs: Vec<BoundInput>,
}

/// What a part of a value model is.
enum Bound {
    One(Plan),
    Many(List),
}

impl Binder<'_> {
    pub(super) fn score(&mut self, node: &Node) -> Result<Plan> {
        let plan = self.one(node)?;
        if plan.shape == Shape::Text {
            return Err(
                wrong_type(node.place, "a value model must give a number, and this is a text")
                    .help("compare the text: 1 if item.brand == 'x' else 0"),
            );
        }
        Ok(plan)
    }

    fn one(&mut self, node: &Node) -> Result<Plan> {
        match self.bound(node)? {
            Bound::One(plan) => Ok(plan),
            Bound::Many(list) => Err(wrong_type(
                list.place,
                format!("one value should stand here, and {} a list", described(node)),
            )
            .help("give it to a function such as len, sum, min or max, or look into it with in")),
        }
    }

    fn number(&mut self, node: &Node, who: &str) -> Result<Plan> {
        let plan = self.one(node)?;
        if plan.shape == Shape::Text {
            let message = format!("{who} needs a number, and {} a text", described(node));
            return Err(wrong_type(node.place, message).help("texts can be compared with == != < > and in"));
        }
        Ok(plan)
    }

    fn list(&mut self, node: &Node, who: &str) -> Result<List> {
        match self.bound(node)? {
            Bound::Many(list) => Ok(list),
            Bound::One(_) => Err(wrong_type(
                node.place,
                format!("{who} needs a list, and {} a single value", described(node)),
            )
            .help("write a list in square brackets: [a, b]")),
        }
    }

    fn numbers(&mut self, node: &Node, who: &str) -> Result<List> {
        let list = self.list(node, who)?;
        if list.of_texts {
            let message = format!("{who} needs numbers, and {} a list of texts", described(node));
            return Err(wrong_type(node.place, message));
        }
        Ok(list)
    }

    /// What stands in a condition: a list is true if it has entries.
    fn truth(&mut self, node: &Node) -> Result<Plan> {
        match self.bound(node)? {
            Bound::One(plan) => Ok(plan),
            Bound::Many(list) => Ok(Plan {
                place: node.place,
                shape: Shape::Int,
                op: Op::OverList(Call::Length, list, None),
            }),
        }
    }

    fn bound(&mut self, node: &Node) -> Result<Bound> {
        let place = node.place;
        let one = |shape, op| Ok(Bound::One(Plan { place, shape, op }));
        match &node.kind {
            Kind::Boolean(value) => one(Shape::Bool, Op::Bool(*value)),
            Kind::Integer(number) => one(Shape::Int, Op::Int(*number)),
            Kind::Float(number) => one(Shape::Float, Op::Float(*number)),
            Kind::Text(text) => one(Shape::Text, Op::Text(text.as_str().into())),
            Kind::Parameter(name) => {
                let kind = self.parameter(name, place)?;
                self.bound(&Node { place, kind })
            }
            Kind::Name(name) => self.name(name, place),
            Kind::List(entries) => self.entries(entries, place),
            Kind::Or(terms) | Kind::And(terms) => {
                let terms = terms
                    .iter()
                    .map(|term| self.one(term))
                    .collect::<Result<Vec<_>>>()?;
                let mut shape: Option<Shape> = None;
                for term in &terms {
                    shape = Some(match shape {
                        None => term.shape,
                        Some(shape) => self.common(shape, term.shape, term.place)?,
                    });
                }
                let op = if matches!(node.kind, Kind::Or(_)) {
                    Op::Or(terms)
                } else {
                    Op::And(terms)
                };
                one(shape.unwrap_or(Shape::Bool), op)
            }
            Kind::Not(inner) => {
                let inner = self.truth(inner)?;
                one(Shape::Bool, Op::Not(Box::new(inner)))
            }
            Kind::Compare(first, rest) => self.comparison(first, rest, place).map(Bound::One),
            Kind::Condition {
                then,
                test,
                otherwise,
            } => {
                let test = self.truth(test)?;
                let then = self.one(then)?;
                let otherwise = self.one(otherwise)?;
                let shape = self.common(then.shape, otherwise.shape, otherwise.place)?;
                one(shape, Op::If(Box::new(test), Box::new(then), Box::new(otherwise)))
            }
            Kind::Chain(first, rest) => {
                let sign = rest.first().map_or("+", |(operator, _)| operator.symbol());
                let first = self.number(first, &format!("'{sign}'"))?;
                let mut shape = first.shape;
                let mut operands = Vec::with_capacity(rest.len());
                for (operator, operand) in rest {
                    let operand = self.number(operand, &format!("'{}'", operator.symbol()))?;
                    let float = shape == Shape::Float
                        || operand.shape == Shape::Float
                        || *operator == Operator::Divide;
                    shape = if float { Shape::Float } else { Shape::Int };
                    operands.push((*operator, operand));
                }
                one(shape, Op::Chain(Box::new(first), operands))
            }
            Kind::Power(base, exponent) => {
                let base = self.number(base, "'**'")?;
                let exponent = self.number(exponent, "'**'")?;
                let float = base.shape == Shape::Float
                    || exponent.shape == Shape::Float
                    // Whether a power of whole numbers is one depends on a sign that only the data knows.
                    || !matches!(exponent.op, Op::Int(_) | Op::Bool(_));
                let shape = if float { Shape::Float } else { Shape::Int };
                one(shape, Op::Power(Box::new(base), Box::new(exponent)))
            }
            Kind::Negate(inner) => {
                let inner = self.number(inner, "'-'")?;
                one(whole_or_float(inner.shape), Op::Negate(Box::new(inner)))
            }
            Kind::Plus(inner) => {
                let inner = self.number(inner, "'+'")?;
                one(whole_or_float(inner.shape), Op::Plus(Box::new(inner)))
            }
            Kind::Call(name, arguments) => self.call(name, arguments, place),
        }
    }

    fn common(&self, left: Shape, right: Shape, place: Place) -> Result<Shape> {
        match (left, right) {
            (left, right) if left == right => Ok(left),
            (Shape::Text, _) | (_, Shape::Text) => Err(wrong_type(
                place,
                "one of these values is a text and another a number",
            )
            .help("both cases of a choice must be numbers, or both texts")),
            (Shape::Float, _) | (_, Shape::Float) => Ok(Shape::Float),
            _ => Ok(Shape::Int),
        }
    }

    fn parameter(&self, name: &str, place: Place) -> Result<Kind> {
        let Some(value) = self.parameters.get(name) else {
            let message = format!("the parameter '{name}' has no value");
            let error = Error::new(ErrorKind::UnknownName, place, message);
            return Err(
                match suggestion(name, self.parameters.keys().map(String::as_str)) {
                    Some(help) => error.help(help),
                    None => error.help("no parameters were given"),
                },
            );
        };
        literal(value, name, place, self.limits)
    }

    fn entries(&mut self, nodes: &[Node], place: Place) -> Result<Bound> {
        let mut entries = Vec::with_capacity(nodes.len());
        for node in nodes {
            entries.push(self.one(node)?);
        }
        let texts = entries.iter().filter(|entry| entry.shape == Shape::Text).count();
        if texts != 0 && texts != entries.len() {
            return Err(wrong_type(
                place,
                "this list has texts and numbers: nothing can be compared with both",
            ));
        }
        let mut set: HashSet<Box<str>> = HashSet::new();
        if entries.iter().all(|entry| matches!(entry.op, Op::Text(_))) {
            set.extend(entries.iter().filter_map(|entry| match &entry.op {
                Op::Text(text) => Some(text.clone()),
                _ => None,
            }));
        }
        Ok(Bound::Many(List {
            place,
            of_texts: texts > 0,
            source: Source::Entries(entries, set),
        }))
    }

    fn name(&mut self, name: &str, place: Place) -> Result<Bound> {
        let names = self.names;
        if let Some((entity, column)) = name.split_once('.') {
            let columns = match entity {
                "item" => &names.item,
                "user" => &names.user,
                _ => return Err(self.unknown(name, place)),
            };
            let Some((_, column_type)) = columns.iter().find(|(known, _)| known == column) else {
                return Err(self.unknown(name, place));
            };
            let input = if entity == "item" {
                Input::Item(column.to_owned())
            } else {
                Input::User(column.to_owned())
            };
            return Ok(self.input(input, *column_type, place));
        }
        if names.policies.iter().any(|policy| policy == name) {
            return Ok(self.input(Input::Policy(name.to_owned()), Type::Float64, place));
        }
        if let Some((_, value)) = CONSTANTS.iter().find(|(constant, _)| *constant == name) {
            return Ok(Bound::One(Plan {
                place,
                shape: Shape::Float,
                op: Op::Float(*value),
            }));
        }
        Err(self.unknown(name, place))
    }

    fn unknown(&self, name: &str, place: Place) -> Error {
        let names = self.names;
        let error = Error::new(
            ErrorKind::UnknownName,
            place,
            format!("there is no name '{name}'"),
        );
        if FUNCTIONS.iter().any(|function| function.name == name) {
            return error.help(format!("{name} is a function: write {name}(…)"));
        }
        if name == "item" || name == "user" {
            return error.help(format!("name a column of it: {name}.column"));
        }
        match name {
            "true" | "false" => return error.help("write True or False with a capital letter"),
            "null" | "NULL" => return error.help("there is no NULL here: it counts as 0"),
            _ => {}
        }
        if let Some(bare) = name.strip_prefix("math.") {
            return error.help(format!("functions and constants stand without a prefix: {bare}"));
        }
        let items: Vec<String> = names
            .item
            .iter()
            .map(|(column, _)| format!("item.{column}"))
            .collect();
        let users: Vec<String> = names
            .user
            .iter()
            .map(|(column, _)| format!("user.{column}"))
            .collect();
        let mut known: Vec<&str> = names.policies.iter().map(String::as_str).collect();
        match name.split_once('.') {
            // A name of one entity is most likely one of that entity.
            Some(("item", _)) => known = items.iter().map(String::as_str).collect(),
            Some(("user", _)) => known = users.iter().map(String::as_str).collect(),
            _ => known.extend(items.iter().chain(&users).map(String::as_str)),
        }
        match suggestion(name, known) {
            Some(help) => error.help(help),
            None => error.help("names are those of the model's policies, item.column and user.column"),
        }
    }

    fn input(&mut self, input: Input, input_type: Type, place: Place) -> Bound {
        let index = match self.inputs.iter().position(|known| known.input == input) {
            Some(index) => index,
            None => {
                self.inputs.push(BoundInput {
                    input,
                    input_type,
                    place,
                });
                self.inputs.len() - 1
            }
        };
        let shape = match input_type {
            Type::Boolean => Shape::Bool,
            Type::Int64 | Type::Timestamp => Shape::Int,
            Type::Float64 => Shape::Float,
            Type::Utf8 => Shape::Text,
            Type::List(element) => {
                return Bound::Many(List {
                    place,
                    of_texts: element == Element::Utf8,
                    source: Source::Input(index),
                });
            }
            Type::Vector => {
                return Bound::Many(List {
                    place,
                    of_texts: false,
                    source: Source::Input(index),
                });
            }
        };
        Bound::One(Plan {
            place,
            shape,
            op: Op::Input(index),
        })
    }

    fn comparison(&mut self, first: &Node, rest: &[(Compare, Node)], place: Place) -> Result<Plan> {
        let first_plan = self.one(first)?;
        let mut left_shape = first_plan.shape;
        let mut left_node = first;
        let mut links = Vec::with_capacity(rest.len());
        for (number, (compare, right)) in rest.iter().enumerate() {
            let wanted = *compare == Compare::In;
            if matches!(compare, Compare::In | Compare::NotIn) {
                match self.bound(right)? {
                    Bound::Many(list) => {
                        let empty = matches!(&list.source, Source::Entries(entries, _) if entries.is_empty());
                        if !empty && list.of_texts != (left_shape == Shape::Text) {
                            let holds = if list.of_texts { "texts" } else { "numbers" };
                            let message = format!(
                                "the list holds {holds}, and {} {}: it could never be found",
                                described(left_node),
                                kind_name(left_shape)
                            );
                            return Err(wrong_type(left_node.place, message));
                        }
                        if number + 1 < rest.len() {
                            return Err(wrong_type(right.place, "a list cannot be compared any further")
                                .help("put the part with in into brackets"));
                        }
                        links.push(Link::InList(list, wanted));
                        break;
                    }
                    Bound::One(text) if text.shape == Shape::Text && left_shape == Shape::Text => {
                        left_shape = text.shape;
                        links.push(Link::InText(text, wanted));
                    }
                    Bound::One(_) => {
                        let message =
                            format!("in looks into a list or a text, and {} neither", described(right));
                        return Err(wrong_type(right.place, message).help("write value in [a, b]"));
                    }
                }
            } else {
                let plan = self.one(right)?;
                if (plan.shape == Shape::Text) != (left_shape == Shape::Text) {
                    let message = format!(
                        "{} {} and {} {}: they cannot be compared",
                        described(left_node),
                        kind_name(left_shape),
                        described(right),
                        kind_name(plan.shape)
                    );
                    return Err(wrong_type(right.place, message));
                }
                left_shape = plan.shape;
                links.push(Link::Compare(*compare, plan));
            }
            left_node = right;
        }
        Ok(Plan {
            place,
            shape: Shape::Bool,
            op: Op::Compare(Box::new(first_plan), links),
        })
    }

    fn call(&mut self, name: &str, arguments: &[(Option<String>, Node)], place: Place) -> Result<Bound> {
        let name_place = Place::new(place.offset, place.offset + name.len());
        let Some(spec) = FUNCTIONS.iter().find(|spec| spec.name == name) else {
            let error = Error::new(
                ErrorKind::UnknownName,
                name_place,
                format!("there is no function '{name}'"),
            );
            if let Some(bare) = name.strip_prefix("math.") {
                return Err(error.help(format!("functions stand without a prefix: {bare}(…)")));
            }
            if self.names.policies.iter().any(|policy| policy == name) {
                return Err(error.help(format!("{name} is a policy: write it without brackets")));
            }
            return Err(
                match (name, nearest(name, FUNCTIONS.iter().map(|spec| spec.name))) {
                    ("round" | "int", _) => error.help("write floor(x + 0.5), floor(x) or trunc(x)"),
                    ("ln", _) => error.help("write log(x)"),
                    (_, Some(near)) => error.help(format!("did you mean '{near}'?")),
                    _ => error
                        .help("the functions are those of Python's math module, min, max, abs, sum and len"),
                },
            );
        };
        let keywords = keywords(spec.call);
        let mut positional = Vec::new();
        let mut named: Vec<(&str, &Node)> = Vec::new();
        for (keyword, node) in arguments {
            match keyword {
                None => positional.push(node),
                Some(keyword) => {
                    if !keywords.contains(&keyword.as_str()) {
                        let message = format!("{name} has no argument '{keyword}'");
                        return Err(Error::new(ErrorKind::UnknownName, node.place, message).help(usage(spec)));
                    }
                    if named.iter().any(|(known, _)| known == keyword) {
                        let message = format!("the argument '{keyword}' is given twice");
                        return Err(wrong_type(node.place, message));
                    }
                    named.push((keyword, node));
                }
            }
        }
        let named = |keyword: &str| {
            named
                .iter()
                .find(|(known, _)| *known == keyword)
                .map(|(_, node)| *node)
        };
        self.function(spec, &positional, named, place)
    }

    fn function<'n>(
        &mut self,
        spec: &FunctionSpec,
        positional: &[&'n Node],
        named: impl Fn(&str) -> Option<&'n Node>,
        place: Place,
    ) -> Result<Bound> {
        let name = spec.name;
        let one = |shape, op| Ok(Bound::One(Plan { place, shape, op }));
        let expect = |least: usize, most: usize| {
            if (least..=most).contains(&positional.len()) {
                return Ok(());
            }
            let wanted = match (least, most) {
                (0, 0) => "no arguments".to_owned(),
                (1, 1) => "1 argument".to_owned(),
                (least, most) if least == most => format!("{least} arguments"),
                (least, usize::MAX) => format!("at least {least} arguments"),
                (least, most) => format!("{least} to {most} arguments"),
            };
            let message = format!("{name} takes {wanted} and got {}", positional.len());
            Err(wrong_type(place, message).help(usage(spec)))
        };
        match spec.call {
            Call::Unary(_) | Call::Test(_) | Call::Round(_) | Call::Absolute => {
                expect(1, 1)?;
                let argument = self.number(positional[0], name)?;
                let shape = match spec.call {
                    Call::Unary(_) => Shape::Float,
                    Call::Test(_) => Shape::Bool,
                    Call::Round(_) => Shape::Int,
                    _ => whole_or_float(argument.shape),
                };
                one(shape, Op::Apply(spec.call, vec![argument]))
            }
            Call::Floats(least, most, _) => {
                expect(least, most)?;
                let arguments = positional
                    .iter()
                    .map(|node| self.number(node, name))
                    .collect::<Result<Vec<_>>>()?;
                one(Shape::Float, Op::Apply(spec.call, arguments))
            }
            Call::Integers(least, most, _) => {
                expect(least, most)?;
                let mut arguments = Vec::with_capacity(positional.len());
                for node in positional {
                    arguments.push(self.whole(node, name)?);
                }
                one(Shape::Int, Op::Apply(spec.call, arguments))
            }
            Call::ScaleByPower => {
                expect(2, 2)?;
                let arguments = vec![
                    self.number(positional[0], name)?,
                    self.whole(positional[1], name)?,
                ];
                one(Shape::Float, Op::Apply(spec.call, arguments))
            }
            Call::IsClose => {
                expect(2, 2)?;
                let mut arguments = vec![
                    self.number(positional[0], name)?,
                    self.number(positional[1], name)?,
                ];
                for (keyword, default) in [("rel_tol", 1e-9), ("abs_tol", 0.0)] {
                    arguments.push(match named(keyword) {
                        Some(node) => self.number(node, name)?,
                        None => Plan {
                            place,
                            shape: Shape::Float,
                            op: Op::Float(default),
                        },
                    });
                }
                one(Shape::Bool, Op::Apply(spec.call, arguments))
            }
            Call::Extreme(_) => {
                expect(1, usize::MAX)?;
                if let [node] = positional {
                    let list = self.numbers(node, name)?;
                    if let Source::Entries(entries, _) = &list.source
                        && entries.is_empty()
                    {
                        return Err(wrong_type(
                            node.place,
                            format!("{name} of an empty list is nothing"),
                        ));
                    }
                    let shape = list_shape(&list, &self.inputs);
                    return one(shape, Op::OverList(spec.call, list, None));
                }
                let mut arguments = Vec::with_capacity(positional.len());
                for node in positional {
                    arguments.push(self.number(node, name)?);
                }
                let float = arguments.iter().any(|argument| argument.shape == Shape::Float);
                let shape = if float { Shape::Float } else { Shape::Int };
                one(shape, Op::Apply(spec.call, arguments))
            }
            Call::Total(is_product) => {
                expect(1, if is_product { 1 } else { 2 })?;
                let list = self.numbers(positional[0], name)?;
                let start = match positional.get(1).copied().or_else(|| named("start")) {
                    Some(node) => Some(Box::new(self.number(node, name)?)),
                    None => None,
                };
                let float = list_shape(&list, &self.inputs) == Shape::Float
                    || start.as_ref().is_some_and(|start| start.shape == Shape::Float);
                let shape = if float { Shape::Float } else { Shape::Int };
                one(shape, Op::OverList(spec.call, list, start))
            }
            Call::ExactSum => {
                expect(1, 1)?;
                let list = self.numbers(positional[0], name)?;
                one(Shape::Float, Op::OverList(spec.call, list, None))
            }
            Call::Length => {
                expect(1, 1)?;
                match self.bound(positional[0])? {
                    Bound::Many(list) => one(Shape::Int, Op::OverList(spec.call, list, None)),
                    Bound::One(plan) if plan.shape == Shape::Text => {
                        one(Shape::Int, Op::TextLength(Box::new(plan)))
                    }
                    Bound::One(_) => {
                        let message = format!(
                            "len needs a list or a text, and {} a number",
                            described(positional[0])
                        );
                        Err(wrong_type(positional[0].place, message))
                    }
                }
            }
            Call::Lists(function) => {
                expect(2, 2)?;
                let left = self.numbers(positional[0], name)?;
                let right = self.numbers(positional[1], name)?;
                one(Shape::Float, Op::OverLists(function, left, right))
            }
            Call::Cosine => {
                expect(2, 2)?;
                let left = self.numbers(positional[0], name)?;
                let right = self.numbers(positional[1], name)?;
                one(Shape::Float, Op::Cosine(left, right))
            }
            Call::Now => {
                expect(0, 0)?;
                one(Shape::Float, Op::Now)
            }
            Call::RetrievalScore | Call::RetrievalRank => {
                expect(1, 1)?;
                let step = self.constant_text(positional[0], name)?;
                let steps = &self.names.retrieve_steps;
                if !steps.contains(&step) {
                    return Err(no_such("retrieve step", &step, steps, positional[0].place));
                }
                let input = match spec.call {
                    Call::RetrievalScore => Input::RetrievalScore(step),
                    _ => Input::RetrievalRank(step),
                };
                Ok(self.input(input, Type::Float64, place))
            }
            Call::TextEncoding => {
                expect(1, 2)?;
                let of = match &positional[0].kind {
                    Kind::Name(name) if name == "item" => Entity::Item,
                    Kind::Name(name) if name == "user" => Entity::User,
                    _ => {
                        let message = "text_encoding takes item or user itself";
                        return Err(wrong_type(positional[0].place, message).help(usage(spec)));
                    }
                };
                let embedding_ref = self.embedding(
                    positional.get(1).copied().or_else(|| named("embedding_ref")),
                    spec,
                    place,
                )?;
                Ok(self.input(Input::TextEncoding { of, embedding_ref }, Type::Vector, place))
            }
            Call::PooledTextEncoding => {
                expect(1, 3)?;
                let of = self.interactions(positional[0], spec)?;
                let pooling = match positional.get(1).copied().or_else(|| named("pool_fn")) {
                    None => Pooling::Mean,
                    Some(node) => match self.constant_text(node, name)?.as_str() {
                        "mean" => Pooling::Mean,
                        "max" => Pooling::Max,
                        other => {
                            let message = format!("'{other}' is not a way of pooling");
                            return Err(Error::new(ErrorKind::WrongValue, node.place, message)
                                .help("write pool_fn='mean' or pool_fn='max'"));
                        }
                    },
                };
                let embedding_ref = self.embedding(
                    positional.get(2).copied().or_else(|| named("embedding_ref")),
                    spec,
                    place,
                )?;
                let input = Input::PooledTextEncoding {
                    of,
                    pooling,
                    embedding_ref,
                };
                Ok(self.input(input, Type::Vector, place))
            }
        }
    }

    fn whole(&mut self, node: &Node, who: &str) -> Result<Plan> {
        let plan = self.number(node, who)?;
        if plan.shape == Shape::Float {
            let message = format!("{who} needs a whole number, and {} a float", described(node));
            return Err(wrong_type(node.place, message).help("write floor(…), ceil(…) or trunc(…) around it"));
        }
        Ok(plan)
    }

    fn constant_text(&mut self, node: &Node, who: &str) -> Result<String> {
        let kind = match &node.kind {
            Kind::Parameter(name) => self.parameter(name, node.place)?,
            kind => kind.clone(),
        };
        match kind {
            Kind::Text(text) => Ok(text),
            _ => {
                Err(wrong_type(node.place, format!("{who} needs a name in quotes"))
                    .help("write it like 'name'"))
            }
        }
    }

    fn embedding(&mut self, node: Option<&Node>, spec: &FunctionSpec, place: Place) -> Result<String> {
        let Some(node) = node else {
            let message = format!("{} needs embedding_ref", spec.name);
            return Err(wrong_type(place, message).help(usage(spec)));
        };
        let name = self.constant_text(node, spec.name)?;
        if !self.names.embeddings.contains(&name) {
            return Err(no_such("embedding", &name, &self.names.embeddings, node.place));
        }
        Ok(name)
    }

    /// A list column of ids, named and not read: its items' vectors are wanted.
    fn interactions(&mut self, node: &Node, spec: &FunctionSpec) -> Result<Box<Input>> {
        let Kind::Name(name) = &node.kind else {
            let message = "pooled_text_encoding takes a column of item ids";
            return Err(wrong_type(node.place, message).help(usage(spec)));
        };
        let (input, column_type) = match name.split_once('.') {
            Some(("user", column)) => (
                Input::User(column.to_owned()),
                self.names.user.iter().find(|(known, _)| known == column),
            ),
            Some(("item", column)) => (
                Input::Item(column.to_owned()),
                self.names.item.iter().find(|(known, _)| known == column),
            ),
            _ => return Err(self.unknown(name, node.place)),
        };
        match column_type {
            None => Err(self.unknown(name, node.place)),
            Some((_, Type::List(Element::Utf8))) => Ok(Box::new(input)),
            Some((_, found)) => Err(wrong_type(
                node.place,
                format!("pooled_text_encoding takes a column of item ids, and '{name}' is {found}"),
            )
            .help("write user.recent_interactions")),
        }
    }
}

fn literal(value: &Value, name: &str, place: Place, limits: &Limits) -> Result<Kind> {
    Ok(match value {
        Value::Null => {
            let message = format!("the parameter '{name}' is null");
            return Err(Error::new(ErrorKind::WrongValue, place, message).help("give it a value"));
        }
        Value::Bool(value) => Kind::Boolean(*value),
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(number), _) => Kind::Integer(number),
            (None, Some(number)) if number.is_finite() => Kind::Float(number),
            _ => {
                let message = format!("the parameter '{name}' is too large a number");
                return Err(Error::new(ErrorKind::WrongValue, place, message));
            }
        },
        Value::String(text) => Kind::Text(text.clone()),
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

fn keywords(call: Call) -> &'static [&'static str] {
    match call {
        Call::IsClose => &["rel_tol", "abs_tol"],
        Call::Total(_) => &["start"],
        Call::TextEncoding => &["embedding_ref"],
        Call::PooledTextEncoding => &["pool_fn", "embedding_ref"],
        _ => &[],
    }
}

fn list_shape(list: &List, inputs: &[BoundInput]) -> Shape {
    match &list.source {
        Source::Entries(entries, _) => {
            if entries.iter().any(|entry| entry.shape == Shape::Float) {
                Shape::Float
            } else {
                Shape::Int
            }
        }
        Source::Input(index) => match inputs.get(*index).map(|input| input.input_type) {
            Some(Type::List(Element::Int64 | Element::Boolean | Element::Timestamp)) => Shape::Int,
            _ => Shape::Float,
        },
    }
}

fn whole_or_float(shape: Shape) -> Shape {
    if shape == Shape::Float {
        Shape::Float
    } else {
        Shape::Int
    }
}

fn usage(spec: &FunctionSpec) -> String {
    format!("write {}({})", spec.name, spec.arguments)
}

fn no_such(what: &str, name: &str, known: &[String], place: Place) -> Error {
    let error = Error::new(
        ErrorKind::UnknownName,
        place,
        format!("there is no {what} '{name}'"),
    );
    match suggestion(name, known.iter().map(String::as_str)) {
        Some(help) => error.help(help),
        None => error.help(format!("there is no {what} at all")),
    }
}

fn wrong_type(place: Place, message: impl Into<String>) -> Error {
    Error::new(ErrorKind::WrongType, place, message)
}

fn kind_name(shape: Shape) -> &'static str {
    match shape {
        Shape::Text => "a text",
        _ => "a number",
    }
}

/// The beginning of a sentence: `'item.brand' is`.
fn described(node: &Node) -> String {
    match &node.kind {
        Kind::Name(name) => format!("'{name}' is"),
        Kind::Parameter(name) => format!("$param.{name} is"),
        Kind::Text(text) if text.chars().count() <= 30 => format!("'{text}' is"),
        Kind::Integer(number) => format!("{number} is"),
        Kind::Float(number) => format!("{number:?} is"),
        _ => "this is".to_owned(),
    }
}
