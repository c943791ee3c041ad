//! CPU time of filters over a million rows and of value models over a thousand candidates:
//! `cargo run --release -p expressions --example speed`. A line each: milliseconds, a tab, what was evaluated.

use std::time::{Duration, Instant};

use expressions::data::{Bits, Offsets, Strings, Values};
use expressions::value::Names;
use expressions::{Column, Limits, Schema, Type, filter, value};
use serde_json::Map;

/// CPU time of one of several runs; the clock's where the system does not say.
fn cpu_time(runs: u32, mut work: impl FnMut()) -> Duration {
    // Nanoseconds that this thread has been running, counted at each tick of the scheduler.
    let used = || -> Option<u64> {
        let counters = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        counters.split_whitespace().next()?.parse().ok()
    };
    let (begin, used_before) = (Instant::now(), used());
    for _ in 0..runs {
        work();
    }
    match (used_before, used()) {
        (Some(before), Some(after)) => Duration::from_nanos(after - before) / runs,
        _ => begin.elapsed() / runs,
    }
}

fn main() {
    println!("milliseconds\twhat");
    a_million_rows_filtered();
    a_thousand_candidates_valued();
}

fn print(what: &str, found: Duration) {
    println!("{:.3}\t{what}", found.as_secs_f64() * 1e3);
}

fn a_million_rows_filtered() {
    let rows = 1_000_000;
    let price: Vec<f64> = (0..rows)
        .map(|row| f64::from((row % 997 * 919) % 1_000) / 10.0)
        .collect();
    let stock: Vec<i64> = (0..rows).map(|row| i64::from((row % 53 * 29) % 50)).collect();
    let flags: Vec<u8> = (0..rows / 8 + 2)
        .map(|byte| (byte % 251 * 37 % 251) as u8)
        .collect();
    let words = ["linen", "cotton", "wool", "silk", "hemp"];
    let mut text = String::new();
    let mut offsets = vec![0_i32];
    for row in 0..rows {
        text.push_str(words[(row as usize * 31) % words.len()]);
        offsets.push(i32::try_from(text.len()).expect("a small text"));
    }
    let tag_offsets: Vec<i32> = (0..=rows).collect();
    let tags = Column::new(Values::Utf8(Strings::Packed {
        offsets: Offsets::Small(&offsets),
        text: &text,
    }));
    let validity = Bits::Packed {
        bytes: &flags,
        offset: 0,
    };
    let columns = [
        Column::new(Values::Float64(&price)).with_validity(validity),
        Column::new(Values::Int64(&stock)),
        Column::new(Values::Boolean(Bits::Packed {
            bytes: &flags,
            offset: 5,
        })),
        tags,
        Column::new(Values::List {
            offsets: Offsets::Small(&tag_offsets),
            items: &tags,
        }),
    ];
    let schema = Schema::new([
        ("price", Type::Float64),
        ("stock", Type::Int64),
        ("in_stock", Type::Boolean),
        ("brand", Type::Utf8),
        ("tags", Type::List(expressions::data::Element::Utf8)),
    ]);
    for predicate in [
        "stock < 40",
        "price < 40",
        "price < 40 AND in_stock IS TRUE",
        "brand = 'linen'",
        "brand IN ('linen', 'silk')",
        "price BETWEEN 10 AND 20 AND stock > 3 AND NOT in_stock",
        "price < 40 AND array_has_any(tags, ['linen', 'cotton'])",
        "brand LIKE 'c%'",
        "brand LIKE '%oo%'",
        "regexp_match(brand, '^c.*n$')",
    ] {
        let bound = filter::parse(predicate, &Limits::default())
            .and_then(|parsed| parsed.bind(&schema, &Map::new()))
            .expect("a filter");
        let read: Vec<Column<'_>> = bound
            .columns()
            .iter()
            .map(|column| columns[column.index])
            .collect();
        let found = cpu_time(10, || {
            let passing = bound.select(&read, rows as usize).expect("rows");
            assert!(!passing.is_empty());
        });
        print(&format!("1,000,000 rows, {predicate}"), found);
    }
}

fn a_thousand_candidates_valued() {
    let rows = 1_000;
    let ctr: Vec<f32> = (0..rows).map(|row| row as f32 / 1e3).collect();
    let margin: Vec<f64> = (0..rows * 10).map(|row| row as f64 / 7.0).collect();
    let created: Vec<i64> = (0..rows as i64 * 10).map(|row| 1_770_000_000 + row).collect();
    let rank: Vec<i64> = (0..rows as i64).collect();
    let at: Vec<u32> = (0..rows as u32).map(|row| row * 7 % 10_000).collect();
    let vectors: Vec<f32> = (0..rows * 64).map(|place| (place % 17) as f32 - 8.0).collect();
    let user: Vec<f32> = (0..64).map(|place| (place % 5) as f32).collect();
    let age = [31];
    let names = Names {
        policies: vec!["ctr".into()],
        item: vec![
            ("margin".into(), Type::Float64),
            ("created_at".into(), Type::Timestamp),
            ("_derived_popular_rank".into(), Type::Int64),
            ("embedding".into(), Type::Vector),
        ],
        user: vec![
            ("age_days".into(), Type::Int64),
            ("embedding".into(), Type::Vector),
        ],
        ..Names::default()
    };
    let column = |name: &str| match name {
        "ctr" => Column::new(Values::Float32(&ctr)),
        "item.margin" => Column::new(Values::Float64(&margin)).at_rows(&at),
        "item.created_at" => Column::new(Values::Timestamp {
            ticks: &created,
            per_second: 1,
        })
        .at_rows(&at),
        "item._derived_popular_rank" => Column::new(Values::Int64(&rank)),
        "item.embedding" => Column::new(Values::Vector {
            values: &vectors,
            dimension: 64,
        }),
        "user.embedding" => Column::new(Values::Vector {
            values: &user,
            dimension: 64,
        })
        .at_one_row(0),
        _ => Column::new(Values::Int64(&age)).at_one_row(0),
    };
    for text in [
        "0.6*ctr + 0.4*item.margin + 0.1",
        "0.6*ctr + 0.3*log(1+item.margin) + 0.1/(10 + item._derived_popular_rank)",
        "ctr if user.age_days > 30 else 0.2*ctr + 0.8/(10 + item._derived_popular_rank)",
        "0.5*ctr + (1 if item.margin > 500 else 0.5) + item.margin / 7",
        "(500 - item._derived_popular_rank)/((((now_seconds()-item.created_at)/3600)+2)**1.5)",
        "ctr + cosine_similarity(item.embedding, user.embedding)",
    ] {
        let model = value::parse(text, &Limits::default())
            .and_then(|parsed| parsed.bind(&names, &Map::new()))
            .expect("a value model");
        let columns: Vec<Column<'_>> = model.inputs().iter().map(|input| column(&input.name())).collect();
        let found = cpu_time(2_000, || {
            let scores = model.evaluate(&columns, rows, 1_780_000_000.0).expect("scores");
            assert_eq!(scores.values.len(), rows);
        });
        print(&format!("1,000 candidates, {text}"), found);
    }
}
