"""The rewriting pipeline: from a traced program to an equivalent one that can be planned."""

from __future__ import annotations

from oakum.compile.problems.policy import Kernels
from oakum.compile.rewrite.complex import lower_complex_numbers
from oakum.compile.rewrite.expand_primitives import expand, without_barriers
from oakum.compile.rewrite.keys_to_uint32 import keys_to_uint32
from oakum.compile.simplify import simplify
from oakum.tracing.ir import ClosedJaxpr


def prepare(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program in operations that can be lowered, simplified before and after."""
    plain = keys_to_uint32(expand(simplify(closed)))
    return without_barriers(simplify(expand(lower_complex_numbers(plain, kernels))))
