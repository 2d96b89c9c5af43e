"""Splits of random keys that stand below a use of the key: they are moved above it, and make the
part that it uses up.
"""

from collections.abc import Sequence

from oakum_lint.fixes.editing.spelling import meaning
from oakum_lint.fixes.functions.timing import is_timed
from oakum_lint.fixes.keys.key_parts import (
    PART,
    SPLIT,
    count_of,
    free,
    is_read,
    is_unread,
    named_after,
    taken_part,
    uses_in,
)
from oakum_lint.fixes.site import Site
from oakum_lint.fixes.tree import bound_by, names_in
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix, Safety, make_fix
from oakum_lint.text.notebook.names import CELL_MARK


def move_split(earlier: Site, key: nodes.Expression, site: Site) -> Fix | None:
    """Moves a split of a key, `key, part = split(key)`, above the statement that uses the key
    before it, which gets a part that nobody reads, or one more; of `key = split(key)[0]` the other.
    """
    if not isinstance(key, nodes.Name) or not _may_be_moved(site, earlier, key):
        return None
    match site.statement:
        case nodes.Assignment(
            targets=(nodes.Display(elements=elements),), value=nodes.Call() as call
        ) if call is site.node and meaning(site, call.function) == SPLIT:
            names = [each for each in elements if isinstance(each, nodes.Name)]
            made = _with_part(site, earlier, names, call) if len(names) == len(elements) else None
        case nodes.Assignment(
            targets=(nodes.Name(identifier=name),), value=nodes.Subscript() as taken
        ) if taken.value is site.node and taken_part(site, taken) is not None:
            part = free(site, PART, named_after(earlier), "part_key")
            made = None if part is None else (part, f"{name}, {part} = {site.text(taken.value)}")
        case _:
            return None
    if made is None:
        return None
    part, line = made
    edits = [
        earlier.line_before(earlier.statement, line),
        earlier.replace(key, part),
        site.removal(site.statement),
    ]
    return make_fix("Split the key before its first use", edits, Safety.UNSAFE)


def _may_be_moved(site: Site, earlier: Site, key: nodes.Name) -> bool:
    """Whether nothing between the two statements, which are of one block, knows of the key or of
    what the split makes.
    """
    before = site.at_statement().sites_before()
    block = [each.statement for each in before]
    places = [place for place, each in enumerate(block) if each is earlier.statement]
    if not places or not (site.is_alone(site.statement) and earlier.is_alone(earlier.statement)):
        return False
    if is_timed(earlier) or uses_in(key, earlier.statement) != [key]:
        return False
    if _has_cells_between(earlier, site):
        return False
    between = block[places[0] + 1 :]
    made = bound_by(site.statement)
    there = names_in(*between) | bound_by(*between) | bound_by(earlier.statement)
    return there.isdisjoint(made | {key.identifier}) and names_in(earlier.statement).isdisjoint(
        made - {key.identifier}
    )


def _has_cells_between(earlier: Site, site: Site) -> bool:
    """Whether two statements stand in two cells of a notebook, either of which may run again."""
    start, end = (each.unit.base + each.statement.start for each in (earlier, site))
    return CELL_MARK in site.module.source.text[start:end]


def _with_part(
    site: Site, earlier: Site, names: Sequence[nodes.Name], split: nodes.Call
) -> tuple[str, str] | None:
    """The name of a part for the earlier site, and the line that makes it with those of a split."""
    texts, made = [name.identifier for name in names], site.text(split)
    unread = next((n for n in names if is_unread(site, site.statement, n)), None)
    if unread is not None:
        return unread.identifier, f"{', '.join(texts)} = {made}"
    part = free(site, PART, named_after(earlier), "part_key")
    if part is None:
        return None
    if "_" in texts and not is_read(site, "_"):
        texts[texts.index("_")] = part
        return part, f"{', '.join(texts)} = {made}"
    texts.append(part)
    match count_of(split):
        case nodes.Constant(value=int()) as number:
            made = (
                made[: number.start - split.start]
                + str(len(texts))
                + made[number.end - split.start :]
            )
        case None if len(split.arguments) == 1 and not split.keywords:
            made = f"{site.text(split.function)}({site.text(split.arguments[0])}, {len(texts)})"
        case _:
            return None
    return part, f"{', '.join(texts)} = {made}"
