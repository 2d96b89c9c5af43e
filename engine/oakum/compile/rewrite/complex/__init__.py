"""Complex numbers as pairs of real ones: programs without complex numbers, except where the host
computes.

`lower_complex` rewrites a program with the rules that `trace_rule` traces; `complex_arithmetic`,
`elementary`, `products`, `fourier_passes` and `complex_movement` define operations on pairs, and
`complex_pair` the pairs.
"""

from __future__ import annotations

from oakum.compile.problems.policy import Kernels
from oakum.compile.rewrite import rewriter
from oakum.compile.rewrite.complex.complex_pair import is_complex
from oakum.tracing.ir import ClosedJaxpr


def lower_complex_numbers(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """Returns the program without complex numbers, except operands and results of the host and of
    problems that the back end has kernels for.
    """
    return rewriter.rewrite_all(closed, lambda each: _rewrite(each, kernels))


def _rewrite(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    jaxpr = closed.jaxpr
    outside = (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    inside = (atom for eqn in jaxpr.eqns for atom in (*eqn.outputs, *eqn.inputs))
    if not any(map(is_complex, outside)) and not any(map(is_complex, inside)):
        return closed
    # Most programs have no complex numbers, and need not wait for the rules.
    from oakum.compile.rewrite.complex.lower_complex import written

    return written(closed, kernels)
