--- `:checkhealth keywright`

local keywright = require('keywright')
local parser = require('keywright.parser')

local M = {}

local QUERIES = { 'highlights', 'folds', 'indents', 'injections', 'locals' }

--- Where Cargo puts the programs that it installs. An editor that was not started
--- from a shell often does not look there.
local function installed()
  local home = vim.env.CARGO_HOME or vim.fs.joinpath(vim.uv.os_homedir() or '~', '.cargo')
  local program = vim.fs.joinpath(vim.fs.normalize(home), 'bin', 'keywright')
  return vim.fn.executable(program) == 1 and program or nil
end

--- How a program is named to this Neovim, in the user's configuration.
local function naming(program)
  local setting = ("{ cmd = { '%s', 'lsp' } }"):format(program)
  return vim.lsp.enable and ("`vim.lsp.config('keywright', %s)`"):format(setting)
    or ("`require('keywright').setup(%s)`"):format(setting)
end

--- What helps where the program is not there.
local function advice()
  local found = installed()
  if found then
    return { ('It is in %s, which is not on the `PATH` of this Neovim. In `init.lua`: %s'):format(vim.fs.dirname(found), naming(found)) }
  end
  return {
    'In a checkout of Keywright: `cargo install --locked --path .`, and start Neovim anew',
    'Where it lies elsewhere, name it in `init.lua`: ' .. naming('/path/to/keywright'),
  }
end

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
    vim.health.error(('`%s` is not there, or cannot be run'):format(program), advice())
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
  elseif #clients == 0 and keywright.program() and vim.fn.executable(keywright.program()) == 0 then
    vim.health.info('No server is attached to the model that is open: it is not there, see above')
  elseif #clients == 0 then
    local is_enabled = vim.lsp.is_enabled and vim.lsp.is_enabled('keywright') or keywright.set
    vim.health.error('A model is open, and no server is attached', {
      not is_enabled and 'In `init.lua`: ' .. (vim.lsp.enable and "`vim.lsp.enable('keywright')`" or "`require('keywright').setup()`")
        or '`:KeywrightRestart` tries again, and the end of the log tells why it fails: `:lua vim.cmd.edit(vim.lsp.log.get_filename())`',
    })
  end
  for _, client in ipairs(clients) do
    local files = vim.tbl_map(function(buffer)
      return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':~:.')
    end, vim.tbl_keys(client.attached_buffers))
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
