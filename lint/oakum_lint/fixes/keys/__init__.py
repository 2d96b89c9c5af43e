"""Fixes of random keys: splits, parts, and draws that are meant to be one."""
