# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""Calls that are made without Python: the same functions and results as in Python."""

from __future__ import annotations

import gc
import os
import pickle
import subprocess
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from native_call_checks import check_native, hits

import oakum as jax
import oakum.numpy as jnp
from oakum.runtime.native_call import native_calls

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]


def test_native_code_can_be_used_here() -> None:
    assert native_calls.runtime() is not None


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


def test_many_signatures_of_one_function() -> None:
    f = jax.jit(lambda x: x + 1)
    for _ in range(2):
        for size in range(native_calls.MOST + 20):
            assert f(np.zeros(size, np.float32)).shape == (size,)
    assert len(f.native_kept) <= native_calls.MOST
    last = np.zeros(native_calls.MOST + 19, np.float32)
    check_native(f, last)


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


PROGRAM = """
import oakum as jax, oakum.numpy as jnp, sys
from oakum.runtime.topology import devices; from oakum.runtime.native_call import native_calls
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


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("before", "environment"),
    [
        ("", {"OAKUM_NATIVE_CALLS": "0"}),
        ("import ctypes; del ctypes.pythonapi", {}),
        (
            "from oakum.runtime.native_call import layout; layout.CONTIGUOUS = 0x2",
            {},
        ),
        (
            "from oakum.runtime.native_call import layout as n\n"
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
