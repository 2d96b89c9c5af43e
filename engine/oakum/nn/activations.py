"""Activation functions and other pieces of neural networks."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from oakum import lax
from oakum import numpy as jnp
from oakum.abstract import creation, elementwise, neural_networks, reduction, results
from oakum.array import Array
from oakum.nn import attention, classes, rectifiers, scaled
from oakum.numpy import arguments, coercion, log_sums
from oakum.typing import ArrayLike, Axis, DTypeLike
from oakum.values.declarations import public


@public("nn.celu", elementwise.inexact.over("x", "alpha"))
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Computes the continuously differentiable exponential linear unit."""
    return jnp.maximum(x, 0.0) + alpha * jnp.expm1(jnp.minimum(x, 0.0) / alpha)


@public("nn.elu", elementwise.inexact.over("x", "alpha"))
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Computes the exponential linear unit."""
    (value,) = arguments.arrays("elu", x)
    # An exponential that overflows where it is not taken would make the derivative NaN.
    return jnp.where(value > 0, value, alpha * jnp.expm1(jnp.where(value > 0, 0.0, value)))


@public("nn.gelu", elementwise.strong_inexact, static=("approximate",))
def gelu(x: ArrayLike, approximate: bool = True) -> Array:
    """Computes the Gaussian error linear unit."""
    (given,) = coercion.promote_inexact("gelu", x)
    if approximate:
        root = coercion.constant(math.sqrt(2 / math.pi), arguments.dtype_of(given))
        return given * (0.5 * (1.0 + jnp.tanh(root * (given + 0.044715 * (given**3)))))
    root = coercion.constant(math.sqrt(0.5), arguments.dtype_of(given))
    return arguments.strong(0.5 * given * lax.erfc(-given * root))


@public("nn.glu", neural_networks.glu, static=("axis",))
def glu(x: ArrayLike, axis: int = -1) -> Array:
    """Multiplies one half of the elements by the logistic function of the other."""
    (value,) = arguments.arrays("glu", x)
    assert value.shape[axis] % 2 == 0, "axis size must be divisible by 2"
    first, second = jnp.split(value, 2, axis)
    return first * lax.logistic(second)


@public("nn.hard_sigmoid", neural_networks.with_float)
def hard_sigmoid(x: ArrayLike) -> Array:
    """Computes a piecewise linear approximation of the logistic function."""
    return relu6(jnp.add(x, 3.0)) / 6.0


@public("nn.hard_silu", neural_networks.with_float)
def hard_silu(x: ArrayLike) -> Array:
    """Multiplies by a piecewise linear approximation of the logistic function."""
    (value,) = arguments.arrays("hard_silu", x)
    return value * hard_sigmoid(value)


@public("nn.hard_swish", neural_networks.with_float)
def hard_swish(x: ArrayLike) -> Array:
    """Multiplies by a piecewise linear approximation of the logistic function."""
    return hard_silu(x)


@public("nn.hard_tanh", neural_networks.rectified)
def hard_tanh(x: ArrayLike) -> Array:
    """Limits elements to the interval from -1 to 1."""
    (value,) = arguments.arrays("hard_tanh", x)
    return jnp.where(value > 1, 1, jnp.where(value < -1, -1, value))


@public("nn.identity", elementwise.same.over("x"))
def identity(x: ArrayLike) -> Array:
    """Returns the elements as they are."""
    return coercion.staged(arguments.arrays("identity", x)[0])


@public("nn.leaky_relu", elementwise.inexact.over("x", "negative_slope"))
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Array:
    """Multiplies negative elements by a small slope."""
    (value,) = arguments.arrays("leaky_relu", x)
    return jnp.where(value >= 0, value, negative_slope * value)


@public("nn.log1mexp", elementwise.inexact.over("x"))
def log1mexp(x: ArrayLike) -> Array:
    """Computes the logarithm of one minus an exponential."""
    return rectifiers.log1mexp()(*arguments.arrays("log1mexp", x))


@public("nn.log_sigmoid", elementwise.inexact.over("x"))
def log_sigmoid(x: ArrayLike) -> Array:
    """Computes the logarithm of the logistic function."""
    (value,) = arguments.arrays("log_sigmoid", x)
    return -softplus(-value)


@public("nn.mish", neural_networks.with_integer)
def mish(x: ArrayLike) -> Array:
    """Multiplies by the hyperbolic tangent of the softplus."""
    (value,) = arguments.arrays("mish", x)
    return value * jnp.tanh(softplus(value))


@public("nn.relu", neural_networks.rectified)
def relu(x: ArrayLike) -> Array:
    """Replaces negative elements by zero."""
    return rectifiers.relu(*arguments.arrays("relu", x))


@public("nn.relu6", neural_networks.with_float)
def relu6(x: ArrayLike) -> Array:
    """Limits elements to the interval from 0 to 6."""
    return rectifiers.relu6(*arguments.arrays("relu6", x))


@public("nn.selu", neural_networks.with_float)
def selu(x: ArrayLike) -> Array:
    """Computes the scaled exponential linear unit."""
    return 1.0507009873554805 * elu(x, 1.6732632423543772)


@public("nn.sigmoid", elementwise.exact(elementwise.INEXACT).over("x"))
def sigmoid(x: ArrayLike) -> Array:
    """Computes the logistic function."""
    return lax.logistic(x)


@public("nn.silu", elementwise.exact(elementwise.INEXACT).over("x"))
def silu(x: ArrayLike) -> Array:
    """Multiplies by the logistic function."""
    (value,) = arguments.arrays("silu", x)
    return value * lax.logistic(value)


@public("nn.soft_sign", neural_networks.with_integer)
def soft_sign(x: ArrayLike) -> Array:
    """Divides by one plus the absolute value."""
    (value,) = arguments.arrays("soft_sign", x)
    return value / (jnp.abs(value) + 1)


@public("nn.softplus", neural_networks.with_integer)
def softplus(x: ArrayLike) -> Array:
    """Computes the logarithm of one plus the exponential."""
    return jnp.logaddexp(x, 0)


@public("nn.sparse_plus", neural_networks.with_float)
def sparse_plus(x: ArrayLike) -> Array:
    """Computes a softplus with a flat left end."""
    (value,) = arguments.arrays("sparse_plus", x)
    return jnp.where(value <= -1.0, 0.0, jnp.where(value >= 1.0, value, (value + 1.0) ** 2 / 4))


@public("nn.sparse_sigmoid", neural_networks.with_float)
def sparse_sigmoid(x: ArrayLike) -> Array:
    """Computes the derivative of the sparse softplus."""
    return 0.5 * jnp.clip(jnp.add(x, 1.0), 0.0, 2.0)


@public("nn.squareplus", elementwise.loose_inexact.over("x", "b"))
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
    """Computes an algebraic softplus."""
    value, second = arguments.arrays("squareplus", x, b)
    return (value + jnp.sqrt(jnp.square(value) + second)) / 2


@public("nn.swish", elementwise.exact(elementwise.INEXACT).over("x"))
def swish(x: ArrayLike) -> Array:
    """Multiplies by the logistic function."""
    return silu(x)


@public("nn.log_softmax", neural_networks.normalised, static=("axis",))
def log_softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Computes logarithms of the softmax along axes."""
    (given,) = arguments.arrays("log_softmax", x)
    return log_sums.log_softmax(given, axis, where)


@public("nn.softmax", neural_networks.normalised, static=("axis",))
def softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Computes exponentials that sum to one along axes."""
    (given,) = arguments.arrays("softmax", x)
    return log_sums.softmax(given, axis, where)


@public("nn.standardize", elementwise.inexact.over("x"), static=("axis",))
def standardize(
    x: ArrayLike,
    axis: Axis = -1,
    mean: ArrayLike | None = None,
    variance: ArrayLike | None = None,
    epsilon: ArrayLike = 1e-05,
    where: ArrayLike | None = None,
    *,
    algorithm: str = "fast",
) -> Array:
    """Shifts and scales elements to mean zero and variance one along axes."""
    arguments.check_arrays("standardize", x)
    arguments.check_arrays_or_none("standardize", mean, variance, where)
    return log_sums.standardize(x, axis, mean, variance, epsilon, where, algorithm)


@public("nn.logmeanexp", reduction.means, static=("axis", "keepdims"))
def logmeanexp(
    x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False
) -> Array:
    """Computes the logarithm of the mean of exponentials along axes."""
    return log_sums.logmeanexp(x, axis, where, keepdims)


@public("nn.logsumexp", neural_networks.signed_log_sum, static=("axis", "keepdims", "return_sign"))
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes the logarithm of the sum of exponentials along axes."""
    return log_sums.logsumexp(a, axis, b, keepdims, return_sign, where)


@public("nn.one_hot", creation.one_hot, static=("num_classes", "axis"))
def one_hot(
    x: object, num_classes: int, *, dtype: Any | None = None, axis: int | Hashable = -1
) -> Array:
    """Makes vectors with a one at the index in each element."""
    return classes.one_hot(x, num_classes, dtype, axis)


@public(
    "nn.dot_product_attention",
    neural_networks.attention,
    static=("is_causal", "local_window_size", "return_residual"),
)
def dot_product_attention(
    query: ArrayLike,
    key: ArrayLike,
    value: ArrayLike,
    bias: ArrayLike | None = None,
    mask: ArrayLike | None = None,
    *,
    scale: float | None = None,
    is_causal: bool = False,
    query_seq_lengths: ArrayLike | None = None,
    key_value_seq_lengths: ArrayLike | None = None,
    local_window_size: int | tuple[int, int] | None = None,
    implementation: object = None,
    return_residual: bool = False,
) -> Any:
    """Computes attention: values averaged by the similarity of queries and keys."""
    return attention.dot_product_attention(
        query,
        key,
        value,
        bias,
        mask,
        scale=scale,
        lengths=(query_seq_lengths, key_value_seq_lengths),
        window=attention.Window(is_causal, local_window_size),
        implementation=implementation,
        return_residual=return_residual,
    )


@public("nn.get_scaled_dot_general_config")
def get_scaled_dot_general_config(mode: object, global_scale: Array | None = None) -> Any:
    """Makes the configuration of a scaled contraction."""
    return scaled.configuration(mode, global_scale)


@public("nn.scaled_dot_general", results.array)
def scaled_dot_general(
    lhs: object,
    rhs: object,
    dimension_numbers: object,
    preferred_element_type: DTypeLike | None = None,
    configs: object = None,
    implementation: object = None,
) -> Any:
    """Contracts two arrays in a small format with scales."""
    return scaled.dot_general(
        lhs, rhs, dimension_numbers, preferred_element_type, configs, implementation
    )


@public("nn.scaled_matmul", results.array)
def scaled_matmul(
    lhs: Array,
    rhs: Array,
    lhs_scales: Array,
    rhs_scales: Array,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies batches of matrices of small floats with scales."""
    return scaled.matmul(lhs, rhs, lhs_scales, rhs_scales, preferred_element_type)
