# category: clean/leak-append
from functools import partial

import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self):
        self.log = []
        self.grads = {}

    def fit(self, w, data):
        for x in data:
            (loss, aux), g = self._grad(w, x)
            self.log.append(loss)
            self.grads["last"] = g
            self.grads.setdefault("all", []).append(aux["norm"])
            w = w - 0.1 * g
        return w

    @partial(jax.jit, static_argnums=0)
    def _grad(self, w, x):
        def loss(w):
            aux = {}
            parts = [jnp.sum(w**2)]
            parts.append(jnp.sum(w * x))
            aux["norm"] = parts[0]
            return sum(parts), aux

        return jax.value_and_grad(loss, has_aux=True)(w)


trainer = Trainer()
print(trainer.fit(jnp.ones(2), jnp.ones((3, 2))), sum(trainer.log), trainer.grads["all"][0] + 1)
