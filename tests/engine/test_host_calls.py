# pyright: basic
"""Programs that ask the host for something are called natively, and raise what it raises.

What fails here has an interrupted call give garbage, or makes every call of `sort` or `fft` slow.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from native_call_checks import hits

import oakum
import oakum.numpy as jnp
from oakum import dtypes, lax
from oakum.runtime.native_call import hot_functions, native_calls
from oakum.tracing.trace import Primitive
from oakum.values.avals import ShapedArray

pytestmark = [
    pytest.mark.unverified,
    pytest.mark.skipif(not native_calls.are_wanted(), reason="native calls are switched off"),
]


def asking(evaluate: Callable[[Any], Any]) -> Any:
    """A compiled function that has the host compute something between native parts."""
    primitive = Primitive(
        "asked",
        abstract=lambda aval: ShapedArray(aval.shape, dtypes.float32),
        evaluate=lambda np, x: evaluate(x),
    )
    function = oakum.jit(lambda x: primitive.bind(primitive.bind(x + 1) * 2) - 1)
    for _ in range(3):
        function(jnp.zeros(3))
    before = hits(function)
    function(jnp.zeros(3))
    assert hits(function) == before + 1, "the call was made in Python"
    return function


def test_what_the_host_raises_is_raised_by_the_call() -> None:
    problems: list[BaseException] = []
    calls: list[Any] = []

    def evaluate(x: Any) -> Any:
        calls.append(x)
        if problems:
            raise problems.pop()
        return x

    function = asking(evaluate)
    for problem in (KeyboardInterrupt(), MemoryError("no more")):
        problems.append(problem)
        calls.clear()
        with pytest.raises(type(problem)):
            function(jnp.zeros(3))
        assert len(calls) == 1, "the host was asked again after it had raised"
        np.testing.assert_array_equal(function(jnp.zeros(3)), [1, 1, 1])


def test_threads_get_their_own_errors() -> None:
    meeting = threading.Barrier(2, timeout=30)
    armed: list[bool] = []

    def evaluate(x: Any) -> Any:
        if armed and x[0] > 5:
            meeting.wait()
            raise ValueError("of this thread")
        if armed and x[0] == 1:
            meeting.wait()
        return x

    function = asking(evaluate)
    armed.append(True)
    found: dict[str, Any] = {}

    def call(name: str, start: float) -> None:
        try:
            found[name] = np.asarray(function(jnp.full(3, start)))
        except ValueError as error:
            found[name] = error

    inputs = {"good": jnp.zeros(3), "bad": jnp.full(3, 9.0)}
    threads = [threading.Thread(target=call, args=(n, x[0])) for n, x in inputs.items()]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert isinstance(found["bad"], ValueError)
    np.testing.assert_array_equal(found["good"], [1, 1, 1])


def test_callbacks_keep_what_they_are_given() -> None:
    kept: list[Any] = []

    def note(x: Any) -> Any:
        kept.append(x)
        return np.asarray(x)

    result = ShapedArray((3,), dtypes.float32)
    function = oakum.jit(lambda x: oakum.pure_callback(note, result, x * 2) + 1)
    for number in range(4):
        function(jnp.full(3, float(number)))
    values = [np.asarray(x)[0] for x in kept[-4:]]
    assert values == [0, 2, 4, 6]


def test_functions_with_several_results_become_native() -> None:
    x = jnp.asarray(np.random.default_rng(0).normal(size=(4, 4)))
    for function in (lax.linalg.lu, jnp.linalg.slogdet, lambda x: lax.top_k(x, 2)):
        first = function(x)
        for _ in range(hot_functions.OFTEN + 2):
            last = function(x)
        assert type(first) is type(last)
        for one, two in zip(first, last, strict=True):
            assert one.aval == two.aval
            np.testing.assert_allclose(np.asarray(one), np.asarray(two), rtol=1e-5)
