# category: key-truth
"""A key may be left out, and is asked for its truth where it is passed."""

import sys

import jax


def sample_layer(width, state=None, rng=None):
    if not (state or rng):  #! OAK502 22 #~ TypeError
        raise ValueError("either a state or a key is needed")
    if state is not None:
        return state["weights"]
    first, second = jax.random.split(rng)
    return jax.random.normal(first, (width,)) * jax.random.uniform(second)


def main(tool):
    print(getattr(sys.modules[__name__], tool)(3, rng=jax.random.key(0)))


main("_".join(["sample", "layer"]))
