; Made of grammar/queries/locals.scm by `cargo xtask generate`.

; Entities, tables, patterns and workflows are global to the model; what is
; declared in a block is named with the block's name in front, if at all.

(source_file) @local.scope
(entity_body) @local.scope
(index_body) @local.scope
(transaction_body) @local.scope

; Definitions

(entity name: (name) @local.definition.type)
(table name: (name) @local.definition.namespace)
(gsi name: (name) @local.definition.namespace)
(lsi name: (name) @local.definition.namespace)
(pattern name: (name) @local.definition.function)
(workflow name: (name) @local.definition.function)
(attribute name: (name) @local.definition.field)
(subject role: (name) @local.definition.var)

; References

(relationship left: (name) @local.reference)
(relationship right: (name) @local.reference)
(relationship through: (name) @local.reference)
(aggregate entity: (name) @local.reference)
(of_modifier entity: (name) @local.reference)
(copied_from_modifier entity: (name) @local.reference)
(item entity: (name) @local.reference)
(embeds entity: (name) @local.reference)
(entity_use entity: (name) @local.reference)
(subject entity: (name) @local.reference)
(index_ref table: (name) @local.reference)
(index_ref index: (name) @local.reference)
(put_operation table: (name) @local.reference)
(update_operation table: (name) @local.reference)
(delete_operation table: (name) @local.reference)
(check_operation table: (name) @local.reference)
(workflow_body pattern: (name) @local.reference)
