-- What Neovim shows of a file, and its buffer after all safe fixes, as JSON.
local report = {}
vim.cmd("edit " .. vim.env.OAKUM_FILE)
vim.bo.filetype = "python"
local command = { vim.env.OAKUM_PYTHON, "-P", "-m", "oakum_lint", "lsp" }
local id = vim.lsp.start_client({ name = "oakum", cmd = command, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, id)
vim.wait(100000, function() return #vim.diagnostic.get(0) > 0 end, 50)
report.marked = {}
for _, each in ipairs(vim.diagnostic.get(0)) do
  local line = vim.api.nvim_buf_get_lines(0, each.lnum, each.lnum + 1, false)[1]
  table.insert(report.marked, { each.lnum + 1, line:sub(each.col + 1, each.end_col) })
end
vim.fn.search("x \\* scale")
local place = vim.lsp.util.make_position_params()
local hover = vim.lsp.buf_request_sync(0, "textDocument/hover", place, 100000)
report.hover = hover[id].result.contents.value
local asked = vim.lsp.util.make_range_params()
asked.context = { diagnostics = {}, only = { "source.fixAll.oakum" } }
local actions = vim.lsp.buf_request_sync(0, "textDocument/codeAction", asked, 100000)
vim.lsp.util.apply_workspace_edit(actions[id].result[1].edit, "utf-16")
report.text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") .. "\n"
local file = io.open(vim.env.OAKUM_REPORT, "w")
file:write(vim.fn.json_encode(report))
file:close()
vim.lsp.stop_client(id)
vim.cmd("qa!")
