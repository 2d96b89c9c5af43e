# category: clean/traced-slice-bound
import jax
import jax.numpy as jnp
from functools import partial


def window_at(series, start, width):
    return jax.lax.dynamic_slice_in_dim(series, start, width, axis=0)


@partial(jax.jit, static_argnames=("width", "stride"))
def windows(series, width=3, stride=1):
    starts = jnp.arange(0, series.shape[0] - width + 1, stride)
    return jax.vmap(window_at, in_axes=(None, 0, None))(series, starts, width)


@jax.jit
def tail(series, n):
    valid = jnp.arange(series.shape[0]) >= series.shape[0] - n
    half = len(series) // 2
    a, b = series[:half], series[half:]
    s = slice(1, None, 2)
    return jnp.where(valid, series, 0.0)[s], a[..., : half - 1], b[::-1]


print(windows(jnp.arange(5.0)).shape, tail(jnp.arange(6.0), 2))
