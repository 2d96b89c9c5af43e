"""Writes the fixed text of a file in its place, and shows the difference.

Invariants:
- A file is replaced as a whole or stays as it is: the new text is written aside, and moved.
- It keeps its encoding, its byte order mark and its permissions, and links to it stay links.
- What is no longer the text that was analysed is not written over.
"""

import difflib
import os
import stat
import tempfile
from collections.abc import Iterator

from oakum_lint.source import Form, Undecodable, decode, form_of


def rewrite(file: str, before: str, after: str) -> str:
    """Writes `after` to a file that holds `before`; "" or why it could not be written."""
    path = os.path.realpath(file)
    try:
        with open(path, "rb") as stream:
            status = os.fstat(stream.fileno())
            data = stream.read()
        form = form_of(data)
        if isinstance(form, Undecodable) or decode(data) != before:
            return "it was changed in the meantime"
        if not os.access(path, os.W_OK):
            return "permission to write it is denied"
        _replace(path, _encoded(form, after), status)
    except UnicodeEncodeError:
        return "the fixed text cannot be written in its encoding"
    except OSError as error:
        return f"it cannot be written: {error.strerror or type(error).__name__}"
    return ""


def _encoded(form: Form, text: str) -> bytes:
    data = form.encode(text)
    if decode(data) != text:  # an encoding that does not give back what it was given
        raise UnicodeEncodeError(form.encoding, text, 0, len(text), "not the same")
    return data


def _replace(path: str, data: bytes, status: os.stat_result) -> None:
    descriptor, draft = tempfile.mkstemp(prefix=".oakum-", dir=os.path.dirname(path))
    try:
        with open(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        own = os.stat(draft)
        if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
            os.chown(draft, status.st_uid, status.st_gid)
        os.chmod(draft, stat.S_IMODE(status.st_mode))
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise


def difference(file: str, before: str, after: str) -> str:
    """The change of a file as a unified diff.

    >>> print(difference("a.py", "x = 1\\n", "x = 2\\n"), end="")
    --- a.py
    +++ a.py
    @@ -1 +1 @@
    -x = 1
    +x = 2
    """
    lines = difflib.unified_diff(_lines(before), _lines(after), file, file)
    return "".join(_closed(lines))


def _lines(text: str) -> list[str]:
    """Lines as `patch` counts them: only a line feed ends one."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _closed(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
