"""Alignment in fixes: lines that stand below what follows a bracket go with it, where an edit moves
the bracket.
"""

from collections.abc import Iterator

from oakum.values.records import replace
from oakum_lint.text.edits import Edit, Fix, is_import, touch
from oakum_lint.text.lexer import tokens


def keep_alignment(text: str, fix: Fix) -> Fix:
    """A fix of a text that moves the lines, too, which are aligned to a bracket behind an edit."""
    moved: dict[int, int] = {}
    for edit in fix.edits:
        shift = len(edit.text) - (edit.end - edit.start)
        is_on_line = "\n" not in edit.text and "\n" not in text[edit.start : edit.end]
        if not shift or not is_on_line or is_import(edit):
            continue
        for start in _aligned_lines(text, edit.end):
            moved[start] = moved.get(start, 0) + shift
    added = [
        Edit(start, start + max(-shift, 0), " " * max(shift, 0))
        for start, shift in moved.items()
        if shift
    ]
    if not added or any(touch(one, other) for one in added for other in fix.edits):
        return fix
    return replace(fix, edits=tuple(sorted((*fix.edits, *added))))


def _aligned_lines(text: str, place: int) -> Iterator[int]:
    """Where the lines begin that stand below what follows a bracket, which is opened behind a place
    in its line and goes on in the next ones.
    """
    line, stop = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    opened: list[int] = []
    for kind, start, end in tokens(text[place:]):
        match kind:
            case "open":
                opened.append(place + end)
            case "close" if opened:
                opened.pop()
            case "newline" if opened and opened[0] <= stop:
                # What is opened in a later line stands as that line does.
                behind = max(each for each in opened if each <= stop)
                begin = place + end
                if not text[behind:stop].strip() or _indentation(text, begin) < behind - line:
                    return
                yield begin
            case "string" | "formatted" if "\n" in text[place + start : place + end]:
                return
            case "comment" | "string" | "formatted":
                pass
            case _:
                return


def _indentation(text: str, begin: int) -> int:
    """How many blanks a line begins with."""
    end = begin
    while text[end : end + 1] == " ":
        end += 1
    return end - begin
