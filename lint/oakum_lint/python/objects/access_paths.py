"""Objects known only by an access path (`a.b.c`): in which trace they were created, and whether a
write to them is later undone.
"""

from oakum.values.records import replace
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import bound_in
from oakum_lint.domain.values import Array, HeapObject, Origin, Tree, Unknown
from oakum_lint.models.frameworks.flax_linen import VARIABLE
from oakum_lint.models.frameworks.register import MANAGED
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk

MAX_LINKS = 8
ANY_LEVEL = 1_000_000
UNKNOWN_OWNER = "what setting the attribute does is not known"
"""Deeper than every trace: what may have been made in the trace that asks is not older than it."""


def level_of_owner(machine: Machine, target: nodes.Node, frame: Frame) -> int:
    """The depth of the trace in which the object was made that `owner.attribute = value` changes,
    judged by the way to it: what is reached by attributes from an object is as old as that.
    """
    if not isinstance(target, nodes.Attribute):
        return ANY_LEVEL
    node: nodes.Expression = target.value
    for _ in range(MAX_LINKS):
        match node:
            case nodes.Attribute(value=value):
                node = value
            case nodes.Name(identifier=name):
                scope = bound_in(machine, name, frame)
                held = None if scope is None else machine.read(scope, name)
                if scope is None or scope.kind == "module":
                    return ANY_LEVEL
                if isinstance(held, HeapObject):
                    known = held.kind == "instance" and node is not target.value
                    # What hangs on a module of a framework may be its variables.
                    known = known and not is_managed(held)
                    return held.level if known else ANY_LEVEL
                if not isinstance(held, Unknown):
                    return ANY_LEVEL
                if scope is not frame.scope:
                    return scope.level
                source = _only_source(name, frame)
                if source is None:
                    return ANY_LEVEL
                node = source
            case _:
                return ANY_LEVEL
    return ANY_LEVEL


def is_managed(owner: HeapObject) -> bool:
    """Whether a framework manages the attributes of this instance: assigning one in a method is no
    leak.
    """
    if owner.cls is None:
        return owner.label == VARIABLE
    return bool(owner.cls.conventions & MANAGED)


def _only_source(name: str, frame: Frame) -> nodes.Expression | None:
    """Returns the expression that the running function assigns to a local name, if just once."""
    definition = None if frame.called.function is None else frame.called.function.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return None
    if any(parameter.name == name for parameter in definition.parameters.items):
        return None
    sources = [
        node.value
        for node in walk(definition.body)
        if isinstance(node, nodes.Assignment)
        and any(isinstance(t, nodes.Name) and t.identifier == name for t in node.targets)
    ]
    return sources[0] if len(sources) == 1 else None


def is_undone(target: str, frame: Frame, store: nodes.Node | None = None) -> bool:
    """Whether the function that sets a variable, or an attribute, sets it again in a `finally`: not
    by the store itself.
    """
    definition = None if frame.called.function is None else frame.called.function.definition
    if definition is None:
        return False
    name = target.rpartition(".")[2]
    finals = [node.final for node in walk((definition,)) if isinstance(node, nodes.Try)]
    for node in (node for final in finals for node in walk(final)):
        match node:
            case nodes.Assignment(targets=targets) | nodes.Delete(targets=targets):
                pass
            case nodes.AugmentedAssignment(target=single):
                targets = (single,)
            case _:
                continue
        if any(_last_name(each) == name and each is not store for each in targets):
            return True
    return False


def is_counted_back(target: nodes.Node, frame: Frame) -> bool:
    """Whether the function that adds to an attribute or an item takes from it too."""
    definition = None if frame.called.function is None else frame.called.function.definition
    if definition is None:
        return False
    spelled = frame.text(target)
    operators = {
        node.operator
        for node in walk((definition,))
        if isinstance(node, nodes.AugmentedAssignment) and frame.text(node.target) == spelled
    }
    return operators >= {"+", "-"}


def _last_name(target: nodes.Node) -> str:
    match target:
        case nodes.Name(identifier=name) | nodes.Attribute(attribute=name):
            return name
        case _:
            return ""


def is_restored(target: nodes.Node, frame: Frame) -> bool:
    """Whether the function that sets an attribute has kept what it held, and sets it back."""
    definition = None if frame.called.function is None else frame.called.function.definition
    if not isinstance(target, nodes.Attribute) or definition is None:
        return False
    if is_undone(target.attribute, frame, target):
        return True
    spelled = frame.text(target)
    kept: set[str] = set()
    restored: set[str] = set()
    for node in walk((definition,)):
        if not isinstance(node, nodes.Assignment):
            continue
        if isinstance(node.value, nodes.Attribute) and frame.text(node.value) == spelled:
            kept.update(t.identifier for t in node.targets if isinstance(t, nodes.Name))
        elif isinstance(node.value, nodes.Name) and any(
            frame.text(t) == spelled for t in node.targets
        ):
            restored.add(node.value.identifier)
    return bool(kept & restored)


def is_handed_back(tracer: Array | Tree, frame: Frame) -> bool:
    """Whether a function that is traced keeps what an object holds, and hands it back in a
    `finally`: what is assigned in between is gone by then.
    """
    for caller in frame.callers():
        if caller.level < tracer.level:
            return False
        if caller.called.function is not None and _hands_back(
            caller.called.function.definition, caller
        ):
            return True
    return False


def _hands_back(definition: nodes.Node, frame: Frame) -> bool:
    handed: set[tuple[str, str]] = set()
    finals = [node.final for node in walk((definition,)) if isinstance(node, nodes.Try)]
    for node in (node for final in finals for node in walk(final)):
        match node:
            # Of a call whose result is used, what it gets is an operand.
            case nodes.ExpressionStatement(
                value=nodes.Call(function=nodes.Attribute() as method) as call
            ):
                owner = frame.text(method.value)
                given = (each for each in call.arguments if isinstance(each, nodes.Name))
                handed.update((owner, each.identifier) for each in given)
            case _:
                pass
    for node in walk((definition,)) if handed else ():
        if isinstance(node, nodes.Assignment) and isinstance(node.value, nodes.Call):
            source = node.value.function
            if isinstance(source, nodes.Attribute):
                owner = frame.text(source.value)
                names = (each for each in node.targets if isinstance(each, nodes.Name))
                if any((owner, each.identifier) in handed for each in names):
                    return True
    return False


def doubtful_origin(tracer: Array | Tree, frame: Frame, node: nodes.Node) -> Origin:
    """The origin of a tracer about which something uncertain is reported."""
    if tracer.origin is not None:
        return replace(tracer.origin, doubt=UNKNOWN_OWNER)
    text = f"the value is assigned to `{frame.text(node)}`"
    return Origin(frame.module, frame.unit, node.start, node.end, text, UNKNOWN_OWNER)
