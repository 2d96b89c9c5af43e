"""Findings that are not reported: by comments in the code, or because a baseline knows them."""
