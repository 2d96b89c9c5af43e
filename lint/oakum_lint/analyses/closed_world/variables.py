"""What may bind a variable otherwise than the code that is seen to: code that is not known, a
function that declares it global, a star import.
"""

from collections.abc import Iterator, Sequence

from oakum_lint.analyses.closed_world.escapes import Escapes
from oakum_lint.analyses.closed_world.imports import star_import
from oakum_lint.analyses.closed_world.places import Place
from oakum_lint.analyses.closed_world.surroundings import Doubt
from oakum_lint.domain.callables import Scope, Site
from oakum_lint.domain.frames import Frame, is_definition
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Module, location_of
from oakum_lint.domain.values import External
from oakum_lint.models.packages import UNCHANGING_PACKAGES
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.text.names import count_word, declares_global


def binders_of(module: Module, name: str) -> Sequence[UnitFacts]:
    """Returns the statements of a module that may bind a name."""
    return [*module.binders(name), *module.compound(name)]


def bound_by_unknown(machine: Machine, scope: Scope, name: str) -> Iterator[Doubt]:
    """Yields where code that is not known gets what binds a variable, or its whole module: no such
    code binds the names of JAX, NumPy and their functions.
    """
    held = machine.read(scope, name)
    if isinstance(held, External) and held.path.partition(".")[0] in UNCHANGING_PACKAGES:
        return
    state = machine.state_of(Escapes)
    site = (
        state.variables.get((scope, name))
        or state.namespaces.get(scope)
        or state.modules.get(scope)
    )
    if site is not None:
        yield location_of(site), f"code that is not known may bind `{name}` here"


def handed_over(machine: Machine, place: Place, name: str) -> Iterator[Doubt]:
    """Yields the calls in the body of a function that has returned which have handed an object over
    to code that is not known, and name a variable of its own: what that held is gone.
    """
    definition, unit = place.definition, place.frame.unit
    if definition is None:
        return
    for (start, end), site in machine.state_of(Escapes).calls.get(unit, {}).items():
        if definition.start <= start < definition.end and count_word(unit.part(start, end), name):
            yield location_of(site), f"code that is not known gets `{name}` and may change it"


def bound_again(module: Module, name: str) -> Iterator[Doubt]:
    """Yields the functions that bind a variable of their module: it holds what the last call of
    them has left, and which one that is, the order of imports decides too.
    """
    for unit in module.facts.units if module.says_global else ():
        if unit.kind == "definition" and declares_global(unit.text, name):
            at = unit.location(0, 0, str(module.path))
            yield at, f"a function binds `{name}` again"


def bound_by_star(
    machine: Machine, module: Module, name: str, binders: Sequence[UnitFacts]
) -> Iterator[Doubt]:
    """Yields an import of all names of a library that is not known, behind the statements that bind
    a variable.
    """
    star = star_import(machine, module)
    if star is not None and any(each.base < star.base for each in binders):
        at = location_of(Site(module, star, 0, len(star.text)))
        yield at, f"a library that is not known may bind `{name}` here"


def of_uncalled(name: str, scope: Scope, frame: Frame) -> Iterator[Doubt]:
    """Yields a function around which a call has bound a variable, and that nobody is seen to call:
    it may be meant for calls with other values.
    """
    for each in frame.callers():
        if each.scope is scope:
            return
        function = each.called.function
        if function is not None and is_definition(each):
            why = f"nobody is seen to call `{function.name}` with this `{name}`"
            yield location_of(function.site), why
