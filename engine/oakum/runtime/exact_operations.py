"""Which operations have one right result, bit by bit.

Compiled code and NumPy's give these the same bits. Sums, products of matrices and elementary
functions they may round in other ways: outside `jit`, such operations, and loops and functions in
which there are some, are computed by compiled code from the first call on, so that equal calls have
equal results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oakum.dtypes import Kind
from oakum.tracing.ir import ClosedJaxpr
from oakum.values.avals import ShapedArray

_EXACT: Final = frozenset(
    """
    abs add broadcast_in_dim ceil concatenate convert_element_type copy div dynamic_slice
    dynamic_update_slice expand_dims floor gather imag iota mul neg pad real reshape rev round
    scatter select_n sign slice sort sqrt squeeze sub transpose
    """.split()
)
"""Operations on floating-point numbers that do. The greater of two zeros is not among them: either
sign is right.
"""


def is_exact(name: str, results: Iterable[ShapedArray]) -> bool:
    """Returns whether an operation with these results has one right result. Products and quotients
    of complex numbers are sums, in which compiled code adds products that are not rounded (FMA).
    """
    if name in _EXACT:
        return not any(_kind(x) is Kind.COMPLEX for x in results)
    return not any(_kind(x) in (Kind.FLOAT, Kind.COMPLEX) for x in results)


def is_exact_program(closed: ClosedJaxpr) -> bool:
    """Returns whether compiled code gives the bits of the evaluation: each operation has one right
    result, and no product is added to something, as it is not rounded before (FMA).
    """
    found: bool | None = closed.cache.get("is exact")
    if found is None:
        found = closed.cache["is exact"] = _is_exact(closed)
    return found


def _is_exact(closed: ClosedJaxpr) -> bool:
    waiting, names = [closed.jaxpr], set[str]()
    while waiting:
        for equation in waiting.pop().eqns:
            if equation.primitive.compiled:
                waiting.append(equation.params["jaxpr"].jaxpr)
                continue
            results = [x.aval for x in equation.outputs]
            if not is_exact(equation.primitive.name, results):
                return False
            if any(_kind(x) is Kind.FLOAT for x in results):
                names.add(equation.primitive.name)
    return "mul" not in names or names.isdisjoint(("add", "sub"))


def _kind(aval: ShapedArray) -> Kind | None:
    return None if aval.dtype is None else aval.dtype.kind
