# category: traced-static-argument
import jax
import jax.numpy as jnp


def confusion(pred, target):
    """Counts (target, prediction) pairs."""
    classes = jnp.maximum(pred.max(), target.max()) + 1
    p = jax.nn.one_hot(pred, classes)  #! OAK212 #~ ConcretizationTypeError
    t = jax.nn.one_hot(target, 3)
    return t.T @ p


class Evaluator:
    def __init__(self):
        self.total = None

    def __call__(self, logits, target):
        pred = logits.argmax(-1)
        return confusion(pred, target)


evaluator = Evaluator()
logits, target = jnp.eye(3), jnp.array([0, 1, 1])
print(confusion(jnp.array([0, 2, 1]), target))
print(jax.jit(evaluator)(logits, target))
