;; indents
