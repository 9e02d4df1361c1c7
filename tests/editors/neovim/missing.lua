-- A set-up that is not finished: what `:checkhealth keywright` says of it, and what
-- works all the same. There is no parser yet, and the configuration names a server
-- that is not there.

local h = dofile(vim.env.KEYWRIGHT_ROOT .. '/tests/editors/neovim/harness.lua')
local test, expect_equal, expect_contains = h.test, h.expect_equal, h.expect_contains

local function health()
  vim.cmd('silent checkhealth keywright')
  local text = h.text_of(0)
  vim.cmd('silent bwipeout!')
  return text
end

test('a program that is not there is an error, with how to get it', function()
  require('keywright').setup({ cmd = { '/nowhere/keywright', 'lsp' } })
  local told = health()
  expect_contains(told, 'ERROR `/nowhere/keywright` is not there', 'health')
  expect_contains(told, 'cargo install --locked --path .', 'health')
end)

test('a model that is opened without the program says so, once', function()
  local told = h.notified(function()
    h.edit(vim.env.KEYWRIGHT_SCRATCH .. '/shop/shop.dynamo')
    h.edit(vim.env.KEYWRIGHT_SCRATCH .. '/another.dynamo')
  end)
  expect_equal(
    told,
    'keywright: `/nowhere/keywright` is not there, or cannot be run; `:checkhealth keywright` tells how to get it',
    'the message'
  )
  vim.cmd('silent %bwipeout!')
end)

--- The code between backquotes of what `:checkhealth` tells, run as a user would
--- put it into `init.lua`; it names a program that is at `path`.
local function follow(told, path)
  local code = told:match("`(vim%.lsp%.config%('keywright'.-%))`") or told:match("`(require%('keywright'%)%.setup%(.-%))`")
  assert(code, 'no advice that can be followed:\n' .. told)
  assert(loadstring((code:gsub('/path/to/keywright', function()
    return path
  end))))()
end

test('the advice to name the program is one that this Neovim understands', function()
  local told = health()
  local server = vim.fn.exepath('keywright')
  follow(told, server)
  expect_contains(health(), server .. '`, version ' .. require('keywright').version, 'health')
end)

test('a program that Cargo installed where this Neovim does not look is found, and named', function()
  local before = vim.env.PATH
  local home = vim.env.KEYWRIGHT_SCRATCH .. '/cargo'
  vim.fn.mkdir(home .. '/bin', 'p')
  vim.uv.fs_symlink(vim.fn.exepath('keywright'), home .. '/bin/keywright')
  vim.env.PATH, vim.env.CARGO_HOME = '/usr/bin:/bin', home
  require('keywright').setup({ cmd = { 'keywright', 'lsp' } })
  local told = health()
  expect_contains(told, 'It is in ' .. home .. '/bin, which is not on the `PATH` of this Neovim', 'health')
  follow(told, '')
  expect_contains(health(), home .. '/bin/keywright`, version ' .. require('keywright').version, 'health')
  vim.env.PATH, vim.env.CARGO_HOME = before, nil
  vim.uv.fs_unlink(home .. '/bin/keywright')
end)

test('a model that no server is attached to is an error, whose advice is for what is wrong', function()
  require('keywright').setup({ cmd = { '/nowhere/keywright', 'lsp' } })
  vim.cmd('enew | setfiletype dynamo')
  local told = health()
  expect_contains(told, 'No server is attached to the model that is open: it is not there, see above', 'health')
  assert(not told:find('KeywrightRestart', 1, true), 'a server that is not there cannot be restarted:\n' .. told)
  -- One that is there, and was not started.
  require('keywright').setup({ cmd = { 'keywright', 'lsp' }, filetypes = { 'another' } })
  told = health()
  expect_contains(told, 'ERROR A model is open, and no server is attached', 'health')
  expect_contains(told, '`:KeywrightRestart` tries again', 'health')
  assert(not told:find('`init.lua`', 1, true), 'it is enabled already:\n' .. told)
  vim.cmd(told:match('`:(lua vim%.cmd%.edit.-)`'))
  expect_contains(vim.api.nvim_buf_get_name(0), 'lsp', 'the log')
  vim.cmd('silent %bwipeout!')
  require('keywright').setup({ filetypes = { 'dynamo' } })
end)

test('a program of another version is a warning', function()
  local program = vim.env.KEYWRIGHT_SCRATCH .. '/old-keywright'
  h.write(program, '#!/bin/sh\necho keywright 0.0.1\n')
  vim.uv.fs_chmod(program, 493)
  require('keywright').setup({ cmd = { program, 'lsp' } })
  expect_contains(health(), 'is version 0.0.1, this plugin is version ' .. require('keywright').version, 'health')
end)

test('a parser that is not there is a warning, with the command that builds it', function()
  local told = health()
  expect_contains(told, 'WARNING The tree-sitter parser is not installed', 'health')
  expect_contains(told, ':KeywrightBuildParser', 'health')
end)

test('without a parser a model opens, and lines are indented', function()
  require('keywright').setup({ cmd = { 'keywright', 'lsp' } })
  h.edit(vim.env.KEYWRIGHT_SCRATCH .. '/new.dynamo')
  expect_equal(vim.bo.filetype, 'dynamo', 'file type')
  vim.api.nvim_feedkeys('ientity Person {\rperson_id: uuid @id', 'xt', false)
  expect_equal(
    vim.api.nvim_buf_get_lines(0, 0, -1, false),
    { 'entity Person {', '  person_id: uuid @id' },
    'what was typed'
  )
  h.client_of(vim.api.nvim_get_current_buf())
end)

test('a parser that cannot be built is told about', function()
  local compiler = vim.env.KEYWRIGHT_SCRATCH .. '/no-compiler'
  h.write(compiler, '#!/bin/sh\necho no such thing >&2\nexit 1\n')
  vim.uv.fs_chmod(compiler, 493)
  local before = vim.env.CC
  vim.env.CC = compiler
  local built
  local told = h.notified(function()
    require('keywright.parser').build(function(ok)
      built = ok
    end)
    h.wait_for('the end of the build', function()
      return built ~= nil
    end)
  end)
  vim.env.CC = before
  expect_equal(built, false, 'whether it was built')
  expect_contains(told, 'no such thing', 'what was told')
end)

h.finish('/nowhere/keywright is not executable')
