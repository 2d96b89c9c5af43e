"""Statements: assignments, loops, `with`, `match`, definitions, modules."""
