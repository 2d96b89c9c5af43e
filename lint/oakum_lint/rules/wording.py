"""Wording that several rules share.

A message is a headline, notes and a hint. The headline begins in lower case, as those of compilers
do, names the user's own values, and has no full stop; the notes say how the value is traced, with
its aval, and which exception JAX raises; the hint is one sentence that says what to write instead.
"""

from oakum.errors import elided
from oakum_lint.domain.events import Event, Leak, Misfit
from oakum_lint.text.expressions import WEAK_AVAL

HEADLINE_LIMIT = 80
LONGEST_HEADLINE = 100
"""Of those with the engine's own reason, which is JAX's."""
_LONGEST_QUOTE = 28
_LONGEST_NAME = 40
_SHORTEST_NAME = 11


def headline(template: str, *names: str) -> str:
    """A headline with the user's names in the places of `{}`; where they are too long for one line,
    the longest are elided.

    >>> headline("`if` on traced value `{}`", "loss > 10.0")
    '`if` on traced value `loss > 10.0`'
    >>> headline("tracer `{}` leaks into outer list `{}`", "loss", "self.history" + "[0]" * 20)
    'tracer `loss` leaks into outer list `self.history[0][0][0]...0][0][0][0][0]`'
    """
    lines = [" ".join(name.split()) for name in names]
    room = HEADLINE_LIMIT - len(template) + len("{}") * len(lines)
    limit = _LONGEST_NAME
    while limit > _SHORTEST_NAME and sum(min(len(line), limit) for line in lines) > room:
        limit -= 1
    return template.format(*(elided(line, limit) for line in lines))


def weak_type_in(text: str) -> str:
    """The first aval of a weak type that a text names, or "".

    >>> weak_type_in("`lax.cond` branches differ: i32[] vs ~f32[]"), weak_type_in("`~x[0]` is -2")
    ('~f32[]', '')
    """
    found = WEAK_AVAL.search(text)
    return found[0] if found else ""


def traced(event: Event, consequence: str) -> str:
    """The note that says by what a value is traced, and what comes of it at run time.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place, n = Location("train.py", 1, 1, 1, 2), Operand("n", "i32[]")
    >>> event = Event(place, n, "jax.jit of `f`", (), "", (), None, False)
    >>> traced(event, "this raises TypeError")
    '`n` (i32[]) is traced by jax.jit of `f`: this raises TypeError'
    """
    return f"{event.operand} is traced by {event.trace}: {consequence}"


def shown(text: str) -> str:
    r"""The user's text for a container or function, on one line and of bounded length.

    >>> shown("state[\n    'mean'\n]")
    "state[ 'mean' ]"
    """
    return elided(text, _LONGEST_NAME)


def quoted(event: Event, otherwise: str) -> str:
    """The user's text for the traced value where it is short enough to stand inside other code.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> test = Operand("x > 0", "bool[]")
    >>> event = Event(place, test, "jit of `f`", (), "", (), None, False)
    >>> quoted(event, "test")
    'x > 0'
    """
    source = event.operand.source
    if not source or len(source) > _LONGEST_QUOTE:
        return otherwise
    return source


def stored(event: Leak) -> str:
    """The leaked value in words; where the event only knows the store, its aval alone.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> store = Operand("seen.append(h)", "f32[8]")
    >>> by_jit = (place, store, "jit of `f`", (), "", (), None, False)
    >>> stored(Leak(*by_jit, kind="list", target="seen", how="append"))
    'a value (f32[8])'
    """
    if _names_the_value(event):
        return str(event.operand)
    return f"a value ({event.operand.aval})" if event.operand.aval else "a value"


def leak(event: Leak, place: str) -> str:
    """The headline of a leak into a `place`, in which `{}` stands for the store.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> at, h = Location("train.py", 1, 1, 1, 2), Operand("h", "")
    >>> by_jit = (at, h, "jit of `f`", (), "", (), None, False)
    >>> leak(Leak(*by_jit, kind="global", target="last", how="="), "global `{}`")
    'tracer `h` leaks into global `last`'
    """
    if _names_the_value(event):
        return headline(f"tracer `{{}}` leaks into {place}", event.operand.source, event.target)
    return headline(f"tracer leaks into {place}", event.target)


def way_out(event: Leak) -> str:
    """How a traced value gets out of its trace, as the first half of a sentence.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> h = Operand("h", "")
    >>> by_scan = (place, h, "the body of lax.scan", (), "", (), None, False)
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
    if not source or source == elided(target, _LONGEST_NAME):
        return False
    return not source.startswith((f"{target}.", f"{target}[", f"{target} "))


def or_static(event: Event) -> str:
    """The end of a sentence that offers `static_argnames`, where it is jit that traces the value.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place = Location("train.py", 1, 1, 1, 2)
    >>> n = Operand("n", "i32[]")
    >>> or_static(Event(place, n, "vmap of `f`", (), "", (), None, False))
    ''
    """
    transform = event.trace.partition(" ")[0].rpartition(".")[2]
    if transform not in {"jit", "pjit"}:
        return ""
    source = event.operand.source
    if source.isidentifier():
        return f', or make the argument static (`static_argnames=("{source}",)`)'
    return ", or make the argument that it comes from static (`static_argnames`)"


def misfit(event: Misfit) -> tuple[str, tuple[str, ...]]:
    """The headline and the notes of operands that do not fit an operation.

    >>> from oakum_lint.text.finding import Location
    >>> from oakum_lint.domain.events import Operand
    >>> place, x, y = Location("a.py", 1, 1, 1, 2), Operand("x", "f32[3]"), Operand("y", "f32[4]")
    >>> shared = (place, x, "", (), "", (), None, False)
    >>> reason, detail = "Incompatible shapes for broadcasting: (3,) and (4,)", "Got f32[3], f32[4]"
    >>> headline, notes = misfit(Misfit(*shared, "shape", "+", (x, y), reason, detail, ""))
    >>> headline
    '`+`: Incompatible shapes for broadcasting: (3,) and (4,)'
    >>> notes[0]
    '`x` is f32[3], `y` is f32[4]'
    >>> notes[1]
    'this raises an error. Got f32[3], f32[4]'
    """
    function = "index" if event.function == "[]" else f"`{shown(event.function)}`"
    brief = _brief(event.reason, LONGEST_HEADLINE - len(f"{function}: "))
    operands = [f"`{each.source}` is {each.aval}" for each in event.given if each.source]
    outcome = "this raises an error" if brief == event.reason else f"this raises: {event.reason}"
    if event.detail:
        outcome = f"{outcome}. {event.detail}"
    return f"{function}: {brief}", (*((", ".join(operands),) if operands else ()), outcome)


def _brief(reason: str, room: int) -> str:
    """As much of a reason as a headline has room for: up to a stop in it, if that is enough."""
    if len(reason) <= room:
        return reason
    for mark in (". ", "; ", ": ", ", "):
        before = _cut_at(reason, mark)
        if before and len(before) <= room:
            return before
    return elided(reason, room)


def _cut_at(text: str, mark: str) -> str:
    """A text before the last mark that does not stand in brackets; "" where there is none."""
    at = text.rfind(mark)
    while at != -1:
        before = text[:at]
        if all(before.count(left) == before.count(right) for left, right in ("()", "[]", "{}")):
            return before
        at = text.rfind(mark, 0, at)
    return ""
