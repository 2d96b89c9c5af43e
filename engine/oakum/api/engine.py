"""The engine put together: the trace at the bottom, with the compiler and native operators."""

from __future__ import annotations

from oakum.runtime.evaluation import EvaluationTrace, Runnable
from oakum.tracing import trace
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.trace import Primitive
from oakum.transforms.jit import hot_operators
from oakum.values.declarations import PublicFunction


def _compile_program(closed: ClosedJaxpr, platform: str) -> Runnable:
    from oakum.compile import executable  # Programs that compile nothing do without.

    return executable.of(closed, platform)


def _repeat() -> Primitive:
    from oakum.primitives.broadcasting import broadcast_in_dim_p  # For devices alone.

    return broadcast_in_dim_p


def start() -> None:
    """Has operations evaluated, and those that are seen often compiled."""
    PublicFunction.watch = staticmethod(hot_operators.watched)
    trace.set_base_trace(EvaluationTrace(_compile_program, _repeat))
