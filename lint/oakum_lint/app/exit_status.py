"""How a run of the command ends: its exit statuses, and what ends it early."""

CLEAN, FOUND, FAILED = 0, 1, 2
INTERRUPTED, READER_LEFT, TERMINATED = 130, 141, 143
"""What shells say of commands that SIGINT, SIGPIPE and SIGTERM end."""


class OutputError(Exception):
    """Standard output cannot be written, and why."""


class TerminatedError(BaseException):
    """SIGTERM has come."""
