"""The editor's server: what `oakum check` finds, while the program is being written.

It needs the extra `oakum[lsp]`. It imports `oakum_lint` and is imported by nothing but the command
that starts it.
"""
