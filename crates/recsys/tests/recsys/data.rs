//! Ids, datasets and histories.

use proptest::prelude::*;
use recsys::{Column, DatasetBuilder, ErrorKind, Event, Features, Histories, Ids, Interaction};

#[test]
fn ids_are_numbered_in_the_order_of_their_texts() {
    let ids = Ids::new(["pear", "apple", "", "apple", "zebra"]);
    assert_eq!(ids.iter().collect::<Vec<_>>(), ["", "apple", "pear", "zebra"]);
    assert_eq!(ids.number("pear"), Some(2));
    assert_eq!(ids.number("plum"), None);
    assert_eq!(ids.id(3), Some("zebra"));
    assert_eq!(ids.id(4), None);
    assert_eq!(Ids::default().number("a"), None);
}

proptest! {
    #[test]
    fn ids_go_both_ways_and_survive_saving(texts in prop::collection::vec(".{0,6}", 0..60)) {
        let ids = Ids::load(&Ids::new(texts.clone()).save()).unwrap();
        for text in &texts {
            let number = ids.number(text).unwrap();
            prop_assert_eq!(ids.id(number), Some(text.as_str()));
        }
        for number in 0..ids.len() as u32 {
            prop_assert_eq!(ids.number(ids.id(number).unwrap()), Some(number));
        }
    }

    #[test]
    fn damaged_ids_are_an_error_and_never_a_panic(place in 0usize..60, bits in 1u8..) {
        let mut bytes = Ids::new(["a", "b", "c"]).save();
        let place = place % bytes.len();
        bytes[place] ^= bits;
        prop_assert!(Ids::load(&bytes).is_err());
    }
}

#[test]
fn events_come_into_the_order_of_time_and_features_to_their_ids() {
    let mut builder = DatasetBuilder::new();
    builder
        .event("bob", "tea", 1.0, 30)
        .event("ann", "pot", f32::NAN, 10)
        .event("bob", "cup", 1.0, 20);
    let prices = Features::new(3)
        .with("price", Column::Number(vec![5.0, 7.0, 9.0]))
        .unwrap();
    // Of the two rows of tea the last one counts; nobody has met lid.
    builder.items(&["tea", "lid", "tea"], prices).unwrap();
    let dataset = builder.finish(40).unwrap();
    let times: Vec<i64> = dataset.events().iter().map(|event| event.time).collect();
    assert_eq!(times, [10, 20, 30]);
    assert_eq!(dataset.events()[0].label, 1.0, "a missing label counts as one");
    assert_eq!(
        dataset.items().iter().collect::<Vec<_>>(),
        ["cup", "lid", "pot", "tea"]
    );
    let Some(Column::Number(prices)) = dataset.item_features().column("price") else {
        panic!("the column is there");
    };
    assert!(
        prices[0].is_nan() && prices[1] == 7.0 && prices[2].is_nan() && prices[3] == 9.0,
        "{prices:?}"
    );
    let bob = dataset.users().number("bob").unwrap();
    let items: Vec<u32> = dataset.histories().of(bob).iter().map(|one| one.item).collect();
    assert_eq!(items, [0, 3], "cup came before tea");
}

#[test]
fn histories_survive_saving_and_know_no_strangers() {
    let dataset = super::dataset(&[("ann", "tea"), ("bob", "cup"), ("ann", "cup")]);
    let histories = Histories::load(&dataset.histories().save()).unwrap();
    assert_eq!(histories, dataset.histories());
    assert_eq!(histories.of(0), [Interaction::new(1, 1), Interaction::new(0, 3)]);
    assert_eq!(histories.of(99), []);
    assert_eq!(
        Histories::load(&dataset.users().save()).unwrap_err().kind(),
        ErrorKind::Artefact
    );
}

#[test]
fn histories_keep_any_label_and_any_moment() {
    let event = |user, item, label, time| Event {
        user,
        item,
        label,
        time,
    };
    let far = 1 << 40;
    for (label, times) in [
        (1.0, [0, 9]),
        (0.5, [0, 9]),
        (1.0, [-far, far]),
        (-2.0, [i64::MIN + 1, i64::MAX]),
    ] {
        let dataset = recsys::Dataset::new(
            Ids::new(["ann", "bob"]),
            Ids::new(["cup", "tea"]),
            vec![event(0, 1, 1.0, times[0]), event(1, 0, label, times[1])],
            Features::default(),
            Features::default(),
            0,
        )
        .unwrap();
        let histories = Histories::load(&dataset.histories().save()).unwrap();
        assert_eq!(histories.of(0), [Interaction::new(1, times[0])]);
        let last = Interaction {
            item: 0,
            label,
            time: times[1],
        };
        assert_eq!(histories.of(1), [last]);
    }
}

#[test]
fn data_that_contradict_themselves_are_refused() {
    let event = |item, label| Event {
        user: 0,
        item,
        label,
        time: 0,
    };
    let build = |events, features| {
        recsys::Dataset::new(
            Ids::new(["ann"]),
            Ids::new(["tea"]),
            events,
            features,
            Features::default(),
            0,
        )
    };
    let none = Features::default;
    assert!(build(vec![event(0, 1.0)], none()).is_ok());
    assert_eq!(
        build(vec![event(1, 1.0)], none()).unwrap_err().kind(),
        ErrorKind::Data
    );
    assert_eq!(
        build(vec![event(0, f32::INFINITY)], none()).unwrap_err().kind(),
        ErrorKind::Data
    );
    let two = Features::new(2)
        .with("price", Column::Number(vec![1.0, 2.0]))
        .unwrap();
    assert_eq!(build(vec![], two.clone()).unwrap_err().kind(), ErrorKind::Data);
    assert!(two.clone().with("price", Column::Number(vec![1.0, 2.0])).is_err());
    assert!(two.clone().with("weight", Column::Number(vec![1.0])).is_err());
    assert!(
        two.with(
            "vector",
            Column::Vector(vec![Some(vec![1.0]), Some(vec![1.0, 2.0])])
        )
        .is_err()
    );
}
