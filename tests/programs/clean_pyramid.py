# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def pyramid(image):
    levels = [image]
    while min(levels[-1].shape) > 2:
        top = levels[-1]
        h, w = (s // 2 * 2 for s in top.shape)
        top = top[:h, :w].reshape(h // 2, 2, w // 2, 2).mean((1, 3))
        levels.append(top)
    return levels[::-1]


print([level.shape for level in pyramid(jnp.ones((9, 8)))])
