"""The pass that simplifies programs.

One walk over the equations rewrites the program: calls are replaced by their programs, equations
by what rules make of them, values that are known by constants, values that are there already by
these. One walk back leaves out what nothing needs. Both take time in proportion to the program. A
program goes through again only where the second walk took away what was in the way of the first.

Invariants:
- The result has the arguments and results of the program, and gives the same values: see
  `oakum.compile.simplify.patterns.Group` for what this means.
- It is well typed, and equations with effects are all there, in order.
- Programs within programs are simplified from the innermost outwards, without recursion.

An operation that runs one program once is opened. Evaluated, it gives what its program gives; its
derivatives, its name and its promises to the user were of use before the program came here.
"""

from __future__ import annotations

import functools
from collections.abc import Generator, Hashable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.compile.simplify import (
    arithmetic_rules,
    dead_results,
    logic_rules,
    movement_rules,
    reduction_rules,
)
from oakum.compile.simplify.draft import Draft
from oakum.compile.simplify.patterns import EVERY_GROUP, Group, Rule
from oakum.compile.simplify.rewriting import Ruleset
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Literal, Var, checked, subprograms
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

if TYPE_CHECKING:
    pass

_ROUNDS: Final = 8
"""The most passes over a program. By judgement: passes end when nothing changes, and this
bounds their time.
"""

_PLAIN: Final = frozenset(
    "jit checkpoint custom_jvp_call custom_vjp_call custom_vmap_call linear_call composite".split()
)
"""Primitives that apply their parameter `jaxpr` to their operands."""

_CALLS: Final = _PLAIN | {"custom_linear_solve", "cond"}
"""The primitives of calls; a branch is one where it is known which is taken."""

_LOOPS: Final = frozenset(("scan", "while", "cond"))
"""The primitives whose programs are simplified where they stand."""

ROOM: Final = 20_000
"""As many equations may come of programs that stand at several places, which doubles them."""

_HOLDING: Final = _CALLS | _LOOPS
_NAME: Final = "simplified"

Requests = Generator[ClosedJaxpr, Any, Any]
"""Asks for programs to be simplified."""


RULES: Final[tuple[Rule, ...]] = (
    *arithmetic_rules.RULES,
    *logic_rules.RULES,
    *logic_rules.CONVERSIONS,
    *movement_rules.SHAPES,
    *movement_rules.SLICES,
    *movement_rules.RULES,
    *reduction_rules.REPETITIONS,
    *reduction_rules.RULES,
    *arithmetic_rules.INVERSES,
)
"""All rules. Of two that match the one that stands first is applied."""


@functools.cache
def _ruleset(groups: frozenset[Group]) -> Ruleset:
    """Returns the rules of some groups, made ready."""
    return Ruleset([rule for rule in RULES if rule.group in groups])


def simplify(closed: ClosedJaxpr, *, groups: frozenset[Group] = EVERY_GROUP) -> ClosedJaxpr:
    """Returns an equivalent, smaller program; `groups` says which rules may be applied.

    A program is simplified once: its result is remembered, and is itself left as it is.
    """
    key = (_NAME, groups)
    if key not in closed.cache:
        with host.np.errstate(all="ignore"):
            result = Pass(_ruleset(groups), key).run(closed)
        closed.cache[key] = checked(result)
    return closed.cache[key]


class Pass:
    """Simplifies a program and those within it."""

    def __init__(self, rules: Ruleset, key: Hashable) -> None:
        self._rules = rules
        self._key = key
        self._sizes = Sizes()
        self.applied: dict[str, int] = {}
        """How often each rule was applied."""

    def run(self, closed: ClosedJaxpr) -> ClosedJaxpr:
        """Returns the simplified program; those within it are simplified when it asks for them."""
        running = [(closed, self._rounds(closed))]
        answer: Any = None
        while running:
            program, generator = running[-1]
            try:
                asked = generator.send(answer)
            except StopIteration as end:
                answer = program.cache[self._key] = end.value
                end.value.cache[self._key] = end.value
                running.pop()
                continue
            answer = asked.cache.get(self._key)
            if answer is None:
                running.append((asked, self._rounds(asked)))
        return closed.cache[self._key]

    def _rounds(self, closed: ClosedJaxpr) -> Requests:
        for _ in range(_ROUNDS):
            closed, again = yield from self._round(closed)
            if not again:
                break
        return closed

    def _round(self, closed: ClosedJaxpr) -> Requests:
        writer = _Writer(self._rules, self._sizes, closed)
        results = yield from writer.write()
        for name, count in writer.applied.items():
            self.applied[name] = self.applied.get(name, 0) + count
        return writer.finished(results)


class _Frame:
    """A program whose equations are being written, in place of a call."""

    def __init__(self, program: ClosedJaxpr, equation: Equation | None) -> None:
        jaxpr = program.jaxpr
        self.program = program
        self.equation = equation
        """The call; None for the program itself."""
        equations, self.uses = dead_results.live_equations(jaxpr.eqns, jaxpr.outvars)
        self.dropped = len(equations) < len(jaxpr.eqns)
        self.equations: Iterator[Equation] = iter(equations)
        self.values: dict[Var, Atom] = {}

    def read(self, atoms: Sequence[Atom]) -> list[Atom]:
        """What atoms of the old program are in the new one."""
        values = self.values
        return [values[x] if type(x) is Var else x for x in atoms]


class _Writer:
    """Rewrites one program."""

    def __init__(self, rules: Ruleset, sizes: Sizes, closed: ClosedJaxpr) -> None:
        self._draft = Draft(rules)
        self._sizes = sizes
        self._closed = closed
        self._room = ROOM
        self._called_once: set[ClosedJaxpr] = set()
        self._narrowed = False

    @property
    def applied(self) -> dict[str, int]:
        """How often each rule was applied."""
        return self._draft.applied

    def write(self) -> Requests:
        """Writes all equations; returns the results."""
        frames = [_Frame(self._closed, None)]
        self._enter(frames[0], self._closed.jaxpr.invars)
        while True:
            frame = frames[-1]
            equation = next(frame.equations, None)
            if equation is None:
                results = frame.read(frame.program.jaxpr.outvars)
                frames.pop()
                if not frames:
                    return results
                self._count(results, -1)
                self._bind(frames[-1], frame.equation.outputs, results)  # pyright: ignore[reportOptionalMemberAccess]
                continue
            inputs = frame.read(equation.inputs)
            name = equation.primitive.name
            if name in _CALLS:
                call = call_of(equation, inputs)
                if call is not None and (len(frames) > 1 or self._has_room(call)):
                    frames.append(self._called(call, equation))
                    continue
            if name in _HOLDING:
                results = yield from self._held(equation, inputs)
            else:
                results = self._draft.apply(
                    equation.primitive,
                    inputs,
                    equation.params,
                    [var.aval for var in equation.outputs],
                    equation.source,
                    equation.effects,
                )
            self._bind(frame, equation.outputs, results)

    def _has_room(self, call: Call) -> bool:
        program = call.program
        repeated = self._sizes.repeated(program)
        if program in self._called_once:
            repeated = self._sizes.of(program)
        if repeated > self._room:
            return False
        self._called_once.add(program)
        self._room -= repeated
        return True

    def _called(self, call: Call, equation: Equation) -> _Frame:
        operands = call.operands
        if call.apart:
            operands = self._behind_barrier(operands)
        self._count(operands, -1)
        frame = _Frame(call.program, equation)
        self._enter(frame, operands)
        return frame

    def _behind_barrier(self, operands: Sequence[Atom]) -> list[Atom]:
        from oakum.primitives.barriers import optimization_barrier_p

        held = [x for x in operands if isinstance(x, Var)]
        if not held:
            return list(operands)
        avals = [x.aval for x in held]
        found = iter(self._draft.apply(optimization_barrier_p, held, {}, avals))
        return [next(found) if isinstance(x, Var) else x for x in operands]

    def _enter(self, frame: _Frame, operands: Sequence[Atom]) -> None:
        jaxpr = frame.program.jaxpr
        for var, value in zip(jaxpr.constvars, frame.program.consts, strict=True):
            if var in frame.uses:
                self._bind(frame, (var,), (self._draft.constant(value, var.aval),))
        self._bind(frame, jaxpr.invars, operands)

    def _bind(self, frame: _Frame, variables: Sequence[Var], atoms: Sequence[Atom]) -> None:
        uses, old = self._draft.uses, frame.uses
        for var, atom in zip(variables, atoms, strict=True):
            frame.values[var] = atom
            if type(atom) is Var:
                uses[atom] = uses.get(atom, 0) + old.get(var, 0)

    def _count(self, atoms: Sequence[Atom], change: int) -> None:
        uses = self._draft.uses
        for atom in atoms:
            if isinstance(atom, Var):
                uses[atom] = uses.get(atom, 0) + change

    def _held(self, equation: Equation, inputs: Sequence[Atom]) -> Requests:
        """Returns the results of an equation that goes on holding programs."""
        if equation.primitive.name in _LOOPS:
            from oakum.compile.simplify import loops

            return (yield from loops.simplified(self._draft, equation, inputs))
        params = equation.params
        if "jaxpr" in params:
            params = {**params, "jaxpr": (yield params["jaxpr"])}
        return self._draft.apply(
            equation.primitive,
            inputs,
            params,
            [var.aval for var in equation.outputs],
            equation.source,
            equation.effects,
        )

    def finished(self, results: Sequence[Atom]) -> tuple[ClosedJaxpr, bool]:
        """Returns the program, and whether to go through it again."""
        old, draft = self._closed.jaxpr, self._draft
        outvars = [self._typed(x, var.aval) for x, var in zip(results, old.outvars, strict=True)]
        equations, uses = dead_results.live_equations(draft.equations, outvars, self._narrow)
        constants = [pair for pair in draft.constants if pair[0] in uses]
        jaxpr = Jaxpr([var for var, _ in constants], old.invars, outvars, equations, old.name)
        fewer = len(equations) < len(draft.equations)
        again = self._narrowed or draft.again or (draft.blocked and fewer)
        return ClosedJaxpr(jaxpr, [value for _, value in constants]), again

    def _typed(self, atom: Atom, aval: ShapedArray) -> Atom:
        """Returns a result with the weak type that it has to have."""
        if atom.aval.weak_type == aval.weak_type:
            return atom
        from oakum.primitives.conversion import convert_element_type_p

        if not isinstance(atom, Var):
            return self._draft.literal(atom.raw, aval)
        result = Var(aval)
        params = {"new_dtype": aval.dtype, "weak_type": aval.weak_type}
        self._draft.equations.append(Equation(convert_element_type_p, (atom,), (result,), params))
        return result

    def _narrow(self, equation: Equation, uses: Mapping[Var, int]) -> Equation:
        smaller = dead_results.narrow(equation, uses)
        self._narrowed = self._narrowed or smaller is not equation
        return smaller


@dataclass(frozen=True, slots=True)
class Call:
    """A program and its operands; `apart` keeps its equations apart from equal ones outside."""

    program: ClosedJaxpr
    operands: Sequence[Atom]
    apart: bool = False


def call_of(equation: Equation, operands: Sequence[Atom]) -> Call | None:
    """Returns the call that an equation is, if it is one."""
    name = equation.primitive.name
    if name in _PLAIN:
        return Call(equation.params["jaxpr"], operands, _recomputes(equation))
    if name == "custom_linear_solve":
        programs, counts = equation.params["programs"], equation.params["counts"]
        start = counts.matvec + counts.vecmat
        solver = operands[start : start + counts.solve]
        return Call(programs.solve, [*solver, *operands[sum(counts) :]])
    if name == "cond" and isinstance(operands[0], Literal):
        branches = equation.params["branches"]
        return Call(branches[int(operands[0].raw)], operands[1:])
    return None


def _recomputes(equation: Equation) -> bool:
    """Returns whether the program is run again to save memory, and not to be merged with the first
    run.
    """
    return equation.primitive.name == "checkpoint" and bool(equation.params.get("prevent_cse"))


class Sizes:
    """How many equations programs have once all calls in them are replaced by their programs."""

    def __init__(self) -> None:
        self._known: dict[ClosedJaxpr, int] = {}

    def of(self, program: ClosedJaxpr) -> int:
        """Returns the number of equations, programs in loops and branches counted too."""
        waiting = [program]
        while waiting:
            current = waiting[-1]
            if current in self._known:
                waiting.pop()
                continue
            inner = [_close(each) for eqn in current.eqns for each in subprograms(eqn.params)]
            missing = [each for each in inner if each is not None and each not in self._known]
            if missing:
                waiting += missing
                continue
            found = len(current.eqns)
            self._known[current] = found + sum(self._known[each] for each in inner if each)
        return self._known[program]

    def repeated(self, program: ClosedJaxpr) -> int:
        """Returns the number of equations that come of programs at several places, but for the
        first.
        """
        return self.of(program) - _distinct(program)


def _distinct(program: ClosedJaxpr) -> int:
    """Returns the number of equations, those of a program that stands at several places once."""
    seen = {program}
    waiting = [program]
    found = 0
    while waiting:
        current = waiting.pop()
        found += len(current.eqns)
        for equation in current.eqns:
            for each in subprograms(equation.params):
                if isinstance(each, ClosedJaxpr) and each not in seen:
                    seen.add(each)
                    waiting.append(each)
    return found


def _close(program: object) -> ClosedJaxpr | None:
    return program if isinstance(program, ClosedJaxpr) else None
