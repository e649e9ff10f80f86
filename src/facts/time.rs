//! When was it? In the bundle's own time, which is sometimes a stamp, sometimes an age, sometimes a day without a year.

use jiff::{SignedDuration, Timestamp};

/// A moment as an artefact tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct When {
    /// The moment, where the artefact gives one or the bundle's time makes one of the age.
    pub at: Option<Timestamp>,
    /// Seconds before the command that printed it, as `kubectl describe` tells.
    pub ago: Option<i64>,
    /// Month, day and second of the day, of a log line without a year.
    pub yearless: Option<(i8, i8, i64)>,
    /// The moment by a clock that disagrees with the others: it compares with moments of its kind alone.
    pub elsewhere: Option<Timestamp>,
}

/// Sorts moments; see [`When::key`].
type Key = (Option<Timestamp>, Option<std::cmp::Reverse<i64>>, Option<(i8, i8, i64)>, Option<Timestamp>);

impl When {
    /// A full stamp.
    pub fn at(stamp: Timestamp) -> When {
        When { at: Some(stamp), ..When::default() }
    }

    /// An age.
    pub fn ago(seconds: i64) -> When {
        When { ago: Some(seconds), ..When::default() }
    }

    /// Whether this is later than `other`; none where the two cannot be compared.
    pub fn is_after(&self, other: &When) -> Option<bool> {
        self.seconds_after(other).map(|seconds| seconds > 0)
    }

    /// How many seconds this is later than `other`; none where the two cannot be compared. Days without a year are taken for
    /// those of one winter: January comes after December.
    pub fn seconds_after(&self, other: &When) -> Option<i64> {
        if let (Some(a), Some(b)) = (self.elsewhere, other.elsewhere) {
            return Some(a.duration_since(b).as_secs());
        }
        match (self.at, other.at, self.ago, other.ago, self.yearless, other.yearless) {
            (Some(a), Some(b), ..) => Some(a.duration_since(b).as_secs()),
            (_, _, Some(a), Some(b), ..) => Some(b - a),
            (.., Some((month, day, second)), Some((m, d, s))) => {
                let months = (i64::from(month) - i64::from(m) + 6).rem_euclid(12) - 6;
                Some((months * 31 + i64::from(day) - i64::from(d)) * 86_400 + second - s)
            }
            _ => None,
        }
    }

    /// A key that sorts by time as far as it is known; what is unknown sorts first.
    pub fn key(&self) -> Key {
        (self.at, self.ago.map(std::cmp::Reverse), self.yearless, self.elsewhere)
    }

    /// Fills in the moment from the bundle's time: ages count back from it, a day without a year is the last such day before it.
    pub(super) fn settle(&mut self, now: Option<Timestamp>) {
        let (None, Some(now)) = (self.at, now) else { return };
        if let Some(seconds) = self.ago {
            self.at = now.checked_sub(SignedDuration::from_secs(seconds)).ok();
        } else if let Some((month, day, second)) = self.yearless {
            let year = jiff::tz::Offset::UTC.to_datetime(now).year();
            // A node's clock may run a day ahead of the mark by its zone alone.
            let limit = now.checked_add(SignedDuration::from_hours(26)).unwrap_or(now);
            self.at = [year, year - 1].into_iter().find_map(|y| {
                let date = jiff::civil::Date::new(y, month, day).ok()?;
                let midnight = jiff::tz::Offset::UTC.to_timestamp(date.to_datetime(jiff::civil::Time::midnight())).ok()?;
                let stamp = midnight.checked_add(SignedDuration::from_secs(second)).ok()?;
                (stamp <= limit).then_some(stamp)
            });
        }
    }
}

/// Reads a stamp as Kubernetes, Go and journald write it: RFC 3339 with `T` or a blank, with zone `Z`, `+02:00` or `+0200`,
/// or Go's `2026-11-30 10:00:00 +0000 UTC`.
pub fn stamp(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(stamp) = text.parse() {
        return Some(stamp);
    }
    if !text.get(..4)?.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let fixed = text.trim_end_matches(" UTC").replacen(' ', "T", 1).replace(' ', "");
    if let Ok(stamp) = fixed.parse() {
        return Some(stamp);
    }
    let (body, zone) = fixed.split_at_checked(fixed.len().checked_sub(5)?)?;
    if zone.starts_with(['+', '-']) && zone.get(1..)?.bytes().all(|b| b.is_ascii_digit()) {
        return format!("{body}{}:{}", zone.get(..3)?, zone.get(3..)?).parse().ok();
    }
    format!("{fixed}Z").parse().ok()
}

/// Reads an age as kubectl prints it (`85s`, `3m12s`, `6h56m`, `41d`, `2y45d`), in seconds.
pub fn age(text: &str) -> Option<i64> {
    let mut total = 0i64;
    let mut number = String::new();
    for c in text.trim().chars() {
        if c.is_ascii_digit() {
            number.push(c);
            continue;
        }
        let unit = match c {
            's' => 1,
            'm' => 60,
            'h' => 3600,
            'd' => 86_400,
            'y' => 31_536_000,
            _ => return None,
        };
        total = total.checked_add(number.parse::<i64>().ok()?.checked_mul(unit)?)?;
        number.clear();
    }
    (number.is_empty() && !text.trim().is_empty()).then_some(total)
}

/// Reads what `date` prints: `Mon Nov 30 08:10:00 UTC 2026`, `Mon 30 Nov 2026 08:10:00 AM UTC`. Other zones than UTC are not
/// known by their letters.
pub fn date(text: &str) -> Option<Timestamp> {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.iter().find(|w| matches!(**w, "UTC" | "GMT" | "Z"))?;
    let month = words.iter().find_map(|w| month(w))?;
    let clock = words.iter().find(|w| w.matches(':').count() == 2)?;
    let year: i16 = words.iter().find(|w| w.len() == 4 && w.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
    let day: i8 = words.iter().find(|w| w.len() <= 2 && w.bytes().all(|b| b.is_ascii_digit()))?.parse().ok()?;
    let mut hours: i8 = clock.split(':').next()?.parse().ok()?;
    if words.contains(&"PM") && hours < 12 {
        hours += 12;
    } else if words.contains(&"AM") && hours == 12 {
        hours = 0;
    }
    let rest = clock.split_once(':')?.1;
    stamp(&format!("{year:04}-{month:02}-{day:02}T{hours:02}:{rest}Z"))
}

/// The time in the name of a bundle or the folder around it, `support-bundle-2026-11-28T10_17_45`. Its zone is that of
/// somebody's machine: it counts where it follows the newest stamp so closely that no other zone fits.
pub fn of_folder(name: &str, newest: Timestamp) -> Option<Timestamp> {
    let at = name.match_indices("20").map(|(at, _)| at).find_map(|at| {
        let text = name.get(at..at + 19)?;
        let (date, clock) = (text.get(..10)?, text.get(11..)?);
        let plain = text.get(10..11).is_some_and(|c| matches!(c, "T" | "_" | "-")) && clock.split(['_', '-', ':']).count() == 3;
        stamp(&format!("{date}T{}Z", clock.replace(['_', '-'], ":"))).filter(|_| plain)
    })?;
    let after = at.duration_since(newest);
    (after >= SignedDuration::ZERO && after < SignedDuration::from_mins(30)).then_some(at)
}

/// The last time that a path names, and whether it has a clock: `az-2026-11-28/vnet.json`, `2026-11-28T10_17_45`,
/// `20261128-1017`. Its zone is unknown: it only sorts files of one collector.
pub fn of_path(path: &str) -> Option<(Timestamp, bool)> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit()) && !text.is_empty();
    let read = |at: usize| {
        if path.get(..at)?.ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let rest = path.get(at..)?;
        let mark = rest.get(4..5)?;
        let (date, behind) = match (mark, rest.get(..10), rest.get(..8)) {
            ("-" | "_" | ".", Some(ten), _) => (ten.replace(['_', '.'], "-"), rest.get(10..)?),
            (_, _, Some(eight)) if digits(eight) => (format!("{}-{}-{}", eight.get(..4)?, eight.get(4..6)?, eight.get(6..)?), rest.get(8..)?),
            _ => return None,
        };
        let clock: String =
            behind.strip_prefix(['T', 't', '_', '-', ' ']).unwrap_or("").chars().take_while(|c| c.is_ascii_digit() || "_-:".contains(*c)).collect();
        let clock: String = clock.chars().filter(char::is_ascii_digit).collect();
        let of_day = match clock.len() {
            4 => format!("{}:{}:00", clock.get(..2)?, clock.get(2..)?),
            6 => format!("{}:{}:{}", clock.get(..2)?, clock.get(2..4)?, clock.get(4..)?),
            _ => "00:00:00".to_owned(),
        };
        Some((stamp(&format!("{date}T{of_day}Z"))?, matches!(clock.len(), 4 | 6)))
    };
    path.match_indices("20").filter_map(|(at, _)| read(at)).last()
}

/// The number of a month from its English abbreviation.
pub fn month(name: &str) -> Option<i8> {
    let names = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    names.iter().position(|n| *n == name).and_then(|i| i8::try_from(i + 1).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_of_every_writer() {
        let want: Timestamp = "2026-11-30T10:00:00Z".parse().unwrap();
        for text in [
            "2026-11-30T10:00:00Z",
            "2026-11-30T12:00:00+0200",
            "2026-11-30T12:00:00+02:00",
            "2026-11-30 10:00:00 +0000 UTC",
            "2026-11-30 10:00:00",
            "2026-11-30T10:00:00.000000000Z",
        ] {
            assert_eq!(stamp(text), Some(want), "{text}");
        }
        assert_eq!(stamp("yesterday"), None);
    }

    #[test]
    fn dates_of_the_shell() {
        let want = stamp("2026-11-30T20:10:00Z");
        assert_eq!(date("Mon Nov 30 20:10:00 UTC 2026"), want);
        assert_eq!(date("Mon 30 Nov 2026 08:10:00 PM UTC"), want);
        assert_eq!(date("Mon Nov 30 20:10:00 CET 2026"), None);
    }

    #[test]
    fn names_of_folders_hold_times() {
        let newest = stamp("2026-11-28T10:14:31Z").unwrap();
        assert_eq!(of_folder("support-bundle-2026-11-28T10_17_45/", newest), stamp("2026-11-28T10:17:45Z"));
        assert_eq!(of_folder("support-bundle-2026-11-28T11_17_45/", newest), None);
        assert_eq!(of_folder("host-2026-11-28_10_17_45", newest), stamp("2026-11-28T10:17:45Z"));
        assert_eq!(of_folder("20", newest), None);
    }

    #[test]
    fn paths_name_times() {
        let clock = |text: &str| stamp(text).map(|at| (at, true));
        assert_eq!(of_path("az/2026-11-28T10_17_45/vnet.json"), clock("2026-11-28T10:17:45Z"));
        assert_eq!(of_path("az-20261128-1017/vnet.json"), clock("2026-11-28T10:17:00Z"));
        assert_eq!(of_path("2026-11-28/az/vnet.json"), stamp("2026-11-28T00:00:00Z").map(|at| (at, false)));
        assert_eq!(of_path("aks-np1-26021144-vmss000000/10.20.0.4.txt"), None);
    }

    #[test]
    fn ages_of_kubectl() {
        assert_eq!(age("85s"), Some(85));
        assert_eq!(age("6h56m"), Some(24_960));
        assert_eq!(age("<unknown>"), None);
        assert_eq!(age(""), None);
    }

    #[test]
    fn a_day_without_a_year_is_the_last_one() {
        let mut when = When { yearless: Some((12, 31, 0)), ..When::default() };
        when.settle(Some("2026-01-02T00:00:00Z".parse().unwrap()));
        assert_eq!(when.at, Some("2025-12-31T00:00:00Z".parse().unwrap()));
    }
}
