"""Activation functions and other pieces of neural networks."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from oakum.abstract import creation, elementwise, nets, particular, reduction, results
from oakum.array import Array
from oakum.facts import public
from oakum.typing import ArrayLike, Axis, DTypeLike


@public("nn.celu", elementwise.inexact.over("x", "alpha"))
def celu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Computes the continuously differentiable exponential linear unit."""
    ...


@public("nn.elu", elementwise.inexact.over("x", "alpha"))
def elu(x: ArrayLike, alpha: ArrayLike = 1.0) -> Array:
    """Computes the exponential linear unit."""
    ...


@public("nn.gelu", particular.strong, static=("approximate",))
def gelu(x: ArrayLike, approximate: bool = True) -> Array:
    """Computes the Gaussian error linear unit."""
    ...


@public("nn.glu", nets.glu, static=("axis",))
def glu(x: ArrayLike, axis: int = -1) -> Array:
    """Multiplies one half of the elements by the logistic function of the other."""
    ...


@public("nn.hard_sigmoid", particular.with_float)
def hard_sigmoid(x: ArrayLike) -> Array:
    """Computes a piecewise linear approximation of the logistic function."""
    ...


@public("nn.hard_silu", particular.with_float)
def hard_silu(x: ArrayLike) -> Array:
    """Multiplies by a piecewise linear approximation of the logistic function."""
    ...


@public("nn.hard_swish", particular.with_float)
def hard_swish(x: ArrayLike) -> Array:
    """Multiplies by a piecewise linear approximation of the logistic function."""
    ...


@public("nn.hard_tanh", particular.rectified)
def hard_tanh(x: ArrayLike) -> Array:
    """Limits elements to the interval from -1 to 1."""
    ...


@public("nn.identity", elementwise.same.over("x"))
def identity(x: ArrayLike) -> Array:
    """Gives the elements as they are."""
    ...


@public("nn.leaky_relu", elementwise.inexact.over("x", "negative_slope"))
def leaky_relu(x: ArrayLike, negative_slope: ArrayLike = 0.01) -> Array:
    """Multiplies negative elements by a small slope."""
    ...


@public("nn.log1mexp", elementwise.inexact.over("x"))
def log1mexp(x: ArrayLike) -> Array:
    """Computes the logarithm of one minus an exponential."""
    ...


@public("nn.log_sigmoid", elementwise.inexact.over("x"))
def log_sigmoid(x: ArrayLike) -> Array:
    """Computes the logarithm of the logistic function."""
    ...


@public("nn.mish", particular.with_integer)
def mish(x: ArrayLike) -> Array:
    """Multiplies by the hyperbolic tangent of the softplus."""
    ...


@public("nn.relu", particular.rectified)
def relu(x: ArrayLike) -> Array:
    """Replaces negative elements by zero."""
    ...


@public("nn.relu6", particular.with_float)
def relu6(x: ArrayLike) -> Array:
    """Limits elements to the interval from 0 to 6."""
    ...


@public("nn.selu", particular.with_float)
def selu(x: ArrayLike) -> Array:
    """Computes the scaled exponential linear unit."""
    ...


@public("nn.sigmoid", elementwise.inexact.over("x"))
def sigmoid(x: ArrayLike) -> Array:
    """Computes the logistic function."""
    ...


@public("nn.silu", elementwise.inexact.over("x"))
def silu(x: ArrayLike) -> Array:
    """Multiplies by the logistic function."""
    ...


@public("nn.soft_sign", particular.with_integer)
def soft_sign(x: ArrayLike) -> Array:
    """Divides by one plus the absolute value."""
    ...


@public("nn.softplus", particular.with_integer)
def softplus(x: ArrayLike) -> Array:
    """Computes the logarithm of one plus the exponential."""
    ...


@public("nn.sparse_plus", particular.with_float)
def sparse_plus(x: ArrayLike) -> Array:
    """Computes a softplus with a flat left end."""
    ...


@public("nn.sparse_sigmoid", particular.with_float)
def sparse_sigmoid(x: ArrayLike) -> Array:
    """Computes the derivative of the sparse softplus."""
    ...


@public("nn.squareplus", particular.loosely("x", "b"))
def squareplus(x: ArrayLike, b: ArrayLike = 4) -> Array:
    """Computes an algebraic softplus."""
    ...


@public("nn.swish", elementwise.inexact.over("x"))
def swish(x: ArrayLike) -> Array:
    """Multiplies by the logistic function."""
    ...


@public("nn.log_softmax", elementwise.inexact.over("x"), static=("axis",))
def log_softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Computes logarithms of the softmax along axes."""
    ...


@public("nn.softmax", elementwise.inexact.over("x"), static=("axis",))
def softmax(x: ArrayLike, axis: Axis = -1, where: ArrayLike | None = None) -> Array:
    """Computes exponentials that sum to one along axes."""
    ...


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
    ...


@public("nn.logmeanexp", reduction.means, static=("axis", "keepdims"))
def logmeanexp(
    x: ArrayLike, axis: Axis = None, where: ArrayLike | None = None, keepdims: bool = False
) -> Array:
    """Computes the logarithm of the mean of exponentials along axes."""
    ...


@public("nn.logsumexp", nets.signed_log_sum, static=("axis", "keepdims", "return_sign"))
def logsumexp(
    a: ArrayLike,
    axis: Axis = None,
    b: ArrayLike | None = None,
    keepdims: bool = False,
    return_sign: bool = False,
    where: ArrayLike | None = None,
) -> Array | tuple[Array, Array]:
    """Computes the logarithm of the sum of exponentials along axes."""
    ...


@public("nn.one_hot", creation.one_hot, static=("num_classes", "axis"))
def one_hot(
    x: Any, num_classes: int, *, dtype: Any | None = None, axis: int | Hashable = -1
) -> Array:
    """Makes vectors with a one at the index that each element gives."""
    ...


@public(
    "nn.dot_product_attention",
    nets.attention,
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
    implementation: Any = None,
    return_residual: bool = False,
) -> Any:
    """Computes attention: values averaged by the similarity of queries and keys."""
    ...


@public("nn.get_scaled_dot_general_config")
def get_scaled_dot_general_config(mode: Any, global_scale: Array | None = None) -> Any:
    """Makes the configuration of a scaled contraction."""
    ...


@public("nn.scaled_dot_general", results.array)
def scaled_dot_general(
    lhs: Any,
    rhs: Any,
    dimension_numbers: Any,
    preferred_element_type: Any = None,
    configs: Any = None,
    implementation: Any = None,
) -> Any:
    """Contracts two arrays in a small format with scales."""
    ...


@public("nn.scaled_matmul", results.array)
def scaled_matmul(
    lhs: Array,
    rhs: Array,
    lhs_scales: Array,
    rhs_scales: Array,
    preferred_element_type: DTypeLike | None = None,
) -> Array:
    """Multiplies batches of matrices of small floats with scales."""
    ...
