"""Questions about shapes and dtypes: their answers are Python values, also under tracing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from oakum.abstract import inspection, results
from oakum.array import Array
from oakum.numpy import arguments, contraction_order, dtype_queries, formulas, statics
from oakum.numpy.dtypes import ScalarType
from oakum.typing import DTypeLike
from oakum.values import host
from oakum.values.declarations import public


@public("numpy.shape", inspection.shape, static_result=True)
def shape(a: Any) -> tuple[int, ...]:
    """Gives the shape of an array."""
    found = getattr(a, "shape", None)
    return dtype_queries.measured("shape", a).shape if found is None else found


@public("numpy.ndim", inspection.ndim, static_result=True)
def ndim(a: Any) -> int:
    """Gives the number of dimensions of an array."""
    found = getattr(a, "ndim", None)
    return dtype_queries.measured("ndim", a).ndim if found is None else found


@public("numpy.size", inspection.size, static=("axis",), static_result=True)
def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """Gives the number of elements of an array, in all or along axes."""
    if axis is None and getattr(a, "size", None) is not None:
        return a.size
    sizes = a.shape if hasattr(a, "shape") else dtype_queries.measured("size", a).shape
    return math.prod(sizes[each] for each in arguments.axes(axis, len(sizes)))


@public("numpy.result_type", inspection.result_type, static_result=True)
def result_type(*args: Any) -> DTypeLike:
    """Gives the dtype that operands promote to."""
    return host.visible_dtype(dtype_queries.result_type(args)[0])


@public("numpy.promote_types", inspection.result_type, static_result=True)
def promote_types(a: DTypeLike, b: DTypeLike) -> DTypeLike:
    """Gives the dtype that two dtypes promote to."""
    return host.dtype(dtype_queries.promote_types(a, b))


@public("numpy.can_cast", inspection.python_bool, static_result=True)
def can_cast(from_: Any, to: DTypeLike, casting: str = "safe") -> bool:
    """Tells whether a dtype converts to another under a casting rule."""
    source = from_.dtype if isinstance(from_, ScalarType) else from_
    return bool(host.np.can_cast(source, host.dtype(host.read_dtype(to)), casting=casting))


@public("numpy.issubdtype", inspection.is_subdtype, static_result=True)
def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> bool:
    """Tells whether a dtype belongs to a group of dtypes."""
    return dtype_queries.is_subdtype(arg1, arg2)


@public("numpy.isdtype", inspection.python_bool, static_result=True)
def isdtype(dtype: DTypeLike, kind: str | DTypeLike | tuple[str | DTypeLike, ...]) -> bool:
    """Tells whether a dtype is of a kind such as "real floating"."""
    return dtype_queries.is_of_kind(dtype, kind)


@public("numpy.isscalar", inspection.python_bool, static_result=True)
def isscalar(element: Any) -> bool:
    """Tells whether a value is a number or an array without dimensions."""
    if isinstance(element, (Array, host.np.ndarray)):
        return element.ndim == 0
    if hasattr(element, "__jax_array__"):
        return isscalar(element.__jax_array__())
    return bool(host.np.isscalar(element))


@public("numpy.iterable", inspection.python_bool, static_result=True)
def iterable(y: Any) -> Any:
    """Tells whether a value can be iterated."""
    return host.np.iterable(y)


@public("numpy.iscomplexobj", inspection.python_bool, static_result=True)
def iscomplexobj(x: Any) -> bool:
    """Tells whether an array has a complex dtype."""
    return dtype_queries.is_complex(x)


@public("numpy.isrealobj", inspection.python_bool, static_result=True)
def isrealobj(x: Any) -> bool:
    """Tells whether an array has a dtype that is not complex."""
    return not dtype_queries.is_complex(x)


@public(
    "numpy.broadcast_shapes", inspection.broadcast_shapes, shapes=("shapes",), static_result=True
)
def broadcast_shapes(*shapes: Any) -> Any:
    """Gives the shape that shapes broadcast to."""
    sizes = [statics.sizes(each, "a shape of jnp.broadcast_shapes()") for each in shapes]
    return arguments.broadcast_shapes(*sizes)


@public("numpy.einsum_path", static=("optimize",), static_result=True)
def einsum_path(
    subscripts: Any, /, *operands: Any, optimize: bool | str | list[tuple[int, ...]] = "auto"
) -> tuple[list[tuple[int, ...]], Any]:
    """Finds an order in which to contract the operands of an `einsum`."""
    formula, arrays = formulas.read("jnp.einsum_path()", subscripts, operands)
    return contraction_order.describe(formula, formulas.label_sizes(formula, arrays), optimize)


@public("numpy.get_printoptions", static_result=True)
def get_printoptions() -> Any:
    """Gives the options with which arrays are printed."""
    return host.np.get_printoptions()


@public("numpy.set_printoptions", results.nothing)
def set_printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed."""
    return host.np.set_printoptions(*args, **kwargs)


@public("numpy.printoptions")
def printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed in a block."""
    return host.np.printoptions(*args, **kwargs)
