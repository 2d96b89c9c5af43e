"""Reuses of a random key that may be meant: evidence around them, which makes them likely, and
selections of which one branch has each of the draws, where there is none.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from typing import Literal

from oakum.values.records import dataclass
from oakum_lint.analyses.keys.identities import KeyIdentity
from oakum_lint.analyses.keys.unread_draws import are_values_unread, own_function
from oakum_lint.arrays.documented_arrays import docstring_of
from oakum_lint.domain.callables import FunctionValue, Scope, Site
from oakum_lint.domain.frames import Frame, is_seen_to_run
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.names import called_name
from oakum_lint.domain.project import location_of
from oakum_lint.models.habits import (
    BENCHMARK,
    COPIES,
    INITIALIZES,
    SAYS_SAME_DRAWS,
    SELECTIONS,
    SPLITS,
    is_test_file,
)
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk
from oakum_lint.text.finding import Location
from oakum_lint.text.names import count_word
from oakum_lint.text.notebook.names import is_notebook

Evidence = Literal["", "test", "comparison", "comment", "copy", "unread"]
"""What says that a reuse may be meant: that it stands in a test or a benchmark, which compares
draws of one key, or the results of one function that is called twice with it there or in a
notebook; a comment at one of the uses; that one call is made twice, by name for a copy; or that
nobody reads the values of what one of the uses makes.
"""
UNSEEN_USE = "not every use of the key is seen to draw, or to be another one"
EVIDENT = "the code around it says that the reuse may be meant"
HELD_UNSEEN = "the object that holds the key is not seen: it may hold another one by now"
CONSTANT = "the code names the seed: all may be meant to draw the same"
ENDS_AT_ONCE = "the loop may end after its first iteration, which sets a flag"
LINES_ABOVE = 4
"""A comment about two statements stands above the first of them, and may be this long; one about
more heads the lines that stand together with theirs, without a blank one.
"""


def evidence_of(
    frame: Frame, node: nodes.Node, first: Location, earlier: Site | None = None
) -> Evidence:
    """What the code around says that a reuse may be meant, which `frame` sees at `node` after that
    at `first`; both are calls that it sees where it is known that the one at `earlier` is.
    """
    calls = None if earlier is None else _calls_of_one(frame, frame.site(node), earlier)
    if stands_in_test(frame):
        return "test" if calls is None else "comparison"
    if calls is not None and is_notebook(str(frame.module.path)):
        return "comparison"
    if calls is not None and _makes_copy(*calls):
        return "copy"
    return "comment" if _says_so(frame, node, first) else ""


def evidence_unread(
    machine: Machine, frame: Frame, uses: Sequence[Site], keys: Container[str]
) -> Evidence:
    """That nobody reads the values of what one of two uses of a key makes, if a frame sees that;
    the variables `keys` hold the key.
    """
    return "unread" if any(_is_unread(machine, frame, site, keys) for site in uses) else ""


def _is_unread(machine: Machine, frame: Frame, site: Site, keys: Container[str]) -> bool:
    """Whether nobody reads the values of what a call makes that a frame sees."""
    function = frame.called.function
    is_elsewhere = site.unit is not frame.unit
    if is_elsewhere and (function is not None or site.unit.module is not frame.unit.module):
        return False
    seen = _seen_at(frame, site)
    return seen is not None and are_values_unread(
        seen.body,
        seen.call,
        keys,
        lambda call: own_function(machine, call, frame),
        is_function=function is not None,
    )


def stands_in_test(frame: Frame) -> bool:
    """Whether a test or a benchmark does something, or has it done."""
    return is_test_file(frame.module.path) or any(
        BENCHMARK.match(name) for name in _functions(frame)
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """A call that a frame sees, with its unit and the function or the statements that it is in."""

    unit: UnitFacts
    body: Sequence[nodes.Node]
    call: nodes.Call

    def text(self, node: nodes.Node) -> str:
        return self.unit.part(node.start, node.end)


def _calls_of_one(frame: Frame, site: Site, earlier: Site) -> tuple[_Seen, _Seen] | None:
    """Two calls that a frame sees, if they are different ones of the same function, or of the same
    method of two objects with the same arguments.
    """
    is_one_unit = earlier.unit is frame.unit
    is_one_body = is_one_unit or frame.called.function is None
    if not is_one_body or (is_one_unit and earlier.start == site.start):
        return None
    one, other = _seen_at(frame, earlier), _seen_at(frame, site)
    if one is None or other is None or earlier.unit.module is not frame.unit.module:
        return None
    if one.text(one.call.function) == other.text(other.call.function):
        return one, other
    match one.call.function, other.call.function:
        case nodes.Attribute(attribute=name), nodes.Attribute(attribute=same) if name == same:
            passed = [[each.text(e) for e in _arguments(each.call)] for each in (one, other)]
            return (one, other) if passed[0] == passed[1] else None
        case _:
            return None


def _seen_at(frame: Frame, site: Site) -> _Seen | None:
    """The call at a place of the function of a frame, or outside of functions of a unit."""
    function = frame.called.function
    body = site.unit.body if function is None else (function.definition,)
    for node in walk(body):
        if isinstance(node, nodes.Call) and (node.start, node.end) == (site.start, site.end):
            return _Seen(site.unit, body, node)
    return None


def _makes_copy(one: _Seen, other: _Seen) -> bool:
    """Whether two calls have the same arguments as far as both have some, and the name of one of
    the results is that of the other with a word for a copy, as of a target network, or has such a
    word where the call makes parameters.
    """
    first, second = ({each.text(part) for part in _arguments(each.call)} for each in (one, other))
    if not (first <= second or second <= first):
        return False
    names = [_bound_to(each) for each in (one, other)]
    words = [COPIES.sub("", name).strip("_") for name in names]
    if "" in names or words == names:
        return False
    called = one.text(one.call.function).rpartition(".")[2]
    return words[0] == words[1] or INITIALIZES.match(called) is not None


def _bound_to(seen: _Seen) -> str:
    """The name or attribute that is bound to what a call makes."""
    for each in walk(seen.body):
        if not isinstance(each, nodes.Assignment) or len(each.targets) != 1:
            continue
        if each.value.start <= seen.call.start and seen.call.end <= each.value.end:
            return seen.text(each.targets[0]).rpartition(".")[2]
    return ""


def _arguments(call: nodes.Call) -> tuple[nodes.Node, ...]:
    return (*call.arguments, *call.keywords)


def may_end_at_once(frame: Frame, level: int) -> bool:
    """Whether the body of a `while_loop` returns True or False as such beside other values: a flag,
    that of a loop which stands for a branch.
    """
    body: FunctionValue | None = None
    for caller in frame.callers():
        if caller.level == level and caller.called.function is not None:
            body = caller.called.function
    definition = None if body is None else body.definition
    if not isinstance(definition, nodes.FunctionDefinition):
        return False
    returned = [each.value for each in walk(definition.body) if isinstance(each, nodes.Return)]
    return any(
        isinstance(part, nodes.Constant) and isinstance(part.value, bool)
        for value in returned
        if isinstance(value, nodes.Display)
        for part in value.elements
    )


def is_reported_presumed(key: KeyIdentity, frame: Frame, how: str, loop: str) -> bool:
    """Whether what is presumed to draw is reported, where a frame sees both uses: unknown code that
    draws after another use. A module that gets one key again for a stream is not within one step
    that is traced, whose passes may be meant to share their masks, nor where only calls from
    elsewhere may be the second.
    """
    if not (key.part and isinstance(key.part[-1], str)):
        return how == "again"
    return (bool(loop) or not frame.scope.level) and how != "vmap" and is_seen_to_run(frame)


def _functions(frame: Frame) -> Iterator[str]:
    """The names of the functions that run."""
    for caller in frame.callers():
        if caller.called.function is not None:
            yield caller.called.function.name


def _says_so(frame: Frame, node: nodes.Node, first: Location) -> bool:
    """Whether a comment above the two uses, at them or between them says that the draws are to be
    the same, or the docstring of their function.
    """
    if SAYS_SAME_DRAWS.search(docstring_of(frame.called.function)) is not None:
        return True
    text = frame.unit.module.text()
    here = location_of(frame.site(node))
    above = here.line - first.line if first.file == here.file else 0
    begin = frame.unit.base + node.start
    for _ in range(max(above, 0) + LINES_ABOVE):
        begin = max(0, text.rfind("\n", 0, begin))
    while begin and text[text.rfind("\n", 0, begin) + 1 : begin].strip():
        begin = max(0, text.rfind("\n", 0, begin))
    end = text.find("\n", frame.unit.base + node.end)
    lines = text[begin : end if end >= 0 else len(text)].split("\n")
    comments = " ".join(line.partition("#")[2] for line in lines if "#" in line)
    return SAYS_SAME_DRAWS.search(comments) is not None


def exclude_each_other(frame: Frame, node: nodes.Node, earlier: Site) -> bool:
    """Whether two draws that a frame sees are the two branches of one `where`, or of some by one
    condition: each element of a result has one of them; or are of two rows of the same split.
    """
    function = frame.called.function
    if earlier.unit is not frame.unit or earlier.start == node.start:
        return False
    statements = frame.unit.body if function is None else (function.definition,)
    found = [*walk(statements)]
    rows = [_row(found, at.start, at.end, frame) for at in (earlier, node)]
    if all(rows) and rows[0] != rows[1]:
        return True
    text = frame.unit.part(statements[0].start, statements[-1].end) if statements else ""
    draws = [(at.start, _holder(found, at.start, at.end)) for at in (earlier, node)]
    selections = [*_selections(found)]
    inside = [b for _, *branches in selections for b in branches]
    draws = [d if not any(_has(b, d[0], "") for b in inside) else (d[0], "") for d in draws]
    chosen, choices = Counter[tuple[int, str]](), set[tuple[str, bool]]()
    for condition, one, other in selections:
        for turned, (first, second) in enumerate(((one, other), (other, one))):
            if _has(first, *draws[0]) and _has(second, *draws[1]):
                chosen.update(draws)
                # Selections by one condition in both orders together use both draws.
                choices.add((frame.text(condition), bool(turned)))
    reads = {draw: count_word(text, draw[1]) - 1 if draw[1] else 1 for draw in draws}
    return len(choices) == 1 and chosen == reads


def varies_alone(rearranges: Sequence[str], scope: Scope) -> bool:
    """Whether the array that a key rearranges is another one for each item of a comprehension, and
    nothing else is that decides about the order.
    """
    bound: set[str] = set()
    around: Scope | None = scope
    while around is not None and around.kind == "comprehension":
        bound |= around.names or frozenset()
        around = around.parent
    varies = [any(count_word(text, name) for name in bound) for text in rearranges]
    return varies[:1] == [True] and not any(varies[1:])


def _row(found: Sequence[nodes.Node], start: int, end: int, frame: Frame) -> str:
    """The index of the row that is read of a split where it stands: `split(key, 4)[i]`."""
    for node in found:
        match node:
            case nodes.Subscript(value=nodes.Call() as call, index=index):
                within = call.start <= start and end <= call.end
                if within and called_name(call) == SPLITS:
                    return frame.text(index)
            case _:
                pass
    return ""


def _selections(
    found: Sequence[nodes.Node],
) -> Iterator[tuple[nodes.Expression, nodes.Expression, nodes.Expression]]:
    """Yields the conditions and branches of selections, also of those between the leaves of two
    trees: `tree.map(lambda a, b: where(condition, a, b), one, other)`.
    """
    for call in found:
        branches = _branches(call)
        if branches is not None:
            yield branches
        match call:
            case nodes.Call(arguments=(nodes.Lambda(parameters=parameters, body=body), *trees)):
                names = [each.name for each in parameters.items]
                passed = dict(zip(names, trees, strict=False))
                match _branches(body):
                    case condition, nodes.Name(identifier=one), nodes.Name(identifier=other) if (
                        one in passed and other in passed and not _reads_any(condition, passed)
                    ):
                        yield condition, passed[one], passed[other]
                    case _:
                        pass
            case _:
                pass


def _reads_any(expression: nodes.Expression, names: Container[str]) -> bool:
    return any(
        isinstance(part, nodes.Name) and part.identifier in names for part in walk((expression,))
    )


def _branches(
    node: nodes.Node,
) -> tuple[nodes.Expression, nodes.Expression, nodes.Expression] | None:
    """The condition and the branches of a selection."""
    match node:
        case nodes.Call(arguments=(condition, one, other)) if called_name(node) in SELECTIONS:
            return condition, one, other
        case _:
            return None


def _has(branch: nodes.Expression, start: int, name: str) -> bool:
    """Whether a draw stands in a branch, or the branch reads the variable that holds it, or is
    another selection that takes it.
    """
    if not name:
        return branch.start <= start < branch.end
    while isinstance(branch, nodes.Attribute | nodes.Subscript):
        branch = branch.value
    inner = _branches(branch)
    if inner is not None:
        return any(_has(each, start, name) for each in inner[1:])
    return _reads_any(branch, (name,))


def _holder(found: Sequence[nodes.Node], start: int, end: int) -> str:
    """The variable that is bound to a draw."""
    for node in found:
        if not isinstance(node, nodes.Assignment) or len(node.targets) != 1:
            continue
        (target,), value = node.targets, node.value
        if isinstance(target, nodes.Name) and value.start <= start and end <= value.end:
            return target.identifier
    return ""
