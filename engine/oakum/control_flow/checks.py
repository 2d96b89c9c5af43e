"""Checks in programs, and programs with checks as programs that return which one has failed.

A check is an operation without results. `CheckedProgram` applies a program and carries the number
of the first check that has failed, with the values that its message shows, through its loops and
branches.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import ModuleType
from typing import Any, Final, cast

from oakum import dtypes, lax
from oakum.array import Array
from oakum.control_flow.cond import switch_clamped
from oakum.control_flow.cond_primitive import cond_p
from oakum.control_flow.scan import scan
from oakum.control_flow.scan_primitive import cut, scan_p
from oakum.control_flow.while_loop import while_loop
from oakum.control_flow.while_primitive import while_p
from oakum.dtypes import Kind
from oakum.errors import FailedCheckError, NotEvaluatedError, UncollectedCheckError
from oakum.primitives.rules.arguments import shape_of
from oakum.primitives.rules.batching import broadcast, move
from oakum.tracing.ir import Atom, ClosedJaxpr, Equation, Var
from oakum.tracing.jaxpr_trace import StagingTrace
from oakum.tracing.trace import AxisData, Primitive, Trace, current_trace
from oakum.transforms.custom_rules.checkpoint import remat_p
from oakum.transforms.custom_rules.custom_jvp import custom_jvp_p
from oakum.transforms.custom_rules.custom_vjp import custom_vjp_p
from oakum.transforms.jit.jit_primitive import jit_p
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.avals import ShapedArray
from oakum.values.option_values import HASHABLE, State
from oakum.values.records import dataclass
from oakum.values.user_frames import user_frame

collected: Final[State[bool]] = State("checks are collected", False, HASHABLE, traced=True)
"""Whether checks are operations of a program that `checkify` reads."""

Text = Callable[[Sequence[Any]], str]
"""Returns the message of a failed check for the values that it shows."""


def _abstract(*avals: ShapedArray, **_: object) -> list[ShapedArray]:
    return []


def _evaluate(xp: ModuleType, pred: host.Array, *shown: host.Array, text: Text) -> list[Any]:
    if not pred.all():
        place = int(xp.flatnonzero(~pred.reshape(-1))[-1])
        own = [x.reshape(-1, *x.shape[pred.ndim :])[place] for x in shown]
        raise FailedCheckError(text(own))
    return []


def _jvp(primals: Sequence[Any], tangents: object, *, text: Text) -> tuple[list[Any], list[Any]]:
    return check_p.bind(*primals, text=text), []


def _batch(
    axis: AxisData, operands: Sequence[Any], dims: Sequence[int | None], *, text: Text
) -> tuple[list[Any], list[int]]:
    """Checks all members: what is shown has the axes of the predicate first."""
    whole = [
        broadcast(x, axis.size, 0) if dim is None else move(x, dim, 0)
        for x, dim in zip(operands, dims, strict=True)
    ]
    return check_p.bind(*whole, text=text), []


def _effects(**_: object) -> frozenset[str]:
    return frozenset(("check",))


check_p = Primitive(
    "check",
    abstract=_abstract,
    evaluate=_evaluate,
    jvp=_jvp,
    batch=_batch,
    effects=_effects,
    multiple_results=True,
)
"""Whether a predicate, or each element of it, is true: the other operands are shown if not."""


_DESCRIBING: Final = ("eval_shape", "make_jaxpr")
"""Transforms that describe a program and do not run it."""


def check(pred: ArrayLike, shown: Sequence[ArrayLike], text: Text) -> None:
    """Checks a predicate at once, or in the program that is recorded if that is one with checks."""
    trace: Trace | None = None if collected.value else current_trace()
    while trace is not None:
        if isinstance(trace, StagingTrace) and trace.transform not in _DESCRIBING:
            raise UncollectedCheckError(
                "Cannot abstractly evaluate a checkify.check which was not functionalized",
                detail="A check in a traced function has no effect of its own",
                hint="Call the function by checkify.checkify, which returns the error.",
                frame=user_frame(),
            )
        trace = trace.parent
    check_p.bind(pred, *shown, text=text)


@dataclass(frozen=True, slots=True)
class Site:
    """A check in a program: its message, and the shapes and dtypes of what it shows."""

    text: Text
    shown: tuple[ShapedArray, ...]


@dataclass(frozen=True, slots=True)
class _Fixed:
    """The message of a check of the system."""

    message: str

    def __call__(self, shown: Sequence[Any]) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class _OutOfBounds:
    """The message of an index that is out of the bounds of an array."""

    shape: tuple[int, ...]

    def __call__(self, shown: Sequence[Any]) -> str:
        index, axis = (int(each) for each in shown)
        return (
            f"out-of-bounds indexing for array of shape {self.shape}: index {index} is out of "
            f"bounds for axis {axis} with size {self.shape[axis]}. "
        )


Failure = tuple[Any, tuple[tuple[Any, ...], ...]]
"""The number of the first check that has failed, or -1, and what each check shows."""

_UNCHECKED: Final = frozenset(
    """broadcast_in_dim broadcast concatenate convert_element_type copy copy_p dynamic_slice
    dynamic_update_slice expand_dims gather iota neg pad reshape rev select select_n slice sort
    squeeze stop_gradient transpose""".split()
)
"""Operations that only move numbers: a NaN in a result of theirs was one before."""

Positions = list[tuple[Any, int, int]]
"""Indices along an axis of an array, with the greatest that is in bounds."""

_INDEX: Final = ShapedArray((), dtypes.int32)


def _of_slice(operands: Sequence[Any], params: Mapping[str, Any]) -> Positions:
    operand, *starts = operands
    sizes = zip(operand.shape, params["slice_sizes"], strict=True)
    pairs = zip(starts, sizes, strict=True)
    return [(start, axis, n - size) for axis, (start, (n, size)) in enumerate(pairs)]


def _of_update(operands: Sequence[Any], params: Mapping[str, Any]) -> Positions:
    operand, update, *starts = operands
    return _of_slice([operand, *starts], {"slice_sizes": update.shape})


def _of_gather(operands: Sequence[Any], params: Mapping[str, Any]) -> Positions:
    operand, indices = operands
    axes = params["dimension_numbers"].start_index_map
    return _of_columns(operand, indices, axes, params["slice_sizes"])


def _of_scatter(operands: Sequence[Any], params: Mapping[str, Any]) -> Positions:
    operand, indices, updates = operands
    numbers = params["dimension_numbers"]
    single = (*numbers.inserted_window_dims, *numbers.operand_batching_dims)
    window = iter(updates.shape[axis] for axis in numbers.update_window_dims)
    sizes = [1 if axis in single else next(window) for axis in range(len(operand.shape))]
    return _of_columns(operand, indices, numbers.scatter_dims_to_operand_dims, sizes)


def _of_columns(
    operand: Array, indices: Array, axes: Sequence[int], sizes: Sequence[int]
) -> Positions:
    last = len(indices.shape) - 1
    return [
        (
            lax.index_in_dim(indices, i, last, keepdims=False),
            axis,
            operand.shape[axis] - sizes[axis],
        )
        for i, axis in enumerate(axes)
    ]


_INDEXING: Final[Mapping[str, Callable[..., Positions]]] = {
    "dynamic_slice": _of_slice,
    "dynamic_update_slice": _of_update,
    "gather": _of_gather,
    **dict.fromkeys(
        "scatter scatter-add scatter-sub scatter-mul scatter-min scatter-max".split(), _of_scatter
    ),
}


def _first_outside(positions: Positions) -> tuple[Any, Any, Any]:
    """Returns whether an index is out of bounds, the first that is, and its axis."""
    if not positions:
        zero = lax.full((), 0, dtypes.int32)
        return lax.full((), False, dtypes.bool_), zero, zero
    columns: list[Any] = []
    axes: list[Any] = []
    most: list[Any] = []
    for index, axis, greatest in positions:
        shape = (index.size, 1)
        columns.append(lax.reshape(lax.convert_element_type(index, dtypes.int32), shape))
        axes.append(lax.full(shape, axis, dtypes.int32))
        most.append(lax.full(shape, greatest, dtypes.int32))
    # The first is the first place that is read or written, and the first axis there.
    indices, along, bound = (
        lax.reshape(lax.concatenate(each, 1), (len(positions) * each[0].size,))
        for each in (columns, axes, most)
    )
    outside = lax.bitwise_or(lax.lt(indices, lax.full_like(indices, 0)), lax.gt(indices, bound))
    if not indices.size:
        zero = lax.full((), 0, dtypes.int32)
        return _any(outside), zero, zero
    last = lax.full_like(indices, indices.size - 1)
    place = lax.reduce_min(lax.select(outside, lax.iota(dtypes.int32, indices.size), last), (0,))
    first = [lax.dynamic_index_in_dim(x, place, 0, keepdims=False) for x in (indices, along)]
    return _any(outside), first[0], first[1]


_CALLS: Final = (jit_p, remat_p)
_CUSTOM: Final = (custom_jvp_p, custom_vjp_p)


def _holds(eqn: Equation) -> Iterator[ClosedJaxpr]:
    """The programs that an operation holds."""
    for value in eqn.params.values():
        if isinstance(value, ClosedJaxpr):
            yield value
        elif isinstance(value, tuple):
            several = cast("tuple[object, ...]", value)
            yield from (each for each in several if isinstance(each, ClosedJaxpr))


class CheckedProgram:
    """A program that is applied together with its checks.

    `nan`, `division` and `index` say that results that are NaN, divisions by zero and indices out
    of bounds are errors, `user` that the checks of the program are.
    """

    def __init__(
        self, closed: ClosedJaxpr, *, user: bool, nan: bool, division: bool, index: bool
    ) -> None:
        self.user = user
        self.nan = nan
        self.division = division
        self.index = index
        self._closed = closed
        self.sites: list[Site] = []
        self._numbers: dict[tuple[int, str], int] = {}
        """The numbers of the checks at an equation."""
        self._checked: set[int] = set()
        """The programs that have checks."""
        self._collect(closed)

    def _collect(self, closed: ClosedJaxpr) -> bool:
        before = len(self.sites)
        for eqn in closed.eqns:
            if eqn.primitive is check_p:
                if self.user:
                    rank = len(eqn.inputs[0].aval.shape or ())
                    shown = [_below(atom.aval, rank) for atom in eqn.inputs[1:]]
                    self._add(eqn, "check", Site(eqn.params["text"], tuple(shown)))
                continue
            inner = list(_holds(eqn))
            if inner and eqn.primitive in (*_CALLS, scan_p, while_p, cond_p):
                for each in inner:
                    self._collect(each)
                continue
            if eqn.primitive in _CUSTOM and "check" not in inner[0].effects:
                self._collect(inner[0])
                continue
            if any("check" in each.effects for part in inner for each in part.eqns) and self.user:
                raise NotEvaluatedError(
                    f"checkify does not go into `{eqn.primitive.name}`, which has checks in it",
                    hint="Check outside of functions with derivative rules of their own.",
                    frame=user_frame(),
                )
            self._collect_numbers(eqn)
        if len(self.sites) > before:
            self._checked.add(id(closed))
        return len(self.sites) > before

    def _collect_numbers(self, eqn: Equation) -> None:
        name = eqn.primitive.name
        if self.division and name == "div":
            self._add(eqn, "division", Site(_Fixed("division by zero"), ()))
        if self.index and name in _INDEXING:
            shape = shape_of(eqn.inputs[0].aval)
            self._add(eqn, "index", Site(_OutOfBounds(shape), (_INDEX, _INDEX)))
        if self.nan and name not in _UNCHECKED and any(map(_is_float, eqn.outputs)):
            self._add(eqn, "nan", Site(_Fixed(f"nan generated by primitive: {name}."), ()))

    def _add(self, eqn: Equation, kind: str, site: Site) -> None:
        self._numbers[id(eqn), kind] = len(self.sites)
        self.sites.append(site)

    def __call__(self, *arguments: object) -> tuple[Failure, list[Any]]:
        """Returns which check has failed first, and the results."""
        shown = tuple(
            tuple(lax.full(shape_of(a), 0, a.dtype) for a in site.shown) for site in self.sites
        )
        return self._run(self._closed, (lax.full((), -1, dtypes.int32), shown), arguments)

    def _run(
        self, closed: ClosedJaxpr, failure: Failure, arguments: Sequence[object]
    ) -> tuple[Failure, list[Any]]:
        values: dict[Any, Any] = dict(zip(closed.jaxpr.constvars, closed.consts, strict=True))
        values.update(zip(closed.jaxpr.invars, arguments, strict=True))

        def read(atom: Atom) -> Any:
            return values[atom] if isinstance(atom, Var) else atom.val

        for eqn in closed.eqns:
            operands = [read(atom) for atom in eqn.inputs]
            failure, results = self._apply(eqn, failure, operands)
            values.update(zip(eqn.outputs, results, strict=True))
        return failure, [read(atom) for atom in closed.jaxpr.outvars]

    def _apply(
        self, eqn: Equation, failure: Failure, operands: Sequence[Any]
    ) -> tuple[Failure, Sequence[Any]]:
        primitive, params = eqn.primitive, eqn.params
        if primitive is check_p:
            if self.user:
                failed = lax.bitwise_not(operands[0])
                failure = self._note(failure, eqn, "check", failed, operands[1:])
            return failure, []
        if primitive in _CUSTOM and id(params["jaxpr"]) in self._checked:
            # The results keep the derivative rule; where both are compiled, they are one program.
            failure, _ = self._run(params["jaxpr"], failure, operands)
            return failure, primitive.bind(*operands, **params)
        if any(id(each) in self._checked for each in _holds(eqn)):
            inside = {scan_p: self._scan, while_p: self._while, cond_p: self._cond}
            run: Callable[..., Any] = inside.get(primitive, self._call)
            return run(failure, operands, **params)
        result = primitive.bind(*operands, **params)
        results: list[Any] = list(result) if primitive.multiple_results else [result]
        return self._note_numbers(failure, eqn, operands, results), results

    def _note_numbers(
        self, failure: Failure, eqn: Equation, operands: Sequence[Any], results: Sequence[Any]
    ) -> Failure:
        """Returns the failure with indices out of bounds, divisions by zero and results that are
        NaN.
        """
        if (id(eqn), "index") in self._numbers:
            failed, *shown = _first_outside(_INDEXING[eqn.primitive.name](operands, eqn.params))
            failure = self._note(failure, eqn, "index", failed, shown)
        if (id(eqn), "division") in self._numbers:
            zero = lax.eq(operands[1], lax.full_like(operands[1], 0))
            failure = self._note(failure, eqn, "division", _any(zero), ())
        if (id(eqn), "nan") in self._numbers:
            for var, each in zip(eqn.outputs, results, strict=True):
                if _is_float(var):
                    failure = self._note(failure, eqn, "nan", _any(lax.ne(each, each)), ())
        return failure

    def _note(
        self, failure: Failure, eqn: Equation, kind: str, failed: Array, shown: Sequence[Any]
    ) -> Failure:
        """Returns the failure with that of a check, if it has failed and is the first."""
        code, before = failure
        number = self._numbers[id(eqn), kind]
        rank = len(failed.shape)
        if rank:
            flat = lax.reshape(failed, (failed.size,))
            count = lax.iota(dtypes.int32, failed.size)
            place = lax.reduce_max(lax.select(flat, count, lax.full_like(count, 0)), (0,))
            shown = [
                lax.dynamic_index_in_dim(
                    lax.reshape(x, (failed.size, *x.shape[rank:])), place, 0, keepdims=False
                )
                for x in shown
            ]
            failed = _any(flat)
        new = lax.bitwise_and(failed, lax.lt(code, lax.full_like(code, 0)))
        own = tuple(
            lax.select(lax.broadcast(new, old.shape), lax.convert_element_type(x, old.dtype), old)
            for x, old in zip(shown, before[number], strict=True)
        )
        values = (*before[:number], own, *before[number + 1 :])
        return lax.select(new, lax.full_like(code, number), code), values

    def _call(
        self, failure: Failure, operands: Sequence[Any], *, jaxpr: ClosedJaxpr, **_: object
    ) -> tuple[Failure, list[Any]]:
        return self._run(jaxpr, failure, operands)

    def _scan(
        self,
        failure: Failure,
        operands: Sequence[Any],
        *,
        jaxpr: ClosedJaxpr,
        length: int,
        reverse: bool,
        consts: int,
        carry: int,
        unroll: int,
    ) -> tuple[Failure, list[Any]]:
        constants, state, slices = cut(operands, consts, carry)

        def body(now: tuple[Failure, list[Any]], own: Sequence[Any]) -> Any:
            found, state = now
            found, results = self._run(jaxpr, found, [*constants, *state, *own])
            return (found, results[:carry]), results[carry:]

        (failure, state), stacked = scan(
            body, (failure, state), slices, length, reverse=reverse, unroll=unroll
        )
        return failure, [*state, *stacked]

    def _while(
        self,
        failure: Failure,
        operands: Sequence[Any],
        *,
        cond_jaxpr: ClosedJaxpr,
        body_jaxpr: ClosedJaxpr,
        cond_consts: int,
        body_consts: int,
    ) -> tuple[Failure, list[Any]]:
        """Runs the condition once before the loop and at the end of its body."""
        for_condition, for_body, state = cut(operands, cond_consts, body_consts)

        def condition(found: Failure, state: Sequence[Any]) -> tuple[Failure, Any]:
            found, (is_true,) = self._run(cond_jaxpr, found, [*for_condition, *state])
            return found, is_true

        def body(now: tuple[Failure, object, Sequence[Any]]) -> Any:
            found, _, state = now
            found, state = self._run(body_jaxpr, found, [*for_body, *state])
            return *condition(found, state), state

        def goes_on(now: tuple[Failure, object, Sequence[Any]]) -> Any:
            return now[1]

        first = (*condition(failure, state), list(state))
        failure, _, state = while_loop(goes_on, body, first)
        return failure, state

    def _cond(
        self, failure: Failure, operands: Sequence[Any], *, branches: Sequence[ClosedJaxpr]
    ) -> tuple[Failure, list[Any]]:
        index, *rest = operands

        def branch(closed: ClosedJaxpr) -> Callable[..., Any]:
            return functools.partial(self._run, closed)

        functions = [branch(each) for each in branches]
        return switch_clamped(
            lax.convert_element_type(index, dtypes.int32), functions, (failure, rest)
        )


def _below(aval: ShapedArray, rank: int) -> ShapedArray:
    return ShapedArray((aval.shape or ())[rank:], aval.dtype)


def _is_float(var: Var) -> bool:
    return dtypes.is_kind(var.aval.dtype, Kind.FLOAT, Kind.COMPLEX) is True


def _any(flags: Array) -> Any:
    return lax.reduce_or(flags, tuple(range(len(flags.shape))))
