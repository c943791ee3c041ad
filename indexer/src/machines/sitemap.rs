//! `sitemap.xml` and `robots.txt`.

use super::{Addresses, Entry, xml};

/// Every page with the date of its last change.
pub(super) fn sitemap(addresses: Addresses<'_>, home: &[String], entries: &[Entry<'_>]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
    );
    let mut push = |path: &str, last_change: Option<&str>| {
        let date = last_change.map_or_else(String::new, |date| format!("<lastmod>{}</lastmod>", xml(date)));
        let address = xml(&addresses.of(path));
        text.push_str(&format!("<url><loc>{address}</loc>{date}</url>\n"));
    };
    for path in home {
        push(path, None);
    }
    for entry in entries {
        push(entry.path, entry.last_change);
    }
    text.push_str("</urlset>\n");
    text
}

/// Everything may be read.
pub(super) fn robots(addresses: Addresses<'_>) -> String {
    let sitemap = match addresses.site.url {
        Some(_) => format!("\nSitemap: {}\n", addresses.of("/sitemap.xml")),
        None => String::new(),
    };
    format!("User-agent: *\nAllow: /\n{sitemap}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::tests::{entries, site, texts};

    #[test]
    fn a_map_has_every_page() {
        let site = site();
        let addresses = Addresses { site: &site };
        insta::assert_snapshot!(sitemap(addresses, &["/docs".to_owned()], &entries(&texts())), @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        <url><loc>https://docs.example/sub/docs</loc></url>
        <url><loc>https://docs.example/sub/docs/a/x</loc><lastmod>2026-11-21</lastmod></url>
        <url><loc>https://docs.example/sub/docs/a/gr%C3%B6%C3%9Fe%20y</loc><lastmod>2026-11-20</lastmod></url>
        <url><loc>https://docs.example/sub/docs/a-z</loc></url>
        </urlset>
        "#);
        assert_eq!(
            robots(addresses),
            "User-agent: *\nAllow: /\n\nSitemap: https://docs.example/sub/sitemap.xml\n"
        );
    }
}
