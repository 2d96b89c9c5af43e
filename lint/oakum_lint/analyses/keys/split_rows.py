"""The keys that one call makes: which row of its result is which, and how many there are.

Whether a key is a typed one or an array of integers is often not known, so that the shape of what
`split` returns is not known either; how many rows it has is said in the call.
"""

from typing import Final

from oakum import dtypes
from oakum.values.facts import Facts, StaticUse
from oakum_lint.analyses.keys.identities import KEY, UNUSED, KeyIdentity, used_cell
from oakum_lint.arrays.shape_errors import report, unpacking_error
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Bound, Guest, Moments, Places
from oakum_lint.domain.values import UNKNOWN, Array, Constant, Value
from oakum_lint.models.operations import MOVES_ROWS
from oakum_lint.syntax import nodes

MAX_KEYS: Final = 16
"""So many keys of one array are distinguished."""
FEW_KEYS: Final = 4
"""So many of one of which the number is not known."""
COUNT: Final = "rows"
"""The name under which the owner of keys holds how many there are."""


def holds_several(machine: Machine, value: Value) -> bool:
    """Whether an array is known to hold several keys, which `split` does not take."""
    key = KEY.of(value)
    if not isinstance(value, Array) or key is None:
        return False
    is_typed = dtypes.is_kind(value.aval.dtype, dtypes.Kind.KEY)
    if value.aval.ndim is None or is_typed is None:
        return not key.part and machine.read(key.owner, COUNT) is not None
    return value.aval.ndim > (0 if is_typed else 1)


def is_one_key(machine: Machine, key: KeyIdentity) -> bool:
    """Whether keys are one row of those that a call made, which said how many they are: where it
    names a shape, a row holds several.
    """
    held = machine.read(key.owner, COUNT)
    return len(key.part) == 1 and isinstance(held, Constant)


def _note_count(
    machine: Machine,
    declared: Facts,
    bound: Bound,
    _places: Places,
    value: Array,
    _spelled: str,
    _frame: Frame,
    _node: nodes.Node,
) -> Array:
    """Notes how many keys a call has made; of those in a shape that is not known, which is which is
    not known either.
    """
    key = KEY.of(value)
    if key is not None and value.aval.shape is None and declared.name in MOVES_ROWS:
        counted = machine.read(key.owner, COUNT) is not None
        return KEY.put(value, None) if counted else value
    if not declared.makes_keys or key is None:
        return value
    count: object = value.aval.shape[0] if value.aval.shape else None
    sizes = [name for name, use in declared.static.items() if use is StaticUse.SIZE]
    if value.aval.shape is None and sizes:
        asked = bound.get(sizes[0], Constant(declared.signature.parameters[sizes[0]].default))
        count = asked.value if isinstance(asked, Constant) else None
    if type(count) is not int:
        if not sizes:
            return value
        machine.write(key.owner, COUNT, UNKNOWN)
        count = FEW_KEYS
    else:
        machine.write(key.owner, COUNT, Constant(count))
    for index in range(count if count <= MAX_KEYS else 0):
        row = KeyIdentity(key.owner, (index,), key.level)
        machine.write(key.owner, used_cell(row), UNUSED)
    return value


def _count_of(machine: Machine, key: KeyIdentity) -> int | None:
    held = None if key.part else machine.read(key.owner, COUNT)
    return held.value if isinstance(held, Constant) and type(held.value) is int else None


def _read_item(machine: Machine, owner: Array, index: Value, made: Array, _frame: Frame) -> Array:
    """Says which key stands at a known position."""
    key = KEY.of(owner)
    if key is None or key.part or not isinstance(index, Constant) or type(index.value) is not int:
        return made
    number, size = index.value, _count_of(machine, key)
    if size is None:
        is_known = 0 <= number < FEW_KEYS and machine.read(key.owner, COUNT) is not None
    else:
        is_known = size <= MAX_KEYS and -size <= number < size
        number = number % size if is_known else number
    return KEY.put(made, KeyIdentity(key.owner, (number,), key.level)) if is_known else made


def _check_unpacked(
    machine: Machine,
    target: nodes.Expression,
    source: nodes.Expression,
    value: Value,
    frame: Frame,
) -> None:
    """Reports keys for which there is another number of names; where their shape is known, that is
    reported of any array.
    """
    key = KEY.of(value)
    if not isinstance(value, Array) or key is None or value.aval.shape is not None:
        return
    count = _count_of(machine, key)
    if isinstance(target, nodes.Display) and count is not None:
        error = unpacking_error(count, target.elements)
        if error is not None:
            report(machine, error, frame.text(target), ((value, source),), frame, target)


GUEST = Guest(
    "split_rows",
    Moments(public_result=(_note_count,), item_read=(_read_item,), assigning=(_check_unpacked,)),
    after=("reused_keys",),
)
