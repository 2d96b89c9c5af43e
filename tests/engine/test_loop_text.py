"""Nests print and parse back, and the verifier refuses what they must not do."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import oakum
from oakum import dtypes, lax
from oakum import numpy as jnp
from oakum.compile import backend
from oakum.compile.loops.loop_ir import Affine, Buffer, Load, Nest, Operation, Store, Sweep
from oakum.compile.loops.loop_text import LoopTextError, parse_nest, print_nest
from oakum.compile.loops.loop_verifier import NestError, verify
from oakum.compile.plan.planner import Planner, Shared
from oakum.compile.plan.steps import NestStep

X = np.linspace(-1, 1, 60, dtype="float32").reshape(12, 5)


def softmax(x: Any) -> Any:
    return oakum.nn.softmax(x, axis=-1)


def mixed(x: Any) -> Any:
    small = x.astype(jnp.bfloat16) * 2
    return jnp.where(x > 0, jnp.inf, x.T.reshape(12, 5)), small, lax.integer_pow(x, 3)


def picked(x: Any) -> Any:
    return jnp.take(x, jnp.array([3, 0, 11]), axis=0) + jnp.arange(5.0), x.at[1].add(2.0)


def doubled_rows(x: Any) -> Any:
    return jnp.sum(x * 2, axis=1)


def nests_of(function: Any) -> list[Nest]:
    closed = oakum.make_jaxpr(function)(X)
    from oakum.compile.simplify.passes import simplify

    lowering = backend.of("cpu").lowering()
    plan = Planner(simplify(closed), Shared(lowering)).plan()
    return [step.nest for step in plan.steps if isinstance(step, NestStep)]


@pytest.mark.parametrize("function", [softmax, mixed, picked])
def test_nests_parse_back(function: Any) -> None:
    """What `oakum.show` prints is not what is compiled."""
    nests = nests_of(function)
    assert nests
    for nest in nests:
        assert parse_nest(print_nest(nest)) == nest
        verify(nest)


def test_text_does_not_depend_on_addresses() -> None:
    """Buffers are numbered otherwise in each process: dumps cannot be compared, and the code that
    another process has kept is not found.
    """
    functions = (jnp.exp, jnp.sin, jnp.cos, jnp.tanh, jnp.log1p, jnp.square, jnp.negative)
    kept: list[object] = []
    texts: set[str] = set()
    for count in range(8):
        kept.append([object() for _ in range(137 * count)])  # what comes next lies elsewhere

        def several(x: Any) -> list[Any]:
            return [lax.sort(function(x)) for function in functions]

        texts.add(oakum.jit(several).lower(X).as_text("loops"))
    assert len(texts) == 1


def test_text_of_a_nest() -> None:
    """The form that users read has changed without anybody having looked at it."""
    (nest,) = nests_of(doubled_rows)
    assert print_nest(nest) == (
        "nest (12, 5) outer (0)\n"
        "  sweep (1)\n"
        "    r0 = load in 0 float32[60] at [5*a0 + a1]\n"
        "    r1 = constant float32 2.0\n"
        "    r2 = mul float32 r0 r1\n"
        "    s0 = reduce add r2\n"
        "  sweep ()\n"
        "    r0 = slot float32 s0\n"
        "    store out 0 float32[12] at [a0] r0\n"
    )


@pytest.mark.parametrize("text", ["nonsense", "nest (4) outer (0)\n  sweep ()\n    r0 = load x\n"])
def test_what_is_no_nest_is_refused(text: str) -> None:
    """A text with a mistake is read as another nest."""
    with pytest.raises(LoopTextError):
        parse_nest(text)


IN, OUT = Buffer(0, dtypes.float32, 4, "in"), Buffer(0, dtypes.float32, 4, "out")
LOAD = Load(IN, Affine.axis(0))
GOOD = Nest((4,), (0,), (Sweep((), (LOAD,), (Store(OUT, Affine.axis(0), 0),)),))


@pytest.mark.parametrize(
    ("sweep", "message"),
    [
        (replace(GOOD.sweeps[0], instructions=(Load(IN, Affine.axis(0) + 1),)), "within the 4"),
        (replace(GOOD.sweeps[0], instructions=(Load(IN, Affine.axis(1)),)), "other loops"),
        (replace(GOOD.sweeps[0], stores=(Store(IN, Affine.axis(0), 0),)), "is written"),
        (replace(GOOD.sweeps[0], stores=(Store(OUT, Affine.axis(0), 3),)), "not there yet"),
        (
            replace(
                GOOD.sweeps[0],
                instructions=(Operation("add", (0, 0), dtypes.float32), LOAD),
            ),
            "not there yet",
        ),
    ],
)
def test_the_verifier_refuses(sweep: Sweep, message: str) -> None:
    """A mistake in a pass becomes a wrong result, or a crash, instead of an error."""
    verify(GOOD)
    with pytest.raises(NestError, match=message):
        verify(replace(GOOD, sweeps=(sweep,)))
