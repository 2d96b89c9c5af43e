"""What syntax tells of tracing: transforms, names that hold tracers, statements that surely run."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import cast

STAGING = frozenset(
    "jit pjit vmap pmap scan fori_loop while_loop cond switch checkpoint remat shard_map".split()
)
"""The last words of transforms that make abstract tracers; `grad` alone has values."""

NO_VALUES = frozenset("shape ndim dtype size".split())
"""Attributes of arrays that tracing knows."""

BRANCHING = (
    *(ast.If, ast.For, ast.While, ast.Try, ast.Match, ast.IfExp, ast.BoolOp, ast.Lambda),
    *(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
"""Syntax that does not always run what is in it."""

Function = ast.FunctionDef | ast.AsyncFunctionDef


def last_word(node: ast.expr) -> str:
    """The last part of a dotted name; "" of anything else."""
    match node:
        case ast.Name(word) | ast.Attribute(attr=word):
            return word
        case _:
            return ""


def transform(node: ast.expr) -> tuple[str, ast.Call | None]:
    """The word of a transform that stages, spelled plainly, called, or behind `partial`."""
    match node:
        case ast.Call(func=function, args=[first, *_]) if last_word(function) == "partial":
            word, call = last_word(first), node
        case ast.Call(func=function):
            word, call = last_word(function), node
        case _:
            word, call = last_word(node), None
    return (word if word in STAGING else ""), call


def static_parameters(call: ast.Call | None, function: Function) -> set[str] | None:
    """The parameters that a call of a transform leaves static; None where that is not plain."""
    static: set[str] = set()
    if call is not None and last_word(call.func) in ("vmap", "pmap") and len(call.args) > 1:
        return None
    for keyword in call.keywords if call is not None else ():
        match keyword.arg:
            case "static_argnums" | "static_argnames":
                try:
                    value: object = ast.literal_eval(keyword.value)
                except ValueError:
                    return None
                items = cast("tuple[object, ...]", value if isinstance(value, tuple) else (value,))
                names = [each.arg for each in function.args.args]
                for item in items:
                    static |= set(names[item : item + 1]) if isinstance(item, int) else {str(item)}
            case None | "in_axes" | "axis_name" | "nondiff_argnums":
                return None
            case _:
                pass
    return static


def parameters(function: Function) -> set[str]:
    """The parameters that a transform traces; one with a default may be left out."""
    plain = [*function.args.posonlyargs, *function.args.args]
    required = plain[: len(plain) - len(function.args.defaults)]
    return {each.arg for each in required} - {"self", "cls"}


def binds_key(value: ast.expr, target: ast.expr) -> bool:
    """Whether the variable of the key gets a new value."""
    first = value.args[0] if isinstance(value, ast.Call) else None
    names = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return isinstance(first, ast.Name) and first.id in names


def sure_nodes(function: Function) -> set[ast.AST]:
    """The nodes that a run of a function meets whatever tests say."""
    found: set[ast.AST] = set()
    for statement in function.body:
        if isinstance(statement, Function | ast.ClassDef):
            continue
        parts = set(ast.walk(statement))
        if not any(isinstance(part, BRANCHING) for part in parts):
            found |= parts
        elif any(isinstance(part, ast.Return | ast.Raise) for part in parts):
            break
    return found


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function in the order of the text, without those of functions in it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Function | ast.Lambda | ast.ClassDef):
            waiting += reversed(list(ast.iter_child_nodes(node)))


def holds_tracers(node: ast.expr, holding: set[str]) -> bool:
    """Whether an expression holds tracers: a variable that does, a part of it, or arithmetic."""
    match node:
        case ast.Name(name):
            return name in holding
        case ast.Attribute(value, attr):
            return attr not in NO_VALUES and holds_tracers(value, holding)
        case ast.Subscript(value):
            return holds_tracers(value, holding)
        case ast.BinOp(left, _, right):
            return holds_tracers(left, holding) or holds_tracers(right, holding)
        case ast.UnaryOp(operand=operand):
            return holds_tracers(operand, holding)
        case ast.Compare(left, _, [right]):
            return holds_tracers(left, holding) or holds_tracers(right, holding)
        case _:
            return False
