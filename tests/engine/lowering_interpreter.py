"""Interprets lowering rules over single elements of NumPy's, without a compiler."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from oakum import dtypes
from oakum.api import primitive_registry
from oakum.dtypes import DType, Kind
from oakum.lax.options import RoundingMethod
from oakum.primitives.rules.lowering import (
    Computed,
    Decomposed,
    Elementwise,
    Joined,
    Moved,
    Part,
    Reduced,
    Reshaped,
)
from oakum.primitives.rules.numpy_evaluation import compute_dtype
from oakum.runtime.arrays import ArrayImpl
from oakum.tracing import parameter_forms
from oakum.tracing.trace import Primitive, aval_of
from oakum.values import host
from oakum.values.avals import ShapedArray

INTERPRETED = (Computed, Decomposed, Elementwise, Joined, Moved, Reduced, Reshaped)
"""The kinds of rules that say what elements or parts of results are."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position along one dimension, with what a compiler's have: `+` and `*` by integers."""

    value: int

    def __add__(self, other: int) -> Place:
        return Place(self.value + int(other))

    def __mul__(self, other: int) -> Place:
        return Place(self.value * int(other))


def place_of(element: Any) -> int:
    """The number of an element of a position: an expression, or an integer as it is."""
    assert isinstance(element, (Place, int)), f"{element!r} is no element of a position"
    return element.value if isinstance(element, Place) else element


@dataclass(frozen=True, slots=True)
class Register:
    """One element, as the host holds it."""

    raw: Any
    dtype: DType


class Builder:
    """What rules receive: it computes at once, and checks that they say what they mean."""

    def constant(self, number: complex, dtype: DType) -> Register:
        if dtype.kind is Kind.KEY:
            assert isinstance(number, int)
            words = np.frombuffer(number.to_bytes(dtype.bits // 8, "little"), host.dtype(dtype))
            return Register(words[0], dtype)
        raw = np.array(number, host.dtype(dtype))
        assert raw == number or number != number, f"{number} is no {dtype}"
        return Register(raw, dtype)

    def index(self, element: Any, dtype: DType) -> Register:
        return Register(np.array(place_of(element)).astype(host.dtype(dtype)), dtype)

    def operation(
        self,
        name: str,
        dtype: DType,
        *registers: Register,
        params: tuple[int | float, ...] = (),
    ) -> Register:
        kinds = [each.dtype for each in registers]
        if name == "select":
            condition, then, other = registers
            assert kinds == [dtypes.bool_, dtype, dtype], f"select of {kinds} gives no {dtype}"
            return then if condition.raw else other
        assert all(kind is kinds[0] for kind in kinds), f"{name} of {kinds}"
        primitive = primitive_registry.by_name()[name]
        given = parameters(name, dtype, params)
        aval = primitive.abstract(*[ShapedArray((), kind) for kind in kinds], **given)
        assert aval.dtype is dtype, f"{name} of {kinds} gives {aval.dtype}, not {dtype}"
        raws = [np.asarray(each.raw) for each in registers]
        return Register(np.asarray(primitive.evaluate(np, *raws, **given)), dtype)


def parameters(name: str, dtype: DType, numbers: tuple[int | float, ...]) -> dict[str, Any]:
    """The parameters of a primitive, from all that an operation knows: its dtype and numbers."""
    match name, numbers:
        case "convert_element_type", ():
            return {"new_dtype": dtype, "weak_type": False}
        case "bitcast_convert_type", ():
            return {"new_dtype": dtype}
        case "mul", ():
            return {"out_dtype": None}
        case "integer_pow", (int(y),):
            return {"y": y}
        case "round", (int(method),):
            return {"rounding_method": RoundingMethod(method)}
        case "reduce_precision", (int(exponent), int(mantissa)):
            return {"exponent_bits": exponent, "mantissa_bits": mantissa}
        case _:
            wanted = parameter_forms.parameters(primitive_registry.by_name()[name])
            assert not numbers, f"{name} does not go by the numbers {numbers}"
            assert wanted <= {"accuracy"}, f"{name} needs {wanted}"
            return dict.fromkeys(wanted)


@dataclass(frozen=True, slots=True)
class Operand:
    """An operand of a rule, which refuses positions that are not its own."""

    raw: Any
    dtype: DType
    whole: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        return self.raw.shape

    def __call__(self, position: Sequence[Any]) -> Register:
        at = tuple(map(place_of, position))
        assert len(at) == len(self.shape), f"{at} in {self.shape}"
        inside = all(0 <= place < size for place, size in zip(at, self.shape, strict=True))
        assert inside, f"reads {at} of an array of shape {self.shape}"
        return Register(self.raw[at], self.dtype)

    def read(self, position: Sequence[Any], dynamic: Sequence[Register | None]) -> Register:
        assert self.whole, "only operands in memory are read at positions known at run time only"
        assert all(each is None or each.dtype is dtypes.int64 for each in dynamic)
        steps = [0 if each is None else int(each.raw) for each in dynamic]
        return self([place_of(p) + step for p, step in zip(position, steps, strict=True)])


def interpreted(
    primitive: Primitive, operands: Sequence[ArrayImpl], params: dict[str, Any]
) -> list[tuple[Any, Any]]:
    """The results by the lowering with those by evaluation; none of a rule that does not apply."""
    avals = list(map(aval_of, operands))
    raws = [np.asarray(each.raw) for each in operands]
    expected = primitive.evaluate(np, *raws, **params)
    rule = primitive.lower
    if isinstance(rule, Decomposed):
        if not rule.applies(*avals, **params):
            return []
        actual = rule.function(*operands, **params)
        if not primitive.multiple_results:
            actual, expected = [actual], [expected]
        return [(each.raw, other) for each, other in zip(actual, expected, strict=True)]
    result, expected = primitive.abstract(*avals, **params), np.asarray(expected)
    assert expected.shape == result.shape
    if isinstance(rule, Reshaped):
        return [(raws[0].reshape(expected.shape), expected)] if rule.applies(**params) else []
    whole = rule.whole if isinstance(rule, Computed) else ()
    read = [
        Operand(raw, dtype_of(each), number in whole)
        for number, (raw, each) in enumerate(zip(raws, operands, strict=True))
    ]
    if isinstance(rule, Joined):
        if not rule.applies(*avals, **params):
            return []
        return [(joined(rule, expected, read, params), expected)]
    actual = np.empty(expected.shape, expected.dtype)
    for at in positions(expected.shape):
        register = element(rule, at, result, read, params)
        assert register.dtype is result.dtype, f"{register.dtype} for {result}"
        actual[tuple(map(place_of, at))] = register.raw
    return [(actual, expected)]


def positions(shape: Sequence[int]) -> Iterator[tuple[Place, ...]]:
    """All positions in a shape, in order."""
    for at in itertools.product(*map(range, shape)):
        yield tuple(map(Place, at))


def joined(rule: Joined, like: Any, operands: Sequence[Operand], params: dict[str, Any]) -> Any:
    """The result that parts make, of which each element is written by one that does not go over
    others before.
    """
    result, written = np.empty(like.shape, like.dtype), np.zeros(like.shape, int)
    builder = Builder()
    for part in rule.parts(like.shape, [each.shape for each in operands], **params):
        own = np.zeros(like.shape, int)
        for place in positions(part.shape):
            at = targeted(part, place, operands, like.shape)
            assert part.over or not written[at], f"{at} is written twice"
            own[at] += 1
            assert part.ordered or own[at] == 1, f"{at} is written twice by one part"
            counts = part.valid is None or part.valid(builder, place, *operands).raw
            register = operands[part.operand](part.source(place))
            if part.combine is not None:
                old = Register(result[at], register.dtype)
                (register,) = part.combine(builder, register.dtype, [old], [register])
            if counts:
                result[at] = register.raw
        written += own
    assert written.all(), "there are elements that no part writes"
    return result


def targeted(
    part: Part, place: tuple[Place, ...], operands: Sequence[Operand], shape: Sequence[int]
) -> tuple[int, ...]:
    """Where an element of a part goes."""
    starts = (None,) * len(shape)
    if part.starts is not None:
        starts = part.starts(Builder(), place, *operands)
    assert all(each is None or each.dtype is dtypes.int64 for each in starts)
    steps = [0 if each is None else int(each.raw) for each in starts]
    target = [place_of(p) + n for p, n in zip(part.target(place), steps, strict=True)]
    assert all(0 <= p < size for p, size in zip(target, shape, strict=True))
    return tuple(target)


def dtype_of(value: Any) -> DType:
    dtype = aval_of(value).dtype
    assert dtype is not None
    return dtype


def element(
    rule: Any,
    position: tuple[Place, ...],
    result: Any,
    operands: Sequence[Operand],
    params: dict[str, Any],
) -> Register:
    """The element of the result at a position."""
    builder = Builder()
    match rule:
        case Elementwise(name, numbers, converts):
            assert all(each.shape == result.shape for each in operands)
            given = () if numbers is None else numbers(**params)
            parts = [each(position) for each in operands]
            to = None if converts is None else params[converts]
            if to is not None:
                parts = [builder.operation("convert_element_type", to, each) for each in parts]
            return builder.operation(name, result.dtype, *parts, params=given)
        case Moved(place):
            (operand,) = operands
            return operand(place(position, operand.shape, **params))
        case Computed(compute):
            return compute(builder, position, result, *operands, **params)
        case Reduced(monoid):
            return reduced(builder, monoid, position, operands[0], params["axes"])
        case _:
            raise AssertionError(f"there is no interpretation of {rule}")


def reduced(
    builder: Builder,
    monoid: str,
    position: tuple[Place, ...],
    operand: Operand,
    axes: Sequence[int],
) -> Register:
    """The elements along axes, combined in order in the dtype that sums are kept in."""
    kept, wide, total = iter(position), compute_dtype(operand.dtype), None
    start = [0 if axis in axes else next(kept) for axis in range(len(operand.shape))]
    for step in itertools.product(*(range(operand.shape[axis]) for axis in axes)):
        at = list(start)
        for axis, place in zip(axes, step, strict=True):
            at[axis] = place
        each = Register(operand(at).raw.astype(host.dtype(wide)), wide)
        total = each if total is None else builder.operation(monoid, wide, total, each)
    assert total is not None
    return Register(np.asarray(total.raw).astype(host.dtype(operand.dtype)), operand.dtype)
