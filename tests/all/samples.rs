//! The samples of the documentation do what the page says, against a real server.

use siftwren_tests::{root, samples};

#[test]
fn the_samples_of_the_metric_pages_print_what_they_show() {
    let report = samples::run_all(&root().join("content/metrics")).unwrap();
    assert!(
        report.samples >= 13 && report.compared >= 13,
        "every metric page has a tested sample: {report:?}"
    );
}

#[test]
fn the_samples_of_the_overview_pages_work_against_a_fresh_server() {
    let report = samples::run_all(&root().join("content/overview")).unwrap();
    assert!(report.samples >= 10, "{report:?}");
}

#[test]
fn the_samples_of_the_connector_pages_work_against_a_fresh_server() {
    let report = samples::run_all(&root().join("content/connectors")).unwrap();
    assert!(report.samples >= 5, "{report:?}");
}

/// The runner itself: a page that says something untrue is caught, with its place.
#[test]
fn a_wrong_output_a_wrong_status_and_a_failing_sample_are_reported_with_their_line() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    for (text, expected) in [
        (
            "\n```python id=a\nprint(1)\n```\n\n```text output-of=a\n2\n```\n",
            "page.md:2: sample a printed:\n1",
        ),
        ("```bash id=b\nexit 7\n```\n", "page.md:1: sample b failed"),
        (
            "```python id=c\nraise ValueError('seen')\n```\n",
            "ValueError: seen",
        ),
        (
            "```bash id=d expect=200\necho no call at all\n```\n",
            "sample d: the page says status 200",
        ),
    ] {
        std::fs::write(&page, text).unwrap();
        let problems = samples::run_page(&page).unwrap().problems.join("\n");
        assert!(problems.contains(expected), "{expected:?} is not in:\n{problems}");
    }
}

#[test]
fn times_are_masked_and_json_is_compared_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.md");
    let text = "```bash id=a\necho '{\"b\": 0.12341, \"at\": \"2026-01-02T03:04:05Z\", \"in\": \"/v1#req-0a-7\"}'\n```\n\n\
                ```json output-of=a\n{\"at\": \"2020-01-02T03:04:05Z\", \"in\": \"/v1\",\n \"b\": 0.1234}\n```\n";
    std::fs::write(&page, text).unwrap();
    let report = samples::run_page(&page).unwrap();
    assert_eq!((report.compared, report.problems), (1, vec![]));
}
