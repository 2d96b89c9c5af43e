# category: leak-closure
import jax
import jax.numpy as jnp


def make_tracker(initial):
    best = initial

    def track(loss):
        nonlocal best
        best = jnp.minimum(best, loss)  #! OAK104
        return loss

    def report():
        return best + 0.0  #~ UnexpectedTracerError

    return track, report


track, report = make_tracker(jnp.inf)


@jax.jit
def step(w, x):
    return track(jnp.sum((w * x) ** 2))


print(step(jnp.ones(2), jnp.ones(2)))
print(report())
