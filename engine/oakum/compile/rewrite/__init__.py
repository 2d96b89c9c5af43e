"""Passes that give values of a program another form, before it is simplified and fused."""
