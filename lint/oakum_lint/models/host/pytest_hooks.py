"""What pytest does with the files of a project."""

HOOKS_FILE = "conftest.py"
SETUP_HOOKS = ("pytest_configure", "pytest_sessionstart")
"""The functions of such a file that pytest calls before the first test."""
