-- Highlighting, folds and indentation, by the parser that `:KeywrightBuildParser`
-- builds and the queries of the plugin.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, wait_for, go_to = h.test, h.wait_for, h.go_to
local expect_equal, expect_text = h.expect_equal, h.expect_text

local shop = vim.env.KEYWRIGHT_ROOT .. '/examples/shop.dynamo'
local QUERIES = { 'highlights', 'folds', 'indents', 'injections', 'locals' }

test(':KeywrightBuildParser builds the parser, and what is open is highlighted', function()
  h.edit(shop)
  vim.bo.readonly = true
  assert(not vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()], 'nothing is highlighted before')
  vim.cmd('KeywrightBuildParser')
  wait_for('highlighting', function()
    return vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()]
  end, function()
    return vim.fn.execute('messages')
  end)
  assert(vim.uv.fs_stat(vim.fn.stdpath('data') .. '/site/parser/dynamo.so'), 'the parser lies in the data folder')
  vim.cmd('silent checkhealth keywright')
  local told = h.text_of(0)
  assert(told:find('queries: highlights', 1, true) and not told:find('WARNING', 1, true), told)
  vim.cmd('silent bwipeout!')
end)

test('the parser reads the examples without an error', function()
  for _, path in ipairs(vim.fn.glob(vim.env.KEYWRIGHT_ROOT .. '/examples/**/*.dynamo', false, true)) do
    local tree = vim.treesitter.get_string_parser(h.read(path), 'dynamo'):parse()[1]
    assert(not tree:root():has_error(), path)
  end
end)

--- The captures that are standard, from Neovim's own help.
local function standard()
  local known = { spell = true, nospell = true, conceal = true, none = true }
  for line in io.lines(vim.env.VIMRUNTIME .. '/doc/treesitter.txt') do
    local name = line:match('^@([%w.]+)%s')
    if name then
      known[name] = true
    end
  end
  assert(known['variable.parameter'], 'the help lists captures')
  return known
end

test('every query loads, and highlights have the names that colour schemes know', function()
  local known = standard()
  for _, name in ipairs(QUERIES) do
    local query = vim.treesitter.query.get('dynamo', name)
    assert(query and #query.captures > 0, name)
    if name == 'highlights' then
      for _, capture in ipairs(query.captures) do
        assert(known[capture], ('@%s is no standard capture'):format(capture))
      end
    end
  end
end)

--- The captures of dynamo at the first `word` of the first line that holds `line`.
local function captures(line, word)
  local number = go_to(line, word)
  local column = vim.api.nvim_win_get_cursor(0)[2]
  local found = {}
  vim.treesitter.get_parser(0):parse(true)
  for _, capture in ipairs(vim.treesitter.get_captures_at_pos(0, number - 1, column)) do
    if capture.lang == 'dynamo' and capture.capture ~= 'spell' then
      table.insert(found, capture.capture)
    end
  end
  return found
end

test('each kind of token is captured', function()
  h.edit(shop)
  for _, case in ipairs({
    { '// An online shop', 'online', { 'comment' } },
    { '/// A person who buys', 'person', { 'comment.documentation' } },
    { 'application OnlineShop', 'application', { 'keyword' } },
    { 'application OnlineShop', 'OnlineShop', { 'module' } },
    { 'application OnlineShop', '{', { 'punctuation.bracket' } },
    { 'domain   "e-commerce"', 'domain', { 'keyword' } },
    { 'domain   "e-commerce"', '"e-commerce', { 'string' } },
    { 'domain   "e-commerce"', 'commerce', { 'string' } },
    { 'style    aggregate', 'aggregate', { 'constant.builtin' } },
    { 'entity User', 'User', { 'type' } },
    { 'user_id:    uuid @id', 'user_id', { 'property' } },
    { 'user_id:    uuid @id', ':', { 'punctuation.delimiter' } },
    { 'user_id:    uuid @id', 'uuid', { 'type.builtin' } },
    { 'user_id:    uuid @id', '@', { 'attribute' } },
    { 'enum(free, plus', 'enum', { 'type.builtin' } },
    { 'enum(free, plus', 'plus', { 'constant' } },
    { 'count 2M, growing', '2M', { 'number' } },
    { 'count 2M, growing', 'growing', { 'keyword' } },
    { 'size avg 1KB', 'avg', { 'keyword' } },
    { '@of(User) @immutable', 'User', { 'type' } },
    { 'open_status:   enum', '?', { 'operator' } },
    { 'relationship User 1:N Order', '1:N', { 'operator' } },
    { 'table UserOrders', 'UserOrders', { 'module' } },
    { 'sk = "ORDER#{order_id}"', '=', { 'operator' } },
    { 'sk = "ORDER#{order_id}"', 'ORDER', { 'string' } },
    { 'sk = "ORDER#{order_id}"', '{order_id', { 'punctuation.special' } },
    { 'sk = "ORDER#{order_id}"', 'order_id', { 'property' } },
    { 'allow low-cardinality-key', 'low-cardinality-key', { 'label' } },
    { 'pattern AccountPage', 'AccountPage', { 'function' } },
    { 'where user_id = :user_id descending', ':user_id', { 'variable.parameter' } },
    { 'where user_id = :user_id descending', '= :', { 'operator' } },
    { 'and sk begins_with', 'and', { 'keyword.operator' } },
    { 'if not_exists', 'not_exists', { 'function.builtin' } },
    { 'query UserOrders.OpenOrders', '.', { 'punctuation.delimiter' } },
    { 'query UserOrders.OpenOrders', 'OpenOrders', { 'module' } },
  }) do
    local line, word, expected = unpack(case)
    expect_equal(captures(line, word), expected, ('captures of %s in %s'):format(word, line))
  end
end)

test('what has no capture is white space', function()
  local query = vim.treesitter.query.get('dynamo', 'highlights')
  local tree = vim.treesitter.get_parser(0):parse()[1]
  local covered = {}
  for _, node in query:iter_captures(tree:root(), 0) do
    local first_row, first, last_row, last = node:range()
    assert(first_row == last_row, 'captures stay within a line')
    covered[first_row] = covered[first_row] or {}
    for column = first + 1, last do
      covered[first_row][column] = true
    end
  end
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    for column = 1, #line do
      local is_covered = covered[row - 1] and covered[row - 1][column]
      assert(is_covered or line:sub(column, column):match('%s'), ('%d:%d of %s'):format(row, column, line))
    end
  end
end)

test('comments that document are Markdown', function()
  local line = go_to('Sells books and gifts', 'books')
  vim.treesitter.get_parser(0):parse(true)
  local languages = {}
  for _, child in pairs(vim.treesitter.get_parser(0):children()) do
    languages[child:lang()] = true
  end
  assert(languages.markdown, 'Markdown is injected: ' .. vim.inspect(languages))
  assert(line > 0)
end)

test('a fence of Markdown is highlighted by the name of its language alone', function()
  local path = vim.env.KEYWRIGHT_SCRATCH .. '/notes.md'
  h.write(path, '# Notes\n\n```dynamo\nentity User {\n  user_id: uuid @id\n}\n```\n')
  h.edit(path)
  vim.treesitter.start(0, 'markdown')
  expect_equal(captures('entity User', 'entity'), { 'keyword' }, 'captures of the keyword')
  expect_equal(captures('entity User', 'User'), { 'type' }, 'captures of the name')
  expect_equal(captures('user_id', 'uuid'), { 'type.builtin' }, 'captures of the type')
end)

test('blocks fold', function()
  h.edit(shop)
  vim.wo.foldmethod = 'expr'
  vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
  vim.wo.foldlevel = 0
  local function fold_at(line)
    local number = go_to(line, line)
    return { vim.fn.foldclosed(number), vim.fn.foldclosedend(number) }
  end
  local entity = go_to('entity User {', 'entity')
  local last = vim.fn.search('^}')
  wait_for('the fold of the entity', function()
    return vim.deep_equal(fold_at('entity User {'), { entity, last })
  end, function()
    return fold_at('entity User {')
  end)
  vim.wo.foldlevel = 1
  local index = go_to('gsi OpenOrders {', 'gsi')
  local index_end = vim.fn.search('^  }')
  expect_equal(fold_at('gsi OpenOrders {'), { index, index_end }, 'the fold of the index')
  vim.wo.foldmethod = 'manual'
end)

test('locals tell what declares and what refers', function()
  local query = vim.treesitter.query.get('dynamo', 'locals')
  local found = {}
  for id, node in query:iter_captures(vim.treesitter.get_parser(0):parse()[1]:root(), 0) do
    found[query.captures[id] .. ' ' .. vim.treesitter.get_node_text(node, 0):match('^[^\n]*')] = true
  end
  for _, expected in ipairs({
    'local.definition.type User',
    'local.definition.namespace UserOrders',
    'local.definition.function AccountPage',
    'local.definition.field user_id',
    'local.reference User',
  }) do
    assert(found[expected], expected)
  end
end)

h.finish()
