"""Runs cases on oakum and on JAX: evaluated, compiled, differentiated and mapped.

A case is a function of an implementation (`jax` or `oakum`) and of arrays; both have to agree in
values, dtypes, weak types and errors.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import oakum

jax: Any = pytest.importorskip("jax")

Build = Callable[[Any], Any]
"""What is done with an implementation."""

Function = (
    Callable[[Any, Any], Any] | Callable[[Any, Any, Any], Any] | Callable[[Any, Any, Any, Any], Any]
)
"""What is done with an implementation and arrays."""


@dataclass(frozen=True)
class Case:
    """A function of arrays; `smooth` says by which of them it is differentiated."""

    name: str
    build: Function
    operands: tuple[Any, ...]
    smooth: tuple[int, ...] = (0,)
    modes: tuple[str, ...] = ("jvp", "vjp", "vmap")


def array(*shape: int, dtype: Any = np.float32, seed: int = 0) -> Any:
    """Different numbers in random order, so that nothing is equal by chance."""
    size = int(np.prod(shape))
    numbers = np.random.default_rng(seed).permutation(size) - size // 3
    return (numbers / 4 if np.dtype(dtype).kind in "fc" else numbers).astype(dtype).reshape(shape)


def same(ours: Any, theirs: Any, tolerance: float = 1e-5) -> None:
    """Fails unless trees of arrays agree in value, dtype, shape and weak type."""
    left, right = oakum.tree.leaves(ours), jax.tree.leaves(theirs)
    assert len(left) == len(right)
    for mine, other in zip(left, right, strict=True):
        assert str(mine.dtype) == str(other.dtype)
        assert mine.shape == other.shape
        if hasattr(other, "aval"):
            assert mine.aval.weak_type == other.aval.weak_type
        if str(other.dtype).startswith("key<"):
            mine, other = oakum.random.key_data(mine), jax.random.key_data(other)
        _same_values(np.asarray(mine), np.asarray(other), tolerance)


def _same_values(mine: Any, other: Any, tolerance: float) -> None:
    if mine.dtype.names:
        return
    if mine.dtype.kind not in "biu":
        wide = complex if mine.dtype.kind == "c" else float
        mine, other = mine.astype(wide), other.astype(wide)
    np.testing.assert_allclose(mine, other, rtol=tolerance, atol=tolerance)


def error_of(build: Build, module: Any) -> type[BaseException] | None:
    """The class of the error that a function raises."""
    try:
        build(module)
    except Exception as error:
        return type(error)
    return None


def fails_alike(build: Build) -> None:
    """Fails unless a function raises on both, and `except` of JAX's class catches ours."""
    theirs = error_of(build, jax)
    assert theirs is not None
    with pytest.raises(theirs):
        build(oakum)


def check(case: Case, mode: str) -> None:
    """Compares a case in one mode."""
    ours, theirs = (RUNNERS[mode](module, case) for module in (oakum, jax))
    same(ours, theirs)


def _arrays(module: Any, case: Case) -> list[Any]:
    return [module.numpy.asarray(x) for x in case.operands]


def _call(module: Any, case: Case, arrays: Sequence[Any]) -> Any:
    build: Any = case.build
    return build(module, *arrays)


def evaluated(module: Any, case: Case) -> Any:
    """The result on arrays, and that of the compiled function."""

    def function(*args: Any) -> Any:
        return _call(module, case, args)

    staged = module.jit(function)(*_arrays(module, case))
    return staged, staged if module is jax else function(*_arrays(module, case))


def _smooth_function(module: Any, case: Case) -> tuple[Callable[..., Any], list[Any]]:
    arrays = _arrays(module, case)

    def function(*smooth: Any) -> Any:
        given = list(arrays)
        for at, x in zip(case.smooth, smooth, strict=True):
            given[at] = x
        return _call(module, case, given)

    return function, [arrays[at] for at in case.smooth]


def _like(module: Any, x: Any, seed: int) -> Any:
    """Random numbers of the shape and dtype of an array."""
    generator: Any = np.random.default_rng(seed)
    numbers = generator.standard_normal(x.shape)
    return module.numpy.asarray(numbers, x.dtype)


def forward(module: Any, case: Case) -> Any:
    """Result and tangent."""
    function, primals = _smooth_function(module, case)
    tangents = [_like(module, x, seed) for seed, x in enumerate(primals)]
    return _quickly(
        module, lambda *pair: module.jvp(function, *pair), tuple(primals), tuple(tangents)
    )


def backward(module: Any, case: Case) -> Any:
    """Result and gradients."""
    function, primals = _smooth_function(module, case)

    def both(*primals: Any) -> Any:
        result, pull = module.vjp(function, *primals)

        def cotangent(x: Any) -> Any:
            return _like(module, x, 7)

        return result, pull(module.tree.map(cotangent, result))

    return _quickly(module, both, *primals)


def mapped(module: Any, case: Case) -> Any:
    """The results of mapping over the last axis of each operand, and the first of all."""

    def function(*args: Any) -> Any:
        return _call(module, case, args)

    results: list[Any] = []
    count = len(case.operands)
    several = {(at,): -1 for at in range(count)} | {tuple(range(count)): 0}
    for chosen, axis in several.items():
        arrays = _arrays(module, case)
        axes: list[int | None] = [None] * count
        for at in chosen:
            turned = [np.roll(case.operands[at], turn) for turn in range(3)]
            arrays[at], axes[at] = module.numpy.asarray(np.stack(turned, axis)), axis
        results.append(_quickly(module, module.vmap(function, in_axes=tuple(axes)), *arrays))
    return results


def _quickly(module: Any, function: Callable[..., Any], *operands: Any) -> Any:
    """The result; JAX is quicker where it compiles all at once, and oakum is to evaluate."""
    return (jax.jit(function) if module is jax else function)(*operands)


RUNNERS: dict[str, Callable[[Any, Case], Any]] = {
    "evaluate": evaluated,
    "jvp": forward,
    "vjp": backward,
    "vmap": mapped,
}


def runs(cases: Sequence[Case]) -> list[Any]:
    """The parameters of a test over cases and modes."""
    return [
        pytest.param(case, mode, id=f"{case.name}-{mode}")
        for case in cases
        for mode in ("evaluate", *case.modes)
    ]
