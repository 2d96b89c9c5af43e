"""The ground of a run: what the bodies of its modules leave, from which each further piece of work
starts as if it were the only one.

What a piece of work finds is then a function of the ground, of what is known, and of the texts that
it reads, whatever ran before it. Only knowledge is handed on: which functions were interpreted and
traced (`Known`).
"""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

from oakum.values.records import fields
from oakum_lint.domain.groups.states import is_forgotten
from oakum_lint.domain.interpreter import Machine


class Ground:
    """The state of a machine outside every path, and the way back to it."""

    __slots__ = ("_machine", "_rebound", "_starred", "_states")

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._rebound = frozenset(machine.rebound)
        self._starred = frozenset(machine.root_store.starred)
        self._states: Mapping[type[Any], object] = {
            kind: state for kind, state in machine.states.by_kind.items() if not is_forgotten(kind)
        }
        machine.root_store.forget_programs()
        machine.root_store.mark()
        machine.stars.mark()
        machine.project.mark()
        machine.states.undo.clear()
        machine.states.make = self._state
        self._renew()
        for known in machine.known.all():
            known.mark()

    def start_over(self) -> None:
        """Forgets what groups have come to know."""
        for known in self._machine.known.all():
            known.rewind()

    @contextmanager
    def kept(self) -> Generator[None]:
        """Takes back all that the block does, but for what is known then."""
        try:
            yield
        finally:
            self._restore()

    def _restore(self) -> None:
        machine = self._machine
        machine.root_store.rewind()
        machine.stars.rewind()
        machine.project.rewind()
        for undo in reversed(machine.states.undo):
            undo()
        machine.states.undo.clear()
        self._renew()

    def _renew(self) -> None:
        machine = self._machine
        for known in machine.known.all():
            known.begin()
        machine.rebound = set(self._rebound)
        machine.root_store.starred.clear()
        machine.root_store.starred.update(self._starred)
        machine.states.by_kind = {}

    def _state(self, kind: type[Any]) -> object:
        """The state of an analysis as the ground has left it."""
        left = self._states.get(kind)
        return kind() if left is None else _copy(left)


def _copy(state: object) -> object:
    """A state with containers of its own. What these hold is never changed, and two that are one in
    the state are one in its copy.
    """
    kind, copies = type(state), dict[int, object]()
    return kind(
        **{
            each.name: _contained(getattr(state, each.name), copies)
            for each in fields(cast(Any, kind))
        }
    )


def _contained(value: object, copies: dict[int, object]) -> object:
    if not isinstance(value, dict | list | set):
        return value
    held = cast("dict[object, object] | list[object] | set[object]", value)
    found = copies.get(id(held))
    if found is not None:
        return found
    made = copies[id(held)] = held.copy()
    if not isinstance(held, dict) or not isinstance(made, dict):
        return made
    # All values of one are of a kind.
    if isinstance(next(iter(held.values()), None), dict | list | set):
        for key, each in held.items():
            made[key] = _contained(each, copies)
    return made
