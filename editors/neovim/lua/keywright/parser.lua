--- The tree-sitter parser: whether it is there, and building it.

local keywright = require('keywright')

local M = {}

--- Where the parser is built to: a folder that Neovim looks in by itself.
function M.target()
  return vim.fs.joinpath(vim.fn.stdpath('data'), 'site', 'parser', 'dynamo.so')
end

--- The path of the parser that Neovim loads, if there is one. A folder that was made
--- since Neovim started is not on its runtime path yet.
function M.path()
  local found = vim.api.nvim_get_runtime_file('parser/dynamo.*', false)[1]
  return found or vim.uv.fs_stat(M.target()) and M.target() or nil
end

--- Whether the parser loads, and why not: the one at `path`, or the one that Neovim
--- finds.
function M.loads(path)
  local ok, added, why = pcall(vim.treesitter.language.add, 'dynamo', { path = path })
  if not ok then
    return false, added
  end
  -- Neovim 0.10 raises an error where newer ones give it.
  if added == nil and why then
    return false, why
  end
  return true
end

--- A C compiler.
function M.compiler()
  for _, name in ipairs({ vim.env.CC or '', 'cc', 'gcc', 'clang' }) do
    if name ~= '' and vim.fn.executable(name) == 1 then
      return name
    end
  end
end

--- The grammar's sources: they lie beside the plugin in a checkout.
function M.sources()
  local folder = vim.fs.normalize(vim.fs.joinpath(vim.fs.dirname(vim.fs.dirname(keywright.folder)), 'grammar', 'src'))
  return vim.uv.fs_stat(folder .. '/parser.c') and folder or nil
end

--- Builds the parser and highlights what is open. `done` gets whether that worked.
function M.build(done)
  done = done or function() end
  local function fail(why)
    keywright.tell(why, vim.log.levels.ERROR)
    done(false)
  end
  local sources, compiler = M.sources(), M.compiler()
  if not sources then
    return fail('the grammar is not there: the parser is built from a checkout of Keywright, in which this plugin lies')
  end
  if not compiler then
    return fail('a C compiler is needed to build the parser, and there is no `cc`, `gcc` or `clang`')
  end
  local target = M.target()
  vim.fn.mkdir(vim.fs.dirname(target), 'p')
  -- A parser that is in use must not be written over: the new one takes its name.
  local built = target .. '.new'
  local command = { compiler, '-shared', '-fPIC', '-O2', '-I', sources }
  vim.list_extend(command, { keywright.folder .. '/src/dynamo.c', sources .. '/scanner.c', '-o', built })
  vim.system(command, { text = true }, function(result)
    vim.schedule(function()
      if result.code ~= 0 then
        return fail('the parser cannot be built:\n' .. vim.trim(result.stderr))
      end
      local renamed, why = vim.uv.fs_rename(built, target)
      if not renamed then
        return fail(why)
      end
      local loads, fault = M.loads(target)
      if not loads then
        return fail(fault)
      end
      for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == 'dynamo' then
          vim.treesitter.start(buffer, 'dynamo')
        end
      end
      keywright.tell('the parser is built: ' .. vim.fn.fnamemodify(target, ':~'))
      done(true)
    end)
  end)
end

return M
