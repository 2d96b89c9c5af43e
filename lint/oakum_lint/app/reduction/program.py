"""A program as it is reduced: the syntax trees of its modules, by their names.

Invariants:
- Only the text matters: what a step makes of a tree counts if the printed program still holds.
- Every look at the program costs an analysis, so there is a bound on their number.
- It can be read as a program: no step uses a name that nothing makes.
"""

import ast
import builtins
import warnings
from collections.abc import Callable, Iterator, Mapping

Text = Mapping[str, str]
"""The texts of the modules, by their names."""


class Program:
    """Modules that are changed step by step, as long as `holds` says yes of what is left."""

    __slots__ = ("_holds", "_looks", "_undefined", "trees")

    def __init__(self, texts: Text, holds: Callable[[Text], bool], looks: int) -> None:
        self.trees = {name: ast.parse(text) for name, text in texts.items()}
        self._holds = holds
        self._looks = looks
        self._undefined = self._names_that_nothing_makes()

    @property
    def is_over(self) -> bool:
        """Whether no more steps are tried."""
        return self._looks <= 0

    def texts(self) -> dict[str, str]:
        """The program as it is now; without comments, which a tree does not have."""
        return {name: f"{ast.unparse(tree)}\n" for name, tree in self.trees.items()}

    def holds(self) -> bool:
        """Whether the program still has what it is reduced for."""
        if self.is_over:
            return False
        if self._names_that_nothing_makes() - self._undefined:
            return False
        texts = self.texts()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for text in texts.values():
                    compile(text, "", "exec", dont_inherit=True)
        except (SyntaxError, ValueError):
            return False
        self._looks -= 1
        return self._holds(texts)

    def nodes(self) -> Iterator[ast.AST]:
        """All nodes, those outside before those in them."""
        for tree in [*self.trees.values()]:
            yield from ast.walk(tree)

    def _names_that_nothing_makes(self) -> set[tuple[str, str]]:
        """The names that a module uses and does not bind anywhere, with the module's."""
        return {(module, name) for module, tree in self.trees.items() for name in _unbound(tree)}


def _unbound(tree: ast.AST) -> set[str]:
    used: set[str] = set()
    bound = {*dir(builtins), "__name__", "__file__"}
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                used.add(name)
            case ast.Name(id=name) | ast.arg(arg=name) | ast.ClassDef(name=name):
                bound.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                bound.add(name)
            case ast.ExceptHandler(name=str(name)):
                bound.add(name)
            case ast.alias(name=name, asname=asname):
                bound.add(asname or name.partition(".")[0])
            case _:
                pass
    return used - bound
