; Definitions, each with the doc comment in front of it

((doc_comment)* @doc
  .
  (application name: (name) @name) @definition.module
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.module))

((doc_comment)* @doc
  .
  (entity name: (name) @name) @definition.class
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.class))

((doc_comment)* @doc
  .
  (table name: (name) @name) @definition.module
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.module))

((doc_comment)* @doc
  .
  (pattern name: (name) @name) @definition.function
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.function))

((doc_comment)* @doc
  .
  (workflow name: (name) @name) @definition.function
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.function))

((doc_comment)* @doc
  .
  (attribute name: (name) @name) @definition.field
  (#strip! @doc "^///\\s?")
  (#select-adjacent! @doc @definition.field))

(gsi name: (name) @name) @definition.module
(lsi name: (name) @name) @definition.module

; References

(relationship left: (name) @name) @reference.class
(relationship right: (name) @name) @reference.class
(relationship through: (name) @name) @reference.class
(aggregate entity: (name) @name) @reference.class
(of_modifier entity: (name) @name) @reference.class
(copied_from_modifier entity: (name) @name) @reference.class
(item entity: (name) @name) @reference.class
(embeds entity: (name) @name) @reference.class
(entity_use entity: (name) @name) @reference.class
(subject entity: (name) @name) @reference.class
(index_ref table: (name) @name) @reference.module
(index_ref index: (name) @name) @reference.module
(put_operation table: (name) @name) @reference.module
(update_operation table: (name) @name) @reference.module
(delete_operation table: (name) @name) @reference.module
(check_operation table: (name) @name) @reference.module
(workflow_body pattern: (name) @name) @reference.call
