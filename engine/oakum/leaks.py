"""Tracers that outlive their trace: the error of using one, and the check that finds them."""

from __future__ import annotations

from oakum.errors import UnexpectedTracerError
from oakum.trace import Tracer


def escaped_error(tracer: Tracer) -> UnexpectedTracerError:
    """The error of a tracer that is used after its trace has ended."""
    return UnexpectedTracerError(
        "Encountered an unexpected tracer. A function transformed by oakum had a side effect, "
        f"allowing for a reference to an intermediate value with type {tracer.aval} to escape the "
        "scope of the transformation"
    )
