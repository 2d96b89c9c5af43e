# category: clean/stale-read
# A function that forgets its programs is traced again, with what its variables hold then.
import jax
import jax.numpy as jnp

scale = 1.0


@jax.jit
def scaled(x):
    return x * scale


def main():
    global scale
    print(scaled(jnp.ones(3)))
    scale = 2.0
    scaled.clear_cache()
    print(scaled(jnp.ones(3)))


main()
