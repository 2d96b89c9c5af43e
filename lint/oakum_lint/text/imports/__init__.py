"""Imports as text: which files import which, from where, and which units they reach."""
