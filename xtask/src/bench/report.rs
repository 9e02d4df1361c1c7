//! The table.

use std::{fmt::Write as _, fs, process::Command, time::Duration};

use super::{
    Row,
    bars::{self, Bars},
    endurance::Endurance,
    figures::{Times, megabytes, millis, ratio},
};
use crate::project::Project;

const PAGE: &str = "docs/performance.md";
const BEGIN: &str = "<!-- measured: begin -->\n";
const END: &str = "<!-- measured: end -->\n";

pub fn text(rows: &[Row], endurance: &Endurance) -> String {
    let mut text = format!("Measured on {} on {}.\n\n", today(), machine());
    text.push_str(&table(rows));
    text.push_str("\nWhat `keywright` is held to, and what it needed:\n\n");
    text.push_str(&held(rows));
    text.push_str(&ratios(rows));
    _ = writeln!(
        text,
        "- {} edits of 5,000 lines: {} MB after a tenth of them, {} MB after all; {} threads, then {}; {:.2} s \
         computed in the second that begins one second after the last edit.",
        endurance.edits,
        megabytes(endurance.early),
        megabytes(endurance.late),
        endurance.threads.0,
        endurance.threads.1,
        endurance.at_rest,
    );
    text
}

fn table(rows: &[Row]) -> String {
    let mut text = "Milliseconds, the median and (behind the stroke) what 95 in 100 do not exceed.\n\n| Server | Lines | \
                    Start to `initialize` | Open to diagnostics | Edit to diagnostics | Completion | Hover | Symbols | \
                    Format | Peak memory, MB | `keywright`'s edit is faster |\n| --- | ---: | ---: | ---: | ---: | ---: \
                    | ---: | ---: | ---: | ---: | ---: |\n"
        .to_owned();
    for row in rows {
        let figures = &row.figures;
        let both = |times: &Times| format!("{} / {}", millis(times.p50()), millis(times.p95()));
        let lines = if row.files > 1 { format!("{} in {} files", row.lines, row.files) } else { row.lines.to_string() };
        let ours = rows.iter().find(|ours| ours.is_ours && ours.lines == row.lines && ours.files == row.files);
        let faster = ours.filter(|_| !row.is_ours).map(|ours| ratio(ours.figures.edit.p50(), figures.edit.p50()));
        _ = writeln!(
            text,
            "| {} | {lines} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.server,
            both(&figures.start),
            both(&figures.open),
            both(&figures.edit),
            both(&figures.completion),
            both(&figures.hover),
            both(&figures.symbols),
            both(&figures.format),
            megabytes(figures.peak),
            faster.unwrap_or_default(),
        );
    }
    text
}

/// Each bar beside what was measured.
fn held(rows: &[Row]) -> String {
    let mut text = "| Lines | What | Bar | Measured | Held |\n| ---: | --- | ---: | ---: | --- |\n".to_owned();
    for row in rows.iter().filter(|row| row.is_ours) {
        let lines = if row.files > 1 { format!("{} in {} files", row.lines, row.files) } else { row.lines.to_string() };
        let mut line = |what: &str, bar: String, measured: String, held: bool| {
            _ = writeln!(text, "| {lines} | {what} | {bar} | {measured} | {} |", if held { "yes" } else { "**no**" });
        };
        let figures = &row.figures;
        let Some(bars) = bars::of(row.lines, row.files) else {
            let requests = [&figures.completion, &figures.hover, &figures.symbols, &figures.format];
            let longest = requests.iter().filter_map(|times| times.percentile(100)).max();
            line(
                "longest request, p100",
                millis(Some(bars::STALL)),
                millis(longest),
                longest.is_some_and(|longest| longest <= bars::STALL),
            );
            continue;
        };
        let Bars { start, open, whole, edit, request, peak, check } = bars;
        let mut times = |what: &str, bar: u64, times: Option<Duration>| {
            let bar = Duration::from_micros(bar);
            line(what, millis(Some(bar)), millis(times), times.is_some_and(|time| time <= bar));
        };
        times("start to `initialize`, p50", *start, figures.start.p50());
        times("open to first diagnostics, p50", *open, figures.open.p50());
        if row.files > 1 {
            times("open to diagnostics of the whole model, p50", *whole, figures.whole.p50());
        }
        times("edit to diagnostics, p95", *edit, figures.edit.p95());
        times("completion, p95", *request, figures.completion.p95());
        times("hover, p95", *request, figures.hover.p95());
        if let Some(check) = check {
            times("`keywright check`, p50", *check, row.check.p50());
        }
        line("peak memory, MB", megabytes(*peak), megabytes(figures.peak), figures.peak <= *peak);
    }
    text
}

fn ratios(rows: &[Row]) -> String {
    let mut text = "\n".to_owned();
    let ours = |lines, files| rows.iter().find(|row| row.is_ours && row.lines == lines && row.files == files);
    let of = |row: &Row| row.figures.edit.p50();
    if let Some((middle, large)) = ours(5_000, 1).zip(ours(100_000, 200)) {
        _ = writeln!(
            text,
            "- An edit in 100,000 lines takes {} what it takes in 5,000 (p50; at most {}×).",
            ratio(of(middle), of(large)),
            bars::GROWTH
        );
    }
    let others = || rows.iter().filter(|row| !row.is_ours && row.lines == 5_000);
    if let Some((middle, fastest)) = ours(5_000, 1).zip(others().min_by_key(|row| of(row))) {
        _ = writeln!(
            text,
            "- At 5,000 lines the fastest of the others, {}, takes {} as long for an edit (p50; at least {}×).",
            fastest.server,
            ratio(of(middle), of(fastest)),
            bars::FASTER
        );
    }
    if let Some((middle, leanest)) = ours(5_000, 1).zip(others().min_by_key(|row| row.figures.peak)) {
        let (part, whole) = bars::LEANER;
        _ = writeln!(
            text,
            "- At 5,000 lines it holds {} MB at most, the leanest of the others, {}, {} MB (at most {part}/{whole} of \
             that).",
            megabytes(middle.figures.peak),
            leanest.server,
            megabytes(leanest.figures.peak),
        );
    }
    text
}

/// Puts the text where the page keeps it.
pub fn write(project: &Project, text: &str) -> Result<(), String> {
    let path = project.root.join(PAGE);
    let page = fs::read_to_string(&path).map_err(|error| format!("cannot read {PAGE}: {error}"))?;
    let parts = page.split_once(BEGIN).and_then(|(head, rest)| Some((head, rest.split_once(END)?.1)));
    let (head, tail) = parts.ok_or_else(|| format!("{PAGE} has lost its marks"))?;
    fs::write(&path, format!("{head}{BEGIN}\n{text}\n{END}{tail}"))
        .map_err(|error| format!("cannot write {PAGE}: {error}"))
}

fn today() -> String {
    let output = Command::new("date").arg("+%Y-%m-%d").output();
    output.map_or_else(|_| "?".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The processor, and how many cores of it.
fn machine() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("an unknown processor");
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    format!("{} ({cores} cores, {})", name.trim_start_matches([' ', '\t', ':']), std::env::consts::OS)
}
