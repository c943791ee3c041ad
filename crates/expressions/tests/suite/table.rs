//! Columns that a test owns, lent in the layouts that a server may have.

use expressions::data::{Bits, Element, Offsets, Strings, Values};
use expressions::{Column, Schema, Type};

/// The values of one column, NULLs included.
#[derive(Debug, Clone)]
pub(crate) enum Cells {
    Bools(Vec<Option<bool>>),
    Ints(Vec<Option<i64>>),
    Floats(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
    Times(Vec<Option<i64>>),
    Lists(Vec<Option<Vec<Option<Item>>>>, Element),
    Vectors(Vec<Option<Vec<f32>>>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Item {
    Int(i64),
    Float(f64),
    Text(String),
}

/// How the values are lent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Row by row, validity as `bool`s.
    Plain,
    /// As Arrow has it: bits that begin in the middle of a byte, packed texts, finer ticks.
    Packed,
    /// In reverse order, found through row numbers; NULLs lie beyond the column.
    Indexed,
}

pub(crate) const LAYOUTS: [Layout; 3] = [Layout::Plain, Layout::Packed, Layout::Indexed];

impl Cells {
    pub(crate) fn column_type(&self) -> Type {
        match self {
            Self::Bools(_) => Type::Boolean,
            Self::Ints(_) => Type::Int64,
            Self::Floats(_) => Type::Float64,
            Self::Texts(_) => Type::Utf8,
            Self::Times(_) => Type::Timestamp,
            Self::Lists(_, element) => Type::List(*element),
            Self::Vectors(_) => Type::Vector,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Bools(cells) => cells.len(),
            Self::Ints(cells) | Self::Times(cells) => cells.len(),
            Self::Floats(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
            Self::Lists(cells, _) => cells.len(),
            Self::Vectors(cells) => cells.len(),
        }
    }
}

impl Cells {
    /// The same cells several times, one behind the other.
    pub(crate) fn repeat(&self, times: usize) -> Self {
        fn repeated<T: Clone>(cells: &[T], times: usize) -> Vec<T> {
            cells.iter().cloned().cycle().take(cells.len() * times).collect()
        }
        match self {
            Self::Bools(cells) => Self::Bools(repeated(cells, times)),
            Self::Ints(cells) => Self::Ints(repeated(cells, times)),
            Self::Times(cells) => Self::Times(repeated(cells, times)),
            Self::Floats(cells) => Self::Floats(repeated(cells, times)),
            Self::Texts(cells) => Self::Texts(repeated(cells, times)),
            Self::Lists(cells, element) => Self::Lists(repeated(cells, times), *element),
            Self::Vectors(cells) => Self::Vectors(repeated(cells, times)),
        }
    }
}

/// Named columns of equal length.
#[derive(Debug, Clone, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<(String, Cells)>,
}

impl Table {
    pub(crate) fn new(columns: impl IntoIterator<Item = (&'static str, Cells)>) -> Self {
        Self {
            columns: columns
                .into_iter()
                .map(|(name, cells)| (name.to_owned(), cells))
                .collect(),
        }
    }

    pub(crate) fn schema(&self) -> Schema {
        Schema::new(
            self.columns
                .iter()
                .map(|(name, cells)| (name.clone(), cells.column_type())),
        )
    }

    pub(crate) fn rows(&self) -> usize {
        self.columns.first().map_or(0, |(_, cells)| cells.len())
    }
}

/// The buffers of one column in one layout.
pub(crate) struct Stored {
    column_type: Type,
    layout: Layout,
    validity: Vec<bool>,
    bits: Vec<u8>,
    bools: Vec<bool>,
    bool_bits: Vec<u8>,
    ints: Vec<i64>,
    floats: Vec<f64>,
    texts: Vec<String>,
    text: String,
    text_offsets: Vec<i32>,
    offsets: Vec<i64>,
    items: Option<Box<Stored>>,
    vectors: Vec<f32>,
    dimension: usize,
    rows: Vec<u32>,
}

/// Bits before the first row in the packed layout.
const SHIFT: usize = 3;

fn packed(bools: &[bool]) -> Vec<u8> {
    let mut bytes = vec![0; (bools.len() + SHIFT).div_ceil(8)];
    for (row, value) in bools.iter().enumerate() {
        if *value {
            bytes[(row + SHIFT) / 8] |= 1 << ((row + SHIFT) % 8);
        }
    }
    bytes
}

impl Stored {
    pub(crate) fn new(cells: &Cells, layout: Layout) -> Self {
        let count = cells.len();
        // Where each stored row comes from.
        let order: Vec<usize> = match layout {
            Layout::Indexed => (0..count).rev().collect(),
            _ => (0..count).collect(),
        };
        let mut stored = Self {
            column_type: cells.column_type(),
            layout,
            validity: Vec::new(),
            bits: Vec::new(),
            bools: Vec::new(),
            bool_bits: Vec::new(),
            ints: Vec::new(),
            floats: Vec::new(),
            texts: Vec::new(),
            text: String::new(),
            text_offsets: vec![0],
            offsets: vec![0],
            items: None,
            vectors: Vec::new(),
            dimension: 0,
            rows: Vec::new(),
        };
        match cells {
            Cells::Bools(cells) => {
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    stored.bools.push(cells[*row].unwrap_or(true));
                }
            }
            Cells::Ints(cells) | Cells::Times(cells) => {
                let ticks = if layout == Layout::Packed && stored.column_type == Type::Timestamp {
                    1_000
                } else {
                    1
                };
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    // A fraction of a second is rounded down, whatever the sign.
                    let tick = cells[*row].unwrap_or(77).wrapping_mul(ticks) + (ticks - 1);
                    stored.ints.push(tick);
                }
            }
            Cells::Floats(cells) => {
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    stored.floats.push(cells[*row].unwrap_or(77.0));
                }
            }
            Cells::Texts(cells) => {
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    stored
                        .texts
                        .push(cells[*row].clone().unwrap_or("rubbish".to_owned()));
                }
            }
            Cells::Lists(cells, element) => {
                let mut items = Vec::new();
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    items.extend(cells[*row].iter().flatten().cloned());
                    stored.offsets.push(items.len() as i64);
                }
                let items = match element {
                    Element::Utf8 => Cells::Texts(
                        items
                            .into_iter()
                            .map(|item| match item {
                                Some(Item::Text(text)) => Some(text),
                                _ => None,
                            })
                            .collect(),
                    ),
                    Element::Float64 => Cells::Floats(
                        items
                            .into_iter()
                            .map(|item| match item {
                                Some(Item::Float(number)) => Some(number),
                                _ => None,
                            })
                            .collect(),
                    ),
                    _ => Cells::Ints(
                        items
                            .into_iter()
                            .map(|item| match item {
                                Some(Item::Int(number)) => Some(number),
                                _ => None,
                            })
                            .collect(),
                    ),
                };
                let layout = if layout == Layout::Indexed {
                    Layout::Plain
                } else {
                    layout
                };
                stored.items = Some(Box::new(Self::new(&items, layout)));
            }
            Cells::Vectors(cells) => {
                stored.dimension = cells.iter().flatten().map(Vec::len).next().unwrap_or(0);
                for row in &order {
                    stored.validity.push(cells[*row].is_some());
                    match &cells[*row] {
                        Some(vector) => stored.vectors.extend(vector),
                        None => stored
                            .vectors
                            .extend(std::iter::repeat_n(f32::NAN, stored.dimension)),
                    }
                }
            }
        }
        stored.bits = packed(&stored.validity);
        stored.bool_bits = packed(&stored.bools);
        for text in &stored.texts {
            stored.text.push_str(text);
            stored
                .text_offsets
                .push(i32::try_from(stored.text.len()).expect("short texts"));
        }
        stored.rows = (0..count)
            .map(|row| {
                let at = count - 1 - row;
                if stored.validity[at] { at as u32 } else { u32::MAX }
            })
            .collect();
        stored
    }

    /// The items of a list column; lend them before the column itself.
    pub(crate) fn items(&self) -> Option<Column<'_>> {
        self.items.as_deref().map(|items| items.column(None))
    }

    pub(crate) fn column<'s>(&'s self, items: Option<&'s Column<'s>>) -> Column<'s> {
        let packed = self.layout == Layout::Packed;
        let values = match self.column_type {
            Type::Boolean if packed => Values::Boolean(Bits::Packed {
                bytes: &self.bool_bits,
                offset: SHIFT,
            }),
            Type::Boolean => Values::Boolean(Bits::Bools(&self.bools)),
            Type::Int64 => Values::Int64(&self.ints),
            Type::Float64 => Values::Float64(&self.floats),
            Type::Utf8 if packed => Values::Utf8(Strings::Packed {
                offsets: Offsets::Small(&self.text_offsets),
                text: &self.text,
            }),
            Type::Utf8 => Values::Utf8(Strings::Owned(&self.texts)),
            Type::Timestamp => Values::Timestamp {
                ticks: &self.ints,
                per_second: if packed { 1_000 } else { 1 },
            },
            Type::List(_) => Values::List {
                offsets: Offsets::Large(&self.offsets),
                items: items.expect("the items were lent"),
            },
            Type::Vector => Values::Vector {
                values: &self.vectors,
                dimension: self.dimension,
            },
        };
        let column = Column::new(values);
        match self.layout {
            Layout::Plain => column.with_validity(Bits::Bools(&self.validity)),
            Layout::Packed => column.with_validity(Bits::Packed {
                bytes: &self.bits,
                offset: SHIFT,
            }),
            Layout::Indexed => column.at_rows(&self.rows),
        }
    }
}

/// Lends columns in a layout.
pub(crate) fn with_columns<T>(cells: &[&Cells], layout: Layout, look: impl FnOnce(&[Column<'_>]) -> T) -> T {
    let stored: Vec<Stored> = cells.iter().map(|cells| Stored::new(cells, layout)).collect();
    let items: Vec<Option<Column<'_>>> = stored.iter().map(Stored::items).collect();
    let columns: Vec<Column<'_>> = stored
        .iter()
        .zip(&items)
        .map(|(stored, items)| stored.column(items.as_ref()))
        .collect();
    look(&columns)
}

/// What a filter says about each row, in every layout alike.
pub(crate) fn truths(
    text: &str,
    table: &Table,
    parameters: &serde_json::Map<String, serde_json::Value>,
) -> Result<Vec<Option<bool>>, expressions::Error> {
    let parsed = expressions::filter::parse(text, &expressions::Limits::default())?;
    let filter = parsed.bind(&table.schema(), parameters)?;
    let cells: Vec<&Cells> = filter
        .columns()
        .iter()
        .map(|column| &table.columns[column.index].1)
        .collect();
    let mut first: Option<Vec<Option<bool>>> = None;
    for layout in LAYOUTS {
        let (truths, selected) = with_columns(&cells, layout, |columns| {
            (
                filter.evaluate(columns, table.rows()),
                filter.select(columns, table.rows()),
            )
        });
        let (truths, selected) = (truths?, selected?);
        let passing: Vec<u32> = (0..)
            .zip(&truths)
            .filter(|(_, truth)| **truth == Some(true))
            .map(|(row, _)| row)
            .collect();
        assert_eq!(selected, passing, "select and evaluate disagree about {text}");
        match &first {
            None => first = Some(truths),
            Some(first) => assert_eq!(*first, truths, "{layout:?} differs for {text}"),
        }
    }
    Ok(first.unwrap_or_default())
}
