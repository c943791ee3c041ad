//! When models are trained again.
//!
//! `@hourly`, `@daily` and `@weekly` count from the last time that a training was scheduled; a cron expression names
//! minutes of the clock, in UTC. A time that passes while the server is off, or while the model is being trained, is
//! made up for once.

use std::sync::Weak;
use std::time::Duration;

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, TimeDelta, Timelike, Utc};

use crate::platform::{Inner, Platform};
use crate::service::domain::{Model, ModelStatus};
use crate::store::StoreError;

/// How often the schedules are looked at.
const LOOK_INTERVAL: Duration = Duration::from_secs(5);

/// A date that matches comes within so many days, or never: 29 February on a given day of the week takes longest.
const DAYS_AHEAD: u64 = 41 * 366;

/// A train schedule, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    /// When the model is set up or changed, and never again.
    Once,
    Every(TimeDelta),
    At(Cron),
}

/// Minutes of the clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cron {
    minutes: Vec<bool>,
    hours: Vec<bool>,
    days: Vec<bool>,
    months: Vec<bool>,
    weekdays: Vec<bool>,
    /// Where both a day of the month and one of the week are named, either will do.
    either_day: bool,
}

impl Plan {
    /// Reads a schedule. The error is a sentence for its author.
    pub(crate) fn parse(text: &str) -> Result<Plan, String> {
        let every = |delta: TimeDelta| Ok(Plan::Every(delta));
        match text.trim() {
            "@once" => Ok(Plan::Once),
            "@hourly" => every(TimeDelta::hours(1)),
            "@daily" => every(TimeDelta::days(1)),
            "@weekly" => every(TimeDelta::weeks(1)),
            cron => Cron::parse(cron).map(Plan::At),
        }
    }

    /// The next time after one.
    pub(crate) fn next(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        match self {
            Plan::Once => None,
            Plan::Every(delta) => after.checked_add_signed(*delta),
            Plan::At(cron) => cron.next(after),
        }
    }
}

impl Cron {
    fn parse(text: &str) -> Result<Cron, String> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let [minute, hour, day, month, weekday] = fields.as_slice() else {
            return Err(format!(
                "'{text}' is no schedule: @once, @hourly, @daily, @weekly, or minute hour day month weekday in UTC, such as '30 4 * * *'"
            ));
        };
        let mut weekdays = field("weekday", weekday, 0, 7, &WEEKDAYS)?;
        // Sunday is 0 and 7.
        weekdays[0] |= weekdays[7];
        let cron = Cron {
            minutes: field("minute", minute, 0, 59, &[])?,
            hours: field("hour", hour, 0, 23, &[])?,
            days: field("day", day, 1, 31, &[])?,
            months: field("month", month, 1, 12, &MONTHS)?,
            weekdays,
            either_day: !day.starts_with('*') && !weekday.starts_with('*'),
        };
        let start = DateTime::<Utc>::UNIX_EPOCH;
        if cron.next(start).is_none() {
            return Err(format!("'{text}' names a day that never comes"));
        }
        Ok(cron)
    }

    fn matches_day(&self, date: NaiveDate) -> bool {
        let day = self.days[date.day() as usize];
        let weekday = self.weekdays[date.weekday().num_days_from_sunday() as usize];
        let days = if self.either_day {
            day || weekday
        } else {
            day && weekday
        };
        days && self.months[date.month() as usize]
    }

    fn next(&self, after: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let first = after.date_naive();
        for ahead in 0..DAYS_AHEAD {
            let date = first.checked_add_days(Days::new(ahead))?;
            if !self.matches_day(date) {
                continue;
            }
            for hour in (0..24_u32).filter(|hour| self.hours[*hour as usize]) {
                if ahead == 0 && hour < after.hour() {
                    continue;
                }
                for minute in (0..60_u32).filter(|minute| self.minutes[*minute as usize]) {
                    let time = date.and_time(NaiveTime::from_hms_opt(hour, minute, 0)?).and_utc();
                    if time > after {
                        return Some(time);
                    }
                }
            }
        }
        None
    }
}

const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const MONTHS: [&str; 12] = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
];

/// One field: `*`, values, ranges and steps, separated by commas. The place of a value in the answer is the value.
fn field(what: &str, text: &str, low: usize, high: usize, names: &[&str]) -> Result<Vec<bool>, String> {
    let wrong = || {
        format!(
            "the {what} '{text}' is not *, a number from {low} to {high}, a range a-b, a step */n, or a list of these"
        )
    };
    let value = |text: &str| -> Option<usize> {
        let named = names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let value = match named {
            Some(place) => place + low,
            None if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().ok()?,
            None => return None,
        };
        (low..=high).contains(&value).then_some(value)
    };
    let mut set = vec![false; high + 1];
    for part in text.split(',') {
        let (range, step) = match part.split_once('/') {
            Some((range, step)) => (range, Some(step.parse::<usize>().map_err(|_| wrong())?)),
            None => (part, None),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" => (low, high),
            Some((from, to)) => (value(from).ok_or_else(wrong)?, value(to).ok_or_else(wrong)?),
            None => {
                let from = value(range).ok_or_else(wrong)?;
                // As in Vixie's cron: 5/15 is from 5 on.
                (from, if step.is_some() { high } else { from })
            }
        };
        if from > to || step == Some(0) {
            return Err(wrong());
        }
        (from..=to)
            .step_by(step.unwrap_or(1))
            .for_each(|place| set[place] = true);
    }
    Ok(set)
}

/// Starts trainings as long as the platform lives.
pub(crate) async fn scheduler(platform: Weak<Inner>) {
    loop {
        tokio::time::sleep(LOOK_INTERVAL).await;
        let Some(platform) = platform.upgrade().map(Platform::of) else {
            return;
        };
        if let Err(error) = look(&platform, Utc::now()).await {
            tracing::error!(?error, "the schedules of models cannot be read");
        }
    }
}

/// Starts the trainings that are due.
async fn look(platform: &Platform, now: DateTime<Utc>) -> Result<(), StoreError> {
    for model in platform.models.models().await? {
        if is_due(&model, now)
            && let Some(job) = platform.models.retrain_model(model.id).await?
        {
            drop(super::start(platform, job));
        }
    }
    Ok(())
}

/// Whether a model is to be trained again. One that is being trained is not.
fn is_due(model: &Model, now: DateTime<Utc>) -> bool {
    let settled = matches!(model.status, ModelStatus::Active | ModelStatus::Error);
    let Ok(plan) = Plan::parse(&model.config.train_schedule.0) else {
        return false;
    };
    let Ok(last) = DateTime::parse_from_rfc3339(&model.scheduled_at) else {
        return false;
    };
    settled && plan.next(last.to_utc()).is_some_and(|next| next <= now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn next(schedule: &str, after: &str) -> String {
        let next = Plan::parse(schedule).unwrap().next(at(after));
        next.map(|next| next.format("%Y-%m-%d %H:%M").to_string())
            .unwrap_or_default()
    }

    #[test]
    fn schedules_name_the_next_training() {
        let friday = "2026-11-20T10:30:20Z";
        for (schedule, expected) in [
            ("@once", ""),
            ("@hourly", "2026-11-20 11:30"),
            ("@daily", "2026-11-21 10:30"),
            ("@weekly", "2026-11-27 10:30"),
            ("* * * * *", "2026-11-20 10:31"),
            ("30 * * * *", "2026-11-20 11:30"),
            ("30 4 * * *", "2026-11-21 04:30"),
            ("*/20 9-11 * * *", "2026-11-20 10:40"),
            ("0 0 1 * *", "2026-12-01 00:00"),
            ("0 12 * * mon,WED", "2026-11-23 12:00"),
            ("0 0 * * 7", "2026-11-22 00:00"),
            // Either day will do: the 21st is no Monday and before the next one.
            ("0 0 21 * 1", "2026-11-21 00:00"),
            ("0 0 29 feb *", "2028-02-29 00:00"),
            ("5/30 10 * * *", "2026-11-20 10:35"),
        ] {
            assert_eq!(next(schedule, friday), expected, "{schedule}");
        }
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for (schedule, said) in [
            ("", "no schedule"),
            ("@monthly", "no schedule"),
            ("* * * *", "no schedule"),
            ("60 * * * *", "the minute '60'"),
            ("* 24 * * *", "the hour '24'"),
            ("* * 0 * *", "the day '0'"),
            ("* * * 13 *", "the month '13'"),
            ("* * * * 8", "the weekday '8'"),
            ("*/0 * * * *", "the minute '*/0'"),
            ("5-1 * * * *", "the minute '5-1'"),
            ("1,,2 * * * *", "the minute '1,,2'"),
            ("-1 * * * *", "the minute '-1'"),
            ("0 0 30 2 *", "never comes"),
        ] {
            let refused = Plan::parse(schedule).unwrap_err();
            assert!(refused.contains(said), "{schedule}: {refused}");
        }
    }
}
