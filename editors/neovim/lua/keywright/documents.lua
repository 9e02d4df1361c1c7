--- Files of other types that the server sees as they are in their buffers, with what
--- nobody has saved: the two generated documents and `keywright.toml`.

local M = {}

local function is_document(name)
  return name:match('dynamodb_requirement%.md$') ~= nil or name:match('dynamodb_data_model%.md$') ~= nil
end

--- Attaches the server to a buffer that holds such a file, and leaves everything else
--- about it as it is: a document stays Markdown.
local function attach(client, buffer)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(buffer))
  local is_seen = is_document(name) or name == 'keywright.toml'
  if not is_seen or vim.lsp.buf_is_attached(buffer, client.id) then
    return
  end
  local options = {}
  for _, option in ipairs({ 'formatexpr', 'omnifunc', 'tagfunc' }) do
    options[option] = vim.bo[buffer][option]
  end
  local had_hover = vim.api.nvim_buf_call(buffer, function()
    return vim.fn.mapcheck('K', 'n') ~= ''
  end)
  vim.lsp.buf_attach_client(buffer, client.id)
  for option, value in pairs(options) do
    vim.bo[buffer][option] = value
  end
  if not had_hover then
    pcall(vim.keymap.del, 'n', 'K', { buffer = buffer })
  end
end

--- Tells the server that it sees every document that is open: what it does not see is
--- on the disk alone, and nobody has to be asked whether it is saved.
local function tell(client)
  local settings = client.settings or {}
  if vim.tbl_get(settings, 'keywright', 'showsDocuments') ~= nil then
    return
  end
  client.settings = vim.tbl_deep_extend('force', settings, { keywright = { showsDocuments = true } })
  local params = { settings = client.settings }
  if vim.fn.has('nvim-0.11') == 1 then
    client:notify('workspace/didChangeConfiguration', params)
  else
    client.notify('workspace/didChangeConfiguration', params)
  end
end

--- Lets a client see all of them that are open.
function M.attach_all(client)
  tell(client)
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) then
      attach(client, buffer)
    end
  end
end

--- Lets all clients see a buffer, if it holds such a file.
function M.opened(buffer)
  for _, client in ipairs(require('keywright').clients()) do
    attach(client, buffer)
  end
end

--- The documents that an edit of the workspace makes or changes.
local function documents_of(edit)
  local found = {}
  local function add(uri)
    if uri and is_document(vim.uri_to_fname(uri)) and not vim.list_contains(found, uri) then
      table.insert(found, uri)
    end
  end
  for _, change in ipairs(edit.documentChanges or {}) do
    add(change.uri or change.textDocument and change.textDocument.uri)
  end
  for uri in pairs(edit.changes or {}) do
    add(uri)
  end
  return found
end

--- Shows a document in a window of its own; whoever works in another stays there.
local function show(uri, mods)
  local buffer = vim.uri_to_bufnr(uri)
  if vim.fn.bufwinid(buffer) ~= -1 then
    return
  end
  local window = vim.api.nvim_get_current_win()
  if pcall(vim.cmd.sbuffer, { args = { buffer }, mods = mods }) and vim.api.nvim_win_is_valid(window) then
    vim.api.nvim_set_current_win(window)
  end
end

--- Shows the documents that the server makes or changes by itself from now on, in
--- windows that are opened with these modifiers of a command.
function M.show_made(client, mods)
  M.mods = mods
  if client.handlers['workspace/applyEdit'] == M.apply then
    return
  end
  M.apply_before = client.handlers['workspace/applyEdit'] or vim.lsp.handlers['workspace/applyEdit']
  client.handlers['workspace/applyEdit'] = M.apply
end

function M.apply(err, params, context, config)
  local answer = M.apply_before(err, params, context, config)
  if answer and answer.applied then
    vim.schedule(function()
      for _, uri in ipairs(documents_of(params.edit)) do
        show(uri, M.mods)
      end
    end)
  end
  return answer
end

return M
