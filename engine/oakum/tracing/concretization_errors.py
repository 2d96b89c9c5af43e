"""The errors of tracers that are used where a concrete value is needed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from oakum.array import Array
from oakum.array_operators import jnp
from oakum.errors import AmbiguousTruthError, OakumError, TracerArrayConversionError
from oakum.values import argument_errors, traceback_filtering, user_frames, uses
from oakum.values.binding import BindFailure, bind
from oakum.values.codes import TRACER_IN_OUTER_CONTAINER
from oakum.values.facts import Facts, StaticUse
from oakum.values.user_frames import UserFrame, running_frame
from oakum.values.uses import Use

if TYPE_CHECKING:
    from oakum.tracing import use_site
    from oakum.tracing.trace import Tracer

_CONSTRUCTS: Final = {
    Use.BOOL: "bool()",
    Use.INT: "int()",
    Use.FLOAT: "float()",
    Use.COMPLEX: "complex()",
    Use.ITEM: ".item()",
    Use.LIST: ".tolist()",
    Use.INDEX: "a Python operation that takes an integer",
    Use.ARRAY: "a NumPy function",
    Use.HASH: "hash()",
    Use.FORMAT: "format()",
    Use.ITEM_ASSIGNMENT: "the assignment",
    Use.BOOLEAN_INDEX: "x[mask]",
}

_ABSTRACT: Final = "Abstract tracer value encountered where concrete value is expected"

_METHODS: Final = {
    Use.BOOL: "Attempted boolean conversion of traced array with shape {aval}",
    Use.INT: f"{_ABSTRACT}: __int__() was called on traced array with shape {{aval}}",
    Use.FLOAT: f"{_ABSTRACT}: __float__() was called on traced array with shape {{aval}}",
    Use.COMPLEX: f"{_ABSTRACT}: __complex__() was called on traced array with shape {{aval}}",
    Use.ITEM: f"{_ABSTRACT}: item() was called on traced array with shape {{aval}}",
    Use.OPTION: f"{_ABSTRACT}: traced array with shape {{aval}}",
    Use.SIZE: f"{_ABSTRACT}: traced array with shape {{aval}}",
    Use.DYNAMIC_SIZE: f"{_ABSTRACT}: traced array with shape {{aval}}",
    Use.SHAPE: "Shapes must be 1D sequences of concrete values of integer type, got a traced array "
    "with shape {aval}",
    Use.INDEX: "The __index__() method was called on traced array with shape {aval}",
    Use.ARRAY: "The numpy.ndarray conversion method __array__() was called on traced array with "
    "shape {aval}",
    Use.HASH: "unhashable type: '{kind}'",
    Use.ITEM_ASSIGNMENT: "JAX arrays are immutable and do not support in-place item assignment",
    Use.FORMAT: "unsupported format string passed to {kind}.__format__",
}
"""What Python asked the tracer for, in the words that JAX has for it."""


def concretization_error(tracer: Tracer, use: Use, construct: str | None = None) -> OakumError:
    """Returns the error of a tracer in a use that needs its value.

    The user's line shows the construct: the same call to `bool` stands for a branch, a loop or an
    `and`, which have different codes.
    """
    from oakum.tracing import use_site

    running = running_frame()
    seen = None if running is None else use_site.find(use, tracer, tracer.source, running)
    use = seen.use if seen is not None else use
    if construct is None:
        construct = seen.text if seen is not None else _CONSTRUCTS.get(use, use.value)
    found = uses.error(
        use,
        construct=construct,
        operand=_operand(tracer, seen),
        frame=None if running is None else UserFrame(running.f_code, running.f_lasti).frame,
    )
    found.hint = _hint(use, tracer, seen)
    if use is Use.NUMPY_ITEM and seen is not None and seen.asked is Use.ARRAY:
        found = TracerArrayConversionError(
            found.message, code=found.code, frame=found.frame, hint=found.hint
        )
    if seen is not None and seen.code is not None:
        found.code, found.hint = seen.code, seen.code.hint
    if not tracer.owner.alive and not uses.TABLE[use].array:
        from oakum.tracing import leak_checker

        found.code, found.hint = TRACER_IN_OUTER_CONTAINER, leak_checker.HINT
        found.message = (
            f"{construct} needs the value of {_operand(tracer, seen)}, which was kept when the "
            "trace that it belongs to ended"
        )
    found.operands = ""  # The message names the value.
    method = _METHODS.get(seen.asked if seen is not None else use)
    if use is Use.LIST and construct.startswith("."):
        method = f"The {construct[1:]} method was called on traced array with shape {{aval}}"
    if method is not None:
        asked = method.format(aval=tracer.aval.str_short(), kind="Tracer")
        found.message = f"{asked}. {found.message}"
    origin = "" if uses.TABLE[use].array and tracer.owner.alive else _origin(tracer)
    if origin:
        found.message = f"{found.message}.\n{origin}"
    return found


def _hint(use: Use, tracer: Tracer, seen: use_site.Construct | None) -> str:
    """Returns what to write instead, with the user's own text where it is known."""
    value = (seen.operand if seen is not None else None) or getattr(tracer, "argument", None) or ""
    construct = seen.text if seen is not None else ""
    function = _NUMPY_CALL.match(construct)
    if use is Use.ARRAY and function is not None and _is_public(function[1]):
        return f"Write `jnp.{construct.partition('.')[2]}`."
    if use is Use.ITEM_ASSIGNMENT and isinstance(value, str) and construct.startswith(f"{value}["):
        return f"Write `{value} = {value}.at{construct.removeprefix(value)}.set(...)`."
    container = ""
    if construct.endswith(f"[{value}]"):
        container = construct.removesuffix(f"[{value}]").removesuffix(".at")
    return uses.hint(use, value, container=container, static=_or_static(tracer))


_NUMPY_CALL: Final = re.compile(r"(?:np|numpy)\.([\w.]+)\(")


def _is_public(name: str) -> bool:
    """Whether `jax.numpy` has a function of this dotted name."""
    found: object = jnp
    for part in name.split("."):
        found = getattr(found, part, None)
    return found is not None


def _or_static(tracer: Tracer) -> str:
    """Returns the offer to make the argument static that a value is, where jit traces it."""
    argument = getattr(tracer, "argument", None)
    if tracer.owner.transform != "jit" or not argument:
        return ""
    return f', or make the argument static (`static_argnames=("{argument}",)`)'


def immutable(array: Array) -> OakumError:
    """Returns the error of an assignment to an item of an array that is no tracer."""
    from oakum.tracing import use_site

    running = running_frame()
    use = Use.ITEM_ASSIGNMENT
    seen = None if running is None else use_site.find(use, array, (), running)
    name = seen.operand if seen is not None else None
    found = uses.error(use, construct="", operand="")
    kept = f"`{name}` ({array.aval})" if name else f"an array ({array.aval})"
    found.message = f"{_METHODS[use]}: {kept} stays as it is"
    found.operands = ""  # The message names the array.
    if name and seen is not None and seen.text.startswith(f"{name}["):
        found.hint = f"Write `{name} = {name}.at{seen.text.removeprefix(name)}.set(...)`."
    return found


def ambiguous_truth(tracer: Tracer) -> OakumError:
    """Returns the error of a tracer of several elements that is asked whether it is true: its value
    would not tell either.
    """
    found = concretization_error(tracer, Use.BOOL)
    text = "The truth value of an array with more than one element is ambiguous"
    return AmbiguousTruthError(
        f"{text}. {found.message}", code=found.code, frame=found.frame, hint=found.hint
    )


_STATIC: Final = {
    StaticUse.ARGUMENT: Use.OPTION,
    StaticUse.SHAPE: Use.SHAPE,
    StaticUse.SIZE: Use.SIZE,
}


def restate(
    facts: Facts, args: Sequence[object], kwargs: Mapping[str, object], error: Exception
) -> Exception:
    """Returns the error of a public function that was given a tracer for a static parameter, in
    terms of what the function declares; any other error, and one with `names_parameter`, as it is.
    """
    if not facts.static or not isinstance(error, (TypeError, ValueError, IndexError)):
        return error
    if getattr(error, "names_parameter", False):
        return error
    bound = bind(facts, args, kwargs)
    if isinstance(bound, BindFailure):
        return error
    for name, kind in facts.static.items():
        tracer = _abstract_tracer(bound.get(name))
        if tracer is not None:
            construct = f"{name} of oakum.{facts.name}()"
            found = concretization_error(tracer, _STATIC[kind], construct)
            found.__cause__ = error
            return found
    return error


def _abstract_tracer(value: Any) -> Any:
    """Returns the first tracer without a value in an argument, also in a tuple."""
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if isinstance(each, (tuple, list)):
            waiting += each
        elif hasattr(each, "owner") and each.concrete() is None:
            return each
    return None


def _operand(tracer: Tracer, seen: use_site.Construct | None) -> str:
    """Returns how a message names the value: the user's expression, or the argument's name."""
    name = (seen.operand if seen is not None else None) or getattr(tracer, "argument", None)
    return f"`{name}` ({tracer.aval})" if name else f"a traced value ({tracer.aval})"


def _origin(tracer: Tracer) -> str:
    """Returns the sentences that say where the value comes from; "" if that is not known."""
    trace = tracer.owner
    if trace.traced is None:
        return ""
    if not trace.alive:
        line = f" on line {tracer.source[0]}" if tracer.source else ""
        return (
            f"The value was made{line} while the function "
            f"{user_frames.place_of(trace.traced)} was traced for {trace.transform}"
        )
    where = f"while tracing the function {user_frames.place_of(trace.traced)} for {trace.transform}"
    argument = getattr(tracer, "argument", None)
    if argument:
        return (
            f"The error occurred {where}. This concrete value was not available in Python because "
            "it "
            f"depends on the value of the argument {argument}"
        )
    if tracer.source and not _is_running(tracer.source[0]):
        return f"The error occurred {where}. The value was computed on line {tracer.source[0]}"
    return f"The error occurred {where}"


def _is_running(made: UserFrame) -> bool:
    """Whether a value was made on the line that the error names anyway."""
    running = running_frame()
    if running is None or running.f_code is not made.code:
        return False
    return UserFrame(running.f_code, running.f_lasti).line == made.line


def _name_operands(facts: Facts, args: tuple[object, ...], kwargs: dict[str, object]) -> str:
    from oakum.tracing.excerpts import operand_names

    return operand_names(facts, args, kwargs)


def _locate(error: OakumError) -> None:
    from oakum.tracing.excerpts import locate  # Only errors pay for it.

    locate(error)


argument_errors.restate_by(restate)
traceback_filtering.locate_by(_locate)
argument_errors.name_operands_by(_name_operands)
