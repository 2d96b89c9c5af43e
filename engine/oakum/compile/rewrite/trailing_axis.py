"""Movements of arrays whose elements are rows: the same with one more axis, the last, which is
moved as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from oakum import dtypes
from oakum.compile.loops.elements import shape_of
from oakum.dtypes import DType
from oakum.runtime.arrays import wrap
from oakum.tracing.ir import Atom, Equation, Literal
from oakum.values import host
from oakum.values.avals import ShapedArray

Given = tuple[Sequence[Atom], Mapping[str, Any]]
"""Operands and parameters of an operation."""


def longer(eqn: Equation, size: int) -> dict[str, Any]:
    """Returns the parameters, those that have a number for each axis with one more of them."""
    rank = len(shape_of(eqn.inputs[0].aval))
    result = len(shape_of(eqn.outputs[0].aval))
    more = {
        "shape": size,
        "broadcast_dimensions": result,
        "start_indices": 0,
        "limit_indices": size,
        "strides": 1,
        "new_sizes": size,
        "dimensions": rank,
        "permutation": rank,
        "slice_sizes": size,
        "reps": 1,
    }
    params = dict(eqn.params)
    for name, number in more.items():
        if isinstance(params.get(name), tuple):
            params[name] = (*params[name], number)
    return params


def at_starts(inputs: Sequence[Atom], eqn: Equation, size: int) -> Given:
    """Returns a dynamic slice or its update, with one more start."""
    operands = 1 if eqn.primitive.name == "dynamic_slice" else 2
    last = inputs[-1].aval.dtype if len(inputs) > operands else dtypes.int32
    return [*inputs, number(0, last)], longer(eqn, size)


def number(value: complex, dtype: DType | None) -> Literal:
    """Returns a number as a literal of a dtype."""
    assert dtype is not None
    raw = host.np.array(value, host.dtype(dtype))
    return Literal(wrap(raw, ShapedArray((), dtype)))


def gathered(params: Mapping[str, Any], rank: int, size: int) -> dict[str, Any]:
    """Returns the parameters of a gather whose windows take whole rows; `rank` is that of its
    result.
    """
    numbers = params["dimension_numbers"]
    changed = {
        "dimension_numbers": numbers._replace(offset_dims=(*numbers.offset_dims, rank)),
        "slice_sizes": (*params["slice_sizes"], size),
    }
    return {**params, **changed}


def scattered(params: Mapping[str, Any], rank: int) -> dict[str, Any]:
    """Returns the parameters of a scatter whose windows take whole rows; `rank` is that of its
    updates.
    """
    numbers = params["dimension_numbers"]
    grown = numbers._replace(update_window_dims=(*numbers.update_window_dims, rank))
    return {**params, "dimension_numbers": grown}
