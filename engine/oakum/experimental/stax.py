"""Neural networks as pairs of functions: `jax.example_libraries.stax`, which NumPyro builds on.

A layer is `(init_fun, apply_fun)`: `init_fun(key, input_shape)` returns the shape of the result and
the parameters, and `apply_fun(params, inputs, **kwargs)` the result.

>>> import oakum
>>> init_fun, apply_fun = serial(Dense(8), Relu, Dense(3))
>>> shape, params = init_fun(oakum.random.key(0), (-1, 5))
>>> shape, apply_fun(params, oakum.numpy.ones((2, 5))).shape
((-1, 3), (2, 3))
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any, Final

from oakum import lax, nn, random
from oakum import numpy as jnp
from oakum.array import Array
from oakum.nn.initializers import glorot_normal, normal, ones, zeros

__all__ = [
    "AvgPool",
    "BatchNorm",
    "Conv",
    "Conv1DTranspose",
    "ConvTranspose",
    "Dense",
    "Dropout",
    "Elu",
    "Exp",
    "FanInConcat",
    "FanInSum",
    "FanOut",
    "Flatten",
    "Gelu",
    "GeneralConv",
    "GeneralConvTranspose",
    "Identity",
    "LeakyRelu",
    "LogSoftmax",
    "MaxPool",
    "Relu",
    "Selu",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "SumPool",
    "Tanh",
    "elementwise",
    "parallel",
    "serial",
    "shape_dependent",
]

Layer = tuple[Callable[..., Any], Callable[..., Any]]
Initializer = Callable[..., Any]
Binary = Callable[[Array, Array], Array]


def Dense(
    out_dim: int, W_init: Initializer | None = None, b_init: Initializer | None = None
) -> Layer:
    """Returns a layer that multiplies by a matrix and adds a vector.

    The matrix is drawn by `glorot_normal`, the vector by `normal` with deviation 0.01, unless other
    initializers are passed.
    """
    draw_matrix, draw_vector = W_init or glorot_normal(), b_init or normal()

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        first, second = random.split(rng)
        matrix = draw_matrix(first, (input_shape[-1], out_dim))
        return (*input_shape[:-1], out_dim), (matrix, draw_vector(second, (out_dim,)))

    def apply_fun(params: tuple[Array, Array], inputs: Array, **_: object) -> Any:
        matrix, vector = params
        return jnp.dot(inputs, matrix) + vector

    return init_fun, apply_fun


def GeneralConv(
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
    filter_shape: Sequence[int],
    strides: Sequence[int] | None = None,
    padding: str = "VALID",
    W_init: Initializer | None = None,
    b_init: Initializer | None = None,
) -> Layer:
    """Returns a convolution whose axes are laid out as `dimension_numbers` say."""
    steps = tuple(strides or (1,) * len(filter_shape))

    def convolve(x: Array, kernel: Array) -> Array:
        return lax.conv_general_dilated(
            x, kernel, steps, padding, dimension_numbers=dimension_numbers
        )

    return _convolution(convolve, dimension_numbers, out_chan, filter_shape, W_init, b_init)


def GeneralConvTranspose(
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
    filter_shape: Sequence[int],
    strides: Sequence[int] | None = None,
    padding: str = "VALID",
    W_init: Initializer | None = None,
    b_init: Initializer | None = None,
) -> Layer:
    """Returns a transposed convolution whose axes are laid out as `dimension_numbers` say."""
    steps = tuple(strides or (1,) * len(filter_shape))

    def convolve(x: Array, kernel: Array) -> Array:
        return lax.conv_transpose(x, kernel, steps, padding, dimension_numbers=dimension_numbers)

    return _convolution(convolve, dimension_numbers, out_chan, filter_shape, W_init, b_init)


def _convolution(
    convolve: Binary,
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
    filter_shape: Sequence[int],
    W_init: Initializer | None,
    b_init: Initializer | None,
) -> Layer:
    left, kernel, _ = dimension_numbers
    draw = W_init or glorot_normal(kernel.index("I"), kernel.index("O"))

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        shape = _kernel_shape(dimension_numbers, out_chan, filter_shape, input_shape)
        params = _conv_params(rng, draw, b_init, shape, dimension_numbers, out_chan)
        return _shape_of(convolve, input_shape, shape, left), params

    def apply_fun(params: tuple[Array, Array], inputs: Array, **_: object) -> Any:
        weights, bias = params
        return convolve(inputs, weights) + bias

    return init_fun, apply_fun


def _kernel_shape(
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
    filter_shape: Sequence[int],
    input_shape: Sequence[int],
) -> tuple[int, ...]:
    left, kernel, _ = dimension_numbers
    sizes = iter(filter_shape)
    channels = {"O": out_chan, "I": input_shape[left.index("C")]}
    return tuple(channels[c] if c in channels else next(sizes) for c in kernel)


def _conv_params(
    rng: Array,
    draw: Initializer,
    b_init: Initializer | None,
    shape: tuple[int, ...],
    dimension_numbers: tuple[str, str, str],
    out_chan: int,
) -> tuple[Any, Any]:
    bias_shape = [out_chan if c == "C" else 1 for c in dimension_numbers[2]]
    first, second = random.split(rng)
    return draw(first, shape), (b_init or normal(1e-6))(second, tuple(bias_shape))


def _shape_of(
    function: Binary, input_shape: Sequence[int], kernel: tuple[int, ...], left: str
) -> tuple[int, ...]:
    """Returns the shape of a result; a batch of unknown size, which is -1, stays one."""
    from oakum import ShapeDtypeStruct, eval_shape

    batch = left.index("N")
    unknown = input_shape[batch] < 0
    shape = tuple(1 if i == batch and unknown else n for i, n in enumerate(input_shape))
    images, weights = (ShapeDtypeStruct(each, "float32") for each in (shape, kernel))
    found = eval_shape(function, images, weights).shape
    return tuple(-1 if i == batch and unknown else n for i, n in enumerate(found))


_IMAGES: Final = ("NHWC", "HWIO", "NHWC")
Conv = functools.partial(GeneralConv, _IMAGES)
ConvTranspose = functools.partial(GeneralConvTranspose, _IMAGES)
Conv1DTranspose = functools.partial(GeneralConvTranspose, ("NHC", "HIO", "NHC"))


def BatchNorm(
    axis: int | Sequence[int] = (0, 1, 2),
    epsilon: float = 1e-5,
    center: bool = True,
    scale: bool = True,
    beta_init: Initializer = zeros,
    gamma_init: Initializer = ones,
) -> Layer:
    """Returns a layer that normalizes by the mean and the variance over axes of the batch."""
    axes = (axis,) if isinstance(axis, int) else tuple(axis)

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        shape = tuple(n for i, n in enumerate(input_shape) if i not in axes)
        first, second = random.split(rng)
        beta = beta_init(first, shape) if center else ()
        gamma = gamma_init(second, shape) if scale else ()
        return tuple(input_shape), (beta, gamma)

    def apply_fun(params: tuple[Any, Any], x: Array, **_: object) -> Any:
        kept = tuple(None if i in axes else slice(None) for i in range(jnp.ndim(x)))
        beta, gamma = params
        z = nn.standardize(x, axes, epsilon=epsilon)
        if scale:
            z = gamma[kept] * z
        return z + beta[kept] if center else z

    return init_fun, apply_fun


def elementwise(fun: Callable[..., Any], **fun_kwargs: object) -> Layer:
    """Returns a layer that applies a function to each element."""
    return _elementwise(functools.partial(fun, **fun_kwargs))


def _elementwise(fun: Callable[[Array], Array]) -> Layer:
    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        return input_shape, ()

    def apply_fun(params: object, inputs: Array, **_: object) -> Any:
        return fun(inputs)

    return init_fun, apply_fun


Tanh = _elementwise(lambda x: jnp.tanh(x))
Relu = _elementwise(lambda x: nn.relu(x))
Exp = _elementwise(lambda x: jnp.exp(x))
LogSoftmax = _elementwise(lambda x: nn.log_softmax(x, axis=-1))
Softmax = _elementwise(lambda x: nn.softmax(x, axis=-1))
Softplus = _elementwise(lambda x: nn.softplus(x))
Sigmoid = _elementwise(lambda x: nn.sigmoid(x))
Elu = _elementwise(lambda x: nn.elu(x))
LeakyRelu = _elementwise(lambda x: nn.leaky_relu(x))
Selu = _elementwise(lambda x: nn.selu(x))
Gelu = _elementwise(lambda x: nn.gelu(x))


def _pooling(
    operation: Binary, start: float, rescale: Binary | None = None
) -> Callable[..., Layer]:
    def pool(
        window_shape: Sequence[int],
        strides: Sequence[int] | None = None,
        padding: str = "VALID",
        spec: str = "NHWC",
    ) -> Layer:
        """Returns a layer that reduces windows of images, laid out as `spec` says."""
        inner = iter(window_shape)
        steps = iter(strides or (1,) * len(window_shape))
        window = tuple(1 if c in "NC" else next(inner) for c in spec)
        strides_of = tuple(1 if c in "NC" else next(steps) for c in spec)

        def reduce(x: Array) -> Any:
            return lax.reduce_window(x, start, operation, window, strides_of, padding)

        def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
            return _shape_of(lambda x, _: reduce(x), input_shape, (), spec), ()

        def apply_fun(params: object, inputs: Array, **_: object) -> Any:
            found = reduce(inputs)
            return found if rescale is None else rescale(found, reduce(jnp.ones_like(inputs)))

        return init_fun, apply_fun

    return pool


MaxPool = _pooling(lambda a, b: lax.max(a, b), -math.inf)
SumPool = _pooling(lambda a, b: lax.add(a, b), 0.0)
AvgPool = _pooling(lambda a, b: lax.add(a, b), 0.0, lambda total, count: total / count)


def _flatten() -> Layer:
    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        return (input_shape[0], math.prod(input_shape[1:])), ()

    def apply_fun(params: object, inputs: Array, **_: object) -> Any:
        return jnp.reshape(inputs, (inputs.shape[0], -1))

    return init_fun, apply_fun


Flatten = _flatten()
Identity = _elementwise(lambda x: x)


def FanOut(num: int) -> Layer:
    """Returns a layer that repeats its input as a list, for `parallel`."""

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        return [input_shape] * num, ()

    def apply_fun(params: object, inputs: Array, **_: object) -> Any:
        return [inputs] * num

    return init_fun, apply_fun


def _sum_of_all() -> Layer:
    def init_fun(rng: Array, input_shape: Sequence[Sequence[int]]) -> Any:
        return input_shape[0], ()

    def apply_fun(params: object, inputs: Sequence[Array], **_: object) -> Any:
        return functools.reduce(operator.add, inputs)

    return init_fun, apply_fun


FanInSum = _sum_of_all()


def FanInConcat(axis: int = -1) -> Layer:
    """Returns a layer that joins a list of inputs along an axis."""

    def init_fun(rng: Array, input_shape: Sequence[Sequence[int]]) -> Any:
        along = axis % len(input_shape[0])
        total = sum(shape[along] for shape in input_shape)
        return (*input_shape[0][:along], total, *input_shape[0][along + 1 :]), ()

    def apply_fun(params: object, inputs: Sequence[Array], **_: object) -> Any:
        return jnp.concatenate(inputs, axis)

    return init_fun, apply_fun


def Dropout(rate: float, mode: str = "train") -> Layer:
    """Returns a layer that keeps elements with probability `rate`, and scales them up, in the mode
    "train"; `apply_fun` then takes a key as `rng`. In any other mode it returns its input.
    """

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        return input_shape, ()

    def apply_fun(params: object, inputs: Array, rng: Array | None = None, **_: object) -> Any:
        if rng is None:
            raise ValueError(
                "Dropout layer requires apply_fun to be called with a PRNG key argument: call "
                "`apply_fun(params, inputs, rng=key)`"
            )
        if mode != "train":
            return inputs
        keep = random.bernoulli(rng, rate, inputs.shape)
        return jnp.where(keep, inputs / rate, 0)

    return init_fun, apply_fun


def serial(*layers: Layer) -> Layer:
    """Returns a layer that applies layers one after the other."""
    inits, applies = tuple(zip(*layers, strict=True)) or ((), ())

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        params: list[Any] = []
        for init in inits:
            rng, key = random.split(rng)
            input_shape, found = init(key, input_shape)
            params.append(found)
        return input_shape, params

    def apply_fun(params: Sequence[object], inputs: Array, **kwargs: object) -> Any:
        for apply, own, key in zip(applies, params, _keys(kwargs, len(applies)), strict=True):
            inputs = apply(own, inputs, rng=key, **kwargs)
        return inputs

    return init_fun, apply_fun


def parallel(*layers: Layer) -> Layer:
    """Returns a layer that applies each layer to its element of a list of inputs."""
    inits, applies = tuple(zip(*layers, strict=True)) or ((), ())

    def init_fun(rng: Array, input_shape: Sequence[Sequence[int]]) -> Any:
        keys = random.split(rng, len(inits))
        found = [init(*pair) for init, *pair in zip(inits, keys, input_shape, strict=True)]
        shapes, params = zip(*found, strict=True)
        return list(shapes), list(params)

    def apply_fun(params: Sequence[object], inputs: Sequence[Array], **kwargs: object) -> Any:
        keys = _keys(kwargs, len(applies))
        return [
            apply(own, x, rng=key, **kwargs)
            for apply, own, x, key in zip(applies, params, inputs, keys, strict=True)
        ]

    return init_fun, apply_fun


def _keys(kwargs: dict[str, object], count: int) -> Any:
    """Takes the key out of the arguments; returns one for each layer, or None for each."""
    key: Any = kwargs.pop("rng", None)
    return (None,) * count if key is None else random.split(key, count)


def shape_dependent(make_layer: Callable[[Sequence[int]], Layer]) -> Layer:
    """Returns a layer that is made for the shape of its input."""

    def init_fun(rng: Array, input_shape: Sequence[int]) -> Any:
        return make_layer(input_shape)[0](rng, input_shape)

    def apply_fun(params: object, inputs: Array, **kwargs: object) -> Any:
        return make_layer(inputs.shape)[1](params, inputs, **kwargs)

    return init_fun, apply_fun
