# category: clean/traced-static-argument
import functools

import equinox as eqx
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Coder(nn.Module):
    channels: tuple[int, ...] = (8, 4)

    @nn.compact
    def __call__(self, x, deterministic, width=None):
        x = nn.Dropout(0.5)(x, deterministic=deterministic)
        x = nn.Dropout(0.0)(x, deterministic=x.sum() > 0)  # asks for nothing
        for size in self.channels:
            x = nn.relu(nn.Dense(x.shape[-1] // 2 + size)(x))
        return x if width is None else nn.Dense(width)(x)


class Line(eqx.Module):
    layer: eqx.nn.Linear
    drop: eqx.nn.Dropout
    rest: eqx.nn.Dropout

    def __init__(self, wide, key):
        self.layer = eqx.nn.Linear(wide, 2 * wide, key=key)
        self.drop = eqx.nn.Dropout(0.1)
        self.rest = eqx.nn.Dropout(p=0)

    def __call__(self, x, resting):
        return self.drop(self.rest(self.layer(x), inference=x[0] > 0), inference=resting)


model = Coder()
x = jnp.ones((2, 4))
variables = model.init(jax.random.key(0), x, True, 3)


@functools.partial(jax.jit, static_argnames=("deterministic", "width"))
def predict(variables, x, deterministic, width):
    return model.apply(variables, x, deterministic, width, rngs={"dropout": jax.random.key(1)})


@eqx.filter_jit
def descend(params, trained, rate, line, resting):
    free, fixed = eqx.partition(params, filter_spec=trained)
    slopes = jax.grad(lambda free: sum(jax.tree.leaves(eqx.combine(free, fixed))) ** 2)(free)
    moved = eqx.combine(jax.tree.map(lambda p, g: p - rate * g, free, slopes), fixed)
    return moved, line(jnp.ones(3), resting), Line(line.layer.out_features, jax.random.key(2))


@jax.jit
def rate_at(step, peak):
    return optax.cosine_decay_schedule(peak, 100)(step)


print(predict(variables, x, True, 3))
print(descend((jnp.ones(()), jnp.zeros(())), (True, False), 0.1, Line(3, jax.random.key(3)), True)[0])
print(rate_at(20, 0.1))
