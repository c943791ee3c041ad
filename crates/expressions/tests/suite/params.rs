//! References to parameters in JSON.

use expressions::params::{Declared, ProblemKind, names, resolve, values};
use serde_json::{Map, Value, json};

fn object(value: Value) -> Map<String, Value> {
    value.as_object().expect("an object").clone()
}

#[test]
fn whole_values_are_replaced_and_nothing_else() {
    let document = json!({
        "retrieve": [{"limit": "$param.fresh", "ids": "$param.ids", "where": "price < $param.max"}],
        "user": "$param.uid", "$param.key": 1, "price": "costs $param.fresh",
    });
    let mut found = names(&document);
    // Objects keep their order only with a feature of serde_json that another crate may have switched on.
    found.sort();
    assert_eq!(found, ["fresh", "ids", "uid"]);
    let given = object(json!({"fresh": 40, "ids": ["a", "b"], "uid": "$param.fresh"}));
    assert_eq!(
        resolve(&document, &given).expect("all given"),
        json!({
            "retrieve": [{"limit": 40, "ids": ["a", "b"], "where": "price < $param.max"}],
            // A value that looks like a reference is a value.
            "user": "$param.fresh", "$param.key": 1, "price": "costs $param.fresh",
        })
    );
}

#[test]
fn defaults_stand_in_and_problems_come_all_at_once() {
    let declared = Declared::new([
        ("uid", None),
        ("limit", Some(json!(15))),
        ("cursor", Some(Value::Null)),
    ]);
    let all = values(
        Some(&declared),
        &[],
        &object(json!({"uid": "u-1", "limit": null})),
    )
    .expect("right");
    assert_eq!(
        Value::Object(all.clone()),
        json!({"uid": "u-1", "limit": 15, "cursor": null})
    );
    assert_eq!(
        resolve(&json!(["$param.uid", "$param.cursor"]), &all).expect("right"),
        json!(["u-1", null])
    );

    let wrong = object(json!({"uidd": 1, "limit": {"a": 1}, "cursor": [[1]]}));
    let problems = values(Some(&declared), &[], &wrong).expect_err("three problems");
    let found: Vec<(ProblemKind, String)> = problems
        .iter()
        .map(|problem| (problem.kind.clone(), problem.to_string()))
        .collect();
    assert_eq!(
        found,
        [
            (
                ProblemKind::WrongValue,
                "cursor: the parameter 'cursor' must be a number, a text, a boolean or a list of these, not a nested list".to_owned()
            ),
            (
                ProblemKind::WrongValue,
                "limit: the parameter 'limit' must be a number, a text, a boolean or a list of these, not an object".to_owned()
            ),
            (
                ProblemKind::Unknown,
                "uidd: the query has no parameter 'uidd': did you mean 'uid'?".to_owned()
            ),
        ]
    );

    let document = json!({"steps": [{"limit": "$param.limits"}, {"user": "$param.uid"}], "x": "$param.a b", "y": "$param."});
    let problems = resolve(&document, &all).expect_err("three problems");
    let found: Vec<(ProblemKind, String)> = problems
        .iter()
        .map(|problem| (problem.kind.clone(), problem.to_string()))
        .collect();
    assert_eq!(found.len(), 3, "{found:?}");
    assert_eq!(
        found[0],
        (
            ProblemKind::Missing,
            "steps[0].limit: the parameter 'limits' has neither a value nor a default: did you mean 'limit'?"
                .to_owned()
        )
    );
    assert!(found[1..].iter().all(|(kind, _)| *kind == ProblemKind::Malformed));
}

#[test]
fn without_declarations_the_references_are_the_parameters() {
    let used = ["uid".to_owned()];
    assert!(values(None, &used, &object(json!({"uid": 1}))).is_ok());
    let problems = values(None, &used, &object(json!({"other": 1}))).expect_err("unknown");
    assert_eq!(
        problems[0].to_string(),
        "other: the query has no parameter 'other': known are: uid"
    );
    let problems = values(None, &[], &object(json!({"other": 1}))).expect_err("unknown");
    assert_eq!(
        problems[0].to_string(),
        "other: the query has no parameter 'other': it has none"
    );
}
