-- Drives Neovim as a person would who designs a model: opens it, breaks it, mends
-- it, asks about it, renames and formats.
--
-- KEYWRIGHT_ROOT names the project's folder; KEYWRIGHT_SCRATCH has a copy of
-- examples/shop.dynamo in the folder `shop`.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, wait_for, go_to = h.test, h.wait_for, h.go_to
local expect_equal, expect_text, expect_contains = h.expect_equal, h.expect_text, h.expect_contains

local folder = vim.fs.normalize(vim.env.KEYWRIGHT_SCRATCH .. '/shop')
local model = folder .. '/shop.dynamo'
local is_new = vim.fn.has('nvim-0.11') == 1

local exit_code
require('keywright').setup({
  on_exit = function(code)
    exit_code = code
  end,
})

local buffer, client

local function faults()
  return h.faults(buffer)
end

local function text()
  return h.text_of(buffer)
end

--- Replaces the first line that holds `part`; returns its number.
local function replace(part, line)
  local number = go_to(part, part)
  vim.api.nvim_buf_set_lines(buffer, number - 1, number, true, { line })
  return number
end

local function undo()
  vim.cmd('silent undo')
  expect_text(text(), h.read(model), 'the text after undo')
  wait_for('no findings', function()
    return #faults() == 0
  end, faults)
end

--- The text of the window that a hover on `word` opens.
local function hover(line, word)
  go_to(line, word)
  vim.lsp.buf.hover()
  return h.floating()
end

test('a .dynamo file is recognised and the server attaches', function()
  buffer = h.edit(model)
  expect_equal(vim.bo.filetype, 'dynamo', 'file type')
  client = h.client_of(buffer)
  expect_equal(client.config.cmd, { 'keywright', 'lsp' }, 'command')
  -- The repository comes before what lies nearer.
  expect_equal(vim.fs.normalize(client.config.root_dir), vim.fs.normalize(vim.env.KEYWRIGHT_SCRATCH), 'root')
end)

test('completion, formatting and jumps are on the keys that the README names', function()
  expect_equal(vim.bo.omnifunc, 'v:lua.vim.lsp.omnifunc', 'omnifunc')
  expect_equal(vim.bo.formatexpr, 'v:lua.vim.lsp.formatexpr()', 'formatexpr')
  expect_equal(vim.bo.tagfunc, 'v:lua.vim.lsp.tagfunc', 'tagfunc')
  for _, keys in ipairs({ 'K', ']d', '[d', '<C-w>d' }) do
    assert(vim.fn.mapcheck(keys, 'n') ~= '', keys)
  end
  for _, keys in ipairs(is_new and { 'gra', 'grn', 'grr' } or {}) do
    assert(vim.fn.maparg(keys, 'n') ~= '', keys)
  end
end)

test('columns are counted as this Neovim offers it', function()
  local encoding = is_new and 'utf-8' or 'utf-16'
  expect_equal(client.offset_encoding, encoding, 'encoding of the client')
  local first = wait_for("the server's log", function()
    return h.log[1]
  end)
  expect_contains(first, 'for Neovim', 'the log')
  expect_contains(first, 'columns in ' .. encoding:upper(), 'the log')
end)

test('the example has no error and no warning', function()
  wait_for('findings', function()
    return h.findings_given[buffer]
  end)
  expect_equal(faults(), {}, 'findings')
end)

test('an edit that breaks a key shows what is wrong, and where', function()
  local line = replace('item User { sk = "PROFILE" }', '  item User')
  wait_for('the finding', function()
    return #faults() > 0
  end)
  local found = faults()
  expect_equal(#found, 1, 'number of findings in ' .. vim.inspect(found))
  expect_equal(found[1].code, 'missing-key-value', 'rule')
  expect_equal(found[1].source, 'keywright', 'source')
  expect_equal(found[1].line, line, 'line')
  expect_equal(found[1].severity, 'ERROR', 'level')
  expect_contains(found[1].message, 'sk', 'message')
end)

test('undo clears it', undo)

test('behind an emoji a finding stands where it should, and its fix mends that', function()
  local line = replace('item User { sk = "PROFILE" }', '  item User { sk = "👩‍💻🛒{emial}" }')
  local found = wait_for('the finding', function()
    return faults()[1]
  end)
  local content = vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]
  expect_equal(found.line, line, 'line')
  expect_equal(content:sub(found.columns[1] + 1, found.columns[2]), 'emial', 'what the finding marks')
  go_to('emial', 'emial')
  h.run_code_action('that mends the name', function(title)
    return title:find('email', 1, true) ~= nil and not title:find('emial = ', 1, true)
  end)
  wait_for('the mended line', function()
    return vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1] == '  item User { sk = "👩‍💻🛒{email}" }'
  end, function()
    return vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)
  end)
  vim.cmd('silent edit!')
  expect_text(text(), h.read(model), 'the text')
end)

test('hover on a keyword tells the concept', function()
  expect_contains(hover('gsi OpenOrders', 'gsi'):lower(), 'global secondary index', 'hover')
end)

test('hover on a pattern tells what follows for it', function()
  local shown = hover('pattern AccountPage', 'AccountPage')
  expect_contains(shown, 'AccountPage', 'hover')
  expect_contains(shown, 'UserOrders', 'hover')
end)

test('CTRL-] goes to the definition', function()
  go_to('query UserOrders.OpenOrders', 'OpenOrders')
  vim.cmd('silent normal! \29')
  expect_equal(vim.api.nvim_get_current_line(), '  gsi OpenOrders {', 'the line of the definition')
end)

--- The inlay hints of the first line that holds `line`.
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
  h.call(client, 'notify', 'workspace/didChangeConfiguration', { settings = client.settings })
  wait_for('no hint', function()
    return #hints('entity Session {') == 0
  end)
  expect_equal(#hints('partition key warehouse, open_status'), 1, 'hints of the other kinds')
end)

test('code lenses say what a table is to the model', function()
  local is_newest = vim.fn.has('nvim-0.12') == 1
  if not is_newest then
    vim.lsp.codelens.refresh({ bufnr = buffer })
  end
  --- Newer Neovims ask what a lens says when its line is drawn, and here nothing is.
  local function title(lens)
    if is_newest then
      lens = client:request_sync('codeLens/resolve', lens.lens, h.TIMEOUT_MS, buffer).result
    end
    return lens.command and lens.command.title
  end
  local titles = wait_for('the lenses', function()
    local found = vim.lsp.codelens.get(is_newest and { bufnr = buffer } or buffer)
    local titles = #found >= 13 and vim.iter(found):map(title):totable() or {}
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
  for _, time in ipairs({ 'once', 'again' }) do
    vim.lsp.buf.format({ async = false, timeout_ms = h.TIMEOUT_MS, name = 'keywright' })
    expect_text(text(), original, 'the text formatted ' .. time)
  end
end)

test('the model itself is as it was', function()
  expect_text(text(), h.read(vim.env.KEYWRIGHT_ROOT .. '/examples/shop.dynamo'), 'the model')
  vim.cmd('silent write')
  expect_text(h.read(model), h.read(vim.env.KEYWRIGHT_ROOT .. '/examples/shop.dynamo'), 'the model on disk')
end)

test('rename changes both files of a model, behind an emoji too', function()
  local entities, tables = folder .. '/two/entities.dynamo', folder .. '/two/tables.dynamo'
  vim.fn.mkdir(folder .. '/two', 'p')
  h.write(entities, '/// Somebody 👩‍💻.\nentity Person {\n  person_id: string @id @example("🧑") @size(8B)\n}\n')
  h.write(
    tables,
    'import "entities.dynamo"\n\ntable People {\n  partition key pk: string\n  item Person { pk = "👩‍💻é{person_id}🛒{person_id}" }\n}\n'
  )
  h.edit(tables)
  local users = vim.api.nvim_get_current_buf()
  h.client_of(users)
  wait_for('findings', function()
    return h.findings_given[users]
  end)
  local line = go_to('item Person', 'person_id}"')
  vim.lsp.buf.rename('id_of_person')
  wait_for('the renamed use', function()
    return vim.api.nvim_buf_get_lines(users, line - 1, line, true)[1]
      == '  item Person { pk = "👩‍💻é{id_of_person}🛒{id_of_person}" }'
  end, function()
    return vim.api.nvim_buf_get_lines(users, line - 1, line, true)
  end)
  local declaring = vim.fn.bufnr(entities)
  assert(declaring ~= -1, 'the other file is open')
  expect_contains(h.text_of(declaring), '  id_of_person: string @id @example("🧑")', 'the other file')
  vim.cmd('silent wall')
  expect_contains(h.read(entities), 'id_of_person: string', 'the other file on disk')
end)

test("the faults of a keywright.toml are told as it is typed", function()
  local settings = h.edit(folder .. '/keywright.toml')
  vim.api.nvim_buf_set_lines(settings, 0, -1, false, { '[levels]', 'scan-pattern = "loud"' })
  wait_for('the fault', function()
    return vim.diagnostic.get(settings)[1]
  end)
  expect_equal(vim.diagnostic.get(settings)[1].lnum, 1, 'its line')
  expect_equal(vim.bo.filetype, 'toml', 'file type')
  vim.cmd('silent bwipeout!')
end)

test('the server leaves when told to', function()
  h.call(client, 'stop')
  wait_for('its end', function()
    return exit_code
  end)
  expect_equal(exit_code, 0, 'exit status')
end)

h.finish()
