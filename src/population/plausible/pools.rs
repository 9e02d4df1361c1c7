//! What texts are picked from. ASCII only, and nothing that belongs to somebody.

pub(super) const FIRST_NAMES: &[&str] =
    &["Ana", "Ben", "Chloe", "Dilan", "Emma", "Farid", "Grace", "Hugo", "Iris", "Jonas", "Kenji", "Lena"];
pub(super) const LAST_NAMES: &[&str] =
    &["Silva", "Okafor", "Martin", "Yilmaz", "Novak", "Haddad", "Lindqvist", "Moreau", "Rossi", "Weber", "Tanaka"];
pub(super) const COMPANIES: &[&str] = &[
    "Alder and Finch",
    "Brightwater",
    "Cobalt Works",
    "Dune Logistics",
    "Elm Street Bakery",
    "Fairfield Studio",
    "Harbour Supply",
];
pub(super) const PRODUCTS: &[&str] = &[
    "Blue mug",
    "Oak shelf",
    "Desk lamp",
    "Wool blanket",
    "Travel flask",
    "Linen apron",
    "Paper notebook",
    "Brass hook",
];
pub(super) const DISHES: &[&str] =
    &["Tomato soup", "Lentil stew", "Grilled sardines", "Mushroom risotto", "Apple cake", "Green curry"];
pub(super) const TITLES: &[&str] = &[
    "Getting started",
    "A week in Lisbon",
    "Notes on sourdough",
    "Why we moved",
    "Five small habits",
    "The long way home",
    "A field guide",
    "What we learned",
];
pub(super) const SUBJECTS: &[&str] =
    &["Linear algebra", "Organic chemistry", "World history", "Databases", "Music theory", "Statistics"];
pub(super) const SPECIALTIES: &[&str] =
    &["Cardiology", "Dermatology", "Neurology", "Paediatrics", "Radiology", "Surgery"];
pub(super) const PROBLEMS: &[&str] = &[
    "Login fails after reset",
    "Export is cut off",
    "Slow search on Mondays",
    "Wrong total in the summary",
    "Broken link in the footer",
];
pub(super) const ROOMS: &[&str] = &["Garden", "Library", "North wing", "Studio", "Terrace", "Workshop"];
pub(super) const GROUPS: &[&str] = &["Otters", "Herons", "Badgers", "Swifts", "Foxes", "Larks"];
pub(super) const SENTENCES: &[&str] = &[
    "Arrived on time and well packed.",
    "Could you look at this today?",
    "The second page needs a new picture.",
    "Works as described, thank you.",
    "Please call before delivery.",
    "We meet at ten in room four.",
];
pub(super) const STREETS: &[&str] =
    &["Station Road", "Rua Augusta", "Mill Lane", "Harbour Street", "Linden Avenue", "Market Square"];
pub(super) const CITIES: &[&str] = &["Lisbon", "Berlin", "Nairobi", "Osaka", "Toronto", "Oslo", "Lima", "Lyon"];
pub(super) const COUNTRIES: &[&str] = &["Portugal", "Germany", "Kenya", "Japan", "Canada", "Norway", "Peru", "France"];
pub(super) const COUNTRY_CODES: &[&str] = &["PT", "DE", "KE", "JP", "CA", "NO", "PE", "FR"];
pub(super) const CURRENCIES: &[&str] = &["EUR", "USD", "GBP", "JPY", "CHF", "SEK"];
pub(super) const LANGUAGES: &[&str] = &["en", "pt", "de", "fr", "ja", "es"];
pub(super) const LOCALES: &[&str] = &["en-GB", "pt-PT", "de-DE", "fr-FR", "ja-JP", "es-ES"];
pub(super) const TIME_ZONES: &[&str] = &["Europe/Lisbon", "Europe/Berlin", "Africa/Nairobi", "Asia/Tokyo"];
pub(super) const COLOURS: &[&str] = &["blue", "green", "red", "grey", "yellow", "black"];
pub(super) const SIZES: &[&str] = &["S", "M", "L", "XL", "XS"];
pub(super) const CATEGORIES: &[&str] = &["books", "kitchen", "garden", "toys", "music", "travel", "sports", "office"];
pub(super) const STATES: &[&str] = &["active", "pending", "closed", "archived"];
pub(super) const ROLES: &[&str] = &["member", "editor", "owner", "guest"];
pub(super) const REGIONS: &[&str] = &["north", "south", "east", "west"];
pub(super) const TAGS: &[&str] = &["new", "urgent", "gift", "draft", "summer", "sale"];
pub(super) const UNITS: &[&str] = &["kg", "m", "l", "h"];
pub(super) const DEVICES: &[&str] = &["phone", "tablet", "laptop", "kiosk"];
