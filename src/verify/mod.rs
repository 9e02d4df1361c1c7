//! A model tried on an engine: its tables are made there, filled with items of
//! the declared sizes, and every operation of every pattern is run. What comes
//! back and what it costs is held against what the analysis says of the items
//! that are there. Before that, the requests that the documents print are sent as
//! they are printed.
//!
//! Nothing here is started, and nothing allocated, before [`verify`] is called.

mod census;
mod compare;
mod documents;
mod embedded;
mod engine;
mod groups;
mod hold;
mod paging;
mod probe;
mod reads;
mod report;
mod run;
mod session;
mod tables;
mod tally;
mod writes;
mod written;

pub use embedded::Embedded;
pub use engine::{Engine, EngineFault, Quirk};
pub use probe::quirks;
pub use report::{
    Agreement, DocumentsReport, EntityReport, ExpectationReport, MembersReport, OperationReport, OptionalReport,
    PatternReport, Report, StepReport, UnitsReport, Verdict,
};
pub use run::{Options, verify};
