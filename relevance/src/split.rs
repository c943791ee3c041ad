//! Which queries weights may be learnt from. The gold page decides, not the query: several queries ask for one page, and one
//! of them would give the others away.

use crate::judged::Query;
use crate::random::hash;

/// The seed of the split that our figures are about.
pub const SEED: u64 = 1;

/// One half of judged queries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// To learn from.
    Dev,
    /// To judge with.
    Test,
}

/// The half of a query: that of its first gold page.
pub fn half(query: &Query, seed: u64) -> Half {
    match hash(&query.gold[0], seed) >> 63 {
        0 => Half::Dev,
        _ => Half::Test,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(gold: &str) -> Query {
        Query {
            id: String::new(),
            query: String::new(),
            typo: None,
            gold: vec![gold.to_owned()],
            exclude: Vec::new(),
        }
    }

    #[test]
    fn pages_are_halved_and_another_seed_halves_them_otherwise() {
        let pages: Vec<Query> = (0..1_000).map(|page| query(&format!("/docs/{page}"))).collect();
        let tests = pages.iter().filter(|page| half(page, 1) == Half::Test).count();
        assert!((430..570).contains(&tests), "{tests}");
        let moved = pages.iter().filter(|page| half(page, 1) != half(page, 2)).count();
        assert!((430..570).contains(&moved), "{moved}");
    }

    #[test]
    fn the_split_of_our_figures_never_changes() {
        let halves = ["/docs/a", "/docs/b", "/docs/c", "/docs/d"].map(|page| half(&query(page), SEED));
        assert_eq!(halves, [Half::Dev, Half::Dev, Half::Dev, Half::Test]);
    }
}
