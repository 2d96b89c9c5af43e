"""Lowers tuples, lists, sets and dicts written out, and comprehensions."""

from typing import Any, Final, Literal

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor
from oakum_lint.syntax.lowering.dispatch import Leaf, expression
from oakum_lint.syntax.lowering.plain_tree import cst


def _elements(cursor: Cursor, elements: Any) -> tuple[nodes.Expression, ...]:
    result: list[nodes.Expression] = []
    for element in elements:
        starred = type(element) is cst.StarredElement
        result.append(expression(cursor, element if starred else element.value))
        if type(element.comma) is cst.Comma:
            cursor.take_word(",")
    return tuple(result)


def _tuple(cursor: Cursor, node: cst.Tuple, start: int) -> nodes.Expression:
    elements = _elements(cursor, node.elements)
    return nodes.Display(start, cursor.position, "tuple", elements)


def _list(cursor: Cursor, node: cst.List, start: int) -> nodes.Expression:
    cursor.position = start + 1
    elements = _elements(cursor, node.elements)
    cursor.take_word("]")
    return nodes.Display(start, cursor.position, "list", elements)


def _set(cursor: Cursor, node: cst.Set, start: int) -> nodes.Expression:
    cursor.position = start + 1
    elements = _elements(cursor, node.elements)
    cursor.take_word("}")
    return nodes.Display(start, cursor.position, "set", elements)


def _dict(cursor: Cursor, node: cst.Dict, start: int) -> nodes.Expression:
    cursor.position = start + 1
    keys: list[nodes.Expression | None] = []
    values: list[nodes.Expression] = []
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            keys.append(expression(cursor, element.key))
            cursor.take_word(":")
        else:
            keys.append(None)
            cursor.take_word("**")
        values.append(expression(cursor, element.value))
        if type(element.comma) is cst.Comma:
            cursor.take_word(",")
    cursor.take_word("}")
    return nodes.DictDisplay(start, cursor.position, tuple(keys), tuple(values))


def _clauses(cursor: Cursor, first: cst.CompFor) -> tuple[nodes.ComprehensionFor, ...]:
    result: list[nodes.ComprehensionFor] = []
    clause: cst.CompFor | None = first
    while clause is not None:
        start = cursor.skip()
        is_async = clause.asynchronous is not None
        if is_async:
            cursor.take_word("async")
        cursor.take_word("for")
        target = expression(cursor, clause.target)
        cursor.take_word("in")
        iterable = expression(cursor, clause.iter)
        tests: list[nodes.Expression] = []
        for test in clause.ifs:
            cursor.take_word("if")
            tests.append(expression(cursor, test.test))
        end = cursor.position
        result.append(nodes.ComprehensionFor(start, end, target, iterable, tuple(tests), is_async))
        clause = clause.inner_for_in
    return tuple(result)


def _comprehension(kind: Literal["list", "set", "generator"], brackets: int) -> Leaf:
    def lower(cursor: Cursor, node: Any, start: int) -> nodes.Expression:
        cursor.position = start + brackets
        element = expression(cursor, node.elt)
        clauses = _clauses(cursor, node.for_in)
        if brackets:
            cursor.take(1)
        return nodes.Comprehension(start, cursor.position, kind, element, None, clauses)

    return lower


def _dict_comprehension(cursor: Cursor, node: cst.DictComp, start: int) -> nodes.Expression:
    cursor.position = start + 1
    key = expression(cursor, node.key)
    cursor.take_word(":")
    value = expression(cursor, node.value)
    clauses = _clauses(cursor, node.for_in)
    cursor.take_word("}")
    return nodes.Comprehension(start, cursor.position, "dict", key, value, clauses)


def _starred_dict_comprehension(cursor: Cursor, node: Any, start: int) -> nodes.Expression:
    """Lowers `{**a for a in b}`: the element is starred, and there is no value."""
    cursor.position = start + 1
    star = cursor.take_word("**")
    value = expression(cursor, node.value)
    element = nodes.Starred(star, cursor.position, value)
    clauses = _clauses(cursor, node.for_in)
    cursor.take_word("}")
    return nodes.Comprehension(start, cursor.position, "dict", element, None, clauses)


DISPLAYS: Final[dict[type[cst.CSTNode], Leaf]] = {
    cst.Tuple: _tuple,
    cst.List: _list,
    cst.Set: _set,
    cst.Dict: _dict,
    cst.ListComp: _comprehension("list", 1),
    cst.SetComp: _comprehension("set", 1),
    cst.GeneratorExp: _comprehension("generator", 0),
    cst.DictComp: _dict_comprehension,
    cst.StarredDictComp: _starred_dict_comprehension,
}
