use http_body_util::BodyExt;
use tower::ServiceExt;

use super::*;

const HEADERS_TEXT: &str = "/*\n  X-Everywhere: yes\n/assets/*\n  Cache-Control: immutable\n";

fn site() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in [
        (NOT_FOUND, "nothing here"),
        ("404.html.br", "nothing here, as brotli"),
        ("index.html", "home"),
        ("docs/page/index.html", "a page"),
        ("docs/page/index.html.br", "a page, as brotli"),
        ("docs/page/index.html.gz", "a page, as gzip"),
        ("docs/ü x.txt", "0123456789"),
        ("assets/app.12345678.js", "code"),
        (HEADERS, HEADERS_TEXT),
    ] {
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    folder
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: String,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn ask(folder: &Path, base: &str, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let request = request.body(Body::empty()).unwrap();
    let response = app(folder, base).unwrap().oneshot(request).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let body = response.into_body().collect().await.unwrap().to_bytes();
    Answer {
        status,
        headers,
        body: String::from_utf8(body.to_vec()).unwrap(),
    }
}

async fn get(folder: &Path, path: &str, headers: &[(&str, &str)]) -> Answer {
    ask(folder, "/", "GET", path, headers).await
}

#[tokio::test]
async fn a_path_finds_its_index_page_with_and_without_a_slash() {
    let site = site();
    for path in ["/docs/page", "/docs/page/", "/docs/page/index.html"] {
        let answer = get(site.path(), path, &[]).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, "a page"), "{path}");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    }
    assert_eq!(get(site.path(), "/", &[]).await.body, "home");
}

#[tokio::test]
async fn an_unknown_path_gets_the_sites_own_page_and_status_404() {
    let site = site();
    let outside = site.path().parent().unwrap().join("outside-of-the-site.txt");
    std::fs::write(&outside, "secret").unwrap();
    for path in [
        "/docs/nothing",
        "/docs/page/index.html/",
        "/docs/page/../../../outside-of-the-site.txt",
        "/%2e%2e/outside-of-the-site.txt",
        "/..%2foutside-of-the-site.txt",
        "/%2e%2e%2foutside-of-the-site.txt",
        "/..%5coutside-of-the-site.txt",
        "/docs%00",
        "/%ff",
        "/%2",
        "/_headers",
    ] {
        let answer = get(site.path(), path, &[]).await;
        assert_eq!(
            (answer.status, answer.body.as_str()),
            (404, "nothing here"),
            "{path}"
        );
    }
    std::fs::remove_file(outside).unwrap();
    let compressed = get(site.path(), "/nothing", &[("accept-encoding", "br")]).await;
    assert_eq!(
        (compressed.status, compressed.body.as_str()),
        (404, "nothing here, as brotli")
    );
}

#[tokio::test]
async fn headers_apply_to_their_paths_only() {
    let site = site();
    let code = get(site.path(), "/assets/app.12345678.js", &[]).await;
    assert_eq!(code.header("x-everywhere"), "yes");
    assert_eq!(code.header("cache-control"), "immutable");
    let page = get(site.path(), "/docs/page", &[]).await;
    assert_eq!(page.header("x-everywhere"), "yes");
    assert_eq!(page.header("cache-control"), "");
}

#[tokio::test]
async fn what_is_missing_is_not_cached() {
    let site = site();
    let answer = get(site.path(), "/assets/search/core.00000000.bin", &[]).await;
    assert_eq!((answer.status, answer.header("x-everywhere")), (404, "yes"));
    assert_eq!(answer.header("cache-control"), "");
}

#[tokio::test]
async fn a_client_gets_the_form_that_it_likes_best_of_those_that_there_are() {
    let site = site();
    for (accepted, encoding, body) in [
        ("gzip, br", "br", "a page, as brotli"),
        ("br;q=0.5, gzip", "gzip", "a page, as gzip"),
        ("br;q=0, *", "gzip", "a page, as gzip"),
        ("", "", "a page"),
    ] {
        let answer = get(site.path(), "/docs/page", &[("accept-encoding", accepted)]).await;
        assert_eq!(
            (answer.header("content-encoding"), answer.body.as_str()),
            (encoding, body),
            "{accepted}"
        );
        assert_eq!(answer.header("vary"), "Accept-Encoding");
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    }
    let home = get(site.path(), "/", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(
        (home.header("content-encoding"), home.body.as_str()),
        ("", "home")
    );
}

#[tokio::test]
async fn a_tag_saves_the_answer_as_long_as_the_same_form_is_there() {
    let site = site();
    let br = ("accept-encoding", "br");
    let tag = get(site.path(), "/docs/page", &[br])
        .await
        .header("etag")
        .to_owned();
    for tags in [
        tag.clone(),
        format!("W/{tag}"),
        format!("\"x\", {tag}"),
        "*".to_owned(),
    ] {
        let answer = get(site.path(), "/docs/page", &[br, ("if-none-match", &tags)]).await;
        assert_eq!((answer.status, answer.body.as_str()), (304, ""), "{tags}");
        assert_eq!(
            (answer.header("etag"), answer.header("x-everywhere")),
            (tag.as_str(), "yes")
        );
    }
    let other = get(site.path(), "/docs/page", &[("if-none-match", &tag)]).await;
    assert_eq!(other.status, 200, "another form has another tag");
    std::fs::write(site.path().join("docs/page/index.html.br"), "changed").unwrap();
    let changed = get(site.path(), "/docs/page", &[br, ("if-none-match", &tag)]).await;
    assert_eq!((changed.status, changed.body.as_str()), (200, "changed"));
}

#[tokio::test]
async fn a_part_is_a_part_of_the_file_as_it_is() {
    let site = site();
    let path = "/docs/%C3%BC%20x.txt";
    let part = get(
        site.path(),
        path,
        &[("range", "bytes=2-4"), ("accept-encoding", "br")],
    )
    .await;
    assert_eq!((part.status, part.body.as_str()), (206, "234"));
    assert_eq!(part.header("content-range"), "bytes 2-4/10");
    assert_eq!(part.header("content-length"), "3");
    let beyond = get(site.path(), path, &[("range", "bytes=10-")]).await;
    assert_eq!((beyond.status, beyond.body.as_str()), (416, ""));
    assert_eq!(beyond.header("content-range"), "bytes */10");
    let tag = part.header("etag");
    let same = get(site.path(), path, &[("range", "bytes=2-4"), ("if-range", tag)]).await;
    assert_eq!(same.status, 206);
    let changed = get(
        site.path(),
        path,
        &[("range", "bytes=2-4"), ("if-range", "\"old\"")],
    )
    .await;
    assert_eq!((changed.status, changed.body.as_str()), (200, "0123456789"));
}

#[tokio::test]
async fn head_is_get_without_the_body_and_other_methods_are_refused() {
    let site = site();
    for path in ["/docs/page", "/nothing"] {
        let (head, got) = (
            ask(site.path(), "/", "HEAD", path, &[]).await,
            get(site.path(), path, &[]).await,
        );
        assert_eq!((head.status, head.body.as_str()), (got.status, ""));
        assert_eq!(head.headers, got.headers);
        assert_eq!(head.header("content-length"), got.body.len().to_string());
    }
    let post = ask(site.path(), "/", "POST", "/", &[]).await;
    assert_eq!((post.status, post.header("allow")), (405, "GET, HEAD"));
    assert_eq!(post.header("x-everywhere"), "yes");
}

#[tokio::test]
async fn below_a_base_only_its_paths_are_of_the_site() {
    let site = site();
    for (path, status, body) in [
        ("/hand/book/docs/page", 200, "a page"),
        ("/hand/book/", 200, "home"),
        ("/hand/book", 200, "home"),
        ("/hand/boo", 404, "nothing here"),
        ("/docs/page", 404, "nothing here"),
        ("/", 404, "nothing here"),
    ] {
        let answer = ask(site.path(), "/hand/book/", "GET", path, &[]).await;
        assert_eq!((answer.status, answer.body.as_str()), (status, body), "{path}");
    }
    assert!(app(site.path(), "hand").is_err());
}

#[test]
fn a_broken_headers_file_is_refused_with_its_line() {
    let site = site();
    std::fs::write(site.path().join(HEADERS), "/*\n  no colon here\n").unwrap();
    let message = app(site.path(), "/").unwrap_err().to_string();
    assert!(
        message.ends_with("_headers:2: expected 'Name: value' below a path"),
        "{message}"
    );
}

#[test]
fn a_folder_that_is_no_site_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = app(folder.path(), "/").unwrap_err().to_string();
    assert!(message.contains("cargo xtask build"), "{message}");
}
