# category: clean/raw-transform
import jax
import jax.numpy as jnp
import optax
from flax import linen as nn
from flax import nnx


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.relu(nn.Dense(x.shape[-1])(x))


class Net(nn.Module):
    depth: int = 2

    def setup(self):
        self.head = nn.Dense(2)

    @nn.compact_name_scope
    def trunk(self, x):
        for _ in range(self.depth):
            x = Block()(x)
        return x

    def __call__(self, x):
        x = jax.vmap(lambda row: row / jnp.linalg.norm(row))(self.trunk(x))
        logits = self.head(x)
        return jax.lax.map(lambda row: row - jnp.max(row), logits)


class Ensemble(nn.Module):
    @nn.compact
    def __call__(self, x):
        many = nn.vmap(
            Block, in_axes=None, axis_size=3, variable_axes={"params": 0}, split_rngs={"params": True}
        )
        inner = Block(parent=None)
        variables = self.param("inner", lambda key: inner.init(key, x)["params"])

        def refine(x, _):
            return Block(parent=None).apply({"params": variables}, x), None

        x, _ = jax.lax.scan(refine, x, length=2)
        return many()(x).mean(0)


def train(model, xs, ys, steps):
    variables = model.init(jax.random.key(0), xs)
    optimizer = optax.sgd(0.1)

    def loss(variables):
        return jnp.mean((model.apply(variables, xs) - ys) ** 2)

    def step(carry, _):
        variables, state = carry
        value, gradient = jax.value_and_grad(loss)(variables)
        updates, state = optimizer.update(gradient, state)
        return (optax.apply_updates(variables, updates), state), value

    return jax.lax.scan(step, (variables, optimizer.init(variables)), length=steps)


class Meter(nnx.Module):
    def __init__(self, size):
        self.linear = nnx.Linear(size, size, rngs=nnx.Rngs(0))
        self.total = nnx.Variable(jnp.zeros(()))

    def __call__(self, x):
        y = self.linear(x)
        self.total[...] += jnp.sum(y)
        return y


@nnx.jit
def run(meter, xs):
    def loss(meter):
        return jnp.mean(meter(xs) ** 2)

    return nnx.value_and_grad(loss)(meter)


@jax.jit
def fresh(xs):
    meter = Meter(xs.shape[-1])
    meter(xs)
    return meter.total[...]


def carried(meter, x):
    return meter, meter(x)


xs = jnp.ones((4, 3))
(variables, _), losses = train(Net(), xs, jnp.ones((4, 2)), 3)
ensemble = Ensemble()
print(losses.shape, ensemble.apply(ensemble.init(jax.random.key(1), xs), xs).shape)
value, gradient = run(Meter(3), xs)
print(value.shape, fresh(xs).shape, jax.lax.scan(carried, Meter(3), xs)[1].shape)
