"""Keys of seeds that the code names, in functions that are called over and over: each call draws
the same.
"""

from oakum.values.facts import Facts
from oakum.values.records import dataclass, field
from oakum_lint.analyses.closed_world.sources import sources_in
from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.identities import KEY
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, Constant
from oakum_lint.models.frameworks.register import base_class
from oakum_lint.models.habits import CALLED_OFTEN, DRAWS_ALIKE, STEPS, is_test_file
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import parts_in, walk_own


@dataclass(slots=True)
class ConstantSeeds:
    """The keys that functions have made of a seed that they name: the scope of the function, by the
    owner of the key. Each is reported once.
    """

    made_in: dict[int, int] = field(default_factory=dict[int, int])


def _note_seed(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    _places: Places,
    value: Array,
    _spelled: str,
    frame: Frame,
    node: nodes.Node,
) -> Array:
    """Notes a key of a constant seed that a function makes, whatever it gets."""
    key = KEY.of(value)
    seed = bound.get("seed") if declared.makes_keys else None
    if key is None or not isinstance(seed, Constant) or frame.scope.kind != "function":
        return value
    if not _is_chosen(frame, node):
        machine.state_of(ConstantSeeds).made_in[key.owner.uid] = frame.scope.uid
    return value


def _is_chosen(frame: Frame, node: nodes.Node) -> bool:
    """Whether a test of the function decides that an expression is evaluated, also one whose result
    is known: of a parameter that nobody is seen to pass.
    """
    function = frame.called.function
    body = None if function is None else function.definition.body
    return any(
        isinstance(each, nodes.If | nodes.Conditional | nodes.BooleanOperation)
        and each.start <= node.start < each.end
        for each in (walk_own(body) if isinstance(body, tuple) else ())
    )


def _consume_keys(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: Places,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports the first use of a key that each call of a function makes of the same seed."""
    made_in = machine.state_of(ConstantSeeds).made_in
    for name in declared.consumes_keys if made_in else ():
        value, place = bound.get(name), places.get(name)
        key = None if value is None else KEY.of(value)
        if key is None or place is None or made_in.get(key.owner.uid) != frame.scope.uid:
            continue
        del made_in[key.owner.uid]
        function = frame.called.function
        if function is None or not isinstance(value, Array) or _draws_weights(function, node):
            continue
        if _is_repeated(function, frame):
            first = location_of(frame.site(node))
            machine.emit(
                KeyReuse,
                frame,
                node,
                value,
                place,
                meant_reuses.CONSTANT,
                first=first,
                how="call",
                loop="",
                evidence=meant_reuses.evidence_of(frame, node, first),
                in_object=False,
                constant=True,
                names=frozenset((frame.text(place),)),
            )


def _is_repeated(function: FunctionValue, frame: Frame) -> bool:
    """Whether a function is one of those that a program calls over and over, by its name, and where
    the program is seen to call it, in a loop.
    """
    is_method = function.scope.kind == "class"
    if frame.guards or is_test_file(frame.module.path) or meant_reuses.stands_in_test(frame):
        return False
    if not STEPS.search(function.name) and not (is_method and CALLED_OFTEN.match(function.name)):
        return False
    if DRAWS_ALIKE.search(function.name):
        return False
    around = frame.callers()
    in_loop = any(each.flow.loops or each.scope.kind == "comprehension" for each in around)
    return in_loop or not is_seen_to_run(frame)


def _draws_weights(function: FunctionValue, node: nodes.Node) -> bool:
    """Whether a method of a module draws what is not for each row that it gets: fixed weights, as
    of random features, which have to be the same in each call.
    """
    cls = function.cls
    models = (base_class(path) for path in (() if cls is None else cls.libraries))
    if not any(model is not None and model.applied for model in models):
        return False
    definition = function.definition
    body = definition.body if isinstance(definition.body, tuple) else ()
    given = {each.name for each in definition.parameters.items[1:]}
    bound, followed, pending = sources_in(body).bound, set[str](), [node]
    while pending:
        part = pending.pop()
        match part:
            case nodes.Subscript(value=nodes.Attribute(attribute="shape"), index=index) if _is_last(
                index
            ):
                continue
            case nodes.Name(identifier=name) if name in given:
                return False
            case nodes.Attribute(attribute="shape"):
                return False
            case nodes.Name(identifier=name) if name not in followed:
                followed.add(name)
                pending += bound.get(name, ())
            case _:
                pass
        pending += parts_in(part)
    return True


def _is_last(index: nodes.Node) -> bool:
    """Whether an index is -1."""
    match index:
        case nodes.Constant(value=-1):
            return True
        case nodes.UnaryOperation(operator="-", operand=nodes.Constant(value=1)):
            return True
        case _:
            return False


GUEST = Guest(
    "constant_seeds",
    Moments(public_arguments=(_consume_keys,), public_result=(_note_seed,)),
    after=("reused_keys",),
)
