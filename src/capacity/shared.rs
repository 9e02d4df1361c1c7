//! Sets that many numbers have in common.

use std::collections::BTreeSet;
use std::sync::Arc;

/// A set that figures hand on to all that is made of them: one for many.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shared<T: Ord>(pub Option<Arc<BTreeSet<T>>>);

impl<T: Ord + Clone> Shared<T> {
    /// Nothing in it.
    pub const EMPTY: Self = Self(None);

    /// One value.
    pub fn one(value: T) -> Self {
        Self(Some(Arc::new(BTreeSet::from([value]))))
    }

    /// Puts a value in; the set of others stays as it is.
    pub fn insert(&mut self, value: T) {
        match &mut self.0 {
            None => *self = Self::one(value),
            Some(set) if set.contains(&value) => {}
            Some(set) => {
                Arc::make_mut(set).insert(value);
            }
        }
    }

    /// Puts all of another in.
    pub fn add(&mut self, other: &Self) {
        match (&mut self.0, &other.0) {
            (_, None) => {}
            (None, Some(_)) => *self = other.clone(),
            (Some(own), Some(other)) if Arc::ptr_eq(own, other) || other.is_subset(own) => {}
            (Some(own), Some(other)) => Arc::make_mut(own).extend(other.iter().cloned()),
        }
    }
}
