"""Methods of text, and `str.format`."""

from string import Formatter

from oakum_lint.facts import nodes
from oakum_lint.interp.arguments import Arguments
from oakum_lint.interp.formatting import check_format
from oakum_lint.interp.frames import Frame
from oakum_lint.interp.machine import Machine
from oakum_lint.interp.values import INT, STR, Constant, Scalar, TupleValue, Value, is_tracer


def text_method(
    machine: Machine, text: str, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    traced = any(is_tracer(value) for value in arguments.all_values())
    if name == "format":
        _check_str_format(machine, text, arguments, frame, node)
        return Scalar("str", traced)
    if name == "join":
        return Scalar("str", traced)
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isidentifier"):
        if text and len(arguments.positional) == 1:
            argument = arguments.positional[0]
            if isinstance(argument, Constant) and isinstance(argument.value, str):
                if name == "startswith":
                    return Constant(text.startswith(argument.value))
                if name == "endswith":
                    return Constant(text.endswith(argument.value))
        return Scalar("bool")
    if name in ("split", "rsplit", "splitlines", "partition", "rpartition"):
        return TupleValue(None, STR)
    if name in ("lower", "upper", "strip") and text and not arguments.positional:
        return Constant(getattr(text, name)())
    if name in ("find", "index", "count", "rfind"):
        return INT
    return STR


def _check_str_format(
    machine: Machine, text: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """`"{:.2f}".format(x)` with a tracer for a field that has a spec."""

    try:
        fields = list(Formatter().parse(text))
    except ValueError:
        return
    position = 0
    for _, field, spec, conversion in fields:
        if field is None:
            continue
        value: Value | None
        if field == "" or field.isdigit():
            index = position if field == "" else int(field)
            position += 1
            value, place = arguments.get(index), arguments.place(index, "", node)
        else:
            value, place = arguments.keywords.get(field), arguments.place(-1, field, node)
        if value is not None and spec and not conversion:
            check_format(machine, value, place, frame, "str.format", spec)
