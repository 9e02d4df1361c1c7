;;; test.el --- A real Emacs with the real server  -*- lexical-binding: t; -*-

;; Run in batch: it makes projects of its own below KEYWRIGHT_SCRATCH, and loads
;; the mode as the README says.

;;; Code:

(require 'ert)
(require 'cl-lib)
(require 'subr-x)

(defconst test-root (getenv "KEYWRIGHT_ROOT"))
(defconst test-scratch (file-name-as-directory (getenv "KEYWRIGHT_SCRATCH")))

;; The first block of Lisp in the README is what a new user puts into init.el.
(with-temp-buffer
  (insert-file-contents (expand-file-name "editors/emacs/README.md" test-root))
  (re-search-forward "^```elisp\n")
  (let ((start (point)))
    (re-search-forward "^```$")
    (let ((text (string-replace "/path/to/keywright" test-root
                                (buffer-substring start (match-beginning 0)))))
      (with-temp-buffer
        (insert "(progn " text ")")
        (goto-char (point-min))
        (eval (read (current-buffer)) t)))))

(require 'eglot)
(setq eglot-confirm-server-edits nil
      eglot-sync-connect 60
      eglot-extend-to-xref t)

(defconst test-users "/// Somebody 😀 who buys.
entity User {
  user_id: uuid @id
  count 2M
}

table Users {
  partition key user_id because \"Known.\"
  item User
}
")

(defconst test-shop "import \"users.dynamo\"

application Shop {
  domain \"Sells 😀 things\"
  scale  \"10 users\"
}

entity Order {
  order_id: ulid @id
  user_id:  uuid @example(\"😀\") @of(User)
  count 40M
}

table Orders {
  partition key user_id because \"😀 spreads well.\"
  sort key order_id because \"ULIDs sort.\"
  item Order
}

pattern ListOrders {
  query Orders where user_id = :user
  rate 10/s
}
")

(defvar test-number 0)

(defmacro test-with (shop &rest body)
  "Open a project whose model is SHOP with the server, and do BODY in its buffer."
  (declare (indent 1))
  `(let* ((folder (file-name-as-directory
                   (format "%sproject-%d" test-scratch (cl-incf test-number))))
          (make-backup-files nil))
     (make-directory folder t)
     ;; A project is what version control or `project-find-functions' says.
     (write-region "" nil (concat folder ".project"))
     (write-region test-users nil (concat folder "users.dynamo"))
     (write-region ,shop nil (concat folder "shop.dynamo"))
     (with-current-buffer (find-file-noselect (concat folder "shop.dynamo"))
       (unwind-protect
           (progn
             (apply #'eglot (eglot--guess-contact))
             ,@body)
         (when-let ((server (eglot-current-server)))
           (eglot-shutdown server nil 30))
         (dolist (buffer (buffer-list))
           (when (string-prefix-p folder (or (buffer-file-name buffer) ""))
             (with-current-buffer buffer (set-buffer-modified-p nil))
             (kill-buffer buffer)))))))

(defun test-wait (what holds)
  "Wait until HOLDS returns something, and return it; WHAT is for the message."
  (let ((end (+ (float-time) 60)) found)
    (while (not (setq found (funcall holds)))
      (when (> (float-time) end) (error "%s: not within 60 s" what))
      (accept-process-output nil 0.05))
    found))

(defun test-findings ()
  "The findings of the buffer, as pairs of the text they are about and their message."
  (flymake-start)
  (mapcar (lambda (one)
            (cons (buffer-substring-no-properties (flymake-diagnostic-beg one)
                                                  (flymake-diagnostic-end one))
                  (flymake-diagnostic-text one)))
          (flymake-diagnostics)))

(ert-deftest test-compiles ()
  "The mode compiles without a warning."
  (let ((byte-compile-error-on-warn t)
        (byte-compile-dest-file-function (lambda (_) (concat test-scratch "dynamo-mode.elc"))))
    (should (byte-compile-file (expand-file-name "editors/emacs/dynamo-mode.el" test-root)))))

(ert-deftest test-mode ()
  "A model opens in the mode, coloured and indented."
  (with-temp-buffer
    (insert test-shop)
    (dynamo-mode)
    (let ((before (buffer-string)))
      (indent-region (point-min) (point-max))
      (should (equal (buffer-string) before)))
    (font-lock-ensure)
    (cl-flet ((face (words)
                (goto-char (point-min))
                (search-forward words)
                (get-text-property (1- (point)) 'face)))
      (should (eq (face "entity") 'font-lock-keyword-face))
      (should (eq (face "Order") 'font-lock-type-face))
      (should (eq (face "order_id") 'font-lock-property-name-face))
      (should (eq (face "ulid") 'font-lock-type-face))
      (should (eq (face "@id") 'font-lock-preprocessor-face))
      (should (eq (face "spreads") 'font-lock-string-face))
      (should (eq (face ":user") 'font-lock-variable-name-face))
      (should (eq (face "40M") 'font-lock-number-face)))
    (goto-char (point-max))
    (insert "/// Words.\nentity A {\nsk: \"not closed\nid: string\n}")
    (indent-region (point-min) (point-max))
    (font-lock-ensure)
    (goto-char (point-max))
    (search-backward "Words")
    (should (eq (get-text-property (point) 'face) 'font-lock-doc-face))
    (search-forward "id:")
    (should (eq (get-text-property (- (point) 2) 'face) 'font-lock-property-name-face))
    (should (equal (buffer-substring (line-beginning-position) (line-end-position))
                   "  id: string"))
    (comment-region (line-beginning-position) (line-end-position))
    (should (equal (buffer-substring (line-beginning-position) (line-end-position))
                   "  // id: string"))))

(ert-deftest test-attach-diagnose-fix ()
  "The server attaches, tells what is wrong behind an emoji, and mends it."
  (test-with (string-replace "@of(User)" "@of(Userr)" test-shop)
    (should (eq major-mode 'dynamo-mode))
    (let ((server (eglot-current-server)))
      (should server)
      (should (equal (plist-get (eglot--capabilities server) :positionEncoding) "utf-8")))
    (let ((finding (test-wait "the finding" (lambda () (assoc "Userr" (test-findings))))))
      (should (string-match-p "User" (cdr finding))))
    (goto-char (point-min))
    (search-forward "Userr")
    (let ((actions (eglot-code-actions (match-beginning 0) (point) "quickfix")))
      (should actions)
      (eglot-execute (eglot-current-server) (aref (vconcat actions) 0)))
    (test-wait "the fix" (lambda () (equal (buffer-string) test-shop)))
    (test-wait "no such finding" (lambda () (not (assoc "Userr" (test-findings)))))))

(ert-deftest test-hover-and-definition ()
  "A hover explains, and a name leads to its declaration in another file."
  (test-with test-shop
    (goto-char (point-min))
    (search-forward "pattern ListOrders")
    (backward-char)
    (let (shown)
      (eglot-hover-eldoc-function (lambda (text &rest _) (setq shown text)))
      (test-wait "the hover" (lambda () shown))
      (should (string-match-p "read unit" shown)))
    (goto-char (point-min))
    (search-forward "@of(User")
    (backward-char)
    (xref-find-definitions (xref-backend-identifier-at-point (xref-find-backend)))
    (should (equal (file-name-nondirectory buffer-file-name) "users.dynamo"))
    (should (looking-at-p "User {"))))

(ert-deftest test-signature ()
  "The parts of an operation are shown, the last of them too."
  (test-with (string-replace "  query Orders where user_id = :user"
                             "  update Order in Orders set user_id times 2" test-shop)
    (dolist (place '("update Order" "set user_id" "times 2"))
      (goto-char (point-min))
      (search-forward place)
      (let (shown)
        (eglot-signature-eldoc-function (lambda (text &rest _) (setq shown text)))
        (test-wait place (lambda () shown))
        (should (string-match-p "times" shown))))))

(ert-deftest test-rename-and-format ()
  "A name changes in both files, behind an emoji too; a file is laid out."
  (test-with test-shop
    (goto-char (point-min))
    (search-forward "@of(User")
    (backward-char)
    (eglot-rename "Customer")
    (should (equal (buffer-string) (string-replace "@of(User)" "@of(Customer)" test-shop)))
    (with-current-buffer (find-file-noselect (concat folder "users.dynamo"))
      (should (string-match-p "entity Customer {" (buffer-string)))
      (should (string-match-p "item Customer" (buffer-string))))
    (let ((before (buffer-string)))
      (goto-char (point-min))
      (search-forward "  count 40M")
      (replace-match "      count   40M")
      (eglot-format-buffer)
      (should (equal (buffer-string) before)))))

(ert-deftest test-shutdown ()
  "A server that is shut down is gone, and so is one whose buffers are."
  (let (number)
    (test-with test-shop
      (setq number (process-id (jsonrpc--process (eglot-current-server))))
      (should (process-attributes number)))
    (test-wait "the end of the process" (lambda () (not (process-attributes number)))))
  (let (number (eglot-autoshutdown t))
    (test-with test-shop
      (setq number (process-id (jsonrpc--process (eglot-current-server))))
      (set-buffer-modified-p nil)
      (kill-buffer)
      (test-wait "the end of the process" (lambda () (not (process-attributes number)))))))

;; The folder of the file is the project, as it is below version control.
(defun test-project (folder)
  "The project that FOLDER is in."
  (when-let ((root (locate-dominating-file folder ".project")))
    (cons 'transient root)))
(add-hook 'project-find-functions #'test-project)

(ert-run-tests-batch-and-exit)

;;; test.el ends here
