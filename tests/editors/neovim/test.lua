-- Drives Neovim as a person would: opens a model, breaks it, mends it, asks
-- about it, formats it and generates both documents. Prints TAP, and stops with
-- exit status 1 at the first thing that is not as it should be.
--
-- nvim --headless -u init.lua -l test.lua MODEL
--
-- KEYWRIGHT_ROOT names the project's folder; MODEL is a copy of
-- examples/shop.dynamo in a folder of its own.

local TIMEOUT_MS = 30000

local model = vim.fs.normalize(assert(arg[1], 'the path of the model is missing'))
local folder = vim.fs.dirname(model)
local test_number = 0

local function print_line(text)
  io.stdout:write(text, '\n')
  io.stdout:flush()
end

--- Prints why, and what helps to find the cause; ends Neovim.
local function fail(name, why)
  print_line(('not ok %d - %s'):format(test_number + 1, name))
  for line in vim.gsplit(why, '\n') do
    print_line('# ' .. line)
  end
  local log = io.open(vim.lsp.get_log_path())
  if log then
    print_line('# the end of the client\'s log:')
    local lines = vim.split(vim.trim(log:read('a')), '\n')
    for i = math.max(1, #lines - 20), #lines do
      print_line('#   ' .. lines[i])
    end
  end
  os.exit(1)
end

--- One thing that is checked. `body` raises an error where it is not so.
local function test(name, body)
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
local function wait_for(what, condition, state)
  local value
  local arrived = vim.wait(TIMEOUT_MS, function()
    value = condition()
    return value
  end, 20)
  if not arrived then
    error(('waited %d s for %s%s'):format(TIMEOUT_MS / 1000, what, state and '; there is: ' .. vim.inspect(state()) or ''))
  end
  return value
end

local function expect_equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(('%s: expected %s, got %s'):format(what, vim.inspect(expected), vim.inspect(actual)))
  end
end

local function expect_text(actual, expected, what)
  if actual ~= expected then
    error(('%s is not as expected:\n%s'):format(what, vim.diff(expected, actual)))
  end
end

local function expect_contains(text, part, what)
  if not text:find(part, 1, true) then
    error(('%s lacks %q:\n%s'):format(what, part, text))
  end
end

local function read(path)
  local file = assert(io.open(path, 'rb'))
  local text = file:read('a')
  file:close()
  return text
end

-- What the server tells: how often it has given findings, how it ended, and its
-- messages.
local findings_given = {}
vim.api.nvim_create_autocmd('DiagnosticChanged', {
  callback = function(event)
    findings_given[event.buf] = (findings_given[event.buf] or 0) + 1
  end,
})
local messages = {}
local show_message = vim.lsp.handlers['window/showMessage']
vim.lsp.handlers['window/showMessage'] = function(err, result, ...)
  table.insert(messages, result.message)
  return show_message(err, result, ...)
end
local exit_code
vim.lsp.config('keywright', {
  on_exit = function(code)
    exit_code = code
  end,
})

local buffer, client

--- The errors and warnings of the model, in short.
local function faults()
  return vim
    .iter(vim.diagnostic.get(buffer, { severity = { min = vim.diagnostic.severity.WARN } }))
    :map(function(d)
      return { code = d.code, line = d.lnum + 1, severity = vim.diagnostic.severity[d.severity], message = d.message }
    end)
    :totable()
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), '\n') .. '\n'
end

--- Puts the cursor on the first `word` in the first line that holds `line`.
local function go_to(line, word)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if content:find(line, 1, true) then
      local column = assert(content:find(word, 1, true), 'the line has the word')
      vim.api.nvim_win_set_cursor(0, { number, column - 1 })
      return number
    end
  end
  error('no line holds ' .. line)
end

--- The text of the window that a hover on `word` opens.
local function hover(line, word)
  go_to(line, word)
  vim.lsp.buf.hover({ silent = true })
  local window = wait_for('a hover on ' .. word, function()
    return vim.iter(vim.api.nvim_list_wins()):find(function(candidate)
      return vim.api.nvim_win_get_config(candidate).relative ~= ''
    end)
  end)
  local lines = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  vim.api.nvim_win_close(window, true)
  return table.concat(lines, '\n')
end

--- The generated documents: name to text, from buffers and from disk.
local function documents(stem)
  local found = {}
  for name in vim.fs.dir(folder) do
    if vim.startswith(name, stem) then
      found[name] = read(vim.fs.joinpath(folder, name))
    end
  end
  for _, candidate in ipairs(vim.api.nvim_list_bufs()) do
    local path = vim.fs.normalize(vim.api.nvim_buf_get_name(candidate))
    local name = vim.fs.basename(path)
    if vim.api.nvim_buf_is_loaded(candidate) and vim.fs.dirname(path) == folder and vim.startswith(name, stem) then
      found[name] = table.concat(vim.api.nvim_buf_get_lines(candidate, 0, -1, false), '\n') .. '\n'
    end
  end
  return found
end

--- Runs the one code action for which `filter` is true; returns its title.
local function run_code_action(what, filter)
  vim.api.nvim_set_current_buf(buffer)
  local title
  vim.lsp.buf.code_action({
    apply = true,
    filter = function(action)
      local fits = filter(action.title)
      title = fits and action.title or title
      return fits
    end,
  })
  return wait_for('the code action ' .. what, function()
    return title
  end)
end

local function save_all()
  vim.cmd('silent wall')
end

print_line('TAP version 13')

test('a .dynamo file is recognised and the server attaches', function()
  vim.cmd.edit(vim.fn.fnameescape(model))
  buffer = vim.api.nvim_get_current_buf()
  expect_equal(vim.bo.filetype, 'dynamo', 'file type')
  expect_equal(vim.bo.commentstring, '// %s', 'comment string')
  client = wait_for('the server', function()
    local attached = vim.lsp.get_clients({ bufnr = buffer, name = 'keywright' })[1]
    return attached and attached.initialized and attached
  end)
  expect_equal(client.config.cmd, { 'keywright', 'lsp' }, 'command')
end)

test('the example has no error and no warning', function()
  wait_for('findings', function()
    return findings_given[buffer]
  end)
  expect_equal(faults(), {}, 'findings')
end)

test('an edit that breaks a key shows what is wrong', function()
  local line = go_to('item User { sk = "PROFILE" }', 'item')
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, true, { '  item User' })
  wait_for('the finding', function()
    return #faults() > 0
  end)
  local found = faults()
  expect_equal(#found, 1, 'number of findings in ' .. vim.inspect(found))
  expect_equal(found[1].code, 'missing-key-value', 'rule')
  expect_equal(found[1].line, line, 'line')
  expect_equal(found[1].severity, 'ERROR', 'level')
  expect_contains(found[1].message, 'sk', 'message')
end)

test('undo clears it', function()
  vim.cmd('silent undo')
  expect_text(text(), read(model), 'the text after undo')
  wait_for('no findings', function()
    return #faults() == 0
  end, faults)
end)

test('hover on a keyword tells the concept', function()
  local shown = hover('gsi OpenOrders', 'gsi')
  expect_contains(shown:lower(), 'global secondary index', 'hover')
end)

test('hover on a pattern tells what follows for it', function()
  local shown = hover('pattern AccountPage', 'AccountPage')
  expect_contains(shown, 'AccountPage', 'hover')
  expect_contains(shown, 'UserOrders', 'hover')
end)

--- The inlay hints of a line, by the first that holds `line`.
local function hints(line)
  local number = go_to(line, line)
  local range = { start = { line = number - 1, character = 0 }, ['end'] = { line = number, character = 0 } }
  return vim
    .iter(vim.lsp.inlay_hint.get({ bufnr = buffer, range = range }))
    :map(function(hint)
      return hint.inlay_hint.label
    end)
    :totable()
end

test('inlay hints show units, costs, sizes and load', function()
  vim.lsp.inlay_hint.enable(true, { bufnr = buffer })
  for line, part in pairs({
    ['query UserOrders where user_id = :user_id descending'] = '6.5 RU · $126/mo',
    ['entity Session {'] = 'computed 105 B',
    ['partition key warehouse, open_status'] = '% of limit',
  }) do
    local found = wait_for('a hint at ' .. line, function()
      return hints(line)[1]
    end)
    expect_contains(found, part, 'the hint')
  end
end)

test('a setting switches a kind of hints off', function()
  client.settings = { keywright = { inlayHints = { sizes = false } } }
  client:notify('workspace/didChangeConfiguration', { settings = client.settings })
  wait_for('no hint', function()
    return #hints('entity Session {') == 0
  end)
  expect_equal(#hints('partition key warehouse, open_status'), 1, 'hints of the other kinds')
end)

test('code lenses say what a table is to the model', function()
  vim.lsp.codelens.refresh({ bufnr = buffer })
  local titles = wait_for('the lenses', function()
    local titles = vim
      .iter(vim.lsp.codelens.get(buffer))
      :map(function(lens)
        return lens.command and lens.command.title
      end)
      :totable()
    return #titles >= 13 and table.concat(titles, '\n')
  end)
  expect_contains(titles, '10 patterns · $260/mo', 'the lenses')
  expect_contains(titles, 'in UserOrders and its index OpenOrders', 'the lenses')
end)

test('formatting mends the layout', function()
  local original = text()
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
  local messy = {}
  for number, line in ipairs(lines) do
    -- Every third line goes to the margin, every fifth gets space at its end,
    -- and each empty line becomes three.
    line = number % 3 == 0 and line:gsub('^ +', '') or line
    line = number % 5 == 0 and line .. '  ' or line
    vim.list_extend(messy, line == '' and { '', '', '' } or { line })
  end
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, messy)
  assert(text() ~= original, 'the text has to be messy')
  vim.lsp.buf.format({ async = false, timeout_ms = TIMEOUT_MS, name = 'keywright' })
  expect_text(text(), original, 'the formatted text')
  vim.lsp.buf.format({ async = false, timeout_ms = TIMEOUT_MS, name = 'keywright' })
  expect_text(text(), original, 'the text formatted again')
end)

local DOCUMENTS = {
  { stem = 'dynamodb_requirement', heading = '# DynamoDB Modeling Session', parts = { 'AccountPage', 'PlaceOrder', 'SearchProducts' } },
  { stem = 'dynamodb_data_model', heading = '# DynamoDB Data Model', parts = { 'UserOrders', 'OpenOrders', 'AccountPage' } },
}

for _, document in ipairs(DOCUMENTS) do
  local name = document.stem .. '.md'
  local title = 'Generate ' .. name

  test('the code action creates ' .. name, function()
    run_code_action(title, function(candidate)
      return candidate == title
    end)
    local content = wait_for(name, function()
      local content = documents(document.stem)[name]
      return content and vim.trim(content) ~= '' and content
    end, function()
      return vim.tbl_keys(documents(document.stem))
    end)
    expect_equal(vim.split(content, '\n')[1], document.heading, 'first line')
    for _, part in ipairs(document.parts) do
      expect_contains(content, part, name)
    end
    assert(content:find('\n|[^\n]+|\n|[ :|-]+|\n|'), name .. ' has a table:\n' .. content)
    save_all()
    expect_text(read(vim.fs.joinpath(folder, name)), content, 'what lies on disk')
  end)
end

for _, document in ipairs(DOCUMENTS) do
  local name = document.stem .. '.md'

  test('generating again leaves ' .. name .. ' as it is', function()
    local path = vim.fs.joinpath(folder, name)
    vim.cmd.edit(vim.fn.fnameescape(path))
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'A line of mine.' })
    save_all()
    local mine = read(path)
    local messages_before = #messages
    local title = run_code_action('for ' .. name, function(candidate)
      return vim.startswith(candidate, 'Generate ' .. document.stem)
    end)
    local new_name = wait_for('a document with another name', function()
      for candidate, content in pairs(documents(document.stem)) do
        if candidate ~= name and vim.startswith(content, document.heading) then
          return candidate
        end
      end
    end)
    save_all()
    expect_text(read(path), mine, name)
    -- The user is told where it went.
    if not title:find(new_name, 1, true) then
      local told = wait_for('a message', function()
        return messages[messages_before + 1]
      end)
      expect_contains(told, new_name, 'the message')
    end
  end)
end

test('the model itself is as it was', function()
  vim.api.nvim_set_current_buf(buffer)
  expect_text(read(model), read(vim.env.KEYWRIGHT_ROOT .. '/examples/shop.dynamo'), 'the model')
  expect_equal(faults(), {}, 'findings')
end)

test('the server leaves when told to', function()
  client:stop()
  wait_for('its end', function()
    return exit_code
  end)
  expect_equal(exit_code, 0, 'exit status')
end)

print_line('1..' .. test_number)
os.exit(0)
