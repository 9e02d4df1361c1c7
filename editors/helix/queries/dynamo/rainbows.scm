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
  (list_type)
  (set_type)
  (unique_modifier)
  (entity_use)
  (projection_clause)
  (group)
  (existence)
] @rainbow.scope

[
  "{"
  "}"
  "("
  ")"
] @rainbow.bracket

(list_type ["<" ">"] @rainbow.bracket)
(set_type ["<" ">"] @rainbow.bracket)
