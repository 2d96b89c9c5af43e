"""The order of rows after swaps, which are made in turn."""

from __future__ import annotations

from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.dtypes import DType, int64


def write(
    f: Function, places: tuple[str, str], counts: tuple[int, int], dtype: DType, item: Value
) -> None:
    """Writes one order of many: `places` are those of all swaps and of all orders, `counts` the
    numbers of each.
    """
    count, rows = counts
    swaps, order = (
        f.pointer(place, f.mul(item, size), dtype)
        for place, size in zip(places, counts, strict=True)
    )
    with f.loop(0, rows) as loop:
        f.store(f.cast("trunc", loop.index, dtype), order, loop.index)
    with f.loop(0, count) as loop:
        other = f.cast("sext", f.load(swaps, loop.index, dtype), int64)
        # Nothing else keeps a wrong number from being an address.
        other = f.minimum(f.maximum(other, 0), rows - 1)
        mine, theirs = (f.load(order, at, dtype) for at in (loop.index, other))
        f.store(theirs, order, loop.index)
        f.store(mine, order, other)
