# category: scalar-cast-of-tracer
import jax
import jax.numpy as jnp
from flax import nnx


class Head(nnx.Module):
    def __init__(self, rngs: nnx.Rngs):
        self.linear = nnx.Linear(3, 2, rngs=rngs)

    def __call__(self, x):
        return self.linear(x)

    def route(self, x):
        choice = jnp.argmax(self(x), axis=-1)
        return [("left", "right")[c] for c in choice.tolist()]  #! OAK204 #~ ConcretizationTypeError


@nnx.jit
def predict(model, x):
    names = model.route(x)
    return model(x) * (1.0 if len(names) > 1 else 2.0)


head = Head(nnx.Rngs(0))
x = jnp.ones((2, 3))
print(head.route(x))
print(predict(head, x))
