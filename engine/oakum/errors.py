"""The exceptions: JAX's classes with JAX's hierarchy, each with a code, a place and a hint.

Invariants:
- `except TypeError`, `except IndexError` and so on catch here what they catch in JAX.
- A message says what happened, where, what to write instead, and the code with the command that
  explains it.
- Importing this module imports nothing but the standard library and `oakum.values.codes`.
"""

from typing import ClassVar

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


class OakumError(Exception):
    """The base of all errors of oakum: a code, the user's line and a hint.

    `code` is the row of the catalogue, `frame` the user's line or None, `detail` what else there is
    to know, `operands` the operands of the call as the user wrote them, `hint` one sentence that
    says what to write instead.

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
        self.operands = ""
        self.code = self.default_code if code is None else code
        self.frame = frame
        self.hint = self.code.hint if hint is None else hint

    @property
    def sentence(self) -> str:
        """The message with the detail, without the last full stop."""
        return f"{self.message.rstrip('.')}. {self.detail}".rstrip(". ")

    def __str__(self) -> str:
        lines = [f"{self.sentence}."]
        if self.operands:
            lines.append(f"{self.operands}.")
        if self.frame is not None:
            lines.append(f"At {self.frame}.")
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
    """A traced value is given for a static argument of a function that the user jitted."""

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


class CompilationWarning(UserWarning):
    """A program is interpreted, as it could not be compiled (OAK008)."""


class CacheWarning(UserWarning):
    """Compiled code is not kept where other users may write (OAK010)."""
