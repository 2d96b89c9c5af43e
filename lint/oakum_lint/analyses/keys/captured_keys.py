"""Random keys that are not arguments of a function: those of its object, or of the scopes around
it.
"""

from oakum.values.records import dataclass, field
from oakum_lint.analyses.keys.identities import KEY, Consumption, KeyIdentity
from oakum_lint.arrays.pytrees import leaves_of
from oakum_lint.domain.frames import Frame, Trace
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import Array, HeapObject, Tree, Unknown, Value
from oakum_lint.syntax import nodes


@dataclass(slots=True)
class SharedKeys:
    """The traces of mapped functions in which a key was reported that all lanes share."""

    traces: set[int] = field(default_factory=set[int])


def follows(machine: Machine, key: KeyIdentity, trace: Trace) -> bool:
    """Whether a key that all lanes of a mapped function share was made in it, after another one was
    reported there: both come from what is passed in, which is one cause.
    """
    reported = machine.state_of(SharedKeys).traces
    known = trace.uid in reported
    reported.add(trace.uid)
    return known and key.owner.uid > trace.uid


def keeps_key(
    machine: Machine, before: Consumption, frame: Frame, key: KeyIdentity, node: nodes.Node
) -> bool:
    """Whether a function uses up at one place, in each of its calls, a key that none of its
    arguments holds: one of its object, or of the scopes around it.
    """
    function, site = frame.called.function, frame.site(node)
    if function is None or all(place != site for _, place in before.chain):
        return False
    own = frame.called.receiver if function.scope.kind == "class" else None
    for parameter in function.definition.parameters.items:
        held = machine.store.get((frame.scope, parameter.name))
        if held is None or held is own:
            continue
        parts = (held, *leaves_of(machine, held, frame, node)[0])
        if any(_is_of(machine, part, key) for part in parts):
            return False
    return True


def _is_of(machine: Machine, value: Value, key: KeyIdentity) -> bool:
    """Whether a value is a key of the same array, an object that holds one, or may be either."""
    if isinstance(value, HeapObject):
        held = machine.store.held_by(value)
        return any(isinstance(item, HeapObject) or _is_of(machine, item, key) for _, item in held)
    if isinstance(value, Array):
        known = KEY.of(value)
        return known is not None and known.owner is key.owner
    return isinstance(value, Unknown | Tree)
