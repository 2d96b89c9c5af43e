# category: silent/jit-in-loop
import jax
import jax.numpy as jnp


class Descent:
    def __init__(self, rate):
        self.rate = rate

    def minimise(self, loss, params, batches):
        for batch in batches:
            slope = jax.jit(jax.grad(lambda p: loss(p, batch)))  #! OAK307
            params = jax.tree.map(lambda p, g: p - self.rate * g, params, slope(params))
        return params

    def reshaped(self, pairs):
        for pair in pairs:
            view = jax.jit(lambda x: x.reshape(pair[0]))
            print(view(pair[1]).sum())


def squares(params, batch):
    x, y = batch
    return jnp.mean((x @ params["w"] - y) ** 2)


def batches(n):
    for k in range(n):
        x = jnp.full((4, 2), 0.1 * k)
        yield x, x.sum(1)


descent = Descent(0.1)
print(descent.minimise(squares, {"w": jnp.zeros(2)}, batches(3)))
descent.reshaped([((2, 4), jnp.ones(8)), ((4, 2), jnp.ones(8))])
