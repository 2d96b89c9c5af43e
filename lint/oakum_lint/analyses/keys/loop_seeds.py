"""Keys of seeds that the code names, made in the body of a loop: each iteration draws the same."""

from oakum.values.facts import Facts
from oakum.values.records import dataclass, field
from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.identities import KEY
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, Constant
from oakum_lint.models.habits import is_test_file
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk, walk_own


@dataclass(slots=True)
class LoopSeeds:
    """The keys that loops have made of a seed that they name: the scope of the loop, by the owner
    of the key. Each is reported once.
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
    """Notes a key of a constant seed that is made in a loop whose iterations are all alike."""
    key = KEY.of(value)
    seed = bound.get("seed") if declared.makes_keys else None
    if key is not None and isinstance(seed, Constant) and _stands_in_loop(frame, node):
        machine.state_of(LoopSeeds).made_in[key.owner.uid] = frame.scope.uid
    return value


def _stands_in_loop(frame: Frame, node: nodes.Node) -> bool:
    """Whether an expression stands in a loop that counts alone: what the body reads of the items is
    a sign that each iteration is to do something else with the same numbers.
    """
    function = frame.called.function
    body = frame.unit.body if function is None else function.definition.body
    around = [
        each
        for each in (walk_own(body) if isinstance(body, tuple) else ())
        if isinstance(each, nodes.For) and _holds(each.body, node)
    ]
    if not around or any(_reads_items(each) for each in around):
        return False
    return not (is_test_file(frame.module.path) or meant_reuses.stands_in_test(frame))


def _holds(body: tuple[nodes.Node, ...], node: nodes.Node) -> bool:
    return bool(body) and body[0].start <= node.start < body[-1].end


def _reads_items(loop: nodes.For) -> bool:
    """Whether the body of a loop reads what it goes over."""
    items = {each.identifier for each in walk((loop.target,)) if isinstance(each, nodes.Name)}
    names = (each for each in walk(loop.body) if isinstance(each, nodes.Name))
    return any(each.identifier in items for each in names)


def _consume_keys(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    places: Places,
    frame: Frame,
    node: nodes.Node,
) -> None:
    """Reports the first draw by a key that each iteration makes of the same seed."""
    made_in = machine.state_of(LoopSeeds).made_in
    for name in declared.consumes_keys if made_in else ():
        value, place = bound.get(name), places.get(name)
        key = None if value is None else KEY.of(value)
        if key is None or place is None or not isinstance(value, Array):
            continue
        if made_in.get(key.owner.uid) != frame.scope.uid:
            continue
        del made_in[key.owner.uid]
        first = location_of(frame.site(node))
        machine.emit(
            KeyReuse,
            frame,
            node,
            value,
            place,
            meant_reuses.CONSTANT,
            first=first,
            how="loop",
            loop="",
            evidence=meant_reuses.evidence_of(frame, node, first),
            in_object=False,
            constant=True,
            names=frozenset((frame.text(place),)),
        )


GUEST = Guest(
    "loop_seeds",
    Moments(public_arguments=(_consume_keys,), public_result=(_note_seed,)),
    after=("reused_keys",),
)
