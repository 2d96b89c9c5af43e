"""Random keys that a function which nobody here calls uses up and returns: who goes on with what it
returns draws by the same key again.

`return sample, key` is how keys are handed on: behind a split it is the part that is left.
"""

from oakum_lint.analyses.keys import meant_reuses
from oakum_lint.analyses.keys.identities import KEY, Consumption, KeyIdentity, used_cell
from oakum_lint.analyses.keys.reused_keys import KeyReuse
from oakum_lint.analyses.keys.split_rows import holds_several
from oakum_lint.domain.callables import FunctionValue, Site
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.project import location_of
from oakum_lint.domain.values import Array, TupleValue, Value
from oakum_lint.models.habits import is_test_file
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import returns_of, walk

GOES_ON = "nobody is seen to go on with the key that is returned"


def _check_returned(machine: Machine, function: FunctionValue, result: Value, frame: Frame) -> None:
    """Reports the keys that a function returns in a tuple, by their names, and has used up."""
    definition = function.definition
    if not isinstance(result, TupleValue) or not isinstance(definition, nodes.FunctionDefinition):
        return
    if is_test_file(function.module.path):
        return
    for index, value in enumerate(result.elements or ()):
        key = KEY.of(value)
        if key is None or not isinstance(value, Array) or holds_several(machine, value):
            continue
        use = _use_of(machine, key)
        name = _name_at(definition, index)
        if use is not None and name:
            _report(machine, definition, use, value, name, frame)


def _use_of(machine: Machine, key: KeyIdentity) -> Consumption | None:
    """How a key was used up, if it was on every path, and for more than an order."""
    use = machine.read(key.owner, used_cell(key))
    if not isinstance(use, Consumption) or use.skipped or use.rearranges:
        return None
    return use if use.certain else None


def _name_at(definition: nodes.FunctionDefinition, index: int) -> str:
    """The one name that a function returns at a position of a tuple."""
    names: set[str] = set()
    for each in returns_of(definition.body):
        match each.value:
            case nodes.Display(elements=elements) if index < len(elements):
                element = elements[index]
                names.add(element.identifier if isinstance(element, nodes.Name) else "")
            case _:
                return ""
    return names.pop() if len(names) == 1 else ""


def _report(
    machine: Machine,
    definition: nodes.FunctionDefinition,
    use: Consumption,
    value: Array,
    name: str,
    frame: Frame,
) -> None:
    sites = [site for _, site in use.chain if site.unit is frame.unit]
    inside = [site for site in sites if definition.start < site.start < definition.end]
    found = _read_at(definition, inside[-1], name) if inside else None
    if found is None:
        return
    node, place = found
    first = location_of(frame.site(node))
    machine.emit(
        KeyReuse,
        frame,
        node,
        value,
        place,
        GOES_ON,
        first=first,
        how="returned",
        loop="",
        evidence=meant_reuses.evidence_of(frame, node, first),
        in_object=True,
        names=frozenset((name,)),
    )


def _read_at(
    definition: nodes.FunctionDefinition, site: Site, name: str
) -> tuple[nodes.Node, nodes.Name] | None:
    """The call at a place of a function, and where a name is read in it."""
    for node in walk((definition,)):
        if not isinstance(node, nodes.Call) or (node.start, node.end) != (site.start, site.end):
            continue
        for part in walk((*node.arguments, *node.keywords)):
            if isinstance(part, nodes.Name) and part.identifier == name:
                return node, part
    return None


GUEST = Guest("returned_keys", Moments(uncalled_returned=(_check_returned,)))
