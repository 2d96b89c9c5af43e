"""The universal functions of NumPy: their fast ways to reduce, accumulate and update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

from oakum import numpy as jnp
from oakum.numpy import arguments, promoting, reducing
from oakum.numpy.ufuncs import UniversalFunction
from oakum.values.declarations import PublicFunction
from oakum.values.records import dataclass

P = ParamSpec("P")
R = TypeVar("R", covariant=True)


@dataclass(frozen=True, slots=True)
class Methods:
    """What a function does at once that others do by a loop."""

    reduce: Callable[..., Any] | None = None
    accumulate: Callable[..., Any] | None = None
    at: Callable[..., Any] | None = None


class PublicUfunc(PublicFunction[P, R], UniversalFunction):
    """A public function that is universal."""

    _description: tuple[int, Any, Methods]

    def describe(self, nin: int, identity: Any, methods: Methods) -> PublicUfunc[P, R]:
        """Sets what distinguishes the function."""
        self._description = nin, identity, methods
        self.called = self._check_and_call
        return self

    @property
    def methods(self) -> Methods:
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

    def accumulate(self, a: Any, axis: Any = 0, dtype: Any = None, out: None = None) -> Any:
        """Combines the elements along an axis, and keeps what comes of each."""
        if self.methods.accumulate is None:
            return super().accumulate(a, axis, dtype, out)
        self._check_binary("accumulate", out)
        return self.methods.accumulate(a, axis, dtype)

    def at(self, a: Any, indices: Any, b: Any = None, /, *, inplace: bool = True) -> Any:
        """The array with the function applied at positions, once for each time they occur."""
        if inplace or self.methods.at is None:
            return super().at(a, indices, b, inplace=inplace)
        return self.methods.at(a, indices, b)


def universal(
    nin: int,
    *,
    identity: Any = None,
    reduce: Callable[..., Any] | None = None,
    accumulate: Callable[..., Any] | None = None,
    at: Callable[..., Any] | None = None,
) -> Callable[[PublicFunction[P, R]], PublicUfunc[P, R]]:
    """Makes a public function of elements a universal one."""
    methods = Methods(reduce, accumulate, at)

    def decorate(function: PublicFunction[P, R]) -> PublicUfunc[P, R]:
        made = PublicUfunc[P, R].of(function)
        return made.describe(nin, identity, methods)

    return decorate


def calling(name: str) -> Callable[..., Any]:
    """A method that a function of `oakum.numpy` is."""

    def call(*args: Any, **options: Any) -> Any:
        return getattr(jnp, name)(*args, **options)

    return call


def reduction(name: str, kind: Callable[[], reducing.Reduction]) -> Callable[..., Any]:
    """The method `reduce` of a function that joins elements; `kind` is called when that is."""

    def reduce(a: Any, axis: Any, **options: Any) -> Any:
        return reducing.reduce(name, kind(), a, axis, **options)

    return reduce


def log_reduction(name: str, scale: float) -> Callable[..., Any]:
    """The method `reduce` of sums in logarithms, to a base whose logarithm is `scale`."""

    def reduce(a: Any, axis: Any, *, dtype: Any, initial: Any, **options: Any) -> Any:
        (x,) = promoting.promote_inexact(name, a)
        first = None if initial is None else jnp.multiply(initial, scale)
        scaled = x if scale == 1 else jnp.multiply(x, scale)
        result = reducing.log_sum_exp(name, scaled, axis, initial=first, **options)
        return result if scale == 1 else jnp.divide(result, scale)

    return reduce


def updating(method: str) -> Callable[..., Any]:
    """The method `at` of arithmetic that arrays know for indices; booleans count as integers."""

    def update(a: Any, indices: Any, b: Any) -> Any:
        x = jnp.asarray(a)
        if method != "subtract" and x.dtype == bool:
            counted = getattr(jnp.astype(x, "int32").at[indices], method)
            return jnp.astype(counted(jnp.astype(jnp.astype(b, bool), "int32")), bool)
        return getattr(x.at[indices], method)(b)

    return update
