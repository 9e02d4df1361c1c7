//! What a rule checks.

/// What a rule's function is run on.
pub enum Check {
    /// Known by name, not built yet.
    Planned,
}
