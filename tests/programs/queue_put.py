# category: leak-append
import queue

import jax
import jax.numpy as jnp

updates = queue.SimpleQueue()


class Recorder:
    def __enter__(self):
        self.items = []
        return self

    def __exit__(self, *exc):
        self.done = True

    def __iadd__(self, item):
        self.items.append(item)  #! OAK101
        return self


with Recorder() as recorder:

    @jax.jit
    def flow(x):
        global recorder
        recorder += x.sum()
        return x

    flow(jnp.ones(2))
print(recorder.items[0] + 1.0)  #~ UnexpectedTracerError
