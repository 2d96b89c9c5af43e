"""Rules as functions, which match the parts of a program and build what replaces them; those that
may match an equation are found by a look-up.

A rule is tried where the primitive is that of its pattern's root, and the operands come from the
primitives that it asks for; each order of commutative operands is a rule of its own.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum import primitives
from oakum.compile.simplify import folding
from oakum.compile.simplify.patterns import (
    CLASSES,
    ONES,
    Application,
    Constant,
    Match,
    Number,
    Operand,
    Pattern,
    Rule,
    parse,
    root_of,
    variants,
)
from oakum.dtypes import DType, Kind
from oakum.lax.elementary import FUNCTIONS
from oakum.tracing.ir import Atom, Literal, Var
from oakum.tracing.jaxpr_verifier import same
from oakum.tracing.parameter_forms import parameters
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

if TYPE_CHECKING:
    from oakum.compile.simplify.draft import Draft

Rewrite = Callable[
    ["Draft", Primitive, Sequence[Atom], Mapping[str, Any], ShapedArray], "Atom | None"
]
"""Gives the value that replaces the result of a primitive; None where the rule does not match."""

_HOMES: Final = {
    name: module
    for module, names in {
        "arithmetic": "abs add div integer_pow max min mul neg sign square sub",
        "bitwise": "and not or xor",
        "broadcasting": "broadcast_in_dim",
        "comparison": "eq ge gt le lt ne",
        "contraction": "dot_general",
        "conversion": "convert_element_type imag real",
        "reductions": "reduce_max reduce_min reduce_prod reduce_sum",
        "reshaping": "reshape",
        "selection": "select_n",
        "slicing": "slice",
        "transposition": "rev transpose",
    }.items()
    for name in names.split()
}
"""The modules of the primitives that replacements name."""

_NONE: Final[Mapping[str, Any]] = {}


@functools.cache
def named(name: str) -> Primitive:
    """Returns the primitive of this name, of those that replacements use."""
    if name in FUNCTIONS:
        return FUNCTIONS[name].primitive
    return getattr(getattr(primitives, _HOMES[name]), f"{name}_p")


Step = Callable[[Match, Atom], bool]
"""Matches a value with a part of a pattern; what letters stand for is added to the match."""


def _step(pattern: Pattern, single_use: bool) -> Step:
    match pattern:
        case Operand(name):
            return lambda found, atom: _bind(found, name, atom)
        case Constant(name):
            return lambda found, atom: (
                found.draft.uniform(atom) is not None and _bind(found, name, atom)
            )
        case Number(value):
            return lambda found, atom: _is_number(found.draft.uniform(atom), value)
        case Application():
            return _application(pattern, single_use)


def _application(pattern: Application, single_use: bool) -> Step:
    inside = _operands(pattern, single_use)

    def step(found: Match, atom: Atom) -> bool:
        equation = found.draft.producer(atom)
        if equation is None or not inside(
            found, equation.primitive, equation.inputs, equation.params
        ):
            return False
        if single_use and isinstance(atom, Var) and found.draft.uses.get(atom, 1) > 1:
            found.draft.blocked = True
            return False
        return True

    return step


Inside = Callable[[Match, Primitive, Sequence[Atom], Mapping[str, Any]], bool]


def _operands(pattern: Application, single_use: bool) -> Inside:
    steps = [_step(each, single_use) for each in pattern.arguments]
    label, count = pattern.label, len(steps)
    is_of = _primitive_test(pattern.operation)

    def inside(
        found: Match, primitive: Primitive, inputs: Sequence[Atom], params: Mapping[str, Any]
    ) -> bool:
        if not is_of(found, primitive):
            return False
        if len(inputs) != count:
            if not pattern.rest or len(inputs) < count:
                return False
            found.rest = tuple(inputs[count:])
        if label is not None:
            found.params[label] = params
        elif params and any(value is not None for value in params.values()):
            return False
        return all(step(found, atom) for step, atom in zip(steps, inputs, strict=False))

    return inside


def _primitive_test(operation: str) -> Callable[[Match, Primitive], bool]:
    """Returns whether a primitive is the one of a pattern, or the same of a class as elsewhere in
    it.
    """
    names = CLASSES.get(operation)
    if names is None:
        return lambda found, primitive: primitive.name == operation
    return lambda found, primitive: (
        primitive.name in names and found.primitives.setdefault(operation, primitive) is primitive
    )


def _bind(found: Match, name: str, atom: Atom) -> bool:
    known = found.atoms.get(name)
    if known is None:
        found.atoms[name] = atom
        return True
    return folding.same_atom(known, atom)


def _is_number(literal: Literal | None, value: float | str) -> bool:
    if literal is None or literal.aval.dtype is None:
        return False
    raw = literal.raw
    match literal.aval.dtype.kind:
        case Kind.BOOL:
            return bool(raw) == (value == ONES or bool(value))
        case Kind.INT | Kind.UINT:
            return bool((~raw == 0) if value == ONES else (raw == value))
        case Kind.FLOAT:
            found = float(raw)
            if found != value:
                return False
            return found != 0 or math.copysign(1, found) == math.copysign(1, float(value))
        case _:
            return False


def number(value: float | str, dtype: DType) -> Any:
    """Returns a number of a pattern as a scalar of the host."""
    np, kind = host.np, host.dtype(dtype)
    if value == ONES:
        return ~np.zeros((), kind)
    return np.array(value).astype(kind)


Build = Callable[[Match], Atom]


def rewrite_of(rule: Rule, variant: Application) -> Rewrite:
    """Returns the function of a rule whose pattern is this variant of the rule's own."""
    inside = _operands(variant, rule.single_use)
    build = _root(parse(rule.replacement))
    dtypes, where = rule.dtypes, rule.where

    def rewrite(
        draft: Draft,
        primitive: Primitive,
        inputs: Sequence[Atom],
        params: Mapping[str, Any],
        result: ShapedArray,
    ) -> Atom | None:
        found = Match(draft, result)
        if not inside(found, primitive, inputs, params):
            return None
        if dtypes is not None and found.atoms["x"].aval.dtype not in dtypes:
            return None
        if where is not None:
            bindings = where(found)
            if bindings is None:
                return None
            for name, value in bindings.items():
                if isinstance(value, (Var, Literal)):
                    found.atoms[name] = value
                else:
                    found.params[name] = value
        atom = build(found)
        assert same(atom.aval, result), (rule.name, atom.aval, result)
        draft.applied[rule.name] = draft.applied.get(rule.name, 0) + 1
        return atom

    return rewrite


def _root(pattern: Pattern) -> Build:
    if isinstance(pattern, Number):
        value = pattern.value

        def build(found: Match) -> Atom:
            dtype = found.result.dtype
            assert dtype is not None
            return found.draft.filled(number(value, dtype), found.result)

        return build
    return _part(pattern)


def _part(pattern: Pattern) -> Build:
    match pattern:
        case Operand(name) | Constant(name):
            return lambda found: found.atoms[name]
        case Application():
            return _call(pattern)
        case Number():
            raise AssertionError("a number stands beside an operand")


def _call(pattern: Application) -> Build:
    parts = [None if isinstance(each, Number) else _part(each) for each in pattern.arguments]
    numbers = [each.value if isinstance(each, Number) else 0 for each in pattern.arguments]
    operation, label, rest = pattern.operation, pattern.label, pattern.rest

    def build(found: Match) -> Atom:
        made = [None if part is None else part(found) for part in parts]
        beside = next(each for each in made if each is not None).aval
        assert beside.dtype is not None
        inputs = [
            found.draft.filled(number(value, beside.dtype), beside) if each is None else each
            for each, value in zip(made, numbers, strict=True)
        ]
        primitive = found.primitives.get(operation) or named(operation)
        params = _no_params(operation) if label is None else found.params[label]
        return found.draft.one(primitive, [*inputs, *(found.rest if rest else ())], params)

    return build


@functools.cache
def _no_params(operation: str) -> Mapping[str, Any]:
    names = parameters(named(operation))
    return dict.fromkeys(sorted(names)) if names else _NONE


_REMEMBERED: Final = 4096
"""The most selections of rules that are remembered; then all are dropped."""


class Ruleset:
    """Rules by the primitive of their root."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_root: dict[str, list[Rule]] = {}
        self._entries: dict[str, Sequence[tuple[Application, Rewrite]]] = {}
        self._candidates: dict[Any, Sequence[Rewrite]] = {}
        for rule in rules:
            root = root_of(rule.pattern)
            for name in CLASSES.get(root, (root,)):
                self._by_root.setdefault(name, []).append(rule)

    def _entries_of(self, name: str) -> Sequence[tuple[Application, Rewrite]]:
        """What the rules for a primitive are, read when a program first has it."""
        found = self._entries.get(name)
        if found is None:
            rules = self._by_root.get(name, ())
            found = self._entries[name] = [each for rule in rules for each in _prepare(rule)]
        return found

    def candidates(self, name: str, heads: tuple[str, ...]) -> Sequence[Rewrite]:
        """Returns the rules for a primitive whose operands come from these primitives.

        The head of an operand is the name of the primitive that gives it, and for a known number
        `keys.head_of`, and after it the name.
        """
        key = (name, heads)
        found = self._candidates.get(key)
        if found is None:
            if len(self._candidates) >= _REMEMBERED:
                self._candidates.clear()
            entries = self._entries_of(name)
            found = [rewrite for pattern, rewrite in entries if _may_fit(pattern, heads)]
            self._candidates[key] = found
        return found


@functools.cache
def _prepare(rule: Rule) -> tuple[tuple[Application, Rewrite], ...]:
    """Returns a rule in each order of its operands."""
    found: list[tuple[Application, Rewrite]] = []
    for variant in variants(parse(rule.pattern)):
        assert isinstance(variant, Application)
        found.append((variant, rewrite_of(rule, variant)))
    return tuple(found)


def _may_fit(pattern: Application, heads: Sequence[str]) -> bool:
    count = len(pattern.arguments)
    if len(heads) < count or (len(heads) > count and not pattern.rest):
        return False
    return all(map(_head_fits, pattern.arguments, heads))


def _head_fits(pattern: Pattern, head: str) -> bool:
    number, _, name = head.partition(" ") if head.startswith("#") else ("", "", head)
    match pattern:
        case Operand():
            return True
        case Constant():
            return bool(number)
        case Number(value):
            return _number_fits(value, number)
        case Application(operation):
            return name in CLASSES.get(operation, (operation,))


def _number_fits(value: float | str, number: str) -> bool:
    if value == ONES:
        return number.endswith(ONES)
    shown = "-0" if value == 0 and math.copysign(1, float(value)) < 0 else f"{value:.0f}"
    return number.removeprefix("#").removesuffix(ONES) == shown
