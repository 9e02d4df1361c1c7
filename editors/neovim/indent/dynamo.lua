if vim.b.did_indent then
  return
end
vim.b.did_indent = 1

vim.bo.indentexpr = "v:lua.require'keywright.indent'.expr()"
-- A closing bracket goes to its place when it is typed at the start of a line.
vim.bo.indentkeys = '0},0),!^F,o,O'
vim.bo.autoindent = true

vim.b.undo_indent = 'setlocal indentexpr< indentkeys< autoindent<'
