"""The groups of work that the bodies of modules leave: what is done apart from all else.

First comes a group for each notebook, all of it: nothing imports a notebook, so no other module
starts from what it does. Then what is known to be traced, in all files, then what a framework is
presumed to trace, then what is called with nothing known, then what is assumed to be traced: each
shows less than the one before. What is traced or presumed to be has a group for each unit, so that
a key that is typed in one class of an editor's file has no other analysed again; what is called has
one for every few modules of a folder.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final, Protocol

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue, FunctionValue, Transformed
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.groups.bodies import Needed
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module
from oakum_lint.domain.values import Value
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.notebook.names import is_joined

TOGETHER: Final = 4
"""So many modules of a folder are one group of what is called. Calls are remembered in a group
alone: flax and optax take 23% more steps with groups of one module, 15% with four, 11% with eight.
"""


class Phase(Enum):
    """What is done with the functions of a group."""

    TRACED = 0
    PRESUMED = 1
    CALLED = 2
    ASSUMED = 3


BODIES: Final = ""
"""The name under which the bodies of modules are run."""


class Progress(Protocol):
    """Who follows a run: the bodies of its modules, then its groups."""

    def begins(self, machine: Machine, name: str, /) -> bool:
        """Hears that a group is about to run; whether it has to."""
        ...

    def needed(self, machine: Machine, /) -> Needed | None:
        """What has to run of the bodies of modules; None for all."""
        ...

    def ended(self, machine: Machine, name: str, /) -> None:
        """Hears that it has run, before what it did is taken back."""
        ...


class Unfollowed:
    """Nobody follows a run: all of it is made."""

    def begins(self, _machine: Machine, _name: str, /) -> bool:
        """Has each group run."""
        return True

    def needed(self, _machine: Machine, /) -> None:
        """Has all bodies run."""

    def ended(self, _machine: Machine, _name: str, /) -> None:
        """Takes no note."""


@dataclass(slots=True)
class Group:
    """The work of one phase in a unit or some modules of a folder, or all that a notebook is."""

    phase: Phase
    place: str
    """Which unit or modules these are, in each run of the same files."""
    pending: list[tuple[Transformed, Frame]] = field(
        default_factory=list[tuple[Transformed, Frame]]
    )
    conventional: list[tuple[Value, Frame]] = field(default_factory=list[tuple[Value, Frame]])
    classes: list[tuple[ClassValue, Frame]] = field(default_factory=list[tuple[ClassValue, Frame]])
    functions: list[tuple[FunctionValue, Frame]] = field(
        default_factory=list[tuple[FunctionValue, Frame]]
    )
    body: Module | None = None
    """The module whose body is run first."""

    @property
    def name(self) -> str:
        """The name of the group, in each run of the same files."""
        return f"{self.phase.name} {self.place}"

    @classmethod
    def passed_by(cls, name: str) -> "Group":
        """A group that need not run, by its name."""
        phase, _, place = name.partition(" ")
        return cls(Phase[phase], place)

    def hand_to(self, machine: Machine) -> None:
        """Makes this the work of a machine; what it defines meanwhile belongs to it."""
        machine.pending, machine.conventional = [*self.pending], [*self.conventional]
        machine.defined_classes, machine.defined = [*self.classes], [*self.functions]


def starts_alone(module: Module) -> bool:
    """Whether nothing can start from what the body of a module leaves."""
    return is_joined(str(module.path))


def groups_apart(modules: Sequence[Module]) -> list[Group]:
    """The groups of the modules that start alone."""
    apart = (module for module in modules if starts_alone(module))
    return [Group(Phase.TRACED, str(module.path), body=module) for module in apart]


def groups_of(machine: Machine, modules: Sequence[Module]) -> list[Group]:
    """The groups of the work that a machine has, by phase, then by module: in their order, and
    modules that are not among them after these.
    """
    names = _Names(modules)
    groups: dict[tuple[Phase, str], Group] = {}
    modules_of: dict[str, str] = {}

    def group(phase: Phase, frame: Frame) -> Group:
        name = names.of(frame.module)
        place = names.of_unit(frame) if phase in _BY_UNIT else name
        modules_of[place] = name
        return groups.setdefault((phase, place), Group(phase, place))

    for transformed, frame in machine.pending:
        group(Phase.TRACED, frame).pending.append((transformed, frame))
    for value, frame in machine.conventional:
        group(Phase.PRESUMED, frame).conventional.append((value, frame))
    for cls, frame in machine.defined_classes:
        group(Phase.PRESUMED, frame).classes.append((cls, frame))
    for function, frame in machine.defined:
        group(Phase.CALLED, frame).functions.append((function, frame))
        if machine.assumptions:
            group(Phase.ASSUMED, frame).functions.append((function, frame))
    order = {name: place for place, name in enumerate(names.in_order())}
    return sorted(
        groups.values(), key=lambda each: (each.phase.value, order[modules_of[each.place]])
    )


_BY_UNIT: Final = (Phase.TRACED, Phase.PRESUMED)


class _Names:
    """The names of groups: a folder and a number, and one more number for a unit."""

    __slots__ = ("_by_module", "_by_unit")

    def __init__(self, modules: Sequence[Module]) -> None:
        self._by_module: dict[Module, str] = {}
        self._by_unit: dict[tuple[Module, UnitFacts], str] = {}
        in_folder: dict[str, int] = {}
        for module in modules:
            before = in_folder.get(module.folder, 0)
            in_folder[module.folder] = before + 1
            self._by_module[module] = f"{module.folder}:{before // TOGETHER}"

    def of_unit(self, frame: Frame) -> str:
        """The name of the group that the unit of a frame is in: its place in its file, which is
        another one than that of the module for some.
        """
        key = (frame.module, frame.unit)
        if key not in self._by_unit:
            facts = frame.unit.module
            file = frame.module.real_path.name if facts is frame.module.facts else facts.source.path
            place = facts.units.index(frame.unit)
            self._by_unit[key] = f"{self.of(frame.module)} {file} {place}"
        return self._by_unit[key]

    def of(self, module: Module) -> str:
        """The name of the group that a module is in: one of its own where it is met on the way."""
        found = self._by_module.get(module)
        if found is None:
            found = self._by_module[module] = str(module.real_path)
        return found

    def in_order(self) -> list[str]:
        """The names in the order of their modules."""
        return list(dict.fromkeys(self._by_module.values()))
