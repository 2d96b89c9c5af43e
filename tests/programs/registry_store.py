# category: leak-append
import jax
import jax.numpy as jnp

METRICS = {"train": {}, "test": {}}


def record(split, **values):
    METRICS[split].update(values)  #! OAK101


@jax.jit
def evaluate(logits, labels):
    hits = jnp.argmax(logits, -1) == labels
    record("test", accuracy=hits.mean())
    return logits.max()


evaluate(jnp.eye(2), jnp.array([0, 1]))
print(METRICS["test"]["accuracy"] * 100.0)  #~ UnexpectedTracerError
