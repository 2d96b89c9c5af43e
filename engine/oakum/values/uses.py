"""The one table of uses that need a concrete value, which a traced value cannot serve.

Three kinds of values meet a use:

- An *abstract* tracer (jit, scan and the other control flow, vmap of a mapped argument) has no
  value; it fails in every use of the table.
- A *concrete* tracer (grad, jvp, vjp, linearize, outside of jit) carries a value that some uses may
  read. It is always of an inexact dtype: what is computed from it in booleans or integers, such as
  `x > 0`, is no tracer at all.
- A plain array (outside of every trace, or an argument that vmap does not map) fails only where no
  array is taken.

Invariants:
- The table is what JAX 0.10.2 does, which a test measures on JAX where that is installed.
- Every member of `Use` has a row.
"""

import enum
from typing import Final, Literal

from oakum import errors
from oakum.dtypes import DType, Kind
from oakum.errors import Frame, OakumError
from oakum.values import codes
from oakum.values.codes import Code
from oakum.values.records import dataclass

Tracedness = Literal["abstract", "concrete", "array"]
"""How a value is traced; see the module."""


class Use(enum.Enum):
    """A use that asks a value for what it is."""

    BOOL = "bool"
    """`bool(x)`, `not x`, `x and y`, `x in (1, 2)`, `max(x, 0)`, `0 < x < 1`."""
    BRANCH = "branch"
    """`if x:`, `y if x else z`, `assert x`."""
    LOOP = "loop"
    """`while x:`."""
    INT = "int"
    """`int(x)`."""
    FLOAT = "float"
    """`float(x)`, `math.sin(x)`, `math.floor(x)`."""
    COMPLEX = "complex"
    """`complex(x)`."""
    ITEM = "item"
    """`x.item()`."""
    LIST = "list"
    """`x.tolist()`, `x.tobytes()`, `pickle.dumps(x)`."""
    INDEX = "index"
    """`range(x)`, `operator.index(x)`, `bin(x)`."""
    SEQUENCE_INDEX = "sequence index"
    """`values[x]` and `values[:x]` of a list, tuple or string."""
    ARRAY = "array"
    """`np.asarray(x)`, `np.sin(x)`, `np.array([x])`."""
    NUMPY_INDEX = "numpy index"
    """`np_array[x]`."""
    NUMPY_ITEM = "numpy item"
    """`np_array[0] = x`."""
    HASH = "hash"
    """`hash(x)`, `{x: 1}`, `{x}`."""
    ITERATION = "iteration"
    """`for y in x` of a scalar; an array of one dimension or more can be iterated while traced."""
    FORMAT = "format"
    """`f"{x:.2f}"`, `format(x, ".2f")`."""
    PERCENT_INTEGER = "percent integer"
    """`"%d" % x`."""
    PERCENT_FLOAT = "percent float"
    """`"%.2f" % x`."""
    STATIC_ARGUMENT = "static argument"
    """An argument that the user's own `jit` declares static."""
    OPTION = "option"
    """An argument of a library function that has to be static: `axis=x`, `num_classes=x`."""
    SHAPE = "shape"
    """`jnp.zeros(x)`, `y.reshape(x, -1)`."""
    SIZE = "size"
    """`jnp.arange(x)`, `lax.scan(..., length=x)`."""
    BOOLEAN_INDEX = "boolean index"
    """`y[x > 0]`."""
    DYNAMIC_SIZE = "dynamic size"
    """`jnp.nonzero(x)`, `jnp.unique(x)`."""
    SLICE_BOUND = "slice bound"
    """`y[:x]`."""
    ITEM_ASSIGNMENT = "item assignment"
    """`x[0] = 1` on a JAX array."""


@dataclass(frozen=True, slots=True)
class Row:
    """The error and the message of one use when a traced value meets it.

    `error` is the class that is raised and `code` its row in the catalogue; `text` and `hint` are
    the two sentences of the message, in which `{construct}` stands for the user's spelling of the
    use and `{operand}` for the value. In the hint, `{value}` is the value's spelling, for which
    `stand_in` stands where it is long or not known, `{container}` what is indexed, and `{static}`
    the offer to make an argument static. `concrete` and `array` say whether a concrete tracer and a
    plain array fail too; None where it depends on the function called.
    """

    error: type[OakumError]
    code: Code
    text: str
    hint: str
    stand_in: str = "x"
    concrete: bool | None = False
    array: bool = False


_TRUTH: Final = "{construct} needs to know whether {operand} is true while it is traced"
_NUMBER: Final = "{construct} needs the number in {operand} while it is traced"

TABLE: Final[dict[Use, Row]] = {
    Use.BOOL: Row(
        errors.TracerBoolConversionError,
        codes.TRACER_IN_BOOLEAN_OPERATION,
        _TRUTH,
        "Use &, |, ~ with parentheses, or the jnp function: jnp.logical_and, jnp.maximum, jnp.any.",
    ),
    Use.BRANCH: Row(
        errors.TracerBoolConversionError,
        codes.TRACER_IN_BRANCH,
        _TRUTH,
        "Select with `jnp.where({value}, ..., ...)`, or branch with "
        "`jax.lax.cond({value}, on_true, on_false, *operands)`.",
        "test",
    ),
    Use.LOOP: Row(
        errors.TracerBoolConversionError,
        codes.TRACER_IN_LOOP_CONDITION,
        _TRUTH,
        "Loop with `jax.lax.while_loop(lambda carry: {value}, body, carry)`, where the carry holds "
        "everything that the loop changes.",
        "test",
    ),
    Use.INT: Row(
        errors.ConcretizationTypeError,
        codes.TRACER_TO_SCALAR,
        _NUMBER,
        "Keep it an array: `{value}.astype(int)`{static}.",
    ),
    Use.FLOAT: Row(
        errors.ConcretizationTypeError,
        codes.TRACER_TO_SCALAR,
        _NUMBER,
        "Keep it an array: `{value}.astype(float)`, and jnp functions instead of those of math.",
        concrete=True,
    ),
    Use.COMPLEX: Row(
        errors.ConcretizationTypeError,
        codes.TRACER_TO_SCALAR,
        _NUMBER,
        "Keep it an array: `{value}.astype(complex)`.",
        concrete=True,
    ),
    Use.ITEM: Row(
        errors.ConcretizationTypeError,
        codes.TRACER_TO_SCALAR,
        _NUMBER,
        "Keep it an array of shape (); arithmetic takes it as it is.",
    ),
    Use.LIST: Row(
        errors.ConcretizationTypeError,
        codes.TRACER_TO_SCALAR,
        "{construct} needs the numbers in {operand} while it is traced",
        "Keep it an array, or convert it outside the traced function.",
        concrete=True,
    ),
    Use.INDEX: Row(
        errors.TracerIntegerConversionError,
        codes.TRACER_IN_RANGE,
        "{construct} needs the integer in {operand} while it is traced",
        "Loop with `jax.lax.fori_loop(0, {value}, body, carry)`{static}.",
        "n",
        concrete=True,
    ),
    Use.SEQUENCE_INDEX: Row(
        errors.TracerIntegerConversionError,
        codes.SEQUENCE_INDEXED_BY_TRACER,
        "{construct} needs the integer in {operand} while it is traced",
        "Index an array, `jnp.asarray({container})[{value}]`; choose among functions with "
        "`jax.lax.switch({value}, functions, *operands)`.",
        "index",
        concrete=True,
    ),
    Use.ARRAY: Row(
        errors.TracerArrayConversionError,
        codes.NUMPY_CALL_ON_TRACER,
        "{construct} needs the numbers in {operand} while it is traced",
        "Call the jax.numpy function of that name.",
        concrete=True,
    ),
    Use.NUMPY_INDEX: Row(
        errors.TracerArrayConversionError,
        codes.NUMPY_ARRAY_INDEXED_BY_TRACER,
        "{construct} indexes a NumPy array, which needs the number in {operand} while it is traced",
        "Make it a JAX array first: `jnp.asarray({container})[{value}]`.",
        "index",
        concrete=True,
    ),
    Use.NUMPY_ITEM: Row(
        errors.BufferAssignmentError,
        codes.ITEM_ASSIGNMENT,
        "{construct} stores {operand}, which is traced, in a NumPy array",
        "Make the array with jnp, and write x = x.at[index].set(value).",
        concrete=True,
    ),
    Use.HASH: Row(
        errors.JAXTypeError,
        codes.HASHED_TRACER,
        "{construct} hashes {operand}, and arrays cannot be hashed",
        "Use a Python value as the key, or look up with an array index.",
        concrete=True,
        array=True,
    ),
    Use.ITERATION: Row(
        errors.ShapeError,
        codes.SHAPE_MISMATCH,
        "{construct} iterates over {operand}, a scalar",
        "Iterate over an array of one dimension or more, or use jax.lax.fori_loop.",
        concrete=True,
        array=True,
    ),
    Use.FORMAT: Row(
        errors.JAXTypeError,
        codes.FORMATTED_TRACER,
        "{construct} formats the number in {operand} while it is traced",
        "Print with jax.debug.print, or format outside the traced function.",
        concrete=True,
    ),
    Use.PERCENT_INTEGER: Row(
        errors.JAXTypeError,
        codes.FORMATTED_TRACER,
        "{construct} formats the number in {operand} while it is traced",
        "Print with jax.debug.print, or format outside the traced function.",
    ),
    Use.PERCENT_FLOAT: Row(
        errors.ConcretizationTypeError,
        codes.FORMATTED_TRACER,
        "{construct} formats the number in {operand} while it is traced",
        "Print with jax.debug.print, or format outside the traced function.",
        concrete=True,
    ),
    Use.STATIC_ARGUMENT: Row(
        errors.StaticArgumentError,
        codes.TRACED_STATIC_ARGUMENT,
        "{construct} is static, and gets {operand}, an array, which cannot be hashed",
        "Pass a Python value, or drop the parameter from static_argnums and static_argnames.",
        concrete=True,
        array=True,
    ),
    Use.OPTION: Row(
        errors.ConcretizationTypeError,
        codes.TRACED_STATIC_ARGUMENT,
        "{construct} has to be known while tracing, and gets {operand}, which is traced",
        "Pass a Python value, and mark the parameter with static_argnames where it comes from.",
        concrete=None,
    ),
    Use.SHAPE: Row(
        errors.ConcretizationTypeError,
        codes.TRACED_SHAPE,
        "{construct} makes a shape of {operand}, which is traced",
        "Take the size from an array's `shape`{static}.",
        concrete=True,
    ),
    Use.SIZE: Row(
        errors.ConcretizationTypeError,
        codes.TRACED_SHAPE,
        "{construct} makes a size of {operand}, which is traced",
        "Take the size from an array's `shape`{static}.",
        concrete=None,
    ),
    Use.BOOLEAN_INDEX: Row(
        errors.NonConcreteBooleanIndexError,
        codes.BOOLEAN_MASK_INDEX,
        "{construct} picks as many elements as {operand} has true ones, which tracing cannot know",
        "Write `jnp.where({value}, {container}, 0)`, or give a reduction `where={value}`; "
        "`{container}[jnp.nonzero({value}, size=...)]` fixes the number instead.",
        "mask",
    ),
    Use.DYNAMIC_SIZE: Row(
        errors.ConcretizationTypeError,
        codes.DYNAMIC_SHAPE,
        "the size of the result of {construct} depends on the numbers in {operand}",
        "Give the size (size=..., length=...), or keep the shape and mask with jnp.where.",
    ),
    Use.SLICE_BOUND: Row(
        errors.JAXIndexError,
        codes.TRACED_SLICE_BOUND,
        "{construct} slices by {operand}, which is traced, so that the size is not known",
        "Use jax.lax.dynamic_slice with a fixed size, or mask with jnp.where.",
        concrete=True,
    ),
    Use.ITEM_ASSIGNMENT: Row(
        errors.JAXTypeError,
        codes.ITEM_ASSIGNMENT,
        "{construct} assigns an item of {operand}, and JAX arrays cannot be changed",
        "Write `x = x.at[index].set(value)`.",
        concrete=True,
        array=True,
    ),
}
"""One row for each use; every use fails for abstract tracers."""


def fails(use: Use, tracedness: Tracedness, dtype: DType | None = None) -> bool | None:
    """Whether a value in this use raises; None when it is not certain.

    >>> from oakum import dtypes
    >>> fails(Use.BOOL, "abstract"), fails(Use.BOOL, "concrete", dtypes.float32)
    (True, False)
    >>> fails(Use.FLOAT, "concrete", dtypes.float32), fails(Use.FLOAT, "concrete", dtypes.bool_)
    (True, False)
    """
    row = TABLE[use]
    match tracedness:
        case "abstract":
            return True
        case "array":
            return row.array
        case "concrete":
            if dtype is None:
                return row.concrete if row.concrete == row.array else None
            inexact = dtype.kind in (Kind.FLOAT, Kind.COMPLEX)
            return row.concrete if inexact else row.array


_LONGEST_VALUE: Final = 28
"""The text of a value that stands inside other code is no longer: hints are one line."""
_LONGEST_CONTAINER: Final = 40


def hint(use: Use, value: str = "", *, container: str = "", static: str = "") -> str:
    """Returns what to write instead of a use, in terms of the user's own text.

    `value` is the text of the value, `container` that of what it indexes, and `static` the offer to
    make an argument static, if there is one.

    >>> hint(Use.NUMPY_INDEX, "tokens", container="table")
    'Make it a JAX array first: `jnp.asarray(table)[tokens]`.'
    >>> hint(Use.INT, "a + b")
    'Keep it an array: `(a + b).astype(int)`.'
    """
    row = TABLE[use]
    if not value or len(value) > _LONGEST_VALUE:
        value = row.stand_in
    if "{value}." in row.hint and _needs_parentheses(value):
        value = f"({value})"
    if not container or len(container) > _LONGEST_CONTAINER:
        container = "x"
    return row.hint.format(value=value, container=container, static=static)


def _needs_parentheses(value: str) -> bool:
    """Whether an attribute cannot be taken of an expression as it is written."""
    import ast  # Only errors pay for it.

    try:
        node = ast.parse(value, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))


def error(use: Use, *, construct: str, operand: str, frame: Frame | None = None) -> OakumError:
    """Returns the exception of a traced value in this use, ready to be raised.

    >>> print(error(Use.INT, construct="int()", operand="`x` (f32[])", frame=Frame("f.py", 3)))
    int() needs the number in `x` (f32[]) while it is traced.
    At f.py:3.
    Keep it an array: `x.astype(int)`.
    OAK204 tracer-to-scalar: oakum explain OAK204
    """
    row = TABLE[use]
    text = row.text.format(construct=construct, operand=operand)
    return row.error(text, code=row.code, hint=hint(use), frame=frame)
