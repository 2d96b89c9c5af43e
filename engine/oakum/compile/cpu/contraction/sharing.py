"""Products shared among threads: how many parts there are, and the function of one part."""

from __future__ import annotations

from typing import Final

from oakum import dtypes
from oakum.compile.cpu.contraction import Code
from oakum.compile.cpu.contraction.prepack import Preparation
from oakum.compile.llvm.llvm_function import Function
from oakum.compile.llvm.llvm_value import Value
from oakum.compile.native import threads
from oakum.compile.problems.problem import Epilogue, Product, products_of


def cost_of(problem: Product) -> float:
    """Returns the estimated time on one thread, in nanoseconds, without an epilogue."""
    return products_of(problem) * _PRODUCT_NS + 20.0


def finished_cost_of(problem: Product, epilogue: Epilogue | None, elements: int) -> float:
    """Returns the estimated time with an epilogue for so many elements."""
    more = 0.0 if epilogue is None else epilogue.cost_ns * elements
    return cost_of(problem) + more


def worth_of(problem: Product) -> int:
    """Returns how many threads a product is worth."""
    return max(int(cost_of(problem) / _SHARE_NS), 1)


def shares_of(problem: Product, code: Code) -> int:
    """Returns into how many parts a product is cut for threads.

    Several parts for each thread even out what else the machine does. That pays unless parts have
    something in common that each of them would pack.
    """
    count = threads.count()
    if count > 1:
        held = _SCRATCH // (count * scratch_stride(code))
        count *= max(min(_PARTS, code.parts // count, held), 1)
    return max(min(worth_of(problem), code.chunks, count), 1)


def write_share(f: Function, name: str, code: Code, extras: int) -> None:
    """Writes the part of a product that one thread does, which calls the function of a name."""
    places, prepared = _places_of(f, extras), 0
    if code.preparation is not None:
        places[code.preparation.operand] = places[3]
        prepared = code.preparation.size
    start = f.add_index(prepared, f.mul_index(_CHUNK, scratch_stride(code)))
    places[3] = f.pointer(places[3], start, dtypes.int8)
    pointers = [f"ptr {place}" for place in places]
    arguments = [*pointers[:4], *_borders(f, code.chunks), *pointers[4:]]
    f.write(f"call void @{name}({', '.join(arguments)})")


def write_preparation(f: Function, preparation: Preparation, extras: int) -> None:
    """Writes the part of what is done before a product that one thread does."""
    places = _places_of(f, extras)
    pointers = [f"ptr {place}" for place in (places[preparation.operand], *places[3:])]
    arguments = [*pointers[:2], *_borders(f, preparation.units), *pointers[2:]]
    f.write(f"call void @{preparation.function.name}({', '.join(arguments)})")


def _places_of(f: Function, extras: int) -> list[str]:
    """Returns the pointers that a part takes: operands, result, scratch memory, and the extras."""
    return [f.load_pointer("%buffers", number) for number in range(4 + extras)]


def _borders(f: Function, units: int) -> list[str]:
    """Returns the first unit of a part, and the one after its last."""
    chunks = Value("%chunks", dtypes.int64)
    return [f.div(f.mul(x, units), chunks).typed for x in (_CHUNK, f.add(_CHUNK, 1))]


_CHUNK: Final = Value("%chunk", dtypes.int64)


def scratch_bytes(code: Code, shares: int) -> int:
    """Returns the scratch memory of a product that is cut into so many parts."""
    prepared = 0 if code.preparation is None else code.preparation.size
    return prepared + shares * scratch_stride(code)


def scratch_stride(code: Code) -> int:
    """Returns the bytes from the scratch memory of one thread to that of the next."""
    # The last vector of a tile may go beyond it.
    return -(-code.scratch_bytes // 64) * 64 + 64


_PRODUCT_NS: Final = 0.02
"""The time of one multiplication and addition, in vectors; measured 0.018 for 128^3 and 512^3 in
f32.
"""

_SHARE_NS: Final = 40_000.0
"""The least work (in ns) for one more thread, as for running reductions."""

_PARTS: Final = 4
"""The parts per thread, which even out what else the machine does. By judgement."""

_SCRATCH: Final = 1 << 22
"""The most scratch memory for more than one part per thread, in bytes. By judgement."""
