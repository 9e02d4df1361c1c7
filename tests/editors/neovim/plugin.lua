-- The plugin beside the language server: commands, pages, health and help.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, wait_for, go_to = h.test, h.wait_for, h.go_to
local expect_equal, expect_contains = h.expect_equal, h.expect_contains

local model = vim.fs.normalize(vim.env.KEYWRIGHT_SCRATCH .. '/shop/shop.dynamo')
local buffer, client

--- The page in the current window, once its name is this; closes it with `q`.
local function page(name)
  wait_for('the page ' .. name, function()
    return vim.api.nvim_buf_get_name(0) == name
  end, function()
    return vim.api.nvim_buf_get_name(0)
  end)
  expect_equal(vim.bo.filetype, 'markdown', 'file type')
  expect_equal(vim.bo.modifiable, false, 'whether it can be changed')
  local text = h.text_of(0)
  vim.api.nvim_feedkeys('q', 'xt', false)
  expect_equal(vim.api.nvim_get_current_buf(), buffer, 'what q leads back to')
  return text
end

test('the model is open', function()
  buffer = h.edit(model)
  client = h.client_of(buffer)
  wait_for('findings', function()
    return h.findings_given[buffer]
  end)
end)

test(':KeywrightCost shows what the model costs, with what is not saved', function()
  vim.cmd('KeywrightCost')
  local before = page('keywright://cost/shop.dynamo')
  expect_contains(before, '# `shop.dynamo` in us-east-1: $', 'the page')
  expect_contains(before, 'Patterns, the dearest first', 'the page')
  local line = go_to('rate avg 500/s, peak 4k/s', 'rate')
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, true, { '  rate avg 5000/s, peak 40k/s' })
  vim.cmd('vertical KeywrightCost')
  local after = page('keywright://cost/shop.dynamo')
  assert(before:match('^[^\n]+') ~= after:match('^[^\n]+'), 'ten times the calls cost more: ' .. after)
  vim.cmd('silent edit!')
end)

test(':KeywrightExplain shows the page of a rule', function()
  vim.cmd('KeywrightExplain scan-pattern')
  expect_contains(page('keywright://page/scan-pattern'), '# scan-pattern', 'the page')
end)

test('links between pages are followed, in the same window, and back', function()
  vim.cmd('KeywrightExplain query')
  expect_contains(h.text_of(0), '[Sort key](sort-key.md)', 'the page')
  local windows = #vim.api.nvim_list_wins()
  go_to('[Filter expressions](filter-expressions.md)', '[Filter')
  vim.api.nvim_feedkeys('\r', 'xt', false)
  expect_equal(vim.api.nvim_buf_get_name(0), 'keywright://page/filter-expressions', 'the page')
  expect_equal(#vim.api.nvim_list_wins(), windows, 'number of windows')
  vim.api.nvim_feedkeys(vim.keycode('<C-o>'), 'xt', false)
  expect_contains(page('keywright://page/query'), '[Sort key](sort-key.md)', 'the page before')
end)

test('a link to a fact opens that fact, with where it is from', function()
  vim.cmd('KeywrightExplain scan-pattern')
  go_to('([S6](../facts.md#s6))', '[S6]')
  vim.api.nvim_feedkeys('\r', 'xt', false)
  local fact = page('keywright://page/facts#s6')
  expect_contains(fact, '### S6', 'the page')
  expect_contains(fact, 'https://docs.aws.amazon.com/', 'where it is from')
end)

test(':KeywrightExplain alone is about the finding under the cursor, or the word', function()
  local line = go_to('item User { sk = "PROFILE" }', 'item')
  vim.api.nvim_buf_set_lines(buffer, line - 1, line, true, { '  item User' })
  wait_for('the finding', function()
    return h.faults(buffer)[1]
  end)
  vim.cmd('KeywrightExplain')
  expect_contains(page('keywright://page/missing-key-value'), '# missing-key-value', 'the page')
  vim.cmd('silent edit!')
  wait_for('no finding', function()
    return #h.faults(buffer) == 0
  end)
  go_to('gsi OpenOrders', 'gsi')
  vim.cmd('KeywrightExplain')
  expect_contains(page('keywright://page/gsi'):lower(), 'global secondary index', 'the page')
end)

test(':KeywrightExplain completes rules and refuses what nothing is called', function()
  local rules = vim.fn.getcompletion('KeywrightExplain scan', 'cmdline')
  assert(vim.list_contains(rules, 'scan-pattern'), 'completion: ' .. vim.inspect(rules))
  assert(#vim.fn.getcompletion('KeywrightExplain ', 'cmdline') > 50, 'all rules are completed')
  local told = h.notified(function()
    vim.cmd('KeywrightExplain scan-patern')
  end)
  expect_contains(told, 'nothing is called `scan-patern`; did you mean', 'the message')
  expect_equal(vim.api.nvim_get_current_buf(), buffer, 'no page is opened')
end)

test('the link of a finding opens as a page', function()
  for name, heading in pairs({ ['keywright:rule/scan-pattern'] = '# scan-pattern', ['keywright:concept/query'] = '# ' }) do
    vim.cmd.split({ args = { name } })
    expect_contains(h.text_of(0), heading, name)
    expect_equal(vim.bo.filetype, 'markdown', 'file type of ' .. name)
    vim.cmd('bwipeout!')
  end
end)

test(':KeywrightRestart starts the server anew, and findings come again', function()
  local before, given = client.id, h.findings_given[buffer]
  vim.cmd('KeywrightRestart')
  client = wait_for('another client', function()
    local now = vim.lsp.get_clients({ bufnr = buffer, name = 'keywright' })[1]
    return now and now.id ~= before and now.initialized and now
  end)
  expect_equal(#vim.lsp.get_clients({ name = 'keywright' }), 1, 'number of servers')
  wait_for('findings of the new server', function()
    return h.findings_given[buffer] > given
  end)
end)

test('a server that has crashed is started by :KeywrightRestart', function()
  local before = client.id
  h.call(client, 'stop', true)
  wait_for('its end', function()
    return #vim.lsp.get_clients({ name = 'keywright' }) == 0
  end)
  vim.cmd('KeywrightRestart')
  wait_for('another client', function()
    local now = vim.lsp.get_clients({ bufnr = buffer, name = 'keywright' })[1]
    return now and now.id ~= before and now.initialized
  end)
end)

test(':checkhealth keywright is clean', function()
  vim.cmd('silent checkhealth keywright')
  local told = h.text_of(0)
  for _, fault in ipairs({ 'ERROR', 'WARNING' }) do
    assert(not told:find(fault, 1, true), told)
  end
  for _, part in ipairs({
    'keywright`, version ' .. require('keywright').version,
    'have the file type `dynamo`',
    'shop.dynamo',
    'columns in ' .. (vim.fn.has('nvim-0.11') == 1 and 'utf-8' or 'utf-16'),
    'dynamo.so`',
    'queries: highlights, folds, indents, injections, locals',
  }) do
    expect_contains(told, part, 'health')
  end
  vim.cmd('silent bwipeout!')
end)

--- Neovim notes each call of what it is going to drop, with the files that it came from.
test('nothing is called that a later Neovim lacks', function()
  if vim.fn.has('nvim-0.11') == 0 then
    return
  end
  vim.cmd('silent checkhealth vim.deprecated')
  local told = h.text_of(0)
  assert(not told:find('lua/keywright/', 1, true), told)
  vim.cmd('silent bwipeout!')
end)

test('the help has its tags, and they are those that are kept', function()
  local doc = vim.env.KEYWRIGHT_SCRATCH .. '/help/doc'
  vim.fn.mkdir(doc, 'p')
  h.write(doc .. '/keywright.txt', h.read(vim.env.KEYWRIGHT_ROOT .. '/editors/neovim/doc/keywright.txt'))
  vim.cmd.helptags(vim.fn.fnameescape(doc))
  h.expect_text(h.read(vim.env.KEYWRIGHT_ROOT .. '/editors/neovim/doc/tags'), h.read(doc .. '/tags'), 'doc/tags')
  for command in pairs(vim.api.nvim_get_commands({})) do
    if vim.startswith(command, 'Keywright') then
      vim.cmd.help(':' .. command)
      expect_contains(vim.api.nvim_get_current_line(), '*:' .. command .. '*', 'the place in the help')
    end
  end
  -- What is referred to is there, in the help of a Neovim that has all of it.
  for tag in h.text_of(0):gmatch('|([^|%s]+)|') do
    if vim.fn.has('nvim-0.11') == 1 then
      vim.cmd.help(tag)
    end
  end
  vim.cmd('silent helpclose')
end)

h.finish()
