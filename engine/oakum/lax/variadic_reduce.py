"""General reductions of trees of arrays, over axes or over windows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax, primitives
from oakum.errors import ShapeError
from oakum.primitives.conv_windows import Windows
from oakum.primitives.rules.arguments import array, integer, shape_of
from oakum.primitives.rules.conv_geometry import explicit_padding, named_padding, spread_all
from oakum.primitives.rules.reducer_jaxprs import computation_jaxpr
from oakum.primitives.rules.reduction_monoids import monoid
from oakum.pytrees import pytree
from oakum.tracing.trace import aval_of


def _flattened(operands: object, init_values: object) -> tuple[list[Any], list[Any], Any]:
    flat, tree = pytree.flatten(operands)
    inits, init_tree = pytree.flatten(init_values)
    if tree != init_tree:
        raise ShapeError(
            f"Operands must have the same tree structure as init_values: {tree} vs. {init_tree}",
            hint="Give one initial value for each operand.",
        )
    return flat, inits, tree


def reduce(
    operands: object,
    init_values: object,
    computation: Callable[..., Any],
    dimensions: Sequence[int],
    out_sharding: object,
) -> Any:
    """Combines elements along axes; sums and the like by the primitives for them."""
    flat, inits, tree = _flattened(operands, init_values)
    axes = tuple(map(integer, dimensions))
    name = monoid(computation, inits)
    if name is not None:
        options = {"out_sharding": out_sharding} if name == "sum" else {}
        result = getattr(lax, f"reduce_{name}")(flat[0], axes, **options)
        weak = bool(aval_of(flat[0]).weak_type and aval_of(inits[0]).weak_type)
        return with_weak_type(result, weak)
    closed, out_tree = computation_jaxpr(computation, inits, tree)
    results = primitives.general_reduction.reduce_p.bind(
        *flat, *inits, jaxpr=closed, dimensions=axes
    )
    return pytree.unflatten(out_tree, results)


def with_weak_type(value: object, weak_type: bool) -> Any:
    """Returns an array with another weak type."""
    aval = aval_of(value)
    if bool(aval.weak_type) == weak_type:
        return value
    return primitives.conversion.convert_element_type_p.bind(
        value, new_dtype=aval.dtype, weak_type=weak_type
    )


def reduce_window(
    operand: Any, init_value: object, computation: Callable[..., Any], options: dict[str, Any]
) -> Any:
    """Combines the elements of windows; sums and extremes by the primitives for them."""
    flat, inits, tree = _flattened(operand, init_value)
    if not flat:
        raise ShapeError("reduce_window must have at least one operand.", hint="Give an array.")
    windows = _windows(shape_of(flat[0]), **options)
    name = monoid(computation, inits)
    if name in ("sum", "max", "min"):
        primitive = getattr(primitives.windowed_reductions, f"reduce_window_{name}_p")
        return pytree.unflatten(tree, [primitive.bind(array(flat[0]), **windows.params())])
    closed, out_tree = computation_jaxpr(computation, inits, tree)
    if out_tree != tree:
        raise ShapeError(
            "reduce_window output must have the same tree structure as the operands "
            f"{tree} vs. {out_tree}",
            hint="Return a tree of the structure of the arguments.",
        )
    results = primitives.windowed_reductions.reduce_window_p.bind(
        *flat, *inits, jaxpr=closed, **windows.params()
    )
    return pytree.unflatten(out_tree, results)


def _windows(
    shape: tuple[int, ...],
    window_dimensions: Any,
    window_strides: Any,
    padding: Any,
    base_dilation: Any,
    window_dilation: Any,
) -> Windows:
    sizes = tuple(map(integer, window_dimensions))
    ones = (1,) * len(sizes)
    strides, base, dilation = (
        ones if given is None else tuple(map(integer, given))
        for given in (window_strides, base_dilation, window_dilation)
    )
    if isinstance(padding, str):
        Windows(sizes, strides, ((0, 0),) * len(sizes), base, dilation).check()
        pads = tuple(named_padding(shape, spread_all(sizes, dilation), strides, padding))
    else:
        pads = explicit_padding(padding)
    return Windows(sizes, strides, pads, base, dilation)
