# category: list-index-by-tracer
import jax
import jax.numpy as jnp

SCHEDULES = {
    "warm": [0.0, 0.1, 0.2],
    "cold": (1.0, 0.5),
}


def rate(name, step):
    table = SCHEDULES[name]
    return table[step % len(table)]  #! OAK206 18 #~ TracerIntegerConversionError


def make_update(name):
    def update(carry, grad):
        params, step = carry
        params = params - rate(name, step) * grad
        return (params, step + 1), params

    return update


grads = jnp.ones((4, 2))
p, step = jnp.zeros(2), 0
for g in grads[:2]:
    (p, step), _ = make_update("warm")((p, step), g)
print(p)
print(jax.lax.scan(make_update("cold"), (jnp.zeros(2), 0), grads)[1])
