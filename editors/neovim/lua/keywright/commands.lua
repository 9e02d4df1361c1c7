--- What the commands of this plugin do.

local keywright = require('keywright')

local M = {}

--- The kinds of documents, and what the server calls them.
local KINDS = { requirement = 'requirement', data_model = 'dataModel' }

--- The server of the model in the current buffer; tells why there is none.
local function client_here()
  local client = keywright.clients(0)[1]
  if vim.bo.filetype ~= 'dynamo' then
    keywright.tell('this is no model (a `.dynamo` file)', vim.log.levels.ERROR)
  elseif not client then
    keywright.tell('no server is attached; `:checkhealth keywright` tells why', vim.log.levels.ERROR)
  else
    return client
  end
end

--- `:KeywrightGenerate[!] [requirement|data_model]`
function M.generate(command)
  local client = client_here()
  if not client then
    return
  end
  local kinds = command.fargs[1] and { command.fargs[1] } or { 'requirement', 'data_model' }
  if not KINDS[kinds[1]] then
    keywright.tell(('there is no document `%s`, only `requirement` and `data_model`'):format(kinds[1]), vim.log.levels.ERROR)
    return
  end
  require('keywright.documents').show_made(client, command.smods)
  local uri = vim.uri_from_bufnr(0)
  local function next_kind()
    local kind = table.remove(kinds, 1)
    if kind then
      local wanted = { uri = uri, kind = KINDS[kind], conflicts = command.bang and 'new' or nil }
      keywright.execute(client, 'keywright.generateDocument', wanted, next_kind)
    end
  end
  next_kind()
end

function M.complete_kinds(lead)
  return vim.tbl_filter(function(kind)
    return vim.startswith(kind, lead)
  end, { 'requirement', 'data_model' })
end

--- `:KeywrightCost`
function M.cost(command)
  local client = client_here()
  if client then
    require('keywright.pages').cost(client, vim.uri_from_bufnr(0), command.smods)
  end
end

--- The rule of a finding in the cursor's line, the one under the cursor first.
local function rule_here()
  local line, column = unpack(vim.api.nvim_win_get_cursor(0))
  local found
  for _, finding in ipairs(vim.diagnostic.get(0, { lnum = line - 1 })) do
    if finding.source == 'keywright' and finding.code then
      local is_under = finding.col <= column and (finding.end_lnum > finding.lnum or column < finding.end_col)
      if is_under then
        return finding.code
      end
      found = found or finding.code
    end
  end
  return found
end

--- `:KeywrightExplain [rule]`
function M.explain(command)
  local name = command.args ~= '' and command.args or rule_here() or vim.fn.expand('<cword>')
  if name == '' then
    keywright.tell('name a rule or a concept, or put the cursor on one', vim.log.levels.ERROR)
    return
  end
  require('keywright.pages').explain(name, command.smods)
end

local rules

--- Completes the names of rules, as the program tells them.
function M.complete_rules(lead)
  if not rules then
    local ran, done = pcall(function()
      return vim.system({ keywright.program() or 'keywright', 'rules', '--format', 'json' }, { text = true }):wait(5000)
    end)
    local read, told = pcall(vim.json.decode, ran and done.stdout or '')
    if not (read and told.rules) then
      return {}
    end
    rules = vim.tbl_map(function(rule)
      return rule.name
    end, told.rules)
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, rules)
end

--- `:KeywrightRestart`: every server ends, and one is started for each of its buffers.
function M.restart()
  local clients = keywright.clients()
  local buffers = {}
  for _, client in ipairs(clients) do
    for buffer in pairs(client.attached_buffers) do
      table.insert(buffers, buffer)
    end
  end
  -- A server that was never started, or has crashed, is started as well.
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'dynamo' then
      table.insert(buffers, buffer)
    end
  end
  local function stop(client, force)
    if vim.fn.has('nvim-0.11') == 1 then
      client:stop(force)
    else
      client.stop(force)
    end
  end
  for _, client in ipairs(clients) do
    stop(client)
  end
  local tries = 0
  local function start_again()
    local left = keywright.clients()
    tries = tries + 1
    if #left > 0 and tries < 100 then
      return vim.defer_fn(start_again, 50)
    end
    -- What does not end when asked is ended.
    for _, client in ipairs(left) do
      stop(client, true)
    end
    for _, buffer in ipairs(buffers) do
      if vim.api.nvim_buf_is_loaded(buffer) then
        keywright.start(buffer)
      end
    end
  end
  start_again()
end

return M
