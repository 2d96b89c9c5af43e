"""Leaked tracers: found when the trace ends, whatever keeps them, in every transformation."""

import collections
import contextlib
import dataclasses
import functools
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax
from oakum.values import codes
from oakum.values.checks import check_outcomes, process_copy

KEPT: dict[str, Any] = {}
QUEUE: collections.deque[Any] = collections.deque()


class Holder:
    """An object that outlives every trace."""

    value: Any = None


HOLDER = Holder()


@functools.lru_cache
def remembered(_: Any) -> int:
    return 1


class Hashable:
    def __init__(self, value: Any) -> None:
        self.value = value


def in_dict(x: Any) -> None:
    KEPT["x"] = x  # oakum: ignore[OAK101] on purpose


def in_list_in_dict(x: Any) -> None:
    KEPT["list"] = [1, [x]]


def in_attribute(x: Any) -> None:
    HOLDER.value = x


def in_class(x: Any) -> None:
    Holder.value = x


def in_deque(x: Any) -> None:
    QUEUE.append(x)


def in_closure(x: Any) -> None:
    KEPT["closure"] = lambda: x


def in_partial(x: Any) -> None:
    KEPT["partial"] = functools.partial(max, x)


def in_cache(x: Any) -> None:
    remembered(Hashable(x))


def in_exception(x: Any) -> None:
    KEPT["error"] = ValueError(x)


def in_generator(x: Any) -> None:
    def generate() -> Iterator[Any]:
        yield 1
        yield x

    iterator = generate()
    next(iterator)
    KEPT["generator"] = iterator


def in_thread(x: Any) -> None:
    event = threading.Event()

    def wait(_: Any) -> None:
        event.wait(30)

    threading.Thread(target=wait, args=(x,), daemon=True).start()
    KEPT["event"] = event


WAYS = (
    in_dict,
    in_list_in_dict,
    in_attribute,
    in_class,
    in_deque,
    in_closure,
    in_partial,
    in_cache,
    in_exception,
    in_generator,
    in_thread,
)


def forget() -> None:
    if "event" in KEPT:
        KEPT["event"].set()
    KEPT.clear()
    QUEUE.clear()
    remembered.cache_clear()
    HOLDER.value = Holder.value = None


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    yield
    forget()


X = 1.5


def itself(x: Any) -> Any:
    return x


def under_scan(f: Callable[[Any], Any]) -> Any:
    def step(carry: Any, _: Any) -> tuple[Any, None]:
        return f(carry), None

    return lax.scan(step, jnp.float32(X), None, length=2)


def under_while(f: Callable[[Any], Any]) -> Any:
    def is_small(carry: Any) -> Any:
        return carry < 3.0

    def step(carry: Any) -> Any:
        return f(carry) * 0.0 + carry + 1.0

    return lax.while_loop(is_small, step, jnp.float32(X))


def under_custom_jvp(f: Callable[[Any], Any]) -> Any:
    def derivative(primals: Any, tangents: Any) -> tuple[Any, Any]:
        return f(primals[0]), tangents[0]

    g: Any = jax.custom_jvp(itself)
    g.defjvp(derivative)

    def doubled(x: Any) -> Any:
        return g(x * 2.0)

    return jax.grad(doubled)(X)


TRANSFORMS: dict[str, Callable[[Callable[[Any], Any]], Any]] = {
    "jit": lambda f: jax.jit(f)(X),
    "grad": lambda f: jax.grad(f)(X),
    "value_and_grad": lambda f: jax.value_and_grad(f)(X),
    "jvp": lambda f: jax.jvp(f, (X,), (1.0,)),
    "vjp": lambda f: jax.vjp(f, X),
    "linearize": lambda f: jax.linearize(f, X),
    "vmap": lambda f: jax.vmap(f)(jnp.ones(3)),
    "jacfwd": lambda f: jax.jacfwd(f)(jnp.ones(2)),
    "jacrev": lambda f: jax.jacrev(f)(jnp.ones(2)),
    "make_jaxpr": lambda f: jax.make_jaxpr(f)(X),
    "eval_shape": lambda f: jax.eval_shape(f, jnp.ones(3)),
    "checkpoint": lambda f: jax.checkpoint(f)(X),
    "scan": under_scan,
    "while_loop": under_while,
    "cond": lambda f: lax.cond(True, f, itself, jnp.float32(X)),
    "map": lambda f: lax.map(f, jnp.ones(3)),
    "pmap": lambda f: jax.pmap(f)(jnp.ones((1, 2))),
    "jit of vmap": lambda f: jax.jit(jax.vmap(f))(jnp.ones(3)),
    "grad of jit": lambda f: jax.grad(jax.jit(f))(X),
    "vmap of grad": lambda f: jax.vmap(jax.grad(f))(jnp.ones(3)),
}


def leaking(way: Callable[[Any], None]) -> Callable[[Any], Any]:
    def leaky(x: Any) -> Any:
        inner = x * 2.0
        way(inner)
        return x * 1.0

    return leaky


@pytest.mark.sweep(10)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_leak_is_found_when_any_transformation_returns(transform: str) -> None:
    """A leak that is not found where it happens fails later, far away."""
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError, match="Leaked"):
        TRANSFORMS[transform](leaking(in_dict))


@pytest.mark.sweep(12)
@pytest.mark.parametrize("transform", ["jit", "grad", "vmap"])
@pytest.mark.parametrize("way", WAYS)
def test_leak_is_found_whatever_keeps_the_tracer(
    way: Callable[[Any], None], transform: str
) -> None:
    """Users keep values in more places than lists."""
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        TRANSFORMS[transform](leaking(way))
    text = str(caught.value)
    assert "leaky" in text
    assert "float32[" in text


@pytest.mark.parametrize("transform", TRANSFORMS)
def test_program_without_a_leak_is_not_reported(transform: str) -> None:
    """A false report would make users switch the check off."""
    with jax.checking_leaks():
        TRANSFORMS[transform](lambda x: jnp.sin(x) * x)


def test_value_kept_within_the_trace_is_no_leak() -> None:
    """Local containers, closures and custom rules end with the trace that they serve."""

    @jax.custom_jvp
    def square(x: Any) -> Any:
        return x * x

    def derivative(primals: Any, tangents: Any) -> tuple[Any, Any]:
        return primals[0] ** 2, 2.0 * primals[0] * tangents[0]

    square.defjvp(derivative)

    def f(x: Any) -> Any:
        parts = [x, square(x)]
        table = {"sum": parts[0] + parts[1]}

        def inner(y: Any) -> Any:
            return y * table["sum"]

        return jax.checkpoint(jax.jit(inner))(x) + lax.cond(x > 0, lambda: x, lambda: -x)

    def pulled(x: Any) -> Any:
        return jax.vjp(f, x)

    with jax.checking_leaks():
        jax.jit(f)(1.0)
        jax.grad(f)(1.0)
        jax.jit(jax.grad(f))(1.0)
        jax.vmap(jax.grad(f))(jnp.ones(3))
        jax.jit(pulled)(1.0)


def test_leaked_tracer_says_who_holds_it() -> None:
    """The message leads from the tracer to the object that keeps it."""
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        jax.jit(leaking(in_list_in_dict))(1.0)
    assert "['list']" in str(caught.value)


@dataclasses.dataclass
class Scaled:
    """A pytree with a field that is a part of its structure."""

    values: Any
    scale: Any


jax.tree_util.register_dataclass(Scaled, ["values"], ["scale"])


def test_leak_in_metadata_names_the_class() -> None:
    """No container that a user could look for holds the tracer: the result's structure does."""

    def scaled(x: Any) -> Scaled:
        return Scaled(x, x * 2.0)

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        jax.jit(scaled)(1.0)
    assert caught.value.code is codes.TRACER_IN_METADATA
    assert "is in the metadata of a Scaled" in str(caught.value)


def test_leaked_tracer_beside_an_array_is_told() -> None:
    """Who looks for the holder must not compare arrays with one another."""

    def leaky(x: Any) -> Any:
        KEPT["pair"] = (x, np.ones(3))
        return x

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        jax.jit(leaky)(1.0)
    assert "['pair']" in str(caught.value)


def test_use_of_a_leaked_tracer_names_function_transform_and_line() -> None:
    """Without the checker the later use is the only thing that a user sees."""
    jax.jit(leaking(in_dict))(jnp.ones((2, 3)))
    with pytest.raises(errors.UnexpectedTracerError) as caught:
        _ = KEPT["x"] + 1.0
    text = str(caught.value)
    for word in ("leaky", "jit", "float32[2,3]", "test_leaks.py", "OAK101"):
        assert word in text


def test_caches_stay_on_while_leaks_are_checked() -> None:
    """The check must not make a program trace again at each call."""
    traces: list[int] = []

    @jax.jit
    def f(x: Any) -> Any:
        traces.append(1)
        return x + 1.0

    with jax.checking_leaks():
        f(1.0)
        f(2.0)
    assert len(traces) == 1


def leaky_loss(x: Any) -> Any:
    KEPT["loss"] = x * 2.0  # oakum: ignore[OAK101] on purpose
    noise = jax.random.normal(KEPT["key"], x.shape)
    jax.debug.print("loss")
    print("traced")
    return jnp.sum(x**2 + noise)


def test_compiled_step_with_a_leak_is_the_program_that_it_is_without_the_check() -> None:
    """The search for the line runs the function again: its operations were in the step, too."""
    KEPT["key"] = jax.random.key(0)

    def both(x: Any) -> Any:
        return jax.grad(leaky_loss)(x) + jax.vmap(leaky_loss)(x[None])[0]

    step = jax.make_jaxpr(both)
    before = str(step(jnp.ones(3)))
    found: list[Exception] = []
    with jax.checking_leaks(), check_outcomes.noted(found.append):
        after = str(step(jnp.ones(3)))
    assert after == before
    assert {type(error) for error in found} == {errors.LeakedTracerError}


def test_values_that_the_search_for_a_leak_has_left_outside_are_computed() -> None:
    def loss(x: Any, count: Any) -> Any:
        KEPT["loss"] = x * 2.0  # oakum: ignore[OAK101] on purpose
        KEPT["count"] = count + 1  # oakum: ignore[OAK101] on purpose
        return x**2

    def step(x: Any, count: Any) -> Any:
        slope = jax.grad(loss)(x, count)
        return slope, KEPT.pop("count")

    found: list[Exception] = []
    with jax.checking_leaks(), check_outcomes.noted(found.append):
        slope, count = jax.jit(step)(3.0, 7)
    assert (float(slope), int(count)) == (6.0, 8)


def test_reference_is_added_to_once_where_a_leak_is_found() -> None:
    total: Any = jax.new_ref(jnp.zeros(()))

    def loss(x: Any) -> Any:
        KEPT["loss"] = x * 2.0  # oakum: ignore[OAK101] on purpose
        total[...] += 1.0
        return x**2

    def step(x: Any) -> Any:
        return jax.grad(loss)(x)

    found: list[Exception] = []
    with jax.checking_leaks(), check_outcomes.noted(found.append):
        jax.jit(step)(3.0)
        assert found
        assert float(total[...]) == 1.0
        step(3.0)
        assert float(total[...]) == 2.0


def test_function_that_leaks_prints_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The output of a program is what it is without the check, and no key is used twice."""
    KEPT["key"] = jax.random.key(0)
    found: list[Exception] = []
    with (
        jax.checking_leaks(),
        jax.debug_key_reuse(True),
        check_outcomes.noted(found.append),
    ):
        jax.grad(leaky_loss)(jnp.ones(3))
    jax.effects_barrier()
    assert capsys.readouterr().out.splitlines() == ["loss", "traced"]
    assert {type(error) for error in found} == {errors.LeakedTracerError}


def test_a_function_that_leaks_has_its_effects_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """What it logs, writes to files, counts and appends was there twice: the search for the line
    ran it once more.
    """
    log, table, counts = tmp_path / "log.txt", [1.0], np.zeros(2)
    descriptor = os.open(tmp_path / "raw.bin", os.O_CREAT | os.O_WRONLY)
    history: list[Any] = []
    kept: list[Any] = []
    with log.open("w") as stream:

        def step(x: Any) -> Any:
            stream.write("step\n")
            stream.flush()
            os.write(descriptor, b"step")
            table[0] += 1.0
            counts[1] += 1.0
            history.append(x.shape)
            logging.getLogger("steps").warning("step")
            kept.append(x * 2)  # oakum: ignore[OAK101] on purpose
            with (tmp_path / "new.txt").open("a") as new:
                new.write("step\n")
            (tmp_path / "folder").mkdir()
            return x

        found: list[Any] = []
        with jax.checking_leaks(), check_outcomes.noted(found.append):
            jax.jit(step)(jnp.ones(3))
    os.close(descriptor)
    (error,) = found
    assert error.stored[0].line == step.__code__.co_firstlineno + 8
    assert log.read_text() == "step\n"
    assert (tmp_path / "raw.bin").read_bytes() == b"step"
    assert (tmp_path / "new.txt").read_text() == "step\n"
    assert (table, counts.tolist(), history, len(kept)) == ([2.0], [0.0, 1.0], [(3,)], 1)
    assert [record.message for record in caplog.records] == ["step"]


def test_a_line_behind_a_new_file_is_found_too(tmp_path: Path) -> None:
    """The second run ends where it would write to the file."""

    def step(x: Any) -> Any:
        (tmp_path / "new.txt").open("a").close()
        KEPT["h"] = x * 2
        return x

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        jax.jit(step)(jnp.ones(3))
    assert caught.value.stored[0].line == step.__code__.co_firstlineno + 2


@pytest.mark.parametrize("is_copied", [True, False])
def test_leaks_in_many_threads_are_all_found(
    is_copied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two searches at the same time left the check silent for the rest of the process."""
    monkeypatch.setattr(process_copy, "_is_possible", is_copied and hasattr(os, "fork"))
    found: list[int] = []

    def work() -> None:
        def step(x: Any) -> Any:
            time.sleep(0.002)
            KEPT[threading.current_thread().name] = x * 2
            return x

        for _ in range(3):
            with jax.checking_leaks(), contextlib.suppress(errors.LeakedTracerError):
                jax.jit(step)(jnp.ones(3))
                return
            found.append(1)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(found) == 6
