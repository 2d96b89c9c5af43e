"""Control flow that is staged: loops, branches and scans."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from oakum import control_flow
from oakum.pytrees.pytree import ABSENT
from oakum.typing import ArrayLike, Placement, Shape
from oakum.values.declarations import public, transform


@transform("lax.scan", "scan", ("f",), staged=True, static=("length", "reverse", "unroll"))
def scan(
    f: Callable[..., Any],
    init: object,
    xs: object = None,
    length: int | None = None,
    reverse: bool = False,
    unroll: int | bool = 1,
    _split_transpose: bool = False,
) -> Any:
    """Carries a state through a function along the leading axis of arrays."""
    return control_flow.scan.scan(f, init, xs, length, reverse, unroll)


@transform("lax.while_loop", "while_loop", ("cond_fun", "body_fun"), staged=True)
def while_loop(cond_fun: Callable[..., Any], body_fun: Callable[..., Any], init_val: object) -> Any:
    """Repeats a function while a condition on its state holds."""
    return control_flow.while_loop.while_loop(cond_fun, body_fun, init_val)


@transform("lax.fori_loop", "fori_loop", ("body_fun",), staged=True, static=("unroll",))
def fori_loop(
    lower: object,
    upper: object,
    body_fun: Callable[..., Any],
    init_val: object,
    *,
    unroll: int | bool | None = None,
) -> Any:
    """Repeats a function for the integers of an interval, carrying a state."""
    # What is no bound is refused there.
    bounds = cast("tuple[ArrayLike, ArrayLike]", (lower, upper))
    return control_flow.while_loop.fori_loop(*bounds, body_fun, init_val, unroll)


@transform("lax.cond", "cond", ("true_fun", "false_fun"), staged=True)
def cond(
    pred: ArrayLike,
    true_fun: Callable[..., Any],
    false_fun: Callable[..., Any],
    *operands: object,
    operand: object = ABSENT,
) -> Any:
    """Calls one of two functions, by a condition."""
    return control_flow.cond.cond(pred, true_fun, false_fun, operands, operand)


@transform("lax.switch", "switch", ("branches",), staged=True)
def switch(
    index: ArrayLike,
    branches: Sequence[Callable[..., Any]],
    *operands: object,
    operand: object = ABSENT,
) -> Any:
    """Calls one of several functions, by an index."""
    return control_flow.cond.switch(index, branches, operands, operand)


@transform("lax.map", "map", ("f",), staged=True, static=("batch_size",))
def map(f: Callable[..., Any], xs: object, *, batch_size: int | None = None) -> Any:
    """Calls a function for each slice along the leading axis of arrays, one after another."""
    return control_flow.scan.map_function(f, xs, batch_size)


@transform(
    "lax.associative_scan", "associative_scan", ("fn",), staged=True, static=("reverse", "axis")
)
def associative_scan(
    fn: Callable[..., Any], elems: object, reverse: bool = False, axis: int = 0
) -> Any:
    """Computes all partial results of an associative operation along an axis."""
    return control_flow.associative_scan.associative_scan(fn, elems, reverse, axis)


@transform("lax.reduce", "reduce", ("computation",), staged=True, static=("dimensions",))
def reduce(
    operands: object,
    init_values: object,
    computation: Callable[[Any, Any], Any],
    dimensions: Sequence[int],
    out_sharding: Placement | None = None,
) -> Any:
    """Combines the elements along axes by a function of two scalars."""
    from oakum.lax import variadic_reduce

    return variadic_reduce.reduce(operands, init_values, computation, dimensions, out_sharding)


@transform(
    "lax.reduce_window",
    "reduce",
    ("computation",),
    staged=True,
    static=("window_dimensions", "window_strides", "padding", "base_dilation", "window_dilation"),
)
def reduce_window(
    operand: object,
    init_value: object,
    computation: Callable[..., Any],
    window_dimensions: Shape,
    window_strides: Sequence[int] | None = None,
    padding: str | Sequence[tuple[int, int]] = "VALID",
    base_dilation: Sequence[int] | None = None,
    window_dilation: Sequence[int] | None = None,
) -> Any:
    """Combines the elements of each window by a function of two scalars."""
    from oakum.lax import variadic_reduce

    options = {
        "window_dimensions": window_dimensions,
        "window_strides": window_strides,
        "padding": padding,
        "base_dilation": base_dilation,
        "window_dilation": window_dilation,
    }
    return variadic_reduce.reduce_window(operand, init_value, computation, options)


@public("lax.platform_dependent")
def platform_dependent(
    *args: object, default: Callable[..., Any] | None = None, **per_platform: Callable[..., Any]
) -> Any:
    """Calls the function given for the platform that the program runs on."""
    return control_flow.cond.platform_dependent(args, default, per_platform)


@public("lax.custom_linear_solve", static=("symmetric", "has_aux"))
def custom_linear_solve(
    matvec: Callable[..., Any],
    b: object,
    solve: Callable[[Callable[..., Any], Any], Any],
    transpose_solve: Callable[[Callable[..., Any], Any], Any] | None = None,
    symmetric: bool = False,
    has_aux: bool = False,
) -> Any:
    """Solves a linear system by a function of yours, and differentiates through the system."""
    return control_flow.custom_linear_solve.custom_linear_solve(
        matvec, b, solve, transpose_solve, symmetric, has_aux
    )


@public("lax.custom_root", static=("has_aux",))
def custom_root(
    f: Callable[..., Any],
    initial_guess: object,
    solve: Callable[[Callable[..., Any], Any], Any],
    tangent_solve: Callable[[Callable[..., Any], Any], Any],
    has_aux: bool = False,
) -> Any:
    """Finds a root by a function of yours, and differentiates through the equation."""
    return control_flow.custom_root.custom_root(f, initial_guess, solve, tangent_solve, has_aux)


@transform("lax.composite", "jit", ("decomposition",), staged=True, leaves="keywords")
def composite(decomposition: Callable[..., Any], name: str, version: int = 0) -> Any:
    """Gives a name to an operation made of others, for the compiler to replace."""
    return control_flow.composite.composite(decomposition, name, version)
