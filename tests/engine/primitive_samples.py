"""What the cases of `primitive_cases.py` are made of: drawn operands, parameters, what holds."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from oakum import dtypes
from oakum.dtypes import DType, Kind
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.tracing.jaxpr_trace import stage
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

Shape = tuple[int, ...]
Params = dict[str, Any]
Captured = Callable[..., Any]

TESTED = [each for each in dtypes.NUMERIC if each.bits >= 4]
"""The dtypes that the abstract rules are asked about."""


@dataclass(frozen=True)
class Draw:
    """One operand: numbers between bounds, of the dtype under test or a certain one."""

    shape: Shape = ()
    low: float = -2.0
    high: float = 2.0
    dtype: str = ""
    make: Callable[[Any], Any] | None = None
    """What is done with the numbers, on the host: to make a matrix symmetric, for instance."""

    def aval(self, tested: DType) -> ShapedArray:
        """The aval of the operand."""
        return ShapedArray(self.shape, dtypes.DTYPES[self.dtype] if self.dtype else tested)

    def values(self, tested: DType, seed: str, batch: Shape = ()) -> ArrayImpl:
        """The operand, with batch axes put first; the same one whenever the seed is."""
        aval = self.aval(tested).update(shape=(*batch, *self.shape))
        assert aval.dtype is not None
        assert aval.shape is not None
        raw = self._numbers(
            aval.dtype, aval.shape, np.random.default_rng(zlib.crc32(seed.encode()))
        )
        return wrap(raw if self.make is None else self.make(raw), aval)

    def _numbers(self, dtype: DType, shape: Any, rng: Any) -> Any:
        kind = host.dtype(dtype)
        if dtype.kind is Kind.KEY:
            words = rng.integers(0, 2**32, (*shape, dtype.bits // 32), np.uint32)
            return words.view(kind).reshape(shape)
        if dtype.kind is Kind.BOOL:
            return rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in (Kind.INT, Kind.UINT):
            low = max(math.floor(self.low), 0) if dtype.kind is Kind.UINT else math.floor(self.low)
            return np.asarray(rng.integers(low, max(low, math.ceil(self.high)) + 1, shape), kind)
        numbers: Any = rng.uniform(self.low, self.high, shape)
        if dtype.kind is Kind.COMPLEX:
            numbers = numbers + 1j * rng.uniform(self.low, self.high, shape)
        return np.asarray(numbers).astype(kind)


@dataclass(frozen=True)
class Case:
    """Operands of a primitive and its parameters, with what holds of them."""

    operands: tuple[Draw, ...]
    params: Params | Captured
    """The parameters, or a function of `lax` that binds the primitive to its own arguments."""
    linear: tuple[tuple[int, ...], ...] | None = None
    """Sets of operands in which the operation is linear together; None: what `LINEAR` says."""
    fixed: tuple[int, ...] = ()
    """Operands by which it has no derivative."""
    only: str = ""
    """The dtypes that fit the parameters; none: all that the abstract rule takes."""
    prepare: Callable[[list[Any]], list[Any]] | None = None
    """What the operands go through first, so that any change of them is a legal one."""
    compare: Callable[[list[Any]], list[Any]] | None = None
    """What of the results is determined: of eigenvectors not the phase."""
    unmapped: tuple[int, ...] = ()
    """Operands that are not mapped over."""
    members: int = 0
    """The size of the named axis `i` that the primitive communicates along."""
    tolerance: float = 1e-5

    def params_for(self, primitive: Primitive, tested: DType) -> Params:
        """The parameters for operands of a dtype."""
        if not callable(self.params):
            return self.params
        function, avals = self.params, [each.aval(tested) for each in self.operands]
        closed = stage(lambda *args: _flat(function(*args)), avals)
        (eqn,) = (each for each in closed.eqns if each.primitive is primitive)
        assert [atom.aval for atom in eqn.inputs] == avals
        return dict(eqn.params)

    def accepts(self, primitive: Primitive, tested: DType) -> bool:
        """Whether the primitive takes operands of a dtype."""
        if self.only and tested.name not in self.only.split():
            return False
        avals = [each.aval(tested) for each in self.operands]
        try:
            primitive.abstract(*avals, **self.params_for(primitive, tested))
        except TypeError:
            return False
        return True

    def tested(self, primitive: Primitive) -> DType:
        """The dtype that derivatives and batching are tested with."""
        wanted = (dtypes.float64, dtypes.complex128, dtypes.int32, dtypes.bool_, dtypes.float32)
        return next(each for each in (*wanted, *TESTED) if self.accepts(primitive, each))


def _flat(result: Any) -> list[Any]:
    return [*result] if isinstance(result, (list, tuple)) else [result]


def case(*operands: Draw | Shape, **given: Any) -> Case:
    """A case whose parameters are the keywords that are no fields of `Case`."""
    fields = {name: given.pop(name) for name in list(given) if name in Case.__dataclass_fields__}
    draws = tuple(each if isinstance(each, Draw) else Draw(each) for each in operands)
    return Case(draws, fields.pop("params", given), **fields)
