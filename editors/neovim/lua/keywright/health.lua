--- `:checkhealth keywright`

local keywright = require('keywright')
local parser = require('keywright.parser')

local M = {}

local QUERIES = { 'highlights', 'folds', 'indents', 'injections', 'locals' }

local function check_server()
  vim.health.start('keywright: the server')
  local config = keywright.config()
  if not config then
    vim.health.error('`lsp/keywright.lua` is not on the runtime path')
    return
  end
  local program = keywright.program()
  if not program then
    vim.health.info('The server is started by a function: its version is not known')
    return
  end
  if vim.fn.executable(program) == 0 then
    vim.health.error(('`%s` is not there, or cannot be run'):format(program), {
      'In a checkout of Keywright: `cargo install --locked --path .`',
      "Or name the program: `vim.lsp.config('keywright', { cmd = { '/path/to/keywright', 'lsp' } })`",
    })
    return
  end
  local ran, done = pcall(function()
    return vim.system({ program, '--version' }, { text = true }):wait(10000)
  end)
  local version = ran and done.code == 0 and done.stdout:match('^keywright (%S+)')
  if not version then
    vim.health.error(('`%s --version` does not tell the version of Keywright'):format(program))
  elseif version ~= keywright.version then
    vim.health.warn(
      ('`%s` is version %s, this plugin is version %s'):format(vim.fn.exepath(program), version, keywright.version),
      'Take both from the same checkout'
    )
  else
    vim.health.ok(('`%s`, version %s'):format(vim.fn.exepath(program), version))
  end
end

--- The models that are open.
local function models()
  return vim.tbl_filter(function(buffer)
    return vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'dynamo'
  end, vim.api.nvim_list_bufs())
end

local function check_clients()
  vim.health.start('keywright: attached')
  if vim.filetype.match({ filename = 'model.dynamo' }) == 'dynamo' then
    vim.health.ok('`.dynamo` files have the file type `dynamo`')
  else
    vim.health.error('`.dynamo` files do not have the file type `dynamo`', {
      'The plugin has to be on the runtime path before `filetype on`, so early in `init.lua`',
    })
  end
  local clients, open = keywright.clients(), models()
  if #clients == 0 and #open == 0 then
    vim.health.info('No model is open: open one and check again')
  elseif #clients == 0 then
    vim.health.error('A model is open, and no server is attached', {
      vim.lsp.enable and "`vim.lsp.enable('keywright')` in `init.lua` starts it"
        or "`require('keywright').setup()` in `init.lua` starts it",
      '`:KeywrightRestart` tries again; `:lua vim.cmd.edit(vim.lsp.log.get_filename())` shows the log',
    })
  end
  for _, client in ipairs(clients) do
    local files = vim.tbl_map(function(buffer)
      return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.')
    end, vim.lsp.get_buffers_by_client_id(client.id))
    table.sort(files)
    vim.health.ok(
      ('client %d in %s, columns in %s, for %s'):format(
        client.id,
        client.config.root_dir or 'no folder',
        client.offset_encoding,
        table.concat(files, ', ')
      )
    )
  end
end

local function check_parser()
  vim.health.start('keywright: highlighting')
  local path = parser.path()
  if not path then
    local advice = parser.compiler() and '`:KeywrightBuildParser` builds it'
      or 'Install a C compiler; then `:KeywrightBuildParser` builds it'
    vim.health.warn('The tree-sitter parser is not installed: there is no highlighting by the grammar', advice)
    return
  end
  local loads, why = parser.loads(path)
  if not loads then
    vim.health.error(('`%s` does not load: %s'):format(path, why), '`:KeywrightBuildParser` builds it anew')
    return
  end
  vim.health.ok(('parser `%s`'):format(path))
  local faults = {}
  for _, name in ipairs(QUERIES) do
    local ok, query = pcall(vim.treesitter.query.get, 'dynamo', name)
    if not ok or not query then
      table.insert(faults, ('`%s`: %s'):format(name, ok and 'not found' or query))
    end
  end
  if #faults > 0 then
    vim.health.error('Queries do not load: ' .. table.concat(faults, '; '), {
      'The parser may be older than this plugin: `:KeywrightBuildParser` builds it anew',
    })
  else
    vim.health.ok('queries: ' .. table.concat(QUERIES, ', '))
  end
end

function M.check()
  if vim.fn.has('nvim-0.10') == 0 then
    vim.health.start('keywright')
    vim.health.error('Neovim 0.10 or newer is needed')
    return
  end
  check_server()
  check_clients()
  check_parser()
end

return M
