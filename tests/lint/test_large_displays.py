"""Large displays: what is parsed in pieces is what it is when it is parsed at once."""

import pytest

from oakum_lint.syntax import parse
from oakum_lint.syntax.parse import Lowered, lower_text
from oakum_lint.syntax.walk import walk
from oakum_lint.text import large_displays
from oakum_lint.text.nesting import measure_text

NUMBERS = "".join(f"    {n}.5,  # [number, {n}\n" for n in range(2_400))
PAIRS = "".join(f"    'k{n}': f(a, [{n}, (1, 2)]),\n" for n in range(2_400))
LAMBDAS = ", ".join(f"lambda a, b: a + {n}" for n in range(2_601))


def shape_of(lowered: Lowered) -> list[tuple[str, int, int]]:
    """The kinds and places of all nodes."""
    found = [(type(node).__name__, node.start, node.end) for node in walk(lowered.body)]
    return sorted(found)


@pytest.mark.parametrize(
    "text",
    [
        f"x = 1\ny = [\n{NUMBERS}] + [z]\n",
        f"y = f((\n{NUMBERS}), [\n{NUMBERS}    *z])\n",
        f"y = {{\n{PAIRS}    **z}}\n",
        f"y = {{\n{NUMBERS}}}\n",
        f"y = f(\n{NUMBERS})\n",
        f"y = [{LAMBDAS}]\n",
        f"def g():\n    y = [(yield),\n{NUMBERS}]\n",
        f"y = [\n{NUMBERS}] + [,\n",
    ],
    ids="list nested dict set call lambdas yield broken".split(),
)
def test_pieces_make_the_same_nodes(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finding in a large literal stands where it stood, whatever the literal holds."""
    assert large_displays.large_displays(text)
    found = lower_text(text, measure_text(text))
    monkeypatch.setattr(large_displays, "SHORTEST", len(text) + 1)
    at_once = lower_text(text, measure_text(text))
    assert shape_of(found) == shape_of(at_once)
    assert found.problem == at_once.problem


def test_no_more_than_a_piece_is_parsed_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a large literal is that of a piece: no tree is made of the whole."""
    lengths: list[int] = []
    at_once = parse._at_once  # pyright: ignore[reportPrivateUsage]

    def recorded(text: str) -> Lowered:
        lengths.append(len(text.strip()) - text.count(" "))
        return at_once(text)

    monkeypatch.setattr(parse, "_at_once", recorded)
    text = f"y = [\n{NUMBERS}]\n"
    assert lower_text(text, measure_text(text)).problem is None
    assert len(text) > large_displays.SHORTEST
    assert max(lengths) < len(text) / 2
