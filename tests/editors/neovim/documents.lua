-- The two documents: made by code actions and by `:KeywrightGenerate`, refreshed
-- around what a person has written into them.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, wait_for, go_to = h.test, h.wait_for, h.go_to
local expect_equal, expect_text, expect_contains = h.expect_equal, h.expect_text, h.expect_contains

local folder = vim.fs.normalize(vim.env.KEYWRIGHT_SCRATCH .. '/shop')
local buffer, client

local REQUIREMENT = folder .. '/dynamodb_requirement.md'
local DATA_MODEL = folder .. '/dynamodb_data_model.md'

--- The buffer of a file, once it is there and holds something.
local function made(path)
  return wait_for(path, function()
    local number = vim.fn.bufnr(path)
    return number ~= -1 and vim.api.nvim_buf_is_loaded(number) and #h.text_of(number) > 1 and number
  end)
end

local function code_action(title)
  vim.api.nvim_set_current_buf(buffer)
  h.run_code_action(title, function(candidate)
    return candidate == title
  end)
end

test('the model is open', function()
  buffer = h.edit(folder .. '/shop.dynamo')
  client = h.client_of(buffer)
end)

for path, expected in pairs({
  [REQUIREMENT] = { '# DynamoDB Modeling Session', 'AccountPage', 'PlaceOrder', 'SearchProducts' },
  [DATA_MODEL] = { '# DynamoDB Data Model', 'UserOrders', 'OpenOrders', 'AccountPage' },
}) do
  local name = vim.fs.basename(path)
  test('the code action creates ' .. name, function()
    code_action('Generate ' .. name)
    local document = made(path)
    local content = h.text_of(document)
    for _, part in ipairs(expected) do
      expect_contains(content, part, name)
    end
    assert(content:find('\n|[^\n]+|\n|[ :|-]+|\n|'), name .. ' has a table:\n' .. content)
    vim.cmd('silent wall')
    expect_text(h.read(path), content, 'what lies on disk')
  end)

  test(name .. ' is what the program makes, to the last line', function()
    local beside = vim.env.KEYWRIGHT_SCRATCH .. '/beside'
    vim.fn.mkdir(beside, 'p')
    h.write(beside .. '/shop.dynamo', h.read(folder .. '/shop.dynamo'))
    local done = vim.system({ 'keywright', 'docs', beside .. '/shop.dynamo' }, { text = true }):wait()
    expect_equal(done.code, 0, 'exit status of keywright docs: ' .. done.stderr)
    expect_text(h.read(path), h.read(beside .. '/' .. name), name)
    vim.fn.delete(beside, 'rf')
  end)

  test('refreshing ' .. name .. ' leaves what was written into it', function()
    h.edit(path)
    vim.api.nvim_buf_set_lines(0, -1, -1, false, { 'A line of mine.' })
    vim.cmd('silent wall')
    local mine = h.read(path)
    local told_before = #h.messages
    code_action('Refresh ' .. name)
    local told = wait_for('a message', function()
      return h.messages[told_before + 1]
    end)
    expect_contains(told, name .. ' is up to date', 'the message')
    expect_text(h.text_of(made(path)), mine, name)
  end)
end

test('a document that is open stays Markdown', function()
  local function options()
    return { vim.bo.filetype, vim.bo.formatexpr, vim.bo.omnifunc, vim.bo.tagfunc, vim.fn.maparg('K', 'n') }
  end
  h.edit(vim.env.KEYWRIGHT_SCRATCH .. '/any.md')
  local expected = options()
  expect_equal(expected[1], 'markdown', 'file type')
  h.edit(REQUIREMENT)
  wait_for('the server', function()
    return vim.lsp.buf_is_attached(0, client.id)
  end)
  expect_equal(options(), expected, 'options, and what K does')
end)

--- Changes the model in a way that a document shows.
local function change_model(domain)
  vim.api.nvim_set_current_buf(buffer)
  local line = go_to('domain', 'domain')
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, false, { ('  domain "%s"'):format(domain) })
end

test('a document is refreshed with what nobody has saved', function()
  local document = made(REQUIREMENT)
  vim.api.nvim_buf_set_lines(document, 0, 0, false, { 'Not saved yet.', '' })
  change_model('another one 🛒')
  code_action('Refresh dynamodb_requirement.md')
  wait_for('the refreshed document', function()
    return h.text_of(document):find('another one 🛒', 1, true)
  end, function()
    return h.text_of(document)
  end)
  expect_equal(vim.api.nvim_buf_get_lines(document, 0, 2, false), { 'Not saved yet.', '' }, 'what nobody has saved')
  assert(vim.bo[document].modified, 'nobody has saved it')
end)

test(':KeywrightGenerate refreshes it again, shows it, and leaves the cursor where it is', function()
  local document = made(REQUIREMENT)
  vim.cmd('silent only')
  change_model('a third one')
  vim.cmd('vertical KeywrightGenerate requirement')
  wait_for('the refreshed document', function()
    return h.text_of(document):find('a third one', 1, true)
  end)
  local window = wait_for('its window', function()
    local window = vim.fn.bufwinid(document)
    return window ~= -1 and window
  end)
  expect_equal(vim.api.nvim_get_current_buf(), buffer, 'where the cursor is')
  expect_equal(vim.api.nvim_win_get_height(window), vim.api.nvim_win_get_height(0), 'height of the two windows')
  expect_equal(vim.api.nvim_buf_get_lines(document, 0, 1, false), { 'Not saved yet.' }, 'what nobody has saved')
end)

test('where a part was edited a question is asked, and its answer holds', function()
  vim.cmd('silent only')
  local document = made(REQUIREMENT)
  for number, content in ipairs(vim.api.nvim_buf_get_lines(document, 0, -1, false)) do
    if content:find('a third one', 1, true) then
      local mine = content:gsub('a third one', 'what I say')
      vim.api.nvim_buf_set_lines(document, number - 1, number, false, { mine })
    end
  end
  change_model('a fourth one')
  local select, asked = vim.ui.select, nil
  vim.ui.select = function(items, options, done)
    asked = options.prompt
    done(vim.iter(items):find(function(item)
      return item.title:lower():find('mine', 1, true) ~= nil
    end))
  end
  vim.cmd('KeywrightGenerate requirement')
  wait_for('the question', function()
    return asked
  end)
  expect_contains(asked, 'was edited, and the model says something else', 'the question')
  wait_for('the mark of what is kept', function()
    return h.text_of(document):find(' kept -->', 1, true)
  end)
  vim.ui.select = select
  expect_contains(h.text_of(document), 'what I say', 'the document')
  assert(not h.text_of(document):find('a fourth one', 1, true), 'mine is there alone')
end)

test(':KeywrightGenerate! takes the new text where the old was edited, and undo brings it back', function()
  vim.cmd('silent only')
  local document = made(REQUIREMENT)
  -- Between two commands of a person undo begins anew; a script has to say so.
  vim.api.nvim_buf_call(document, function()
    vim.cmd('let &g:undolevels = &g:undolevels')
  end)
  change_model('a fifth one')
  vim.cmd('KeywrightGenerate! requirement')
  wait_for('the new text', function()
    return h.text_of(document):find('a fifth one', 1, true)
  end)
  assert(not h.text_of(document):find('what I say', 1, true), 'the new text is there alone')
  vim.api.nvim_buf_call(document, function()
    vim.cmd('silent undo')
  end)
  expect_contains(h.text_of(document), 'what I say', 'the document after undo')
end)

test('a document that is closed is refreshed without a question', function()
  vim.cmd('silent only')
  local document = made(REQUIREMENT)
  vim.api.nvim_buf_call(document, function()
    vim.cmd('silent write')
  end)
  vim.api.nvim_buf_delete(document, { force = true })
  local select, asked = vim.ui.select, nil
  vim.ui.select = function(_, options)
    asked = options.prompt
  end
  change_model('a sixth one')
  vim.cmd('KeywrightGenerate! requirement')
  wait_for('the refreshed document', function()
    local number = vim.fn.bufnr(REQUIREMENT)
    return asked or number ~= -1 and h.text_of(number):find('a sixth one', 1, true)
  end)
  vim.ui.select = select
  expect_equal(asked, nil, 'what was asked')
end)

test(':KeywrightGenerate alone makes both documents', function()
  for _, path in ipairs({ REQUIREMENT, DATA_MODEL }) do
    vim.cmd.bwipeout({ args = { tostring(vim.fn.bufnr(path)) }, bang = true })
    vim.fn.delete(path)
  end
  vim.cmd('silent only')
  vim.api.nvim_set_current_buf(buffer)
  vim.cmd('KeywrightGenerate')
  for _, path in ipairs({ REQUIREMENT, DATA_MODEL }) do
    local document = made(path)
    wait_for('its window', function()
      return vim.fn.bufwinid(document) ~= -1
    end)
    local last = vim.api.nvim_buf_get_lines(document, -2, -1, false)[1]
    assert(last ~= '', path .. ' ends with its last line')
  end
  expect_contains(h.text_of(made(REQUIREMENT)), 'a sixth one', 'what nobody has saved of the model')
end)

test(':KeywrightGenerate completes the kinds and refuses others', function()
  expect_equal(vim.fn.getcompletion('KeywrightGenerate ', 'cmdline'), { 'requirement', 'data_model' }, 'completion')
  expect_equal(vim.fn.getcompletion('KeywrightGenerate d', 'cmdline'), { 'data_model' }, 'completion')
  local told = h.notified(function()
    vim.cmd('KeywrightGenerate poem')
  end)
  expect_contains(told, 'there is no document `poem`', 'the message')
end)

test('commands for models say so elsewhere', function()
  h.edit(REQUIREMENT)
  for _, command in ipairs({ 'KeywrightGenerate', 'KeywrightCost' }) do
    local told = h.notified(function()
      vim.cmd(command)
    end)
    expect_contains(told, 'this is no model', 'the message of ' .. command)
  end
end)

h.finish()
