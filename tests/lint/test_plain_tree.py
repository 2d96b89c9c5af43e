"""The parse that hands its own classes to LibCST's parser leaves LibCST as it was."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import libcst
import pytest

from oakum_lint.app.analysis import analyse
from oakum_lint.syntax.lowering import plain_tree


def assert_libcst_is_itself() -> None:
    """Checks that who imports LibCST and parses with it gets its own classes, with its checks."""
    assert sys.modules["libcst"] is libcst
    tree = libcst.parse_module("x = (1)  # one\n")
    assert type(tree) is libcst.Module
    (line,) = tree.body
    assert type(line) is libcst.SimpleStatementLine
    assert type(line.trailing_whitespace) is libcst.TrailingWhitespace
    assert tree.code == "x = (1)  # one\n"
    with pytest.raises(libcst.ParserSyntaxError):
        libcst.parse_module("x = (")


def test_libcst_is_the_same_after_a_parse() -> None:
    """An editor that runs oakum and a codemod of LibCST in one process gets whole trees there."""
    assert_libcst_is_itself()
    before = dict(vars(libcst))
    assert type(plain_tree.parse_module("x = (1)\n")) is plain_tree.cst.Module
    assert_libcst_is_itself()
    assert dict(vars(libcst)) == before


@pytest.mark.parametrize("text", ["x = (\n", "x = '\ud800'\n"])
def test_libcst_is_the_same_after_a_parse_that_fails(text: str) -> None:
    """One file that does not parse does not spoil the parses after it."""
    with pytest.raises((plain_tree.Refused, UnicodeError)):
        plain_tree.parse_module(text)
    assert_libcst_is_itself()


def interrupted(_text: str) -> Any:
    raise KeyboardInterrupt


def test_libcst_is_the_same_after_a_parse_that_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C in the parser leaves LibCST whole."""
    monkeypatch.setattr(plain_tree, "_parse", interrupted)
    with pytest.raises(KeyboardInterrupt):
        plain_tree.parse_module("x = 1\n")
    monkeypatch.undo()
    assert_libcst_is_itself()


def test_all_nodes_of_libcst_have_a_plain_class() -> None:
    """Each that is missing is made while the parser runs, where other threads may look."""
    nodes = {
        name
        for name, found in vars(libcst).items()
        if isinstance(found, type) and issubclass(found, libcst.CSTNode)
    }
    assert nodes == {*plain_tree._NAMES}  # pyright: ignore[reportPrivateUsage]


def test_a_node_that_a_newer_libcst_makes_costs_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As lazy imports were for the version before."""
    monkeypatch.delattr(plain_tree.cst, "Add")
    line: Any = plain_tree.parse_module("x = 1 + y\n").body[0]
    assert type(line.body[0].value.operator).__name__ == "Add"
    assert line.body[0].value.left.value == "1"


def with_its_own_classes(text: str) -> libcst.Module:
    """LibCST's parser as it were if it found its classes otherwise."""
    return libcst.parse_module(text)


def without_name(text: str) -> Any:
    """A parser that makes the tree, but finds a class missing that oakum has not handed it."""
    del text
    raise AttributeError("module 'libcst' has no attribute 'Novelty'")


@pytest.mark.parametrize("parser", [with_its_own_classes, without_name])
def test_a_libcst_with_other_classes_is_a_failure_of_oakum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parser: Callable[[str], Any]
) -> None:
    """A new LibCST that oakum cannot read is not blamed on the user's program."""
    file = tmp_path / "program.py"
    file.write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n")
    monkeypatch.setattr(plain_tree, "_parse", parser)
    (report,) = analyse([file])
    assert {finding.code for finding in report.findings} == {"OAK004"}
