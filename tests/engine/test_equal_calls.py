# pyright: basic
"""Equal calls have equal results, bit by bit, however often a function was called before: a program
whose results move at its ninth call cannot be compared with itself.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import warnings
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import lax
from oakum.runtime import operation_programs
from oakum.runtime.native_call import hot_functions
from oakum.values import reference

np: Any = pytest.importorskip("numpy")

pytestmark = pytest.mark.unverified

CALLS = hot_functions.OFTEN + 3
ARRAY = re.compile(r"jnp\.array\(((?:[^()]|\([^()]*\))*)\)")
STATEFUL = {"ref.swap"}


def enlarge(small: Any) -> Any:
    """Returns an array of floats with as many elements as vectors and blocks are filled with."""
    array = np.asarray(small)
    if array.dtype.kind != "f" or array.ndim not in (1, 2) or not array.size:
        return small
    rng = np.random.default_rng(0)
    shape = (97,) if array.ndim == 1 else (37, 37)
    large = np.resize(array, shape) * rng.uniform(1.0, 1.3, shape)
    if array.ndim == 2 and array.shape[0] == array.shape[1]:
        large += 5 * np.eye(37)
    return jnp.asarray(large.astype(array.dtype))


def bits(result: Any) -> list[bytes]:
    return [
        np.asarray(leaf).tobytes()
        for leaf in jax.tree.leaves(result)
        if isinstance(leaf, (jax.Array, np.ndarray))
        and not jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    ]


def varying(lines: str) -> tuple[int, list[str]]:
    """Returns how many expressions of a session were evaluated, and which changed."""
    names: dict[str, Any] = {"jax": jax, "jnp": jnp, "lax": lax, "enlarge": enlarge}
    evaluated, changed = 0, []
    for example in doctest.DocTestParser().get_examples(f"{lines}\n"):
        source = ARRAY.sub(r"enlarge(jnp.array(\1))", example.source.strip())
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                code = compile(source, "<example>", "eval")
            except SyntaxError:
                with contextlib.suppress(Exception):
                    exec(compile(source, "<example>", "exec"), names)
                continue
            try:
                found = [bits(eval(code, names)) for _ in range(CALLS)]
            except Exception:  # Not every function takes an array of that size.
                continue
        evaluated += 1
        if any(each != found[0] for each in found):
            changed.append(source)
    return evaluated, changed


@pytest.mark.parametrize(
    "table",
    [
        pytest.param(table, marks=() if table in ("nn", "random") else pytest.mark.exhaustive)
        for table in reference.TABLES
    ],
)
def test_equal_calls_of_public_functions(table: str) -> None:
    rows = reference.examples(table)
    seen = {name: varying(lines) for name, lines in rows.items() if name not in STATEFUL}
    assert sum(evaluated for evaluated, _ in seen.values()) >= 0.7 * len(rows)
    assert {name: changed for name, (_, changed) in seen.items() if changed} == {}


def test_equal_calls_with_numbers_that_differ() -> None:
    """Each number is a program of its own: from some number on they are evaluated, which must not
    change what is compiled already, nor be changed itself.
    """
    x = jnp.asarray(np.random.default_rng(0).uniform(0.1, 2.0, 97), "float32")
    numbers = [0.1 + 0.01 * i for i in range(3 * hot_functions._MOST_NUMBERS)]
    first = [bits(x**number) for number in numbers]
    for _ in range(CALLS):
        assert [bits(x**number) for number in numbers] == first


def test_equal_calls_with_more_shapes_than_are_known() -> None:
    arrays = [
        jnp.asarray(np.random.default_rng(0).standard_normal(n), "float32")
        for n in range(1, 3 * operation_programs.MOST_UNREPEATED)
    ]

    def results() -> list[Any]:
        return [bits((jnp.sum(x), jnp.tanh(x), jax.jvp(jnp.exp, (x,), (x,)))) for x in arrays]

    first = results()
    for _ in range(CALLS):
        assert results() == first


def test_equal_calls_with_arrays_that_lie_otherwise() -> None:
    whole = np.random.default_rng(0).standard_normal((64, 96)).astype("float32")
    lying = {
        "rows": lambda: jnp.asarray(whole),
        "columns": lambda: jnp.asarray(np.asfortranarray(whole)),
        "a part": lambda: jnp.asarray(np.concatenate([whole, whole], 1))[:, :96],
        "NumPy's": lambda: whole,
    }
    found = {name: [bits(jnp.tanh(make())) for _ in range(CALLS)] for name, make in lying.items()}
    assert all(each == found["rows"][0] for several in found.values() for each in several)


def test_equal_calls_of_complex_numbers() -> None:
    """Their magnitudes are roots of sums, whose products compiled code does not round."""
    rng = np.random.default_rng(0)
    z = jnp.asarray(rng.standard_normal(97) + 1j * rng.standard_normal(97), "complex64")
    for function in (jnp.abs, lax.abs, jnp.conj, lambda z: z * z, lambda z: z / (z + 1), jnp.sign):
        first = bits(function(z))
        assert all(bits(function(z)) == first for _ in range(CALLS))
        assert bits(jax.jvp(function, (z,), (z,))[0]) == first


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda x, y: jnp.arange(0.1, 77.7, 0.3), id="arange"),
        pytest.param(lambda x, y: jnp.linspace(x, y), id="linspace"),
        pytest.param(lambda x, y: jnp.geomspace(abs(x), abs(y)), id="geomspace"),
        pytest.param(lambda x, y: jnp.logspace(x, y), id="logspace"),
        pytest.param(lambda x, y: jnp.gradient(x, y), id="gradient"),
        pytest.param(lambda x, y: jnp.trace(x[:, None] * y), id="trace"),
        pytest.param(lambda x, y: jnp.histogram(x, bins=13), id="histogram"),
        pytest.param(lambda x, y: jnp.mod(x * 0, y * 0), id="sign of NaN"),
        pytest.param(lambda x, y: jnp.nextafter(x * jnp.nan, y), id="sign of what follows NaN"),
    ],
)
def test_equal_calls_of_functions_that_compute_beside_moving(call: Any) -> None:
    """`linspace` makes an array as `zeros` does, and `trace` takes a diagonal: they round, too."""
    rng = np.random.default_rng(0)
    x, y = (jnp.asarray(rng.normal(size=257).astype(np.float32)) for _ in range(2))
    found = [bits(call(x, y)) for _ in range(CALLS)]
    assert all(each == found[0] for each in found)


def test_a_call_outside_jit_gives_what_jit_gives() -> None:
    x = jnp.asarray(np.random.default_rng(0).standard_normal((64, 96)), "float32")
    for function in (jnp.tanh, jnp.sum, jax.nn.softmax, lambda x: x @ x.T, lambda x: jnp.std(x, 0)):
        assert bits(jax.jit(function)(x)) == bits(function(x))


def test_errors_and_warnings_of_first_calls_are_those_of_the_call() -> None:
    with pytest.raises(TypeError, match=r"ncompatible shapes|dot"):
        jnp.dot(jnp.ones((2, 3)), jnp.ones((2, 3)))
    with pytest.raises(ValueError, match="out of bounds"):
        jnp.cumsum(jnp.ones(3), axis=2)
    with pytest.warns(UserWarning, match="float64"):
        jnp.sum(jnp.ones(5), dtype="float64")


def test_gradients_outside_jit_know_the_value_of_the_function() -> None:
    """Single operations are computed by compiled code, too: where derivatives are taken."""
    x = jnp.asarray(np.random.default_rng(0).standard_normal((64, 96)), "float32")
    for function in (jnp.tanh, jnp.exp, jnp.sum, lambda x: x @ x.T):
        value = bits(function(x))
        assert bits(jax.jvp(function, (x,), (x,))[0]) == value
        assert bits(jax.vjp(function, x)[0]) == value
        assert bits(jax.linearize(function, x)[0]) == value
    value, _ = jax.value_and_grad(lambda x: jnp.sum(jnp.sin(x)))(x)
    assert bits(value) == bits(jnp.sum(jnp.sin(x)))
