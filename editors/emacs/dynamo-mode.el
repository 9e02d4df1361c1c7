;;; dynamo-mode.el --- DynamoDB data models, with Keywright  -*- lexical-binding: t; -*-

;; Author: The Keywright authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "29.1"))
;; Keywords: languages
;; SPDX-License-Identifier: MIT OR Apache-2.0

;;; Commentary:

;; A mode for `.dynamo' files: colours, indentation, comments, and how
;; Eglot starts the server, `keywright lsp'.

;;; Code:

(defgroup dynamo nil
  "DynamoDB data models."
  :group 'languages)

(defcustom dynamo-indent-offset 2
  "Columns that a block is indented by.  The formatter's is 2."
  :type 'natnum
  :safe #'natnump)

(defconst dynamo--clauses
  '("import" "allow" "application" "entity" "relationship" "table" "aggregate"
    "pattern" "workflow" "consideration" "tradeoff"
    "domain" "context" "scale" "region" "style" "capacity" "class"
    "count" "size" "lifetime" "children" "parents" "identifying" "decision"
    "partition" "sort" "boundary" "ttl" "stream" "point_in_time_recovery"
    "item" "gsi" "lsi" "projection" "sparse" "purpose"
    "reads" "writes" "transact" "batch" "get" "query" "scan" "put" "update"
    "delete" "check" "rate" "latency" "pages" "no_write" "no_read" "external")
  "Words that begin a declaration or a clause.")

(defconst dynamo--words
  '("because" "utilization" "growing" "avg" "max" "peak" "through" "by" "key"
    "embeds" "as" "ordered" "descending" "write" "times" "from" "where" "into"
    "with" "none" "in" "set" "remove" "filter" "keeping" "limit" "consistent"
    "project" "returning" "if" "and" "or" "not" "begins_with" "contains"
    "between")
  "Words within a clause.")

(defconst dynamo--values
  '("aggregate" "single_table" "on_demand" "provisioned" "standard"
    "standard_infrequent_access" "single_item" "item_collection"
    "separate_tables" "keys_only" "new_image" "old_image" "new_and_old_images"
    "all" "include" "exists" "not_exists" "true" "false")
  "Words that are the value of a clause.")

(defconst dynamo--types
  '("string" "number" "binary" "boolean" "timestamp" "epoch" "uuid" "ulid"
    "ksuid" "map" "enum" "list" "set")
  "Types of attributes.")

(defconst dynamo--modifiers
  '("id" "unique" "without" "immutable" "size" "distinct" "hottest" "of"
    "copied_from" "present" "example")
  "What may follow an at sign.")

(defvar dynamo-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?` "$" table)
    (modify-syntax-entry ?' "." table)
    (modify-syntax-entry ?{ "(}" table)
    (modify-syntax-entry ?} "){" table)
    (dolist (character '(?@ ?# ?= ?< ?> ?: ?. ?, ?? ?% ?&))
      (modify-syntax-entry character "." table))
    table)
  "Syntax table of `dynamo-mode'.")

(defconst dynamo--name "\\(`[^`\n]+`\\|\\_<[A-Za-z_][A-Za-z0-9_]*\\_>\\)"
  "A name, in backticks or not.")

(defvar dynamo-font-lock-keywords
  `(;; What is declared.
    (,(concat "^\\s-*\\(?:application\\|entity\\|relationship\\|aggregate\\|item\\)\\s-+"
              dynamo--name)
     1 font-lock-type-face)
    (,(concat "^\\s-*\\(?:table\\|gsi\\|lsi\\)\\s-+" dynamo--name)
     1 font-lock-constant-face)
    (,(concat "^\\s-*\\(?:pattern\\|workflow\\)\\s-+" dynamo--name)
     1 font-lock-function-name-face)
    ;; Attributes, and the keys of items.
    (,(concat "^\\s-*" dynamo--name "\\s-*[:=]") 1 'font-lock-property-name-face)
    (,(concat "@" (regexp-opt dynamo--modifiers t) "\\_>") 0 font-lock-preprocessor-face)
    (,(concat ":\\s-*\\(" (regexp-opt dynamo--types) "\\)\\_>") 1 font-lock-type-face)
    (,(concat "<\\s-*\\(" (regexp-opt dynamo--types) "\\)\\s-*>") 1 font-lock-type-face)
    ("\\(?:^\\|[^A-Za-z0-9_`]\\)\\(:[A-Za-z_][A-Za-z0-9_]*\\)\\_>" 1 font-lock-variable-name-face)
    ;; Words, all of which may be names as well: those are used already.
    (,(concat "\\(?:^\\|{\\)\\s-*\\(" (regexp-opt dynamo--clauses) "\\)\\_>")
     1 font-lock-keyword-face)
    (,(concat "\\s-\\(" (regexp-opt dynamo--words) "\\)\\_>\\(?:[^:.=]\\|$\\)")
     1 font-lock-keyword-face)
    (,(concat "\\s-\\(" (regexp-opt dynamo--values) "\\)\\_>") 1 font-lock-constant-face)
    ("\\_<[0-9][0-9_.]*[A-Za-z%]*\\(?:/[a-z]+\\)?" 0 'font-lock-number-face)
    ;; The holes of a template, which is a string.
    ("{[^{}\"\n]*}"
     0 (when (dynamo--in-string-p (match-beginning 0)) 'font-lock-variable-name-face) prepend))
  "What `dynamo-mode' colours.")

(defun dynamo--in-string-p (place)
  "Whether PLACE is in a string."
  (save-excursion (save-match-data (nth 3 (syntax-ppss place)))))

(defun dynamo--face-of (state)
  "The face of the string or comment that STATE is in."
  (cond ((nth 3 state) font-lock-string-face)
        ((save-excursion (goto-char (nth 8 state)) (looking-at-p "///\\(?:[^/]\\|$\\)"))
         font-lock-doc-face)
        (t font-lock-comment-face)))

(defun dynamo--propertize (start end)
  "End strings with their line, between START and END: those that are being typed."
  (goto-char start)
  (while (re-search-forward "\\(\"\\)\\(?:[^\"\\\n]\\|\\\\[^\n]\\)*\\(\n\\)" end t)
    (let ((state (save-excursion (save-match-data (syntax-ppss (match-beginning 0))))))
      (unless (or (nth 3 state) (nth 4 state))
        (dolist (group '(1 2))
          (put-text-property (match-beginning group) (match-end group)
                             'syntax-table (string-to-syntax "|")))))))

(defun dynamo-indent-line ()
  "Indent the line by the blocks and parentheses it is in."
  (interactive)
  (let* ((depth (save-excursion
                  (back-to-indentation)
                  (- (car (syntax-ppss)) (if (looking-at-p "[])}>]") 1 0))))
         (column (* dynamo-indent-offset (max depth 0))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to column)
      (save-excursion (indent-line-to column)))))

;;;###autoload
(define-derived-mode dynamo-mode prog-mode "Dynamo"
  "Major mode for DynamoDB data models, `.dynamo' files."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "///*\\s-*")
  (setq-local indent-tabs-mode nil)
  (setq-local indent-line-function #'dynamo-indent-line)
  (setq-local electric-indent-chars (append "{})" electric-indent-chars))
  (setq-local syntax-propertize-function #'dynamo--propertize)
  (setq-local font-lock-defaults
              '(dynamo-font-lock-keywords
                nil nil nil
                (font-lock-syntactic-face-function . dynamo--face-of))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.dynamo\\'" . dynamo-mode))

(defvar eglot-server-programs)

;;;###autoload
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(dynamo-mode . ("keywright" "lsp"))))

(provide 'dynamo-mode)

;;; dynamo-mode.el ends here
