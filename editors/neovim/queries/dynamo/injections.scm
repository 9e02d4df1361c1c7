; Made of grammar/queries/injections.scm by `cargo xtask generate`.

; Doc comments are Markdown, line by line: combined, all those of a file would
; be one document.

((doc_comment) @injection.content
  (#offset! @injection.content 0 3 0 0)
  (#set! injection.language "markdown"))
