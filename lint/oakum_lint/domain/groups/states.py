"""The states of the analyses of one run, and changes that no path of the program keeps."""

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast

State = TypeVar("State")


class States:
    """The states by their kinds, made when they are first asked for.

    A kind names in `untracked` those of its fields of which nobody need know which statement of a
    module has changed them: they only save work, or follow from what the store notes.

    A kind that is `forgotten` begins empty in each group: what it saves work by has read something,
    which would be noted where the bodies of modules have made it and nowhere else.
    """

    __slots__ = ("by_kind", "make", "undo")

    def __init__(self) -> None:
        self.by_kind: dict[type[Any], Any] = {}
        self.make: Callable[[type[Any]], object] = _new
        """What makes a state that is not there yet."""
        self.undo: list[Callable[[], object]] = []
        """What takes back changes of classes and objects themselves, in the order of those."""

    def of(self, kind: type[State]) -> State:
        """The state of an analysis."""
        try:
            return self.by_kind[kind]
        except KeyError:
            state = self.by_kind[kind] = self.make(kind)
            return cast(State, state)

    def change(self, owner: object, name: str, value: object) -> None:
        """Changes an attribute of a class, an object or a module itself."""
        self.undo.append(partial(setattr, owner, name, getattr(owner, name)))
        setattr(owner, name, value)


def is_forgotten(kind: type[Any]) -> bool:
    """Whether groups begin without what the bodies of modules have left of a state."""
    return getattr(kind, "forgotten", False)


def _new(kind: type[Any]) -> object:
    return kind()
