# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""The arguments of calls that are made without Python: trees, numbers, arrays of NumPy."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest
from native_call_checks import Pair, Scaled, check_native, in_python

import oakum as jax
import oakum.numpy as jnp
from oakum.runtime.native_call import native_calls

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]


def test_flat_arguments() -> None:
    f = jax.jit(lambda x, y: x + y)
    x = jnp.arange(6.0).reshape(2, 3)
    assert check_native(f, x, x).tolist() == [[0, 2, 4], [6, 8, 10]]


@pytest.mark.parametrize(
    "tree",
    [
        {"b": 1.0, "a": (2.0, [3.0, None])},
        Pair(1.0, {"x": 2.0}),
        [[[[1.0]]], (), {}],
        collections.OrderedDict(b=1.0, a=2.0),
        collections.defaultdict(list, {"k": 3.0}),
        Scaled(Pair(1.0, 2.0), 4.0),
        {1: 2.0, 3: 4.0},
        None,
    ],
)
def test_trees_of_arguments_and_results(tree: Any) -> None:
    arrays = jax.tree.map(jnp.float32, tree)
    x = jnp.float32(5)
    f = jax.jit(lambda tree, x: (jax.tree.map(lambda leaf: leaf + x, tree), x))
    made = check_native(f, arrays, x)
    expected = jax.tree.map(lambda leaf: leaf + 5, tree)
    assert jax.tree.map(float, made[0]) == expected or isinstance(tree, Scaled)
    assert type(made[0]) is type(tree)


def test_other_trees_are_told_apart() -> None:
    f = jax.jit(lambda tree: jax.tree.reduce(lambda x, y: x + y, tree))
    one, two = jnp.float32(1), jnp.float32(2)
    for tree in (
        (one, two),
        [one, two],
        {"a": one, "b": two},
        {"a": one, "c": two},
        Pair(one, two),
    ):
        assert check_native(f, tree) == 3
    assert in_python(f, {"a": one, "b": two, "c": two}) == 5
    assert in_python(f, Scaled(one, 2.0)) == 1
    assert check_native(f, Scaled(one, 3.0)) == 1


def test_keywords_in_any_order_and_by_position() -> None:
    f = jax.jit(lambda x, *, a, b: x + 10 * a + 100 * b)
    x, a, b = jnp.int32(1), jnp.int32(2), jnp.int32(3)
    assert check_native(f, x, a=a, b=b) == 321
    assert check_native(f, x, b=b, a=a) == 321
    assert check_native(f, x=x, b=b, a=a) == 321
    assert f(x, a=a, b=x) == 121


@pytest.mark.parametrize("x64", [False, True])
@pytest.mark.parametrize("number", [3.5, 7, True, 2 - 1j, -0.0, 1e-40, float("inf")])
def test_numbers_of_python(number: complex, x64: bool) -> None:
    with jax.enable_x64(x64):
        f = jax.jit(lambda x: x)
        made = check_native(f, number)
        assert made.weak_type is (type(number) is not bool)
        expected = np.asarray(number, made.dtype)
        assert np.asarray(made).tobytes() == expected.tobytes()


def test_integers_that_do_not_fit_raise_as_in_python() -> None:
    f = jax.jit(lambda x: x + 1)
    assert check_native(f, 3) == 4
    with pytest.raises(OverflowError):
        f(1 << 40)
    assert f(-(1 << 31)) == -(1 << 31) + 1


@pytest.mark.parametrize(
    "dtype", "bool int8 uint8 int16 uint16 int32 uint32 float16 bfloat16 float32 complex64".split()
)
def test_arrays_and_scalars_of_numpy(dtype: str) -> None:
    f = jax.jit(lambda x: x)
    x = np.asarray(jnp.ones((2, 3), dtype))
    check_native(f, x)
    check_native(f, x[0, 0])
    assert in_python(f, x.T).shape == (3, 2)
    check_native(f, jnp.asarray(x))


def test_strided_arrays_of_numpy_are_read_as_they_are() -> None:
    f = jax.jit(lambda x: x + 0)
    x = np.arange(12, dtype=np.int32).reshape(3, 4)
    check_native(f, x)
    assert in_python(f, x.T.copy().T).tolist() == x.tolist()
    y = np.arange(24, dtype=np.int32).reshape(3, 8)[:, ::2]
    assert in_python(f, y).tolist() == y.tolist()
    swapped = x.astype(">i4")
    assert in_python(f, swapped).tolist() == x.tolist()
    unaligned = np.frombuffer(b"x" + x.tobytes(), np.int32, offset=1).reshape(3, 4)
    assert in_python(f, unaligned).tolist() == x.tolist()


def test_doubles_are_narrowed_without_x64() -> None:
    f = jax.jit(lambda x: x + 0)
    check_native(f, np.float32(0.5))
    assert in_python(f, np.float64(0.5)).dtype == "float32"
    assert in_python(f, np.ones((), np.float64)).dtype == "float32"


def test_weak_types_shapes_and_dtypes_are_told_apart() -> None:
    f = jax.jit(lambda x: x + 1)
    for x in (
        jnp.ones(3),
        jnp.ones(4),
        jnp.ones((3, 1)),
        jnp.ones(3, "int32"),
        jnp.float32(1),
        1.0,
    ):
        made = check_native(f, x)
        assert (made.shape, made.weak_type) == (jnp.shape(x), isinstance(x, float))


@pytest.mark.parametrize("shape", [(), (0,), (3, 0, 2), (1,), (5, 7)])
def test_shapes(shape: tuple[int, ...]) -> None:
    f = jax.jit(lambda x: (x + 1, x))
    made, same = check_native(f, jnp.ones(shape))
    assert made.shape == same.shape == np.asarray(made).shape == shape


@pytest.mark.exhaustive
def test_hundreds_of_leaves() -> None:
    f = jax.jit(lambda xs: [x + 1 for x in xs])  # oakum: ignore[OAK710] on purpose
    made = check_native(f, [jnp.float32(i) for i in range(300)])
    assert [float(x) for x in made] == [i + 1 for i in range(300)]


def test_errors_in_users_containers_are_theirs() -> None:
    @jax.tree_util.register_pytree_node_class
    class Broken:
        fails = False

        def __init__(self, x: Any) -> None:
            self.x = x

        def tree_flatten(self) -> tuple[Any, Any]:
            if Broken.fails:
                raise KeyError("mine")
            return [self.x], None

        @classmethod
        def tree_unflatten(cls, data: Any, children: Any) -> Any:
            if Broken.fails:
                raise KeyError("other")
            return cls(*children)

    f = jax.jit(lambda tree: tree)
    tree = Broken(jnp.float32(1))
    assert float(check_native(f, tree).x) == 1
    Broken.fails = True
    with pytest.raises(KeyError, match="mine"):
        f(tree)
    g = jax.jit(lambda x: Broken(x))
    Broken.fails = False
    check_native(g, jnp.float32(1))
    Broken.fails = True
    with pytest.raises(KeyError, match="other"):
        g(jnp.float32(1))
