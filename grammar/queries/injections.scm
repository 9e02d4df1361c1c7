;; injections
