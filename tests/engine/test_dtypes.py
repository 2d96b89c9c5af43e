# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Dtypes and promotion are JAX's: a wrong entry of the lattice gives wrong types everywhere."""

import copy
import itertools
import pickle
import subprocess
import sys
from typing import Any

import jax
import ml_dtypes
import numpy as np
import pytest
from jax import dtypes as jax_dtypes

from oakum import dtypes
from oakum.dtypes import DType, Kind, assume_x64
from oakum.errors import DTypeError
from oakum.values import promotion


def jax_dtype(dtype: DType) -> Any:
    return jax.numpy.dtype(dtype.name)


def test_every_dtype_of_jax_is_known_with_its_size_and_short_name() -> None:
    from jax._src import dtypes as jax_source

    for dtype in dtypes.NUMERIC:
        theirs = jax_dtype(dtype)
        assert jax_source.short_dtype_name(theirs) == dtype.short
        assert jax_source.itemsize_bits(theirs) == dtype.bits
    known = {jax_dtype(dtype) for dtype in dtypes.NUMERIC}
    assert known == set(jax_source._jax_types) - {int, float, complex}  # pyright: ignore


def test_key_dtypes_are_those_of_jax() -> None:
    for implementation, dtype in zip(
        ("threefry2x32", "rbg", "unsafe_rbg"), dtypes.KEYS[:3], strict=True
    ):
        key = jax.random.key(0, impl=implementation)
        assert str(key.dtype) == dtype.name == dtype.short


@pytest.mark.parametrize("x64", [False, True])
def test_strong_types_promote_as_in_jax(x64: bool) -> None:
    with jax.enable_x64(x64), assume_x64(x64):
        for left, right in itertools.product(dtypes.NUMERIC, repeat=2):
            try:
                expected = jax.numpy.promote_types(jax_dtype(left), jax_dtype(right)).name
            except ValueError:
                with pytest.raises(DTypeError):
                    promotion.promote_dtypes(left, right)
                continue
            assert promotion.promote_dtypes(left, right) is dtypes.DTYPES[expected]


def operands(x64: bool) -> list[tuple[Any, tuple[DType, bool]]]:
    """Arguments of `jax.dtypes.result_type`, with what they are to us."""
    strong = [(jax_dtype(dtype), (dtype, False)) for dtype in dtypes.NUMERIC]
    kinds = {int: dtypes.int64, float: dtypes.float64, complex: dtypes.complex128}
    weak: list[tuple[Any, tuple[DType, bool]]] = []
    with assume_x64(x64):
        for kind, dtype in kinds.items():
            canonical = dtypes.canonicalize(dtype)
            assert canonical is not None
            weak.append((kind, (canonical, True)))
    with assume_x64(x64):
        return [pair for pair in strong if dtypes.canonicalize(pair[1][0]) is pair[1][0]] + weak


@pytest.mark.parametrize("x64", [False, True])
def test_all_pairs_and_weak_types_promote_as_in_jax(x64: bool) -> None:
    with jax.enable_x64(x64), assume_x64(x64):
        for (their_left, left), (their_right, right) in itertools.product(operands(x64), repeat=2):
            try:
                dtype, weak = jax_dtypes.result_type(
                    their_left, their_right, return_weak_type_flag=True
                )
            except ValueError:
                with pytest.raises(DTypeError):
                    promotion.promote([left, right])
                continue
            found = promotion.promote([left, right])
            assert found == (dtypes.DTYPES[dtype.name], weak), (left, right)


@pytest.mark.parametrize("x64", [False, True])
def test_triples_with_weak_types_promote_as_in_jax(x64: bool) -> None:
    common = [pair for pair in operands(x64) if pair[1][0].bits in (8, 16, 32) or pair[1][1]]
    picked = [pair for pair in common if pair[1][0].short in ("bool", "i8", "u32", "bf16", "f32")]
    picked += [pair for pair in common if pair[1][1]]
    with jax.enable_x64(x64), assume_x64(x64):
        for triple in itertools.product(picked, repeat=3):
            theirs, ours = zip(*triple, strict=True)
            dtype, weak = jax_dtypes.result_type(*theirs, return_weak_type_flag=True)
            assert promotion.promote(ours) == (dtypes.DTYPES[dtype.name], weak), ours


def test_what_is_unknown_stays_unknown_and_what_is_certain_is_told() -> None:
    bf16, f32 = dtypes.bfloat16, dtypes.float32
    assert promotion.promote([(bf16, False), (None, None)]) == (None, None)
    assert promotion.promote([(f32, None), (f32, False)]) == (f32, False)
    assert promotion.promote([(f32, None), (bf16, False)]) == (None, False)
    assert promotion.promote([(f32, None), (f32, True)]) == (f32, None)
    with assume_x64(None):
        assert promotion.promote([(dtypes.int32, False), (dtypes.uint32, False)]) == (None, False)
        assert promotion.promote([(bf16, False), (f32, False)]) == (f32, False)


def test_an_error_needs_every_completion_to_fail() -> None:
    small, word = dtypes.float8_e4m3fn, dtypes.float32
    with pytest.raises(DTypeError, match="f8_e4m3fn, f32"):
        promotion.promote([(small, False), (word, False)])
    assert promotion.promote([(small, False), (word, None)]) == (small, False)


@pytest.mark.parametrize("x64", [False, True])
def test_canonical_types_are_those_of_jax(x64: bool) -> None:
    with jax.enable_x64(x64), assume_x64(x64):
        for dtype in dtypes.NUMERIC:
            expected = jax_dtypes.canonicalize_dtype(jax_dtype(dtype)).name
            assert dtypes.canonicalize(dtype) is dtypes.DTYPES[expected]
        for kind in (bool, int, float, complex):
            expected = jax_dtypes.canonicalize_dtype(kind).name
            assert dtypes.of_python_type(kind) is dtypes.DTYPES[expected]
    with assume_x64(None):
        assert dtypes.canonicalize(dtypes.float64) is None
        assert dtypes.canonicalize(dtypes.float32) is dtypes.float32


@pytest.mark.parametrize("x64", [False, True])
def test_inexact_types_are_those_that_sin_computes_in(x64: bool) -> None:
    with jax.enable_x64(x64), assume_x64(x64):
        for dtype in (*dtypes.NUMERIC,):
            if dtype.bits < 4 or dtypes.canonicalize(dtype) is not dtype:
                continue
            shape = jax.ShapeDtypeStruct((), jax_dtype(dtype))
            result = jax.eval_shape(jax.numpy.sin, shape).dtype.name
            assert dtypes.to_inexact(dtype) is dtypes.DTYPES[result]


@pytest.mark.parametrize(
    "spelling",
    [
        "float",
        "int",
        "bool",
        "complex",
        "f4",
        "<f4",
        ">i8",
        "=u2",
        "|b1",
        "float32",
        "half",
        "single",
        "double",
        "int_",
        "intp",
        "uint",
        "byte",
        "?",
        "e",
        "d",
        "F",
        "longlong",
        "bool_",
        "i1",
        "c16",
        "short",
        "uintc",
    ],
)
def test_spellings_mean_what_they_mean_to_numpy(spelling: str) -> None:
    assert dtypes.find(spelling) is dtypes.DTYPES[np.dtype(spelling).name]


def test_dtypes_are_read_from_objects_of_other_libraries() -> None:
    for value in (np.float32, np.dtype("float32"), jax.numpy.float32, dtypes.float32, "f4"):
        assert dtypes.read(value) is dtypes.float32
    assert dtypes.read(ml_dtypes.bfloat16) is dtypes.bfloat16
    assert dtypes.read(float) is dtypes.float64
    for value in (3, None, "banana", str, object()):
        assert dtypes.read(value) is None


def test_groups_are_those_of_numpy_s_hierarchy() -> None:
    for group in dtypes.GROUPS:
        if group in ("bool", "extended", "prng_key"):
            continue
        for dtype in dtypes.NUMERIC:
            expected = jax.numpy.issubdtype(jax_dtype(dtype), getattr(np, group))
            assert dtypes.is_subdtype(dtype, group) == expected, (dtype, group)


def test_a_dtype_is_one_object_wherever_it_comes_from() -> None:
    for dtype in dtypes.DTYPES.values():
        assert pickle.loads(pickle.dumps(dtype)) is dtype
        assert copy.deepcopy(dtype) is dtype
        assert dtypes.find(dtype.name) is dtypes.find_short(dtype.short) is dtype


def test_real_and_complex_partners() -> None:
    assert dtypes.to_real(dtypes.complex128) is dtypes.float64
    assert dtypes.to_complex(dtypes.int32) is dtypes.complex64
    assert dtypes.is_kind(None, Kind.INT) is None
    assert dtypes.is_kind(dtypes.int8, Kind.INT, Kind.UINT) is True


def test_importing_the_value_model_loads_nothing_heavy() -> None:
    program = (
        "import sys, oakum, oakum.values.avals, oakum.values.uses, oakum.values.declarations, "
        "oakum.abstract.operators\n"
        "print([name for name in ('numpy', 'llvmlite', 'jax', 'libcst') if name in sys.modules])"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "program",
    [
        "import numpy as np; import oakum",
        "import oakum; import oakum.numpy as jnp; import numpy as np; oakum.jit",
        "import oakum.numpy as jnp; import numpy as np; jnp.float32",
        "from oakum.numpy import ones; ones(3); import numpy as np",
    ],
)
def test_numpy_knows_the_small_dtypes_by_name(program: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", f"{program}; print(np.dtype('bfloat16'), np.dtype('int4'))"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.stdout.strip() == "bfloat16 int4", run.stderr
