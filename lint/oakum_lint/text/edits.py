"""Edits: what a fix changes in the text of a file.

Invariants:
- Offsets count code points of the text that was analysed, without a byte order mark.
- The edits of one fix are sorted and do not overlap: they are made together or not at all.
"""

import enum
from collections.abc import Sequence

from oakum.values.records import dataclass


class Safety(enum.StrEnum):
    """Whether a fix keeps the meaning of the program.

    `safe`: where the program works it goes on to do the same. `unsafe`: it may compute something
    else, or what was meant is a guess; a person has to look at it.
    """

    SAFE = "safe"
    UNSAFE = "unsafe"


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Puts `text` in the place of what stands from `start` to `end`."""

    start: int
    end: int
    text: str


FunctionName = tuple[str, int, int, int, int]
"""A function as another run knows it: its file, the number of its unit, the function around it, by
two numbers, and a place in that."""


@dataclass(frozen=True, slots=True)
class Premise:
    """What a fix is safe on: nobody runs the function around it where that works."""

    function: FunctionName
    title: str
    """The function in words."""
    words: tuple[str, ...]
    """One of which stands where it is called."""


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits of one file that fix one finding; `title` says in the imperative what they do."""

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    everywhere: bool = False
    """Whether it changes more than its place: then it may make no new finding anywhere."""
    premise: Premise | None = None
    """What its being safe depends on, until all that runs is known."""
    takes: int | None = None
    """Where in the file stands what it takes for itself, as a part of a key that nothing uses."""

    def applies(self, *, unsafe: bool) -> bool:
        """Whether a run makes it, which makes unsafe fixes too, or does not."""
        return unsafe or self.safety is Safety.SAFE


def make_fix(
    title: str,
    edits: Sequence[Edit],
    safety: Safety,
    *,
    everywhere: bool = False,
    takes: int | None = None,
) -> Fix:
    """A fix of edits in any order, in which an edit may stand twice.

    >>> make_fix("Swap", [Edit(2, 3, "a"), Edit(0, 1, "b")], Safety.SAFE).edits[0]
    Edit(start=0, end=1, text='b')
    """
    return Fix(title, tuple(sorted(set(edits))), safety, everywhere, takes=takes)


def apply_edits(text: str, edits: Sequence[Edit]) -> str:
    """The text after edits that are sorted and do not overlap.

    >>> apply_edits("a = np.log(x)", [Edit(4, 6, "jnp")])
    'a = jnp.log(x)'
    """
    parts: list[str] = []
    position = 0
    for edit in edits:
        parts += (text[position : edit.start], edit.text)
        position = edit.end
    parts.append(text[position:])
    return "".join(parts)


def touch(first: Edit, second: Edit) -> bool:
    """Whether two edits cannot be made together: they overlap or meet, and are not the same."""
    return first != second and first.start <= second.end and second.start <= first.end


def is_import(edit: Edit) -> bool:
    """Whether an edit adds an import, which any number of fixes may share."""
    return edit.start == edit.end and edit.text.lstrip().startswith("import ")


def exclude_each_other(first: Fix, second: Fix) -> bool:
    """Whether two fixes cannot be made together: their edits touch, or both take for themselves
    one thing, or what one edit makes, as the part of a key.
    """
    if first.takes is not None and first.takes == second.takes:
        return True
    if any(touch(one, other) for one in first.edits for other in second.edits):
        return True
    own, others = frozenset(first.edits), frozenset(second.edits)
    shared = own & others
    return shared not in (own, others) and not all(map(is_import, shared))
