"""Fusion: groups of equations become nests of loops."""
