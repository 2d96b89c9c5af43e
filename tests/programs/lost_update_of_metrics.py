# category: lost-update
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Trainer:
    def __init__(self):
        self.model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
        self.optimizer = nnx.Optimizer(self.model, optax.sgd(0.1), wrt=nnx.Param)
        self.metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"))

    def fit(self, batches):
        for x, y in batches:
            self.model, self.optimizer = train_step(self.model, self.optimizer, self.metrics, x, y)


def loss_of(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@jax.jit
def train_step(model, optimizer, metrics, x, y):
    loss, grads = jax.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    metrics.update(loss=loss)  #! OAK116
    return model, optimizer


@jax.jit
def evaluate(model, metrics, x, y):
    loss = loss_of(model, x, y)
    metrics.update(loss=loss)  #! OAK116
    return loss


trainer = Trainer()
trainer.fit([(jnp.ones((4, 2)), jnp.zeros((4, 1)))])
evaluate(trainer.model, trainer.metrics, jnp.ones((4, 2)), jnp.zeros((4, 1)))
