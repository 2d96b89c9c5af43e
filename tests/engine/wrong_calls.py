"""Wrong calls of all public functions: the valid calls with one argument spoilt.

`spoilt` gives what an argument is replaced by, by what it is for: axes out of range, negative
sizes, arrays of another rank, shape or dtype, and things that are no arrays at all.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import importlib
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from sample_calls import NAMES, call, declared

KEY = NAMES["KEY"]

NAMESPACES = ("numpy", "numpy.linalg", "numpy.fft", "lax", "lax.linalg", "nn", "random", "image",
              "scipy.linalg", "scipy.signal", "scipy.special", "scipy.stats", "ops")  # fmt: skip

AXES = frozenset(
    """axis axes dimension dimensions axis1 axis2 axisa axisb axisc broadcast_dimensions
    all_gather_dimension split_axis concat_axis source destination start_dimension stop_dimension
    permutation spatial_dims in_axis out_axis batch_axis reduce_dimensions""".split()
)
SIZES = frozenset(
    """n num size num_segments length N M total_repeat_length k total k_top nbins bins repeats
    reps num_classes slice_size window_dimensions slice_sizes window_strides n_samples s dtype_size
    maxlen ndmin minlength""".split()
)
SHAPES = frozenset("shape sizes new_sizes dimensions update_shape newshape new_shape".split())
CHOICES = frozenset(
    "mode method norm order side indexing casting bitorder padding UPLO kind ord type".split()
)


@dataclass(frozen=True)
class WrongCall:
    """A call with one argument replaced; `what` says by what."""

    name: str
    parameter: str
    what: str
    changed: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.name}({self.parameter}={self.what})"


def _spoilt_axis(value: Any) -> Iterator[Any]:
    yield from (99, -99, 1.5, "a", (0, 0), (0, 99), (99,), None, object)
    if isinstance(value, tuple):
        yield (*value, 0)
        yield ()


def _spoilt_size(value: Any) -> Iterator[Any]:
    yield from (-1, 1.5, "a", None, object)
    if isinstance(value, tuple):
        yield (-1,) * len(value)
        yield (*value, 1)
        yield ()


def _spoilt_shape(value: Any) -> Iterator[Any]:
    yield from (-1, (-1,), (2, -3), (1.5,), "ab", (2, "a"), None, 1.5)


def _spoilt_array(value: Any) -> Iterator[Any]:
    yield from (None, "a", [0.5, 1.5], object, np.float32(1.5), np.ones((2, 5, 7, 1), np.float32))
    yield from (np.ones((7, 5), np.float32), np.ones((0,), np.float32), np.array(["a"]))
    for dtype in ("int32", "bool", "complex64"):
        if value.dtype.kind in "biufc" and value.dtype != dtype:
            yield (value.real if dtype != "complex64" else value).astype(dtype)


def spoilt(name: str, value: Any) -> Iterator[Any]:
    """What an argument is replaced by, for the call to be wrong."""
    if name in SHAPES:
        yield from _spoilt_shape(value)
    elif name in AXES:
        yield from _spoilt_axis(value)
    elif name in SIZES:
        yield from _spoilt_size(value)
    elif name == "dtype":
        yield from ("foo", 17, object, "U")
    elif name in CHOICES:
        yield from ("foo", 7)
    elif isinstance(value, np.ndarray):
        yield from _spoilt_array(value)
    elif isinstance(value, tuple) and value and all(isinstance(x, np.ndarray) for x in value):
        for each in _spoilt_array(value[0]):
            yield (each, *value[1:])
        yield ()
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from ("a", None, object, -99)


def _words(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, tuple):
        return "(" + ", ".join(map(_words, value)) + ",)"
    return getattr(value, "__name__", None) or repr(value)


def wrong_calls(namespaces: tuple[str, ...] = NAMESPACES) -> Iterator[WrongCall]:
    """All wrong calls of the functions of these namespaces."""
    for namespace in namespaces:
        module = importlib.import_module(f"oakum.{namespace}")
        for name in dir(module):
            getattr(module, name)  # `declared` lists what is loaded.
        for name, function in declared(namespace):
            sample = call(name) if function.is_evaluated and not function.facts.transform else None
            for parameter, value in sample.values.items() if sample else ():
                for each in spoilt(parameter, value):
                    yield WrongCall(name, parameter, _words(each), {parameter: each})


@dataclass(frozen=True)
class Outcome:
    """What came of a call: the class of JAX's own or of Python's that an error is of, and its
    text; or the shapes and dtypes of the result.
    """

    error: type[BaseException] | None
    text: str
    result: Any


def outcome(package: Any, function: Callable[..., Any], wrong: WrongCall, mode: str) -> Outcome:
    """What comes of a wrong call: evaluated, under `jit`, or under `eval_shape`."""
    sample = call(wrong.name)
    assert sample is not None
    positional, keywords = sample.arguments(**wrong.changed)
    positional = [_of(package, each) for each in positional]
    keywords = {n: _of(package, each) for n, each in keywords.items()}
    places = [i for i, x in enumerate(positional) if is_operand(x)]
    names = [n for n, x in keywords.items() if is_operand(x)]

    def traced(arrays: list[Any], named: dict[str, Any]) -> Any:
        args = list(positional)
        for at, each in zip(places, arrays, strict=True):
            args[at] = each
        return function(*args, **{**keywords, **named})

    arrays, named = [positional[i] for i in places], {n: keywords[n] for n in names}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if mode == "evaluated":
                result = function(*positional, **keywords)
            elif mode == "jit":
                result = package.jit(traced)(arrays, named)
            else:
                result = package.eval_shape(traced, arrays, named)
    except Exception as error:
        return Outcome(type(error), str(error), None)
    leaves = package.tree_util.tree_leaves(result)
    return Outcome(None, "", [(getattr(x, "shape", ()), str(getattr(x, "dtype", type(x).__name__)))
                              for x in leaves])  # fmt: skip


def _of(package: Any, value: Any) -> Any:
    """A random key of the package in the place of JAX's."""
    return package.random.key(0) if isinstance(value, type(KEY)) else value


def is_operand(value: Any) -> bool:
    """Whether an argument is an array that a transformation can trace."""
    return isinstance(value, np.ndarray) and value.dtype.kind in "biufc"
