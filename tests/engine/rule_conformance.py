# pyright: basic
# JAX's functions and hypothesis' strategies are typed too loosely for the strict mode.
"""Compares abstract rules with what JAX says of the same call.

`check` binds a call as the linter does, evaluates the declared rule, and compares with
`jax.eval_shape`: the rule has to allow what JAX gives, be exact where asked, and stay an upper
bound when parts of what it is told are made unknown.
"""

import random as python_random
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import jax
import numpy as np
from hypothesis import strategies as st

from oakum import dtypes
from oakum.errors import DTypeError, ShapeError
from oakum.values import avals, declarations
from oakum.values.avals import UNKNOWN, UNKNOWN_DIM, PythonScalar, ShapedArray, is_subset
from oakum.values.binding import bind
from oakum.values.facts import Facts

FAILED = object()
"""Stands for a call that JAX rejects."""


def to_jax(value: Any) -> jax.ShapeDtypeStruct:
    assert value.dtype is not None
    if value.dtype is dtypes.key_fry:
        dtype: Any = jax.random.key(0).dtype
    else:
        dtype = jax.numpy.dtype(value.dtype.name)
    return jax.ShapeDtypeStruct(value.shape, dtype, weak_type=bool(value.weak_type))


def from_jax(value: Any) -> Any:
    if isinstance(value, list):
        return [from_jax(item) for item in value]
    if isinstance(value, tuple):
        return tuple(from_jax(item) for item in value)
    if isinstance(value, jax.ShapeDtypeStruct):
        dtype = dtypes.find(value.dtype.name)
        # JAX marks some booleans as weakly typed; it changes nothing that they take part in.
        weak = bool(value.weak_type) and dtype is not dtypes.bool_
        return ShapedArray(value.shape, dtype, weak)
    return value


def call_jax(function: Callable[..., Any], args: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The abstract result under JAX, or `FAILED`."""

    def is_leaf(value: Any) -> bool:
        return isinstance(value, ShapedArray) or value is None

    leaves, tree = jax.tree.flatten((args, keywords), is_leaf=is_leaf)
    traced = [to_jax(leaf) for leaf in leaves if isinstance(leaf, ShapedArray)]

    def run(arrays: list[Any]) -> Any:
        waiting = iter(arrays)
        filled = [
            next(waiting) if isinstance(leaf, ShapedArray) else _python(leaf) for leaf in leaves
        ]
        new_args, new_keywords = jax.tree.unflatten(tree, filled)
        return function(*new_args, **new_keywords)

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Of lossy casts and truncated dtypes.
            return from_jax(jax.eval_shape(run, traced))
    except (
        TypeError,
        ValueError,
        IndexError,
        NotImplementedError,
        AssertionError,
        ArithmeticError,
    ):
        return FAILED


def _python(value: Any) -> Any:
    return value.name if isinstance(value, dtypes.DType) else value


def known_shape(array: ShapedArray) -> tuple[int, ...]:
    """The shape of an array that a test has made, of integers."""
    assert array.shape is not None
    return tuple(size for size in array.shape if isinstance(size, int))


def jax_function(name: str) -> Callable[..., Any]:
    value: Any = jax
    for part in name.split("."):
        value = getattr(value, part)
    return value


def declared(name: str) -> Facts:
    found = declarations.find(name)
    assert found is not None, f"{name} is not declared"
    assert found.rule is not None, f"{name} has no rule"
    return found


def check(name: str, *args: Any, exact: bool = True, seed: int = 0, **keywords: Any) -> None:
    """Compares the declared rule of `name` with JAX on one call, and with itself on weaker ones."""
    declaration = declared(name)
    bound = bind(declaration, args, keywords)
    assert isinstance(bound, dict), f"{name}: {bound}"
    expected = call_jax(jax_function(name), args, keywords)
    compare(declaration.rule, bound, expected, exact=exact, seed=seed)


def compare(rule: Any, bound: Mapping[str, Any], expected: Any, *, exact: bool, seed: int) -> None:
    result, reason = evaluate(rule, bound)
    if result is FAILED:
        assert expected is FAILED, (
            f"rejected {shown(bound)}, of which JAX makes {shown(expected)}: {reason}"
        )
    if expected is not FAILED:
        assert is_subset(expected, result), f"{shown(bound)}: {shown(result)} for {shown(expected)}"
        if exact:
            assert result == forget_weak(expected, result), (
                f"{shown(bound)}: {shown(result)} for {shown(expected)}"
            )
    check_totality(rule, bound, result, seed)


def evaluate(rule: Any, bound: Mapping[str, Any]) -> tuple[Any, str]:
    """The result of a rule, or `FAILED` and the reason that it gives."""
    try:
        return rule(bound), ""
    except (ShapeError, DTypeError) as error:
        return FAILED, error.message


def forget_weak(expected: Any, result: Any) -> Any:
    """What JAX says, without the weak types that the rule leaves open, where JAX varies."""
    if isinstance(expected, (tuple, list)) and isinstance(result, (tuple, list)):
        pairs = zip(expected, result, strict=True)
        return type(expected)(forget_weak(each, other) for each, other in pairs)
    if isinstance(expected, ShapedArray) and isinstance(result, ShapedArray):
        return expected.update(weak_type=None) if result.weak_type is None else expected
    return expected


def check_totality(rule: Any, bound: Mapping[str, Any], result: Any, seed: int) -> None:
    """Knowing less never gives more, and never a failure that knowing more would not give."""
    chance = python_random.Random(seed)
    for _ in range(3):
        weaker = weaken(dict(bound), chance)
        less, _ = evaluate(rule, weaker)
        if result is FAILED:
            continue
        assert less is not FAILED, f"rejected {shown(weaker)}, but not {shown(bound)}"
        assert is_subset(result, less), (
            f"{shown(weaker)}: {shown(less)}, but {shown(bound)}: {shown(result)}"
        )


def weaken(value: Any, chance: python_random.Random) -> Any:
    """A value that knows less: an upper bound in which random parts are unknown."""
    roll = chance.random()
    if isinstance(value, dict):
        return {key: weaken(item, chance) for key, item in value.items()}
    if isinstance(value, ShapedArray):
        return UNKNOWN if roll < 0.1 else _weaken_array(value, chance)
    if isinstance(value, (tuple, list)) and roll > 0.1:
        items = [weaken(item, chance) for item in value]
        return tuple(items) if isinstance(value, tuple) else items
    if isinstance(value, slice) and roll > 0.1:
        return slice(*(weaken(part, chance) for part in (value.start, value.stop, value.step)))
    if roll < 0.15:
        return UNKNOWN
    kind = avals.scalar_kind(value)
    return PythonScalar(kind) if roll < 0.3 and kind is not None else value


def _weaken_array(value: ShapedArray, chance: python_random.Random) -> ShapedArray:
    shape = value.shape
    if chance.random() < 0.15:
        shape = None
    elif shape is not None:
        shape = tuple(UNKNOWN_DIM if chance.random() < 0.3 else size for size in shape)
    return ShapedArray(
        shape,
        None if chance.random() < 0.2 else value.dtype,
        None if chance.random() < 0.2 else value.weak_type,
    )


def shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key}={shown(item)}" for key, item in value.items())
    if isinstance(value, (tuple, list)):
        return f"({', '.join(shown(item) for item in value)})"
    return "an error" if value is FAILED else str(value)


COMMON = (
    dtypes.bool_,
    dtypes.int8,
    dtypes.uint8,
    dtypes.int32,
    dtypes.uint32,
    dtypes.bfloat16,
    dtypes.float16,
    dtypes.float32,
    dtypes.complex64,
)
WEAK = (dtypes.int32, dtypes.float32, dtypes.complex64)
FLOATS = (dtypes.bfloat16, dtypes.float16, dtypes.float32)

seeds = st.integers(0, 2**16)
sizes = st.integers(1, 4)


def shapes(min_rank: int = 0, max_rank: int = 3) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(0, 4), min_size=min_rank, max_size=max_rank).map(tuple)


def typings(
    kinds: tuple[dtypes.DType, ...] = COMMON, *, weak: bool = True
) -> st.SearchStrategy[tuple[dtypes.DType, bool]]:
    strong = st.sampled_from(kinds).map(lambda dtype: (dtype, False))
    lax = [dtype for dtype in WEAK if dtype in kinds]
    if not weak or not lax:
        return strong
    return strong | st.sampled_from(lax).map(lambda dtype: (dtype, True))


def arrays(
    shape: st.SearchStrategy[tuple[int, ...]] | tuple[int, ...] | None = None,
    kinds: tuple[dtypes.DType, ...] = COMMON,
    *,
    weak: bool = True,
) -> st.SearchStrategy[ShapedArray]:
    if shape is None:
        shape = shapes()
    shape_strategy = st.just(shape) if isinstance(shape, tuple) else shape
    return st.builds(
        lambda size, typing: ShapedArray(size, *typing), shape_strategy, typings(kinds, weak=weak)
    )


@st.composite
def broadcastable(draw: st.DrawFn, count: int, max_rank: int = 3) -> list[tuple[int, ...]]:
    """Shapes that mostly broadcast together."""
    whole = draw(shapes(0, max_rank))
    results: list[tuple[int, ...]] = []
    for _ in range(count):
        tail = whole[draw(st.integers(0, len(whole))) :]
        results.append(tuple(1 if draw(st.integers(0, 3)) == 0 else size for size in tail))
    if draw(st.integers(0, 9)) == 0:
        results[-1] = draw(shapes(0, max_rank))
    return results


SCALARS = st.sampled_from([True, 2, -1, 2.5, 1j, np.pi])
"""Python numbers, as a program passes them."""
