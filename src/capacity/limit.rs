//! How much of what is there to read a limit takes (numbers Q4–Q6).

use super::figure::Figure;
use super::units::PAGE;

/// How many items of each kind one page takes: at most the limit, and as many as
/// `returning` says where it is given (Q4).
pub(super) fn taken(there: &[Figure], limit: Option<f64>, returning: Option<f64>, evenly: bool) -> Vec<Figure> {
    let there = returned(there, returning);
    limit.map_or_else(|| there.clone(), |limit| limited(&there, limit, evenly))
}

/// How many items of each kind there are to read where `returning` says how many
/// they are together: shared in proportion (Q4).
pub fn returned(there: &[Figure], returning: Option<f64>) -> Vec<Figure> {
    match (returning, there) {
        (None, _) => there.to_vec(),
        (Some(returning), [_]) => vec![Figure::known(returning)],
        (Some(returning), _) => mixed(there, returning, |total| if total > 0.0 { returning / total } else { 1.0 }),
    }
}

/// How many of them a limit takes: in order, the first kinds fill it (Q5); in a
/// mixture each is taken in proportion (Q6).
pub fn limited(there: &[Figure], limit: f64, evenly: bool) -> Vec<Figure> {
    if evenly {
        return mixed(there, limit, |total| if total > limit { limit / total } else { 1.0 });
    }
    let mut before = Figure::ZERO;
    let mut taken = Vec::new();
    for figure in there {
        let left = rest(limit, &before);
        taken.push(figure.min(&left));
        before = before.plus(figure);
    }
    taken
}

/// How many of each kind a mixture takes: at most `all`, and of so many in all
/// the part that `part` says. The more there are of a kind the more of it is
/// taken, and the more there are of the others the less, so that the bounds of
/// each follow from the opposite bounds of the others.
fn mixed(there: &[Figure], all: f64, part: impl Fn(f64) -> f64) -> Vec<Figure> {
    let total: Figure = there.iter().sum();
    let take = |own: f64, others: f64| match (own.is_finite(), others.is_finite()) {
        (true, true) => own * part(own + others),
        (true, false) => 0.0,
        (false, _) => all,
    };
    let high = |figure: &Figure| figure.high().unwrap_or(f64::INFINITY);
    let one = |(at, own): (usize, &Figure)| {
        let others = || there.iter().enumerate().filter(move |(other, _)| *other != at).map(|(_, figure)| figure);
        let (least, most) = (others().map(Figure::low).sum(), others().map(high).sum());
        total.with_bounds(take(own.low(), most), take(high(own), least))
    };
    there.iter().enumerate().map(one).collect()
}

/// What is left of a limit behind so many items.
pub fn rest(limit: f64, before: &Figure) -> Figure {
    let low = before.high().map_or(0.0, |before| (limit - before).max(0.0));
    let high = (limit - before.low()).max(0.0);
    before.with_bounds(low, high)
}

/// So much of what a page would take as 1 MB holds (Q7).
pub(super) fn on_a_page(taken: Vec<Figure>, each: &[&Figure], most: Option<f64>) -> Vec<Figure> {
    let bytes = bytes_of(taken.iter().zip(each.iter().copied()), most);
    if bytes.high().is_some_and(|high| high <= PAGE) {
        return taken;
    }
    let part = bytes.inverse().scaled(PAGE).min(&Figure::known(1.0));
    taken.iter().map(|taken| taken.times(&part)).collect()
}

/// Bytes of so many items of such a size, kind by kind. However the kinds share a
/// limit of `most` items, they are no more than where the largest fill it first.
pub fn bytes_of<'k>(kinds: impl Iterator<Item = (&'k Figure, &'k Figure)> + Clone, most: Option<f64>) -> Figure {
    let bytes: Figure = kinds.clone().map(|(taken, each)| taken.times(each)).sum();
    match most.filter(|_| bytes.value().is_none()) {
        Some(most) => {
            let full: f64 = fullest(kinds, most).into_iter().map(|(count, each)| count * each).sum();
            let high = bytes.high().map_or(full, |high| high.min(full));
            bytes.with_bounds(bytes.low(), high.max(bytes.low()))
        }
        None => bytes,
    }
}

/// How a limit of `most` items is filled with as many bytes as there can be: the
/// largest first, each with how many of them there are at most; an unbounded size
/// is infinite.
pub fn fullest<'k>(kinds: impl Iterator<Item = (&'k Figure, &'k Figure)>, most: f64) -> Vec<(f64, f64)> {
    let high = |figure: &Figure| figure.high().unwrap_or(f64::INFINITY);
    let mut kinds: Vec<(f64, f64)> = kinds.map(|(taken, each)| (high(taken), high(each))).collect();
    kinds.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let mut left = most;
    for (count, _) in &mut kinds {
        *count = count.min(left);
        left -= *count;
    }
    kinds.retain(|(count, _)| *count > 0.0);
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::capacity::figure::Input;

    fn bounds(figures: &[Figure]) -> Vec<(f64, Option<f64>)> {
        figures.iter().map(|figure| (figure.low(), figure.high())).collect()
    }

    #[test]
    fn a_mixture_takes_of_each_kind_its_part() {
        let there = [Figure::known(300.0), Figure::known(100.0)];
        assert_eq!(bounds(&taken(&there, Some(100.0), None, true)), [(75.0, Some(75.0)), (25.0, Some(25.0))]);
        assert_eq!(bounds(&taken(&there, None, Some(8.0), false)), [(6.0, Some(6.0)), (2.0, Some(2.0))]);
        assert_eq!(bounds(&taken(&there, Some(1_000.0), None, true)), [(300.0, Some(300.0)), (100.0, Some(100.0))]);
    }

    #[test]
    fn of_a_mixture_with_an_unknown_part_no_kind_is_known() {
        let unknown = Figure::unknown(Input::Count("Order".into()));
        let there = [Figure::known(300.0), unknown];
        let limited = taken(&there, Some(100.0), None, true);
        assert_eq!(bounds(&limited), [(0.0, Some(100.0)), (0.0, Some(100.0))]);
        assert!(limited.iter().all(|figure| !figure.missing().is_empty()));
        assert_eq!(bounds(&taken(&there, None, Some(8.0), false)), [(0.0, Some(8.0)), (0.0, Some(8.0))]);
    }

    #[test]
    fn a_limit_is_filled_with_the_largest_first() {
        let unknown = || Figure::unknown(Input::Count("Order".into()));
        let few = unknown().min(&Figure::known(5.0));
        let many = unknown().min(&Figure::known(100.0));
        let [small, large] = [100.0, 600.0].map(Figure::known);
        let bytes = |kinds: &[(&Figure, &Figure)]| bytes_of(kinds.iter().copied(), Some(100.0));
        let all = [
            bytes(&[(&many, &small), (&few, &large)]),
            bytes(&[(&many, &small), (&many, &large), (&many, &small)]),
            bytes(&[(&few, &small), (&few, &large)]),
            bytes(&[(&Figure::known(3.0), &small), (&unknown(), &large)]),
        ];
        let most = [5.0 * 600.0 + 95.0 * 100.0, 100.0 * 600.0, 5.0 * 700.0, 100.0 * 600.0].map(Some);
        assert_eq!(all.each_ref().map(Figure::high), most);
        assert_eq!(all.each_ref().map(Figure::low), [0.0, 0.0, 0.0, 300.0]);
        assert!(all.iter().all(|figure| !figure.missing().is_empty()));
        // Of a kind whose size nothing bounds nothing bounds the bytes, where any is taken.
        assert_eq!(bytes(&[(&few, &unknown()), (&many, &large)]).high(), None);
        assert_eq!(bytes(&[(&Figure::ZERO, &unknown()), (&many, &large)]).high(), Some(60_000.0));
    }
}
