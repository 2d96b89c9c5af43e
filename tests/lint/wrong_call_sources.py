"""Wrong calls as text: operations, each with the kinds of mistakes that it can be called with.

A call is an expression over the arrays of `ARGUMENTS`. Each family of operations has its mistakes,
so that a new operation is one word here, and brings all mistakes of its family.
"""

from collections.abc import Iterator

ARGUMENTS = {
    "x": "jnp.ones((3, 4))",
    "square": "jnp.ones((3, 3))",
    "vector": "jnp.ones(3)",
    "longer": "jnp.ones(4)",
    "counts": "jnp.arange(3)",
    "table": "jnp.ones((3, 4), jnp.int32)",
    "mask": "jnp.ones(3, bool)",
    "waves": "jnp.ones(3, jnp.complex64)",
    "small": "jnp.ones(3, jnp.bfloat16)",
    "scalar": "jnp.float32(1.0)",
    "cube": "jnp.ones((2, 3, 4))",
    "key": "jax.random.key(0)",
}

_NAMES: dict[str, tuple[str, tuple[str, ...]]] = {
    # family: operations, and the mistakes as arguments
    "of one array of any numbers": (
        """jnp.sin jnp.cos jnp.exp jnp.log jnp.sqrt jnp.tanh jnp.abs jnp.square jnp.sign jnp.isnan
        jnp.rint jnp.reciprocal jnp.real jnp.exp2 jnp.log1p jnp.arcsinh jnp.degrees
        jax.nn.relu jax.nn.gelu jax.nn.sigmoid jax.nn.silu jax.nn.softplus jax.nn.elu
        jax.scipy.special.erf jax.scipy.special.gammaln jax.scipy.special.expit""",
        ("None", '"text"'),
    ),
    "of two arrays of any numbers": (
        """jnp.add jnp.multiply jnp.divide jnp.maximum jnp.arctan2 jnp.logaddexp jnp.hypot
        jnp.power jnp.less jnp.equal jnp.logical_and jnp.fmin jnp.copysign jnp.subtract
        jax.scipy.special.xlogy jax.scipy.special.betaln""",
        ("vector, longer", "x, vector", "x, square", "x, None", '"text", x'),
    ),
    "of two arrays of real numbers": (
        "jnp.floor_divide jnp.remainder",
        ("vector, longer", "waves, vector", "None, x"),
    ),
    "of one array of real numbers": ("jnp.floor jnp.ceil jnp.trunc", ("waves", "None")),
    "of two arrays of bits": (
        "jnp.bitwise_and jnp.bitwise_or jnp.bitwise_xor jnp.left_shift jnp.right_shift jnp.gcd",
        ("vector, counts", "counts, 1.5", "counts, table[0]", "waves, counts"),
    ),
    "of one array in lax": (
        """lax.sin lax.cos lax.tan lax.exp lax.log lax.sqrt lax.rsqrt lax.tanh lax.logistic
        lax.expm1
        lax.erf lax.lgamma lax.floor lax.ceil lax.round lax.is_finite lax.cbrt""",
        ("counts", "mask", "None"),
    ),
    "of two arrays in lax": (
        "lax.add lax.sub lax.mul lax.div lax.max lax.min lax.atan2 lax.eq lax.lt lax.nextafter",
        ("vector, longer", "x, vector", "vector, counts", "vector, small", "vector, mask"),
    ),
    "of bits in lax": (
        "lax.bitwise_and lax.bitwise_xor lax.shift_left lax.shift_right_logical",
        ("vector, vector", "counts, longer", "counts, table", "counts, 1.0"),
    ),
    "reductions": (
        """jnp.sum jnp.prod jnp.max jnp.min jnp.mean jnp.std jnp.var jnp.any jnp.all jnp.nansum
        jnp.nanmax jnp.argmax jnp.argmin jnp.median jax.nn.logsumexp jnp.ptp""",
        ("x, axis=2", "x, axis=-3", 'x, axis="a"', "x, axis=1.5", "None"),
    ),
    "reductions over several axes": (
        "jnp.sum jnp.max jnp.mean jnp.any jnp.std",
        ("x, axis=(0, 0)", "x, axis=(0, 2)", "x, where=vector"),
    ),
    "along one axis": (
        """jnp.cumsum jnp.cumprod jnp.sort jnp.argsort jnp.flip jnp.expand_dims jnp.squeeze
        jax.nn.softmax jax.nn.log_softmax jnp.unstack""",
        ("x, axis=3", "x, axis=-4", 'x, axis="a"', "None, axis=0"),
    ),
    "reductions in lax": (
        "lax.reduce_sum lax.reduce_max lax.reduce_prod",
        ("x, axes=(2,)", "x, axes=(0, 0)"),
    ),
    "along one axis in lax": (
        "lax.cumsum lax.cummax lax.cumprod",
        ("x, axis=2", "x, axis=-1", "mask"),
    ),
    "products": (
        "jnp.matmul jnp.dot jnp.inner",
        ("x, square", "vector, longer", "cube, square", "x, None"),
    ),
    "vectors": ("jnp.vdot jnp.vecdot", ("vector, longer", "vector, None")),
    "square matrices": (
        """jnp.linalg.inv jnp.linalg.det jnp.linalg.eig jnp.linalg.slogdet jnp.linalg.eigvals
        jax.scipy.linalg.det""",
        ("vector", "x", "None"),
    ),
    "matrices": (
        "jnp.linalg.svd jnp.linalg.qr jnp.linalg.pinv jnp.linalg.eigh jnp.linalg.cholesky",
        ("vector", "None"),
    ),
    "systems": ("jnp.linalg.solve", ("square, longer", "x, vector", "vector, vector")),
    "joined": (
        "jnp.concatenate jnp.vstack jnp.stack",
        ("[x, square]", "[x, cube]", "[]"),
    ),
    "joined along an axis": (
        "jnp.concatenate jnp.stack",
        ("[x, x], axis=3", '[x, x], axis="a"'),
    ),
    "shapes": (
        "jnp.zeros jnp.ones jnp.empty",
        ("(2, -3)", '(2, "a")', "-1", "(1.5,)"),
    ),
    "spectra": (
        "jnp.fft.fft jnp.fft.ifft jnp.fft.rfft jnp.fft.irfft",
        ("x, axis=2", "None", "x, n=-1", 'x, axis="a"'),
    ),
    "draws": (
        "jax.random.normal jax.random.uniform jax.random.exponential jax.random.gumbel",
        ("key, (2, -3)", 'key, (2, "a")', "vector, (2,)", "key, (1.5,)"),
    ),
    "keys": ("jax.random.split jax.random.bits", ("vector",)),
}

_SINGLE = """
x.reshape(5, 2)
jnp.reshape(x, (5, -1))
jnp.reshape(x, (-1, -1))
x.reshape(7)
jnp.transpose(x, (0, 2))
jnp.transpose(x, (0,))
jnp.transpose(x, (0, 0))
jnp.swapaxes(x, 0, 2)
jnp.moveaxis(x, 0, 3)
jnp.squeeze(x, 0)
jnp.broadcast_to(vector, (4,))
jnp.broadcast_to(x, (4,))
jnp.split(longer, 3)
jnp.split(x, 2, axis=2)
jnp.take(x, vector)
jnp.take(x, counts, axis=2)
jnp.take_along_axis(x, counts, axis=0)
jnp.where(mask, longer, 0.0)
jnp.where(mask, x, vector)
jnp.clip(waves, 0, 1)
jnp.clip(vector, longer, None)
jnp.triu(vector)
jnp.diag(cube)
jnp.trace(vector)
jnp.tensordot(x, square, axes=3)
jnp.tensordot(x, square, axes=1)
jnp.einsum("ij,jk->ik", x, square)
jnp.einsum("ij,kj->ik", x, vector)
jnp.cross(longer, longer)
jnp.convolve(x, vector)
jnp.outer(None, vector)
jnp.roll(x, 1, axis=2)
jnp.repeat(x, 2, axis=2)
jnp.pad(vector, ((0, 0), (1, 1)))
jnp.linalg.norm(vector, axis=1)
jnp.linalg.matrix_power(x, 2)
lax.dot_general(x, square, (((2,), (0,)), ((), ())))
lax.dot_general(x, square, (((1,), (0,)), ((), ())))
lax.dot_general(x, square, (((1, 0), (0,)), ((), ())))
lax.select(mask, vector, longer)
lax.select(vector, vector, vector)
lax.select(mask, vector, counts)
lax.select(longer > 0, vector, vector)
lax.clamp(longer, vector, vector)
lax.clamp(0, vector, 1)
lax.concatenate([x, square], 0)
lax.concatenate([x, table], 0)
lax.concatenate([x, x], 2)
lax.pad(vector, 0.0, ((1, 1, 0), (1, 1, 0)))
lax.pad(vector, vector, ((1, 1, 0),))
lax.pad(vector, 0, ((1, 1, 0),))
lax.rev(vector, (1,))
lax.rev(x, (0, 0))
lax.transpose(x, (0,))
lax.transpose(x, (0, 0))
lax.reshape(x, (5, 2))
lax.reshape(x, (-1, 6))
lax.broadcast_in_dim(vector, (2, 4), (1,))
lax.broadcast_in_dim(vector, (2, 3), (2,))
lax.broadcast_in_dim(vector, (2, 3), ())
lax.squeeze(x, (0,))
lax.expand_dims(x, (5,))
lax.slice(x, (0,), (2,))
lax.slice(x, (0, 0), (3, 5))
lax.slice(x, (2, 0), (1, 4))
lax.slice_in_dim(vector, 0, 5)
lax.dynamic_slice(vector, (0,), (4,))
lax.dynamic_slice(x, (0,), (2, 2))
lax.dynamic_slice(vector, (1.0,), (2,))
lax.dynamic_update_slice(vector, longer, (0,))
lax.dynamic_update_slice(x, vector, (0, 0))
lax.dynamic_update_slice(vector, counts, (0,))
lax.top_k(vector, 5)
lax.sort(x, dimension=2)
lax.argmax(x, 2, jnp.int32)
lax.iota(jnp.float32, -1)
lax.pow(counts, counts)
lax.integer_pow(counts, -1)
lax.complex(vector, counts)
lax.real(vector)
jax.nn.one_hot(counts, -1)
jax.nn.glu(x, axis=3)
jax.random.categorical(key, x, axis=2)
jax.random.permutation(key, x, axis=2)
jax.scipy.special.logsumexp(x, axis=2)
jax.scipy.linalg.solve(square, longer)
jax.scipy.linalg.cholesky(vector)
vector + longer
x - square
x * vector
x @ square
mask - mask
-mask
~vector
vector & 1
counts << 1.0
waves // waves
x[0, 0, 0]
x[vector]
x[1.0]
x.at[0].set(vector)
x.at[0, 0, 0].add(1.0)
x.sum(axis=2)
x.mean(axis=(0, 2))
x.transpose(0, 2)
x.argmax(axis=3)
"""


def wrong_calls() -> Iterator[str]:
    """All wrong calls of the table."""
    for names, mistakes in _NAMES.values():
        for name in names.split():
            for mistake in mistakes:
                yield f"{name}({mistake})"
    yield from _SINGLE.split("\n")[1:-1]


def program(calls: list[str]) -> str:
    """A program that makes each call in a function of its own, under `jit`."""
    names = ", ".join(ARGUMENTS)
    head = ["import jax", "import jax.numpy as jnp", "from jax import lax"]
    head += [f"{name.upper()} = {value}" for name, value in ARGUMENTS.items()]
    lines: list[str] = []
    for number, call in enumerate(calls):
        given = names.upper()
        lines += ["@jax.jit", f"def call_{number}({names}):", f"    return {call}"]
        lines += [f"call_{number}({given})"]
    return "\n".join((*head, *lines, ""))
