"""The exceptions: JAX's classes with JAX's hierarchy, each with a code, a place and a hint.

Invariants:
- `except TypeError`, `except IndexError` and so on catch here what they catch in JAX.
- A message says what happened, where, what to write instead, and the code with the command that
  explains it.
- Importing this module imports nothing but the standard library and `oakum.values.codes`.
"""

from typing import ClassVar, Final

from oakum.values import codes
from oakum.values.codes import Code
from oakum.values.records import dataclass


@dataclass(frozen=True, slots=True)
class Frame:
    """A line of the user's program."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def elided(text: str, limit: int) -> str:
    """Returns the user's text as messages quote it: on one line of at most `limit` characters, its
    beginning and its end.

    >>> elided("losses.mean()", 40)
    'losses.mean()'
    >>> elided("jnp.abs(prediction - target).mean() > tolerance", 30)
    'jnp.abs(predictio... tolerance'
    """
    line = " ".join(text.split())
    if len(line) <= limit:
        return line
    kept = limit - 3
    tail = kept * 2 // 5
    return f"{line[: kept - tail]}...{line[len(line) - tail :]}"


_ENDS: Final = ". \n"


class OakumError(Exception):
    """The base of all errors of oakum: a code, the user's line and a hint.

    `code` is the row of the catalogue, `frame` the user's line or None, `detail` what else there is
    to know, `operands` the operands of the call as the user wrote them, None while nobody has
    looked, `excerpt` the text of the line, and `hint` one sentence that says what to write instead.

    >>> error = ShapeError("f32[3] and f32[4] do not broadcast", frame=Frame("train.py", 7))
    >>> error.code.code, error.frame.line
    ('OAK501', 7)
    >>> print(error)
    f32[3] and f32[4] do not broadcast.
    At train.py:7.
    Reshape, transpose or slice an operand so that the sizes agree.
    OAK501 shape-mismatch: oakum explain OAK501
    """

    default_code: ClassVar[Code] = codes.INTERNAL_ERROR

    def __init__(
        self,
        message: str,
        *,
        detail: str = "",
        code: Code | None = None,
        frame: Frame | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.detail = detail
        self.operands: str | None = None
        self.excerpt = ""
        self.code = self.default_code if code is None else code
        self.frame = frame
        self.hint = self.code.hint if hint is None else hint

    @property
    def sentence(self) -> str:
        """The message with the detail, without the last full stop."""
        return f"{self.message.rstrip(_ENDS)}. {self.detail}".rstrip(". ")

    def __str__(self) -> str:
        lines = [f"{self.sentence}."]
        if self.operands:
            lines.append(f"{self.operands}.")
        if self.frame is not None:
            lines.append(
                f"At {self.frame}:\n{self.excerpt}" if self.excerpt else f"At {self.frame}."
            )
        lines += [self.hint, f"{self.code.code} {self.code.name}: {self.code.command}"]
        return "\n".join(lines)


class JAXTypeError(OakumError, TypeError):
    """Base of the errors of JAX that are type errors."""


class JAXIndexError(OakumError, IndexError):
    """Base of the errors of JAX that are index errors."""


class ConcretizationTypeError(JAXTypeError):
    """An abstract value stands where a concrete one is needed."""

    default_code = codes.TRACED_STATIC_ARGUMENT


class TracerBoolConversionError(ConcretizationTypeError):
    """A tracer is asked whether it is true."""

    default_code = codes.TRACER_IN_BRANCH


class TracerArrayConversionError(JAXTypeError):
    """A tracer is converted to a NumPy array."""

    default_code = codes.NUMPY_CALL_ON_TRACER


class TracerIntegerConversionError(JAXTypeError):
    """A tracer is used where Python needs an integer."""

    default_code = codes.TRACER_IN_RANGE


class NonConcreteBooleanIndexError(JAXIndexError):
    """An array is indexed by a boolean mask that is not concrete."""

    default_code = codes.BOOLEAN_MASK_INDEX


class UnexpectedTracerError(JAXTypeError):
    """A tracer is used after its trace has ended, or in another trace."""

    default_code = codes.TRACER_IN_OUTER_CONTAINER


class KeyReuseError(JAXTypeError):
    """A random key is used twice."""

    default_code = codes.REUSED_KEY


class StaticArgumentError(OakumError, ValueError):
    """A traced value is passed for a static argument of a function that the user jitted."""

    default_code = codes.TRACED_STATIC_ARGUMENT


class BufferAssignmentError(OakumError, ValueError):
    """A traced value is stored in a NumPy array."""

    default_code = codes.ITEM_ASSIGNMENT


class JaxprTypeError(OakumError, TypeError):
    """A jaxpr is not well typed."""


class JaxRuntimeError(OakumError, RuntimeError):
    """The compiled program failed while it ran."""


class MiscompiledProgramError(JaxRuntimeError):
    """A compiled program computes something else than its evaluation: see `oakum_verify`."""

    default_code = codes.MISCOMPILED_PROGRAM


class InconclusiveDimensionOperation(OakumError):
    """An operation on symbolic dimensions has no answer that holds for all their values."""

    default_code = codes.DYNAMIC_SHAPE


class NotEvaluatedError(OakumError, NotImplementedError):
    """A function that is declared but not evaluated by this version is called."""

    default_code = codes.NOT_EVALUATED


class ShapeError(OakumError, TypeError, ValueError, IndexError):
    """Shapes do not fit an operation; JAX raises TypeError, ValueError or IndexError for it."""

    default_code = codes.SHAPE_MISMATCH


class DTypeError(OakumError, TypeError, ValueError):
    """Dtypes do not fit an operation; JAX raises TypeError or ValueError for it."""

    default_code = codes.DTYPE_MISMATCH


class InvalidValueError(OakumError, TypeError, ValueError):
    """A value that is no array and no number is given where one is needed; JAX raises TypeError or
    ValueError for it.
    """

    default_code = codes.DTYPE_MISMATCH


class DifferentiationRuleError(OakumError, NotImplementedError):
    """A function is differentiated through an operation that has no derivative."""

    default_code = codes.OPERATION_WITHOUT_RULE


class NoDerivativeError(DifferentiationRuleError, ValueError):
    """A function is differentiated by an operand by which it has no derivative."""


class TranspositionRuleError(OakumError, NotImplementedError):
    """A function is differentiated in reverse through an operation that has no transpose."""

    default_code = codes.OPERATION_WITHOUT_RULE


class BatchingRuleError(OakumError, NotImplementedError):
    """A function is mapped through an operation that has no batched form."""

    default_code = codes.OPERATION_WITHOUT_RULE


class LeakedTracerError(UnexpectedTracerError):
    """A tracer is alive after its trace has ended, and leaks are checked for.

    `stored` are the lines that stored such tracers, as far as they were found.
    """

    stored: tuple[Frame, ...] = ()


class DeletedArrayError(OakumError, RuntimeError):
    """An array is used after its data were freed or donated."""

    default_code = codes.DELETED_ARRAY


class DeviceMismatchError(OakumError, ValueError):
    """Operands are committed to different devices."""

    default_code = codes.DEVICE_MISMATCH


class AmbiguousTruthError(OakumError, ValueError):
    """An array of several elements is asked whether it is true."""

    default_code = codes.TRACER_IN_BOOLEAN_OPERATION


class ForwardModeError(DifferentiationRuleError, TypeError):
    """A function that has only a reverse rule is differentiated in forward mode."""


class MissingRuleError(OakumError, AttributeError):
    """A function that should have a derivative rule of its own has none yet."""

    default_code = codes.OPERATION_WITHOUT_RULE


class RuleResultError(OakumError, TypeError, ValueError):
    """A derivative rule returns something of another form than it has to."""

    default_code = codes.SHAPE_MISMATCH


class TreeError(OakumError, TypeError, ValueError):
    """Trees that have to have one structure differ."""

    default_code = codes.SHAPE_MISMATCH


class ArgumentCountError(OakumError, ValueError, TypeError):
    """A derivative is asked for of an argument that was not given."""

    default_code = codes.MISSING_STATIC_ARGUMENT


class DeviceCountError(OakumError, ValueError):
    """A function is mapped over more devices than there are."""

    default_code = codes.SHAPE_MISMATCH


class MappedAxisError(OakumError, ValueError):
    """The axes that a function is to be mapped over do not fit its arguments or results."""

    default_code = codes.SHAPE_MISMATCH


class TransposeSolveError(OakumError, TypeError):
    """A system is differentiated in reverse mode, and nothing solves the transposed one."""

    default_code = codes.OPERATION_WITHOUT_RULE


class PredicateError(OakumError, TypeError):
    """The predicate or index of a branch is not a scalar of an accepted dtype."""

    default_code = codes.DTYPE_MISMATCH


class PlatformError(OakumError, NotImplementedError):
    """There is no function for the platform that the program runs on."""


class BodyError(OakumError, TypeError):
    """A function given to a loop or a branch returns something of another form than it has to."""

    default_code = codes.CARRY_MISMATCH


class LoopValueError(OakumError, ValueError):
    """A loop, a branch or a scan gets arguments that do not fit one another."""

    default_code = codes.SHAPE_MISMATCH


class CallbackError(OakumError, ValueError, NotImplementedError):
    """A transformation that callbacks do not support."""

    default_code = codes.OPERATION_WITHOUT_RULE


class CallbackResultError(OakumError, RuntimeError, TypeError, ValueError):
    """A callback returns something else than it was declared to return."""

    default_code = codes.SHAPE_MISMATCH


class InvalidFormatError(OakumError, ValueError):
    """A format does not use the arguments that are given to it."""

    default_code = codes.FORMATTED_TRACER


class ReverseModeError(TranspositionRuleError, ValueError):
    """A loop of an unknown number of steps is differentiated in reverse mode."""

    default_code = codes.IRREVERSIBLE_LOOP


class LeadingAxisError(OakumError, ValueError, IndexError):
    """A value that `scan` iterates over has no leading axis."""

    default_code = codes.SHAPE_MISMATCH


class StaticSizeError(ConcretizationTypeError):
    """A number of steps is traced; the message says which, so that nothing has to restate it."""

    default_code = codes.TRACED_STATIC_ARGUMENT
    names_parameter: ClassVar[bool] = True


class CompositeError(OakumError, ValueError):
    """A composite is differentiated, which has no derivative of its own."""

    default_code = codes.OPERATION_WITHOUT_RULE


class PaddingNameError(OakumError, RuntimeError):
    """A padding has a name that is not known."""


class InvalidNumberError(OakumError, FloatingPointError):
    """An operation gives NaN or infinity, and the program asked to be stopped there."""

    default_code = codes.INVALID_NUMBER


class CompilationWarning(UserWarning):
    """A program is interpreted, as it could not be compiled (OAK008)."""


class CacheWarning(UserWarning):
    """Compiled code is not kept where other users may write (OAK010)."""
