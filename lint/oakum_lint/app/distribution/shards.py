"""A run that is divided among machines: each analyses some of the parts, and a merge has the rest.

Which shard analyses a part follows from the sizes of all parts alone, so that each machine comes to
the same division without asking the others. The merge is a run like any other that finds its parts
analysed: so its report is that of one process, byte by byte.

Invariant: a part is taken from a shard only if its files, their texts and the settings are the
same; what no shard has is analysed by the merge.
"""

import json
import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypedDict, cast

from oakum.version import __version__
from oakum_lint.app.config import ConfigurationError
from oakum_lint.app.index.file_states import FileStates
from oakum_lint.app.index.folder import CacheFolder
from oakum_lint.app.index.stored_findings import StoredFinding, restored, stored
from oakum_lint.app.parts import Part
from oakum_lint.app.session import Findings, Session, Setup
from oakum_lint.app.texts import Texts
from oakum_lint.syntax.cache import UnitSource
from oakum_lint.text.reads import Reads, digest

if TYPE_CHECKING:
    from oakum_lint.app.index.ledger import Ledger
    from oakum_lint.app.live.observations import Observations


class Keeper(Protocol):
    """What knows what was found in parts: the index of a project, a shard, or all of them."""

    @property
    def folder(self) -> CacheFolder | None:
        """Where processes of a run keep what they find."""
        ...

    @property
    def states(self) -> FileStates:
        """The files of which the digests are known."""
        ...

    @property
    def reads(self) -> Reads:
        """What the parts of the run have asked the disk."""
        ...

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What was found in a part, by file; None where that is not known."""
        ...

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> "Ledger | None":
        """What the analysis of a part is noted in for later ones; None where there are none."""
        ...

    def observe(self, part: Part, texts: Texts) -> "Observations | None":
        """What the analysis of a part notes of its expressions; None where nobody asks for them."""
        ...

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps what a session has found."""
        ...

    def units_of(self, path: Path) -> UnitSource | None:
        """The units of a file that were lowered before, by its real path."""
        ...


class _KeepsNothing:
    """What shards and merges have in common: they keep nothing on disk."""

    def __init__(self) -> None:
        self.folder: CacheFolder | None = None
        self.reads = Reads()
        self.states = FileStates()

    def open_ledger(self, part: Part, setup: Setup, texts: Texts, reads: Reads) -> None:
        """Nothing is noted."""

    def observe(self, part: Part, texts: Texts) -> None:
        """Nobody asks for expressions."""

    def keep(self, part: Part, setup: Setup, session: Session, reads: Reads) -> None:
        """Keeps nothing."""

    def units_of(self, path: Path) -> UnitSource | None:
        """Knows no units."""
        return None


class StoredShard(TypedDict):
    """A shard as its file holds it."""

    oakum: str
    shard: list[int]
    options: dict[str, object]
    parts: dict[str, list[StoredFinding]]
    """What was found in each part, by what stands for it."""


class Shard(_KeepsNothing):
    """One shard: it has all other parts pass as if nothing were found in them."""

    def __init__(self, number: int, count: int) -> None:
        super().__init__()
        self._number = number
        self._count = count
        self._mine: frozenset[str] = frozenset()
        self.parts: dict[str, list[StoredFinding]] = {}

    def choose(self, parts: Sequence[Part], setup: Setup, texts: Texts) -> None:
        """Settles which parts are this shard's: the largest first, each for the shard that has
        least to do until then.
        """
        sizes = {part_key(each, setup, texts): _size(each, texts) for each in parts}
        loads = [0] * self._count
        mine: set[str] = set()
        for key, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
            least = loads.index(min(loads))
            loads[least] += size + 1
            if least == self._number - 1:
                mine.add(key)
        self._mine = frozenset(mine)

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """Nothing is known of this shard's parts."""
        return None if part_key(part, setup, texts) in self._mine else {}

    def take(
        self,
        parts: Sequence[Part],
        outcomes: Sequence[Mapping[str, Findings] | None],
        setup: Setup,
        texts: Texts,
    ) -> None:
        """Takes what was found in its parts."""
        for part, outcome in zip(parts, outcomes, strict=True):
            key = part_key(part, setup, texts)
            if key in self._mine and outcome is not None:
                found = [each for here in outcome.values() for each in here.values()]
                self.parts[key] = [stored(finding) for finding in found]

    def to_json(self, options: dict[str, object]) -> str:
        """The file of the shard."""
        made: StoredShard = {
            "oakum": __version__,
            "shard": [self._number, self._count],
            "options": options,
            "parts": self.parts,
        }
        return json.dumps(made, separators=(",", ":"))


class Merged(_KeepsNothing):
    """All shards of a run."""

    def __init__(self, shards: Sequence[StoredShard]) -> None:
        super().__init__()
        self._parts = {key: found for shard in shards for key, found in shard["parts"].items()}

    @property
    def has_parts(self) -> bool:
        """Whether any files were analysed."""
        return bool(self._parts)

    def find(self, part: Part, setup: Setup, texts: Texts) -> dict[str, Findings] | None:
        """What a shard has found in a part."""
        kept = self._parts.get(part_key(part, setup, texts))
        if kept is None:
            return None
        found: dict[str, Findings] = {}
        for finding in map(restored, kept):
            here = found.setdefault(finding.location.file, {})
            here[finding.location, finding.code] = finding
        return found


def part_key(part: Part, setup: Setup, texts: Texts) -> str:
    """What stands for a part on any machine: names as the user spells them, texts, and settings."""
    files = [[str(path), texts.digest(path)] for path in (*part.files, *part.dependents)]
    roots = [os.path.relpath(root) for root in setup.import_roots]
    hidden = sorted(os.path.relpath(path) for path in setup.hidden)
    known = (files, len(part.files), setup.assumptions.key, setup.seconds, roots, hidden)
    return digest(json.dumps(known).encode())


def _size(part: Part, texts: Texts) -> int:
    return sum(len(texts.text(path) or "") for path in (*part.files, *part.dependents))


def read_shards(files: Sequence[str], read: Callable[[str], str]) -> list[StoredShard]:
    """The shards of one run, from their files; all of them have to be there, once each."""
    shards = [_read(file, read) for file in files]
    first = shards[0]
    for file, each in zip(files, shards, strict=True):
        if each["oakum"] != __version__:
            raise ConfigurationError(f"{file}: it was made by oakum {each['oakum']}")
        if each["options"] != first["options"] or each["shard"][1] != first["shard"][1]:
            raise ConfigurationError(f"{file}: it is of another run than {files[0]}")
    count = first["shard"][1]
    found = sorted(each["shard"][0] for each in shards)
    if found != list(range(1, count + 1)):
        raise ConfigurationError(f"of {count} shards these are there: {', '.join(map(str, found))}")
    return shards


def _read(file: str, read: Callable[[str], str]) -> StoredShard:
    try:
        return _checked(cast(StoredShard, json.loads(read(file))))
    except OSError as error:
        raise ConfigurationError(f"{file}: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ConfigurationError(
            f"{file}: this is no shard that `oakum check --shard` has written"
        ) from None


def _checked(shard: StoredShard) -> StoredShard:
    """The shard, if it is of the form that is written; anything else raises some error."""
    number, count = shard["shard"]
    shard["options"].items()
    if not 0 < number <= count:
        raise ValueError
    for found in shard["parts"].values():
        for each in found:
            restored(each)
    return shard
