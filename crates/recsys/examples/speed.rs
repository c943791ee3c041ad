//! How long an exact search among vectors takes on one core.
//!
//! ```text
//! cargo run --release -p recsys --example speed
//! ```

use std::sync::LazyLock;
use std::time::Instant;

use recsys::{Eligible, Index, Matrix, scan::scan};

fn main() -> recsys::Result<()> {
    let dimension = 64;
    println!("the best inner products, dimension {dimension}, mean processor time");
    for rows in [10_000usize, 100_000, 1_000_000] {
        let values = (0..rows * dimension)
            .map(|place| {
                let bits = (place as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                ((bits ^ (bits >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 40) as f32 / (1 << 23) as f32
                    - 1.0
            })
            .collect();
        let vectors = Matrix::from_values(rows, dimension, values)?;
        let index = Index::new(&vectors);
        let query = vectors.row(rows / 2).to_vec();
        let rounds = 20_000_000 / rows + 5;
        for limit in [100, 1_000] {
            let plain = mean(rounds, || {
                scan(&vectors, &query, limit, Eligible::default()).map(|found| found.len())
            })?;
            print!("{rows:>9} rows, the best {limit}: scan {plain:7.3} ms");
            match &index {
                Some(index) => {
                    let indexed = mean(rounds, || {
                        let found = index.scan(&vectors, &query, limit, Eligible::default());
                        found.map(|found| found.len())
                    })?;
                    println!(", index {indexed:7.3} ms");
                }
                None => println!(", too few for an index"),
            }
        }
    }
    Ok(())
}

/// Seconds that this thread has run; where the system does not say, seconds on the wall.
fn now() -> f64 {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let ran = std::fs::read_to_string("/proc/thread-self/schedstat");
    let ran = ran
        .ok()
        .and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    ran.map_or_else(|| START.elapsed().as_secs_f64(), |nanoseconds| nanoseconds / 1e9)
}

/// In milliseconds. The system counts in coarse steps, so a few hundred rounds are measured together.
fn mean(rounds: usize, work: impl Fn() -> recsys::Result<usize>) -> recsys::Result<f64> {
    let start = now();
    for _ in 0..rounds {
        std::hint::black_box(work()?);
    }
    Ok((now() - start) * 1e3 / rounds as f64)
}
