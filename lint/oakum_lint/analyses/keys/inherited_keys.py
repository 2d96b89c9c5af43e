"""Keys that were split from one which had been used before.

Who always splits a key after its use has one habit, not a mistake at each draw: these reuses have
one cause, the first of them.
"""

from oakum.values.records import dataclass
from oakum_lint.analyses.keys.identities import KEY, Consumption, KeyIdentity, used_cell
from oakum_lint.analyses.keys.named_keys import identity_of
from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Places
from oakum_lint.domain.values import Array, Mark

HEIRS = "heirs"
"""The name under which the owner of keys holds that they are heirs."""


@dataclass(frozen=True, slots=True)
class Heirs(Mark):
    """Keys were made of one that had been used before, which was reported; `root` is that use, or
    where that key was made so too, the one of the first.
    """

    root: Site

    def joined(self, other: Mark) -> Mark | None:
        """The same, if both come from one use."""
        return self if self == other else None


def note_heirs(machine: Machine, made: Array, bound: Bound, places: Places, frame: Frame) -> None:
    """Notes that keys are made of one that had been used before."""
    value, place, heirs = bound.get("key"), places.get("key"), KEY.of(made)
    if value is None or place is None or heirs is None:
        return
    key = identity_of(machine, value, place, frame)
    use = None if key is None else machine.read(key.owner, used_cell(key))
    if isinstance(use, Consumption) and use.root is not None:
        machine.write(heirs.owner, HEIRS, Heirs(use.root))


def use_before_heirs(machine: Machine, key: KeyIdentity) -> Site | None:
    """The first use of the first of the keys from which a key was split after its use."""
    heirs = machine.read(key.owner, HEIRS)
    return heirs.root if isinstance(heirs, Heirs) else None
