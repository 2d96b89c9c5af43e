"""Reading and writing elements at computed positions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import indexing, results, selection, sorting
from oakum.array import Array
from oakum.numpy import arguments, choosing, creation, places, putting, selecting, shapes, taking
from oakum.typing import ArrayLike, DTypeLike, Shape
from oakum.values.declarations import public


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
    arguments.refuse_out("jnp.take", out)
    return taking.take(
        a,
        indices,
        axis,
        mode,
        fill_value=fill_value,
        unique_indices=unique_indices,
        indices_are_sorted=indices_are_sorted,
    )


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
    return taking.take_along_axis(arr, indices, axis, mode, fill_value, wrap_negative_indices)


@public("numpy.put", results.first, static=("mode", "inplace"))
def put(
    a: ArrayLike, ind: ArrayLike, v: ArrayLike, mode: str | None = None, *, inplace: bool = True
) -> Array:
    """Gives an array with values written at flat indices."""
    return putting.put(a, ind, v, mode, inplace)


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
    return putting.put_along_axis(arr, indices, values, axis, inplace, mode)


@public("numpy.place", results.first, static=("inplace",))
def place(arr: ArrayLike, mask: ArrayLike, vals: ArrayLike, *, inplace: bool = True) -> Array:
    """Gives an array with values written where a mask is true."""
    return putting.place(arr, mask, vals, inplace)


@public("numpy.fill_diagonal", results.first, static=("wrap", "inplace"))
def fill_diagonal(
    a: ArrayLike, val: ArrayLike, wrap: bool = False, *, inplace: bool = True
) -> Array:
    """Gives an array with values written on its diagonal."""
    return putting.fill_diagonal(a, val, wrap, inplace)


@public("numpy.choose", results.array, static=("mode",))
def choose(
    a: ArrayLike, choices: ArrayLike | Sequence[ArrayLike], out: None = None, mode: str = "raise"
) -> Array:
    """Picks each element from one of several arrays."""
    arguments.refuse_out("jnp.choose", out)
    return choosing.choose(a, choices, mode)


@public("numpy.select", selection.select, edge="selects")
def select(
    condlist: Sequence[ArrayLike], choicelist: Sequence[ArrayLike], default: ArrayLike = 0
) -> Array:
    """Picks each element from the first array whose condition holds."""
    return choosing.select(condlist, choicelist, default)


@public(
    "numpy.where",
    selection.where,
    sizes=("size",),
    dynamic_size=results.without("x", "y", "size"),
    size_parameter="size",
    size_operands=("condition",),
    edge="selects",
)
def where(
    condition: Any, x: Any = None, y: Any = None, /, *, size: Any = None, fill_value: Any = None
) -> Any:
    """Picks elements from two arrays by a condition; alone, gives the indices where it is true."""
    if x is None and y is None:
        arguments.check_arrays("where", condition)
        return nonzero(condition, size=size, fill_value=fill_value)
    arguments.check_arrays("where", condition, x, y)
    if size is not None or fill_value is not None:
        raise ValueError(
            "size and fill_value arguments cannot be used in three-term where function."
        )
    return selecting.where(condition, x, y)


@public("numpy.piecewise", selection.piecewise)
def piecewise(
    x: ArrayLike,
    condlist: Array | Sequence[ArrayLike],
    funclist: list[ArrayLike | Callable[..., Array]],
    *args: Any,
    **kw: Any,
) -> Array:
    """Evaluates the function whose condition holds, element by element."""
    return choosing.piecewise(x, condlist, funclist, args, kw)


@public(
    "numpy.extract",
    sorting.select_elements,
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("condition",),
)
def extract(
    condition: ArrayLike, arr: ArrayLike, *, size: int | None = None, fill_value: ArrayLike = 0
) -> Array:
    """Gives the elements where a condition is true."""
    return choosing.compress(
        "extract", shapes.ravel(condition), shapes.ravel(arr), 0, size, fill_value
    )


@public(
    "numpy.compress",
    results.array,
    static=("axis",),
    sizes=("size",),
    dynamic_size=results.without("size"),
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
    arguments.refuse_out("jnp.compress", out)
    return choosing.compress("compress", condition, a, axis, size, fill_value)


@public(
    "numpy.nonzero",
    sorting.nonzero,
    sizes=("size",),
    dynamic_size=results.without("size"),
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
    return places.nonzero(a, size, fill_value)


@public(
    "numpy.flatnonzero",
    sorting.flatnonzero,
    sizes=("size",),
    dynamic_size=results.without("size"),
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
    return places.nonzero(shapes.ravel(a), size, fill_value)[0]


@public(
    "numpy.argwhere",
    sorting.argwhere,
    sizes=("size",),
    dynamic_size=results.without("size"),
    size_parameter="size",
    size_operands=("a",),
)
def argwhere(
    a: ArrayLike, *, size: int | None = None, fill_value: ArrayLike | None = None
) -> Array:
    """Gives the indices of the elements that are not zero, one row each."""
    return places.argwhere(a, size, fill_value)


@public("numpy.unravel_index", indexing.unravelled)
def unravel_index(indices: ArrayLike, shape: Shape) -> tuple[Array, ...]:
    """Converts flat indices to indices for each axis."""
    return places.unravel(indices, shape)


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
    return places.ravel(multi_index, dims, mode, order, dtype)


@public("numpy.diag_indices", indexing.diagonal_indices, static=("ndim",), sizes=("n",))
def diag_indices(n: int, ndim: int = 2) -> tuple[Array, ...]:
    """Gives the indices of the main diagonal."""
    return places.diagonal(n, ndim)


@public("numpy.diag_indices_from", indexing.diagonal_indices_from)
def diag_indices_from(arr: ArrayLike) -> tuple[Array, ...]:
    """Gives the indices of the main diagonal of an array."""
    return places.diagonal_of(arr)


@public("numpy.tril_indices", results.arrays(2), static=("k",), sizes=("n", "m"))
def tril_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Gives the indices of a lower triangle."""
    return places.triangle(n, k, m, lower=True)


@public("numpy.tril_indices_from", results.arrays(2), static=("k",))
def tril_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Gives the indices of the lower triangle of an array."""
    rows, columns = places.matrix_shape(arr, "tril_indices_from")
    return tril_indices(rows, k, columns)


@public("numpy.triu_indices", results.arrays(2), static=("k",), sizes=("n", "m"))
def triu_indices(n: int, k: int = 0, m: int | None = None) -> tuple[Array, Array]:
    """Gives the indices of an upper triangle."""
    return places.triangle(n, k, m, lower=False)


@public("numpy.triu_indices_from", results.arrays(2), static=("k",))
def triu_indices_from(arr: Any, k: int = 0) -> tuple[Array, Array]:
    """Gives the indices of the upper triangle of an array."""
    rows, columns = places.matrix_shape(arr, "triu_indices_from")
    return triu_indices(rows, k, columns)


@public("numpy.mask_indices", results.arrays(2), static=("k",), sizes=("n", "size"))
def mask_indices(
    n: int, mask_func: Callable[[ArrayLike, int], Array], k: int = 0, *, size: int | None = None
) -> tuple[Array, Array]:
    """Gives the indices where a function that masks a square matrix leaves it."""
    rows, columns = places.nonzero(mask_func(creation.ones((n, n)), k), size, None)
    return rows, columns


@public("numpy.ix_")
def ix_(*args: ArrayLike) -> tuple[Array, ...]:
    """Makes index arrays that select a grid of rows, columns and so on."""
    return places.open_grid(args)
