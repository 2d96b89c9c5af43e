"""Calls of Python's builtins and standard library."""
