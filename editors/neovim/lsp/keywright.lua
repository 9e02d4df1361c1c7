---@brief
---
--- Keywright, a language server for DynamoDB data models in `.dynamo` files:
--- findings as you type, hover, go to definition, formatting, and code actions
--- that write the requirement and the data model document.
---
--- Install it from a checkout with `cargo install --locked --path .`.

---@type vim.lsp.Config
return {
  cmd = { 'keywright', 'lsp' },
  filetypes = { 'dynamo' },
  root_markers = { 'keywright.toml', '.git' },
}
