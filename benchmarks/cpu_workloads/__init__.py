"""The workloads of `cpu_compiler.py`: a module for each group, which gives its rows."""
