"""Arguments of transformations that JAX refuses: accepted, they would give wrong results, or hide a
misspelling."""

from __future__ import annotations

import functools
import traceback
from collections.abc import Callable
from typing import Any

import jax as real_jax
import jax.custom_derivatives as real_custom
import numpy as np
import pytest

import oakum as jax
import oakum.numpy as jnp
from oakum import custom_derivatives, errors

real: Any = real_jax
real_derivatives: Any = real_custom


def both(call: Callable[[Any, Any], Any]) -> tuple[BaseException, BaseException]:
    """What real JAX and oakum raise."""
    with pytest.raises(Exception) as theirs:  # noqa: PT011 - whatever it is
        call(real, real.numpy)
    with pytest.raises(errors.OakumError) as ours:
        call(jax, jnp)
    return theirs.value, ours.value


def add(x: Any) -> Any:
    return x + 1


def product(x: Any, y: Any) -> Any:
    return x * y


@pytest.mark.parametrize("given", [None, 3])
def test_jit_takes_a_function(given: Any) -> None:
    theirs, ours = both(lambda jax, jnp: jax.jit(given))
    assert isinstance(ours, type(theirs))
    assert str(theirs) in str(ours)


def test_jit_without_a_function_is_a_decorator() -> None:
    @jax.jit(static_argnums=(1,))
    def power(x: Any, n: int) -> Any:
        return x**n

    assert power(3.0, 2) == 9


def test_a_named_call_takes_a_function() -> None:
    both(lambda jax, jnp: jax.named_call(3))


@pytest.mark.parametrize("argnums", [(0, 0), (0, -2)])
@pytest.mark.parametrize("name", ["grad", "value_and_grad", "jacfwd", "jacrev", "hessian"])
def test_an_argument_is_differentiated_once(name: str, argnums: tuple[int, int]) -> None:
    """One of the two derivatives would be zero, which is wrong."""
    theirs, ours = both(lambda jax, jnp: getattr(jax, name)(product, argnums=argnums)(1.0, 2.0))
    assert isinstance(ours, type(theirs))
    assert "twice" in str(ours)


@pytest.mark.parametrize("name", ["zeros", "ones", "empty"])
def test_dtypes_of_keys_have_no_names(name: str) -> None:
    theirs, ours = both(lambda jax, jnp: getattr(jnp, name)(3, "key<fry>"))
    assert isinstance(ours, type(theirs))
    assert jnp.zeros(3, jax.random.key(0).dtype).shape == (3,)


@pytest.mark.parametrize(
    "options",
    [
        {"no_such": True},
        {"xla_cpu_enable_fast_maths": True},
        {"xla_cpu_enable_fast_math": "yes"},
        {"xla_backend_optimization_level": "x"},
        {"xla_dump_to": 3},
    ],
)
def test_unknown_compiler_options_are_refused(options: dict[str, Any]) -> None:
    theirs, ours = both(lambda jax, jnp: jax.jit(add, compiler_options=options)(1.0))
    assert str(theirs).split(".")[0] in str(ours)
    assert isinstance(ours, RuntimeError)
    both(lambda jax, jnp: jax.jit(add).lower(1.0).compile(options))


def test_a_misspelt_compiler_option_is_spelt() -> None:
    with pytest.raises(errors.JaxRuntimeError, match="Did you mean 'xla_cpu_enable_fast_math'"):
        jax.jit(add, compiler_options={"xla_cpu_enable_fast_maths": True})


@pytest.mark.parametrize(
    "options",
    [
        {"xla_cpu_enable_fast_math": True, "xla_backend_optimization_level": 1},
        {"xla_dump_to": "/tmp/nowhere"},
        {"xla_gpu_autotune_level": "2", "xla_embed_ir_in_executable": "True"},
    ],
)
def test_known_compiler_options_change_nothing(options: dict[str, Any]) -> None:
    assert jax.jit(add, compiler_options=options)(1.0) == 2
    assert jax.jit(add).lower(1.0).compile(options)(1.0) == 2


@pytest.mark.parametrize("convert", [bool, int, float, complex])
def test_conversions_of_several_elements_show_the_users_frame_alone(
    convert: Callable[[Any], Any],
) -> None:
    with pytest.raises(errors.ShapeError) as found:
        convert(jnp.arange(3.0))
    frames = traceback.extract_tb(found.value.__traceback__)
    assert {frame.filename for frame in frames} == {__file__}


def linear(derivatives: Any, x: Any, denominator: Any) -> Any:
    """Its transpose is twice what it should be, so that one sees whether it is taken."""

    def forward(residuals: Any, operand: Any) -> Any:
        return {"a": operand / residuals}

    def backward(residuals: Any, cotangent: Any) -> Any:
        return 2 * cotangent["a"] / residuals

    return x + derivatives.linear_call(forward, backward, denominator, x)["a"]


def test_a_linear_call_has_the_transpose_that_it_is_given() -> None:
    def ours(x: Any) -> Any:
        return linear(custom_derivatives, x, 2.0)

    def theirs(x: Any) -> Any:
        return linear(real_derivatives, x, 2.0)

    for first, second in (
        (ours(3.0), theirs(3.0)),
        (jax.grad(ours)(3.0), real.grad(theirs)(3.0)),
        (jax.jit(jax.grad(ours))(3.0), real.jit(real.grad(theirs))(3.0)),
        (jax.jvp(ours, (3.0,), (1.0,)), real.jvp(theirs, (3.0,), (1.0,))),
        (jax.linear_transpose(ours, 3.0)(1.0), real.linear_transpose(theirs, 3.0)(1.0)),
    ):
        np.testing.assert_array_equal(first, second)


def test_a_linear_call_closes_over_what_is_differentiated() -> None:
    def outer(jax: Any, derivatives: Any) -> Any:
        def slope(y: Any) -> Any:
            def forward(_: Any, x: Any) -> Any:
                return x * y

            def backward(_: Any, cotangent: Any) -> Any:
                return cotangent * y * 3.0

            def call(x: Any) -> Any:
                return derivatives.linear_call(forward, backward, (), x)

            return jax.grad(call)(2.0)

        return float(jax.jit(slope)(5.0))

    assert outer(jax, custom_derivatives) == outer(real, real_derivatives) == 15


def test_a_linear_call_is_not_differentiated_by_its_residuals() -> None:
    with pytest.raises(NotImplementedError, match="residual"):
        jax.grad(functools.partial(linear, custom_derivatives, 3.0))(2.0)
