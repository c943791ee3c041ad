//! Heading ids in the way of GitHub: lower case, spaces to hyphens, everything but letters, digits, `-` and `_` dropped.

use std::collections::HashMap;

/// The id that a heading text gives.
pub(crate) fn slug(text: &str) -> String {
    let mut slug = String::with_capacity(text.len());
    for c in text.trim().chars() {
        match c {
            ' ' | '\t' => slug.push('-'),
            '-' | '_' => slug.push(c),
            _ if c.is_alphanumeric() => slug.extend(c.to_lowercase()),
            _ => {}
        }
    }
    if slug.is_empty() {
        "section".to_owned()
    } else {
        slug
    }
}

/// Hands out ids that no other element of the page has.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    used: HashMap<String, usize>,
}

impl Ids {
    /// Takes `id` as it is; false if it was taken before.
    pub(crate) fn take(&mut self, id: &str) -> bool {
        if self.used.contains_key(id) {
            return false;
        }
        self.used.insert(id.to_owned(), 0);
        true
    }

    /// Takes `id`, or else the first free one of `id-1`, `id-2` and so on.
    pub(crate) fn take_free(&mut self, id: &str) -> String {
        if self.take(id) {
            return id.to_owned();
        }
        loop {
            let count = self.used.entry(id.to_owned()).or_insert(0);
            *count += 1;
            let candidate = format!("{id}-{count}");
            if self.take(&candidate) {
                return candidate;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_those_of_github() {
        for (text, expected) in [
            ("Hello, World!", "hello-world"),
            ("  C++ & Rust  ", "c--rust"),
            ("replication_key", "replication_key"),
            ("Übergröße 2.0", "übergröße-20"),
            ("!!!", "section"),
        ] {
            assert_eq!(slug(text), expected, "{text}");
        }
    }

    #[test]
    fn taken_ids_get_a_number() {
        let mut ids = Ids::default();
        let given: Vec<String> = ["a", "a", "a-1", "a"]
            .iter()
            .map(|id| ids.take_free(id))
            .collect();
        assert_eq!(given, ["a", "a-1", "a-1-1", "a-2"]);
    }
}
