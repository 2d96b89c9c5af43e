# category: clean/lost-update
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(2, 1, rngs=rngs)
        self.norm = nnx.BatchNorm(2, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.calls = nnx.Variable(jnp.array(0))
        self.width = 2

    def __call__(self, x):
        self.calls[...] = self.calls[...] + 1
        return self.linear(self.dropout(self.norm(x)))


def loss_of(model, x, y):
    return jnp.mean((model(x) - y) ** 2)


@nnx.jit
def step(model, optimizer, metrics, x, y):
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    metrics.update(loss=loss)


@jax.jit
def pure_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    return nnx.state(model), nnx.state(optimizer), loss


@jax.jit
def whole_step(model, optimizer, x, y):
    loss, grads = nnx.value_and_grad(loss_of)(model, x, y)
    optimizer.update(model, grads)
    return {"model": model, "optimizer": optimizer}, loss


@jax.jit
def predict(model, x):
    if x.shape[-1] != model.width:
        raise ValueError("another width")
    return nnx.merge(*nnx.split(model)).linear(x)


model = Net(nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param)
metrics = nnx.MultiMetric(loss=nnx.metrics.Average("loss"))
x, y = jnp.ones((3, 2)), jnp.zeros((3, 1))
step(model, optimizer, metrics, x, y)
trained, moved, loss = pure_step(model, optimizer, x, y)
nnx.update(model, trained)
nnx.update(optimizer, moved)
both, loss = whole_step(model, optimizer, x, y)
model, optimizer = both["model"], both["optimizer"]
print(predict(model, x), metrics.compute(), loss)
