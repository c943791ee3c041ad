//! Columns of items or users. Every value may be missing.

use std::collections::HashMap;

use crate::error::{Error, Result};

/// Named columns of one length: a row per item or per user.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Features {
    rows: usize,
    columns: Vec<(String, Column)>,
}

/// The values of one column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// Prose: cut into words.
    Text(Vec<Option<String>>),
    /// One label: a brand, a colour.
    Category(Categories),
    /// Any number of labels: tags, genres. A missing value has none.
    CategoryList(CategoryLists),
    /// Numbers; NaN is missing.
    Number(Vec<f64>),
    /// Unix time in seconds.
    Timestamp(Vec<Option<i64>>),
    /// Vectors of one length, such as embeddings of a picture.
    Vector(Vec<Option<Vec<f32>>>),
}

/// One label per row, as a number into a list of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Categories {
    names: Vec<String>,
    codes: Vec<u32>,
}

/// Any number of labels per row, as numbers into a list of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CategoryLists {
    names: Vec<String>,
    offsets: Vec<u64>,
    codes: Vec<u32>,
}

/// The code of a missing category.
const MISSING: u32 = u32::MAX;

impl Categories {
    /// A label per row. Names are numbered in the order of their first appearance.
    pub fn new<S: AsRef<str>>(labels: impl IntoIterator<Item = Option<S>>) -> Self {
        let mut names = Names::default();
        let codes = labels
            .into_iter()
            .map(|label| label.map_or(MISSING, |label| names.code(label.as_ref())))
            .collect();
        Self {
            names: names.names,
            codes,
        }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The number of a row's label; `None` where it is missing.
    pub fn code(&self, row: usize) -> Option<u32> {
        self.codes.get(row).copied().filter(|code| *code != MISSING)
    }

    /// A row's label.
    pub fn name(&self, row: usize) -> Option<&str> {
        self.code(row).map(|code| self.names[code as usize].as_str())
    }

    /// The distinct labels; their places are their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl CategoryLists {
    /// A list of labels per row. Names are numbered in the order of their first appearance.
    pub fn new<S: AsRef<str>, L: IntoIterator<Item = S>>(rows: impl IntoIterator<Item = L>) -> Self {
        let mut names = Names::default();
        let mut offsets = vec![0];
        let mut codes = Vec::new();
        for labels in rows {
            codes.extend(labels.into_iter().map(|label| names.code(label.as_ref())));
            offsets.push(codes.len() as u64);
        }
        Self {
            names: names.names,
            offsets,
            codes,
        }
    }

    /// How many rows.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The numbers of a row's labels.
    pub fn codes(&self, row: usize) -> &[u32] {
        if row < self.len() {
            &self.codes[self.offsets[row] as usize..self.offsets[row + 1] as usize]
        } else {
            &[]
        }
    }

    /// The distinct labels; their places are their numbers.
    pub fn names(&self) -> &[String] {
        &self.names
    }
}

impl Column {
    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Text(values) => values.len(),
            Self::Category(values) => values.len(),
            Self::CategoryList(values) => values.len(),
            Self::Number(values) => values.len(),
            Self::Timestamp(values) => values.len(),
            Self::Vector(values) => values.len(),
        }
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of a row's categories; none for other kinds of columns.
    pub fn labels(&self, row: usize) -> Vec<&str> {
        match self {
            Self::Category(values) => values.name(row).into_iter().collect(),
            Self::CategoryList(values) => values
                .codes(row)
                .iter()
                .map(|code| values.names[*code as usize].as_str())
                .collect(),
            _ => Vec::new(),
        }
    }

    fn select(&self, rows: &[Option<usize>]) -> Self {
        match self {
            Self::Text(values) => Self::Text(rows.iter().map(|row| values[(*row)?].clone()).collect()),
            Self::Category(values) => Self::Category(Categories {
                names: values.names.clone(),
                codes: rows
                    .iter()
                    .map(|row| row.map_or(MISSING, |row| values.codes[row]))
                    .collect(),
            }),
            Self::CategoryList(values) => {
                let mut offsets = vec![0];
                let mut codes = Vec::new();
                for row in rows {
                    codes.extend_from_slice(row.map_or(&[][..], |row| values.codes(row)));
                    offsets.push(codes.len() as u64);
                }
                Self::CategoryList(CategoryLists {
                    names: values.names.clone(),
                    offsets,
                    codes,
                })
            }
            Self::Number(values) => Self::Number(
                rows.iter()
                    .map(|row| row.map_or(f64::NAN, |row| values[row]))
                    .collect(),
            ),
            Self::Timestamp(values) => {
                Self::Timestamp(rows.iter().map(|row| row.and_then(|row| values[row])).collect())
            }
            Self::Vector(values) => Self::Vector(rows.iter().map(|row| values[(*row)?].clone()).collect()),
        }
    }
}

impl Features {
    /// No columns, for a known number of rows.
    pub fn new(rows: usize) -> Self {
        Self {
            rows,
            columns: Vec::new(),
        }
    }

    /// Adds a column.
    ///
    /// # Errors
    /// [`ErrorKind::Data`](crate::ErrorKind::Data) if it has another length, its name is taken, or its vectors differ
    /// in length.
    pub fn with(mut self, name: impl Into<String>, column: Column) -> Result<Self> {
        let name = name.into();
        if column.len() != self.rows {
            return Err(Error::data(format!(
                "column {name} has {} rows of {}",
                column.len(),
                self.rows
            )));
        }
        if self.column(&name).is_some() {
            return Err(Error::data(format!("two columns are named {name}")));
        }
        if let Column::Vector(vectors) = &column {
            let mut lengths = vectors.iter().flatten().map(Vec::len);
            if let Some(first) = lengths.next()
                && lengths.any(|length| length != first)
            {
                return Err(Error::data(format!(
                    "the vectors of column {name} differ in length"
                )));
            }
        }
        self.columns.push((name, column));
        Ok(self)
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Whether there are no columns.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, column)| column)
    }

    /// All columns in the order given.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &Column)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// The rows named, in that order; a row of missing values for `None`.
    pub(crate) fn select(&self, rows: &[Option<usize>]) -> Self {
        Self {
            rows: rows.len(),
            columns: self
                .columns
                .iter()
                .map(|(name, column)| (name.clone(), column.select(rows)))
                .collect(),
        }
    }
}

#[derive(Default)]
struct Names {
    names: Vec<String>,
    codes: HashMap<String, u32>,
}

impl Names {
    fn code(&mut self, name: &str) -> u32 {
        if let Some(code) = self.codes.get(name) {
            return *code;
        }
        let code = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.codes.insert(name.to_owned(), code);
        code
    }
}
