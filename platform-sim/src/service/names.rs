//! Names of datasets, transforms, models and columns: what they may be, and which one a misspelt one meant.

/// The longest name of a thing.
const MAX_NAME_CHARACTERS: usize = 128;

/// The longest name of a column.
const MAX_COLUMN_NAME_CHARACTERS: usize = 128;

/// Checks the name of a dataset, transform or model.
pub(crate) fn check(name: &str) -> Result<(), String> {
    let valid = name.len() <= MAX_NAME_CHARACTERS
        && name.starts_with(|first: char| first.is_ascii_alphanumeric())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte));
    if valid {
        Ok(())
    } else {
        Err(format!(
            "a name has 1 to {MAX_NAME_CHARACTERS} characters, starts with a letter or digit and goes on with letters, digits, '_', '.' and '-'"
        ))
    }
}

/// Checks the name of a column.
pub(crate) fn check_column(name: &str) -> Result<(), String> {
    if name.is_empty()
        || name.chars().count() > MAX_COLUMN_NAME_CHARACTERS
        || name.chars().any(char::is_control)
    {
        Err(format!(
            "a column's name has 1 to {MAX_COLUMN_NAME_CHARACTERS} characters and no control characters"
        ))
    } else {
        Ok(())
    }
}

/// The candidate that is at most two edits away, the nearest; `None` if none is.
pub(crate) fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // Longer texts are nobody's misspelling, and the distance takes quadratic time.
    if name.len() > MAX_NAME_CHARACTERS {
        return None;
    }
    candidates
        .map(|candidate| (edits(name, candidate), candidate))
        .filter(|(edits, candidate)| *edits <= 2 && *edits < candidate.len())
        .min()
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance, letter case aside.
fn edits(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (index, from) in a.to_lowercase().chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, to) in b.iter().enumerate() {
            let substituted = diagonal + usize::from(from != *to);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelling_finds_its_word() {
        let words = ["host", "port", "replication_key"];
        assert_eq!(nearest("pot", words.into_iter()), Some("port"));
        assert_eq!(
            nearest("Replication_kye", words.into_iter()),
            Some("replication_key")
        );
        assert_eq!(nearest("colour", words.into_iter()), None);
        assert_eq!(edits("kitten", "sitting"), 3);
        assert_eq!(edits("", "abc"), 3);
    }
}
