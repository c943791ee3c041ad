//! Values of columns as labels: what diversity and rankings of attributes compare.

use datafusion::arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type, Int32Type, Int64Type};
use recsys::{Categories, CategoryLists, Column};

/// Rows of one kind of thing: those of a model, then those of a request. A thing goes by its number.
#[derive(Clone, Copy)]
pub(crate) struct Table<'a> {
    pub(crate) known: &'a RecordBatch,
    pub(crate) new: Option<&'a RecordBatch>,
}

impl<'a> Table<'a> {
    fn cell(&self, column: usize, number: u32) -> (&'a ArrayRef, usize) {
        match (number as usize).checked_sub(self.known.num_rows()) {
            Some(row) if self.new.is_some() => (self.new.unwrap_or(self.known).column(column), row),
            _ => (self.known.column(column), number as usize),
        }
    }

    /// The labels of a column for some things, by their places in `numbers`; `None` for a column that is not there or
    /// has no labels.
    pub(crate) fn labels(&self, column: &str, numbers: &[u32]) -> Option<Column> {
        let place = self.known.schema_ref().index_of(column).ok()?;
        let labels = numbers.iter().map(|number| {
            let (array, row) = self.cell(place, *number);
            (array, row)
        });
        match self.known.column(place).data_type() {
            DataType::List(element) if has_labels(element.data_type()) => {
                let lists = labels.map(|(array, row)| {
                    let list = array.as_list::<i32>();
                    let values = (row < list.len() && list.is_valid(row)).then(|| list.value(row));
                    let count = values.as_ref().map_or(0, |values| values.len());
                    (0..count)
                        .filter_map(move |place| label(values.as_ref()?, place))
                        .collect::<Vec<String>>()
                });
                Some(Column::CategoryList(CategoryLists::new(lists)))
            }
            data_type if has_labels(data_type) => Some(Column::Category(Categories::new(
                labels.map(|(array, row)| label(array, row)),
            ))),
            _ => None,
        }
    }

    /// For which of the things a column is 1.
    pub(crate) fn is_one(&self, column: &str, numbers: &[u32]) -> Option<Vec<bool>> {
        let place = self.known.schema_ref().index_of(column).ok()?;
        let one = |number: &u32| {
            let (array, row) = self.cell(place, *number);
            if row >= array.len() || array.is_null(row) {
                return false;
            }
            match array.data_type() {
                DataType::Boolean => array.as_boolean().value(row),
                DataType::Int32 => array.as_primitive::<Int32Type>().value(row) == 1,
                DataType::Int64 => array.as_primitive::<Int64Type>().value(row) == 1,
                DataType::Float32 => array.as_primitive::<Float32Type>().value(row) == 1.0,
                DataType::Float64 => array.as_primitive::<Float64Type>().value(row) == 1.0,
                _ => false,
            }
        };
        Some(numbers.iter().map(one).collect())
    }
}

fn has_labels(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Utf8 | DataType::Boolean | DataType::Int32 | DataType::Int64
    )
}

fn label(array: &ArrayRef, row: usize) -> Option<String> {
    if row >= array.len() || array.is_null(row) {
        return None;
    }
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        DataType::Boolean => Some(array.as_boolean().value(row).to_string()),
        DataType::Int32 => Some(array.as_primitive::<Int32Type>().value(row).to_string()),
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(row).to_string()),
        _ => None,
    }
}
