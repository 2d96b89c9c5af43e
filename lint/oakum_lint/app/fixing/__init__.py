"""Fixing: passes of fixes, and what a new analysis confirms of them."""
