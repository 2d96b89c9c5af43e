"""What the interpreter makes of plain Python, in the words in which Python itself would show it."""

import re
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import dedent, indent

from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.domain.callables import ClassValue
from oakum_lint.domain.events import Event
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.look_ups import content_of, entries_of
from oakum_lint.domain.project import Project
from oakum_lint.domain.values import (
    NONE,
    Array,
    Choice,
    Constant,
    DTypeValue,
    HeapObject,
    Items,
    Place,
    Scalar,
    SliceValue,
    TupleValue,
    Value,
)
from oakum_lint.driver import interpret_bodies
from oakum_lint.python.statements.modules import load_name
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.source import Source

FILE = Path("/values/main.py")


def program_of(head: str, cases: Sequence[str]) -> str:
    """A module with a function for each case, whose last line is what the function returns, and a
    variable `r0`, `r1`, ... for what it has returned.
    """
    parts = [dedent(head)]
    for number, case in enumerate(cases):
        *lines, last = dedent(case).strip().splitlines()
        body = indent("\n".join([*lines, f"return {last}"]), "    ")
        parts.append(f"\n\ndef case_{number}():\n{body}\n\n\nr{number} = case_{number}()\n")
    return "".join(parts)


def computed(head: str, cases: Sequence[str]) -> list[str]:
    """What CPython computes, as `repr` shows it."""
    found: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)  # `1 is None`
        exec(program_of(head, cases), found)
    return [repr(found[f"r{number}"]) for number in range(len(cases))]


def interpreted(head: str, cases: Sequence[str]) -> list[str]:
    """What the interpreter knows of the same, as `repr` would show it; `int` for an integer whose
    value is not known, `?` for what is not known at all.
    """
    text = program_of(head, cases)
    facts = ModuleFacts(Source(FILE, text))
    shown: list[str] = []

    def emit(_event: Event) -> None:
        """Passes over what is reported."""

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise AssertionError(what) from error

    def work() -> None:
        project = Project([FILE], lambda _path: facts)
        module = project.module_at(FILE)
        assert module is not None
        interpretation = interpret_bodies(project, [module], emit, fail)
        interpretation.run_groups()
        machine = interpretation.machine
        for number in range(len(cases)):
            load_name(machine, module, f"r{number}")
            value = machine.read(module.scope, f"r{number}")
            shown.append("nothing" if value is None else show(machine, value))

    run_deep(work)
    return shown


def show(machine: Machine, value: Value) -> str:
    """A value as `repr` shows it, as far as it is known."""
    match value:
        case Constant():
            return repr(value.value)
        case Scalar(kind):
            return kind
        case TupleValue(None, rest):
            return f"tuple of {_count(value.length)}{show(machine, rest)}"
        case TupleValue(elements, cls=ClassValue(name=name, fields=fields)) if elements and fields:
            pairs = zip(fields, elements, strict=True)
            return f"{name}({', '.join(f'{f.name}={show(machine, each)}' for f, each in pairs)})"
        case TupleValue(elements) if elements is not None:
            parts = [show(machine, each) for each in elements]
            return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
        case SliceValue(lower, upper, step):
            return f"slice({', '.join(show(machine, each) for each in (lower, upper, step))})"
        case Choice(options):
            return " or ".join(sorted(show(machine, each) for each in options))
        case Array(aval):
            return f"numpy {aval}" if value.place is Place.HOST else str(aval)
        case DTypeValue(name):
            return f"dtype {name}"
        case HeapObject(kind="dict"):
            return _show_dict(machine, value)
        case HeapObject(kind="list" | "set" | "deque" | "iterator" | "generator"):
            return _show_items(machine, value, content_of(machine, value))
        case HeapObject(kind="instance"):
            name = "object" if value.cls is None else value.cls.name
            declared = [field.name for field in (value.cls and value.cls.fields) or ()]
            held = {key for key, _ in machine.store.held_by(value)}
            shown = [*(key for key in declared if key in held), *sorted(held.difference(declared))]
            parts = [f"{key}={_read(machine, value, key)}" for key in shown]
            return f"{name}({', '.join(parts)})"
        case _:
            return "?" if type(value).__name__ == "Unknown" else type(value).__name__


def _read(machine: Machine, owner: HeapObject, name: str) -> str:
    held = machine.read(owner, name)
    return "nothing" if held is None else show(machine, held)


def _count(number: int | None) -> str:
    return "" if number is None else f"{number} "


def _show_items(machine: Machine, owner: HeapObject, items: Items) -> str:
    if items.elements is None:
        return f"{owner.kind} of {_count(items.length)}{show(machine, items.rest)}"
    shown = [show(machine, each) for each in items.elements]
    inside = ", ".join(sorted(shown) if owner.kind == "set" else shown)
    match owner.kind:
        case "set":
            return f"{{{inside}}}" if inside else "set()"
        case "list":
            return f"[{inside}]"
        case "deque" if machine.read(owner, "maxlen") not in (None, NONE):
            return f"deque([{inside}], maxlen={_read(machine, owner, 'maxlen')})"
        case kind:
            return f"{kind}([{inside}])"


def _show_dict(machine: Machine, owner: HeapObject) -> str:
    entries = entries_of(machine, owner)
    parts = [f"{key!r}: {show(machine, held)}" for key, held in entries.known]
    if entries.rest is not None:
        parts.append(f"...: {show(machine, entries.rest)}")
    return f"{{{', '.join(parts)}}}"


Evaluation = Callable[[str, Sequence[str]], list[str]]
"""Says in words what each of some cases is worth, which begin with the same head."""


def differences(
    head: str, rows: Sequence[str], compute: Evaluation, interpret_: Evaluation
) -> list[str]:
    """Lists the cases that are interpreted as something else than what is computed, or than what is
    stated behind `#:` where less is known.
    """
    parts = [row.partition("  #: ") for row in rows]
    cases = [case for case, _, _ in parts]
    results = zip(parts, compute(head, cases), interpret_(head, cases), strict=True)
    return [
        f"{case}\n    interpreted: {found}\n    computed: {actual}"
        for (case, _, stated), actual, found in results
        if found != (stated or actual)
    ]


def sections(name: str) -> dict[str, str]:
    """The sections of a file of cases, by the names in the lines that they begin with; `head` is
    what the programs of all others begin with.
    """
    text = (Path(__file__).parent.parent / "python" / name).read_text()
    parts = re.split(r"^== (.+) ==\n", text, flags=re.MULTILINE)
    return {parts[i]: parts[i + 1].strip("\n") for i in range(1, len(parts), 2)}
