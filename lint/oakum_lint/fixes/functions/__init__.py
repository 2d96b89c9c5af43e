"""Fixes of functions, their arguments, and classes."""
