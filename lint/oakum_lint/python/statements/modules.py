"""Running modules: unit by unit, in order, and on demand when a name is looked up."""

from collections.abc import Iterable
from contextlib import nullcontext
from functools import partial

from oakum_lint.domain.budget import Running
from oakum_lint.domain.callables import Scope, Site
from oakum_lint.domain.doubts import pass_stop_on
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module
from oakum_lint.domain.store import CONTENT
from oakum_lint.domain.values import Constant, HeapObject, Items, TupleValue, Value, next_uid
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.names import DECORATOR
from oakum_lint.text.triggers import is_class, is_function, makes_something

LAZY_KINDS = frozenset({"definition", "assignment"})


def run_module(machine: Machine, module: Module) -> None:
    """Interprets a module's body; a definition in which nothing can fire waits until it is asked
    for.
    """
    if module.is_done or module.running is not None:
        return
    try:
        for unit in module.facts.units:
            module.running = unit
            if unit in module.executed:
                continue
            bound = (name for name in unit.binds or () if machine.read(module.scope, name))
            once = all(module.times_bound(name) < 2 for name in unit.binds or ())
            unordered = unit.kind == "definition" and not unit.module.is_script
            if can_wait(module, unit) and (once or unordered) and not any(bound):
                # What rebinds a name of a star import, or of a unit above, may not wait, nor what
                # another unit of a script rebinds.
                continue
            run_unit(machine, module, unit)
    finally:
        module.running = None
        machine.states.change(module, "is_done", True)


def can_wait(module: Module, unit: UnitFacts) -> bool:
    """Whether a unit need not be parsed before a name that it binds is looked up."""
    if module.is_dependent:
        return unit.binds is not None and not module.is_live(unit)
    if unit.kind == "assignment" and (unit.module.is_script or makes_something(unit.raw)):
        # The statements of a script run in their order: some take times, some use things up. What
        # is called may change what later units find, and an object is as old as its unit.
        return False
    if unit.kind == "definition" and unit.module.is_script and is_class(unit.raw):
        # So is a class, which holds what some programs read and some change.
        return False
    if unit.kind == "definition" and module.is_imported and is_function(unit.raw):
        # Nobody asks for what begins in it, and no decorator hands it to anyone.
        return True
    if unit.kind in LAZY_KINDS:
        waits = unit.binds is not None and not module.is_live(unit)
        return waits and not (unit.kind == "definition" and _may_register(module, unit))
    return unit.raw.lstrip().startswith(('"', "'"))


def _may_register(module: Module, unit: UnitFacts) -> bool:
    """Whether a decorator of the project may put a definition where it is found by another name."""
    return any(map(module.is_of_project, DECORATOR.findall(unit.raw)))


def run_unit(machine: Machine, module: Module, unit: UnitFacts) -> None:
    """Interprets one top-level unit, outside every trace and path."""
    module.executed.add(unit)
    machine.states.undo.append(partial(module.executed.discard, unit))
    store, recorder, running = machine.store, machine.recorder, machine.running
    machine.store, machine.recorder, machine.running = machine.root_store, None, Running()
    try:
        frame = Frame(module.scope, unit, module, None)
        runs = machine.bodies
        noted = nullcontext() if runs is None else runs.running(module, unit)
        with machine.new_root(), noted:
            if not machine.execute(unit.body, frame):
                pass_stop_on(machine, frame, unit.body[-1])
    except Exception as error:
        # The other units are still run.
        machine.fail(Site(module, unit, *unit.first_line), "the code here", error)
    finally:
        machine.store, machine.recorder, machine.running = store, recorder, running


def load_name(machine: Machine, module: Module, name: str) -> Value | None:
    """The value of a module's name whose unit has waited until now; None if no unit binds it.

    A running module may ask for a name that it binds further down only, as a notebook does whose
    cells ran in another order: it gets what binds it first, and the rest runs in its place.
    """
    found = None
    for unit in module.binders(name):
        if found is not None and module.running is not None and unit.base > module.running.base:
            break
        if unit not in module.executed:
            run_unit(machine, module, unit)
            found = machine.read(module.scope, name)
    if machine.recorder is not None:
        machine.lasting.forget_absence(machine.recorder.reads, module.scope, name, found)
    return found


def module_attribute(machine: Machine, module: Module, name: str) -> Value | None:
    """`module.name`; None if the module binds no such name."""
    run_module(machine, module)
    found = machine.read(module.scope, name)
    return load_name(machine, module, name) if found is None else found


def import_all(machine: Machine, module: Module, scope: Scope) -> None:
    """Binds what `from module import *` does: the names of `__all__`, where it is known."""
    run_module(machine, module)
    listed = _listed(machine, module)
    own = partial(_own_names, machine, module, listed)
    exports = machine.stars.offered_by(module.scope, listed, own)
    # A name that is bound already is bound at once, one that is not yet where it is looked up.
    for name in [*machine.root_store.named.get(scope, ())]:
        value = machine.stars.find(exports, name)
        if value is not None:
            machine.write(scope, name, value)
    machine.stars.add(scope, exports, machine.store)
    # Calls may have found nothing under a name that is bound now.
    machine.lasting.changed_at = next_uid()


def _own_names(
    machine: Machine, module: Module, listed: tuple[Value, ...] | None
) -> dict[str, Value]:
    """The names that a module lists in `__all__`; without it, those that it has bound itself, and
    those imported with `*` that it has used.
    """
    names: Iterable[str]
    if listed is not None:
        names = (str(each.value) for each in listed if isinstance(each, Constant))
    else:
        bound = dict.fromkeys(module.all_bound())
        bound.update(machine.root_store.named.get(module.scope, {}))
        names = [name for name in bound if not name.startswith("_")]
    found = {name: module_attribute(machine, module, name) for name in names}
    return {name: value for name, value in found.items() if value is not None}


def _listed(machine: Machine, module: Module) -> tuple[Value, ...] | None:
    """Returns the names in `__all__`; None where there is none, or not all of it is known."""
    listed = module_attribute(machine, module, "__all__")
    if isinstance(listed, HeapObject):
        listed = machine.read(listed, CONTENT)
    if not isinstance(listed, TupleValue | Items) or listed.elements is None:
        return None
    texts = (isinstance(each, Constant) and isinstance(each.value, str) for each in listed.elements)
    return listed.elements if all(texts) else None
