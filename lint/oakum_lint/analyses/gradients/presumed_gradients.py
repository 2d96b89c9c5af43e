"""Gradients of functions of a library that nobody here calls: its users may take them.

Only what its author has kept off an edge by a selection or a bound is reported: the edge is reached
then; and differences of the elements of one array, of which some are zero. Nobody is seen to
differentiate the function, so that the findings are likely.
"""

from typing import Final

from oakum_lint.analyses.gradients.singularities import NanGradient
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame, TraceEntry, begin_trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Array, Constant, Origin, Place, Scalar, Value
from oakum_lint.jax.annotation_values import Promise, instance_value, parameter_value
from oakum_lint.jax.tracing import call_traced
from oakum_lint.models.dtypes import PLAIN_KINDS
from oakum_lint.models.habits import is_test_file
from oakum_lint.models.types import annotates_array
from oakum_lint.syntax import nodes
from oakum_lint.text.names import (
    CALLED_OR_PASSED,
    HAS_EDGE,
    HAS_LIMITS,
    HAS_SMALL,
    KEEPS_DERIVATIVES,
    KEEPS_OFF_EDGES,
    MAPS_TWICE,
    MASKS_NAN,
    MEETS_ITSELF,
    PRIVATE_CALL,
    TAKES_DERIVATIVES,
    decides_on,
    is_derivative_rule,
)

REACHES_EDGES: Final = (KEEPS_OFF_EDGES, MEETS_ITSELF, HAS_SMALL, HAS_LIMITS)
UNSEEN: Final = "nobody is seen to take this gradient"
MOST_CALLED: Final = 16
"""So many private functions are looked at that a public one calls."""


def presume_gradient(machine: Machine, function: FunctionValue, frame: Frame) -> None:
    """Has a function differentiated by all that may be an array, if it, or a private one that it
    calls, reaches an edge of another function.
    """
    definition = function.definition
    if not _may_be_called(function) or not _reaches_edges(function):
        return
    if _is_decided_here(function):
        return
    entry = begin_trace(
        frame,
        f"a gradient of `{function.name}`",
        definition,
        staged=False,
        abstract=False,
        differentiates=True,
        presumed=True,
        kind="grad",
    )
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    items = definition.parameters.items
    if isinstance(function.cls, ClassValue) and function.scope is function.cls.body and items:
        receiver = instance_value(machine, function.cls, Promise(entry, None))
        positional.append(receiver or UNKNOWN)
    for parameter in items[len(positional) :]:
        match parameter.kind:
            case "positional_only" | "positional" if parameter.default is None and not keywords:
                positional.append(_argument(machine, function, parameter, entry))
            case "keyword_only" if parameter.default is None:
                keywords[parameter.name] = _argument(machine, function, parameter, entry)
            case _:
                pass
    with machine.reports.collecting() as found:
        result = call_traced(machine, function, Arguments(tuple(positional), keywords), entry)
    leaves, complete = leaves_of(machine, result, frame, definition)
    if complete and all(_is_plain(leaf) for leaf in leaves):
        return
    machine.reports.report(
        [
            event.weakened(UNSEEN)
            for event in found
            if isinstance(event, NanGradient) and _is_meant(machine, event, function)
        ]
    )


def _is_meant(machine: Machine, event: NanGradient, function: FunctionValue) -> bool:
    """Whether an edge is one that the author of a function has met. An epsilon beside a length also
    keeps a division from zero in code that nobody differentiates, and the logarithm of what is
    rounded is a value there: they say so where the program takes some derivative.
    """
    if event.names or event.bounded or event.chosen or event.hidden or event.partly:
        return True
    project, module = machine.project, function.module
    return bool(event.small or event.rounded) and bool(
        project.units_that_say(module, TAKES_DERIVATIVES)
    )


def _is_plain(leaf: Value) -> bool:
    """Whether what a function returns is of integers or truth values, by which nobody takes a
    gradient: neighbours within some distance, the index of the nearest one.
    """
    match leaf:
        case Array(aval):
            return aval.dtype is not None and aval.dtype.kind in PLAIN_KINDS
        case Constant() | Scalar("int" | "bool" | "str"):
            return True
        case _:
            return False


def _reaches_edges(function: FunctionValue) -> bool:
    """Whether a function, or a private one of its module that it calls, has an edge, and selects or
    bounds something, or subtracts what it has from itself; or tests for NaN what it selects. What
    two maps call, private or not, gets rows of theirs.
    """
    facts = function.module.facts
    if not facts.units_that_say(HAS_EDGE) and not facts.units_that_say(MASKS_NAN):
        return False  # asked for each function: most files have none
    definition = function.definition
    texts = [function.unit.part(definition.start, definition.end)]
    maps = MAPS_TWICE.search(texts[0]) is not None
    called: set[str] = set()
    while texts:
        text = texts.pop()
        if HAS_EDGE.search(text) and (maps or any(one.search(text) for one in REACHES_EDGES)):
            return True
        if MASKS_NAN.search(text) and KEEPS_OFF_EDGES.search(text):
            return True
        for name in (CALLED_OR_PASSED if maps else PRIVATE_CALL).findall(text):
            if name not in called and len(called) < MOST_CALLED:
                called.add(name)
                texts.extend(unit.text for unit in function.module.binders(name))
    return False


def _may_be_called(function: FunctionValue) -> bool:
    """Whether users of a library may call a function, by its name or by what holds it."""
    path = function.module.path
    if function.scope.kind not in ("module", "class") or not _is_itself(function):
        return False
    return not is_test_file(path)


def _is_decided_here(function: FunctionValue) -> bool:
    """Whether the file itself decides what is differentiated: the function is a rule of a
    derivative, or a private one that is called here. Asked last: these patterns are compiled for
    each name, and most functions keep off no edge.
    """
    if is_derivative_rule(function.unit.text, function.name):
        return True
    return not function.is_public and decides_on(function.module.facts.source.text, function.name)


def _is_itself(function: FunctionValue) -> bool:
    """Whether a function is differentiated as it stands: no decorator has rules of its own."""
    definition = function.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    decorators = [function.unit.part(d.start, d.end) for d in definition.decorators]
    return all(KEEPS_DERIVATIVES.search(text) or text == "staticmethod" for text in decorators)


def _argument(
    machine: Machine, function: FunctionValue, parameter: nodes.Parameter, entry: TraceEntry
) -> Value:
    """An argument by which the gradient is taken: an array, or what its annotation stands for, a
    name of the project's own for an array or a class that holds some.
    """
    annotation = parameter.annotation
    if annotation is not None and not annotates_array(
        function.unit.part(annotation.start, annotation.end)
    ):
        return parameter_value(machine, function, parameter, entry) or UNKNOWN
    message = f"a gradient may be taken by `{parameter.name}`"
    origin = Origin(function.module, function.unit, parameter.start, parameter.end, message)
    return Array(UNKNOWN_ARRAY, Place.CONCRETE, entry.trace.level, origin)
