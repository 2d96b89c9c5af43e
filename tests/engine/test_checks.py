"""The options that look for NaN and infinity in results.

A user who hunts for a NaN is not told which operation makes it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import oakum
import oakum.numpy as jnp


def log_of_less(x: Any) -> Any:
    return jnp.sin(x) + jnp.log(x - 1)


def nested(x: Any) -> Any:
    return oakum.jit(log_of_less)(x) * 2


def root(x: Any) -> Any:
    return (jnp.sqrt(x) * 0.0).sum()


def guarded(x: Any) -> Any:
    return jnp.where(x > 0, jnp.log(x), 0.0)


CASES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "eager": (lambda x: x / 0.0, "div"),
    "jit": (oakum.jit(log_of_less), "log"),
    "nested jit": (oakum.jit(nested), "log"),
    "vmap": (oakum.vmap(log_of_less), "log"),
    "grad": (oakum.grad(root), "mul"),
}


@pytest.mark.parametrize("name", CASES)
def test_the_operation_that_gives_nan_is_named(name: str) -> None:
    """A NaN passes, or the error names the whole function and not the operation."""
    function, operation = CASES[name]
    x = oakum.device_put(np.zeros(2, "float32"))
    assert np.isnan(np.asarray(function(x))).any()
    expected = rf"(?s)invalid value \(nan\) encountered in {operation}.*float32.*test_checks\.py"
    with oakum.debug_nans(True), pytest.raises(FloatingPointError, match=expected):
        function(x)


def test_infinities_are_found() -> None:
    """An infinity passes."""
    x = oakum.device_put(np.ones(2, "float32"))
    with oakum.debug_infs(True):
        with pytest.raises(FloatingPointError, match=r"\(inf\) encountered in div"):
            _ = x / 0.0
        with pytest.raises(FloatingPointError, match=r"\(inf\) encountered in mul"):
            _ = x * 1e30 * 1e30
    assert np.isinf(x / 0.0).all()


def test_numbers_of_other_kinds_pass() -> None:
    """An operation on integers, or on finite numbers, raises."""
    with oakum.debug_nans(True), oakum.debug_infs(True):
        assert (oakum.device_put(np.arange(3)) + 1).tolist() == [1, 2, 3]
        assert oakum.jit(guarded)(-1.0) == 0.0


def masked_root(x: Any) -> Any:
    positive = x > 0
    return jnp.where(positive, jnp.sqrt(x), 0.0).sum()  # oakum: ignore[OAK602] meant


GRADIENTS: dict[str, Callable[[Any], Any]] = {
    "grad": oakum.grad(masked_root),
    "grad of jit": oakum.grad(oakum.jit(masked_root)),
    "jit of grad": oakum.jit(oakum.grad(masked_root)),
    "jit of grad of jit": oakum.jit(oakum.grad(oakum.jit(masked_root))),
    "grad of checkpoint": oakum.grad(oakum.checkpoint(masked_root)),
    "vmap of grad": lambda x: oakum.vmap(oakum.grad(masked_root))(x[:, None]),
    "jacrev": oakum.jacrev(masked_root),
}


@pytest.mark.parametrize("name", GRADIENTS)
def test_a_gradient_names_the_line_of_the_function(name: str) -> None:
    """The error names the call of `grad`, and not the operation whose derivative is infinite."""
    x = oakum.device_put(np.zeros(2, "float32"))
    with oakum.debug_nans(True), pytest.raises(FloatingPointError) as caught:
        GRADIENTS[name](x)
    lines = str(caught.value).splitlines()
    marks = next(place for place, line in enumerate(lines) if line.strip("^ ") == "" and line)
    line, below = lines[marks - 1], lines[marks]
    assert line[below.index("^") : len(below)] == "jnp.sqrt(x)", str(caught.value)


def test_a_reverse_rule_names_its_own_line() -> None:
    """The error named the call of the function that has the rule."""

    @oakum.custom_vjp
    def square(x: Any) -> Any:
        return x * x

    def forward(x: Any) -> tuple[Any, Any]:
        return x * x, x

    def backward(x: Any, t: Any) -> tuple[Any]:
        return (x * jnp.log(-t),)

    def total(x: Any) -> Any:
        return square(x).sum()

    square.defvjp(forward, backward)
    gradient = oakum.grad(total)
    for function in (gradient, oakum.jit(gradient)):
        with oakum.debug_nans(True), pytest.raises(FloatingPointError) as caught:
            function(jnp.ones(3))
        line, below = str(caught.value).splitlines()[3:5]
        assert line[below.index("^") : len(below)] == "jnp.log(-t)", str(caught.value)


def test_a_gradient_goes_on_where_findings_are_noted() -> None:
    """A program under `oakum run` ended at the gradient of a compiled function."""
    from oakum.values.checks import check_outcomes

    found: list[Exception] = []
    check_outcomes.note_by(found.append)
    try:
        with oakum.debug_nans(True):
            result = GRADIENTS["grad of jit"](oakum.device_put(np.zeros(2, "float32")))
    finally:
        check_outcomes.note_by(None)
    assert np.isnan(np.asarray(result)).all()
    assert [getattr(each, "frame", None) is not None for each in found] == [True]
