"""The tables of NumPy and SciPy say what real NumPy and SciPy do with real JAX tracers.

When one of these fails, `oakum check` reports a call that works, or is silent about one that
fails.
"""

import inspect
import io
import operator
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy_examples import NUMPY_EXAMPLES
from scipy_examples import SCIPY_EXAMPLES
from tracer_probe import (
    FAILS_FOR_TREES,
    Example,
    Measurement,
    Place,
    classify_result,
    find_object,
    jax,
    measure,
    places_of,
    quiet,
    read_examples,
    tree_passes,
)

from oakum_lint.models.host.jax_equivalents import jax_equivalent
from oakum_lint.models.host.numpy import modelled_names, numpy_facts
from oakum_lint.models.host.scipy_stats import CONTINUOUS_DISTRIBUTIONS, DISCRETE_DISTRIBUTIONS

EXAMPLES = NUMPY_EXAMPLES | SCIPY_EXAMPLES

SAMPLES: dict[str, Any] = {
    "np": np,
    "io": io,
    "s": np.array(0.5, np.float32),
    "v": np.array([0.2, 0.5, 0.7], np.float32),
    "w": np.array([1.0, 2.0, 3.0], np.float32),
    "m": np.array([[2.0, 0.5, 0.1], [0.5, 3.0, 0.2], [0.1, 0.2, 4.0]], np.float32),
    "n": np.array(2, np.int32),
    "iv": np.array([0, 1, 2], np.int32),
    "im": np.array([[1, 2], [3, 4]], np.int32),
    "b": np.array([True, False, True]),
    "t": np.arange(27, dtype=np.float32).reshape(3, 3, 3),
    "V": np.linspace(0.1, 1.0, 40).astype(np.float32),
    "c": np.array([1 + 1j, 2.0, 0.5j], np.complex64),
    "g": np.random.default_rng(0),
    "R": np.random.RandomState(0),
}

DIFFER_UNDER_VMAP = {"numpy.argsort", "numpy.compress"}
"""Functions that do not treat the tracers of `vmap` as they treat those of `jit`."""


def examples(prefix: str) -> Iterator[tuple[Example, Any]]:
    """The examples of one module with their functions; skips what this version lacks."""
    for example in read_examples(prefix, EXAMPLES[prefix], SAMPLES):
        try:
            function = find_object(example.name)
        except AttributeError:
            continue
        with quiet():
            yield example, function


@cache
def measurements(prefix: str) -> list[Measurement]:
    """All measurements of one module."""
    return measure(list(examples(prefix)))


@cache
def offset_of(name: str) -> int:
    """1 for a method, whose first argument is its object."""
    return int(inspect.isclass(find_object(name.rpartition(".")[0])))


def expected(found: Measurement) -> str | None:
    """What the table says of a measurement, or None where it says nothing."""
    facts = numpy_facts(found.example.name)
    assert facts is not None, found.example.name
    place = found.place
    if isinstance(place, int):
        place -= offset_of(found.example.name)
    if place == -1:
        return None
    parameter = facts.parameter(place)
    if parameter is None:
        return None
    if found.form == "inside":
        return parameter.inside
    return parameter.concrete if found.context == "grad" else parameter.use


@pytest.mark.sweep(12)
@pytest.mark.parametrize("prefix", sorted(EXAMPLES))
def test_uses(prefix: str) -> None:
    """Each modelled parameter fails, or is accepted, as the table says."""
    wrong: list[str] = []
    for found in measurements(prefix):
        if found.context == "vmap" and found.example.name in DIFFER_UNDER_VMAP:
            continue
        use = expected(found)
        measured = found.outcome.use
        if use == "index" and measured in ("error", "iteration"):
            continue  # refused before `__index__` is asked, by a check of its own
        if use not in (None, "unknown", measured):
            wrong.append(f"{found}: table says {use}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("prefix", sorted(EXAMPLES))
def test_results(prefix: str) -> None:
    """Without tracers, and with tracers that are accepted, the kind of the result is right."""
    wrong: list[str] = []
    for example, function in examples(prefix):
        facts = numpy_facts(example.name)
        assert facts is not None
        arguments, keywords = example.arguments()
        with quiet():
            kind = classify_result(function(*arguments, **keywords))
        if facts.result not in ("object", kind):
            wrong.append(f"{example.name}{example.source} gives {kind}, table says {facts.result}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("prefix", sorted(EXAMPLES))
def test_traced_results(prefix: str) -> None:
    """A function that accepts a tracer gives a tracer, a tuple of them or a static value."""
    kinds = {"tracer": "tracer", "tuple": "traced tuple", "static": "static", "unknown": ""}
    wrong: list[str] = []
    for found in measurements(prefix):
        facts = numpy_facts(found.example.name)
        assert facts is not None
        if (found.context, found.form) == ("jit", "direct") and expected(found) == "ok":
            kind = kinds[facts.traced]
            if kind not in ("", found.outcome.result):
                wrong.append(f"{found}: table says {kind}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("prefix", sorted(EXAMPLES))
def test_lenient_parameters(prefix: str) -> None:
    """Only a parameter that is marked takes None or a dict: trees are reported for the others."""
    wrong: list[str] = []
    for example, function in examples(prefix):
        facts = numpy_facts(example.name)
        assert facts is not None
        offset = offset_of(example.name)
        checked: list[Place] = []
        for place in places_of(example):
            bound = place - offset if isinstance(place, int) else place
            parameter = None if bound == -1 else facts.parameter(bound)
            if parameter is not None and parameter.use in FAILS_FOR_TREES and not parameter.lenient:
                checked.append(place)
        wrong += [
            f"{example.name}{example.source} [{place}]"
            for place in tree_passes(function, example, checked)
        ]
    assert not wrong, "\n".join(wrong)


def test_every_row_is_measured() -> None:
    """No row of the tables is there without an example that measures it."""
    measured = {
        example.name
        for prefix, table in EXAMPLES.items()
        for example in read_examples(prefix, table, SAMPLES)
    }
    assert not set(modelled_names()) - measured


def test_parameters_have_the_names_of_the_signature() -> None:
    """A tracer passed by keyword is found under the name that the library gives the parameter."""
    wrong: list[str] = []
    for name in modelled_names():
        facts = numpy_facts(name)
        assert facts is not None
        try:
            signature = inspect.signature(find_object(name))
        except (AttributeError, TypeError, ValueError):
            continue
        known = {parameter.name for parameter in signature.parameters.values()}
        if any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
            continue
        wrong += [
            f"{name}: {parameter.name}"
            for parameter in facts.parameters
            if parameter is not None and parameter.name.lstrip("*") not in known
            if not isinstance(find_object(name), np.ufunc)
        ]
    assert not wrong, wrong


def test_replacements_exist() -> None:
    """The function of JAX that a finding proposes can be called."""
    wrong: list[str] = []
    for name in modelled_names():
        spelled = jax_equivalent(name).partition("(")[0].replace("jnp.", "jax.numpy.")
        if not spelled or ".at[" in spelled:
            continue
        try:
            find_object(spelled)
        except AttributeError:
            wrong.append(f"{name} -> {spelled}")
    assert not wrong, wrong


def test_distributions_share_their_methods() -> None:
    """All distributions of SciPy are of the two kinds whose methods are measured."""
    stats = pytest.importorskip("scipy.stats")
    for names, kind in (
        (CONTINUOUS_DISTRIBUTIONS, stats.rv_continuous),
        (DISCRETE_DISTRIBUTIONS, stats.rv_discrete),
    ):
        known = [name for name in names.split() if hasattr(stats, name)]
        assert len(known) > 10
        assert all(isinstance(getattr(stats, name), kind) for name in known)


def test_operators_between_numpy_and_a_tracer_give_a_tracer() -> None:
    """`array + tracer` is not reported: JAX's operator wins."""
    array = np.ones(3, np.float32)
    number = np.float32(2)

    def body(x: Any) -> Any:
        for name in (
            "add",
            "sub",
            "mul",
            "truediv",
            "floordiv",
            "mod",
            "pow",
            "matmul",
            "lt",
            "eq",
        ):
            function = getattr(operator, name)
            assert isinstance(function(array, x), jax.core.Tracer), name
            if name != "matmul":
                assert isinstance(function(number, x), jax.core.Tracer), name
        array_too = array
        array_too += x
        assert isinstance(array_too, jax.core.Tracer)
        return x

    jax.eval_shape(body, array)
