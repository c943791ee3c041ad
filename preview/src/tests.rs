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
    answer(
        app(folder, base, None).unwrap(),
        request.body(Body::empty()).unwrap(),
    )
    .await
}

async fn answer(app: Router, request: Request) -> Answer {
    let response = app.oneshot(request).await.unwrap();
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
async fn an_old_address_leads_to_the_new_one_before_files_are_looked_for() {
    let site = site();
    std::fs::write(
        site.path().join(REDIRECTS),
        "/docs/page /docs/new 301\n/v1/* /docs/:splat\n",
    )
    .unwrap();
    let answer = get(site.path(), "/docs/page?a=b", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (301, "/docs/new?a=b"));
    assert_eq!(answer.header("x-everywhere"), "yes");
    let answer = get(site.path(), "/v1/page", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (302, "/docs/page"));
    assert_eq!(get(site.path(), "/_redirects", &[]).await.status, 404);
    // What only some hosts know keeps nobody from looking at the rest.
    std::fs::write(
        site.path().join(REDIRECTS),
        "/* /index.html 200\n/old /docs/page 301\n",
    )
    .unwrap();
    assert_eq!(get(site.path(), "/docs/page", &[]).await.body, "a page");
    assert_eq!(
        get(site.path(), "/old", &[]).await.header("location"),
        "/docs/page"
    );
    std::fs::write(site.path().join(REDIRECTS), "/docs/page\n").unwrap();
    let error = app(site.path(), "/", None).unwrap_err().to_string();
    assert!(error.contains("_redirects:1: expected an address"), "{error}");
}

#[tokio::test]
async fn a_file_has_the_type_of_its_ending() {
    let site = site();
    for (name, content_type) in [
        ("a.PNG", "image/png"),
        ("a.min.js", "text/javascript; charset=utf-8"),
        ("a.woff2", "font/woff2"),
        ("a.unheard-of", "application/octet-stream"),
        ("plain", "application/octet-stream"),
    ] {
        std::fs::write(site.path().join(name), "content").unwrap();
        let answer = get(site.path(), &format!("/{name}"), &[]).await;
        assert_eq!(
            (answer.status, answer.header("content-type")),
            (200, content_type),
            "{name}"
        );
    }
}

#[tokio::test]
async fn an_unknown_path_gets_the_page_of_the_nearest_folder_that_has_one() {
    let site = site();
    std::fs::create_dir_all(site.path().join("docs/fr/guide")).unwrap();
    std::fs::write(site.path().join("docs/fr/404.html"), "rien ici").unwrap();
    for (path, expected) in [
        ("/docs/fr/nope", "rien ici"),
        ("/docs/fr/", "rien ici"),
        ("/docs/fr/guide/a/b", "rien ici"),
        ("/docs/fr", "nothing here"),
        ("/docs/france", "nothing here"),
        ("/docs/fr%2Fx/y", "rien ici"),
        ("/docs/../docs/fr/x", "nothing here"),
    ] {
        let answer = get(site.path(), path, &[]).await;
        assert_eq!((answer.status, &*answer.body), (404, expected), "{path}");
    }
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
    // A range is of GET alone.
    let range = [("range", "bytes=2-4"), ("accept-encoding", "br")];
    let head = ask(site.path(), "/", "HEAD", "/docs/page", &range).await;
    let whole = get(site.path(), "/docs/page", &range[1..]).await;
    assert_eq!((head.status, &head.headers), (200, &whole.headers));
    let beyond = ask(site.path(), "/", "HEAD", "/docs/page", &[("range", "bytes=90-")]).await;
    assert_eq!(beyond.status, 200);
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
    assert!(app(site.path(), "hand", None).is_err());
}

#[test]
fn a_broken_headers_file_is_refused_with_its_line() {
    let site = site();
    std::fs::write(site.path().join(HEADERS), "/*\n  no colon here\n").unwrap();
    let message = app(site.path(), "/", None).unwrap_err().to_string();
    assert!(
        message.ends_with("_headers:2: expected 'Name: value' below a path"),
        "{message}"
    );
}

#[test]
fn a_folder_that_is_no_site_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let message = app(folder.path(), "/", None).unwrap_err().to_string();
    assert!(message.contains("cargo xtask build"), "{message}");
}

/// The answer while a builder writes to the file.
async fn live(folder: &Path, file: &Path, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let app = app(folder, "/", Some(file)).unwrap();
    answer(app, request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn pages_follow_the_builds_while_somebody_is_at_work_and_nothing_else_is_another() {
    let site = site();
    let file = site.path().join("live");
    std::fs::write(site.path().join("index.html"), "<!doctype html><head><title>home").unwrap();
    let plain = "<!doctype html><head><title>home";
    let page = |build: &str| {
        format!("<!doctype html><head><script src=\"/-/live-reload.js?build={build}\"></script><title>home")
    };

    let before = live(site.path(), &file, "/", &[]).await;
    assert_eq!((before.status, before.body.as_str()), (200, plain));
    assert_eq!(
        live(site.path(), &file, "/-/live-reload.js", &[]).await.status,
        404
    );
    assert_eq!(live(site.path(), &file, "/sw.js", &[]).await.status, 404);

    std::fs::write(&file, "b1\n").unwrap();
    let first = live(site.path(), &file, "/", &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((first.status, first.body.as_str()), (200, page("b1").as_str()));
    assert_eq!(
        (first.header("content-encoding"), first.header("x-everywhere")),
        ("", "yes")
    );
    assert_eq!(first.header("content-length"), first.body.len().to_string());
    let script = live(site.path(), &file, "/-/live-reload.js?build=b1", &[]).await;
    assert_eq!(
        (script.status, script.header("content-type")),
        (200, "text/javascript; charset=utf-8")
    );
    let worker = live(site.path(), &file, "/sw.js", &[]).await;
    assert!(worker.body.contains("unregister()"), "{}", worker.body);
    let code = live(site.path(), &file, "/assets/app.12345678.js", &[]).await;
    assert_eq!(
        (code.body.as_str(), code.header("cache-control")),
        ("code", "immutable")
    );

    std::fs::write(&file, "b2\n").unwrap();
    let tag = [("if-none-match", first.header("etag"))];
    let second = live(site.path(), &file, "/", &tag).await;
    assert_eq!((second.status, second.body.as_str()), (200, page("b2").as_str()));
}

#[tokio::test]
async fn a_page_hears_of_a_build_that_it_does_not_know() {
    let site = site();
    let file = site.path().join("live");
    std::fs::write(&file, "b1\npage.md:1:1: no title").unwrap();
    let known = live(site.path(), &file, "/-/live-reload?known=", &[]).await;
    assert_eq!(
        (known.status, known.body.as_str()),
        (200, "b1\npage.md:1:1: no title")
    );
    assert_eq!(known.header("cache-control"), "no-store");

    let waiting = live(site.path(), &file, "/-/live-reload?known=b1", &[]);
    let build = async {
        tokio::time::sleep(std::time::Duration::from_millis(120)).await;
        std::fs::write(&file, "b2\n").unwrap();
    };
    let (heard, ()) = tokio::join!(waiting, build);
    assert_eq!((heard.status, heard.body.as_str()), (200, "b2\n"));

    let waiting = live(site.path(), &file, "/-/live-reload?known=b2", &[]);
    let (ended, ()) = tokio::join!(waiting, async { std::fs::remove_file(&file).unwrap() });
    assert_eq!((ended.status, ended.body.as_str()), (200, ""));
}

#[tokio::test]
async fn the_headers_are_those_of_the_build_that_is_there() {
    let site = site();
    let app = app(site.path(), "/", None).unwrap();
    let ask = || answer(app.clone(), Request::new(Body::empty()));
    assert_eq!(ask().await.header("x-everywhere"), "yes");
    std::fs::write(site.path().join(HEADERS), "/*\n  X-Everywhere: still\n").unwrap();
    assert_eq!(ask().await.header("x-everywhere"), "still");
    std::fs::write(site.path().join(HEADERS), "  Name: value\n").unwrap();
    let broken = ask().await;
    assert_eq!(broken.status, 500);
    assert!(
        broken
            .body
            .contains("_headers:1: a header stands before the first path"),
        "{}",
        broken.body
    );
}
