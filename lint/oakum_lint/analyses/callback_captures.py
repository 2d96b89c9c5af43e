"""Callbacks that read a tracer of the code around them: when they run, its trace has ended."""

from oakum_lint.domain import events
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.values import Array, Place
from oakum_lint.models.attributes import SPELLING_SHAPES
from oakum_lint.python.statements.loop_statements import names_in
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


def _check_captured(machine: Machine, function: FunctionValue, frame: Frame) -> None:
    """Reports the tracers that a callback takes from the code around it: when it runs, their trace
    has ended.
    """
    if function.unit is not frame.unit:
        return
    around = Frame(function.scope, function.unit, function.module, frame.trace)
    for name in _names_from_outside(function.definition):
        scope = bound_in(machine, name.identifier, around)
        value = None if scope is None else machine.read(scope, name.identifier)
        if isinstance(value, Array) and value.place is Place.ABSTRACT and value.level:
            machine.emit(
                events.Leak,
                frame,
                name,
                value,
                name,
                kind="callback",
                target=function.name,
                how="callback",
            )


def _names_from_outside(definition: nodes.Node) -> list[nodes.Name]:
    """The names that a function reads and does not bind, each where it is first read; what tracing
    knows of an array, such as its shape, or whether it is None, is no read of it.
    """
    own, described, reads = set[str](), set[int](), dict[str, nodes.Name]()
    for node in walk((definition,)):
        match node:
            case nodes.Parameter(name=name):
                own.add(name)
            case nodes.Assignment(targets=targets):
                own.update(*map(names_in, targets))
            case (
                nodes.AugmentedAssignment(target=target)
                | nodes.AnnotatedAssignment(target=target)
                | nodes.For(target=target)
                | nodes.ComprehensionFor(target=target)
                | nodes.NamedExpression(target=target)
            ):
                own |= names_in(target)
            case nodes.WithItem(target=target) if target is not None:
                own |= names_in(target)
            case nodes.Attribute(value=nodes.Name() as array, attribute=attribute):
                if attribute in SPELLING_SHAPES:
                    described.add(id(array))
            case nodes.Comparison(operators=("is" | "is not",)):
                described.add(id(node.left))
            case nodes.Name(identifier=name) if id(node) not in described:
                first = reads.setdefault(name, node)
                reads[name] = min(first, node, key=lambda each: each.start)
            case _:
                pass
    return sorted((reads[name] for name in reads.keys() - own), key=lambda node: node.start)


GUEST = Guest("callback_captures", Moments(hosted=(_check_captured,)))
