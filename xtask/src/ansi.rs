//! A terminal's output as an SVG picture.

use std::fmt::Write as _;

/// How wide the terminal is: what is longer goes on in the next line.
pub const COLUMNS: usize = 110;

const FONT_SIZE: f32 = 14.0;
const COLUMN: f32 = 8.4;
const LINE: f32 = 19.0;
const MARGIN: f32 = 18.0;
const TITLE_BAR: f32 = 34.0;
const BACKGROUND: &str = "#1e222a";
const FOREGROUND: &str = "#d7dae0";
/// Black, red, green, yellow, blue, magenta, cyan, white; then the bright ones.
const PALETTE: [&str; 16] = [
    "#5c6370", "#f0717b", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#d7dae0", "#7f848e", "#ff8790",
    "#b5e08f", "#f5d08b", "#82c7ff", "#dd9cf0", "#7fdbe6", "#ffffff",
];

#[derive(Clone, Default, Debug, PartialEq)]
struct Style {
    colour: Option<String>,
    ground: Option<String>,
    reversed: bool,
    bold: bool,
    italic: bool,
    underline: bool,
}

impl Style {
    /// The colours of the characters and of what is behind them, where they are not
    /// the terminal's own.
    fn grounds(&self) -> (Option<&str>, Option<&str>) {
        let (colour, ground) = (self.colour.as_deref(), self.ground.as_deref());
        if self.reversed { (ground.or(Some(BACKGROUND)), colour.or(Some(FOREGROUND))) } else { (colour, ground) }
    }
}

/// A run of characters in one style, from a column on.
#[derive(Debug, PartialEq)]
struct Run {
    column: usize,
    style: Style,
    text: String,
}

/// Draws a terminal in which `command` was entered and has printed `output`.
pub fn to_svg(command: &str, output: &str) -> String {
    let prompt = format!("\u{1b}[1;32m$\u{1b}[0m {command}\n");
    let lines = parse(&format!("{prompt}{}", output.trim_end()));
    draw(command, &lines)
}

/// Draws the whole screen of a program that `title` names.
pub fn screen_to_svg(title: &str, screen: &str) -> String {
    draw(title, &parse(screen.trim_end_matches('\n')))
}

fn draw(label: &str, lines: &[Vec<Run>]) -> String {
    let columns = lines.iter().flatten().map(|run| run.column + run.text.chars().count()).max().unwrap_or(0);
    let width = 2.0 * MARGIN + columns as f32 * COLUMN;
    let height = TITLE_BAR + MARGIN + lines.len() as f32 * LINE;

    let mut svg = String::new();
    _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">",
        escape(label)
    );
    _ = writeln!(svg, "<rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>");
    for (place, colour) in ["#f0717b", "#e5c07b", "#98c379"].into_iter().enumerate() {
        _ = writeln!(svg, "<circle cx=\"{}\" cy=\"18\" r=\"5.5\" fill=\"{colour}\"/>", 22 + place * 19);
    }
    _ = writeln!(
        svg,
        "<g font-family=\"ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace\" \
         font-size=\"{FONT_SIZE}\" fill=\"{FOREGROUND}\">"
    );
    for (row, line) in lines.iter().enumerate() {
        let y = TITLE_BAR + (row as f32 + 0.8) * LINE;
        for run in line {
            let Some(ground) = run.style.grounds().1 else { continue };
            let (x, top) = (MARGIN + run.column as f32 * COLUMN, TITLE_BAR + row as f32 * LINE);
            let width = run.text.chars().count() as f32 * COLUMN;
            _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{LINE:.1}\" fill=\"{ground}\"/>"
            );
        }
        for run in line.iter().filter(|run| !run.text.trim().is_empty()) {
            let text = run.text.trim_start();
            let x = MARGIN + (run.column + run.text.chars().count() - text.chars().count()) as f32 * COLUMN;
            // The length is given, so that columns meet in whatever font is there.
            let text = text.trim_end();
            let length = text.chars().count() as f32 * COLUMN;
            let Style { bold, italic, underline, .. } = &run.style;
            let (colour, _) = run.style.grounds();
            _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" textLength=\"{length:.1}\"");
            if let Some(colour) = colour {
                _ = write!(svg, " fill=\"{colour}\"");
            }
            for (set, attribute) in [
                (*bold, " font-weight=\"bold\""),
                (*italic, " font-style=\"italic\""),
                (*underline, " text-decoration=\"underline\""),
            ] {
                svg.push_str(if set { attribute } else { "" });
            }
            // SVG folds spaces, but not those that do not break.
            _ = writeln!(svg, ">{}</text>", escape(text).replace(' ', "\u{a0}"));
        }
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// Lines of styled runs. Of the escape sequences only colours and weights mean
/// something; hyperlinks and all others are left out.
fn parse(text: &str) -> Vec<Vec<Run>> {
    let mut lines = vec![Vec::<Run>::new()];
    let mut style = Style::default();
    let mut column = 0;
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\n' => {
                lines.push(Vec::new());
                column = 0;
            }
            '\r' => {}
            '\u{1b}' => match characters.next() {
                Some('[') => {
                    let mut numbers = String::new();
                    let end = characters.by_ref().find(|&c| {
                        numbers.push(c);
                        ('@'..='~').contains(&c)
                    });
                    if end == Some('m') {
                        numbers.pop();
                        apply(&mut style, &numbers);
                    }
                }
                // An operating-system command ends with a bell or ESC \.
                Some(']') => {
                    let mut before = ' ';
                    characters.by_ref().find(|&c| {
                        let ends = c == '\u{7}' || (before == '\u{1b}' && c == '\\');
                        before = c;
                        ends
                    });
                }
                _ => {}
            },
            _ => {
                if column == COLUMNS {
                    lines.push(Vec::new());
                    column = 0;
                }
                let line = lines.last_mut().expect("there is a line");
                match line.last_mut() {
                    Some(run) if run.style == style => run.text.push(character),
                    _ => line.push(Run { column, style: style.clone(), text: character.to_string() }),
                }
                column += 1;
            }
        }
    }
    lines
}

/// Applies a "select graphic rendition" sequence.
fn apply(style: &mut Style, sequence: &str) {
    let mut numbers = Vec::new();
    for number in sequence.split(';') {
        // What stands behind a colon is of the number before it: `4:3` is a curly
        // underline, `38:2::255:0:0` a colour.
        let parts: Vec<&str> = number.split(':').collect();
        match parts[..] {
            ["4", kind] => numbers.push(if kind == "0" { 24 } else { 4 }),
            [first, "2", .., red, green, blue] if parts.len() > 4 => {
                numbers.extend([first, "2", red, green, blue].map(|part| part.parse().unwrap_or(0)));
            }
            _ => numbers.extend(parts.iter().map(|part| part.parse::<u16>().unwrap_or(0))),
        }
    }
    let mut rest = numbers.as_slice();
    while let [first, after @ ..] = rest {
        rest = after;
        let plain = |base: u16| Some(PALETTE[usize::from(first - base)].to_string());
        match *first {
            0 => *style = Style::default(),
            1 => style.bold = true,
            3 => style.italic = true,
            4 => style.underline = true,
            7 => style.reversed = true,
            22 => style.bold = false,
            23 => style.italic = false,
            24 => style.underline = false,
            27 => style.reversed = false,
            30..=37 => style.colour = plain(30),
            40..=47 => style.ground = plain(40),
            90..=97 => style.colour = plain(82),
            100..=107 => style.ground = plain(92),
            39 => style.colour = None,
            49 => style.ground = None,
            // The third is the colour of the line below, which is that of the text here.
            38 | 48 | 58 => {
                let (colour, after) = match rest {
                    [5, number, after @ ..] => (Some(indexed(*number)), after),
                    [2, red, green, blue, after @ ..] => (Some(format!("#{red:02x}{green:02x}{blue:02x}")), after),
                    _ => continue,
                };
                rest = after;
                match first {
                    38 => style.colour = colour,
                    48 => style.ground = colour,
                    _ => {}
                }
            }
            _ => {}
        }
    }
}

/// One of a terminal's 256 colours.
fn indexed(number: u16) -> String {
    match number {
        0..=15 => PALETTE[usize::from(number)].to_string(),
        16..=231 => {
            let level = |step: u16| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = number - 16;
            format!("#{:02x}{:02x}{:02x}", level(cube / 36), level(cube / 6 % 6), level(cube % 6))
        }
        _ => {
            let grey = 8 + 10 * (number.min(255) - 232);
            format!("#{grey:02x}{grey:02x}{grey:02x}")
        }
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_keep_their_columns_and_styles() {
        let lines = parse("\u{1b}[1;31merror\u{1b}[0m: <é>\n\u{1b}[38;5;208mx\u{1b}[39my");
        let runs: Vec<_> = lines
            .iter()
            .flatten()
            .map(|run| (run.column, run.text.as_str(), run.style.colour.as_deref(), run.style.bold))
            .collect();
        assert_eq!(
            runs,
            [
                (0, "error", Some("#f0717b"), true),
                (5, ": <é>", None, false),
                (0, "x", Some("#ff8700"), false),
                (1, "y", None, false),
            ]
        );
    }

    #[test]
    fn a_screen_has_what_is_behind_its_text() {
        let screen =
            "\u{1b}[48;2;1;2;3mab\u{1b}[0m\u{1b}[7mc\u{1b}[27;41m \u{1b}[0m\n\u{1b}[4:3;58:2::255:0:0mx\u{1b}[4:0my\n";
        let lines = parse(screen);
        assert_eq!(lines[0][0].style.grounds(), (None, Some("#010203")));
        assert_eq!(lines[0][1].style.grounds(), (Some(BACKGROUND), Some(FOREGROUND)));
        assert_eq!(lines[0][2].style.grounds(), (None, Some("#f0717b")));
        let underlined: Vec<bool> = lines[1].iter().map(|run| run.style.underline).collect();
        assert_eq!(underlined, [true, false]);
        let svg = screen_to_svg("editor", screen);
        assert_eq!(svg.matches("<rect x=").count(), 3, "{svg}");
        assert_eq!(svg.matches("text-decoration").count(), 1, "{svg}");
    }

    #[test]
    fn a_long_line_goes_on_in_the_next() {
        let lines = parse(&"x".repeat(COLUMNS + 3));
        assert_eq!(lines.iter().map(|line| line[0].text.len()).collect::<Vec<_>>(), [COLUMNS, 3]);
    }

    #[test]
    fn links_leave_only_their_text() {
        let lines = parse("\u{1b}]8;;keywright:rule\u{1b}\\name\u{1b}]8;;\u{7}!");
        assert_eq!(lines[0].iter().map(|run| run.text.as_str()).collect::<String>(), "name!");
    }

    #[test]
    fn markup_is_escaped() {
        assert!(to_svg("a < b", "c & d").contains("c\u{a0}&amp;\u{a0}d"));
    }
}
