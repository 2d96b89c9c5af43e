"""Where the analysis loses a tracer that a run has shown.

The cause is looked for along the data: from an expression to its operands, from a name to what it
is bound to, from a parameter to the argument of the call that was seen, until what goes in is known
and what comes out is not.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from recorded_values import Activation, Record, Span

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
LONGEST = 24
"""So many steps are gone back along the data."""


@dataclass(slots=True)
class Held:
    """What the analysis holds an expression to be, over all of its evaluations."""

    proved: bool = False
    """A tracer, in a trace that is seen to be made."""
    likely: bool = False
    """A tracer, in a trace that is presumed, or with doubt."""
    words: dict[str, None] = field(default_factory=dict[str, None])

    @property
    def traced(self) -> bool:
        """Whether it is known as a tracer at all."""
        return self.proved or self.likely


class _File:
    """The expressions of a file by their places, and the functions around them."""

    def __init__(self, name: str) -> None:
        text = Path(name).read_text(encoding="utf-8")
        self._lines = text.splitlines()
        self._name = name
        self.nodes: dict[Span, ast.expr] = {}
        self.functions: dict[ast.AST, Function | None] = {}
        pending: list[tuple[ast.AST, Function | None]] = [(ast.parse(text), None)]
        while pending:
            node, function = pending.pop()
            self.functions[node] = function
            if isinstance(node, ast.expr):
                self.nodes[self.span(node)] = node
            inner = node if isinstance(node, Function) else function
            pending += [(child, inner) for child in ast.iter_child_nodes(node)]

    def span(self, node: ast.expr) -> Span:
        """The place of an expression, columns in characters from 1."""
        last = node.end_lineno or node.lineno
        end = node.end_col_offset or node.col_offset
        return (
            self._name,
            node.lineno,
            self._column(node.lineno, node.col_offset),
            last,
            self._column(last, end),
        )

    def _column(self, line: int, offset: int) -> int:
        text = self._lines[line - 1]
        return offset + 1 if text.isascii() else len(text.encode()[:offset].decode()) + 1


_file = cache(_File)


class Search:
    """Goes back from a tracer that is not known to where it is lost."""

    def __init__(self, held: dict[Span, Held], tracers: dict[Span, None], found: Record) -> None:
        self._held = held
        self._tracers = tracers
        self._runs: dict[Function, Activation] = {}
        for activation in found.activations:
            first = next(iter(activation.seen), None)
            function = None if first is None else self._function_at(first)
            if function is not None:
                self._runs.setdefault(function, activation)
        self._begun = {
            function for span in held if (function := self._function_at(span)) is not None
        }

    def cause(self, span: Span) -> tuple[str, Span]:
        """Returns the cause, and the place, of the loss."""
        seen: set[Span] = set()
        for _ in range(LONGEST):
            seen.add(span)
            step = self._step(span)
            if isinstance(step, str) or step in seen:
                return (step if isinstance(step, str) else "a loop", span)
            span = step
        return "many steps", span

    def _function_at(self, span: Span) -> Function | None:
        file = _file(span[0])
        node = file.nodes.get(span)
        return None if node is None else file.functions[node]

    def _step(self, span: Span) -> Span | str:
        """One step back along the data, or the cause."""
        file = _file(span[0])
        node = file.nodes.get(span)
        if node is None:
            return "an expression that is spelled otherwise"
        function = file.functions[node]
        if isinstance(node, ast.Name):
            return self._bound(file, node, function)
        if span not in self._held:
            if function in self._runs and function not in self._begun:
                return self._caller(function, "a function that is not analysed")
            return "an expression that is not analysed"
        for operand in _operands(node):
            there = file.span(operand)
            if there in self._tracers and not self._traced(there):
                return there
        match node:
            case ast.Call(func):
                what = self._words(file.span(func))
                if "unknown" in what and isinstance(func, ast.Attribute):
                    return f"a method of {self._words(file.span(func.value))}"
                return f"a call of {what}"
            case ast.Attribute(value):
                return f"an attribute of {self._words(file.span(value))}"
            case ast.Subscript(value):
                return f"an element of {self._words(file.span(value))}"
            case _:
                return f"{type(node).__name__} of {self._words(span)}"

    def _traced(self, span: Span) -> bool:
        return span in self._held and self._held[span].traced

    def _words(self, span: Span) -> str:
        held = self._held.get(span)
        if held is None:
            return "what is not analysed"
        if held.traced:
            return "a tracer"
        words = sorted(held.words)
        return words[0] if len(words) == 1 else " or ".join(words[:3])

    def _bound(self, file: _File, name: ast.Name, function: Function | None) -> Span | str:
        """What a name is bound to, where its value comes from."""
        around = function
        while around is not None:
            bindings = [b for b in _bindings(around) if b[0] == name.id]
            if bindings:
                before = [b for b in bindings if b[1].lineno <= name.lineno]
                value = (before or bindings)[-1][1]
                span = file.span(value)
                if self._traced(span):
                    return f"a name bound to a tracer ({type(value).__name__})"
                if span in self._tracers:
                    return span
                # A container, of which the name is bound to a part.
                return self._inside(span, value)
            if name.id in _parameters(around):
                return self._parameter(around, name.id)
            around = file.functions[around]
        return "a name of the module"

    def _inside(self, span: Span, value: ast.expr) -> Span | str:
        what = self._words(span)
        if isinstance(value, ast.Call):
            func = _file(span[0]).span(value.func)
            if "unknown" in what or "what is not" in what:
                words = self._words(func)
                if "unknown" in words and isinstance(value.func, ast.Attribute):
                    return f"a method of {self._words(_file(span[0]).span(value.func.value))}"
                return f"a call of {words}"
        return f"a part of {what} ({type(value).__name__})"

    def _parameter(self, function: Function, name: str) -> Span | str:
        """The argument that was passed for a parameter, by the call that was seen."""
        activation = self._runs.get(function)
        if activation is None or activation.caller is None:
            return f"a parameter of {_kind(function)} that was called by no code of the project"
        calls = list(self._calls(activation, function))
        if activation.is_direct:
            for file, call in calls:
                argument = _argument(call, function, name)
                if argument is None:
                    continue
                span = file.span(argument)
                if span in self._tracers and not self._traced(span):
                    return span
                if span in self._tracers:
                    return f"the call is not followed: {self._words(file.span(call.func))}"
                return f"an argument that is {self._words(span)}"
        return self._caller(function, f"a parameter of {_kind(function)}")

    def _caller(self, function: Function | None, what: str) -> str:
        """A cause, with who called the function in the run."""
        activation = None if function is None else self._runs.get(function)
        if activation is None or activation.caller is None or function is None:
            return f"{what}, called by no code of the project"
        by = "a call" if activation.is_direct else "a library in a call"
        for file, call in self._calls(activation, function):
            return f"{what}: {by} of {self._words(file.span(call.func))}"
        return f"{what}: {by}"

    def _calls(
        self, activation: Activation, function: Function
    ) -> Iterator[tuple[_File, ast.Call]]:
        """The calls on the line that the caller was on, those by the function's name first."""
        assert activation.caller is not None
        first = next(iter(activation.caller.seen), None)
        if first is None:
            return
        file = _file(first[0])
        found = [
            node
            for node in file.nodes.values()
            if isinstance(node, ast.Call)
            and node.lineno <= activation.line <= (node.end_lineno or 0)
        ]
        own = getattr(function, "name", "")
        found.sort(key=lambda call: (_name_of(call.func) != own, call.lineno, -call.col_offset))
        for each in found:
            yield file, each


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""


def _kind(function: Function) -> str:
    if isinstance(function, ast.Lambda):
        return "a lambda"
    arguments = [*function.args.posonlyargs, *function.args.args]
    return "a method" if arguments and arguments[0].arg == "self" else "a function"


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """The expressions whose values make that of another."""
    pending = list(ast.iter_child_nodes(node))[::-1]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.expr):
            yield each
        else:
            pending += list(ast.iter_child_nodes(each))[::-1]


@cache
def _bindings(function: Function) -> tuple[tuple[str, ast.expr], ...]:
    """The names that a function binds, each with the expression that its value comes from."""
    found: list[tuple[str, ast.expr]] = []
    if isinstance(function, ast.Lambda):
        return ()
    pending: list[ast.AST] = [*reversed(function.body)]
    while pending:
        node = pending.pop()
        match node:
            case ast.Assign(targets, value):
                found += [(n, v) for target in targets for n, v in _targets(target, value)]
            case ast.AnnAssign(target, _, ast.expr() as value) | ast.AugAssign(target, _, value):
                found += _targets(target, value)
            case ast.For(target, value) | ast.comprehension(target, value):
                found += _targets(target, value)
            case ast.NamedExpr(target, value):
                found += _targets(target, value)
            case ast.withitem(value, ast.expr() as target):
                found += _targets(target, value)
            case _:
                pass
        if not isinstance(node, Function):
            pending += list(ast.iter_child_nodes(node))[::-1]
    return tuple(found)


def _targets(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(name), _:
            yield name, value
        case ((ast.Tuple(parts) | ast.List(parts)), (ast.Tuple(values) | ast.List(values))) if len(
            parts
        ) == len(values):
            for part, each in zip(parts, values, strict=True):
                yield from _targets(part, each)
        case ((ast.Tuple(parts) | ast.List(parts)), _):
            for part in parts:
                yield from _targets(part, value)
        case ast.Starred(inner), _:
            yield from _targets(inner, value)
        case _:
            pass


def _parameters(function: Function) -> list[str]:
    arguments = function.args
    found = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    more = [each for each in (arguments.vararg, arguments.kwarg) if each is not None]
    return [each.arg for each in (*found, *more)]


def _argument(call: ast.Call, function: Function, name: str) -> ast.expr | None:
    """The argument of a call that is passed for a parameter."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if name not in names:
        return None
    at = names.index(name)
    if names[0] == "self" and isinstance(call.func, ast.Attribute | ast.Name):
        at -= 1
    return call.args[at] if 0 <= at < len(call.args) else None
