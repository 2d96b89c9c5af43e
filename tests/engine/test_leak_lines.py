"""The line that has stored a leaked tracer, whatever keeps it and whatever traces; and programs
that leak nothing, also while a debugger keeps frames.
"""

import collections
import functools
import gc
import inspect
import os
import re
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import leak_shapes
import numpy as np
import pytest
from leak_shapes import SHAPES, Store

import oakum as jax
import oakum.numpy as jnp
from oakum import errors, lax
from oakum.tracing import leak_holders

X = 1.5
Run = Callable[[Callable[[Any], Any]], Any]


def doubled(x: Any) -> Any:
    return x * 2.0


def in_jvp_rule(f: Callable[[Any], Any], *, of_tangent: bool) -> Any:
    def rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
        (x,), (t,) = primals, tangents
        return (x, f(t)) if of_tangent else (f(x), t)

    g: Any = jax.custom_jvp(doubled)
    g.defjvp(rule)

    def around(x: Any) -> Any:
        return g(x * 2.0)

    return jax.grad(around)(X) if of_tangent else jax.jit(jax.grad(around))(X)


def in_vjp_rules(f: Callable[[Any], Any], *, in_backward: bool) -> Any:
    def forward(x: Any) -> tuple[Any, Any]:
        return (x if in_backward else f(x)) * 2.0, x

    def backward(_: Any, cotangent: Any) -> tuple[Any]:
        return ((f(cotangent) if in_backward else cotangent) * 2.0,)

    g: Any = jax.custom_vjp(doubled)
    g.defvjp(forward, backward)

    def around(x: Any) -> Any:
        return g(x * 2.0)

    return jax.jit(jax.grad(around))(X)


def in_while_loop(f: Callable[[Any], Any]) -> Any:
    def is_small(carry: Any) -> Any:
        return carry < 3.0

    def step(carry: Any) -> Any:
        return f(carry) * 0.0 + carry + 1.0

    return lax.while_loop(is_small, step, jnp.float32(X))


def in_scan(f: Callable[[Any], Any]) -> Any:
    def step(carry: Any, _: Any) -> tuple[Any, None]:
        return f(carry), None

    return lax.scan(step, jnp.float32(X), None, length=2)


def in_inner_jit(f: Callable[[Any], Any]) -> Any:
    inner: Any = jax.jit(f)

    def outer(x: Any) -> Any:
        return inner(x * 2.0) + 1.0

    return jax.jit(outer)(X)


RUNS: dict[str, Run] = {
    "jit": lambda f: jax.jit(f)(X),
    "grad": lambda f: jax.grad(f)(X),
    "vmap": lambda f: jax.vmap(f)(jnp.ones(3)),
    "scan": in_scan,
    "while": in_while_loop,
    "cond": lambda f: lax.cond(True, f, doubled, jnp.float32(X)),
    "jit in jit": in_inner_jit,
    "jit of vmap of grad": lambda f: jax.jit(jax.vmap(jax.grad(f)))(jnp.ones(3)),
    "custom_jvp, tangent": functools.partial(in_jvp_rule, of_tangent=True),
    "custom_jvp, primal": functools.partial(in_jvp_rule, of_tangent=False),
    "custom_vjp, forward": functools.partial(in_vjp_rules, in_backward=False),
    "custom_vjp, backward": functools.partial(in_vjp_rules, in_backward=True),
    "checkpoint": lambda f: jax.grad(jax.checkpoint(f))(X),
}


def leaking(store: Store) -> Callable[[Any], Any]:
    def leaky(x: Any) -> Any:
        inner = x * 2.0
        store(inner)
        return x * 1.0

    return leaky


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    leak_shapes.forget()
    yield
    leak_shapes.forget()


def marked(store: Store) -> set[int]:
    """The lines that store, of a function or of the helper that it calls."""
    code = leak_shapes.code_of(store)
    helpers: dict[str, Any] = {
        "helper": leak_shapes._keep,  # pyright: ignore[reportPrivateUsage]
        "through_helper": leak_shapes.Model._note,  # pyright: ignore[reportPrivateUsage]
    }
    lines, first = inspect.getsourcelines(helpers.get(code.co_name, code))
    return {first + at for at, line in enumerate(lines) if line.rstrip().endswith("# leak")}


CELLS = [(shape, run) for shape in SHAPES for run in RUNS]
"""One of eleven is tried; `OAKUM_LEAKS=all` tries them all, in a minute by themselves."""
TRIED = CELLS if os.environ.get("OAKUM_LEAKS") == "all" else CELLS[::11]


@pytest.mark.sweep(23)
@pytest.mark.thinned(3)
@pytest.mark.parametrize(("shape", "run"), TRIED)
def test_report_names_the_line_that_stored_the_value(shape: str, run: str) -> None:
    """A user who knows the line has found the bug; one who knows the holder has to search."""
    store = SHAPES[shape]()
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        RUNS[run](leaking(store))
    text = str(caught.value)
    found = re.findall(r"stored on line \S*leak_shapes\.py:(\d+)", text)
    assert len(found) == 1, text
    assert int(found[0]) in marked(store), text
    assert not re.search(r"\b\d{9,}\b", text)  # No object ids.


def test_leaks_of_one_return_are_grouped_by_line() -> None:
    """One report for each value would show the first mistake of several, many times."""

    def leaky(x: Any) -> Any:
        for i in range(3):
            leak_shapes.results.append(x * i)
        leak_shapes.TABLE["h"] = x * 2.0
        return x

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError) as caught:
        jax.jit(leaky)(1.0)
    text = str(caught.value)
    assert text.count("stored on line") == 2
    assert "`results[0]`" in text
    assert "`TABLE['h']`" in text


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What is looked for in all objects of the process: seconds each, in a large one."""
    made: list[object] = []
    search = leak_holders.find_chain

    def noted(value: list[object], *rest: Any, **options: Any) -> Any:
        made.append(type(value[0]))
        return search(value, *rest, **options)

    monkeypatch.setattr(leak_holders, "find_chain", noted)
    return made


def test_what_the_function_names_is_found_without_a_search(searches: list[object]) -> None:
    """A report must not take the longer the more the user's process holds."""
    stores = (leak_shapes.list_append, leak_shapes.helper, leak_shapes.MODEL.attribute)
    for store in (*stores, leak_shapes.class_list, leak_shapes.slot, leak_shapes.nested_containers):
        with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError, match="stored on line"):
            jax.jit(leaking(store))(1.0)
        leak_shapes.forget()
    jax.jit(leaking(leak_shapes.dict_item))(1.0)
    with pytest.raises(errors.UnexpectedTracerError, match=r"TABLE\['x'\]"):
        _ = leak_shapes.TABLE["x"] + 1.0
    assert searches == []


def test_values_that_one_object_holds_take_one_search(searches: list[object]) -> None:
    """A loop that stores leaves hundreds of tracers in one list."""
    outs: list[Any] = []

    def leaky(x: Any) -> Any:
        for i in range(50):
            outs.append(x * i)
        return x

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError, match="47 more") as caught:
        jax.jit(leaky)(1.0)
    assert "`outs[0]`" in str(caught.value)
    assert len(searches) == 1


def test_store_without_source_has_its_line() -> None:
    """At a prompt there is no file to read."""
    space: dict[str, Any] = {"__name__": "prompt"}
    text = "kept = {}\ndef leaky(x):\n    y = x * 2.0\n    kept['y'] = y\n    return x\n"
    exec(compile(text, "<prompt>", "exec"), space)
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError, match="<prompt>:4"):
        jax.jit(space["leaky"])(1.0)


def test_late_use_names_the_line_that_stored() -> None:
    """Most users meet a leak without the checker."""
    jax.jit(leaking(leak_shapes.dict_item))(1.0)
    with pytest.raises(errors.UnexpectedTracerError) as caught:
        _ = leak_shapes.TABLE["x"] + 1.0
    (line,) = marked(leak_shapes.dict_item)
    assert f"stored on line {leak_shapes.__file__}:{line} " in str(caught.value)


def one_way(n: int) -> int:
    return other_way(n - 1) if n else 0


def other_way(n: int) -> int:
    return one_way(n - 1) if n else 0


def kept_and_counted(x: Any) -> Any:
    leak_shapes.TABLE["x"] = x * one_way(3)
    return x


def test_late_use_in_a_program_of_functions_that_call_each_other_ends() -> None:
    """Who reads the functions that a function names must not go on in circles."""
    jax.jit(kept_and_counted)(1.0)
    with pytest.raises(errors.UnexpectedTracerError, match=r"TABLE\['x'\]"):
        _ = leak_shapes.TABLE["x"] + 1.0


def test_function_that_cannot_run_twice_still_has_its_leak() -> None:
    """To explain the leak must not hide it."""
    calls: list[int] = []

    def leaky(x: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise OSError("only once")
        leak_shapes.TABLE["x"] = x * 2.0
        return x

    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError, match=r"TABLE\['x'\]"):
        jax.jit(leaky)(1.0)


def test_value_of_the_second_run_is_refused_as_that_of_the_first() -> None:
    """To look for the line runs the function again, which must not make what it keeps usable."""
    with jax.checking_leaks(), pytest.raises(errors.LeakedTracerError):
        jax.jit(leaking(leak_shapes.dict_item))(1.0)
    with pytest.raises(errors.UnexpectedTracerError):
        _ = leak_shapes.TABLE["x"] + 1.0


# --- programs that leak nothing -----------------------------------------------------------------


def local_containers(x: Any) -> Any:
    parts = [x, x * 2.0]
    table = {"sum": parts[0] + parts[1], "queue": collections.deque(parts)}
    return table["sum"] * table["queue"].pop()


def local_closures(x: Any) -> Any:
    y = x * 2.0

    def inner(z: Any) -> Any:
        return z * y

    return inner(x) + functools.partial(inner, y)()


def local_cycle(x: Any) -> Any:
    box = leak_shapes.Box(x)
    box.itself = box  # type: ignore[attr-defined]
    return box.value * 2.0


DTYPE = jnp.float32


def cycle_beside_a_dtype(x: Any) -> Any:
    """What is asked about classes must not be asked about `jnp.float32`, which calls itself one."""
    box = leak_shapes.Box(x.astype(DTYPE))
    box.itself = box  # type: ignore[attr-defined]
    return box.value * 2.0


def weak(x: Any) -> Any:
    y = x * 2.0
    leak_shapes.TABLE["weak"] = weakref.ref(y)
    return y


def undone(x: Any) -> Any:
    leak_shapes.results.append(x * 2.0)
    return leak_shapes.results.pop()


def avals_only(x: Any) -> Any:
    leak_shapes.TABLE["shape"] = (x.shape, x.dtype)
    return x * 2.0


def caught_error(x: Any) -> Any:
    try:
        raise ValueError(x)
    except ValueError as error:
        y = error.args[0]
    return y * 2.0


def kept_traceback(x: Any) -> Any:
    try:
        raise ValueError("no argument")
    except ValueError as error:
        leak_shapes.TABLE["error"] = error
    return x * 2.0


def local_generator(x: Any) -> Any:
    values = (x * i for i in range(3))
    return next(values) + next(values)


def local_class(x: Any) -> Any:
    class Local:
        value = x * 2.0

    return Local.value


def local_rule(x: Any) -> Any:
    kept: list[Any] = []

    def rule(primals: Any, tangents: Any) -> tuple[Any, Any]:
        kept.append(primals[0])
        return primals[0] * 2.0 * x / x, tangents[0] * 2.0

    g: Any = jax.custom_jvp(doubled)
    g.defjvp(rule)
    return g(x * 2.0)


def local_object_array(x: Any) -> Any:
    table = np.empty(1, dtype=object)
    table[0] = x
    return table[0] * table[0]


CLEAN = (
    *(local_object_array, cycle_beside_a_dtype),
    *(local_containers, local_closures, local_cycle, weak, undone, avals_only, caught_error),
    *(kept_traceback, local_generator, local_class, local_rule),
)


def kept_frames(run: Callable[[], object]) -> None:
    """Runs under a trace function that keeps all frames, as a debugger does."""
    frames: list[Any] = []

    def keep(frame: Any, event: str, _: object) -> Any:
        if event == "call":
            frames.append(frame)
        return keep

    before = sys.gettrace()
    sys.settrace(keep)
    try:
        run()
    finally:
        sys.settrace(before)


def without_gc(run: Callable[[], object]) -> None:
    gc.disable()
    try:
        run()
    finally:
        gc.enable()


def in_thread(run: Callable[[], object]) -> None:
    failures: list[BaseException] = []

    def work() -> None:
        with jax.checking_leaks():
            try:
                run()
            except BaseException as error:
                failures.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    run()
    thread.join()
    assert not failures


def with_error_in_flight(run: Callable[[], object]) -> None:
    def raising(x: Any) -> Any:
        local = [x * 2.0]
        raise KeyError(len(local))

    try:
        jax.jit(raising)(1.0)
    except KeyError:
        run()


AROUND: dict[str, Callable[[Callable[[], object]], None]] = {
    "plain": lambda run: void(run()),
    "frames kept": kept_frames,
    "without gc": without_gc,
    "thread": in_thread,
    "error in flight": with_error_in_flight,
}


def void(_: object) -> None:
    """Takes a result."""


CLEAN_RUNS = ("jit", "grad", "vmap", "scan", "custom_jvp, primal", "jit of vmap of grad")


@pytest.mark.sweep(11)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("run", CLEAN_RUNS)
@pytest.mark.parametrize("program", CLEAN)
def test_nothing_is_reported_of_a_program_that_keeps_nothing(
    program: Callable[[Any], Any], run: str, around: str
) -> None:
    """One false report and the check is switched off for good."""
    with jax.checking_leaks():
        AROUND[around](lambda: RUNS[run](program))
