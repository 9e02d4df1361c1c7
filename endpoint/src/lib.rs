//! The door to a real DynamoDB endpoint: AWS itself, or DynamoDB Local.
//!
//! [`Endpoint`] puts the AWS SDK behind one blocking call that takes and gives
//! DynamoDB's own JSON, so that nothing else in Keywright knows the SDK, an
//! asynchronous runtime or the network. [`Owned`] stands in front of any
//! [`Call`]: it gives the tables of a run names of their own, lets nothing
//! through to a table that the run did not create, and deletes what it did
//! create. [`on_interrupt`] runs that deletion when somebody presses Ctrl-C.

mod call;
mod endpoint;
mod faults;
mod guard;
mod interrupt;
mod json;
mod operations;
mod settings;

pub use call::{Call, Fault, code};
pub use endpoint::Endpoint;
pub use guard::{Leftover, Owned, Patience, Sweeper, random_prefix};
pub use interrupt::on_interrupt;
