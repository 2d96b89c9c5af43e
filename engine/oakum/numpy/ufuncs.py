"""Universal functions: functions of scalars with the methods `reduce`, `accumulate`, `at` and more,
in general and by the fast ways of NumPy's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from oakum import lax
from oakum import numpy as jnp
from oakum.array import Array
from oakum.dtypes import DType
from oakum.numpy import arguments, coercion, reductions, vectorization
from oakum.primitives.rules.arguments import integer
from oakum.typing import ArrayLike
from oakum.values import host
from oakum.values.declarations import PublicFunction
from oakum.values.records import dataclass


class UniversalFunction:
    """A function of scalars, applied to arrays element by element."""

    def __init__(
        self, function: Callable[..., Any], nin: int, nout: int, *, identity: object = None
    ) -> None:
        self.__doc__ = function.__doc__
        self.__name__ = function.__name__
        self.function = function
        self.nin = integer(nin)
        self.nout = integer(nout)
        self.nargs = self.nin
        self.identity = identity

    def _key(self) -> tuple[Any, ...]:
        return self.function, self.__name__, self.identity, self.nin, self.nout

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, UniversalFunction) and self._key() == other._key()

    def __repr__(self) -> str:
        return f"<jnp.ufunc '{self.__name__}'>"

    def __call__(self, *args: Any, out: None = None, where: None = None) -> Any:
        arguments.check_arrays(self.__name__, *args)
        if out is not None:
            raise NotImplementedError(f"out argument of {self}")
        if where is not None:
            raise NotImplementedError(f"where argument of {self}")
        return vectorization.vectorized(self.function, frozenset(), None)(*args)

    def _check_binary(self, method: str, out: object) -> None:
        if self.nin != 2:
            raise ValueError(f"{method} only supported for binary ufuncs")
        if self.nout != 1:
            raise ValueError(f"{method} only supported for functions returning a single value")
        if out is not None:
            raise NotImplementedError(f"out argument of {self.__name__}.{method}()")

    def _dtype(self, *values: Any) -> Any:
        """Returns the dtype of the results for operands of these dtypes."""
        ones = [jnp.ones((), host.dtype(arguments.dtype_of(value))) for value in values]
        from oakum.api.jit import eval_shape  # seldom needed, and most of NumPy is loaded without

        return arguments.requested_dtype(eval_shape(self.function, *ones).dtype)

    def reduce(
        self,
        a: Any,
        axis: object = 0,
        dtype: object = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        """Combines the elements along an axis, from the first one on."""
        (a,) = arguments.arrays(f"{self.__name__}.reduce", a)
        self._check_binary("reduce", out)
        arguments.check_arrays_or_none(f"{self.__name__}.reduce", initial, where)
        self._check_where(initial, where)
        wanted = self._dtype(a, a) if dtype is None else arguments.requested_dtype(dtype)
        if isinstance(axis, tuple):
            raise NotImplementedError("tuple of axes")
        rank = arguments.rank_of(a)
        shape = arguments.shape_of(a)
        if where is not None:
            where = arguments.broadcast_to(where, shape)
        if axis is None:
            final = (1,) * rank if keepdims else ()
            a, where = jnp.ravel(a), None if where is None else jnp.ravel(where)
        else:
            place = arguments.axis(axis, rank)
            final = (*shape[:place], *((1,) if keepdims else ()), *shape[place + 1 :])
            a = jnp.moveaxis(a, place, 0)
            where = None if where is None else jnp.moveaxis(where, place, 0)
        start = self.identity if initial is None else initial
        return jnp.reshape(self._combined(a, wanted, start, where, final), final)

    def _check_where(self, initial: object, where: object) -> None:
        if where is None:
            return
        if self.identity is None and initial is None:
            raise ValueError(
                f"reduction operation {self.__name__!r} does not have an identity, so to use a "
                "where mask one has to specify 'initial'."
            )
        if arguments.dtype_of(where).name != "bool":
            raise ValueError(
                f"where argument must have dtype=bool; got dtype={arguments.dtype_of(where)}"
            )

    def _combined(
        self, a: Array, dtype: DType, start: Any, where: Any, final: tuple[int, ...]
    ) -> Any:
        count = arguments.shape_of(a)[0]
        if count == 0:
            if start is None:
                raise ValueError(
                    f"zero-size array to reduction operation {self.__name__} which has no identity"
                )
            return lax.full(final, start, dtype)
        first = 0 if start is not None else 1
        value = arguments.convert(a[0] if start is None else start, dtype)
        value = arguments.broadcast_to(value, arguments.shape_of(a)[1:])

        def step(i: ArrayLike, value: object) -> Any:
            result = arguments.convert(self(value, arguments.convert(a[i], dtype)), dtype)
            return result if where is None else jnp.where(where[i], result, value)

        return lax.fori_loop(first, count, step, value)

    def accumulate(self, a: Any, axis: object = 0, dtype: Any = None, out: None = None) -> Any:
        """Combines the elements along an axis, and keeps what comes of each."""
        self._check_binary("accumulate", out)
        (a,) = arguments.arrays(f"{self.__name__}.accumulate", a)
        if axis is None or isinstance(axis, tuple):
            raise ValueError("accumulate does not allow multiple axes")
        wanted = self._dtype(a, a) if dtype is None else arguments.requested_dtype(dtype)
        place = arguments.axis(axis, arguments.rank_of(a))
        if not arguments.size_of(a):
            return lax.full(arguments.shape_of(a), 0, wanted)
        a = arguments.convert(jnp.moveaxis(a, place, 0), wanted)

        def step(value: object, element: object) -> tuple[Any, Any]:
            result = arguments.convert(self(value, element), wanted)
            return result, result

        _, rest = lax.scan(step, a[0], a[1:])
        return jnp.moveaxis(jnp.concatenate([a[:1], rest]), 0, place)

    def at(self, a: Any, indices: Any, b: object = None, /, *, inplace: bool = True) -> Any:
        """Returns the array with the function applied at positions, once for each time they
        occur.
        """
        if inplace:
            raise NotImplementedError(
                f"jnp.{self.__name__}.at cannot modify arrays in-place, because JAX arrays are "
                "immutable. Pass inplace=False to instead return an updated array."
            )
        others = [] if b is None else [b]
        a, *others = arguments.arrays(f"{self.__name__}.at", a, *others)
        dtype = self._dtype(a, *others)
        a, *others = (arguments.convert(each, dtype) for each in (a, *others))
        index: tuple[Any, ...] = indices if arguments.is_tuple(indices) else (indices,)
        if not index:
            return a
        spread, count = _spread(index, others)
        if spread is None:
            return a.at[index].set(self(a.at[index].get(), *others))
        places, values = spread

        def step(i: ArrayLike, a: Array) -> Any:
            here = tuple(each if arguments.is_slice(each) else each[i] for each in places)
            changed = self(a.at[here].get(), *(each[i] for each in values))
            return a.at[here].set(arguments.convert(changed, dtype))

        return lax.fori_loop(0, count, step, a)

    def reduceat(
        self, a: Array, indices: Array, axis: object = 0, dtype: object = None, out: None = None
    ) -> Any:
        """Combines the elements between neighbouring positions along an axis."""
        self._check_binary("reduceat", out)
        a, indices = arguments.arrays(f"{self.__name__}.reduceat", a, indices)
        shape = arguments.shape_of(a)
        if not shape:
            raise ValueError(f"reduceat: a must have 1 or more dimension, got a.shape={shape}")
        if arguments.rank_of(indices) != 1:
            raise ValueError(
                "reduceat: indices must be one-dimensional, got indices.shape="
                f"{arguments.shape_of(indices)}"
            )
        if axis is None or isinstance(axis, (tuple, list)):
            raise ValueError("reduceat requires a single integer axis.")
        place = arguments.axis(axis, len(shape))
        others = tuple(i for i in range(len(shape)) if i != place)
        result = jnp.take(a, indices, axis=place)
        ends = jnp.append(indices[1:], shape[place])
        starts, ends = (jnp.expand_dims(each, others) for each in (indices, ends))

        def step(i: ArrayLike, result: object) -> Any:
            inside = jnp.logical_and(i > starts, i < ends)
            element = jnp.take(a, jnp.expand_dims(i, 0), axis=place)
            combined = arguments.convert(self(result, element), arguments.dtype_of(result))
            return jnp.where(inside, combined, result)

        return lax.fori_loop(0, shape[place], step, result)

    def outer(self, A: Array, B: Array, /) -> Any:
        """Returns the results for all pairs of elements of two arrays."""
        self._check_binary("outer", None)
        left, right = arguments.arrays(f"{self.__name__}.outer", A, B)
        spread = jnp.reshape(left, (*arguments.shape_of(left), *(1,) * arguments.rank_of(right)))
        return self(spread, right)


ufunc = UniversalFunction


def _spread(index: Sequence[Any], values: Sequence[Any]) -> tuple[Any, int]:
    """Returns the arrays of an index and the values broadcast and flattened, and how many places
    they name; None in place of them where the index has numbers and slices only.
    """
    shapes = [arguments.shape_of(each) for each in index if not arguments.is_slice(each)]
    shape = arguments.broadcast_shapes(*shapes)
    if not shape:
        return None, 1
    count = math.prod(shape)

    def flat(value: object, rest: tuple[int, ...] = ()) -> Any:
        return jnp.reshape(arguments.broadcast_to(value, (*shape, *rest)), (count, *rest))

    places = [each if arguments.is_slice(each) else flat(each) for each in index]
    parts = [flat(each, arguments.shape_of(each)[len(shape) :]) for each in values]
    return (places, parts), count


P = ParamSpec("P")


R = TypeVar("R", covariant=True)


@dataclass(frozen=True, slots=True)
class _Methods:
    """What a function does at once that others do by a loop."""

    reduce: Callable[..., Any] | None = None
    accumulate: Callable[..., Any] | None = None
    at: Callable[..., Any] | None = None


class _PublicUfunc(PublicFunction[P, R], UniversalFunction):
    """A public function that is universal."""

    _description: tuple[int, Any, _Methods]

    def describe(self, nin: int, identity: object, methods: _Methods) -> _PublicUfunc[P, R]:
        """Sets what distinguishes the function."""
        self._description = nin, identity, methods
        self.called = self._check_and_call
        return self

    @property
    def methods(self) -> _Methods:
        """What the function does at once."""
        return self._description[2]

    @property
    def nin(self) -> int:
        """The number of operands."""
        return self._description[0]

    @property
    def nargs(self) -> int:
        """The number of operands."""
        return self._description[0]

    @property
    def nout(self) -> int:
        """The number of results."""
        return 1

    @property
    def identity(self) -> Any:
        """The element that changes no other; None where there is none."""
        return self._description[1]

    @property
    def function(self) -> Any:
        """The function of promoted operands."""
        return self._function

    @property
    def _func(self) -> Any:
        return self._function

    def _check_and_call(self, *args: Any, **kwargs: Any) -> Any:
        arguments.check_arrays(self.__name__, *args)
        for name, value in kwargs.items():
            if value is not None:
                raise NotImplementedError(f"{name} argument of {self}")
        return self._function(*args, **kwargs)

    def __repr__(self) -> str:
        return UniversalFunction.__repr__(self)

    def reduce(
        self,
        a: Any,
        axis: Any = 0,
        dtype: Any = None,
        out: None = None,
        keepdims: bool = False,
        initial: Any = None,
        where: Any = None,
    ) -> Any:
        """Combines the elements along an axis."""
        if self.methods.reduce is None:
            return super().reduce(a, axis, dtype, out, keepdims, initial, where)
        name = f"{self.__name__}.reduce"
        arguments.check_arrays(name, a)
        arguments.check_arrays_or_none(name, initial, where)
        self._check_binary("reduce", out)
        self._check_where(initial, where)
        options: dict[str, Any] = {"keepdims": keepdims, "initial": initial, "where": where}
        return self.methods.reduce(a, axis, dtype=dtype, **options)

    def accumulate(
        self, a: object, axis: object = 0, dtype: object = None, out: None = None
    ) -> Any:
        """Combines the elements along an axis, and keeps what comes of each."""
        if self.methods.accumulate is None:
            return super().accumulate(a, axis, dtype, out)
        self._check_binary("accumulate", out)
        return self.methods.accumulate(a, axis, dtype)

    def at(self, a: object, indices: object, b: object = None, /, *, inplace: bool = True) -> Any:
        """Returns the array with the function applied at positions, once for each time they
        occur.
        """
        if inplace or self.methods.at is None:
            return super().at(a, indices, b, inplace=inplace)
        return self.methods.at(a, indices, b)


def universal(
    nin: int,
    *,
    identity: object = None,
    reduce: Callable[..., Any] | None = None,
    accumulate: Callable[..., Any] | None = None,
    at: Callable[..., Any] | None = None,
) -> Callable[[PublicFunction[P, R]], _PublicUfunc[P, R]]:
    """Makes a public function of elements a universal one."""
    methods = _Methods(reduce, accumulate, at)

    def decorate(function: PublicFunction[P, R]) -> _PublicUfunc[P, R]:
        made = _PublicUfunc[P, R].of(function)
        return made.describe(nin, identity, methods)

    return decorate


def calling(name: str) -> Callable[..., Any]:
    """Returns a method that a function of `oakum.numpy` is."""

    def call(*args: object, **options: object) -> Any:
        return getattr(jnp, name)(*args, **options)

    return call


def reduction(name: str, kind: Callable[[], reductions.Reduction]) -> Callable[..., Any]:
    """Returns the method `reduce` of a function that joins elements; `kind` is called when that
    is.
    """

    def reduce(a: Array, axis: object, **options: Any) -> Any:
        return reductions.reduce(name, kind(), a, axis, **options)

    return reduce


def log_reduction(name: str, scale: float) -> Callable[..., Any]:
    """Returns the method `reduce` of sums in logarithms, to a base whose logarithm is `scale`."""

    def reduce(a: Array, axis: Any, *, dtype: object, initial: Any, **options: Any) -> Any:
        (x,) = coercion.promote_inexact(name, a)
        first = None if initial is None else jnp.multiply(initial, scale)
        scaled = x if scale == 1 else jnp.multiply(x, scale)
        result = reductions.log_sum_exp(name, scaled, axis, initial=first, **options)
        return result if scale == 1 else jnp.divide(result, scale)

    return reduce


def updating(method: str) -> Callable[..., Any]:
    """Returns the method `at` of arithmetic that arrays know for indices; booleans count as
    integers.
    """

    def update(a: ArrayLike, indices: ArrayLike, b: ArrayLike) -> Any:
        x = jnp.asarray(a)
        if method != "subtract" and x.dtype == bool:
            counted = getattr(jnp.astype(x, "int32").at[indices], method)
            return jnp.astype(counted(jnp.astype(jnp.astype(b, bool), "int32")), bool)
        return getattr(x.at[indices], method)(b)

    return update
