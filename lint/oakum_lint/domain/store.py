"""The abstract store: the content of variables and mutable objects, along one path of the program.

A key is an object and a name: `(scope, "x")` for a variable, `(instance, "mean")` for an
attribute, `(list, CONTENT)` for the content of a container.

Invariants:
- `fork` starts a path that sees everything before it and whose writes nobody else sees; `merge`
  puts what is true after all of these paths back into the store they were forked from.
- Every read and write of a key that is older than a recorder is noted in it, so that the effect of
  a call can be remembered and replayed (see `summaries`).
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any, Final, Literal

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope
from oakum_lint.domain.joins import join
from oakum_lint.domain.values import Constant, HeapObject, Mark, Value

Owner = Scope | HeapObject | ClassValue | FunctionValue
Key = tuple[Owner, str]
StopReason = Literal["", "any", "tracer", "perhaps"]
"""Why code certainly raises, or ends the program: what it does to a tracer, or anything else; or an
error that is likely, so that it is not known whether it does."""
Part = frozenset[Constant] | None
"""The keys of a dict that were looked up; None: all that it holds."""
Lapse = Callable[[Any], bool]
"""Whether what was remembered of a call holds no more: asked of the machine."""
CONTENT = "*"
"""The name under which a container's content is kept; no attribute can have it."""
PROGRAMS: Final = "\0programs"
"""The name of the cell of a compiled function for its programs. Each piece of work has its own:
else all that calls a function would depend on each script that has called it.
"""


@dataclass(slots=True)
class Recorder:
    """The cells of older objects that a call read and wrote."""

    start: int
    parent: "Recorder | None"
    reads: dict[Key, Value | None] = field(default_factory=dict[Key, Value | None])
    writes: dict[Key, None] = field(default_factory=dict[Key, None])
    """In their order, in which they are repeated: an object has its attributes in that order."""
    parts: dict[Owner, Part] = field(default_factory=dict[Owner, Part])
    """How much it read of the containers whose content it read."""
    lapses: set[Lapse] = field(default_factory=set[Lapse])
    """What analyses ask before they let the effect of the call be repeated."""
    misfits: bool = False
    """Whether it met operands that do not fit."""
    draws: bool = False
    """Whether it draws by random keys, or would if what it computes were run."""
    failing: frozenset[int] = frozenset()
    """Where in its unit it fails, or shows a tracer."""
    stops: StopReason = ""
    """Why it raises, or ends the program; empty where nothing says so."""

    def note_part(self, owner: Owner, part: Part) -> None:
        """Notes a part of a container that was read."""
        known = self.parts.get(owner, frozenset())
        self.parts[owner] = None if known is None or part is None else known | part


class Exports(Mark):
    """What a module offered when all of it was imported: its own names before those that it had
    imported so, the last import first. It never changes. That of a module which has run one of
    several imports is `either` of them.

    Names are not copied: n modules that import all of one another in a row would hold n * n / 2.
    """

    __slots__ = ("_behind", "_either", "_found", "number", "own", "reach")

    def __init__(
        self,
        own: dict[str, Value],
        behind: "tuple[Exports, ...]",
        number: int | None = None,
        *,
        either: bool = False,
    ) -> None:
        self.own = own
        self._behind = behind
        self._either = either
        self._found: dict[str, Value | None] = {}
        """What was looked for behind its own names."""
        self.number = number
        """Which of those with names of their own it is."""
        self.reach: int = 0 if number is None else 1 << number
        """A bit for each number of itself and what is behind it."""
        for each in behind:
            self.reach |= each.reach

    def then(self, other: "Exports") -> "Exports":
        """What is imported where this was, and another one after it."""
        if other is self or (not self._either and self._behind[-1:] == (other,) and not self.own):
            return self
        return Exports({}, (self, other))

    def joined(self, other: Mark) -> "Exports | None":
        """What is imported where either of two is."""
        if not isinstance(other, Exports):
            return None
        for one, option in ((self, other), (other, self)):
            if one._either and option in one._behind:
                return one
        return Exports({}, (self, other), either=True)

    def find(self, name: str) -> Value | None:
        """The value of a name; None where nothing binds it."""
        own = self.own.get(name)
        if own is not None:
            return own
        if name not in self._found:
            self._found[name] = self._find_behind(name)
        return self._found[name]

    def _find_behind(self, name: str) -> Value | None:
        done: dict[Exports, Value | None] = {}
        stack: list[Exports] = [self]
        while stack:
            exports = stack[-1]
            value = exports.own.get(name, exports._found.get(name))
            if value is None and name not in exports._found:
                for behind in reversed(exports._behind):
                    if behind not in done:
                        stack.append(behind)
                        break
                    found = done[behind]
                    if found is not None:
                        value = found if value is None else join(value, found)
                        if not exports._either:
                            break
                if stack[-1] is not exports:
                    continue
            done[exports] = value
            stack.pop()
        return done[self]


_LISTED: Final = frozenset({"module", "class"})
"""The kinds of scopes whose names are listed."""


class Store:
    """One path of the program: a layer of writes over the path that it was forked from.

    What the first path has written, outside every function and test, is the `ground`; a path forked
    from it and all below that one share `now`, which holds what the current one of them sees
    beside. So a read is a look-up or two, and to enter the first path and to come back costs
    nothing, as for each name that a call deep down is the first to ask for. Each layer keeps what
    it wrote, and what `now` held before, so that `enter` can leave a path and come back to it.
    """

    __slots__ = (
        *("_naming", "before", "cells", "depth", "ground", "here", "named", "now", "parent"),
        *("starred", "top"),
    )

    def __init__(self, parent: "Store | None" = None) -> None:
        self.cells: dict[Key, Value] = {}
        self.parent = parent
        self.before: dict[Key, Value | None] | None = None
        """What `now` held of the cells that this path has written; None for a path that is never
        taken out of it. Of the first path, what it held where it was marked."""
        self.here: Store | None = None
        """The current one of the paths below that share `now` with this; None for this itself. (An
        object that held itself would live until the collector runs.)"""
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.top: Store | None = None
        """The path that made `now`; None for this itself."""
        if parent is None:
            self.now: dict[Key, Value] = self.cells
            self.ground: dict[Key, Value] = {}
            self.named: dict[Owner, dict[str, None]] = {}
            """The attributes that were set on each object on any path, and the names of each module
            and class."""
            self._naming: list[Owner] = []
            """Those owners once for each name, in their order."""
            self.starred: set[Scope] = set()
            """The modules that import with `*` on a path that is not at its end yet."""
            return
        self.named, self._naming, self.starred = parent.named, parent._naming, parent.starred
        if parent.parent is None:
            self.now, self.ground = {}, parent.cells
        else:
            self.now, self.ground = parent.now, parent.ground
            self.top = parent.top or parent
            self.before = {}

    def get(self, key: Key) -> Value | None:
        """The content of a cell on the current path, or None if it was never written."""
        value = self.now.get(key)
        return self.ground.get(key) if value is None else value

    def set(self, key: Key, value: Value) -> None:
        """Overwrites a cell on this path: the current one, or one that it was forked from and where
        nothing has written the cell since.
        """
        now = self.now
        before = self.before
        if before is not None and key not in before:
            before[key] = now.get(key)
        if key not in now and key[1] != CONTENT:
            owner = key[0]
            if isinstance(owner, HeapObject) or (
                isinstance(owner, Scope) and owner.kind in _LISTED
            ):
                names = self.named.setdefault(owner, {})
                if key[1] not in names:
                    names[key[1]] = None
                    self._naming.append(owner)
        self.cells[key] = value
        now[key] = value

    def held_by(self, owner: HeapObject) -> Iterator[tuple[str, Value]]:
        """The names under which an object holds something on the current path, and what."""
        return (cell for cell in self.cells_of(owner) if not isinstance(cell[1], Mark))

    def cells_of(self, owner: HeapObject) -> Iterator[tuple[str, Value]]:
        """Yields what an object holds, and the notes of analyses on it."""
        for name in (CONTENT, *self.named.get(owner, ())):
            value = self.get((owner, name))
            if value is not None:
                yield name, value

    def listed(self, owner: Scope | HeapObject) -> Collection[str]:
        """The names under which a module, a class or an object holds something on any path."""
        return self.named.get(owner, ())

    def names_of(self, owner: Scope) -> frozenset[str]:
        """The names under which a scope holds something on the current path."""
        if owner.kind in _LISTED:  # a class is asked in each group: not all cells are gone through
            names = self.named.get(owner, ())
            return frozenset(name for name in names if self.get((owner, name)) is not None)
        return frozenset(
            name for cells in (self.now, self.ground) for held, name in cells if held is owner
        )

    def writer_of(self, key: Key) -> "Store":
        """The path that this one has a cell's content from."""
        store = self
        while key not in store.cells and store.parent is not None:
            store = store.parent
        return store

    def fork(self) -> "Store":
        """A path that starts here."""
        return Store(self)

    def forget_programs(self) -> None:
        """Forgets the programs of compiled functions on the first path, the current one."""
        for key in [key for key in self.now if key[1] == PROGRAMS]:
            del self.now[key]

    def mark(self) -> None:
        """Marks a point of the first path, which `rewind` returns to."""
        self.before = {}
        self._naming.clear()

    def rewind(self) -> None:
        """Takes back what the first path, which is the current one, has written since its mark."""
        self._undo()
        for owner in reversed(self._naming):
            names = self.named[owner]
            names.popitem()
            if not names:
                del self.named[owner]
        self.mark()

    def enter(self) -> None:
        """Makes this path the current one."""
        top = self.top or self
        leave, enter = top.here or top, self
        top.here = None if self is top else self
        if self.parent is leave and not self.cells:
            return
        down: list[Store] = []
        while leave is not enter:
            if leave.depth >= enter.depth:
                leave._undo()
                assert leave.parent is not None
                leave = leave.parent
            else:
                down.append(enter)
                assert enter.parent is not None
                enter = enter.parent
        for layer in reversed(down):
            layer._redo()

    def _undo(self) -> None:
        now = self.now
        assert self.before is not None
        for key, value in self.before.items():
            if value is None:
                now.pop(key, None)
            else:
                now[key] = value

    def _redo(self) -> None:
        now = self.now
        self.before = {key: now.get(key) for key in self.cells}
        now.update(self.cells)

    def since(self, base: "Store") -> dict[Key, Value]:
        """Everything that this path has written since it was forked from `base`."""
        layers: list[Store] = []
        layer: Store | None = self
        while layer is not None and layer is not base:
            layers.append(layer)
            layer = layer.parent
        if len(layers) == 1:
            return layers[0].cells
        written: dict[Key, Value] = {}
        for part in reversed(layers):
            written.update(part.cells)
        return written

    def _take(self, written: dict[Key, Value]) -> None:
        """Writes all that one path has written."""
        now, before = self.now, self.before
        if before is not None:
            for key in written:
                if key not in before:
                    before[key] = now.get(key)
        self.cells.update(written)
        now.update(written)

    def merge(self, paths: Iterable[dict[Key, Value]]) -> None:
        """Writes into this store, the current one, what holds after any one of the paths that
        started from it.

        A cell that a path has created and another has not keeps the value of the first: a variable
        bound on one path only can be read only where that path was taken.
        """
        paths = [*paths]
        if not paths:
            return
        if self.starred:
            paths = self._with_exports(paths)
        if len(paths) == 1:
            self._take(paths[0])
            return
        written: dict[Key, Value] = {}
        now, ground = self.now, self.ground
        for key, values in _by_cell(paths).items():
            old = now.get(key)
            if old is None:
                old = ground.get(key)
            joined: Value | None = None
            for value in values:
                found = old if value is None else value
                if found is not None and found is not joined:
                    joined = found if joined is None else join(joined, found)
            if joined is not None and joined is not old:
                written[key] = joined
        self._take(written)

    def _with_exports(self, paths: Sequence[dict[Key, Value]]) -> list[dict[Key, Value]]:
        """What paths have written, with what those that import with `*` bind so of the names that
        another one has bound.
        """
        full = [*paths]
        for scope in [*self.starred]:
            star = (scope, CONTENT)
            if not any(star in path for path in paths):
                continue
            if self.parent is None:
                self.starred.discard(scope)
            bound = {key for path in paths for key in path if key[0] is scope and key != star}
            unbound = {key for key in bound if self.get(key) is None}
            for key, value in _imported(self.get(star), unbound).items():
                self.set(key, value)
            for index, path in enumerate(paths):
                full[index] = full[index] | _imported(path.get(star), bound - path.keys())
        return full


def _imported(star: Value | None, keys: Iterable[Key]) -> dict[Key, Value]:
    """What an import with `*` binds of some names."""
    if not isinstance(star, Exports):
        return {}
    found = {key: star.find(key[1]) for key in keys}
    return {key: value for key, value in found.items() if value is not None}


def _by_cell(paths: Sequence[dict[Key, Value]]) -> dict[Key, list[Value | None]]:
    """Groups by cell what paths have written to it, in their order; None stands for
    the first path, and all further ones, that have not. Thousands of paths, the cases of a `match`,
    may each bind names of their own: not every path is asked for every cell.
    """
    if len(paths) == 2:  # most forks: the two branches of a test, and the cells are few
        first, second = paths
        both = {key: [value, second.get(key)] for key, value in first.items()}
        for key, value in second.items():
            if key not in first:
                both[key] = [None, value]
        return both
    found: dict[Key, list[Value | None]] = {}
    partial: set[Key] = set()
    for index, path in enumerate(paths):
        for key, value in path.items():
            values = found.setdefault(key, [])
            if len(values) < index and key not in partial:
                partial.add(key)
                values.append(None)
            values.append(value)
    for key, values in found.items():
        if len(values) < len(paths) and key not in partial:
            values.append(None)
    return found
