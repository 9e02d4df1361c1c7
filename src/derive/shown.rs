//! The value of an expression as it is written: whether `=` or `≈` stands behind
//! it follows from the numbers that a reader sees, not from those that they were
//! rounded from.

/// The bounds of an expression computed from its text; `None` where it is none.
///
/// What stands in backticks, words, and a parenthesis in which nothing is computed
/// are remarks. `≤ 20 (at least 5)`, `at least 5` and `unknown` are numbers of which
/// only bounds are known. Of a chain the last link counts: `9 B → 3 units × 2`.
pub(super) fn value(expression: &str) -> Option<(f64, f64)> {
    let last = expression.rfind(['→', '=', '≈']).map_or(expression, |at| &expression[at..]);
    let mut reader = Reader { rest: last.trim_start_matches(['→', '=', '≈']) };
    let value = reader.sum()?;
    reader.skip_remarks();
    reader.rest.is_empty().then_some((value.low, value.high))
}

#[derive(Clone, Copy)]
struct Bounds {
    low: f64,
    high: f64,
}

struct Reader<'t> {
    rest: &'t str,
}

const OPERATORS: [char; 4] = ['+', '−', '×', '÷'];

impl Reader<'_> {
    fn sum(&mut self) -> Option<Bounds> {
        let mut left = self.product()?;
        while let Some(operator) = self.operator(&['+', '−']) {
            let right = self.product()?;
            left = match operator {
                '+' => Bounds { low: left.low + right.low, high: left.high + right.high },
                _ => Bounds { low: (left.low - right.high).max(0.0), high: left.high - right.low },
            };
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Bounds> {
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let mut left = self.operand()?;
        while let Some(operator) = self.operator(&['×', '÷']) {
            let right = self.operand()?;
            left = match operator {
                '×' => Bounds { low: times(left.low, right.low), high: times(left.high, right.high) },
                // Not times one divided by it, which rounds once more.
                _ => Bounds {
                    low: left.low / right.high,
                    high: if left.high == 0.0 { 0.0 } else { left.high / right.low },
                },
            };
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Bounds> {
        self.skip_remarks();
        if self.takes("min(") {
            let mut least = self.sum()?;
            while self.takes(",") {
                let other = self.sum()?;
                least = Bounds { low: least.low.min(other.low), high: least.high.min(other.high) };
            }
            return self.takes(")").then_some(least);
        }
        if self.takes("(") {
            let value = self.sum()?;
            self.skip_remarks();
            return self.takes(")").then_some(value);
        }
        if self.takes("unknown") {
            return Some(Bounds { low: 0.0, high: f64::INFINITY });
        }
        if self.takes("at least ") {
            return Some(Bounds { low: self.number()?, high: f64::INFINITY });
        }
        if !self.takes("≤ ") {
            return self.number().map(|number| Bounds { low: number, high: number });
        }
        let high = self.number()?;
        self.skip_remarks();
        let low = if self.takes("(at least ") { self.number() } else { Some(0.0) };
        if let Some(end) = self.rest.find(')').filter(|_| low != Some(0.0)) {
            self.rest = &self.rest[end + 1..];
        }
        Some(Bounds { low: low?, high })
    }

    /// `1,024`, `0.5`, `$11.66`, `$0.125/M`, `50 %`, with what it is a number of.
    fn number(&mut self) -> Option<f64> {
        self.takes("$");
        let bytes = self.rest.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let mut end = 0;
        while digit(end) || (end > 0 && matches!(bytes.get(end), Some(b',' | b'.')) && digit(end + 1)) {
            end += 1;
        }
        let number: f64 = self.rest[..end].replace(',', "").parse().ok()?;
        self.rest = &self.rest[end..];
        if self.takes(" %") {
            return Some(number / 100.0);
        }
        Some(if self.takes("/M") { number / 1e6 } else { number })
    }

    fn operator(&mut self, operators: &[char]) -> Option<char> {
        self.skip_remarks();
        let operator = self.rest.chars().next().filter(|c| operators.contains(c))?;
        self.rest = &self.rest[operator.len_utf8()..];
        Some(operator)
    }

    fn takes(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => self.rest = rest,
            None => return false,
        }
        true
    }

    fn skip_remarks(&mut self) {
        loop {
            self.rest = self.rest.trim_start_matches([' ', '*', '/']);
            let rest = self.rest;
            let word = rest.find(|c: char| !(c.is_alphanumeric() || c == '-')).unwrap_or(rest.len());
            let skipped = match rest.chars().next() {
                Some('`') => rest[1..].find('`').map(|end| end + 2),
                Some('(') => remark(rest),
                // The size of a block is no factor.
                _ if rest.starts_with("of 4 KB") || rest.starts_with("of 1 KB") => Some(7),
                Some(c) if c.is_alphabetic() => {
                    let counts = ["min(", "unknown", "at least "].iter().any(|start| rest.starts_with(start));
                    (!counts).then_some(word)
                }
                _ => None,
            };
            match skipped {
                Some(length) => self.rest = &rest[length..],
                None => return,
            }
        }
    }
}

/// The length of a parenthesis that is a remark: in which nothing is computed, and
/// which says no bound.
fn remark(text: &str) -> Option<usize> {
    let (mut depth, mut code, mut computes) = (0, false, text.starts_with("(at least "));
    for (at, c) in text.char_indices() {
        match c {
            '`' => code = !code,
            _ if code => {}
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => computes |= OPERATORS.contains(&c),
        }
        if depth == 0 {
            return (!computes).then_some(at + 1);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_expression_is_computed_from_its_text() {
        for (expression, low, high) in [
            ("`a` 5 + 3 (`x 9 + 1`)", 8.0, 8.0),
            ("1 × 1,024 + 20 × 2,419", 49_404.0, 49_404.0),
            ("49,404 B → 13 units of 4 KB (1 MB a page, each rounded up) × 0.5 (eventually consistent)", 6.5, 6.5),
            ("60/s × 6.5 × 1,000,000 s × $0.125/M", 48.75, 48.75),
            ("min(20, (21 − 1) × 3)", 20.0, 20.0),
            ("3 + ≤ 5 units (at least 2)", 5.0, 8.0),
            ("2 × ≤ 8 + unknown", 0.0, f64::INFINITY),
            ("at least 57 B → at least 1 unit of 4 KB × 2", 2.0, f64::INFINITY),
            ("(`gift` 1 + 4) × 50 % (`@present`)", 2.5, 2.5),
        ] {
            assert_eq!(value(expression), Some((low, high)), "{expression}");
        }
        for expression in ["1 × unknown price", "3 ÷ unknown"] {
            assert!(value(expression).is_some(), "{expression}");
        }
        for none in ["", "words", "3 4", "3 +", "(3 + 4", "min(3"] {
            assert_eq!(value(none), None, "{none}");
        }
    }
}
