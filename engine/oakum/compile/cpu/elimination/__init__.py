"""Elimination as code: factors of matrices, and the solution of triangular systems."""
