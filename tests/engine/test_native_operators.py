# pyright: basic
"""Operations that are evaluated at once and became native: as in Python, to the last bit."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from native_call_checks import hits

import oakum as jax
import oakum.numpy as jnp
from oakum.compile import executable
from oakum.runtime.arrays import ArrayImpl
from oakum.runtime.native_call import hot_functions, native_calls

np: Any = pytest.importorskip("numpy")

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]

OPERATORS: dict[str, Any] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "truediv": lambda x, y: x / y,
    "eq": lambda x, y: x == y,
    "lt": lambda x, y: x < y,
    "ge": lambda x, y: x >= y,
}


def operator(name: str) -> Any:
    return ArrayImpl.__dict__[f"__{name}__"]


def same(one: Any, two: Any) -> None:
    assert one.aval == two.aval
    assert np.asarray(one).tobytes() == np.asarray(two).tobytes()


def often(call: Any) -> Any:
    """The results of a call made often enough to become native: the first and the last."""
    first = call()
    for _ in range(hot_functions.OFTEN + 2):
        last = call()
    return first, last


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bool"])
def test_operators_become_native(name: str, dtype: str) -> None:
    x = jnp.asarray(np.arange(7) % 3, dtype)
    y = jnp.asarray(np.arange(7) % 2, dtype)
    call = OPERATORS[name]
    if name == "sub" and dtype == "bool":
        with pytest.raises(TypeError):
            call(x, y)
        return
    same(*often(lambda: call(x, y)))
    before = hits(operator(name))
    call(x, y)
    assert hits(operator(name)) == before + 1
    same(*often(lambda: call(x, y[:1])))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("number", [2, 2.0, 0.5, -3, 0, 0.0, True, 300, 1e300, float("nan")])
@pytest.mark.parametrize("dtype", ["float32", "int32", "uint8", "bfloat16", "bool"])
def test_numbers_are_operands(number: float, dtype: str) -> None:
    x = jnp.asarray(np.arange(5), dtype)
    for name in ("add", "mul", "lt", "eq"):
        same(*often(lambda name=name: OPERATORS[name](x, number)))
        same(*often(lambda name=name: OPERATORS[name](number, x)))
    same(*often(lambda: x**2))
    same(*often(lambda: x.astype("float32") ** number))


def test_other_numbers_are_not_those_of_the_first_calls() -> None:
    x = jnp.arange(3.0)
    often(lambda: x + 1.0)
    assert (x + 2.5).tolist() == [2.5, 3.5, 4.5]
    assert np.signbit(np.asarray(x * -0.0)).tolist() == [True] * 3
    assert np.signbit(np.asarray(x * 0.0)).tolist() == [False] * 3
    often(lambda: x**2)
    assert (x**3).tolist() == [0, 1, 8]
    assert (x**2.0).tolist() == [0, 1, 4]
    big = jnp.arange(3)
    often(lambda: big + 1)
    with pytest.raises(OverflowError):
        _ = big + (1 << 40)


def test_other_operands_reach_python() -> None:
    x = jnp.arange(3.0)
    often(lambda: x + x)
    assert (x + np.ones(3, np.float32)).tolist() == [1, 2, 3]
    assert (np.ones(3, np.float32) + x).tolist() == [1, 2, 3]
    with pytest.raises(TypeError):
        _ = x + "text"
    with pytest.raises(TypeError):
        _ = x + [1, 2, 3]  # noqa: RUF005
    with pytest.raises(TypeError, match="ncompatible shapes"):
        _ = x + jnp.ones(4)
    assert (x == "text") is False
    gone = jnp.arange(3.0)
    gone.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        _ = x + gone


class Other:
    def __radd__(self, other: Any) -> str:
        return "other"


def test_the_other_operand_may_answer() -> None:
    x = jnp.arange(3.0)
    often(lambda: x + x)
    assert x + Other() == "other"


def test_operators_are_traced_in_transformations() -> None:
    x = jnp.arange(3.0)
    often(lambda: x * x)
    before = hits(operator("mul"))
    assert jax.grad(lambda y: (y * y * x).sum())(x).tolist() == [0, 2, 8]
    assert len(jax.make_jaxpr(lambda y: x * x + y)(x).eqns) == 2
    assert jax.vmap(lambda y: y * x)(jnp.ones((2, 3))).shape == (2, 3)
    assert hits(operator("mul")) == before


def test_debug_options_are_seen() -> None:
    x = jnp.zeros(3)
    often(lambda: x / x)
    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        _ = x / x
    assert np.isnan(x / x).all()


FUNCTIONS: dict[str, Any] = {
    "sin": lambda x: jnp.sin(x),
    "add": lambda x: jnp.add(x, 1.5),
    "power": lambda x: jnp.power(x, 3),
    "sum": lambda x: jnp.sum(x),
    "sum of an axis": lambda x: jnp.sum(x, axis=1),
    "sum of axes": lambda x: jnp.sum(x, axis=(0, 1), keepdims=True),
    "dtype": lambda x: jnp.sum(x, dtype="int32"),
    "mean": lambda x: x.mean(0),
    "dot": lambda x: jnp.dot(x, x.T),
    "where": lambda x: jnp.where(x > 1, x, 0.5),
    "clip": lambda x: jnp.clip(x, 1, 2),
    "relu": lambda x: jax.nn.relu(x),
    "argmax": lambda x: jnp.argmax(x, axis=1),
    "round": lambda x: jnp.round(x / 3, 1),
    "max": lambda x: x.max(),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_public_functions_become_native(name: str) -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    same(*often(lambda: FUNCTIONS[name](x)))


MOVEMENTS: dict[str, Any] = {
    "item": lambda x: x[1],
    "slice": lambda x: x[:, 1:] if x.ndim > 2 else x[0:1],
    "reshape": lambda x: x.reshape(3, 2),
    "zeros": lambda x: jnp.zeros((2, 2)),
    "stack": lambda x: jnp.stack([x, x]),
    "concatenate": lambda x: jnp.concatenate((x, x), axis=1),
}


@pytest.mark.parametrize("name", MOVEMENTS)
def test_movements_become_native(name: str) -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    same(*often(lambda: MOVEMENTS[name](x)))


def test_indices_are_told_apart() -> None:
    x = jnp.arange(6).reshape(2, 3)
    assert often(lambda: x[1])[1].tolist() == [3, 4, 5]
    assert x[0].tolist() == [0, 1, 2]
    assert x[-1].tolist() == [3, 4, 5]
    assert x[True].shape == (1, 2, 3)
    assert often(lambda: x[1:2])[1].tolist() == [[3, 4, 5]]
    assert x[0:2].shape == (2, 3)
    assert x[::2].shape == (1, 3)


def test_waiting_for_results() -> None:
    x = jnp.arange(6.0)
    y = often(lambda: x + 1)[1]
    assert y.block_until_ready() is y
    tree = {"a": [x, (y,)], "b": 1.0}
    assert jax.block_until_ready(tree) is tree
    y.delete()
    with pytest.raises(RuntimeError, match="deleted"):
        y.block_until_ready()
    with pytest.raises(RuntimeError, match="deleted"):
        jax.block_until_ready({"a": [y]})


def test_static_arguments_are_part_of_the_signature() -> None:
    x = jnp.arange(6.0).reshape(2, 3)
    for _ in range(3):
        assert often(lambda: jnp.sum(x, axis=0))[1].tolist() == [3, 5, 7]
        assert often(lambda: jnp.sum(x, 1))[1].tolist() == [3, 12]
        assert often(lambda: jnp.sum(x, axis=None, keepdims=True))[1].tolist() == [[15]]
        assert often(lambda: jnp.sum(x, axis=-1))[1].tolist() == [3, 12]
    with pytest.raises(ValueError, match="out of bounds"):
        jnp.sum(x, axis=2)
    with pytest.raises(TypeError):
        jnp.sum(x, axis=1.0)  # pyright: ignore[reportArgumentType]


def test_functions_that_read_values_stay_in_python() -> None:
    x = jnp.asarray([0.0, 1.0, 2.0])
    for _ in range(hot_functions.OFTEN + 2):
        assert jnp.nonzero(x)[0].tolist() == [1, 2]
        assert jnp.where(x)[0].tolist() == [1, 2]
        assert jnp.unique(x).tolist() == [0, 1, 2]
        assert jnp.shape(x) == (3,)


def test_functions_of_several_operations_stay_the_same() -> None:
    x = jnp.asarray(np.random.default_rng(0).standard_normal((5, 6)), "float32")
    calls = {
        "median": lambda: jnp.median(x, axis=1),
        "quantile": lambda: jnp.quantile(x, 0.3),
        "triu": lambda: jnp.triu(x, 1),
        "diagonal": lambda: jnp.diagonal(x),
        "searchsorted": lambda: jnp.searchsorted(jnp.sort(x[0]), x[1]),
        "diff": lambda: jnp.diff(x),
        "take_along_axis": lambda: jnp.take_along_axis(x, jnp.argsort(x, axis=1), 1),
        "interp": lambda: jnp.interp(0.25, jnp.arange(3.0), jnp.arange(3.0)),
        "softplus": lambda: jax.nn.softplus(x),
        "cumsum": lambda: jnp.cumsum(x, axis=0),
    }
    for name, call in calls.items():
        first, last = often(call)
        assert np.asarray(first).tobytes() == np.asarray(last).tobytes(), name


def test_random_numbers_stay_the_same() -> None:
    key = jax.random.key(7)
    same(*often(lambda: jax.random.normal(key, (4,))))
    same(*often(lambda: jax.random.bits(jax.random.PRNGKey(3), (5,))))
    first, last = often(lambda: jax.random.split(key)[0])
    assert jax.random.key_data(first).tolist() == jax.random.key_data(last).tolist()


@settings(deadline=None, max_examples=30)
@given(
    st.lists(st.integers(0, 4), max_size=3).map(tuple),
    st.sampled_from(["float32", "int32", "int8", "float16"]),
    st.sampled_from(sorted(OPERATORS)),
    st.data(),
)
def test_any_shape(shape: tuple[int, ...], dtype: str, name: str, data: Any) -> None:
    other = data.draw(st.sampled_from([shape, (1,) * len(shape), shape[1:]]))
    x = jnp.asarray(np.arange(np.prod(shape, dtype=int)).reshape(shape), dtype)
    y = jnp.asarray(np.arange(1, 1 + np.prod(other, dtype=int)).reshape(other), dtype)
    same(*often(lambda: OPERATORS[name](x, y)))


def test_options_that_change_are_seen_and_operators_become_native_again() -> None:
    x = jnp.arange(3.0)
    for _ in range(2):
        for x64 in (True, False):
            jax.config.update("jax_enable_x64", x64)
            try:
                assert often(lambda: x * 2.0)[1].tolist() == [0, 2, 4]
                assert often(lambda: x[1])[1].tolist() == 1
                for name, call in (("mul", lambda: x * 2.0), ("getitem", lambda: x[1])):
                    before = hits(operator(name))
                    call()
                    assert hits(operator(name)) == before + 1
            finally:
                jax.config.update("jax_enable_x64", False)


def test_threads_share_operators() -> None:
    wrong: list[Any] = []

    def work(number: int) -> None:
        x = jnp.full(number + 1, float(number))
        for _ in range(2000):
            y = (x + x) * 2.0 - x
            if y.shape != x.shape:
                wrong.append(y)
        if (np.asarray(y) != 3.0 * number).any():  # pyright: ignore[reportPossiblyUnbound]
            wrong.append(y)  # pyright: ignore[reportPossiblyUnbound]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_is_compiled_where_that_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """`OAKUM_COMPILE=0`, set to look for a fault of the compiler, leaves it in."""
    asked: list[Any] = []
    monkeypatch.setattr(executable, "Executable", asked.append)
    native_calls.runtime()
    with jax.config.compile_programs(False):
        f = jax.jit(lambda x: x * 2 + 1)
        for _ in range(12):
            f(jnp.ones(4))
            jnp.hypot(jnp.ones(5), 2.0)
    assert not asked
