//! The keywords, with what is put in for each.

use crate::syntax::ChunkKind;

/// A keyword, or several that stand together.
pub(super) struct Keyword {
    /// As it is written, and shown.
    pub word: &'static str,
    /// What is put in; empty: the word.
    pub snippet: &'static str,
    /// What makes it a keyword where a name may stand as well.
    pub tail: &'static str,
    /// What it is for.
    pub about: &'static str,
}

impl Keyword {
    /// The first of its words: what the grammar has to take.
    pub fn first(&self) -> &'static str {
        self.word.split(' ').next().unwrap_or(self.word)
    }
}

/// The tail of what asks about an attribute.
pub(super) const ARGUMENT: &str = "(a)";

const fn word(word: &'static str, about: &'static str) -> Keyword {
    Keyword { word, snippet: "", tail: "", about }
}

const fn clause(word: &'static str, snippet: &'static str, about: &'static str) -> Keyword {
    Keyword { word, snippet, tail: "", about }
}

const fn marked(word: &'static str, snippet: &'static str, tail: &'static str, about: &'static str) -> Keyword {
    Keyword { word, snippet, tail, about }
}

const ALLOW: Keyword =
    marked("allow", "allow ${1:rule-name} because \"$0\"", " a-b", "silences a rule in this block, with its reason");
const BECAUSE: Keyword = clause("because", "because \"$0\"", "the reason");
const AVG: Keyword = word("avg", "the average");
const MAX: Keyword = word("max", "the greatest");
const PEAK: Keyword = word("peak", "at the busiest moment");

const APPLICATION: &[Keyword] = &[
    clause("domain", "domain \"$0\"", "what the application is about"),
    clause("context", "context \"$0\"", "what a reader has to know"),
    clause("scale", "scale \"$0\"", "how large it is"),
    clause("region", "region \"$0\"", "the AWS Region: prices depend on it"),
    word("style", "the school of table design"),
    word("capacity", "how throughput is paid for"),
    word("class", "the table class of all tables"),
    word("aggregate", "one table an aggregate, natural keys"),
    word("single_table", "one table for all, generic keys"),
    word("on_demand", "paid by the request"),
    word("provisioned", "paid by the hour, used or not"),
    clause("utilization", "utilization $0", "the share of what is provisioned that is used"),
    word("standard", "for most tables"),
    word("standard_infrequent_access", "cheaper storage, dearer requests"),
    ALLOW,
];

const ENTITY: &[Keyword] = &[
    marked("count", "count $0", " 1", "how many items there are"),
    marked("size", "size avg $0", " 1KB", "the size of an item"),
    marked("lifetime", "lifetime $0", " 1h", "how long an item stays useful"),
    ALLOW,
    clause("growing", "growing $0", "new items in a time"),
    AVG,
    MAX,
    PEAK,
    BECAUSE,
    word("string", "text"),
    word("number", "a number"),
    word("uuid", "36 characters, random"),
    word("ulid", "26 characters, in the order of time"),
    word("ksuid", "27 characters, in the order of time"),
    word("timestamp", "ISO 8601 in UTC, as text"),
    word("epoch", "Unix seconds, as a number"),
    word("boolean", "true or false"),
    clause("enum", "enum(${1:value})", "one of these names"),
    word("binary", "bytes"),
    clause("list", "list<${1:string}>", "values in order"),
    clause("set", "set<${1:string}>", "values, each once"),
    word("map", "named values"),
    word("true", "a value of a boolean"),
    word("false", "a value of a boolean"),
];

/// What may be said of an attribute.
pub(super) const MODIFIERS: &[Keyword] = &[
    word("@id", "part of the identity of the entity"),
    clause("@of", "@of($0)", "holds the id of that entity"),
    clause("@size", "@size($0)", "the size of the value"),
    word("@unique", "no two entities share the value"),
    word("@immutable", "no update sets it"),
    clause("@distinct", "@distinct($0)", "how many values there are"),
    clause("@hottest", "@hottest($0)", "the share of the most popular value"),
    clause("@present", "@present($0)", "the share of items that have it"),
    clause("@copied_from", "@copied_from($0)", "a copy of another entity's attribute"),
    clause("@without", "@without(\"$0\")", "the value never contains this text"),
    clause("@example", "@example(\"$0\")", "a value, for readers"),
];

const RELATIONSHIP: &[Keyword] = &[
    word("through", "the entity that is the edge of an N:M"),
    word("by", "the attribute that holds the parent's id"),
    clause("children", "children avg $0", "how many a parent has"),
    clause("parents", "parents avg $0", "how many a child has"),
    word("identifying", "a child cannot exist without its parent"),
    BECAUSE,
    ALLOW,
    AVG,
    MAX,
    PEAK,
];

const AGGREGATE: &[Keyword] = &[
    word("decision", "how they are stored"),
    BECAUSE,
    word("item_collection", "items under one partition-key value"),
    word("single_item", "the children in a list of the parent's item"),
    word("separate_tables", "a table each"),
    ALLOW,
];

const TABLE: &[Keyword] = &[
    word("partition key", "decides where an item is stored"),
    word("sort key", "the order within a partition-key value"),
    word("key", "names the attributes"),
    word("item", "an entity's place in the table"),
    word("embeds", "keeps another entity in a list of this item"),
    word("as", "the name of the list"),
    clause(
        "gsi",
        "gsi ${1:Name} {\n  partition key ${2:attribute}\n  projection ${3:keys_only}$0\n}",
        "a global secondary index",
    ),
    clause(
        "lsi",
        "lsi ${1:Name} {\n  sort key ${2:attribute}\n  projection ${3:keys_only}$0\n}",
        "a local secondary index",
    ),
    word("projection", "what the index copies"),
    word("sparse", "only some items have the keys"),
    clause("purpose", "purpose \"$0\"", "what the index is for"),
    clause("boundary", "boundary \"$0\"", "what is grouped here, and why"),
    word("ttl", "the attribute by which items expire"),
    word("stream", "a log of changes"),
    word("point_in_time_recovery", "continuous backups"),
    word("class", "the table class"),
    word("capacity", "how throughput is paid for"),
    word("keys_only", "the keys and nothing else"),
    clause("include", "include($0)", "the keys and these attributes"),
    word("all", "every attribute"),
    word("new_and_old_images", "the item before and after"),
    word("new_image", "the item after"),
    word("old_image", "the item before"),
    word("on_demand", "paid by the request"),
    word("provisioned", "paid by the hour, used or not"),
    clause("utilization", "utilization $0", "the share of what is provisioned that is used"),
    word("standard", "for most tables"),
    word("standard_infrequent_access", "cheaper storage, dearer requests"),
    word("string", "the type of the key"),
    word("number", "the type of the key"),
    word("binary", "the type of the key"),
    BECAUSE,
    ALLOW,
];

const PATTERN: &[Keyword] = &[
    word("reads", "what the caller needs"),
    word("writes", "what the caller changes"),
    word("get", "one item by its key"),
    word("query", "a range of one collection"),
    word("put", "writes a whole item"),
    word("update", "changes attributes of an item"),
    word("delete", "removes an item"),
    word("check", "a condition on an item that is not written"),
    word("scan", "reads everything, page by page"),
    clause("transact write", "transact write {\n  $0\n}", "all of these, or none"),
    clause("transact get", "transact get {\n  $0\n}", "these as of one moment"),
    clause("batch write", "batch write {\n  $0\n}", "these in one request, each for itself"),
    clause("batch get", "batch get {\n  $0\n}", "these in one request, each for itself"),
    word("write", "the steps write"),
    clause("rate", "rate avg $0", "calls a second"),
    clause("latency", "latency $0", "how soon an answer has to come"),
    clause("pages", "pages avg $0", "how many pages a caller reads"),
    clause("external", "external \"$1\" because \"$0\"", "answered outside DynamoDB"),
    clause("no_write", "no_write because \"$0\"", "nothing here writes what it reads"),
    clause("no_read", "no_read because \"$0\"", "nothing here reads what it writes"),
    ALLOW,
    word("from", "the table"),
    word("into", "the table"),
    word("in", "the table, or the values that are looked for"),
    word("as", "the part that the item plays"),
    word("where", "the key condition"),
    word("and", "both hold"),
    word("or", "one of them holds"),
    word("not", "it does not hold"),
    marked("exists", "", ARGUMENT, "it is there"),
    marked("not_exists", "", ARGUMENT, "it is not there"),
    word("=", "is"),
    word("begins_with", "begins with this text"),
    word("between", "from one value to another"),
    word("<", "comes before"),
    word("<=", "comes before, or is"),
    word(">", "comes after"),
    word(">=", "comes after, or is"),
    word("<>", "is not"),
    word("contains", "holds this text or element"),
    word("set", "the attributes that it sets"),
    word("remove", "the attributes that it takes away"),
    word("with", "the optional attributes that it sets"),
    word("none", "no optional attribute"),
    word("if", "the condition of the write"),
    word("descending", "the greatest first"),
    clause("limit", "limit $0", "so many items at most"),
    word("filter", "reads them, and drops what does not fit"),
    clause("keeping", "keeping $0", "the share that the filter keeps"),
    word("consistent", "sees every write before it"),
    word("project", "only these attributes"),
    clause("returning", "returning avg $0", "items read a call"),
    clause("times", "times $0", "how often a call runs it"),
    word("by", "what the caller has"),
    word("ordered by", "the order that the caller needs"),
    BECAUSE,
    AVG,
    MAX,
    PEAK,
];

const OTHER: &[Keyword] = &[BECAUSE];

/// The keywords that may stand somewhere in a declaration of this kind.
pub(super) fn keywords(kind: ChunkKind) -> &'static [Keyword] {
    match kind {
        ChunkKind::Application => APPLICATION,
        ChunkKind::Entity => ENTITY,
        ChunkKind::Relationship => RELATIONSHIP,
        ChunkKind::Aggregate => AGGREGATE,
        ChunkKind::Table => TABLE,
        ChunkKind::Pattern => PATTERN,
        ChunkKind::Allow | ChunkKind::Tradeoff => OTHER,
        ChunkKind::Import | ChunkKind::Workflow | ChunkKind::Consideration | ChunkKind::Junk => &[],
    }
}
