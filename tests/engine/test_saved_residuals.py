# pyright: basic
# Lambdas that are given to transformations have no types of their own for the strict mode.
"""`print_saved_residuals`: the values that JAX names, each with the line that makes it."""

import importlib
import re
from collections.abc import Callable
from typing import Any

import pytest

import oakum

np: Any = pytest.importorskip("numpy")
real: Any = pytest.importorskip("jax")

X = np.array([0.3, -0.8, 0.5], np.float32)
W = np.ones((3, 3), np.float32)


def _layers(j: Any) -> Callable[..., Any]:
    def layer(w: Any, x: Any) -> Any:
        return j.numpy.sin(j.numpy.dot(w, x))

    return lambda w, v, x: layer(v, layer(w, x))


def _checkpointed(j: Any) -> Callable[..., Any]:
    f = _layers(j)
    return j.checkpoint(f, policy=j.checkpoint_policies.dots_with_no_batch_dims_saveable)


def _named(j: Any) -> Callable[..., Any]:
    name = importlib.import_module(f"{j.__name__}.ad_checkpoint").checkpoint_name
    only = j.checkpoint_policies.save_only_these_names("first")

    def f(w: Any, v: Any, x: Any) -> Any:
        return j.numpy.sin(v @ name(j.numpy.sin(w @ x), "first"))

    return j.checkpoint(f, policy=only)


def _tree(j: Any) -> Callable[..., Any]:
    return lambda w, v, x: ({"w": w, "v": v}["w"] @ x) * j.numpy.exp(v @ x)


def _scan(j: Any) -> Callable[..., Any]:
    return lambda w, v, x: j.lax.scan(lambda c, _: (j.numpy.sin(c), None), x, None, length=3)[0]


def _lines(j: Any, make: Callable[[Any], Callable[..., Any]], capsys: Any) -> list[str]:
    importlib.import_module(f"{j.__name__}.ad_checkpoint").print_saved_residuals(make(j), W, W, X)
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("make", [_layers, _checkpointed, _named, _tree, _scan])
def test_residuals_are_those_of_jax(make: Callable[[Any], Callable[..., Any]], capsys: Any) -> None:
    """A user would tune a policy by values that it does not keep, or by other lines."""
    ours, theirs = _lines(oakum, make, capsys), _lines(real, make, capsys)
    assert ours
    assert ours == theirs


def test_operations_within_a_compiled_function_are_named(capsys: Any) -> None:
    """`output of jitted function` would say neither what is kept nor where."""
    f = oakum.jit(lambda x: oakum.numpy.sin(oakum.numpy.cos(x)))
    oakum.ad_checkpoint.print_saved_residuals(f, X)
    out = capsys.readouterr().out
    assert re.findall(r"output of (\w+)", out) == ["sin", "cos"]
    assert out.count("test_saved_residuals.py:") == 2


def test_a_structure_describes_an_argument(capsys: Any) -> None:
    """A model too large for this machine could not be looked at."""
    struct = oakum.ShapeDtypeStruct((10**6, 10**6), np.float32)
    oakum.ad_checkpoint.print_saved_residuals(lambda x: (x * x).sum(), struct)
    assert "f32[1000000,1000000] from the argument x" in capsys.readouterr().out
