-- A user's configuration, as editors/neovim/README.md shows it.
vim.opt.runtimepath:prepend(vim.env.KEYWRIGHT_ROOT .. '/editors/neovim')
vim.lsp.enable('keywright')
