"""Imports with `*`: what modules offer to them, and what they bind."""

from collections.abc import Callable

from oakum_lint.domain.callables import Scope
from oakum_lint.domain.namespaces.lasting_names import LastingNames
from oakum_lint.domain.store import CONTENT, Exports, Key, Store
from oakum_lint.domain.values import Value

_FEW = 8
"""So many modules that offer a name are asked one by one whether exports hold them."""


class StarImports:
    """The names that modules have imported with `*`, and those that they offer to such imports.

    What a module has imported so is the content of a cell of its own, along each path.
    """

    __slots__ = ("_changes", "_count", "_ground", "_marked", "_offered", "lasting", "names")

    def __init__(self, ground: Store) -> None:
        self._ground = ground
        self.lasting = LastingNames()
        self.names: dict[str, list[Exports]] = {}
        """The names that any module offers itself, and where: no other is looked for."""
        self._count = 0
        self._offered: dict[Scope, tuple[Exports, object]] = {}
        self._changes: list[str] = []
        """The names that were offered since the mark."""
        self._marked = (0, dict(self._offered))

    def mark(self) -> None:
        """Marks a point that `rewind` returns to."""
        self.lasting.mark()
        self._changes.clear()
        self._marked = (self._count, dict(self._offered))

    def rewind(self) -> None:
        """Takes back what was noted since the mark."""
        self.lasting.rewind()
        for name in reversed(self._changes):
            self.names[name].pop()
            if not self.names[name]:
                del self.names[name]
        self._changes.clear()
        self._count, offered = self._marked
        self._offered = dict(offered)

    def offered_by(
        self, scope: Scope, listed: object, own: Callable[[], dict[str, Value]]
    ) -> Exports:
        """Returns what a module offers: what it `listed` in `__all__`, or all that it binds itself,
        which is asked for by `own`, and all that it has imported with `*`. That is asked for once,
        until something in the module is bound again or it is still running.
        """
        found = self._offered.get(scope)
        if found is not None and found[1] is listed:
            return found[0]
        bound = own()
        behind = None if listed is not None else self._ground.get((scope, CONTENT))
        exports = Exports(bound, (behind,) if isinstance(behind, Exports) else (), self._count)
        self._count += 1
        for name in bound:
            self.names.setdefault(name, []).append(exports)
            self._changes.append(name)
        if scope.module.is_done:
            self._offered[scope] = exports, listed
        return exports

    def add(self, scope: Scope, exports: Exports, store: Store) -> None:
        """Notes that a module imports all that another one offers, on the current path."""
        before = store.get((scope, CONTENT))
        after = before.then(exports) if isinstance(before, Exports) else exports
        store.set((scope, CONTENT), after)
        if store is not self._ground:
            store.starred.add(scope)
        self._offered.pop(scope, None)

    def find(self, exports: Exports, name: str) -> Value | None:
        """The value of a name among exports. What few modules offer is not looked for along all
        imports: n modules that import one another would each look at n.
        """
        owners = self.names.get(name, ())
        if len(owners) <= _FEW:
            owners = [each for each in owners if exports.reach >> (each.number or 0) & 1]
            if len(owners) < 2:
                return owners[0].own[name] if owners else None
        return exports.find(name)

    def held(self, key: Key, store: Store) -> Value | None:
        """The content of a cell on a path, or None, for what is no part of the program: it is not
        noted.
        """
        value = store.get(key)
        return self.fetch(key, store) if value is None and key[1] in self.names else value

    def fetch(self, key: Key, store: Store) -> Value | None:
        """Binds a name that a module has imported with `*`, as if the import had bound it."""
        owner, name = key
        if not isinstance(owner, Scope):
            return None
        imported = store.get((owner, CONTENT))
        value = self.find(imported, name) if isinstance(imported, Exports) else None
        if value is not None:
            path = store.writer_of((owner, CONTENT))
            if path is self._ground:
                self.lasting.note(owner, name, value, path)
            path.set(key, value)
        return value

    def before_write(self, key: Key, store: Store) -> None:
        """Binds what a name of a module is about to be bound over, on one path or on all, and
        forgets what the module offers.
        """
        owner = key[0]
        if isinstance(owner, Scope):
            self._offered.pop(owner, None)
            self.held(key, store)
