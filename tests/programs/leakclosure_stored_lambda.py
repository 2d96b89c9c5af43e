# category: leak-closure
import jax
import jax.numpy as jnp

hooks = []


class Tape:
    def __init__(self):
        self.pullbacks = {}


tape = Tape()


@jax.jit
def forward(x):
    y = jnp.sin(x)
    hooks.append(lambda scale: scale * y)  #! OAK101  #~ UnexpectedTracerError

    def pullback(ct):
        return ct * jnp.cos(x)

    tape.pullbacks["sin"] = pullback  #! OAK101
    return y


forward(1.0)
print(hooks[0](2.0))
