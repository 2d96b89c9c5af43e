# category: clean/shape-mismatch
import jax
import jax.numpy as jnp
import optax


def start(key, width):
    return {
        "dense": {"kernel": jax.random.normal(key, (width, 1)), "bias": jnp.zeros(1)},
        "scale": jnp.ones(width),
    }


def mistake(weights, x):
    h = (x * weights["scale"]) @ weights["dense"]["kernel"] + weights["dense"]["bias"]
    return jnp.mean(h**2)


weights = start(jax.random.key(0), 3)
decayed = {"dense": {"kernel": True, "bias": False}, "scale": False}
above = {"dense": True, "scale": False}
by_rank = jax.tree.map(lambda leaf: "slow" if leaf.ndim == 1 else "fast", weights)
optimizers = (
    optax.chain(optax.masked(optax.add_decayed_weights(0.1), decayed), optax.sgd(0.1)),
    optax.masked(optax.sgd(0.1), above),
    optax.masked(optax.sgd(0.1), lambda tree: jax.tree.map(lambda leaf: leaf.ndim > 1, tree)),
    optax.multi_transform({"slow": optax.sgd(1e-3), "fast": optax.adam(1e-2)}, by_rank),
    optax.partition({"kept": optax.set_to_zero(), "fast": optax.sgd(1e-2)}, {"dense": "fast", "scale": "kept"}),
)
for optimizer in optimizers:
    state = optimizer.init(weights)
    updates, state = optimizer.update(jax.grad(mistake)(weights, jnp.ones((4, 3))), state, weights)
    print(jax.tree.map(jnp.shape, optax.apply_updates(weights, updates)))
