# category: clean/leak-global
import jax
import jax.numpy as jnp

_params = None
_best = float("inf")
_compiled = {}


def init(key):
    global _params
    _params = {"w": jax.random.normal(key, (2,))}


def get_step(lr):
    """Caches compiled functions, not values."""
    if lr not in _compiled:

        @jax.jit
        def step(params):
            grads = jax.grad(lambda p: jnp.sum(p["w"] ** 2))(params)
            return jax.tree.map(lambda p, g: p - lr * g, params, grads)

        _compiled[lr] = step
    return _compiled[lr]


def train(steps):
    global _params, _best
    for i in range(steps):
        _params = get_step(0.1)(_params)
        loss = jnp.sum(_params["w"] ** 2)
        _best = min(_best, float(loss))


init(jax.random.key(0))
train(3)
print(_best >= 0, _params["w"].shape)
