# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Calls that are made without Python: the same results as in Python, and nothing else changed."""

from __future__ import annotations

import collections
import contextvars
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum.compile import executable
from oakum.runtime import devices, native_calls

pytestmark = pytest.mark.skipif(
    not native_calls.are_wanted(), reason="native calls are switched off"
)


def hits(function: Any) -> int:
    """How many calls of a function were made natively."""
    kept = getattr(function, "native_kept", None) or {}
    return sum(each.read("hits") for each in kept.values())


def check_native(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function until it is native; the native result is that of the first call."""
    native_calls.runtime()  # else it waits for a second call
    first = function(*args, **kwargs)
    programs = [key[0] for key in vars(function)["_native"].known]
    if any(executable.of(each).address is None for each in programs):
        pytest.skip("the program is evaluated on the host")
    before = hits(function)
    second = function(*args, **kwargs)
    assert hits(function) == before + 1, "the second call was made in Python"
    assert jax.tree.structure(first) == jax.tree.structure(second)
    for one, two in zip(jax.tree.leaves(first), jax.tree.leaves(second), strict=True):
        assert one.aval == two.aval
        np.testing.assert_array_equal(np.asarray(one), np.asarray(two))
    return second


def in_python(function: Any, *args: Any, **kwargs: Any) -> Any:
    """Calls a function for which no native call is found."""
    before = hits(function)
    result = function(*args, **kwargs)
    assert hits(function) == before, "the call was made natively"
    return result


@jax.jit
def twice(x: Any) -> Any:
    return x * 2


def test_native_code_can_be_used_here() -> None:
    assert native_calls.runtime() is not None


def test_flat_arguments() -> None:
    f = jax.jit(lambda x, y: x + y)
    x = jnp.arange(6.0).reshape(2, 3)
    assert check_native(f, x, x).tolist() == [[0, 2, 4], [6, 8, 10]]


def test_results_of_native_calls_are_arguments_of_others() -> None:
    f = jax.jit(lambda x: x + 1)
    x = jnp.zeros(4)
    for _ in range(10):
        x = f(x)
    assert x.tolist() == [10.0] * 4
    assert hits(f) >= 8


class Pair(NamedTuple):
    left: Any
    right: Any


@jax.tree_util.register_pytree_node_class
class Scaled:
    def __init__(self, value: Any, scale: float) -> None:
        self.value = value
        self.scale = scale

    def tree_flatten(self) -> tuple[Any, Any]:
        return (self.value,), self.scale

    @classmethod
    def tree_unflatten(cls, scale: float, children: Any) -> Scaled:
        return cls(children[0], scale)


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


def test_static_arguments() -> None:
    f = jax.jit(lambda x, n, *, mode="up": x + n if mode == "up" else x - n, static_argnums=1)
    g = jax.jit(
        lambda x, n, *, mode: x + n if mode == "up" else x - n, static_argnames=("n", "mode")
    )
    x = jnp.float32(1)
    assert check_native(f, x, 2) == 3
    assert check_native(f, x, 3) == 4
    assert check_native(f, x, 3.0) == 4
    assert check_native(g, x, 2, mode="up") == 3
    assert check_native(g, x, n=2, mode="down") == -1
    assert check_native(g, x, mode="up", n=(1,)[0]) == 2
    assert check_native(f, x, 2) == 3


def test_static_arguments_of_one_value_and_another_type_differ() -> None:
    seen: list[Any] = []

    def function(n: Any, x: Any) -> Any:
        seen.append(n)
        return x + (1 if type(n) is int else 2)

    f = jax.jit(function, static_argnums=0)
    x = jnp.float32(0)
    assert (f(1, x), f(1.0, x), f(True, x)) == (1, 2, 2)
    assert (f(1, x), f(1.0, x), f(True, x)) == (1, 2, 2)
    assert seen == [1, 1.0, True]


def test_methods_get_their_instance() -> None:
    class Model:
        scale = 3.0

        @jax.jit
        def plain(x: Any) -> Any:  # type: ignore[misc]
            return x + 1

        @jax.tree_util.Partial
        def unused(self) -> None: ...

        def __init__(self) -> None:
            self.bound = jax.jit(self.apply)

        def apply(self, x: Any) -> Any:
            return x * self.scale

    assert check_native(Model().bound, jnp.float32(2)) == 6
    assert Model.plain(jnp.float32(2)) == 3

    class Static:
        def __init__(self, scale: float) -> None:
            self.scale = scale

        @jax.jit
        def __call__(self, x: Any) -> Any:
            raise AssertionError

        def apply(self, x: Any) -> Any:
            return x * self.scale

        run = jax.jit(apply, static_argnums=0)

    one, two = Static(2.0), Static(3.0)
    for _ in range(3):
        assert (one.run(jnp.float32(1)), two.run(jnp.float32(1))) == (2, 3)
    assert Static.run(one, jnp.float32(5)) == 10
    assert hits(Static.__dict__["run"]) >= 4


def test_deleted_arguments_raise() -> None:
    x = jnp.ones(3)
    check_native(twice, x)
    y = twice(x)
    y.delete()
    x.delete()
    for each in (x, y):
        assert each.is_deleted()
        with pytest.raises(RuntimeError, match="deleted"):
            twice(each)


def test_donated_arguments_are_deleted() -> None:
    f = jax.jit(lambda state, x: (state[0] + x, state[1] * 2), donate_argnums=0)
    state: Any = (jnp.zeros(3), jnp.ones(3))
    x = jnp.ones(3)
    for _ in range(5):
        before = state
        state = f(state, x)
        assert [each.is_deleted() for each in before] == [True, True]
    assert hits(f) >= 3
    assert not x.is_deleted()
    assert [each.tolist() for each in state] == [[5.0] * 3, [32.0] * 3]


def test_donated_arguments_that_no_result_can_use_warn_each_time() -> None:
    f = jax.jit(lambda x: x.sum(), donate_argnums=0)
    for _ in range(3):
        with pytest.warns(UserWarning, match="not usable"):
            f(jnp.ones(3))


def test_arrays_on_a_device_stay_there() -> None:
    device = jax.devices()[0]
    x = jax.device_put(jnp.ones(3), device)
    assert x.committed
    made = check_native(twice, x)
    assert made.committed
    assert made.device is device
    assert not check_native(twice, jnp.ones(3)).committed


def test_arrays_on_devices_made_anew_are_known() -> None:
    check_native(twice, jax.device_put(jnp.ones(3), jax.devices()[0]))
    devices.clear_backends()
    assert check_native(twice, jax.device_put(jnp.ones(3), jax.devices()[0])).committed


def test_results_are_arrays_as_others_are() -> None:
    made = check_native(twice, jnp.arange(3.0))
    assert repr(made) == "Array([0., 2., 4.], dtype=float32)"
    assert pickle.loads(pickle.dumps(made)).tolist() == made.tolist()
    assert copy.copy(made).tolist() == copy.deepcopy(made).tolist() == made.tolist()
    assert weakref.ref(made)() is made
    assert any(each is made for each in jax.live_arrays())
    assert np.asarray(made).ctypes.data % 64 == 0
    assert made.unsafe_buffer_pointer() == np.asarray(made).ctypes.data
    with pytest.raises(ValueError, match="read-only"):
        np.asarray(made)[0] = 1
    assert np.from_dlpack(made).tolist() == [0, 2, 4]
    assert (made + 1).tolist() == [1, 3, 5]
    assert made[1] == 2
    assert [float(each) for each in made] == [0, 2, 4]


def test_views_outlive_the_array() -> None:
    made = check_native(twice, jnp.arange(1000.0))
    view = np.asarray(made)
    made.delete()
    del made
    others = [twice(jnp.ones(1000)) for _ in range(50)]
    assert view[999] == 1998
    assert others[0][0] == 2


def test_traces_and_transformations_are_seen() -> None:
    f = jax.jit(lambda x: x * x)
    x = jnp.float32(3)
    check_native(f, x)
    before = hits(f)
    assert jax.grad(f)(x) == 6
    assert jax.vmap(f)(jnp.arange(3.0)).tolist() == [0, 1, 4]
    assert jax.jvp(f, (x,), (x,)) == (9, 18)
    assert jax.jit(lambda y: f(x) + y)(x) == 12
    assert "pjit" in str(jax.make_jaxpr(lambda y: f(x) + y)(x)) or "jit" in str(
        jax.make_jaxpr(lambda y: f(x) + y)(x)
    )
    assert hits(f) == before
    assert f(x) == 9
    assert hits(f) == before + 1


def test_constants_under_a_transformation_are_traced() -> None:
    """A call within a trace has to be recorded, whatever its arguments are."""
    f = jax.jit(lambda x: x + 1)
    x = jnp.float32(1)
    check_native(f, x)
    jaxpr = jax.make_jaxpr(lambda: f(x))()
    assert len(jaxpr.eqns) == 1


def test_disable_jit_and_debug_options_are_seen() -> None:
    ran: list[int] = []

    @jax.jit
    def f(x: Any) -> Any:
        ran.append(1)
        return jnp.log(x)

    x = jnp.float32(-1)
    check_native(f, x)
    count = len(ran)
    with jax.disable_jit():
        in_python(f, x)
        assert len(ran) == count + 1
    with jax.debug_nans(True), pytest.raises(FloatingPointError):
        f(x)
    assert np.isnan(f(x))
    jax.config.update("jax_debug_nans", True)
    try:
        with pytest.raises(FloatingPointError):
            f(x)
    finally:
        jax.config.update("jax_debug_nans", False)
    assert np.isnan(check_native(f, x))


def test_x64_in_a_block_and_of_the_process() -> None:
    f = jax.jit(lambda x: jnp.asarray(x, float))
    assert check_native(f, 1.5).dtype == "float32"
    for _ in range(2):
        with jax.enable_x64(True):
            assert check_native(f, 1.5).dtype == "float64"
        assert check_native(f, 1.5).dtype == "float32"
    jax.config.update("jax_enable_x64", True)
    try:
        assert check_native(f, 1.5).dtype == "float64"
    finally:
        jax.config.update("jax_enable_x64", False)
    assert check_native(f, 1.5).dtype == "float32"


def test_other_threads_and_contexts_see_their_own_options() -> None:
    f = jax.jit(lambda x: jnp.asarray(x, float))
    check_native(f, 1.5)
    found: list[Any] = []
    with jax.enable_x64(True):
        check_native(f, 1.5)
        context = contextvars.copy_context()
        thread = threading.Thread(target=lambda: found.append(f(1.5).dtype))
        thread.start()
        thread.join()
        found.append(f(1.5).dtype)
    found += [f(1.5).dtype, context.run(f, 1.5).dtype]
    assert found == ["float32", "float64", "float32", "float64"]


def test_transfer_guards_are_seen() -> None:
    f = jax.jit(lambda x: x + 1)
    x = np.float32(1)
    check_native(f, x)
    with jax.transfer_guard("disallow"), pytest.raises(Exception, match="transfer"):
        f(x)


def test_clear_cache_has_the_function_traced_again() -> None:
    scale = 2.0
    f = jax.jit(lambda x: x * scale)
    g = jax.jit(f.__wrapped__)
    x = jnp.float32(1)
    assert check_native(f, x) == check_native(g, x) == 2
    scale = 3.0
    assert f(x) == 2
    f.clear_cache()
    assert f(x) == g(x) == 3
    scale = 4.0
    jax.clear_caches()
    assert f(x) == g(x) == 4


def test_many_signatures_of_one_function() -> None:
    f = jax.jit(lambda x: x + 1)
    for _ in range(2):
        for size in range(native_calls.MOST + 20):
            assert f(np.zeros(size, np.float32)).shape == (size,)
    assert len(f.native_kept) <= native_calls.MOST
    last = np.zeros(native_calls.MOST + 19, np.float32)
    check_native(f, last)


def test_hundreds_of_leaves() -> None:
    f = jax.jit(lambda xs: [x + 1 for x in xs])
    made = check_native(f, [jnp.float32(i) for i in range(300)])
    assert [float(x) for x in made] == [i + 1 for i in range(300)]


def test_functions_that_do_not_fit_call_python_with_all_they_were_given() -> None:
    calls: list[Any] = []

    @jax.jit
    def f(*args: Any, **kwargs: Any) -> Any:
        calls.append((len(args), sorted(kwargs)))
        return sum(args) + sum(kwargs.values())

    x = jnp.float32(1)
    check_native(f, x)
    for args, kwargs in (((), {}), ((x, x), {}), ((x,), {"a": x}), ((), {"b": x, "a": x})):
        f(*args, **kwargs)
    assert calls == [(1, []), (0, []), (2, []), (1, ["a"]), (0, ["a", "b"])]
    with pytest.raises(TypeError, match="not a valid JAX type"):
        f("text")


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


def counted(function: Callable[[], Any], *held: Any) -> list[int]:
    """By how much the reference counts of objects grow in many calls."""
    for _ in range(20):
        function()
    gc.collect()
    before = [sys.getrefcount(each) for each in held]
    for _ in range(10_000):
        function()
    gc.collect()
    return [sys.getrefcount(each) - count for each, count in zip(held, before, strict=True)]


def test_no_reference_is_lost_or_left() -> None:
    x, y = jnp.ones(3), np.ones(3, np.float32)
    aval = twice(x).aval
    tree = {"x": x, "y": [y, None]}
    f = jax.jit(lambda tree, n, **more: (tree, n[1], more), static_argnums=1)
    static = ("a", 1000)
    hard = Scaled(x, 2.0)
    for call in (
        lambda: twice(x),
        lambda: twice(y),
        lambda: twice(2.0),
        lambda: f(tree, static, z=3),
        lambda: f(hard, static),
        lambda: in_python(twice, y[::-1]),
    ):
        grown = counted(call, x, y, aval, tree, tree["y"], static, hard, twice, f, x.aval)
        assert all(abs(each) < 5 for each in grown), grown


def test_memory_does_not_grow() -> None:
    import tracemalloc

    x = jnp.ones(10_000)
    big = jnp.ones(1 << 20)

    def work() -> None:
        for _ in range(200):
            twice(x)
            twice(big)

    work()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(5):
            work()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 20_000


def test_the_pool_gives_memory_back() -> None:
    native = native_calls.runtime()
    assert native is not None
    x = jnp.arange(65536.0)
    made = [twice(x) for _ in range(20)]
    before = native.pool_bytes
    del made
    assert native.pool_bytes >= before + (18 << 18)
    native.trim()
    assert native.pool_bytes == 0
    assert twice(jnp.ones(3))[0] == 2


def test_functions_go_with_all_they_hold() -> None:
    class Holder:
        pass

    held = Holder()
    f: Any = jax.jit(lambda x, h: x + 1, static_argnums=1)
    f(jnp.float32(1), held)
    f(jnp.float32(1), held)
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None


def test_wrappers_keep_the_face_of_the_function() -> None:
    def function(x: Any) -> Any:
        """Says what it does."""
        return x

    f: Any = jax.jit(function)
    assert (f.__name__, f.__doc__, f.__wrapped__) == ("function", "Says what it does.", function)
    assert type(f).__name__ == "CompiledFunction"
    f.mark = 1
    assert f.mark == 1
    assert weakref.ref(f)() is f
    assert callable(f)
    assert pickle.loads(pickle.dumps(jax.jit(abs)))(jnp.float32(-2)) == 2


def test_many_threads_call_one_function() -> None:
    shapes = [(3,), (4, 5), (100,), (2, 2, 2)]
    f = jax.jit(lambda x, scale: {"y": x * scale, "z": [x + 1]})
    wrong: list[Any] = []

    def work(number: int) -> None:
        x = jnp.full(shapes[number % 4], float(number))
        for _ in range(10_000):
            made = f(x, 2.0)
            if made["y"].shape != x.shape:
                wrong.append(made)
        if not (np.asarray(made["y"]) == 2.0 * number).all():  # pyright: ignore
            wrong.append(made)  # pyright: ignore

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_long_calls_let_other_threads_run() -> None:
    f = jax.jit(lambda x: jnp.sin(x).sum())
    x = jnp.ones(1 << 20)
    check_native(f, x)
    kept = next(iter(f.native_kept.values()))
    assert kept.read("lengthy") == 1
    results: list[float] = []
    threads = [
        threading.Thread(target=lambda: results.extend(float(f(x)) for _ in range(20)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 80
    assert len(set(results)) == 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_fork_in_the_middle() -> None:
    x = jnp.arange(8.0)
    check_native(twice, x)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            total = sum(float(twice(x)[7]) for _ in range(100))
            os.write(writer, str(total).encode())
        finally:
            os._exit(0)
    os.close(writer)
    assert os.read(reader, 100) == b"1400.0"
    os.close(reader)
    os.waitpid(child, 0)
    assert twice(x)[7] == 14


PROGRAM = """
import oakum as jax, oakum.numpy as jnp, sys
from oakum.runtime import devices, native_calls
{before}
f = jax.jit(lambda x, d: {{"a": x + d["k"], "b": (x, 2)}})
x = jnp.arange(3.0)
for _ in range(3):
    made = f(x, {{"k": 1.5}})
print(made["a"].tolist(), made["b"][0].tolist(), int(made["b"][1]), native_calls.runtime() is None)
"""


def run(before: str = "", **environment: str) -> str:
    program = PROGRAM.format(before=before)
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("before", "environment"),
    [
        ("", {"OAKUM_NATIVE_CALLS": "0"}),
        ("import ctypes; del ctypes.pythonapi", {}),
        (
            "from oakum.runtime import native_layout; native_layout.CONTIGUOUS = 0x2",
            {},
        ),
        (
            "from oakum.runtime import native_layout as n\n"
            "find = n.find\n"
            "n.find = lambda: {**find(), 'ARRAY_RAW': find()['ARRAY_BLOCK']}",
            {},
        ),
    ],
)
def test_without_native_calls_all_is_as_before(before: str, environment: dict[str, str]) -> None:
    expected = "[1.5, 2.5, 3.5] [0.0, 1.0, 2.0] 2"
    assert run(before, **environment) == f"{expected} True"
    assert run() == f"{expected} False"
