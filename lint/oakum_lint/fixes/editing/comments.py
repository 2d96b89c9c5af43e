"""Comments in fixes: those of a range that is rewritten are kept."""

from collections.abc import Sequence

from oakum_lint.fixes.site import Site, line_stop
from oakum_lint.syntax import nodes
from oakum_lint.text.edits import Fix
from oakum_lint.text.lexer import tokens

LONGEST_LINE = 100
"""A comment is put at the end of a line only up to this length."""


def comments_of(site: Site, start: int, end: int, copied: Sequence[nodes.Node]) -> list[str]:
    """The comments in a range of the unit that stand in none of the nodes copied from it."""
    text = site.unit.text
    return [
        text[start + first : start + last]
        for kind, first, last in tokens(text[start:end])
        if kind == "comment" and not any(n.start <= start + first < n.end for n in copied)
    ]


def keeps_comments(text: str, fix: Fix) -> bool:
    """Whether every comment that the edits of a fix take out of a text stands in what they write.

    >>> from oakum_lint.text.edits import Edit, Safety, make_fix
    >>> fix = make_fix("Call", [Edit(0, 12, "g()")], Safety.SAFE)
    >>> keeps_comments("f(  # why\\n  )", fix), keeps_comments("f(         )", fix)
    (False, True)
    """
    written = "".join(edit.text for edit in fix.edits)
    comments = [
        text[edit.start + first : edit.start + last]
        for edit in fix.edits
        for kind, first, last in tokens(text[edit.start : edit.end])
        if kind == "comment"
    ]
    return all(comments.count(comment) <= written.count(comment) for comment in comments)


def lines_with_comments(
    site: Site, start: int, end: int, copied: Sequence[nodes.Node], lines: Sequence[str]
) -> list[str]:
    """The lines that take the place of a range, with its comments: one on the first line of the
    range stays at the end of a line, the rest stand before.
    """
    comments = comments_of(site, start, end, copied)
    written = list(lines)
    if (
        comments
        and site.ends_bare(end)
        and comments[0] in site.unit.text[start : line_stop(site.unit.text, start)]
    ):
        line = f"{written[-1]}  {comments[0]}"
        if "\n" not in line and len(line) + len(site.indent(site.statement) or "") <= LONGEST_LINE:
            written[-1] = line
            comments = comments[1:]
    return [*comments, *written]
