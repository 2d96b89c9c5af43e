# category: leak-iterator
import jax
import jax.numpy as jnp


def learning_rates(base):
    rate = jnp.asarray(base)
    while True:
        yield rate
        rate = rate * 0.5  #~ UnexpectedTracerError


class Scheduler:
    def __init__(self, base):
        self._rates = learning_rates(base)

    def current(self):
        return next(self._rates)  #! OAK105


def make_step(scheduler):
    @jax.jit
    def step(params, grads):
        first, second = scheduler.current(), scheduler.current()
        return params - (first + second) * grads

    return step


scheduler = Scheduler(0.1)
step = make_step(scheduler)
print(step(jnp.ones(2), jnp.ones(2)))
print(scheduler.current())
