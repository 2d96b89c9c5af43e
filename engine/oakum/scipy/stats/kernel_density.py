"""Kernel density estimates: a sum of Gaussians, one about each point of a data set."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from oakum import lax, random
from oakum import numpy as jnp
from oakum.array import Array
from oakum.errors import ShapeError
from oakum.numpy import arguments
from oakum.pytrees.node_types import NodeKind, register
from oakum.scipy import special
from oakum.typing import ArrayLike, Shape
from oakum.values.declarations import public_class

_FIELDS = ("neff", "dataset", "weights", "covariance", "inv_cov")


@public_class("scipy.stats.gaussian_kde")
class gaussian_kde:  # SciPy's name
    """The density of which a data set, of shape (dimensions, points), is a sample.

    `bw_method` says how wide the Gaussians are, relative to the covariance of the data: "scott",
    "silverman", a number, or a function that gives it for the estimate.
    """

    neff: Array
    """The number of points, less where their weights differ."""
    dataset: Array
    weights: Array
    covariance: Array
    """The covariance of each Gaussian."""
    inv_cov: Array

    def __init__(
        self,
        dataset: ArrayLike,
        bw_method: str | float | Callable[[gaussian_kde], Any] | None = None,
        weights: ArrayLike | None = None,
    ) -> None:
        arguments.check_arrays("gaussian_kde", dataset)
        points: Any = jnp.atleast_2d(dataset)
        if arguments.is_complex(points):
            raise NotImplementedError("gaussian_kde does not support complex data")
        if points.size <= 1:
            raise ShapeError(
                "`dataset` input should have multiple elements.", hint="Give two points at least."
            )
        count = points.shape[1]
        if weights is None:
            (points,) = arguments.promote_inexact(points)
            given = jnp.full(count, 1.0 / count, points.dtype)
        else:
            arguments.check_arrays("gaussian_kde", weights)
            points, given = arguments.promote_inexact(points, jnp.atleast_1d(weights))
            if given.ndim != 1 or given.shape[0] != count:
                raise ShapeError(
                    f"`weights` input should be one-dimensional and of length {count}, got shape "
                    f"{given.shape}",
                    hint="Give a weight for each point.",
                )
            given = given / jnp.sum(given)
        self.dataset, self.weights = points, given
        self.neff = 1 / jnp.sum(given**2)
        factor = self._factor("scott" if bw_method is None else bw_method)
        own: Any = jnp.atleast_2d(jnp.cov(points, rowvar=True, bias=False, aweights=given))
        self.covariance = own * factor**2
        self.inv_cov = jnp.linalg.inv(own) / factor**2

    def _factor(self, method: Any) -> Any:
        power = -1.0 / (self.d + 4)
        if callable(method):
            return method(self)
        if isinstance(method, str):
            if method == "scott":
                return self.neff**power
            if method == "silverman":
                return (self.neff * (self.d + 2) / 4.0) ** power
        elif jnp.ndim(method) == 0:
            return method
        raise ValueError(
            f"`bw_method` should be 'scott', 'silverman', a scalar, or a callable: got {method!r}"
        )

    @property
    def d(self) -> int:
        """The number of dimensions."""
        return self.dataset.shape[0]

    @property
    def n(self) -> int:
        """The number of points."""
        return self.dataset.shape[1]

    def evaluate(self, points: ArrayLike) -> Array:
        """Returns the density at points, of shape (dimensions, points)."""
        return self._summed(points, log=False)

    def __call__(self, points: ArrayLike) -> Array:
        return self.evaluate(points)

    def pdf(self, x: ArrayLike) -> Array:
        """Returns the density at points."""
        return self.evaluate(x)

    def logpdf(self, x: ArrayLike) -> Array:
        """Returns the logarithm of the density at points."""
        return self._summed(x, log=True)

    def _summed(self, points: ArrayLike, *, log: bool) -> Any:
        """Adds the Gaussians up, in coordinates in which each is of variance one."""
        arguments.check_arrays("gaussian_kde.evaluate", points)
        places = self._points_of(points)
        root = jnp.linalg.cholesky(self.inv_cov)
        norm = jnp.sum(jnp.log(jnp.diagonal(root))) - self.d * 0.5 * math.log(2 * math.pi)
        means, places = root.T @ self.dataset, root.T @ places
        energies = jnp.sum((means[:, :, None] - places[:, None, :]) ** 2, axis=0) / 2
        if log:
            weighted = jnp.log(self.weights)[:, None] - energies
            return special.logsumexp(weighted, axis=0) + norm
        return jnp.sum(jnp.exp(norm - energies) * self.weights[:, None], axis=0)

    def _points_of(self, points: ArrayLike) -> Any:
        given: Any = jnp.atleast_2d(points)
        given = given.astype(self.dataset.dtype)
        rows, columns = given.shape
        if rows == self.d:
            return given
        if rows == 1 and columns == self.d:
            return given.reshape(self.d, 1)
        raise ShapeError(
            f"points have dimension {rows}, dataset has dimension {self.d}",
            hint="Give points as columns.",
        )

    def integrate_gaussian(self, mean: ArrayLike, cov: ArrayLike) -> Array:
        """Integrates the density times a Gaussian over the whole space."""
        arguments.check_arrays("gaussian_kde.integrate_gaussian", mean, cov)
        middle: Any = jnp.atleast_1d(jnp.squeeze(mean))
        spread: Any = jnp.atleast_2d(cov)
        if middle.shape != (self.d,):
            raise ShapeError(f"mean does not have dimension {self.d}", hint="Give one point.")
        if spread.shape != (self.d, self.d):
            raise ShapeError(
                f"covariance does not have dimension {self.d}", hint="Give a square matrix."
            )
        apart = self.dataset - middle[:, None]
        return jnp.sum(_overlaps(apart, self.covariance + spread) * self.weights)

    def integrate_box_1d(self, low: ArrayLike, high: ArrayLike) -> Array:
        """Integrates the density of one dimension from a number to another."""
        if self.d != 1:
            raise ShapeError(
                "integrate_box_1d() only handles 1D pdfs", hint="Give data of one dimension."
            )
        if jnp.ndim(low) != 0 or jnp.ndim(high) != 0:
            raise ShapeError("the limits of integration in integrate_box_1d must be scalars")
        deviation = jnp.sqrt(self.covariance[0, 0])
        ends = [(each - self.dataset[0]) / deviation for each in (low, high)]
        return jnp.sum(self.weights * (special.ndtr(ends[1]) - special.ndtr(ends[0])))

    def integrate_kde(self, other: gaussian_kde) -> Array:
        """Integrates the product of two densities over the whole space."""
        if other.d != self.d:
            raise ShapeError("KDEs are not the same dimensionality")
        apart = self.dataset[:, :, None] - other.dataset[:, None, :]
        overlaps = _overlaps(
            apart.reshape(self.d, self.n * other.n), self.covariance + other.covariance
        )
        return self.weights @ overlaps.reshape(self.n, other.n) @ other.weights

    def resample(self, key: Array, shape: Shape = ()) -> Array:
        """Draws points of the density, of shape (dimensions, *shape)."""
        chosen_key, moved_key = random.split(key)
        chosen = random.choice(chosen_key, self.n, shape, p=self.weights)
        moved = random.multivariate_normal(
            moved_key,
            jnp.zeros(self.d, self.covariance.dtype),
            self.covariance,
            shape,
            dtype=self.dataset.dtype,
        )
        return self.dataset[:, chosen] + moved.T

    def integrate_box(self, low_bounds: object, high_bounds: object, maxpts: object = None) -> Any:
        """Raises NotImplementedError, as in JAX."""
        del low_bounds, high_bounds, maxpts
        raise NotImplementedError("only 1D box integrations are supported; use `integrate_box_1d`")

    def set_bandwidth(self, bw_method: object = None) -> None:
        """Raises NotImplementedError, as in JAX: an estimate does not change."""
        del bw_method
        raise NotImplementedError("dynamically changing the bandwidth method is not supported")


def _overlaps(apart: Array, covariance: Array) -> Any:
    """Returns the densities of a Gaussian about zero at points."""
    root = jnp.linalg.cholesky(covariance)
    turned = lax.linalg.triangular_solve(root, apart, left_side=True, lower=True)
    norm = (2 * math.pi) ** (apart.shape[0] / 2) * jnp.prod(jnp.diagonal(root))
    return jnp.exp(-jnp.sum(turned**2, axis=0) / 2) / norm


def _take_apart(estimate: gaussian_kde) -> tuple[tuple[Any, ...], None]:
    return tuple(getattr(estimate, name) for name in _FIELDS), None


def _put_together(_: None, fields: tuple[Any, ...]) -> gaussian_kde:
    made = gaussian_kde.__new__(gaussian_kde)
    vars(made).update(zip(_FIELDS, fields, strict=True))
    return made


register(NodeKind(gaussian_kde, _take_apart, _put_together))
