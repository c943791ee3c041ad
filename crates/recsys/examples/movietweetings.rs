//! Ranks the whole catalogue of a MovieTweetings split for every user of one part.
//!
//! ```text
//! cargo run --release -p recsys --example movietweetings -- DIR SPLIT MODEL [--part test|val] [--fit-only] [SETTING=VALUE]…
//! ```
//! `DIR` holds `interactions.tsv` and `SPLIT.json`, where `SPLIT` is `strong` or `loo`. Standard output gets one line
//! `{"user": id, "items": [best first]}` per user, standard error the time of the training and nDCG@10.
//! With `--fit-only` nobody is asked: the time of the process is that of the training.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use recsys::{
    Dataset, DatasetBuilder, Eligible, Interaction, NumberSet, Query, Setting, Settings, Training, model,
};
use serde_json::Value;

/// Somebody whose held items are to be found.
struct Case {
    user: String,
    /// With its place in the user's sequence.
    known: Vec<(String, i64)>,
    held: HashSet<String>,
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, split, id, options @ ..] = arguments.as_slice() else {
        bail!("usage: movietweetings DIR strong|loo MODEL [--part test|val] [SETTING=VALUE]…");
    };
    let (mut part, mut fit_only, mut settings) = ("test", false, Settings::new());
    let mut options = options.iter();
    while let Some(option) = options.next() {
        if option == "--part" {
            part = options.next().context("--part needs test or val")?;
        } else if option == "--fit-only" {
            fit_only = true;
        } else {
            let (name, value) = option.split_once('=').context("an option is SETTING=VALUE")?;
            settings = settings.with(name, setting(value));
        }
    }
    let directory = Path::new(directory);
    let spec = model(id).with_context(|| format!("there is no model {id}"))?;
    let (dataset, cases) = read(directory, split, part)?;

    let start = Instant::now();
    let fitted = spec.fit(&settings, &dataset, &Training::seeded(1))?;
    let fit = start.elapsed();
    if fit_only {
        eprintln!("{id} {split} {part}: fit {:.3} s", fit.as_secs_f64());
        return Ok(());
    }

    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut ndcg = 0.0;
    let start = Instant::now();
    for case in &cases {
        let history: Vec<Interaction> = case
            .known
            .iter()
            .filter_map(|(item, time)| Some(Interaction::new(dataset.items().number(item)?, *time)))
            .collect();
        let seen = NumberSet::new(history.iter().map(|one| one.item));
        let query = Query::new(dataset.users().number(&case.user), &history, dataset.now());
        let eligible = Eligible {
            except: Some(&seen),
            ..Eligible::default()
        };
        let found = fitted.retrieve(&query, 100, eligible)?;
        let items: Vec<&str> = found
            .iter()
            .filter_map(|one| dataset.items().id(one.id))
            .collect();
        ndcg += ndcg_at_10(&items, &case.held);
        writeln!(
            out,
            "{{\"user\": {}, \"items\": [{}]}}",
            case.user,
            items.join(", ")
        )?;
    }
    out.flush()?;
    eprintln!(
        "{id} {split} {part}: ndcg@10 {:.5} over {} users; fit {:.3} s, all answers {:.3} s, saved {} kB",
        ndcg / cases.len() as f64,
        cases.len(),
        fit.as_secs_f64(),
        start.elapsed().as_secs_f64(),
        fitted.save().len() / 1000,
    );
    Ok(())
}

fn setting(value: &str) -> Setting {
    if let Ok(value) = value.parse::<i64>() {
        return value.into();
    }
    match value.parse::<f64>() {
        Ok(value) => value.into(),
        Err(_) => value.into(),
    }
}

fn ndcg_at_10(items: &[&str], held: &HashSet<String>) -> f64 {
    let discount = |place: usize| 1.0 / (place as f64 + 2.0).log2();
    let gain: f64 = items
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, item)| held.contains(**item))
        .map(|(place, _)| discount(place))
        .sum();
    gain / (0..held.len().min(10)).map(discount).sum::<f64>()
}

fn read(directory: &Path, split: &str, part: &str) -> Result<(Dataset, Vec<Case>)> {
    let text = std::fs::read_to_string(directory.join("interactions.tsv")).context("interactions.tsv")?;
    let mut sequences: BTreeMap<String, Vec<(String, i64)>> = BTreeMap::new();
    for line in text.lines() {
        let mut fields = line.split('\t');
        let (Some(user), Some(item), Some(place)) = (fields.next(), fields.next(), fields.next()) else {
            bail!("interactions.tsv: three fields are wanted in {line:?}");
        };
        let place = place.parse().context("the third field is a place")?;
        sequences
            .entry(user.to_owned())
            .or_default()
            .push((item.to_owned(), place));
    }
    let json: Value = serde_json::from_slice(&std::fs::read(directory.join(format!("{split}.json")))?)?;
    let mut builder = DatasetBuilder::new();
    let mut cases = Vec::new();
    let users = json[part].as_object().context("the part is missing")?;
    if split == "loo" {
        for (user, held) in users {
            let held = text_of(held);
            let later = text_of(&json["test"][user]);
            let known: Vec<(String, i64)> = sequences[user]
                .iter()
                .filter(|(item, _)| *item != held && *item != later)
                .cloned()
                .collect();
            for (item, place) in &known {
                builder.event(user, item, 1.0, *place);
            }
            cases.push(Case {
                user: user.clone(),
                known,
                held: HashSet::from([held]),
            });
        }
    } else {
        for user in json["train_users"].as_array().context("train_users")? {
            let user = text_of(user);
            for (item, place) in &sequences[&user] {
                builder.event(&user, item, 1.0, *place);
            }
        }
        for (user, lists) in users {
            let places: HashMap<&str, i64> = sequences[user].iter().map(|(i, p)| (i.as_str(), *p)).collect();
            let list = |name: &str| -> Vec<String> {
                lists[name]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .map(text_of)
                    .collect()
            };
            let mut known: Vec<(String, i64)> = list("fold_in")
                .into_iter()
                .map(|item| {
                    let place = places[item.as_str()];
                    (item, place)
                })
                .collect();
            known.sort_by_key(|(_, place)| *place);
            cases.push(Case {
                user: user.clone(),
                known,
                held: list("held").into_iter().collect(),
            });
        }
    }
    // Items that nobody of the training knows stay in the catalogue.
    let items = json["n_items"].as_u64().context("n_items")?;
    let items: Vec<String> = (1..=items).map(|item| item.to_string()).collect();
    builder.items(&items, recsys::Features::default())?;
    Ok((builder.finish(1_000)?, cases))
}

/// A number or a text as text.
fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
