"""Reading and writing elements at computed positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import indexing, pairs, particular, results, selection, sizes, sorting
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, DTypeLike, Shape


@public(
    "numpy.take",
    indexing.take,
    static=("axis", "mode", "unique_indices", "indices_are_sorted", "fill_value"),
)
def take(
    a: ArrayLike,
    indices: ArrayLike,
    axis: int | None = None,
    out: None = None,
    mode: str | None = None,
    unique_indices: bool = False,
    indices_are_sorted: bool = False,
    fill_value: Any = None,
) -> Array:
    """Takes elements along an axis at given indices."""
    ...


@public(
    "numpy.take_along_axis",
    indexing.take_along_axis,
    static=("axis", "mode", "fill_value", "wrap_negative_indices"),
)
def take_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    axis: int | None = -1,
    mode: Any = None,
    fill_value: Any = None,
    *,
    wrap_negative_indices: bool | None = None,
) -> Array:
    """Takes elements along an axis, at an index of its own for each lane."""
    ...


@public("numpy.put", results.first, static=("mode", "inplace"))
def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True
) -> Array:
    """Gives an array with values written at flat indices."""
    ...


@public("numpy.put_along_axis", results.first, static=("axis", "inplace", "mode"))
def put_along_axis(
    arr: ArrayLike,
    indices: ArrayLike,
    values: ArrayLike,
    axis: int | None,
    inplace: bool = True,
    *,
    mode: str | None = None,
) -> Array:
    """Gives an array with values written along an axis, at an index of its own for each lane."""
    ...


@public("numpy.place", results.first, static=("inplace",))
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """Gives an array with values written where a mask is true."""
    ...


@public("numpy.fill_diagonal", results.first, static=("wrap", "inplace"))
def fill_diagonal(
    a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True
) -> Array:
    """Gives an array with values written on its diagonal."""
    ...


@public("numpy.choose", results.array, static=("mode",))
def choose(
    a: ArrayLike, choices: ArrayLike | Sequence[ArrayLike], out: None = None, mode: str = "raise"
) -> Array:
    """Picks each element from one of several arrays."""
    ...


@public("numpy.select", selection.select)
def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> Array:
    """Picks each element from the first array whose condition holds."""
    ...


@public(
    "numpy.where",
    selection.where,
    sizes=("size",),
    dynamic_size=sizes.without("x", "y", "size"),
    size_parameter="size",
    size_operands=("condition",),
)
def where(
    condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """Picks elements from two arrays by a condition; alone, gives the indices where it is true."""
    ...


@public("numpy.piecewise", particular.piecewise)
def piecewise(
    x: ArrayLike,
    condlist: Array | Sequence[ArrayLike],
    funclist: list[ArrayLike | Callable[..., Array]],
    *args: Any,
    **kw: Any,
) -> Array:
    """Evaluates the function whose condition holds, element by element."""
    ...


@public(
    "numpy.extract",
    sorting.select_elements,
    sizes=("size",),
    dynamic_size=sizes.without("size"),
    size_parameter="size",
    size_operands=("condition",),
)
def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0
) -> Array:
    """Gives the elements where a condition is true."""
    ...


@public(
    "numpy.compress",
    results.array,
    static=("axis",),
    sizes=("size",),
    dynamic_size=sizes.without("size"),
    size_parameter="size",
    size_operands=("condition",),
)
def compress(
    condition: ArrayLike,
    a: ArrayLike,
    axis: int | None = None,
    *,
    size: int | None = None,
    fill_value: ArrayLike = 0,
    out: None = None,
) -> Array:
    """Gives the slices along an axis for which a condition is true."""
    ...


@public(
    "numpy.nonzero",
    sorting.nonzero,
    sizes=("size",),
    dynamic_size=sizes.without("size"),
    size_parameter="size",
    size_operands=("a",),
)
def nonzero(
    a: ArrayLike,
    *,
    size: int | None = None,
    fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
) -> tuple[Array, ...]:
    """Gives the indices of the elements that are not zero."""
    ...


@public(
    "numpy.flatnonzero",
    sorting.flatnonzero,
    sizes=("size",),
    dynamic_size=sizes.without("size"),
    size_parameter="size",
    size_operands=("a",),
)
def flatnonzero(
    a: ArrayLike,
    *,
    size: int | None = None,
    fill_value: ArrayLike | tuple[ArrayLike, ...] | None = None,
) -> Array:
    """Gives the flat indices of the elements that are not zero."""
    ...


@public(
    "numpy.argwhere",
    sorting.argwhere,
    sizes=("size",),
    dynamic_size=sizes.without("size"),
    size_parameter="size",
    size_operands=("a",),
)
def argwhere(
    a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Gives the indices of the elements that are not zero, one row each."""
    ...


@public("numpy.unravel_index", pairs.unravelled)
def unravel_index(indices: ArrayLike, shape: Shape) -> tuple[Array, ...]:
    """Converts flat indices to indices for each axis."""
    ...


@public("numpy.ravel_multi_index", results.array, static=("dims", "mode", "order"))
def ravel_multi_index(
    multi_index: Sequence[ArrayLike],
    dims: Sequence[int],
    mode: str = "raise",
    order: str = "C",
    *,
    dtype: DTypeLike | None = None,
) -> Array:
    """Converts indices for each axis to flat indices."""
    ...


@public("numpy.diag_indices", pairs.diagonal_indices, static=("ndim",), sizes=("n",))
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Gives the indices of the main diagonal."""
    ...


@public("numpy.diag_indices_from", pairs.diagonal_indices_from)
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Gives the indices of the main diagonal of an array."""
    ...


@public("numpy.tril_indices", results.arrays(2), static=("k",), sizes=("n", "m"))
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Gives the indices of a lower triangle."""
    ...


@public("numpy.tril_indices_from", results.arrays(2), static=("k",))
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Gives the indices of the lower triangle of an array."""
    ...


@public("numpy.triu_indices", results.arrays(2), static=("k",), sizes=("n", "m"))
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Gives the indices of an upper triangle."""
    ...


@public("numpy.triu_indices_from", results.arrays(2), static=("k",))
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Gives the indices of the upper triangle of an array."""
    ...


@public("numpy.mask_indices", results.arrays(2), static=("k",), sizes=("n", "size"))
def mask_indices(
    n: int, mask_func: Callable[[ArrayLike, int], Array], k: int = 0, *, size: int | None = None
) -> tuple[Array, Array]:
    """Gives the indices where a function that masks a square matrix leaves it."""
    ...


@public("numpy.ix_")
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Makes index arrays that select a grid of rows, columns and so on."""
    ...
