# category: leak-global
import jax
import jax.numpy as jnp

moments = None, None


def adam_direction(g):
    global moments
    m, v = moments
    m = 0.9 * (0.0 if m is None else m) + 0.1 * g
    v = 0.99 * (0.0 if v is None else v) + 0.01 * g**2
    moments = m, v  #! OAK102
    return m / (jnp.sqrt(v) + 1e-8)


@jax.jit
def step(w):
    return w - 0.1 * adam_direction(jax.grad(lambda u: jnp.sum(u**2))(w))


w = step(jnp.ones(2))
w = step(jnp.ones(3)[:2] * w[0].item() * jnp.ones((2, 1))[0])
print(moments[0] + 1.0)  #~ UnexpectedTracerError
