"""A program that is being written: each value once, numbers known, rules applied.

Equations are appended through `Draft.apply`, which gives the atoms of their results. These are
those of an equation that is there already, of one that a rule makes instead, or a constant.

Invariants:
- The work for an equation does not depend on how many there are.
- No equation with effects, and none whose result differs from call to call, is merged or folded.
- An equation keeps its source; one that a rule makes has the source of the one it replaces.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, Final

from oakum.compile.simplify import folding, rewriting
from oakum.compile.simplify.rewriting import Ruleset
from oakum.dtypes import Kind
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.runtime.exact_operations import is_exact
from oakum.tracing.ir import Atom, Equation, Literal, Var
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame

_NOTHING: Final[frozenset[str]] = frozenset()
_DEEPEST: Final = 24
"""As many replacements within one another are made; rules need no more than a few."""

UNREPEATABLE: Final = frozenset(
    """rng_uniform pure_callback io_callback debug_callback optimization_barrier
    custom_vjp_linear""".split()
)
"""Primitives that are neither merged nor folded: barriers, and what asks the world outside."""


class Draft:
    """The equations of a program so far, and what is known of their values."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.equations: list[Equation] = []
        self.constants: list[tuple[Var, Any]] = []
        self.uses: dict[Var, int] = {}
        """How many operands of the program before are each variable; for rules that ask."""
        self.applied: dict[str, int] = {}
        """How often each rule was applied."""
        self.blocked = False
        """Whether a rule did not apply because of another use, which may be dead."""
        self.again = False
        """Whether more can be done once the program is there as a whole."""
        self._ruleset = ruleset
        self._producers: dict[Var, Equation] = {}
        self._heads: dict[Var, str] = {}
        self._uniform: dict[Var, Literal] = {}
        self._values = folding.Values(self._producers)
        self._merged: dict[Any, Sequence[Atom]] = {}
        self._depth = 0
        self._source: tuple[UserFrame, ...] = ()

    def producer(self, atom: Atom) -> Equation | None:
        """Returns the equation that gives a value."""
        return self._producers.get(atom) if type(atom) is Var else None

    def uniform(self, atom: Atom) -> Literal | None:
        """Returns the number that all elements of a value are, where that is known."""
        return atom if isinstance(atom, Literal) else self._uniform.get(atom)

    def apply(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        avals: Sequence[ShapedArray],
        source: tuple[UserFrame, ...] = (),
        effects: frozenset[str] = _NOTHING,
    ) -> Sequence[Atom]:
        """Returns the results of a primitive, of these avals."""
        if effects or primitive.name in UNREPEATABLE:
            return self._append(primitive, inputs, params, avals, source, effects)
        key = folding.of_equation(primitive, inputs, params)
        try:
            found = self._merged.get(key)
        except TypeError:
            key = found = None
        if found is not None:
            return found
        self._source, before = source, self._source
        known = self._values.all_known(inputs)
        stays = known and self._values.stays(primitive.name, inputs, avals)
        results = None
        if known and not stays:
            results = self._constant_results(primitive, inputs, params, avals)
        if results is None and len(avals) == 1:
            results = self._replaced(primitive, inputs, params, avals[0])
        if results is None and stays and not is_exact(primitive, [x.aval for x in inputs], avals):
            results = self._constant_results(primitive, inputs, params, avals)
        if results is None:
            results = self._append(primitive, inputs, params, avals, source, effects)
            if known:
                self._values.note(self.equations[-1])
        self._source = before
        if key is not None:
            self._merged[key] = results
        return results

    def one(self, primitive: Primitive, inputs: Sequence[Atom], params: Mapping[str, Any]) -> Atom:
        """Returns the result of a primitive that has one, in place of what a rule has matched."""
        aval = primitive.result_avals([atom.aval for atom in inputs], dict(params))
        return self.apply(primitive, inputs, params, (aval,), self._source)[0]

    def literal(self, raw: host.Array, aval: ShapedArray) -> Literal:
        """Returns a number of the host as a literal."""
        return Literal(wrap(raw, ShapedArray((), aval.dtype, aval.weak_type)))

    def filled(self, raw: host.Array, aval: ShapedArray) -> Atom:
        """Returns a number of the host as a value of this shape, dtype and weak type."""
        literal = self.literal(raw, aval)
        if aval.shape == ():
            return literal
        params = {"shape": aval.shape, "broadcast_dimensions": (), "sharding": None}
        primitive = rewriting.named("broadcast_in_dim")
        return self.apply(primitive, (literal,), params, (aval,), self._source)[0]

    def constant(self, value: ArrayImpl, aval: ShapedArray) -> Atom:
        """Returns a constant of the program: a number, equal numbers, or an array beside the
        program.
        """
        raw = folding.raw_of(value)
        if raw is None:
            return self._held(value, aval, ("identity", id(value)))
        number = folding.number_in(raw)
        if number is not None and _is_plain(aval):
            return self.filled(number, aval)
        return self._held(value, aval, folding.of_array(value, raw), raw)

    def _held(
        self, value: ArrayImpl, aval: ShapedArray, key: Hashable, raw: host.Array | None = None
    ) -> Atom:
        found = self._merged.get(key)
        if found is None:
            var = Var(aval)
            self.constants.append((var, value))
            if raw is not None and _is_plain(aval):
                self._values.hold(var, raw)
            found = self._merged[key] = (var,)
        return found[0]

    def _append(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        avals: Sequence[ShapedArray],
        source: tuple[UserFrame, ...],
        effects: frozenset[str],
    ) -> Sequence[Atom]:
        results = [Var(aval) for aval in avals]
        equation = Equation(primitive, inputs, results, params, effects, source)
        self.equations.append(equation)
        head = name = primitive.name
        if name == "broadcast_in_dim" and isinstance(inputs[0], Literal):
            self._uniform[results[0]] = inputs[0]
            head = f"{folding.head_of(inputs[0])} {name}"
        for var in results:
            self._producers[var] = equation
            self._heads[var] = head
        return results

    def _replaced(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        aval: ShapedArray,
    ) -> Sequence[Atom] | None:
        heads = self._heads
        shown = [heads.get(x, "") if type(x) is Var else folding.head_of(x) for x in inputs]  # pyright: ignore[reportArgumentType]
        candidates = self._ruleset.candidates(primitive.name, tuple(shown))
        if not candidates or self._depth >= _DEEPEST:
            return None
        self._depth += 1
        result = None
        for rewrite in candidates:
            result = rewrite(self, primitive, inputs, params, aval)
            if result is not None:
                break
        self._depth -= 1
        return None if result is None else (result,)

    def _constant_results(
        self,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        avals: Sequence[ShapedArray],
    ) -> Sequence[Atom] | None:
        raws = self._values.results(primitive, inputs, params, avals)
        if raws is None:
            return None
        pairs = zip(raws, avals, strict=True)
        return [self.constant(wrap(raw, aval), aval) for raw, aval in pairs]


def _is_plain(aval: ShapedArray) -> bool:
    """Returns whether elements are numbers that a literal can be."""
    return aval.dtype is not None and aval.dtype.kind not in (Kind.KEY, Kind.FLOAT0)
