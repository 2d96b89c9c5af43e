"""Families of abstract rules: the shape, dtype and weak type of results from partial knowledge.

A public function names the rule of its family in its declaration; see
`oakum.values.declarations.public`. Rules find operands by position and options by name, so that
JAX's signatures need no glue.
"""
