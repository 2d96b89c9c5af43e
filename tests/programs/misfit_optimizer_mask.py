# category: shape-mismatch
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
decayed = {"dense": {"kernel": True, "bias": False}, "scales": False}
optimizer = optax.chain(optax.masked(optax.add_decayed_weights(0.1), decayed), optax.sgd(0.1))
state = optimizer.init(weights)  #! OAK501 #~ ValueError
updates, state = optimizer.update(jax.grad(mistake)(weights, jnp.ones((4, 3))), state, weights)
