"""Reductions, running sums, quantiles, histograms and other statistics.

A user who sees one of these fail gets other numbers, shapes or dtypes than JAX gives.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from cases_in_modes import Case, array, runs
from cases_in_modes import check as check_case
from expressions_alike import check, lines

import oakum
from oakum import errors
from oakum import numpy as jnp

REDUCTIONS = lines("""
    jnp.sum(x), x.sum(0), x.sum(axis=-1, keepdims=True), x.sum((0, 1)), x.sum(axis=()), jnp.sum(w)
    jnp.sum(s), jnp.sum(u), jnp.sum(b), jnp.sum(s, promote_integers=False), jnp.sum(i, dtype=float)
    jnp.sum(h), jnp.sum(f), jnp.sum(h, dtype='float16'), jnp.sum(b, dtype=bool)
    jnp.sum(x, where=x > 0), jnp.sum(x, 0, initial=3, where=b), jnp.sum(x, initial=jnp.asarray(2.0))
    jnp.sum(x, axis=2)
    jnp.sum(x, axis=(0, 0))
    jnp.sum(x, out=x)
    jnp.sum(x, where=y)
    jnp.sum(x, initial=y)
    jnp.sum([1, 2])
    jnp.sum('a')
    jnp.sum(jnp.zeros((0, 3)), 0), jnp.prod(jnp.zeros(0)), jnp.mean(jnp.zeros((2, 0)), 0)
    jnp.prod(x, 1), jnp.prod(s), jnp.prod(b), x.prod(where=x > 0, initial=2)
    jnp.max(x), jnp.min(x, 1), x.max(axis=0, keepdims=True), jnp.amax(i), jnp.amin(u), jnp.max(b)
    jnp.max(n), jnp.min(n, 1), jnp.max(c), jnp.max(w)
    jnp.max(x, initial=9), jnp.min(x, 0, where=x > 0, initial=7)
    jnp.max(x, where=x > 0)
    jnp.max(jnp.zeros((0, 2)))
    jnp.max(jnp.zeros((0, 2)), axis=1), jnp.max(jnp.zeros((0, 2)), initial=1)
    jnp.ptp(x), jnp.ptp(i, 1, keepdims=True), x.ptp(0)
    jnp.ptp(b)
    jnp.all(x, 1), jnp.any(i), jnp.all(b, keepdims=True), jnp.any(c), x.all(where=x > 0), i.any(0)
    jnp.argmax(x), jnp.argmin(x, 1), x.argmax(0, keepdims=True), jnp.argmax(n, 1), i.argmin()
    jnp.argmax(x, keepdims=True), jnp.argmax(b)
    jnp.argmax(jnp.zeros((0, 2)))
    jnp.argmax(x, out=x)
    jnp.count_nonzero(x), jnp.count_nonzero(b, 0), jnp.count_nonzero(i, axis=1, keepdims=True)
    jnp.mean(x), x.mean(1), jnp.mean(i), jnp.mean(b), jnp.mean(h), jnp.mean(c), jnp.mean(w)
    jnp.mean(x, dtype='float16'), jnp.mean(x, 0, where=x > 0), jnp.mean(i, dtype=int)
    jnp.std(x), x.std(0, ddof=1), jnp.var(i, 1), jnp.var(c), jnp.std(h), jnp.var(x, correction=1)
    jnp.var(x, where=x > 0), jnp.var(x, 0, mean=jnp.zeros((1, 3))), jnp.var(x, ddof=6)
    jnp.std(x, dtype=int)
    jnp.var(c, dtype='float32')
    jnp.var(x, ddof=1, correction=1)
    jnp.nansum(n), jnp.nanprod(n, 1), jnp.nansum(i), jnp.nanmax(n), jnp.nanmin(n, 1)
    jnp.nanmean(n, 0)
    jnp.nanmax(n, 0, initial=-5), jnp.nanmax(jnp.asarray([np.nan])), jnp.nanmean(i)
    jnp.nanvar(n[:, :2] * 0 + 1), jnp.nanstd(jnp.asarray([1.0, np.nan, 3.0]), ddof=1), jnp.nanvar(i)
    jnp.nanargmax(n), jnp.nanargmin(n, 1), jnp.nanargmax(jnp.asarray([np.nan])), jnp.nanargmin(i)
    jnp.average(x), jnp.average(i, 0), jnp.average(x, 1, weights=y), jnp.average(x, weights=x + 9)
    jnp.average(x, 1, y, returned=True), jnp.average(x, returned=True)
    jnp.average(x, 1, keepdims=True)
    jnp.average(x, weights=y)
    jnp.average(x, 0, weights=y)
    jnp.average(jnp.ones((2, 3, 4)), (2, 0), weights=jnp.arange(8.0).reshape(4, 2))
""")

RUNNING = lines("""
    jnp.cumsum(x), x.cumsum(1), jnp.cumsum(s), jnp.cumsum(b), jnp.cumsum(i, 0, dtype=float)
    jnp.cumprod(x, 1), x.cumprod(), jnp.cumprod(b), jnp.cumsum(2.0), jnp.cumsum(h), jnp.cumsum(w)
    jnp.nancumsum(n, 1), jnp.nancumprod(n), jnp.nancumsum(i), jnp.cumsum(i, dtype=bool)
    jnp.cumsum(x, axis=2)
    jnp.cumsum(x, out=x)
    jnp.cumulative_sum(y), jnp.cumulative_sum(x, axis=1, include_initial=True)
    jnp.cumulative_sum(s)
    jnp.cumulative_prod(y), jnp.cumulative_prod(i, axis=0, include_initial=True, dtype=float)
    jnp.cumulative_sum(x)
    jnp.cumulative_sum(1.0)
""")

STATISTICS = lines("""
    jnp.median(x), jnp.median(i, 1), jnp.median(n, 0), jnp.nanmedian(n, 1)
    jnp.median(h, keepdims=True)
    jnp.quantile(x, 0.3), jnp.quantile(x, np.array([0.1, 0.9]), axis=1), jnp.quantile(i, 0.5, 0)
    jnp.quantile(x, 0.3, method='lower'), jnp.quantile(x, 0.3, method='higher')
    jnp.quantile(x, 0.3, method='nearest'), jnp.quantile(x, 0.3, method='midpoint', keepdims=True)
    jnp.quantile(jnp.arange(24.0).reshape(2, 3, 4), 0.4, axis=(0, 2), keepdims=True)
    jnp.quantile(jnp.arange(24.0).reshape(2, 3, 4), np.array([0.4, 1.0]), axis=(-1, 0))
    jnp.quantile(n, 0.5), jnp.nanquantile(n, 0.5), jnp.nanquantile(n, np.array([0, 0.7]), 1)
    jnp.quantile(x, 0.5, method='inverted_cdf')
    jnp.quantile(x, 0.7, 1, method='inverted_cdf', weights=x + 9)
    jnp.quantile(x, np.array([0.2, 0.7]), 0, method='inverted_cdf', keepdims=True)
    jnp.quantile(x, 0.5, method='other')
    jnp.quantile(c, 0.5)
    jnp.quantile(x, 0.5, weights=x)
    jnp.quantile(x, np.ones((2, 2)))
    jnp.quantile(x, 0.5, out=x)
    jnp.percentile(x, 30), jnp.percentile(i, np.array([0, 50, 100]), 1), jnp.nanpercentile(n, 30)
    jnp.percentile(f, 30), jnp.percentile(h, 50)
    jnp.cov(x), jnp.cov(x, rowvar=False), jnp.cov(y, y), jnp.cov(c), jnp.cov(x, bias=True)
    jnp.cov(i)
    jnp.cov(x, fweights=jnp.array([1, 2, 3])), jnp.cov(x, aweights=jnp.array([0.1, 0.2, 0.7]))
    jnp.cov(x, fweights=jnp.array([1, 2, 3]), aweights=jnp.array([0.1, 0.2, 0.7]), ddof=2)
    jnp.cov(jnp.ones((2, 2, 2)))
    jnp.cov(x, fweights=y)
    jnp.corrcoef(x), jnp.corrcoef(y), jnp.corrcoef(c, c), jnp.corrcoef(x, rowvar=False)
    jnp.histogram(x), jnp.histogram(x, 4, (-1, 2)), jnp.histogram(i, bins=jnp.array([-7, 0, 1, 6]))
    jnp.histogram(x, 3, weights=p), jnp.histogram(x, 3, density=True), jnp.histogram(jnp.ones(3), 2)
    jnp.histogram(x, 'auto')
    jnp.histogram_bin_edges(i, 4), jnp.histogram_bin_edges(x, jnp.array([1.0, 2.0]))
    jnp.histogram2d(y, y[::-1], 3)
    jnp.histogram2d(y, y, [2, jnp.array([0.0, 1.0, 5.0])], density=True)
    jnp.histogramdd(x.T, 2), jnp.histogramdd(x.T, (2, 3), weights=y)
    jnp.histogramdd(x.T, 2, density=True)
    jnp.histogramdd(x.T, 2, range=[(0, 1), None])
    jnp.histogramdd(x.T, (2, 3, 4))
    jnp.bincount(jnp.array([1, 3, 3])), jnp.bincount(u, length=4), jnp.bincount(b), jnp.bincount(-j)
    jnp.bincount(jnp.array([1, 3, 3]), weights=y, minlength=6), jnp.bincount(jnp.array([], int))
    jnp.bincount(y)
    jnp.bincount(i)
    jnp.digitize(x, y.sort()), jnp.digitize(x, jnp.array([3, 1, -1]), right=True)
    jnp.digitize(i, jnp.array([]))
    jnp.digitize(x, x)
    jnp.convolve(y, x[0]), jnp.convolve(y, i[0], 'same'), jnp.convolve(jnp.ones(2), y, 'valid')
    jnp.convolve(y, x)
    jnp.convolve(y, y, 'other')
    jnp.correlate(y, x[0]), jnp.correlate(y, c, 'full'), jnp.correlate(jnp.ones(2), y, 'full')
    jnp.trapezoid(x), jnp.trapezoid(x, y), jnp.trapezoid(x, dx=2, axis=0)
    jnp.trapezoid(i, x, axis=1)
""")

SEGMENTS = lines("""
    jax.ops.segment_sum(y, np.array([0, 1, 0]), 3), jax.ops.segment_sum(y, np.array([0, 4, -1]), 3)
    jax.ops.segment_sum(x, np.array([1, 0])), jax.ops.segment_prod(y, np.array([0, 1, 0]), 3)
    jax.ops.segment_max(y, np.array([0, 1, 0]), 3), jax.ops.segment_min(i, np.array([1, 1]), 3)
    jax.ops.segment_max(b, np.array([0, 1, 0]), 3), jax.ops.segment_min(u, np.array([0, 0, 0]), 2)
    jax.ops.segment_sum(y, np.array([0, 1, 0]), 3, bucket_size=2)
    jax.ops.segment_sum(y, np.array([0, 1, 0]), -1)
""")


@pytest.mark.parametrize("expression", REDUCTIONS + RUNNING)
def test_reductions(expression: str) -> None:
    check(expression)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("expression", STATISTICS)
def test_statistics(expression: str) -> None:
    check(expression, tolerance=1e-4)


@pytest.mark.parametrize("expression", SEGMENTS)
def test_segments(expression: str) -> None:
    check(expression)


X, P = array(2, 3), (np.arange(6, dtype=np.float32).reshape(2, 3) + 1) / 8

CASES = [
    Case("sum", lambda m, x: x.sum(0), (X,)),
    Case("masked_sum", lambda m, x: m.numpy.sum(x * x, where=x > 0), (X,)),
    Case("prod", lambda m, x: x.prod(1), (X,)),
    Case("max", lambda m, x: x.max(1), (X,)),
    Case("mean", lambda m, x: x.mean(-1), (X,)),
    Case("std", lambda m, x: x.std(1, ddof=1), (X,)),
    Case("var", lambda m, x: m.numpy.var(x), (X,)),
    Case("nanmean", lambda m, x: m.numpy.nanmean(x, 1), (X,)),
    Case("cumsum", lambda m, x: m.numpy.cumsum(x, 1), (X,)),
    Case("cumprod", lambda m, x: m.numpy.cumprod(x, 1), (P,)),
    Case("median", lambda m, x: m.numpy.median(x, 1), (X,)),
    Case("quantile", lambda m, x: m.numpy.quantile(x, 0.3, axis=0), (X,)),
    Case("average", lambda m, x, y: m.numpy.average(x, 1, y[0]), (X, P), (0, 1)),
    Case("cov", lambda m, x: m.numpy.cov(x), (X,)),
    Case("convolve", lambda m, x, y: m.numpy.convolve(x[0], y[1]), (X, P), (0, 1)),
    Case("trapezoid", lambda m, x: m.numpy.trapezoid(x), (X,)),
    Case("logaddexp_reduce", lambda m, x: m.numpy.logaddexp.reduce(x), (X,)),
]


@pytest.mark.sweep(6)
@pytest.mark.parametrize(("case", "mode"), runs(CASES))
def test_derivatives_and_maps(case: Case, mode: str) -> None:
    check_case(case, mode)


STATIC: dict[str, Callable[[Any], Any]] = {
    "axis": lambda n: jnp.sum(jnp.ones(3), axis=n),
    "position": lambda n: jnp.argmax(jnp.ones(3), axis=n),
    "running": lambda n: jnp.cumsum(jnp.ones(3), axis=n),
    "bins": lambda n: jnp.histogram(jnp.ones(3), n),
    "decimals": lambda n: jnp.round(jnp.ones(3), n),
    "length": lambda n: jnp.bincount(jnp.arange(3), length=n),
    "segments": lambda n: oakum.ops.segment_sum(jnp.ones(3), jnp.arange(3), n),
}


@pytest.mark.parametrize("name", STATIC)
def test_traced_options_are_refused(name: str) -> None:
    """Without this error a user would not learn that the argument has to be static."""
    with pytest.raises(errors.ConcretizationTypeError) as caught:
        oakum.jit(STATIC[name])(1)
    assert "static" in str(caught.value)


def _segments(ids: Any) -> Any:
    return oakum.ops.segment_sum(jnp.ones(3), ids)


def test_counts_of_traced_values_need_a_length() -> None:
    with pytest.raises(errors.ConcretizationTypeError, match="length"):
        oakum.jit(jnp.bincount)(jnp.arange(3))
    with pytest.raises(errors.ConcretizationTypeError, match="num_segments"):
        oakum.jit(_segments)(jnp.arange(3))


def test_older_updates_by_index_are_those_of_at() -> None:
    x = jnp.zeros(3)
    assert oakum.ops.index_update(x, oakum.ops.index[1:], 2.0).tolist() == [0, 2, 2]
    assert oakum.ops.index_add(x, 0, 2.0).tolist() == [2, 0, 0]
