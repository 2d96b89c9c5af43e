# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Reductions and cumulative functions give the shapes and dtypes that JAX gives."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_conformance import arrays, check, known_shape, seeds, shapes, sizes

from oakum.values.avals import ShapedArray

REDUCTIONS = [
    "sum",
    "prod",
    "nansum",
    "nanprod",
    "mean",
    "nanmean",
    "var",
    "std",
    "nanvar",
    "nanstd",
    "max",
    "min",
    "amax",
    "amin",
    "nanmax",
    "nanmin",
    "ptp",
    "any",
    "all",
    "argmax",
    "argmin",
    "nanargmax",
    "nanargmin",
    "count_nonzero",
    "median",
    "nanmedian",
]

ONE_AXIS = ("argmax", "argmin", "nanargmax", "nanargmin")
WITH_DTYPE = ("sum", "prod", "nansum", "nanprod", "mean", "nanmean", "cumsum", "cumprod")


full = st.lists(sizes, max_size=3).map(tuple)
"""Shapes without a dimension of size 0, of which many reductions have no result."""


@st.composite
def axes(draw: st.DrawFn, ndim: int, *, one: bool = False) -> Any:
    """An axis argument, mostly a valid one."""
    kind = draw(st.integers(0, 9))
    if kind < 3:
        return None
    if kind == 3:
        return draw(st.integers(-4, 4))
    if ndim == 0:
        return None if one else ()
    single = st.integers(-ndim, ndim - 1)
    if one or kind < 7:
        return draw(single)
    return tuple(draw(st.lists(single, max_size=3)))


@st.composite
def reductions(draw: st.DrawFn, name: str) -> tuple[ShapedArray, dict[str, Any]]:
    array = draw(arrays(full))
    ndim = len(known_shape(array))
    options: dict[str, Any] = {"axis": draw(axes(ndim, one=name in ONE_AXIS))}
    if draw(st.booleans()):
        options["keepdims"] = draw(st.booleans())
    if name in WITH_DTYPE and draw(st.integers(0, 2)) == 0:
        options["dtype"] = draw(st.sampled_from(["float32", "int32", "bfloat16", "complex64"]))
    return array, options


@pytest.mark.parametrize("name", REDUCTIONS)
@given(data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_reductions_give_the_type_that_jax_gives(name: str, data: st.DataObject, seed: int) -> None:
    array, options = data.draw(reductions(name))
    check(f"numpy.{name}", array, seed=seed, **options)


@pytest.mark.parametrize("name", ["quantile", "percentile", "nanquantile", "nanpercentile"])
@given(data=st.data(), seed=seeds)
@settings(max_examples=7)
def test_quantiles_put_the_axes_of_q_first(name: str, data: st.DataObject, seed: int) -> None:
    array, options = data.draw(reductions(name))
    at = data.draw(arrays(shapes(0, 1)) | st.sampled_from([0.5, 0.25]))
    check(f"numpy.{name}", array, at, seed=seed, **options)


@pytest.mark.parametrize("name", ["cumsum", "cumprod", "nancumsum", "nancumprod"])
@given(data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_cumulative_functions_keep_the_shape(name: str, data: st.DataObject, seed: int) -> None:
    array = data.draw(arrays(full))
    options = {"axis": data.draw(axes(len(known_shape(array)), one=True))}
    if data.draw(st.integers(0, 2)) == 0:
        options["dtype"] = data.draw(st.sampled_from(["float32", "int32"]))
    check(f"numpy.{name}", array, seed=seed, **options)


@pytest.mark.parametrize("name", ["cumulative_sum", "cumulative_prod"])
@given(data=st.data(), seed=seeds)
@settings(max_examples=10)
def test_cumulative_sums_can_add_a_start(name: str, data: st.DataObject, seed: int) -> None:
    array = data.draw(arrays(full))
    check(
        f"numpy.{name}",
        array,
        axis=data.draw(axes(len(known_shape(array)), one=True)),
        include_initial=data.draw(st.booleans()),
        seed=seed,
    )


@given(
    array=arrays(st.lists(sizes, min_size=1, max_size=3).map(tuple)),
    data=st.data(),
    seed=seeds,
)
@settings(max_examples=14)
def test_log_sum_exp_is_inexact(array: ShapedArray, data: st.DataObject, seed: int) -> None:
    axis = data.draw(axes(len(known_shape(array))))
    check("scipy.special.logsumexp", array, axis=axis, keepdims=data.draw(st.booleans()), seed=seed)


@given(data=st.data(), seed=seeds)
@settings(max_examples=14)
def test_a_sum_without_integer_promotion_keeps_the_dtype(data: st.DataObject, seed: int) -> None:
    check("numpy.sum", data.draw(arrays()), promote_integers=data.draw(st.booleans()), seed=seed)
