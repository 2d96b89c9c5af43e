"""What is known of a module without parsing it is true, and parsing happens once and on demand."""

import ast
import importlib.util
from pathlib import Path

import pytest

from oakum_lint.fixes.site import find_site
from oakum_lint.syntax import parse
from oakum_lint.syntax.cache import UnitCache
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.bindings import classify
from oakum_lint.text.source import Source

NOTHING: set[str] = set()


def module(text: str, cache: UnitCache | None = None) -> ModuleFacts:
    return ModuleFacts(Source.from_text(text), cache)


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        ("def f(x): pass", "definition", {"f"}),
        ("async  def f(x): pass", "definition", {"f"}),
        ("# c\n@a\n@b(c)\nclass A(B): pass", "definition", {"A"}),
        ("x = 1", "assignment", {"x"}),
        ("x: int = f(a=1)", "assignment", {"x"}),
        ("x: int", "assignment", NOTHING),
        ("x += 1", "assignment", {"x"}),
        ("x = f(a=1) if b == c else d", "assignment", {"x"}),
        ("x = y = 1", "assignment", None),
        ("x = (y, z) = 1, 2", "assignment", None),
        ("x = 1; y = 2", "assignment", None),
        ("x = (y := 2)", "assignment", None),
        ("x, y = 1, 2", "other", None),
        ("x[0] = 1", "other", None),
        ("x.y = 1", "other", None),
        ("import a.b, c as d", "import", {"a", "d"}),
        ("from a.b import (c,  # e\n  d as e,\n)", "import", {"c", "e"}),
        ("from . import a, \\\n  b", "import", {"a", "b"}),
        ("from a import *", "import", None),
        ("import a; b = 1", "import", None),
        ("if a:\n  b = 1", "compound", None),
        ("for a in b: pass", "compound", None),
        ("with a as b: pass", "compound", None),
        ("try:\n  import a\nexcept E: pass", "compound", None),
        ("match a:\n  case b: pass", "compound", None),
        ("match = 1", "assignment", {"match"}),
        ("'''doc = x'''", "expression", NOTHING),
        ("f(a=1)", "expression", NOTHING),
        ("f(g(a)[b], c=d).e", "expression", NOTHING),
        ("f(a := 1)", "other", None),
        ("type X = int", "other", None),
        ("del x", "other", NOTHING),
        ("# only a comment", "other", NOTHING),
    ],
)
def test_kind_and_names_are_told_from_the_text(
    text: str, kind: str, names: set[str] | None
) -> None:
    (unit,) = module(text).units
    assert unit.kind == kind
    assert unit.binds == names
    assert not unit.is_parsed


def bound_names(node: ast.stmt) -> set[str] | None:
    """The names that a top-level statement binds, from its tree; None for a star import."""
    names: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
            names.add(child.id)
        if isinstance(child, ast.alias):
            if child.name == "*":
                return None
            whole = isinstance(node, ast.ImportFrom)
            names.add(child.asname or (child.name if whole else child.name.partition(".")[0]))
    return names


def sample() -> list[Path]:
    files: list[Path] = []
    for package, every in (("flax", 11), ("optax", 11), ("numpy", 70), ("libcst", 20)):
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.rglob("*.py"))[3::every]
    return files


@pytest.mark.parametrize("file", sample(), ids=lambda file: "/".join(file.parts[-3:]))
def test_the_names_that_units_of_real_files_claim_to_bind_are_right(file: Path) -> None:
    """A name claimed by the wrong unit, or by none, is a name that no look-up finds."""
    text = file.read_text(encoding="utf-8")
    for unit in module(text).units:
        claimed = unit.binds
        if claimed is None:
            continue
        (*nodes,) = ast.parse(unit.text).body
        actual: set[str] = set()
        for node in nodes:
            # What a comprehension binds stays inside it.
            if unit.kind != "expression" and not isinstance(node, ast.Expr):
                names = bound_names(node)
                assert names is not None, unit.text
                targets = getattr(node, "targets", None) or [getattr(node, "target", node)]
                if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                    names = {target.id for target in targets if isinstance(target, ast.Name)}
                    if isinstance(node, ast.AnnAssign) and node.value is None:
                        names = NOTHING
                actual |= names
        assert claimed == actual, unit.text[:200]


def test_a_unit_is_parsed_when_its_body_is_asked_for_and_only_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Most of a library's lines are never parsed; that is most of the speed."""
    parsed: list[str] = []
    lower = parse._lower  # pyright: ignore[reportPrivateUsage]

    def watched(text: str) -> parse.Lowered:
        parsed.append(text)
        return lower(text)

    monkeypatch.setattr(parse, "_lower", watched)
    facts = module("import a\ndef f(): pass\nx = 1\n")
    assert facts.problems() == ()
    assert parsed == []
    assert facts.units[1].body is facts.units[1].body
    assert parsed == ["def f(): pass\n"]


def test_locations_count_from_the_start_of_the_file() -> None:
    facts = module("import a\n\n\ndef f(): pass\n")
    unit = facts.units[1]
    (function,) = unit.body
    place = unit.location(function.start, function.end, "f.py")
    assert (place.line, place.column, place.end_line, place.end_column) == (4, 1, 4, 14)


def test_an_edit_keeps_the_statements_of_the_units_it_leaves_alone() -> None:
    """An editor's keystroke must not cost a parse of the whole file."""
    cache = UnitCache()
    before = module("def f(): pass\ndef g(): pass\n", cache)
    bodies = [unit.body for unit in before.units]
    cache.keep(before)
    after = module("import new\ndef f(): pass\ndef g(): return 1\n", cache)
    assert [unit.is_parsed for unit in after.units] == [False, True, False]
    assert after.units[1].body is bodies[0]
    assert after.units[1].base == len("import new\n")


def test_two_places_never_share_nodes() -> None:
    """Nodes compare by identity: findings in one copy of a text would be reported in another."""
    cache = UnitCache()
    first = module("def f(): pass\n", cache)
    assert first.units[0].body
    cache.keep(first)
    twice = module("def f(): pass\ndef f(): pass\n", cache)
    assert [unit.is_parsed for unit in twice.units] == [True, False]
    assert twice.units[0].body[0] is not twice.units[1].body[0]


def test_the_cache_keeps_no_more_than_its_limit_and_no_broken_units() -> None:
    cache = UnitCache(limit=2)
    facts = module("a = 1\nb = 2\nc = 3\nd = = 4\n", cache)
    assert len([unit.body for unit in facts.units]) == 4
    cache.keep(facts)
    assert len(cache) == 3, "what the run has used is kept, however much it is"
    cache.keep()
    assert len(cache) == 2
    assert cache.take("a = 1\n") is None
    assert cache.take("c = 3\n") is not None
    assert cache.take("d = = 4\n") is None
    assert len(cache) == 1


def test_a_file_that_is_split_in_the_wrong_place_is_parsed_whole() -> None:
    """f-strings in f-strings that nest too deeply to be followed cost no statement behind them."""
    deep = "a = " + 60 * "f'{" + "x" + 60 * "}'" + "\n"
    text = deep + "b = f'{d[\"'\"]}' + f(\n1)\nc = 2\n"
    facts = module(text)
    assert [unit.text for unit in facts.units] == [deep, *text[len(deep) :].splitlines(True)]
    assert [len(unit.body) for unit in facts.units] == [1, 1, 0, 1]
    # Places count from the beginning of a unit, as where each is parsed alone.
    assert [statement.start for unit in facts.units for statement in unit.body] == [0, 0, 0]
    assert facts.problems() == ()


BREAKS = ["x = (", ")", "'", '"""', "def g(x", "f(a=1, 2)", "  y = 1", "f'{'a'}'", "return", "    "]
"""Lines that make most texts no Python, or move where their units begin and end."""


@pytest.mark.parametrize("line", BREAKS)
@pytest.mark.parametrize("rest", ["", "x = f'{d['key']}'\n", "f(x) = 1\n"])
def test_a_later_version_has_the_problems_of_its_text(line: str, rest: str) -> None:
    """What an editor knows of unchanged units must not hide what is wrong with the others."""
    text = "import jax\n\n\n@jax.jit\ndef f(x):\n    return x\n\n\nclass A:\n    b = [1,\n  2]\n\n"
    text += f"    def c(self):\n        return f'{{self}}'\n\n\n{rest}y = f(1)\n"
    earlier = module(text)
    assert all(unit.body is not None for unit in earlier.units)
    known = earlier.problems()
    assert known == module(text).problems()
    lines = text.splitlines(keepends=True)
    for number in range(len(lines) + 1):
        broken = "".join([*lines[:number], f"{line}\n", *lines[number:]])
        later = earlier.edited(Source.from_text(broken))
        assert later.problems() == module(broken).problems()
        again = later.edited(Source.from_text(text))
        assert again.problems() == known


def test_a_file_is_split_once_as_long_as_it_stays_as_it_is() -> None:
    cache = UnitCache()
    text = "import jax\n\n\ndef f(x):\n    return x\n"
    first = module(text, cache)
    nodes = first.units[1].body
    cache.keep(first)
    second, third = module(text, cache), module(text, cache)
    assert [unit.outline for unit in second.units] == [unit.outline for unit in first.units]
    assert second.units[1].outline is first.units[1].outline
    assert second.units[1].body is nodes
    assert third.units[1].body is not nodes
    assert [unit.binding for unit in third.units] == [unit.binding for unit in first.units]


def test_a_unit_outside_every_statement_is_classified() -> None:
    assert classify("\n\n", 2) == ("other", frozenset())


@pytest.mark.parametrize("words", ["# a remark", "x = 1  # a remark", "x ="])
def test_a_place_that_is_no_node_has_no_site(words: str) -> None:
    """An editor may ask about any range: where none begins and ends, nothing is fixed."""
    facts = module("# a remark\n\nx = 1  # a remark\n")
    assert all(unit.body is not None for unit in facts.units)
    start = facts.source.text.index(words)
    assert find_site(facts, facts.source.location(start, start + len(words), "main.py")) is None
