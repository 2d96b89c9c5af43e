;; What Emacs shows of a file, and its buffer after all safe fixes, as JSON.
(require 'eglot)
(require 'json)
(setq eglot-sync-connect 100 eglot-connect-timeout 100 jsonrpc-default-request-timeout 100)
(setq eglot-server-programs
      `((python-mode . (,(getenv "OAKUM_PYTHON") "-P" "-m" "oakum_lint" "lsp"))))
(with-current-buffer (find-file-noselect (getenv "OAKUM_FILE"))
  (python-mode)
  (call-interactively #'eglot)
  (let ((left 1000))
    (while (and (> left 0) (null (flymake-diagnostics)))
      (accept-process-output nil 0.1)
      (flymake-start)
      (setq left (1- left))))
  (let* ((server (eglot--current-server-or-lose))
         (marked (mapcar (lambda (each)
                           (let ((start (flymake-diagnostic-beg each)))
                             (vector (line-number-at-pos start)
                                     (buffer-substring-no-properties
                                      start (flymake-diagnostic-end each)))))
                         (flymake-diagnostics)))
         (hover (progn
                  (goto-char (point-min))
                  (search-forward "x * scale")
                  (backward-char 9)
                  (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams))))
         (whole (list :start (eglot--pos-to-lsp-position (point-min))
                      :end (eglot--pos-to-lsp-position (point-max))))
         (actions (jsonrpc-request
                   server :textDocument/codeAction
                   (list :textDocument (eglot--TextDocumentIdentifier) :range whole
                         :context (list :diagnostics [] :only ["source.fixAll.oakum"])))))
    (eglot--apply-workspace-edit (plist-get (aref actions 0) :edit))
    (let ((text (buffer-substring-no-properties (point-min) (point-max)))
          (coding-system-for-write 'utf-8))
      (write-region
       (json-encode (list :marked (vconcat marked) :text text
                          :hover (plist-get (plist-get hover :contents) :value)))
       nil (getenv "OAKUM_REPORT")))
    (eglot-shutdown server)))
