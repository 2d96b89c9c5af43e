"""Our public functions have JAX's names, and their parameters are JAX's: name, kind and default.

A user whose call fits JAX's signature and not ours gets a wrong finding, or none.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

import enum
import importlib
import inspect
import types
from typing import Any

import jax
import pytest
from sample_calls import declared, jax_function

from oakum.values import declarations

# JAX says `*args`, and raises unless there are one or two of them.
UFUNCS = frozenset(
    f"numpy.{name}"
    for name in (
        "add bitwise_and bitwise_or bitwise_xor logaddexp logaddexp2 logical_and logical_or "
        "logical_xor maximum minimum multiply negative subtract"
    ).split()
)
# Wrapped functions, whose signatures JAX does not show as they are, and classes.
OTHERS = frozenset(
    (
        "numpy.array",  # `*args` takes the deprecated positions of the options
        "numpy.dtype",
        "numpy.finfo",
        "numpy.iinfo",
        "numpy.array_repr",
        "numpy.array_str",
        "numpy.can_cast",
        "numpy.save",
        "numpy.savez",
        "lax.random_gamma_grad",
        "lax.broadcast_shapes",
        "lax.cond",  # the default of `operand` is a sentinel
        "lax.switch",
        "experimental.checkify.checkify",  # the default is a set of JAX's classes
    )
)
SCALAR_TYPE = type(jax.numpy.float32)
NAMESPACES = (
    "numpy numpy.linalg numpy.fft lax lax.linalg nn nn.initializers random scipy.special "
    "scipy.linalg scipy.stats scipy.signal scipy.ndimage scipy.fft scipy.integrate ops image "
    "tree tree_util debug flatten_util scipy.stats.norm scipy.stats.beta scipy.cluster.vq "
    "scipy.optimize scipy.sparse.linalg dlpack distributed monitoring profiler sharding export "
    "test_util custom_batching custom_derivatives ad_checkpoint experimental core dtypes ref "
    "experimental.checkify experimental.mesh_utils"
).split()


def plain(default: Any) -> Any:
    """A default as the declarations write it: sentinels and JAX's objects stand as None."""
    if isinstance(default, enum.Enum):
        return default.value
    if isinstance(default, float) and default != default:
        return "nan"
    if default is None or isinstance(default, (bool, int, float, str, tuple, type)):
        return default if not isinstance(default, type) or default in (int, float) else None
    if isinstance(default, frozenset):
        return default
    item = getattr(default, "item", None)
    return item() if item is not None and getattr(default, "ndim", None) == 0 else None


def shape_of(signature: inspect.Signature) -> list[tuple[str, Any, Any]]:
    empty = inspect.Parameter.empty
    return [
        (p.name, p.kind, "required" if p.default is empty else plain(p.default))
        for p in signature.parameters.values()
    ]


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_signatures_are_those_of_jax(namespace: str) -> None:
    """A call that JAX takes would be refused, or an argument taken for another."""
    wrong: list[str] = []
    for name, function in declared(namespace):
        theirs = jax_function(name)
        if theirs is None or name in UFUNCS | OTHERS or isinstance(theirs, SCALAR_TYPE):
            continue
        expected = inspect.signature(theirs)
        if shape_of(function.facts.signature) != shape_of(expected):
            wrong.append(f"{name}: {function.facts.signature} is not {expected}")
    assert not wrong, "\n".join(wrong)


def is_function(value: Any) -> bool:
    if isinstance(value, (types.ModuleType, type, enum.EnumMeta)) or not callable(value):
        return False
    return type(value).__module__ != "typing" and "jax" in str(getattr(value, "__module__", "jax"))


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_every_public_function_of_jax_is_declared(namespace: str) -> None:
    """A function that is not declared is unknown to the linter, and its results too."""
    module = importlib.import_module(f"jax.{namespace}")
    names = [n for n in dir(module) if not n.startswith("_") and is_function(getattr(module, n))]
    missing = [n for n in names if declarations.find(f"{namespace}.{n}") is None]
    assert not missing


def test_every_top_level_function_of_jax_is_declared() -> None:
    """`jax.jit` and its kin are how tracing begins."""
    names = [n for n in dir(jax) if not n.startswith("_") and is_function(getattr(jax, n))]
    assert not [n for n in names if declarations.find(n) is None]
