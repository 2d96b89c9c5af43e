"""What an analysis has asked the disk: the files that it read, and the names that it looked for.

An analysis with the same answers, of the same files, finds the same.
"""

import hashlib


class Reads:
    """Questions to the disk and their answers."""

    __slots__ = ("files", "names")

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        """The digest of each file that was read, by its real path; "" of one that cannot be."""
        self.names: dict[str, dict[str, bool]] = {}
        """By folder: whether a module or package of a name lies in it."""

    def note_file(self, path: str, text: str | None) -> None:
        """Notes what a file holds; None where it cannot be read."""
        self.files[path] = "" if text is None else digest(text.encode(errors="surrogatepass"))

    def note_name(self, folder: str, name: str, is_there: bool) -> None:
        """Notes whether a folder has an entry that a name may be imported from."""
        self.names.setdefault(folder, {})[name] = is_there


def digest(data: bytes) -> str:
    """What stands for the bytes of a file: equal only for equal bytes, as far as anyone knows."""
    return hashlib.blake2b(data, digest_size=20).hexdigest()
