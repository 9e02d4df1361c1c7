//! Model in, numbers out: bytes, units, load and dollars. Pure arithmetic, each
//! formula with the convention (numbers.md) and the fact (facts.md) behind it.

pub mod collection;
pub mod cost;
pub mod distinct;
pub mod facts;
pub mod figure;
pub mod heat;
pub mod input;
pub mod lacks;
pub mod largest;
pub mod limit;
pub mod load;
pub mod operations;
pub mod prices;
pub mod reads;
pub mod select;
mod shared;
mod shipped;
pub mod show;
pub mod sizes;
pub mod stock;
pub mod traffic;
pub mod units;
pub mod values;
pub mod writes;
