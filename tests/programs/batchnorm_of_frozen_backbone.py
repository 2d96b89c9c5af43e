# category: missing-collection
import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, training):
        h = nn.Dense(self.width)(x)
        return nn.BatchNorm(use_running_average=not training)(h)  #~ ScopeCollectionNotFound


class Classifier(nn.Module):
    def setup(self):
        self.backbone = Block(8)
        self.head = nn.Dense(2)

    def __call__(self, x, training=False):
        return self.head(nn.relu(self.backbone(x, training)))


class Evaluator:
    def __init__(self, key, x):
        self.model = Classifier()
        self.params = self.model.init(key, x)["params"]

    def accuracy(self, x, labels):
        logits = self.model.apply({"params": self.params}, x)  #! OAK108
        return jnp.mean(jnp.argmax(logits, -1) == labels)


evaluator = Evaluator(jax.random.key(0), jnp.ones((4, 3)))
print(evaluator.accuracy(jnp.ones((4, 3)), jnp.zeros(4, int)))
