"""Complex numbers as pairs of real ones: programs without the former, but for the host.

`lower_complex` writes a program anew, with the programs that `trace_rule` makes of rules;
`arithmetic`, `elementary`, `products`, `fourier` and `movement` say what operations on complex
numbers are on pairs, and `complex_pair` what a pair is.
"""

from __future__ import annotations

from oakum.compile.problems.policy import Kernels
from oakum.compile.rewrite import subprograms
from oakum.compile.rewrite.complex.complex_pair import is_complex
from oakum.tracing.ir import ClosedJaxpr


def lower_complex_numbers(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    """The program without complex numbers, but for those that the host takes and gives, and those
    of problems that the back end has kernels for.
    """
    return subprograms.rewrite_all(closed, lambda each: _rewritten(each, kernels))


def _rewritten(closed: ClosedJaxpr, kernels: Kernels) -> ClosedJaxpr:
    jaxpr = closed.jaxpr
    outside = (*jaxpr.constvars, *jaxpr.invars, *jaxpr.outvars)
    inside = (atom for eqn in jaxpr.eqns for atom in (*eqn.outputs, *eqn.inputs))
    if not any(map(is_complex, outside)) and not any(map(is_complex, inside)):
        return closed
    # Most programs have no complex numbers, and need not wait for the rules.
    from oakum.compile.rewrite.complex.lower_complex import written

    return written(closed, kernels)
