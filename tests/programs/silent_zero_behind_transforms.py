# category: silent/zero-gradient
"""What has lost its derivative has none in what it is passed on to, either."""

import jax
import jax.numpy as jnp


@jax.grad
def compiled(w):
    return jax.jit(lambda v: v * 2)(jnp.round(w))  #! OAK603


@jax.grad
def mapped(w):
    return jax.vmap(lambda v: v * 2)(jnp.round(w)).sum()  #! OAK603


@jax.grad
def kept(w):
    parts = {"steps": jnp.floor(w), "signs": jnp.sign(w)}  #! OAK603
    return jnp.stack([parts["steps"], parts["signs"]]).sum()


@jax.grad
def cut_off(w):
    return jnp.arange(9.0)[jnp.argmax(w)]  #! OAK603


@jax.grad
def branched(w):
    held = {"sign": jnp.sign(w)}  #! OAK603
    return jax.lax.cond(True, lambda t: t["sign"] * 2, lambda t: t["sign"], held)


@jax.grad
def saved(w):
    return jax.checkpoint(lambda t: t["a"] * 2 + t["b"])({"a": jnp.sign(w), "b": 1.0})  #! OAK603


@jax.grad
def inner(w):
    """What is added has a derivative."""
    return jax.value_and_grad(lambda v: v**2)(w)[0] + jax.jvp(jnp.sin, (jnp.sign(w),), (1.0,))[1]


for function in (compiled, kept, branched, saved):
    assert function(0.4) == 0.0
for function in (mapped, cut_off):
    assert not function(jnp.ones(3)).any()
assert inner(0.5) == 1.0
