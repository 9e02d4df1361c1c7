//! The frames of the protocol: headers, an empty line, a body of so many bytes.

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// A line of headers longer than this is no header.
const LONGEST_LINE: u64 = 16 * 1024;

/// A length above this is taken for a lie: the largest document that is read
/// stays below it, with every byte escaped.
const LONGEST_BODY: u64 = 256 * 1024 * 1024;

#[derive(Debug, PartialEq, Eq)]
pub enum Frame {
    Body(Vec<u8>),
    /// Something that is no frame was passed over.
    Malformed,
}

/// Reads the next frame; `None` at the end of the input. Headers are read in
/// any case. After garbage the next line that holds a `Content-Length` begins
/// a frame again.
pub fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Frame>> {
    let mut length: Option<u64> = None;
    let mut headers = 0;
    loop {
        let mut line = Vec::new();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_ascii();
        if line.is_empty() {
            match length {
                Some(length) => return read_body(input, length).map(Some),
                // Empty lines between frames do no harm.
                None if headers == 0 => continue,
                None => return Ok(Some(Frame::Malformed)),
            }
        }
        headers += 1;
        match content_length(line) {
            Some(Ok((found, clean))) => {
                length = Some(found);
                if !clean {
                    // The line began with something else: what it was is lost,
                    // the frame behind it is not.
                    headers = 1;
                }
            }
            Some(Err(())) => length = None,
            None => {}
        }
    }
}

/// The value of a `Content-Length` anywhere in a line, and whether the line
/// holds nothing else.
fn content_length(line: &[u8]) -> Option<Result<(u64, bool), ()>> {
    const NAME: &[u8] = b"content-length";
    let at = line.windows(NAME.len()).rposition(|window| window.eq_ignore_ascii_case(NAME))?;
    let value = line[at + NAME.len()..].trim_ascii_start().strip_prefix(b":")?;
    let number = std::str::from_utf8(value.trim_ascii()).ok().and_then(|value| value.parse().ok());
    Some(number.map(|number| (number, at == 0)).ok_or(()))
}

fn read_body(input: &mut impl BufRead, length: u64) -> io::Result<Frame> {
    if length > LONGEST_BODY {
        // Told at once. Waiting for so many bytes might never end; what comes
        // is garbage up to the next header.
        return Ok(Frame::Malformed);
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length).read_to_end(&mut bytes)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Frame::Body(bytes))
}

/// Writes one frame and lets it go.
pub fn write_frame(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    write!(output, "Content-Length: {}\r\n\r\n", body.len())?;
    output.write_all(&body)?;
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(mut input: &[u8]) -> Vec<Option<String>> {
        let mut frames = Vec::new();
        while let Ok(Some(frame)) = read_frame(&mut input) {
            frames.push(match frame {
                Frame::Body(body) => Some(String::from_utf8_lossy(&body).into_owned()),
                Frame::Malformed => None,
            });
        }
        frames
    }

    #[test]
    fn headers_come_in_any_case_and_order() {
        let input = b"Content-Length: 2\r\n\r\n{}content-length:2\r\n\r\n[]\
            CONTENT-TYPE: application/vscode-jsonrpc\r\nX: y\r\nCONTENT-LENGTH :  1 \r\n\r\n1Content-Length: 0\n\n";
        assert_eq!(frames(input), [Some("{}".into()), Some("[]".into()), Some("1".into()), Some(String::new())]);
    }

    #[test]
    fn garbage_is_passed_over() {
        let good = "Content-Length: 2\r\n\r\n{}";
        for garbage in
            ["\r\n\r\n", "nonsense", "nonsense\r\n", "{\"a\":1}", "Content-Length: x\r\n\r\n", "X: 1\r\n\r\n"]
        {
            let input = format!("{garbage}{good}{good}");
            let found: Vec<String> = frames(input.as_bytes()).into_iter().flatten().collect();
            assert_eq!(found, ["{}", "{}"], "{garbage:?}");
        }
        assert_eq!(frames(b"Content-Length: -1\r\n\r\n"), [None]);
        let body = format!("{{\"text\":\"Content-Length: 1\\r\\n\\r\\n{}\"}}", "x".repeat(3 * LONGEST_LINE as usize));
        for length in ["268435457", "99999999999", "18446744073709551615", "99999999999999999999999"] {
            for rest in ["", "{}", &body] {
                let input = format!("Content-Length: {length}\r\n\r\n{rest}{good}{good}");
                assert_eq!(
                    frames(input.as_bytes()),
                    [None, Some("{}".into()), Some("{}".into())],
                    "{length} {rest:.9}"
                );
            }
        }
        assert_eq!(frames(b"Content-Length: 99\r\n\r\n{}"), []);
    }

    #[test]
    fn what_is_written_can_be_read() {
        let mut out = Vec::new();
        write_frame(&mut out, &serde_json::json!({"é": 1})).unwrap();
        assert_eq!(frames(&out), [Some("{\"é\":1}".into())]);
    }
}
