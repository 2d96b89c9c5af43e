"""What an analysis has asked the disk: the files that it read, and the names that it looked for.

An analysis with the same answers, of the same files, finds the same.
"""

import os
import re
from typing import TypedDict

try:  # `hashlib` loads OpenSSL beside, which takes 5 ms of each start
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b


class Answers(TypedDict):
    """Questions to the disk and their answers, as JSON."""

    files: dict[str, str]
    names: dict[str, dict[str, bool]]
    places: dict[str, bool]
    links: dict[str, str]


class Reads:
    """Questions to the disk and their answers."""

    __slots__ = ("files", "links", "names", "places")

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        """The digest of each file that was read, by its real path; "" of one that cannot be."""
        self.names: dict[str, dict[str, bool]] = {}
        """By folder: whether a module or package of a name lies in it."""
        self.places: dict[str, bool] = {}
        """Whether a path is a file. A folder of a name may hold a package or not."""
        self.links: dict[str, str] = {}
        """The real paths of those that lead through a link."""

    def note_file(self, path: str, content: str) -> None:
        """Notes what a file holds, by its digest; "" where it cannot be read."""
        self.files[path] = content

    def note_name(self, folder: str, name: str, is_there: bool) -> None:
        """Notes whether a folder has an entry that a name may be imported from."""
        self.names.setdefault(folder, {})[name] = is_there

    def note_place(self, path: str, is_file: bool) -> None:
        """Notes whether a path is a file."""
        self.places[path] = is_file

    def note_link(self, path: str, real: str) -> None:
        """Notes where a path leads, if that is elsewhere than it says."""
        if os.path.abspath(path) != real:
            self.links[path] = real

    def answers(self) -> Answers:
        """All of them, as JSON."""
        return {
            "files": self.files,
            "names": self.names,
            "places": self.places,
            "links": self.links,
        }

    def add(self, answers: Answers) -> None:
        """Adds what another analysis has asked, on the same disk."""
        self.files |= answers["files"]
        for folder, asked in answers["names"].items():
            self.names.setdefault(folder, {}).update(asked)
        self.places |= answers["places"]
        self.links |= answers["links"]


def kept_wording(pattern: str, flags: int) -> re.Pattern[str]:
    """What an earlier analysis has looked for in texts."""
    return re.compile(pattern, flags)


def digest_of_text(text: str) -> str:
    """What stands for a text."""
    return digest(text.encode(errors="surrogatepass"))


def digest(data: bytes) -> str:
    """What stands for the bytes of a file: equal only for equal bytes, as far as anyone knows."""
    return blake2b(data, digest_size=20).hexdigest()
