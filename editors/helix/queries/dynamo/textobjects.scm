; Declarations and indexes

(application body: (_) @class.inside) @class.around
(entity body: (_) @class.inside) @class.around
(relationship body: (_) @class.inside) @class.around
(aggregate body: (_) @class.inside) @class.around
(table body: (_) @class.inside) @class.around
(gsi body: (_) @class.inside) @class.around
(lsi body: (_) @class.inside) @class.around

(pattern body: (_) @function.inside) @function.around
(workflow body: (_) @function.inside) @function.around

; What stands in parentheses, and other lists of names

(unique_modifier scope: (name) @parameter.inside . ","? @parameter.around) @parameter.around
(enum_type ((name) @parameter.inside . ","? @parameter.around) @parameter.around)
(entity_use ((name) @parameter.inside . ","? @parameter.around) @parameter.around)
(projection_clause ((name) @parameter.inside . ","? @parameter.around) @parameter.around)
(partition_key ((key_part) @parameter.inside . ","? @parameter.around) @parameter.around)
(sort_key ((key_part) @parameter.inside . ","? @parameter.around) @parameter.around)
(workflow_body ((name) @parameter.inside . ","? @parameter.around) @parameter.around)

; A name and its value, and the lines of a block

(attribute type: (_) @entry.inside) @entry.around
(key_value value: (_) @entry.inside) @entry.around
(application_body (_) @entry.around)
(entity_body (_) @entry.around)
(relationship_body (_) @entry.around)
(aggregate_body (_) @entry.around)
(table_body (_) @entry.around)
(index_body (_) @entry.around)
(pattern_body (_) @entry.around)
(transaction_body (_) @entry.around)

; Comments

[
  (comment)
  (doc_comment)
] @comment.inside

(comment)+ @comment.around
(doc_comment)+ @comment.around
