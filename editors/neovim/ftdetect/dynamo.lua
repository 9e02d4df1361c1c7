vim.filetype.add({ extension = { dynamo = 'dynamo' } })
