//! Model in, numbers out: bytes, units and dollars. Pure arithmetic, each
//! formula with the convention (numbers.md) and the fact (facts.md) behind it.

pub mod estimate;
pub mod prices;
pub mod reads;
pub mod show;
pub mod sizes;
pub mod units;
pub mod values;
