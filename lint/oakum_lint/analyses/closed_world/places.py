"""Where a piece of the chain behind a finding stands."""

from oakum.values.records import dataclass
from oakum_lint.domain.callables import Site
from oakum_lint.domain.frames import Frame
from oakum_lint.syntax import nodes
from oakum_lint.syntax.walk import walk


@dataclass(frozen=True, slots=True)
class Place:
    """An activation that runs, or, with its `definition`, one that has returned, of which only the
    names around it are there.
    """

    frame: Frame
    definition: nodes.FunctionDefinition | nodes.Lambda | None = None


def place_of(site: Site, frame: Frame) -> Place:
    """Returns the place of some code: the activation of those that lead to `frame` that runs it,
    or else one that is over, of the function around it.
    """
    around = [
        each
        for each in walk(site.unit.body)
        if isinstance(each, nodes.FunctionDefinition)
        and each.body[0].start <= site.start < each.end
    ]
    definition = min(around, key=lambda each: each.end - each.start, default=None)
    for each in frame.callers():
        function = each.called.function
        runs = None if function is None else function.definition
        if each.unit is site.unit and (runs is definition or isinstance(runs, nodes.Lambda)):
            return Place(each)
    return Place(Frame(site.module.scope, site.unit, site.module, None), definition)
