"""Calls and records functions with derivative rules of their own, for all kinds of rules."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, Final

from oakum.errors import InvalidValueError, RuleResultError
from oakum.primitives.rules.batching import move
from oakum.pytrees import pytree
from oakum.tracing import jaxpr_verifier
from oakum.tracing.custom_call import CustomCall
from oakum.tracing.ir import ClosedJaxpr, run_closed
from oakum.tracing.jaxpr_trace import hoist, stage
from oakum.tracing.trace import (
    AxisData,
    Primitive,
    Trace,
    aval_of,
    current_axes,
    current_trace,
    only_axes,
)
from oakum.transforms import flat_functions
from oakum.transforms.autodiff.partial_eval import PartialTrace
from oakum.transforms.batching.batch_trace import batch_enclosed, batch_fully, batch_jaxpr
from oakum.transforms.jit.jit_primitive import axes_of, effects_of, jit_p
from oakum.values import user_frames
from oakum.values.avals import ShapedArray
from oakum.values.user_frames import user_frame


class RuledFunction(flat_functions.FlatFunction):
    """A flat function that keeps the avals of its last results: those of its rule are the same."""

    __slots__ = ("out_avals",)

    out_avals: list[ShapedArray] | None

    def __call__(self, *leaves: object) -> list[Any]:
        results = super().__call__(*leaves)
        self.out_avals = [aval_of(x) for x in results]
        return results

    def check_primals(self, primals: Sequence[Any], what: str) -> None:
        """Raises TypeError where a rule returns a result of another shape or dtype."""
        for primal, wanted in zip(primals, getattr(self, "out_avals", None) or (), strict=False):
            given = aval_of(primal)
            if (given.shape, given.dtype) != (wanted.shape, wanted.dtype):
                raise RuleResultError(
                    f"{what} must produce a pair where the first element represents the primal "
                    "output, with the shapes and dtypes of the function's own output: expected "
                    f"{wanted}, but got {given}",
                    hint="Return the function's own result as the first of the pair.",
                )


_DEFINERS: Final = frozenset(("defjvp", "defjvps", "defvjp", "def_vmap"))
"""The methods that set rules."""


def definer(function: object, name: str) -> Any:
    """Returns the method of an inner function with a rule that sets it, so that a function with two
    decorators takes the rules of both; raises AttributeError for another name.
    """
    if name in _DEFINERS and function is not None:
        return getattr(function, name)
    raise AttributeError(f"a function with a rule of its own has no attribute {name!r}")


def resolve(
    function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], decorator: str
) -> list[Any]:
    """Returns the arguments of a call by position, as rules want them."""
    if not kwargs:
        parameters = flat_functions.signature_of(function)
        if not any(p.default is not p.empty for p in parameters[len(args) :]):
            return list(args)
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except ValueError:
        return list(args)
    except TypeError as error:
        raise _unresolved(function, decorator, str(error)) from None
    bound.apply_defaults()
    if passed := [name for name in bound.kwargs if name in kwargs]:
        raise _unresolved(
            function,
            decorator,
            "The following keyword arguments could not be resolved to positions: "
            f"{', '.join(passed)}",
        )
    return list(bound.args)


def _unresolved(function: Callable[..., Any], decorator: str, why: str) -> InvalidValueError:
    return InvalidValueError(
        f"The input arguments to the {decorator}-decorated function "
        f"{user_frames.name_of(function)} could not be resolved to positional-only arguments. "
        f"Binding failed with the error:\n{why}",
        hint="A function with a rule of its own takes positional parameters only.",
        frame=user_frame(),
    )


def split_arguments(
    function: Callable[..., Any], args: Sequence[Any], numbers: Sequence[int]
) -> tuple[list[Any], list[Any], Callable[..., Any]]:
    """Returns the arguments that are differentiated, the others, and the function of the first
    alone.
    """
    places = {n % len(args) for n in numbers if -len(args) <= n < len(args)}
    kept = [x for i, x in enumerate(args) if i not in places]
    static = [x for i, x in enumerate(args) if i in places]
    # Programs keep the function: it must hold no tracer, and so none of the other arguments.
    fixed = [i in places for i in range(len(args))]

    @user_frames.wraps(function)
    def partial(*dynamic: object) -> Any:
        values, others = iter(dynamic), iter(static)
        return function(*(next(others if each else values) for each in fixed))

    return kept, static, partial


def call_flat(call: CustomCall, function: RuledFunction, leaves: Sequence[Any]) -> Any:
    """Has the current trace handle a call; the result is the tree that the function returns."""
    results = current_trace().process_custom_call(call, leaves)
    return pytree.unflatten(function.out_tree, results)


Batch = Callable[
    [Callable[..., Sequence[Any]], AxisData, Sequence[Any], Sequence[int | None]], list[Any]
]
"""`batch_fully` or `batch_enclosed`."""


def batched_function(
    function: Callable[..., Sequence[Any]], axis: AxisData, dims: Sequence[int | None]
) -> Callable[..., list[Any]]:
    """Returns the function mapped over axes of its operands, whose results are all mapped over axis
    0.
    """
    return lambda *args: batch_fully(function, axis, args, dims)


def enclosed_function(
    function: Callable[..., Sequence[Any]], axis: AxisData
) -> Callable[..., list[Any]]:
    """Returns the function mapped over an axis that none of its operands has."""
    return lambda *args: batch_enclosed(function, axis, args, [None] * len(args))


def define_primitive(name: str) -> Primitive:
    """Returns the operation that such calls are in programs: a program, beside the rules of the
    call.
    """

    def abstract(*avals: ShapedArray, jaxpr: ClosedJaxpr, **_: object) -> list[ShapedArray]:
        return jaxpr_verifier.check_call(name, jaxpr, avals)

    def batch(
        axis: AxisData,
        operands: Sequence[Any],
        dims: Sequence[int | None],
        *,
        jaxpr: ClosedJaxpr,
        call: CustomCall,
        lifted: int,
        **params: object,
    ) -> tuple[list[Any], list[int]]:
        program, mapped = batch_jaxpr(jaxpr, axis, [d is not None for d in dims], True)
        moved = [x if d is None else move(x, d, 0) for x, d in zip(operands, dims, strict=True)]
        batched = call.batched(axis, [None if d is None else 0 for d in dims[lifted:]])
        results = primitive.bind(*moved, jaxpr=program, call=batched, lifted=lifted, **params)
        return results, [0] * len(mapped)

    primitive = Primitive(
        name,
        abstract=abstract,
        evaluate=_evaluate,
        jvp=_jvp,
        partial=_partial,
        batch=batch,
        effects=effects_of,
        axes=axes_of,
        multiple_results=True,
    )
    return primitive


def _evaluate(xp: ModuleType, *operands: object, jaxpr: ClosedJaxpr, **_: object) -> list[Any]:
    return run_closed(xp, jaxpr, operands)


def _jvp(
    primals: Sequence[Any],
    tangents: Sequence[Any],
    *,
    jaxpr: ClosedJaxpr,
    call: CustomCall,
    lifted: int,
    axes: tuple[tuple[Any, int], ...],
) -> tuple[Sequence[Any], Sequence[Any]]:
    with only_axes(current_axes() or axes):
        return call.differentiate(primals[lifted:], tangents[lifted:])


def _partial(
    trace: PartialTrace, operands: Sequence[Any], *, jaxpr: ClosedJaxpr, **_: object
) -> list[Any]:
    return trace.record(jit_p, operands, {"jaxpr": jaxpr, "name": jaxpr.jaxpr.name})


def record(
    primitive: Primitive, transform: str, call: CustomCall, trace: Trace, operands: Sequence[Any]
) -> list[Any]:
    """Records a call under staging."""
    closed, lifted = hoist(
        stage(
            call.function,
            [aval_of(x) for x in operands],
            name=call.name,
            transform=transform,
            traced=flat_functions.traced_by(call.function),
        )
    )
    params = {"jaxpr": closed, "call": call, "lifted": len(lifted), "axes": current_axes()}
    return trace.process(primitive, [*lifted, *operands], params)
