//! The calls of a query by how much of a key's traffic they are: those for the hottest
//! value, and those for the others (numbers Q2 with Q4 and Q7).

use super::distinct::Reason;
use super::figure::Figure;
use super::reads::KindRead;
use super::select::Factor;

/// Calls that meet the same number of items.
#[derive(Clone, Debug, PartialEq)]
pub struct CallClass {
    /// Their share of all calls, from 0 to 1.
    pub share: f64,
    /// Of each kind of items, the holes whose hottest value these calls meet.
    pub hottest: Vec<Vec<String>>,
    /// How many items of each kind there are to read.
    pub there: Vec<Figure>,
    /// How many of them a call reads.
    pub taken: Vec<Figure>,
}

/// The calls of one kind of items.
struct OfKind {
    share: f64,
    hottest: Vec<String>,
    there: Figure,
}

/// The calls of a read by how many items they meet: one class where no `@hottest` tells
/// them apart.
///
/// What is the hottest for one kind of items is taken to be the hottest for the others of
/// the same query: they lie under one value of the partition key.
pub fn call_classes(kinds: &[&KindRead]) -> Vec<CallClass> {
    let each: Vec<Vec<OfKind>> = kinds.iter().map(|kind| of_kind(kind)).collect();
    let mut at = vec![0; each.len()];
    let mut left: Vec<f64> = each.iter().map(|classes| classes[0].share).collect();
    let mut classes = Vec::new();
    loop {
        let share = left.iter().copied().fold(1.0, f64::min);
        let now = || each.iter().zip(&at).map(|(classes, at)| &classes[*at]);
        classes.push(CallClass {
            share,
            hottest: now().map(|class| class.hottest.clone()).collect(),
            there: now().map(|class| class.there.clone()).collect(),
            taken: now().map(|class| class.there.clone()).collect(),
        });
        let mut is_last = true;
        for ((classes, at), left) in each.iter().zip(&mut at).zip(&mut left) {
            *left -= share;
            if *left < 1e-12 && *at + 1 < classes.len() {
                *at += 1;
                *left = classes[*at].share;
            }
            is_last &= *left < 1e-12;
        }
        if is_last {
            return classes;
        }
    }
}

/// What each class of calls takes, where `cut` bounds them differently: then the mean of
/// what they take is not what a bound leaves of the mean, and `None` where it is.
pub fn cut_apart(mut classes: Vec<CallClass>, cut: impl Fn(&[Figure]) -> Vec<Figure>) -> Option<Vec<CallClass>> {
    for class in &mut classes {
        class.taken = cut(&class.there);
    }
    let is_cut = classes.iter().any(|class| class.taken != class.there);
    let is_alike = classes.windows(2).all(|pair| pair[0].taken == pair[1].taken);
    (is_cut && !is_alike).then_some(classes)
}

/// How many items of each kind the calls take on average.
pub fn weighed(classes: &[CallClass]) -> Vec<Figure> {
    let kinds = classes.first().map_or(0, |class| class.taken.len());
    let mean = |kind: usize| classes.iter().map(|class| class.taken[kind].scaled(class.share)).sum();
    (0..kinds).map(mean).collect()
}

/// The shares of the hottest value and of each other one, each with its share of the
/// calls; `None` where all values are met alike.
pub fn shares(factor: &Factor) -> Option<[(f64, Figure); 2]> {
    let even = factor.values.inverse().min(&Figure::known(1.0));
    let hottest = factor.hottest.filter(|_| !matches!(factor.reason, Reason::Beginning(_)))?;
    if factor.spread.mean == even || factor.values.high() == Some(1.0) {
        return None;
    }
    Some(match factor.values.value() {
        Some(values) => {
            let h = hottest.max(1.0 / values);
            [(h, Figure::known(h)), (1.0 - h, Figure::known((1.0 - h) / (values - 1.0)))]
        }
        // Of fewer values than the hottest share allows for, each has an even share.
        None => {
            let least = factor.values.high().map_or(0.0, |high| (1.0 - hottest) / (high - 1.0));
            let most = even.high().unwrap_or(1.0);
            [(hottest, factor.spread.hot.clone()), (1.0 - hottest, even.with_bounds(least.min(most), most))]
        }
    })
}

fn of_kind(kind: &KindRead) -> Vec<OfKind> {
    let all = |there: &Figure| vec![OfKind { share: 1.0, hottest: Vec::new(), there: there.clone() }];
    let Some(selection) = &kind.selection else { return all(&kind.there) };
    if selection.factors.iter().all(|factor| shares(factor).is_none()) {
        return all(&kind.there);
    }
    let mut classes = selection.factors.iter().fold(all(&selection.from), split);
    classes.retain(|class| class.share > 0.0);
    let most = |class: &OfKind| class.there.high().unwrap_or(f64::INFINITY);
    classes.sort_by(|a, b| most(b).total_cmp(&most(a)));
    classes
}

/// The classes apart by whether they meet the hottest value of one more hole.
fn split(classes: Vec<OfKind>, factor: &Factor) -> Vec<OfKind> {
    let Some([hot, other]) = shares(factor) else {
        let narrowed = |class: OfKind| OfKind { there: class.there.times(&factor.spread.mean), ..class };
        return classes.into_iter().map(narrowed).collect();
    };
    let apart = |class: OfKind| {
        let part = |(share, of_items): &(f64, Figure), hottest| OfKind {
            share: class.share * share,
            hottest,
            there: class.there.times(of_items),
        };
        let met: Vec<String> = class.hottest.iter().cloned().chain([factor.hole.clone()]).collect();
        [part(&hot, met), part(&other, class.hottest.clone())]
    };
    classes.into_iter().flat_map(apart).collect()
}
