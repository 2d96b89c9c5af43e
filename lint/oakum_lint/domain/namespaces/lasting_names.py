"""Names of modules that stand for one thing throughout."""

from oakum_lint.domain.callables import (
    ClassValue,
    FunctionValue,
    ModuleValue,
    Scope,
    Transformed,
)
from oakum_lint.domain.store import Key, Store
from oakum_lint.domain.values import UNKNOWN, External, Value, next_uid

LASTING = frozenset({ClassValue, External, FunctionValue, ModuleValue, Transformed})
"""The kinds of values that are the same whatever is done with them: what a class holds is asked for
apart."""


class LastingNames:
    """The names of modules that stand for one function, class, module or library value throughout,
    as far as is seen: one statement binds each, and no function may.

    Remembered calls are not distinguished by them. A call asks for the names of all that is called
    below it: where they were compared too, n functions that call each other took n * n comparisons.
    """

    __slots__ = ("_changes", "_marked", "changed_at", "keys")

    def __init__(self) -> None:
        self.keys: set[Key] = set()
        self.changed_at = 0
        """What has a lower identity began before such a name was bound again."""
        self._changes: list[Key] = []
        """The names that have come or gone since the mark."""
        self._marked = 0

    def mark(self) -> None:
        """Marks a point that `rewind` returns to."""
        self._changes.clear()
        self._marked = self.changed_at

    def rewind(self) -> None:
        """Takes back what was noted since the mark."""
        for key in reversed(self._changes):
            self.keys ^= {key}
        self._changes.clear()
        self.changed_at = self._marked

    def note(self, scope: Scope, name: str, value: Value, store: Store) -> None:
        """Notes what a name of a module is bound to for the first time, outside every path; one
        that is bound again no longer lasts.
        """
        key = (scope, name)
        if key in self.keys:
            if store.get(key) is not value:
                self.keys.discard(key)
                self._changes.append(key)
                self.changed_at = next_uid()
        elif type(value) in LASTING and store.parent is None and store.get(key) is None:
            module = scope.module
            if module.times_bound(name) == 1 and not module.says_global:
                self.keys.add(key)
                self._changes.append(key)

    def forget_absence(
        self, reads: dict[Key, Value | None], scope: Scope, name: str, found: Value | None
    ) -> None:
        """Forgets that the running call has found nothing under a name that was defined for it: the
        next one finds what this one has found.
        """
        key = (scope, name)
        if reads.get(key, UNKNOWN) is not None:
            return
        if key in self.keys:
            del reads[key]
        else:
            reads[key] = found
