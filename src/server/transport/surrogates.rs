//! Halves of surrogate pairs. An editor whose text is UTF-16 may hold one, and
//! JSON can write it (`"\ud83d"`), but no Rust string can hold it.

/// A message with U+FFFD for every lone half, `None` where it has none. U+FFFD
/// is one unit of UTF-16 as well, so that columns stay what they are.
pub fn replaced(body: &[u8]) -> Option<Vec<u8>> {
    let mut out: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(escape) = body[at..].iter().position(|byte| *byte == b'\\') {
        at += escape;
        match unit(body, at) {
            None => at += 2,
            Some(0xD800..=0xDBFF) if matches!(unit(body, at + 6), Some(0xDC00..=0xDFFF)) => at += 12,
            Some(unit) => {
                if matches!(unit, 0xD800..=0xDFFF) {
                    out.get_or_insert_with(|| body.to_vec())[at + 2..at + 6].copy_from_slice(b"fffd");
                }
                at += 6;
            }
        }
        if at >= body.len() {
            break;
        }
    }
    out
}

/// The unit of the escape `\uXXXX` that stands at a place.
fn unit(body: &[u8], at: usize) -> Option<u16> {
    let digits = body.get(at..at + 6)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok().filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a JSON string becomes, as UTF-16.
    fn text(json: &str) -> Option<Vec<u16>> {
        let replaced = replaced(json.as_bytes())?;
        Some(serde_json::from_slice::<String>(&replaced).unwrap().encode_utf16().collect())
    }

    #[test]
    fn lone_halves_are_replaced_unit_by_unit() {
        let gone = 0xFFFD;
        let (x, n) = (u16::from(b'x'), u16::from(b'\n'));
        for (json, units) in [
            (r#""\ud83d""#, vec![gone]),
            (r#""\uDE42""#, vec![gone]),
            (r#""\ud83dx\ude42""#, vec![gone, x, gone]),
            (r#""\ud83d\n\ude42""#, vec![gone, n, gone]),
            (r#""\ude42\ud83d""#, vec![gone, gone]),
            (r#""\ud83d\ud83d\ude42""#, vec![gone, 0xD83D, 0xDE42]),
            (r#""\ud83d\ude42\ude42""#, vec![0xD83D, 0xDE42, gone]),
            (r#""\\\ud83d\\""#, vec![u16::from(b'\\'), gone, u16::from(b'\\')]),
        ] {
            assert_eq!(text(json), Some(units), "{json}");
        }
    }

    #[test]
    fn what_holds_none_is_left() {
        for json in
            [r#""\ud83d\ude42 \u00e9 \n""#, r#""\\ud83d""#, r#""\\\\ude42""#, "\"🙂\"", "\"\\", "\"\\u", "\"\\ud83", ""]
        {
            assert_eq!(replaced(json.as_bytes()), None, "{json}");
        }
        assert_eq!(replaced(b"\\ud83d\\"), Some(b"\\ufffd\\".to_vec()));
    }
}
