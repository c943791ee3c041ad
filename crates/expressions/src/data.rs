//! Columns of candidates, as a caller lends them: slices with a validity bitmap, the layout of Apache Arrow.
//!
//! A [`Column`] borrows. Each candidate of an evaluation stands on one row of it: the row of the same number, a row
//! named by an index (candidates of a request among all items of a catalogue), or one row for all (the user).
//! So nothing is gathered or repeated before an expression asks for it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;

/// What a column holds. Every column may have NULLs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// True or false.
    Boolean,
    /// Whole numbers of 64 bits.
    Int64,
    /// Numbers of 64 bits.
    Float64,
    /// Text.
    Utf8,
    /// A point in time, in whole seconds since 1970 in UTC.
    Timestamp,
    /// A list of plain values.
    List(Element),
    /// An embedding.
    Vector,
}

/// What the lists of a column hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Element {
    /// True or false.
    Boolean,
    /// Whole numbers.
    Int64,
    /// Numbers.
    Float64,
    /// Texts.
    Utf8,
    /// Points in time.
    Timestamp,
}

impl From<Element> for Type {
    fn from(element: Element) -> Self {
        match element {
            Element::Boolean => Self::Boolean,
            Element::Int64 => Self::Int64,
            Element::Float64 => Self::Float64,
            Element::Utf8 => Self::Utf8,
            Element::Timestamp => Self::Timestamp,
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Boolean => "a boolean",
            Self::Int64 => "a whole number",
            Self::Float64 => "a number",
            Self::Utf8 => "a text",
            Self::Timestamp => "a timestamp",
            Self::List(Element::Boolean) => "a list of booleans",
            Self::List(Element::Int64) => "a list of whole numbers",
            Self::List(Element::Float64) => "a list of numbers",
            Self::List(Element::Utf8) => "a list of texts",
            Self::List(Element::Timestamp) => "a list of timestamps",
            Self::Vector => "a vector",
        })
    }
}

/// Column names and their types, in an order that the caller chooses.
#[derive(Debug, Clone, Default)]
pub struct Schema {
    columns: Vec<(String, Type)>,
    places: HashMap<String, usize>,
    prefix: Option<String>,
}

impl Schema {
    /// Of two columns with one name the first counts.
    pub fn new<N: Into<String>>(columns: impl IntoIterator<Item = (N, Type)>) -> Self {
        let columns: Vec<(String, Type)> = columns
            .into_iter()
            .map(|(name, column_type)| (name.into(), column_type))
            .collect();
        let mut places = HashMap::new();
        for (place, (name, _)) in columns.iter().enumerate() {
            places.entry(name.clone()).or_insert(place);
        }
        Self {
            columns,
            places,
            prefix: None,
        }
    }

    /// Lets every column answer to `prefix.name` too, as in `item.price`.
    #[must_use]
    pub fn with_prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = Some(prefix.into());
        self
    }

    /// The place of a column in the order of [`Schema::new`] and its type.
    pub fn find(&self, name: &str) -> Option<(usize, Type)> {
        let short = || {
            let rest = name.strip_prefix(self.prefix.as_deref()?)?;
            self.places.get(rest.strip_prefix('.')?)
        };
        let place = *self.places.get(name).or_else(short)?;
        Some((place, self.columns.get(place)?.1))
    }

    /// The names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|(name, _)| name.as_str())
    }
}

/// One bit per row.
#[derive(Debug, Clone, Copy)]
pub enum Bits<'a> {
    /// Bit `offset + row` of the bytes, least significant first.
    Packed {
        /// The bytes.
        bytes: &'a [u8],
        /// Bits before the first row.
        offset: usize,
    },
    /// One `bool` per row.
    Bools(&'a [bool]),
}

impl Bits<'_> {
    fn get(&self, row: usize) -> bool {
        match self {
            Self::Packed { bytes, offset } => {
                let bit = offset + row;
                bytes.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1)
            }
            Self::Bools(bools) => bools.get(row).copied().unwrap_or(false),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::Packed { bytes, offset } => (bytes.len() * 8).saturating_sub(*offset),
            Self::Bools(bools) => bools.len(),
        }
    }
}

/// Where the values of each row begin; one entry more than there are rows.
#[derive(Debug, Clone, Copy)]
pub enum Offsets<'a> {
    /// Of 32 bits.
    Small(&'a [i32]),
    /// Of 64 bits.
    Large(&'a [i64]),
}

impl Offsets<'_> {
    fn len(&self) -> usize {
        match self {
            Self::Small(offsets) => offsets.len().saturating_sub(1),
            Self::Large(offsets) => offsets.len().saturating_sub(1),
        }
    }

    fn range(&self, row: usize) -> Option<std::ops::Range<usize>> {
        let (start, end) = match self {
            Self::Small(offsets) => (i64::from(*offsets.get(row)?), i64::from(*offsets.get(row + 1)?)),
            Self::Large(offsets) => (*offsets.get(row)?, *offsets.get(row + 1)?),
        };
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        (start <= end).then_some(start..end)
    }
}

/// Texts of a layout that [`Strings`] does not know, such as views.
pub trait StringSource: Sync {
    /// Rows.
    fn len(&self) -> usize;

    /// The text of a row below [`StringSource::len`]; anything where it is NULL.
    fn get(&self, row: usize) -> &str;

    /// No rows.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// One text per row.
#[derive(Clone, Copy)]
pub enum Strings<'a> {
    /// Stretches of one text.
    Packed {
        /// Where they begin, in bytes.
        offsets: Offsets<'a>,
        /// All texts, one behind the other.
        text: &'a str,
    },
    /// Slices.
    Slices(&'a [&'a str]),
    /// Owned texts.
    Owned(&'a [String]),
    /// Numbers of texts in a dictionary.
    Dictionary {
        /// Per row, which.
        keys: &'a [u32],
        /// The different texts.
        texts: &'a [&'a str],
    },
    /// Anything else.
    Other(&'a dyn StringSource),
}

impl<'a> Strings<'a> {
    fn len(&self) -> usize {
        match self {
            Self::Packed { offsets, .. } => offsets.len(),
            Self::Slices(texts) => texts.len(),
            Self::Owned(texts) => texts.len(),
            Self::Dictionary { keys, .. } => keys.len(),
            Self::Other(source) => source.len(),
        }
    }

    /// Empty outside of the rows.
    pub(crate) fn get(&self, row: usize) -> &'a str {
        match *self {
            Self::Packed { offsets, text } => offsets.range(row).and_then(|range| text.get(range)),
            Self::Slices(texts) => texts.get(row).copied(),
            Self::Owned(texts) => texts.get(row).map(String::as_str),
            Self::Dictionary { keys, texts } => keys
                .get(row)
                .and_then(|key| texts.get(usize::try_from(*key).ok()?))
                .copied(),
            Self::Other(source) => (row < source.len()).then(|| source.get(row)),
        }
        .unwrap_or("")
    }
}

impl fmt::Debug for Strings<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} texts", self.len())
    }
}

/// The values of a column, one per row; anything where a row is NULL.
#[derive(Debug, Clone, Copy)]
pub enum Values<'a> {
    /// [`Type::Boolean`].
    Boolean(Bits<'a>),
    /// [`Type::Int64`].
    Int64(&'a [i64]),
    /// [`Type::Int64`].
    Int32(&'a [i32]),
    /// [`Type::Float64`].
    Float64(&'a [f64]),
    /// [`Type::Float64`].
    Float32(&'a [f32]),
    /// [`Type::Utf8`].
    Utf8(Strings<'a>),
    /// [`Type::Timestamp`].
    Timestamp {
        /// Ticks since 1970-01-01T00:00:00Z.
        ticks: &'a [i64],
        /// Ticks in a second: 1, 1,000, 1,000,000 or 1,000,000,000. Fractions are rounded down.
        per_second: i64,
    },
    /// [`Type::List`].
    List {
        /// Where the items of each row begin.
        offsets: Offsets<'a>,
        /// The items of all rows, one behind the other: a plain column without rows of its own choice.
        items: &'a Column<'a>,
    },
    /// [`Type::Vector`].
    Vector {
        /// Row after row.
        values: &'a [f32],
        /// Numbers in a row.
        dimension: usize,
    },
}

/// A column that an expression reads, see the module's documentation.
#[derive(Debug, Clone, Copy)]
pub struct Column<'a> {
    values: Values<'a>,
    validity: Option<Bits<'a>>,
    rows: Rows<'a>,
}

#[derive(Debug, Clone, Copy)]
enum Rows<'a> {
    Same,
    At(&'a [u32]),
    One(usize),
}

impl<'a> Column<'a> {
    /// Candidate `n` stands on row `n`, nothing is NULL.
    pub fn new(values: Values<'a>) -> Self {
        Self {
            values,
            validity: None,
            rows: Rows::Same,
        }
    }

    /// A set bit: the row has a value; otherwise it is NULL.
    #[must_use]
    pub fn with_validity(mut self, validity: Bits<'a>) -> Self {
        self.validity = Some(validity);
        self
    }

    /// Candidate `n` stands on row `rows[n]`. A number beyond the column (`u32::MAX`, say) is a NULL.
    #[must_use]
    pub fn at_rows(mut self, rows: &'a [u32]) -> Self {
        self.rows = Rows::At(rows);
        self
    }

    /// Every candidate stands on this one row. A number beyond the column is a NULL.
    #[must_use]
    pub fn at_one_row(mut self, row: usize) -> Self {
        self.rows = Rows::One(row);
        self
    }

    /// What the column holds; nothing for a list whose items are lists or vectors.
    pub fn column_type(&self) -> Option<Type> {
        Some(match self.values {
            Values::Boolean(_) => Type::Boolean,
            Values::Int64(_) | Values::Int32(_) => Type::Int64,
            Values::Float64(_) | Values::Float32(_) => Type::Float64,
            Values::Utf8(_) => Type::Utf8,
            Values::Timestamp { .. } => Type::Timestamp,
            Values::List { items, .. } => Type::List(match items.values {
                Values::Boolean(_) => Element::Boolean,
                Values::Int64(_) | Values::Int32(_) => Element::Int64,
                Values::Float64(_) | Values::Float32(_) => Element::Float64,
                Values::Utf8(_) => Element::Utf8,
                Values::Timestamp { .. } => Element::Timestamp,
                Values::List { .. } | Values::Vector { .. } => return None,
            }),
            Values::Vector { .. } => Type::Vector,
        })
    }

    /// What is wrong with this column as one of `wanted` for `count` candidates.
    pub(crate) fn problem(&self, wanted: Type, count: usize) -> Option<String> {
        let found = self.column_type();
        if found != Some(wanted) {
            let found = found.map_or("a nested list".to_owned(), |found| found.to_string());
            return Some(format!("was bound as {wanted} and is now {found}"));
        }
        let rows = match self.rows {
            Rows::Same => self.len(),
            Rows::At(rows) => rows.len(),
            Rows::One(_) => count,
        };
        (rows < count).then(|| format!("has {rows} rows for {count} candidates"))
    }

    fn len(&self) -> usize {
        match self.values {
            Values::Boolean(bits) => bits.len(),
            Values::Int64(values) => values.len(),
            Values::Int32(values) => values.len(),
            Values::Float64(values) => values.len(),
            Values::Float32(values) => values.len(),
            Values::Utf8(strings) => strings.len(),
            Values::Timestamp { ticks, .. } => ticks.len(),
            Values::List { offsets, .. } => offsets.len(),
            Values::Vector { values, dimension } => values.len().checked_div(dimension).unwrap_or(0),
        }
    }

    fn is_valid(&self, row: usize) -> bool {
        row < self.len() && self.validity.is_none_or(|bits| bits.get(row))
    }

    /// The row of a candidate, if there is one with a value.
    pub(crate) fn row(&self, candidate: usize) -> Option<usize> {
        let row = match self.rows {
            Rows::Same => candidate,
            Rows::At(rows) => usize::try_from(*rows.get(candidate)?).ok()?,
            Rows::One(row) => row,
        };
        self.is_valid(row).then_some(row)
    }

    fn chosen(&self, selection: &Selection<'_>) -> Chosen<'a> {
        match (self.rows, selection) {
            (Rows::One(row), _) => Chosen::One(row),
            (Rows::Same, Selection::Range { start, len }) => Chosen::Stretch(*start, *len),
            (Rows::Same, Selection::List(candidates)) => Chosen::Rows(Cow::Owned(candidates.to_vec())),
            (Rows::At(rows), Selection::Range { start, len }) => {
                Chosen::Rows(Cow::Borrowed(rows.get(*start..start + len).unwrap_or(&[])))
            }
            (Rows::At(rows), Selection::List(candidates)) => Chosen::Rows(
                candidates
                    .iter()
                    .map(|candidate| rows.get(*candidate as usize).copied().unwrap_or(u32::MAX))
                    .collect(),
            ),
        }
    }

    fn load<S: Copy, T: Copy + Default>(
        &self,
        selection: &Selection<'_>,
        values: &'a [S],
        convert: impl Fn(S) -> T,
        borrow: impl Fn(&'a [S]) -> Option<&'a [T]>,
    ) -> Loaded<'a, T> {
        match self.chosen(selection) {
            Chosen::One(row) => match values.get(row).filter(|_| self.is_valid(row)) {
                Some(value) => Loaded::Data(Data::Const(convert(*value)), None),
                None => Loaded::Null,
            },
            Chosen::Stretch(start, len) => {
                let Some(values) = values.get(start..start + len) else {
                    return Loaded::Null;
                };
                let data = match borrow(values) {
                    Some(values) => Cow::Borrowed(values),
                    None => values.iter().map(|value| convert(*value)).collect(),
                };
                Loaded::Data(Data::Many(data), self.stretch_validity(start, len))
            }
            Chosen::Rows(rows) => {
                let data = rows
                    .iter()
                    .map(|row| {
                        values
                            .get(*row as usize)
                            .map_or(T::default(), |value| convert(*value))
                    })
                    .collect();
                Loaded::Data(Data::Many(data), self.row_validity(&rows))
            }
        }
    }

    fn stretch_validity(&self, start: usize, len: usize) -> Validity {
        let bits = self.validity?;
        let valid: Vec<bool> = (start..start + len).map(|row| bits.get(row)).collect();
        (!valid.iter().all(|valid| *valid)).then_some(valid)
    }

    fn row_validity(&self, rows: &[u32]) -> Validity {
        let valid: Vec<bool> = rows.iter().map(|row| self.is_valid(*row as usize)).collect();
        (!valid.iter().all(|valid| *valid)).then_some(valid)
    }

    /// Whole numbers; seconds of timestamps; 0 and 1 of booleans.
    pub(crate) fn ints(&self, selection: &Selection<'_>) -> Loaded<'a, i64> {
        match self.values {
            Values::Int64(values) => self.load(selection, values, |value| value, Some),
            Values::Int32(values) => self.load(selection, values, i64::from, |_| None),
            Values::Timestamp { ticks, per_second: 1 } => self.load(selection, ticks, |value| value, Some),
            Values::Timestamp { ticks, per_second } => {
                let per_second = per_second.max(1);
                self.load(selection, ticks, |tick| tick.div_euclid(per_second), |_| None)
            }
            Values::Boolean(bits) => self.load_bits(selection, bits, i64::from),
            _ => Loaded::Null,
        }
    }

    pub(crate) fn floats(&self, selection: &Selection<'_>) -> Loaded<'a, f64> {
        match self.values {
            Values::Float64(values) => self.load(selection, values, |value| value, Some),
            Values::Float32(values) => self.load(selection, values, f64::from, |_| None),
            _ => Loaded::Null,
        }
    }

    pub(crate) fn bools(&self, selection: &Selection<'_>) -> Loaded<'a, bool> {
        match self.values {
            Values::Boolean(bits) => self.load_bits(selection, bits, |value| value),
            _ => Loaded::Null,
        }
    }

    fn load_bits<T: Copy + Default>(
        &self,
        selection: &Selection<'_>,
        bits: Bits<'a>,
        convert: impl Fn(bool) -> T,
    ) -> Loaded<'a, T> {
        match self.chosen(selection) {
            Chosen::One(row) if self.is_valid(row) => Loaded::Data(Data::Const(convert(bits.get(row))), None),
            Chosen::One(_) => Loaded::Null,
            Chosen::Stretch(start, len) => Loaded::Data(
                Data::Many((start..start + len).map(|row| convert(bits.get(row))).collect()),
                self.stretch_validity(start, len),
            ),
            Chosen::Rows(rows) => Loaded::Data(
                Data::Many(rows.iter().map(|row| convert(bits.get(*row as usize))).collect()),
                self.row_validity(&rows),
            ),
        }
    }

    pub(crate) fn texts(&self, selection: &Selection<'_>) -> Loaded<'a, &'a str> {
        let Values::Utf8(strings) = self.values else {
            return Loaded::Null;
        };
        match self.chosen(selection) {
            Chosen::One(row) if self.is_valid(row) => Loaded::Data(Data::Const(strings.get(row)), None),
            Chosen::One(_) => Loaded::Null,
            Chosen::Stretch(start, len) => {
                let data = match strings {
                    Strings::Slices(texts) => match texts.get(start..start + len) {
                        Some(texts) => Cow::Borrowed(texts),
                        None => return Loaded::Null,
                    },
                    _ => (start..start + len).map(|row| strings.get(row)).collect(),
                };
                Loaded::Data(Data::Many(data), self.stretch_validity(start, len))
            }
            Chosen::Rows(rows) => Loaded::Data(
                Data::Many(rows.iter().map(|row| strings.get(*row as usize)).collect()),
                self.row_validity(&rows),
            ),
        }
    }

    /// The items of a candidate's list and where they are; nothing where the list is NULL.
    pub(crate) fn list(&self, candidate: usize) -> Option<Items<'a>> {
        let row = self.row(candidate)?;
        match self.values {
            Values::List { offsets, items } => {
                let range = offsets.range(row)?;
                (range.end <= items.len()).then_some(Items { items, range })
            }
            _ => None,
        }
    }

    /// The vector of a candidate; nothing where it is NULL.
    pub(crate) fn vector(&self, candidate: usize) -> Option<&'a [f32]> {
        let row = self.row(candidate)?;
        match self.values {
            Values::Vector { values, dimension } => values.get(row * dimension..(row + 1) * dimension),
            _ => None,
        }
    }

    /// Whether each candidate has a value.
    pub(crate) fn presence(&self, selection: &Selection<'_>) -> Data<'static, bool> {
        match self.chosen(selection) {
            Chosen::One(row) => Data::Const(self.is_valid(row)),
            Chosen::Stretch(start, len) => match self.stretch_validity(start, len) {
                Some(valid) => Data::Many(Cow::Owned(valid)),
                None => Data::Const(true),
            },
            Chosen::Rows(rows) => match self.row_validity(&rows) {
                Some(valid) => Data::Many(Cow::Owned(valid)),
                None => Data::Const(true),
            },
        }
    }
}

enum Chosen<'a> {
    One(usize),
    Stretch(usize, usize),
    Rows(Cow<'a, [u32]>),
}

/// A stretch of the items of a list column.
pub(crate) struct Items<'a> {
    items: &'a Column<'a>,
    pub(crate) range: std::ops::Range<usize>,
}

impl<'a> Items<'a> {
    pub(crate) fn len(&self) -> usize {
        self.range.len()
    }

    pub(crate) fn text(&self, item: usize) -> Option<&'a str> {
        match self.items.values {
            Values::Utf8(strings) if self.items.is_valid(item) => Some(strings.get(item)),
            _ => None,
        }
    }

    /// Whole numbers, seconds, 0 and 1.
    pub(crate) fn int(&self, item: usize) -> Option<i64> {
        if !self.items.is_valid(item) {
            return None;
        }
        match self.items.values {
            Values::Int64(values) => values.get(item).copied(),
            Values::Int32(values) => values.get(item).map(|value| i64::from(*value)),
            Values::Timestamp { ticks, per_second } => {
                ticks.get(item).map(|tick| tick.div_euclid(per_second.max(1)))
            }
            Values::Boolean(bits) => Some(i64::from(bits.get(item))),
            _ => None,
        }
    }

    /// Any number.
    pub(crate) fn float(&self, item: usize) -> Option<f64> {
        if !self.items.is_valid(item) {
            return None;
        }
        match self.items.values {
            Values::Float64(values) => values.get(item).copied(),
            Values::Float32(values) => values.get(item).map(|value| f64::from(*value)),
            _ => self.int(item).map(|value| value as f64),
        }
    }
}

/// Which candidates an evaluation looks at.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Selection<'s> {
    /// A stretch of them.
    Range { start: usize, len: usize },
    /// These.
    List(&'s [u32]),
}

impl Selection<'_> {
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Range { len, .. } => *len,
            Self::List(candidates) => candidates.len(),
        }
    }

    pub(crate) fn candidate(&self, place: usize) -> usize {
        match self {
            Self::Range { start, .. } => start + place,
            Self::List(candidates) => candidates[place] as usize,
        }
    }
}

/// Which places have a value; nothing when all have.
pub(crate) type Validity = Option<Vec<bool>>;

/// Values of a column for a selection.
pub(crate) enum Loaded<'a, T: Clone> {
    /// NULL everywhere.
    Null,
    Data(Data<'a, T>, Validity),
}

/// One value per place of a selection, or one for all.
#[derive(Debug, Clone)]
pub(crate) enum Data<'a, T: Clone> {
    Const(T),
    Many(Cow<'a, [T]>),
}

impl<'a, T: Copy> Data<'a, T> {
    pub(crate) fn get(&self, place: usize) -> T {
        match self {
            Self::Const(value) => *value,
            Self::Many(values) => values[place],
        }
    }

    pub(crate) fn map<R: Copy>(&self, convert: impl Fn(T) -> R) -> Data<'static, R> {
        match self {
            Self::Const(value) => Data::Const(convert(*value)),
            Self::Many(values) => Data::Many(values.iter().map(|value| convert(*value)).collect()),
        }
    }

    pub(crate) fn zip<U: Copy, R: Copy>(
        &self,
        other: &Data<'_, U>,
        combine: impl Fn(T, U) -> R,
    ) -> Data<'static, R> {
        match (self, other) {
            (Self::Const(left), Data::Const(right)) => Data::Const(combine(*left, *right)),
            (Self::Many(left), Data::Const(right)) => {
                Data::Many(left.iter().map(|left| combine(*left, *right)).collect())
            }
            (Self::Const(left), Data::Many(right)) => {
                Data::Many(right.iter().map(|right| combine(*left, *right)).collect())
            }
            (Self::Many(left), Data::Many(right)) => Data::Many(
                left.iter()
                    .zip(right.iter())
                    .map(|(left, right)| combine(*left, *right))
                    .collect(),
            ),
        }
    }
}

/// Valid where both are.
pub(crate) fn both_valid(left: Validity, right: Validity) -> Validity {
    match (left, right) {
        (Some(mut left), Some(right)) => {
            for (left, right) in left.iter_mut().zip(right) {
                *left &= right;
            }
            Some(left)
        }
        (left, None) => left,
        (None, right) => right,
    }
}
