"""What is known of functions in a whole run, though all else that groups do is taken back."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from oakum_lint.text.edits import FunctionName

if TYPE_CHECKING:
    from oakum_lint.domain.callables import FunctionValue


class Known:
    """Functions, by their definitions, of which the same is known."""

    __slots__ = (
        *("_definitions", "_marked", "_marked_names", "_name_of", "_names", "added", "asked"),
    )

    def __init__(self) -> None:
        self._definitions: dict[int, FunctionValue] = {}
        self._marked: dict[int, FunctionValue] = {}
        self._marked_names: frozenset[FunctionName] | None = None
        self._names: set[FunctionName] | None = None
        """Those of before the running group by their names, as soon as these are asked for."""
        self._name_of: Callable[[FunctionValue], FunctionName] | None = None
        self.added: dict[int, FunctionValue] = {}
        """Those that the running group has added, known before or not."""
        self.asked: dict[int, tuple[FunctionValue, bool]] = {}
        """Those that it has asked for, and what was known before it."""

    def add(self, function: "FunctionValue") -> None:
        """Adds a function."""
        self.added.setdefault(id(function.definition), function)

    def holds(self, function: "FunctionValue") -> bool:
        """Whether it is known of a function."""
        identity = id(function.definition)
        if identity in self.added:
            return True
        if identity not in self.asked:
            self.asked[identity] = function, self._held(function)
        return self.asked[identity][1]

    def _held(self, function: "FunctionValue") -> bool:
        if self._names is not None and self._name_of is not None:
            return self._name_of(function) in self._names
        return id(function.definition) in self._definitions

    def knows(self, name: FunctionName, name_of: "Callable[[FunctionValue], FunctionName]") -> bool:
        """Whether it is known of a function with this name."""
        return name in self._named(name_of)

    def take(
        self, names: Iterable[FunctionName], name_of: "Callable[[FunctionValue], FunctionName]"
    ) -> None:
        """Takes what a group would add that need not run."""
        self._named(name_of).update(names)

    def _named(self, name_of: "Callable[[FunctionValue], FunctionName]") -> set[FunctionName]:
        if self._names is None:
            self._name_of = name_of
            self._names = set(map(name_of, self._definitions.values()))
        return self._names

    def names(self, name_of: "Callable[[FunctionValue], FunctionName]") -> frozenset[FunctionName]:
        """The functions of which it is known before the running group, by their names."""
        return frozenset(self._named(name_of))

    def suppose(
        self, names: Iterable[FunctionName], name_of: "Callable[[FunctionValue], FunctionName]"
    ) -> None:
        """Has it be known of these functions and no others when the next group begins."""
        self._names, self._name_of = set(names), name_of
        self.added, self.asked = {}, {}

    def mark(self) -> None:
        """Marks a point between groups, which `rewind` returns to."""
        self._marked = self._definitions.copy()
        self._marked_names = None if self._names is None else frozenset(self._names)

    def rewind(self) -> None:
        """Forgets what was added since the mark."""
        self._definitions = self._marked.copy()
        self._names = None if self._marked_names is None else set(self._marked_names)
        if self._names is None:
            self._name_of = None
        self.added, self.asked = {}, {}

    def begin(self) -> None:
        """A group begins: what the last one has added was known before it."""
        if self._names is not None and self._name_of is not None:
            self._names.update(map(self._name_of, self.added.values()))
        else:
            self._definitions.update(self.added)
        self.added, self.asked = {}, {}


class Working(Known):
    """Functions that the program is seen to call where what fails in other runs need not fail: a
    fix of that changes what works there.
    """

    __slots__ = ("_failing",)

    def __init__(self) -> None:
        super().__init__()
        self._failing: dict[int, frozenset[int]] = {}
        """Where the first run of each function in the running group fails, by definitions."""

    def note(self, function: "FunctionValue | None", failing: frozenset[int]) -> None:
        """Notes a run of a function that is seen to be called, and where it fails: at no place, at
        all those of other runs, or at some.
        """
        if function is None:
            return
        if not failing or failing != self._failing.setdefault(id(function.definition), failing):
            self.add(function)

    def begin(self) -> None:
        """A group begins."""
        super().begin()
        self._failing = {}


class KnownFunctions:
    """All that is known."""

    __slots__ = ("entered", "hosted", "traced", "working")

    def __init__(self) -> None:
        self.entered = Known()
        """The functions that have been interpreted."""
        self.traced = Known()
        """Those that a transform has traced."""
        self.hosted = Known()
        """Those that a callback runs on the host."""
        self.working = Working()
        """Those that work in some run."""

    def all(self) -> tuple[Known, ...]:
        """All kinds of knowledge."""
        return self.entered, self.traced, self.hosted, self.working
