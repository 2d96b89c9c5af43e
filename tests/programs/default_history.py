# category: leak-closure
import jax
import jax.numpy as jnp


def momentum(g, *, beta=0.9, _memory={}):
    velocity = beta * _memory.get("v", 0.0) + g  #~ UnexpectedTracerError
    _memory["v"] = velocity  #! OAK104
    return velocity


def make_update(rate):
    def update(w, x):
        g = jax.grad(lambda u: jnp.mean((x @ u) ** 2))(w)
        return w - rate * momentum(g)

    return jax.jit(update)


w = make_update(0.1)(jnp.ones(2), jnp.ones((3, 2)))
print(momentum(w))
