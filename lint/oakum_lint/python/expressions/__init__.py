"""Expressions: operators, attributes, subscripts, displays, tests."""
