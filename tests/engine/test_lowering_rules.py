"""Lowering rules give what the primitives' evaluation gives, element by element.

Whatever compiles them, a rule that fails here makes compiled programs give wrong numbers or read
memory that is not theirs. Every primitive with a lowering that can be interpreted is found by
itself.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.lowering_cases import MORE
from tests.engine.lowering_interpreter import INTERPRETED, interpreted
from tests.engine.primitive_cases import cases_of
from tests.engine.primitive_samples import TESTED, Case

import oakum
from oakum import dtypes
from oakum.api import primitive_registry
from oakum.dtypes import DType, Kind
from oakum.lax.options import GatherDimensionNumbers, GatherScatterMode
from oakum.primitives.rules.lowering import Decomposed, Elementwise, Reduced
from oakum.primitives.rules.numpy_evaluation import is_custom
from oakum.runtime.arrays import wrap
from oakum.tracing.trace import Primitive
from oakum.values import host
from oakum.values.avals import ShapedArray

LOWERED = sorted(
    name
    for name, each in primitive_registry.by_name().items()
    if isinstance(each.lower, INTERPRETED)
)


@pytest.fixture(autouse=True)
def _double_precision() -> Iterator[None]:
    with oakum.enable_x64(True), np.errstate(all="ignore"):
        yield


def check(name: str, case: Case, tested: DType) -> bool:
    """Compares on one case; whether there was something to compare."""
    primitive = primitive_registry.by_name()[name]
    operands = [
        draw.values(tested, f"{name} {number}") for number, draw in enumerate(case.operands)
    ]
    params = case.params_for(primitive, tested)
    if isinstance(primitive.lower, Reduced) and not operands[0].size:
        return False
    results = interpreted(primitive, operands, params)
    for actual, expected in results:
        compare(actual, expected, exact=is_exact(primitive), message=f"{name} of {tested}")
    return bool(results)


def is_exact(primitive: Primitive) -> bool:
    """Whether results are the same bit by bit: NumPy's functions vary with the arrays' sizes, and
    its reductions add up in another order.
    """
    inexact = (Elementwise, Reduced, Decomposed)
    return primitive.name != "pow" and not isinstance(primitive.lower, inexact)


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


@pytest.mark.sweep(4)
@pytest.mark.parametrize("name", LOWERED)
def test_a_rule_gives_what_evaluation_gives(name: str) -> None:
    primitive, compared = primitive_registry.by_name()[name], 0
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
        primitive = primitive_registry.by_name()["gather"]
        ((actual, expected),) = interpreted(primitive, [operand, indices], params)
        compare(actual, expected, exact=True, message=str(params))
