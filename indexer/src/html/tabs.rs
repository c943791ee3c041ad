//! Tabs: `<tabs group="os">` around `<tab title="Linux">`. All panels are in the page with their titles; the row of
//! buttons is for scripts, which show one panel at a time.

use crate::markdown::slug::{Ids, slug};
use crate::markdown::titles;

/// The sets of tabs of a page.
#[derive(Debug, Default)]
pub(super) struct Tabs {
    sets: usize,
    open: Vec<Set>,
}

#[derive(Debug)]
struct Set {
    number: usize,
    /// Where the row of buttons goes.
    list_at: usize,
    /// The end of the last panel, or of the opening tag.
    end: usize,
    tabs: Vec<(String, String)>,
    /// Where the attributes of each panel end.
    panels: Vec<usize>,
    /// The one that is shown first, unless that is the first.
    shown: usize,
    ids: Ids,
}

impl Tabs {
    pub(super) fn start(&mut self, html: &mut String, group: Option<&str>) {
        self.sets += 1;
        html.push_str("<div class=\"tabs\"");
        if let Some(group) = group {
            html.push_str(&format!(" data-group=\"{}\"", slug(group)));
        }
        html.push('>');
        self.open.push(Set {
            number: self.sets,
            list_at: html.len(),
            end: html.len(),
            tabs: Vec::new(),
            panels: Vec::new(),
            shown: 0,
            ids: Ids::default(),
        });
    }

    /// Starts a panel; false if there is something between it and the one before it. `title` is escaped, and
    /// may have code in it.
    pub(super) fn start_tab(&mut self, html: &mut String, title: &str, is_shown_first: bool) -> bool {
        let Some(set) = self.open.last_mut() else {
            return true;
        };
        let is_next = html[set.end..].trim().is_empty();
        let name = set.ids.take_free(&slug(&titles::plain(title)));
        let title = titles::html_of_escaped(title);
        let id = format!("tab:{}:{}", set.number, set.tabs.len() + 1);
        html.push_str(&format!(
            "<section class=\"tab\" role=\"tabpanel\" id=\"{id}\" aria-labelledby=\"{id}:b\" data-tab=\"{name}\""
        ));
        set.panels.push(html.len());
        html.push_str(&format!(
            "><p class=\"tab-title\" data-only-without-js>{title}</p>\n"
        ));
        if is_shown_first {
            set.shown = set.tabs.len();
        }
        set.tabs.push((name, title));
        is_next
    }

    pub(super) fn end_tab(&mut self, html: &mut String) {
        html.push_str("</section>\n");
        if let Some(set) = self.open.last_mut() {
            set.end = html.len();
        }
    }

    /// Ends a set; false if it holds no tab, or something that is in none.
    pub(super) fn end(&mut self, html: &mut String) -> bool {
        let Some(set) = self.open.pop() else {
            return true;
        };
        let is_sound = !set.tabs.is_empty() && html[set.end..].trim().is_empty();
        let mut list = "<div role=\"tablist\" data-needs-js>".to_owned();
        for (index, (name, title)) in set.tabs.iter().enumerate() {
            let id = format!("tab:{}:{}", set.number, index + 1);
            let state = if index == set.shown {
                "aria-selected=\"true\""
            } else {
                "aria-selected=\"false\" tabindex=\"-1\""
            };
            list.push_str(&format!(
                "<button type=\"button\" role=\"tab\" id=\"{id}:b\" aria-controls=\"{id}\" {state} data-tab=\"{name}\">{title}</button>"
            ));
        }
        list.push_str("</div>\n");
        // As the scripts leave it that show another one than the first.
        if set.shown > 0 {
            for (index, at) in set.panels.iter().enumerate().rev() {
                if index != set.shown {
                    html.insert_str(*at, " data-off");
                }
            }
        }
        html.insert_str(set.list_at, &list);
        if set.shown > 0 {
            html.insert_str(set.list_at - 1, " data-ready");
        }
        html.push_str("</div>\n");
        is_sound
    }
}
