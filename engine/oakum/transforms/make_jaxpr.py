"""Tracing for its own sake: `make_jaxpr` and `eval_shape`."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack
from typing import Any

from oakum import config
from oakum.errors import InvalidValueError
from oakum.pytrees import pytree
from oakum.tracing.ir import ClosedJaxpr, eval_closed
from oakum.tracing.jaxpr_trace import Reference, hoist, stage
from oakum.tracing.shape_dtype_struct import ShapeDtypeStruct
from oakum.tracing.trace import aval_of, base_trace, named_axis, under
from oakum.transforms import flat_functions, references
from oakum.values import host, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary
from oakum.values.user_frames import user_frame


def described(aval: ShapedArray) -> Any:
    """Returns a `ShapeDtypeStruct` of an aval."""
    assert aval.shape is not None
    assert aval.dtype is not None
    dtype = host.dtype(aval.dtype) if aval.dtype.kind.value != "key" else aval.dtype
    return ShapeDtypeStruct(aval.shape, dtype, weak_type=bool(aval.weak_type))


def eval_shape(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Returns the shapes and dtypes of the result of a function."""
    flat_functions.check_callable(function)
    leaves, treedef = pytree.flatten((args, kwargs))
    flat = flat_functions.FlatFunction(function, treedef, transform="eval_shape")
    what = f"an argument of {user_frames.name_of(function)}"
    names = flat_functions.argument_names(function, args, kwargs)
    closed, held = _stage(flat, leaves, names, what, "eval_shape")
    return pytree.unflatten(flat.out_tree, [described(a) for a in closed.out_avals[held:]])


def _stage(
    flat: flat_functions.FlatFunction,
    leaves: Sequence[Any],
    names: Sequence[str],
    what: str,
    transform: str,
) -> tuple[ClosedJaxpr, int]:
    """Returns the program of a function, and how many of its results are what references hold in
    the end; `what` is an argument, in messages.
    """
    passed: Callable[..., list[Any]] = flat
    positions = [at for at, x in enumerate(leaves) if isinstance(x, Reference)]
    if positions:
        passed = references.argument_references.with_references(flat, positions)
        leaves = references.argument_references.values_of(leaves)
    captured: list[Reference] = []
    closed = stage(
        passed,
        [described_aval(x, what) for x in leaves],
        name=user_frames.name_of(flat.function),
        transform=transform,
        arguments=names,
        traced=flat.function,
        captured=captured,
    )
    return closed, len(captured) + len(positions)


def described_aval(value: Any, what: str) -> ShapedArray:
    """Returns the aval of an array, or of anything that has a shape and a dtype."""
    if hasattr(value, "shape") and hasattr(value, "dtype") and not hasattr(value, "aval"):
        from oakum import dtypes

        dtype = dtypes.canonicalize(host.read_dtype(value.dtype))
        return ShapedArray(tuple(value.shape), dtype, bool(getattr(value, "weak_type", False)))
    try:
        return aval_of(value)
    except InvalidValueError:
        raise InvalidValueError(
            f"Cannot interpret value of type {type(value)} as an abstract array; it does not have "
            f"a dtype attribute: {value!r}, {what}",
            frame=user_frame(),
            hint="Give arrays, or jax.ShapeDtypeStruct.",
        ) from None


def make_jaxpr(
    function: Callable[..., Any],
    static_argnums: int | Sequence[int],
    axis_env: Sequence[tuple[Any, int]] | None,
    return_shape: bool,
) -> Callable[..., Any]:
    """Returns a function that returns the program of another."""
    flat_functions.check_callable(function)
    numbers, _ = flat_functions.infer_parameters(function, static_argnums, None, "static")

    @api_boundary
    @user_frames.wraps(function)
    def traced(*args: object, **kwargs: object) -> Any:
        count = len(args)
        static = {n % count: args[n] for n in numbers if -count <= n < count}

        dynamic = tuple(x for i, x in enumerate(args) if i not in static)
        leaves, treedef = pytree.flatten((dynamic, kwargs))
        flat = flat_functions.FlatFunction(
            _with_static(function, static) if static else function, treedef, transform="make_jaxpr"
        )
        what = f"an argument of {user_frames.name_of(function)}"
        names = flat_functions.argument_names(function, dynamic, kwargs, tuple(static))
        with ExitStack() as stack:
            for name, size in axis_env or ():
                stack.enter_context(named_axis(name, size))
            closed, held = _stage(flat, leaves, names, what, "make_jaxpr")
        if not return_shape:
            return closed
        shapes = [described(a) for a in closed.out_avals[held:]]
        return closed, pytree.unflatten(flat.out_tree, shapes)

    traced.__name__ = f"make_jaxpr({user_frames.name_of(function)})"
    traced.__qualname__ = f"make_jaxpr({getattr(function, '__qualname__', traced.__name__)})"
    return traced


def _with_static(function: Callable[..., Any], static: dict[int, Any]) -> Callable[..., Any]:
    """Returns the function of the arguments that are not in `static`, by position."""

    @user_frames.wraps(function)
    def call(*dynamic: object, **keywords: object) -> Any:
        arguments = list(dynamic)
        for position in sorted(static):
            arguments.insert(position, static[position])
        return function(*arguments, **keywords)

    return call


def closure_convert(
    function: Callable[..., Any], *examples: object
) -> tuple[Callable[..., Any], list[Any]]:
    """Returns the function with the tracers that it closes over as further arguments, and these
    tracers.
    """
    flat_functions.check_callable(function)
    leaves, treedef = pytree.flatten(examples)
    flat = flat_functions.FlatFunction(function, treedef, keywords=False)
    closed = stage(flat, [aval_of(x) for x in leaves], name=user_frames.name_of(function))
    closed, lifted = hoist(closed)
    out_tree = flat.out_tree

    def converted(*args: object) -> Any:
        given = args[: len(args) - len(lifted)]
        consts = args[len(args) - len(lifted) :]
        leaves, tree = pytree.flatten(given)
        if tree != treedef:
            raise InvalidValueError(
                "closure-converted function called with different input structure than at "
                f"conversion: {tree} instead of {treedef}",
                frame=user_frame(),
            )
        return pytree.unflatten(out_tree, eval_closed(closed, *consts, *leaves))

    return converted, lifted


@contextlib.contextmanager
def compile_time_evaluation() -> Generator[None]:
    """Evaluates operations on known values in the block, whatever is traced around it."""
    with under(base_trace()):
        yield


def disable_jit(disable: bool) -> Any:
    """Returns the context manager that evaluates compiled functions one operation at a time."""
    return config.disable_jit(disable)
