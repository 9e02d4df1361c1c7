; Made of grammar/queries/folds.scm by `cargo xtask generate`.

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
] @fold

; Several lines of a description
((doc_comment) . (doc_comment)+) @fold
