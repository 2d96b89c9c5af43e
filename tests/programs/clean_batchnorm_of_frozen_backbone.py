# category: clean/missing-collection
import jax
import jax.numpy as jnp
from flax import linen as nn


class Block(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x, training):
        h = nn.Dense(self.width)(x)
        return nn.Dropout(0.1, deterministic=not training)(nn.BatchNorm(use_running_average=not training)(h))


class Classifier(nn.Module):
    normed: bool = True

    def setup(self):
        self.backbone = Block(8) if self.normed else nn.Dense(8)
        self.head = nn.Dense(2)

    def __call__(self, x, training=False):
        h = self.backbone(x, training) if self.normed else self.backbone(x)
        return self.head(nn.relu(h))


class Trainer:
    def __init__(self, model, key, x):
        self.model = model
        variables = model.init(key, x)
        self.params, self.averages = variables["params"], variables.get("batch_stats", {})

    def accuracy(self, x, labels):
        variables = {"params": self.params}
        if self.averages:
            variables["batch_stats"] = self.averages
        return jnp.mean(jnp.argmax(self.model.apply(variables, x), -1) == labels)

    def step(self, x, key):
        variables = {"params": self.params, "batch_stats": self.averages}
        logits, changed = self.model.apply(
            variables, x, training=True, mutable=["batch_stats"], rngs={"dropout": key}
        )
        self.averages = changed["batch_stats"]
        return logits.mean()


x = jnp.ones((4, 3))
trainer = Trainer(Classifier(), jax.random.key(0), x)
print(trainer.accuracy(x, jnp.zeros(4, int)), trainer.step(x, jax.random.key(1)))
plain = Classifier(normed=False)
variables = plain.init(jax.random.key(0), x)
print(plain.apply({"params": variables["params"]}, x).shape)
print(nn.vmap(Block, in_axes=(0, None), variable_axes={"params": None, "batch_stats": 0}, split_rngs={"params": False})(
    3
).init(jax.random.key(2), jnp.ones((2, 4, 3)), False)["batch_stats"].keys())
