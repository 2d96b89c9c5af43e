"""The abstract store: the content of variables and mutable objects, along one path of the program.

A key is an object and a name: `(scope, "x")` for a variable, `(instance, "mean")` for an
attribute, `(list, CONTENT)` for the content of a container.

Invariants:
- `fork` starts a path that sees everything before it and whose writes nobody else sees; `merge`
  puts what is true after all given paths back into the store they were forked from.
- Every read and write of a key that is older than a recorder is noted in it, so that the effect of
  a call can be remembered and replayed (see `summaries`).
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue, FunctionValue, Scope
from oakum_lint.domain.joins import join
from oakum_lint.domain.values import Constant, HeapObject, Value

Owner = Scope | HeapObject | ClassValue | FunctionValue
Key = tuple[Owner, str]
Part = frozenset[Constant] | None
"""The keys of a dict that were looked up; None: all that it holds."""
Lapse = Callable[[Any], bool]
"""Whether what was remembered of a call holds no more: asked of the machine."""
CONTENT = "*"
"""The name under which a container's content is kept; no attribute can have it."""


@dataclass(slots=True)
class Recorder:
    """What a call read and wrote of objects older than itself."""

    start: int
    parent: "Recorder | None"
    reads: dict[Key, Value | None] = field(default_factory=dict[Key, Value | None])
    writes: set[Key] = field(default_factory=set[Key])
    parts: dict[Owner, Part] = field(default_factory=dict[Owner, Part])
    """How much it read of the containers whose content it read."""
    lapses: set[Lapse] = field(default_factory=set[Lapse])
    """What analyses ask before they let the effect of the call be repeated."""
    misfits: bool = False
    """Whether it met operands that do not fit."""

    def note_part(self, owner: Owner, part: Part) -> None:
        """Notes a part of a container that was read."""
        known = self.parts.get(owner, frozenset())
        self.parts[owner] = None if known is None or part is None else known | part


class Store:
    """One path of the program: a layer of writes over the path that it was forked from.

    All paths of one analysis share `now`, the cells as the current path sees them, so that a read
    is one look-up. Each layer keeps what it wrote, and what `now` held before, so that `switch` can
    leave a path and come back to it.
    """

    __slots__ = ("before", "cells", "depth", "named", "now", "parent")

    def __init__(self, parent: "Store | None" = None) -> None:
        self.cells: dict[Key, Value] = {}
        self.before: dict[Key, Value | None] | None = None if parent is None else {}
        """None for the first path, which is never left."""
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.now: dict[Key, Value] = {} if parent is None else parent.now
        self.named: dict[Owner, dict[str, None]] = {} if parent is None else parent.named
        """The attributes that each object was given on any path, and each module."""

    def get(self, key: Key) -> Value | None:
        """The content of a cell on the current path, or None if it was never written."""
        return self.now.get(key)

    def set(self, key: Key, value: Value) -> None:
        """Overwrites a cell on this path, which is the current one."""
        now = self.now
        before = self.before
        if before is not None and key not in before:
            before[key] = now.get(key)
        if key not in now and key[1] != CONTENT:
            owner = key[0]
            if isinstance(owner, HeapObject) or (
                isinstance(owner, Scope) and owner.kind == "module"
            ):
                self.named.setdefault(owner, {})[key[1]] = None
        self.cells[key] = value
        now[key] = value

    def held_by(self, owner: HeapObject) -> Iterator[tuple[str, Value]]:
        """What an object holds on the current path, and under which names."""
        for name in (CONTENT, *self.named.get(owner, ())):
            value = self.now.get((owner, name))
            if value is not None:
                yield name, value

    def set_before(self, key: Key, value: Value) -> None:
        """Overwrites a cell on this path as if it had been so before the current path was forked
        from it, which has not written it since.
        """
        self.set(key, value)

    def fork(self) -> "Store":
        """A path that starts here."""
        return Store(self)

    def switch(self, other: "Store") -> None:
        """Makes another path of the same analysis the current one; this one is the current."""
        leave, enter = self, other
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
        if len(paths) == 1:
            self._take(paths[0])
            return
        keys: dict[Key, None] = {}
        for path in paths:
            keys.update(dict.fromkeys(path))
        now, written = self.now, dict[Key, Value]()
        for key in keys:
            old = now.get(key)
            joined: Value | None = None
            for path in paths:
                value = path.get(key, old)
                if value is not None and value is not joined:
                    joined = value if joined is None else join(joined, value)
            if joined is not None and joined is not old:
                written[key] = joined
        self._take(written)
