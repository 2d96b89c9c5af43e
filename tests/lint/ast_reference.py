"""Lowers a program with Python's own `ast`, as the judge of the linter's lowering."""

import ast
import importlib.util
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, Literal

from oakum_lint.syntax import nodes
from oakum_lint.syntax.parse import lower_text
from oakum_lint.text.nesting import Nesting
from oakum_lint.text.source import LineTable

OPERATORS = {
    "Add": "+", "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**",
    "MatMult": "@", "LShift": "<<", "RShift": ">>", "BitAnd": "&", "BitOr": "|", "BitXor": "^",
    "Eq": "==", "NotEq": "!=", "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Is": "is",
    "IsNot": "is not", "In": "in", "NotIn": "not in", "Not": "not", "USub": "-", "UAdd": "+",
    "Invert": "~", "And": "and", "Or": "or",
}  # fmt: skip

NO_RANGE = (nodes.Parameters, nodes.ComprehensionFor, nodes.WithItem, nodes.MatchCase)
"""Nodes that have no range in `ast`."""


class Reference:
    """Makes the same tree from `ast`, with `ast`'s ranges."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = LineTable(text)
        self.tree = ast.parse(text)

    def offset(self, line: int, utf8_column: int) -> int:
        start = self.lines.offset(line, 1)
        if utf8_column == 0:
            return start
        end = self.lines.offset(line + 1, 1) if line < self.lines.line_count else len(self.text)
        return start + len(self.text[start:end].encode()[:utf8_column].decode())

    def range(self, node: Any) -> tuple[int, int]:
        return (
            self.offset(node.lineno, node.col_offset),
            self.offset(node.end_lineno, node.end_col_offset),
        )

    def convert(self, node: Any) -> Any:
        """Any node or list of nodes."""
        if node is None:
            return None
        if isinstance(node, list):
            return tuple(self.convert(item) for item in node)  # pyright: ignore[reportUnknownVariableType]
        place = self.range(node) if hasattr(node, "lineno") else (0, 0)
        convert: Callable[[Any, tuple[int, int]], Any] = getattr(self, type(node).__name__)
        return convert(node, place)

    def Constant(self, node: ast.Constant, place: tuple[int, int]) -> Any:
        return nodes.Constant(*place, node.value)

    def Name(self, node: ast.Name, place: tuple[int, int]) -> Any:
        return nodes.Name(*place, node.id)

    def Attribute(self, node: ast.Attribute, place: tuple[int, int]) -> Any:
        name_start = place[1] - len(node.attr)
        return nodes.Attribute(*place, self.convert(node.value), node.attr, name_start)

    def Call(self, node: ast.Call, place: tuple[int, int]) -> Any:
        keywords = self.convert(node.keywords)
        return nodes.Call(*place, self.convert(node.func), self.convert(node.args), keywords)

    def keyword(self, node: ast.keyword, place: tuple[int, int]) -> Any:
        return nodes.Keyword(*place, node.arg, self.convert(node.value))

    def Starred(self, node: ast.Starred, place: tuple[int, int]) -> Any:
        return nodes.Starred(*place, self.convert(node.value))

    def Subscript(self, node: ast.Subscript, place: tuple[int, int]) -> Any:
        return nodes.Subscript(*place, self.convert(node.value), self.convert(node.slice))

    def Slice(self, node: ast.Slice, place: tuple[int, int]) -> Any:
        parts = self.convert([node.lower, node.upper, node.step])
        return nodes.Slice(*place, *parts)

    def BinOp(self, node: ast.BinOp, place: tuple[int, int]) -> Any:
        operator = OPERATORS[type(node.op).__name__]
        left, right = self.convert(node.left), self.convert(node.right)
        return nodes.BinaryOperation(*place, operator, left, right)

    def UnaryOp(self, node: ast.UnaryOp, place: tuple[int, int]) -> Any:
        operator = OPERATORS[type(node.op).__name__]
        return nodes.UnaryOperation(*place, operator, self.convert(node.operand))

    def BoolOp(self, node: ast.BoolOp, place: tuple[int, int]) -> Any:
        operator: Any = OPERATORS[type(node.op).__name__]
        return nodes.BooleanOperation(*place, operator, self.convert(node.values))

    def Compare(self, node: ast.Compare, place: tuple[int, int]) -> Any:
        operators = tuple(OPERATORS[type(operator).__name__] for operator in node.ops)
        left, comparators = self.convert(node.left), self.convert(node.comparators)
        return nodes.Comparison(*place, left, operators, comparators)

    def IfExp(self, node: ast.IfExp, place: tuple[int, int]) -> Any:
        return nodes.Conditional(*place, *self.convert([node.test, node.body, node.orelse]))

    def Tuple(self, node: ast.Tuple, place: tuple[int, int]) -> Any:
        return nodes.Display(*place, "tuple", self.convert(node.elts))

    def List(self, node: ast.List, place: tuple[int, int]) -> Any:
        return nodes.Display(*place, "list", self.convert(node.elts))

    def Set(self, node: ast.Set, place: tuple[int, int]) -> Any:
        return nodes.Display(*place, "set", self.convert(node.elts))

    def Dict(self, node: ast.Dict, place: tuple[int, int]) -> Any:
        return nodes.DictDisplay(*place, self.convert(node.keys), self.convert(node.values))

    def Lambda(self, node: ast.Lambda, place: tuple[int, int]) -> Any:
        return nodes.Lambda(*place, self.parameters(node.args), self.convert(node.body))

    def _comprehension(self, kind: Any, node: Any, place: tuple[int, int]) -> Any:
        element = self.convert(node.elt)
        return nodes.Comprehension(*place, kind, element, None, self.convert(node.generators))

    def ListComp(self, node: ast.ListComp, place: tuple[int, int]) -> Any:
        return self._comprehension("list", node, place)

    def SetComp(self, node: ast.SetComp, place: tuple[int, int]) -> Any:
        return self._comprehension("set", node, place)

    def GeneratorExp(self, node: ast.GeneratorExp, place: tuple[int, int]) -> Any:
        return self._comprehension("generator", node, place)

    def DictComp(self, node: ast.DictComp, place: tuple[int, int]) -> Any:
        key, value = self.convert([node.key, node.value])
        return nodes.Comprehension(*place, "dict", key, value, self.convert(node.generators))

    def comprehension(self, node: ast.comprehension, place: tuple[int, int]) -> Any:
        target, iterable = self.convert([node.target, node.iter])
        is_async = bool(node.is_async)
        return nodes.ComprehensionFor(*place, target, iterable, self.convert(node.ifs), is_async)

    def JoinedStr(self, node: ast.JoinedStr, place: tuple[int, int]) -> Any:
        parts: list[Any] = []
        for value in node.values:
            if isinstance(value, ast.Constant):
                if parts and isinstance(parts[-1], str):
                    parts[-1] += str(value.value)
                elif value.value:
                    parts.append(value.value)
            else:
                parts.append(self.convert(value))
        return nodes.FormattedString(*place, tuple(parts))

    def FormattedValue(self, node: ast.FormattedValue, place: tuple[int, int]) -> Any:
        conversion = None if node.conversion == -1 else chr(node.conversion)
        value, spec = self.convert([node.value, node.format_spec])
        return nodes.FormattedValue(*place, value, conversion, spec)

    def Await(self, node: ast.Await, place: tuple[int, int]) -> Any:
        return nodes.Await(*place, self.convert(node.value))

    def Yield(self, node: ast.Yield, place: tuple[int, int]) -> Any:
        return nodes.Yield(*place, self.convert(node.value), False)

    def YieldFrom(self, node: ast.YieldFrom, place: tuple[int, int]) -> Any:
        return nodes.Yield(*place, self.convert(node.value), True)

    def NamedExpr(self, node: ast.NamedExpr, place: tuple[int, int]) -> Any:
        return nodes.NamedExpression(*place, self.convert(node.target), self.convert(node.value))

    # --- functions and classes

    def parameters(self, node: ast.arguments) -> Any:
        items: list[nodes.Parameter] = []

        def add(
            argument: ast.arg,
            kind: Literal[
                "positional_only", "positional", "var_positional", "keyword_only", "var_keyword"
            ],
            default: Any,
        ) -> None:
            place = self.range(argument)
            values = self.convert([default, argument.annotation])
            items.append(nodes.Parameter(*place, argument.arg, kind, *values))

        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        for index, (argument, default) in enumerate(zip(positional, defaults, strict=True)):
            first = index < len(node.posonlyargs)
            add(argument, "positional_only" if first else "positional", default)
        if node.vararg:
            add(node.vararg, "var_positional", None)
        for argument, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            add(argument, "keyword_only", default)
        if node.kwarg:
            add(node.kwarg, "var_keyword", None)
        return nodes.Parameters(0, 0, tuple(items))

    def _start(self, node: Any, place: tuple[int, int]) -> int:
        if not node.decorator_list:
            return place[0]
        first = self.range(node.decorator_list[0])[0]
        return self.text.rindex("@", 0, first)

    def FunctionDef(self, node: Any, place: tuple[int, int]) -> Any:
        is_async = isinstance(node, ast.AsyncFunctionDef)
        name_start = self.text.index(node.name, self.text.index("def", place[0]) + 3)
        return nodes.FunctionDefinition(
            self._start(node, place),
            place[1],
            node.name,
            name_start,
            self.parameters(node.args),
            self.convert(node.body),
            self.convert(node.decorator_list),
            self.convert(node.returns),
            is_async,
            holds_yield(node.body),
        )

    AsyncFunctionDef = FunctionDef

    def ClassDef(self, node: ast.ClassDef, place: tuple[int, int]) -> Any:
        name_start = self.text.index(node.name, place[0] + 5)
        body, decorators = self.convert(node.body), self.convert(node.decorator_list)
        bases, keywords = self.convert(node.bases), self.convert(node.keywords)
        start = self._start(node, place)
        return nodes.ClassDefinition(
            start, place[1], node.name, name_start, bases, keywords, body, decorators
        )

    # --- statements

    def Expr(self, node: ast.Expr, place: tuple[int, int]) -> Any:
        return nodes.ExpressionStatement(*place, self.convert(node.value))

    def Assign(self, node: ast.Assign, place: tuple[int, int]) -> Any:
        return nodes.Assignment(*place, self.convert(node.targets), self.convert(node.value))

    def AugAssign(self, node: ast.AugAssign, place: tuple[int, int]) -> Any:
        target, value = self.convert([node.target, node.value])
        operator = OPERATORS[type(node.op).__name__]
        return nodes.AugmentedAssignment(*place, target, operator, value)

    def AnnAssign(self, node: ast.AnnAssign, place: tuple[int, int]) -> Any:
        parts = self.convert([node.target, node.annotation, node.value])
        return nodes.AnnotatedAssignment(*place, *parts)

    def Return(self, node: ast.Return, place: tuple[int, int]) -> Any:
        return nodes.Return(*place, self.convert(node.value))

    def If(self, node: ast.If, place: tuple[int, int]) -> Any:
        parts = self.convert([node.test, node.body, node.orelse])
        return nodes.If(*place, *parts)

    def While(self, node: ast.While, place: tuple[int, int]) -> Any:
        return nodes.While(*place, *self.convert([node.test, node.body, node.orelse]))

    def For(self, node: Any, place: tuple[int, int]) -> Any:
        target, iterable = self.convert([node.target, node.iter])
        body, orelse = self.convert([node.body, node.orelse])
        is_async = isinstance(node, ast.AsyncFor)
        return nodes.For(*place, target, iterable, body, orelse, is_async)

    AsyncFor = For

    def With(self, node: Any, place: tuple[int, int]) -> Any:
        items, body = self.convert(node.items), self.convert(node.body)
        return nodes.With(*place, items, body, isinstance(node, ast.AsyncWith))

    AsyncWith = With

    def withitem(self, node: ast.withitem, place: tuple[int, int]) -> Any:
        return nodes.WithItem(*place, *self.convert([node.context_expr, node.optional_vars]))

    def Try(self, node: Any, place: tuple[int, int]) -> Any:
        parts = self.convert([node.body, node.handlers, node.orelse, node.finalbody])
        return nodes.Try(*place, *parts)

    TryStar = Try

    def ExceptHandler(self, node: ast.ExceptHandler, place: tuple[int, int]) -> Any:
        return nodes.Handler(*place, self.convert(node.type), node.name, self.convert(node.body))

    def Raise(self, node: ast.Raise, place: tuple[int, int]) -> Any:
        return nodes.Raise(*place, self.convert(node.exc), self.convert(node.cause))

    def Assert(self, node: ast.Assert, place: tuple[int, int]) -> Any:
        return nodes.Assert(*place, self.convert(node.test), self.convert(node.msg))

    def Delete(self, node: ast.Delete, place: tuple[int, int]) -> Any:
        return nodes.Delete(*place, self.convert(node.targets))

    def Global(self, node: ast.Global, place: tuple[int, int]) -> Any:
        return nodes.ScopeDeclaration(*place, "global", tuple(node.names))

    def Nonlocal(self, node: ast.Nonlocal, place: tuple[int, int]) -> Any:
        return nodes.ScopeDeclaration(*place, "nonlocal", tuple(node.names))

    def Import(self, node: ast.Import, place: tuple[int, int]) -> Any:
        return nodes.Import(*place, self.convert(node.names))

    def alias(self, node: ast.alias, place: tuple[int, int]) -> Any:
        return nodes.ImportName(*place, node.name, node.asname)

    def ImportFrom(self, node: ast.ImportFrom, place: tuple[int, int]) -> Any:
        return nodes.ImportFrom(*place, node.module or "", node.level, self.convert(node.names))

    def Break(self, node: ast.Break, place: tuple[int, int]) -> Any:
        return nodes.Break(*place)

    def Continue(self, node: ast.Continue, place: tuple[int, int]) -> Any:
        return nodes.Continue(*place)

    def Pass(self, node: ast.Pass, place: tuple[int, int]) -> Any:
        return nodes.Pass(*place)

    # --- match

    def Match(self, node: ast.Match, place: tuple[int, int]) -> Any:
        return nodes.Match(*place, self.convert(node.subject), self.convert(node.cases))

    def match_case(self, node: ast.match_case, place: tuple[int, int]) -> Any:
        return nodes.MatchCase(*place, *self.convert([node.pattern, node.guard, node.body]))

    def MatchValue(self, node: ast.MatchValue, place: tuple[int, int]) -> Any:
        return nodes.ValuePattern(*place, self.convert(node.value))

    def MatchSingleton(self, node: ast.MatchSingleton, place: tuple[int, int]) -> Any:
        return nodes.ValuePattern(*place, nodes.Constant(*place, node.value))

    def MatchSequence(self, node: ast.MatchSequence, place: tuple[int, int]) -> Any:
        return nodes.SequencePattern(*place, self.convert(node.patterns))

    def MatchStar(self, node: ast.MatchStar, place: tuple[int, int]) -> Any:
        return nodes.StarPattern(*place, node.name)

    def MatchMapping(self, node: ast.MatchMapping, place: tuple[int, int]) -> Any:
        keys, patterns = self.convert(node.keys), self.convert(node.patterns)
        return nodes.MappingPattern(*place, keys, patterns, node.rest)

    def MatchClass(self, node: ast.MatchClass, place: tuple[int, int]) -> Any:
        cls, positional, patterns = self.convert([node.cls, node.patterns, node.kwd_patterns])
        return nodes.ClassPattern(*place, cls, positional, tuple(node.kwd_attrs), patterns)

    def MatchAs(self, node: ast.MatchAs, place: tuple[int, int]) -> Any:
        return nodes.CapturePattern(*place, self.convert(node.pattern), node.name)

    def MatchOr(self, node: ast.MatchOr, place: tuple[int, int]) -> Any:
        return nodes.OrPattern(*place, self.convert(node.patterns))


def holds_yield(body: list[ast.stmt]) -> bool:
    """Whether a function with this body is a generator."""
    pending: list[ast.AST] = list(body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            pending += [*node.decorator_list, *node.args.defaults]
            pending += [default for default in node.args.kw_defaults if default]
        elif not isinstance(node, ast.Lambda):
            pending += ast.iter_child_nodes(node)
    return False


def differences(ours: Any, theirs: Any, with_ranges: bool = True, path: str = "") -> list[str]:
    """Where two trees differ, as paths of field names."""
    if type(ours) is not type(theirs):
        return [f"{path}: {ours!r:.80} instead of {theirs!r:.80}"]
    if isinstance(ours, tuple):
        if len(ours) != len(theirs):  # pyright: ignore[reportUnknownArgumentType]
            return [f"{path}: {ours!r:.80} instead of {theirs!r:.80}"]
        found: list[str] = []
        for index, (one, other) in enumerate(zip(ours, theirs, strict=True)):  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
            found += differences(one, other, with_ranges, f"{path}[{index}]")
        return found
    if not isinstance(ours, nodes.Node):
        same = ours == theirs or (ours != ours and theirs != theirs)
        return [] if same else [f"{path}: {ours!r:.80} instead of {theirs!r:.80}"]
    if isinstance(ours, nodes.FormattedString) and sys.version_info < (3, 12):
        # Python 3.11 misplaces what is inside an f-string.
        found = differences(ours.parts, theirs.parts, False, f"{path}.parts")
        if with_ranges and (ours.start, ours.end) != (theirs.start, theirs.end):
            found.append(f"{path}: {ours.start, ours.end} != {theirs.start, theirs.end}")
        return found
    found = []
    for field in fields(ours):
        is_offset = field.name in ("start", "end", "name_start")
        if is_offset and (not with_ranges or isinstance(ours, NO_RANGE)):
            continue
        inner = f"{path}.{type(ours).__name__}.{field.name}"
        one, other = getattr(ours, field.name), getattr(theirs, field.name)
        found += differences(one, other, with_ranges, inner)
    return found


def lowered(text: str) -> tuple[nodes.Statement, ...]:
    result = lower_text(text, Nesting(0))
    assert result.problem is None, result.problem
    return result.body


def assert_same_as_ast(text: str) -> None:
    reference = Reference(text)
    found = differences(lowered(text), reference.convert(reference.tree.body))
    assert not found, "\n".join(found[:10])


def package_files(*packages: str, every: int = 1) -> list[Path]:
    """Source files of installed packages, sampled."""
    files: list[Path] = []
    for package in packages:
        spec = importlib.util.find_spec(package)
        if spec is not None and spec.origin is not None:
            files += sorted(Path(spec.origin).parent.rglob("*.py"))
    return files[::every]
