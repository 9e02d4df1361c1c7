//! The words that random models are made of: what applications are about, and
//! what attributes are called.

use super::plan::{Role, Type};
use super::rng::Rng;

/// What an application is about: a word for the entity in each role.
pub struct Theme {
    pub application: &'static str,
    pub domain: &'static str,
    root: &'static str,
    child: &'static str,
    leaf: &'static str,
    other: &'static str,
    edge: &'static str,
    twin: &'static str,
}

/// Application, domain, root, child, leaf, other, edge, twin.
type ThemeWords = [&'static str; 8];

const THEMES: [ThemeWords; 9] = [
    ["OnlineShop", "e-commerce", "customer", "order", "order_line", "product", "wish", "preference"],
    ["Clinic", "health care", "patient", "visit", "prescription", "doctor", "referral", "insurance"],
    ["Campus", "education", "student", "submission", "remark", "course", "enrolment", "locker"],
    ["Fleet", "logistics", "driver", "trip", "stop", "vehicle", "assignment", "license"],
    ["Streaming", "music", "listener", "playlist", "entry", "track", "favorite", "subscription"],
    ["Library", "lending", "member", "loan", "reminder", "book", "reservation", "card"],
    ["Journeys", "travel", "traveler", "booking", "leg", "hotel", "review", "passport"],
    ["Club", "sports", "athlete", "workout", "lap", "venue", "membership", "device"],
    ["Helpdesk", "support", "agent", "ticket", "reply", "article", "bookmark", "roster"],
];

impl Theme {
    pub fn pick(rng: &mut Rng) -> Self {
        let [application, domain, root, child, leaf, other, edge, twin] = *rng.pick(&THEMES);
        Self { application, domain, root, child, leaf, other, edge, twin }
    }

    /// The name of the attribute that holds the id of a root.
    pub fn root_id(&self, names: &Names) -> String {
        names.cased(&format!("{}_id", self.root))
    }

    /// The word for the entity in a role, in snake case.
    pub fn word(&self, role: Role) -> &'static str {
        match role {
            Role::Root => self.root,
            Role::Child => self.child,
            Role::Leaf => self.leaf,
            Role::Other => self.other,
            Role::Edge => self.edge,
            Role::Twin => self.twin,
            Role::Guard => "email_claim",
            Role::ScopedGuard => "code_claim",
        }
    }
}

pub fn pascal(snake: &str) -> String {
    snake.split('_').map(|word| word[..1].to_uppercase() + &word[1..]).collect()
}

pub fn plural(word: &str) -> String {
    match word.strip_suffix('y') {
        Some(stem) if !word.ends_with("ay") => format!("{stem}ies"),
        _ if word.ends_with("sh") => format!("{word}es"),
        _ => format!("{word}s"),
    }
}

/// What an attribute is there for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Free text.
    Text,
    /// A text that many items share.
    Category,
    State,
    Number,
    Flag,
    Moment,
    Epoch,
    Blob,
    List,
    Set,
    Map,
    Reference,
}

impl Kind {
    pub const ALL: [Kind; 12] = [
        Kind::Text,
        Kind::Category,
        Kind::State,
        Kind::Number,
        Kind::Flag,
        Kind::Moment,
        Kind::Epoch,
        Kind::Blob,
        Kind::List,
        Kind::Set,
        Kind::Map,
        Kind::Reference,
    ];

    fn words(self) -> &'static [&'static str] {
        match self {
            Kind::Text => &[
                "title",
                "label",
                "nickname",
                "subtitle",
                "summary",
                "caption",
                "wording",
                "headline",
                "motto",
                "full_name",
                "street",
                "display_name",
            ],
            Kind::Category => &[
                "category",
                "warehouse",
                "branch",
                "team",
                "supplier",
                "district",
                "brand",
                "genre",
                "campaign",
                "department",
                "carrier",
                "city",
            ],
            Kind::State => &[
                "stage",
                "tier",
                "priority",
                "outcome",
                "visibility",
                "channel",
                "phase",
                "grade",
                "condition",
                "mood",
            ],
            Kind::Number => &[
                "total", "price", "weight", "score", "stock", "revision", "rating", "points", "balance", "discount",
                "distance", "quantity", "seats", "effort",
            ],
            Kind::Flag => &["active", "verified", "archived", "urgent", "pinned", "billable", "featured", "confirmed"],
            Kind::Moment => &[
                "created_at",
                "opened_at",
                "started_at",
                "changed_at",
                "seen_at",
                "planned_at",
                "closed_at",
                "issued_at",
                "printed_at",
                "sent_at",
                "paid_at",
                "checked_at",
            ],
            Kind::Epoch => &["expires_at", "purge_at", "valid_until", "retry_after", "stale_after", "due_at"],
            Kind::Blob => &["thumbnail", "signature", "checksum", "fingerprint", "payload", "digest", "waveform"],
            Kind::List => &["photos", "annotations", "steps", "milestones", "attachments", "waypoints"],
            Kind::Set => &["tags", "labels", "keywords", "allergens", "flavors", "skills", "sectors"],
            Kind::Map => &["address", "dimensions", "metadata", "settings", "features", "contact"],
            Kind::Reference => &["tracking_id", "batch_id", "trace_id", "import_id", "receipt_id", "gateway_id"],
        }
    }
}

const STATES: [&[&str]; 7] = [
    &["open", "paid", "shipped", "delivered"],
    &["low", "medium", "high"],
    &["draft", "live", "retired"],
    &["basic", "plus", "business"],
    &["red", "amber", "green"],
    &["hidden", "shared", "public"],
    &["new", "waiting", "solved", "refused", "stuck"],
];

/// Hands out names for attributes, each once in a model: an index on one of
/// them then holds one entity, unless several were meant.
pub struct Names {
    camel: bool,
    taken: Vec<String>,
}

impl Names {
    pub fn new(camel: bool) -> Self {
        Self { camel, taken: Vec::new() }
    }

    /// A name in the case that the model uses.
    pub fn cased(&self, snake: &str) -> String {
        if !self.camel {
            return snake.to_owned();
        }
        let pascal = pascal(snake);
        pascal[..1].to_lowercase() + &pascal[1..]
    }

    /// A new name for an attribute of this kind.
    pub fn take(&mut self, rng: &mut Rng, kind: Kind) -> String {
        let free: Vec<&str> =
            kind.words().iter().copied().filter(|word| !self.taken.iter().any(|t| t == word)).collect();
        let word = match rng.any(&free) {
            Some(word) => word.to_owned(),
            None => (2..)
                .map(|n| format!("{}_{n}", kind.words()[0]))
                .find(|name| !self.taken.contains(name))
                .expect("numbers do not end"),
        };
        self.taken.push(word.clone());
        self.cased(&word)
    }
}

/// An enum's values.
pub fn states(rng: &mut Rng) -> Type {
    Type::Enum(rng.pick(&STATES).iter().map(|state| (*state).to_owned()).collect())
}
