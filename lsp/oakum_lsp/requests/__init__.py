"""Requests of the editor, each kind with what answers it."""
