"""The functions of distributions, each of which states its parameters once and its formulas.

A formula takes operands of one inexact dtype and one shape. The functions that follow from another
one are derived from it: `pdf = exp_of(logpdf)`, `logcdf = log_of(cdf)`.

A signature is a function that returns its arguments, in order.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from types import FunctionType
from typing import Final, ParamSpec

from oakum import lax
from oakum.abstract import elementwise
from oakum.array import Array
from oakum.numpy import coercion
from oakum.typing import ArrayLike
from oakum.values.declarations import PublicFunction, public

P = ParamSpec("P")

Operands = tuple[ArrayLike, ...]


def location_scale(x: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    """Returns the arguments of a distribution that is moved and stretched."""
    return x, loc, scale


def quantile(q: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    """Returns the arguments of the inverse of such a distribution."""
    return q, loc, scale


def between(
    x: ArrayLike, a: ArrayLike, b: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1
) -> Operands:
    """Returns the arguments of a distribution with two parameters `a` and `b`."""
    return x, a, b, loc, scale


def degrees(x: ArrayLike, df: ArrayLike, loc: ArrayLike = 0, scale: ArrayLike = 1) -> Operands:
    """Returns the arguments of a distribution with degrees of freedom."""
    return x, df, loc, scale


def chance(k: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Operands:
    """Returns the arguments of a distribution of counts that has one chance."""
    return k, p, loc


def trials(k: ArrayLike, n: ArrayLike, p: ArrayLike, loc: ArrayLike = 0) -> Operands:
    """Returns the arguments of a distribution of counts among so many trials."""
    return k, n, p, loc


_LOGARITHM: Final = "the logarithm of "


def declare(
    operands: Callable[P, Operands],
) -> Callable[[Callable[..., Array]], PublicFunction[P, Array]]:
    """Declares a formula as a public function with the signature of `operands`.

    It has the name of the formula, in the distribution that its module is.
    """

    def decorate(formula: Callable[..., Array]) -> PublicFunction[P, Array]:
        module, name = formula.__module__, formula.__name__
        own = f"{module.rpartition('.')[2]}.{name}"

        def compute(*args: ArrayLike) -> Array:
            return formula(*coercion.promote_inexact(own, *args))

        return _publish(compute, operands, module, name, formula.__doc__ or "")

    return decorate


def exp_of(log: PublicFunction[P, Array]) -> PublicFunction[P, Array]:
    """Declares the function whose logarithm another one is: `pdf` for `logpdf`."""

    def compute(*args: P.args, **kwargs: P.kwargs) -> Array:
        return lax.exp(log(*args, **kwargs))

    name, doc = log.__name__.removeprefix("log"), log.summary.replace(_LOGARITHM, "")
    return _publish(compute, inspect.unwrap(log), log.__module__, name, doc)


def log_of(function: PublicFunction[P, Array]) -> PublicFunction[P, Array]:
    """Declares the logarithm of a function: `logcdf` for `cdf`."""

    def compute(*args: P.args, **kwargs: P.kwargs) -> Array:
        return lax.log(function(*args, **kwargs))

    name, doc = f"log{function.__name__}", function.summary
    doc = doc.replace("the ", f"{_LOGARITHM}the ", 1)
    return _publish(compute, inspect.unwrap(function), function.__module__, name, doc)


def _publish(
    compute: Callable[..., Array], operands: Callable[P, Operands], module: str, name: str, doc: str
) -> PublicFunction[P, Array]:
    """Returns the public function that computes something of its arguments."""
    assert isinstance(operands, FunctionType)
    # A copy: Python names the function in its error for arguments that do not fit.
    bind = FunctionType(operands.__code__, {}, name, operands.__defaults__)
    bind.__qualname__ = name

    def function(*args: P.args, **kwargs: P.kwargs) -> Array:
        return compute(*bind(*args, **kwargs))

    function.__module__, function.__name__, function.__qualname__ = module, name, name
    signature = inspect.signature(operands).replace(return_annotation="Array")
    function.__doc__ = " ".join(doc.split())
    vars(function).update(__wrapped__=operands, __signature__=signature)
    rule = elementwise.loose_inexact.over(*signature.parameters)
    return public(module.removeprefix("oakum.") + "." + name, rule)(function)
