# category: clean/leak-attribute
import jax
import jax.numpy as jnp


class Layout:
    def __init__(self, x):
        self.shape, self.dtype = x.shape, x.dtype


class Scratch:
    def __init__(self, x):
        self.x = x


class Context:
    open = []

    def __init__(self, x):
        self.x = x

    def __enter__(self):
        Context.open.append(self)
        return self

    def __exit__(self, *error):
        Context.open.remove(self)


class Encoder:
    def __init__(self):
        self.layout = self.scratch = None
        self.queue = []

    def run(self, x):
        self.layout = Layout(x)
        self.scratch = Scratch(jnp.sin(x))
        self.queue.append(Scratch(x))
        with Context(x) as context:
            y = context.x + self.scratch.x + self.queue[-1].x
        self.queue.pop()
        self.scratch = None
        return y


encoder = Encoder()
print(jax.jit(encoder.run)(jnp.ones(3)))
print(encoder.layout.shape, encoder.queue, Context.open)
