"""Measures on real JAX what a library function does with a tracer: the oracle of the model tables.

A probe calls a function once with concrete sample arguments (which has to work), then with one
argument replaced by a tracer, and classifies what happens in the vocabulary of
`oakum_lint.models.parameter`. The tracers come from `jax.eval_shape` (the abstract ones of jit, for
which nothing is compiled), `jax.vmap` and `jax.jvp` (concrete ones).
"""

import copy
import importlib
import io
import re
import warnings
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest

jax: Any = pytest.importorskip("jax", reason="jax is not installed: the tables are measured on it")
jnp: Any = jax.numpy

Context = Literal["jit", "vmap", "grad"]
CONTEXTS: tuple[Context, ...] = ("jit", "vmap", "grad")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one call did: a use that failed, or "ok" and the kind of its result."""

    use: str
    result: str = ""
    error: str = ""


def classify_result(value: Any) -> str:
    """Names the kind of a result: tracer, array, (traced) tuple, none, static or object."""
    if isinstance(value, jax.core.Tracer):
        return "tracer"
    if value is None:
        return "none"
    if isinstance(value, (np.ndarray, np.generic, jax.Array)):
        return "array"
    if isinstance(value, (tuple, list)):
        elements = elements_of(value)
        kinds = {classify_result(element) for element in elements}
        if kinds and kinds <= {"tracer", "array", "tuple"}:
            return "traced tuple" if any(map(holds_tracer, elements)) else "tuple"
        return "static" if kinds <= {"static", "none"} else "object"
    if isinstance(value, (bool, int, float, complex, str, bytes, type, np.dtype)):
        return "static"
    return "object"


def elements_of(value: Any) -> list[Any]:
    """The elements of any iterable."""
    return list(value)


def holds_tracer(value: Any) -> bool:
    """Whether a tracer is a leaf of `value`."""
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(value))


_ASKS_FOR_INTEGER = re.compile(
    r"(an|positive) integer|integer scalar|sequence of integers|expected (an )?int\b", re.IGNORECASE
)
"""Messages of library functions that check for an integer before `__index__` is asked."""


def classify_error(error: BaseException) -> str:
    """Names the use that an exception reports."""
    text = str(error)
    match error:
        case jax.errors.TracerArrayConversionError():
            return "array"
        case jax.errors.TracerBoolConversionError():
            return "bool"
        case jax.errors.TracerIntegerConversionError():
            return "index"
        case jax.errors.ConcretizationTypeError():
            for name in ("float", "complex", "int"):
                if f"`{name}` function" in text or f"{name}()" in text:
                    return name
            return "error"
        case _:
            pass
    if "setting an array element with a sequence" in text:
        return "item"
    if "truth value of an array" in text:
        return "bool"
    if "iteration over a 0-d array" in text:
        return "iteration"
    if "unhashable type" in text:
        return "hash"
    if "unsupported format string" in text:
        return "format"
    if _ASKS_FOR_INTEGER.search(text):
        return "index"
    return "error"


@contextmanager
def quiet() -> Generator[None]:
    """Silences the warnings of the measured functions."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield


class Probe:
    """Calls functions with tracers made of sample values, inside one trace of `context`."""

    def __init__(self, context: Context, zero: Any) -> None:
        self.context: Context = context
        self._zero = zero

    def tracer(self, sample: Any) -> Any:
        """A tracer with the shape, dtype and value of `sample` (under grad: of floats only)."""
        value = jnp.asarray(sample)
        if jnp.issubdtype(value.dtype, jnp.inexact):
            return value + self._zero.astype(value.dtype)
        if self.context == "grad":
            return value
        if value.dtype == jnp.bool_:
            return jnp.logical_or(value, self._zero != 0)
        return value + self._zero.astype(value.dtype)

    def call(
        self, function: Callable[..., Any], arguments: list[Any], keywords: Mapping[str, Any]
    ) -> Outcome:
        """What `function` does with these arguments."""
        try:
            with quiet():
                value = function(*arguments, **keywords)
        except Exception as error:
            return Outcome(classify_error(error), error=f"{type(error).__name__}: {error}"[:160])
        return Outcome("ok", classify_result(value))


def run_in(context: Context, body: Callable[[Probe], None]) -> None:
    """Runs `body` once under a trace of `context`."""

    def traced(zero: Any) -> Any:
        body(Probe(context, zero))
        return jnp.float32(0) * jnp.sum(zero)

    match context:
        case "jit":
            jax.eval_shape(traced, jnp.float32(0))
        case "vmap":
            # Under jit, so that nothing is compiled; the tracers are those of vmap all the same.
            jax.eval_shape(jax.vmap(traced), jnp.zeros(2, jnp.float32))
        case "grad":
            jax.jvp(traced, (jnp.float32(0),), (jnp.float32(1),))


@dataclass(frozen=True, slots=True)
class Example:
    """One call of a library function that works with concrete arguments; `source` is its text."""

    name: str
    source: str
    arguments: Callable[[], tuple[list[Any], dict[str, Any]]]


def read_examples(prefix: str, table: str, samples: Mapping[str, Any]) -> list[Example]:
    """Reads rows of `(arguments): names`; an indented line continues the row above it."""
    found: list[Example] = []
    for line in table.replace("\n    ", " ").splitlines():
        call, _, names = line.rpartition(": ")
        evaluate = _arguments(call, samples)
        found.extend(
            Example(f"{prefix}.{name}".lstrip("."), call, evaluate) for name in names.split()
        )
    return found


def _arguments(
    call: str, samples: Mapping[str, Any]
) -> Callable[[], tuple[list[Any], dict[str, Any]]]:
    """A function that makes the arguments of a call afresh: some calls write into them."""
    code = compile(f"_bind{call}", "<example>", "eval")

    def bind(*arguments: Any, **keywords: Any) -> tuple[list[Any], dict[str, Any]]:
        return copy.deepcopy(list(arguments)), copy.deepcopy(keywords)

    return lambda: eval(code, {**samples, "_bind": bind})


def find_object(name: str) -> Any:
    """The object with a dotted name; raises AttributeError where the library lacks it."""
    parts = name.split(".")
    found: Any = importlib.import_module(parts[0])
    for position, part in enumerate(parts[1:], 2):
        if hasattr(found, part):
            found = getattr(found, part)
            continue
        try:
            found = importlib.import_module(".".join(parts[:position]))
        except ModuleNotFoundError:
            raise AttributeError(name) from None
    return found


def is_traceable(value: Any) -> bool:
    """Whether a sample can be replaced by a tracer: a number or an array of numbers."""
    if isinstance(value, (int, float, complex, np.generic, np.ndarray)):
        return np.asarray(value).dtype.kind in "biufc"
    if isinstance(value, (list, tuple)) and value:
        items = elements_of(value)
        return all(map(is_traceable, items)) and len({np.shape(item) for item in items}) == 1
    return False


def put_inside(make: Callable[[Any], Any], sample: Any) -> Any:
    """The sample as a list or tuple of what `make` makes of its elements."""
    if isinstance(sample, (list, tuple)):
        items = [make(item) for item in elements_of(sample)]
        return items if isinstance(sample, list) else tuple(items)
    array = np.asarray(sample)
    return [make(array)] if array.ndim == 0 else [make(item) for item in array]


Place = int | str

FAILS_FOR_TREES = frozenset(("array", "index", "int", "float", "complex", "item"))
"""Uses that a container of tracers fails as a tracer does, but for lenient parameters."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """What happened with a tracer at one place of an example."""

    example: Example
    place: Place
    context: Context
    form: Literal["direct", "inside"]
    outcome: Outcome

    def __str__(self) -> str:
        call = f"{self.example.name}{self.example.source}"
        return f"{call} [{self.place}] {self.form} under {self.context}: {self.outcome}"


def measure(calls: Sequence[tuple[Example, Callable[..., Any]]]) -> list[Measurement]:
    """Measures each argument of each example in each context, and under `jit` inside a list too.

    A form that fails without a tracer is left out, and so are arguments other than floats under
    `grad`, where they are plain arrays.
    """
    found: list[Measurement] = []
    for example, function in calls:

        def body(
            probe: Probe, call: tuple[Callable[..., Any], Example] = (function, example)
        ) -> None:
            found.extend(_measure_in(probe, *call))

        # One trace for each example: JAX looks through the whole trace for the text of an error.
        for context in CONTEXTS:
            run_in(context, body)
    return found


def _measure_in(
    probe: Probe, function: Callable[..., Any], example: Example
) -> Iterator[Measurement]:
    arguments, keywords = example.arguments()
    for place in places_of(example):
        sample = arguments[place] if isinstance(place, int) else keywords[place]
        if not is_traceable(sample):
            continue
        if probe.context == "grad" and np.asarray(sample).dtype.kind not in "fc":
            continue
        outcome = _call_with(probe, function, example, place, probe.tracer(sample))
        yield Measurement(example, place, probe.context, "direct", outcome)
        if probe.context != "jit":
            continue
        plain = put_inside(lambda item: np.asarray(item)[()], sample)
        if _call_with(probe, function, example, place, plain).use == "ok":
            traced = put_inside(probe.tracer, sample)
            outcome = _call_with(probe, function, example, place, traced)
            yield Measurement(example, place, probe.context, "inside", outcome)


def places_of(example: Example) -> list[Place]:
    """The positions and the keywords of the arguments of an example."""
    arguments, keywords = example.arguments()
    return [*range(len(arguments)), *keywords]


def tree_passes(
    function: Callable[..., Any], example: Example, places: Sequence[Place]
) -> list[Place]:
    """Those of `places` that take None or a dict of tracers."""
    found: list[Place] = []

    def body(probe: Probe) -> None:
        trees = ({"a": probe.tracer(1.0), "b": probe.tracer(2.0)}, None)
        with redirect_stdout(io.StringIO()):
            found.extend(
                place
                for place in places
                if any(
                    _call_with(probe, function, example, place, tree).use == "ok" for tree in trees
                )
            )

    run_in("jit", body)
    return found


def _call_with(
    probe: Probe, function: Callable[..., Any], example: Example, place: Place, value: Any
) -> Outcome:
    arguments, keywords = example.arguments()
    if isinstance(place, int):
        arguments[place] = value
    else:
        keywords[place] = value
    return probe.call(function, arguments, keywords)
