"""What takes the place of a library's primitive where it is compiled.

oakum compiles no MLIR: a lowering is a function of arrays that is traced, as `lower_fun` makes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from oakum.extend.core.user_primitive import Primitive
from oakum.primitives.rules import lowering
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class LoweredFunction:
    """A function of arrays that is traced where a primitive is compiled."""

    function: Callable[..., Any]
    multiple_results: bool


def lower_fun(fun: Callable[..., Any], multiple_results: bool = True) -> LoweredFunction:
    """Returns the lowering that traces a function of the operands and parameters."""
    return LoweredFunction(fun, multiple_results)


def register_lowering(
    prim: Primitive,
    rule: LoweredFunction | Callable[..., Any],
    platform: str | None = None,
    *,
    inline: bool = True,
    cacheable: bool = True,
) -> None:
    """Sets the lowering of a primitive, which is traced into the program in any case: `inline` and
    `cacheable` say how JAX writes its MLIR, and change no result.

    One for a platform that oakum does not compile for is not needed. Where a rule writes MLIR,
    programs with the primitive are interpreted, with a warning (OAK008).
    """
    if platform not in (None, "cpu"):
        return
    if isinstance(rule, LoweredFunction):
        prim.lower = lowering.Decomposed(_results_of(rule, prim))
        return

    def refuse(*_: object, **__: object) -> NoReturn:
        raise NotImplementedError(
            f"the lowering of '{prim.name}' writes MLIR, which oakum does not compile: register "
            "mlir.lower_fun(function)"
        )

    prim.lower = lowering.Decomposed(refuse)


def _results_of(rule: LoweredFunction, primitive: Primitive) -> Callable[..., Any]:
    """Returns a function that returns what the primitive has: one result, or several."""

    def function(*operands: object, **params: object) -> Any:
        results = rule.function(*operands, **params)
        found: Sequence[Any] = results if rule.multiple_results else [results]
        return list(found) if primitive.multiple_results else found[0]

    return function
