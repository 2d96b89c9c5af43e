"""Random keys that objects hold, in functions that nobody here is seen to call: what a function, or
a method, draws by such a key and leaves in its object, the next call draws by again.

That is read in the text of the function alone. A state that is handed in and handed back, itself
or as `state.replace(...)`, holds the key still; so does an object no method of which sets the
attribute, where the method is one that is called over and over.
"""

from typing import Literal

from oakum.values.facts import Facts
from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.named_keys import root_of
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.arrays.array_results import UNKNOWN_ARRAY
from oakum_lint.domain.callables import ClassValue, FunctionValue
from oakum_lint.domain.frames import Frame, is_definition, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.names import called_name
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, HeapObject, Place
from oakum_lint.jax.non_pytree_values import is_plain_class
from oakum_lint.models.habits import CALLED_OFTEN, REPLACING, is_test_file
from oakum_lint.python.objects.classes import assigned_elsewhere
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of, walk, walk_own

CALLED_AGAIN = "no second call is seen"
GOES_ON = "nobody is seen to go on with what is handed back"


def _consume_keys(
    machine: Machine,
    declared: Facts,
    _bound: Bound,
    places: Places,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports a key that a call uses up and that stays where it is."""
    function = frame.called.function
    if function is None or frame.scope.kind != "function":
        return
    if is_test_file(frame.module.path) or is_seen_to_run(frame):
        return
    for name in declared.consumes_keys:
        place = places.get(name)
        if isinstance(place, nodes.Attribute | nodes.Subscript) and root_of(place):
            _check_held(machine, function, place, frame, node)


def _check_held(
    machine: Machine,
    function: FunctionValue,
    place: nodes.Expression,
    frame: Frame,
    node: nodes.Node,
) -> None:
    definition, root = function.definition, root_of(place)
    parameters = [parameter.name for parameter in definition.parameters.items]
    if not isinstance(definition, nodes.FunctionDefinition) or root not in parameters:
        return
    is_receiver = root == parameters[0] and function.scope.kind == "class"
    receiver = machine.read(frame.scope, root) if is_receiver else None
    if _is_handed_back(definition, place, node, is_receiver=is_receiver):
        _report(machine, "returned", GOES_ON, place, frame, node)
        return
    match receiver, place:
        case (
            HeapObject(kind="instance", cls=ClassValue() as cls),
            nodes.Attribute(value=nodes.Name(), attribute=attribute),
        ) if is_definition(frame) and _keeps_for_all_calls(machine, cls, function, attribute):
            _report(machine, "call", CALLED_AGAIN, place, frame, node)
        case _:
            pass


def _report(
    machine: Machine,
    how: Literal["returned", "call"],
    doubt: str,
    place: nodes.Node,
    frame: Frame,
    node: nodes.Node,
) -> None:
    first = location_of(frame.site(node))
    machine.emit(
        KeyReuse,
        frame,
        node,
        Array(UNKNOWN_ARRAY, Place.ANY, 0),
        place,
        doubt,
        first=first,
        how=how,
        loop="",
        evidence=meant_reuses.evidence_of(frame, node, first),
        in_object=False,
        names=frozenset((frame.text(place),)),
    )


def _keeps_for_all_calls(
    machine: Machine, cls: ClassValue, function: FunctionValue, attribute: str
) -> bool:
    """Whether a method that is called over and over, by its name, draws by an attribute that is set
    where an object is made alone, and nobody puts another object in its place.
    """
    if CALLED_OFTEN.match(function.name) is None or not is_plain_class(machine, cls):
        return False
    classes = [each for each in (*cls.order, *cls.subclasses()) if isinstance(each, ClassValue)]
    return not any(attribute in assigned_elsewhere(each) for each in classes)


def _is_handed_back(
    definition: nodes.FunctionDefinition,
    place: nodes.Expression,
    use: nodes.Node,
    *,
    is_receiver: bool,
) -> bool:
    """Whether all that a function returns after a use holds the key still, in the object that it
    was handed in.
    """
    root, held = root_of(place), _held_in(place)
    if not held or root in _bound_in(definition):
        return False
    sources = _sources(definition)
    returned = [each.value for each in returns_of(definition.body) if each.end >= use.end]
    found = [_holding(value, sources, root, held) for value in returned]
    return bool(found) and all(
        any(not (is_receiver and isinstance(each, nodes.Name)) for each in holding)
        for holding in found
    )


def _held_in(place: nodes.Expression) -> str:
    """The attribute under which an object has the key: `info` of `state.info["key"]`."""
    while isinstance(place, nodes.Attribute | nodes.Subscript):
        if isinstance(place.value, nodes.Name):
            return place.attribute if isinstance(place, nodes.Attribute) else ""
        place = place.value
    return ""


def _bound_in(definition: nodes.FunctionDefinition) -> set[str]:
    """The names that a function binds, or an attribute or item of which."""
    targets: list[nodes.Expression | None] = []
    for node in walk_own(definition.body):
        match node:
            case nodes.Assignment():
                targets.extend(node.targets)
            case nodes.AugmentedAssignment() | nodes.AnnotatedAssignment() | nodes.For():
                targets.append(node.target)
            case nodes.NamedExpression() | nodes.WithItem():
                targets.append(node.target)
            case _:
                pass
    parts = walk(target for target in targets if target is not None)
    return {part.identifier for part in parts if isinstance(part, nodes.Name)}


def _sources(definition: nodes.FunctionDefinition) -> dict[str, nodes.Expression]:
    """What a function assigns to names that it assigns once."""
    found: dict[str, nodes.Expression] = {}
    several: set[str] = set()
    for node in walk_own(definition.body):
        match node:
            case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=value):
                several |= {name} & found.keys()
                found[name] = value
            case _:
                pass
    return {name: value for name, value in found.items() if name not in several}


def _holding(
    value: nodes.Expression | None, sources: dict[str, nodes.Expression], root: str, held: str
) -> list[nodes.Expression]:
    """The parts of what is returned that are the object under a name, or one like it with the same
    attribute.
    """
    found: list[nodes.Expression] = []
    pending = [] if value is None else [value]
    while pending:
        match pending.pop():
            case nodes.Name(identifier=name) as part:
                if name == root:
                    found.append(part)
                elif name in sources:
                    pending.append(sources.pop(name))
            case nodes.Display(elements=elements):
                pending.extend(elements)
            case nodes.DictDisplay(values=values):
                pending.extend(values)
            case nodes.Call(function=function, arguments=arguments, keywords=keywords) as part:
                names = {keyword.name for keyword in keywords}
                owner = function.value if isinstance(function, nodes.Attribute) else None
                made = called_name(part).strip("_") == REPLACING and not names & {held, None}
                of_root = any(
                    isinstance(each, nodes.Name) and each.identifier == root
                    for each in (owner, *arguments)
                )
                if made and of_root:
                    found.append(part)
            case _:
                pass
    return found


GUEST = Guest("held_keys", Moments(public_arguments=(_consume_keys,)), after=("reused_keys",))
