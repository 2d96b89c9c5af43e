# category: silent/impure-global-read
import jax
import jax.numpy as jnp

rate = 0.1


class Schedule:
    def __init__(self, rates):
        self.rates = list(rates)


@jax.jit
def update(params, grads, key):
    noise = jax.random.normal(key, ())
    return jax.tree.map(lambda p, g: p - rate * g + 0.0 * noise, params, grads)  #! OAK113


def decay(params, schedule):
    return {name: leaf * schedule.rates[-1] for name, leaf in params.items()}


shrink = jax.jit(decay, static_argnames="schedule")
schedule = Schedule([0.5])
params = {"w": jnp.ones(2), "layers": [jnp.zeros(3), {"b": jnp.ones(())}]}
first, second = jax.random.split(jax.random.key(0))
params = update(params, jax.tree.map(jnp.ones_like, params), first)
rate = 0.01
params = update(params, jax.tree.map(jnp.ones_like, params), second)
one = shrink({"w": params["w"]}, schedule=schedule)
schedule.rates.append(0.25)  #! OAK114
two = shrink({"w": params["w"]}, schedule=schedule)
print(one, two)
