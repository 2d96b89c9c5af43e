"""Resizing of images: weights of kernels along each axis, and their products with the image."""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from oakum import errors, lax
from oakum import numpy as jnp
from oakum.abstract import results
from oakum.array import Array
from oakum.numpy import arguments
from oakum.typing import ArrayLike, DTypeLike, PrecisionLike, Shape
from oakum.values import host
from oakum.values.declarations import public
from oakum.values.records import dataclass


class ResizeMethod(enum.Enum):
    """How pixels between pixels are computed."""

    NEAREST = 0
    LINEAR = 1
    LANCZOS3 = 2
    LANCZOS5 = 3
    CUBIC = 4
    CUBIC_PYTORCH = 5
    AREA = 6

    @staticmethod
    def from_string(s: str) -> ResizeMethod:
        """Returns the method of a name; ValueError for what is none."""
        if s not in _NAMES:
            raise ValueError(f'Unknown resize method "{s}"')
        return _NAMES[s]


_NAMES: Final = {
    "nearest": ResizeMethod.NEAREST,
    **dict.fromkeys(("linear", "bilinear", "trilinear", "triangle"), ResizeMethod.LINEAR),
    "lanczos3": ResizeMethod.LANCZOS3,
    "lanczos5": ResizeMethod.LANCZOS5,
    **dict.fromkeys(("cubic", "bicubic", "tricubic"), ResizeMethod.CUBIC),
    **dict.fromkeys(("cubic-pytorch", "bicubic-pytorch"), ResizeMethod.CUBIC_PYTORCH),
    "area": ResizeMethod.AREA,
}


def _triangle(x: ArrayLike) -> Any:
    return jnp.maximum(0, 1 - jnp.abs(x))


def _keys_cubic(x: Array) -> Any:
    """Returns Keys' cubic kernel, with a = -1/2."""
    near = ((1.5 * x - 2.5) * x) * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return jnp.where(x >= 2.0, 0.0, jnp.where(x >= 1.0, far, near))


def _steep_cubic(x: Array) -> Any:
    """Returns the cubic kernel with a = -3/4."""
    a = -0.75
    near = ((a + 2.0) * x - (a + 3.0)) * x * x + 1.0
    far = ((a * x - 5.0 * a) * x + 8.0 * a) * x - 4.0 * a
    return jnp.where(x >= 2.0, 0.0, jnp.where(x >= 1.0, far, near))


def _lanczos(radius: float) -> Callable[[Any], Any]:
    def kernel(x: Array) -> Any:
        top = radius * jnp.sin(math.pi * x) * jnp.sin(math.pi * x / radius)
        bottom = jnp.where(x != 0, math.pi**2 * x**2, 1)
        value = jnp.where(x > 1e-3, jnp.divide(top, bottom), 1)
        return jnp.where(x > radius, 0.0, value)

    return kernel


@dataclass(frozen=True, slots=True)
class Kernel:
    """The weight of a pixel by its distance; None stands for the share of its area.

    `repeats_edges` says that pixels beyond the edge count as those on it, `radius` how many.
    """

    weight: Callable[[Any], Any] | None
    radius: int = 0
    repeats_edges: bool = False


_KERNELS: Final = {
    ResizeMethod.LINEAR: Kernel(_triangle),
    ResizeMethod.LANCZOS3: Kernel(_lanczos(3.0)),
    ResizeMethod.LANCZOS5: Kernel(_lanczos(5.0)),
    ResizeMethod.CUBIC: Kernel(_keys_cubic),
    ResizeMethod.CUBIC_PYTORCH: Kernel(_steep_cubic, 2, repeats_edges=True),
    ResizeMethod.AREA: Kernel(None),
}


def _kernel_of(method: ResizeMethod, *, antialias: bool) -> Kernel:
    """Returns the kernel of a method."""
    if method is ResizeMethod.CUBIC_PYTORCH and antialias:
        method = ResizeMethod.CUBIC
    return _KERNELS[method]


def _weights(
    size: int, result: int, scale: Array, translation: ArrayLike, kernel: Kernel, *, antialias: bool
) -> Any:
    """Returns the weight of each pixel of an axis in each pixel of the result."""
    scale, translation = arguments.promote_inexact(scale, translation)
    dtype = scale.dtype
    step = 1.0 / scale
    at = jnp.arange(result, dtype=dtype)
    centers = (at + 0.5) * step - translation * step - 0.5
    if kernel.weight is None:
        weights = _shares(size, at * step - translation * step, step, dtype)
    else:
        width = jnp.maximum(step, 1.0) if antialias else 1.0
        beyond = kernel.radius if kernel.repeats_edges else 0
        places = jnp.arange(-beyond, size + beyond, dtype=dtype)
        distances = jnp.abs(centers[None, :] - places[:, None]) / width
        weights = kernel.weight(distances)
        if kernel.repeats_edges:
            return _normalized(_folded(weights, size, beyond))
    inside = jnp.logical_and(centers >= -0.5, centers <= size - 0.5)[None, :]
    return jnp.where(inside, _normalized(weights), 0)


def _shares(size: int, left: Array, width: ArrayLike, dtype: DTypeLike) -> Any:
    """Returns how much of each pixel lies in each pixel of the result."""
    start = jnp.arange(size, dtype=dtype)[:, None]
    stop = jnp.minimum((left + width)[None, :], start + 1.0)
    return jnp.maximum(0.0, stop - jnp.maximum(left[None, :], start))


def _folded(weights: Array, size: int, beyond: int) -> Any:
    """Returns the weights of pixels beyond the edges added to those on them."""
    targets = host.np.clip(host.np.arange(-beyond, size + beyond), 0, size - 1).astype("int32")
    empty = jnp.zeros((size, arguments.shape_of(weights)[1]), weights.dtype)
    return empty.at[targets].add(weights)


def _normalized(weights: ArrayLike) -> Any:
    """Returns the weights divided by their sum, where that is no rounding error."""
    total = jnp.sum(weights, axis=0, keepdims=True)
    limit = 1000.0 * float(host.np.finfo("float32").eps)
    safe = jnp.where(total != 0, total, 1)
    return jnp.where(jnp.abs(total) > limit, jnp.divide(weights, safe), 0)


def _weighted(
    image: ArrayLike,
    shape: Sequence[int],
    axes: Sequence[int],
    scales: Sequence[Any],
    translations: Sequence[Any],
    kernel: Kernel,
    *,
    antialias: bool,
    precision: PrecisionLike,
) -> Any:
    """Returns the image scaled and shifted along axes."""
    if not axes:
        return image
    rank = arguments.rank_of(image)
    labels, result = list(range(rank)), list(range(rank))
    terms: list[Any] = []
    for i, each in enumerate(axes):
        axis = arguments.axis(each, rank)
        size = arguments.shape_of(image)[axis]
        weights = _weights(
            size, shape[axis], scales[i], translations[i], kernel, antialias=antialias
        )
        terms += [arguments.convert(weights, arguments.dtype_of(image)), [axis, rank + i]]
        result[axis] = rank + i
    return jnp.einsum(image, labels, *terms, result, precision=precision)


def _nearest(image: ArrayLike, shape: Sequence[int]) -> Any:
    """Returns the image with each pixel of the result taken from the pixel that it lies in."""
    for axis, (size, wanted) in enumerate(zip(arguments.shape_of(image), shape, strict=True)):
        if size != wanted:
            np = host.np
            at = (np.arange(wanted, dtype=np.float32) + np.float32(0.5)) * np.float32(size)
            where = np.floor(at / np.float32(max(wanted, 1))).astype(np.int32)
            image = jnp.take(image, where, axis=axis, mode="clip")
    return image


def _read_shape(image: ArrayLike, shape: object) -> tuple[int, ...]:
    """Returns the shape asked for, which must have as many axes as the image."""
    sizes = arguments.sizes(shape, "the shape of jax.image")
    if len(sizes) != arguments.rank_of(image):
        raise errors.ShapeError(
            "shape must have length equal to the number of dimensions of x;  "
            f"{sizes} vs {arguments.shape_of(image)}"
        )
    return sizes


def _method(method: object) -> ResizeMethod:
    if isinstance(method, ResizeMethod):
        return method
    return ResizeMethod.from_string(cast("str", method))


def _precision(precision: PrecisionLike) -> PrecisionLike:
    """Returns the precision that a number stands for."""
    return lax.Precision(precision) if isinstance(precision, int) else precision


@public("image.resize", results.array, static=("method", "antialias"), shapes=("shape",))
def resize(
    image: object,
    shape: Shape,
    method: object,
    antialias: bool = True,
    precision: PrecisionLike = 2,
) -> Any:
    """Resizes an image by interpolation."""
    (pixels,) = arguments.arrays("resize", image)
    sizes = _read_shape(pixels, shape)
    named = _method(method)
    if named is ResizeMethod.NEAREST:
        return _nearest(pixels, sizes)
    (pixels,) = arguments.promote_inexact(pixels)
    have = arguments.shape_of(pixels)
    axes = [i for i, (old, new) in enumerate(zip(have, sizes, strict=True)) if old != new]
    scales = [1.0 if not sizes[i] else sizes[i] / have[i] for i in axes]
    kernel = _kernel_of(named, antialias=antialias)
    return _weighted(
        pixels,
        sizes,
        axes,
        scales,
        [0.0] * len(axes),
        kernel,
        antialias=antialias,
        precision=_precision(precision),
    )


@public(
    "image.scale_and_translate",
    results.array,
    static=("spatial_dims", "method", "antialias"),
    shapes=("shape",),
)
def scale_and_translate(
    image: object,
    shape: Shape,
    spatial_dims: Sequence[int],
    scale: object,
    translation: object,
    method: object,
    antialias: bool = True,
    precision: PrecisionLike = 2,
) -> Any:
    """Scales and shifts an image by interpolation."""
    (pixels,) = arguments.arrays("scale_and_translate", image)
    sizes = _read_shape(pixels, shape)
    named = _method(method)
    if named is ResizeMethod.NEAREST:
        raise ValueError(
            "Nearest neighbor resampling is not currently supported for scale_and_translate."
        )
    (pixels,) = arguments.promote_inexact(pixels)
    scales, shifts = arguments.promote_inexact(jnp.asarray(scale), jnp.asarray(translation))
    count = len(spatial_dims)
    kernel = _kernel_of(named, antialias=antialias)
    return _weighted(
        pixels,
        sizes,
        spatial_dims,
        [scales[i] for i in range(count)],
        [shifts[i] for i in range(count)],
        kernel,
        antialias=antialias,
        precision=lax.Precision.HIGHEST if precision is None else _precision(precision),
    )
