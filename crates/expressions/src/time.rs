//! Timestamps as whole seconds since 1970-01-01T00:00:00Z, to and from text.

/// Seconds since the epoch of a text such as `2026-03-01`, `2026-03-01 12:30` or `2026-03-01T12:30:05.5+02:00`.
///
/// Without a zone the text is UTC. A fraction of a second is dropped.
pub(crate) fn parse(text: &str) -> Option<i64> {
    let mut rest = Reader(text.trim().as_bytes());
    let year_sign = if rest.take(b'-') { -1 } else { 1 };
    let year = rest.digits(4, 6)? * year_sign;
    rest.expect(b'-')?;
    let month = rest.digits(1, 2)?;
    rest.expect(b'-')?;
    let day = rest.digits(1, 2)?;
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    let midnight = days_from_civil(year, month, day) * 86_400;
    if rest.0.is_empty() {
        return Some(midnight);
    }
    if !(rest.take(b' ') || rest.take(b'T') || rest.take(b't')) {
        return None;
    }
    let hour = rest.digits(2, 2)?;
    rest.expect(b':')?;
    let minute = rest.digits(2, 2)?;
    let mut second = 0;
    if rest.take(b':') {
        second = rest.digits(2, 2)?;
        if rest.take(b'.') {
            rest.digits(1, 9)?;
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    rest.take(b' ');
    let zone = if rest.0.is_empty() || rest.take(b'Z') || rest.take(b'z') {
        0
    } else {
        let sign = if rest.take(b'+') {
            1
        } else {
            rest.expect(b'-')?;
            -1
        };
        let hours = rest.digits(2, 2)?;
        rest.take(b':');
        let minutes = if rest.0.is_empty() { 0 } else { rest.digits(2, 2)? };
        if hours > 15 || minutes > 59 {
            return None;
        }
        sign * (hours * 3_600 + minutes * 60)
    };
    rest.0
        .is_empty()
        .then_some(midnight + hour * 3_600 + minute * 60 + second - zone)
}

/// `2026-03-01 12:30:05`, in UTC.
pub(crate) fn print(seconds: i64) -> String {
    let (days, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = civil_from_days(days);
    format!(
        "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}",
        second / 3_600,
        second / 60 % 60,
        second % 60
    )
}

struct Reader<'t>(&'t [u8]);

impl Reader<'_> {
    fn take(&mut self, byte: u8) -> bool {
        match self.0.split_first() {
            Some((first, rest)) if *first == byte => {
                self.0 = rest;
                true
            }
            _ => false,
        }
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.take(byte).then_some(())
    }

    fn digits(&mut self, least: usize, most: usize) -> Option<i64> {
        let count = self
            .0
            .iter()
            .take(most)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if count < least {
            return None;
        }
        let (digits, rest) = self.0.split_at(count);
        self.0 = rest;
        Some(
            digits
                .iter()
                .fold(0, |number, digit| number * 10 + i64::from(digit - b'0')),
        )
    }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so that the leap day is
/// the last one of its year; 146,097 days are 400 years.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let day_of_year = (153 * month_from_march + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days.saturating_add(719_468);
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + i64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_seconds() {
        for (text, expected) in [
            ("1970-01-01", Some(0)),
            ("2000-02-29T12:00:00Z", Some(951_825_600)),
            ("2026-03-01 12:30", Some(1_772_368_200)),
            ("2026-03-01T12:30:05.25+02:00", Some(1_772_361_005)),
            ("1969-12-31 23:59:59", Some(-1)),
            ("1900-02-29", None),
            ("2026-13-01", None),
            ("2026-01-01x", None),
            ("2026-01-01T24:00:00", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(parse(text), expected, "{text}");
        }
    }

    #[test]
    fn printing_and_parsing_are_inverse() {
        for seconds in (-62_000_000_000_i64..200_000_000_000).step_by(86_400 * 37 + 4_321) {
            assert_eq!(parse(&print(seconds)), Some(seconds), "{}", print(seconds));
        }
        // Far outside the calendar nothing overflows.
        print(i64::MAX);
        print(i64::MIN);
    }
}
