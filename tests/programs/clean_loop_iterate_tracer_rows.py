# category: clean/python-loop-on-tracer
import jax
import jax.numpy as jnp


@jax.jit
def horner(coeffs, x):
    """`for` over a traced array unrolls over its static leading axis."""
    out = jnp.zeros_like(x)
    for c in coeffs:
        out = out * x + c
    a, b, *rest = coeffs
    queue = list(rest)
    while queue:
        out = out + 0.0 * queue.pop()
    power = 1
    while power < coeffs.shape[0]:
        power *= 2
    while (power := power // 2) > 1:
        out = out + a * 0 + b * 0
    return out / (power or 1)


print(horner(jnp.array([1.0, 2.0, 3.0, 4.0]), jnp.ones(2)))
