# category: silent/zero-gradient
import jax
import jax.numpy as jnp


class Perceptron:
    def __init__(self, scale):
        self.scale = scale

    def votes(self, w, x):
        return jnp.sign(x @ w)  #! OAK603

    def objective(self, w, x):
        return self.scale * jnp.mean(self.votes(w, x))


model = Perceptron(2.0)
print(jax.value_and_grad(model.objective)(jnp.ones(3), jnp.ones((2, 3))))
