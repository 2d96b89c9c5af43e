# category: clean/zero-gradient
"""Parameters that are read some other way, that a rule of its own gives a gradient, or on which
what a solver is made with does not depend."""

import jax
import jax.numpy as jnp


class Model:
    def __init__(self, w):
        self.w = w

    def loss(self, w, x):
        return jnp.mean((x @ w) ** 2) + jnp.sum(self.w)


class Base:
    def loss(self, w):
        raise NotImplementedError


class Ridge(Base):
    def loss(self, w):
        return jnp.sum(w**2)


@jax.custom_vjp
def tap(x, probe):
    return x


tap.defvjp(lambda x, probe: (x, None), lambda _, g: (g, g))


@jax.jit
def activation_gradient(x):
    return jax.grad(lambda probe: jnp.sum(tap(x, probe) ** 2))(jnp.zeros(3))


def by_keyword(w, **rest):
    return jnp.sum(rest["x"] * w)


def by_second(w, x):
    return jnp.sum(x**2)


class Solver:
    """Asks the same of each cost that it is made with."""

    def __init__(self, cost, distance):
        self.cost, self.of_time = cost, jax.grad(distance.metric)
        self.by_state = jax.jacrev(self.cost, 0)
        self.twice = jax.jacfwd(self.by_state, 0)

    def step(self, state, control):
        slope = self.by_state(state, control) + jnp.sum(self.twice(state, control))
        return slope + self.of_time(0.0, state)


class Distance:
    def __init__(self):
        self.metric = self.still

    def still(self, time, place):
        return jnp.sum(place**2)


def slopes(cost, state, control):
    return jax.grad(cost)(state, control)


def effort(state, control):
    return 0.5 * jnp.sum(control**2)


print(Solver(lambda x, u: 0.5 * jnp.sum(u**2), Distance()).step(jnp.ones(2), jnp.ones(1)))
print(slopes(effort, jnp.ones(2), jnp.ones(1)))
model = Model(jnp.ones(3))
assert jax.grad(model.loss)(model.w, jnp.eye(3)).any()
assert jax.grad(Ridge().loss)(jnp.ones(3)).any()
assert activation_gradient(jnp.ones(3)).any()
assert jax.grad(by_keyword)(jnp.ones(3), x=2.0).any()
assert jax.grad(by_second, argnums=1)(jnp.ones(3), jnp.ones(3)).any()
assert jax.grad(lambda w: jnp.sum(jax.lax.fori_loop(0, 3, lambda i, c: c + w, w)))(
    jnp.ones(3)
).any()
