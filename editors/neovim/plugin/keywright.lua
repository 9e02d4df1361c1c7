if vim.g.loaded_keywright or vim.fn.has('nvim-0.10') == 0 then
  return
end
vim.g.loaded_keywright = true

--- A command whose body is loaded when it is first used.
local function command(name, body, options)
  vim.api.nvim_create_user_command(name, function(given)
    require('keywright.commands')[body](given)
  end, options)
end

--- Completion of a command, as lazily.
local function completion(name)
  return function(lead)
    return require('keywright.commands')[name](lead)
  end
end

command('KeywrightGenerate', 'generate', {
  bang = true,
  nargs = '?',
  complete = completion('complete_kinds'),
  desc = 'Make or refresh the documents of this model; with ! the new text wins over what was edited',
})
command('KeywrightCost', 'cost', { desc = 'Show what this model costs' })
command('KeywrightExplain', 'explain', {
  nargs = '?',
  complete = completion('complete_rules'),
  desc = 'Show the page of a rule or a concept: of the one named, or of what is under the cursor',
})
command('KeywrightRestart', 'restart', { desc = 'Start the server anew' })
vim.api.nvim_create_user_command('KeywrightBuildParser', function()
  require('keywright.parser').build()
end, { desc = 'Build the tree-sitter parser, for highlighting' })

local group = vim.api.nvim_create_augroup('keywright', {})

vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'dynamo',
  callback = function()
    if vim.lsp.is_enabled and vim.lsp.is_enabled('keywright') then
      require('keywright').tell_missing()
    end
  end,
})
vim.api.nvim_create_autocmd('LspAttach', {
  group = group,
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'keywright' then
      require('keywright.documents').attach_all(client)
    end
  end,
})
vim.api.nvim_create_autocmd({ 'BufReadPost', 'BufNewFile' }, {
  group = group,
  pattern = { '*.md', 'keywright.toml' },
  callback = function(event)
    require('keywright.documents').opened(event.buf)
  end,
})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = { 'keywright://page/*', '*/keywright:rule/*', '*/keywright:concept/*' },
  callback = function(event)
    require('keywright.pages').read(event.buf, event.match)
  end,
})
vim.api.nvim_create_autocmd('BufReadCmd', {
  group = group,
  pattern = 'keywright://cost/*',
  callback = function(event)
    require('keywright.pages').read_cost(event.buf, event.match)
  end,
})
