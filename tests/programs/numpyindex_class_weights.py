# category: numpy-index-by-tracer
import jax
import jax.numpy as jnp
import numpy as np


def balanced_weights(labels, classes):
    counts = np.bincount(labels, minlength=classes)
    return (counts.sum() / (classes * np.maximum(counts, 1))).astype(np.float32)


def make_loss(labels, classes=3):
    weights = balanced_weights(labels, classes)

    def loss(logits, y):
        w = weights[y]  #! OAK207 21 #~ TracerArrayConversionError
        return jnp.sum(w * -jax.nn.log_softmax(logits)[jnp.arange(y.shape[0]), y]) / w.sum()

    return loss


labels = np.array([0, 1, 2, 2])
loss = make_loss(labels)
print(loss(jnp.zeros((4, 3)), labels))
print(jax.jit(jax.grad(loss))(jnp.zeros((4, 3)), labels).shape)
