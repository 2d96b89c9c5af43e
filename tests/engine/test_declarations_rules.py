"""The abstract rules of our public functions agree with tracing the call on JAX.

A rule that says a shape or a dtype that JAX does not give makes the linter wrong about code that is
right; one that says nothing where JAX gives an array loses findings.
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
from recorded_calls import expressions, read, trace
from sample_calls import Call, call, declared, sampled

from oakum import dtypes
from oakum.dtypes import DType
from oakum.errors import OakumError
from oakum.values.avals import (
    UNKNOWN,
    UNKNOWN_DIM,
    ConcreteArray,
    PythonScalar,
    ShapedArray,
    UnknownDim,
)
from oakum.values.binding import bind
from oakum.values.facts import Facts
from oakum.values.namespaces import NAMESPACES as ALL_NAMESPACES

NAMESPACES = [
    *(
        "numpy numpy.linalg numpy.fft lax lax.linalg nn nn.initializers random ops scipy.special "
        "scipy.linalg scipy.signal scipy.stats"
    ).split(),
    *sorted(name for name in ALL_NAMESPACES if name.startswith("scipy.stats.")),
]
OPTIONS = frozenset(("axis", "keepdims", "dtype", "where", "initial", "mode", "axes"))


def spec(value: Any) -> Any:
    """An array as its shape and dtype, for `eval_shape`; anything else as it is."""
    if isinstance(value, (np.ndarray, np.generic, jax.Array)):
        weak = isinstance(value, jax.Array) and value.aval.weak_type
        return jax.ShapeDtypeStruct(value.shape, value.dtype, weak_type=weak)
    if isinstance(value, (tuple, list)) and type(value) in (tuple, list):
        return type(value)(map(spec, value))
    return value


def abstract(value: Any) -> Any:
    """What the rules see of the same value."""
    match value:
        case jax.ShapeDtypeStruct():
            return aval_of(value)
        case tuple() | list() if type(value) in (tuple, list):
            return type(value)(map(abstract, value))
        case dict():
            return {key: abstract(each) for key, each in value.items()}
        case None | bool() | int() | float() | complex() | str():
            return value
        case _:
            dtype = dtypes.read(value)
            return UNKNOWN if dtype is None else dtype


def aval_of(value: Any) -> ShapedArray:
    name = str(value.dtype)
    weak = getattr(getattr(value, "aval", value), "weak_type", False)
    return ShapedArray(tuple(value.shape), dtypes.find(name), bool(weak))


def variants(sample: Call) -> Iterator[dict[str, Any]]:
    """The sample call, and calls with other dtypes, fewer options and other axes."""
    values = sample.values
    yield values
    parameters = sample.signature.parameters
    required = {k: v for k, v in values.items() if parameters[k].default is parameters[k].empty}
    yield required
    for name in sorted(OPTIONS & (values.keys() - required.keys())):
        yield {**required, name: values[name]}
    if "axis" in values and "axis" not in required:
        yield from ({**required, "axis": axis} for axis in (None, -1, 1, (0, 1)))
        if "keepdims" in values:
            yield from ({**required, "axis": a, "keepdims": True} for a in (None, -1, (0, 1)))
    for dtype in ("int32", "bool", "bfloat16", "float16", "complex64", "uint8"):
        yield {k: cast(v, dtype) for k, v in required.items()}
    arrays = [k for k, v in required.items() if is_float_array(v)]
    for name in arrays:
        yield from ({**required, name: scalar} for scalar in (2.0, 2, True, np.float32(2)))
        yield {**required, name: jnp.asarray(2.0)}
        yield {**required, name: np.ones((4, 3, 3), np.float32)}
        yield {**required, name: np.ones(3, np.float32)}


def is_float_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype == np.float32


def cast(value: Any, dtype: str) -> Any:
    return value.astype(jnp.dtype(dtype)) if is_float_array(value) else value


def on_jax(sample: Call, values: dict[str, Any]) -> Any:
    """The shapes and dtypes that JAX gives, or the exception that it raises."""
    leaves: list[Any] = []

    def pick(value: Any) -> Any:
        if isinstance(value, jax.ShapeDtypeStruct):
            leaves.append(value)
            return len(leaves) - 1, pick
        if type(value) in (tuple, list):
            return type(value)(map(pick, value))
        return value

    def fill(value: Any, arrays: Any) -> Any:
        if isinstance(value, tuple) and len(value) == 2 and value[1] is pick:
            return arrays[value[0]]
        if type(value) in (tuple, list):
            return type(value)(fill(each, arrays) for each in value)
        return value

    chosen = {k: pick(spec(v)) for k, v in values.items()}
    bare = Call(sample.name, sample.function, {})
    results: list[Any] = []

    def traced(*arrays: Any) -> None:
        results.append(bare(**{k: fill(v, arrays) for k, v in chosen.items()}))

    try:
        jax.eval_shape(traced, *leaves)
    except Exception as error:
        return error
    return results[0]


def bound(facts_: Facts, sample: Call, values: dict[str, Any]) -> dict[str, Any]:
    """The call as our rules see it."""
    bare = Call(sample.name, sample.function, {})
    positional, keywords = bare.arguments(**{k: abstract(spec(v)) for k, v in values.items()})
    arguments = bind(facts_, positional, keywords)
    assert isinstance(arguments, dict), arguments
    return arguments


def apply(facts_: Facts, arguments: dict[str, Any]) -> Any:
    """What our rule says, or the error that it raises."""
    assert facts_.rule is not None
    try:
        return facts_.rule(arguments)
    except OakumError as error:
        return error


def agrees(rule: Any, traced: Any) -> bool:
    """Whether what the rule says is true of what JAX gives."""
    if rule is UNKNOWN:
        return True
    if isinstance(traced, (tuple, list)):
        # A list can be changed, and is another tree than a tuple.
        kind = list if isinstance(traced, list) else tuple
        same = isinstance(rule, kind) and len(rule) == len(traced)
        return same and all(map(agrees, rule, traced))
    if not isinstance(traced, (jax.Array, np.ndarray)):
        return agrees_with_python(rule, traced)
    if isinstance(rule, ConcreteArray) or not isinstance(rule, ShapedArray):
        return False
    real = aval_of(traced)
    assert real.shape is not None
    shape = rule.shape is None or (
        len(rule.shape) == len(real.shape) and all(map(size_agrees, rule.shape, real.shape))
    )
    return (
        shape
        and rule.dtype in (None, real.dtype)
        and (real.dtype is dtypes.bool_ or rule.weak_type in (None, real.weak_type))
    )


def size_agrees(rule: Any, real: Any) -> bool:
    return isinstance(rule, UnknownDim) or rule == real


def agrees_with_python(rule: Any, value: Any) -> bool:
    if isinstance(rule, PythonScalar):
        return type(value).__name__ == rule.kind or rule.kind == "float"
    if isinstance(rule, DType):
        return str(value) == rule.name
    return rule == value


@pytest.mark.sweep(9)
@pytest.mark.parametrize("namespace", NAMESPACES)
def test_rules_agree_with_tracing(namespace: str) -> None:
    """The shape, the dtype and the weak type of a result are what JAX gives."""
    wrong: list[str] = []
    for name, function in declared(namespace):
        sample = call(name)
        if (
            sample is None
            or function.facts.rule is None
            or not sampled(name, 12 if name.startswith("scipy") else 4)
        ):
            continue
        wrong += differences(name, function.facts, sample)
    assert not wrong, "\n".join(wrong)


def differences(name: str, facts_: Facts, sample: Call) -> Iterator[str]:
    for values in variants(sample):
        traced = on_jax(sample, values)
        if isinstance(traced, Exception):
            continue
        arguments = bound(facts_, sample, values)
        for known in (arguments, *less_known(arguments)):
            rule = apply(facts_, known)
            if not agrees(rule, traced):
                shown = {k: str(v) for k, v in known.items()}
                yield f"{name}({shown}): {rule} is not {traced}"


def less_known(arguments: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The same call when less is known of it; the rule has to stay true."""
    for name, value in arguments.items():
        yield {**arguments, name: UNKNOWN}
        if isinstance(value, ShapedArray):
            yield {**arguments, name: ShapedArray(None, value.dtype, None)}
            if value.shape is not None:
                sizes = (UNKNOWN_DIM,) * len(value.shape)
                yield {**arguments, name: ShapedArray(sizes, None, None)}
        elif type(value) in (bool, int, float):
            yield {**arguments, name: PythonScalar(type(value).__name__)}  # type: ignore[arg-type]


CALLS = expressions()


@pytest.mark.parametrize("avals", CALLS)
def test_common_calls_agree_with_tracing(avals: str) -> None:
    """Calls as programs write them: the result is what JAX gives."""
    arrays = dict(each.split("=") for each in avals.split())
    wrong: list[str] = []
    for expression in CALLS[avals]:
        traced = trace(expression, **arrays)
        assert not isinstance(traced, Exception), f"{expression}: {traced}"
        facts_, arguments = read(expression, **arrays)
        rule = apply(facts_, arguments) if facts_.rule is not None else UNKNOWN
        if not agrees(rule, traced):
            wrong.append(f"{expression}: {rule} is not {traced}")
    assert not wrong, "\n".join(wrong)
