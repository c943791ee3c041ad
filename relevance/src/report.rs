//! Systems side by side on the same queries.

use std::fmt::Write as _;

use serde::Serialize;

use crate::bootstrap::{Estimate, estimate};
use crate::judged::{Form, Query, Ranking};
use crate::metrics::{Score, mean, rank};
use crate::split::{Half, half};

/// A system with its answers to every form of every query.
#[derive(Debug)]
pub struct System {
    /// What to call it.
    pub name: String,
    /// Its answers.
    pub ranking: Ranking,
}

/// One line of a report: a system on a part of the queries, in one form.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Which queries: `all`, `dev` or `test`.
    pub part: &'static str,
    /// `clean` or `typo`.
    pub form: &'static str,
    /// The system.
    pub system: String,
    /// How many queries.
    pub queries: usize,
    /// Mean nDCG@10.
    pub ndcg: Estimate,
    /// Mean reciprocal rank within ten pages.
    pub mrr: f64,
    /// Share of queries with a gold page among five.
    pub top_5: f64,
    /// Share of queries without any result.
    pub without_result: f64,
    /// nDCG@10 of the system that others are compared with, less that of this one, on the same queries.
    pub behind: Option<Estimate>,
}

/// The queries that some system does not answer: `(system, id)`. A report on those it does answer would flatter it.
pub fn unanswered(queries: &[Query], systems: &[System]) -> Vec<(String, String)> {
    let mut missing = Vec::new();
    for system in systems {
        for query in queries {
            for form in [Form::Clean, Form::Typo] {
                let id = query.id(form);
                if query.text(form).is_some() && !system.ranking.contains_key(&id) {
                    missing.push((system.name.clone(), id));
                }
            }
        }
    }
    missing
}

/// Judges every system on all queries and on both halves. The first system is the one that others are compared with.
///
/// # Panics
/// If a system leaves a query out; [`unanswered`] tells which.
pub fn rows(queries: &[Query], systems: &[System], split_seed: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    let parts: [(&str, Option<Half>); 3] = [
        ("all", None),
        ("dev", Some(Half::Dev)),
        ("test", Some(Half::Test)),
    ];
    for (part, wanted) in parts {
        for (form_name, form) in [("clean", Form::Clean), ("typo", Form::Typo)] {
            let asked: Vec<&Query> = queries
                .iter()
                .filter(|query| query.text(form).is_some())
                .filter(|query| wanted.is_none_or(|wanted| half(query, split_seed) == wanted))
                .collect();
            if asked.is_empty() {
                continue;
            }
            let mut first: Option<Vec<f64>> = None;
            for system in systems {
                let scores: Vec<Score> = asked
                    .iter()
                    .map(|query| Score::of(query, &system.ranking[&query.id(form)]))
                    .collect();
                let gains: Vec<f64> = scores.iter().map(|score| score.ndcg).collect();
                let behind = first.as_ref().map(|first| {
                    let differences: Vec<f64> = first.iter().zip(&gains).map(|(a, b)| a - b).collect();
                    estimate(&asked, &differences, split_seed)
                });
                rows.push(Row {
                    part,
                    form: form_name,
                    system: system.name.clone(),
                    queries: asked.len(),
                    ndcg: estimate(&asked, &gains, split_seed),
                    mrr: mean(scores.iter().map(|score| score.reciprocal_rank)),
                    top_5: mean(scores.iter().map(|score| score.top_5)),
                    without_result: mean(scores.iter().map(|score| score.without_result)),
                    behind,
                });
                first.get_or_insert(gains);
            }
        }
    }
    rows
}

/// The rows for people.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    let mut block = ("", "");
    let width = rows
        .iter()
        .map(|row| row.system.chars().count())
        .max()
        .unwrap_or(0)
        .max(6);
    for row in rows {
        if block != (row.part, row.form) {
            block = (row.part, row.form);
            let _ = writeln!(
                text,
                "{}{} queries, {}, {}\n{:width$}  nDCG@10 [95 %]      MRR   top 5  none   first system minus this [95 %]",
                if text.is_empty() { "" } else { "\n" },
                row.queries,
                row.part,
                row.form,
                "system",
            );
        }
        let behind = row.behind.as_ref().map_or_else(String::new, |behind| {
            format!("{:+.3} [{:+.3}, {:+.3}]", behind.mean, behind.low, behind.high)
        });
        let _ = writeln!(
            text,
            "{:width$}  {:.3} [{:.3}, {:.3}]  {:.3}  {:.3}  {:.3}  {behind}",
            row.system, row.ndcg.mean, row.ndcg.low, row.ndcg.high, row.mrr, row.top_5, row.without_result,
        );
    }
    text
}

/// Where the first gold page of each query stands in a system: a line a query, the worst first; `-` where it is not found.
pub fn places(queries: &[Query], system: &System) -> String {
    let mut lines = Vec::new();
    for query in queries {
        for form in [Form::Clean, Form::Typo] {
            let Some(text) = query.text(form) else { continue };
            let pages = &system.ranking[&query.id(form)];
            let place = rank(query, pages);
            let above = pages
                .iter()
                .find(|page| !query.exclude.contains(page) && !query.gold.contains(page));
            lines.push((
                std::cmp::Reverse(place.unwrap_or(usize::MAX)),
                format!(
                    "{:>4}  {:50}  {}{}",
                    place.map_or_else(|| "-".to_owned(), |place| place.to_string()),
                    text,
                    query.gold[0],
                    match (place, above) {
                        (Some(1), _) | (_, None) => String::new(),
                        (_, Some(above)) => format!("  < {above}"),
                    }
                ),
            ));
        }
    }
    lines.sort();
    lines.into_iter().map(|(_, line)| line + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::split::SEED;

    fn query(id: &str, gold: &str, typo: Option<&str>) -> Query {
        Query {
            id: id.to_owned(),
            query: format!("words of {id}"),
            typo: typo.map(str::to_owned),
            gold: vec![gold.to_owned()],
            exclude: Vec::new(),
        }
    }

    fn system(name: &str, answers: &[(&str, &str)]) -> System {
        System {
            name: name.to_owned(),
            ranking: answers
                .iter()
                .map(|(id, pages)| {
                    (
                        (*id).to_owned(),
                        pages.split_whitespace().map(str::to_owned).collect(),
                    )
                })
                .collect(),
        }
    }

    #[test]
    fn systems_are_compared_on_the_same_queries() {
        let queries = [query("1", "/a", Some("wrods")), query("2", "/b", None)];
        let systems = [
            system("ours", &[("1", "/a"), ("1+typo", "/a"), ("2", "/b")]),
            system("theirs", &[("1", "/x /y /a"), ("1+typo", ""), ("2", "/b")]),
        ];
        assert_eq!(unanswered(&queries, &systems), []);
        let rows = rows(&queries, &systems, SEED);
        let all: Vec<String> = rows
            .iter()
            .filter(|row| row.part == "all")
            .map(|row| {
                format!(
                    "{} {} {}: {:.2} {:.2} {:.2} {:.2} {:?}",
                    row.form,
                    row.system,
                    row.queries,
                    row.ndcg.mean,
                    row.mrr,
                    row.top_5,
                    row.without_result,
                    row.behind.map(|behind| behind.mean)
                )
            })
            .collect();
        assert_eq!(
            all,
            [
                "clean ours 2: 1.00 1.00 1.00 0.00 None",
                "clean theirs 2: 0.75 0.67 1.00 0.00 Some(0.25)",
                "typo ours 1: 1.00 1.00 1.00 0.00 None",
                "typo theirs 1: 0.00 0.00 0.00 1.00 Some(1.0)",
            ]
        );
        assert!(table(&rows).contains("theirs  0.750"));
        assert!(places(&queries, &systems[1]).starts_with("   -  wrods"));
    }

    #[test]
    fn a_query_that_was_not_asked_is_missed() {
        let queries = [query("1", "/a", Some("wrods"))];
        let missing = unanswered(&queries, &[system("s", &[("1", "")])]);
        assert_eq!(missing, [("s".to_owned(), "1+typo".to_owned())]);
    }
}
