# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""The table of uses is what JAX does, for every kind of tracer: a wrong row is a false finding."""

import builtins
import math
import operator
from collections.abc import Callable
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from oakum import dtypes
from oakum.errors import Frame
from oakum.values import uses
from oakum.values.uses import TABLE, Tracedness, Use

Program = Callable[[Any], Any]


def loop(x: Any) -> None:
    while x:
        break


def static_argument(x: Any) -> Any:
    return jax.jit(lambda y, size: y, static_argnums=1)(1.0, x)


INEXACT: dict[Use, list[Program]] = {
    Use.BOOL: [bool, operator.not_, lambda x: x and 1, lambda x: x in (1, 2), lambda x: max(x, 0)],
    Use.BRANCH: [lambda x: 1 if x else 2],
    Use.LOOP: [loop],
    Use.INT: [int],
    Use.FLOAT: [float, math.sin, math.floor, math.ceil],
    Use.COMPLEX: [complex],
    Use.ITEM: [lambda x: x.item()],
    Use.LIST: [lambda x: x.tolist(), lambda x: x.tobytes()],
    Use.INDEX: [range, operator.index, bin],
    Use.SEQUENCE_INDEX: [lambda x: [1, 2, 3][x], lambda x: (1, 2)[:x], lambda x: "abc"[x]],
    Use.ARRAY: [np.asarray, np.sin, lambda x: np.array([x]), np.float32, np.zeros_like],
    Use.NUMPY_INDEX: [lambda x: np.arange(5)[x]],
    Use.NUMPY_ITEM: [lambda x: np.zeros(2).__setitem__(0, x)],
    Use.HASH: [hash, lambda x: {x: 1}, lambda x: {x}],
    Use.ITERATION: [list],
    Use.FORMAT: ["{:.2f}".format, lambda x: format(x, "e")],
    Use.PERCENT_INTEGER: [lambda x: operator.mod("%d", x)],
    Use.PERCENT_FLOAT: [lambda x: operator.mod("%.2f", x)],
    Use.STATIC_ARGUMENT: [static_argument],
    Use.OPTION: [
        lambda x: jnp.sum(jnp.ones((3, 3, 3)), axis=x),
        lambda x: jax.nn.one_hot(jnp.arange(3), x),
        lambda x: jnp.expand_dims(jnp.arange(3), x),
    ],
    Use.SHAPE: [jnp.zeros, lambda x: jnp.zeros((x, 2)), lambda x: jnp.arange(6).reshape(x, -1)],
    Use.SIZE: [jnp.arange, lambda x: jnp.linspace(0, 1, x)],
    Use.BOOLEAN_INDEX: [lambda x: jnp.arange(1)[jnp.atleast_1d(x > 0)]],
    Use.DYNAMIC_SIZE: [
        lambda x: jnp.nonzero(jnp.atleast_1d(x)),
        lambda x: jnp.unique(jnp.atleast_1d(x)),
        lambda x: jnp.where(jnp.atleast_1d(x) > 0),
    ],
    Use.SLICE_BOUND: [lambda x: jnp.arange(5)[:x], lambda x: jnp.arange(5)[x:]],
    Use.ITEM_ASSIGNMENT: [lambda x: operator.setitem(x, 0, 1)],
}
"""Programs of each use, that fail as the row says for tracers of floats."""

Runner = Callable[[Program, Any], Any]


def body_of_scan(program: Program, x: Any) -> Any:
    return jax.lax.scan(lambda carry, row: (carry, program(row)), 0.0, jnp.stack([x, x]))


def beside_a_mapped_argument(program: Program, x: Any) -> Any:
    return jax.vmap(lambda mapped, other: program(other), in_axes=(0, None))(jnp.ones(2), x)


RUNNERS: dict[str, tuple[Tracedness, Runner]] = {
    "jit": ("abstract", lambda program, x: jax.jit(program)(x)),
    "vmap": ("abstract", lambda program, x: jax.vmap(program)(jnp.stack([x, x]))),
    "scan": ("abstract", body_of_scan),
    "checkpoint": ("abstract", lambda program, x: jax.checkpoint(program)(x)),
    "eval_shape": ("abstract", jax.eval_shape),
    "grad": ("concrete", lambda program, x: jax.grad(program)(x)),
    "jvp": ("concrete", lambda program, x: jax.jvp(program, (x,), (jnp.ones_like(x),))),
    "linearize": ("concrete", jax.linearize),
    "unmapped": ("array", beside_a_mapped_argument),
    "eager": ("array", lambda program, x: program(x)),
}


def outcome(runner: Runner, use: Program, x: Any) -> type[BaseException] | None:
    """What the use raises under the runner."""
    raised: list[type[BaseException] | None] = []

    def program(value: Any) -> Any:
        try:
            use(value)
        except Exception as error:  # Whatever it is, the test compares it.
            raised.append(type(error))
        else:
            raised.append(None)
        return jnp.sum(jnp.asarray(value, jnp.float32))

    runner(program, x)
    return raised[0]


def test_every_use_has_a_row_and_programs() -> None:
    assert set(TABLE) == set(Use) == set(INEXACT)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", [name for name in RUNNERS if RUNNERS[name][0] == "abstract"])
@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_abstract_tracers_fail_with_the_error_of_the_row(use: Use, name: str) -> None:
    runner = RUNNERS[name][1]
    for program in INEXACT[use]:
        raised = outcome(runner, program, jnp.float32(1.0))
        assert raised is not None, "JAX takes an abstract tracer here"
        python = next(
            base for base in raised.__mro__ if getattr(builtins, base.__name__, None) is base
        )
        assert issubclass(TABLE[use].error, python), raised


INDEX_LIKE = (Use.INDEX, Use.SEQUENCE_INDEX, Use.SHAPE, Use.SIZE, Use.SLICE_BOUND, Use.OPTION)


@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_integers_under_jit_raise_the_class_that_the_row_names(use: Use) -> None:
    for program in INEXACT[use]:
        raised = outcome(RUNNERS["jit"][1], program, jnp.int32(1))
        assert raised is not None
        names = [base.__name__ for base in TABLE[use].error.__mro__]
        assert raised.__name__ in names, raised


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", [name for name in RUNNERS if RUNNERS[name][0] == "concrete"])
@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_concrete_tracers_fail_where_the_row_says_so(use: Use, name: str) -> None:
    runner = RUNNERS[name][1]
    expected = uses.fails(use, "concrete", dtypes.float32)
    if expected is None:
        return
    for program in INEXACT[use]:
        raised = outcome(runner, program, jnp.float32(1.0))
        assert (raised is not None) == expected, raised


@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_integers_computed_under_grad_are_no_tracers(use: Use) -> None:
    expected = uses.fails(use, "concrete", dtypes.int32)
    for program in INEXACT[use]:
        runner = RUNNERS["grad"][1]
        raised = outcome(
            runner, partial(lambda use, x: use(x.astype(jnp.int32)), program), jnp.float32(1.0)
        )
        assert (raised is not None) == expected, raised


@pytest.mark.parametrize("name", ["unmapped", "eager"])
@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_plain_arrays_fail_where_the_row_says_so(use: Use, name: str) -> None:
    runner = RUNNERS[name][1]
    for program in INEXACT[use]:
        raised = outcome(runner, program, jnp.int32(1))
        assert (raised is not None) == TABLE[use].array, raised


HARMLESS: list[Program] = [
    str,
    repr,
    "{}".format,
    round,
    abs,
    lambda x: x is None,
    lambda x: x == "a",
    lambda x: isinstance(x, jax.Array),
    lambda x: np.shape(x),
    lambda x: np.ones(2) + x,
    lambda x: np.float32(2) * x,
    lambda x: sum([x, 1]),
    lambda x: divmod(x, 2),
    lambda x: operator.mod("%s", x),
    lambda x: list(jnp.stack([x, x])),
    lambda x: len(jnp.stack([x, x])),
    lambda x: jnp.roll(jnp.arange(3), x),
]


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", RUNNERS)
def test_what_looks_like_a_use_but_is_none(name: str) -> None:
    for program in HARMLESS:
        value = jnp.int32(1) if RUNNERS[name][0] != "concrete" else jnp.float32(1.0)
        raised = outcome(RUNNERS[name][1], program, value)
        shift = program is HARMLESS[-1] and value.dtype == jnp.float32
        assert raised is None or shift, (program, raised)


@pytest.mark.parametrize("use", list(Use), ids=lambda use: use.value)
def test_the_error_of_a_use_says_what_where_and_what_instead(use: Use) -> None:
    error = uses.error(use, construct="`{0}`", operand="`x` (f32[])", frame=Frame("a.py", 3))
    assert type(error) is TABLE[use].error
    assert error.code is TABLE[use].code
    assert "`x` (f32[])" in str(error)
    assert "`{0}`" in str(error)
    assert "At a.py:3." in str(error)
    assert TABLE[use].hint.endswith(".")
