"""The operations that give arrays other shapes: they compute what JAX computes.

A user whose reshape, pad or concatenation goes wrong computes with the wrong elements, in the
function itself, in its gradient or under vmap.
"""

from functools import partial
from typing import Any

import numpy as np
import pytest
from cases_in_modes import Build, Case, array, check, fails_alike, jax, runs, same

import oakum

STRUCTURAL = [
    Case("reshape", lambda m, x: m.lax.reshape(x, (3, 2)), (array(2, 3),)),
    Case("reshape_permuted", lambda m, x: m.lax.reshape(x, (4, 6), (2, 0, 1)), (array(2, 3, 4),)),
    Case("reshape_scalar", lambda m, x: m.lax.reshape(x, ()), (array(1, 1),)),
    Case("squeeze", lambda m, x: m.lax.squeeze(x, (0, -1)), (array(1, 3, 1),)),
    Case("expand_dims", lambda m, x: m.lax.expand_dims(x, (0, -1)), (array(2, 3),)),
    Case("broadcast", lambda m, x: m.lax.broadcast(x, (2, 4)), (array(3),)),
    Case(
        "broadcast_in_dim",
        lambda m, x: m.lax.broadcast_in_dim(x, (2, 3, 4, 5), (1, 3)),
        (array(3, 1),),
    ),
    Case("broadcast_scalar", lambda m, x: m.lax.broadcast_in_dim(x, (2, 3), ()), (array(),)),
    Case("to_rank", lambda m, x: m.lax.broadcast_to_rank(x, 3), (array(2),)),
    Case("collapse", lambda m, x: m.lax.collapse(x, 1, 3), (array(2, 3, 4),)),
    Case("transpose", lambda m, x: m.lax.transpose(x, (2, 0, 1)), (array(2, 3, 4),)),
    Case("rev", lambda m, x: m.lax.rev(x, (0, 2)), (array(2, 3, 4),)),
    Case("tile", lambda m, x: m.lax.tile(x, (2, 3)), (array(2, 3),)),
    Case("split", lambda m, x: m.lax.split(x, (1, 0, 3), 1), (array(2, 4),)),
    Case("split_one_used", lambda m, x: m.lax.split(x, (1, 3), 1)[1], (array(2, 4),)),
    Case("unstack", lambda m, x: m.lax.unstack(x, 1), (array(2, 3),)),
    Case("slice", lambda m, x: m.lax.slice(x, (1, 0), (3, 5)), (array(4, 6),)),
    Case("slice_strided", lambda m, x: m.lax.slice(x, (1, 0), (4, 6), (2, 4)), (array(4, 6),)),
    Case("slice_empty", lambda m, x: m.lax.slice(x, (1, 0), (1, 6), (2, 4)), (array(4, 6),)),
    Case("slice_in_dim", lambda m, x: m.lax.slice_in_dim(x, -3, None, 2, 1), (array(2, 5),)),
    Case("index_in_dim", lambda m, x: m.lax.index_in_dim(x, -1, 1, False), (array(2, 5),)),
    Case("barrier", lambda m, x: m.lax.optimization_barrier(x), (array(2),)),
]

JOINING = [
    Case(
        "concatenate",
        lambda m, x, y: m.lax.concatenate([x, y, x], 1),
        (array(2, 3), array(2, 1, seed=1)),
        (0, 1),
    ),
    Case("stack", lambda m, x, y: m.lax.stack([x, y], 1), (array(2, 3), array(2, 3)), (0, 1)),
    *(
        Case(
            f"pad_{config}",
            lambda m, x, y, config=config: m.lax.pad(x, y, config),
            (array(3, 4), np.float32(7)),
            (0, 1),
        )
        for config in (
            ((1, 2, 0), (0, 0, 0)),
            ((1, 2, 1), (2, 1, 3)),
            ((-1, 2, 1), (-2, -1, 3)),
            ((-1, -1, 0), (1, -3, 0)),
            ((-3, 0, 0), (0, 1, 2)),
            ((5, -6, 1), (-9, 8, 2)),
        )
    ),
    Case(
        "pad_nothing",
        lambda m, x, y: m.lax.pad(x, y, ((2, 1, 5),)),
        (array(0), np.float32(2)),
        (0, 1),
    ),
]


@pytest.mark.parametrize(("case", "mode"), runs(STRUCTURAL + JOINING))
def test_shapes_are_changed_as_jax_does(case: Case, mode: str) -> None:
    """Elements come to stand elsewhere than in JAX, or lose their dtype or gradient."""
    check(case, mode)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint32", "float16", "bfloat16", "complex64", "int4", "float8_e5m2"]
)
def test_shapes_of_all_dtypes(dtype: str) -> None:
    """An array of a less common dtype cannot be reshaped, joined or padded."""

    def build(module: Any) -> Any:
        x = module.numpy.asarray(np.arange(6).reshape(2, 3) % 3).astype(dtype)
        zero = module.numpy.zeros((), dtype)
        lax = module.lax
        padded = lax.pad(x, zero, ((1, 0, 1), (0, -1, 0)))
        return lax.concatenate([lax.rev(x, (0,)), x], 0), padded, lax.broadcast(x, (2,))

    same(build(oakum), build(jax))


COUNTED: list[Build] = [
    lambda m: m.lax.iota(np.float32, 4),
    lambda m: m.lax.iota("int8", 3),
    lambda m: m.lax.iota(int, 0),
    lambda m: m.lax.iota(np.complex64, 3),
    lambda m: m.lax.broadcasted_iota(np.uint32, (2, 3), 1),
    lambda m: m.lax.broadcasted_iota("bfloat16", (2, 3), 0),
    lambda m: m.lax.broadcast(2.0, (3,)),
    lambda m: m.lax.broadcast(2, ()),
    lambda m: m.lax.reshape(3.0, (1, 1)),
    lambda m: m.lax.concatenate([m.numpy.asarray([2]), m.lax.broadcast(3, (2,))], 0),
    lambda m: m.lax.concatenate([m.lax.broadcast(2.0, (1,)), m.lax.broadcast(3.0, (2,))], 0),
    lambda m: m.lax.bitcast_convert_type(m.numpy.arange(4.0), "int32"),
    lambda m: m.lax.bitcast_convert_type(m.numpy.arange(4.0), "uint8"),
    lambda m: m.lax.bitcast_convert_type(m.numpy.arange(4.0).astype("uint8"), "float32"),
    lambda m: m.lax.bitcast_convert_type(m.numpy.arange(4.0).reshape(2, 2), "float32"),
    lambda m: m.lax.broadcast_like(np.arange(3), np.zeros((2, 3))),
]


@pytest.mark.parametrize("build", COUNTED)
def test_made_and_weakly_typed_arrays(build: Build) -> None:
    """A number or a weakly typed array comes out in another dtype than JAX gives it."""
    same(build(oakum), build(jax))


FAILING: list[Build] = [
    lambda m: m.lax.reshape(np.zeros((2, 3)), (7,)),
    lambda m: m.lax.reshape(np.zeros((2, 3)), (2, -1)),
    lambda m: m.lax.reshape(np.zeros((2, 3)), (6,), (0, 0)),
    lambda m: m.lax.reshape(np.zeros((2, 3)), (1.5,)),
    lambda m: m.jit(partial(m.lax.reshape, np.zeros(3)))((3,)),
    lambda m: m.lax.squeeze(np.zeros((2, 1)), (0,)),
    lambda m: m.lax.squeeze(np.zeros((2, 1)), (2,)),
    lambda m: m.lax.expand_dims(np.zeros(2), (0, 0)),
    lambda m: m.lax.expand_dims(np.zeros(2), (3,)),
    lambda m: m.lax.broadcast_in_dim(np.zeros(2), (2, 3), (1,)),
    lambda m: m.lax.broadcast_in_dim(np.zeros(2), (2, 3), (2,)),
    lambda m: m.lax.broadcast_in_dim(np.zeros((2, 2)), (2, 2), (0, 0)),
    lambda m: m.lax.broadcast_in_dim(np.zeros((2, 2)), (2,), (0, 1)),
    lambda m: m.lax.broadcast_in_dim(np.zeros((2, 2)), (2, 2), (0,)),
    lambda m: m.lax.broadcast_shapes((2, 3), (4,)),
    lambda m: m.lax.collapse(m.numpy.zeros((2, 3)), 1, 0),
    lambda m: m.lax.transpose(np.zeros((2, 3)), (0, 0)),
    lambda m: m.lax.rev(np.zeros((2, 3)), (0, 0)),
    lambda m: m.lax.rev(np.zeros((2, 3)), (2,)),
    lambda m: m.lax.rev(np.zeros((2, 3)), (-1,)),
    lambda m: m.lax.tile(np.zeros((2, 3)), (2,)),
    lambda m: m.lax.split(np.zeros(4), (1, 1)),
    lambda m: m.lax.split(np.zeros(4), (5, -1)),
    lambda m: m.lax.concatenate([], 0),
    lambda m: m.lax.concatenate([np.zeros(2), np.zeros((2, 2))], 0),
    lambda m: m.lax.concatenate([np.zeros(2), np.zeros(2, np.int32)], 0),
    lambda m: m.lax.concatenate([np.zeros((2, 1)), np.zeros((3, 1))], 1),
    lambda m: m.lax.concatenate([np.zeros(2), np.zeros(2)], 1),
    lambda m: m.lax.pad(np.zeros(2), np.zeros(1), ((0, 0, 0),)),
    lambda m: m.lax.pad(np.zeros(2), 0.0, ((0, 0, 0), (0, 0, 0))),
    lambda m: m.lax.pad(np.zeros(2), 0.0, ((0, 0, -1),)),
    lambda m: m.lax.pad(np.zeros(2), 0.0, ((-3, 0, 0),)),
    lambda m: m.lax.pad(np.zeros(2), 0, ((1, 0, 0),)),
    lambda m: m.lax.iota(bool, 3),
    lambda m: m.lax.broadcasted_iota(int, (2,), 1),
    lambda m: m.lax.iota(int, -1),
    lambda m: m.lax.slice(np.zeros(3), (0, 0), (1, 1)),
    lambda m: m.lax.slice(np.zeros(3), (0,), (1, 1)),
    lambda m: m.lax.slice(np.zeros(3), (0,), (4,)),
    lambda m: m.lax.slice(np.zeros(3), (2,), (1,)),
    lambda m: m.lax.slice(np.zeros(3), (0,), (1,), (1, 1)),
    lambda m: m.lax.slice(np.zeros(3), (0,), (1,), (-1,)),
    lambda m: m.lax.index_in_dim(np.zeros(3), 3),
    lambda m: m.lax.bitcast_convert_type(np.zeros(3, bool), "int8"),
    lambda m: m.lax.bitcast_convert_type(np.zeros(3, np.int8), "int32"),
]


@pytest.mark.parametrize("build", FAILING)
def test_what_jax_refuses_is_refused(build: Build) -> None:
    """A wrong shape passes, or a program that catches JAX's error does not catch ours."""
    fails_alike(build)


def test_key_arrays_are_reshaped() -> None:
    """Random keys cannot be split up, joined or mapped over."""

    def build(module: Any) -> Any:
        keys = module.random.split(module.random.key(0), 4)
        lax = module.lax
        parts = lax.reshape(lax.concatenate([lax.rev(keys, (0,)), keys], 0), (4, 2))
        return lax.slice(parts, (0, 0), (4, 2), (3, 1)), lax.index_in_dim(keys, 2)

    same(build(oakum), build(jax))
