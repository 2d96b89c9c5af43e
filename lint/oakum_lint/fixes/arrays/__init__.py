"""Fixes of operations on arrays."""
