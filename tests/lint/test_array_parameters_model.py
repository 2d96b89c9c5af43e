"""What the model of array parameters says of lists is what JAX does with them."""

import importlib
import inspect
from typing import Any

import pytest

from oakum.values import declarations
from oakum_lint.models.array_parameters import ARRAY_PARAMETERS

GIVEN: tuple[Any, ...] = ([1.0, 2.0], [1, 2], [[1.0, 2.0], [3.0, 4.0]], [True, False])


def _others() -> tuple[Any, ...]:
    jnp = importlib.import_module("jax.numpy")
    key = importlib.import_module("jax.random").key(0)
    return jnp.ones(2), jnp.ones((2, 2)), 1.0, 1, (0,), key


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", ARRAY_PARAMETERS)
def test_jax_refuses_a_list(name: str) -> None:
    """A finding where JAX takes a list would be false."""
    jax = pytest.importorskip("jax")
    module, _, last = f"jax.{name}".rpartition(".")
    function = getattr(importlib.import_module(module), last)
    declared = declarations.find(name)
    assert declared is not None
    places = [
        parameter
        for parameter in declared.signature.parameters.values()
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    required = [each.name for each in places if each.default is inspect.Parameter.empty]
    first = [each.name for each in places if each.kind is each.POSITIONAL_ONLY] or required
    for parameter in ARRAY_PARAMETERS[name]:
        assert any(
            _refuses(jax, function, given, parameter, value, other)
            for given in ([required, first] if first != required else [required])
            for value in GIVEN
            for other in _others()
        ), parameter


def _refuses(
    jax: Any, function: Any, given: list[str], parameter: str, value: Any, other: Any
) -> bool:
    positional = [value if name == parameter else other for name in given]
    named = {} if parameter in given else {parameter: value}
    with pytest.raises((TypeError, ValueError, IndexError, AttributeError)) as raised:
        jax.eval_shape(lambda: function(*positional, **named))
    message = str(raised.value)
    refused = "requires ndarray or scalar" in message or "as a JAX value" in message
    return refused and "<class 'list'>" in message
