# category: leak-attribute
import jax
import jax.numpy as jnp


class Logger:
    latest = None

    @classmethod
    def push(cls, value):
        cls.latest = value  #! OAK103

    @staticmethod
    def name():
        return "logger"


def dropout(key, x, rate=0.5):
    keep = jax.random.bernoulli(key, 1 - rate, x.shape)
    Logger.push(keep.mean())
    return jnp.where(keep, x / (1 - rate), 0.0)


def predict(key, w, x):
    return dropout(key, x @ w).sum()


print(Logger.name(), jax.jit(predict)(jax.random.key(0), jnp.eye(2), jnp.ones((3, 2))))
print(Logger.latest + 1.0)  #~ UnexpectedTracerError
