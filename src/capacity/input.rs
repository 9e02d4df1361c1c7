//! What a model would have to declare for its numbers to be known.

use std::fmt;

/// Something that a model would have to declare for a number to be known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// The entity itself: it is used and declared nowhere.
    Entity(String),
    /// The table or index itself.
    Target(String),
    /// What a table holds: it has no item.
    Items(String),
    /// The `count` of an entity.
    Count(String),
    /// The average `size` of an entity.
    Size(String),
    /// The greatest `size` of an entity.
    MaxSize(String),
    /// The `@size` of an attribute.
    AttributeSize { entity: String, attribute: String },
    /// The type of an attribute.
    Type { entity: String, attribute: String },
    /// The `@present` of an optional attribute.
    Present { entity: String, attribute: String },
    /// The `@distinct` of an attribute.
    Distinct { entity: String, attribute: String },
    /// How many values a part of a time has: the language cannot say it.
    Times { entity: String, hole: String },
    /// The `children avg` of a relationship.
    Children { parent: String, child: String },
    /// The `children max` of a relationship.
    MaxChildren { parent: String, child: String },
    /// The average `rate` of a pattern.
    Rate(String),
    /// The peak `rate` of a pattern.
    Peak(String),
    /// An operation that answers a pattern.
    Operation(String),
    /// The average of `returning`.
    Returning(String),
    /// The average of `pages`.
    Pages(String),
    /// The `keeping` of the filters of a pattern.
    Keeping(String),
    /// The attributes that an update sets.
    Changes { pattern: String, entity: String },
    /// The region that the application runs in.
    Region,
    /// A price: of what, where.
    Price { what: String, region: String },
}

impl Input {
    /// The entity whose declaration, or whose relationship as a parent, would
    /// say it; `None` where it stands elsewhere or cannot be said.
    pub fn of_entity(&self) -> Option<&str> {
        match self {
            Input::Count(entity)
            | Input::Size(entity)
            | Input::MaxSize(entity)
            | Input::AttributeSize { entity, .. }
            | Input::Present { entity, .. }
            | Input::Distinct { entity, .. }
            | Input::Children { parent: entity, .. }
            | Input::MaxChildren { parent: entity, .. } => Some(entity),
            Input::Entity(_)
            | Input::Target(_)
            | Input::Items(_)
            | Input::Type { .. }
            | Input::Times { .. }
            | Input::Rate(_)
            | Input::Peak(_)
            | Input::Operation(_)
            | Input::Returning(_)
            | Input::Pages(_)
            | Input::Keeping(_)
            | Input::Changes { .. }
            | Input::Region
            | Input::Price { .. } => None,
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Entity(entity) => write!(f, "the entity `{entity}`"),
            Input::Target(name) => write!(f, "`{name}`"),
            Input::Items(table) => write!(f, "the items of `{table}`"),
            Input::Count(entity) => write!(f, "`count` of `{entity}`"),
            Input::Size(entity) => write!(f, "`size avg` of `{entity}`"),
            Input::MaxSize(entity) => write!(f, "`size max` of `{entity}`"),
            Input::AttributeSize { entity, attribute } => write!(f, "`@size` of `{entity}.{attribute}`"),
            Input::Type { entity, attribute } => write!(f, "the type of `{entity}.{attribute}`"),
            Input::Present { entity, attribute } => write!(f, "`@present` of `{entity}.{attribute}`"),
            Input::Distinct { entity, attribute } => write!(f, "`@distinct` of `{entity}.{attribute}`"),
            Input::Times { entity, hole } => write!(f, "how many values `{hole}` of `{entity}` has"),
            Input::Children { parent, child } => {
                write!(f, "`children avg` of a relationship between `{parent}` and `{child}`")
            }
            Input::MaxChildren { parent, child } => {
                write!(f, "`children max` of a relationship between `{parent}` and `{child}`")
            }
            Input::Rate(pattern) => write!(f, "`rate avg` of `{pattern}`"),
            Input::Peak(pattern) => write!(f, "`rate peak` of `{pattern}`"),
            Input::Operation(pattern) => write!(f, "an operation that answers `{pattern}`"),
            Input::Returning(pattern) => write!(f, "`returning avg` of `{pattern}`"),
            Input::Pages(pattern) => write!(f, "`pages avg` of `{pattern}`"),
            Input::Keeping(pattern) => write!(f, "`keeping` of the filter in `{pattern}`"),
            Input::Changes { pattern, entity } => {
                write!(f, "the attributes that the update of `{entity}` in `{pattern}` sets")
            }
            Input::Region => f.write_str("the application's `region`"),
            Input::Price { what, region } => write!(f, "the price of {what} in `{region}`"),
        }
    }
}

/// The inputs as a list: "`count` of `User` and `size avg` of `Order`".
pub fn list<'i>(inputs: impl IntoIterator<Item = &'i Input>) -> String {
    let inputs: Vec<String> = inputs.into_iter().map(Input::to_string).collect();
    match inputs.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
        None => String::new(),
    }
}
