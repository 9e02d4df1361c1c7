;; locals
