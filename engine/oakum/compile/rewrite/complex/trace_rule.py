"""Traced rules: operations on complex numbers as programs of real ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from oakum import config
from oakum.array import Array
from oakum.compile.loops.elements import shape_of
from oakum.compile.problems.problem import Kernels, solved_of
from oakum.compile.rewrite.complex import (
    combining_scatters,
    complex_arithmetic,
    complex_movement,
    elementary,
    fourier_passes,
    products,
)
from oakum.compile.rewrite.complex.complex_pair import Pair, Rows, part_aval
from oakum.compile.rewrite.rewriter import is_complex, rows_aval
from oakum.dtypes import Kind
from oakum.tracing.ir import ClosedJaxpr, Equation
from oakum.tracing.jaxpr_trace import stage
from oakum.values.avals import ShapedArray
from oakum.values.records import dataclass

_RULES: Final[dict[str, Callable[..., Any]]] = {
    **complex_arithmetic.RULES,
    **elementary.RULES,
    **fourier_passes.RULES,
    **products.RULES,
    **complex_movement.RULES,
    **combining_scatters.RULES,
}
_PRODUCTS: Final = ("dot_general", "conv_general_dilated")
_OF_ROWS: Final = (*_PRODUCTS, *combining_scatters.RULES, "gather")
"""Operations whose rules take rows of both parts."""


def takes_rows(eqn: Equation) -> bool:
    """Returns whether the rule for an equation takes rows of both parts."""
    return _rule_of(eqn) in _OF_ROWS


def _rule_of(eqn: Equation) -> str:
    """Returns the name of the rule for an equation."""
    name = eqn.primitive.name
    if name == "dot_general":
        lhs, rhs = (shape_of(atom.aval) for atom in eqn.inputs)
        if products.is_inner(lhs, rhs, eqn.params["dimension_numbers"]):
            return f"inner {name}"
    return name


def has_rule(eqn: Equation, kernels: Kernels) -> bool:
    """Returns whether an equation is written as a function of pairs."""
    name = eqn.primitive.name
    if name in _PRODUCTS:
        return all(map(is_complex, (*eqn.inputs, *eqn.outputs)))
    if name == "fft":
        problem = solved_of(eqn)
        if problem is not None and kernels.takes(problem):
            return False  # A kernel of its own is compiled sooner.
        return fourier_passes.applies(shape_of(eqn.inputs[0].aval), **eqn.params)
    return name in _RULES


@dataclass(frozen=True, slots=True)
class Staged:
    """A rule as a program of parts."""

    program: ClosedJaxpr
    of_rows: bool
    """Whether it takes parts beside each other."""
    form: Literal["pair", "rows", "real"]
    """What it gives."""


def staged(eqn: Equation) -> Staged:
    """Returns the rule for an equation as a program."""
    avals, params = tuple(x.aval for x in eqn.inputs), tuple(eqn.params.items())
    try:
        hash(params)
    except TypeError:
        return _stage(_rule_of(eqn), avals, params)
    return _remembered(_rule_of(eqn), avals, params)


def _stage(
    name: str, avals: tuple[ShapedArray, ...], params: tuple[tuple[str, Any], ...]
) -> Staged:
    of_rows, forms = name in _OF_ROWS, list[Any]()
    flat: list[ShapedArray] = []
    for aval in avals:
        if not _holds_complex(aval):
            flat.append(aval)
        else:
            flat += [rows_aval(aval)] if of_rows else [part_aval(aval)] * 2

    def function(*parts: Array) -> Sequence[Any]:
        rest = iter(parts)
        operands: list[Any] = []
        for aval in avals:
            first = next(rest)
            if _holds_complex(aval):
                first = Rows(first) if of_rows else Pair(first, next(rest))
            operands.append(first)
        found = _RULES[name](*operands, **dict(params))
        match found:
            case Pair(real, imag):
                forms.append("pair")
                return [real, imag]
            case Rows(array):
                forms.append("rows")
                return [array]
            case _:
                forms.append("real")
                return [found]

    # The operands' dtypes are what they are, wherever the program is compiled.
    with config.enable_x64(True):
        program = stage(function, flat, name=name)
    return Staged(program, of_rows, forms[0])


def _holds_complex(aval: ShapedArray) -> bool:
    return aval.dtype is not None and aval.dtype.kind is Kind.COMPLEX


_remembered = functools.lru_cache(maxsize=256)(_stage)
