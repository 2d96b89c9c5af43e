"""Lowers parameter lists, argument lists and type parameters."""

from typing import Any, Literal

from oakum_lint.syntax import nodes
from oakum_lint.syntax.lowering.cursor import Cursor, identifier
from oakum_lint.syntax.lowering.dispatch import expression, optional
from oakum_lint.syntax.lowering.plain_tree import cst

Kind = Literal["positional_only", "positional", "var_positional", "keyword_only", "var_keyword"]


def lower_arguments(
    cursor: Cursor, arguments: Any
) -> tuple[tuple[nodes.Expression, ...], tuple[nodes.Keyword, ...]]:
    """Lowers the arguments of a call, or of a class definition, without their parentheses."""
    positional: list[nodes.Expression] = []
    keywords: list[nodes.Keyword] = []
    for argument in arguments:
        star = argument.star
        if star or argument.keyword is not None:
            start = cursor.skip()
            name = None
            if star:
                cursor.take_word(star)
            else:
                cursor.take_word(argument.keyword.value)
                name = identifier(argument.keyword.value)
                cursor.take_word("=")
            value = expression(cursor, argument.value)
            if star == "*":
                positional.append(nodes.Starred(start, cursor.position, value))
            else:
                keywords.append(nodes.Keyword(start, cursor.position, name, value))
        else:
            positional.append(expression(cursor, argument.value))
        if type(argument.comma) is cst.Comma:
            cursor.take_word(",")
    return tuple(positional), tuple(keywords)


def lower_parameters(cursor: Cursor, parameters: cst.Parameters) -> nodes.Parameters:
    """Lowers the parameters of a function or lambda, without parentheses or colon."""
    start = cursor.skip()
    end = start
    items: list[nodes.Parameter] = []

    def add(parameter: Any, kind: Kind, stars: int) -> None:
        nonlocal end
        cursor.take(stars) if stars else None
        items.append(_parameter(cursor, parameter, kind))
        end = cursor.position
        cursor.take_if(",")

    for parameter in parameters.posonly_params:
        add(parameter, "positional_only", 0)
    if isinstance(parameters.posonly_ind, cst.ParamSlash):
        cursor.take_word("/")
        end = cursor.position
        cursor.take_if(",")
    for parameter in parameters.params:
        add(parameter, "positional", 0)
    star = parameters.star_arg
    if isinstance(star, cst.Param):
        add(star, "var_positional", 1)
    elif isinstance(star, cst.ParamStar):
        cursor.take_word("*")
        cursor.take_word(",")
    for parameter in parameters.kwonly_params:
        add(parameter, "keyword_only", 0)
    if parameters.star_kwarg is not None:
        add(parameters.star_kwarg, "var_keyword", 2)
    return nodes.Parameters(start, end, tuple(items))


def _parameter(cursor: Cursor, parameter: cst.Param, kind: Kind) -> nodes.Parameter:
    start = cursor.take_word(parameter.name.value)
    name = identifier(parameter.name.value)
    annotation = default = None
    if parameter.annotation is not None:
        cursor.take_word(":")
        annotation = expression(cursor, parameter.annotation.annotation)
    end = cursor.position
    if parameter.default is not None:
        cursor.take_word("=")
        default = expression(cursor, parameter.default)
    return nodes.Parameter(start, end, name, kind, default, annotation)


def skip_type_parameters(cursor: Cursor, parameters: cst.TypeParameters | None) -> None:
    """Goes over `[T: bound = default, *Ts, **P]`, which the analysis has no use for."""
    if parameters is None:
        return
    cursor.take_word("[")
    for item in parameters.params:
        parameter = item.param
        if isinstance(parameter, cst.TypeVarTuple):
            cursor.take_word("*")
        elif isinstance(parameter, cst.ParamSpec):
            cursor.take_word("**")
        cursor.take_word(parameter.name.value)
        if isinstance(parameter, cst.TypeVar) and parameter.bound is not None:
            cursor.take_word(":")
            expression(cursor, parameter.bound)
        if item.default is not None:
            cursor.take_word("=")
            if item.star:
                cursor.take_word("*")
            optional(cursor, item.default)
        cursor.take_if(",")
    cursor.take_word("]")
