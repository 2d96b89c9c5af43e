"""What the model of array parameters says of lists is what JAX does with them."""

import importlib
import inspect
from typing import Any

import pytest

from oakum import facts
from oakum_lint.models.array_parameters import ARRAY_PARAMETERS

GIVEN: tuple[Any, ...] = ([1.0, 2.0], [1, 2], [[1.0, 2.0], [3.0, 4.0]], [True, False])


def _others() -> tuple[Any, ...]:
    jnp = importlib.import_module("jax.numpy")
    return jnp.ones(2), jnp.ones((2, 2)), 1.0, 1


@pytest.mark.parametrize("name", ARRAY_PARAMETERS)
def test_jax_refuses_a_list(name: str) -> None:
    """A finding where JAX takes a list would be false."""
    jax = pytest.importorskip("jax")
    module, _, last = f"jax.{name}".rpartition(".")
    function = getattr(importlib.import_module(module), last)
    declared = facts.find(name)
    assert declared is not None
    required = [
        parameter.name
        for parameter in declared.signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is inspect.Parameter.empty
    ]
    for parameter in ARRAY_PARAMETERS[name]:
        assert any(
            _refuses(jax, function, required, parameter, value, other)
            for value in GIVEN
            for other in _others()
        ), parameter


def _refuses(
    jax: Any, function: Any, required: list[str], parameter: str, value: Any, other: Any
) -> bool:
    positional = [value if name == parameter else other for name in required]
    named = {} if parameter in required else {parameter: value}
    with pytest.raises((TypeError, ValueError, IndexError)) as raised:
        jax.eval_shape(lambda: function(*positional, **named))
    message = str(raised.value)
    return "requires ndarray or scalar" in message and "<class 'list'>" in message
