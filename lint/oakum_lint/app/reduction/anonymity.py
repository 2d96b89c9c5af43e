"""Takes the user's own words out of a program: names that it makes, texts in it.

Names of libraries stay, for the finding depends on them; a name that both the program makes and a
library has stays too, where it stands behind a dot.
"""

import ast
import builtins
import keyword
from collections.abc import Iterator

from oakum_lint.app.reduction.program import Program

_NAMED = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def anonymise(program: Program) -> None:
    """Replaces names and texts, each as long as the program holds."""
    for node in program.nodes():
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and node.value:
            kept = node.value
            node.value = kept[:0]
            if not program.holds():
                node.value = kept
    libraries = _library_names(program)
    used = {name for node in program.nodes() for name in _names(node)}
    counts: dict[str, int] = {}
    for name, kind in _made(program).items():
        if name in libraries or hasattr(builtins, name) or name.startswith("__"):
            continue
        new = name
        while new == name or new in used or keyword.iskeyword(new):
            counts[kind] = counts.get(kind, 0) + 1
            new = f"{kind}{counts[kind]}"
        _rename(program, name, new)
        if program.holds():
            used.add(new)
        else:
            _rename(program, new, name)


def _library_names(program: Program) -> set[str]:
    """The names that imports of other modules bind, and what is read of them behind a dot."""
    own = program.trees.keys()
    found: set[str] = set()
    for node in program.nodes():
        match node:
            case ast.Import(names=names):
                for each in names:
                    found |= {*each.name.split("."), each.asname or each.name.partition(".")[0]}
            case ast.ImportFrom(module=module, names=names) if module not in own:
                found |= {each.asname or each.name for each in names}
                found |= {each.name for each in names}
            case _:
                pass
    for node in program.nodes():
        if isinstance(node, ast.Attribute):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and root.id in found:
                found.add(node.attr)
    return found


def _made(program: Program) -> dict[str, str]:
    """The names that a program makes, and what begins their new ones."""
    found: dict[str, str] = {}
    for node in program.nodes():
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found.setdefault(name, "f")
            case ast.ClassDef(name=name):
                found.setdefault(name, "C")
            case ast.arg(arg=name):
                found.setdefault(name, "x")
            case ast.Name(id=name, ctx=ast.Store()):
                found.setdefault(name, "v")
            case ast.Attribute(attr=name, ctx=ast.Store()):
                found.setdefault(name, "a")
            case _:
                pass
    return found


def _names(node: ast.AST) -> Iterator[str]:
    for field in ("id", "arg", "attr", "name", "asname"):
        name = getattr(node, field, None)
        if isinstance(name, str):
            yield name


def _rename(program: Program, old: str, new: str) -> None:
    """Renames all that has a name: what is one name to Python is one in the tree."""
    for node in program.nodes():
        for field in ("id", "arg", "attr", "asname"):
            if getattr(node, field, None) == old:
                setattr(node, field, new)
        if isinstance(node, _NAMED | ast.ExceptHandler | ast.alias) and node.name == old:
            node.name = new
        if isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [new if name == old else name for name in node.names]
