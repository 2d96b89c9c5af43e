"""Writes the fixed text of a file in its place, and shows the difference.

Invariants:
- A file is replaced as a whole or stays as it is: the new text is written aside, and moved. A file
  with several names is written in place, with a journal beside it.
- It keeps its encoding, its byte order mark, its owner, permissions and extended attributes, and
  links to it stay links, hard ones too.
- What is no longer the text that was analysed is not written over.
"""

import difflib
import errno
import os
import stat
from collections.abc import Iterator

from oakum_lint.app.drafts import draft, exchange, journal, journal_name, write_in_place
from oakum_lint.text.notebook.cells import BadNotebookError, read_notebook
from oakum_lint.text.notebook.documents import read_document
from oakum_lint.text.notebook.names import is_document, is_notebook
from oakum_lint.text.source import Undecodable, decode, decode_file, form_of


class ChangedError(Exception):
    """The file holds another text than the one that was analysed."""


def rewrite(file: str, before: str, after: str) -> str:
    """Writes `after` to a file that holds `before`; "" or why it could not be written."""
    path = os.path.realpath(file)
    try:
        # For writing, though it is moved over: what may not be written is not to be replaced.
        with open(path, "r+b", buffering=0) as stream:
            status = os.fstat(stream.fileno())
            data = stream.read()
            text = decode_file(path, data)
            if status.st_nlink > 1 and text == after:
                return ""  # written under another of its names
            if text != before:
                raise ChangedError
            new = _encoded(path, data, after)
            if status.st_nlink > 1 or not _replace(path, stream.fileno(), data, new, status):
                _overwrite(path, stream.fileno(), data, new, status)
    except ChangedError:
        return "it was changed in the meantime"
    except UnicodeEncodeError:
        return "the fixed text cannot be written in its encoding"
    except BadNotebookError as error:
        return str(error)
    except PermissionError:
        return "permission to write it is denied"
    except OSError as error:
        return f"it cannot be written: {error.strerror or type(error).__name__}"
    return ""


def _encoded(path: str, old: bytes, text: str) -> bytes:
    """The bytes of a file that holds another text, or of a notebook or document whose code does."""
    if is_document(path):
        return read_document(old).with_text(text).encode()
    if is_notebook(path):
        return read_notebook(old).with_text(text).encode()
    form = form_of(old)
    if isinstance(form, Undecodable):
        raise ChangedError
    data = form.encode(text)
    if decode(data) != text:  # an encoding that does not return what it got
        raise UnicodeEncodeError(form.encoding, text, 0, len(text), "not the same")
    return data


def _replace(path: str, file: int, old: bytes, new: bytes, status: os.stat_result) -> bool:
    """Moves a new file over one that has a single name; whether it could be made its like."""
    with draft(os.path.dirname(path), new) as (descriptor, name):
        try:
            own = os.fstat(descriptor)
            if hasattr(os, "chown") and (own.st_uid, own.st_gid) != (status.st_uid, status.st_gid):
                os.chown(name, status.st_uid, status.st_gid)
            os.chmod(name, stat.S_IMODE(status.st_mode))
            _copy_attributes(file, descriptor)
        except OSError:  # only its owner, or root, could
            return False
        _check_unchanged(path, old)
        if exchange(name, path):
            # What was saved since the check lies under the draft's name now.
            try:
                _check_unchanged(name, old)
            except ChangedError:
                exchange(name, path)
                raise
        else:
            os.replace(name, path)
    return True


def _overwrite(path: str, file: int, old: bytes, new: bytes, status: os.stat_result) -> None:
    """Writes into the file itself: a new one would have only one of several names."""
    with draft(os.path.dirname(path), journal(old, new), journal_name(status)):
        _check_unchanged(path, old)
        try:
            write_in_place(file, new)
        except BaseException:
            write_in_place(file, old)
            raise


def _copy_attributes(source: int, target: int) -> None:
    """Copies the extended attributes of a file to another one, among them its access list."""
    if not hasattr(os, "listxattr"):
        return
    try:
        names = os.listxattr(source)
    except OSError as error:
        if error.errno == errno.ENOTSUP:  # a file system without them
            return
        raise
    for name in names:
        os.setxattr(target, name, os.getxattr(source, name))


def _check_unchanged(path: str, data: bytes) -> None:
    """Looks once more, as late as can be: the time of a change is kept too coarsely."""
    with open(path, "rb") as stream:
        if stream.read() != data:
            raise ChangedError


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
