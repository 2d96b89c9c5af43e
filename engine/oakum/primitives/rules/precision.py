"""Reading the `precision` argument of contractions and convolutions.

On CPUs every precision computes in the full precision of the operands' dtype; GPUs round operands
of float32 where less is asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from oakum import config
from oakum.errors import ShapeError
from oakum.lax.options import (
    PRECISIONS,
    DotAlgorithm,
    DotAlgorithmPreset,
    Precision,
)


def canonical_precision(precision: object) -> Any:
    """Returns the precision as a parameter: None, a pair of precisions, or an algorithm.

    >>> canonical_precision("highest")
    (Precision.HIGHEST, Precision.HIGHEST)
    """
    if precision is None:
        default = config.default_matmul_precision.value
        return None if default is None else _read(default)
    return _read(precision)


def _read(precision: object) -> Any:
    match precision:
        case DotAlgorithm() | DotAlgorithmPreset():
            return precision
        case Precision():
            return precision, precision
        case str() if precision in PRECISIONS:
            return Precision(precision), Precision(precision)
        case str() if precision in DotAlgorithmPreset.__members__:
            return DotAlgorithmPreset[precision]
        case list() | tuple() if _is_pair(cast("Any", precision)):
            return tuple(Precision(each) for each in cast("Any", precision))
        case _:
            raise ShapeError(
                "Precision argument must be one of: None, a string in "
                f"{list(PRECISIONS)}, a lax.Precision value, a tuple of two lax.Precision values "
                "or strings, a lax.DotAlgorithmPreset or the name of one, or a lax.DotAlgorithm "
                f"value; but got {precision}.",
                hint='Give "highest" or leave the argument out.',
            )


def is_rough(precision: object) -> bool:
    """Returns whether a parameter asks for less than the full precision of float32: that of a GPU's
    matrix instructions. JAX takes them by default, too; here that has the bits of CPUs.

    >>> is_rough(canonical_precision("tensorfloat32")), is_rough(None)
    (True, False)
    """
    match precision:
        case (Precision() as first, Precision() as second):
            return Precision.HIGHEST not in (first, second)
        case DotAlgorithmPreset():
            return precision is DotAlgorithmPreset.TF32_TF32_F32
        case _:
            return False


def _is_pair(values: Sequence[Any]) -> bool:
    known = all(isinstance(each, Precision) or each in PRECISIONS for each in values)
    return len(values) == 2 and known
