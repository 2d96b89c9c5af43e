"""The linter: finds JAX tracer misuse in Python source without running it.

`oakum check` on the command line and the editor's server are its two doors;
`app.runner.check_paths` is what both call. Nothing here imports numpy, llvmlite or jax, and libcst
is imported only when a file has to be parsed: a test holds that.
"""
