"""Keys that a function makes of the same seed several times: what it draws alike by them is the
same.
"""

from oakum.values.records import dataclass, field, replace
from oakum_lint.analyses.keys.identities import KEY, Consumption, KeyIdentity, used_cell
from oakum_lint.analyses.keys.named_keys import KEY_LABEL, SEEDED_LABEL, name_key, root_of
from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Array, Constant, Value
from oakum_lint.syntax import nodes

SAME_SEED = "the two keys are made apart of one seed: both may be meant to draw the same"


@dataclass(slots=True)
class SeededKeys:
    """The keys that functions have made of seeds."""

    by_seed: dict[tuple[int, str], tuple[Value, KeyIdentity]] = field(
        default_factory=dict[tuple[int, str], tuple[Value, KeyIdentity]]
    )
    """The first one, by the scope that has made it and the text of the seed, with the seed."""
    first: dict[int, KeyIdentity] = field(default_factory=dict[int, KeyIdentity])
    """The first one of the same seed, by the owner of one that is made later."""


def name_seeded(
    machine: Machine, value: Array, seed: Value, place: nodes.Node | None, frame: Frame
) -> Array:
    """The same array as a key of its own; notes that its function has made one of this seed before.
    What a whole file runs is a script, whose parts may be meant to begin alike.
    """
    made = machine.state_of(SeededKeys)
    at: tuple[int, str] | None = None
    if place is not None and frame.scope.kind == "function":
        at = (frame.scope.uid, frame.text(place))
        at = at if isinstance(seed, Constant) or root_of(place) else None
    earlier, first = made.by_seed.get(at, (None, None)) if at else (None, None)
    same = earlier is seed or (isinstance(seed, Constant) and earlier == seed)
    again = first is not None and (same or isinstance(place, nodes.Attribute))
    named = name_key(machine, value, frame, SEEDED_LABEL if again else KEY_LABEL)
    key = KEY.of(named)
    if key is not None and at is not None:
        if first is None:
            made.by_seed[at] = (seed, key)
        elif again:
            made.first[key.owner.uid] = first
    return named


def drawn_before(machine: Machine, key: KeyIdentity, now: Consumption) -> Consumption | None:
    """How an earlier key of the same seed was used, if that was by a call of the same function."""
    first = machine.state_of(SeededKeys).first.get(key.owner.uid)
    if first is None or first.owner.uid < machine.epoch:
        return None
    cell = used_cell(replace(first, part=key.part))
    before = machine.read(first.owner, cell) or UNKNOWN
    if not isinstance(before, Consumption) or before.skipped:
        return None
    (scope, one), (other, two) = before.chain[0], now.chain[0]
    alike = scope == other and one != two and _called(one) == _called(two)
    return before if alike else None


def _called(site: Site) -> str:
    return site.unit.part(site.start, site.end).partition("(")[0]
