//! Reads the equations of a hover and computes them again.
//!
//! A line is cut into clauses at `: `, `; ` and `, `. In a clause, what stands in
//! backticks, in a parenthesis without an operator, or is a word, says what the
//! numbers are and is passed over. Everything is computed from what is shown:
//! `A = B` must hold exactly, `A ≈ B` within one unit of the last digit that B
//! shows; `A ≤ B` says what A is at most, likewise; `= at least B` and
//! `≈ at least B` what it is at least; `A → B` rounds up, and `A → B units of 4 KB`
//! counts how many units A begins.

/// A number between two bounds.
#[derive(Clone, Copy, Debug)]
struct Value {
    low: f64,
    high: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    /// The number, the unit of its last digit, and what it is a bound of.
    Number(f64, f64, Bound),
    Unknown,
    Op(char),
    Open,
    Close,
    Comma,
    Min,
    /// `=`.
    Equals,
    /// `≈`.
    Nearly,
    AtMost,
    Arrow,
    /// `units of 4 KB`, in bytes.
    UnitOf(f64),
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    None,
    /// And no less than this, shown with a last digit of that unit.
    AtMost(f64, f64),
    AtLeast,
}

/// Checks every equation of a line and says how many there are.
pub fn check(line: &str) -> Result<usize, String> {
    let mut checked = 0;
    for clause in clauses(&without_code(line)) {
        checked += check_clause(&clause).map_err(|fault| format!("{fault}\n  in: {line}"))?;
    }
    Ok(checked)
}

fn without_code(line: &str) -> String {
    let parts = line.split('`').enumerate().filter(|(at, _)| at % 2 == 0);
    parts.map(|(_, text)| text).collect::<Vec<_>>().join("").replace('*', "")
}

fn clauses(line: &str) -> Vec<String> {
    let (mut clauses, mut depth, mut own) = (Vec::new(), 0, String::new());
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth == 0 && matches!(c, ':' | ';' | ',') && chars.peek().is_none_or(|next| *next == ' ') {
            clauses.push(std::mem::take(&mut own));
        } else {
            own.push(c);
        }
    }
    clauses.push(own);
    clauses
}

fn check_clause(clause: &str) -> Result<usize, String> {
    let numbers = clause.contains(|c: char| c.is_ascii_digit()) || clause.contains("unknown");
    if !numbers || (!clause.contains(['=', '≈', '→']) && !clause.contains(" ≤ ")) {
        return Ok(0);
    }
    let tokens = tokens(clause)?;
    let is_relation = |token: &Token| matches!(token, Token::Equals | Token::Nearly | Token::AtMost | Token::Arrow);
    let relations: Vec<Token> = tokens.iter().copied().filter(is_relation).collect();
    let sides: Vec<&[Token]> = tokens.split(|token| is_relation(token)).collect();
    for (at, relation) in relations.iter().enumerate() {
        let left = value(sides[at])?;
        let right = sides[at + 1];
        match relation {
            Token::Arrow => rounds_up(left, right)?,
            _ => holds(left, *relation, right)?,
        }
    }
    Ok(relations.len())
}

fn tokens(clause: &str) -> Result<Vec<Token>, String> {
    let chars: Vec<char> = clause.chars().collect();
    let mut tokens: Vec<Token> = Vec::new();
    let mut bound = Bound::None;
    let mut at = 0;
    let rest = |at: usize| chars[at..].iter().collect::<String>();
    let after_value = |tokens: &[Token]| {
        matches!(tokens.last(), Some(Token::Number(..) | Token::Close | Token::Unknown | Token::UnitOf(_)))
    };
    while at < chars.len() {
        let c = chars[at];
        let here = rest(at);
        if c.is_ascii_digit() || (c == '$' && chars.get(at + 1).is_some_and(char::is_ascii_digit)) {
            let start = at + usize::from(c == '$');
            let mut end = start;
            let digit = |at: usize| chars.get(at).is_some_and(char::is_ascii_digit);
            while digit(end) || (matches!(chars.get(end), Some(',' | '.')) && digit(end + 1)) {
                end += 1;
            }
            let text: String = chars[start..end].iter().filter(|c| **c != ',').collect();
            let mut number: f64 = text.parse().map_err(|_| format!("no number: {text}"))?;
            // What shows fewer digits than four has not been rounded there.
            let mut last = last_digit(&text).min(number * 1e-3);
            let behind = rest(end);
            if behind.starts_with(" %") {
                (number, last) = (number / 100.0, last / 100.0);
            } else if behind.starts_with("/M") {
                (number, last) = (number / 1e6, last / 1e6);
            }
            tokens.push(Token::Number(number, last, std::mem::replace(&mut bound, Bound::None)));
            at = end;
            for (words, bytes) in [
                (" units of 4 KB", 4_096.0),
                (" unit of 4 KB", 4_096.0),
                (" units of 1 KB", 1_024.0),
                (" unit of 1 KB", 1_024.0),
            ] {
                if behind.starts_with(words) {
                    tokens.push(Token::UnitOf(bytes));
                    at += words.chars().count();
                    break;
                }
            }
            continue;
        }
        let mut step = 1;
        match c {
            '×' | '÷' | '+' | '−' => tokens.push(Token::Op(c)),
            '=' => tokens.push(Token::Equals),
            '≈' => tokens.push(Token::Nearly),
            '→' => tokens.push(Token::Arrow),
            '≤' if after_value(&tokens) => tokens.push(Token::AtMost),
            '≤' => bound = Bound::AtMost(0.0, 0.0),
            ',' => tokens.push(Token::Comma),
            ')' => tokens.push(Token::Close),
            '(' => {
                let end = closing(&chars, at).ok_or("a parenthesis is not closed")?;
                let inside: String = chars[at + 1..end].iter().collect();
                let low = inside.strip_prefix("at least ").map(tokens_of_low);
                // The lower bound of what has an upper one.
                let last = tokens.iter_mut().rev().find(|token| !matches!(token, Token::UnitOf(_)));
                if let (Some(low), Some(Token::Number(_, _, of @ (Bound::AtMost(..) | Bound::None)))) = (low, last) {
                    let (low, last) = low?;
                    *of = Bound::AtMost(low, last);
                }
                // Words in a parenthesis are a remark.
                if inside.contains(['×', '÷', '+', '−']) || tokens.last() == Some(&Token::Min) {
                    tokens.push(Token::Open);
                } else {
                    step = end - at + 1;
                }
            }
            _ if here.starts_with("min(") => {
                tokens.push(Token::Min);
                step = 3;
            }
            _ if here.starts_with("at least") => {
                bound = Bound::AtLeast;
                step = 8;
            }
            _ if here.starts_with("unknown") => {
                tokens.push(Token::Unknown);
                step = 7;
            }
            // A word, with all that is in it.
            _ if c.is_alphabetic() || c == '/' => {
                step = here
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '/' || *c == '-' || *c == '\'')
                    .count()
                    .max(1);
            }
            _ => {}
        }
        at += step;
    }
    Ok(tokens)
}

/// The unit of the last digit that a number shows. The zeros at the end of a large
/// number may be what is left of digits, but for the first four.
fn last_digit(text: &str) -> f64 {
    if let Some((_, digits)) = text.split_once('.') {
        return 10f64.powi(-(digits.len() as i32));
    }
    let zeros = text.len() - text.trim_end_matches('0').len();
    10f64.powi(zeros.min(text.len().saturating_sub(4)) as i32)
}

fn tokens_of_low(text: &str) -> Result<(f64, f64), String> {
    match tokens(text)?.first() {
        Some(Token::Number(low, last, _)) => Ok((*low, *last)),
        other => Err(format!("{other:?} is no lower bound")),
    }
}

fn closing(chars: &[char], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..chars.len()).find(|at| {
        depth += i32::from(chars[*at] == '(') - i32::from(chars[*at] == ')');
        depth == 0
    })
}

/// Evaluates one side; everything in it must be used.
fn value(tokens: &[Token]) -> Result<Value, String> {
    let mut at = 0;
    let value = sum(tokens, &mut at)?;
    if at < tokens.len() { Err(format!("no operator before {:?}", &tokens[at..])) } else { Ok(value) }
}

fn sum(tokens: &[Token], at: &mut usize) -> Result<Value, String> {
    let mut left = product(tokens, at)?;
    while let Some(Token::Op(op @ ('+' | '−'))) = tokens.get(*at) {
        *at += 1;
        let right = product(tokens, at)?;
        left = match op {
            '+' => Value { low: left.low + right.low, high: left.high + right.high },
            _ => Value { low: (left.low - right.high).max(0.0), high: left.high - right.low },
        };
    }
    Ok(left)
}

fn product(tokens: &[Token], at: &mut usize) -> Result<Value, String> {
    let mut left = operand(tokens, at)?;
    while let Some(Token::Op(op @ ('×' | '÷'))) = tokens.get(*at) {
        *at += 1;
        let right = operand(tokens, at)?;
        let times = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let (low, high) = match op {
            '×' => (times(left.low, right.low), times(left.high, right.high)),
            _ => (times(left.low, 1.0 / right.high), times(left.high, 1.0 / right.low)),
        };
        left = Value { low, high };
    }
    Ok(left)
}

fn operand(tokens: &[Token], at: &mut usize) -> Result<Value, String> {
    let token = tokens.get(*at).copied().ok_or("an operand is missing")?;
    *at += 1;
    let value = match token {
        Token::Number(number, _, bound) => match bound {
            Bound::None => Value { low: number, high: number },
            Bound::AtMost(low, _) => Value { low, high: number },
            Bound::AtLeast => Value { low: number, high: f64::INFINITY },
        },
        Token::Unknown => Value { low: 0.0, high: f64::INFINITY },
        Token::Open => {
            let value = sum(tokens, at)?;
            expect(tokens, at, Token::Close)?;
            value
        }
        Token::Min => {
            expect(tokens, at, Token::Open)?;
            let mut least = sum(tokens, at)?;
            while tokens.get(*at) == Some(&Token::Comma) {
                *at += 1;
                let other = sum(tokens, at)?;
                let (low, high) = (least.low.min(other.low), least.high.min(other.high));
                least = Value { low, high };
            }
            expect(tokens, at, Token::Close)?;
            least
        }
        other => return Err(format!("{other:?} is no operand")),
    };
    if let Some(Token::UnitOf(_)) = tokens.get(*at) {
        *at += 1;
    }
    Ok(value)
}

fn expect(tokens: &[Token], at: &mut usize, token: Token) -> Result<(), String> {
    let found = tokens.get(*at) == Some(&token);
    *at += 1;
    if found { Ok(()) } else { Err(format!("{token:?} is missing")) }
}

fn holds(left: Value, relation: Token, right: &[Token]) -> Result<(), String> {
    let mut shown = value(right)?;
    if let (Token::AtMost, [Token::Number(_, _, Bound::None), ..]) = (relation, right) {
        shown.low = 0.0;
    }
    let (last, last_of_low) = match right.first() {
        _ if relation == Token::Equals => (0.0, 0.0),
        Some(Token::Number(_, last, Bound::AtMost(_, of_low))) => (*last, *of_low),
        Some(Token::Number(_, last, _)) => (*last, *last),
        _ => (0.0, 0.0),
    };
    // What computing with binary numbers loses is no digit.
    let within = |computed: f64, shown: f64, last: f64| {
        computed == shown || (computed - shown).abs() <= last * (1.0 + 1e-9) + shown.abs() * 1e-11
    };
    let near = |computed: f64, shown: f64| within(computed, shown, last);
    let right_way = match (relation, right) {
        (Token::AtMost, _) => near(left.high, shown.high) && within(left.low, shown.low, last_of_low),
        (Token::Equals, [Token::Unknown]) => left.low == 0.0 && left.high.is_infinite(),
        (_, [Token::Number(_, _, Bound::AtLeast), ..]) => near(left.low, shown.low),
        _ => near(left.low, shown.low) && near(left.high, shown.high),
    };
    if right_way { Ok(()) } else { Err(format!("{left:?} is not {shown:?}")) }
}

/// `49,404 B → 13 units of 4 KB`, and `471.43 → 472`.
fn rounds_up(left: Value, right: &[Token]) -> Result<(), String> {
    let unit = match right.get(1) {
        Some(Token::UnitOf(bytes)) => *bytes,
        _ => 1.0,
    };
    let mut at = 0;
    let shown = operand(right, &mut at)?;
    let started = |value: f64| (value / unit - 1e-6).ceil().max(1.0);
    let (low, high) = (started(left.low), started(left.high));
    let right_way = match right.first() {
        Some(Token::Number(_, _, Bound::AtMost(..))) => (low, high) == (shown.low, shown.high),
        Some(Token::Number(_, _, Bound::AtLeast)) => low == shown.low,
        _ => (low, high) == (shown.low, shown.high),
    };
    if right_way { Ok(()) } else { Err(format!("{left:?} does not begin {shown:?}")) }
}
