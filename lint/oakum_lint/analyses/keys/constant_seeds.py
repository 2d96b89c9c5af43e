"""Keys of seeds that the code names, in functions that are called over and over: each call draws
the same.
"""

from oakum.values.facts import Facts
from oakum.values.records import dataclass, field
from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.identities import KEY
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.domain.callables import FunctionValue
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, Constant
from oakum_lint.models.habits import CALLED_OFTEN, STEPS, is_test_file
from oakum_lint.syntax import nodes


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
    _node: nodes.Node,
) -> Array:
    """Notes a key of a constant seed that a function makes."""
    key = KEY.of(value)
    seed = bound.get("seed") if declared.makes_keys else None
    if key is not None and isinstance(seed, Constant) and frame.scope.kind == "function":
        machine.state_of(ConstantSeeds).made_in[key.owner.uid] = frame.scope.uid
    return value


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
        if function is not None and isinstance(value, Array) and _is_repeated(function, frame):
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
    around = frame.callers()
    in_loop = any(each.flow.loops or each.scope.kind == "comprehension" for each in around)
    return in_loop or not is_seen_to_run(frame)


GUEST = Guest(
    "constant_seeds",
    Moments(public_arguments=(_consume_keys,), public_result=(_note_seed,)),
    after=("reused_keys",),
)
