(application name: (name) @name) @definition.module
(entity name: (name) @name) @definition.class
(attribute name: (name) @name) @definition.field
(table name: (name) @name) @definition.struct
(gsi name: (name) @name) @definition.struct
(lsi name: (name) @name) @definition.struct
(pattern name: (name) @name) @definition.function
(workflow name: (name) @name) @definition.function
