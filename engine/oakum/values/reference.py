"""The reference of a public function: its summary, and what its declaration states, in words.

`help(jnp.sum)` and the pages of the API show the same text. What a declaration holds (which
arguments have to be known while tracing, when the size of a result depends on values, where a
derivative is zero or infinite, the shapes and dtypes of results) is written here from it, and
nowhere a second time. Examples stand in the tables `examples/*.txt`, one a package: a
row is the canonical name of a function, then lines of a session in which `jax`, `jnp` and `lax` are
`oakum`, `oakum.numpy` and `oakum.lax`. The test that runs them all writes their results
(`--update-golden`), and compares them, numbers up to rounding. Errors that neither a declaration
nor an annotation states are rows of `errors_raised.txt`: functions, then a sentence.
"""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from inspect import Parameter
from pathlib import Path
from typing import Any, Final

from oakum import dtypes
from oakum.errors import OakumError
from oakum.values import argument_types, codes, host
from oakum.values.avals import ShapedArray
from oakum.values.binding import BindFailure, bind
from oakum.values.facts import Facts, StaticUse
from oakum.values.parameter_meanings import meaning

_EDGES: Final[Mapping[str, str]] = {
    "singular": "The derivative is infinite at the edge of the domain",
    "arc": "The derivative is infinite at -1 and 1, and NaN beyond them",
    "root": "The derivative is infinite, and NaN behind a selection that leaves it out",
    "length": "The derivative is NaN where all elements are zero",
    "deviation": "The derivative is NaN where all elements are equal",
    "power": "The derivative by the exponent is NaN where the base is negative",
    "corner": "The derivatives are NaN where all operands are zero",
}
_STATIC: Final[Mapping[StaticUse, str]] = {
    StaticUse.ARGUMENT: "It has to be a Python value while tracing.",
    StaticUse.SHAPE: "Each size in it has to be a Python value while tracing.",
    StaticUse.SIZE: "It has to be a Python number while tracing.",
}
_REFUSED: Final[Mapping[str, tuple[codes.Code, str]]] = {
    "DTypeLike": (codes.DTYPE_MISMATCH, "{} is no dtype"),
    "AxisName": (codes.UNBOUND_AXIS, "no transform around the call binds {}"),
}
"""What is refused of parameters with an annotation, beside wrong types."""
_SHAPES: Final = ((2, 3), (3, 3))
"""Of the arrays that an abstract rule is asked about; the second is for square matrices."""
_DTYPES: Final = (dtypes.float32, dtypes.int32, dtypes.bool_)
TABLES: Final = ("lax", "nn", "numpy", "random", "scipy", "other")
"""The tables of examples."""
_LIMIT: Final = 60
"""Characters of a default value that are shown."""


def reference(facts: Facts, summary: str, *, is_evaluated: bool) -> str:
    """Returns the text of `help` for a function with this declaration."""
    parts = [inspect.cleandoc(summary)] if summary else []
    for title, lines in (
        ("Args", [*_parameters(facts)]),
        ("Returns", [*_result(facts)]),
        ("Shapes and dtypes", [*_abstract_results(facts)]),
        ("Raises", [*_errors(facts, is_evaluated=is_evaluated)]),
        ("Gradient", [*_gradient(facts)]),
        ("NumPy", [*_numpy_differences(facts)]),
    ):
        if lines:
            parts.append("\n".join((f"{title}:", *map(_wrapped, lines))))
    shown = example(facts.name)
    if shown:
        parts.append(f"Example:\n{textwrap.indent(shown, '    ')}")
    return "\n\n".join(parts)


def _wrapped(line: str) -> str:
    return textwrap.fill(line, 96, initial_indent="    ", subsequent_indent="        ")


def _parameters(facts: Facts) -> Iterator[str]:
    for name, parameter in facts.signature.parameters.items():
        if name.startswith("_"):
            continue
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        sentences = [meaning(facts.name, name)]
        if name in facts.static:
            sentences.append(_STATIC[facts.static[name]])
        elif name in facts.needs_concrete:
            sentences.append("It must not be traced.")
        if name in facts.consumes_keys and name != "key":
            sentences.append("The key is used up: use each once.")
        if parameter.default is not inspect.Parameter.empty:
            shown = repr(parameter.default)
            if len(shown) <= _LIMIT and not shown.startswith("<"):
                sentences.append(f"Default: {shown}.")
        text = " ".join(filter(None, sentences))
        if text:
            yield f"{stars}{name}: {text}"
        else:
            yield f"{stars}{name}"


def _result(facts: Facts) -> Iterator[str]:
    if facts.static_result:
        yield "A Python value, which tracing knows."
    elif facts.makes_keys:
        yield "A random key, or an array of them, that nothing has used yet."
    elif facts.gives:
        yield f"A function with the parameters of `{facts.gives}`."
    else:
        shown = _annotation(facts.signature.return_annotation)
        if shown:
            yield f"{shown}"
    dynamic = facts.dynamic_size
    if dynamic is not None:
        operands = " and ".join(f"`{name}`" for name in dynamic.operands)
        fixed = f"; `{dynamic.parameter}` fixes it" if dynamic.parameter else ""
        yield f"Its size depends on the values of {operands}{fixed}."
    if facts.hands_through:
        yield "An array that is right already is returned as it is."
    if facts.waits:
        yield "The call returns when all arrays are computed."


def _annotation(annotation: object) -> str:
    """The annotation of a result, where it says something."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if text in ("Any", "object", "_empty", ""):
        return ""
    return {"Array": "An array.", "bool": "Whether it is so.", "None": "None."}.get(
        text, f"{text}."
    )


def _errors(facts: Facts, *, is_evaluated: bool) -> Iterator[str]:
    if not is_evaluated:
        yield f"{_named(codes.NOT_EVALUATED)} always: it is declared, and not evaluated."
    static = [name for name in facts.static if not name.startswith("_")]
    if static:
        names = ", ".join(f"`{name}`" for name in static)
        which = f"one of {names}" if len(static) > 1 else names
        yield f"{_named(codes.TRACED_STATIC_ARGUMENT)} if {which} is traced."
    for name, code in facts.needs_concrete.items():
        yield f"{_named(code)} if `{name}` is traced."
    if facts.dynamic_size is not None:
        yield f"{_named(codes.DYNAMIC_SHAPE)} if the size of the result is not known while tracing."
    if facts.consumes_keys:
        yield f"{_named(codes.REUSED_KEY)} if the key was used before (`debug_key_reuse`)."
    yield from _refusals(facts)
    for sentence in errors_raised().get(facts.name, ()):
        word, _, rest = sentence.partition(" ")
        code = codes.find(word)
        yield f"{_named(code)} {rest}" if code else sentence


@functools.cache
def errors_raised() -> dict[str, list[str]]:
    """Returns the sentences of `errors_raised.txt` by the names of the functions."""
    text = Path(__file__).with_name("errors_raised.txt").read_text(encoding="utf-8")
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        names, _, sentence = line.partition(": ")
        for name in names.split():
            found.setdefault(name, []).append(sentence)
    return found


def _refusals(facts: Facts) -> Iterator[str]:
    """Yields what is refused of arguments by their annotations, and by the abstract rule."""
    refused = argument_types.refusals(facts)
    if facts.rule is not None and _operands(facts) > 1:
        refused.setdefault(codes.SHAPE_MISMATCH, []).insert(0, "the shapes do not fit")
    for annotation, (code, sentence) in _REFUSED.items():
        names = _annotated(facts, annotation)
        if names:
            refused.setdefault(code, []).append(sentence.format(names))
    for code, cases in refused.items():
        yield f"{_named(code)} if {', or if '.join(cases)}."
    first = next(iter(facts.signature.parameters), "")
    if f"`{first}`" in _annotated(facts, "Callable[..., Any]"):
        yield f"TypeError if `{first}` is no function."
    names = _annotated(facts, "Backend")
    if names:
        yield f"RuntimeError if {names} names no platform that is there."


def _annotated(facts: Facts, annotation: str) -> str:
    """Returns the parameters that may be what an annotation says, listed."""
    return " or ".join(
        f"`{name}`"
        for name, parameter in facts.signature.parameters.items()
        if annotation in str(parameter.annotation).split(" | ")
    )


def _operands(facts: Facts) -> int:
    """How many parameters may be arrays, as far as their annotations say."""
    annotations = [str(p.annotation) for p in facts.signature.parameters.values()]
    return sum("ArrayLike" in text or "Array" in text for text in annotations)


def _named(code: codes.Code) -> str:
    return f"{code.code} ({code.name})"


def _gradient(facts: Facts) -> Iterator[str]:
    if facts.zero_derivative:
        yield "It is zero everywhere."
    edge = _EDGES.get(facts.edge)
    if edge is not None:
        where = f", at {', '.join(f'{pole:g}' for pole in facts.poles)}" if facts.poles else ""
        yield f"{edge}{where}."


# --- shapes, dtypes and NumPy ---


def _abstract_results(facts: Facts) -> Iterator[str]:
    """Yields a line for each dtype of the arrays that a function requires; none where it requires
    something else, or the result depends on more than shapes and dtypes.
    """
    required = [p for p in facts.signature.parameters.values() if p.default is Parameter.empty]
    if facts.rule is None or not required or not all(map(_is_array, required)):
        return
    for shape in _SHAPES:
        answers = [_answer(facts, required, ShapedArray(shape, dtype)) for dtype in _DTYPES]
        if any(" -> " in each for each in answers):
            yield from filter(None, answers)
            return


def _is_array(parameter: Parameter) -> bool:
    variadic = parameter.kind in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    return not variadic and parameter.annotation == "ArrayLike"


def _answer(facts: Facts, required: list[Parameter], operand: ShapedArray) -> str:
    """Returns what comes of operands of this shape and dtype, or why they are refused; "" where
    that is not known.
    """
    operands = ", ".join(str(operand) for _ in required)
    by_position = [operand for p in required if p.kind is not Parameter.KEYWORD_ONLY]
    by_name = {p.name: operand for p in required if p.kind is Parameter.KEYWORD_ONLY}
    bound = bind(facts, by_position, by_name)
    if isinstance(bound, BindFailure) or facts.rule is None:
        return ""
    try:
        shown = _shown(facts.rule(dict(bound)))
    except OakumError as error:
        refused = error.code
        return f"{operands}: {refused.code} ({refused.name})" if refused else ""
    return f"{operands} -> {shown}" if shown else ""


def _shown(result: Any) -> str:
    """Returns an abstract result as text; "" where something of it is not known."""
    match result:
        case ShapedArray():
            text = str(result)
            return "" if "..." in text or "?" in text else text
        case tuple() | list():
            parts = [_shown(each) for each in result]  # pyright: ignore[reportUnknownVariableType]
            return f"({', '.join(parts)})" if all(parts) else ""
        case _:
            return ""


def _numpy_differences(facts: Facts) -> Iterator[str]:
    """Yields sentences about parameters; none where NumPy has no such function, or is not there."""
    theirs = _numpy_parameters(facts.name)
    if theirs is None:
        return
    ours = [name for name in facts.signature.parameters if not name.startswith("_")]
    missing = [name for name in theirs if name not in ours]
    more = [name for name in ours if name not in theirs]
    if len(missing) == len(theirs):  # other names for all of them say nothing
        return
    if missing:
        yield f"Parameters of NumPy's that are not there: {_listed(missing)}."
    if more:
        yield f"Parameters that NumPy's does not have: {_listed(more)}."


def _numpy_parameters(name: str) -> list[str] | None:
    """Returns the parameters of NumPy's function of a canonical name; None where it has none."""
    if not name.startswith("numpy."):
        return None
    try:
        found: Any = host.np
    except ImportError:  # the linter is installed without the engine
        return None
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    if isinstance(found, type):
        return None
    try:
        return list(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        return None


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


# --- examples ---


def example(name: str) -> str:
    """Returns the example of a function; "" where it has none.

    >>> example("host_id")
    '>>> jax.host_id()\\n0'
    """
    first = name.partition(".")[0]
    return examples(first if first in TABLES else "other").get(name, "")


@functools.cache
def examples(table: str) -> dict[str, str]:
    """Returns the rows of one table."""
    text = example_file(table).read_text(encoding="utf-8")
    rows: dict[str, str] = {}
    for row in text.strip().split("\n\n"):
        name, _, lines = row.partition("\n")
        rows[name] = lines
    return rows


def example_file(table: str) -> Path:
    """Returns the file of a table."""
    return Path(__file__).parent / "examples" / f"{table}.txt"
