"""What runs of the program have seen of a function, for the hover where the analysis knows less.

Invariant: a function that was edited since has nothing that was seen.
"""

from collections.abc import Iterator, Mapping

from oakum.values.avals import ShapedArray
from oakum_lint.app.index.seen_calls import SeenFunction, calls_of, functions_in
from oakum_lint.app.live.observations import Seen
from oakum_lint.domain.values import Array, Unknown, Value
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import UnitFacts
from oakum_lint.syntax.walk import walk
from oakum_lsp.features.notes import Notes

Shown = tuple[str, tuple[int, int]]
"""Words, and where that stands which they are about."""


def seen_at_run_time(
    notes: Notes, offset: int, kept: Mapping[str, SeenFunction], known: Seen | None
) -> Shown | None:
    """What was seen of the function or of the parameter that is named at an offset; `known` is what
    the analysis has noted there.
    """
    if not kept or notes.notebook is not None:
        return None
    for unit in notes.module.units:
        if unit.base <= offset < unit.base + len(unit.raw):
            return _in_unit(unit, offset - unit.base, kept, known)
    return None


def _in_unit(
    unit: UnitFacts, at: int, kept: Mapping[str, SeenFunction], known: Seen | None
) -> Shown | None:
    around = [each for each in functions_in(unit) if each[1].start <= at <= each[1].end]
    if not around:
        return None
    name, definition = around[-1]
    found = calls_of(kept, unit, name, definition)
    if found is None:
        return None
    for word, start in _names(definition):
        if start <= at <= start + len(word):
            span = unit.base + start, unit.base + start + len(word)
            if start == definition.name_start:
                return _calls(word, found), span
            is_known = known is not None and known.span == span and not _is_open(known)
            if word not in found["parameters"] or is_known:
                return None
            return _arguments(word, found), span
    return None


def _names(definition: nodes.FunctionDefinition) -> Iterator[tuple[str, int]]:
    """The name of a function, those of its parameters, and those that its body reads, with where
    they stand.
    """
    yield definition.name, definition.name_start
    yield from ((each.name, each.start) for each in definition.parameters.items)
    for node in walk(definition.statements):
        if isinstance(node, nodes.Name):
            yield node.identifier, node.start


def _is_open(known: Seen) -> bool:
    """Whether the analysis does not know all of an expression."""
    return not known.values or any(map(_is_partial, [value for value, _ in known.values]))


def _is_partial(value: Value) -> bool:
    match value:
        case Unknown():
            return True
        case Array(ShapedArray(shape, dtype)):
            return (
                shape is None or dtype is None or not all(isinstance(size, int) for size in shape)
            )
        case _:
            return False


def _calls(name: str, found: SeenFunction) -> str:
    lines = [f"seen at run time in {_count(found['calls'])}:"]
    for arguments, result, count in found["forms"]:
        pairs = zip(found["parameters"], arguments, strict=True)
        listed = ", ".join(f"{parameter}: {form}" for parameter, form in pairs)
        ending = f"-> {result}" if result else "raised an error"
        lines.append(f"- `{name}({listed}) {ending}`, {_count(count)}")
    return "\n".join(lines)


def _arguments(name: str, found: SeenFunction) -> str:
    place = found["parameters"].index(name)
    counts: dict[str, int] = {}
    for arguments, _, count in found["forms"]:
        counts[arguments[place]] = counts.get(arguments[place], 0) + count
    lines = [f"- `{name}: {form}`, {_count(count)}" for form, count in counts.items()]
    return "\n".join(["argument seen at run time:", *lines])


def _count(calls: int) -> str:
    return f"{calls} call{'s' * (calls != 1)}"
