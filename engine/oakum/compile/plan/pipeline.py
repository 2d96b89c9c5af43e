"""The rewriting pipeline: from a traced program to an equivalent one that can be planned.

Most programs have neither random keys nor complex numbers: whether there are any is asked before
the passes that lower them are loaded.
"""

from __future__ import annotations

from oakum.compile.problems.problem import Kernels
from oakum.compile.rewrite.expand_primitives import expand, without_barriers
from oakum.compile.rewrite.rewriter import contains, is_complex, is_key
from oakum.compile.simplify import simplify
from oakum.tracing.ir import ClosedJaxpr


def prepare(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program in operations that can be lowered, simplified before and after."""
    plain = without_keys(expand(simplify(closed)))
    return without_barriers(simplify(expand(without_complex_numbers(plain, kernels))))


def without_keys(closed: ClosedJaxpr) -> ClosedJaxpr:
    """Returns the program without random keys, except operands and results of the host."""
    if not contains(closed, is_key):
        return closed
    from oakum.compile.rewrite.keys_to_uint32 import keys_to_uint32

    return keys_to_uint32(closed)


def without_complex_numbers(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program without complex numbers, except operands and results of the host and of
    problems that the back end has kernels for.
    """
    if not contains(closed, is_complex):
        return closed
    from oakum.compile.rewrite.complex.lower_complex import lower_complex_numbers

    return lower_complex_numbers(closed, kernels)
