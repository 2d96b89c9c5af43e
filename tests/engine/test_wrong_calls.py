"""Wrong calls of public functions beside real JAX: what JAX refuses is refused, by a class that
what catches JAX's error catches, and in words that are not those of Python's or NumPy's inside.

A plain run takes some calls. `OAKUM_WRONG_CALLS=0:1 pytest -m exhaustive tests/engine/
test_wrong_calls.py` takes all of the 15,000, `3:40` the fourth of each forty.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import builtins
import importlib
import os
import re
from pathlib import Path
from typing import Any

import pytest

import oakum
from oakum.errors import OakumError

jax: Any = pytest.importorskip("jax")

from wrong_calls import NAMESPACES, Outcome, WrongCall, outcome, wrong_calls  # noqa: E402

QUICK = 1201
FIRST, STEP = map(int, os.environ.get("OAKUM_WRONG_CALLS", "7:41").split(":"))

TABLE = Path(__file__).parent / "calls" / "wrong_call_differences.txt"
DIFFERENCES = {line for line in TABLE.read_text().splitlines() if not line.startswith("#")}

INTERNAL = re.compile(
    r"object (is not|cannot be|has no)|unpack|zip\(\)|StagedTracer'? object|of type '.*' has no len"
)
"""What the interpreter says of a value that a function could not use."""

ACCIDENTS = (AttributeError, AssertionError, KeyError, NameError, NotImplementedError)
"""Classes that no program catches for a wrong argument."""


def ours(wrong: WrongCall, mode: str) -> Outcome:
    namespace, _, name = wrong.name.rpartition(".")
    function = getattr(importlib.import_module(f"oakum.{namespace}"), name)
    return outcome(oakum, function, wrong, mode)


def theirs(wrong: WrongCall, mode: str) -> Outcome:
    namespace, _, name = wrong.name.rpartition(".")
    return outcome(jax, getattr(importlib.import_module(f"jax.{namespace}"), name), wrong, mode)


def caught_by(error: type[BaseException]) -> type[BaseException]:
    """Python's own class by which a user of JAX would catch an error of this class."""
    return next(each for each in error.__mro__ if each.__module__ == builtins.__name__)


def difference(expected: Outcome, found: Outcome) -> str:
    """How two outcomes differ; nothing where a user would not notice."""
    if expected.error is None or found.error is None:
        if expected.error is found.error:
            return ""
        return "refused" if expected.error is None else "accepted"
    if issubclass(caught_by(expected.error), ACCIDENTS):
        return ""
    return "" if issubclass(found.error, caught_by(expected.error)) else "class"


def check(wrong: WrongCall, mode: str) -> None:
    """Fails where a wrong call comes to something else than with JAX, or speaks Python's words."""
    expected, found = theirs(wrong, mode), ours(wrong, mode)
    kind = difference(expected, found)
    if f"{kind}: {wrong.name} {wrong.parameter}={wrong.what}" in DIFFERENCES:
        return
    assert not kind, f"{wrong} {mode}: {kind}, JAX {expected}, oakum {found}"
    if found.error is not None and not issubclass(found.error, OakumError):
        assert not INTERNAL.search(found.text), f"{wrong} {mode}: {found.text}"


def calls(first: int, step: int) -> list[WrongCall]:
    return [each for at, each in enumerate(wrong_calls(NAMESPACES)) if at % step == first]


def test_wrong_calls_come_to_what_they_do_with_jax() -> None:
    for at, wrong in enumerate(calls(5, QUICK)):
        check(wrong, ("eval_shape", "evaluated")[at % 2])


@pytest.mark.exhaustive
def test_many_wrong_calls_come_to_what_they_do_with_jax() -> None:
    failures: list[str] = []
    for wrong in calls(FIRST, STEP):
        try:
            check(wrong, "eval_shape")
        except AssertionError as error:
            failures.append(str(error).splitlines()[0])
    assert not failures, "\n".join(failures)


def test_negative_sizes_are_refused() -> None:
    jnp, lax, key = oakum.numpy, oakum.lax, oakum.random.key(0)
    x = jnp.ones((3, 4))
    for call in (
        lambda: oakum.random.split(key, -1),
        lambda: oakum.random.normal(key, (-1,)),
        lambda: oakum.random.bits(key, (2, -1)),
        lambda: jnp.repeat(x, -1),
        lambda: jnp.tile(x, -1),
        lambda: jnp.zeros(-1),
        lambda: jnp.tril_indices(-1),
        lambda: lax.rng_uniform(0.0, 1.0, (-2,)),
        lambda: lax.scan(lambda c, _: (c, c), 0, None, length=-1),
    ):
        with pytest.raises((TypeError, ValueError)):
            call()
        with pytest.raises((TypeError, ValueError)):
            oakum.eval_shape(call)


def test_elements_without_any_have_no_quantiles() -> None:
    jnp = oakum.numpy
    for call in (
        lambda x: jnp.percentile(x, 30.0, axis=-1),
        lambda x: jnp.quantile(x, 0.5),
        lambda x: jnp.median(x),
        lambda x: jnp.nanmedian(x),
    ):
        with pytest.raises(TypeError, match="no quantiles"):
            call(jnp.zeros((0,)))


def test_operands_of_clamp_have_one_dtype_also_where_nothing_is_computed() -> None:
    x = oakum.numpy.ones(3)
    with pytest.raises(TypeError, match="same dtypes, got int32, float32, int32"):
        oakum.eval_shape(lambda x: oakum.lax.clamp(0, x, 5), x)


def test_windows_move_by_one_place_or_more() -> None:
    """A stride of zero is a ZeroDivisionError, and one below it gives an empty image."""
    jnp, lax = oakum.numpy, oakum.lax
    x, w = jnp.ones((1, 1, 4)), jnp.ones((1, 1, 2))
    for call in (
        lambda: lax.conv(x, w, (0,), "SAME"),
        lambda: lax.conv(x, w, (-1,), "VALID"),
        lambda: lax.conv_general_dilated(x, w, (1,), "VALID", rhs_dilation=(0,)),
        lambda: lax.conv_general_dilated(x, w, (1,), [(0, 0)], lhs_dilation=(-1,)),
        lambda: lax.conv_transpose(x, w, (0,), "SAME", dimension_numbers=("NCH", "OIH", "NCH")),
        lambda: lax.conv_general_dilated_patches(x, (2,), (0,), "SAME"),
    ):
        with pytest.raises(ValueError, match="must be positive, got"):
            call()
        with pytest.raises(ValueError, match="must be positive, got"):
            oakum.eval_shape(call)


def test_what_is_not_linear_is_not_transposed() -> None:
    """The error speaks of `UndefinedPrimal`, of which the user knows nothing."""
    x = oakum.numpy.ones((2, 2))
    for function in (lambda x: x * x, lambda x: x @ x, lambda x: x / x):
        with pytest.raises(NotImplementedError, match=r"^The function is not linear: '"):
            oakum.linear_transpose(function, x)(x)


def test_make_jaxpr_refuses_static_arguments_that_are_not_there() -> None:
    with pytest.raises(ValueError, match="only accepts 1 positional arguments"):
        oakum.make_jaxpr(lambda x: x, static_argnums=3)(1.0)


def test_a_callback_that_gives_no_numbers_is_named() -> None:
    described = oakum.ShapeDtypeStruct((), "float32")
    with pytest.raises(RuntimeError, match="callback <lambda>: Expected: float32, Actual: <U1"):
        oakum.pure_callback(lambda x: "a", described, 1.0)


def test_a_misread_argument_is_told_in_terms_of_the_call() -> None:
    x = oakum.numpy.ones(2)
    with pytest.raises(TypeError, match=r"^gather\(\) cannot be called with operand=f32\[2\]"):
        oakum.lax.gather(x, oakum.numpy.array([0, 1]), None, (1,))


def test_an_error_in_the_function_of_the_user_is_left_alone() -> None:
    def step(carry: Any, x: Any) -> Any:
        return len(5), x  # pyright: ignore[reportArgumentType]

    with pytest.raises(TypeError, match=r"^object of type 'int' has no len\(\)"):
        oakum.lax.scan(step, 0, oakum.numpy.ones(2))
