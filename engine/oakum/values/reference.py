"""The reference of a public function: its summary, and what its declaration states, in words.

`help(jnp.sum)` and the pages of the API show the same text. What a declaration holds (which
arguments have to be known while tracing, when the size of a result depends on values, where a
derivative is zero or infinite) is written here from it, and nowhere a second time.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Final

from oakum.values import codes
from oakum.values.facts import Facts, StaticUse

TEXTS: Final[dict[str, str]] = {
    "A": "A matrix, or a stack of matrices in the last two axes.",
    "M": "The number of points, or of rows.",
    "N": "The number of rows.",
    "a": "An array or a number.",
    "a1": "The first array.",
    "a2": "The second array.",
    "accuracy": "How exact the result is to be; oakum always computes the most exact one.",
    "allow_int": "Whether arguments may be integers; their derivatives have the dtype float0.",
    "allow_negative_indices": "Whether negative indices count from the end.",
    "ar1": "The first array.",
    "ar2": "The second array.",
    "argnums": "The positions of the arguments to differentiate by, as one or several integers.",
    "args": "Positional arguments of the function.",
    "arr": "An array.",
    "array": "An array.",
    "arrays": "Arrays that are taken together.",
    "ary": "An array.",
    "assume_unique": "Whether each array is known to hold no element twice, which saves work.",
    "axes": "The axes that it works along; None stands for all, or the last ones.",
    "axis": "The axis, or where it may be several the axes; negative ones count from the end.",
    "axis_index_groups": "Groups of indices of the mapped axis, each of which is taken by itself.",
    "axis_name": "The name of an axis that `vmap`, `pmap` or `shard_map` maps over.",
    "b": "An array or a number.",
    "backend": "The name of a platform, such as 'cpu'.",
    "batch_axis": "The axes that are no inputs or outputs, and do not count for the variance.",
    "bins": "The number of bins, or the edges between them.",
    "check_finite": "As in SciPy; nothing is checked under tracing.",
    "copy": "Whether the result is always a new array.",
    "ddof": "What is subtracted from the number of elements before it divides.",
    "device": "The device or sharding that the result lies on.",
    "dimension_numbers": "Which axes of the operands are batch, feature and spatial axes.",
    "dimensions": "The axes, as non-negative integers.",
    "dtype": "The dtype of the result; None takes that of the operands, promoted.",
    "equal_nan": "Whether NaN is equal to NaN.",
    "f": "A function.",
    "fill_value": "What stands where there is no element.",
    "fun": "A function.",
    "func": "A function.",
    "has_aux": "Whether the function returns a pair, of which the second part is handed through.",
    "holomorphic": "Whether the function is holomorphic: then arguments and results are complex.",
    "init": "The state that the loop begins with: an array, or a tree of arrays.",
    "init_val": "The state that the loop begins with: an array, or a tree of arrays.",
    "body_fun": "Returns the next state from the state.",
    "cond_fun": "Returns whether the loop goes on, from the state.",
    "repeats": "How often each element is repeated: a number, or one for each.",
    "ord": "The order of the norm, as in NumPy.",
    "num": "The number of samples.",
    "start": "The first value.",
    "stop": "The last value, or the one that ends the range.",
    "in_axis": "The axis of the inputs, for the variance.",
    "indices": "Indices, as integers.",
    "indices_are_sorted": "Whether the indices are in order; if not, the result is undefined.",
    "initial": "The value that the computation begins with.",
    "is_leaf": "Returns whether a container is to be taken as a leaf; called for each.",
    "is_leaf_takes_path": "Whether `is_leaf` is called with the path, too.",
    "k": "An offset: of a diagonal above (positive) or below the main one.",
    "keepdims": "Whether reduced axes stay, with size 1.",
    "key": "A random key (`jax.random.key`). It is used up: use each once.",
    "keys": "Random keys.",
    "kwargs": "Keyword arguments of the function.",
    "lhs": "The left operand.",
    "lhs_dilation": "By how much the left operand is dilated along each spatial axis.",
    "loc": "The mean, or the place, of the distribution.",
    "lower": "Whether the lower triangle is taken.",
    "mode": "What happens out of bounds: 'fill', 'clip', 'drop' or 'promise_in_bounds'.",
    "new_val": "The new value; None asks for the option only.",
    "num_segments": "The number of segments, which is the size of the result.",
    "operand": "An array.",
    "operands": "The arrays that the functions are called with.",
    "out": "None: an array cannot be written into.",
    "out_axis": "The axis of the outputs, for the variance.",
    "out_sharding": "The sharding of the result, or None.",
    "overwrite_a": "As in SciPy; arrays are never written into.",
    "overwrite_b": "As in SciPy; arrays are never written into.",
    "overwrite_input": "As in NumPy; arrays are never written into.",
    "p": "An array or a number.",
    "padding": "'SAME', 'VALID', or a pair of numbers for each spatial axis.",
    "precision": "How exact products are: None, 'default', 'high' or 'highest'.",
    "preferred_element_type": "The dtype in which products are summed and given.",
    "primals": "The point at which is differentiated.",
    "q": "An array or a number.",
    "reduce_axes": "Names of mapped axes over which gradients are summed.",
    "reverse": "Whether it begins at the end.",
    "rhs": "The right operand.",
    "rhs_dilation": "By how much the right operand is dilated along each spatial axis.",
    "rtol": "The relative tolerance.",
    "scale": "The scale of the distribution, or of the result.",
    "scatter_indices": "The places that are written, as integers.",
    "segment_ids": "The segment that each element belongs to, as integers.",
    "shape": "The shape of the result.",
    "sharding": "The device or sharding that the result lies on.",
    "size": "The number of elements of the result, which has to be known under tracing.",
    "static_argnums": "Positions of arguments that stay Python values.",
    "tree": "A tree of containers, whose leaves are arrays or other values.",
    "treedef": "The structure of a tree, from `jax.tree.structure`.",
    "unique_indices": "Whether no index is there twice; if one is, the result is undefined.",
    "unroll": "How many iterations are written out in one step of the loop.",
    "updates": "The values that are written.",
    "upper": "Whether the upper triangle is taken.",
    "v": "An array.",
    "weights": "The weight of each element; None gives all the same.",
    "where": "Which elements take part: an array of bools.",
    "window_strides": "By how many elements the window moves along each spatial axis.",
    "x": "An array or a number.",
    "x1": "An array or a number.",
    "x2": "An array or a number.",
    "xs": "Arrays, or a tree of them, whose leading axis is looped over.",
    "y": "An array or a number.",
    "z": "An array or a number.",
    "lax.axis": "The axis, as a non-negative integer.",
    "nn.axis": "The axis that is normalized.",
    "nn.initializers.dtype": "The dtype of the parameters.",
    "nn.initializers.scale": "A factor of the variance.",
    "nn.initializers.mode": "What the variance is divided by: 'fan_in', 'fan_out' or 'fan_avg'.",
    "numpy.fft.a": "The array that is transformed.",
    "numpy.fft.axis": "The axis that is transformed.",
    "numpy.fft.axes": "The axes that are transformed.",
    "numpy.fft.n": "The length of the transform: the axis is cut, or filled with zeros.",
    "numpy.fft.norm": "Where the factor stands: 'backward', 'ortho' or 'forward'.",
    "numpy.fft.s": "The lengths of the transform along each axis.",
    "numpy.linalg.a": "A matrix, or a stack of matrices in the last two axes.",
    "numpy.pad.mode": "What is put around: 'constant', 'edge', 'reflect', 'symmetric', 'wrap', ...",
    "numpy.convolve.mode": "'full', 'same' or 'valid'.",
    "numpy.correlate.mode": "'full', 'same' or 'valid'.",
    "random.dtype": "The dtype of the draws.",
    "random.scale": "The scale of the distribution.",
    "random.shape": "The shape of the draws; None takes that of the parameters.",
    "scipy.linalg.a": "A matrix, or a stack of matrices in the last two axes.",
    "scipy.signal.mode": "'full', 'same' or 'valid'.",
    "scipy.signal.axis": "The axis along which the signal runs.",
}
"""What the parameters of public functions mean, by their names. A name that means something else in
one package or function has a row of its own, under its prefix; the longest prefix counts.
"""


def meaning(function: str, parameter: str) -> str:
    """Returns what a parameter of a function means; "" where its name does not say it.

    >>> meaning("random.normal", "shape")
    'The shape of the draws; None takes that of the parameters.'
    >>> meaning("lax.foo", "unheard_of")
    ''
    """
    parts = function.split(".")
    for length in range(len(parts), -1, -1):
        found = TEXTS.get(".".join((*parts[:length], parameter)))
        if found is not None:
            return found
    return ""


_EDGES: Final[Mapping[str, str]] = {
    "singular": "The derivative is infinite at the edge of the domain",
    "arc": "The derivative is infinite at -1 and 1, and NaN beyond them",
    "root": "The derivative is infinite, and NaN behind a selection that leaves it out",
    "length": "The derivative is NaN where all elements are zero",
    "deviation": "The derivative is NaN where all elements are equal",
    "power": "The derivative by the exponent is NaN where the base is negative",
    "corner": "The derivatives are NaN where all operands are zero",
}
_STATIC: Final[Mapping[StaticUse, str]] = {
    StaticUse.ARGUMENT: "It has to be a Python value while tracing.",
    StaticUse.SHAPE: "Each size in it has to be a Python value while tracing.",
    StaticUse.SIZE: "It has to be a Python number while tracing.",
}
_LIMIT: Final = 60
"""Characters of a default value that are shown."""


def reference(facts: Facts, summary: str) -> str:
    """Returns the text of `help` for a function with this declaration."""
    parts = [inspect.cleandoc(summary)] if summary else []
    for title, lines in (
        ("Args", [*_parameters(facts)]),
        ("Returns", [*_result(facts)]),
        ("Raises", [*_errors(facts)]),
        ("Gradient", [*_gradient(facts)]),
    ):
        if lines:
            parts.append("\n".join((f"{title}:", *map(_wrapped, lines))))
    return "\n\n".join(parts)


def _wrapped(line: str) -> str:
    return textwrap.fill(line, 96, initial_indent="    ", subsequent_indent="        ")


def _parameters(facts: Facts) -> Iterator[str]:
    for name, parameter in facts.signature.parameters.items():
        if name.startswith("_"):
            continue
        stars = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
        sentences = [meaning(facts.name, name)]
        if name in facts.static:
            sentences.append(_STATIC[facts.static[name]])
        elif name in facts.needs_concrete:
            sentences.append("It must not be traced.")
        if name in facts.consumes_keys and name != "key":
            sentences.append("The key is used up: use each once.")
        if parameter.default is not inspect.Parameter.empty:
            shown = repr(parameter.default)
            if len(shown) <= _LIMIT and not shown.startswith("<"):
                sentences.append(f"Default: {shown}.")
        text = " ".join(filter(None, sentences))
        if text:
            yield f"{stars}{name}: {text}"
        else:
            yield f"{stars}{name}"


def _result(facts: Facts) -> Iterator[str]:
    if facts.static_result:
        yield "A Python value, which tracing knows."
    elif facts.makes_keys:
        yield "A random key, or an array of them, that nothing has used yet."
    elif facts.gives:
        yield f"A function with the parameters of `{facts.gives}`."
    else:
        shown = _annotation(facts.signature.return_annotation)
        if shown:
            yield f"{shown}"
    dynamic = facts.dynamic_size
    if dynamic is not None:
        operands = " and ".join(f"`{name}`" for name in dynamic.operands)
        fixed = f"; `{dynamic.parameter}` fixes it" if dynamic.parameter else ""
        yield f"Its size depends on the values of {operands}{fixed}."
    if facts.hands_through:
        yield "An array that is right already is returned as it is."
    if facts.waits:
        yield "The call returns when all arrays are computed."


def _annotation(annotation: object) -> str:
    """The annotation of a result, where it says something."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    if text in ("Any", "object", "_empty", ""):
        return ""
    return {"Array": "An array.", "bool": "Whether it is so.", "None": "None."}.get(
        text, f"{text}."
    )


def _errors(facts: Facts) -> Iterator[str]:
    static = [name for name in facts.static if not name.startswith("_")]
    if static:
        names = ", ".join(f"`{name}`" for name in static)
        which = f"one of {names}" if len(static) > 1 else names
        yield f"{_named(codes.TRACED_STATIC_ARGUMENT)} if {which} is traced."
    for name, code in facts.needs_concrete.items():
        yield f"{_named(code)} if `{name}` is traced."
    if facts.dynamic_size is not None:
        yield f"{_named(codes.DYNAMIC_SHAPE)} if the size of the result is not known while tracing."
    if facts.consumes_keys:
        yield f"{_named(codes.REUSED_KEY)} if the key was used before (`debug_key_reuse`)."
    if facts.rule is not None and _operands(facts) > 1:
        yield f"{_named(codes.SHAPE_MISMATCH)} if the shapes do not fit."


def _operands(facts: Facts) -> int:
    """How many parameters may be arrays, as far as their annotations say."""
    annotations = [str(p.annotation) for p in facts.signature.parameters.values()]
    return sum("ArrayLike" in text or "Array" in text for text in annotations)


def _named(code: codes.Code) -> str:
    return f"{code.code} ({code.name})"


def _gradient(facts: Facts) -> Iterator[str]:
    if facts.zero_derivative:
        yield "It is zero everywhere."
    edge = _EDGES.get(facts.edge)
    if edge is not None:
        where = f", at {', '.join(f'{pole:g}' for pole in facts.poles)}" if facts.poles else ""
        yield f"{edge}{where}."
