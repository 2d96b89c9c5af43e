"""Fixes of branches, loops and tests."""
