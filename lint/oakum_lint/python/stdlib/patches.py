"""What tests replace while they run: `monkeypatch.setattr` and `mock.patch.object`."""

from oakum.values.records import dataclass, field
from oakum_lint.domain.callables import ClassValue, ModuleValue, Scope
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import UNKNOWN, Constant, HeapObject, Value


@dataclass(slots=True)
class Patches:
    """What the attributes held that the running test has replaced."""

    replaced: list[tuple[HeapObject | Scope, str, Value]] = field(
        default_factory=list[tuple[HeapObject | Scope, str, Value]]
    )


def patch_attribute(
    machine: Machine, owner: Value | None, name: Value | None, value: Value
) -> None:
    """Sets an attribute as a test replaces it: nobody outside the test sees that."""
    if not isinstance(name, Constant):
        return
    attribute = str(name.value)
    place: Scope | HeapObject
    match owner:
        case ClassValue():
            place, held = owner.body, machine.read(owner.body, attribute)
        case HeapObject(kind="instance"):
            place, held = owner, machine.read(owner, attribute)
        case ModuleValue(module):
            place, held = module.scope, machine.module_attribute(module, attribute)
        case _:
            return
    machine.state_of(Patches).replaced.append((place, attribute, held or UNKNOWN))
    machine.write(place, attribute, value)


def undo_patches(machine: Machine) -> None:
    """Gives attributes back what they held before the test that has ended."""
    replaced = machine.state_of(Patches).replaced
    while replaced:
        place, attribute, held = replaced.pop()
        machine.write(place, attribute, held)
