//! What readers were shown lately, in a SQLite database of its own.
//!
//! Beside the metadata rather than in it: its writes come with every ranking and must not wait for those that
//! synchronise the disk. They are in the write-ahead log before the answer goes out, so they survive the end of the
//! process; a power cut may take the last moments, and then a reader sees a page twice.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, bail};
use rusqlite::{Connection, OptionalExtension, params};

use super::sqlite::store_error;
use super::{PageStore, Reader, Result};

/// Items that are kept for a reader; the oldest go first.
const MAX_ITEMS: i64 = 10_000;

/// Items that are kept over all readers: about 100 bytes each. Those that run out first go first.
const MAX_ROWS: i64 = 10_000_000;

/// After so many answers the rows that ran out are dropped.
const ANSWERS_BETWEEN_CLEANINGS: u64 = 1_000;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS served (
    model INTEGER NOT NULL,
    reader TEXT NOT NULL,
    item TEXT NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (model, reader, item)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS served_until ON served (until);
";

/// Pages in SQLite. Every statement is a short one, so one connection is enough.
#[derive(Debug)]
pub(crate) struct SqlitePages {
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    connection: Connection,
    answers: u64,
    max_rows: i64,
}

impl SqlitePages {
    /// Opens the database, making it if it is not there. One that does not read is made anew: what it held is known
    /// to nobody else, and all that it does is spare readers a repetition.
    pub(crate) fn open(path: &Path) -> anyhow::Result<SqlitePages> {
        let opened = prepare(path).or_else(|error| {
            tracing::warn!(
                error = format!("{error:#}"),
                "the pages begin anew: their file does not open"
            );
            for suffix in ["", "-wal", "-shm"] {
                let mut file = path.as_os_str().to_owned();
                file.push(suffix);
                match std::fs::remove_file(&file) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error.into()),
                    _ => {}
                }
            }
            prepare(path)
        });
        let connection = opened.with_context(|| format!("cannot open {}", path.display()))?;
        Ok(SqlitePages::new(connection))
    }

    /// Pages that end with the process.
    #[cfg(test)]
    pub(crate) fn in_memory() -> SqlitePages {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(TABLES).unwrap();
        SqlitePages::new(connection)
    }

    fn new(connection: Connection) -> SqlitePages {
        SqlitePages {
            inner: Mutex::new(Inner {
                connection,
                answers: 0,
                max_rows: MAX_ROWS,
            }),
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Inner) -> anyhow::Result<T>) -> Result<T> {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        work(&mut inner).map_err(store_error)
    }
}

fn prepare(path: &Path) -> anyhow::Result<Connection> {
    let connection = Connection::open(path)?;
    // Who was shown what is nobody else's business. The log beside it gets the same rights.
    #[cfg(unix)]
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600))?;
    let mode: String = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0))?;
    if mode != "wal" {
        bail!("the file system does not support SQLite's write-ahead log (journal mode {mode})");
    }
    connection.execute_batch("PRAGMA synchronous = NORMAL;")?;
    connection.execute_batch(TABLES)?;
    // Reads every page of both trees: damage shows here rather than in an answer.
    for read in [
        "SELECT COUNT(item) FROM served",
        "SELECT COUNT(until) FROM served INDEXED BY served_until",
    ] {
        connection.query_row(read, [], |row| row.get::<_, i64>(0))?;
    }
    Ok(connection)
}

impl PageStore for SqlitePages {
    fn served(&self, reader: &Reader, now: i64) -> Result<HashSet<String>> {
        self.with(|inner| {
            let mut statement = inner
                .connection
                .prepare_cached("SELECT item FROM served WHERE model = ?1 AND reader = ?2 AND until > ?3")?;
            let items = statement.query_map(params![reader.model, reader.name, now], |row| row.get(0))?;
            Ok(items.collect::<rusqlite::Result<_>>()?)
        })
    }

    fn serve(&self, reader: &Reader, ids: &[String], now: i64, ttl: i64) -> Result<()> {
        if ids.is_empty() || ttl <= 0 {
            return Ok(());
        }
        self.with(|inner| {
            inner.answers += 1;
            let cleaning = inner.answers % ANSWERS_BETWEEN_CLEANINGS == 0;
            let until = now.saturating_add(ttl);
            let transaction = inner.connection.transaction()?;
            let mut add = transaction.prepare_cached(
                "INSERT INTO served (model, reader, item, until) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT DO UPDATE SET until = excluded.until",
            )?;
            for id in ids {
                add.execute(params![reader.model, reader.name, id, until])?;
            }
            drop(add);
            // The number of the reader's rows is only asked for where it can matter.
            let surplus: Option<i64> = transaction
                .prepare_cached(
                    "SELECT until FROM served WHERE model = ?1 AND reader = ?2 ORDER BY until DESC
                     LIMIT 1 OFFSET ?3",
                )?
                .query_row(params![reader.model, reader.name, MAX_ITEMS], |row| row.get(0))
                .optional()?;
            if surplus.is_some() {
                transaction.execute(
                    "DELETE FROM served WHERE model = ?1 AND reader = ?2 AND item IN (
                     SELECT item FROM served WHERE model = ?1 AND reader = ?2 ORDER BY until DESC
                     LIMIT -1 OFFSET ?3)",
                    params![reader.model, reader.name, MAX_ITEMS],
                )?;
            }
            if cleaning {
                clean(&transaction, now, inner.max_rows)?;
            }
            transaction.commit()?;
            Ok(())
        })
    }

    fn flush(&self, reader: &Reader) -> Result<()> {
        self.with(|inner| {
            inner
                .connection
                .prepare_cached("DELETE FROM served WHERE model = ?1 AND reader = ?2")?
                .execute(params![reader.model, reader.name])?;
            Ok(())
        })
    }

    fn forget(&self, model: i64) -> Result<()> {
        self.with(|inner| {
            inner
                .connection
                .execute("DELETE FROM served WHERE model = ?1", [model])?;
            Ok(())
        })
    }

    fn sweep(&self, models: &[i64], now: i64) -> Result<()> {
        self.with(|inner| {
            let max_rows = inner.max_rows;
            let transaction = inner.connection.transaction()?;
            let present: Vec<i64> = transaction
                .prepare("SELECT DISTINCT model FROM served")?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<_>>()?;
            for gone in present.iter().filter(|model| !models.contains(model)) {
                transaction.execute("DELETE FROM served WHERE model = ?1", [gone])?;
            }
            clean(&transaction, now, max_rows)?;
            transaction.commit()?;
            Ok(())
        })
    }
}

/// Drops what ran out and what is too much.
fn clean(connection: &Connection, now: i64, max_rows: i64) -> anyhow::Result<()> {
    connection.execute("DELETE FROM served WHERE until <= ?1", [now])?;
    let last_kept: Option<i64> = connection
        .query_row(
            "SELECT until FROM served ORDER BY until DESC LIMIT 1 OFFSET ?1",
            [max_rows],
            |row| row.get(0),
        )
        .optional()?;
    if let Some(until) = last_kept {
        connection.execute("DELETE FROM served WHERE until <= ?1", [until])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reader(model: i64, name: &str) -> Reader {
        Reader {
            model,
            name: name.to_owned(),
        }
    }

    fn ids(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn what_was_served_is_left_out_until_its_time_is_over() {
        let pages = SqlitePages::in_memory();
        let ann = reader(1, "ann");
        pages.serve(&ann, &ids(&["a"]), 100, 10).unwrap();
        pages.serve(&ann, &ids(&["b"]), 105, 10).unwrap();
        assert_eq!(pages.served(&ann, 109).unwrap().len(), 2);
        assert_eq!(pages.served(&ann, 110).unwrap(), HashSet::from(["b".to_owned()]));
        assert!(pages.served(&reader(1, "bob"), 109).unwrap().is_empty());
        assert!(pages.served(&reader(2, "ann"), 109).unwrap().is_empty());
        pages.flush(&ann).unwrap();
        assert!(pages.served(&ann, 110).unwrap().is_empty());
        pages.serve(&ann, &ids(&["c"]), 110, 0).unwrap();
        assert!(pages.served(&ann, 110).unwrap().is_empty(), "a time of 0 is off");
        pages.serve(&ann, &ids(&["d"]), 110, 5).unwrap();
        pages.forget(1).unwrap();
        assert!(pages.served(&ann, 111).unwrap().is_empty());
    }

    #[test]
    fn an_end_of_the_process_loses_nothing_and_a_start_drops_what_is_of_nobody() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("pages.sqlite");
        let pages = SqlitePages::open(&path).unwrap();
        pages.serve(&reader(1, "ann"), &ids(&["a"]), 0, 10).unwrap();
        pages.serve(&reader(2, "ann"), &ids(&["a"]), 0, 10).unwrap();
        pages.serve(&reader(2, "bob"), &ids(&["a"]), 0, 5).unwrap();
        drop(pages);
        let pages = SqlitePages::open(&path).unwrap();
        pages.sweep(&[2, 3], 7).unwrap();
        let kept = |model: i64, name: &str| pages.served(&reader(model, name), 0).unwrap().len();
        assert_eq!((kept(1, "ann"), kept(2, "ann"), kept(2, "bob")), (0, 1, 0));
        drop(pages);
        std::fs::write(&path, "no database").unwrap();
        let pages = SqlitePages::open(&path).unwrap();
        assert!(pages.served(&reader(2, "ann"), 0).unwrap().is_empty());
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let pages = SqlitePages::in_memory();
        let many: Vec<String> = (0..MAX_ITEMS + 5).map(|item| item.to_string()).collect();
        pages.serve(&reader(2, "ann"), &ids(&["old"]), 0, 5).unwrap();
        pages.serve(&reader(2, "ann"), &many, 0, 10).unwrap();
        let served = pages.served(&reader(2, "ann"), 0).unwrap();
        assert_eq!(served.len() as i64, MAX_ITEMS);
        assert!(!served.contains("old"), "the oldest go first");
        pages.forget(2).unwrap();
        pages
            .with(|inner| {
                inner.max_rows = 3;
                Ok(())
            })
            .unwrap();
        for user in 0..5 {
            pages
                .serve(&reader(1, &user.to_string()), &ids(&["a"]), user, 10)
                .unwrap();
        }
        pages.sweep(&[1], 0).unwrap();
        let kept: Vec<usize> = (0..5)
            .map(|user| pages.served(&reader(1, &user.to_string()), 0).unwrap().len())
            .collect();
        assert_eq!(kept, [0, 0, 1, 1, 1]);
    }
}
