"""Shapes, joining, order, sets, products and transforms: NumPy's functions compute what JAX's do.

A user for whom one of these goes wrong gets elements in other places, or other numbers.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from typing import Any, NamedTuple

import numpy as np
import pytest
from cases_in_modes import Case, array, jax, same
from numpy_cases import check, fails_alike, runs

import oakum

X = array(3, 4, 2)
M = array(3, 4)
V = array(5)
N = array(3, 4, dtype=np.int32)
Z = (array(3, 4) + 1j * array(3, 4, seed=2)).astype(np.complex64)

SHAPES: dict[str, Any] = {
    "reshape": lambda m, x: m.numpy.reshape(x, (4, -1)),
    "reshape_fortran": lambda m, x: m.numpy.reshape(x, (4, 6), order="F"),
    "reshape_method": lambda m, x: x.reshape(2, -1, order="C"),
    "ravel_fortran": lambda m, x: m.numpy.ravel(x, "F"),
    "resize": lambda m, x: m.numpy.resize(x, (5, 6)),
    "transpose": lambda m, x: (m.numpy.transpose(x), x.transpose(1, -1, 0), x.mT),
    "moveaxis": lambda m, x: m.numpy.moveaxis(x, (0, -1), (1, 0)),
    "rollaxis": lambda m, x: (m.numpy.rollaxis(x, 2), m.numpy.rollaxis(x, 0, 2)),
    "swapaxes": lambda m, x: m.numpy.swapaxes(x, 0, -1),
    "expand_dims": lambda m, x: m.numpy.expand_dims(x, (0, -1)),
    "squeeze": lambda m, x: (m.numpy.squeeze(x[:1]), m.numpy.squeeze(x[:, :1], 1)),
    "broadcast_to": lambda m, x: m.numpy.broadcast_to(x[:, :1], (2, 3, 4, 2)),
    "broadcast_arrays": lambda m, x: m.numpy.broadcast_arrays(x, x[0, 0], 2.0),
    "atleast": lambda m, x: (m.numpy.atleast_1d(2.0), m.numpy.atleast_3d(x[0], x[0, 0])),
    "flip": lambda m, x: (m.numpy.flip(x), m.numpy.flip(x, (0, 2)), m.numpy.fliplr(x)),
    "roll": lambda m, x: (
        *(m.numpy.roll(x, 5), m.numpy.roll(x, (1, -9), (0, 1))),
        *(m.numpy.roll(x, 2**31 + 3), m.numpy.roll(x, -(2**31) - 4, 1)),
    ),
    "rot90": lambda m, x: [m.numpy.rot90(x, k, (0, 2)) for k in range(5)],
    "repeat": lambda m, x: (m.numpy.repeat(x, 2), m.numpy.repeat(x, np.array([2, 0, 1]), 0)),
    "repeat_total": lambda m, x: m.numpy.repeat(x, np.array([2, 0, 1]), 0, total_repeat_length=5),
    "tile": lambda m, x: (m.numpy.tile(x, 2), m.numpy.tile(x, (2, 1, 1, 3))),
    "diagonal": lambda m, x: (m.numpy.diagonal(x, 1), m.numpy.diagonal(x, -1, 2, 0)),
    "trace": lambda m, x: (m.numpy.trace(x), m.numpy.trace(x, -1, 1, 2)),
    "diff": lambda m, x: (m.numpy.diff(x, 2, 1), m.numpy.diff(x, prepend=1.0, append=x[..., :1])),
    "ediff1d": lambda m, x: m.numpy.ediff1d(x, to_begin=1.0, to_end=np.float32(2)),
    "gradient": lambda m, x: m.numpy.gradient(x, 2.0, axis=(0, 1)),
    "gradient_uneven": lambda m, x: m.numpy.gradient(x, np.array([1.0, 2.0, 4.0, 9.0]), axis=1),
    "concatenate": lambda m, x: m.numpy.concatenate([x, x[:1], np.ones((2, 4, 2), np.int32)]),
    "concatenate_flat": lambda m, x: m.numpy.concatenate([x, x[0]], axis=None),
    "stack": lambda m, x: m.numpy.stack([x, 2 * x], axis=-2),
    "stacks": lambda m, x: (m.numpy.vstack([x[0, :, 0]] * 2), m.numpy.hstack(x), m.numpy.dstack(x)),
    "column_stack": lambda m, x: m.numpy.column_stack([x[0, :, 0], x[0]]),
    "append": lambda m, x: (m.numpy.append(x, 3), m.numpy.append(x, x, axis=1)),
    "block": lambda m, x: m.numpy.block([[x[0], x[1]], [np.zeros((1, 4), np.float32)]]),
    "splits": lambda m, x: (m.numpy.split(x, [1, 2]), m.numpy.array_split(x, 3, 1)),
    "split_ways": lambda m, x: (m.numpy.hsplit(x, 2), m.numpy.vsplit(x, 3), m.numpy.dsplit(x, 2)),
    "unstack": lambda m, x: m.numpy.unstack(x, axis=1),
    "insert": lambda m, x: m.numpy.insert(x, np.array([1, 3]), np.float32(9), axis=1),
    "insert_flat": lambda m, x: m.numpy.insert(x, slice(0, 4, 2), np.array([7.0, 8.0]), None),
    "delete": lambda m, x: (m.numpy.delete(x, 1), m.numpy.delete(x, np.array([0, -1]), 1)),
    "delete_slice": lambda m, x: m.numpy.delete(x, slice(None, None, 2), 1),
    "apply_along_axis": lambda m, x: m.numpy.apply_along_axis(lambda y: y.cumsum(), 1, x),
}


@pytest.mark.sweep(11)
@pytest.mark.parametrize(
    ("case", "mode"),
    runs([Case(name, build, (X,), modes=("vjp", "vmap")) for name, build in SHAPES.items()]),
)
def test_changes_of_shape(case: Case, mode: str) -> None:
    """Elements, a gradient or the mapped form are in other places than on JAX."""
    check(case, mode)


WIDTHS = ((1, 2), (3, 0))
MODES: dict[str, dict[str, Any]] = {
    "constant": {"constant_values": ((1, 2), (3, 4))},
    "edge": {},
    "empty": {},
    "linear_ramp": {"end_values": (5, -1)},
    "maximum": {"stat_length": 2},
    "minimum": {},
    "mean": {"stat_length": ((1, 2), (2, 1))},
    "median": {},
    "wrap": {},
    "symmetric": {},
    "reflect": {},
}


@pytest.mark.sweep(3)
@pytest.mark.parametrize("mode", MODES)
def test_padding_fills_as_jax_does(mode: str) -> None:
    """A mode of `jnp.pad` fills the ends with other numbers."""

    def run(m: Any) -> Any:
        # JAX's steps between integers are off by one where they round.
        arrays = (M,) if mode == "linear_ramp" else (M, N)
        results = [m.numpy.pad(m.numpy.asarray(x), WIDTHS, mode, **MODES[mode]) for x in arrays]
        if mode in ("reflect", "symmetric"):
            results += [
                m.numpy.pad(m.numpy.asarray(M), 9, mode, reflect_type=t) for t in ("even", "odd")
            ]
        return results

    same(run(oakum), run(jax), 1e-4)


def test_padding_by_a_function() -> None:
    """`jnp.pad` does not call the function that it is given, or with other arguments."""

    def run(m: Any) -> Any:
        def fill(vector: Any, widths: Any, axis: int, options: Any) -> Any:
            return vector.at[: widths[0]].set(options["by"] + axis)

        return m.numpy.pad(m.numpy.asarray(M), 2, fill, by=7)

    same(run(oakum), run(jax))


ORDER: dict[str, Any] = {
    "sort": lambda m, x: (
        m.numpy.sort(x),
        m.numpy.sort(x, 0, descending=True),
        m.numpy.sort(x, None),
    ),
    "argsort": lambda m, x: [m.numpy.argsort(x % 2, 1, descending=d) for d in (False, True)],
    "lexsort": lambda m, x: m.numpy.lexsort([x, x % 3], 0),
    "partition": lambda m, x: (m.numpy.partition(x, 2)[:, 2], m.numpy.argpartition(x, 1)[:, 1]),
    "searchsorted": lambda m, x: [
        m.numpy.searchsorted(m.numpy.sort(x[0]), x, side=side) for side in ("left", "right")
    ],
    "sort_complex": lambda m, x: m.numpy.sort_complex(x[0]),
    "unique": lambda m, x: m.numpy.unique(x % 3, True, True, True),
    "unique_rows": lambda m, x: m.numpy.unique(x % 2, axis=0, return_inverse=True),
    "unique_size": lambda m, x: m.numpy.unique(x % 3, True, True, True, size=5, fill_value=9),
    "unique_all": lambda m, x: tuple(m.numpy.unique_all(x % 4)),
    "union1d": lambda m, x: (m.numpy.union1d(x, x % 5), m.numpy.union1d(x, x, size=14)),
    "intersect1d": lambda m, x: m.numpy.intersect1d(x % 7, x[0], return_indices=True),
    "intersect1d_size": lambda m, x: m.numpy.intersect1d(x % 7, x[0], size=4, fill_value=-1),
    "setdiff1d": lambda m, x: (m.numpy.setdiff1d(x, x[1]), m.numpy.setdiff1d(x, x[1], size=9)),
    "setxor1d": lambda m, x: (m.numpy.setxor1d(x, x % 5), m.numpy.setxor1d(x, x % 5, size=9)),
    "trim_zeros": lambda m, x: m.numpy.trim_zeros(m.numpy.array([0, 0, 1, 0, 2, 0])),
    "packbits": lambda m, x: (m.numpy.packbits(x % 2, 1), m.numpy.packbits(x, bitorder="little")),
    "unpackbits": lambda m, x: m.numpy.unpackbits(x.astype("uint8"), axis=0, count=20),
}


@pytest.mark.sweep(12)
@pytest.mark.parametrize("name", ORDER)
@pytest.mark.parametrize("data", ["integers", "floats"])
def test_order_and_sets(name: str, data: str) -> None:
    """Elements are sorted, found or told apart in another way than on JAX."""
    x = N if data == "integers" else np.where(array(3, 4) > 5, np.nan, array(3, 4))
    if data == "floats" and name in ("packbits", "intersect1d", "setxor1d"):
        x = array(3, 4)
    if data == "floats" and name == "packbits":
        x = array(3, 4) > 0

    def run(m: Any) -> Any:
        return ORDER[name](m, m.numpy.asarray(x))

    same(run(oakum), run(jax))


A, B = array(3, 4), array(4, 2, seed=5)
PRODUCTS: dict[str, Any] = {
    "dot": (lambda m, a, b: m.numpy.dot(a, b), (A, B)),
    "dot_scalar": (lambda m, a: m.numpy.dot(a, 3), (A,)),
    "dot_many": (lambda m, a, b: m.numpy.dot(a, b), (array(2, 3, 4), array(5, 4, 2))),
    "matmul": (lambda m, a, b: a @ b, (array(5, 1, 3, 4), array(2, 4, 2))),
    "matmul_vector": (lambda m, a, b: (a @ b, b @ a.T), (A, array(4))),
    "matvec": (lambda m, a, b: m.numpy.matvec(a, b), (array(2, 3, 4), array(4))),
    "vecmat": (lambda m, a, b: m.numpy.vecmat(a, b), (array(2, 3), array(3, 4))),
    "vdot": (lambda m, a, b: m.numpy.vdot(a, b), (A, array(4, 3))),
    "vecdot": (lambda m, a, b: m.numpy.vecdot(a, b, axis=0), (A, array(3, 4, seed=3))),
    "inner": (lambda m, a, b: m.numpy.inner(a, b), (A, array(2, 5, 4))),
    "outer": (lambda m, a, b: m.numpy.outer(a, b), (A, B)),
    "tensordot": (lambda m, a, b: m.numpy.tensordot(a, b, ([1, 0], [0, 2])), (A, array(4, 2, 3))),
    "tensordot_count": (lambda m, a, b: m.numpy.tensordot(a, b, 1), (A, B)),
    "kron": (lambda m, a, b: m.numpy.kron(a, b), (A, array(2))),
    "cross": (lambda m, a, b: m.numpy.cross(a, b, axisb=0), (array(2, 3), array(3, 2, seed=7))),
    "einsum": (lambda m, a, b: m.numpy.einsum("ij,jk", a, b), (A, B)),
    "einsum_sums": (lambda m, a, b: m.numpy.einsum("ij,jk->", a, b), (A, B)),
    "einsum_diagonal": (lambda m, a: m.numpy.einsum("iij->ji", a), (array(3, 3, 2),)),
    "einsum_trace": (lambda m, a: m.numpy.einsum("...ii", a), (array(2, 3, 3),)),
    "einsum_rest": (lambda m, a, b: m.numpy.einsum("i...,...i->...", a, b), (A, array(4, 3))),
    "einsum_ones": (lambda m, a, b: m.numpy.einsum("ij,ij->ij", a, b), (A, array(3, 1))),
    "einsum_lists": (lambda m, a, b: m.numpy.einsum(a, [0, 1], b, [1, 2], [2, 0]), (A, B)),
    "einsum_three": (
        lambda m, a, b, c: m.numpy.einsum("ij,jk,kl->il", a, b, c),
        (A, B, array(2, 6)),
    ),
    "einsum_mixed": (
        lambda m, a, b: m.numpy.einsum("ij,jk", a, b),
        (A, array(4, 2, dtype=np.int32)),
    ),
    "multi_dot": (lambda m, a, b: m.numpy.linalg.multi_dot([a, b, a[:2]]), (A, B)),
}


@pytest.mark.sweep(9)
@pytest.mark.parametrize(
    ("case", "mode"),
    runs(
        [
            Case(
                name,
                build,
                operands,
                tuple(i for i, x in enumerate(operands) if x.dtype.kind == "f"),
                ("vjp",) if name in ("dot_many", "matmul_vector", "cross") else ("vjp", "vmap"),
            )
            for name, (build, operands) in PRODUCTS.items()
        ]
    ),
)
def test_products(case: Case, mode: str) -> None:
    """A product, its gradient or its mapped form has other numbers than on JAX."""
    check(case, mode)


TRANSFORMS: dict[str, Any] = {
    "fft": lambda m, x: (m.numpy.fft.fft(x), m.numpy.fft.fft(x, 6, 0, "ortho")),
    "ifft": lambda m, x: (m.numpy.fft.ifft(x), m.numpy.fft.ifft(x, 3, 1, "forward")),
    "rfft": lambda m, x: m.numpy.fft.rfft(m.numpy.real(x), 5),
    "irfft": lambda m, x: (m.numpy.fft.irfft(x), m.numpy.fft.irfft(x, 5, 0)),
    "hfft": lambda m, x: (m.numpy.fft.hfft(x), m.numpy.fft.hfft(x, 5, norm="ortho")),
    "ihfft": lambda m, x: m.numpy.fft.ihfft(m.numpy.real(x), norm="ortho"),
    "fftn": lambda m, x: (m.numpy.fft.fftn(x), m.numpy.fft.fft2(x, (5, 2))),
    "rfftn": lambda m, x: m.numpy.fft.rfftn(m.numpy.real(x), (4, 3), (1, 0)),
    "irfftn": lambda m, x: m.numpy.fft.irfft2(x, norm="forward"),
    "shifts": lambda m, x: (m.numpy.fft.fftshift(x), m.numpy.fft.ifftshift(x, 1)),
    "frequencies": lambda m, x: (m.numpy.fft.fftfreq(5, 0.1), m.numpy.fft.rfftfreq(6)),
}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", TRANSFORMS)
def test_fourier_transforms(name: str) -> None:
    """A Fourier transform gives other numbers than on JAX."""
    ours, theirs = (TRANSFORMS[name](m, m.numpy.asarray(Z)) for m in (oakum, jax))
    same(ours, theirs, 1e-4)


POLYNOMIALS: dict[str, Any] = {
    "add": lambda m, p, q: (m.numpy.polyadd(p, q), m.numpy.polysub(q, p)),
    "mul": lambda m, p, q: m.numpy.polymul(p, q),
    "div": lambda m, p, q: m.numpy.polydiv(p, q),
    "der": lambda m, p, q: (m.numpy.polyder(p), m.numpy.polyder(p, 3)),
    "int": lambda m, p, q: (m.numpy.polyint(p), m.numpy.polyint(p, 2, np.array([1.0, 2.0]))),
    "val": lambda m, p, q: (m.numpy.polyval(p, q), m.numpy.polyval(p, 2)),
    "val_long": lambda m, p, q: m.numpy.polyval(np.linspace(-1, 1, 20, dtype=np.float32), q),
    "poly": lambda m, p, q: m.numpy.poly(q),
}


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials(name: str) -> None:
    """Arithmetic with coefficients gives other ones than on JAX."""
    p, q = array(5), np.array([2.0, -1.0, 0.5], np.float32)
    ours, theirs = (
        POLYNOMIALS[name](m, m.numpy.asarray(p), m.numpy.asarray(q)) for m in (oakum, jax)
    )
    same(ours, theirs, 1e-4)


def test_grids_are_made_by_indexing() -> None:
    """`jnp.mgrid[...]` and its like give other arrays."""

    def run(m: Any) -> Any:
        n = m.numpy
        return (
            n.mgrid[:3, 1:2:3j], n.mgrid[2:5], n.ogrid[:3, 1.0:3], n.r_[:3, 7, n.ones(2)],
            n.r_["0,2", :3, [4, 5, 6]], n.c_[:3, n.ones(3)], n.r_["c", :2],
            n.c_[n.ones((2, 1)), 5:7],
        )  # fmt: skip

    same(run(oakum), run(jax))


def test_functions_of_scalars_become_functions_of_arrays() -> None:
    """`jnp.vectorize` or `jnp.frompyfunc` calls a function with other arguments."""

    def run(m: Any) -> Any:
        n = m.numpy
        product = n.vectorize(lambda a, b: a @ b, signature="(n,m),(m)->(n)")
        scale = n.vectorize(lambda a, b, *, k: a * b + k, excluded={"k"})
        add = n.frompyfunc(lambda a, b: a + 2 * b, 2, 1, identity=0)
        return (
            product(n.asarray(X).swapaxes(1, 2), np.ones((3, 4), np.float32)),
            scale(n.asarray(M), n.arange(4.0), k=3),
            add(n.asarray(M), 1), add.reduce(n.arange(5)), add.accumulate(n.asarray(M), 1),
            add.outer(n.arange(2), n.arange(3)), add.reduceat(n.arange(6), n.array([0, 3])),
            add.at(n.zeros(3), n.array([0, 0]), 1.0, inplace=False),
            n.add.reduce(n.asarray(M), axis=None), n.fromfunction(lambda i, j: i - j, (2, 3)),
        )  # fmt: skip

    same(run(oakum), run(jax))


FAILING: dict[str, Any] = {
    "reshape": lambda m: m.numpy.reshape(M, (5, -1)),
    "reshape_twice": lambda m: m.numpy.reshape(M, (-1, -1)),
    "reshape_traced": lambda m: m.jit(lambda n: m.numpy.reshape(m.numpy.ones(4), (n, -1)))(2),
    "reshape_order": lambda m: m.numpy.reshape(M, 12, order="other"),
    "transpose": lambda m: m.numpy.transpose(M, (0, 0)),
    "moveaxis": lambda m: m.numpy.moveaxis(M, (0, 1), 0),
    "axis": lambda m: m.numpy.flip(M, 2),
    "axis_float": lambda m: m.numpy.flip(M, 1.0),
    "squeeze": lambda m: m.numpy.squeeze(M, 0),
    "list": lambda m: m.numpy.reshape([1, 2], (2, 1)),
    "none": lambda m: m.numpy.concatenate([None, M]),
    "concatenate_nothing": lambda m: m.numpy.concatenate([]),
    "concatenate_scalars": lambda m: m.numpy.concatenate([1, 2]),
    "concatenate_shapes": lambda m: m.numpy.concatenate([M, M.T]),
    "stack_shapes": lambda m: m.numpy.stack([M, M.T]),
    "split": lambda m: m.numpy.split(M, 2),
    "split_traced": lambda m: m.jit(lambda n: m.numpy.split(m.numpy.ones(4), n))(2),
    "broadcast_to": lambda m: m.numpy.broadcast_to(M, (3, 5)),
    "repeat_traced": lambda m: m.jit(lambda n: m.numpy.repeat(m.numpy.ones(4), n))(2),
    "pad_negative": lambda m: m.numpy.pad(M, -1),
    "pad_mode": lambda m: m.numpy.pad(M, 1, "other"),
    "pad_widths": lambda m: m.numpy.pad(M, ((1, 2), (3, 4), (5, 6))),
    "pad_option": lambda m: m.numpy.pad(M, 1, "edge", constant_values=1),
    "dot": lambda m: m.numpy.dot(M, M),
    "matmul_scalar": lambda m: m.numpy.matmul(M, 2),
    "matmul_batch": lambda m: m.numpy.matmul(np.ones((2, 3, 4)), np.ones((3, 4, 5))),
    "tensordot": lambda m: m.numpy.tensordot(M, M, 3),
    "einsum_size": lambda m: m.numpy.einsum("ij,jk", M, M),
    "einsum_count": lambda m: m.numpy.einsum("ij,jk", M),
    "einsum_output": lambda m: m.numpy.einsum("ij->k", M),
    "einsum_at_once": lambda m: m.numpy.einsum("i,i,i->i", V, V, V, optimize=[(0, 1, 2)]),
    "unique_traced": lambda m: m.jit(m.numpy.unique)(V),
    "sort_kind": lambda m: m.numpy.sort(V, kind="heapsort"),
    "partition_complex": lambda m: m.numpy.partition(Z, 1),
    "searchsorted": lambda m: m.numpy.searchsorted(M, 1.0),
    "diff_order": lambda m: m.numpy.diff(V, -1),
    "gradient_short": lambda m: m.numpy.gradient(np.ones(1)),
    "fft_axes": lambda m: m.numpy.fft.fftn(M, axes=(0, 0)),
    "fft_norm": lambda m: m.numpy.fft.fft(M, norm="other"),
    "fft_size": lambda m: m.numpy.fft.fft(M, 0),
    "roots_traced": lambda m: m.jit(m.numpy.roots)(V),
    "cross": lambda m: m.numpy.cross(V, V),
    "vectorize_count": lambda m: m.numpy.vectorize(lambda a: a, signature="(n)->()")(V, V),
    "vectorize_signature": lambda m: m.numpy.vectorize(lambda a: a, signature="n->")(V),
    "packbits": lambda m: m.numpy.packbits(V),
}


@pytest.mark.parametrize("name", FAILING)
def test_wrong_arguments_raise_what_jax_raises(name: str) -> None:
    """A wrong argument is accepted, or raises what `except` of JAX's class does not catch."""
    fails_alike(FAILING[name])


def test_errors_say_what_is_wrong() -> None:
    """A message lacks the words by which users find help for JAX's."""
    n: Any = oakum.numpy
    with pytest.raises(
        TypeError, match=r"requires ndarray or scalar arguments, got <class 'list'>"
    ):
        n.reshape([1, 2], (2, 1))
    with pytest.raises(TypeError, match=r"cannot reshape array of shape \(3, 4\) \(size 12\)"):
        n.reshape(M, (5, 2))
    with pytest.raises(ValueError, match="axis 2 is out of bounds for array of dimension 2"):
        n.flip(M, 2)
    with pytest.raises(ValueError, match="array split does not result in an equal division"):
        n.split(M, 2)
    with pytest.raises(oakum.errors.ConcretizationTypeError, match=r"jnp\.unique\(\)"):
        oakum.jit(n.unique)(V)


def test_tuple_that_says_what_array_it_is_can_be_stacked() -> None:
    """A named tuple may say so by stacking itself, which must not ask it again."""

    class Pose(NamedTuple):
        x: float
        y: float

        def __jax_array__(self) -> Any:
            return oakum.numpy.stack(self)

    pose: Any = Pose(1.0, 2.0)  # not an ArrayLike for type checkers, as in JAX
    assert oakum.numpy.sum(pose) == 3.0
