"""Arrays made of Python data, shapes and ranges; dtypes, scalar types and questions about them.

A user who sees one of these fail gets another array or dtype than JAX gives, or no warning.
"""

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from expressions_alike import check, check_value, lines

import oakum
from oakum import numpy as jnp

MAKING = lines("""
    jnp.array(1), jnp.array(1.5), jnp.array(True), jnp.array(2j), jnp.array(np.float64(3))
    jnp.array(w)
    jnp.array([1, 2]), jnp.array([1, 2.5]), jnp.array([True, 2]), jnp.array([]), jnp.array([[], []])
    jnp.array([[1, 2], [3, 4j]]), jnp.array((1, (2))), jnp.array(range(3)), jnp.array([w, k])
    jnp.array([y, i[0]]), jnp.array([[y[0], 1], [2, 3]]), jnp.array([w, 1])
    jnp.array(np.arange(3.0))
    jnp.array(1, 'int8'), jnp.array([1.7, -1.7], int), jnp.array(y, 'bfloat16'), jnp.array(w, float)
    jnp.array(1, ndmin=2), jnp.array(y, ndmin=3), jnp.asarray(y, dtype=complex)
    jnp.array(memoryview(b'ab'))
    jnp.array(np.array([1 + 2j])), jnp.asarray(np.int8(3)), jnp.asarray(bytearray(b'a'))
    jnp.array(2 ** 40)
    jnp.array([2 ** 40])
    jnp.array(2 ** 40, 'float32')
    jnp.array(300, 'int8')
    jnp.array(-1, 'uint8')
    jnp.array(1j, 'float32')
    jnp.array(np.inf, 'int32')
    jnp.array(None)
    jnp.array([None])
    jnp.array('a')
    jnp.array(['a'])
    jnp.array({})
    jnp.array([[1, 2], [3]])
    jnp.array([jnp.zeros(2), jnp.zeros(3)])
    jnp.array(1, order='F')
    jnp.array(1, dtype=y)
    jnp.array(1, 'U1')
    jnp.zeros(3), jnp.ones((2, 1), int), jnp.empty((), bool), jnp.zeros(np.int32(2))
    jnp.zeros([2, 0])
    jnp.zeros((2, -1))
    jnp.zeros(2.5)
    jnp.zeros('a')
    jnp.zeros(2, 3)
    jnp.full(2, 7), jnp.full((2, 3), y), jnp.full(2, 1.5, int), jnp.full((), w), jnp.full(2, True)
    jnp.full((2, 2), y)
    jnp.full(2, 'a')
    jnp.zeros_like(x), jnp.ones_like(i, dtype=float), jnp.empty_like(w), jnp.zeros_like(3)
    jnp.ones_like(b)
    jnp.full_like(x, 2), jnp.full_like(i, 1.5), jnp.full_like(x, y), jnp.full_like(y, 1, shape=(2,))
    jnp.zeros_like(jax.ShapeDtypeStruct((2,), np.int8))
    jnp.zeros_like([1, 2])
    jnp.copy(x), jnp.copy(w), x.copy()
    jnp.astype(x, int), x.astype('bfloat16'), i.astype(bool), b.astype(float), c.astype(bool)
    w.astype(None)
    n.astype(int), u.astype('int8'), i.astype('uint8')
    jnp.arange(4), jnp.arange(1, 4), jnp.arange(4.0), jnp.arange(5, 0, -2), jnp.arange(0, 1, 0.25)
    jnp.arange(3, dtype='float16'), jnp.arange(np.int8(3))
    jnp.arange(1, 2, 0.3, dtype='bfloat16'), jnp.arange(-2)
    jnp.arange(4, step=2), jnp.arange(jnp.asarray(3)), jnp.arange(2.5), jnp.arange(0)
    jnp.arange(1.0, 4)
    jnp.arange(True)
    jnp.arange(2j)
    jnp.arange(y)
    jnp.arange('a')
    jnp.linspace(0, 1, 5), jnp.linspace(0, y, 4), jnp.linspace(y, 2 * y, 3, axis=1)
    jnp.linspace(0, 5, 3, dtype=int)
    jnp.linspace(0, 1, 4, endpoint=False, retstep=True), jnp.linspace(0, 1, 1)
    jnp.linspace(0, 1, 0)
    jnp.linspace(0, 1, 1, endpoint=False, retstep=True), jnp.linspace(1j, 2, 3)
    jnp.linspace(h[0], 3, 4)
    jnp.linspace(0, 1, -1)
    jnp.logspace(0, 2, 3), jnp.logspace(0, 3, 4, base=2, dtype=int), jnp.geomspace(1, 8, 4)
    jnp.geomspace(-1, -8, 4)
    jnp.geomspace(y[0], y[2:], 3, axis=-1)
    jnp.eye(3), jnp.eye(2, 3, 1), jnp.eye(3, k=-1, dtype=int), jnp.identity(2, 'int8')
    jnp.eye(2, k=jnp.asarray(1))
    jnp.eye(2, k=0.5)
    jnp.eye(-1)
    jnp.tri(3), jnp.tri(2, 4, 1, int), jnp.tril(x), jnp.triu(x, 1)
    jnp.tril(jnp.ones((2, 3, 3)), -1)
    jnp.tril(y)
    jnp.diag(y), jnp.diag(y, -1), jnp.diag(x), jnp.diag(x, 1), jnp.diagflat(x), jnp.diagflat(w, 1)
    jnp.diag(jnp.ones((1, 1, 1)))
    jnp.vander(y), jnp.vander(j, 2), jnp.vander(y, 4, increasing=True)
    jnp.meshgrid(y, j), jnp.meshgrid(y, j, indexing='ij', sparse=True), jnp.meshgrid()
    jnp.meshgrid(y, j, y)
    jnp.meshgrid(x)
    jnp.meshgrid(y, indexing='yx')
    jnp.indices((2, 3)), jnp.indices((2, 3), sparse=True), jnp.indices(())
    jnp.bartlett(5), jnp.blackman(5), jnp.hamming(5), jnp.hanning(5), jnp.kaiser(5, 2.0)
    jnp.hanning(1)
    jnp.frombuffer(b'abcd', 'uint8'), jnp.fromstring('1 2', sep=' ')
    jnp.frombuffer(b'abcd', jnp.int8, 2, 1)
    jnp.fromfile('a')
    jnp.fromiter([1])
    jnp.float32(3), jnp.int8([1, 2]), jnp.bfloat16(1.5), jnp.bool_(2), jnp.complex64(x)
    jnp.int8(300)
    x.view('int32'), y.view('uint8'), i.view('int16'), c.view('float32'), b.view('int8')
    w.view('int32')
    x.view('float64')
    y.view('int16')[:3].view('int32')
    i.byteswap(), s.byteswap(), c.byteswap()
    x.T, x.mT, x.transpose(), x.transpose(1, 0), x.transpose((1, 0)), x.flatten(), x.swapaxes(0, 1)
    x.flat
""")

QUESTIONS = lines("""
    x.shape, x.ndim, x.size, x.itemsize, x.nbytes, x.weak_type, w.weak_type, x.dtype, f.dtype
    b.dtype
    jnp.shape(x), jnp.ndim(1), jnp.size(x, 1), jnp.shape(2.0), jnp.size(3)
    jnp.result_type(i, 1.0), jnp.result_type(x, 'int8'), jnp.result_type(h, f)
    jnp.result_type(1, 2j)
    jnp.result_type(int), jnp.result_type(s, u), jnp.result_type(jnp.float16, w)
    jnp.result_type(None)
    jnp.promote_types('int8', 'uint8'), jnp.promote_types(float, 'int32')
    jnp.promote_types('bfloat16', int)
    jnp.can_cast('int32', 'float32'), jnp.can_cast(jnp.int8, jnp.int16)
    jnp.can_cast('f8', 'f4', 'same_kind')
    jnp.issubdtype(jnp.bfloat16, jnp.floating), jnp.issubdtype('int4', np.signedinteger)
    jnp.issubdtype(x.dtype, jnp.inexact)
    jnp.issubdtype(bool, jnp.integer), jnp.issubdtype(np.floating, np.inexact)
    jnp.issubdtype(None, jnp.floating)
    jnp.issubdtype(x.dtype, np.float32), jnp.issubdtype(x.dtype, 'float64')
    jnp.issubdtype(jnp.int8, object)
    jnp.isdtype(x.dtype, 'real floating'), jnp.isdtype('int8', ('bool', 'integral'))
    jnp.isdtype(jnp.int8, np.int8)
    jnp.isscalar(1), jnp.isscalar(w), jnp.isscalar(y), jnp.isscalar('a'), jnp.iterable(y)
    jnp.iterable(1)
    jnp.iscomplexobj(c), jnp.isrealobj(c), jnp.iscomplexobj(1j), jnp.iscomplexobj([1j])
    jnp.iscomplexobj(None)
    jnp.broadcast_shapes((2, 1), (3,)), jnp.broadcast_shapes(), jnp.broadcast_shapes(2, (1, 2))
    jnp.finfo('float32').max, jnp.finfo(jnp.bfloat16).eps, jnp.finfo(complex).dtype
    jnp.iinfo('int8').max
    jnp.iinfo(jnp.uint4).max, jnp.finfo(jnp.float16).tiny, jnp.finfo(x.dtype).bits
    jnp.dtype('float32'), jnp.dtype(jnp.bfloat16), jnp.dtype(float), isinstance(x.dtype, jnp.dtype)
    x.dtype == jnp.float32, jnp.float32 == x.dtype, jnp.float32 == np.float32
    np.float32 == jnp.float32
    jnp.float32 == jnp.float64, jnp.float32 != jnp.int8, jnp.float32 == 'float32'
    jnp.int_ == jnp.int64
    {np.float32: 1}[jnp.float32], jnp.float32.dtype, jnp.float32.__name__
    isinstance(np.float32(1), jnp.float32)
    np.dtype(jnp.bfloat16), np.zeros(2, jnp.int8).dtype, np.issubdtype(np.float32, jnp.floating)
    issubclass(np.float32, jnp.floating), np.issubdtype(x.dtype, jnp.integer)
    jnp.floating == np.floating
    jnp.pi, jnp.e, jnp.euler_gamma, jnp.newaxis, jnp.inf
""")


@pytest.mark.sweep(3)
@pytest.mark.parametrize("expression", MAKING)
def test_making(expression: str) -> None:
    check(expression)


@pytest.mark.parametrize("expression", QUESTIONS)
def test_questions(expression: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_value(f"({expression},)")


@pytest.mark.parametrize(
    "make",
    [
        lambda: jnp.zeros(2, "float64"),
        lambda: jnp.asarray(1, jnp.int64),
        lambda: jnp.arange(3, dtype=np.float64),
        lambda: jnp.ones(2).astype("float64"),
        lambda: jnp.sum(jnp.ones(2), dtype="float64"),
    ],
)
def test_a_truncated_dtype_warns(make: Any) -> None:
    """Without the warning a user believes to compute in 64 bits."""
    with pytest.warns(UserWarning, match="64.* requested in .* will be truncated") as caught:
        result = make()
    assert str(result.dtype).endswith("32")
    assert caught[0].filename == __file__


def test_default_dtypes_do_not_warn() -> None:
    assert jnp.zeros(2, float).dtype == jnp.float32
    assert jnp.asarray(np.zeros(2)).dtype == jnp.float32
    with oakum.enable_x64(True):
        assert jnp.zeros(2).dtype == jnp.float64
        assert jnp.asarray(1, "int64").dtype == np.int64


def test_positional_options_of_array_are_deprecated() -> None:
    with pytest.warns(DeprecationWarning, match="positionally"):
        jnp.array([1], None, True)
    with pytest.raises(TypeError, match="multiple values"):
        jnp.array([1], None, False, copy=False)


def test_a_copy_does_not_follow_the_original() -> None:
    """A user who reuses a NumPy buffer would see arrays change."""
    buffer = np.zeros(3)
    array = jnp.asarray(buffer)
    buffer[0] = 1
    assert array.tolist() == [0, 0, 0]
    assert jnp.array(array) is not array
    assert jnp.asarray(array) is array


def test_scalar_types_are_attributes_and_survive_copies() -> None:
    """A model with `dtype = jnp.bfloat16` in its class reads the type, not a method."""

    class Model:
        dtype: Any = jnp.bfloat16

    assert Model().dtype == jnp.bfloat16
    assert copy.deepcopy(jnp.bfloat16) is jnp.bfloat16
    assert pickle.loads(pickle.dumps(jnp.float32)) is jnp.float32


SIZES: dict[str, Callable[[Any], Any]] = {
    "zeros": lambda n: jnp.zeros(n),
    "arange": lambda n: jnp.arange(n),
    "eye": lambda n: jnp.eye(n),
    "linspace": lambda n: jnp.linspace(0, 1, n),
    "full": lambda n: jnp.full((n, 2), 1),
    "hanning": lambda n: jnp.hanning(n),
}


@pytest.mark.parametrize("name", SIZES)
def test_traced_sizes_are_refused(name: str) -> None:
    """Without this error a user would not learn that sizes come from shapes."""
    with pytest.raises(oakum.errors.ConcretizationTypeError, match="OAK211"):
        oakum.jit(SIZES[name])(3)


def test_made_arrays_are_traced_under_jit() -> None:
    """A constant that is not staged would show its value while tracing, which JAX's do not."""

    def function(x: Any) -> Any:
        for made in (
            jnp.array([1, 2]),
            jnp.asarray(2.0),
            jnp.zeros(2),
            jnp.arange(2),
            jnp.positive(1),
        ):
            assert isinstance(made, oakum.core.Tracer)
        return x

    oakum.jit(function)(1.0)


def test_files(tmp_path: Any) -> None:
    jnp.save(tmp_path / "a.npy", jnp.arange(3))
    jnp.savez(tmp_path / "b.npz", jnp.arange(3), named=jnp.ones(2))
    jnp.save(tmp_path / "c.npy", jnp.ones(2, jnp.bfloat16))
    jnp.save(tmp_path / "d.npy", {"rate": 0.1}, allow_pickle=True)
    assert jnp.load(tmp_path / "a.npy").tolist() == [0, 1, 2]
    assert jnp.load(tmp_path / "b.npz")["named"].tolist() == [1, 1]
    assert jnp.load(tmp_path / "c.npy").dtype == jnp.bfloat16
