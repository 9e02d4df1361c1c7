; Made of grammar/queries/indents.scm by `cargo xtask generate`.

[
  (application_body)
  (entity_body)
  (relationship_body)
  (aggregate_body)
  (table_body)
  (item_body)
  (index_body)
  (pattern_body)
  (transaction_body)
  (workflow_body)
  (enum_type)
  (unique_modifier)
  (entity_use)
  (projection_clause)
  (group)
] @indent.begin

[
  "}"
  ")"
] @indent.branch @indent.end

[
  (comment)
  (doc_comment)
] @indent.auto
