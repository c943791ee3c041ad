//! A filter that is asked only of what could be in an answer.
//!
//! An answer shows a few of very many things. So retrievers look among all of them, and the filter is asked of what they
//! find; where too little of it passes they look further down, and where hardly anything passes the filter is asked of
//! everything once. What comes out is always the same: the best of those that pass.

use std::cell::{Cell, OnceCell};

use datafusion::arrow::array::{ArrayRef, RecordBatch};
use recsys::{Eligible, NumberSet, Scored};

use super::attributes::Table;
use super::columns::{Bound, JsonPaths, Predicate};
use crate::service::failure::Result;

/// Looking further down stops at this part of all things: from there on asking the filter of everything is quicker.
const PART: usize = 8;

/// A filter and the things that it is asked of.
pub(crate) struct Sieve {
    bound: Bound,
    /// The columns of the known things that the filter reads.
    columns: Vec<ArrayRef>,
    known: u32,
    /// Those that pass of the things that the request brings along.
    new: NumberSet,
    all: OnceCell<NumberSet>,
    /// How many things the filter was asked of, and how many passed.
    asked: Cell<usize>,
    passed: Cell<usize>,
}

impl Sieve {
    /// Reads a `filter_predicate`; `None` without one. `paths` are those of `table.known`.
    pub(crate) fn new(
        predicate: Option<&str>,
        table: Table<'_>,
        paths: Option<&JsonPaths>,
    ) -> Result<Option<Sieve>> {
        let Some(predicate) = predicate else {
            return Ok(None);
        };
        let predicate = Predicate::parse(predicate)?;
        let known = table.known.num_rows() as u32;
        let (bound, columns) = predicate.bind(table.known, paths)?;
        let new = match table.new.filter(|new| new.num_rows() > 0) {
            None => NumberSet::default(),
            Some(new) => passing_new(&predicate, new, known)?,
        };
        Ok(Some(Sieve {
            bound,
            columns,
            known,
            new,
            all: OnceCell::new(),
            asked: Cell::new(0),
            passed: Cell::new(0),
        }))
    }

    /// Those of some things that pass, in their order.
    pub(crate) fn keep(&self, numbers: &[u32]) -> Result<Vec<u32>> {
        if let Some(all) = self.all.get() {
            return Ok(numbers
                .iter()
                .copied()
                .filter(|number| all.contains(*number))
                .collect());
        }
        let known: Vec<u32> = numbers
            .iter()
            .copied()
            .filter(|number| *number < self.known)
            .collect();
        let rows = known;
        let passing = self.bound.passing_of(&self.columns, &rows)?;
        self.asked.set(self.asked.get() + rows.len());
        self.passed.set(self.passed.get() + passing.len());
        if rows.len() == numbers.len() {
            return Ok(passing.into_iter().map(|place| numbers[place as usize]).collect());
        }
        let known = NumberSet::new(passing.into_iter().map(|place| rows[place as usize]));
        Ok(numbers
            .iter()
            .copied()
            .filter(|number| known.contains(*number) || self.new.contains(*number))
            .collect())
    }

    /// Everything that passes.
    fn all(&self) -> Result<&NumberSet> {
        if let Some(all) = self.all.get() {
            return Ok(all);
        }
        let passing = self.bound.passing(&self.columns, self.known as usize)?;
        let mut all = self.new.clone();
        passing.into_iter().for_each(|number| all.insert(number));
        Ok(self.all.get_or_init(|| all))
    }

    /// Of how many things so many are likely to pass, by what was seen so far.
    fn reach(&self, count: usize) -> usize {
        let (asked, passed) = (self.asked.get() + 2, self.passed.get() + 1);
        // A little more than by proportion: looking twice costs more than looking further.
        count.saturating_mul(asked).div_ceil(passed).saturating_mul(5) / 4 + 64
    }
}

/// The `count` best that pass, of what `find` finds: so many of the eligible, best first. None of `except` is found.
pub(crate) fn best(
    sieve: Option<&Sieve>,
    count: usize,
    except: &NumberSet,
    find: impl Fn(usize, Eligible<'_>) -> Result<Vec<Scored>>,
) -> Result<Vec<Scored>> {
    let mut eligible = Eligible {
        only: None,
        except: Some(except),
    };
    let Some(sieve) = sieve else {
        return find(count, eligible);
    };
    if count == 0 {
        return Ok(Vec::new());
    }
    let mut asked = sieve.reach(count);
    loop {
        if sieve.all.get().is_some() || asked > sieve.known as usize / PART {
            eligible.only = Some(sieve.all()?);
            return find(count, eligible);
        }
        let mut found = find(asked, eligible)?;
        let exhausted = found.len() < asked;
        let numbers: Vec<u32> = found.iter().map(|one| one.id).collect();
        let mut passing = sieve.keep(&numbers)?.into_iter().peekable();
        // What passes comes in the order of what was found.
        found.retain(|one| passing.next_if_eq(&one.id).is_some());
        if exhausted || found.len() >= count {
            found.truncate(count);
            return Ok(found);
        }
        asked = sieve.reach(count).max(asked.saturating_mul(2));
    }
}

fn passing_new(predicate: &Predicate, new: &RecordBatch, first: u32) -> Result<NumberSet> {
    let passing = predicate.passing(new)?;
    Ok(NumberSet::new(passing.iter().map(|row| first + row)))
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use recsys::top_k;
    use serde_json::json;

    use super::*;
    use crate::service::domain;
    use crate::service::rows::{self, Row};

    /// Row n has n in the column `place`.
    fn things(count: usize) -> RecordBatch {
        let rows: Vec<Row> = (0..count)
            .map(|place| json!({"place": place}).as_object().unwrap().clone())
            .collect();
        rows::encode(
            &rows::extend_schema(&domain::Schema::default(), &rows),
            &[],
            &rows,
        )
        .unwrap()
    }

    #[test]
    fn the_best_that_pass_are_found_however_few_they_are() {
        let things = things(4000);
        let scores: Vec<f32> = (0..4000).map(|place| ((place * 2741) % 4001) as f32).collect();
        let except = NumberSet::new((0..4000).filter(|place| place % 3 == 0));
        let table = Table {
            known: &things,
            new: None,
        };
        for (filter, passes) in [
            ("place >= 0", (|_| true) as fn(u32) -> bool),
            ("place % 2 = 0", |place| place % 2 == 0),
            ("place % 10 = 7", |place| place % 10 == 7),
            ("place % 500 = 1", |place| place % 500 == 1),
            ("place < 0", |_| false),
        ] {
            let only = NumberSet::new((0..4000).filter(|place| passes(*place)));
            for count in [0, 1, 10, 100, 4000] {
                let sieve = Sieve::new(Some(filter), table, None).unwrap().unwrap();
                let calls = RefCell::new(Vec::new());
                let found = best(Some(&sieve), count, &except, |count, eligible| {
                    calls.borrow_mut().push(count);
                    Ok(top_k(&scores, count, eligible))
                })
                .unwrap();
                let eligible = Eligible {
                    only: Some(&only),
                    except: Some(&except),
                };
                assert_eq!(found, top_k(&scores, count, eligible), "{count} of {filter}");
                assert!(calls.borrow().len() <= 4, "{count} of {filter}: {calls:?}");
            }
        }
    }

    #[test]
    fn things_of_the_request_pass_by_their_own_columns() {
        let (known, new) = (things(5), things(3));
        let table = Table {
            known: &known,
            new: Some(&new),
        };
        let sieve = Sieve::new(Some("place IN (1, 3)"), table, None).unwrap().unwrap();
        assert_eq!(sieve.keep(&[6, 4, 3, 5, 1]).unwrap(), [6, 3, 1]);
        sieve.all().unwrap();
        assert_eq!(sieve.keep(&[6, 4, 3, 5, 1]).unwrap(), [6, 3, 1]);
        assert!(Sieve::new(Some("plaice = 1"), table, None).is_err());
        assert!(Sieve::new(None, table, None).unwrap().is_none());
    }
}
