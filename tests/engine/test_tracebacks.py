"""What a traceback shows: frames of the user, and none of ours where it says they are removed."""

# pyright: reportUnknownLambdaType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownVariableType=false

import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp

HOME = Path(jax.__file__).parent
X = jnp.arange(3.0)
WRONG: Any = "a"


def positive(x: Any) -> Any:
    return x if x.sum() > 0 else -x  # oakum: ignore[OAK201] on purpose


def nested() -> None:
    jax.jit(lambda x: jax.jit(positive)(x) + 1)(X)


def raised_from(x: Any) -> Any:
    try:
        positive(x)
    except TypeError as error:
        raise RuntimeError("of the user") from error


def raised_during(x: Any) -> Any:
    try:
        positive(x)
    except TypeError:
        raise RuntimeError("of the user")  # noqa: B904


def grouped(x: Any) -> Any:
    errors: list[Exception] = []
    for _ in range(2):
        try:
            positive(x)
        except TypeError as error:
            errors.append(error)
    raise ExceptionGroup("of the user", errors)


def in_thread() -> None:
    caught: list[Exception] = []

    def run() -> None:
        try:
            nested()
        except TypeError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    raise caught[0]


def leaked() -> None:
    kept: list[Any] = []
    jax.jit(lambda x: kept.append(x))(X)  # oakum: ignore[OAK101] on purpose
    print(kept[0] + 1)


def called_back() -> None:
    def fail(x: object) -> None:
        raise KeyError("of the user")

    described = jax.ShapeDtypeStruct((3,), "float32")
    jax.block_until_ready(jax.jit(lambda x: jax.pure_callback(fail, described, x))(X))


CALLS: dict[str, Callable[[], object]] = {
    "nested": nested,
    "raise from": lambda: jax.jit(raised_from)(X),
    "raise during": lambda: jax.jit(raised_during)(X),
    "group": lambda: jax.jit(grouped)(X),
    "thread": in_thread,
    "leak": leaked,
    "callback": called_back,
    "grad": lambda: jax.grad(lambda x: float(x.sum()))(X),
    "scan": lambda: jax.lax.scan(lambda c, a: (c, positive(a)), X, X),
    "generator": lambda: jax.jit(lambda x: sum(positive(each) for each in x))(X),
    "static": lambda: jax.jit(positive, static_argnums=0)(X),
    "lower": lambda: jax.jit(positive).lower(X),
    "operator": lambda: X + jnp.ones(4),
    "index": lambda: X["a"],
    "function": lambda: jnp.dot(X, jnp.ones(4)),
    "tree": lambda: jax.tree_util.tree_map(lambda _: 1 / 0, [1]),
    "argument": lambda: jnp.split(X, WRONG),
    "universal": lambda: jnp.add(X, WRONG),
    "update": lambda: X.at[0].set(WRONG),
    "vectorized": lambda: jnp.vectorize(lambda x: x, signature="(n)->(n)")(1.0),
    "initializer": lambda: jax.nn.initializers.normal(WRONG)(jax.random.key(0), (2,)),
    "compiled": lambda: jax.jit(jnp.sin).lower(X).compile()(X[:2]),
}


def shown(call: Callable[[], object]) -> str:
    with pytest.raises(Exception) as caught:  # noqa: PT011
        call()
    return "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("call", CALLS)
def test_what_is_said_to_be_removed_is_not_shown(call: str) -> None:
    text = shown(CALLS[call])
    assert "oakum has removed its internal frames" in text
    assert f'"{HOME}' not in text, text
    assert __file__ in text


def test_the_user_s_errors_are_left_as_they_are_where_code_has_no_file() -> None:
    """At a prompt (`<stdin>`) and in `exec`, an error of one's own is told as a wrong call of ours,
    and `except AttributeError` no longer catches it.
    """
    for call in ("jax.linearize(f, 1.0)", "jax.lax.fori_loop(0, 3, lambda i, x: f(x), 1.0)"):
        scope: dict[str, Any] = {"jax": jax, "__name__": "__main__"}
        exec("def f(x): return x.misspelt", scope)
        with pytest.raises(AttributeError, match="misspelt") as caught:
            exec(call, scope)
        assert not isinstance(caught.value, jax.errors.OakumError)


def test_all_is_shown_where_filtering_is_off() -> None:
    jax.config.update("jax_traceback_filtering", "off")
    try:
        text = shown(nested)
    finally:
        jax.config.update("jax_traceback_filtering", "auto")
    assert f'"{HOME}' in text
    assert "oakum has removed" not in text


def test_a_program_of_the_command_line_shows_its_own_frames_only() -> None:
    """Warnings are errors there: telling what happened must not warn."""
    program = (
        "import oakum as jax, oakum.numpy as jnp\n"
        "@jax.jit\ndef f(x):\n  if x > 0: return x\n  return -x\nf(jnp.float32(1))\n"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(HOME.parent)},
        check=False,
    )
    assert "OAK201 tracer-in-branch: oakum explain OAK201" in done.stderr
    assert f'"{HOME}' not in done.stderr
