--- Starting the server, in Neovim 0.11 and newer by `vim.lsp.enable`, in 0.10 by
--- hand with the same configuration.

local M = {}

--- The version of this plugin. That of the server should be the same.
M.version = '0.1.0'

--- The plugin's own folder.
M.folder = vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))))

--- The configuration that holds for the server: `lsp/keywright.lua` with what the
--- user has set over it.
function M.config()
  if vim.lsp.enable then
    return vim.lsp.config.keywright
  end
  return vim.tbl_deep_extend('force', dofile(M.folder .. '/lsp/keywright.lua'), M.set or {})
end

--- The program that is the server; nothing where a function starts it.
function M.program()
  local config = M.config()
  return config and type(config.cmd) == 'table' and config.cmd[1] or nil
end

local told_missing

--- Tells once where the program is not there: Neovim itself only logs that.
function M.tell_missing()
  local program = M.program()
  if program and vim.fn.executable(program) == 0 and told_missing ~= program then
    told_missing = program
    M.tell(('`%s` is not there, or cannot be run; `:checkhealth keywright` tells how to get it'):format(program), vim.log.levels.WARN)
  end
end

--- The folder that a buffer's server works in: the first marker that is found
--- above it counts, whatever is found nearer for another.
local function root_of(buffer, config)
  for _, marker in ipairs(config.root_markers or {}) do
    local root = vim.fs.root(buffer, marker)
    if root then
      return root
    end
  end
end

--- Starts the server for a buffer, or attaches the one that works in its folder.
function M.start(buffer)
  local config = M.config()
  if vim.bo[buffer].buftype ~= '' or not vim.list_contains(config.filetypes, vim.bo[buffer].filetype) then
    return
  end
  if M.program() and vim.fn.executable(M.program()) == 0 then
    M.tell_missing()
    return
  end
  local function start(root)
    if vim.api.nvim_buf_is_loaded(buffer) then
      vim.lsp.start(vim.tbl_extend('force', config, { name = 'keywright', root_dir = root }), { bufnr = buffer })
    end
  end
  if type(config.root_dir) == 'function' then
    config.root_dir(buffer, vim.schedule_wrap(start))
  else
    start(config.root_dir or root_of(buffer, config))
  end
end

--- Sets what `config` says (as `vim.lsp.config` takes it) and enables the server.
function M.setup(config)
  config = config or {}
  if vim.lsp.enable then
    if next(config) then
      vim.lsp.config('keywright', config)
    end
    vim.lsp.enable('keywright')
    return
  end
  M.set = config
  vim.api.nvim_create_autocmd('FileType', {
    group = vim.api.nvim_create_augroup('keywright.start', {}),
    callback = function(event)
      M.start(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      M.start(buffer)
    end
  end
end

--- The server's clients, of one buffer if it is given.
function M.clients(buffer)
  return vim.lsp.get_clients({ name = 'keywright', bufnr = buffer })
end

--- Asks for a command of the server to be run; `done` gets its result. What the
--- server refuses is told.
function M.execute(client, command, argument, done)
  local params = { command = command, arguments = { argument } }
  local function answer(err, result)
    if err then
      M.tell(err.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end
  -- Methods of clients take the client since 0.11.
  if vim.fn.has('nvim-0.11') == 1 then
    client:request('workspace/executeCommand', params, answer)
  else
    client.request('workspace/executeCommand', params, answer)
  end
end

function M.tell(text, level)
  vim.notify('keywright: ' .. text, level or vim.log.levels.INFO)
end

return M
