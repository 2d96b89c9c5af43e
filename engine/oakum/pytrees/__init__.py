"""Pytrees: nested containers, their structures, and the paths to their leaves."""
