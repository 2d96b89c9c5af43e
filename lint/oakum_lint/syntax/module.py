"""A module in units: what is known of each without parsing it, and its statements on demand.

Invariants:
- `UnitFacts` are the places of a module: they are made once, in order, compare by identity, and
  keep their statements once these were asked for.
- The offsets of a unit's statements count from the unit's start, so statements are handed on
  unchanged to the next version of a module in which the unit's text is the same (`UnitCache`).
- A unit that does not parse alone although the whole file does gets its statements from a parse of
  the whole file; one that does not parse at all has a `problem` and no statements.
"""

import re
from keyword import iskeyword
from sys import intern

from oakum.values.records import replace
from oakum_lint.syntax import nodes
from oakum_lint.syntax.cache import KeptUnit, UnitSource
from oakum_lint.syntax.parse import Lowered, lower_text, lower_whole
from oakum_lint.syntax.reading import READINGS, WHOLE, note_span, note_wording
from oakum_lint.text.bindings import UnitKind, classify
from oakum_lint.text.finding import Location
from oakum_lint.text.lexer import bare, is_doubtful
from oakum_lint.text.names import OBJECT, SAYS_NONLOCAL, VARIABLE
from oakum_lint.text.nesting import Nesting, measure
from oakum_lint.text.sieve import python_accepts
from oakum_lint.text.source import Source
from oakum_lint.text.split_units import Unit, split_edited, split_units
from oakum_lint.text.syntax_errors import Problem, python_problem, structural_problem
from oakum_lint.text.triggers import is_script


class UnitFacts:
    """One top-level statement of a module, with its decorators and comments."""

    __slots__ = (
        "_binding",
        "_errors",
        "_is_accepted",
        "_lowered",
        "_nesting",
        "_objects",
        "_said",
        "_unit",
        "_variables",
        "_variables_in",
        "base",
        "calls_by_name",
        "functions_around",
        "is_sound",
        "kept",
        "last_way",
        "module",
        "raw",
        "read_off",
    )

    def __init__(
        self,
        module: "ModuleFacts",
        unit: Unit,
        known: Lowered | KeptUnit | None,
        binding: tuple[UnitKind, frozenset[str] | None] | None = None,
    ) -> None:
        self.module = module
        self.base = unit.start
        self.raw = unit.text
        """Its text, for those who compare it or know what it shows already."""
        self._unit = unit
        self._lowered = known if isinstance(known, Lowered) else None
        self.kept = None if isinstance(known, Lowered) else known
        """Where its statements are kept, which are read when they are first asked for."""
        self._binding = binding
        self._nesting: Nesting | None = None
        self._objects: frozenset[str] | None = None
        self._variables: frozenset[str] | None = None
        self._said: dict[tuple[re.Pattern[str], int, int], bool] = {}
        self._errors: tuple[Problem, ...] | None = None
        self._is_accepted: bool | None = None
        self._variables_in: dict[tuple[int, int], tuple[str, ...]] = {}
        self.last_way: tuple[nodes.Node, ...] = ()
        """The nodes around what was last looked for in its statements; what comes next is mostly
        near."""
        self.is_sound = False
        """Whether its text is known to have no problem: that of an earlier version had none."""
        self.functions_around: dict[int, tuple[nodes.FunctionDefinition | nodes.Lambda, ...]] = {}
        """The functions around nodes of its statements, by the identities of those."""
        self.read_off: dict[int, object] = {}
        """What was read off functions in its statements, by the identities of these."""
        self.calls_by_name: dict[str, list[nodes.Call]] | None = None
        """The calls in its statements, by the names that stand among their arguments."""

    @property
    def text(self) -> str:
        """Its text, all of which is read."""
        note_span(self, 0, WHOLE)
        return self.raw

    def part(self, start: int, end: int) -> str:
        """A part of its text."""
        note_span(self, start, end)
        return self.raw[start:end]

    @property
    def outline(self) -> Unit:
        """Where it begins and how it nests, as its file was split."""
        return self._unit

    @property
    def kind(self) -> UnitKind:
        """Returns the kind of its statement, from the first words."""
        return self.binding[0]

    @property
    def binds(self) -> frozenset[str] | None:
        """The names it binds in the module, or None where only its statements show that."""
        return self.binding[1]

    @property
    def binding(self) -> tuple[UnitKind, frozenset[str] | None]:
        """Its kind, and the names it binds."""
        if self._binding is None:
            self._binding = classify(self.raw, self._unit.statement)
        return self._binding

    @property
    def variables(self) -> frozenset[str]:
        """The names in its text that may be variables."""
        if self._variables is None:
            # One object for each name: a fifth of what 10,000 files hold was copies of names.
            self._variables = frozenset(map(intern, VARIABLE.findall(self.raw)))
        return self._variables

    def variables_in(self, start: int, end: int) -> tuple[str, ...]:
        """The names in a part of its text that may be variables, each once, but for words in
        strings and comments; looked for once, as each call of a function that is not followed asks.
        """
        note_span(self, start, end)
        found = self._variables_in.get((start, end))
        if found is None:
            names = dict.fromkeys(VARIABLE.findall(bare(self.raw[start:end])))
            found = tuple([name for name in names if not iskeyword(name)])
            self._variables_in[start, end] = found
        return found

    @property
    def objects(self) -> frozenset[str]:
        """The names with an attribute or an item in the text, or that are called."""
        text = self.text
        if self._objects is None:
            self._objects = frozenset(OBJECT.findall(text))
        return self._objects

    def says(self, pattern: re.Pattern[str], start: int, end: int) -> bool:
        """Whether something stands in a part of its text; looked for once, as one function may have
        thousands of calls that ask.
        """
        key = (pattern, start, end)
        note_span(self, start, end)
        if key not in self._said:
            self._said[key] = pattern.search(self.raw, start, end) is not None
        return self._said[key]

    @property
    def nesting(self) -> Nesting:
        """How deeply its text nests; measured before any parser sees it."""
        if self._nesting is None:
            self._nesting = measure(self._unit)
        return self._nesting

    @property
    def is_parsed(self) -> bool:
        """Whether its statements were asked for already."""
        return self._lowered is not None

    @property
    def body(self) -> tuple[nodes.Statement, ...]:
        """Its statements, mostly one; parsed when first asked for, none if they do not parse."""
        return self._statements().body

    @property
    def problem(self) -> Problem | None:
        """Why it has no statements, with offsets from the start of the file."""
        return self.moved(self._statements().problem)

    @property
    def syntax_errors(self) -> tuple[Problem, ...]:
        """Why its text is no Python by itself, with offsets from the start of the file, if it is
        none; looked at once. Where it has no statements for another reason, that is no error.
        """
        if self._errors is None:
            self._errors = () if self.is_accepted else self._look_for_errors()
        return tuple([self._in_file(each) for each in self._errors])

    def note_accepted(self, *, is_accepted: bool) -> None:
        """Notes whether the running Python accepts it."""
        self._is_accepted = is_accepted and not self.nesting.excess

    def _look_for_errors(self) -> tuple[Problem, ...]:
        if self.nesting.excess:
            return ()
        problem = None if is_doubtful(self.raw) else structural_problem(self.raw)
        # Of what LibCST parses it makes a tree: that takes ten times as long.
        problem = problem or lower_text(self.raw, self.nesting).problem
        problem = problem or python_problem(self.raw, certain=True)
        return (problem,) if problem is not None and problem.code == "OAK001" else ()

    @property
    def is_accepted(self) -> bool:
        """Whether it does not nest too deeply and the running Python accepts it by itself."""
        if self._is_accepted is None:
            self._is_accepted = not self.nesting.excess and python_accepts(self.raw)
        return self._is_accepted

    def moved(self, problem: Problem | None) -> Problem | None:
        """A problem whose offsets count from the unit, with offsets that count from the file."""
        return None if problem is None else self._in_file(problem)

    def _in_file(self, problem: Problem) -> Problem:
        return replace(problem, start=self.base + problem.start, end=self.base + problem.end)

    def _statements(self) -> Lowered:
        lowered = self.lowered
        if lowered is None:
            lowered = self._lowered = lower_text(self.raw, self.nesting)
            if lowered.problem is not None and lowered.problem.code != "OAK004":
                self.module.parse_whole()
        return self._lowered or lowered

    def location(self, start: int, end: int, file: str) -> Location:
        """The place of a node of this unit, for a finding."""
        if READINGS.now is not None:
            READINGS.now.placed.add(self.module)
        return self.module.source.location(self.base + start, self.base + end, file)

    @property
    def first_line(self) -> tuple[int, int]:
        """Where the line begins and ends on which its statement begins, relative to the unit."""
        start = self._unit.statement
        return start, start + len(self.raw[start:].partition("\n")[0].rstrip())

    @property
    def lowered(self) -> Lowered | None:
        """Returns its lowered form, if there is one already."""
        if self._lowered is None and self.kept is not None:
            self._lowered = self.kept.read()
            if self._lowered is None:
                self.kept = None
        return self._lowered

    @property
    def parses_alone(self) -> bool:
        """Whether its text was parsed, apart from its file, and has no problem."""
        lowered = self._lowered
        return lowered is not None and lowered.problem is None and not lowered.from_whole

    def become(self, later: "UnitFacts") -> None:
        """Takes the text of a unit of a later version of the file, and forgets what was found in
        its own. Whoever has it do so has changed its statements, if there are any.
        """
        self.base, self._unit = later.base, later.outline
        if self.raw == later.raw:
            return
        self.raw, self._binding, self._nesting = later.raw, later.binding, None
        self.kept, self.is_sound = None, False
        self._errors, self._is_accepted = later._errors, later._is_accepted
        self._objects, self._variables = None, later.variables
        self.calls_by_name, self.last_way = None, ()
        self._said.clear()
        self._variables_in.clear()
        self.functions_around.clear()
        self.read_off.clear()

    def know(self, earlier: "UnitFacts") -> None:
        """Takes what an earlier unit of the same text knows of it."""
        self._binding, self._nesting = earlier.binding, earlier.nesting
        self._variables, self._is_accepted = earlier.variables, earlier._is_accepted
        self._errors = earlier._errors

    def settle(self, lowered: Lowered) -> None:
        """Takes statements from a parse of the whole file."""
        self._lowered = lowered


def rebinds_outer(unit: UnitFacts, definition: nodes.FunctionDefinition) -> bool:
    """Whether a function may bind variables of those around it. Who runs the `def` knows that as it
    knows the name: it has not read the body.
    """
    return SAYS_NONLOCAL.search(unit.raw, definition.start, definition.end) is not None


class ModuleFacts:
    """A source file in units.

    >>> module = ModuleFacts(Source.from_text("import jax\\n\\ndef f(x):\\n    return x\\n"))
    >>> [sorted(unit.binds or ()) for unit in module.units]
    [['jax'], ['f']]
    >>> module.units[1].body[0].name
    'f'
    """

    __slots__ = (
        *("_accepted", "_doubtful", "_is_script", "_saying", "_tried_whole", "_units"),
        *("cache", "source"),
    )

    def __init__(self, source: Source, cache: UnitSource | None = None) -> None:
        self.source = source
        self.cache = cache
        self._units: tuple[UnitFacts, ...] | None = None
        self._tried_whole = False
        self._accepted: bool | None = None
        self._doubtful: bool | None = None
        self._is_script: bool | None = None
        self._saying: dict[re.Pattern[str], tuple[UnitFacts, ...]] = {}

    @property
    def units(self) -> tuple[UnitFacts, ...]:
        """The units in order; the file is split when they are first asked for."""
        if self._units is None:
            self._units = self._outlined() or self._split()
        return self._units

    def _outlined(self) -> tuple[UnitFacts, ...] | None:
        outline = None if self.cache is None else self.cache.outline(self.source.text)
        if outline is None:
            return None
        return tuple([UnitFacts(self, each.unit, each.kept, each.binding) for each in outline])

    def _split(self) -> tuple[UnitFacts, ...]:
        take = _nothing if self.cache is None else self.cache.take
        split = split_units(self.source.text)
        return tuple([UnitFacts(self, unit, take(unit.text)) for unit in split])

    def units_that_say(self, pattern: re.Pattern[str]) -> tuple[UnitFacts, ...]:
        """The units in whose texts something stands; looked for once."""
        note_wording(pattern)
        found = self._saying.get(pattern)
        if found is None:
            # Most files of a project say nothing of JAX, and need not be split for it.
            units = self.units if pattern.search(self.source.text) is not None else ()
            found = tuple([unit for unit in units if pattern.search(unit.raw) is not None])
            self._saying[pattern] = found
        return found

    def text(self) -> str:
        """The whole text, which is read."""
        for unit in self.units:
            note_span(unit, 0, WHOLE)
        return self.source.text

    @property
    def is_script(self) -> bool:
        """Whether the file does something when it is run, beside binding names."""
        if self._is_script is None:
            self._is_script = is_script(self.source.text)
        return self._is_script

    def problems(self) -> tuple[Problem, ...]:
        """Lists the parts of the file that are not valid Python, or nest too deeply to be parsed.

        A file that the running Python accepts is not parsed again for this. Any other is parsed
        unit by unit: it may be written in a newer Python.
        """
        found: list[Problem] = []
        for unit in self.units:
            if unit.is_sound:
                continue
            problem = None
            if unit.is_parsed or not self.is_accepted():
                problem = unit.problem
            if problem is None and not self.is_accepted():
                problem = unit.moved(python_problem(unit.raw, certain=True))
            if problem is not None:
                found.append(problem)
        return tuple(found)

    def is_accepted(self) -> bool:
        """Whether no unit nests too deeply and the running Python accepts the whole file."""
        if self._accepted is None:
            is_safe = not any(unit.nesting.excess for unit in self.units)
            self._accepted = is_safe and python_accepts(self.source.text)
        return self._accepted

    def edited(self, source: Source) -> "ModuleFacts":
        """A later version of the file, which takes over what is known of unchanged units."""
        later = ModuleFacts(source)
        split = split_edited([unit.outline for unit in self.units], source.text)
        if split is None:
            later._know(self)
            return later
        number, edited, is_accepted = split
        units: list[UnitFacts] = []
        start = 0
        for place, unit in enumerate(self.units):
            outline = edited if place == number else replace(unit.outline, start=start)
            units.append(UnitFacts(later, outline, None))
            if place != number:
                units[-1].know(unit)
            start += len(outline.text)
        later._units = tuple(units)
        units[number].note_accepted(is_accepted=is_accepted)
        if self._accepted and (units[number].is_accepted or not self._is_doubtful()):
            later._accepted = units[number].is_accepted
        return later

    def _is_doubtful(self) -> bool:
        """Whether it may have been split in the wrong place."""
        if self._doubtful is None:
            self._doubtful = is_doubtful(self.source.text)
        return self._doubtful

    def _know(self, earlier: "ModuleFacts") -> None:
        """Takes what an earlier version knows of the units that are in both. While somebody types,
        most versions are no Python: to parse all units until one shows that took 50 ms a key.
        """
        known = {unit.raw: unit for unit in earlier.units}
        is_sound = earlier._accepted is True and not earlier._is_doubtful()
        for unit in self.units:
            other = known.get(unit.raw)
            if other is not None and replace(other.outline, start=unit.base) == unit.outline:
                unit.know(other)
                unit.is_sound = is_sound and other.parses_alone

    def become(self, later: "ModuleFacts") -> None:
        """Takes the text of a later version of the file, which has as many units."""
        self.source, self._accepted, self._doubtful = later.source, later._accepted, None
        for unit, other in zip(self.units, later.units, strict=True):
            unit.become(other)

    def parse_whole(self) -> None:
        """Parses the whole file, once, because a unit does not parse alone.

        Where that succeeds, the file was split in the wrong place: every unit that has no
        statements yet, or failed, gets those that begin in it. It is not tried where it cannot
        succeed, for while someone is typing most versions of a file do not parse.
        """
        if self._tried_whole:
            return
        self._tried_whole = True
        if not self.is_accepted() and not self._is_doubtful():
            return
        starts = [unit.base for unit in self.units]
        bodies = lower_whole(self.source.text, starts)
        if bodies is None:
            return
        for unit, body in zip(self.units, bodies, strict=True):
            if unit.lowered is None or unit.lowered.problem is not None:
                unit.settle(Lowered(body, from_whole=True))


def _nothing(_text: str) -> Lowered | None:
    return None
