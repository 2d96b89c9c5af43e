# category: clean/traced-slice-bound
import jax
import jax.numpy as jnp
from jax import lax


def split_params(flat, shapes):
    """Slices with Python offsets from static shapes."""
    out, start = [], 0
    for shape in shapes:
        size = 1
        for s in shape:
            size *= s
        out.append(flat[start : start + size].reshape(shape))
        start += size
    return out, flat[start:]


@jax.jit
def unpack(flat):
    (w, b), rest = split_params(flat, [(2, 2), (2,)])
    windows = jnp.stack([flat[i : i + 2] for i in range(len(flat) - 1)])
    chunk = lax.dynamic_slice(flat, (jnp.argmax(flat) // 2,), (3,))
    return w @ b, rest, windows[-1:], chunk, flat[: w.shape[0] : 1]


print(unpack(jnp.arange(7.0))[0])
