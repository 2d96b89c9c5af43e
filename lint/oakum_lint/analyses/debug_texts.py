"""Texts of `jax.debug.print` that are made while the function is traced."""

from oakum.values.records import dataclass
from oakum_lint.domain.arguments import Arguments
from oakum_lint.domain.events import Event
from oakum_lint.domain.frames import Frame
from oakum_lint.domain.interpreter import Machine
from oakum_lint.domain.moments import Guest, Moments
from oakum_lint.domain.values import Array, External, Tree, is_tracer
from oakum_lint.models.operations import PRINTS_LATER
from oakum_lint.syntax import nodes


@dataclass(frozen=True, slots=True)
class TracedText(Event):
    """A traced value stands in an f-string that is the text of `function`, which prints later."""

    function: str


def _check_text(
    machine: Machine, function: External, _: Arguments, frame: Frame, node: nodes.Node
) -> None:
    """Reports an f-string with a traced value as the text."""
    if function.path not in PRINTS_LATER or frame.trace is None or not isinstance(node, nodes.Call):
        return
    named = [keyword.value for keyword in node.keywords if keyword.name == "fmt"]
    text = next(iter([*node.arguments, *named]), None)
    if not isinstance(text, nodes.FormattedString):
        return
    for part in text.parts:
        if isinstance(part, nodes.FormattedValue) and part.format_spec is None:
            value = machine.look(part.value, frame)
            if isinstance(value, Array | Tree) and is_tracer(value):
                spelled = frame.text(node.function)
                machine.emit(TracedText, frame, node, value, part.value, function=spelled)
                return


GUEST = Guest("debug_texts", Moments(library_call=(_check_text,)))
