"""Analyses that are kept alive from one edit of a text to the next."""
