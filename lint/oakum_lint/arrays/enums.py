"""Enumerations: the members of the project's own classes, and what is read of them."""

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import (
    INT,
    UNKNOWN,
    Constant,
    External,
    Items,
    TupleValue,
    Unknown,
    Value,
)
from oakum_lint.models.types import ENUM_AUTO, ENUM_UNIQUE, NUMBERED_ENUMS, PLAIN_ENUM
from oakum_lint.syntax import nodes

PLAIN = frozenset({External(PLAIN_ENUM)})
NUMBERED = frozenset(map(External, NUMBERED_ENUMS))
OWN_RULES = ("__new__", "__eq__", "__hash__", "__bool__", "__getattribute__")


@dataclass(frozen=True, slots=True)
class EnumMember:
    """The Python value of a `Constant` that is a member of an enumeration of the project."""

    cls: ClassValue
    name: str
    value: Value = field(compare=False)


def make_members(machine: Machine, cls: ClassValue) -> None:
    """Makes members of what the body of an enumeration assigns."""
    definition = cls.definition
    if definition is None or len(cls.bases) != 1:
        return
    if any(cls.unit.part(d.start, d.end) not in ENUM_UNIQUE for d in definition.decorators):
        return
    base = cls.bases[0]
    if base not in PLAIN and not (isinstance(base, ClassValue) and _has_no_members(machine, base)):
        return
    if any(machine.read(cls.body, name) is not None for name in OWN_RULES):
        return
    by_value: dict[Value, Constant] = {}
    for name, assigned in _assigned(definition):
        value = machine.read(cls.body, name) or UNKNOWN
        member: Value = UNKNOWN
        if _is_known(value):
            # Of two names for one value the second is an alias.
            member = by_value.setdefault(value, Constant(EnumMember(cls, name, value)))
        elif cls.unit.part(assigned.start, assigned.end) in ENUM_AUTO:
            member = Constant(EnumMember(cls, name, UNKNOWN))
        machine.write(cls.body, name, member)


def _is_known(value: Value) -> bool:
    parts = value.elements if isinstance(value, TupleValue) else (value,)
    return parts is not None and all(isinstance(part, Constant) for part in parts)


def _has_no_members(machine: Machine, cls: ClassValue) -> bool:
    """Whether a class is a base of enumerations, which share its methods."""
    if cls.definition is None or len(cls.bases) != 1 or cls.bases[0] not in PLAIN:
        return False
    has_rules = any(machine.read(cls.body, name) is not None for name in OWN_RULES)
    return not has_rules and not _assigned(cls.definition)


def _assigned(definition: nodes.ClassDefinition) -> list[tuple[str, nodes.Expression]]:
    """The names that make members, in order, and what they get."""
    found: list[tuple[str, nodes.Expression]] = []
    for statement in definition.body:
        match statement:
            case nodes.Assignment(targets=(nodes.Name(identifier=name),), value=assigned) if (
                not name.startswith("_")
            ):
                found.append((name, assigned))
            case _:
                pass
    return found


def named_member(machine: Machine, cls: ClassValue, name: Value) -> Value | None:
    """The member of a class under a name, `Mode["TRAIN"]`; None where it is not known."""
    match name:
        case Constant(str() as text):
            found = machine.read(cls.body, text)
            is_member = isinstance(found, Constant) and isinstance(found.value, EnumMember)
            return found if is_member else None
        case _:
            return None


def member_values(machine: Machine, cls: ClassValue) -> list[Value]:
    """The values that a look-up compares with, in order, as far as they are known."""
    definition = cls.definition
    if definition is None or definition.keywords:
        return []
    numbered = all(base in NUMBERED or isinstance(base, ClassValue) for base in cls.bases)
    found: list[Value] = []
    for name, assigned in _assigned(definition):
        match machine.read(cls.body, name):
            case Constant(EnumMember(value=value)) if not isinstance(value, Unknown):
                found.append(value)
            case _ if cls.unit.part(assigned.start, assigned.end) in ENUM_AUTO:
                found.append(INT if numbered else UNKNOWN)
            case value:
                found.append(value or UNKNOWN)
    return found


def members_of(machine: Machine, cls: ClassValue) -> list[EnumMember]:
    """The members of a class, in order; none where one is not known."""
    found: dict[EnumMember, None] = {}
    for name, _ in _assigned(cls.definition) if cls.definition is not None else ():
        match machine.read(cls.body, name):
            case Constant(EnumMember() as member):
                found[member] = None
            case _:
                return []
    return list(found)


def iterate_members(machine: Machine, value: Value) -> Items:
    """The members of an enumeration; the items of anything else are unknown."""
    if not isinstance(value, ClassValue) or "enum" not in value.conventions:
        return Items(None)
    members = members_of(machine, value)
    return Items(tuple(map(Constant, members))) if members else Items(None)


def find_member(machine: Machine, cls: ClassValue, value: Value | None) -> Value:
    """`Mode(value)`."""
    for member in members_of(machine, cls):
        if value in (Constant(member), member.value):
            return Constant(member)
    return UNKNOWN


def own_attribute(member: EnumMember, name: str) -> Value | None:
    """Returns an attribute that each member has: its name or its value."""
    match name:
        case "name" | "_name_":
            return Constant(member.name)
        case "value" | "_value_":
            return member.value
        case "__class__":
            return member.cls
        case _:
            return None
