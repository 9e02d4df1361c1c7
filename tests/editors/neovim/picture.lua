-- How Neovim looks in the picture of the README: what is switched on there, and less
-- of what is not Keywright's.

vim.o.number = true
vim.o.termguicolors = true
vim.o.signcolumn = 'yes'
vim.o.wrap = false
vim.o.ruler = false
vim.o.showcmd = false
vim.o.scrolloff = 0
vim.o.statusline = ' %t %m'
vim.cmd.colorscheme('habamax')
-- The picture has a ground of its own.
for _, group in ipairs({ 'Normal', 'NormalNC', 'NormalFloat', 'FloatBorder', 'SignColumn', 'LineNr', 'MsgArea' }) do
  vim.api.nvim_set_hl(0, group, vim.tbl_extend('force', vim.api.nvim_get_hl(0, { name = group, link = false }), { bg = 'NONE' }))
end
vim.api.nvim_set_hl(0, 'MsgSeparator', {})
local serious = { min = vim.diagnostic.severity.WARN }
vim.diagnostic.config({
  signs = { severity = serious },
  underline = { severity = serious },
  float = { border = 'rounded', scope = 'line', severity = serious, header = '' },
})
