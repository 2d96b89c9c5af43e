# pyright: basic
"""Operations that are registered as exact: outside `jit` they are evaluated with NumPy at first and
compiled when they were called often, so that a wrong registration moves results at the ninth call.
"""

from __future__ import annotations

import itertools
import zlib
from typing import Any

import pytest
from tests.engine.primitive_cases import cases_of
from tests.engine.primitive_samples import TESTED

import oakum as jax
from oakum.api import primitive_registry
from oakum.compile.verification import tolerances
from oakum.dtypes import DType, Kind
from oakum.runtime.arrays import ArrayImpl, wrap

np: Any = pytest.importorskip("numpy")

pytestmark = pytest.mark.unverified

EXACT = sorted(name for name, each in primitive_registry.by_name().items() if each.exact)
FLOATS = [each for each in TESTED if each.kind is Kind.FLOAT and each.bits >= 16]
EDGES = (0.0, -0.0, 0.5, -0.5, 1.0, 2.5, np.inf, -np.inf, np.nan, 1e-40, 3e38, -7.0)


def with_edges(array: ArrayImpl, seed: str) -> ArrayImpl:
    """Returns an array of floats in half of whose places are zeros, infinities and the like."""
    if array.dtype.kind != "f":
        return array
    rng = np.random.default_rng(zlib.crc32(seed.encode()))
    with np.errstate(over="ignore"):
        edges = rng.choice(EDGES, array.shape).astype(array.dtype)
    return wrap(np.where(rng.integers(0, 2, array.shape) > 0, edges, array.raw), array.aval)


def differing(name: str, tested: DType) -> tuple[int, list[str]]:
    """Returns how many results were compared, and which cases compiled code gives other bits for
    than the evaluation.
    """
    primitive, compared, found = primitive_registry.by_name()[name], 0, []
    for case in cases_of(name):
        if not case.accepts(primitive, tested):
            continue
        params = case.params_for(primitive, tested)
        drawn = [x.values(tested, f"{name} {place}") for place, x in enumerate(case.operands)]
        compiled = jax.jit(lambda *given, params=params: primitive.bind(*given, **params))
        for operands in (drawn, [with_edges(x, f"{name} {i}") for i, x in enumerate(drawn)]):
            with np.errstate(all="ignore"):
                expected = primitive.evaluate(np, *[x.raw for x in operands], **params)
            several = expected if primitive.multiple_results else [expected]
            for result, raw in zip(jax.tree.leaves(compiled(*operands)), several, strict=True):
                compared += 1
                if result.raw.tobytes() != np.asarray(raw, result.raw.dtype).tobytes():
                    found.append(f"{params} of {[x.raw.tolist() for x in operands]}")
    return compared, found


@pytest.mark.parametrize("name", EXACT)
def test_compiled_code_gives_the_bits_of_the_evaluation(name: str) -> None:
    with jax.enable_x64(True):
        seen = {tested.name: differing(name, tested) for tested in FLOATS}
    assert sum(compared for compared, _ in seen.values())
    assert {tested: found for tested, (_, found) in seen.items() if found} == {}


def test_what_is_exact_may_not_be_free_in_verified_programs() -> None:
    assert set(EXACT).isdisjoint(itertools.chain(*tolerances._FREE))
