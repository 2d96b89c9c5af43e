# category: clean/bool-op-on-tracer
import jax
import jax.numpy as jnp


class Policy:
    def __init__(self, sizes=None, activation=None):
        self.sizes = sizes or (2, 4)
        self.activation = activation or jnp.tanh

    def apply(self, params, x, rng=None, deterministic=False):
        x = self.activation(params["w"] @ x)
        if rng is not None and not deterministic:
            x = x + 0.1 * jax.random.normal(rng, x.shape)
        return x


policy = Policy()
apply = jax.jit(policy.apply, static_argnames="deterministic")
params = {"w": jnp.ones(policy.sizes[::-1])}
print(apply(params, jnp.ones(2), jax.random.key(0)), apply(params, jnp.ones(2), deterministic=True))
