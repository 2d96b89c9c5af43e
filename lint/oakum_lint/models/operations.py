"""What single public functions of JAX do that their declarations do not say, by declared names."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

READS_OPERAND: Final = frozenset({"Array.repeat", "numpy.delete", "numpy.repeat"})
"""Functions of dynamic size that read a constant deciding operand without staging it."""
TAKES: Final = frozenset({"numpy.take"})
"""Functions that index an array by an argument."""
MAKES_OF_DATA: Final = frozenset({"numpy.array", "numpy.asarray"})
"""Functions that make an array of numbers that are written out."""
MAKES_RANGE: Final = frozenset({"numpy.arange"})
NAN_TESTS: Final = frozenset({"numpy.isfinite", "numpy.isnan"})
"""Functions that say which elements are NaN, or are not."""
_UNIT, _SIGNED, _GROWING = (0.0, 1.0), (-1.0, 1.0), (0.0, math.inf)
LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "lax.erf": _SIGNED,
    "lax.erfc": (2.0, 0.0),
    "lax.exp": _GROWING,
    "lax.logistic": _UNIT,
    "lax.tanh": _SIGNED,
    "nn.sigmoid": _UNIT,
    "nn.softmax": _UNIT,
    "numpy.exp": _GROWING,
    "numpy.exp2": _GROWING,
    "numpy.expm1": (-1.0, math.inf),
    "numpy.tanh": _SIGNED,
    "scipy.special.erf": _SIGNED,
    "scipy.special.erfc": (2.0, 0.0),
    "scipy.special.expit": _UNIT,
    "scipy.special.softmax": _UNIT,
}
"""What floating point rounds a function to, far below zero and far above; its derivative is rounded
to zero there."""
GROWING: Final[Mapping[str, Callable[[float], float]]] = {
    "jax.numpy.cosh": math.cosh,
    "jax.numpy.exp": math.exp,
    "jax.numpy.exp2": partial(pow, 2.0),
    "jax.numpy.expm1": math.expm1,
    "jax.numpy.sinh": math.sinh,
}
"""Functions whose values and derivatives are infinite far from zero, by their paths."""
WITHIN_ONE: Final = frozenset("acos arccos arcsin arctanh asin atanh".split())
"""The names of functions that are NaN, or have no derivative, from one on."""
FROM_ONE: Final = frozenset({"acosh", "arccosh"})
"""The names of functions that are so up to one."""
OPPOSITES: Final = frozenset({"lax.neg", "numpy.negative"})
SQUARES: Final = frozenset({"lax.square", "numpy.square"})
NOT_NEGATIVE: Final = frozenset(
    """
    lax.abs lax.logistic lax.square nn.relu nn.sigmoid nn.softmax nn.softplus numpy.abs
    numpy.absolute numpy.fabs numpy.hypot numpy.linalg.norm numpy.square numpy.std numpy.var
    Array.std Array.var
    """.split()
)
"""Functions of real numbers whose results are nowhere below zero, and do not overflow: `log1p` of
an exponential that does has a derivative of zero times infinity.
"""
KEEPS_ELEMENTS: Final = frozenset(
    """
    Array.astype Array.flatten Array.reshape numpy.asarray numpy.astype numpy.expand_dims
    numpy.ravel numpy.reshape numpy.squeeze numpy.transpose
    """.split()
)
"""Functions whose result has the elements of their first operand."""
MOVES_ROWS: Final = frozenset(
    """
    Array.reshape Array.transpose lax.reshape numpy.broadcast_to numpy.permute_dims numpy.reshape
    numpy.transpose
    """.split()
)
"""Functions whose result may have other rows than their operand, and is that where its shape is
what was asked for."""
REPEATS: Final = frozenset(
    "numpy.broadcast_to numpy.repeat numpy.tile numpy.tril numpy.triu".split()
)
"""Functions that repeat the elements of their first operand, or put zeros in the place of some."""
MULTIPLIES: Final = frozenset({"lax.mul", "numpy.multiply"})
LOGARITHMS: Final = frozenset({"lax.log", "numpy.log", "numpy.log10", "numpy.log2"})
SUMS: Final = frozenset(
    """
    Array.mean Array.sum lax.psum numpy.cumsum numpy.dot numpy.einsum numpy.mean numpy.sum
    ops.segment_sum
    """.split()
)
"""Functions whose result overflows where an element of their first operand does."""
BOUNDS_RESULT: Final = frozenset(
    """
    Array.clip fft.fftfreq fft.rfftfreq lax.acos lax.asin lax.atan lax.atan2 lax.clamp lax.cos
    lax.erf lax.erfc lax.logistic lax.min lax.rem lax.sin lax.tanh nn.hard_sigmoid nn.hard_tanh
    nn.log_sigmoid nn.log_softmax nn.one_hot nn.relu6 nn.sigmoid nn.soft_sign nn.softmax
    nn.standardize nn.tanh numpy.angle numpy.arange numpy.arccos numpy.arcsin numpy.arctan
    numpy.arctan2 numpy.clip numpy.cos numpy.fmin numpy.fmod numpy.linspace numpy.log numpy.log10
    numpy.log1p numpy.log2 numpy.minimum numpy.mod numpy.nan_to_num numpy.remainder numpy.sign
    numpy.sin numpy.sinc numpy.subtract numpy.tanh numpy.where random.beta random.dirichlet
    random.normal random.truncated_normal random.uniform
    """.split()
)
"""Functions whose result has an exponential that does not overflow, or that somebody has taken care
of: of a logarithm it is as large as what that was taken of."""
SCALES: Final = frozenset("amax l2_normalize max norm nanmax std sum var".split())
"""What functions are called that give the size of an array: divided by it, the array has about
one."""
MAPPING_CALLS: Final = frozenset("add map tree_map vmap".split())
"""What functions and methods are called whose result is made of their operands, or of what a
function among these returns."""
REARRANGES_APART: Final = "independent"
"""The option with which each vector of an array gets an order of its own: rows stay together no
longer, also of two arrays that one key rearranges."""
MADE_LIKE: Final = frozenset({"empty_like", "ones_like", "zeros_like"})
"""Functions that read the shape and dtype of their operand alone, by their last names."""
ASK_FORM: Final = MADE_LIKE | {"len", "ndim", "shape", "size", "result_type"}
"""Functions that read no element of their operand, by their last names."""
WITHOUT_DERIVATIVE: Final[Mapping[str, tuple[str, ...]]] = {
    "experimental.io_callback": ("args",),
    "lax.linalg.hessenberg": ("a",),
    "lax.linalg.householder_product": ("a", "taus"),
    "lax.linalg.schur": ("x",),
    "lax.nextafter": ("x1", "x2"),
    "lax.pmax": ("x",),
    "lax.pmin": ("x",),
    "numpy.linalg.eig": ("a",),
    "numpy.nextafter": ("x", "y"),
    "pure_callback": ("args",),
    "scipy.linalg.funm": ("A",),
    "scipy.linalg.hessenberg": ("a",),
    "scipy.linalg.schur": ("a",),
    "scipy.linalg.sqrtm": ("A",),
    "scipy.special.betainc": ("a", "b"),
}
"""Functions that raise where a derivative is taken by one of these parameters. Measured."""
LEFT_OUT_UNUSED: Final = frozenset({"pure_callback"})
"""Functions that call back, unless nobody uses their result in a compiled program."""
SEQUENCE_PARAMETERS: Final = frozenset(
    {"arrays", "arys", "tup", "seq", "operands", "arr_list", "tree"}
)
"""Parameters that take a sequence of arrays: a traced tree passed for one need not be an array."""

_COMPUTING = ("numpy.", "lax.", "nn.")


def computes_arrays(declared: str) -> bool:
    """Whether a function computes arrays of arrays, by where it is.

    >>> computes_arrays("lax.add"), computes_arrays("tree_util.tree_map")
    (True, False)
    """
    return declared.startswith(_COMPUTING)


def takes_unlike_operands(declared: str) -> bool:
    """Whether a function brings operands of several ranks or dtypes together, where it is declared
    to promote them: those of `jax.lax` want them alike.

    >>> takes_unlike_operands("numpy.add"), takes_unlike_operands("lax.add")
    (True, False)
    """
    return declared.startswith("numpy.")


def is_window(declared: str) -> bool:
    """Whether a function takes, or replaces, a window whose start is an argument."""
    return declared.startswith("lax.dynamic_")


def is_histogram(declared: str) -> bool:
    """Whether a function counts values in bins."""
    return declared.startswith("numpy.histogram")


PRINTS_LATER: Final = frozenset({"jax.debug.print", "jax.debug.log"})
"""What takes a text and its values apart, and formats them when the program runs."""
FORMER_KEYWORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "numpy.clip": {"a_min": "min", "a_max": "max"},
    "numpy.nanpercentile": {"interpolation": "method"},
    "numpy.nanquantile": {"interpolation": "method"},
    "numpy.percentile": {"interpolation": "method"},
    "numpy.quantile": {"interpolation": "method"},
    "numpy.reshape": {"newshape": "shape"},
    "numpy.linalg.matrix_rank": {"tol": "rtol"},
    "numpy.linalg.pinv": {"rcond": "rtol"},
}
"""Keywords of older versions of JAX, and what they are called now: without them nothing is known of
what such a call returns."""
ALL_THE_SAME: Final[Mapping[str, str]] = {}
"""Of all other functions."""
