//! Which items of a table its sample shows: every entity, every index, and parents
//! with their children.

use super::Row;
use crate::model::layout::{Source, TableLayout};
use crate::population::images::order;
use std::collections::BTreeSet;

/// The fewest rows of a sample, where there are as many items.
pub(super) const FEWEST: usize = 5;
/// The most rows of a sample, unless more entities share the table.
const MOST: usize = 10;
/// The most rows of one entity under one value of the partition key.
const MOST_ALIKE: usize = 3;

/// The places of the rows to show, item collections together and each in the order
/// of the sort key.
pub(super) fn choose(layout: &TableLayout, rows: &[Row<'_>]) -> Vec<usize> {
    let mut choice = Choice::new(layout, rows);
    choice.cover();
    choice.widen();
    choice.ordered(layout.table())
}

/// Rows in the order in which a source keeps them: one value of the partition key
/// after the other, each in the order of the sort key.
pub(super) fn in_order(source: Source<'_>, rows: &[Row<'_>], places: &mut [usize]) {
    let mut seen: Vec<String> = Vec::new();
    let mut ranks: Vec<usize> = Vec::new();
    for row in rows {
        let own = partition_of(source, row);
        let known = seen.iter().position(|other| *other == own);
        ranks.push(known.unwrap_or(seen.len()));
        if known.is_none() {
            seen.push(own);
        }
    }
    places.sort_by(|a, b| {
        let of_partition = ranks[*a].cmp(&ranks[*b]);
        of_partition.then_with(|| order(source, rows[*a].item, rows[*b].item)).then(a.cmp(b))
    });
}

fn partition_of(source: Source<'_>, row: &Row<'_>) -> String {
    let values: Vec<String> = source.partition().iter().map(|key| format!("{:?}", row.item.get(&key.name))).collect();
    values.join("\n")
}

/// The rows that have been chosen so far.
struct Choice<'r> {
    rows: &'r [Row<'r>],
    /// The entities of the table, by their places.
    kinds: Vec<&'r str>,
    /// Of each row, what it shows: its entity, and the indexes that it is in.
    shows: Vec<Vec<usize>>,
    /// The rows of each value of the partition key.
    partitions: Vec<Vec<usize>>,
    chosen: Vec<usize>,
    most: usize,
}

impl<'r> Choice<'r> {
    fn new(layout: &TableLayout, rows: &'r [Row<'r>]) -> Self {
        let mut kinds: Vec<&str> = Vec::new();
        for row in rows {
            if !kinds.contains(&row.entity) {
                kinds.push(row.entity);
            }
        }
        let shows = |row: &Row<'_>| -> Vec<usize> {
            let kind = kinds.iter().position(|kind| *kind == row.entity);
            let is_in = |source: &Source<'_>| source.key().all(|key| row.item.contains_key(&key.name));
            let indexes = layout.of_indexes().enumerate().filter(|(_, source)| is_in(source));
            kind.into_iter().chain(indexes.map(|(at, _)| kinds.len() + at)).collect()
        };
        let shows = rows.iter().map(shows).collect();
        let mut partitions: Vec<(String, Vec<usize>)> = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            let own = partition_of(layout.table(), row);
            match partitions.iter_mut().find(|(other, _)| *other == own) {
                Some((_, places)) => places.push(place),
                None => partitions.push((own, vec![place])),
            }
        }
        let most = MOST.max(kinds.len());
        let partitions = partitions.into_iter().map(|(_, places)| places).collect();
        Self { rows, kinds, shows, partitions, chosen: Vec::new(), most }
    }

    /// Chooses rows until each entity and each index is shown, as many as can be
    /// under one value of the partition key.
    fn cover(&mut self) {
        let all: BTreeSet<usize> = self.shows.iter().flatten().copied().collect();
        loop {
            let shown: BTreeSet<usize> = self.chosen.iter().flat_map(|place| &self.shows[*place]).copied().collect();
            if self.chosen.len() >= self.most || shown.len() == all.len() {
                return;
            }
            let kinds = self.kinds.len();
            // An entity that is not shown weighs more than all indexes together.
            let weight = |what: &usize| if *what < kinds { 1 + all.len() } else { 1 };
            let gain = |places: &mut dyn Iterator<Item = usize>| -> usize {
                let new: BTreeSet<usize> =
                    places.flat_map(|place| self.shows[place].iter().copied()).filter(|w| !shown.contains(w)).collect();
                new.iter().map(weight).sum()
            };
            let first_of = |best: &[usize]| {
                let own =
                    best.iter().max_by_key(|place| (gain(&mut std::iter::once(**place)), std::cmp::Reverse(**place)));
                own.copied()
            };
            let started = |places: &[usize]| places.iter().any(|place| self.chosen.contains(place));
            let best = self.partitions.iter().enumerate().max_by_key(|(at, places)| {
                (gain(&mut places.iter().copied()), started(places), std::cmp::Reverse(*at))
            });
            match best.and_then(|(_, places)| first_of(places)) {
                Some(place) => self.chosen.push(place),
                None => return,
            }
        }
    }

    /// Chooses more rows: children of the parents that are shown, then other
    /// parents with theirs.
    fn widen(&mut self) {
        let has_collections = self.partitions.iter().any(|places| places.len() > 1);
        let wanted = match has_collections {
            true => (self.kinds.len() + FEWEST).min(MOST),
            false => FEWEST,
        };
        let (mut partitions, others): (Vec<Vec<usize>>, Vec<Vec<usize>>) = self
            .partitions
            .clone()
            .into_iter()
            .partition(|places| places.iter().any(|place| self.chosen.contains(place)));
        partitions.extend(others);
        for places in &partitions {
            for alike in 1..=MOST_ALIKE {
                for kind in self.kinds.clone() {
                    self.add(places, kind, alike, wanted);
                }
            }
        }
        // Whatever they are alike, there have to be enough.
        for place in 0..self.rows.len() {
            if self.chosen.len() < FEWEST && !self.chosen.contains(&place) {
                self.chosen.push(place);
            }
        }
    }

    /// Adds a row of an entity under one value of the partition key, where fewer
    /// than `alike` of them are shown.
    fn add(&mut self, places: &[usize], kind: &str, alike: usize, wanted: usize) {
        let own = |place: &&usize| self.rows[**place].entity == kind;
        let there = places.iter().filter(own).filter(|place| self.chosen.contains(place)).count();
        let next = places.iter().filter(own).find(|place| !self.chosen.contains(place)).copied();
        if let Some(place) = next.filter(|_| there < alike && self.chosen.len() < wanted.min(self.most)) {
            self.chosen.push(place);
        }
    }

    fn ordered(mut self, source: Source<'_>) -> Vec<usize> {
        in_order(source, self.rows, &mut self.chosen);
        self.chosen
    }
}
