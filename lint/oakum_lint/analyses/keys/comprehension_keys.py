"""Random keys in comprehensions: which of them each iteration finds used."""

from oakum.values.records import dataclass, field
from oakum_lint.analyses.keys.identities import KeyIdentity
from oakum_lint.domain.callables import Scope
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments


@dataclass(slots=True)
class Comprehensions:
    """The comprehensions, by their scopes, an iteration of which uses up a random key from outside,
    and those of them whose second iteration has begun. `outside` are keys that a name from outside
    a comprehension was found to hold in it, by the scope and the owner of the key.
    """

    drawing: set[int] = field(default_factory=set[int])
    second: set[int] = field(default_factory=set[int])
    outside: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])

    def repeat(self, scope: Scope, key: KeyIdentity) -> bool:
        """Whether the iterations of a comprehension use a key from outside of it."""
        owner = key.owner.uid
        return scope.repeats and (owner < scope.uid or (scope.uid, owner) in self.outside)


def note_outside(machine: Machine, key: KeyIdentity, scope: Scope, frame: Frame) -> None:
    """Notes of the comprehensions that a frame is in, or was called from, that a name of a scope
    around them holds a key.
    """
    for caller in frame.callers():
        within: Scope | None = caller.scope
        while within is not None and within.kind == "comprehension" and scope.uid < within.uid:
            machine.state_of(Comprehensions).outside.add((within.uid, key.owner.uid))
            within = within.parent
        if within is scope:
            break


def _ask_again(machine: Machine, scope: Scope) -> bool:
    """Asks for the iteration of a comprehension that shows whether each has a key of its own."""
    comprehensions = machine.state_of(Comprehensions)
    if scope.uid not in comprehensions.drawing:
        return False
    comprehensions.second.add(scope.uid)
    return True


GUEST = Guest("comprehension_keys", Moments(comprehension_iteration=(_ask_again,)))
