-- A user's configuration: the lines of editors/neovim/README.md, literally.

local root = vim.env.KEYWRIGHT_ROOT
local file = assert(io.open(root .. '/editors/neovim/README.md'))
local readme = file:read('a'):gsub('/path/to/keywright', root)
file:close()

--- The block of Lua that begins with a line.
local function block(first)
  for text in readme:gmatch('```lua\n(.-)```') do
    if vim.startswith(text, first .. '\n') then
      return text
    end
  end
  error('editors/neovim/README.md has no block that begins with ' .. first)
end

local setup = block(("vim.opt.runtimepath:prepend('%s/editors/neovim')"):format(root))
if vim.fn.has('nvim-0.11') == 0 then
  local old = block("require('keywright').setup()")
  setup = setup:gsub("vim%.lsp%.enable%('keywright'%)\n", old)
end
assert(loadstring(setup))()
assert(loadstring(block('vim.lsp.inlay_hint.enable(true)')))()
