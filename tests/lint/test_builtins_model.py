"""The tables of builtins and of the standard library say what Python does with real JAX tracers.

When one of these fails, `oakum check` reports a call that works, or is silent about one that
fails.
"""

import builtins
import collections
import io
import itertools
import operator
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from builtin_examples import BUILTIN_EXAMPLES
from tracer_probe import (
    FAILS_FOR_TREES,
    Example,
    Measurement,
    Place,
    find_object,
    measure,
    places_of,
    read_examples,
    tree_passes,
)

from oakum_lint.models.host.builtins import builtin_facts, modelled_names

SAMPLES: dict[str, Any] = {
    "collections": collections,
    "io": io,
    "operator": operator,
    "v": np.array([0.2, 0.5, 0.7], np.float32),
    "w": np.array([1.0, 2.0, 3.0], np.float32),
}

TYPES = ("list", "tuple", "dict", "set", "frozenset", "str", "bytes", "range", "int")

NEEDS_ELEMENTS = {"iteration": "ok", "compare": "bool"}
"""What these two uses come to for the samples: arrays with a dimension, and several elements."""


def first_elements(iterator: Any) -> list[Any]:
    """The first elements of an iterator, which may be endless."""
    return list(itertools.islice(iterator, 20))


def consumed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, with the iterator that it returns run: the builtins are lazy."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        value = function(*arguments, **keywords)
        return first_elements(value) if isinstance(value, Iterator) else value

    return call


def examples(prefix: str) -> Iterator[tuple[Example, Callable[..., Any]]]:
    """The examples of one module or type; skips what this version of Python lacks."""
    for example in read_examples(prefix, BUILTIN_EXAMPLES[prefix], SAMPLES):
        name = example.name
        if not prefix or prefix in TYPES:
            name = f"builtins.{name}"
        try:
            yield example, consumed(find_object(name))
        except AttributeError:
            continue


@cache
def measurements(prefix: str) -> list[Measurement]:
    """All measurements of one module or type."""
    return measure(list(examples(prefix)))


def is_method(name: str) -> bool:
    """Whether the first argument of an example is the object of a method."""
    prefix = name.rpartition(".")[0]
    return prefix in TYPES or prefix.startswith("collections.")


def expected(found: Measurement) -> str | None:
    """What the table says of a measurement, or None where it says nothing."""
    name = found.example.name
    facts = builtin_facts(name)
    assert facts is not None, name
    place = found.place - is_method(name) if isinstance(found.place, int) else found.place
    if place == -1:
        return None
    parameter = facts.parameter(place)
    if parameter is None:
        return None
    if found.form == "inside":
        return parameter.inside
    return parameter.concrete if found.context == "grad" else parameter.use


@pytest.mark.sweep(5)
@pytest.mark.parametrize("prefix", sorted(BUILTIN_EXAMPLES))
def test_uses(prefix: str) -> None:
    """Each modelled parameter fails, or is accepted, as the table says."""
    wrong: list[str] = []
    for found in measurements(prefix):
        use = expected(found)
        if use is None or use == "unknown":
            continue
        if NEEDS_ELEMENTS.get(use, use) != found.outcome.use:
            wrong.append(f"{found}: table says {use}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("prefix", sorted(BUILTIN_EXAMPLES))
def test_traced_results(prefix: str) -> None:
    """A function whose result is declared a tracer gives one; static means no tracer."""
    wrong: list[str] = []
    for found in measurements(prefix):
        facts = builtin_facts(found.example.name)
        assert facts is not None
        if (found.context, found.form, expected(found)) != ("jit", "direct", "ok"):
            continue
        traced = "tracer" in found.outcome.result or "traced" in found.outcome.result
        if facts.result in ("tracer", "argument") and not traced:
            wrong.append(f"{found}: table says {facts.result}")
        if facts.result in ("static", "number", "none") and traced:
            wrong.append(f"{found}: table says {facts.result}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("prefix", sorted(BUILTIN_EXAMPLES))
def test_lenient_parameters(prefix: str) -> None:
    """Only a parameter that is marked takes None or a dict: trees are reported for the others."""
    wrong: list[str] = []
    for example, function in examples(prefix):
        facts = builtin_facts(example.name)
        assert facts is not None
        offset = int(is_method(example.name))
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


def test_rows_with_a_use_are_measured() -> None:
    """No parameter is declared to fail without an example that measures it."""
    measured = {
        (found.example.name) for prefix in BUILTIN_EXAMPLES for found in measurements(prefix)
    }
    unmeasured = [
        name
        for name in modelled_names()
        if name not in measured and has_failing_parameter(name) and exists(name)
    ]
    assert set(unmeasured) <= REFUSE_BY_TYPE


REFUSE_BY_TYPE = {
    *("aiter", "anext", "eval", "exec", "getattr", "memoryview", "next", "open", "ord", "vars"),
    *("bytearray", "bytes", "setattr", "delattr", "dict", "dict.fromkeys", "str.join"),
    *("int.from_bytes", "operator.concat", "operator.iconcat", "operator.delitem"),
    *("operator.setitem", "pickle.loads", "json.loads", "collections.OrderedDict"),
    *("dataclasses.asdict", "dataclasses.astuple", "warnings.warn", "logging.log"),
}
"""Functions that take no number at all: they have no example to put a tracer into."""


def has_failing_parameter(name: str) -> bool:
    """Whether the table declares that a parameter of `name` fails."""
    facts = builtin_facts(name)
    assert facts is not None
    return any(
        parameter is not None and parameter.use not in ("ok", "iteration", "unknown")
        for parameter in facts.parameters
    )


def exists(name: str) -> bool:
    """Whether this version of Python has the function."""
    head = name.partition(".")[0]
    try:
        find_object(f"builtins.{name}" if hasattr(builtins, head) else name)
    except AttributeError:
        return False
    return True


def test_every_name_exists() -> None:
    """No row names a function that Python never had."""
    new_in_later_versions = {"itertools.batched", "math.sumprod"}
    missing = [name for name in modelled_names() if not exists(name)]
    assert not set(missing) - new_in_later_versions
