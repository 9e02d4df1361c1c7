--- What the scripts in this folder share: named tests that wait for conditions and
--- never for a time, TAP on standard output, exit status 1 at the first that fails.

local M = {}

M.TIMEOUT_MS = tonumber(vim.env.KEYWRIGHT_TIMEOUT_MS or 60000)

local test_number = 0

--- What the server has told, in order.
M.messages = {}
--- What the server has logged.
M.log = {}
--- How often findings were given, by buffer.
M.findings_given = {}

local function print_line(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

--- The lines of the client's log, without those that were there before.
local function log_of_client(before)
  local log = io.open(vim.lsp.log.get_filename())
  local text = log and log:read('a') or ''
  if log then
    log:close()
  end
  return vim.list_slice(vim.split(vim.trim(text), '\n'), (before or 0) + 1)
end

-- What a Neovim before this one asked for while it left, and was refused.
local logged_before = #log_of_client()

--- Prints why, and what helps to find the cause; ends Neovim.
local function fail(name, why)
  print_line(('not ok %d - %s'):format(test_number + 1, name))
  for line in vim.gsplit(why, '\n') do
    print_line('# ' .. line)
  end
  print_line('# messages:')
  for line in vim.gsplit(vim.fn.execute('messages'), '\n') do
    print_line('#   ' .. line)
  end
  print_line("# the end of the client's log:")
  local lines = log_of_client(logged_before)
  for number = math.max(1, #lines - 20), #lines do
    print_line('#   ' .. lines[number])
  end
  os.exit(1)
end

--- One thing that is checked. `body` raises an error where it is not so.
function M.test(name, body)
  local ok, message = xpcall(body, function(e)
    return type(e) == 'string' and debug.traceback(e, 2) or vim.inspect(e)
  end)
  if not ok then
    fail(name, message)
  end
  test_number = test_number + 1
  print_line(('ok %d - %s'):format(test_number, name))
end

--- Waits until `condition` gives something, and returns that.
function M.wait_for(what, condition, state)
  local value
  local arrived = vim.wait(M.TIMEOUT_MS, function()
    value = condition()
    return value
  end, 20)
  if not arrived then
    local there = state and '; there is: ' .. vim.inspect(state()) or ''
    error(('waited %d s for %s%s'):format(M.TIMEOUT_MS / 1000, what, there))
  end
  return value
end

function M.expect_equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s: expected %s, got %s'):format(what, vim.inspect(expected), vim.inspect(actual)))
  end
end

function M.expect_text(actual, expected, what)
  if actual ~= expected then
    error(('%s is not as expected:\n%s'):format(what, vim.diff(expected, actual)))
  end
end

function M.expect_contains(text, part, what)
  if not text:find(part, 1, true) then
    error(('%s lacks %q:\n%s'):format(what, part, text))
  end
end

function M.read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

function M.write(path, text)
  local file = assert(io.open(path, 'wb'))
  file:write(text)
  file:close()
end

--- The text of a buffer, as it would be saved.
function M.text_of(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

--- Methods of clients take the client since 0.11.
function M.call(client, method, ...)
  if vim.fn.has('nvim-0.11') == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

function M.edit(path)
  vim.cmd.edit(vim.fn.fnameescape(path))
  return vim.api.nvim_get_current_buf()
end

--- The server's client of a buffer, once it works.
function M.client_of(buffer)
  return M.wait_for('the server', function()
    local attached = vim.lsp.get_clients({ bufnr = buffer, name = 'keywright' })[1]
    return attached and attached.initialized and attached
  end)
end

--- Puts the cursor on the first `word` in the first line that holds `line`; returns
--- the line's number.
function M.go_to(line, word)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    if content:find(line, 1, true) then
      local column = assert(content:find(word, 1, true), 'the line has the word')
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return number
    end
  end
  error('no line holds ' .. line)
end

--- The findings of a buffer that are errors and warnings, in short.
function M.faults(buffer)
  return vim
    .iter(vim.diagnostic.get(buffer, { severity = { min = vim.diagnostic.severity.WARN } }))
    :map(function(d)
      return {
        code = d.code,
        source = d.source,
        line = d.lnum + 1,
        columns = { d.col, d.end_col },
        severity = vim.diagnostic.severity[d.severity],
        message = d.message,
      }
    end)
    :totable()
end

--- The text of the window that floats, once there is one; closes it.
function M.floating()
  local window = M.wait_for('a window that floats', function()
    return vim.iter(vim.api.nvim_list_wins()):find(function(candidate)
      return vim.api.nvim_win_get_config(candidate).relative ~= ''
    end)
  end)
  local text = M.text_of(vim.api.nvim_win_get_buf(window))
  vim.api.nvim_win_close(window, true)
  return text
end

--- The lines of Neovim's messages and of the client's log that tell of a fault.
local function complaints()
  local found = {}
  for line in vim.gsplit(vim.fn.execute('messages'), '\n') do
    if line:match('%f[%w]E%d+:') or line:match('^Error') or line:match('stack traceback') then
      table.insert(found, line)
    end
  end
  for _, line in ipairs(log_of_client(logged_before)) do
    -- Neovim cancels what has just been answered, and then misses it.
    if vim.startswith(line, '[ERROR]') and not line:find('Cannot find request with id', 1, true) then
      table.insert(found, line)
    end
  end
  return found
end

--- Sees that nothing went wrong beside what was tested (`meant` is part of what did),
--- and leaves as a user does.
function M.finish(meant)
  M.test('nothing else went wrong', function()
    local found = vim.tbl_filter(function(line)
      return not (meant and line:find(meant, 1, true))
    end, complaints())
    assert(#found == 0, table.concat(found, '\n', 1, math.min(#found, 10)))
  end)
  print_line('1..' .. test_number)
  M.write(vim.env.KEYWRIGHT_SCRATCH .. '/leaving', '')
  vim.cmd.qall({ bang = true })
end

vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function(event)
    M.findings_given[event.buf] = (M.findings_given[event.buf] or 0) + 1
  end,
})

--- What `body` has notified of.
function M.notified(body)
  local notify, told = vim.notify, {}
  vim.notify = function(text)
    table.insert(told, text)
  end
  local ok, message = pcall(body)
  vim.notify = notify
  if not ok then
    error(message, 0)
  end
  return table.concat(told, '\n')
end

local show_message = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, result, ...)
  table.insert(M.messages, result.message)
  return show_message(err, result, ...)
end
local log_message = vim.lsp.handlers['window/logMessage']
vim.lsp.handlers['window/logMessage'] = function(err, result, ...)
  table.insert(M.log, result.message)
  return log_message(err, result, ...)
end

--- Runs the one code action that `fits`; returns its title.
function M.run_code_action(what, fits)
  local title
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      local is_it = fits(action.title)
      title = is_it and action.title or title
      return is_it
    end,
  })
  return M.wait_for('the code action ' .. what, function()
    return title
  end)
end

print_line('TAP version 13')

return M
