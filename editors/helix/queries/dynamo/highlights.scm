; Made of grammar/queries/highlights.scm by `cargo xtask generate`.

; Patterns do not overlap, so that it does not matter to a tool which of two
; wins.

; Comments

(comment) @comment.line
(doc_comment) @comment.line.documentation

; Declarations

[
  "import"
  "allow"
  "because"
  "application"
  "entity"
  "relationship"
  "table"
  "aggregate"
  "pattern"
  "workflow"
  "consideration"
  "tradeoff"
] @keyword

(application name: (name) @namespace)
(entity name: (name) @type)
(relationship left: (name) @type right: (name) @type)
(relationship through: (name) @type)
(relationship by: (name) @variable.other.member)
(aggregate entity: (name) @type)
(table name: (name) @namespace)
(pattern name: (name) @function)
(workflow name: (name) @function)
(workflow_body pattern: (name) @function)
(cardinality) @operator
(rule_name) @label

; Clauses

[
  "domain"
  "context"
  "scale"
  "region"
  "style"
  "capacity"
  "utilization"
  "class"
  "count"
  "growing"
  "lifetime"
  "through"
  "by"
  "children"
  "parents"
  "decision"
  "partition"
  "sort"
  "key"
  "boundary"
  "ttl"
  "stream"
  "item"
  "embeds"
  "as"
  "gsi"
  "lsi"
  "projection"
  "sparse"
  "purpose"
  "reads"
  "writes"
  "ordered"
  "get"
  "times"
  "from"
  "query"
  "where"
  "scan"
  "put"
  "into"
  "with"
  "none"
  "update"
  "in"
  "remove"
  "delete"
  "check"
  "filter"
  "keeping"
  "limit"
  "project"
  "returning"
  "if"
  "rate"
  "latency"
  "pages"
  "no_write"
  "no_read"
  "external"
] @keyword

(size_clause "size" @keyword)
(update_operation "set" @keyword)
(reads_clause descending: _ @keyword)
(writes_clause descending: _ @keyword)
(identifying_clause) @keyword
(point_in_time_recovery_clause) @keyword
(descending_option) @keyword
(consistent_option) @keyword

(style_clause value: (keyword_value) @constant.builtin)
(capacity_clause mode: (keyword_value) @constant.builtin)
(class_clause value: (keyword_value) @constant.builtin)
(decision_clause value: (keyword_value) @constant.builtin)
(stream_clause value: (keyword_value) @constant.builtin)
(projection_clause kind: (keyword_value) @constant.builtin)
(labelled_quantity label: (keyword_value) @keyword)
(transaction kind: (keyword_value) @keyword mode: (keyword_value) @keyword)
(if_condition existence: (keyword_value) @function.builtin)

; Attributes and types

(attribute name: (name) @variable.other.member)
(primitive_type) @type.builtin
(enum_type "enum" @type.builtin)
(enum_type value: (name) @constant)
(list_type "list" @type.builtin)
(set_type "set" @type.builtin)

(id_modifier ["@" "id"] @attribute)
(unique_modifier ["@" "unique"] @attribute)
(unique_modifier scope: (name) @variable.other.member)
(without_modifier ["@" "without"] @attribute)
(immutable_modifier ["@" "immutable"] @attribute)
(size_modifier ["@" "size"] @attribute)
(distinct_modifier ["@" "distinct"] @attribute)
(hottest_modifier ["@" "hottest"] @attribute)
(of_modifier ["@" "of"] @attribute)
(of_modifier entity: (name) @type)
(copied_from_modifier ["@" "copied_from"] @attribute)
(copied_from_modifier entity: (name) @type)
(copied_from_modifier attribute: (name) @variable.other.member)
(present_modifier ["@" "present"] @attribute)
(example_modifier ["@" "example"] @attribute)

; Tables

(key_part name: (name) @variable.other.member)
(key_part type: (keyword_value) @type.builtin)
(ttl_clause attribute: (name) @variable.other.member)
(item entity: (name) @type)
(embeds entity: (name) @type)
(embeds list: (name) @variable.other.member)
(key_value key: (name) @variable.other.member)
(key_value value: (name) @variable.other.member)
(gsi name: (name) @namespace)
(lsi name: (name) @namespace)
(projection_clause attribute: (name) @variable.other.member)

; Patterns

(entity_use entity: (name) @type)
(entity_use attribute: (name) @variable.other.member)
(reads_clause by: (name) @variable.other.member)
(writes_clause by: (name) @variable.other.member)
(reads_clause order: (name) @variable.other.member)
(writes_clause order: (name) @variable.other.member)
(subject entity: (name) @type)
(subject role: (name) @variable)
(index_ref table: (name) @namespace)
(index_ref index: (name) @namespace)
(put_operation table: (name) @namespace)
(put_operation with: (name) @variable.other.member)
(update_operation table: (name) @namespace)
(update_operation set: (name) @variable.other.member)
(update_operation remove: (name) @variable.other.member)
(delete_operation table: (name) @namespace)
(check_operation table: (name) @namespace)
(project_option attribute: (name) @variable.other.member)

; Conditions

(conditions operator: (keyword_value) @keyword.operator)
(not_condition "not" @keyword.operator)
(comparison attribute: (name) @variable.other.member)
(operator) @operator
(existence function: (keyword_value) @function.builtin)
(existence attribute: (name) @variable.other.member)

; Literals

(string ["\"" (string_content)] @string)
(template ["\"" (template_content)] @string)
[
  (escape_sequence)
  (escaped_brace)
] @constant.character.escape
(hole ["{" "}"] @punctuation.special)
(hole_name) @variable.other.member
(hole_parameter) @variable.parameter
(hole_format) @constant.builtin
(shard) @function.builtin
(quantity) @constant.numeric
(boolean) @constant.builtin.boolean
(parameter) @variable.parameter

; Punctuation

(application_body ["{" "}"] @punctuation.bracket)
(entity_body ["{" "}"] @punctuation.bracket)
(relationship_body ["{" "}"] @punctuation.bracket)
(aggregate_body ["{" "}"] @punctuation.bracket)
(table_body ["{" "}"] @punctuation.bracket)
(item_body ["{" "}"] @punctuation.bracket)
(index_body ["{" "}"] @punctuation.bracket)
(pattern_body ["{" "}"] @punctuation.bracket)
(transaction_body ["{" "}"] @punctuation.bracket)
(workflow_body ["{" "}"] @punctuation.bracket)
[
  "("
  ")"
] @punctuation.bracket
(list_type ["<" ">"] @punctuation.bracket)
(set_type ["<" ">"] @punctuation.bracket)
[
  ","
  "."
] @punctuation.delimiter
(attribute ":" @punctuation.delimiter)
(key_part ":" @punctuation.delimiter)
(hole ":" @punctuation.delimiter)
(key_value "=" @operator)
(type optional: "?" @operator)

; Faults

[
  (unknown_clause)
  (unknown_modifier)
  (unknown_type)
  (unexpected)
] @error
