# category: bool-op-on-tracer
import jax
import jax.numpy as jnp
import optax


def has_nan(tree) -> bool:
    return any(jnp.isnan(leaf).any() for leaf in jax.tree.leaves(tree))  #! OAK203 #~ TracerBoolConversionError


def skip_bad_updates(inner: optax.GradientTransformation) -> optax.GradientTransformation:
    def update(updates, state, params=None):
        new_updates, new_state = inner.update(updates, state, params)
        if has_nan(updates):
            new_updates = jax.tree.map(jnp.zeros_like, new_updates)
        return new_updates, new_state

    return optax.GradientTransformation(inner.init, update)


tx = skip_bad_updates(optax.sgd(0.1))
params = {"w": jnp.ones(2), "b": jnp.zeros(())}
print(has_nan(params), any(k == "w" for k in params))
state = tx.init(params)
print(jax.jit(tx.update)(params, state)[0])
