;; folds
