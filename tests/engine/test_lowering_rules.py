"""Lowering rules give what the primitives' evaluation gives, element by element.

The rules are interpreted over single elements of NumPy's, without a compiler: whatever compiles
them, a rule that fails here makes compiled programs give wrong numbers or read memory that is not
theirs. Every primitive that has a lowering is found by itself.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.lowering_cases import MORE
from tests.engine.primitive_cases import cases_of
from tests.engine.primitive_samples import TESTED, Case

import oakum
from oakum import dtypes, host
from oakum.avals import ShapedArray
from oakum.dtypes import DType, Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode, RoundingMethod
from oakum.primitives import registry
from oakum.rules.evaluation import is_custom
from oakum.rules.lowering import Computed, Elementwise, Moved, Reduced, Reshaped
from oakum.rules.widening import wide_dtype
from oakum.runtime.arrays import ArrayImpl, wrap
from oakum.trace import Primitive, aval_of

LOWERED = sorted(name for name, each in registry.by_name().items() if each.lower is not None)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


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
        primitive = registry.by_name()[name]
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
            wanted = registry.parameters(registry.by_name()[name])
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
) -> tuple[Any, Any]:
    """The result by the lowering and that by evaluation; None for a rule that does not apply."""
    result = primitive.abstract(*map(aval_of, operands), **params)
    raws = [np.asarray(each.raw) for each in operands]
    expected = np.asarray(primitive.evaluate(np, *raws, **params))
    assert expected.shape == result.shape
    actual = np.empty(expected.shape, expected.dtype)
    rule = primitive.lower
    read = [
        Operand(raw, dtype_of(each), isinstance(rule, Computed) and number in rule.whole)
        for number, (raw, each) in enumerate(zip(raws, operands, strict=True))
    ]
    if isinstance(rule, Reshaped):
        if not rule.applies(**params):
            return None, expected
        return raws[0].reshape(expected.shape), expected
    for at in itertools.product(*map(range, expected.shape)):
        register = element(rule, tuple(map(Place, at)), result, read, params)
        assert register.dtype is result.dtype, f"{register.dtype} for {result}"
        actual[at] = register.raw
    return actual, expected


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
        case Elementwise(name, numbers):
            assert all(each.shape == result.shape for each in operands)
            given = () if numbers is None else numbers(**params)
            parts = [each(position) for each in operands]
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
    kept, wide, total = iter(position), wide_dtype(operand.dtype), None
    start = [0 if axis in axes else next(kept) for axis in range(len(operand.shape))]
    for step in itertools.product(*(range(operand.shape[axis]) for axis in axes)):
        at = list(start)
        for axis, place in zip(axes, step, strict=True):
            at[axis] = place
        each = Register(operand(at).raw.astype(host.dtype(wide)), wide)
        total = each if total is None else builder.operation(monoid, wide, total, each)
    assert total is not None
    return Register(np.asarray(total.raw).astype(host.dtype(operand.dtype)), operand.dtype)


def check(name: str, case: Case, tested: DType) -> bool:
    """Compares on one case; whether there was something to compare."""
    primitive = registry.by_name()[name]
    operands = [
        draw.values(tested, f"{name} {number}") for number, draw in enumerate(case.operands)
    ]
    params = case.params_for(primitive, tested)
    if isinstance(primitive.lower, Reduced) and not operands[0].size:
        return False
    actual, expected = interpreted(primitive, operands, params)
    if actual is None:
        return False
    compare(actual, expected, exact=is_exact(primitive), message=f"{name} of {tested}")
    return True


def is_exact(primitive: Primitive) -> bool:
    """Whether results are the same bit by bit: NumPy's functions vary with the arrays' sizes, and
    its reductions add up in another order.
    """
    return primitive.name != "pow" and not isinstance(primitive.lower, (Elementwise, Reduced))


def compare(actual: Any, expected: Any, *, exact: bool, message: str) -> None:
    assert actual.dtype == expected.dtype
    kind = host.read_dtype(actual.dtype).kind if actual.dtype.char != "V" else Kind.KEY
    if exact or kind not in (Kind.FLOAT, Kind.COMPLEX):
        assert actual.tobytes() == expected.tobytes(), f"{message}: {actual} for {expected}"
        return
    wide = "complex128" if kind is Kind.COMPLEX else "float64"
    bits = {2: 1e-3, 4: 1e-6, 8: 1e-14 if kind is Kind.FLOAT else 1e-6, 16: 1e-14}
    near = bits.get(actual.dtype.itemsize, 0.0)
    if is_custom(actual.dtype):
        near = 1e-2
    np.testing.assert_allclose(
        actual.astype(wide), expected.astype(wide), rtol=near, atol=near, err_msg=message
    )


@pytest.mark.parametrize("name", LOWERED)
def test_a_rule_gives_what_evaluation_gives(name: str) -> None:
    primitive, compared = registry.by_name()[name], 0
    for case in (*cases_of(name), *MORE.get(name, ())):
        fitting = [each for each in TESTED if case.accepts(primitive, each)]
        assert fitting, f"{name} has a case that it refuses: {case}"
        certain = all(draw.dtype for draw in case.operands)
        for tested in fitting[:1] if certain else fitting:
            compared += check(name, case, tested)
    assert compared, f"{name} has a lowering that no case tries"


def _gather(chance: random.Random) -> tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]:
    """The shapes of an operand and of indices, and the parameters of a gather between them."""
    shape = tuple(chance.randint(1, 4) for _ in range(chance.randint(1, 4)))
    axes = list(range(len(shape)))
    batching = sorted(chance.sample(axes, chance.randint(0, min(2, len(axes) - 1))))
    rest = [axis for axis in axes if axis not in batching]
    mapped = tuple(chance.sample(rest, chance.randint(0, len(rest))))
    collapsed = tuple(sorted(chance.sample(rest, chance.randint(0, len(rest)))))
    sizes = tuple(
        1 if axis in batching or axis in collapsed else chance.randint(0, size)
        for axis, size in enumerate(shape)
    )
    batch = [chance.randint(1, 3) for _ in range(len(batching) + chance.randint(0, 2))]
    places = chance.sample(range(len(batch)), len(batching))
    for axis, place in zip(batching, places, strict=True):
        batch[place] = shape[axis]
    kept = len(rest) - len(collapsed)
    numbers = GatherDimensionNumbers(
        tuple(sorted(chance.sample(range(kept + len(batch)), kept))),
        collapsed,
        mapped,
        tuple(batching),
        tuple(places),
    )
    params = {
        "dimension_numbers": numbers,
        "slice_sizes": sizes,
        "mode": chance.choice(list(GatherScatterMode)[:3]),
        "fill_value": chance.choice([0, -1, 7, float("nan")]),
        "unique_indices": False,
        "indices_are_sorted": False,
    }
    return shape, (*batch, len(mapped)), params


@given(st.integers(0, 2**32), st.sampled_from("int8 int32 int64 uint8 uint64".split()))
def test_gathers_of_every_form(seed: int, kind: str) -> None:
    chance = random.Random(seed)
    with oakum.enable_x64(True):
        shape, places, params = _gather(chance)
        numbers = np.arange(np.prod(shape), dtype="float32").reshape(shape)
        operand = wrap(numbers, ShapedArray(shape, dtypes.float32))
        low = -(2**63) if kind == "int64" else -128 if kind.startswith("i") else 0
        high = 2**64 - 1 if kind == "uint64" else 127
        spread = [low, high, *range(max(low, -3), 8)]
        drawn = [chance.choice(spread) for _ in range(int(np.prod(places)))]
        raw = np.array(drawn, kind).reshape(places)
        indices = wrap(raw, ShapedArray(places, dtypes.DTYPES[kind]))
        primitive = registry.by_name()["gather"]
        actual, expected = interpreted(primitive, [operand, indices], params)
        compare(actual, expected, exact=True, message=str(params))
