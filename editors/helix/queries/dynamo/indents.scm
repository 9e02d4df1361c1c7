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
] @indent

; A block that is being typed ends with its last clause.
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
] @extend

"}" @extend.prevent-once

[
  "}"
  ")"
] @outdent
