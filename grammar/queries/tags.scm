;; tags
