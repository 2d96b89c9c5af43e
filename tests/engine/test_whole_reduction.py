# pyright: basic
# Random programs are text: what stands in it has no types.
"""What compares random whole programs finds what is wrong, and nothing that rounding may do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.engine.whole_operands import LAYOUTS, Operand, laid_out
from tests.engine.whole_programs import WholeProgram
from tests.engine.whole_reduction import reduced
from tests.engine.whole_rounding import reached
from tests.engine.whole_runs import disagreements

from oakum.api import primitive_registry

PROGRAM = WholeProgram(
    seed=0,
    operands=(Operand((4, 3), "float32", "-2:2", 1, "reversed"),),
    body=(
        "v1 = jnp.exp(a0)[1:]",
        "def g1(c2, r3):",
        "    v4 = c2 + jnp.cumsum(jnp.abs(r3))",
        "    return (v4, jnp.sin(v4))",
        "v5, v6 = lax.scan(g1, v1[0], v1)",
        "v7 = jnp.sum(v6 * v5, axis=0)",
    ),
    results=("v7", "v6[1]", "v1"),
    donated=(0,),
    arrays=(0,),
)


def _wrong(xp: Any, x: Any, **params: Any) -> Any:
    return np.cumsum(x[::-1], axis=params["axis"])


def test_wrong_operation_is_shown_in_a_small_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong operation is not seen, or in a program that tells nobody where it is wrong."""
    assert not disagreements(PROGRAM)
    monkeypatch.setattr(primitive_registry.by_name()["cumsum"], "evaluate", _wrong)
    assert [each.kind for each in disagreements(PROGRAM)] == ["value"]
    small = reduced(PROGRAM, lambda each: [x.kind for x in disagreements(each)] == ["value"])
    assert len(small.results) == 1
    assert len([line for line in small.body if "cumsum" in line]) == 1
    assert "exp" not in small.source
    assert "sum(a" not in small.source
    assert small.operands[0].layout == "plain"


def test_other_order_of_a_sum_is_no_difference() -> None:
    """Programs are called wrong for sums in another order."""
    x = np.random.default_rng(0).standard_normal(1000).astype(np.float32) * 1000

    def evaluate() -> list[Any]:
        return [np.asarray(primitive_registry.by_name()["reduce_sum"].evaluate(np, x, axes=(0,)))]

    turned = np.float32(0)
    for each in x[::-1]:
        turned += each
    assert not np.any(reached([np.asarray(turned)], evaluate(), evaluate, False)[0])
    assert np.all(reached([np.asarray(turned + 1)], evaluate(), evaluate, False)[0])


def test_a_length_that_is_rounded_to_infinity_is_no_difference() -> None:
    """A length beyond the largest float is called wrong where it is rounded better than NumPy's."""
    largest = np.finfo(np.float32).max
    x = np.array([complex(largest, 1.4e35), complex(largest / 2, 1.0)], np.complex64)

    def evaluate() -> list[Any]:
        return [primitive_registry.by_name()["abs"].evaluate(np, x)]

    ends = [np.full(2, np.inf, np.float32)]
    assert reached(ends, [np.abs(x)], evaluate, False)[0].tolist() == [False, True]


def test_running_sums_of_many_terms_that_are_alike() -> None:
    """A running sum of other parts is called wrong, or one that is wrong by a hundredth right."""
    x = np.full(77_100, 1.6269, np.float32)
    exact = np.cumsum(x.astype(np.float64)).astype(np.float32)

    def evaluate() -> list[Any]:
        return [primitive_registry.by_name()["cumsum"].evaluate(np, x, axis=0, reverse=False)]

    assert np.any(exact != evaluate()[0]), "nothing is tested"
    assert not np.any(reached([exact], evaluate(), evaluate, False)[0])
    assert np.all(reached([exact * 1.01], evaluate(), evaluate, False)[0][60_000:])


def test_elements_in_other_places_are_a_difference() -> None:
    """A program whose results are mixed up is called right."""
    x = np.array([1.0, 2.0, np.nan, 3.0], np.float32)
    wrong = reached([x[::-1]], [x], lambda: [x], False)[0]
    assert wrong.tolist() == [True] * 4


@pytest.mark.parametrize("layout", sorted({*LAYOUTS}))
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3), (1, 4, 2)])
def test_layouts_keep_the_numbers(layout: str, shape: tuple[int, ...]) -> None:
    """Arguments are not what the program that is shown says."""
    x = np.arange(int(np.prod(shape)), dtype=np.int16).reshape(shape)
    found = laid_out(x, layout)
    assert (found.shape, found.dtype) == (x.shape, x.dtype)
    if layout != "broadcast":
        assert np.array_equal(found, x)
