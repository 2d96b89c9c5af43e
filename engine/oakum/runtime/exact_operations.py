"""Which operations have one right result, bit by bit.

Compiled code and NumPy's give these the same bits. Sums, products of matrices and elementary
functions they may round in other ways: outside `jit`, such operations are computed by compiled code
from the first call on, so that equal calls have equal results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from oakum.dtypes import Kind
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


def _kind(aval: ShapedArray) -> Kind | None:
    return None if aval.dtype is None else aval.dtype.kind
