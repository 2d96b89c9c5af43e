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

    def __init_subclass__(cls, *, code: Code | None = None) -> None:
        """Gives a class of errors the row of the catalogue that its errors have if they state none;
        without one, it has that of the class above it.
        """
        super().__init_subclass__()
        if code is not None:
            cls.default_code = code

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


class ConcretizationTypeError(JAXTypeError, code=codes.TRACED_STATIC_ARGUMENT):
    """An abstract value stands where a concrete one is needed."""


class TracerBoolConversionError(ConcretizationTypeError, code=codes.TRACER_IN_BRANCH):
    """A tracer is asked whether it is true."""


class TracerArrayConversionError(JAXTypeError, code=codes.NUMPY_CALL_ON_TRACER):
    """A tracer is converted to a NumPy array."""


class TracerIntegerConversionError(JAXTypeError, code=codes.TRACER_IN_RANGE):
    """A tracer is used where Python needs an integer."""


class NonConcreteBooleanIndexError(JAXIndexError, code=codes.BOOLEAN_MASK_INDEX):
    """An array is indexed by a boolean mask that is not concrete."""


class UnexpectedTracerError(JAXTypeError, code=codes.TRACER_IN_OUTER_CONTAINER):
    """A tracer is used after its trace has ended, or in another trace."""


class KeyReuseError(JAXTypeError, code=codes.REUSED_KEY):
    """A random key is used twice."""


class StaticArgumentError(OakumError, ValueError, code=codes.TRACED_STATIC_ARGUMENT):
    """A traced value is passed for a static argument of a function that the user jitted."""


class BufferAssignmentError(OakumError, ValueError, code=codes.ITEM_ASSIGNMENT):
    """A traced value is stored in a NumPy array."""


class JaxprTypeError(OakumError, TypeError):
    """A jaxpr is not well typed."""


class JaxRuntimeError(OakumError, RuntimeError):
    """The compiled program failed while it ran."""


class MiscompiledProgramError(JaxRuntimeError, code=codes.MISCOMPILED_PROGRAM):
    """A compiled program computes something else than its evaluation: see `oakum_verify`."""


class InconclusiveDimensionOperation(OakumError, code=codes.DYNAMIC_SHAPE):
    """An operation on symbolic dimensions has no answer that holds for all their values."""


class NotEvaluatedError(OakumError, NotImplementedError, code=codes.NOT_EVALUATED):
    """A function that is declared but not evaluated by this version is called."""


class ShapeError(OakumError, TypeError, ValueError, IndexError, code=codes.SHAPE_MISMATCH):
    """Shapes do not fit an operation; JAX raises TypeError, ValueError or IndexError for it."""


class OutOfBoundsError(ShapeError, code=codes.OUT_OF_BOUNDS_INDEX):
    """An index is beyond the end of an array, and JAX, too, raises: the axis has no elements, or
    `jax_check_static_indices` is on.
    """


class DTypeError(OakumError, TypeError, ValueError, code=codes.DTYPE_MISMATCH):
    """Dtypes do not fit an operation; JAX raises TypeError or ValueError for it."""


class TypePromotionError(DTypeError, code=codes.DTYPE_PROMOTION):
    """Dtypes differ where the program forbids that they are brought together."""


class InvalidValueError(OakumError, TypeError, ValueError, code=codes.DTYPE_MISMATCH):
    """A value that is no array and no number is given where one is needed; JAX raises TypeError or
    ValueError for it.
    """


class DifferentiationRuleError(OakumError, NotImplementedError, code=codes.OPERATION_WITHOUT_RULE):
    """A function is differentiated through an operation that has no derivative."""


class NoDerivativeError(DifferentiationRuleError, ValueError):
    """A function is differentiated by an operand by which it has no derivative."""


class TranspositionRuleError(OakumError, NotImplementedError, code=codes.OPERATION_WITHOUT_RULE):
    """A function is differentiated in reverse through an operation that has no transpose."""


class BatchingRuleError(OakumError, NotImplementedError, code=codes.OPERATION_WITHOUT_RULE):
    """A function is mapped through an operation that has no batched form."""


class FailedCheckError(ValueError):
    """A check of the user's has failed: `checkify.check`, or one that `checkify` adds."""


class UncollectedCheckError(OakumError, ValueError, code=codes.NOT_EVALUATED):
    """A check of `checkify` is in a traced function that `checkify` does not call."""


class LeakedTracerError(UnexpectedTracerError):
    """A tracer is alive after its trace has ended, and leaks are checked for.

    `stored` are the lines that stored such tracers, as far as they were found.
    """

    stored: tuple[Frame, ...] = ()


class DeletedArrayError(JaxRuntimeError, ValueError, code=codes.DELETED_ARRAY):
    """An array is used after its data were freed or donated."""


class DeviceMismatchError(OakumError, ValueError, code=codes.DEVICE_MISMATCH):
    """Operands are committed to different devices."""


class AmbiguousTruthError(OakumError, ValueError, code=codes.TRACER_IN_BOOLEAN_OPERATION):
    """An array of several elements is asked whether it is true."""


class ForwardModeError(DifferentiationRuleError, TypeError):
    """A function that has only a reverse rule is differentiated in forward mode."""


class MissingRuleError(OakumError, AttributeError, code=codes.OPERATION_WITHOUT_RULE):
    """A function that should have a derivative rule of its own has none yet."""


class RuleResultError(OakumError, TypeError, ValueError, code=codes.SHAPE_MISMATCH):
    """A derivative rule returns something of another form than it has to."""


class TreeError(OakumError, TypeError, ValueError, code=codes.SHAPE_MISMATCH):
    """Trees that have to have one structure differ."""


class ArgumentCountError(OakumError, ValueError, TypeError, code=codes.MISSING_STATIC_ARGUMENT):
    """A derivative is asked for of an argument that was not given."""


class DeviceCountError(OakumError, ValueError, code=codes.SHAPE_MISMATCH):
    """A function is mapped over more devices than there are."""


class MappedAxisError(OakumError, ValueError, code=codes.SHAPE_MISMATCH):
    """The axes that a function is to be mapped over do not fit its arguments or results."""


class TransposeSolveError(OakumError, TypeError, code=codes.OPERATION_WITHOUT_RULE):
    """A system is differentiated in reverse mode, and nothing solves the transposed one."""


class PredicateError(OakumError, TypeError, code=codes.DTYPE_MISMATCH):
    """The predicate or index of a branch is not a scalar of an accepted dtype."""


class PlatformError(OakumError, NotImplementedError):
    """There is no function for the platform that the program runs on."""


class BodyError(OakumError, TypeError, code=codes.CARRY_MISMATCH):
    """A function given to a loop or a branch returns something of another form than it has to."""


class LoopValueError(OakumError, ValueError, code=codes.SHAPE_MISMATCH):
    """A loop, a branch or a scan gets arguments that do not fit one another."""


class CallbackError(OakumError, ValueError, NotImplementedError, code=codes.OPERATION_WITHOUT_RULE):
    """A transformation that callbacks do not support."""


class CallbackResultError(JaxRuntimeError, TypeError, ValueError, code=codes.SHAPE_MISMATCH):
    """A callback returns something else than it was declared to return."""


class InvalidFormatError(OakumError, ValueError, code=codes.FORMATTED_TRACER):
    """A format does not use the arguments that are given to it."""


class ReverseModeError(TranspositionRuleError, ValueError, code=codes.IRREVERSIBLE_LOOP):
    """A loop of an unknown number of steps is differentiated in reverse mode."""


class LeadingAxisError(OakumError, ValueError, IndexError, code=codes.SHAPE_MISMATCH):
    """A value that `scan` iterates over has no leading axis."""


class StaticSizeError(ConcretizationTypeError, code=codes.TRACED_STATIC_ARGUMENT):
    """A number of steps is traced; the message says which, so that nothing has to restate it."""

    names_parameter: ClassVar[bool] = True


class CompositeError(OakumError, ValueError, code=codes.OPERATION_WITHOUT_RULE):
    """A composite is differentiated, which has no derivative of its own."""


class UnboundAxisError(OakumError, NameError, code=codes.UNBOUND_AXIS):
    """A collective operation names an axis that no transformation around it maps."""


class PaddingNameError(OakumError, RuntimeError):
    """A padding has a name that is not known."""


class InvalidNumberError(OakumError, FloatingPointError, code=codes.INVALID_NUMBER):
    """An operation gives NaN or infinity, and the program asked to be stopped there."""


class RetraceError(OakumError, RuntimeError, code=codes.RETRACED_IN_LOOP):
    """A line has a function traced more often than the program allows."""


class ImpureTraceError(OakumError, RuntimeError, code=codes.VARYING_TRACE):
    """A function is traced to another program the second time."""


class RepeatedTransferError(OakumError, RuntimeError, code=codes.REPEATED_TRANSFER):
    """A loop brings an array to the host in every step."""


class CompilationWarning(UserWarning):
    """A program is interpreted, as it could not be compiled (OAK008)."""


class CapturedConstantsWarning(UserWarning):
    """A compiled function holds large arrays that it read from outside (OAK705)."""


class CacheWarning(UserWarning):
    """Compiled code is not kept where other users may write (OAK010)."""


def unbound_axis(name: object, detail: str) -> UnboundAxisError:
    """Returns the error of an axis name that nothing around binds."""
    return UnboundAxisError(
        f"unbound axis name: {name}",
        detail=detail,
        hint=f"Map the function with `axis_name={name!r}`, by `vmap` or `pmap`, or by `shard_map` "
        "over an axis of this name.",
    )
