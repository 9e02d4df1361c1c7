if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.bo.commentstring = '// %s'
-- The three slashes first: a documentation comment goes on as one.
vim.bo.comments = ':///,://'
-- Code is not wrapped, comments are: they go on behind <Enter> and `o`, and `gq`
-- and `J` know them.
vim.cmd('setlocal formatoptions-=t formatoptions+=croqlj')
vim.bo.expandtab = true
vim.bo.shiftwidth = 2
vim.bo.softtabstop = 2
vim.bo.suffixesadd = '.dynamo'
vim.bo.include = [[^\s*import\>]]

vim.b.undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< shiftwidth< softtabstop<'
  .. ' suffixesadd< include<'

-- Highlighting, where the parser is installed.
if pcall(vim.treesitter.start) then
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | lua vim.treesitter.stop()'
end
