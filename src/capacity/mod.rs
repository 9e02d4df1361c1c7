//! Model in, numbers out: bytes, units, load and dollars. Pure arithmetic, each
//! formula with the convention (numbers.md) and the fact (facts.md) behind it.

pub mod collection;
pub mod copying;
pub mod cost;
pub mod design;
pub mod distinct;
pub mod embedding;
pub mod embedding_whole;
pub mod facts;
pub mod figure;
pub mod found;
pub mod gathered;
pub mod heat;
pub mod input;
pub mod kept;
pub mod lacks;
pub mod largest;
pub mod limit;
pub mod load;
pub mod most;
pub mod operations;
pub mod prices;
pub mod projected;
pub mod reads;
pub mod related_reads;
pub mod select;
mod shared;
pub mod shared_reads;
mod shipped;
pub mod show;
pub mod sizes;
pub mod stock;
pub mod traffic;
pub mod units;
pub mod unsharded;
pub mod values;
pub mod writes;
