//! A model tried on an engine: its tables are made there, filled with items of
//! the declared sizes, and every operation of every pattern is run. What comes
//! back and what it costs is held against what the analysis says of the items
//! that are there.
//!
//! Nothing here is started, and nothing allocated, before [`verify`] is called.

mod arrange;
mod bindings;
mod conditions;
mod embedded;
mod engine;
mod express;
mod fill;
mod groups;
mod hold;
mod images;
mod literals;
mod maker;
mod paging;
mod plan;
mod population;
mod probe;
mod reads;
mod relations;
mod report;
mod run;
mod session;
mod shape;
mod spell;
mod tables;
mod tally;
mod template;
mod wire;
mod writes;
mod written;

pub use embedded::Embedded;
pub use engine::{Engine, EngineFault, Quirk};
pub use probe::quirks;
pub use report::{
    Agreement, EntityReport, ExpectationReport, MembersReport, OperationReport, OptionalReport, PatternReport, Report,
    StepReport, UnitsReport, Verdict,
};
pub use run::{Options, verify};
