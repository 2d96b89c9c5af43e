"""Methods of text, and `str.format`."""

from string import Formatter

from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.doubts import note_stop
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.values import INT, STR, Constant, Scalar, TupleValue, Value, is_tracer
from oakum_lint.python.expressions.formatting import check_format
from oakum_lint.python.objects.containers import make_list
from oakum_lint.syntax import nodes

CHANGING = frozenset(
    """
    capitalize casefold lower lstrip removeprefix removesuffix rstrip strip swapcase title upper
    """.split()
)
"""Methods that make a text of a text, and of no more than another one."""


def text_method(
    machine: Machine, text: str, name: str, arguments: Arguments, frame: Frame, node: nodes.Node
) -> Value:
    """The result of a method of a text; `text` is "" where it is unknown."""
    traced = any(is_tracer(value) for value in arguments.all_values())
    if name == "format":
        _check_str_format(machine, text, arguments, frame, node)
        return Scalar("str", traced)
    if name == "join":
        return Scalar("str", traced)
    if name in ("startswith", "endswith", "isdigit", "isalpha", "isidentifier"):
        return _text_test(text, name, arguments)
    if name in ("split", "rsplit", "splitlines"):
        return make_list(machine, None, STR, frame)
    if name in ("partition", "rpartition"):
        return TupleValue((STR,) * 3)
    if name == "encode":
        return Scalar("bytes")
    if name in CHANGING and text:
        passed = [value.value for value in arguments.positional if isinstance(value, Constant)]
        known = len(passed) == len(arguments.positional) and not arguments.keywords
        if known and arguments.complete and all(isinstance(value, str) for value in passed):
            return Constant(getattr(text, name)(*passed))
        return STR
    if name in ("find", "index", "count", "rfind"):
        return INT
    return STR


def _text_test(text: str, name: str, arguments: Arguments) -> Value:
    """`text.startswith(prefix)` and `text.endswith(suffix)` where both are known."""
    argument = arguments.get(0)
    if text and len(arguments.positional) == 1 and isinstance(argument, Constant):
        match name, argument.value:
            case "startswith", str(part):
                return Constant(text.startswith(part))
            case "endswith", str(part):
                return Constant(text.endswith(part))
            case _:
                pass
    return Scalar("bool")


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
        is_plain = field == "" or field.isdigit() or field.isidentifier()
        if value is None and is_plain and arguments.complete:
            note_stop(machine, frame, node)
        if value is not None and spec and not conversion:
            check_format(machine, value, place, frame, "str.format", spec)
