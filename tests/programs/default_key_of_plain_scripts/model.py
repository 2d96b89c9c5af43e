import jax


class Model:
    """Draws its weights by one key, if it gets none: every program has one model."""

    def __init__(self, size, key=jax.random.PRNGKey(0)):
        self.key, part = jax.random.split(key)
        self.weights = jax.random.normal(part, (size,))
