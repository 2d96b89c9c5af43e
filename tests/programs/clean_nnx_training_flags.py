# category: clean/python-branch-on-tracer
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, depth: int, *, rngs: nnx.Rngs):
        self.layers = nnx.List([nnx.Linear(2, 2, rngs=rngs) for _ in range(depth)])
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.use_dropout = True
        self.depth = depth

    def __call__(self, x):
        for i in range(self.depth):
            x = nnx.relu(self.layers[i](x))
            if self.use_dropout and i < self.depth - 1:
                x = self.dropout(x)
        return x


def loss_fn(model, x):
    return jnp.mean(model(x) ** 2)


@nnx.jit
def train_step(model, optimizer, x):
    loss, grads = nnx.value_and_grad(loss_fn)(model, x)
    optimizer.update(model, grads)
    return loss


model = Net(2, rngs=nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
losses = [train_step(model, optimizer, jnp.ones((1, 2))) for _ in range(2)]
if losses[-1] <= losses[0] + 10:
    print(float(losses[-1]) >= 0.0)
