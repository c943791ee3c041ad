//! `feed.xml`: the pages that changed last, as RSS.

use super::{Addresses, Entry, xml};

/// How many changes the feed has.
const MOST: usize = 50;

const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

/// The newest changes first; those of one day in the order of reading. The pages are those of a language, and the feed is at `path`.
pub(super) fn feed(addresses: Addresses<'_>, entries: &[Entry<'_>], language: &str, path: &str) -> String {
    let mut changes: Vec<(&Entry<'_>, &str)> = entries
        .iter()
        .filter_map(|entry| Some((entry, entry.last_change?)))
        .collect();
    changes.sort_by(|a, b| b.1.cmp(a.1));
    changes.truncate(MOST);
    let site = addresses.site;
    let title = xml(&site.title);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\"><channel>\n\
         <title>{title}: changes</title>\n<link>{}</link>\n<description>{}</description>\n<language>{}</language>\n\
         <atom:link href=\"{}\" rel=\"self\" type=\"application/rss+xml\"/>\n",
        xml(&addresses.of("/")),
        xml(site.tagline.as_deref().unwrap_or(&site.title)),
        xml(language),
        xml(&addresses.of(path)),
    );
    for (entry, date) in changes {
        let address = xml(&addresses.of(entry.path));
        let published = rfc_822(date).map_or_else(String::new, |date| format!("<pubDate>{date}</pubDate>"));
        let about = match entry.description {
            "" => String::new(),
            about => format!("<description>{}</description>", xml(about)),
        };
        // A change is another thing than the page: readers are told of the next one too.
        text.push_str(&format!(
            "<item><title>{}</title><link>{address}</link><guid isPermaLink=\"false\">{address}@{}</guid>{published}{about}</item>\n",
            xml(entry.title),
            xml(date),
        ));
    }
    text.push_str("</channel></rss>\n");
    text
}

/// `2026-11-21` as `Sat, 21 Nov 2026 00:00:00 GMT`.
fn rfc_822(date: &str) -> Option<String> {
    let mut parts = date.split('-').map(|part| part.parse::<u32>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let month_name = MONTHS.get(usize::try_from(month).ok()?.checked_sub(1)?)?;
    let weekday = DAYS[usize::try_from(weekday(year, month, day)).ok()?];
    Some(format!("{weekday}, {day:02} {month_name} {year} 00:00:00 GMT"))
}

/// The day of the week, Sunday is 0. January and February count as months of the year before.
fn weekday(year: u32, month: u32, day: u32) -> u32 {
    let (year, month) = if month < 3 {
        (year - 1, month + 12)
    } else {
        (year, month)
    };
    // Zeller's congruence, whose week starts with Saturday.
    let saturday_first = (day + 13 * (month + 1) / 5 + year + year / 4 - year / 100 + year / 400) % 7;
    (saturday_first + 6) % 7
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::tests::{entries, site, texts};

    #[test]
    fn the_newest_change_comes_first() {
        let site = site();
        let texts = texts();
        let reversed: Vec<Entry<'_>> = entries(&texts).into_iter().rev().collect();
        let feed = feed(Addresses { site: &site }, &reversed, "en", "feed.xml");
        insta::assert_snapshot!(feed, @r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
        <title>Site &amp; co: changes</title>
        <link>https://docs.example/sub/</link>
        <description>All of it</description>
        <language>en</language>
        <atom:link href="https://docs.example/sub/feed.xml" rel="self" type="application/rss+xml"/>
        <item><title>X &lt;1&gt;</title><link>https://docs.example/sub/docs/a/x</link><guid isPermaLink="false">https://docs.example/sub/docs/a/x@2026-11-21</guid><pubDate>Sat, 21 Nov 2026 00:00:00 GMT</pubDate><description>What X is.</description></item>
        <item><title>Y</title><link>https://docs.example/sub/docs/a/gr%C3%B6%C3%9Fe%20y</link><guid isPermaLink="false">https://docs.example/sub/docs/a/gr%C3%B6%C3%9Fe%20y@2026-11-20</guid><pubDate>Fri, 20 Nov 2026 00:00:00 GMT</pubDate></item>
        </channel></rss>
        "#);
    }

    #[test]
    fn days_have_names() {
        for (date, expected) in [
            ("2000-02-29", "Tue, 29 Feb 2000 00:00:00 GMT"),
            ("2024-01-01", "Mon, 01 Jan 2024 00:00:00 GMT"),
            ("2026-12-31", "Thu, 31 Dec 2026 00:00:00 GMT"),
        ] {
            assert_eq!(rfc_822(date).as_deref(), Some(expected));
        }
        for broken in ["", "2026", "2026-13-01", "2026-00-01", "x-y-z"] {
            assert_eq!(rfc_822(broken), None);
        }
    }
}
