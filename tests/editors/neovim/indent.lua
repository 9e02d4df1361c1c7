-- Typing: indentation, comments that go on, and what commands for text make of a
-- model.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, expect_equal, expect_text = h.test, h.expect_equal, h.expect_text

--- Types into an empty model; the text then.
local function typed(keys)
  vim.cmd('silent enew!')
  vim.bo.filetype = 'dynamo'
  vim.api.nvim_feedkeys(vim.keycode(keys), 'xt', false)
  return h.text_of(0)
end

local function check(keys, expected)
  expect_text(typed(keys), expected, 'what was typed')
end

test('lines in blocks go deeper, and a brace comes back', function()
  check('ientity A {<CR>id: uuid @id<CR>}<CR>entity B {', 'entity A {\n  id: uuid @id\n}\nentity B {\n')
  check(
    'itable T {<CR>partition key id<CR>item A {<CR>pk = "A#{id}"<CR>}<CR>gsi G {<CR>partition key b<CR>}<CR>}',
    'table T {\n  partition key id\n  item A {\n    pk = "A#{id}"\n  }\n  gsi G {\n    partition key b\n  }\n}\n'
  )
end)

test('braces in strings, names and comments count for nothing', function()
  check('ientity A {<CR>id: uuid @id // {<CR>b: string', 'entity A {\n  id: uuid @id // {\n  b: string\n')
  check('ientity A {<CR>id: string @example("{{\\"{")<CR>b: string', 'entity A {\n  id: string @example("{{\\"{")\n  b: string\n')
  check('ientity A {<CR>`{`: string<CR>b: string', 'entity A {\n  `{`: string\n  b: string\n')
end)

test('a clause that is not at its end goes deeper, and so does what goes on with it', function()
  check('ipattern P {<CR>reads A,<CR>B', 'pattern P {\n  reads A,\n    B\n')
  check('ipattern P {<CR>query T<CR>where a = :a<Esc>==', 'pattern P {\n  query T\n    where a = :a\n')
  check('iworkflow W {<CR>A,<CR>B', 'workflow W {\n  A,\n  B\n')
  check('itable T {<CR>gsi G {<CR>projection include(<CR>a,<CR>b<CR>)<CR>sparse', table.concat({
    'table T {',
    '  gsi G {',
    '    projection include(',
    '      a,',
    '      b',
    '    )',
    '    sparse\n',
  }, '\n'))
end)

test('a brace that is missing above spoils nothing below', function()
  check('ientity A {<CR>id: uuid @id<CR><CR><C-u>entity B {<CR>b: string', 'entity A {\n  id: uuid @id\n\nentity B {\n  b: string\n')
end)

test('what the formatter has laid out stays as it is', function()
  for _, path in ipairs(vim.fn.glob(vim.env.KEYWRIGHT_ROOT .. '/examples/**/*.dynamo', false, true)) do
    h.edit(path)
    local before = h.text_of(0)
    vim.cmd('silent normal! gg=G')
    expect_text(h.text_of(0), before, path)
    vim.cmd('silent edit!')
  end
end)

test('a model without indentation gets all of it', function()
  h.edit(vim.env.KEYWRIGHT_ROOT .. '/examples/shop.dynamo')
  local before = h.text_of(0)
  vim.cmd([[silent %s/^\s\+//]])
  assert(h.text_of(0) ~= before, 'it had some')
  vim.cmd('silent normal! gg=G')
  expect_text(h.text_of(0), before, 'the model')
  vim.cmd('silent edit!')
end)

test('comments go on, and gc makes them', function()
  check('i/// A person.<CR>Who buys.', '/// A person.\n/// Who buys.\n')
  check('i// A remark.<CR>More.', '// A remark.\n// More.\n')
  check('ientity A {<CR>/// The key.<CR>Unique.', 'entity A {\n  /// The key.\n  /// Unique.\n')
  vim.cmd('silent enew!')
  vim.bo.filetype = 'dynamo'
  vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'entity A {', '  id: uuid @id', '}' })
  vim.cmd('2normal gcc')
  expect_equal(vim.api.nvim_buf_get_lines(0, 1, 2, false), { '  // id: uuid @id' }, 'the line as a comment')
end)

test('another file type leaves nothing of this one', function()
  vim.cmd('silent enew!')
  local options = { 'commentstring', 'comments', 'formatoptions', 'indentexpr', 'indentkeys', 'shiftwidth', 'expandtab', 'include' }
  local function values()
    local found = {}
    for _, name in ipairs(options) do
      found[name] = vim.bo[name]
    end
    return found
  end
  local before = values()
  vim.bo.filetype = 'dynamo'
  assert(not vim.deep_equal(values(), before), 'the file type sets them')
  vim.bo.filetype = ''
  vim.cmd('filetype detect')
  vim.bo.filetype = 'nothing'
  expect_equal(values(), before, 'options')
end)

h.finish()
