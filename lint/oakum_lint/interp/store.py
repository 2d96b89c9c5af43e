"""The abstract store: the content of variables and mutable objects, along one path of the program.

A key is an object and a name: `(scope, "x")` for a variable, `(instance, "mean")` for an
attribute, `(list, CONTENT)` for the content of a container.

Invariants:
- `fork` starts a path that sees everything before it and whose writes nobody else sees; `merge`
  puts what is true after all given paths back into the store they were forked from.
- Every read and write of a key that is older than a recorder is noted in it, so that the effect of
  a call can be remembered and replayed (see `summaries`).
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from oakum_lint.interp.values import ClassValue, FunctionValue, HeapObject, Scope, Value, join

Owner = Scope | HeapObject | ClassValue | FunctionValue
Key = tuple[Owner, str]
CONTENT = "*"
"""The name under which a container's content is kept; no attribute can have it."""


def owner_uid(owner: Owner) -> int:
    """The identity number of the object that a key belongs to."""
    if isinstance(owner, FunctionValue):
        return owner.scope.uid
    return owner.uid


@dataclass(slots=True)
class Recorder:
    """What a call read and wrote of objects older than itself."""

    start: int
    parent: "Recorder | None"
    reads: dict[Key, Value | None] = field(default_factory=dict[Key, Value | None])
    writes: set[Key] = field(default_factory=set[Key])


class Store:
    """One path's view; a chain of layers of writes."""

    __slots__ = ("cells", "parent")

    def __init__(self, parent: "Store | None" = None) -> None:
        self.cells: dict[Key, Value] = {}
        self.parent = parent

    def get(self, key: Key) -> Value | None:
        """The content of a cell on this path, or None if it was never written."""
        layer: Store | None = self
        while layer is not None:
            value = layer.cells.get(key)
            if value is not None:
                return value
            layer = layer.parent
        return None

    def set(self, key: Key, value: Value) -> None:
        """Overwrites a cell on this path."""
        self.cells[key] = value

    def fork(self) -> "Store":
        """A path that starts here."""
        return Store(self)

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

    def merge(self, paths: Iterable[dict[Key, Value]]) -> None:
        """Writes into this store what holds after any one of the paths that started from it.

        A cell that a path has created and another has not keeps the value of the first: a variable
        bound on one path only can be read only where that path was taken.
        """
        paths = list(paths)
        if not paths:
            return
        if len(paths) == 1:
            self.cells.update(paths[0])
            return
        keys: dict[Key, None] = {}
        for path in paths:
            keys.update(dict.fromkeys(path))
        for key in keys:
            joined: Value | None = None
            for path in paths:
                value = path.get(key)
                if value is None:
                    value = self.get(key)
                if value is not None:
                    joined = value if joined is None else join(joined, value)
            if joined is not None:
                self.cells[key] = joined
