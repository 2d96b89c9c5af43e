"""Wording that several rules share: how a hint names a value, and how a value leaves its trace."""

from oakum_lint.domain.events import Event, Leak, Misfit

_LONGEST_QUOTE = 28
_LONGEST_NAME = 40


def shown(text: str) -> str:
    r"""The user's text for a container or function, on one line and of bounded length.

    >>> shown("state[\n    'mean'\n]")
    "state[ 'mean' ]"
    """
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_NAME else f"{line[: _LONGEST_NAME - 3]}..."


def quoted(event: Event, otherwise: str) -> str:
    """The user's text for the traced value where it is short enough to stand inside other code.

    >>> from oakum_lint.text.finding import Confidence, Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> test = Operand("x > 0", "bool[]")
    >>> event = Event(place, test, "jit of `f`", Confidence.PROVED, "", (), False)
    >>> quoted(event, "test")
    'x > 0'
    """
    source = event.operand.source
    if not source or len(source) > _LONGEST_QUOTE or source.endswith("..."):
        return otherwise
    return source


def stored(event: Leak) -> str:
    """The leaked value in words; where the event only knows the store, its aval alone.

    >>> from oakum_lint.text.finding import Confidence, Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> store = Operand("seen.append(h)", "f32[8]")
    >>> by_jit = (place, store, "jit of `f`", Confidence.PROVED, "", (), False)
    >>> stored(Leak(*by_jit, kind="list", target="seen", how="append"))
    'a value (f32[8])'
    """
    if _names_the_value(event):
        return str(event.operand)
    return f"a value ({event.operand.aval})" if event.operand.aval else "a value"


def way_out(event: Leak) -> str:
    """How a traced value gets out of its trace, as the first half of a sentence.

    >>> from oakum_lint.text.finding import Confidence, Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> h = Operand("h", "")
    >>> by_scan = (place, h, "the body of lax.scan", Confidence.PROVED, "", (), False)
    >>> way_out(Leak(*by_scan, kind="list", target="seen", how="append"))
    'Return `h` in the second result of the body, which scan stacks'
    """
    text = quoted(event, "") if _names_the_value(event) else ""
    value = f"`{text}`" if text else "the value"
    match event.trace:
        case trace if "scan" in trace:
            return f"Return {value} in the second result of the body, which scan stacks"
        case trace if "while_loop" in trace or "fori_loop" in trace:
            return f"Make {value} a part of the loop's carry"
        case trace if "grad" in trace:
            return f"Return {value} as an auxiliary result (`has_aux=True`)"
        case _:
            return f"Return {value} from the traced function"


def _names_the_value(event: Leak) -> bool:
    source, target = event.operand.source, event.target
    return source != target and not source.startswith((f"{target}.", f"{target}[", f"{target} "))


def or_static(event: Event) -> str:
    """The end of a sentence that offers `static_argnames`, where it is jit that traces the value.

    >>> from oakum_lint.text.finding import Confidence, Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> n = Operand("n", "i32[]")
    >>> or_static(Event(place, n, "vmap of `f`", Confidence.PROVED, "", (), False))
    ''
    """
    transform = event.trace.partition(" ")[0].rpartition(".")[2]
    if transform not in {"jit", "pjit"}:
        return ""
    source = event.operand.source
    if source.isidentifier():
        return f', or make the argument static (`static_argnames=("{source}",)`)'
    return ", or make the argument that it comes from static (`static_argnames`)"


def misfit(event: Misfit) -> str:
    """What an operation is given that its operands cannot be, in words.

    >>> from oakum_lint.text.finding import Confidence, Location
    >>> from oakum_lint.domain.events import Operand
    >>> place, x, y = Location("a.py", 1, 1, 1, 2), Operand("x", "f32[3]"), Operand("y", "f32[4]")
    >>> shared = (place, x, "", Confidence.PROVED, "", (), False)
    >>> misfit(Misfit(*shared, "shape", "+", (x, y), "they do not broadcast", ""))
    '`+` is given `x` (f32[3]) and `y` (f32[4]): they do not broadcast, so this raises an error'
    """
    operands = [str(each) if each.source else each.aval for each in event.given]
    function = "the index" if event.function == "[]" else f"`{shown(event.function)}`"
    given = ""
    if operands:
        *most, last = operands
        given = f" is given {', '.join(most)}{' and ' if most else ''}{last}"
    return f"{function}{given}: {event.reason}, so this raises an error"
