//! What kind of thing a name or title is of: a person, a company, a dish, or something
//! that is only called so.

use super::pools::*;
use super::text::{Made, person, round_of_people};
use super::words::{ends, has};

/// A name or title of what these words say it belongs to.
pub(super) fn titled(name: &[String], whose: &[String], n: usize) -> Made {
    let (first, last) = person(n);
    let of = |pool| Made::Of(pool, " ");
    if has(whose, &["first", "given", "fore"]) {
        of(FIRST_NAMES)
    } else if has(whose, &["last", "family", "sur"]) {
        of(LAST_NAMES)
    } else if has(whose, PEOPLE) {
        Made::Own(format!("{first} {last}{}", round_of_people(n)))
    } else if has(whose, BUSINESSES) {
        of(COMPANIES)
    } else if has(whose, &["product", "item", "article", "goods", "part", "gift"])
        && ends(name, &["name", "title", "label"])
    {
        of(PRODUCTS)
    } else if has(whose, &["dish", "meal", "recipe", "menu"]) {
        of(DISHES)
    } else if has(whose, &["course", "lesson", "class", "lecture", "module", "exam"]) {
        of(SUBJECTS)
    } else if has(whose, &["issue", "ticket", "bug", "task", "incident", "case", "todo"]) {
        of(PROBLEMS)
    } else if has(whose, &["room", "venue", "house", "building", "site", "warehouse", "depot", "office"]) {
        of(ROOMS)
    } else if has(whose, &["team", "group", "channel", "project", "club", "community", "conversation", "league"]) {
        of(GROUPS)
    } else if has(whose, &["city", "town"]) {
        of(CITIES)
    } else if has(whose, &["country"]) {
        of(COUNTRIES)
    } else if has(whose, &["category", "tag", "topic"]) {
        Made::Of(CATEGORIES, "-")
    } else if has(whose, &["device", "sensor", "machine", "thing"]) {
        Made::Of(DEVICES, "-")
    } else if ends(name, &["name", "label"]) && !has(whose, WRITTEN) {
        called(whose, n)
    } else {
        of(TITLES)
    }
}

/// A name that says what it is the name of, where nothing else is known of it:
/// `Department 2`.
fn called(whose: &[String], n: usize) -> Made {
    let mut words = whose.join(" ");
    if words.is_empty() {
        words.push_str("name");
    }
    let capital: String = words.chars().take(1).flat_map(char::to_uppercase).chain(words.chars().skip(1)).collect();
    Made::Own(format!("{capital} {}", n + 1))
}

/// What has a title that somebody wrote, also where it is called a name.
const WRITTEN: &[&str] = &[
    "post",
    "story",
    "book",
    "chapter",
    "page",
    "document",
    "doc",
    "note",
    "news",
    "video",
    "film",
    "movie",
    "episode",
    "song",
    "track",
    "album",
    "podcast",
    "blog",
    "paper",
    "report",
    "guide",
    "essay",
    "poem",
    "recording",
    "playlist",
];

const BUSINESSES: &[&str] = &[
    "company",
    "organisation",
    "organization",
    "org",
    "tenant",
    "vendor",
    "supplier",
    "merchant",
    "shop",
    "store",
    "brand",
    "restaurant",
    "hotel",
    "account",
    "workspace",
    "business",
    "kitchen",
    "client",
];

/// Who has a name of people.
const PEOPLE: &[&str] = &[
    "user",
    "customer",
    "person",
    "people",
    "human",
    "individual",
    "citizen",
    "resident",
    "member",
    "driver",
    "rider",
    "guest",
    "patient",
    "doctor",
    "physician",
    "surgeon",
    "dentist",
    "nurse",
    "therapist",
    "practitioner",
    "clinician",
    "psychologist",
    "pharmacist",
    "caregiver",
    "author",
    "writer",
    "journalist",
    "photographer",
    "student",
    "pupil",
    "learner",
    "teacher",
    "lecturer",
    "professor",
    "tutor",
    "trainer",
    "coach",
    "instructor",
    "mentor",
    "employee",
    "colleague",
    "staff",
    "manager",
    "supervisor",
    "director",
    "engineer",
    "developer",
    "technician",
    "mechanic",
    "designer",
    "architect",
    "consultant",
    "contractor",
    "freelancer",
    "lawyer",
    "attorney",
    "judge",
    "notary",
    "officer",
    "inspector",
    "surveyor",
    "accountant",
    "cashier",
    "clerk",
    "operator",
    "dispatcher",
    "pilot",
    "captain",
    "chef",
    "cook",
    "waiter",
    "farmer",
    "gardener",
    "cleaner",
    "player",
    "athlete",
    "swimmer",
    "cyclist",
    "referee",
    "contact",
    "sender",
    "recipient",
    "reader",
    "owner",
    "buyer",
    "seller",
    "payer",
    "payee",
    "borrower",
    "lender",
    "donor",
    "investor",
    "trader",
    "broker",
    "insured",
    "beneficiary",
    "visitor",
    "passenger",
    "traveller",
    "traveler",
    "courier",
    "host",
    "organiser",
    "organizer",
    "follower",
    "friend",
    "assignee",
    "admin",
    "administrator",
    "moderator",
    "agent",
    "profile",
    "subscriber",
    "attendee",
    "applicant",
    "candidate",
    "recruiter",
    "reviewer",
    "approver",
    "requester",
    "reporter",
    "editor",
    "participant",
    "speaker",
    "presenter",
    "volunteer",
    "voter",
    "singer",
    "musician",
    "artist",
    "actor",
    "actress",
    "performer",
    "dancer",
    "composer",
    "conductor",
    "understudy",
    "creator",
    "viewer",
    "guardian",
    "sibling",
    "spouse",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn name_of(entity: &str) -> String {
        titled(&["name".to_owned()], &[entity.to_owned()], 1).text(1, false)
    }

    #[test]
    fn a_name_is_of_what_its_entity_is() {
        for person in ["doctor", "practitioner", "nurse", "singer", "teacher", "driver"] {
            assert_eq!(name_of(person), "Ben Okafor", "{person}");
        }
        assert_eq!([name_of("restaurant"), name_of("dish")], ["Brightwater", "Lentil stew"]);
    }

    #[test]
    fn a_name_of_who_knows_what_says_what_it_is_of() {
        assert_eq!([name_of("department"), name_of("galaxy")], ["Department 2", "Galaxy 2"]);
        // A title is written by somebody.
        assert_eq!(name_of("document"), "A week in Lisbon");
        let title = titled(&["title".to_owned()], &["galaxy".to_owned()], 1);
        assert_eq!(title.text(1, false), "A week in Lisbon");
    }
}
