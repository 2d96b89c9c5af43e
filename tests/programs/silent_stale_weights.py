# category: silent/static-mutated
import jax
import jax.numpy as jnp


class Ridge:
    def __init__(self, dim):
        self.w = jnp.zeros(dim)
        self.seen = jnp.zeros(())
        self.predict = jax.jit(self.raw)

    def raw(self, x):
        return x @ self.w

    def fit(self, x, y, rounds=10):
        for _ in range(rounds):
            self.w = self.w - 0.1 * x.T @ (self.raw(x) - y) / len(y)  #! OAK114
            self.seen = self.seen + len(y)


model = Ridge(2)
x, y = jnp.ones((4, 2)), jnp.ones(4)
before = model.predict(x)
model.fit(x, y)
after = model.predict(x)
assert bool((before == after).all())
