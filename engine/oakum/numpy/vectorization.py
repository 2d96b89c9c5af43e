"""Functions of scalars, vectors and small arrays, applied to the elements and slices of arrays."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final

from oakum import config, errors
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.api.batching import vmap
from oakum.array import Array
from oakum.numpy import arguments, ufuncs
from oakum.typing import ArrayLike, DTypeLike
from oakum.values import user_frames
from oakum.values.declarations import public, transform
from oakum.values.records import dataclass
from oakum.values.traceback_filtering import api_boundary


@public("numpy.apply_along_axis", results.array, static=("axis",))
def apply_along_axis(
    func1d: Callable[..., Any], axis: int, arr: ArrayLike, *args: Any, **kwargs: Any
) -> Array:
    """Applies a function to the one-dimensional slices along an axis."""
    (arr,) = arguments.arrays("apply_along_axis", arr)
    rank = arguments.rank_of(arr)
    place = arguments.axis(axis, rank)

    def mapped(lane: object) -> Any:
        return func1d(lane, *args, **kwargs)

    for i in range(1, rank - place):
        mapped = vmap(mapped, in_axes=i, out_axes=-1)
    for _ in range(place):
        mapped = vmap(mapped, in_axes=0, out_axes=0)
    return mapped(arr)


@public("numpy.apply_over_axes", results.array, static=("axes",))
def apply_over_axes(
    func: Callable[[ArrayLike, int], Array], a: ArrayLike, axes: Sequence[int]
) -> Array:
    """Applies a function to an array for one axis after another."""
    (x,) = arguments.arrays("apply_over_axes", a)
    for axis in axes:
        rank = arguments.rank_of(x)
        result = func(x, axis)
        if arguments.rank_of(result) == rank - 1:
            result = jnp.expand_dims(result, axis)
        elif arguments.rank_of(result) != rank:
            raise ValueError("function is not returning an array of the correct shape")
        x = result
    return x


@transform("numpy.vectorize", "vmap", ("pyfunc",), staged=False)
def vectorize(pyfunc: Any, *, excluded: Any = frozenset(), signature: Any = None) -> Any:
    """Maps a function over the elements of its arguments, or as a signature says."""
    return vectorized(pyfunc, excluded, signature)


def vectorized(
    function: Callable[..., Any], excluded: Collection[Any], signature: str | None
) -> Callable[..., Any]:
    """Returns the function mapped over the leading axes of its arguments, which broadcast."""
    if any(not isinstance(each, (str, int)) for each in excluded):
        raise TypeError(
            "jax.numpy.vectorize can only exclude integer or string arguments, but "
            f"excluded={excluded!r}"
        )
    if any(isinstance(each, int) and each < 0 for each in excluded):
        raise ValueError(f"excluded={excluded!r} contains negative numbers")
    context = f"on vectorized function with excluded={excluded!r} and signature={signature!r}"

    @api_boundary
    @user_frames.wraps(function)
    def wrapped(*args: object, **keywords: object) -> Any:
        places = {each for each in excluded if isinstance(each, int)}
        names = {each for each in excluded if isinstance(each, str)}
        kept = {i: arg for i, arg in enumerate(args) if i in places}
        named = {key: value for key, value in keywords.items() if key in names}
        mapped_names = [key for key in keywords if key not in names]
        given = [arg for i, arg in enumerate(args) if i not in places]
        values = [*given, *(keywords[key] for key in mapped_names)]
        read = _read(signature, len(given) if signature is not None else len(values))
        nothing = {i for i, value in enumerate(values) if value is None}
        read = _without_nothing(read, nothing, signature)

        def call(*arrays: ArrayLike) -> Any:
            filled = _inserted(arrays, dict.fromkeys(sorted(nothing)))
            pairs = zip(mapped_names, filled[len(given) :], strict=True)
            return function(*_inserted(filled[: len(given)], kept), **dict(pairs), **named)

        arrays = [jnp.asarray(value) for value in values if value is not None]
        return _Mapping(read, context).call(call, arrays, signature)

    return wrapped


@dataclass(frozen=True, slots=True)
class _Mapping:
    """One call: the axes that the function takes, and what the call is called in messages."""

    signature: _Signature
    context: str

    def call(self, function: Callable[..., Any], arrays: list[Any], text: str | None) -> Any:
        inputs = self.signature.inputs
        if len(arrays) != len(inputs):
            raise TypeError(
                f"wrong number of positional arguments: expected {len(inputs)!r}, got "
                f"{len(arrays)!r} {self.context}"
            )
        sizes: dict[str, int] = {}
        leads: list[tuple[int, ...]] = []
        for array, dims in zip(arrays, inputs, strict=True):
            shape = arguments.shape_of(array)
            if len(shape) < len(dims):
                raise errors.ShapeError(
                    f"input with shape {shape!r} does not have enough dimensions for all core "
                    f"dimensions {dims!r} {self.context}"
                )
            self._learn(sizes, shape[len(shape) - len(dims) :], dims)
            leads.append(shape[: len(shape) - len(dims)])
        lead = arguments.broadcast_shapes(*leads)
        _check_ranks(arrays, leads, text)
        return _map(self._checked(function, sizes), arrays, leads, len(lead))

    def _learn(self, sizes: dict[str, int], shape: tuple[int, ...], dims: _Dims) -> None:
        for dim, size in zip(dims, shape, strict=True):
            known = sizes.setdefault(dim, size)
            if known != size:
                raise errors.ShapeError(
                    f"inconsistent size for core dimension {dim!r}: {size!r} vs {known!r} "
                    f"{self.context}"
                )

    def _checked(self, function: Callable[..., Any], sizes: dict[str, int]) -> Callable[..., Any]:
        """Returns the function, whose results must have the axes that the signature says."""
        expected = self.signature.results
        if expected is None:
            return function

        def checked(*arrays: ArrayLike) -> Any:
            result = function(*arrays)
            if len(expected) > 1 and not arguments.is_tuple(result):
                raise TypeError(
                    "output must be a tuple when multiple outputs are expected, got: "
                    f"{result!r}\n{self.context}"
                )
            parts: tuple[Any, ...] = result if arguments.is_tuple(result) else (result,)
            if len(parts) != len(expected):
                raise TypeError(
                    f"wrong number of output arguments: expected {len(expected)!r}, got "
                    f"{len(parts)!r} {self.context}"
                )
            known = dict(sizes)
            for part, dims in zip(parts, expected, strict=True):
                shape = arguments.shape_of(part)
                if len(shape) != len(dims):
                    raise errors.ShapeError(
                        f"output shape {shape!r} does not match core dimensions {dims!r} "
                        f"{self.context}"
                    )
                self._learn(known, shape, dims)
            return result

        return checked


_Dims = tuple[str, ...]
"""The names of the axes that a function sees of an argument."""


def _map(
    function: Callable[..., Any], arrays: list[Any], leads: list[tuple[int, ...]], rank: int
) -> Any:
    """Maps over the leading axes, from the last one on; axes of length one are left out."""
    filled = [(1,) * (rank - len(lead)) + lead for lead in leads]
    squeezed = [
        jnp.squeeze(array, tuple(i for i, size in enumerate(lead) if size == 1))
        for array, lead in zip(arrays, leads, strict=True)
    ]
    single: list[int] = []
    for axis in reversed(range(rank)):
        axes = tuple(None if shape[axis] == 1 else 0 for shape in filled)
        if all(each is None for each in axes):
            single.append(axis)
        else:
            function = vmap(function, axes)
    result = function(*squeezed)
    if not single:
        return result
    if arguments.is_tuple(result):
        return tuple(jnp.expand_dims(each, single) for each in result)
    return jnp.expand_dims(result, single)


def _check_ranks(arrays: list[Any], leads: list[tuple[int, ...]], text: str | None) -> None:
    """Applies the configuration of rank promotion."""
    option = config.numpy_rank_promotion.value
    ranks = {
        len(lead) for array, lead in zip(arrays, leads, strict=True) if arguments.rank_of(array)
    }
    if option == "allow" or len(ranks) < 2:
        return
    message = (
        f"operands with shapes {[arguments.shape_of(each) for each in arrays]} require rank "
        f"promotion for jnp.vectorize function with signature {text}. Set the "
        "jax_numpy_rank_promotion config option to 'allow' to disable this message."
    )
    if option == "raise":
        raise errors.ShapeError(message)
    warnings.warn(message, stacklevel=4)


@dataclass(frozen=True, slots=True)
class _Signature:
    """The axes that a function takes and gives; None where it may give any."""

    inputs: Sequence[_Dims]
    results: Sequence[_Dims] | None


def _inserted(values: Sequence[Any], at: Mapping[int, Any]) -> list[Any]:
    """Returns values with others put at given places."""
    result = list(values)
    for place in sorted(at):
        result.insert(place, at[place])
    return result


def _without_nothing(read: _Signature, nothing: set[int], text: str | None) -> _Signature:
    """Returns the signature without the arguments that are None, which must be scalars in it."""
    if any(i < len(read.inputs) and read.inputs[i] for i in nothing):
        raise ValueError(f"Cannot pass None at locations {nothing} with signature={text!r}")
    kept = [dims for i, dims in enumerate(read.inputs) if i not in nothing]
    return _Signature(kept, read.results)


def _read(signature: str | None, count: int) -> _Signature:
    return _Signature([()] * count, None) if signature is None else _read_signature(signature)


def _read_signature(text: str) -> _Signature:
    """Returns the axes that a signature such as "(n,m),(m)->(n)" names.

    >>> _read_signature("(n,m),(m)->(n)")
    _Signature(inputs=[('n', 'm'), ('m',)], results=[('n',)])
    """
    found = _SIGNATURE.fullmatch("".join(text.split()))
    if found is None:
        raise ValueError(f"not a valid gufunc signature: {text}")
    sides = [
        [tuple(re.findall(_NAME, term)) for term in re.findall(_TERM, side)]
        for side in found.groups()
    ]
    return _Signature(*sides)


_NAME: Final = r"\w+"


_TERM: Final = rf"\((?:{_NAME}(?:,{_NAME})*)?\)"


_LIST: Final = rf"{_TERM}(?:,{_TERM})*"


_SIGNATURE: Final = re.compile(rf"({_LIST})->({_LIST})")


@transform("numpy.frompyfunc", "custom", ("func",), staged=False)
def frompyfunc(func: Callable[..., Any], /, nin: int, nout: int, *, identity: object = None) -> Any:
    """Makes a universal function of a scalar one."""
    return ufuncs.UniversalFunction(func, nin, nout, identity=identity)


@public("numpy.fromfunction", results.array, shapes=("shape",))
def fromfunction(
    function: Callable[..., Array], shape: Any, *, dtype: DTypeLike = float, **kwargs: Any
) -> Array:
    """Makes an array by a function of its indices."""
    sizes = arguments.sizes(shape, "shape argument of jnp.fromfunction()")

    def mapped(*indices: ArrayLike) -> Any:
        return function(*indices, **kwargs)

    for i in range(len(sizes)):
        axes = tuple(0 if j == len(sizes) - 1 - i else None for j in range(len(sizes)))
        mapped = vmap(mapped, in_axes=axes)
    return mapped(*(jnp.arange(size, dtype=dtype) for size in sizes))
