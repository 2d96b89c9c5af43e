# category: leak-closure
import jax
import jax.numpy as jnp
from functools import partial


def ema_fn(decay):
    value = None

    def update(new):
        nonlocal value
        if value is None:
            value = new  #! OAK104
        else:
            value = decay * value + (1 - decay) * new  #~ UnexpectedTracerError #? OAK104
        return value

    return update


class Monitor:
    def __init__(self, **decays):
        self.trackers = {k: ema_fn(d) for k, d in decays.items()}

    def __call__(self, **values):
        return {k: self.trackers[k](v) for k, v in values.items()}


monitor = Monitor(loss=0.9, norm=0.5)


@partial(jax.jit, static_argnames="track")
def step(w, track=True):
    loss = jnp.sum(w**2)
    if track:
        monitor(loss=loss)
    return w - 0.1 * w


w = step(jnp.ones(2))
print(step(w, track=False))
print(monitor(loss=1.0, norm=2.0))
print(w)
