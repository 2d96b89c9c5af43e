"""What pytest does with the files of a project."""

import re
from typing import Final

HOOKS_FILE = "conftest.py"
TEST_FILE: Final = re.compile(r"test_.*\.py|.*_test\.py")
"""What files are called that pytest takes for tests, if nothing else is configured."""
SETUP_HOOKS = ("pytest_configure", "pytest_sessionstart")
"""The functions of such a file that pytest calls before the first test."""
