---@brief
---
--- Keywright, a language server for DynamoDB data models in `.dynamo` files:
--- findings as you type with fixes that hold, capacity and cost in the text, and
--- the requirement and the data model document, made from the model.
---
--- Install the server from a checkout:
---
--- ```sh
--- cargo install --locked --path .
--- ```
---
--- The folder `editors/neovim` of the checkout is a plugin that brings the file
--- type, highlighting, commands (`:KeywrightGenerate` and others) and
--- `:checkhealth keywright`.
---
--- What a `keywright.toml` may say, and what is shown in the text, can be set:
---
--- ```lua
--- vim.lsp.config('keywright', {
---   settings = {
---     keywright = {
---       levels = { ['scan-pattern'] = 'error' },
---       inlayHints = { keys = false },
---     },
---   },
--- })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'keywright', 'lsp' },
  filetypes = { 'dynamo' },
  -- The repository comes first: models may import files beside the folder of a
  -- `keywright.toml`, and two servers would each see half of them.
  root_markers = { '.git', 'keywright.toml' },
}
