//! The form of a document: what holds for the documents of any model.

/// The cells of a table row, told apart as GitHub's parser does: a backslash
/// takes the character behind it along, wherever it stands.
pub fn cells(row: &str) -> usize {
    let mut pipes = 0;
    let mut chars = row.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                chars.next();
            }
            '|' => pipes += 1,
            _ => {}
        }
    }
    assert!(row.starts_with('|') && row.ends_with('|'), "{row}");
    pipes - 1
}

/// The lines of a document that are Markdown: of a fenced block the fences stay, as
/// lines of backticks, and what stands between them goes. Every fence is closed.
pub fn markdown_lines(text: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    for line in text.lines() {
        let ticks = &line[..line.len() - line.trim_start_matches('`').len()];
        match fence {
            Some(open) if line == open => fence = None,
            Some(_) => continue,
            None if ticks.len() >= 3 => fence = Some(ticks),
            None => {}
        }
        lines.push(line);
    }
    assert_eq!(fence, None, "a fence is open: {text}");
    lines
}

/// Checks the form of a document: line ends, tables, and blank lines around blocks.
pub fn check_form(text: &str) {
    assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "one final newline");
    assert!(!text.contains('\r') && !text.contains("\n\n\n"), "{text}");
    let lines: Vec<&str> = markdown_lines(text);
    let mut at = 0;
    while at < lines.len() {
        let line = lines[at];
        assert_eq!(line.trim_end(), line, "no blank at the end of a line");
        assert!(!line.chars().any(char::is_control), "{line:?}");
        if !line.starts_with('|') {
            if line.starts_with('#') {
                assert!(at == 0 || lines[at - 1].is_empty(), "a blank line above {line}");
                assert!(lines.get(at + 1).is_none_or(|next| next.is_empty()), "a blank line below {line}");
            }
            at += 1;
            continue;
        }
        assert!(lines[at - 1].is_empty(), "a blank line above the table {line}");
        let width = cells(line);
        let delimiter = lines[at + 1];
        assert!(delimiter.chars().all(|c| c == '|' || c == '-'), "{delimiter}");
        while at < lines.len() && lines[at].starts_with('|') {
            assert_eq!(cells(lines[at]), width, "{}", lines[at]);
            at += 1;
        }
        assert!(lines.get(at).is_none_or(|next| next.is_empty()), "a blank line below the table");
    }
}
