--- Pages of the server in buffers of their own, named `keywright://…`: those of
--- rules and concepts, and what a model costs.

local keywright = require('keywright')

local M = {}

--- The page of a rule or a concept, as the server has it, or as the program prints
--- it where no server runs. Nothing, and why, if there is none.
local function page_of(name)
  local client = keywright.clients()[1]
  if client then
    local params = { command = 'keywright.explain', arguments = { { name = name } } }
    local ask = vim.fn.has('nvim-0.11') == 1 and function(...)
      return client:request_sync(...)
    end or client.request_sync
    local answer, why = ask('workspace/executeCommand', params, 10000, 0)
    if not answer then
      return nil, why
    end
    return answer.result, answer.err and answer.err.message
  end
  local program = keywright.program() or 'keywright'
  local ran, done = pcall(function()
    return vim.system({ program, 'explain', name }, { text = true }):wait()
  end)
  if not ran then
    return nil, ('`%s` cannot be run'):format(program)
  end
  if done.code ~= 0 then
    return nil, vim.trim(done.stderr)
  end
  return done.stdout
end

--- Puts a page into a buffer.
local function fill(buffer, markdown)
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(vim.trim(markdown), '\n'))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].buftype = 'nofile'
  -- Read anew when it is shown again.
  vim.bo[buffer].bufhidden = 'unload'
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].filetype = 'markdown'
  pcall(vim.treesitter.start, buffer, 'markdown')
  for _, key in ipairs({ '<CR>', '<C-]>' }) do
    vim.keymap.set('n', key, M.follow, { buffer = buffer, desc = 'Open the page that is linked here' })
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buffer, desc = 'Close this page' })
end

--- Opens a buffer of this name in a window; one that shows it already is taken.
local function open(name, mods)
  for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
    if vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) == name then
      vim.api.nvim_set_current_win(window)
      vim.cmd.edit({ bang = true })
      return
    end
  end
  local is_page = vim.startswith(vim.api.nvim_buf_get_name(0), 'keywright://')
  vim.cmd({ cmd = is_page and 'edit' or 'split', args = { name }, mods = mods, magic = { file = false } })
end

--- Shows the page of a rule or a concept.
function M.explain(name, mods)
  local page, why = page_of(name)
  if not page then
    keywright.tell(why or ('nothing is called `%s`'):format(name), vim.log.levels.ERROR)
    return
  end
  open('keywright://page/' .. name:gsub('^keywright:%a+/', ''), mods)
end

--- Reads a buffer named `keywright://page/NAME`, or as a finding links it.
function M.read(buffer, name)
  local wanted = name:match('keywright://page/(.+)$') or name:match('keywright:%a+/(.+)$')
  local page, why = page_of(wanted or name)
  fill(buffer, page or ('# ' .. name .. '\n\n' .. (why or 'There is no such page.')))
end

--- What a link of a page names: another page, or one of the facts that pages rest on.
function M.linked(target)
  local name = target:match('^keywright:%a+/(.+)$')
  if name then
    return name
  end
  local file, anchor = vim.fs.basename(target):match('^(.-)%.md#(.+)$')
  if file == 'facts' or file == 'numbers' then
    return file .. '#' .. anchor
  end
  return file or (vim.fs.basename(target):gsub('%.md$', ''))
end

--- Opens the page that is linked under the cursor.
function M.follow()
  local line = vim.api.nvim_get_current_line()
  local column = vim.api.nvim_win_get_cursor(0)[2] + 1
  local at = 1
  while true do
    local first, last, target = line:find('%b[]%(([^)]+)%)', at)
    if not first then
      return
    end
    if first <= column and column <= last then
      if target:match('^%a+://') then
        vim.ui.open(target)
      else
        M.explain(M.linked(target))
      end
      return
    end
    at = last + 1
  end
end

--- Shows what the models of a file cost.
function M.cost(client, uri, mods)
  keywright.execute(client, 'keywright.showCost', { uri = uri }, function(result)
    local pages = vim.tbl_map(function(model)
      return model.markdown
    end, result.models)
    local name = 'keywright://cost/' .. vim.fs.basename(vim.uri_to_fname(result.models[1].root))
    M.costs = M.costs or {}
    M.costs[name] = table.concat(pages, '\n\n')
    open(name, mods)
  end)
end

--- Reads a buffer that shows costs.
function M.read_cost(buffer, name)
  fill(buffer, (M.costs or {})[name] or ('# ' .. name .. '\n\n`:KeywrightCost` in a model shows what it costs.'))
end

return M
