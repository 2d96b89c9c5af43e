# category: leak-attribute
import jax
import jax.numpy as jnp


class BatchNorm:
    def __init__(self, size, momentum=0.9):
        self.momentum = momentum
        self.mean = jnp.zeros(size)
        self.var = jnp.ones(size)

    def __call__(self, x, train):
        if not train:
            return (x - self.mean) / jnp.sqrt(self.var)  #~ UnexpectedTracerError
        mean, var = x.mean(0), x.var(0)
        self.mean, self.var = (  #| OAK103
            self.momentum * old + (1 - self.momentum) * new  #? OAK103
            for old, new in ((self.mean, mean), (self.var, var))  #? OAK103
        )  #| OAK103
        return (x - mean) / jnp.sqrt(var + 1e-5)


norm = BatchNorm(2)
train = jax.jit(lambda x: norm(x, True))
train(jnp.ones((3, 2)))
print(norm(jnp.ones((1, 2)), False))
