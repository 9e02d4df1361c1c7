//! Numbers that a model may not determine.

use std::collections::BTreeSet;
use std::fmt;

/// Something that a model would have to declare for a number to be known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Input {
    /// The entity itself: it is used and declared nowhere.
    Entity(String),
    /// What a table holds: it has no item.
    Items(String),
    /// The `count` of an entity.
    Count(String),
    /// The `size` of an entity.
    Size(String),
    /// The `@size` of an attribute.
    AttributeSize { entity: String, attribute: String },
    /// The type of an attribute.
    Type { entity: String, attribute: String },
    /// The `@present` of an optional attribute.
    Present { entity: String, attribute: String },
    /// The `children avg` of a relationship.
    Children { parent: String, child: String },
    /// The average `rate` of the pattern.
    Rate,
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Entity(entity) => write!(f, "the entity `{entity}`"),
            Input::Items(table) => write!(f, "the items of `{table}`"),
            Input::Count(entity) => write!(f, "`count` of `{entity}`"),
            Input::Size(entity) => write!(f, "`size avg` of `{entity}`"),
            Input::AttributeSize { entity, attribute } => write!(f, "`@size` of `{entity}.{attribute}`"),
            Input::Type { entity, attribute } => write!(f, "the type of `{entity}.{attribute}`"),
            Input::Present { entity, attribute } => write!(f, "`@present` of `{entity}.{attribute}`"),
            Input::Children { parent, child } => {
                write!(f, "`children avg` of a relationship between `{parent}` and `{child}`")
            }
            Input::Rate => f.write_str("`rate avg` of the pattern"),
        }
    }
}

/// The inputs that a number lacks. Unknown is never zero.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Missing(pub BTreeSet<Input>);

impl From<Input> for Missing {
    fn from(input: Input) -> Self {
        Self(BTreeSet::from([input]))
    }
}

impl fmt::Display for Missing {
    /// The inputs as a list: "`count` of `User` and `size` of `Order`".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, input) in self.0.iter().enumerate() {
            match index {
                0 => {}
                _ if index + 1 == self.0.len() => f.write_str(" and ")?,
                _ => f.write_str(", ")?,
            }
            write!(f, "{input}")?;
        }
        Ok(())
    }
}

/// A number, or all the inputs that it lacks.
pub type Estimate<T> = Result<T, Missing>;

/// Two numbers at once; lacks what either lacks.
pub fn both<A, B>(a: Estimate<A>, b: Estimate<B>) -> Estimate<(A, B)> {
    match (a, b) {
        (Ok(a), Ok(b)) => Ok((a, b)),
        (Err(Missing(mut a)), Err(Missing(b))) => {
            a.extend(b);
            Err(Missing(a))
        }
        (Err(missing), Ok(_)) | (Ok(_), Err(missing)) => Err(missing),
    }
}

/// All numbers; lacks whatever any of them lacks.
pub fn all<T>(estimates: impl IntoIterator<Item = Estimate<T>>) -> Estimate<Vec<T>> {
    let mut known = Vec::new();
    let mut missing = Missing::default();
    for estimate in estimates {
        match estimate {
            Ok(value) => known.push(value),
            Err(Missing(inputs)) => missing.0.extend(inputs),
        }
    }
    if missing.0.is_empty() { Ok(known) } else { Err(missing) }
}

/// The sum of numbers; lacks whatever any of them lacks.
pub fn sum(estimates: impl IntoIterator<Item = Estimate<f64>>) -> Estimate<f64> {
    all(estimates).map(|numbers| numbers.iter().sum())
}
