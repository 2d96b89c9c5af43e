"""Batching: a function is mapped over an axis by giving every operation its batched form."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

from oakum.primitives.rules.batching import broadcast, move, move_to_front, rule_of
from oakum.primitives.rules.derivatives import Zero
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import ClosedJaxpr, eval_closed, kept, operation_source
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import (
    AxisData,
    Primitive,
    Trace,
    Tracer,
    aval_of,
    current_trace,
    full_text,
    named_axis,
    refuse_dead,
    under,
)
from oakum.typing import ArrayLike
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import UserFrame

Dim = int | None


class BatchTracer(Tracer):
    """One element of a mapped value: it has no value of its own."""

    __slots__ = ("dim", "value")

    def __init__(
        self, trace: Trace, value: ArrayLike, dim: int, source: tuple[UserFrame, ...]
    ) -> None:
        super().__init__(trace, source)
        self.value = value
        self.dim = dim

    @property
    def aval(self) -> ShapedArray:
        return without_axis(aval_of(self.value), self.dim)

    def __repr__(self) -> str:
        return f"VmapTracer(aval={full_text(self.aval)}, batched={full_text(aval_of(self.value))})"


def without_axis(aval: ShapedArray, dim: Dim) -> ShapedArray:
    """Returns the aval of one element along an axis."""
    if dim is None:
        return aval
    shape = aval.shape or ()
    return ShapedArray(shape[:dim] + shape[dim + 1 :], aval.dtype, aval.weak_type)


def with_axis(aval: ShapedArray, dim: Dim, size: int) -> ShapedArray:
    """Returns the aval of as many elements along a new axis."""
    if dim is None:
        return aval
    shape = aval.shape or ()
    return ShapedArray((*shape[:dim], size, *shape[dim:]), aval.dtype, aval.weak_type)


class MappingTrace(Trace):
    """Gives each operation its batched form; `axis` is what is mapped over."""

    __slots__ = ("axis",)

    name = "vmap"

    def __init__(
        self,
        parent: Trace,
        axis: AxisData,
        traced: Callable[..., Any] | None = None,
        transform: str = "vmap",
    ) -> None:
        super().__init__(parent, transform, traced)
        self.axis = axis

    def split(self, value: ArrayLike) -> tuple[Any, Dim]:
        """Returns the whole value of an operand, and its mapped axis or None."""
        if type(value) is BatchTracer and (value.owner is self or self._shares_axis(value)):
            return value.value, value.dim
        refuse_dead(value)
        return value, None

    def _shares_axis(self, value: BatchTracer) -> bool:
        """Whether a tracer is of the trace that a rule was called from: the rule is mapped over the
        same axis by a trace of its own, and may close over elements.
        """
        owner = value.owner
        return isinstance(owner, MappingTrace) and owner.axis is self.axis and owner.alive

    def join(self, value: ArrayLike, dim: Dim, source: tuple[UserFrame, ...]) -> Any:
        """Returns a tracer of a value that is mapped; the value itself where it is not."""
        return value if dim is None else BatchTracer(self, value, dim, source)

    def _operands(self, operands: Sequence[Any]) -> tuple[list[Any], list[Dim]]:
        pairs = [self.split(x) for x in operands]
        return [value for value, _ in pairs], [dim for _, dim in pairs]

    def process(self, primitive: Primitive, operands: Sequence[Any], params: dict[str, Any]) -> Any:
        assert self.parent is not None
        values, dims = self._operands(operands)
        if all(dim is None for dim in dims) and not self._uses_axis(primitive, params):
            return self.parent.process(primitive, values, params)
        rule = primitive.batch or rule_of(primitive)
        source = operation_source()
        with under(self.parent, source):
            result, dim = rule(self.axis, values, dims, **params)
        if primitive.multiple_results:
            return [self.join(x, d, source) for x, d in zip(result, dim, strict=True)]
        return self.join(result, dim, source)

    def _uses_axis(self, primitive: Primitive, params: dict[str, Any]) -> bool:
        return primitive.axes is not None and self.axis.name in primitive.axes(**params)

    def process_custom_call(self, call: CustomCall, operands: Sequence[Any]) -> Sequence[Any]:
        assert self.parent is not None
        values, dims = self._operands(operands)
        with under(self.parent):
            if all(dim is None for dim in dims):
                with contextlib.suppress(MappedClosure):
                    return self.parent.process_custom_call(call.enclosed(self.axis), values)
            results = self.parent.process_custom_call(call.batched(self.axis, dims), values)
        source = operation_source()
        return [self.join(x, 0, source) for x in results]


class MappedClosure(Exception):
    """A result of a function is mapped though no operand is: the function closes over one that
    is.
    """


def batched_backward(
    backward: Callable[..., Any],
    axis: AxisData,
    dims: Sequence[Dim],
    residuals: Sequence[Any],
    cotangents: Sequence[Any],
) -> list[Any]:
    """Returns the backward rule of a mapped function; an operand that is not mapped gets
    the sum.
    """
    from oakum import lax

    kinds: list[Any] = []
    given = [c for c in cotangents if not isinstance(c, Zero)]

    def flat(*both: object) -> list[Any]:
        values = iter(both[len(residuals) :])
        parts = [
            Zero(without_axis(c.aval, 0)) if isinstance(c, Zero) else next(values)
            for c in cotangents
        ]
        results = backward(list(both[: len(residuals)]), parts)
        kinds.extend(r.aval if isinstance(r, Zero) else None for r in results)
        return [r for r in results if not isinstance(r, Zero)]

    inputs = [*residuals, *given]
    out = iter(batch_fully(flat, axis, inputs, [0] * len(inputs)))
    results: list[Any] = []
    for kind, dim in zip(kinds, dims, strict=True):
        if kind is not None:
            results.append(Zero(with_axis(kind, dim, axis.size)))
        else:
            value = next(out)
            results.append(lax.reduce_sum(value, (0,)) if dim is None else move(value, 0, dim))
    return results


def batch_flat(
    function: Callable[..., Sequence[Any]],
    axis: AxisData,
    values: Sequence[Any],
    dims: Sequence[Dim],
    traced: Callable[..., Any] | None = None,
    transform: str = "vmap",
) -> tuple[list[Any], list[Dim]]:
    """Returns the results of a mapped function of flat arrays, with their mapped axes.

    `traced`, the user's function, and `transform` are for messages.
    """
    trace = MappingTrace(current_trace(), axis, traced, transform)
    trace.begin()
    block = under(trace)
    try:
        with block, named_axis(axis.name, axis.size):
            source = operation_source()
            operands = [trace.join(x, d, source) for x, d in zip(values, dims, strict=True)]
            results = function(*operands)
            pairs = [trace.split(x) for x in results]
    finally:
        trace.alive = False
        block.leave()
    del operands, results

    def rerun(begin: Callable[[Trace], None]) -> None:
        again = MappingTrace(current_trace(), axis, traced, transform)
        begin(again)
        with under(again), named_axis(axis.name, axis.size):
            source = operation_source()
            function(*(again.join(x, d, source) for x, d in zip(values, dims, strict=True)))

    trace.end(pairs, rerun=rerun)
    return [value for value, _ in pairs], [dim for _, dim in pairs]


def batch_fully(
    function: Callable[..., Sequence[Any]],
    axis: AxisData,
    values: Sequence[Any],
    dims: Sequence[Dim],
) -> list[Any]:
    """Returns the results of a mapped function, all with the mapped axis first."""
    results, out = batch_flat(function, axis, values, dims)
    return [move_to_front(x, d, axis.size) for x, d in zip(results, out, strict=True)]


def batch_enclosed(
    function: Callable[..., Sequence[Any]],
    axis: AxisData,
    values: Sequence[Any],
    dims: Sequence[Dim],
) -> list[Any]:
    """Returns the results of a function whose operands are not mapped, but which may close over
    values that are; raises `MappedClosure` where a result depends on one.
    """
    results, out = batch_flat(function, axis, values, dims)
    if any(dim is not None for dim in out):
        raise MappedClosure
    return results


def to_axis(value: ArrayLike, dim: Dim, size: int, destination: int) -> Any:
    """Returns a value with its mapped axis at a place; one that is not mapped is repeated."""
    return broadcast(value, size, destination) if dim is None else move(value, dim, destination)


def batch_jaxpr(
    closed: ClosedJaxpr,
    axis: AxisData,
    mapped: Sequence[bool],
    instantiated: bool | Sequence[bool] = False,
) -> tuple[ClosedJaxpr, list[bool]]:
    """Returns the program mapped over the first axis of the arguments marked in `mapped`.

    Mapped results have the axis first, and are marked in the list returned; `instantiated` marks
    results that are to be mapped in any case.
    """
    wanted = (
        [instantiated] * len(closed.out_avals) if isinstance(instantiated, bool) else instantiated
    )
    return _batch_jaxpr(closed, axis, mapped, wanted)


@kept
def _batch_jaxpr(
    closed: ClosedJaxpr, axis: AxisData, mapped: Sequence[bool], wanted: Sequence[bool]
) -> tuple[ClosedJaxpr, list[bool]]:
    mapped_out: list[bool] = []

    def function(*arguments: object) -> list[Any]:
        dims = [0 if each else None for each in mapped]
        values, out = batch_flat(lambda *args: eval_closed(closed, *args), axis, arguments, dims)
        mapped_out.extend(w or d is not None for w, d in zip(wanted, out, strict=True))
        return [
            move_to_front(x, d, axis.size) if each else x
            for x, d, each in zip(values, out, mapped_out, strict=True)
        ]

    avals = [
        with_axis(a, 0 if each else None, axis.size)
        for a, each in zip(closed.in_avals, mapped, strict=True)
    ]
    return stage(function, avals, name=closed.jaxpr.name, transform="vmap"), mapped_out
