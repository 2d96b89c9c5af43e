"""Functions of flat values with what their transformations return beside the results."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any, Final


class StoreException(Exception):
    """What a transformation returns beside the results is asked for before the call, or is set
    twice.
    """


class Store:
    """Holds one value, which is set once.

    >>> store = Store()
    >>> store.store("a tree"); store.val
    'a tree'
    """

    def __init__(self) -> None:
        self._values: list[Any] = []

    def store(self, value: object) -> None:
        """Sets the value; raises `StoreException` where it is set."""
        if self._values:
            raise StoreException("Store occupied")
        self._values.append(value)

    @property
    def val(self) -> Any:
        """The value; raises `StoreException` before it is set."""
        if not self._values:
            raise StoreException("Store empty")
        return self._values[0]

    def __bool__(self) -> bool:
        return bool(self._values)


class WrappedFun:
    """A function with the transformations that are applied to it, the outermost first."""

    def __init__(
        self,
        f: Callable[..., Any],
        params: Mapping[str, Any] | None = None,
        debug_info: object = None,
    ) -> None:
        self.f = f
        self.params: Final = dict(params or {})
        self.debug_info = debug_info

    @property
    def __name__(self) -> str:
        return getattr(self.f, "__name__", "<unnamed function>")

    def call_wrapped(self, *args: object, **kwargs: object) -> Any:
        """Calls the transformed function."""
        return self.f(*args, **{**self.params, **kwargs})


def wrap_init(
    f: Callable[..., Any], params: Mapping[str, Any] | None = None, *, debug_info: object = None
) -> WrappedFun:
    """Returns a function to which transformations can be applied.

    >>> wrap_init(lambda x: x + 1).call_wrapped(1)
    2
    """
    return WrappedFun(f, params, debug_info)


def transformation(generator: Callable[..., Any]) -> Callable[..., WrappedFun]:
    """Returns the transformation that a generator carries out: it is passed the arguments, yields
    those of the function and its keywords, is sent the results, and yields its own.
    """
    return functools.partial(transformation2, functools.partial(_advance, generator, None))


def transformation_with_aux(
    generator: Callable[..., Any],
) -> Callable[..., tuple[WrappedFun, Callable[[], Any]]]:
    """Returns such a transformation, whose generator yields a pair: its results, and a value."""

    def transform(
        function: Callable[..., Any], store: Store, *arguments: object, **keywords: object
    ) -> Any:
        return _advance(generator, store, function, *arguments, **keywords)

    return functools.partial(transformation_with_aux2, transform)


def _advance(
    generator: Callable[..., Any],
    store: Store | None,
    function: Callable[..., Any],
    *arguments: object,
    **keywords: object,
) -> Any:
    steps = generator(*arguments, **keywords)
    operands, named = next(steps)
    results = steps.send(function(*operands, **named))
    if store is None:
        return results
    results, value = results
    store.store(value)
    return results


def transformation2(transform: Callable[..., Any], fun: WrappedFun, *args: object) -> WrappedFun:
    """Returns a function that `transform(function, *args, *operands)` carries out."""

    def transformed(*operands: object, **keywords: object) -> Any:
        return transform(fun.call_wrapped, *args, *operands, **keywords)

    return WrappedFun(transformed, debug_info=fun.debug_info)


def transformation_with_aux2(
    transform: Callable[..., Any], fun: WrappedFun, *args: object
) -> tuple[WrappedFun, Callable[[], Any]]:
    """Returns such a function, and what gives the value that the transformation has stored.

    `transform(function, store, *args, *operands)` stores it.
    """
    store = Store()

    def transformed(*operands: object, **keywords: object) -> Any:
        return transform(fun.call_wrapped, store, *args, *operands, **keywords)

    return WrappedFun(transformed, debug_info=fun.debug_info), lambda: store.val
