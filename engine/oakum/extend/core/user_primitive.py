"""Primitives that are defined outside of oakum, with rules in JAX's conventions.

JAX keeps the rules of a primitive in one table per transformation, and a library sets them after
it has made the primitive. Here they are fields of the primitive, as those of oakum's own are; the
tables of `oakum.interpreters` set these fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any, NoReturn, Protocol, cast

from oakum import dtypes
from oakum.array import Array
from oakum.primitives.rules import lowering
from oakum.runtime.arrays import as_array
from oakum.tracing import trace
from oakum.values import host
from oakum.values.avals import ShapedArray

Function = Callable[..., Any]


class Primitive(trace.Primitive):
    """An operation of a library's own.

    `def_impl` says how it is evaluated, `def_abstract_eval` what aval its results have, and
    `mlir.register_lowering(primitive, mlir.lower_fun(function))` what takes its place where it is
    compiled. Derivatives and batching are rules in the tables of `interpreters.ad` and
    `interpreters.batching`. A rule that is missing raises NotImplementedError with its name where
    it is needed; without a lowering, programs are interpreted, with a warning (OAK008).

    >>> import oakum, oakum.numpy as jnp
    >>> from oakum.interpreters import mlir
    >>> double_p = Primitive("double")
    >>> @double_p.def_impl
    ... def double(x):
    ...     return jnp.multiply(x, 2)
    >>> _ = double_p.def_abstract_eval(lambda x: x)
    >>> mlir.register_lowering(double_p, mlir.lower_fun(double, multiple_results=False))
    >>> float(oakum.jit(double_p.bind)(4.0))
    8.0
    """

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            abstract=_missing(f"Abstract evaluation for '{name}' not implemented"),
            evaluate=self._evaluate,
            interpret=_missing(f"Evaluation rule for '{name}' not implemented"),
            lower=lowering.Decomposed(
                _missing(f"MLIR translation rule for primitive '{name}' not found for platform cpu")
            ),
        )

    def bind(self, *operands: object, **params: object) -> Any:
        """Applies the operation to operands, under the current trace."""
        return super().bind(*map(trace.as_operand, operands), **params)

    def def_impl(self, impl: Function) -> Function:
        """Sets the function of arrays that evaluates the operation outside of traces."""

        def interpret(*operands: Array, **params: object) -> Any:
            return self._results(impl(*operands, **params), as_array)

        self.interpret = interpret
        return impl

    def def_abstract_eval(self, rule: Function) -> Function:
        """Sets the function of avals that returns the aval of the result, or those of several."""

        def abstract(*avals: ShapedArray, **params: object) -> Any:
            return self._results(rule(*avals, **params), _as_aval)

        self.abstract = abstract
        return rule

    def def_bind_with_trace(self, bind: Function) -> NoReturn:
        """Refuses what would need JAX's traces."""
        raise NotImplementedError(f"def_bind_with_trace of '{self.name}': oakum has its own traces")

    def _evaluate(self, xp: ModuleType, *operands: host.Array, **params: object) -> Any:
        """Evaluates the operation in a program that is interpreted."""
        base = trace.base_trace()
        with trace.under(base):
            results = self.interpret(*map(as_array, operands), **params)
        return self._results(results, lambda value: value.raw)

    def _results(self, results: object, convert: Callable[[Any], Any]) -> Any:
        """Returns the result, or all of several, converted."""
        if self.multiple_results:
            return list(map(convert, cast("Sequence[object]", results)))
        return convert(results)


def _missing(text: str) -> Function:
    """Returns a rule that says that there is none."""

    def rule(*_: object, **__: object) -> NoReturn:
        raise NotImplementedError(text)

    return rule


class _Described(Protocol):
    """What has a shape and a dtype."""

    @property
    def shape(self) -> Sequence[int]: ...
    @property
    def dtype(self) -> object: ...


def _as_aval(given: _Described) -> ShapedArray:
    """Returns the aval of what has a shape and a dtype, whatever class it is of."""
    return ShapedArray(
        tuple(given.shape), dtypes.read(given.dtype), bool(getattr(given, "weak_type", False))
    )
