"""Jacobians in forward and in reverse mode: derivatives along the standard basis, batched."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from oakum import lax
from oakum.array import Array
from oakum.primitives.rules.arguments import rank_of, shape_of
from oakum.primitives.rules.derivatives import zeros
from oakum.pytrees import pytree
from oakum.runtime.arrays import wrap
from oakum.tracing.trace import aval_of
from oakum.transforms import flat_functions
from oakum.transforms.autodiff import argument_checks, grad
from oakum.transforms.batching.vmap import vmap
from oakum.values import host, user_frames
from oakum.values.avals import ShapedArray
from oakum.values.traceback_filtering import api_boundary


def _basis(avals: Sequence[ShapedArray]) -> list[Any]:
    """For each array the unit vectors of all of them, along a new first axis."""
    sizes = [math.prod(shape_of(a)) for a in avals]
    total = sum(sizes)
    found: list[Any] = []
    offset = 0
    for aval, size in zip(avals, sizes, strict=True):
        assert aval.dtype is not None
        rows = host.np.eye(total, size, k=-offset, dtype=host.dtype(aval.dtype))
        shape = (total, *shape_of(aval))
        found.append(wrap(rows.reshape(shape), ShapedArray(shape, aval.dtype, aval.weak_type)))
        offset += size
    return found


def _split_like(flat: Array, avals: Sequence[ShapedArray], axis: int) -> list[Any]:
    """Parts of an array along an axis, each of the shape of an array in place of it."""
    parts: list[Any] = []
    offset = 0
    shape = shape_of(flat)
    for aval in avals:
        inner = shape_of(aval)
        size = math.prod(inner)
        part = lax.slice_in_dim(flat, offset, offset + size, axis=axis)
        parts.append(lax.reshape(part, (*shape[:axis], *inner, *shape[axis + 1 :])))
        offset += size
    return parts


def _no_rows(argument: object) -> Any:
    """Returns the derivatives of no results with respect to an argument."""
    return zeros(ShapedArray((0, *shape_of(argument)), aval_of(argument).dtype))


def jacfwd(
    function: Callable[..., Any], argnums: int | Sequence[int], has_aux: bool, holomorphic: bool
) -> Callable[..., Any]:
    """Returns the Jacobian by forward differentiation."""
    flat_functions.check_callable(function)

    @api_boundary
    @user_frames.wraps(function)
    def compute(*args: object, **kwargs: object) -> Any:
        partial, chosen, single = argument_checks.select_arguments(
            function, argnums, args, kwargs, "jacfwd"
        )
        argument_checks.check_inputs(function, argnums, args, "jacfwd", holomorphic=holomorphic)
        leaves, treedef = pytree.flatten(chosen)
        avals = [aval_of(x) for x in leaves]

        def push(*tangents: object) -> Any:
            out = grad.jvp(partial, chosen, pytree.unflatten(treedef, tangents), has_aux)
            return (out[1], out[2]) if has_aux else out[1]

        in_axes = tuple([0] * len(leaves))
        out_axes: Any = (-1, None) if has_aux else -1
        pushed = vmap(push, in_axes, out_axes, None, None, None)(*_basis(avals))
        jacobian, aux = pushed if has_aux else (pushed, None)
        flat, out_tree = pytree.flatten(jacobian)
        rows = [pytree.unflatten(treedef, _split_like(y, avals, rank_of(y) - 1)) for y in flat]
        rows = [row[0] if single else row for row in rows]
        for leaf in flat:
            argument_checks.check_output_forward(aval_of(leaf), holomorphic)
        result = pytree.unflatten(out_tree, rows)
        return (result, aux) if has_aux else result

    return compute


def jacrev(
    function: Callable[..., Any],
    argnums: int | Sequence[int],
    has_aux: bool,
    holomorphic: bool,
    allow_int: bool,
) -> Callable[..., Any]:
    """Returns the Jacobian by reverse differentiation."""
    flat_functions.check_callable(function)

    @api_boundary
    @user_frames.wraps(function)
    def compute(*args: object, **kwargs: object) -> Any:
        partial, chosen, single = argument_checks.select_arguments(
            function, argnums, args, kwargs, "jacrev"
        )
        argument_checks.check_inputs(
            function, argnums, args, "jacrev", holomorphic=holomorphic, allow_int=allow_int
        )
        out = grad.vjp(partial, chosen, has_aux)
        value, pullback = out[0], out[1]
        flat, out_tree = pytree.flatten(value)
        avals = [aval_of(y) for y in flat]
        for aval in avals:
            argument_checks.check_output(function, aval, "jacrev", holomorphic)

        def pull(*cotangents: object) -> Any:
            return pullback(pytree.unflatten(out_tree, cotangents))

        if flat:
            pulled = vmap(pull, tuple([0] * len(flat)), 0, None, None, None)(*_basis(avals))
        else:
            pulled = pytree.map(_no_rows, chosen)
        leaves, in_tree = pytree.flatten(pulled)
        columns = [_split_like(x, avals, 0) for x in leaves]
        rows = [
            pytree.unflatten(in_tree, [column[i] for column in columns]) for i in range(len(flat))
        ]
        rows = [row[0] if single else tuple(row) for row in rows]
        result = pytree.unflatten(out_tree, rows)
        return (result, out[2]) if has_aux else result

    return compute
