"""What calls of code that is not seen return: what is made of tracers is probably made of tracers,
of the trace around it that is compiled, or else of the innermost of theirs.
"""

from oakum.values.records import replace
from oakum_lint.arrays.array_results import origin_of
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.callables import Method
from oakum_lint.domain.doubts import UNKNOWN_CALL
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import External, LibraryObject, Place, Tree, Unknown, Value
from oakum_lint.models.frameworks.haiku import TRANSFORMED
from oakum_lint.models.packages import is_unmodelled
from oakum_lint.python.objects.lifetimes import find_tracer
from oakum_lint.syntax import nodes


def made_of_tracers(
    machine: Machine, function: Value, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value | None:
    """The result of a call of which nothing is known: a tree of tracers, with doubt, if one goes
    into it; else None.
    """
    match function:
        case Unknown() | Tree() | Method(receiver=Tree()):
            pass
        case External(path) if is_unmodelled(path):
            pass
        case Method(receiver=LibraryObject(path)) if path == TRANSFORMED:
            pass
        case _:
            return None
    first = function.receiver if isinstance(function, Method) else function
    values = (first, *arguments.positional, *arguments.keywords.values())
    found = [tracer for each in values if (tracer := find_tracer(machine, each, 0)) is not None]
    if not found:
        return None
    origin = replace(origin_of(node, frame), doubt=UNKNOWN_CALL)
    if frame.staged_level:
        return Tree(Place.ABSTRACT, frame.staged_level, origin)
    innermost = max(found, key=lambda tracer: tracer.level)
    return Tree(innermost.place, innermost.level, origin)
