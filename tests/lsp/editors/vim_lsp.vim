" What Vim with vim-lsp shows of a file, and its buffer after all safe fixes, as JSON.
set nocompatible hidden noswapfile encoding=utf-8
filetype on
execute 'set runtimepath+=' . fnameescape($OAKUM_VIM_LSP)
let g:lsp_hover_ui = 'preview'
runtime plugin/lsp.vim
function! s:Wait(is_there) abort
  for turn in range(2000)
    if a:is_there()
      return
    endif
    sleep 50m
  endfor
endfunction
call lsp#enable()
call lsp#register_server({
    \ 'name': 'oakum',
    \ 'cmd': {server_info -> [$OAKUM_PYTHON, '-P', '-m', 'oakum_lint', 'lsp']},
    \ 'allowlist': ['python'],
    \ })
execute 'edit ' . fnameescape($OAKUM_FILE)
call s:Wait({-> lsp#get_buffer_diagnostics_counts().error > 0})
let s:window = win_getid()
LspDocumentDiagnostics
lclose
call win_gotoid(s:window)
let s:marked = map(getloclist(0), {_, each ->
    \ [each.lnum, strpart(getline(each.lnum), each.col - 1, each.end_col - each.col)]})
call search('x \* scale')
LspHover
call s:Wait({-> bufexists('LspHoverPreview')})
let s:hover = join(getbufline('LspHoverPreview', 1, '$'), "\n")
pclose
call win_gotoid(s:window)
LspCodeActionSync source.fixAll
let s:text = join(getline(1, '$'), "\n") . "\n"
let s:report = {'marked': s:marked, 'hover': s:hover, 'text': s:text}
call writefile([json_encode(s:report)], $OAKUM_REPORT)
LspStopServer!
qall!
