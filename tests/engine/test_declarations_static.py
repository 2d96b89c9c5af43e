"""The static parameters that we declare are those in which JAX does not take a traced value.

One too many makes the linter report code that runs; one too few makes it miss code that fails.
"""

# JAX and its values are typed in part only.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false, reportUnknownLambdaType=false

from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from recorded_calls import read, trace
from sample_calls import Call, call, declared, sampled

from oakum.values.avals import ShapedArray
from oakum.values.declarations import PublicFunction
from oakum.values.namespaces import NAMESPACES as ALL_NAMESPACES

NAMESPACES = [
    *(
        "numpy numpy.linalg numpy.fft lax lax.linalg nn nn.initializers random ops image "
        "scipy.special scipy.linalg scipy.stats scipy.signal scipy.ndimage scipy.fft "
        "scipy.integrate scipy.cluster.vq scipy.sparse.linalg"
    ).split(),
    *sorted(name for name in ALL_NAMESPACES if name.startswith("scipy.stats.")),
]
# Arguments that are never numbers: dtypes, places, precisions, functions and other options. What is
# given there for an array fails whether it is traced or not, so they are not declared static.
NEVER_NUMBERS = frozenset(
    (
        "out device sharding out_sharding dtype new_dtype index_dtype indices_dtype precision "
        "preferred_element_type accuracy out_dtype func1d func function computation mask_func "
        "decomposition impl algorithm implementation rounding_method configs select_callable "
        "_dot_general funclist"
    ).split()
)
# Declared by their meaning, and not measured by the sample calls, or only together with others.
BY_MEANING = frozenset(
    (
        "numpy.delete.obj",  # fails unless assume_unique_indices=True: a dynamic size
        # The number of bins has to be static; their edges may be traced.
        "numpy.histogram.bins",
        "numpy.histogram2d.bins",
        "numpy.histogram_bin_edges.bins",
        "numpy.histogramdd.bins",
        "scipy.linalg.cho_solve.c_and_lower",  # the flag is static, the factor is not
        "numpy.histogram2d.range",
        "numpy.histogramdd.range",
    )
)

ARRAYS = (
    np.float32(0.5),
    np.array([0.2, 0.5, 0.8], np.float32),
    np.array([1, 2, 0]),
    np.eye(3, dtype=np.float32),
    np.ones(16, np.float32),
)


def traced_forms(value: Any) -> Iterator[Any]:
    """The value as arguments of a traced function: as it is, and a sequence as one array too."""
    if isinstance(value, (bool, int, float, np.ndarray, np.generic, jax.Array)):
        yield value
    elif isinstance(value, (tuple, list)):
        leaves = jax.tree.leaves(value)
        if leaves and all(isinstance(leaf, (bool, int, float, np.ndarray)) for leaf in leaves):
            yield value
            if all(isinstance(each, int) for each in value):
                yield np.asarray(value)
    else:
        yield 1


def accepts_traced(sample: Call, parameter: str, value: Any) -> bool:
    """Whether JAX takes a traced value for this parameter."""

    def function(traced: Any) -> int:
        sample(**{parameter: traced})
        return 0

    try:
        jax.eval_shape(function, value)
    except Exception:
        return False
    return True


def accepts_constant(sample: Call, parameter: str, value: Any) -> bool:
    """Whether JAX takes this value for this parameter when it is a constant."""
    return is_valid(Call(sample.name, sample.function, {**sample.values, parameter: value}))


def is_valid(sample: Call) -> bool:
    """Whether the sample call itself is taken under tracing."""
    try:
        jax.eval_shape(lambda: jnp.zeros(()) if sample() is None else jnp.ones(()))
    except Exception:
        return False
    return True


def disagreements(name: str, function: PublicFunction[..., Any], sample: Call) -> Iterator[str]:
    variadic = {p.name for p in sample.signature.parameters.values() if p.kind is p.VAR_KEYWORD}
    for parameter, value in sample.values.items():
        if parameter in NEVER_NUMBERS | variadic or f"{name}.{parameter}" in BY_MEANING:
            continue
        forms = list(traced_forms(value))
        taken = any(accepts_traced(sample, parameter, form) for form in forms)
        if parameter in function.facts.static:
            if taken or any(accepts_traced(sample, parameter, array) for array in ARRAYS):
                yield f"{name}: JAX takes a traced {parameter}, which is declared static"
        elif not taken and any(accepts_constant(sample, parameter, form) for form in forms):
            yield f"{name}: JAX does not take a traced {parameter}, which is not declared static"


@pytest.mark.sweep(7)
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_static_parameters_are_those_of_jax(namespace: str) -> None:
    """Each parameter of a sample of functions is traced in a call on JAX."""
    wrong: list[str] = []
    for name, function in declared(namespace):
        sample = call(name) if sampled(name, 4) else None
        if sample is not None and is_valid(sample):
            wrong += disagreements(name, function, sample)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("namespace", NAMESPACES)
def test_sample_calls_are_valid(namespace: str) -> None:
    """A sample call that fails by itself would say nothing about its parameters."""
    samples = [call(name) for name, _ in declared(namespace) if sampled(name, 4)]
    wrong = [each.name for each in samples if each is not None and not is_valid(each)]
    assert set(wrong) <= {"numpy.trim_zeros"}


def test_declared_names_are_parameters() -> None:
    """A static parameter with a misspelt name would never be checked."""
    for name, function in declared():
        facts = function.facts
        names = {*facts.static, *facts.consumes_keys, *facts.needs_concrete}
        if facts.transform is not None:
            names |= set(facts.transform.callees)
        if (dynamic := facts.dynamic_size) is not None:
            names |= {*dynamic.operands, dynamic.parameter} - {""}
        assert names <= facts.signature.parameters.keys(), name


DYNAMIC = (
    "jnp.nonzero(x); jnp.where(x); jnp.argwhere(x); jnp.flatnonzero(x); jnp.unique(x); "
    "jnp.unique_all(x); jnp.unique_counts(x); jnp.unique_inverse(x); jnp.unique_values(x); "
    "jnp.union1d(x, x); jnp.intersect1d(x, x); jnp.setdiff1d(x, x); jnp.setxor1d(x, x); "
    "jnp.bincount(x); jnp.bincount(x, minlength=3); jnp.repeat(x, x); jnp.repeat(x, x[0]); "
    "jnp.extract(x > 1, x); jnp.compress(x > 1, x); jnp.delete(x, x[0]); jnp.trim_zeros(x); "
    "jnp.roots(x); jnp.polymul(x, x, trim_leading_zeros=True); jax.ops.segment_sum(x, x); "
    "jnp.polydiv(x, x, trim_leading_zeros=True)"
).split("; ")
FIXED = (
    "jnp.nonzero(x, size=3); jnp.where(x, x, 0); jnp.where(x, size=3); jnp.unique(x, size=3); "
    "jnp.repeat(x, 2); jnp.repeat(x, x, total_repeat_length=9); jnp.bincount(x, length=4); "
    "jnp.delete(x, 1); jnp.delete(x, x[:1], assume_unique_indices=True); jnp.insert(x, x[0], 2); "
    "jnp.compress(x > 1, x, size=2); jax.ops.segment_sum(x, x, num_segments=3); "
    "jnp.roots(x, strip_zeros=False); jnp.polymul(x, x); jnp.histogram(x); jnp.median(x)"
).split("; ")


def is_dynamic(expression: str) -> bool:
    """Whether our declaration says that the size of the result depends on values of `x`."""
    facts, bound = read(expression, x="i32[3]")
    dynamic = facts.dynamic_size
    return (
        dynamic is not None
        and dynamic.applies(bound)
        and any(isinstance(bound[each], ShapedArray) for each in dynamic.operands)
    )


def fails_on_jax(expression: str) -> bool:
    """Whether the call fails on JAX when `x` is traced."""
    return isinstance(trace(expression, x="i32[3]"), Exception)


@pytest.mark.parametrize("expression", DYNAMIC)
def test_dynamic_sizes_are_known(expression: str) -> None:
    """The call fails on JAX under jit, and would not be reported."""
    assert fails_on_jax(expression)
    assert is_dynamic(expression)


@pytest.mark.parametrize("expression", FIXED)
def test_fixed_sizes_are_not_dynamic(expression: str) -> None:
    """The call works on JAX under jit, and would be reported."""
    assert not fails_on_jax(expression)
    assert not is_dynamic(expression)


OPTIONS = (
    "lax.scan(f, 0, x, length=n); lax.scan(f, 0, x, reverse=n); lax.scan(f, 0, x, unroll=n); "
    "lax.fori_loop(0, 3, g, 0, unroll=n); lax.map(h, x, batch_size=n); jax.grad(h, argnums=n); "
    "lax.associative_scan(jnp.add, x, axis=n); lax.associative_scan(jnp.add, x, reverse=n); "
    "jax.jit(h, static_argnums=n); jax.random.split(jax.random.key(0), n); lax.reduce(x, 0, f, "
    "(n,)); x.reshape(n); x.reshape(n, -1); x.transpose(n); x.sum(axis=n); x.argmax(n); "
    "x.sum(keepdims=n); jnp.zeros(n); jnp.zeros((2, n)); jnp.arange(n); jnp.eye(n); "
    "jnp.linspace(0, 1, n); jnp.tri(n); jnp.reshape(x, (n, -1)); jnp.full((n,), 0); jnp.sum(x, "
    "axis=n); jnp.stack([x, x], axis=n); jnp.split(x, n); jnp.tile(x, n); jnp.pad(x, n); "
    "jnp.repeat(x, 2, axis=n); jnp.expand_dims(x, n); jnp.broadcast_to(x, (n, 3)); "
    "jnp.nonzero(x, size=n); jax.nn.one_hot(x, n); lax.top_k(x, n); jax.nn.softmax(x, axis=n); "
    "jnp.concatenate([x, x], axis=n); jnp.argsort(x, axis=n)"
).split("; ")


@pytest.mark.parametrize("expression", OPTIONS)
def test_traced_options_are_known_to_fail(expression: str) -> None:
    """Mistakes that programs make: a size, an axis or a count that is traced."""
    given = expression.replace("jax.random.key(0)", "k")
    avals = {"x": "i32[3]", "n": "i32[]", "k": "key<fry>[]"}
    assert isinstance(trace(_with_functions(given), **avals), Exception)
    facts, bound = read(_with_functions(given), **avals)
    traced = [name for name, value in bound.items() if _mentions(value, "i32[]")]
    assert traced
    assert set(traced) <= facts.static.keys()


def _with_functions(expression: str) -> str:
    """The expression with lambdas for the names of functions."""
    for name, function in (("f", "(lambda c, a: (c, a))"), ("g", "(lambda i, c: c)")):
        expression = expression.replace(f"({name},", f"({function},").replace(
            f" {name},", f" {function},"
        )
    return expression.replace("(h,", "((lambda a: a),")


def _mentions(value: Any, aval: str) -> bool:
    """Whether a value or an element of it is an array of this aval."""
    if isinstance(value, (tuple, list)):
        return any(_mentions(each, aval) for each in value)
    return str(value) == aval
