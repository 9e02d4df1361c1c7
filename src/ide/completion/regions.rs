//! The Regions of AWS that have DynamoDB.

use super::{CompletionItem, CompletionKind};

/// That whose prices come with Keywright stands first.
const REGIONS: &[(&str, &str)] = &[
    ("us-east-1", "N. Virginia"),
    ("us-east-2", "Ohio"),
    ("us-west-1", "N. California"),
    ("us-west-2", "Oregon"),
    ("af-south-1", "Cape Town"),
    ("ap-east-1", "Hong Kong"),
    ("ap-northeast-1", "Tokyo"),
    ("ap-northeast-2", "Seoul"),
    ("ap-northeast-3", "Osaka"),
    ("ap-south-1", "Mumbai"),
    ("ap-south-2", "Hyderabad"),
    ("ap-southeast-1", "Singapore"),
    ("ap-southeast-2", "Sydney"),
    ("ap-southeast-3", "Jakarta"),
    ("ap-southeast-4", "Melbourne"),
    ("ca-central-1", "Canada Central"),
    ("ca-west-1", "Calgary"),
    ("eu-central-1", "Frankfurt"),
    ("eu-central-2", "Zurich"),
    ("eu-north-1", "Stockholm"),
    ("eu-south-1", "Milan"),
    ("eu-south-2", "Spain"),
    ("eu-west-1", "Ireland"),
    ("eu-west-2", "London"),
    ("eu-west-3", "Paris"),
    ("il-central-1", "Tel Aviv"),
    ("me-central-1", "UAE"),
    ("me-south-1", "Bahrain"),
    ("sa-east-1", "São Paulo"),
];

/// The Regions.
pub(super) fn regions() -> Vec<CompletionItem> {
    REGIONS.iter().map(|(id, place)| CompletionItem::new(CompletionKind::Text, *id).detail(*place)).collect()
}
