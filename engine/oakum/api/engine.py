"""The engine put together: the trace at the bottom, with the compiler and native operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from oakum.runtime.evaluation import EvaluationTrace
from oakum.tracing import trace
from oakum.tracing.ir import ClosedJaxpr
from oakum.transforms.jit import hot_operators
from oakum.values.lazy_modules import Namespace

if TYPE_CHECKING:
    from oakum.compile import executable
else:
    executable = Namespace("oakum.compile.executable")


def _compile_program(closed: ClosedJaxpr) -> Callable[[Sequence[Any]], Any]:
    return executable.of(closed)


def start() -> None:
    """Has operations evaluated, and those that are seen often compiled."""
    hot_operators.install()
    trace.set_base_trace(EvaluationTrace(_compile_program))
