"""What a user sees who prints a traced value: the words of JAX 0.11, which tutorials show."""

from collections.abc import Callable
from typing import Any

import pytest

import oakum as jax
import oakum.numpy as jnp


def _read_by(f: Callable[[Any], Any]) -> Callable[[Any], object]:
    def read(reference: Any) -> object:
        return f(reference)[...]

    return read


ROWS: dict[str, tuple[Callable[[Callable[[Any], Any]], object], str]] = {
    "jit": (lambda f: jax.jit(f)(jnp.arange(3)), "JitTracer(int32[3])"),
    "jit of a number": (lambda f: jax.jit(f)(1.0), "JitTracer(~float32[])"),
    "jit of a key": (lambda f: jax.jit(f)(jax.random.key(0)), "JitTracer(key<fry>[])"),
    "jit of a reference": (
        lambda f: jax.jit(_read_by(f))(jax.new_ref(jnp.ones(2))),
        "JitTracer(Ref{float32[2]})",
    ),
    "vmap": (
        lambda f: jax.vmap(f, in_axes=1)(jnp.ones((2, 3))),
        "VmapTracer(aval=float32[2], batched=float32[2,3])",
    ),
    "grad": (lambda f: jax.grad(f)(1.0), "GradTracer(primal=1.0, typeof(tangent)=f32[])"),
    "jvp": (
        lambda f: jax.jvp(f, (jnp.ones(2),), (jnp.ones(2),)),
        "JVPTracer(primal=[1. 1.], tangent=[1. 1.])",
    ),
    "grad under vmap": (
        lambda f: jax.vmap(jax.grad(f))(jnp.ones(3)),
        "GradTracer(primal=VmapTracer(aval=float32[], batched=float32[3]), typeof(tangent)=f32[])",
    ),
    "grad under jit": (
        lambda f: jax.jit(jax.grad(f))(1.0),
        "GradTracer(primal=JitTracer(~float32[]), typeof(tangent)=f32[])",
    ),
}


@pytest.mark.parametrize("name", ROWS)
def test_traced_values_are_printed_as_jax_prints_them(name: str) -> None:
    """A user who compares with a tutorial sees another text."""
    call, expected = ROWS[name]
    seen: list[str] = []

    def f(x: Any) -> Any:
        seen.extend((repr(x), f"{x}"))
        return x

    call(f)
    assert seen[:2] == [expected, expected]
