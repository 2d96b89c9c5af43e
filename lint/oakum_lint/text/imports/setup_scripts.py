"""Which folders `setup.py` says that packages lie in. The script is read, never run."""

import ast
import warnings
from collections.abc import Iterator, Mapping

_FINDERS = frozenset({"find_packages", "find_namespace_packages"})
_SETUP_KEYWORDS = frozenset({"package_dir", "where"})


def folders_in(text: str) -> Iterator[tuple[str, str]]:
    """The folders of packages that calls in a script name, as literals or by its variables, and
    which package lies there: "" for all.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            script = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    found = [*ast.walk(script)]
    assigned: dict[str, ast.expr] = {}
    for node in found:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                assigned[name] = value
            case _:
                pass
    for node in found:
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                first = node.args[:1] if name in _FINDERS else []
                named = [word.value for word in node.keywords if word.arg in _SETUP_KEYWORDS]
                for value in (*first, *named):
                    yield from _texts(value, assigned)
            case _:
                pass


def _texts(node: ast.expr, assigned: Mapping[str, ast.expr]) -> Iterator[tuple[str, str]]:
    """The folder that an expression stands for, or those of a dict, by what lies there."""
    held = _value(node, assigned)
    folders = [*zip(held.keys, held.values, strict=True)] if isinstance(held, ast.Dict) else []
    for key, value in folders or [(ast.Constant(""), held)]:
        match key, _value(value, assigned):
            case ast.Constant(str(package)), ast.Constant(str(folder)):
                yield package, folder
            case _:
                pass


def _value(node: ast.expr, assigned: Mapping[str, ast.expr]) -> ast.expr:
    return assigned.get(node.id, node) if isinstance(node, ast.Name) else node
