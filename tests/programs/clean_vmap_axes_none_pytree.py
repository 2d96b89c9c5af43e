# category: clean/list-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np

LEVELS = ["low", "mid", "high"]
GAINS = {"low": 0.5, "mid": 1.0, "high": 2.0}


def amplify(x, options):
    """`options` is not mapped: its leaves stay Python values under vmap."""
    gain = GAINS[LEVELS[options["level"]]]
    out = x
    for _ in range(options["passes"]):
        out = out * gain
    if options["clip"] > 0:
        out = jnp.clip(out, -options["clip"], options["clip"])
    taps = np.hanning(options["passes"] + 2)
    return jnp.convolve(out, taps[: options["level"] + 1], mode="same")


options = {"level": 2, "passes": 2, "clip": 3.0}
print(jax.vmap(amplify, in_axes=(0, None))(jnp.ones((2, 4)), options))
print(jax.vmap(lambda row: amplify(row, options))(jnp.ones((2, 4))).shape)
print(jax.vmap(amplify, in_axes=(1, {"level": None, "passes": None, "clip": None}))(jnp.ones((4, 2)), options).shape)
