# category: inplace-mutation
import jax
import jax.numpy as jnp


class Aligner:
    def __init__(self, gap):
        self.gap = gap

    def fill(self, scores):
        n, m = scores.shape
        table = jnp.zeros((n + 1, m + 1))
        for i in range(1, n + 1):
            for j in range(1, m + 1):
                diagonal = table[i - 1, j - 1] + scores[i - 1, j - 1]
                table[i, j] = jnp.maximum(diagonal, table[i - 1, j] - self.gap)  #! OAK215  #~ TypeError
        return table[-1, -1]


print(jax.grad(Aligner(0.5).fill)(jnp.eye(2)))
