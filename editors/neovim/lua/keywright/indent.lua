--- How deep a line stands, from the lines above it. Without the parser: while
--- somebody types, the tree of a half-written block says less than its braces.
--- The server's formatter says the same of whole blocks.

local M = {}

--- What ends a line that goes on in the next, besides an open bracket.
local CONTINUES = { [','] = true, ['='] = true, [':'] = true, ['<'] = true }

--- Words that go on with the clause of the line above and begin none.
local LINKS = {}
for word in
  ([[and as by consistent descending embeds filter from growing if into keeping limit or ordered project
  remove returning set times where with]]):gmatch('%a+')
do
  LINKS[word] = true
end

--- Whether a line begins with such a word, and not with an attribute of its name.
local function is_linked(code)
  local word, behind = code:match('^([%a_][%w_]*)%s*(.?)')
  return LINKS[word] and behind ~= ':' and behind ~= '='
end

--- A line without its strings, quoted names and comments.
local function code_of(line)
  local code = {}
  local at = 1
  while at <= #line do
    local char = line:sub(at, at)
    if char == '"' then
      -- A string ends with its line.
      local stop = at + 1
      while stop <= #line and line:sub(stop, stop) ~= '"' do
        stop = stop + (line:sub(stop, stop) == '\\' and 2 or 1)
      end
      table.insert(code, '""')
      at = stop + 1
    elseif char == '`' then
      table.insert(code, '``')
      at = (line:find('`', at + 1, true) or #line) + 1
    elseif line:sub(at, at + 1) == '//' then
      break
    else
      table.insert(code, char)
      at = at + 1
    end
  end
  return vim.trim(table.concat(code))
end

--- The brackets that a line opens and does not close, from left to right, and how
--- many it closes that it did not open.
local function brackets_of(code)
  local open, closed = {}, 0
  for bracket in code:gmatch('[{}()]') do
    if bracket == '{' or bracket == '(' then
      table.insert(open, bracket)
    elseif #open > 0 then
      table.remove(open)
    else
      closed = closed + 1
    end
  end
  return open, closed
end

--- The line that opens the innermost block that is open above `line`, its code and
--- its bracket.
local function opener(line)
  local pending = 0
  for above = line - 1, 1, -1 do
    local text = vim.fn.getline(above)
    local code = code_of(text)
    local open, closed = brackets_of(code)
    if #open > pending then
      return above, code, open[#open - pending]
    end
    pending = math.max(pending - #open, 0) + closed
    -- A declaration begins, or ends, in the first column: what stands above it is
    -- whole, or will never be closed here.
    if text:match('^[%a}]') then
      return nil
    end
  end
end

--- The line with code next above, not beyond `limit`.
local function code_above(line, limit)
  for above = line - 1, limit + 1, -1 do
    local code = code_of(vim.fn.getline(above))
    if code ~= '' then
      return above, code
    end
  end
end

--- For 'indentexpr': the columns in front of the line `v:lnum`, -1 to keep them.
function M.expr()
  local line = vim.v.lnum
  local width = vim.fn.shiftwidth()
  local opening, head, bracket = opener(line)
  local text = vim.fn.getline(line)
  if vim.trim(text):match('^[})]') then
    return opening and vim.fn.indent(opening) or 0
  end
  local base = opening and vim.fn.indent(opening) + width or 0

  -- Where commas separate what is listed, the next of them goes no deeper.
  local lists = bracket == '(' or head and head:match('^workflow%f[%W]') ~= nil
  local above, code = code_above(line, opening or 0)
  if not above or lists then
    return base
  end
  if CONTINUES[code:sub(-1)] or is_linked(code_of(text)) then
    return base + width
  end
  -- A line that is just begun behind a continuation goes on with it: whoever does
  -- not want that is one <BS> away, and whoever does would not be.
  local open, closed = brackets_of(code)
  if vim.trim(text) == '' and vim.fn.indent(above) > base and #open == 0 and closed == 0 then
    return vim.fn.indent(above)
  end
  return base
end

return M
