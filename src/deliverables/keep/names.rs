//! Names of parts as they stand in marks. Names hold what users call their tables:
//! blanks, `--` and `>` would end an HTML comment or break the mark in two.

/// A name without anything that means something in a comment: letters, digits and
/// `. _ / : -` stay, all else is `%XX`, byte by byte. Different names stay
/// different.
pub(super) fn encoded(name: &str) -> String {
    if name.is_empty() {
        return String::from("%");
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        let stays = match c {
            // Two in a row end a comment in some parsers.
            '-' => !out.ends_with('-'),
            '.' | '_' | '/' | ':' => true,
            c => c.is_alphanumeric(),
        };
        if stays {
            out.push(c);
        } else {
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(|byte| format!("%{byte:02X}")));
        }
    }
    out
}

/// The name that a mark means. What is no encoding, since somebody wrote it by
/// hand, means itself.
pub(super) fn decoded(name: &str) -> String {
    if name == "%" {
        return String::new();
    }
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        if *first == b'%'
            && let (Some(high), Some(low)) = (digit(0), digit(1))
        {
            bytes.push((high * 16 + low) as u8);
            rest = &after[2..];
        } else {
            bytes.push(*first);
            rest = after;
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| name.to_owned())
}
