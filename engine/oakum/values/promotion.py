"""Type promotion: JAX's lattice of dtypes and weak types, for operands that are partly unknown.

Invariants:
- Total on partial knowledge: an operand whose dtype or weak type is not known, or an x64 switch
  that is not known, is completed in every way, and what all completions agree on is the answer.
- A `TypePromotionError` is raised only when every completion is an error.
- The lattice is built on first use; importing this module does no work.
"""

import itertools
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.errors import TypePromotionError
from oakum.values import codes

Node = DType | Kind
"""A place in the lattice: a dtype, or a kind for the weak type of that kind."""

Typing = tuple[DType | None, bool | None]
"""The dtype and the weak type of an operand or a result; None where not known."""

_WEAK: Final = {
    Kind.UINT: Kind.INT,
    Kind.INT: Kind.INT,
    Kind.FLOAT: Kind.FLOAT,
    Kind.COMPLEX: Kind.COMPLEX,
}

_WEAK_DTYPE: Final = {
    Kind.INT: dtypes.int64,
    Kind.FLOAT: dtypes.float64,
    Kind.COMPLEX: dtypes.complex128,
}

_COMPLETIONS: Final = 64
"""More ways than this to complete the unknown are not tried; the answer is then unknown."""


def _edges(x64: bool) -> dict[Node, tuple[Node, ...]]:
    """Returns the nodes of the lattice, each with those directly above it."""
    d = dtypes
    small = tuple(t for t in d.NUMERIC if t.kind is Kind.FLOAT and t.bits < 16)
    edges: dict[Node, tuple[Node, ...]] = dict.fromkeys(d.NUMERIC, ())
    edges |= {
        d.bool_: (Kind.INT,),
        Kind.INT: (d.uint8, d.uint1, d.uint2, d.uint4, d.int8, d.int1, d.int2, d.int4),
        d.uint8: (d.int16, d.uint16),
        d.uint16: (d.int32, d.uint32),
        # Without x64 no 64-bit type comes of narrower ones: u32 with i32 is i32.
        d.uint32: (d.int64, d.uint64) if x64 else (d.int32, d.uint64),
        d.uint64: (Kind.FLOAT,),
        d.int8: (d.int16,),
        d.int16: (d.int32,),
        d.int32: (d.int64,),
        d.int64: (Kind.FLOAT,),
        Kind.FLOAT: (*small, d.bfloat16, d.float16, Kind.COMPLEX),
        d.bfloat16: (d.float32,),
        d.float16: (d.float32,),
        d.float32: (d.float64, d.complex64),
        d.float64: (d.complex128,),
        Kind.COMPLEX: (d.complex64,),
        d.complex64: (d.complex128,),
    }
    return edges


@lru_cache(maxsize=2)
def _upper_bounds(x64: bool) -> dict[Node, frozenset[Node]]:
    """For each node all nodes at or above it."""
    edges = _edges(x64)
    bounds: dict[Node, frozenset[Node]] = {}
    for node in edges:
        above = {node}
        pending = [node]
        while pending:
            fresh = [up for up in edges[pending.pop()] if up not in above]
            above.update(fresh)
            pending.extend(fresh)
        bounds[node] = frozenset(above)
    return bounds


@lru_cache(maxsize=4096)
def _least_upper_bound(nodes: frozenset[Node], x64: bool) -> Node | None:
    """Returns the lowest node above all of these; None when there is none."""
    bounds = _upper_bounds(x64)
    if not all(node in bounds for node in nodes):
        return None
    common = frozenset[Node].intersection(*(bounds[node] for node in nodes))
    least = common & nodes or {node for node in common if common <= bounds[node]}
    return next(iter(least)) if len(least) == 1 else None


def _node(dtype: DType, weak: bool) -> Node:
    return _WEAK.get(dtype.kind, dtype) if weak else dtype


def _promote_known(operands: Sequence[tuple[DType, bool]], x64: bool) -> tuple[DType, bool] | None:
    """Promotes fully known operands; None when no promotion leads anywhere."""
    if len(operands) == 1:
        return operands[0]
    kinds = {dtype for dtype, _ in operands}
    weak = all(weak for _, weak in operands)
    if len(kinds) == 1:
        dtype = next(iter(kinds))
        return dtype, weak and dtype is not dtypes.bool_
    nodes = frozenset(_node(dtype, not weak and each) for dtype, each in operands)
    node = _least_upper_bound(nodes, x64)
    if node is None:
        return None
    if isinstance(node, Kind):
        weak, node = True, _WEAK_DTYPE[node]
    with dtypes.assume_x64(x64):
        canonical = dtypes.canonicalize(node)
    assert canonical is not None
    return canonical, weak and canonical is not dtypes.bool_


_KIND_RANK: Final = {Kind.BOOL: 0, Kind.UINT: 1, Kind.INT: 1, Kind.FLOAT: 2, Kind.COMPLEX: 3}


def promotes_strictly(operands: Iterable[Typing]) -> bool:
    """Returns whether operands promote even where promotion is strict: one dtype, which holds the
    weakly typed ones. What is not known of an operand does not refuse it.

    >>> promotes_strictly([(dtypes.float32, False), (dtypes.int32, True)])
    True
    >>> promotes_strictly([(dtypes.float32, False), (dtypes.int32, False)])
    False
    """
    known = [(dtype, weak) for dtype, weak in operands if dtype is not None and weak is not None]
    if len({dtype for dtype, _ in known}) < 2:
        return True
    ranks = [_KIND_RANK.get(dtype.kind, 9) for dtype, _ in known]
    strong = {dtype for dtype, weak in known if not weak}
    bound = max(_KIND_RANK.get(dtype.kind, 9) for dtype in strong) if strong else max(ranks)
    return len(strong) <= 1 and all(0 < rank <= bound for rank in ranks)


def promote(operands: Iterable[Typing]) -> Typing:
    """Returns the dtype and weak type that JAX promotes these operands to.

    >>> promote([(dtypes.int32, False), (dtypes.float32, True)])
    (dtype(float32), True)
    >>> promote([(dtypes.bfloat16, False), (dtypes.float32, True)])
    (dtype(bfloat16), False)
    >>> promote([(dtypes.bfloat16, False), (None, None)])
    (None, None)
    """
    return _promote(tuple(operands), dtypes.x64_enabled())


@lru_cache(maxsize=4096)
def _promote(given: tuple[Typing, ...], switch: bool | None) -> Typing:
    if not given or any(dtype is None for dtype, _ in given):
        return None, None
    known = [(dtype, weak) for dtype, weak in given if dtype is not None]
    switches = (False, True) if switch is None else (switch,)
    choices = [(weak,) if weak is not None else (False, True) for _, weak in known]
    ways = len(switches)
    for choice in choices:
        ways *= len(choice)
    if ways > _COMPLETIONS:
        return None, None
    results: set[tuple[DType, bool]] = set()
    for x64, *weaks in itertools.product(switches, *choices):
        operands_known = [(d, bool(w)) for (d, _), w in zip(known, weaks, strict=True)]
        if (result := _promote_known(operands_known, x64)) is not None:
            results.add(result)
    if not results:
        raise _no_promotion(dtype for dtype, _ in known)
    found = {dtype for dtype, _ in results}
    weak_types = {weak for _, weak in results}
    return (
        next(iter(found)) if len(found) == 1 else None,
        next(iter(weak_types)) if len(weak_types) == 1 else None,
    )


def promote_dtypes(left: Node, right: Node) -> DType:
    """Returns the dtype of two, as `jax.numpy.promote_types`: it is not canonicalised.

    A kind stands for the weak type of that kind.

    >>> promote_dtypes(dtypes.uint8, dtypes.int8)
    dtype(int16)
    """
    node = _least_upper_bound(frozenset((left, right)), dtypes.x64_enabled() is True)
    if node is None:
        raise _no_promotion((left, right))
    return _WEAK_DTYPE[node] if isinstance(node, Kind) else node


def _no_promotion(given: Iterable[Node]) -> TypePromotionError:
    nodes = list(given)
    shown = (each.short if isinstance(each, DType) else f"weak {each.value}" for each in nodes)
    names = ", ".join(dict.fromkeys(shown))
    small = {each.bits for each in nodes if isinstance(each, DType) and _is_small_float(each)}
    why = f"; {min(small)}-bit floats do not support implicit promotion" if small else ""
    return TypePromotionError(
        f"no implicit promotion leads from the dtypes {names} to a common one{why}",
        hint="Convert one operand with astype.",
        code=codes.DTYPE_MISMATCH,
    )


def _is_small_float(dtype: DType) -> bool:
    return dtype.kind is Kind.FLOAT and dtype.bits < 16
