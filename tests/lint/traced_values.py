"""What the interpreter makes of expressions under `jit`, and what the engine makes of them."""

import warnings
from collections.abc import Callable, Sequence
from functools import partial
from textwrap import dedent
from typing import cast

import numpy as np
from oakum_as_jax import oakum_as_jax
from python_values import FILE, show

import oakum as jax
from oakum import dtypes
from oakum.values.avals import ShapedArray
from oakum.values.records import replace
from oakum_lint.app.distribution.deep_thread import run_deep
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.project import Project
from oakum_lint.driver import PARTS, interpret_bodies
from oakum_lint.syntax import nodes
from oakum_lint.syntax.module import ModuleFacts
from oakum_lint.text.finding import Location
from oakum_lint.text.source import Source

OPERANDS = {
    "x": "jnp.ones((3, 4))",
    "v": "jnp.ones(3)",
    "v4": "jnp.ones(4)",
    "m": "jnp.eye(3)",
    "s": "jnp.float32(1)",
    "i": "jnp.arange(3)",
    "s0": "jnp.int32(1)",
    "b": "jnp.ones(3, bool)",
    "z": "jnp.ones(3, 'complex64')",
    "key": "jax.random.key(0)",
}
"""What the expressions are made of, by name."""


def program_of(head: str, cases: Sequence[str], call: str) -> str:
    """A module with a function of all operands for each expression, and its call under `jit`, or
    under what `call` names.
    """
    parts = [dedent(head)]
    passed = ", ".join(OPERANDS.values())
    for number, case in enumerate(cases):
        parts.append(f"\n\ndef case_{number}({', '.join(OPERANDS)}):\n    return {case}\n")
        parts.append(f"\n\n{call}(case_{number})({passed})\n")
    return "".join(parts)


def traced(head: str, cases: Sequence[str]) -> list[str]:
    """What the engine traces, in the notation of the linter."""
    shown: list[str] = []

    def tracing(case: Callable[..., object]) -> Callable[..., object]:
        def record(*operands: object) -> int:
            shown.append(described(case(*operands)))
            return 0

        return partial(jax.eval_shape, record)

    found: dict[str, object] = {"tracing": tracing}
    with oakum_as_jax(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(program_of(head, cases, "tracing"), found)
    return shown


def described(value: object) -> str:
    """A value of a running program as the linter writes it."""
    match value:
        case np.ndarray() | np.generic():
            host = cast("np.ndarray[tuple[int, ...], np.dtype[np.generic]]", value)
            return f"numpy {ShapedArray(host.shape, dtypes.find(host.dtype.name), False)}"
        case np.dtype():
            return f"dtype {value}"
        case jax.Array():
            return str(value.aval)
        case tuple() | list():
            parts = [described(each) for each in cast("Sequence[object]", value)]
            if isinstance(value, list):
                return f"[{', '.join(parts)}]"
            names: tuple[str, ...] | None = getattr(cast("object", value), "_fields", None)
            if names is not None:
                pairs = (f"{name}={part}" for name, part in zip(names, parts, strict=True))
                return f"{type(cast('object', value)).__name__}({', '.join(pairs)})"
            return f"({', '.join(parts)}{',' * (len(parts) == 1)})"
        case dict():
            entries = cast("dict[object, object]", value).items()
            return f"{{{', '.join(f'{key!r}: {described(held)}' for key, held in entries)}}}"
        case _:
            return repr(value)


def interpreted_under_jit(head: str, cases: Sequence[str]) -> list[str]:
    """What the interpreter knows of the same."""
    shown: dict[str, str] = {}

    def observe(machine: Machine, node: nodes.Return, frame: Frame) -> None:
        function = frame.called.function
        if function is not None and function.name.startswith("case_"):
            shown[function.name] = show(machine, frame.flow.returns[-1])

    _observe_returns(program_of(head, cases, "jax.jit"), observe)
    return [shown.get(f"case_{number}", "nothing") for number in range(len(cases))]


def interpreted_in_branches(head: str, cases: Sequence[str]) -> list[str]:
    """What the interpreter knows of expressions under `jit`, all in one function: each is returned
    in a branch that may be taken.
    """
    passed = ", ".join(OPERANDS.values())
    text = f"{head}\n\ndef case({', '.join(OPERANDS)}):\n"
    numbers: dict[int, int] = {}
    for number, case in enumerate(cases):
        text += "    if elsewhere.choose():\n        "
        numbers[len(text)] = number
        text += f"return {case}\n"
    shown: dict[int, str] = {}

    def observe(machine: Machine, node: nodes.Return, frame: Frame) -> None:
        number = numbers.get(frame.unit.base + node.start)
        if number is not None:
            shown[number] = show(machine, frame.flow.returns[-1])

    _observe_returns(f"{text}\n\njax.jit(case)({passed})\n", observe)
    return [shown.get(number, "nothing") for number in range(len(cases))]


def _observe_returns(text: str, observe: Callable[[Machine, nodes.Return, Frame], None]) -> None:
    """Interprets a program, and shows each return statement that is run."""
    facts = ModuleFacts(Source(FILE, text))

    def observed(machine: Machine, node: nodes.Return, frame: Frame) -> bool:
        goes_on = PARTS.statements[nodes.Return](machine, node, frame)
        observe(machine, node, frame)
        return goes_on

    def emit(_event: Event) -> None:
        """Passes over what is reported."""

    def fail(_place: Location, what: str, error: Exception) -> None:
        raise AssertionError(what) from error

    def work() -> None:
        project = Project([FILE], lambda _path: facts)
        module = project.module_at(FILE)
        assert module is not None
        parts = replace(PARTS, statements={**PARTS.statements, nodes.Return: observed})
        interpret_bodies(project, [module], emit, fail, parts=parts).run_groups()

    run_deep(work)
