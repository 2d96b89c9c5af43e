"""Expansion of primitives into simpler ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from oakum import config
from oakum.array import Array
from oakum.compile.rewrite import rewriter
from oakum.primitives.rules.lowering import Decomposed
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Jaxpr, Var
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray


def expand(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without primitives that have a decomposition, in loops and branches
    too.
    """
    return rewriter.rewrite_all(closed, _expanded)


def _expanded(closed: ClosedJaxpr) -> ClosedJaxpr:
    if not any(_is_decomposed(eqn) for eqn in closed.eqns):
        return closed
    return inline(closed, _decomposition)


def inline(
    closed: ClosedJaxpr, decomposition: Callable[[Equation], ClosedJaxpr | None]
) -> ClosedJaxpr:
    """Returns the program with the programs that a function returns for equations in the place of
    these.
    """
    eqns: list[Equation] = []
    constants = list(zip(closed.jaxpr.constvars, closed.consts, strict=True))
    renamed: dict[Var, Atom] = {}

    def read(atom: Atom) -> Atom:
        while isinstance(atom, Var) and atom in renamed:
            atom = renamed[atom]
        return atom

    # What a decomposition is made of may have one itself, and its last equation, too.
    waiting = list(reversed(closed.eqns))
    while waiting:
        eqn = waiting.pop()
        inner = decomposition(eqn)
        if inner is None:
            inputs = [read(x) for x in eqn.inputs]
            eqns.append(
                Equation(eqn.primitive, inputs, eqn.outputs, eqn.params, eqn.effects, eqn.source)
            )
            continue
        fresh: dict[Var, Atom] = dict(zip(inner.jaxpr.invars, map(read, eqn.inputs), strict=True))
        for var, value in zip(inner.jaxpr.constvars, inner.consts, strict=True):
            copy = fresh[var] = Var(var.aval)
            constants.append((copy, value))
        body = [_rename(each, fresh, eqn) for each in inner.eqns]
        for var, atom in zip(eqn.outputs, inner.jaxpr.outvars, strict=True):
            renamed[var] = fresh[atom] if isinstance(atom, Var) else atom
        waiting += reversed(body)
    jaxpr = Jaxpr(
        [var for var, _ in constants],
        closed.jaxpr.invars,
        [read(x) for x in closed.jaxpr.outvars],
        eqns,
        closed.jaxpr.name,
    )
    return ClosedJaxpr(jaxpr, [value for _, value in constants])


def without_barriers(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without barriers, once no pass moves anything across them."""
    return rewriter.rewrite_all(closed, _opened)


def _opened(closed: ClosedJaxpr) -> ClosedJaxpr:
    old = closed.jaxpr
    renamed: dict[Var, Atom] = {}
    eqns: list[Equation] = []

    def read(atom: Atom) -> Atom:
        return renamed.get(atom, atom) if isinstance(atom, Var) else atom

    for eqn in old.eqns:
        inputs = [read(x) for x in eqn.inputs]
        if eqn.primitive.name == "optimization_barrier":
            renamed.update(zip(eqn.outputs, inputs, strict=True))
            continue
        eqns.append(
            Equation(eqn.primitive, inputs, eqn.outputs, eqn.params, eqn.effects, eqn.source)
        )
    if not renamed:
        return closed
    results = [read(x) for x in old.outvars]
    return ClosedJaxpr(Jaxpr(old.constvars, old.invars, results, eqns, old.name), closed.consts)


def _is_decomposed(eqn: Equation) -> bool:
    lower: Any = eqn.primitive.lower
    if not isinstance(lower, Decomposed) or eqn.effects:
        return False
    return lower.applies(*[x.aval for x in eqn.inputs], **eqn.params)


def _decomposition(eqn: Equation) -> ClosedJaxpr | None:
    if not _is_decomposed(eqn):
        return None
    avals, params = tuple(x.aval for x in eqn.inputs), tuple(eqn.params.items())
    try:
        hash(params)
    except TypeError:
        inner = _stage(eqn.primitive, avals, params)
    else:
        inner = _remembered(eqn.primitive, avals, params)
    for aval, var in zip(inner.out_avals, eqn.outputs, strict=True):
        assert aval.shape == var.aval.shape, f"{eqn.primitive} gives {aval}, not {var.aval}"
        assert aval.dtype is var.aval.dtype, f"{eqn.primitive} gives {aval}, not {var.aval}"
    return inner


def _stage(
    primitive: Primitive, avals: tuple[ShapedArray, ...], params: tuple[tuple[str, Any], ...]
) -> ClosedJaxpr:
    def function(*operands: Array) -> Sequence[Any]:
        results = primitive.lower.function(*operands, **dict(params))
        return results if primitive.multiple_results else [results]

    return stage_function(function, avals, primitive.name)


def stage_function(
    function: Callable[..., Sequence[Any]], avals: Sequence[ShapedArray], name: str
) -> ClosedJaxpr:
    """Returns the program of a function that stands for a primitive."""
    # The operands' dtypes are what they are, wherever the program is compiled.
    with config.enable_x64(True):
        return stage(function, avals, name=name)


_remembered = functools.lru_cache(maxsize=256)(_stage)


def _rename(eqn: Equation, fresh: dict[Var, Atom], origin: Equation) -> Equation:
    """Returns an equation with new variables."""
    inputs = [fresh[x] if isinstance(x, Var) else x for x in eqn.inputs]
    outputs: list[Var] = []
    for var in eqn.outputs:
        copy = fresh[var] = Var(var.aval)
        outputs.append(copy)
    return Equation(eqn.primitive, inputs, outputs, eqn.params, eqn.effects, origin.source)
