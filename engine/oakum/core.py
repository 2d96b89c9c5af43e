"""Abstract values and programs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from oakum import transforms
from oakum.tracing import ir
from oakum.tracing.ir import Atom as Atom
from oakum.tracing.ir import ClosedJaxpr as ClosedJaxpr
from oakum.tracing.ir import Equation as JaxprEqn
from oakum.tracing.ir import Jaxpr as Jaxpr
from oakum.tracing.ir import Literal as Literal
from oakum.tracing.ir import Var as Var
from oakum.tracing.trace import Primitive as Primitive
from oakum.tracing.trace import Trace as Trace
from oakum.tracing.trace import Tracer as Tracer
from oakum.tracing.trace import aval_of as get_aval
from oakum.typing import DTypeLike
from oakum.values import avals, host
from oakum.values.declarations import public, transform

if TYPE_CHECKING:
    from oakum.sharding import NamedSharding

__all__ = ["Atom", "JaxprEqn", "get_aval"]


class _OfAvals(type):
    """The class of names that stand for the class of avals."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, avals.ShapedArray)


class AbstractValue(metaclass=_OfAvals):
    """What tracing knows of a value; every one is a `ShapedArray`."""


class ShapedArray(metaclass=_OfAvals):
    """The shape, dtype and weak type of an array.

    Anything that names a dtype is taken for one; one of 64 bits is kept, as in JAX, whatever
    `jax_enable_x64` says. oakum keeps no sharding in avals: one over a mesh that has axes raises
    NotImplementedError.

    >>> print(ShapedArray((2, 3), "float32"), isinstance(ShapedArray((), int), ShapedArray))
    f32[2,3] True
    """

    def __new__(
        cls,
        shape: Sequence[int],
        dtype: DTypeLike,
        weak_type: bool = False,
        *,
        sharding: NamedSharding | None = None,
    ) -> avals.ShapedArray:
        if sharding is not None and not sharding.mesh.empty:
            raise NotImplementedError("avals of oakum carry no sharding: ShapedArray(sharding=...)")
        return avals.ShapedArray(tuple(shape), host.read_dtype(dtype), weak_type)


@transform("core.ensure_compile_time_eval", "compile_time", (), staged=False)
def ensure_compile_time_eval() -> Any:
    """Evaluates operations on concrete values in this block while tracing, instead of staging
    them.
    """
    return transforms.make_jaxpr.compile_time_evaluation()


@transform("core.eval_context", "compile_time", (), staged=False)
def eval_context() -> Any:
    """Leaves all traces in a block."""
    return transforms.make_jaxpr.compile_time_evaluation()


@public("core.eval_jaxpr")
def eval_jaxpr(
    jaxpr: Jaxpr, consts: Sequence[object], *args: object, propagate_source_info: bool = True
) -> list[Any]:
    """Evaluates a program on values."""
    return ir.eval_jaxpr(jaxpr, consts, *args)


@public("core.max_dim", static_result=True)
def max_dim(d1: int, d2: int) -> int:
    """Returns the greater of two sizes."""
    return max(d1, d2)


@public("core.min_dim", static_result=True)
def min_dim(d1: int, d2: int) -> int:
    """Returns the lesser of two sizes."""
    return min(d1, d2)
