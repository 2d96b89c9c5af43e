# category: clean/traced-shape
import jax
import jax.numpy as jnp


def conv_out(size: int, kernel: int, stride: int) -> int:
    return (size - kernel) // stride + 1


class ConvNet:
    kernel = 3

    def __init__(self, channels, stride=1):
        self.channels = channels
        self.stride = stride

    def output_shape(self, x):
        n, h = x.shape
        return n, conv_out(h, self.kernel, self.stride), self.channels

    def __call__(self, x):
        return jnp.zeros(self.output_shape(x)) + x.mean()


net = ConvNet(channels=2, stride=2)
forward = jax.jit(net.__call__)
print(forward(jnp.ones((1, 9))).shape, jax.eval_shape(net, jnp.ones((1, 5))))


def resize(x, factor):
    return jnp.tile(x, factor).reshape(factor, -1)


print(jax.vmap(resize, in_axes=(0, None))(jnp.ones((2, 2)), 3).shape)
