"""Questions about shapes and dtypes: their answers are Python values, also under tracing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from oakum.abstract import inspection, results
from oakum.facts import public
from oakum.typing import DTypeLike


@public("numpy.shape", inspection.shape, static_result=True)
def shape(a: Any) -> tuple[int, ...]:
    """Gives the shape of an array."""
    ...


@public("numpy.ndim", inspection.ndim, static_result=True)
def ndim(a: Any) -> int:
    """Gives the number of dimensions of an array."""
    ...


@public("numpy.size", inspection.size, static=("axis",), static_result=True)
def size(a: Any, axis: int | Sequence[int] | None = None) -> int:
    """Gives the number of elements of an array, in all or along axes."""
    ...


@public("numpy.result_type", inspection.result_type, static_result=True)
def result_type(*args: Any) -> DTypeLike:
    """Gives the dtype that operands promote to."""
    ...


@public("numpy.promote_types", inspection.result_type, static_result=True)
def promote_types(a: DTypeLike, b: DTypeLike) -> DTypeLike:
    """Gives the dtype that two dtypes promote to."""
    ...


@public("numpy.can_cast", inspection.python_bool, static_result=True)
def can_cast(from_: Any, to: DTypeLike, casting: str = "safe") -> bool:
    """Tells whether a dtype converts to another under a casting rule."""
    ...


@public("numpy.issubdtype", inspection.is_subdtype, static_result=True)
def issubdtype(arg1: DTypeLike, arg2: DTypeLike) -> bool:
    """Tells whether a dtype belongs to a group of dtypes."""
    ...


@public("numpy.isdtype", inspection.python_bool, static_result=True)
def isdtype(dtype: DTypeLike, kind: str | DTypeLike | tuple[str | DTypeLike, ...]) -> bool:
    """Tells whether a dtype is of a kind such as "real floating"."""
    ...


@public("numpy.isscalar", inspection.python_bool, static_result=True)
def isscalar(element: Any) -> bool:
    """Tells whether a value is a number or an array without dimensions."""
    ...


@public("numpy.iterable", inspection.python_bool, static_result=True)
def iterable(y: Any) -> Any:
    """Tells whether a value can be iterated."""
    ...


@public("numpy.iscomplexobj", inspection.python_bool, static_result=True)
def iscomplexobj(x: Any) -> bool:
    """Tells whether an array has a complex dtype."""
    ...


@public("numpy.isrealobj", inspection.python_bool, static_result=True)
def isrealobj(x: Any) -> bool:
    """Tells whether an array has a dtype that is not complex."""
    ...


@public(
    "numpy.broadcast_shapes", inspection.broadcast_shapes, shapes=("shapes",), static_result=True
)
def broadcast_shapes(*shapes: Any) -> Any:
    """Gives the shape that shapes broadcast to."""
    ...


@public("numpy.einsum_path", static=("optimize",), static_result=True)
def einsum_path(
    subscripts: Any, /, *operands: Any, optimize: bool | str | list[tuple[int, ...]] = "auto"
) -> tuple[list[tuple[int, ...]], Any]:
    """Finds an order in which to contract the operands of an `einsum`."""
    ...


@public("numpy.get_printoptions", static_result=True)
def get_printoptions() -> Any:
    """Gives the options with which arrays are printed."""
    ...


@public("numpy.set_printoptions", results.nothing)
def set_printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed."""
    ...


@public("numpy.printoptions")
def printoptions(*args: Any, **kwargs: Any) -> Any:
    """Sets the options with which arrays are printed in a block."""
    ...
