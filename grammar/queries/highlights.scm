;; highlights
