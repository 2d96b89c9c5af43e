"""Functions applied to slices and elements of arrays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import lanes, ufuncs, vectorizing
from oakum.typing import ArrayLike, DTypeLike
from oakum.values.declarations import public, transform


@public("numpy.apply_along_axis", results.array, static=("axis",))
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any
) -> Array:
    """Applies a function to the one-dimensional slices along an axis."""
    return lanes.apply_along_axis(func1d, axis, arr, args, kwargs)


@public("numpy.apply_over_axes", results.array, static=("axes",))
def apply_over_axes(
    func: Callable[[ArrayLike, int], Array], a: ArrayLike, axes: Sequence[int]
) -> Array:
    """Applies a function to an array for one axis after another."""
    return lanes.apply_over_axes(func, a, axes)


@transform("numpy.vectorize", "vmap", ("pyfunc",), staged=False)
def vectorize(pyfunc: Any, *, excluded: Any = frozenset(), signature: Any = None) -> Any:
    """Maps a function over the elements of its arguments, or as a signature says."""
    return vectorizing.vectorize(pyfunc, excluded, signature)


@transform("numpy.frompyfunc", "custom", ("func",), staged=False)
def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: Any = None) -> Any:
    """Makes a universal function of a scalar one."""
    return ufuncs.UniversalFunction(func, nin, nout, identity=identity)


@public("numpy.fromfunction", results.array, shapes=("shape",))
def fromfunction(
    function: Callable[..., Array], shape: Any, *, dtype: DTypeLike = float, **kwargs: Any
) -> Array:
    """Makes an array by a function of its indices."""
    return lanes.from_function(function, shape, dtype, kwargs)
