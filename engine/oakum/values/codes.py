"""The catalogue of codes: what each coded error is called, means and asks for.

One row per code, for the run time, the linter and the editor alike. A rule's page may say more; it
never says something else. A code that no run reports has its row in its rule.

Invariants:
- Codes and names are unique; a code once published keeps its number and its meaning.
- Importing this module imports nothing but the standard library.
"""

from collections.abc import Mapping
from typing import Final, Literal

from oakum.values.code_row import Code as Code
from oakum.values.code_row import Family as Family

SYNTAX_ERROR: Final = Code(
    "OAK001",
    "syntax-error",
    "The file is not valid Python",
    "A part of the file that does not parse cannot be checked; the other parts still are.",
    "Correct the syntax at the place shown.",
)
UNREADABLE_FILE: Final = Code(
    "OAK002",
    "unreadable-file",
    "The file cannot be read as Python source",
    "It is missing, not a regular file, not readable, or its bytes do not fit its encoding.",
    "Check the path, its permissions and the encoding that its first two lines declare.",
)
INCOMPLETE_ANALYSIS: Final = Code(
    "OAK003",
    "incomplete-analysis",
    "Not all of the code was analysed",
    "The code is nested too deeply, or its analysis took more steps or time than it may.",
    "Split what is too deep or too long; allow more with `--max-seconds-per-root`.",
)
INTERNAL_ERROR: Final = Code(
    "OAK004",
    "internal-error",
    "The checker failed on a part of this file",
    "The fault is in oakum, not in the file; everything else was still checked.",
    "Report this line, with the smallest part of the file that still fails.",
)
UNUSED_SUPPRESSION: Final = Code(
    "OAK005",
    "unused-suppression",
    "A suppression comment suppresses nothing",
    "No finding with this code is made on the line, so the comment would hide a later mistake.",
    "Remove the comment, or the code from its list.",
)
UNKNOWN_SUPPRESSION_CODE: Final = Code(
    "OAK006",
    "unknown-suppression-code",
    "A suppression comment names a code that does not exist",
    "The comment suppresses nothing under that name.",
    "Write an existing code; `oakum rules` lists them.",
)
NOT_EVALUATED: Final = Code(
    "OAK007",
    "not-evaluated",
    "The function is declared but this version of oakum does not evaluate it",
    "oakum knows the function's signature and result type, which checking needs, but not its body.",
    "Run the program with JAX; `oakum check` works without evaluating anything.",
)
UNCOMPILED_PROGRAM: Final = Code(
    "OAK008",
    "uncompiled-program",
    "A program is interpreted, as it could not be compiled",
    "The compiler refused the program, or native code cannot be made on this machine; the results "
    "are right, but slower.",
    "Report the program; set OAKUM_COMPILE=0 to interpret all programs without this warning.",
)
MISCOMPILED_PROGRAM: Final = Code(
    "OAK009",
    "miscompiled-program",
    "A compiled program computes something else than its evaluation",
    "The option oakum_verify found that a step of the compiled program gives other values than the "
    "evaluation of its equations, or writes where it must not; the fault is in oakum.",
    "Report the program with this message; set OAKUM_COMPILE=0 to interpret all programs.",
)
FOREIGN_CACHE: Final = Code(
    "OAK010",
    "foreign-cache",
    "Compiled code is not kept where other users may write",
    "Whoever can write to the folder or the file, or replace a folder on the way to it, would "
    "choose what runs with your rights; programs are compiled again in each process.",
    "Close it to other users with `chmod go-w`, or name one of your own in OAKUM_CACHE_DIR.",
)
TRACER_IN_OUTER_CONTAINER: Final = Code(
    "OAK101",
    "tracer-in-outer-container",
    "A traced value is stored in a container that outlives the trace",
    "The store happens once, while tracing, and leaves a tracer behind that fails when it is used.",
    "Return the value from the traced function, or collect values with jax.lax.scan.",
)
TRACER_IN_METADATA: Final = Code(
    "OAK106",
    "tracer-in-metadata",
    "A traced value is in the metadata of a pytree that a traced function returns",
    "Only leaves leave a trace as values: metadata belongs to the structure, and keeps the tracer.",
    "Make the value a child (a data field) of the pytree, and keep in metadata what has a hash.",
)
VARYING_TRACE: Final = Code(
    "OAK115",
    "varying-trace",
    "A function becomes another program when it is traced again",
    "It reads a clock, random numbers, or a variable that it changes itself; what it got while it "
    "was traced is part of the compiled program.",
    "Pass what changes as an argument, and draw random numbers with jax.random and a key.",
)
TRACER_IN_BRANCH: Final = Code(
    "OAK201",
    "tracer-in-branch",
    "A Python branch depends on a traced value",
    "Python needs True or False while the function is traced, and a tracer has no value yet.",
    "Select with jnp.where or jax.lax.select, or branch with jax.lax.cond.",
)
TRACER_IN_LOOP_CONDITION: Final = Code(
    "OAK202",
    "tracer-in-loop-condition",
    "A while loop tests a traced value",
    "Python needs True or False while the function is traced, and a tracer has no value yet.",
    "Loop with jax.lax.while_loop, or with jax.lax.fori_loop for a known number of steps.",
)
TRACER_IN_BOOLEAN_OPERATION: Final = Code(
    "OAK203",
    "tracer-in-boolean-operation",
    "A Python operation asks a traced value whether it is true",
    "`and`, `or`, `not`, `in`, chained comparisons, `min`, `max` and `sorted` call bool().",
    "Use &, |, ~ with parentheses, jnp.logical_and and the like, jnp.minimum, jnp.any, jnp.sort.",
)
TRACER_TO_SCALAR: Final = Code(
    "OAK204",
    "tracer-to-scalar",
    "A traced value is converted to a Python number",
    "The number is not known while the function is traced.",
    "Keep it an array (x.astype(...), jnp functions), or convert outside the traced function.",
)
TRACER_IN_RANGE: Final = Code(
    "OAK205",
    "tracer-in-range",
    "A traced value is used where Python needs an integer",
    "range() and the other uses of __index__ need the number while the function is traced.",
    "Loop with jax.lax.fori_loop or jax.lax.scan, or make the argument static.",
)
SEQUENCE_INDEXED_BY_TRACER: Final = Code(
    "OAK206",
    "sequence-indexed-by-tracer",
    "A Python sequence is indexed by a traced value",
    "A list, tuple or string needs the integer while the function is traced.",
    "Make the sequence an array with jnp.stack or jnp.asarray, or choose with jax.lax.switch.",
)
NUMPY_ARRAY_INDEXED_BY_TRACER: Final = Code(
    "OAK207",
    "numpy-array-indexed-by-tracer",
    "A NumPy array is indexed by a traced value",
    "NumPy needs the index while the function is traced.",
    "Convert the array with jnp.asarray before indexing it.",
)
NUMPY_CALL_ON_TRACER: Final = Code(
    "OAK208",
    "numpy-call-on-tracer",
    "A function that runs on the host gets a traced value",
    "NumPy and other host code need the numbers while the function is traced.",
    "Call the jax.numpy function of that name, or go through jax.pure_callback.",
)
DYNAMIC_SHAPE: Final = Code(
    "OAK210",
    "dynamic-shape",
    "The size of a result depends on traced values",
    "Every shape has to be known while the function is traced.",
    "Give the size (size=..., length=...), or keep the shape and mask with jnp.where.",
)
TRACED_SHAPE: Final = Code(
    "OAK211",
    "traced-shape",
    "A traced value is used as a shape or a size",
    "Every shape has to be known while the function is traced.",
    "Take sizes from x.shape, or make the argument static.",
)
TRACED_STATIC_ARGUMENT: Final = Code(
    "OAK212",
    "traced-static-argument",
    "A traced value is passed for an argument that has to be static",
    "The argument chooses what is computed, so it has to be known while the function is traced.",
    "Pass a Python value, and mark the parameter with static_argnames where it is handed through.",
)
BOOLEAN_MASK_INDEX: Final = Code(
    "OAK213",
    "boolean-mask-index",
    "An array is indexed by a traced boolean mask",
    "The size of the result is the number of true elements, which is not known while tracing.",
    "Use jnp.where(mask, x, other), or jnp.nonzero(mask, size=...) and index by the positions.",
)
TRACED_SLICE_BOUND: Final = Code(
    "OAK214",
    "traced-slice-bound",
    "A slice has a traced bound",
    "The size of the slice is not known while the function is traced.",
    "Use jax.lax.dynamic_slice with a fixed size, or mask with jnp.where.",
)
ITEM_ASSIGNMENT: Final = Code(
    "OAK215",
    "item-assignment",
    "An item of an immutable array is assigned, or a NumPy buffer gets a traced value",
    "JAX arrays cannot be changed in place, and a NumPy buffer cannot hold a tracer.",
    "Write x = x.at[index].set(value).",
)
HASHED_TRACER: Final = Code(
    "OAK216",
    "hashed-tracer",
    "A traced value is hashed",
    "Dictionary keys, set members and arguments of cached functions need a value to hash.",
    "Use a Python value as the key, or look up with an array index.",
)
FORMATTED_TRACER: Final = Code(
    "OAK217",
    "formatted-tracer",
    "A traced value meets a numeric format",
    "The number is not known while the function is traced.",
    "Print with jax.debug.print, or format outside the traced function.",
)
MISSING_STATIC_ARGUMENT: Final = Code(
    "OAK301",
    "missing-static-argument",
    "A static argument is named that the function does not have",
    "jit compares the names with the signature when it is applied, and refuses others.",
    "Name parameters of the function in static_argnames.",
)
ARRAY_NONDIFF_ARGUMENT: Final = Code(
    "OAK302",
    "array-nondiff-argument",
    "A non-differentiable argument of a custom derivative is an array",
    "Such an argument cannot be a tracer, so the function fails under jit, vmap, scan and grad.",
    "Take the array out of nondiff_argnums, and return None as its derivative.",
)
OPERATION_WITHOUT_RULE: Final = Code(
    "OAK303",
    "operation-without-rule",
    "An operation has no rule for the transformation",
    "It cannot be differentiated, transposed or mapped in this way.",
    "Give the function a rule of its own with jax.custom_jvp, jax.custom_vjp or custom_vmap.",
)
UNHASHABLE_STATIC_ARGUMENT: Final = Code(
    "OAK304",
    "unhashable-static-argument",
    "A static argument cannot be hashed",
    "jit looks a compiled program up by its static arguments, and lists, dicts, sets and arrays "
    "have no hash.",
    "Pass a tuple or another hashable value, or do not make the argument static.",
)
FOREIGN_ARGUMENT: Final = Code(
    "OAK305",
    "foreign-argument",
    "A traced function takes or returns something that is not an array",
    "Arguments and results of a compiled program are arrays, numbers, and containers of these.",
    "Make the argument static, close over it, or return only arrays.",
)
TRACED_SELF: Final = Code(
    "OAK306",
    "traced-self",
    "A method is jitted whose `self` is not a pytree",
    "jit takes `self` for an argument to trace, and does not know how to take the object apart.",
    "Jit a function of the arrays, make `self` static, or register the class as a pytree.",
)
COMPILED_IN_LOOP: Final = Code(
    "OAK307",
    "compiled-in-loop",
    "A function is jitted in every iteration of a loop",
    "jit finds its programs by the function object; of a new one it has none, and compiles again.",
    "Jit the function once, before the loop.",
)
RETRACED_IN_LOOP: Final = Code(
    "OAK308",
    "retraced-in-loop",
    "A loop has a jitted function compiled again in every iteration",
    "There is one program for each value of a static argument and each shape of the rest.",
    "Have the number traced, and give the function arrays of one shape.",
)
UNBOUND_AXIS: Final = Code(
    "OAK309",
    "unbound-axis",
    "An operation over a named axis is called where nothing maps that axis",
    "`psum`, `pmean`, `axis_index` and their like combine what `vmap`, `pmap` or `shard_map` has "
    "split over an axis of that name.",
    "Map the function with that name: jax.vmap(f, axis_name=...).",
)
REUSED_KEY: Final = Code(
    "OAK401",
    "reused-key",
    "A random key is used twice",
    "Two draws from one key are not independent: they give the same bits.",
    "Split the key with jax.random.split, and use each part once.",
)

IRREVERSIBLE_LOOP: Final = Code(
    "OAK604",
    "irreversible-loop",
    "A loop of unknown length is differentiated in reverse mode",
    "Reverse mode keeps what each iteration computed, in memory that is laid out before it runs.",
    "Use lax.scan, or fori_loop with static bounds; or forward mode: jax.jvp, jax.jacfwd.",
)
INVALID_NUMBER: Final = Code(
    "OAK605",
    "invalid-number",
    "An operation gives NaN or infinity",
    "Its operands lie where it is not defined or too large, or hold such values already; the "
    "options jax_debug_nans and jax_debug_infs stop a program there.",
    "Keep operands where the operation is defined: `jnp.where(x > 0, x, 1.0)` before a logarithm, "
    "a root or a division.",
)
SHAPE_MISMATCH: Final = Code(
    "OAK501",
    "shape-mismatch",
    "The shapes of the operands do not fit the operation",
    "No rule of broadcasting or of the operation makes these shapes agree.",
    "Reshape, transpose or slice an operand so that the sizes agree.",
)
DTYPE_MISMATCH: Final = Code(
    "OAK502",
    "dtype-mismatch",
    "The dtypes of the operands do not fit the operation",
    "The operation does not take these dtypes, and no implicit promotion leads to ones it takes.",
    "Convert an operand with astype.",
)
SEQUENCE_OPERAND: Final = Code(
    "OAK503",
    "sequence-operand",
    "A list or tuple stands where an array is needed",
    "Functions of jax.numpy, operators and indices take arrays and numbers, not Python sequences.",
    "Make an array of it with jnp.asarray, jnp.stack or jnp.array.",
)
CARRY_MISMATCH: Final = Code(
    "OAK504",
    "carry-mismatch",
    "A loop's carry or the results of two branches differ in type",
    "A compiled loop or branch has one type for each value: a shape, a dtype, a structure.",
    "Make shapes, dtypes and structures equal: astype, an array of the final size, the same keys.",
)
OUT_OF_BOUNDS_INDEX: Final = Code(
    "OAK506",
    "out-of-bounds-index",
    "An index is beyond the end of an array",
    "JAX raises only where the axis has no elements: else a read gives the last element, and an "
    "update is dropped.",
    "Index within the shape, from -n to n - 1.",
)
RANK_PROMOTION: Final = Code(
    "OAK507",
    "rank-promotion",
    "Operands of several ranks meet where the program forbids that",
    "The option jax_numpy_rank_promotion is 'raise': no axis is added in front of the smaller one.",
    "Give the operands one rank: `x[None, :]`, `x[:, None]`, or `reshape`.",
)
DTYPE_PROMOTION: Final = Code(
    "OAK508",
    "dtype-promotion",
    "Operands of several dtypes meet where the program forbids that",
    "The option jax_numpy_dtype_promotion is 'strict': only Python numbers take another dtype.",
    "Convert one of them with `astype`.",
)
GRADIENT_TYPE: Final = Code(
    "OAK601",
    "gradient-type",
    "A gradient is taken of something that has none",
    "Only a real number has a gradient, and only with respect to real or complex arrays.",
    "Give floats, and return one float; return other data with has_aux=True.",
)
DELETED_ARRAY: Final = Code(
    "OAK701",
    "deleted-array",
    "An array is used after its data were freed",
    "They were freed by x.delete(), or passed to a function jitted with donated arguments.",
    "Use the result of the function that the array was donated to, or give it a copy, x.copy().",
)
DEVICE_MISMATCH: Final = Code(
    "OAK702",
    "device-mismatch",
    "The operands of an operation are committed to different devices",
    "Computation takes place where committed operands are, and they cannot be in two places.",
    "Move one of them with jax.device_put(x, device).",
)
GUARDED_TRANSFER: Final = Code(
    "OAK703",
    "guarded-transfer",
    "An array moves where the transfer guard forbids it",
    "Host data that stand in a computation are moved to a device each time that it runs.",
    "Put the data on the device before, with jax.device_put.",
)
CAPTURED_CONSTANT: Final = Code(
    "OAK705",
    "captured-constant",
    "A compiled function holds large arrays that it read from outside",
    "Arrays that are read from variables around the function are part of each program that is made "
    "of it, and stay as they were when it was traced.",
    "Pass such arrays as arguments.",
)
REPEATED_TRANSFER: Final = Code(
    "OAK706",
    "repeated-transfer",
    "A loop brings an array to the host in every step",
    "The host waits until the device has computed it, and then the device waits for the host.",
    "Keep the arrays, and bring them to the host after the loop, or every so many steps.",
)

GradientProblem = Literal["input", "shape", "tree", "dtype", "aux"]
"""What has no gradient: an argument, or a result that is no number, no float, or no pair."""

GRADIENT_HINTS: Final[Mapping[GradientProblem, str]] = {
    "input": "Pass floats (1.0 instead of 1, `x.astype(float)`), or differentiate by another "
    "argument with `argnums`.",
    "shape": "Sum or average the result, or take `jax.jacrev` for the derivative of an array.",
    "tree": "Return one number, and other data as the second of two results with `has_aux=True`.",
    "dtype": "Return a real float: a gradient by integers or truth values does not exist.",
    "aux": "Return a pair of the number and the other data, or leave `has_aux` out.",
}

CarryProblem = Literal["carry", "branches", "condition", "pair"]
"""What does not fit: what a body returns as its carry, two branches, the condition of a loop, or
what a body of `scan` returns.
"""

CARRY_HINTS: Final[Mapping[CarryProblem, str]] = {
    "carry": "Begin with the type that the body returns, or have the body return the type that it "
    "takes: `astype`, an array of the final size, the same keys.",
    "branches": "Return the same shapes, dtypes and containers from each branch.",
    "condition": "Compare the parts of the state, and reduce with `jnp.any` or `jnp.all`.",
    "pair": "Return `(carry, output)` from the body; the output may be None.",
}
CATALOGUE: Final[tuple[Code, ...]] = (
    SYNTAX_ERROR,
    UNREADABLE_FILE,
    INCOMPLETE_ANALYSIS,
    INTERNAL_ERROR,
    UNUSED_SUPPRESSION,
    UNKNOWN_SUPPRESSION_CODE,
    NOT_EVALUATED,
    UNCOMPILED_PROGRAM,
    MISCOMPILED_PROGRAM,
    FOREIGN_CACHE,
    TRACER_IN_OUTER_CONTAINER,
    TRACER_IN_METADATA,
    VARYING_TRACE,
    TRACER_IN_BRANCH,
    TRACER_IN_LOOP_CONDITION,
    TRACER_IN_BOOLEAN_OPERATION,
    TRACER_TO_SCALAR,
    TRACER_IN_RANGE,
    SEQUENCE_INDEXED_BY_TRACER,
    NUMPY_ARRAY_INDEXED_BY_TRACER,
    NUMPY_CALL_ON_TRACER,
    DYNAMIC_SHAPE,
    TRACED_SHAPE,
    TRACED_STATIC_ARGUMENT,
    BOOLEAN_MASK_INDEX,
    TRACED_SLICE_BOUND,
    ITEM_ASSIGNMENT,
    HASHED_TRACER,
    FORMATTED_TRACER,
    MISSING_STATIC_ARGUMENT,
    ARRAY_NONDIFF_ARGUMENT,
    OPERATION_WITHOUT_RULE,
    UNHASHABLE_STATIC_ARGUMENT,
    FOREIGN_ARGUMENT,
    TRACED_SELF,
    COMPILED_IN_LOOP,
    RETRACED_IN_LOOP,
    UNBOUND_AXIS,
    REUSED_KEY,
    SHAPE_MISMATCH,
    DTYPE_MISMATCH,
    SEQUENCE_OPERAND,
    CARRY_MISMATCH,
    OUT_OF_BOUNDS_INDEX,
    RANK_PROMOTION,
    DTYPE_PROMOTION,
    GRADIENT_TYPE,
    IRREVERSIBLE_LOOP,
    INVALID_NUMBER,
    DELETED_ARRAY,
    DEVICE_MISMATCH,
    GUARDED_TRANSFER,
    CAPTURED_CONSTANT,
    REPEATED_TRANSFER,
)
"""All codes, in order."""

_BY_WORD: Final = {word: code for code in CATALOGUE for word in (code.code, code.name)}


def find(word: str) -> Code | None:
    """Finds a code by its number or its name, in either case.

    >>> find("oak201") is find("tracer-in-branch") is TRACER_IN_BRANCH
    True
    >>> find("OAK999") is None
    True
    """
    return _BY_WORD.get(word.upper()) or _BY_WORD.get(word.lower())
