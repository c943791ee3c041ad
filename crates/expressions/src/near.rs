//! The name that somebody probably meant.

/// The known name nearest to `name`, if one is near: another case, a dropped prefix, or a third of the letters wrong.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // A guess is a courtesy: never quadratic in what a stranger sent.
    if name.chars().count() > 64 {
        return None;
    }
    let wanted: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
    let allowed = (wanted.len() / 3).clamp(1, 4);
    let mut best: Option<(usize, &str)> = None;
    for candidate in known.into_iter().take(5_000) {
        let letters: Vec<char> = candidate.chars().take(65).flat_map(char::to_lowercase).collect();
        let distance = if letters.len() > 64 || letters.len().abs_diff(wanted.len()) > allowed {
            // `item.price` for `price` and the other way round.
            let last = |path: &str| path.rsplit('.').next().map(str::to_lowercase);
            if candidate.contains('.') != name.contains('.') && last(candidate) == last(name) {
                1
            } else {
                continue;
            }
        } else {
            edits(&wanted, &letters)
        };
        if distance <= allowed && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// `did you mean …?`, or the names there are, or nothing when there are none.
pub fn suggestion<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<String> {
    let known: Vec<&str> = known.into_iter().collect();
    if let Some(near) = nearest(name, known.iter().copied()) {
        return Some(format!("did you mean '{near}'?"));
    }
    if known.is_empty() {
        return None;
    }
    let shown: Vec<&str> = known.iter().copied().take(12).collect();
    let more = known.len() - shown.len();
    let tail = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!("known are: {}{tail}", shown.join(", ")))
}

/// Edit distance where exchanging two neighbours counts as one edit.
fn edits(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, other) in right.iter().enumerate() {
            let mut least = (above[column] + usize::from(letter != other))
                .min(above[column + 1] + 1)
                .min(current[column] + 1);
            if row > 0 && column > 0 && *letter == right[column - 1] && left[row - 1] == *other {
                least = least.min(before[column - 1] + 1);
            }
            current.push(least);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_proposed_and_far_ones_are_not() {
        let known = ["price", "in_stock", "item.brand", "created_at"];
        let check = |name, expected: Option<&str>| assert_eq!(nearest(name, known), expected, "{name}");
        check("prise", Some("price"));
        check("pirce", Some("price"));
        check("PRICE", Some("price"));
        check("created_on", Some("created_at"));
        check("brand", Some("item.brand"));
        check("item.in_stock", Some("in_stock"));
        check("colour", None);
        check("", None);
    }
}
