"""Which operations have one right result, bit by bit.

Compiled code and NumPy's give these the same bits: their primitives are registered as `exact`,
which says so for real numbers. Sums, products of matrices and elementary functions they may round
in other ways: outside `jit`, such operations, and loops and functions in which there are some, are
computed by compiled code from the first call on, so that equal calls have equal results.
"""

from __future__ import annotations

from collections.abc import Iterable

from oakum.dtypes import Kind
from oakum.tracing.ir import ClosedJaxpr
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray


def is_exact(
    primitive: Primitive, operands: Iterable[ShapedArray], results: Iterable[ShapedArray]
) -> bool:
    """Returns whether an operation of these operands has one right result. Products, quotients and
    magnitudes of complex numbers are sums, in which compiled code adds products that are not
    rounded (FMA).
    """
    if primitive.exact:
        return not any(_kind(x) is Kind.COMPLEX for x in (*operands, *results))
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
            operands = [x.aval for x in equation.inputs]
            results = [x.aval for x in equation.outputs]
            if not is_exact(equation.primitive, operands, results):
                return False
            if any(_kind(x) is Kind.FLOAT for x in results):
                names.add(equation.primitive.name)
    return "mul" not in names or names.isdisjoint(("add", "sub"))


def _kind(aval: ShapedArray) -> Kind | None:
    return None if aval.dtype is None else aval.dtype.kind
