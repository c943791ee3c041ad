//! Sorting in little code: the library's sorts are some kilobytes for every type that is sorted, and readers download them.

use std::cmp::Ordering;

/// Sorts; equal ones in no particular order. Never more than n log n steps.
pub(crate) fn sort_by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    for root in (0..items.len() / 2).rev() {
        sift_down(items, root, &compare);
    }
    for end in (1..items.len()).rev() {
        items.swap(0, end);
        sift_down(&mut items[..end], 0, &compare);
    }
}

/// Leaves the `count` first ones of the order, unsorted; they are found in one pass.
pub(crate) fn keep_first<T>(items: &mut Vec<T>, count: usize, compare: impl Fn(&T, &T) -> Ordering) {
    if items.len() <= count || count == 0 {
        items.truncate(count);
        return;
    }
    let (first, rest) = items.split_at_mut(count);
    for root in (0..count / 2).rev() {
        sift_down(first, root, &compare);
    }
    for item in rest {
        if compare(item, &first[0]) == Ordering::Less {
            std::mem::swap(item, &mut first[0]);
            sift_down(first, 0, &compare);
        }
    }
    items.truncate(count);
}

/// Restores a heap whose last one of the order is at its root, if only the item at `root` is out of place.
fn sift_down<T>(items: &mut [T], mut root: usize, compare: &impl Fn(&T, &T) -> Ordering) {
    loop {
        let mut child = 2 * root + 1;
        if child >= items.len() {
            return;
        }
        if child + 1 < items.len() && compare(&items[child], &items[child + 1]) == Ordering::Less {
            child += 1;
        }
        if compare(&items[root], &items[child]) != Ordering::Less {
            return;
        }
        items.swap(root, child);
        root = child;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_sorts_as_the_library_does(mut items in proptest::collection::vec(0u8..40, 0..60), count in 0usize..70) {
            let mut expected = items.clone();
            expected.sort_unstable();
            let mut first = items.clone();
            keep_first(&mut first, count, u8::cmp);
            sort_by(&mut first, u8::cmp);
            prop_assert_eq!(&first, &expected[..count.min(expected.len())]);
            sort_by(&mut items, u8::cmp);
            prop_assert_eq!(items, expected);
        }
    }
}
